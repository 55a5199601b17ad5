"""Text painted in lines, with the words marked that were searched for."""

from collections.abc import Sequence

from PySide6.QtCore import QPointF, QRect, Qt
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontMetrics,
    QPainter,
    QTextCharFormat,
    QTextLayout,
    QTextLine,
    QTextOption,
)

from desktop.ui.theme.tokens import Tokens

Marks = Sequence[tuple[int, int]]
_ALL = 1_000
_ROOM_ENOUGH = 100_000


class MarkedText:
    def __init__(self, font: QFont, line_height: int, most_lines: int = _ALL) -> None:
        """The last of `most_lines` is cut."""
        self._font = font
        self._metrics = QFontMetrics(font)
        self._line_height = line_height
        self._most_lines = most_lines

    def height(self, text: str, width: int) -> int:
        layout = QTextLayout(text, self._font)
        return max(len(self._break(layout, max(width, 1))), 1) * self._line_height

    def paint(
        self, painter: QPainter, place: QRect, text: str, marks: Marks, tokens: Tokens
    ) -> None:
        """In the colour of the painter's pen."""
        room = max(place.width(), 1)
        layout = self._layout(text, marks, tokens)
        lines = self._break(layout, room)
        is_cut = _end(lines) < len(text)
        top = place.y()
        for line in lines[:-1] if is_cut else lines:
            line.draw(painter, QPointF(place.x(), top))
            top += self._line_height
        if is_cut:
            start = lines[-1].textStart()
            rest = self._metrics.elidedText(text[start:], Qt.TextElideMode.ElideRight, room)
            last = self._layout(rest, _within(marks, start, len(rest)), tokens)
            last.beginLayout()
            last.createLine().setLineWidth(_ROOM_ENOUGH)
            last.endLayout()
            last.draw(painter, QPointF(place.x(), top))

    def _layout(self, text: str, marks: Marks, tokens: Tokens) -> QTextLayout:
        layout = QTextLayout(text, self._font)
        layout.setTextOption(QTextOption(Qt.AlignmentFlag.AlignLeft))
        layout.setFormats([_mark(*one, tokens) for one in marks])
        return layout

    def _break(self, layout: QTextLayout, room: int) -> list[QTextLine]:
        """As many lines as there may be; the layout has to outlive them."""
        lines: list[QTextLine] = []
        layout.beginLayout()
        while len(lines) < self._most_lines and (line := layout.createLine()).isValid():
            line.setLineWidth(room)
            lines.append(line)
        layout.endLayout()
        return lines


def _end(lines: Sequence[QTextLine]) -> int:
    """Where in its text the last line ends."""
    return lines[-1].textStart() + lines[-1].textLength() if lines else 0


def _within(marks: Marks, at: int, length: int) -> list[tuple[int, int]]:
    cut = [(max(begin - at, 0), min(end - at, length)) for begin, end in marks]
    return [(begin, end) for begin, end in cut if begin < end]


def _mark(begin: int, end: int, tokens: Tokens) -> QTextLayout.FormatRange:
    look = QTextCharFormat()
    look.setBackground(QColor(tokens.highlight))
    look.setForeground(QColor(tokens.text))
    made = QTextLayout.FormatRange()
    made.start, made.length = begin, end - begin
    made.format = look
    return made
