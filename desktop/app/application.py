"""Makes the application of Qt, and says why there is no window."""

import os
import sys
from functools import partial

from PySide6.QtCore import QtMsgType, qInstallMessageHandler
from PySide6.QtGui import QGuiApplication, QIcon
from PySide6.QtWidgets import QApplication

from desktop.cli.commands import print_error
from desktop.domain.errors import AppError, WindowUnavailableError
from desktop.domain.language import Language
from desktop.settings.messages import Texts, system_language
from desktop.settings.paths import asset
from desktop.ui.widgets.plain_text import MessageBox


def show_why(error: AppError, language: Language | None) -> None:
    app = make_application(language)
    words = Texts(language or system_language(os.environ)).error(error)
    box = MessageBox(MessageBox.Icon.Critical, words)
    box.setWindowTitle(app.applicationName())
    box.exec()


def make_application(language: Language | None = None) -> QApplication:
    QGuiApplication.setDesktopFileName("app.bellek.Bellek")
    qInstallMessageHandler(partial(_say_why_no_window, language, []))
    app = QApplication(sys.argv[:1])
    qInstallMessageHandler(None)
    app.setApplicationName("Bellek")
    app.setQuitOnLastWindowClosed(False)
    app.setWindowIcon(QIcon(str(asset("resources", "icons", "bellek.svg"))))
    return app


def _say_why_no_window(
    language: Language | None, before: list[str], kind: QtMsgType, _: object, words: str
) -> None:
    """Say why there will be no window; Qt would abort next, with a raw text and a dump."""
    if kind is not QtMsgType.QtFatalMsg:
        before.append(" ".join(words.split()))
        return
    texts = Texts(language or system_language(os.environ))
    print_error(texts, WindowUnavailableError(detail=" ".join(dict.fromkeys(before)) or words))
    sys.stderr.flush()
    os._exit(1)
