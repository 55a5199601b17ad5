"""The search in the source that is read: in its text, or some pages at a time."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from desktop.research.documents.page_reader import Place
from desktop.ui.reader.page_view import PageView
from desktop.ui.reader.reader_content import PassageHit, PassageSearch, ReaderContent
from desktop.ui.reader.reader_view import ReaderText
from desktop.ui.services import Worker
from desktop.ui.timers import make_timer
from desktop.ui.widgets.search_fields import FindBar

_PAUSE_MS = 150  # After the last key
_PAGES_AT_ONCE = 12  # Some ten milliseconds each; drawing waits no longer than these take

PageHits = Iterable[tuple[int, list[Place]]]


class PageSearch:
    """What was found on pages so far, and which are still to be searched."""

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


class ReaderSearch(QObject):
    """Shows what the bar looks for, on the pages or in the text, whichever is shown."""

    place_shown = Signal(int)  # Index of the passage of a match

    def __init__(
        self,
        worker: Worker,
        bar: FindBar,
        text: ReaderText,
        pages: PageView,
        are_pages_shown: Callable[[], bool],
    ) -> None:
        super().__init__(bar)
        self._worker, self._bar, self._text, self._pages = worker, bar, text, pages
        self._are_pages_shown = are_pages_shown
        self._reading: ReaderContent | None = None
        self._passages = PassageSearch(())
        self.matches: Sequence[PassageHit] = ()
        self._page_search: PageSearch | None = None
        self._soon = make_timer(self, _PAUSE_MS, self._search_pages, is_single=True)
        self.page_matches: list[tuple[int, int]] = []  # Page, and number of the match on it
        self._match = 0  # Index of the current match
        bar.text_changed.connect(self.find)
        bar.stepped.connect(self.step)

    def search_in(self, reading: ReaderContent) -> None:
        self._reading = reading
        self._passages = PassageSearch(reading.passages)
        self.matches, self.page_matches = (), []

    def find(self, text: str) -> None:
        search, reading = self._passages, self._reading
        self.page_matches = []
        self._page_search = None
        self._pages.show_hits({})
        if reading is None or not self._are_pages_shown():
            self._worker.do_latest(
                "find in source", lambda _: search.find(text), partial(self._show_matches, search)
            )
        elif text.strip():
            pages = len(reading.description.sizes) if reading.description else 0
            if reading.pdf is not None:
                self._page_search = PageSearch(text, reading.pdf, pages, self._pages.current)
                self._soon.start()
        else:
            self._bar.show_place(0, 0)

    def _search_pages(self) -> None:
        """Search the next pages; between two such steps, pages are drawn."""
        search = self._page_search
        if search is None or search.is_over:
            return
        file, (first, last) = search.file, search.next_pages()
        self._worker.do(
            lambda services: services.document_pages.find(file, search.text, first, last),
            lambda hits: self._show_hits(search, hits),
        )

    def _show_hits(self, search: PageSearch, hits: PageHits) -> None:
        if search is not self._page_search:
            return  # another text is looked for, or none
        is_first = not search.hits
        led = self.page_matches[self._match] if self.page_matches else None
        search.add(hits)
        self.page_matches = search.matches()
        self._pages.show_hits(search.hits)
        if led is not None:
            self._match = self.page_matches.index(led)
        if is_first and search.hits:
            self._match = search.first_match()
            self.step(0)
        elif search.hits or search.is_over:
            count = len(self.page_matches)
            self._bar.show_place(self._match + 1 if count else 0, count)
        self._search_pages()

    def _show_matches(self, search: PassageSearch, matches: Sequence[PassageHit]) -> None:
        if search is not self._passages:
            return  # another source was opened meanwhile
        self.matches, self._match = matches, 0
        spans: defaultdict[int, list[tuple[int, int]]] = defaultdict(list)
        for passage, start, end in matches:
            spans[passage].append((start, end))
        self._text.show_found(spans)
        self.step(0)

    def step(self, by: int) -> None:
        matches = self.page_matches if self._are_pages_shown() else self.matches
        if matches:
            self._match = (self._match + by) % len(matches)
            if self._are_pages_shown():
                self._pages.go_to_hit(*self.page_matches[self._match])
            else:
                passage, *span = self.matches[self._match]
                self._text.go_to(passage, (span[0], span[1]))
                self.place_shown.emit(passage)
        self._bar.show_place(self._match + 1 if matches else 0, len(matches))
