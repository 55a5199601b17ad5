"""Suggested questions, one below the other: on the page of a new session and below an answer."""

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget

from desktop.ui.theme.tokens import Space
from desktop.ui.widgets.buttons import Button
from desktop.ui.widgets.layouts import clear_layout
from desktop.ui.widgets.plain_text import tip


class QuestionChip(Button):
    """A question, elided to its room; a screen reader reads all of it."""

    def __init__(self, question: str, parent: QWidget) -> None:
        super().__init__("chip", parent)
        self.question = question
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setAccessibleName(self.tr("Ask: {question}").format(question=question))
        self.ensurePolished()

    def fit(self, width: int) -> None:
        self._show(self.question)
        over = self.sizeHint().width() - width
        if over > 0:
            metrics = self.fontMetrics()
            room = metrics.horizontalAdvance(self.question) - over
            self._show(metrics.elidedText(self.question, Qt.TextElideMode.ElideRight, room))
        self.setToolTip(tip(self.question if over > 0 else ""))

    def _show(self, words: str) -> None:
        self.setText(words.replace("&", "&&"))


class QuestionChips(QWidget):
    chosen = Signal(str)  # The question

    def __init__(self, parent: QWidget, *, side: Qt.AlignmentFlag) -> None:
        super().__init__(parent)
        self._side = side
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(Space.SMALL)
        self.chips: list[QuestionChip] = []

    def show_questions(self, questions: Sequence[str]) -> None:
        if list(questions) == [chip.question for chip in self.chips]:
            return
        clear_layout(self._column)
        self.chips = [QuestionChip(question, self) for question in questions]
        for chip in self.chips:
            chip.clicked.connect(lambda _=False, chip=chip: self.chosen.emit(chip.question))
            self._column.addWidget(chip, 0, self._side)
            chip.show()  # what is hidden has no height
        self.fit(self.width())

    def fit(self, width: int) -> int:
        """Lay out for a width; return the height."""
        for chip in self.chips:
            chip.fit(width)
        return self._column.sizeHint().height() if self.chips else 0

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.fit(self.width())
