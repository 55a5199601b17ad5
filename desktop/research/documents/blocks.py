"""What reading a document gives: its head, then its text in blocks, in the order of reading."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

_LONGEST_HEADING = 160
_DEEPEST = 12
"""Headings nested in headings: every passage repeats all of them."""


class Head(NamedTuple):
    """Comes first."""

    title: str
    """Empty where the document has none of its own."""
    pages: int | None = None
    author: str = ""
    published: str = ""
    """A date, as the document itself says it."""


class Block(NamedTuple):
    """A paragraph, a row of a table, a heading."""

    text: str
    page: int | None = None
    heading: str = ""
    """Under which it stands, outer ones first."""
    is_heading: bool = False


class Tail(NamedTuple):
    """Comes last."""

    unreadable_pages: int = 0
    """Pictures, without a text behind them."""


Part = Head | Block | Tail
Parts = Iterator[Part]


@dataclass(slots=True)
class Outline:
    """The headings that what is read next stands under."""

    _open: list[tuple[float, str]] = field(default_factory=list)

    @property
    def path(self) -> str:
        return " › ".join(title for _, title in self._open)

    def enter(self, level: float, title: str) -> None:
        """Below what has a lower level, in the place of what has this one or a higher."""
        shown = " ".join(title.split())[:_LONGEST_HEADING]
        self._open = [one for one in self._open if one[0] < level]
        if shown and len(self._open) < _DEEPEST:
            self._open.append((level, shown))

    def heading(self, level: float, title: str, page: int | None = None) -> Block:
        """Enter it, and its words as a block of their own: they are text, too."""
        self.enter(level, title)
        return Block(title.strip(), page, self.path, is_heading=True)

    def block(self, text: str, page: int | None = None) -> Block:
        return Block(text.strip(), page, self.path)
