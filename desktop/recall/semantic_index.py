"""The semantic index: vectors are made in the background, in two passes, and searched."""

from __future__ import annotations

import logging
from concurrent.futures import Future
from contextlib import suppress
from functools import partial
from threading import Thread
from time import monotonic
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from desktop.domain.errors import EmbeddingFailedError
from desktop.domain.facts import STAYS_FROM
from desktop.language.sentences import split_passages
from desktop.storage.search.vectors import Encoded

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from desktop.domain.facts import FactFilter
    from desktop.domain.ids import FactId, MessageId
    from desktop.domain.notes import Note
    from desktop.domain.search import Embedder, EmbeddingProgress, Query, Vector
    from desktop.storage.repositories.facts import FactVectorStore
    from desktop.storage.repositories.notes import NoteVectorStore
    from desktop.storage.search.source_index import PassageKey
    from desktop.storage.search.vectors import MessageVectorStore, SourceVectorStore, VectorStore

log = logging.getLogger(__name__)

_MESSAGES_AT_ONCE, _FAST_AT_ONCE = 16, 128
"""Texts between two checks of `should_stop`: under a second of work."""
_LONGEST_PASSAGE = 1_200
_MOST_PASSAGES = 12  # Of one message: a pasted book must not delay everything else
_LARGEST = 127
_LEAST_NEAR, _SHARE_OF_NEAREST = 0.25, 0.6
"""Of facts, and of notes, which are as short: those unrelated to a question are below .25 with
either model (measured)."""
Key = TypeVar("Key")
Found = TypeVar("Found")


class ShortTextVectors(Protocol[Key]):
    """Vectors of texts of which each has one."""

    def without(self, limit: int, /) -> Sequence[tuple[Key, str]]: ...

    def add(self, vectors: Sequence[tuple[Key, Encoded]], /) -> None: ...


class SemanticIndex:
    """Vectors of complete sessions, by one model. Methods may raise StorageError."""

    def __init__(  # noqa: PLR0913 (by name)
        self,
        store: MessageVectorStore,
        embedder: Embedder,
        *,
        fast: Embedder | None = None,
        is_on: Callable[[], bool] = lambda: True,
        facts: FactVectorStore | None = None,
        sources: SourceVectorStore | None = None,
        notes: NoteVectorStore | None = None,
    ) -> None:
        """`fast`: a quick model whose vectors are the tail of the embedder's.

        `is_on`: if false, the model is not called; existing vectors stay.
        """
        self._store = store
        self._embedder = embedder
        self._fast = fast
        self.is_on = is_on
        self._recent = store.cached
        self._facts = facts
        self._sources = sources
        self._notes = notes
        self._begun: dict[str, tuple[Future[Encoded], float]] = {}
        """By question: its vector, and the moment (monotonic) until which callers wait for it."""

    def embed_due(self, should_stop: Callable[[], bool]) -> int:
        """Embed what has no vector yet; return how many messages and passages got one.

        Facts and notes come first: there are few of them. Then the fast model embeds everything,
        so that it can be found by meaning soon, and the stronger one the same after it, each
        newest first.
        Ends early if `should_stop` returns true or the model fails; the rest stays due.
        """

        def is_over() -> bool:
            return should_stop() or not self.is_on()

        if is_over():
            return 0
        self._store.use_model(self._embedder.name, self._embedder.dimensions)
        done = 0
        try:
            self._embed_short(self._facts, is_over)
            self._embed_short(self._notes, is_over)
            for count in self._passes():
                done += count
                if is_over():
                    break
        except EmbeddingFailedError:
            log.warning("the embedding model did not answer; vectors are made later")
        return done

    def progress(self) -> EmbeddingProgress:
        return self._store.progress()

    def wake(self) -> None:
        """Load the model, and keep it loaded, if there is anything to compare with."""
        if self.is_ready():
            with suppress(EmbeddingFailedError):
                self._embedder.query("")

    def begin(self, text: str, waits_s: float) -> None:
        """Begin to make the vector of a question.

        Whoever needs it waits at most that many seconds from now; a later vector counts as
        a failure of the model.
        """
        if text in self._begun or not self.is_ready():
            return
        made: Future[Encoded] = Future()
        self._begun[text] = made, monotonic() + waits_s

        def make() -> None:
            try:
                made.set_result(self._recent.get("", text, partial(self._make, text)))
            except EmbeddingFailedError as exc:
                made.set_exception(exc)
            finally:
                self._begun.pop(text)

        Thread(target=make, daemon=True, name="question-vector").start()

    def nearest(self, text: str, query: Query, limit: int) -> list[MessageId]:
        """Return messages by meaning, the nearest first; empty if there are no vectors yet."""
        if not self.is_ready():
            return []
        return list(self._store.nearest(self._encoded(text), query, limit))

    def nearness(self, text: str, messages: Sequence[MessageId]) -> Mapping[MessageId, float]:
        """Return the similarity of each that has a vector; 1 means the same."""
        return self._store.similarities(self._encoded(text), messages)

    def nearest_facts(self, text: str, among: FactFilter, limit: int) -> list[FactId]:
        """Return facts with a similar meaning, nearest first; empty if the model fails.

        Important ones are only put in order: an allergy is .15 from the name of a medicine.
        """
        if self._facts is None or not self.is_ready():
            return []
        try:
            nearest = self._facts.nearest(self._encoded(text), among, limit)
        except EmbeddingFailedError:
            return []  # logged where vectors are made; words find without them
        if among.least_importance >= STAYS_FROM:
            return [fact_id for fact_id, _ in nearest]
        return _near_enough(nearest)

    def nearest_notes(self, query: Query) -> list[Note]:
        """Return notes with a similar meaning, nearest first; empty if the model fails."""
        if self._notes is None or not self.is_ready():
            return []
        try:
            encoded = self._encoded(query.text)
        except EmbeddingFailedError:
            return []  # as above
        place = query.scope.wall, query.since, query.until
        return _near_enough(self._notes.nearest(encoded, *place, limit=query.limit))

    def nearest_passages(self, text: str, query: Query, limit: int) -> dict[PassageKey, float]:
        """Return the nearest passages of sources with their nearness; empty if unavailable."""
        if self._sources is None or not self.is_ready():
            return {}
        return self._sources.nearest(self._encoded(text), query, limit)

    def passages_nearness(
        self, text: str, passages: Sequence[PassageKey]
    ) -> dict[PassageKey, float]:
        if self._sources is None:
            return {}
        return self._sources.similarities(self._encoded(text), passages)

    def highest_nearness(self, text: str, query: Query) -> float:
        """Return how near the nearest message is; 0 if there is none."""
        nearest = self._store.nearest(self._encoded(text), query, 1) if self.is_ready() else {}
        return max(nearest.values(), default=0.0)

    def is_ready(self) -> bool:
        """Whether it is switched on, and there are vectors of this very model."""
        return self.is_on() and self._store.model() == self._embedder.name

    def _embed_short(
        self, store: ShortTextVectors[Key] | None, should_stop: Callable[[], bool]
    ) -> None:
        while store and not should_stop() and (due := store.without(_MESSAGES_AT_ONCE)):
            vectors = self._embedder.passages([content[:_LONGEST_PASSAGE] for _, content in due])
            keys = [key for key, _ in due]
            store.add([(k, encode(v)) for k, v in zip(keys, vectors, strict=True)])

    def _passes(self) -> Iterator[int]:
        """Yield the number of vectors of each batch; the caller may stop between two."""
        stores: list[VectorStore[Any]] = [self._store]
        stores += [self._sources] if self._sources else []
        for refines in (False, True) if self._fast else (False,):
            for store in stores:
                for owner in store.owners(refines=refines):
                    yield from self._embed(store, owner, refines=refines)

    def _embed(self, store: VectorStore[Any], owner: str, *, refines: bool) -> Iterator[int]:
        """Yield the size of each batch, the last one once it is finished: the caller may stop."""
        embedder = self._embedder if refines or not self._fast else self._fast
        most = _FAST_AT_ONCE if embedder is self._fast else _MESSAGES_AT_ONCE
        is_last = False
        while not is_last:
            due = store.due(owner, most, below=embedder.dimensions if refines else 0)
            if due:
                store.add(self._vectors(due, embedder), refines=refines)
            is_last = len(due) < most
            if is_last:
                store.finish(owner, is_refined=embedder is self._embedder)
            if due:
                yield len(due)

    def _vectors(
        self, due: Sequence[tuple[int, str]], embedder: Embedder
    ) -> dict[int, list[Encoded]]:
        parts = [
            (key, part)
            for key, words in due
            for part in split_passages(words, _LONGEST_PASSAGE)[:_MOST_PASSAGES]
        ]
        made: dict[int, list[Encoded]] = {key: [] for key, _ in due}
        vectors = embedder.passages([part for _, part in parts])
        for (key, _), vector in zip(parts, vectors, strict=True):
            made[key].append(self._encode(vector))
        return made

    def _encode(self, vector: Vector) -> Encoded:
        """Encode a vector; a fast one is the tail of a full one, so zeros precede its bits."""
        encoded = encode(vector)
        missing = self._embedder.dimensions - len(vector)
        return encoded._replace(bits=bytes(missing // 8) + encoded.bits)

    def _encoded(self, text: str) -> Encoded:
        made, until = self._begun.get(text, (None, 0.0))
        if made is None:
            return self._recent.get("", text, partial(self._make, text))
        try:
            return made.result(max(0.0, until - monotonic()))
        except TimeoutError as exc:
            raise EmbeddingFailedError from exc

    def _make(self, text: str) -> Encoded:
        return encode(self._embedder.query(text))


def _near_enough(nearest: Sequence[tuple[Found, float]]) -> list[Found]:
    least = max(_LEAST_NEAR, _SHARE_OF_NEAREST * max((near for _, near in nearest), default=0))
    return [found for found, near in nearest if near >= least]


def encode(vector: Vector) -> Encoded:
    """Encode a unit vector as signed bytes, scaled to use their range, and as signs."""
    import numpy as np  # noqa: PLC0415 - 80 ms that only those who embed pay

    largest = float(np.abs(vector).max()) or 1.0
    numbers = np.round(vector * (_LARGEST / largest)).astype(np.int8)
    return Encoded(numbers.tobytes(), np.packbits(vector > 0, bitorder="little").tobytes())
