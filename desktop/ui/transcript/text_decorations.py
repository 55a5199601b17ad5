"""Paints what lies beneath the text of a document: marks, citations, quotations, list markers."""

from collections.abc import Iterator
from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import (
    QColor,
    QFontMetricsF,
    QPainter,
    QPen,
    QTextBlock,
    QTextDocument,
    QTextLine,
)

from desktop.ui.theme.tokens import Radius, Space
from desktop.ui.transcript.document_writer import Drawn, Ornament, TextStyle

_MARKER_GAP = Space.SMALL
_QUOTE_BAR = 2
_PILL_RISE = 0.30
_PILL_HEIGHT = 1.08


@dataclass(frozen=True, slots=True)
class Mark:
    start: int
    end: int
    is_current: bool = False


class DecorationPainter:
    """The painter of one document, in the document's own coordinates."""

    def __init__(self, document: QTextDocument, style: TextStyle) -> None:
        self._document, self._style = document, style
        self._metrics = QFontMetricsF(style.font)
        self._mono = QFontMetricsF(style.mono)

    def paint(
        self, painter: QPainter, visible: QRectF, ornaments: list[Ornament], marks: list[Mark]
    ) -> None:
        if not ornaments and not marks:
            return
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for ornament in ornaments:
            self._paint_ornament(painter, visible, ornament)
        for mark in marks:
            self._paint_mark(painter, visible, mark)

    def rect_of(self, start: int, end: int) -> QRectF:
        """Around the text of a span, over all its lines."""
        around = QRectF()
        for line in self._lines(start, end):
            around = around.united(line.rect)
        return around

    def _paint_ornament(self, painter: QPainter, visible: QRectF, ornament: Ornament) -> None:
        block = self._document.findBlock(ornament.start)
        outline = self._document.documentLayout().blockBoundingRect(block)
        if not outline.adjusted(0, -Space.WIDE, 0, Space.WIDE).intersects(visible):
            return
        match ornament.drawn:
            case Drawn.CITATION | Drawn.UNCHECKED:
                self._paint_pill(painter, ornament)
            case Drawn.CODE:
                self._paint_code(painter, ornament)
            case Drawn.MARKER:
                self._paint_marker(painter, outline, block, ornament.text)
            case Drawn.QUOTE:
                self._paint_quote(painter, block)
            case Drawn.FORMULA:
                pass
            case Drawn.RULE:
                painter.fillRect(
                    QRectF(0, outline.center().y(), self._document.textWidth(), 1),
                    QColor(self._style.tokens.line),
                )

    def _paint_code(self, painter: QPainter, ornament: Ornament) -> None:
        for line in self._lines(ornament.start, ornament.end):
            high = self._mono.height() * 1.05
            area = _centred(line, self._mono, high).adjusted(-2, 0, 2, 0)
            _fill(painter, area, self._style.tokens.code, Space.TIGHT)

    def _paint_pill(self, painter: QPainter, ornament: Ornament) -> None:
        for line in self._lines(ornament.start, ornament.end):
            high = self._metrics.ascent() * _PILL_HEIGHT
            bottom = line.baseline - self._metrics.ascent() * _PILL_RISE + high * 0.29
            area = QRectF(line.rect.x(), bottom - high, line.rect.width(), high)
            if ornament.drawn is Drawn.CITATION:
                _fill(painter, area, self._style.tokens.accent_ground, Space.TIGHT)
            else:
                painter.setBrush(Qt.BrushStyle.NoBrush)
                painter.setPen(QPen(QColor(self._style.tokens.faint), 1, Qt.PenStyle.DotLine))
                painter.drawRoundedRect(area, Space.TIGHT, Space.TIGHT)

    def _paint_marker(
        self, painter: QPainter, outline: QRectF, block: QTextBlock, text: str
    ) -> None:
        line = block.layout().lineAt(0)
        if not line.isValid():
            return
        baseline = outline.y() + line.y() + line.ascent()
        left = outline.x() + line.x()
        painter.setFont(self._style.font)
        painter.setPen(QColor(self._style.tokens.muted))
        width = self._metrics.horizontalAdvance(text)
        painter.drawText(QPointF(left - _MARKER_GAP - width, baseline), text)

    def _paint_quote(self, painter: QPainter, block: QTextBlock) -> None:
        left = block.blockFormat().leftMargin() - Space.LARGE
        lines = list(self._lines(block.position(), block.position() + block.length() - 1))
        if not lines:
            return
        top = lines[0].baseline - self._metrics.ascent() - Space.TIGHT
        bottom = lines[-1].baseline + self._metrics.descent() + Space.TIGHT
        bar = QRectF(left, top, _QUOTE_BAR, bottom - top)
        painter.fillRect(bar, QColor(self._style.tokens.line))

    def _paint_mark(self, painter: QPainter, visible: QRectF, mark: Mark) -> None:
        tokens = self._style.tokens
        for line in self._lines(mark.start, mark.end):
            if not line.rect.intersects(visible):
                continue
            area = _centred(line, self._metrics, self._metrics.height()).adjusted(-1, 0, 1, 0)
            colour = tokens.current_highlight if mark.is_current else tokens.highlight
            _fill(painter, area, colour, Radius.MARK)
            if mark.is_current:
                painter.setPen(QPen(QColor(tokens.notice_text), 1))
                painter.setBrush(Qt.BrushStyle.NoBrush)
                painter.drawRoundedRect(area, Radius.MARK, Radius.MARK)

    def _lines(self, start: int, end: int) -> Iterator["_Stretch"]:
        block = self._document.findBlock(start)
        layout, origin = block.layout(), block.position()
        corner = self._document.documentLayout().blockBoundingRect(block).topLeft()
        for number in range(layout.lineCount()):
            line = layout.lineAt(number)
            first = max(start - origin, line.textStart())
            last = min(end - origin, line.textStart() + line.textLength())
            if first < last:
                yield _stretch(line, corner, first, last)


@dataclass(frozen=True, slots=True)
class _Stretch:
    rect: QRectF
    baseline: float


def _stretch(line: QTextLine, corner: QPointF, first: int, last: int) -> _Stretch:
    left, right = sorted((_x(line, first), _x(line, last)))
    top = corner.y() + line.y()
    rect = QRectF(corner.x() + left, top, right - left, line.height())
    return _Stretch(rect, top + line.ascent())


def _x(line: QTextLine, position: int) -> float:
    at = line.cursorToX(position)
    # PySide gives the clamped position along with x, and says so in no type.
    return float(at[0] if isinstance(at, tuple) else at)  # type: ignore[arg-type]


def _centred(line: _Stretch, metrics: QFontMetricsF, height: float) -> QRectF:
    middle = line.baseline - metrics.ascent() + metrics.height() / 2
    return QRectF(line.rect.x(), middle - height / 2, line.rect.width(), height)


def _fill(painter: QPainter, area: QRectF, colour: str, radius: int) -> None:
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QColor(colour))
    painter.drawRoundedRect(area, radius, radius)
