"""Every test begins with the system's font, and some with a theme of their own."""

import os
from collections.abc import Iterator

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QLocale, QTranslator
from PySide6.QtWidgets import QApplication
from shiboken6 import isValid

from desktop.settings.settings import Theme
from desktop.ui.theme.theme import ThemeController
from tests.locales import locale_of_the_file  # noqa: F401 (pytest's way)

# What is drawn is looked at by hardly any test: draw on one thread, 20 times a second.
os.environ.setdefault("QT_NO_GUI_THREADPOOL", "1")
os.environ.setdefault("QT_QPA_UPDATE_IDLE_TIME", "50")


@pytest.fixture(autouse=True)
def _language_of_the_code(monkeypatch: pytest.MonkeyPatch, qapp: QApplication) -> Iterator[None]:
    """Remove the catalog that a window of this test installed, and restore the date formats."""
    installed: list[QTranslator] = []
    install, locale = QCoreApplication.installTranslator, QLocale()

    def note(translator: QTranslator) -> bool:
        installed.append(translator)
        return install(translator)

    monkeypatch.setattr(QCoreApplication, "installTranslator", note)
    yield
    for translator in filter(isValid, installed):
        QCoreApplication.removeTranslator(translator)
    QLocale.setDefault(locale)


@pytest.fixture(autouse=True)
def _no_widgets_of_the_test_before(qapp: QApplication) -> Iterator[None]:
    """Destroy the closed widgets after a test, as no event loop does it.

    Otherwise thousands of widgets pile up and follow every change of theme and language.
    """
    yield
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    # Else Qt polishes every widget of the next window by it whenever a layout adds one.
    qapp.setStyleSheet("")


@pytest.fixture(autouse=True)
def type_of_the_system(qapp: QApplication) -> Iterator[None]:
    """A theme sets the font of the whole application, also for the next test's windows."""
    font = qapp.font()
    yield
    qapp.setFont(font)


@pytest.fixture
def theme(qapp: QApplication) -> Iterator[ThemeController]:
    """Leaves the colours as the system has them."""
    made = ThemeController(qapp)
    yield made
    made.apply(Theme.SYSTEM)
    made.deleteLater()
