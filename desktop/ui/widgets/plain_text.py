"""Labels, tool tips and message boxes that never read their text as markup.

Titles, addresses and file names come from imports, web pages and models. Qt takes a text with a
known tag for rich text and loads the pictures that it names from the disk, on the interface
thread. So `QLabel`, `QMessageBox` and `QToolTip` are used nowhere else (a lint rule), and every
tool tip passes `tip` or `titled_tip` (a test).
"""

from collections.abc import Callable, Iterable, Sequence
from html import escape

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QMessageBox, QWidget

_LONGEST_LINE = 60  # letters; Qt wraps only rich text


class Label(QLabel):
    """Shows its text as it is."""

    def __init__(self, text: str = "", parent: QWidget | None = None, *, role: str = "") -> None:
        """`role`: by which the stylesheet finds it."""
        super().__init__(parent)
        if role:
            self.setProperty("role", role)
        # Before the text: Qt looks at a text as soon as it is set.
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setText(text)


class MessageBox(QMessageBox):
    """Shows its text as it is."""

    def __init__(
        self,
        icon: QMessageBox.Icon,
        text: str,
        informative: str = "",
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setIcon(icon)
        self.setText(text)
        self.setInformativeText(informative)

    def offer(self, *choices: tuple[str, Callable[[], object]], stay: str) -> None:
        """Open it with a button for each choice, and one that only closes it."""
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        for label, act in choices:
            button = self.addButton(label, QMessageBox.ButtonRole.AcceptRole)
            button.clicked.connect(lambda _=False, act=act: act())
        close = self.addButton(stay, QMessageBox.ButtonRole.RejectRole)
        self.setDefaultButton(close)
        self.setEscapeButton(close)
        self.open()


def tip(text: str) -> str:
    """Return a tool tip that shows the text as it is and wraps long lines."""
    lines = text.split("\n")
    is_short = all(len(line) <= _LONGEST_LINE for line in lines)
    if is_short and "<" not in text and "&" not in text:
        return text
    return _markup(escape(line) for line in lines)


def titled_tip(title: str, lines: Sequence[str]) -> str:
    """Return a tool tip with a bold title above its lines."""
    return _markup([f"<b>{escape(title)}</b>", *map(escape, lines)])


def _markup(lines: Iterable[str]) -> str:
    return f"<qt>{'<br>'.join(lines)}</qt>"
