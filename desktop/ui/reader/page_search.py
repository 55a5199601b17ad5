"""A search in the pages of a PDF: some pages at a time, from the one that is read on."""

from collections.abc import Iterable, Sequence
from pathlib import Path

from desktop.research.documents.page_reader import Place

_PAGES_AT_ONCE = 12  # Some ten milliseconds each; drawing waits no longer than these take

PageHits = Iterable[tuple[int, list[Place]]]


class PageSearch:
    """What was found so far, and which pages are still to be searched."""

    def __init__(self, text: str, file: Path, pages: int, start: int) -> None:
        """`start`: index of the page that is searched first; those before it come last."""
        self.text, self.file, self._start = text, file, start
        self.hits: dict[int, list[Sequence[Place]]] = {}
        """Of each page, the places of each hit, in their order."""
        parts = ((start, pages), (0, start))
        self._due = [
            (first, min(first + _PAGES_AT_ONCE, end) - 1)
            for begin, end in parts
            for first in range(begin, end, _PAGES_AT_ONCE)
        ]

    @property
    def is_over(self) -> bool:
        return not self._due

    def next_pages(self) -> tuple[int, int]:
        """Return the first and the last of the pages that come next."""
        return self._due.pop(0)

    def add(self, hits: PageHits) -> None:
        for index, places in hits:
            self.hits.setdefault(index, []).append(places)

    def matches(self) -> list[tuple[int, int]]:
        """Return page and number of each hit, from the first page on."""
        return [
            (index, number)
            for index in sorted(self.hits)
            for number in range(len(self.hits[index]))
        ]

    def first_match(self) -> int:
        """Return which of the matches comes first from the start on."""
        matches = self.matches()
        after = (at for at, (index, _) in enumerate(matches) if index >= self._start)
        return next(after, 0)
