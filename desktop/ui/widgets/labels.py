"""Labels: text in the weights of the theme, problems, and lines that are cut to the room."""

from typing import ClassVar

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QFontMetrics, QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from desktop.ui.widgets.plain_text import Label, set_tip


class BodyLabel(Label):
    role: ClassVar[str] = "body"

    def __init__(self, text: str = "", parent: QWidget | None = None, *, role: str = "") -> None:
        super().__init__(text, parent, role=role or self.role)
        self.setWordWrap(True)
        # Otherwise Qt adds an indent of its own to the theme's.
        self.setIndent(0)

    def set_text(self, words: str) -> None:
        """Set the text; without one it is hidden."""
        self.setText(words)
        self.setVisible(bool(words))


class TitleLabel(BodyLabel):
    role = "title"


class SectionLabel(BodyLabel):
    role = "heading"


class HintLabel(BodyLabel):
    role = "small"

    def __init__(self, text: str = "", parent: QWidget | None = None) -> None:
        super().__init__(text, parent)
        # In small type a label would cut off the dot of an İ.
        self.setContentsMargins(0, 1, 0, 0)


class ProblemLabel(BodyLabel):
    """An error beside the field that it is about; hidden while empty."""

    role = "problem"

    def __init__(self) -> None:
        super().__init__()
        self.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.hide()


class ElidedLabel(Label):
    """One line, elided if it does not fit; the tool tip has the full text."""

    def __init__(
        self,
        parent: QWidget | None = None,
        *,
        role: str = "",
        mode: Qt.TextElideMode = Qt.TextElideMode.ElideRight,
    ) -> None:
        super().__init__(parent=parent, role=role)
        self._whole, self._mode = "", mode
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Preferred)

    def set_text(self, text: str) -> None:
        self._whole = " ".join(text.split())
        self.setAccessibleName(self._whole)
        self.updateGeometry()
        self._cut()

    def sizeHint(self) -> QSize:
        width = self.fontMetrics().horizontalAdvance(self._whole) + 2
        return QSize(width, super().sizeHint().height())

    def minimumSizeHint(self) -> QSize:
        return QSize(0, super().minimumSizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._cut()

    def _cut(self) -> None:
        shown = QFontMetrics(self.font()).elidedText(self._whole, self._mode, self.width())
        self.setText(shown)
        set_tip(self, "" if shown == self._whole else self._whole)
