"""Reaches out to the web for one sub-question after another, within the run's limits.

What was read is kept as a source by whoever reads; a page that cannot be read is passed over.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from threading import Lock
from typing import Protocol

from desktop.domain.errors import AppError, StorageError, WebError
from desktop.domain.ids import SessionId, new_passage_id
from desktop.domain.research import Spent, SubQuestion
from desktop.domain.sources import NewPassage, Source, SourcePassage
from desktop.domain.web import WebHit
from desktop.language.phrases import PhraseLists
from desktop.research.passages import Passage
from desktop.research.tiers.asking import Tally
from desktop.research.tiers.budget import Budget
from desktop.research.tiers.halting import Halt
from desktop.research.tiers.picking import bearing_passages
from desktop.research.tiers.shelf import Shelf

_HITS = 6
_PASSAGES_A_PAGE = 3


class ReadPage(Protocol):
    @property
    def source(self) -> Source: ...

    @property
    def passages(self) -> Sequence[NewPassage]: ...


class Web(Protocol):
    """All raise WebError and StorageError."""

    @property
    def is_on(self) -> bool: ...

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


@dataclass(slots=True)
class Reach:
    """Of one run; any thread may use it, and no address is fetched twice."""

    web: Web
    shelf: Shelf
    budget: Budget
    halt: Halt
    phrases: PhraseLists
    session_id: SessionId | None
    """None of a temporary session: what is read in it is kept nowhere."""
    troubles: list[AppError] = field(default_factory=list)
    """What could not be searched or read."""
    _seen: set[str] = field(default_factory=set)
    _lock: Lock = field(default_factory=Lock)

    def find(self, part: SubQuestion, pages: int, length: int, tally: Tally) -> list[Passage]:
        """Passages of so many pages at the most. Raises StorageError."""
        found: list[Passage] = []
        read = 0
        for hit in self._hits(part.wanted, tally):
            if self.halt.is_over or read == pages:
                break
            if not self._is_new(hit.address):
                continue
            if not self.budget.take_fetch():
                break
            tally.add(Spent(fetches=1))
            passages = self._read(hit, part.question, length)
            read += bool(passages)
            found += passages
        return found

    def _hits(self, searches: Sequence[str], tally: Tally) -> Iterator[WebHit]:
        """Those of all searches in turn: the best of each first."""
        lists: list[Sequence[WebHit]] = []
        for words in searches:
            if self.halt.is_over or not self.budget.take_search():
                break
            tally.add(Spent(searches=1))
            try:
                lists.append(
                    self.web.search(
                        words, _HITS, session_id=self.session_id, stop=lambda: self.halt.is_over
                    )
                )
            except WebError as exc:
                self.troubles.append(exc)
        for place in range(_HITS):
            yield from (hits[place] for hits in lists if place < len(hits))

    def _read(self, hit: WebHit, question: str, length: int) -> list[Passage]:
        try:
            source, passages = self._page(hit.address)
        except StorageError:
            raise
        except AppError as exc:  # of the web, or of a document that it led to
            self.troubles.append(exc)
            return []
        best = bearing_passages(passages, question, _PASSAGES_A_PAGE, self.phrases.stop_words)
        return [self.shelf.passage(source, one, question, length) for one in best]

    def _page(self, address: str) -> tuple[Source, Sequence[SourcePassage]]:
        def stop() -> bool:
            return self.halt.is_over

        if self.session_id is not None:
            source = self.web.fetch(address, session_id=self.session_id, stop=stop)
            return source, self.shelf.archive.sources.passages(source.id)
        page = self.web.read(address, session_id=None, stop=stop)
        return page.source, [
            SourcePassage(
                new_passage_id(), page.source.id, number, one.page, one.heading, one.text
            )
            for number, one in enumerate(page.passages, start=1)
        ]

    def _is_new(self, address: str) -> bool:
        with self._lock:
            is_new = address not in self._seen
            self._seen.add(address)
            return is_new
