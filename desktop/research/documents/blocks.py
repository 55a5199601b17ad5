"""The blocks that document readers yield, and how they are cut into passages.

Cutting is linear in the length of the document: a run of blocks keeps its own length.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import NamedTuple
from unicodedata import normalize

from desktop.domain.sources import NewPassage
from desktop.language.sentences import split_passages
from desktop.language.surrogates import whole_letters

_LONGEST_HEADING = 160
_DEEPEST = 12
"""Headings nested in headings: every passage repeats all of them."""


class Head(NamedTuple):
    """The first part of a document."""

    title: str
    """Empty if the document has none."""
    pages: int | None = None
    author: str = ""
    published: str = ""
    """A date as the document writes it."""


class Block(NamedTuple):
    """A paragraph, a row of a table, a heading."""

    text: str
    page: int | None = None
    heading: str = ""
    """The headings above it, outermost first."""
    is_heading: bool = False


class Tail(NamedTuple):
    """The last part of a document that may have such pages."""

    unreadable_pages: int = 0
    """Scanned images without text."""


Part = Head | Block | Tail
Parts = Iterator[Part]


@dataclass(slots=True)
class Outline:
    """The headings above the next block."""

    _open: list[tuple[float, str]] = field(default_factory=list)

    @property
    def path(self) -> str:
        return " › ".join(title for _, title in self._open)

    def enter(self, level: float, title: str) -> None:
        """Replace the headings of this level and deeper ones."""
        shown = " ".join(title.split())[:_LONGEST_HEADING]
        self._open = [one for one in self._open if one[0] < level]
        if shown and len(self._open) < _DEEPEST:
            self._open.append((level, shown))

    def heading(self, level: float, title: str, page: int | None = None) -> Block:
        """Enter a heading and return it as a block."""
        self.enter(level, title)
        return Block(title.strip(), page, self.path, is_heading=True)

    def block(self, text: str, page: int | None = None) -> Block:
        return Block(text.strip(), page, self.path)


_WANTED = 900
"""Letters: long enough to answer a question, short enough to show why."""
_LONGEST = 1_200
_SCRAP = 60
"""Letters of a page number or a running title, which nobody looks for by itself."""
_MOST_BLOCKS = 300
"""In one passage: a page of nothing but empty headings ends somewhere, too."""
_INVISIBLE = re.compile("\u00ad(?:[ \t]*\n[ \t]*)?|[\u200b\u2060\ufeff]")
"""Soft hyphens, with the line break behind them, and blanks of no width."""
_LIGATURES = {code: normalize("NFKC", chr(code)) for code in range(0xFB00, 0xFB07)}


@dataclass(slots=True)
class _Run:
    """Consecutive blocks that become one passage, with the sum of their letters."""

    blocks: list[Block] = field(default_factory=list)
    letters: int = 0

    def append(self, block: Block) -> None:
        self.blocks.append(block)
        self.letters += len(block.text)

    def ends_before(self, block: Block) -> bool:
        """Whether the next block begins a new passage."""
        if not self.blocks:
            return False
        last = self.blocks[-1]
        if block.page != last.page or len(self.blocks) >= _MOST_BLOCKS:
            return True
        enters = not last.is_heading if block.is_heading else block.heading != last.heading
        return self.letters >= _SCRAP and (enters or self.letters + len(block.text) > _WANTED)

    def absorb_scrap(self, scrap: "_Run") -> bool:
        """Append what is too short for a passage of its own, if it stands on the same page."""
        if not self.blocks or not scrap.blocks or scrap.letters >= _SCRAP:
            return False
        last = self.blocks[-1]
        if scrap.blocks[0].page != last.page or len(self.blocks) >= _MOST_BLOCKS:
            return False
        for block in scrap.blocks:
            self.append(block._replace(heading=last.heading))
        return True

    def passages(self) -> Iterator[NewPassage]:
        if not self.blocks:
            return
        last = self.blocks[-1]
        text = _normalize_print("\n".join(block.text for block in self.blocks))
        heading = _normalize_print(last.heading)
        for piece in split_passages(text, _LONGEST):
            yield NewPassage(piece, last.page, heading)


def chunk_blocks(blocks: Iterable[Block]) -> Iterator[NewPassage]:
    """Passages, none of which goes over the end of a page or from one heading to the next.

    Only scraps do the latter: they join what stands beside them on their page.
    """
    previous, current = _Run(), _Run()
    for block in blocks:
        if current.ends_before(block):
            if not previous.absorb_scrap(current):
                yield from previous.passages()
                previous = current
            current = _Run()
        current.append(block)
    if not previous.absorb_scrap(current):
        yield from previous.passages()
        previous = current
    yield from previous.passages()


def _normalize_print(text: str) -> str:
    """Replace what only printers set (ligatures, soft hyphens), so that a search finds it."""
    whole = whole_letters(text)
    if whole.isascii():
        return whole
    return normalize("NFC", _INVISIBLE.sub("", whole).translate(_LIGATURES))
