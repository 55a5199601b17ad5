"""Paints wrapped text with the matches of a search highlighted."""

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
_ELLIPSIS = "…"
_MORE_THAN_FITS = 4
"""Times letters of average width, so that narrow ones fill the lines too."""


class HighlightedText:
    def __init__(self, font: QFont, line_height: int, most_lines: int = _ALL) -> None:
        """The last of `most_lines` is elided."""
        self._font = font
        metrics = QFontMetrics(font)
        self._ascent = metrics.ascent()
        self._ellipsis = metrics.horizontalAdvance(_ELLIPSIS)
        self._letter = max(metrics.averageCharWidth(), 1)
        self._line_height = line_height
        self._most_lines = most_lines

    def height(self, text: str, width: int) -> int:
        layout = self._layout(text)
        return max(len(self._break(layout, max(width, 1))), 1) * self._line_height

    def paint(
        self, painter: QPainter, place: QRect, text: str, marks: Marks, tokens: Tokens
    ) -> int:
        """Paint in the colour of the pen and return the number of lines."""
        room = max(place.width(), 1)
        # Laying out the rest of a long text would cost as much, and it is never seen.
        seen = text[: round(self._most_lines * room / self._letter * _MORE_THAN_FITS)]
        layout = self._layout(seen, _marks(marks, tokens, 0, len(seen)))
        lines = self._break(layout, room)
        is_cut = _end(lines) < len(text)
        top = place.y()
        for line in lines[:-1] if is_cut else lines:
            line.draw(painter, QPointF(place.x(), top))
            top += self._line_height
        if is_cut:
            self._paint_cut(painter, place, top, lines[-1], (text, marks, tokens))
        return len(lines)

    def _paint_cut(
        self,
        painter: QPainter,
        place: QRect,
        top: int,
        line: QTextLine,
        of: tuple[str, Marks, Tokens],
    ) -> None:
        """Paint the last line with an ellipsis."""
        text, marks, tokens = of
        start, end = line.textStart(), _end([line])
        words = text[start:end].rstrip()
        wide = _x_of(line, start + len(words))
        if _x_of(line, start) < wide <= place.width() - self._ellipsis:
            line.draw(painter, QPointF(place.x(), top))
            foot = QPointF(place.x() + wide, top + self._ascent)
            painter.setFont(self._font)
            painter.drawText(foot, _ELLIPSIS)
            return
        # No word ends where there is room for the sign.
        most = max(place.width() - self._ellipsis, 0)
        cut = line.xToCursor(most, QTextLine.CursorPosition.CursorOnCharacter)
        rest = text[start:cut].rstrip()
        last = self._layout(rest + _ELLIPSIS, _marks(marks, tokens, start, len(rest)))
        last.beginLayout()
        last.createLine().setLineWidth(_ROOM_ENOUGH)
        last.endLayout()
        last.draw(painter, QPointF(place.x(), top))

    def _layout(self, text: str, marks: Sequence[QTextLayout.FormatRange] = ()) -> QTextLayout:
        layout = QTextLayout(text, self._font)
        option = QTextOption(Qt.AlignmentFlag.AlignLeft)
        # An address is one word, and often longer than a line.
        option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        layout.setTextOption(option)
        if marks:
            layout.setFormats(marks)
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


def _x_of(line: QTextLine, place: int) -> float:
    found = line.cursorToX(place)  # with the place that it came to
    return float(found[0]) if isinstance(found, tuple) else 0.0


def _marks(marks: Marks, tokens: Tokens, at: int, length: int) -> list[QTextLayout.FormatRange]:
    """Those in a piece of the text, from where the piece begins."""
    cut = [(max(begin - at, 0), min(end - at, length)) for begin, end in marks]
    return [_mark(begin, end, tokens) for begin, end in cut if begin < end]


def _mark(begin: int, end: int, tokens: Tokens) -> QTextLayout.FormatRange:
    look = QTextCharFormat()
    look.setBackground(QColor(tokens.highlight))
    look.setForeground(QColor(tokens.text))
    made = QTextLayout.FormatRange()
    made.start, made.length = begin, end - begin
    made.format = look
    return made
