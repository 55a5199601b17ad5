"""The dialogs About and Error report."""

import platform
from pathlib import Path

from PySide6.QtCore import QSize, QSysInfo, qVersion
from PySide6.QtGui import QGuiApplication, QIcon
from PySide6.QtWidgets import QDialogButtonBox, QLayout, QWidget

from desktop.settings.paths import asset, program_version
from desktop.ui.dialogs.form import CloseButtons, FolderRow, RebuiltDialog
from desktop.ui.theme.tokens import ICON_SIZE, Space
from desktop.ui.widgets.buttons import Button
from desktop.ui.widgets.fields import TextArea
from desktop.ui.widgets.labels import BodyLabel, HintLabel, TitleLabel
from desktop.ui.widgets.layouts import STRETCH, at_top, column, growing, row, text_width
from desktop.ui.widgets.plain_text import Label

_ICON_SIZE = 4 * ICON_SIZE
_CHARACTERS = 64
_REPORT_CHARACTERS, _REPORT_LINES = 78, 6


class AboutDialog(RebuiltDialog):
    def __init__(self, data: Path, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._data = data
        self.rebuild()
        self.setMinimumWidth(text_width(self, _CHARACTERS))

    def _build(self) -> QLayout:
        self.setWindowTitle(self.tr("About Bellek"))
        picture = Label()
        picture.setAccessibleName("Bellek")
        icon = QIcon(str(asset("resources", "icons", "bellek.svg")))
        picture.setPixmap(icon.pixmap(QSize(_ICON_SIZE, _ICON_SIZE), self.devicePixelRatio()))
        words = column(TitleLabel("Bellek"), spacing=0)
        if number := program_version():
            words.addWidget(HintLabel(self.tr("Version {version}").format(version=number)))
        about = self.tr(
            "A research assistant that remembers. “Bellek” is Turkish for memory. "
            "Your questions and answers stay on your own disk."
        )
        licence = self.tr("Free software under the MIT licence, without any warranty.")
        return column(
            row(at_top(picture), growing(words), spacing=Space.LARGE),
            BodyLabel(about),
            FolderRow(self.tr("Your data"), self._data),
            HintLabel(licence),
            STRETCH,
            CloseButtons(self.reject),
            spacing=Space.LARGE,
            margin=Space.WIDE,
        )


class ErrorReportDialog(RebuiltDialog):
    """`details`: the exception's name and traceback; it holds no words of the user's."""

    def __init__(self, details: str, logs: Path, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._report = report_of(details)
        self._logs = logs
        self.rebuild()
        self.setMinimumWidth(text_width(self, _REPORT_CHARACTERS))

    def _build(self) -> QLayout:
        self.setWindowTitle(self.tr("An error in Bellek"))
        about = self.tr(
            "What you saved is safe, and you can continue. If it happens again, this "
            "report helps us fix it; it is not sent unless you send it."
        )
        details = TextArea(self._report, lines=_REPORT_LINES, is_read_only=True)
        details.setAccessibleName(self.tr("Report"))
        buttons = CloseButtons(self.reject)
        self._copy = Button(
            text=self.tr("&Copy report"),
            press=lambda: QGuiApplication.clipboard().setText(self._report),
        )
        buttons.addButton(self._copy, QDialogButtonBox.ButtonRole.ActionRole)
        return column(
            TitleLabel(self.tr("Something went wrong in Bellek")),
            BodyLabel(about),
            growing(details),
            FolderRow(self.tr("Log (does not contain your words)"), self._logs),
            buttons,
            spacing=Space.LARGE,
            margin=Space.WIDE,
        )


def report_of(details: str) -> str:
    """The versions of everything and the details; not translated."""
    about = (
        f"Bellek {program_version()}".strip(),
        f"Python {platform.python_version()}",
        f"Qt {qVersion()}",
        QSysInfo.prettyProductName(),
    )
    return f"{', '.join(about)}\n\n{details.strip()}\n"
