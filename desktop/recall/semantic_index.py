"""The index of meanings: vectors are made in the background, in two passes, and searched."""

from __future__ import annotations

import logging
from functools import partial
from typing import TYPE_CHECKING, TypeVar

from desktop.domain.errors import EmbeddingFailedError
from desktop.language.sentences import split_passages
from desktop.storage.source_vectors import EmbeddedPassage
from desktop.storage.vectors import EmbeddedMessage, Encoded

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from desktop.domain.embedding import Embedder, EmbeddingProgress, Vector
    from desktop.domain.facts import FactFilter
    from desktop.domain.ids import FactId, MessageId
    from desktop.domain.search import Query
    from desktop.storage.source_index import PassageKey
    from desktop.storage.source_vectors import SourceVectorStore
    from desktop.storage.vectors import FactVectorStore, VectorStore

log = logging.getLogger(__name__)

Due = TypeVar("Due")
"""What has no vector yet: its key and its text."""

_MESSAGES_AT_ONCE, _FAST_AT_ONCE = 16, 128
"""Between two looks at whether to stop: under a second of work."""
_LONGEST_PASSAGE = 1_200
_MOST_PASSAGES = 12
"""Of one message: a pasted book must not hold everything else up."""
_LARGEST = 127
_MOST_REMEMBERED = 64
_LEAST_NEAR, _SHARE_OF_NEAREST = 0.25, 0.6
"""Of facts: what has nothing to do with a question lies below .25 with either model (measured)."""

_NEAR_ENOUGH, _FEW_NEAR = 0.28, 8
"""Of messages: invented words and strange subjects come as near as .27, other words for what is
there mostly .3 and nearer (measured)."""


class SemanticIndex:
    """Vectors of complete sessions, by one model. Methods may raise StorageError."""

    def __init__(
        self,
        store: VectorStore,
        embedder: Embedder,
        *,
        fast: Embedder | None = None,
        is_on: Callable[[], bool] = lambda: True,
        facts: FactVectorStore | None = None,
        sources: SourceVectorStore | None = None,
    ) -> None:
        """`fast`: a quick model whose vectors are the tail of the embedder's.

        `is_on`: while it is not, the model is asked nothing; vectors that there are stay.
        """
        self._store = store
        self._embedder = embedder
        self._fast = fast
        self.is_on = is_on
        self._asked: dict[str, Encoded] = {}
        self._facts = facts
        self._sources = sources

    def embed_due(self, should_stop: Callable[[], bool]) -> int:
        """Give vectors to what has none yet; how many messages and passages got one.

        Facts come first: there are few of them. Then the fast model goes over everything, so that
        it can be found by meaning soon, and the stronger one over the same after it, each newest
        first. Ends early where `should_stop` says so or the model fails; what is left stays due.
        """

        def is_over() -> bool:
            return should_stop() or not self.is_on()

        if is_over():
            return 0
        self._store.use_model(self._embedder.name, self._embedder.dimensions)
        done = 0
        try:
            self._embed_facts(is_over)
            for embed_some in self._passes():
                for count in embed_some:
                    done += count
                    if is_over():
                        return done
        except EmbeddingFailedError:
            log.warning("the embedding model did not answer; vectors are made later")
        return done

    def progress(self) -> EmbeddingProgress:
        return self._store.progress()

    def nearest(self, text: str, query: Query, limit: int) -> list[MessageId]:
        """Messages by meaning, the nearest first; empty where there are no vectors yet."""
        if not self.is_ready():
            return []
        return self._store.nearest(self._encoded(text), query, limit)

    def nearness(self, text: str, messages: Sequence[MessageId]) -> Mapping[MessageId, float]:
        """How near each is, between 0 for what has nothing to do with it and 1 for the nearest."""
        found = self._store.similarities(self._encoded(text), messages)
        highest = max(found.values(), default=0.0)
        if highest <= 0:
            return {}
        return {key: max(0.0, value) / highest for key, value in found.items()}

    def near_enough(self, text: str, messages: Sequence[MessageId]) -> list[MessageId]:
        """Of the nearest messages the few that have to do with a text at all.

        Something is always the nearest, also to a word that is none.
        """
        found = self._store.similarities(self._encoded(text), messages) if messages else {}
        return [one for one in messages if found.get(one, 0.0) >= _NEAR_ENOUGH][:_FEW_NEAR]

    def nearest_facts(self, text: str, among: FactFilter, limit: int) -> list[FactId]:
        """Facts that say something near, the nearest first; empty where the model is silent."""
        if self._facts is None or not self.is_ready():
            return []
        try:
            found = self._facts.nearest(self._encoded(text), among, limit)
        except EmbeddingFailedError:
            return []  # said where vectors are made; words find without them
        least = max(_LEAST_NEAR, _SHARE_OF_NEAREST * max((near for _, near in found), default=0))
        return [fact_id for fact_id, near in found if near >= least]

    def nearest_passages(self, text: str, query: Query, limit: int) -> dict[PassageKey, float]:
        """Passages of sources, the nearest first, and how near; empty where nothing can tell."""
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
        """How near the nearest message is; 0 where there is none."""
        first = self.nearest(text, query, 1)
        found = self._store.similarities(self._encoded(text), first) if first else {}
        return max(found.values(), default=0.0)

    def is_ready(self) -> bool:
        """Whether it is wanted, and there are vectors of this very model."""
        return self.is_on() and self._store.model() == self._embedder.name

    def _embed_facts(self, should_stop: Callable[[], bool]) -> None:
        while (
            self._facts and not should_stop() and (due := self._facts.without(_MESSAGES_AT_ONCE))
        ):
            vectors = self._embedder.passages([content for _, content in due])
            keys = [key for key, _ in due]
            self._facts.add([(k, encode(v)) for k, v in zip(keys, vectors, strict=True)])

    def _passes(self) -> Iterator[Iterator[int]]:
        """Batch by batch, how many vectors were made; between two batches it can be left."""
        first = self._fast or self._embedder
        yield self._embed_sessions(first)
        yield self._embed_sources(first)
        if self._fast is not None:
            yield self._refine_sessions()
            yield self._refine_sources()

    def _embed_sessions(self, first: Embedder) -> Iterator[int]:
        store, is_refined = self._store, first is self._embedder
        for session_id in store.sessions_without():
            yield from _embed_in_batches(
                partial(store.messages_without, session_id),
                lambda due: store.add(self._vectors(due, first)),
                partial(store.finish, session_id, is_refined=is_refined),
                self._batch(first),
            )

    def _refine_sessions(self) -> Iterator[int]:
        store, strong = self._store, self._embedder
        for session_id in store.sessions_to_refine():
            yield from _embed_in_batches(
                partial(store.messages_to_refine, session_id, strong.dimensions),
                lambda due: store.replace(self._vectors(due, strong)),
                partial(store.finish, session_id, is_refined=True),
                _MESSAGES_AT_ONCE,
            )

    def _embed_sources(self, first: Embedder) -> Iterator[int]:
        store, is_refined = self._sources, first is self._embedder
        if store is None:
            return
        for source_id in store.sources_without():
            yield from _embed_in_batches(
                partial(store.passages_without, source_id),
                lambda due: store.add(self._passage_vectors(due, first)),
                partial(store.finish, source_id, is_refined=is_refined),
                self._batch(first),
            )

    def _refine_sources(self) -> Iterator[int]:
        store, strong = self._sources, self._embedder
        if store is None:
            return
        for source_id in store.sources_to_refine():
            yield from _embed_in_batches(
                partial(store.passages_to_refine, source_id, strong.dimensions),
                lambda due: store.replace(self._passage_vectors(due, strong)),
                partial(store.finish, source_id, is_refined=True),
                _MESSAGES_AT_ONCE,
            )

    def _batch(self, embedder: Embedder) -> int:
        return _FAST_AT_ONCE if embedder is self._fast else _MESSAGES_AT_ONCE

    def _passage_vectors(
        self, due: Sequence[tuple[PassageKey, str]], embedder: Embedder
    ) -> list[EmbeddedPassage]:
        vectors = embedder.passages([words for _, words in due])
        made = zip(due, vectors, strict=True)
        return [EmbeddedPassage(key, self._encode(vector)) for (key, _), vector in made]

    def _vectors(
        self, messages: Sequence[tuple[MessageId, str]], embedder: Embedder
    ) -> list[EmbeddedMessage]:
        parts = [
            (message_id, passage)
            for message_id, content in messages
            for passage in split_passages(content, _LONGEST_PASSAGE)[:_MOST_PASSAGES]
        ]
        vectors = embedder.passages([passage for _, passage in parts])
        of_message: dict[MessageId, list[Encoded]] = {message_id: [] for message_id, _ in messages}
        for (message_id, _), vector in zip(parts, vectors, strict=True):
            of_message[message_id].append(self._encode(vector))
        return [EmbeddedMessage(message_id, made) for message_id, made in of_message.items()]

    def _encode(self, vector: Vector) -> Encoded:
        """A fast vector is the tail of a full one: its bits stand behind zeros for the rest."""
        encoded = encode(vector)
        missing = self._embedder.dimensions - len(vector)
        return encoded._replace(bits=bytes(missing // 8) + encoded.bits)

    def _encoded(self, text: str) -> Encoded:
        """A question's vector; the same question comes again with every filter and page."""
        found = self._asked.get(text)
        if found is None:
            found = encode(self._embedder.query(text))
            if len(self._asked) >= _MOST_REMEMBERED:
                self._asked.clear()
            self._asked[text] = found
        return found


def _embed_in_batches(
    next_due: Callable[[int], Sequence[Due]],
    store: Callable[[Sequence[Due]], None],
    finish: Callable[[], None],
    most: int,
) -> Iterator[int]:
    """How many each batch had. The last one is finished first: the caller may stop there."""
    while True:
        due = next_due(most)
        if due:
            store(due)
        is_last = len(due) < most
        if is_last:
            finish()
        if due:
            yield len(due)
        if is_last:
            return


def encode(vector: Vector) -> Encoded:
    """A unit vector as signed bytes, scaled to use them all, and as signs."""
    import numpy as np  # noqa: PLC0415 - 80 ms that only those who embed pay

    largest = float(np.abs(vector).max()) or 1.0
    numbers = np.round(vector * (_LARGEST / largest)).astype(np.int8)
    bits = np.packbits(vector > 0, bitorder="little")
    return Encoded(numbers.tobytes(), bits.tobytes())
