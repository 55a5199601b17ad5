"""Looks a question up in the library and in past sessions, through the one search."""

import re
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from concurrent.futures import TimeoutError as TooLate
from dataclasses import dataclass
from itertools import zip_longest

from desktop.domain.messages import NO_MODEL, Message, Role
from desktop.domain.search import Hit, HitKind, Query, SearchMode
from desktop.recall.search import Search
from desktop.research.passages import Passage
from desktop.research.tiers.passage_store import Shelf

_SPARE = 3
"""How much more is looked at than is wanted: some hits are questions, or lead to one answer."""
_MEANING_WAITED_FOR_S = 0.1
"""A model of meanings that has to be loaded first is not waited for: words find, too."""

_ASKS_FOR_MORE = re.compile(r'["“”„«»?]|(?<!\w)-')
"""What means something in a search field, and nothing in a question."""


@dataclass(frozen=True, slots=True)
class Lookup:
    """Every method may raise StorageError."""

    search: Search
    shelf: Shelf
    with_sessions: bool
    """Whether past sessions may be looked into."""
    beside: Callable[[str], Sequence[Passage]] = lambda _: ()
    """What past sessions say to a question that the user put beside the current one."""
    is_of_library: bool = False
    """The user asked for documents: at least every other place is theirs, and the first one."""

    def passages(self, question: str, limit: int, length: int) -> list[Passage]:
        """The best first, of so many characters at the most."""
        found = self.search.find(self._query(question, limit, SearchMode.HYBRID))
        return self._with_beside(self._read(found, question, limit, length), question, limit)

    def at_once(self, question: str, limit: int, length: int) -> list[Passage]:
        """By words and meaning where that is soon there, else by words alone."""
        pool = ThreadPoolExecutor(2, thread_name_prefix="lookup")
        by_words = self._begun(pool, question, limit, SearchMode.KEYWORD)
        by_both = self._begun(pool, question, limit, SearchMode.HYBRID)
        try:
            found = by_both.result(_MEANING_WAITED_FOR_S)
        except TooLate:
            found = by_words.result()
        finally:
            pool.shutdown(wait=False)
        return self._with_beside(self._read(found, question, limit, length), question, limit)

    def _with_beside(self, found: Sequence[Passage], question: str, limit: int) -> list[Passage]:
        """In turn: what the user chose is there, and leaves room for what was found."""
        beside = self.beside(question)
        mixed: dict[tuple[str, str], Passage] = {}
        for place in range(max(len(beside), len(found))):
            for one in (*beside[place : place + 1], *found[place : place + 1]):
                mixed.setdefault((one.cited_in, one.cited_at), one)
        return list(mixed.values())[:limit]

    def _begun(
        self, pool: ThreadPoolExecutor, question: str, limit: int, mode: SearchMode
    ) -> Future[list[Hit]]:
        return pool.submit(self.search.find, self._query(question, limit, mode))

    def _query(self, question: str, limit: int, mode: SearchMode) -> Query:
        kinds = {HitKind.SOURCE, HitKind.MESSAGE} if self.with_sessions else {HitKind.SOURCE}
        # Of a question any word may be missing; of what is typed into a search field none.
        asked = f"{_ASKS_FOR_MORE.sub(' ', question)}?"
        return Query(asked, frozenset(kinds), mode=mode, limit=limit * _SPARE)

    def _read(self, hits: Sequence[Hit], question: str, limit: int, length: int) -> list[Passage]:
        found: dict[tuple[str, str], Passage] = {}
        in_order = _library_first(hits) if self.is_of_library else hits
        for passage in self._passages(in_order, question, length):
            found.setdefault((passage.cited_in, passage.cited_at), passage)
            if len(found) == limit:
                break
        return list(found.values())

    def _passages(self, hits: Sequence[Hit], question: str, length: int) -> Iterator[Passage]:
        for hit in hits:
            if hit.passage_id is not None:
                if passage := self.shelf.of_source(hit.passage_id, question, length):
                    yield passage
            elif message := self._answer(hit):
                yield self.shelf.of_message(message, hit.title, question, length)

    def _answer(self, hit: Hit) -> Message | None:
        """A question that matches is answered by the message behind it."""
        near = self.search.around(hit, after=1)
        return next((one for one in near if _is_evidence(one)), None)


def _library_first(hits: Sequence[Hit]) -> list[Hit]:
    """In turn, each in its order; what is left of either comes last."""
    ours = [hit for hit in hits if hit.passage_id is not None]
    others = [hit for hit in hits if hit.passage_id is None]
    return [hit for pair in zip_longest(ours, others) for hit in pair if hit is not None]


def _is_evidence(message: Message) -> bool:
    """Answers that somebody wrote; and what the user said where nothing answers it."""
    return message.role is Role.ASSISTANT and message.model != NO_MODEL
