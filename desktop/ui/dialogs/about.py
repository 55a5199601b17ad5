"""The dialogs About and Error report."""

import platform
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from PySide6.QtCore import QSize, QSysInfo, Qt, qVersion
from PySide6.QtGui import QGuiApplication, QIcon
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QHBoxLayout,
    QPlainTextEdit,
    QVBoxLayout,
    QWidget,
)

from desktop.settings.paths import asset
from desktop.ui.dialogs.form import CloseButtons, FolderRow
from desktop.ui.i18n import TranslatedWidget
from desktop.ui.theme.tokens import ICON_SIZE, Space
from desktop.ui.widgets.labels import BodyLabel, HintLabel, TitleLabel
from desktop.ui.widgets.layouts import text_width
from desktop.ui.widgets.plain_text import Label

_ICON_SIZE = 4 * ICON_SIZE
_CHARACTERS = 64
_REPORT_CHARACTERS, _REPORT_LINES = 78, 7


def program_version() -> str:
    try:
        return version("bellek")
    except PackageNotFoundError:  # a checkout that was never installed
        return ""


class AboutDialog(TranslatedWidget, QDialog):
    def __init__(self, data: Path, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._build(data)
        self.retranslate()

    def _build(self, data: Path) -> None:
        picture = Label()
        picture.setAccessibleName("Bellek")
        icon = QIcon(str(asset("resources", "icons", "bellek.svg")))
        picture.setPixmap(icon.pixmap(QSize(_ICON_SIZE, _ICON_SIZE), self.devicePixelRatio()))
        name, self._version = TitleLabel(), HintLabel()
        name.setText("Bellek")
        self._what, self._licence = BodyLabel(), HintLabel()
        self._data = FolderRow(data)
        self._buttons = CloseButtons()
        self._buttons.rejected.connect(self.reject)
        words = QVBoxLayout()
        words.setSpacing(0)
        words.addWidget(name)
        words.addWidget(self._version)
        head = QHBoxLayout()
        head.setSpacing(Space.LARGE)
        head.addWidget(picture, 0, Qt.AlignmentFlag.AlignTop)
        head.addLayout(words, 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(*(Space.WIDE,) * 4)
        column.setSpacing(Space.LARGE)
        column.addLayout(head)
        for widget in (self._what, self._data, self._licence):
            column.addWidget(widget)
        column.addStretch()
        column.addWidget(self._buttons)
        self.setMinimumWidth(text_width(self, _CHARACTERS))

    def retranslate(self) -> None:
        self.setWindowTitle(self.tr("About Bellek"))
        self._version.setText(self.tr("Version {version}").format(version=program_version()))
        self._version.setVisible(bool(program_version()))
        self._what.setText(
            self.tr(
                "A research assistant that remembers. “Bellek” is Turkish for memory. "
                "Your questions and answers stay on your own disk."
            )
        )
        self._licence.setText(
            self.tr("Free software under the MIT licence, without any warranty.")
        )
        self._data.set_name(self.tr("Your data"))


class ErrorReportDialog(TranslatedWidget, QDialog):
    """`details`: the exception's name and traceback; it holds no words of the user's."""

    def __init__(self, details: str, logs: Path, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._report = report_of(details)
        self._build(logs)
        self.retranslate()

    def _build(self, logs: Path) -> None:
        self._title, self._words = TitleLabel(), BodyLabel()
        self._details = QPlainTextEdit(self._report)
        self._details.setReadOnly(True)
        self._details.setTabChangesFocus(True)
        self._details.setProperty("role", "field")
        self._details.setMinimumHeight(_REPORT_LINES * self._details.fontMetrics().lineSpacing())
        self._logs = FolderRow(logs)
        self._buttons = CloseButtons()
        self._copy = self._buttons.addButton("", QDialogButtonBox.ButtonRole.ActionRole)
        self._copy.setAutoDefault(False)
        self._copy.clicked.connect(lambda: QGuiApplication.clipboard().setText(self._report))
        self._buttons.rejected.connect(self.reject)
        column = QVBoxLayout(self)
        column.setContentsMargins(*(Space.WIDE,) * 4)
        column.setSpacing(Space.LARGE)
        for widget in (self._title, self._words, self._details, self._logs, self._buttons):
            column.addWidget(widget)
        column.setStretchFactor(self._details, 1)
        self.setMinimumWidth(text_width(self, _REPORT_CHARACTERS))

    def retranslate(self) -> None:
        self.setWindowTitle(self.tr("An error in Bellek"))
        self._title.setText(self.tr("Something went wrong in Bellek"))
        self._words.setText(
            self.tr(
                "What you saved is safe, and you can continue. If it happens again, this "
                "report helps us fix it; it is not sent unless you send it."
            )
        )
        self._details.setAccessibleName(self.tr("Report"))
        self._logs.set_name(self.tr("Log (does not contain your words)"))
        self._copy.setText(self.tr("&Copy report"))


def report_of(details: str) -> str:
    """What a mender wants to know first; in no language."""
    about = (
        f"Bellek {program_version()}".strip(),
        f"Python {platform.python_version()}",
        f"Qt {qVersion()}",
        QSysInfo.prettyProductName(),
    )
    return f"{', '.join(about)}\n\n{details.strip()}\n"
