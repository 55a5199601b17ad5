"""Asks the process that reads hostile files for the pages of a PDF: pictures, letters, marks."""

from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from threading import Lock
from typing import Any, BinaryIO, Protocol

from desktop.domain import errors
from desktop.domain.messages import Pixels
from desktop.domain.notes import Note
from desktop.domain.sources import ScannedWord
from desktop.research.child_process import ChildEnded, ChildProcess, ChildUser, ReadingStopped

PAGES_FLAG = "--read-pages"
"""Starts the program as the child; followed by its memory limit in megabytes."""
_MEGABYTES = 1_024
_SECONDS = 20
_NEAREST = 3  # Pages
_MOST_BREAKS = 20  # Between pages, at which one that goes on is looked for
_MOST_SCANS = 40  # Pages on which a quotation is looked for
_LONGEST_LINE = 4 << 20
_BYTES_A_PIXEL = 4
_PLACE_NUMBERS = range(4)

Place = tuple[float, float, float, float]
"""Left, top, right, bottom in points, from the upper left corner of the page as shown."""


@dataclass(frozen=True, slots=True)
class PdfDescription:
    sizes: Sequence[tuple[float, float]]  # Width and height in points, of each page as shown
    labels: Sequence[str]  # Page numbers as printed; empty where the file names none
    outline: Sequence[tuple[int, str, int]]  # Level from 0, title, index of the page


@dataclass(frozen=True, slots=True)
class PageLetters:
    text: str  # One character for each place
    places: Sequence[Place]
    uncertain: Sequence[tuple[int, int]] = ()  # Of the words that OCR may have misread


@dataclass(frozen=True, slots=True)
class PageMark:
    """A quotation on a page: the letters below the rectangles are the quotation's."""

    index: int
    rectangles: Sequence[Place]  # In points from the lower left: left, bottom, right, top
    places: Sequence[Place]
    letters: str
    is_scanned: bool = False  # The letters are those that OCR read
    uncertain: Sequence[str] = ()  # The words among them that OCR may have misread
    goes_on: "PageMark | None" = None  # Its end, on the next page


class ScannedText(Protocol):
    """The pages of files, numbered from 1, whose words OCR has read."""

    def pages_of_file(self, file: Path, /) -> Sequence[int]: ...

    def words(self, file: Path, page: int, /) -> Sequence[ScannedWord]: ...


class PdfPageReader(ChildUser):
    """Keeps the child and the document that was read last. Its methods wait, on any thread.

    They raise DocumentDamagedError, DocumentEncryptedError, DocumentTooSlowError,
    FileUnreadableError.
    """

    def __init__(
        self,
        open_file: Callable[[Path], BinaryIO],
        scans: ScannedText | None = None,
        flag: str = PAGES_FLAG,
    ) -> None:
        """`scans`: the words that OCR read on pages without letters; `flag`: of the child."""
        super().__init__(flag, _MEGABYTES, _LONGEST_LINE)
        self._open_file = open_file
        self._scans = scans
        self._lock = Lock()
        self._opened: tuple[ChildProcess, Path] | None = None
        self._description: list[Any] = []

    def start(self) -> None:
        """Make the child ready, so that the first page need not wait for it."""
        with self._lock:
            self.running_child().send(pages="start", seconds=_SECONDS)

    def describe(self, file: Path) -> PdfDescription:
        with self._child_with(file):
            sizes, labels, outline = self._description
        return PdfDescription(
            sizes=[(width, height) for width, height in sizes],
            labels=labels,
            outline=[(level, title, index) for level, title, index in outline],
        )

    def picture(self, file: Path, index: int, scale: float) -> Pixels:
        """Return a page in `scale` pixels a point, fewer if it would have too many pixels."""
        with self._child_with(file) as child:
            width, height = _ask(child, pages="picture", index=index, scale=scale)
            return Pixels(width, height, child.receive_bytes(width * height * _BYTES_A_PIXEL))

    def letters(self, file: Path, index: int) -> PageLetters:
        words = self.words(file, index)
        with self._child_with(file) as child:
            text, uncertain = _ask(child, pages="letters", index=index, words=words or None)
            numbers = array("f")
            numbers.frombytes(
                child.receive_bytes(len(text) * len(_PLACE_NUMBERS) * numbers.itemsize)
            )
        groups = (numbers[at :: len(_PLACE_NUMBERS)] for at in _PLACE_NUMBERS)
        spans = [(start, end) for start, end in uncertain]
        return PageLetters(text, list(zip(*groups, strict=True)), spans)

    def mark(self, file: Path, quote: str, near: int) -> PageMark | None:
        """Return where a quotation stands; the pages around the index `near` are read first."""
        with self._child_with(file) as child:
            indexes = range(len(self._description[0]))
            order = sorted(indexes, key=lambda index: (abs(index - near), index < near))
            # A break is looked for early: a search of all pages of a book takes seconds.
            return (
                _mark_pages(child, quote, order[:_NEAREST])
                or self._mark_scan(child, file, quote, near)
                or self._mark_breaks(child, file, quote, order[:_NEAREST])
                or _mark_pages(child, quote, order[_NEAREST:])
                or self._mark_breaks(child, file, quote, order[_NEAREST:_MOST_BREAKS])
            )

    def mark_over_break(self, file: Path, quote: str, index: int) -> PageMark | None:
        """Return where a quotation stands that begins on one page and ends on the next."""
        with self._child_with(file) as child:
            return self._mark_breaks(child, file, quote, [index])

    def _mark_breaks(
        self, child: ChildProcess, file: Path, quote: str, indexes: Iterable[int]
    ) -> PageMark | None:
        for index in indexes:
            first, second = self.words(file, index), self.words(file, index + 1)
            texts = {"words": first or None, "following": second or None}
            if values := _ask(child, pages="mark", quote=quote, order=[index], **texts):
                mark = _of_scan(_page_mark(values), first)
                goes_on = mark.goes_on and _of_scan(mark.goes_on, second)
                return replace(mark, goes_on=goes_on)
        return None

    def find(self, file: Path, text: str, first: int, last: int) -> list[tuple[int, list[Place]]]:
        """Return every place of a text on these pages: the index of its page, its rectangles."""
        with self._child_with(file) as child:
            hits = _ask(child, pages="find", text=text, first=first, last=last, words=None)
            for index in self._scanned(file):
                if first <= index <= last and (words := self.words(file, index)):
                    place = {"first": index, "last": index}
                    hits += _ask(child, pages="find", text=text, words=words, **place)
        return sorted((index, _places(places)) for index, places in hits)

    def annotated(self, file: Path, notes: Sequence[Note]) -> tuple[int, bytes]:
        """Return how many notes were written into a copy of a PDF, and the copy."""
        values = [((note.page or 1) - 1, note.quote, note.occurrence, note.text) for note in notes]
        with self._child_with(file) as child:
            written, length = _ask(child, pages="annotate", notes=values)
            copy = child.receive_bytes(length)
            self._opened = None  # The child's document has the notes now
        return written, copy

    def close(self) -> None:
        """End the child; a request that is running fails at once."""
        child = self._child
        if child is not None:
            child.kill()
        with self._lock:
            self._forget()

    def _forget(self) -> None:
        self._opened = None
        self._end_child()

    def _scanned(self, file: Path) -> list[int]:
        pages = self._scans.pages_of_file(file) if self._scans else ()
        return [page - 1 for page in pages]

    def scanned_words(self, file: Path) -> Iterator[tuple[int, Sequence[ScannedWord]]]:
        """Yield the pages of a file that OCR has read, each by its index with its words."""
        yield from ((index, self.words(file, index)) for index in self._scanned(file))

    def words(self, file: Path, index: int) -> Sequence[ScannedWord]:
        """Return the words that OCR read on a page. Raises StorageError."""
        return self._scans.words(file, index + 1) if self._scans else ()

    def _mark_scan(
        self, child: ChildProcess, file: Path, quote: str, near: int
    ) -> PageMark | None:
        nearest = sorted(self._scanned(file), key=lambda index: abs(index - near))
        for index in nearest[:_MOST_SCANS]:
            words = self.words(file, index)
            if words and (
                values := _ask(child, pages="mark", quote=quote, order=[index], words=words)
            ):
                return _of_scan(_page_mark(values), words)
        return None

    @contextmanager
    def _child_with(
        self,
        file: Path,
        seconds: int = _SECONDS,
        should_stop: Callable[[], bool] = lambda: False,
    ) -> Iterator[ChildProcess]:
        """Yield the child when it has the file open, and say why it ended."""
        with self._lock:
            child = self.running_child()
            try:
                with child.limited(seconds, should_stop):
                    if self._opened != (child, file):
                        self._opened = None
                        with self._open_file(file) as opened:
                            child.send(opened, path=str(file), pages="open", seconds=seconds)
                            self._description = _received(child)
                        self._opened = child, file
                    yield child
            except ChildEnded as exc:
                self._forget()
                if child.was_stopped:
                    raise ReadingStopped from exc
                if child.was_too_long:
                    raise errors.DocumentTooSlowError(seconds=seconds) from exc
                raise errors.DocumentDamagedError from exc
            except (errors.DocumentError, errors.OcrFailedError):
                raise
            except BaseException:  # what is left of an answer belongs to this request
                self._forget()
                raise


def _ask(child: ChildProcess, **request: Any) -> list[Any]:
    return ask(child, seconds=_SECONDS, **request)


def ask(child: ChildProcess, **request: Any) -> list[Any]:
    """Return the values of the answer. Raises ChildEnded, DocumentError."""
    child.send(**request)
    return _received(child)


def _mark_pages(child: ChildProcess, quote: str, order: Sequence[int]) -> PageMark | None:
    values = _ask(child, pages="mark", quote=quote, order=order, words=None)
    return _page_mark(values) if values else None


def _page_mark(values: Sequence[Any]) -> PageMark:
    (index, rectangles, places, letters), *following = values
    goes_on = _page_mark(following) if following else None
    return PageMark(index, _places(rectangles), _places(places), letters, goes_on=goes_on)


def _of_scan(mark: PageMark, words: Sequence[ScannedWord]) -> PageMark:
    """Return the mark with what is known of its words, if OCR read them."""
    uncertain = [
        word.text for word in words if word.is_uncertain and _is_in(word, mark.rectangles)
    ]
    return replace(mark, is_scanned=bool(words), uncertain=uncertain)


def _is_in(word: ScannedWord, rectangles: Sequence[Place]) -> bool:
    x, y = (word.left + word.right) / 2, (word.bottom + word.top) / 2
    return any(
        left <= x <= right and bottom <= y <= top for left, bottom, right, top in rectangles
    )


def _received(child: ChildProcess) -> list[Any]:
    """Return the values of an answer without its name. Raises ChildEnded, DocumentError."""
    match child.receive():
        case ["error", errors.DocumentEncryptedError.key]:
            raise errors.DocumentEncryptedError
        case ["error", errors.OcrFailedError.key, detail]:
            raise errors.OcrFailedError(detail=detail)
        case ["error", *_]:
            raise errors.DocumentDamagedError
        case [_, *values]:
            return values
        case _:
            raise ChildEnded


def _places(rectangles: Iterable[Sequence[float]]) -> list[Place]:
    return [(left, first, right, second) for left, first, right, second in rectangles]
