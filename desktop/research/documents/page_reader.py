"""Asks the process that reads hostile files for the pages of a PDF: pictures, letters, marks."""

from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from threading import Lock
from typing import Any, BinaryIO

from desktop.domain import errors
from desktop.domain.messages import Pixels
from desktop.research.child_process import ChildEnded, ChildProcess, ChildUser

PAGES_FLAG = "--read-pages"
"""Starts the program as the child; followed by its memory limit in megabytes."""
_MEGABYTES = 1_024
_SECONDS = 20
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


@dataclass(frozen=True, slots=True)
class PageMark:
    """A quotation on a page: the letters below the rectangles are the quotation's."""

    index: int
    rectangles: Sequence[Place]  # In points from the lower left: left, bottom, right, top
    places: Sequence[Place]
    letters: str


class PdfPageReader(ChildUser):
    """Keeps the child and the document that was read last. Its methods wait, on any thread.

    They raise DocumentDamagedError, DocumentEncryptedError, DocumentTooSlowError,
    FileUnreadableError.
    """

    def __init__(self, open_file: Callable[[Path], BinaryIO]) -> None:
        super().__init__(PAGES_FLAG, _MEGABYTES, _LONGEST_LINE)
        self._open_file = open_file
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
        with self._child_with(file) as child:
            (text,) = _ask(child, pages="letters", index=index)
            numbers = array("f")
            numbers.frombytes(
                child.receive_bytes(len(text) * len(_PLACE_NUMBERS) * numbers.itemsize)
            )
        groups = (numbers[at :: len(_PLACE_NUMBERS)] for at in _PLACE_NUMBERS)
        return PageLetters(text, list(zip(*groups, strict=True)))

    def mark(self, file: Path, quote: str, near: int) -> PageMark | None:
        """Return where a quotation stands; the pages around the index `near` are read first."""
        with self._child_with(file) as child:
            indexes = range(len(self._description[0]))
            order = sorted(indexes, key=lambda index: (abs(index - near), index < near))
            values = _ask(child, pages="mark", quote=quote, order=order)
        if not values:
            return None
        index, rectangles, places, letters = values
        return PageMark(index, _places(rectangles), _places(places), letters)

    def find(self, file: Path, text: str, first: int, last: int) -> list[tuple[int, list[Place]]]:
        """Return every place of a text on these pages: the index of its page, its rectangles."""
        with self._child_with(file) as child:
            hits = _ask(child, pages="find", text=text, first=first, last=last)
        return [(index, _places(places)) for index, places in hits]

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

    @contextmanager
    def _child_with(self, file: Path) -> Iterator[ChildProcess]:
        """Yield the child when it has the file open, and say why it ended."""
        with self._lock:
            child = self.running_child()
            try:
                with child.limited(_SECONDS, lambda: False):
                    if self._opened != (child, file):
                        self._opened = None
                        with self._open_file(file) as opened:
                            child.send(opened, path=str(file), pages="open", seconds=_SECONDS)
                            self._description = _received(child)
                        self._opened = child, file
                    yield child
            except ChildEnded as exc:
                self._forget()
                if child.was_too_long:
                    raise errors.DocumentTooSlowError(seconds=_SECONDS) from exc
                raise errors.DocumentDamagedError from exc
            except errors.DocumentError:
                raise
            except BaseException:  # what is left of an answer belongs to this request
                self._forget()
                raise


def _ask(child: ChildProcess, **request: Any) -> list[Any]:
    child.send(**request, seconds=_SECONDS)
    return _received(child)


def _received(child: ChildProcess) -> list[Any]:
    """Return the values of an answer without its name. Raises ChildEnded, DocumentError."""
    match child.receive():
        case ["error", errors.DocumentEncryptedError.key]:
            raise errors.DocumentEncryptedError
        case ["error", *_]:
            raise errors.DocumentDamagedError
        case [_, *values]:
            return values
        case _:
            raise ChildEnded


def _places(rectangles: Iterable[Sequence[float]]) -> list[Place]:
    return [(left, first, right, second) for left, first, right, second in rectangles]
