"""The letters of one page of a PDF: their places, and marks that cover a quotation's exactly.

PDFium is native code, so this runs in the process that reads hostile files. Places are in points
of the page as PDFium counts them (origin at the lower left), places as shown are in points from
the upper left corner of the page as it is displayed, turned and cropped.
"""

from collections.abc import Iterable, Iterator, Sequence
from ctypes import byref, c_int
from dataclasses import dataclass
from functools import reduce
from itertools import accumulate, chain, islice, pairwise
from math import sin
from typing import Any, NamedTuple, Self
from unicodedata import normalize

from pypdfium2 import PdfDocument, PdfPage, PdfTextPage, raw

from desktop.domain.sources import ScannedWord
from desktop.language.normalization import fold
from desktop.research.documents.pdf import ACCENTS, DIVIDED, add_annotation, composed, letter_at

_MOST_LETTERS = 60_000  # Of a page whose letters are located
_MOST_HITS = 500  # Of a page
_EDGE = 120  # Letters of a running title, or of a page number, at the edge of a page
_SMALLER = 0.95  # Times the size of the text: that of the notes below it
_DEVICE = 1 << 20  # Units of the device by which the place of a point is found
_SHARED = 0.4  # Of the lower of two heights: letters that share so much are on one line
_WIDE_GAP = 3.0  # Heights of a line: farther apart are two columns
_LEAST_LEFT = 0.3  # Of a rectangle's side: trimmed further, it would mark next to nothing
_UPRIGHT = 0.7  # The sine of an angle above which letters stand on each other
_DASHES = str.maketrans(dict.fromkeys("–−‐‑", "-"))
_DIVIDES = frozenset(f"-‐\u00ad{DIVIDED}")
_PARTS = ".,:/-"  # Between digits they belong to the number


class Rectangle(NamedTuple):
    left: float
    bottom: float
    right: float
    top: float

    def meets(self, other: "Rectangle") -> bool:
        return (
            self.left < other.right
            and other.left < self.right
            and self.bottom < other.top
            and other.bottom < self.top
        )

    def joined(self, other: "Rectangle") -> "Rectangle":
        low = (min(self.left, other.left), min(self.bottom, other.bottom))
        return Rectangle(*low, max(self.right, other.right), max(self.top, other.top))


@dataclass(frozen=True, slots=True)
class Mark:
    rectangles: Sequence[Rectangle]
    letters: str  # As they stand below the rectangles


class PageText:
    """The characters of one page. Use it in a with statement. Raises PdfiumError."""

    def __init__(self, document: PdfDocument, index: int, *, unturned: bool = False) -> None:
        """`unturned`: read the lines in the order of the page before it was turned."""
        self._page: PdfPage = document[index]
        self.rotation: int = self._page.get_rotation()
        if unturned:
            self._page.set_rotation(0)
        self._text: PdfTextPage = self._page.get_textpage()
        self._page.set_rotation(self.rotation)
        count = min(self._text.count_chars(), _MOST_LETTERS)
        pairs = composed(self._text, [letter_at(self._text, at) for at in range(count)])
        self._at = [at for _, at in pairs]  # The place of each letter among PDFium's
        self.letters = "".join(letter for letter, _ in pairs)
        """A hyphen at a line's end is U+FFFE."""
        self.plain_letters = plain(self.letters)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._text.close()
        self._page.close()

    def box(self, at: int) -> Rectangle:
        return Rectangle(*self._text.get_charbox(self._at[at]))

    def shown_boxes(self) -> Iterable[Rectangle]:
        """Return the box of every letter as shown."""
        return self.as_shown(map(self.box, range(len(self.letters))))

    def uncertain(self) -> Sequence[tuple[int, int]]:
        """Return the spans of the words that OCR may have misread."""
        return []

    def as_shown(self, rectangles: Iterable[Rectangle]) -> Iterator[Rectangle]:
        """Yield rectangles from the upper left of the displayed page: left, top, right, bottom."""
        width, height = self._page.get_size()
        (x0, y0), (x1, y1), (x2, y2) = map(self._on_device, ((0, 0), (1000, 0), (0, 1000)))
        across, up = ((x1 - x0) / 1000, (y1 - y0) / 1000), ((x2 - x0) / 1000, (y2 - y0) / 1000)
        for left, bottom, right, top in rectangles:
            corners = [
                (
                    (x0 + x * across[0] + y * up[0]) * width / _DEVICE,
                    (y0 + x * across[1] + y * up[1]) * height / _DEVICE,
                )
                for x, y in ((left, bottom), (right, top))
            ]
            (a, b), (c, d) = corners
            yield Rectangle(min(a, c), min(b, d), max(a, c), max(b, d))

    def places_of(self, parts: Sequence[str], after: int = 0) -> list[Mark]:
        """Return a mark for each part, in order; nothing unless each has one that holds."""
        marks: list[Mark] = []
        for part in parts:
            for start, end in self._spans(part, after):
                mark = self.mark(start, end)
                if mark is not None:
                    marks.append(mark)
                    after = end
                    break
            else:
                return []
        return marks

    def every_place_of(self, text: str, *, is_exact: bool = False) -> Iterator[Mark]:
        """Yield a mark for each place; what else it touches matters only if it `is_exact`.

        Else words must end where those of the text do: "net" is not in "one time".
        """
        gaps = None if is_exact else _gaps(text)
        places = (
            (start, end)
            for start, end in self._spans(text, 0, is_whole=False)
            if gaps is None or _are_alike(gaps, _gaps(self.letters[start:end]))
        )
        for start, end in islice(places, _MOST_HITS):
            mark = self.mark(start, end) if is_exact else self._hit(start, end)
            if mark is not None:
                yield mark

    def ends_at(self, number: int) -> bool:
        """Return whether the text ends with a line after so many letters: notes may follow."""
        last, rest = self.plain_letters[number - 1][1], self.plain_letters[number:]
        line = self.letters[last + 1 :].partition("\n")[0].partition(DIVIDED)[0]
        most = self._size(last) * _SMALLER
        return not any(map(str.isalnum, line)) and (
            len(rest) <= _EDGE or max(self._size(at) for _, at in rest[:-_EDGE]) < most
        )

    def begins_at(self, number: int) -> bool:
        """Return whether a line begins with this letter, near the upper edge of the page."""
        line = self.letters[: self.plain_letters[number][1]].rpartition("\n")[2]
        return number <= _EDGE and not any(map(str.isalnum, line))

    def annotate(self, mark: Mark, text: str) -> None:
        add_annotation(self._page, mark.rectangles, text)

    def _size(self, at: int) -> float:
        return float(raw.FPDFText_GetFontSize(self._text, self._at[at]))

    def _on_device(self, point: tuple[float, float]) -> tuple[int, int]:
        x, y = c_int(), c_int()
        area = (0, 0, _DEVICE, _DEVICE, 0)
        raw.FPDF_PageToDevice(self._page, *area, *point, byref(x), byref(y))
        return x.value, y.value

    def _spans(self, text: str, after: int, *, is_whole: bool = True) -> Iterator[tuple[int, int]]:
        """Yield the places of a text as first and past-last character, by letters alone."""
        wanted = "".join(letter for letter, _ in plain(text))
        page = [pair for pair in self.plain_letters if pair[1] >= after]
        stream = "".join(letter for letter, _ in page)
        at = stream.find(wanted) if wanted else -1
        while at >= 0:
            start, end = page[at][1], page[at + len(wanted) - 1][1] + 1
            if not is_whole or self.is_whole(start, end):
                yield start, end
            at = stream.find(wanted, at + 1)

    def is_whole(self, start: int, end: int, *, goes_on: bool = False) -> bool:
        """Return whether no word or number goes on beyond the place: "5 mg" is not in "2.5 mg".

        `goes_on`: a sign that divides a word may stand behind it, as at the end of a page.
        """
        before, after = self.letters[max(start - 2, 0) : start], self.letters[end : end + 2]
        own = self.letters[start:end]
        if goes_on and after[:1] == DIVIDED:
            after = ""
        if _is_of_word(before[-1:]) or _is_of_word(after[:1]):
            return False
        is_number = own[:1].isdigit() and before[-1:] in set(_PARTS) and before[:1].isdigit()
        continues = own[-1:].isdigit() and after[:1] in set(_PARTS) and after[1:].isdigit()
        return not is_number and not continues

    def mark(self, start: int, end: int) -> Mark | None:
        """Return rectangles that cover these characters and no others; None if there are none."""
        lines = self._lines([at for at in range(start, end) if self._has_ink(at)])
        others = [
            self.box(at)
            for at in range(len(self.letters))
            if not start <= at < end and self.letters[at] not in ACCENTS and self._has_ink(at)
        ]
        rectangles: list[Rectangle] = []
        for line in lines:
            area = reduce(Rectangle.joined, line)
            foreign = [
                box
                for box in chain(others, *(other for other in lines if other is not line))
                if area.meets(box)
            ]
            rectangle = _trimmed(area, foreign)
            if rectangle is None or not all(map(rectangle.meets, line)):
                return None
            rectangles.append(rectangle)
        return Mark(rectangles, " ".join(self.letters[start:end].replace(DIVIDED, "").split()))

    def _hit(self, start: int, end: int) -> Mark | None:
        """Return the lines of these characters: a page may have hundreds of hits."""
        lines = self._lines([at for at in range(start, end) if self._has_ink(at)])
        return Mark([reduce(Rectangle.joined, line) for line in lines], self.letters[start:end])

    def _has_ink(self, at: int) -> bool:
        is_generated = raw.FPDFText_IsGenerated(self._text, self._at[at]) == 1
        if self.letters[at].isspace() or is_generated:
            return False
        box = self.box(at)
        return box.left < box.right and box.bottom < box.top

    def _lines(self, places: Sequence[int]) -> list[list[Rectangle]]:
        """Return the boxes of these characters, line by line."""
        lines: list[list[Rectangle]] = []
        for at in places:
            box = self.box(at)
            upright = abs(sin(raw.FPDFText_GetCharAngle(self._text, self._at[at]))) > _UPRIGHT
            if lines and _continues(lines[-1], box, is_upright=upright):
                lines[-1].append(box)
            else:
                lines.append([box])
        return lines


class ScanText(PageText):
    """The words that OCR read on a page; a mark covers whole words."""

    def __init__(self, document: PdfDocument, index: int, words: Iterable[Sequence[Any]]) -> None:
        self._page: PdfPage = document[index]
        self.rotation = 0  # OCR has found which way the lines run
        self._words = [ScannedWord(*values) for values in words]
        self._word_of = list[int]()  # The word that each letter belongs to
        self._parts = [
            _with_end(word, self._words[at + 1 : at + 2]) for at, word in enumerate(self._words)
        ]
        for at, part in enumerate(self._parts):
            self._word_of += [at] * len(part)
        self.letters = "".join(self._parts)
        self.plain_letters = plain(self.letters)

    def __exit__(self, *_: object) -> None:
        self._page.close()

    def _size(self, _at: int) -> float:
        return 1.0  # OCR does not say which words are notes

    def shown_boxes(self) -> Iterator[Rectangle]:
        boxes = self.as_shown(Rectangle(*word[1:5]) for word in self._words)
        for (left, top, right, bottom), part in zip(boxes, self._parts, strict=True):
            wide = (right - left) / len(part)
            for place in range(len(part)):
                yield Rectangle(left + place * wide, top, left + (place + 1) * wide, bottom)

    def uncertain(self) -> Sequence[tuple[int, int]]:
        ends = accumulate(map(len, self._parts))
        return [
            (end - len(part), end - len(part) + len(part.rstrip()))
            for word, part, end in zip(self._words, self._parts, ends, strict=True)
            if word.is_uncertain
        ]

    def mark(self, start: int, end: int) -> Mark | None:
        lines: dict[int, Rectangle] = {}
        for at in range(self._word_of[start], self._word_of[end - 1] + 1):
            word = self._words[at]
            box = Rectangle(*word[1:5])
            lines[word.line] = lines[word.line].joined(box) if word.line in lines else box
        letters = " ".join(self.letters[start:end].replace(DIVIDED, "").split())
        return Mark(list(lines.values()), letters)

    _hit = mark


def _with_end(word: ScannedWord, following: Sequence[ScannedWord]) -> str:
    """Return a word with what parts it from the next one; nothing if it goes on there."""
    if not following or following[0].line == word.line:
        return f"{word.text} "
    is_divided = word.text[-2:-1].isalpha() and following[0].text[:1].islower()
    return (
        f"{word.text[:-1]}{DIVIDED}" if word.text[-1] in "-‐" and is_divided else f"{word.text}\n"
    )


def text_of(
    document: PdfDocument,
    index: int,
    words: Iterable[Sequence[Any]] | None,
    *,
    unturned: bool = False,
) -> PageText:
    """Return the text of a page, or the `words` that OCR read on it."""
    if words is None:
        return PageText(document, index, unturned=unturned)
    return ScanText(document, index, words)


def marks_over_break(
    first: PageText, second: PageText, parts: Sequence[str]
) -> tuple[Sequence[Mark], Sequence[Mark]] | None:
    """Return the marks of a quotation that begins on one page and ends on the next."""
    for at, part in enumerate(parts):
        before, after = first.places_of(parts[:at]), second.places_of(parts[at:])
        if at and before and after:  # What the quotation leaves out is the break
            return before, after
        broken = _broken(first, second, part)
        if broken is None or (at and not before):
            continue
        end, start, past = broken
        following = second.places_of(parts[at + 1 :], past)
        if following or at + 1 == len(parts):
            return [*before, end], [start, *following]
    return None


def _broken(first: PageText, second: PageText, part: str) -> tuple[Mark, Mark, int] | None:
    """Return the marks of a part that a break divides, and where it ends on the second page."""
    wanted = "".join(letter for letter, _ in plain(part))
    ends, starts = first.plain_letters, second.plain_letters
    below = "".join(letter for letter, _ in ends)
    above = "".join(letter for letter, _ in starts[: len(wanted) + _EDGE])
    for cut in range(len(wanted) - 1, 0, -1):
        begin, rest = below.rfind(wanted[:cut]), above.find(wanted[cut:])
        if min(begin, rest) < 0 or not (second.begins_at(rest) and first.ends_at(begin + cut)):
            continue
        span = ends[begin][1], ends[begin + cut - 1][1] + 1
        other = starts[rest][1], starts[rest + len(wanted) - cut - 1][1] + 1
        if first.is_whole(*span, goes_on=True) and second.is_whole(*other):
            marks = first.mark(*span), second.mark(*other)
            if marks[0] is not None and marks[1] is not None:
                return marks[0], marks[1], other[1]
    return None


def _trimmed(line: Rectangle, foreign: Sequence[Rectangle]) -> Rectangle | None:
    """Return the rectangle without the parts that other characters reach into."""
    rest = line
    for box in foreign:
        if rest.meets(box):
            rest = _without(rest, box, line)
    return rest if _share(rest, line) >= _LEAST_LEFT else None


def _without(rest: Rectangle, box: Rectangle, line: Rectangle) -> Rectangle:
    """Cut the side at which the middle of the box is beyond the line; all of it if none is."""
    x, y = (box.left + box.right) / 2, (box.bottom + box.top) / 2
    if y >= line.top:
        return rest._replace(top=min(rest.top, box.bottom))
    if y <= line.bottom:
        return rest._replace(bottom=max(rest.bottom, box.top))
    if x >= line.right:
        return rest._replace(right=min(rest.right, box.left))
    return rest._replace(left=box.right if x <= line.left else line.right)


def _share(part: Rectangle, whole: Rectangle) -> float:
    """Return what is left of the more shortened side; not positive if nothing is."""
    return min(
        (part.right - part.left) / (whole.right - whole.left),
        (part.top - part.bottom) / (whole.top - whole.bottom),
    )


def _continues(line: Sequence[Rectangle], box: Rectangle, *, is_upright: bool) -> bool:
    area = reduce(Rectangle.joined, line)
    if is_upright:  # As if the page were turned
        area, box = (Rectangle(r.bottom, r.left, r.top, r.right) for r in (area, box))
    shared = min(area.top, box.top) - max(area.bottom, box.bottom)
    gap = max(box.left - area.right, area.left - box.right)
    heights = area.top - area.bottom, box.top - box.bottom
    return shared >= _SHARED * min(heights) and gap <= _WIDE_GAP * max(heights)


class _Gaps(NamedTuple):
    """After how many letters of a text something stands that is none, and where it is a space."""

    all: set[int]
    spaces: set[int]


def _gaps(text: str) -> _Gaps:
    gaps = _Gaps(set(), set())
    for number, ((_, before), (_, at)) in enumerate(pairwise(plain(text)), start=1):
        between = text[before + 1 : at]
        if between:
            gaps.all.add(number)
        if any(map(str.isspace, between)) and _DIVIDES.isdisjoint(between):
            gaps.spaces.add(number)
    return gaps


def _are_alike(text: _Gaps, other: _Gaps) -> bool:
    return text.spaces <= other.all and other.spaces <= text.all


def _is_of_word(sign: str) -> bool:
    return _is_letter(sign) or sign == DIVIDED


def _is_letter(sign: str) -> bool:
    return sign.isalnum() and sign not in ACCENTS


def plain(text: str) -> list[tuple[str, int]]:
    """Return the letters and digits by which a place is found, each with its index in the text.

    Capitals, accents of other forms, ligatures, spaces, hyphens and punctuation do not count, nor
    do accents that are signs of their own, but signs inside a number do.
    """
    pairs: list[tuple[str, int]] = []
    for at, sign in enumerate(text.translate(_DASHES)):
        if sign in _PARTS:
            if text[at - 1 : at].isdigit() and text[at + 1 : at + 2].isdigit():
                pairs.append((sign, at))
            continue
        plain = sign.lower() if sign.isascii() else fold(normalize("NFKC", sign))
        pairs.extend((letter, at) for letter in plain if _is_letter(letter))
    return pairs
