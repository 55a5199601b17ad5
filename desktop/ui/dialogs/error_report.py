"""Our own fault: what happened, what is safe, where the log lies, and a report to copy."""

import platform
from pathlib import Path

from PySide6.QtCore import QEvent, QSysInfo, qVersion
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QPlainTextEdit, QVBoxLayout, QWidget

from desktop.ui.dialogs.about import program_version
from desktop.ui.dialogs.folders import FolderRow
from desktop.ui.dialogs.form import CloseButtons
from desktop.ui.theme.tokens import Space
from desktop.ui.widgets.labels import BodyLabel, TitleLabel
from desktop.ui.widgets.layouts import text_width

_CHARACTERS = 78
_LINES = 7


class ErrorReportDialog(QDialog):
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
        self._details.setMinimumHeight(_LINES * self._details.fontMetrics().lineSpacing())
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
        self.setMinimumWidth(text_width(self, _CHARACTERS))

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

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange:
            self.retranslate()
        super().changeEvent(event)


def report_of(details: str) -> str:
    """What a mender wants to know first; in no language."""
    about = (
        f"Bellek {program_version()}".strip(),
        f"Python {platform.python_version()}",
        f"Qt {qVersion()}",
        QSysInfo.prettyProductName(),
    )
    return f"{', '.join(about)}\n\n{details.strip()}\n"
