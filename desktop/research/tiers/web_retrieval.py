"""Searches the web for sub-questions and reads the best pages, within the limits of the run.

Pages become sources of the library; a page that cannot be read is skipped and reported.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future
from concurrent.futures import TimeoutError as TooLate
from dataclasses import dataclass, field
from threading import Lock
from typing import TYPE_CHECKING

from desktop.domain.errors import AppError, StorageError
from desktop.domain.ids import SessionId
from desktop.domain.research import Spent, SubQuestion
from desktop.domain.web import WebHit
from desktop.domain.web_errors import WebError, WebOffError
from desktop.language.stopwords import StopWords
from desktop.research.passages import Passage
from desktop.research.tiers.budget import Budget, CancellationToken, UsageCounter
from desktop.research.tiers.passage_store import Page, passages_of_page
from desktop.research.web.endpoint_web import number_source_passages
from desktop.storage.archive import Archive

if TYPE_CHECKING:
    from desktop.research.web.web import Web

_HITS = 6
_LOOK_EVERY_S = 0.2


@dataclass(slots=True)
class DirectWebRetriever:
    """Belongs to one run; thread-safe. No address is fetched twice in a run."""

    web: "Web"
    archive: Archive
    budget: Budget
    cancellation: CancellationToken
    stop_words: StopWords
    session_id: SessionId | None
    """None in a temporary session, whose pages are not stored."""
    troubles: list[AppError] = field(default_factory=list)
    """Errors of searches and fetches."""
    read: set[str] = field(default_factory=set)
    """Addresses of the pages that were read."""
    _pages: dict[str, Future[Page | None]] = field(default_factory=dict)
    """By address; None of one that could not be read."""
    _lock: Lock = field(default_factory=Lock)

    def find(
        self, part: SubQuestion, pages: int, length: int, counter: UsageCounter
    ) -> list[Passage]:
        """Passages of at most so many pages. Raises StorageError."""
        found: list[Passage] = []
        for future in self._in_turn(self._hits(part.wanted, counter), counter):
            page = self._wait_for(future)
            if page is None:
                continue
            passages = passages_of_page(page, part.question, length, self.stop_words)
            found += passages
            pages -= bool(passages)
            if not pages:
                break
        return found

    def _hits(self, searches: Sequence[str], counter: UsageCounter) -> Iterator[WebHit]:
        """Hits of all searches, interleaved by rank."""
        lists: list[Sequence[WebHit]] = []
        for words in searches:
            if self.cancellation.is_over or not self._take(1, 0, counter):
                break
            session_id, stop = self.session_id, self._is_over
            try:
                lists.append(self.web.search(words, _HITS, session_id=session_id, stop=stop))
            except WebError as exc:
                self.troubles.append(exc)
                if isinstance(exc, WebOffError):
                    self._give_back(1, 0, counter)
                    break
        for place in range(_HITS):
            yield from (hits[place] for hits in lists if place < len(hits))

    def _in_turn(
        self, hits: Iterable[WebHit], counter: UsageCounter
    ) -> Iterator[Future[Page | None]]:
        """New pages first, then those already read for other sub-questions."""
        shared: list[Future[Page | None]] = []
        for address in dict.fromkeys(one.address for one in hits):
            if self.cancellation.is_over:
                return
            future = Future[Page | None]()
            with self._lock:
                claimed = self._pages.setdefault(address, future)
            if claimed is not future:
                shared.append(claimed)
                continue
            if not self._take(0, 1, counter):
                future.set_result(None)
                break
            if not self._read(address, future):
                self._give_back(0, 1, counter)
                break
            yield future
        yield from shared

    def _read(self, address: str, future: Future[Page | None]) -> bool:
        """False if the web is off. Raises StorageError, and so does waiting for the page."""
        try:
            page = read_page(self.web, self.archive, address, self.session_id, self._is_over)
            self.read.add(address)
            future.set_result(page)
        except StorageError as exc:
            future.set_exception(exc)
            raise
        except AppError as exc:  # of the web, or of a document that it led to
            self.troubles.append(exc)
            future.set_result(None)
            return not isinstance(exc, WebOffError)
        return True

    def _wait_for(self, future: Future[Page | None]) -> Page | None:
        """Raises StorageError."""
        while not self.cancellation.is_over:
            try:
                return future.result(_LOOK_EVERY_S)
            except TooLate:
                continue
        return None

    def _take(self, searches: int, fetches: int, counter: UsageCounter) -> bool:
        if self.budget.take_web(searches, fetches) == (0, 0):
            return False
        counter.spent += Spent(searches=searches, fetches=fetches)
        return True

    def _give_back(self, searches: int, fetches: int, counter: UsageCounter) -> None:
        """Return what was reserved and not used: the web was switched off meanwhile."""
        self.budget.give_back(searches, fetches)
        counter.spent += Spent(searches=-searches, fetches=-fetches)

    def _is_over(self) -> bool:
        return self.cancellation.is_over


def read_page(
    web: "Web",
    archive: Archive,
    address: str,
    session_id: SessionId | None,
    stop: Callable[[], bool],
) -> Page:
    """The page with its passages; without a session it is kept nowhere. Raises as the web does."""
    if session_id is not None:
        source = web.fetch(address, session_id=session_id, stop=stop)
        return source, archive.sources.passages(source.id)
    source, passages = web.read(address, session_id=None, stop=stop)
    return source, number_source_passages(source, passages)
