"""What is selected and marked on the pages of a PDF.

It is selected by the mouse, or by a caret that keys move. A spot is a page and the number of
letters before it. What lies between the anchor and the caret is selected. Letters of a page that
was not seen yet are missing; then a move names the page it needs. What was cited or found, and
notes, are marked, too.
"""

import re
from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping, Sequence

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QKeyEvent, QKeySequence, QPainter, QPen

from desktop.domain.notes import Note
from desktop.research.documents.page_reader import PageLetters, PageMark, Place
from desktop.ui.reader.source_notes import NOTE_MARK, PageNote, Selection, paint_note_mark
from desktop.ui.theme.tokens import LIGHT, Space

_MOST_PAGES = 30  # Whose letters are kept
_LINE_END = "\ufffe"
_LINE = re.compile(f"[^\r\n{_LINE_END}]+{_LINE_END}?")
_FAR = 6.0  # Points from a letter within which it is meant

Spot = tuple[int, int]
_Unit = Callable[[PageLetters, int, int], int | None]
"""Returns the next place in a direction, 1 or -1; None if it is not on the page."""


def _letter(page: PageLetters, at: int, by: int) -> int | None:
    at += by
    while 0 < at < len(page.text) and page.text[at - 1 : at + 1] == "\r\n":
        at += by
    return at if 0 <= at <= len(page.text) else None


def _word(page: PageLetters, at: int, by: int) -> int | None:
    """Go over what parts words, then over the word; one that is divided by a line's end is one."""
    before, text = at, page.text
    for is_word in (False, True):
        while 0 <= (beside := at if by > 0 else at - 1) < len(text):
            if _is_of_word(text[beside]) != is_word:
                break
            at += by
    return at if at != before else None


def _line(page: PageLetters, at: int, by: int) -> int | None:
    """Go to the letter above or below, in the order in which the lines are read."""
    lines = _lines(page.text)
    number = _line_of(lines, at) + by
    if not 0 <= number < len(lines):
        return None
    x, line = caret_place(page, at)[0], lines[number]
    return min(range(line[0], line[1] + 1), key=lambda spot: abs(_x(page, line, spot) - x))


def _end_of_line(page: PageLetters, at: int, by: int) -> int | None:
    lines = _lines(page.text)
    return lines[_line_of(lines, at)][by > 0] if lines else None


def _lines(text: str) -> Sequence[tuple[int, int]]:
    return [match.span() for match in _LINE.finditer(text)]


def _line_of(lines: Sequence[tuple[int, int]], at: int) -> int:
    return max(sum(start <= at for start, _ in lines) - 1, 0)


def caret_place(page: PageLetters, at: int) -> Place:
    """Return where the caret stands: at the left of its letter, or at the right of the last."""
    lines = _lines(page.text)
    start, end = lines[_line_of(lines, at)] if lines else (0, 0)
    inked = [place for place in page.places[start:end] if _has_ink(place)]
    if not inked:
        return 0.0, 0.0, 0.0, 0.0
    x = _x(page, (start, end), at)
    return x, min(place[1] for place in inked), x, max(place[3] for place in inked)


def _x(page: PageLetters, line: tuple[int, int], at: int) -> float:
    if at < line[1] and _has_ink(page.places[at]):
        return page.places[at][0]
    before = (place[2] for place in reversed(page.places[line[0] : at]) if _has_ink(place))
    return next(before, page.places[line[0]][0])


_KEYS = QKeySequence.StandardKey
_MOVES: Mapping[tuple[QKeySequence.StandardKey, QKeySequence.StandardKey], tuple[_Unit, int]] = {
    (_KEYS.MoveToNextChar, _KEYS.SelectNextChar): (_letter, 1),
    (_KEYS.MoveToPreviousChar, _KEYS.SelectPreviousChar): (_letter, -1),
    (_KEYS.MoveToNextWord, _KEYS.SelectNextWord): (_word, 1),
    (_KEYS.MoveToPreviousWord, _KEYS.SelectPreviousWord): (_word, -1),
    (_KEYS.MoveToNextLine, _KEYS.SelectNextLine): (_line, 1),
    (_KEYS.MoveToPreviousLine, _KEYS.SelectPreviousLine): (_line, -1),
    (_KEYS.MoveToStartOfLine, _KEYS.SelectStartOfLine): (_end_of_line, -1),
    (_KEYS.MoveToEndOfLine, _KEYS.SelectEndOfLine): (_end_of_line, 1),
}


class Move:
    """What a key does to the caret."""

    def __init__(self, unit: _Unit, by: int, *, extends: bool) -> None:
        self.unit, self.by, self.extends = unit, by, extends


def move_of(event: QKeyEvent) -> Move | None:
    for (moves, extends), (unit, by) in _MOVES.items():
        if event.matches(moves) or event.matches(extends):
            return Move(unit, by, extends=event.matches(extends))
    return None


class PageSelection:
    def __init__(self) -> None:
        self.letters: OrderedDict[int, PageLetters] = OrderedDict()
        self.ends: tuple[Spot, Spot] | None = None
        """The anchor and the caret."""
        self._pressed: Spot | None = None

    @property
    def words(self) -> str:
        pieces = [self.letters[page].text[first:last] for page, first, last in self.spans()]
        text = "\n".join(pieces).replace(f"{_LINE_END}\n", "").replace(_LINE_END, "")
        return " ".join(text.split())

    @property
    def selection(self) -> Selection | None:
        """Return the selected words and where they begin."""
        for page, first, last in self.spans():
            inked = next(filter(_has_ink, self.letters[page].places[first:last]), None)
            if inked is not None:
                return Selection(self.words, page + 1, inked)
        return None

    @property
    def caret(self) -> tuple[int, Place] | None:
        """Return the page of the caret, and where it stands there."""
        if self.ends is None or (letters := self.letters.get(self.ends[1][0])) is None:
            return None
        page, at = self.ends[1]
        return page, caret_place(letters, at)

    def spans(self) -> Iterator[tuple[int, int, int]]:
        """Yield page, first and past-last letter of what is selected."""
        if self.ends is None or self.ends[0] == self.ends[1]:
            return
        (first_page, first), (last_page, last) = sorted(self.ends)
        for page in range(first_page, last_page + 1):
            letters = self.letters.get(page)
            if letters is not None:
                begin = first if page == first_page else 0
                yield page, begin, last if page == last_page else len(letters.text)

    def uncertain(self, page: int) -> Iterator[tuple[str, Place]]:
        """Yield the words of a page that OCR may have misread, and their places."""
        if (letters := self.letters.get(page)) is None:
            return
        for start, end in letters.uncertain:
            word = letters.text[start:end].replace(_LINE_END, "-")
            lefts, tops, rights, bottoms = zip(*letters.places[start:end], strict=True)
            yield word, (min(lefts), min(tops), max(rights), max(bottoms))

    def add(self, page: int, letters: PageLetters) -> None:
        self.letters[page] = letters
        self.letters.move_to_end(page)
        while len(self.letters) > _MOST_PAGES:
            self.letters.popitem(last=False)

    def press(self, letter: Spot | None) -> None:
        self._pressed = letter
        self.ends = (letter, letter) if letter else None

    def drag(self, letter: Spot) -> None:
        """Select from the pressed letter to this one, both included."""
        if self._pressed is not None:
            first, last = sorted((self._pressed, letter))
            past = (last[0], last[1] + 1)
            self.ends = (first, past) if letter > self._pressed else (past, first)
            if first == last:
                self.ends = (first, first)

    def select_word(self, letter: Spot) -> None:
        page, at = letter
        text = self.letters[page].text
        first, last = at, at + 1
        while first > 0 and _is_of_word(text[first - 1]):
            first -= 1
        while last < len(text) and _is_of_word(text[last]):
            last += 1
        self.ends = ((page, first), (page, last))

    def select_page(self, page: int) -> None:
        letters = self.letters.get(page)
        if letters is not None and letters.text:
            self.ends = ((page, 0), (page, len(letters.text)))

    def begin(self, marked: Mapping[int, Sequence[Place]], top: float) -> None:
        """Set anchor and caret around marked places, or before the first letter below `top`."""
        inside = [spot for page in sorted(marked) for spot in self._letters_in(page, marked[page])]
        page = min(marked)
        places = enumerate(self.letters[page].places)
        below = (at for at, place in places if _has_ink(place) and place[1] >= top)
        first = inside[0] if inside else (page, next(below, 0))
        self.ends = (first, (inside[-1][0], inside[-1][1] + 1) if inside else first)

    def _letters_in(self, page: int, places: Sequence[Place]) -> Iterator[Spot]:
        areas = [QRectF(QPointF(*place[:2]), QPointF(*place[2:])) for place in places]
        for at, (left, top, right, bottom) in enumerate(self.letters[page].places):
            middle = QPointF((left + right) / 2, (top + bottom) / 2)
            if left < right and any(area.contains(middle) for area in areas):
                yield page, at

    def move(self, move: Move, pages: int) -> int | None:
        """Move the caret; return the page whose letters are needed first, if it did not move."""
        if self.ends is None:
            return None
        anchor, (page, at) = self.ends
        if page not in self.letters:
            return page
        target = move.unit(self.letters[page], at, move.by)
        while target is None:
            page += move.by
            if not 0 <= page < pages:
                return None
            if page not in self.letters:
                return page
            if text := self.letters[page].text:
                target = 0 if move.by > 0 else len(text)
                if move.unit is _word:
                    target = _word(self.letters[page], target, move.by)
        caret = (page, target)
        self.ends = (anchor if move.extends else caret, caret)
        return None

    def letter_near(self, page: int, point: QPointF, *, far: bool) -> Spot | None:
        """Return the letter at a point of a page; with `far` the nearest one."""
        x, y = point.toTuple()
        best, least = None, float("inf") if far else _FAR
        for at, (left, top, right, bottom) in enumerate(self.letters[page].places):
            if left == right:
                continue
            # Another line is farther than another column of the same line.
            away = max(left - x, x - right, 0.0) + 4 * max(top - y, y - bottom, 0.0)
            if away < least:
                best, least = at, away
        return None if best is None else (page, best)


def _is_of_word(sign: str) -> bool:
    return sign.isalnum() or sign == _LINE_END


def _has_ink(place: Place) -> bool:
    return place[0] < place[2]


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
