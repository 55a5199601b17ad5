"""Every test begins with the type of the system, and some with a theme of their own."""

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QLocale, QTranslator
from PySide6.QtWidgets import QApplication
from shiboken6 import isValid

from desktop.settings.settings import Theme
from desktop.ui.theme.theme import ThemeController


@pytest.fixture(autouse=True)
def _language_of_the_code(monkeypatch: pytest.MonkeyPatch, qapp: QApplication) -> Iterator[None]:
    """The next test has no catalog that a window of this one installed, and dates as before."""
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
    """What a test closed is destroyed behind it: no event loop comes that would.

    Thousands of widgets pile up else, and hear of every change of theme and language.
    """
    yield
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    # Else Qt polishes every widget of the next window by it each time that a layout takes it in.
    qapp.setStyleSheet("")


@pytest.fixture(autouse=True)
def type_of_the_system(qapp: QApplication) -> Iterator[None]:
    """A theme sets the whole application's, which the windows of the next test would have, too."""
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
