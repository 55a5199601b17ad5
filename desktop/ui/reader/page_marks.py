"""What is marked on the pages of a PDF: what was cited or found, notes, selected words."""

from collections.abc import Iterator, Mapping, Sequence

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen

from desktop.domain.notes import Note
from desktop.research.documents.page_reader import PageMark, Place
from desktop.ui.reader.page_selection import PageSelection
from desktop.ui.reader.source_notes import NOTE_MARK, PageNote, paint_note_mark
from desktop.ui.theme.tokens import LIGHT, Space


class PageMarks:
    """Marks by the index of their page.

    `paper` is where a page is in the view, in pixels; `scale` is the number of pixels a point.
    """

    def __init__(self, selection: PageSelection) -> None:
        self._selection = selection
        self.cited: Mapping[int, Sequence[Place]] = {}
        self.hits: Mapping[int, Sequence[Sequence[Place]]] = {}
        """Of each page, the places of each hit."""
        self._hit: tuple[int, int] | None = None  # The current one: its page, and its number
        self.notes: Mapping[int, Sequence[PageNote]] = {}
        self.led_to: Mapping[int, Sequence[Place]] = {}
        """The quotation or the hit that was gone to last."""

    def clear(self) -> None:
        """Remove the marks of a document; its notes are replaced when the next ones come."""
        self.cited, self.hits, self._hit, self.led_to = {}, {}, None, {}

    def cite(self, mark: PageMark) -> None:
        parts = [mark, mark.goes_on] if mark.goes_on else [mark]
        self.cited = self.led_to = {part.index: part.places for part in parts}

    def set_hits(self, hits: Mapping[int, Sequence[Sequence[Place]]]) -> None:
        self.hits = hits
        if not hits:
            self._hit = None

    def go_to_hit(self, index: int, number: int) -> Place:
        """Make a hit the current one; return where it begins."""
        self._hit = (index, number)
        self.led_to = {index: self.hits[index][number]}
        return self.hits[index][number][0]

    def paint(self, painter: QPainter, index: int, paper: QRectF, scale: float) -> None:
        # Paper is white in every theme. As a highlighter pen does: what is dark stays dark.
        painter.setCompositionMode(QPainter.CompositionMode.CompositionMode_Multiply)
        for place, colour in self._coloured(index):
            painter.fillRect(area_of(place, paper, scale), QColor(colour))
        painter.setCompositionMode(QPainter.CompositionMode.CompositionMode_SourceOver)
        painter.setPen(QPen(QColor(LIGHT.notice_text), 1, Qt.PenStyle.DotLine))
        for _, area in self.uncertain(index, paper, scale):
            painter.drawLine(area.bottomLeft(), area.bottomRight())
        for _, area in self.in_margin(index, paper, scale):
            paint_note_mark(painter, area, LIGHT)

    def _coloured(self, index: int) -> Iterator[tuple[Place, str]]:
        """Yield the marked places of a page and their colours, the lowest first."""
        for note in self.notes.get(index, ()):
            yield from ((place, LIGHT.note) for place in note.places)
        for number, places in enumerate(self.hits.get(index, ())):
            is_led = self._hit == (index, number)
            colour = LIGHT.current_highlight if is_led else LIGHT.highlight
            yield from ((place, colour) for place in places)
        yield from ((place, LIGHT.current_highlight) for place in self.cited.get(index, ()))
        for page, first, last in self._selection.spans():
            if page == index:
                selected = self._selection.letters[index].places[first:last]
                yield from ((place, LIGHT.selection) for place in selected)

    def uncertain(self, index: int, paper: QRectF, scale: float) -> Iterator[tuple[str, QRectF]]:
        """Yield the words that OCR may have misread, and where they are in the view."""
        for word, place in self._selection.uncertain(index):
            yield word, area_of(place, paper, scale)

    def in_margin(self, index: int, paper: QRectF, scale: float) -> Iterator[tuple[Note, QRectF]]:
        """Yield the notes of a page that say something, each with the place of its sign."""
        left = paper.right() - NOTE_MARK.width() - Space.SMALL
        top = paper.top() + Space.SMALL
        for note, places in self.notes.get(index, ()):
            if note.text or not places:
                top = area_of(places[0], paper, scale).top() if places else top
                yield note, QRectF(QPointF(left, top), NOTE_MARK)
                top += NOTE_MARK.height() + Space.TIGHT

    def note_at(self, position: QPointF, index: int, paper: QRectF, scale: float) -> Note | None:
        for note, area in self.in_margin(index, paper, scale):
            if area.contains(position):
                return note
        for note, places in self.notes.get(index, ()):
            if any(area_of(place, paper, scale).contains(position) for place in places):
                return note
        return None


def area_of(place: Place, paper: QRectF, scale: float) -> QRectF:
    """Return where a place of a page is in the view."""
    left, top, right, bottom = (number * scale for number in place)
    return QRectF(paper.left() + left, paper.top() + top, right - left, bottom - top)
