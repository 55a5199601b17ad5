"""The semantic index: vectors are made in the background, in two passes, and searched.

They are made by the program's own models or by one of the user's (`vector_models`). When that
choice changes, the vectors of the other model are made beside those in use, which are searched
until the others are complete.
"""

from __future__ import annotations

import logging
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import replace
from threading import Thread
from time import monotonic
from typing import TYPE_CHECKING, Any, TypeVar

from desktop.domain.errors import AppError
from desktop.domain.facts import STAYS_FROM
from desktop.domain.projects import COMMON, Wall
from desktop.domain.search import EmbeddingFailedError
from desktop.language.sentences import split_passages
from desktop.recall.vector_models import VectorModels

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from desktop.domain.facts import FactFilter
    from desktop.domain.ids import FactId, MessageId
    from desktop.domain.notes import Note
    from desktop.domain.search import (
        Embedder,
        EmbeddingProgress,
        Query,
        VectorSet,
        VectorSources,
    )
    from desktop.recall.vector_models import VectorModel
    from desktop.storage.repositories.facts import FactVectorStore
    from desktop.storage.repositories.notes import NoteVectorStore
    from desktop.storage.search.source_index import PassageKey
    from desktop.storage.search.vector_sets import MessageVectorStore
    from desktop.storage.search.vectors import (
        Encoded,
        ShortVectorStore,
        SourceVectorStore,
        VectorStore,
    )

log = logging.getLogger(__name__)

_MESSAGES_AT_ONCE, _FAST_AT_ONCE = 16, 128
"""Texts between two checks of `should_stop`: under a second of work."""
_LONGEST_PASSAGE = 1_200
_MOST_PASSAGES = 12  # Of one message: a pasted book must not delay everything else
_LEAST_NEAR, _SHARE_OF_NEAREST = 0.25, 0.6
"""Of facts, and of notes, which are as short: those unrelated to a question are below .25 with
either model (measured)."""
Key = TypeVar("Key")


class SemanticIndex:
    """Vectors of complete sessions, of sources, facts and notes. May raise StorageError."""

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
        served: VectorSources | None = None,
    ) -> None:
        """`fast`: a quick model whose vectors are the tail of the embedder's.

        `is_on`: if false, no model is called; existing vectors stay. `served`: the models of
        other programs that may take the place of the embedder.
        """
        self._store = store
        self._own = embedder
        self._models = VectorModels(store, embedder, fast, served)
        self.is_on = is_on
        self._recent = store.cached
        self._facts = facts
        self._sources = sources
        self._notes = notes
        self._begun: dict[tuple[str, str], tuple[Future[Encoded], float]] = {}
        """By model and question: its vector, and until when (monotonic) callers wait for it."""
        self._left: dict[str, list[tuple[VectorStore[Any], str]]] = {}
        """By the model that will take over: what it has not embedded, the next at the end."""
        self._problem: AppError | None = None

    def embed_due(self, should_stop: Callable[[], bool]) -> int:
        """Embed what has no vector yet; return how many messages and passages got one.

        Facts and notes come first: there are few of them. Then the fast model embeds everything,
        so that it can be found by meaning soon, and the stronger one the same after it, each
        newest first. Vectors of a model that will take over are made after those in use.
        Ends early if `should_stop` returns true or the model fails; the rest stays due.
        """

        def is_over() -> bool:
            return should_stop() or not self.is_on()

        done = 0
        if is_over():
            return done
        try:
            for count in self._batches(is_over):
                done += count
                if is_over():
                    return done
            self._problem = None
        except EmbeddingFailedError as exc:
            self._problem = exc.__cause__ if isinstance(exc.__cause__, AppError) else exc
            log.warning("the embedding model did not answer; vectors are made later")
        return done

    def _batches(self, is_over: Callable[[], bool]) -> Iterator[int]:
        """Yield the number of vectors of each batch; the caller may stop between two."""
        while self._store.remove_replaced():
            yield 0
        for model in self._models.to_feed():
            self._embed_short(self._facts, model, is_over)
            self._embed_short(self._notes, model, is_over)
            yield from self._passes(model)

    def progress(self) -> EmbeddingProgress:
        current = self._current(COMMON)
        progress = self._store.progress(leaves=current is not None and current.leaves)
        progress = replace(progress, problem=self._problem or self._models.refusal())
        other = self._store.other()
        if other is None or not other.name:
            return progress
        model = self._models.of(other, COMMON)
        leaves = model is None or model.leaves
        total = sum(store.count_owners(leaves=leaves) for store in self._stores)
        left = self._left.get(other.name)
        if left is None:
            left = self._due_owners(other, leaves=leaves)
        return replace(progress, renewed=max(0, total - len(left)), renewals=total)

    def wake(self) -> None:
        """Load the program's own model, and keep it loaded, if it is needed for queries."""
        current = self._current(COMMON)
        if current is not None and current.embedder is self._own:
            with suppress(EmbeddingFailedError):
                self._own.query("")

    def begin(self, text: str, waits_s: float, wall: Wall) -> None:
        """Begin to make the vector of a question.

        Whoever needs it waits at most that many seconds from now; a later vector counts as
        a failure of the model.
        """
        if model := self._current(wall):
            self._begin(model, text, waits_s)

    def nearest(self, text: str, query: Query, limit: int) -> list[MessageId]:
        """Return messages by meaning, the nearest first; empty if there are no vectors yet."""
        model = self._current(query.scope.wall)
        if model is None:
            return []
        return list(self._store.nearest(self._encoded(model, text), query, limit))

    def nearness(
        self, text: str, messages: Sequence[MessageId], wall: Wall
    ) -> Mapping[MessageId, float]:
        """Return the similarity of each that has a vector; 1 means the same."""
        model = self._current(wall)
        if model is None:
            return {}
        return model.scaled(self._store.similarities(self._encoded(model, text), messages))

    def nearest_facts(self, text: str, among: FactFilter, limit: int) -> list[FactId]:
        """Return facts with a similar meaning, nearest first; empty if the model fails.

        Important ones are only put in order: an allergy is .15 from the name of a medicine.
        """
        model = self._current(among.wall)
        if self._facts is None or model is None:
            return []
        try:
            nearest = dict(self._facts.nearest(self._encoded(model, text), among, limit))
        except EmbeddingFailedError:
            return []  # logged where vectors are made; words find without them
        if among.least_importance >= STAYS_FROM:
            return list(nearest)
        return _near_enough(model.scaled(nearest))

    def nearest_notes(self, query: Query) -> list[Note]:
        """Return notes with a similar meaning, nearest first; empty if the model fails."""
        model = self._current(query.scope.wall)
        if self._notes is None or model is None:
            return []
        try:
            encoded = self._encoded(model, query.text)
        except EmbeddingFailedError:
            return []  # as above
        place = query.scope.wall, query.since, query.until
        nearest = dict(self._notes.nearest(encoded, *place, limit=query.limit))
        return _near_enough(model.scaled(nearest))

    def nearest_passages(self, text: str, query: Query, limit: int) -> dict[PassageKey, float]:
        """Return the nearest passages of sources with their nearness; empty if unavailable."""
        model = self._current(query.scope.wall)
        if self._sources is None or model is None:
            return {}
        return model.scaled(self._sources.nearest(self._encoded(model, text), query, limit))

    def passages_nearness(
        self, text: str, passages: Sequence[PassageKey], wall: Wall
    ) -> dict[PassageKey, float]:
        model = self._current(wall)
        if self._sources is None or model is None:
            return {}
        return model.scaled(self._sources.similarities(self._encoded(model, text), passages))

    def highest_nearness(self, text: str, query: Query) -> float:
        """Return how near the nearest message is; 0 if there is none."""
        model = self._current(query.scope.wall)
        if model is None:
            return 0.0
        nearest = self._store.nearest(self._encoded(model, text), query, 1)
        return max(model.scaled(nearest).values(), default=0.0)

    def is_ready(self, wall: Wall = COMMON) -> bool:
        """Whether it is switched on, and queries behind the wall can be compared."""
        return self._current(wall) is not None

    def has_vectors(self) -> bool:
        return self.is_on() and self._store.current() is not None

    def _current(self, wall: Wall) -> VectorModel | None:
        """Return the model of the vectors in use, if it may read a query behind the wall."""
        vectors = self._store.current() if self.is_on() else None
        return self._models.of(vectors, wall) if vectors else None

    def _embed_short(
        self,
        store: ShortVectorStore[Any] | None,
        model: VectorModel,
        should_stop: Callable[[], bool],
    ) -> None:
        while store and not should_stop():
            due = store.without(_MESSAGES_AT_ONCE, model.vectors, leaves=model.leaves)
            if not due:
                return
            vectors = model.embedder.passages([content[:_LONGEST_PASSAGE] for _, content in due])
            keys = [key for key, _ in due]
            store.add([(k, model.encode(v)) for k, v in zip(keys, vectors, strict=True)])

    def _passes(self, model: VectorModel) -> Iterator[int]:
        if not model.vectors.is_current:
            yield from self._renew(model)
            return
        for refines in (False, True) if model.fast else (False,):
            for store in self._stores:
                for owner in store.owners(model.vectors, refines=refines, leaves=model.leaves):
                    yield from self._embed(store, owner, model, refines=refines)

    @property
    def _stores(self) -> list[VectorStore[Any]]:
        return [self._store, *([self._sources] if self._sources else [])]

    def _renew(self, model: VectorModel) -> Iterator[int]:
        """Embed everything for a model that will take over; let it, once nothing is left."""
        name = model.vectors.name
        left = self._left.pop(name, [])
        self._left.clear()
        # What changed or was not finished is found when the list is made again.
        while left or (left := self._due_owners(model.vectors, leaves=model.leaves)):
            self._left[name] = left
            while left:
                yield from self._embed(*left.pop(), model, refines=False)
            del self._left[name]
        self._store.replace_current(model.vectors, is_refined=model.fast is None)
        while self._store.remove_replaced():
            yield 0

    def _due_owners(
        self, vectors: VectorSet, *, leaves: bool
    ) -> list[tuple[VectorStore[Any], str]]:
        """Return what has no vectors of a set, the first to embed at the end."""
        return [
            (store, owner)
            for store in reversed(self._stores)
            for owner in reversed(store.owners(vectors, leaves=leaves))
        ]

    def _embed(
        self, store: VectorStore[Any], owner: str, model: VectorModel, *, refines: bool
    ) -> Iterator[int]:
        """Yield the size of each batch, the last one once it is finished: the caller may stop."""
        embedder = model.embedder if refines or not model.fast else model.fast
        most = _FAST_AT_ONCE if embedder is model.fast else _MESSAGES_AT_ONCE
        is_last = False
        while not is_last:
            below = embedder.dimensions if refines else 0
            due = store.due(owner, most, model.vectors, below=below)
            if due:
                store.add(self._vectors(due, embedder, model), refines=refines)
            is_last = len(due) < most
            if is_last:
                store.finish(owner, model.vectors, is_refined=embedder is model.embedder)
            if due:
                yield len(due)

    def _vectors(
        self, due: Sequence[tuple[int, str]], embedder: Embedder, model: VectorModel
    ) -> dict[int, list[Encoded]]:
        parts = [
            (key, part)
            for key, words in due
            for part in split_passages(words, _LONGEST_PASSAGE)[:_MOST_PASSAGES]
        ]
        made: dict[int, list[Encoded]] = {key: [] for key, _ in due}
        vectors = embedder.passages([part for _, part in parts])
        for (key, _), vector in zip(parts, vectors, strict=True):
            made[key].append(model.encode(vector))
        return made

    def _begin(self, model: VectorModel, text: str, waits_s: float) -> None:
        key = model.vectors.name, text
        if key in self._begun:
            return
        made: Future[Encoded] = Future()
        self._begun[key] = made, monotonic() + waits_s

        def make() -> None:
            try:
                made.set_result(self._cached(model, text))
            except EmbeddingFailedError as exc:
                made.set_exception(exc)
            finally:
                self._begun.pop(key)

        Thread(target=make, daemon=True, name="question-vector").start()

    def _encoded(self, model: VectorModel, text: str) -> Encoded:
        key = model.vectors.name, text
        if model.waits_s is not None and key not in self._begun:
            self._begin(model, text, model.waits_s)
        made, until = self._begun.get(key, (None, 0.0))
        if made is None:
            return self._cached(model, text)
        try:
            return made.result(max(0.0, until - monotonic()))
        except TimeoutError as exc:
            raise EmbeddingFailedError from exc

    def _cached(self, model: VectorModel, text: str) -> Encoded:
        def make() -> Encoded:
            return model.encode(model.embedder.query(text))

        return self._recent.get("", (model.vectors.name, text), make)


def _near_enough(nearest: Mapping[Key, float]) -> list[Key]:
    least = max(_LEAST_NEAR, _SHARE_OF_NEAREST * max(nearest.values(), default=0))
    return [key for key, near in nearest.items() if near >= least]
