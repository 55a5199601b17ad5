"""The blocks that document readers yield, and how they are cut into passages.

Cutting is linear in the length of the document: a run of blocks keeps its own length.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple
from unicodedata import normalize

from desktop.domain.notes import PdfAnnotation
from desktop.domain.references import Reference
from desktop.domain.sources import NewPassage
from desktop.language.authored_text import INVISIBLE
from desktop.language.normalization import LIGATURES, fix_surrogates
from desktop.language.sentences import split_passages

_LONGEST_HEADING = 160
_DEEPEST = 12  # Headings nested in headings: every passage repeats all of them


class Head(NamedTuple):
    """The first part of a document."""

    title: str  # Empty if the document has none
    pages: int | None = None
    reference: Reference = Reference()  # What is known about it as a work
    tags: Sequence[str] = ()  # That its author gave it


class Block(NamedTuple):
    """A paragraph, a row of a table, a heading."""

    text: str
    page: int | None = None
    heading: str = ""  # The headings above it, outermost first
    is_heading: bool = False


class Tail(NamedTuple):
    unreadable_pages: int = 0


Part = Head | Block | PdfAnnotation | Tail
Parts = Iterator[Part]


class Outline:
    """The headings above the next block."""

    def __init__(self) -> None:
        self._open: list[tuple[int, str]] = []
        self.path = ""  # The same text for all blocks below it: there may be many

    def enter(self, level: int, title: str) -> None:
        """Replace the headings of this level and deeper ones."""
        shown = " ".join(title.split())[:_LONGEST_HEADING]
        self._open = [heading for heading in self._open if heading[0] < level]
        if shown and len(self._open) < _DEEPEST:
            self._open.append((level, shown))
        self.path = " › ".join(title for _, title in self._open)

    def heading(self, level: int, title: str, page: int | None = None) -> Block:
        self.enter(level, title)
        return Block(title.strip(), page, self.path, is_heading=True)

    def block(self, text: str, page: int | None = None) -> Block:
        return Block(text.strip(), page, self.path)


_WANTED = 900
"""Characters of a passage: long enough to answer a question, short enough to show why."""
_LONGEST = 1_200
_SCRAP = 60  # Characters of a page number or a running title, which nobody searches for by itself
_MOST_BLOCKS = 300  # In one passage: this bounds a page of empty headings, too
_PICTURE = re.compile(
    r"(?:(?<!\w)data:[\w.+/-]*(?:;[\w.=-]+)*,|(?=iVBORw0|/9j/|R0lGOD|UklGR|JVBERi|PHN2Zy))"
    r"[^\s\"'<>)\]]{32,}+(?:\n[\w+/]{40,}+)*+=*"
)
"""The bytes of a picture as text: in an address, or by the beginnings of its format in base64."""


def without_pictures(text: str) -> str:
    return _PICTURE.sub("", text)


def chunk_blocks(blocks: Iterable[Block]) -> Iterator[NewPassage]:
    """Yield passages that cross neither the end of a page nor a heading.

    Only scraps cross a heading: they join their neighbours on the page.
    """
    run: list[Block] = []
    letters = 0
    for block in blocks:
        if run and _ends_before(block, run, letters):
            yield from _passages(run)
            run, letters = [], 0
        run.append(block)
        letters += len(block.text)
    if run:
        yield from _passages(run)


def _ends_before(block: Block, run: Sequence[Block], letters: int) -> bool:
    last = run[-1]
    if block.page != last.page or len(run) >= _MOST_BLOCKS:
        return True
    enters = not last.is_heading if block.is_heading else block.heading != last.heading
    most = _WANTED if len(block.text) >= _SCRAP else _LONGEST
    return letters >= _SCRAP and (enters or letters + len(block.text) > most)


def _passages(run: Sequence[Block]) -> Iterator[NewPassage]:
    text = _normalize_print("\n".join(block.text for block in run))
    heading = _normalize_print(run[-1].heading)
    for piece in split_passages(text, _LONGEST):
        yield NewPassage(piece, run[-1].page, heading)


def _normalize_print(text: str) -> str:
    """Replace typographic characters (ligatures, soft hyphens), so that a search finds it."""
    whole = fix_surrogates(without_pictures(text))
    if whole.isascii():
        return whole
    return normalize("NFC", INVISIBLE.sub("", whole).translate(LIGATURES))
