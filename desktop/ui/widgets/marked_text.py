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
        return len(self._lines(text, width)) * self._line_height

    def paint(
        self, painter: QPainter, place: QRect, text: str, marks: Marks, tokens: Tokens
    ) -> None:
        """In the colour of the painter's pen."""
        top = place.y()
        for line, at in self._lines(text, place.width()):
            layout = QTextLayout(line, self._font)
            layout.setTextOption(QTextOption(Qt.AlignmentFlag.AlignLeft))
            layout.setFormats([_mark(*one, tokens) for one in _within(marks, at, len(line))])
            layout.beginLayout()
            layout.createLine().setLineWidth(_ROOM_ENOUGH)
            layout.endLayout()
            layout.draw(painter, QPointF(place.x(), top))
            top += self._line_height

    def _lines(self, text: str, width: int) -> list[tuple[str, int]]:
        """Each line, with where it begins in the text."""
        room = max(width, 1)
        if self._metrics.horizontalAdvance(text) <= room:
            return [(text, 0)]
        layout = QTextLayout(text, self._font)
        lines: list[tuple[str, int]] = []
        layout.beginLayout()
        while (line := layout.createLine()).isValid():
            line.setLineWidth(room)
            start = line.textStart()
            if len(lines) == self._most_lines - 1:
                rest = self._metrics.elidedText(text[start:], Qt.TextElideMode.ElideRight, room)
                lines.append((rest, start))
                break
            lines.append((text[start : start + line.textLength()], start))
        layout.endLayout()
        return lines


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
