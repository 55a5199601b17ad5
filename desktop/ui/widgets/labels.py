"""Words of four weights, and what says what went wrong; the theme knows each by its role."""

from typing import ClassVar

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QWidget


class Words(QLabel):
    """A text that wraps; the theme knows its weight by its role."""

    role: ClassVar[str] = "body"

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("role", self.role)
        self.setWordWrap(True)
        self.setTextFormat(Qt.TextFormat.PlainText)
        # Else Qt adds some of its own where the theme sets words in from the left.
        self.setIndent(0)


class Title(Words):
    role = "title"


class Section(Words):
    role = "heading"


class Hint(Words):
    """Muted words below what they explain."""

    role = "small"

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        # In small type the dot of an İ stands above its line, where a label would cut it off.
        self.setContentsMargins(0, 1, 0, 0)


class Problem(Words):
    """What went wrong and what to do, beside the field it is about; takes no room when empty."""

    role = "problem"

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.hide()

    def say(self, words: str) -> None:
        self.setText(words)
        self.setVisible(bool(words))
