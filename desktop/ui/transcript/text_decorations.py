"""The layer beneath the text of a document: the places of marks, and their painting."""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

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

from desktop.domain.frozen import dataclass
from desktop.language.normalization import find_words, fold, word_texts
from desktop.ui.theme.tokens import Radius, Space
from desktop.ui.transcript.document_writer import Drawn, Ornament, TextStyle

_MARKER_GAP = Space.SMALL
_QUOTE_BAR = 2
_PILL_RISE = 0.30
_PILL_HEIGHT = 1.08
_BEYOND_BASE = 0xFFFF


@dataclass(frozen=True, slots=True)
class HighlightTerms:
    """The terms of a search; each is marked as whole words, in order if it has several.

    `text` is marked wherever it occurs.
    """

    terms: tuple[str, ...] = ()
    text: str = ""

    def __bool__(self) -> bool:
        return bool(self.terms or self.text)

    def spans(self, text: str) -> list[tuple[int, int]]:
        if self.terms:
            runs = [term for term in self.terms if " " in term.strip()]
            spans = find_words(text, [term for term in self.terms if term not in runs])
            return sorted({*spans, *_runs(fold(text), runs)}) if runs else spans
        return places(fold(text), fold(self.text))

    def spans_in_document(self, text: str) -> list[tuple[int, int]]:
        """Return positions in a text document, which counts UTF-16 units."""
        spans = self.spans(text)
        if not spans or text.isascii() or max(map(ord, text)) <= _BEYOND_BASE:
            return spans
        shifts = [at for at, letter in enumerate(text) if ord(letter) > _BEYOND_BASE]
        return [(_shifted(start, shifts), _shifted(end, shifts)) for start, end in spans]


NO_MARKS = HighlightTerms()


def places(folded: str, term: str) -> list[tuple[int, int]]:
    if not term:
        return []
    spans, at = [], folded.find(term)
    while at >= 0:
        spans.append((at, at + len(term)))
        at = folded.find(term, at + len(term))
    return spans


def _runs(folded: str, terms: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Yield where the words of a sentence occur in order, whatever is between them."""
    for term in terms:
        words = [re.escape(word) for word in word_texts(term)]
        if words:
            pattern = r"(?<![^\W_])" + r"[\W_]+".join(words) + r"(?![^\W_])"
            yield from (match.span() for match in re.finditer(pattern, folded))


def _shifted(offset: int, shifts: Sequence[int]) -> int:
    return offset + sum(1 for at in shifts if at < offset)


class Stretch(NamedTuple):
    """The part of a span that is on one line."""

    rect: QRectF
    baseline: float


def stretches(document: QTextDocument, start: int, end: int) -> Iterator[Stretch]:
    block = document.findBlock(start)
    layout, origin = block.layout(), block.position()
    corner = document.documentLayout().blockBoundingRect(block).topLeft()
    for number in range(layout.lineCount()):
        line = layout.lineAt(number)
        first = max(start - origin, line.textStart())
        last = min(end - origin, line.textStart() + line.textLength())
        if first < last:
            left, right = sorted((_x(line, first), _x(line, last)))
            top = corner.y() + line.y()
            rect = QRectF(corner.x() + left, top, right - left, line.height())
            yield Stretch(rect, top + line.ascent())


def _x(line: QTextLine, position: int) -> float:
    at = line.cursorToX(position)
    # PySide returns the clamped position along with x, but has no type for that.
    return float(at[0] if isinstance(at, tuple) else at)  # type: ignore[arg-type]


class DecorationPainter:
    """Paints once, in document coordinates; must not outlive the document."""

    def __init__(
        self, painter: QPainter, document: QTextDocument, style: TextStyle, visible: QRectF
    ) -> None:
        self._painter, self._document, self._style = painter, document, style
        self._visible = visible
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)

    def paint(self, ornament: Ornament) -> None:
        block = self._document.findBlock(ornament.start)
        outline = self._document.documentLayout().blockBoundingRect(block)
        if not outline.adjusted(0, -Space.WIDE, 0, Space.WIDE).intersects(self._visible):
            return
        lines = list(stretches(self._document, ornament.start, ornament.end))
        match ornament.drawn:
            case Drawn.CITATION | Drawn.UNCHECKED:
                self._paint_pills(lines, is_checked=ornament.drawn is Drawn.CITATION)
            case Drawn.CODE:
                self._paint_code(lines)
            case Drawn.MARKER:
                self._paint_marker(outline, block, ornament.text)
            case Drawn.QUOTE if lines:
                self._paint_quote(block.blockFormat().leftMargin(), lines)
            case Drawn.RULE:
                line = QRectF(0, outline.center().y(), self._document.textWidth(), 1)
                self._painter.fillRect(line, QColor(self._style.tokens.line))
            case Drawn.QUOTE | Drawn.FORMULA:
                pass

    def paint_mark(self, start: int, end: int, *, is_current: bool) -> None:
        tokens, metrics = self._style.tokens, self._style.metrics
        for line in stretches(self._document, start, end):
            if not line.rect.intersects(self._visible):
                continue
            area = _centred(line, metrics, metrics.height()).adjusted(-1, 0, 1, 0)
            colour = tokens.current_highlight if is_current else tokens.highlight
            self._fill(area, colour, Radius.MARK)
            if is_current:
                self._outline(area, QPen(QColor(tokens.notice_text), 1), Radius.MARK)

    def paint_note(self, start: int, end: int, *, has_text: bool) -> None:
        """Paint highlighted words; a line below them shows that there is a note."""
        tokens, metrics = self._style.tokens, self._style.metrics
        for line in stretches(self._document, start, end):
            area = _centred(line, metrics, metrics.height()).adjusted(-1, 0, 1, 0)
            self._fill(area, tokens.note, Radius.MARK)
            if has_text:
                below = QRectF(area.left(), area.bottom() - 1, area.width(), 2)
                self._painter.fillRect(below, QColor(tokens.accent))

    def _paint_code(self, lines: list[Stretch]) -> None:
        metrics = self._style.mono_metrics
        for line in lines:
            area = _centred(line, metrics, metrics.height() * 1.05)
            self._fill(area.adjusted(-2, 0, 2, 0), self._style.tokens.code, Space.TIGHT)

    def _paint_pills(self, lines: list[Stretch], *, is_checked: bool) -> None:
        tokens, ascent = self._style.tokens, self._style.metrics.ascent()
        high = ascent * _PILL_HEIGHT
        for line in lines:
            bottom = line.baseline - ascent * _PILL_RISE + high * 0.29
            area = QRectF(line.rect.x(), bottom - high, line.rect.width(), high)
            if is_checked:
                self._fill(area, tokens.accent_ground, Space.TIGHT)
            else:
                pen = QPen(QColor(tokens.faint), 1, Qt.PenStyle.DotLine)
                self._outline(area, pen, Space.TIGHT)

    def _paint_marker(self, outline: QRectF, block: QTextBlock, text: str) -> None:
        line = block.layout().lineAt(0)
        if not line.isValid():
            return
        left = outline.x() + line.x() - _MARKER_GAP - self._style.metrics.horizontalAdvance(text)
        self._painter.setFont(self._style.font)
        self._painter.setPen(QColor(self._style.tokens.muted))
        self._painter.drawText(QPointF(left, outline.y() + line.y() + line.ascent()), text)

    def _paint_quote(self, margin: float, lines: list[Stretch]) -> None:
        metrics = self._style.metrics
        top = lines[0].baseline - metrics.ascent() - Space.TIGHT
        bottom = lines[-1].baseline + metrics.descent() + Space.TIGHT
        bar = QRectF(margin - Space.LARGE, top, _QUOTE_BAR, bottom - top)
        self._painter.fillRect(bar, QColor(self._style.tokens.line))

    def _fill(self, area: QRectF, colour: str, radius: int) -> None:
        self._painter.setPen(Qt.PenStyle.NoPen)
        self._painter.setBrush(QColor(colour))
        self._painter.drawRoundedRect(area, radius, radius)

    def _outline(self, area: QRectF, pen: QPen, radius: int) -> None:
        self._painter.setPen(pen)
        self._painter.setBrush(Qt.BrushStyle.NoBrush)
        self._painter.drawRoundedRect(area, radius, radius)


def _centred(line: Stretch, metrics: QFontMetricsF, height: float) -> QRectF:
    middle = line.baseline - metrics.ascent() + metrics.height() / 2
    return QRectF(line.rect.x(), middle - height / 2, line.rect.width(), height)
