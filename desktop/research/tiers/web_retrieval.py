"""Searches the web for sub-questions and reads the best pages, within the limits of the run.

Pages become sources of the library; a page that cannot be read is skipped and reported.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future
from concurrent.futures import TimeoutError as TooLate
from dataclasses import dataclass, field
from threading import Lock
from typing import Protocol

from desktop.domain.errors import AppError, StorageError
from desktop.domain.ids import SessionId
from desktop.domain.research import Spent, SubQuestion
from desktop.domain.sources import NewPassage, Source, SourcePassage
from desktop.domain.web import WebHit
from desktop.domain.web_errors import WebError, WebOffError
from desktop.language.intents.phrases import PhraseLists
from desktop.research.passages import Passage
from desktop.research.tiers.budget import Budget, CancellationToken
from desktop.research.tiers.passage_store import PassageStore, rank_passages
from desktop.research.tiers.structured_request import UsageCounter
from desktop.research.web.server_web import EndpointWeb, number_source_passages

_HITS = 6
_PASSAGES_A_PAGE = 3
_LOOK_EVERY_S = 0.2

Page = tuple[Source, Sequence[SourcePassage]]


class ReadPage(Protocol):
    @property
    def source(self) -> Source: ...

    @property
    def passages(self) -> Sequence[NewPassage]: ...


class WebAccess(Protocol):
    """All raise WebError and StorageError."""

    @property
    def is_on(self) -> bool: ...

    @property
    def served(self) -> EndpointWeb | None:
        """By the tools of a model's endpoint; None where that is not wanted."""
        ...

    def for_session(self, *, is_temporary: bool) -> "WebAccess": ...

    def search(
        self, words: str, limit: int, *, session_id: SessionId | None, stop: Callable[[], bool]
    ) -> Sequence[WebHit]: ...

    def fetch(
        self, address: str, *, session_id: SessionId | None, stop: Callable[[], bool]
    ) -> Source:
        """The page, kept as a source."""
        ...

    def read(
        self, address: str, *, session_id: SessionId | None, stop: Callable[[], bool]
    ) -> ReadPage:
        """The page, kept nowhere."""
        ...


class WebRetriever(Protocol):
    """Of one run; any thread may use it."""

    @property
    def troubles(self) -> list[AppError]:
        """Errors of searches and fetches."""
        ...

    @property
    def read(self) -> int:
        """Number of pages read."""
        ...

    def find(
        self, part: SubQuestion, pages: int, length: int, counter: UsageCounter
    ) -> list[Passage]:
        """Passages of at most so many pages. Raises StorageError, LlmError."""
        ...


@dataclass(slots=True)
class DirectWebRetriever:
    """Belongs to one run; thread-safe. No address is fetched twice in a run."""

    web: WebAccess
    shelf: PassageStore
    budget: Budget
    cancellation: CancellationToken
    phrases: PhraseLists
    session_id: SessionId | None
    """None in a temporary session, whose pages are not stored."""
    troubles: list[AppError] = field(default_factory=list)
    """Errors of searches and fetches."""
    _pages: dict[str, Future[Page | None]] = field(default_factory=dict)
    """By address; None of one that could not be read."""
    _lock: Lock = field(default_factory=Lock)

    @property
    def read(self) -> int:
        """Number of pages read."""
        with self._lock:
            pages = list(self._pages.values())
        return sum(
            one.done() and not one.exception() and one.result() is not None for one in pages
        )

    def find(
        self, part: SubQuestion, pages: int, length: int, counter: UsageCounter
    ) -> list[Passage]:
        """Passages of at most so many pages. Raises StorageError."""
        found: list[Passage] = []
        read = 0
        for page in self._in_turn(self._hits(part.wanted, counter), counter):
            passages = self._bearing(page, part.question, length)
            read += bool(passages)
            found += passages
            if read == pages:
                break
        return found

    def _in_turn(
        self, hits: Iterable[WebHit], counter: UsageCounter
    ) -> Iterator[Future[Page | None]]:
        """New pages first, then those already read for other sub-questions."""
        shared: list[Future[Page | None]] = []
        for hit in {one.address: one for one in hits}.values():
            if self.cancellation.is_over:
                return
            page, is_first = self._claimed(hit.address)
            if not is_first:
                shared.append(page)
                continue
            if not self.budget.take_fetch():
                page.set_result(None)
                break
            counter.add(Spent(fetches=1))
            if not self._read(hit.address, page):
                self._give_back(Spent(fetches=1), counter)
                break
            yield page
        yield from shared

    def _hits(self, searches: Sequence[str], counter: UsageCounter) -> Iterator[WebHit]:
        """Hits of all searches, interleaved by rank."""
        lists: list[Sequence[WebHit]] = []
        for words in searches:
            if self.cancellation.is_over or not self.budget.take_search():
                break
            counter.add(Spent(searches=1))
            try:
                lists.append(
                    self.web.search(
                        words,
                        _HITS,
                        session_id=self.session_id,
                        stop=lambda: self.cancellation.is_over,
                    )
                )
            except WebOffError as exc:
                self.troubles.append(exc)
                self._give_back(Spent(searches=1), counter)
                break
            except WebError as exc:
                self.troubles.append(exc)
        for place in range(_HITS):
            yield from (hits[place] for hits in lists if place < len(hits))

    def _give_back(self, unused: Spent, counter: UsageCounter) -> None:
        """Return what was reserved and not used: the web was switched off meanwhile."""
        self.budget.give_back(unused.searches, unused.fetches)
        counter.add(Spent(searches=-unused.searches, fetches=-unused.fetches))

    def _claimed(self, address: str) -> tuple[Future[Page | None], bool]:
        """The page, and whether it is the caller who has to read it."""
        with self._lock:
            is_first = address not in self._pages
            return self._pages.setdefault(address, Future()), is_first

    def _read(self, address: str, page: Future[Page | None]) -> bool:
        """False if the web is off. Raises StorageError, and so does waiting for the page."""
        try:
            page.set_result(self._page(address))
        except StorageError as exc:
            page.set_exception(exc)
            raise
        except AppError as exc:  # of the web, or of a document that it led to
            self.troubles.append(exc)
            page.set_result(None)
            return not isinstance(exc, WebOffError)
        return True

    def _bearing(self, page: Future[Page | None], question: str, length: int) -> list[Passage]:
        """What of it bears on the question, once it is read. Raises StorageError."""
        while not self.cancellation.is_over:
            try:
                read = page.result(_LOOK_EVERY_S)
            except TooLate:
                continue
            if read is None:
                return []
            source, passages = read
            best = rank_passages(passages, question, _PASSAGES_A_PAGE, self.phrases.stop_words)
            return [self.shelf.passage(source, one, question, length) for one in best]
        return []

    def _page(self, address: str) -> Page:
        return read_page(
            self.web, self.shelf, address, self.session_id, lambda: self.cancellation.is_over
        )


def read_page(
    web: WebAccess,
    shelf: PassageStore,
    address: str,
    session_id: SessionId | None,
    stop: Callable[[], bool],
) -> Page:
    """The page with its passages; without a session it is kept nowhere. Raises as the web does."""
    if session_id is not None:
        source = web.fetch(address, session_id=session_id, stop=stop)
        return source, shelf.archive.sources.passages(source.id)
    page = web.read(address, session_id=None, stop=stop)
    return page.source, number_source_passages(page.source, page.passages)
