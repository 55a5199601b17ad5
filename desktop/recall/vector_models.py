"""The models that make vectors: which one is in use, and which one will take its place.

They are the program's own ones, or one of the user's that another program serves.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeVar

from desktop.recall.calibration import CalibratedEmbedder, Calibration, TextFailures
from desktop.storage.search.vectors import Encoded

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from desktop.domain.errors import AppError
    from desktop.domain.projects import Wall
    from desktop.domain.search import Embedder, Vector, VectorSet, VectorSource, VectorSources
    from desktop.storage.search.vector_sets import MessageVectorStore

_SERVED_WAITS_S = 3.0
"""How long a query waits for another program, which may load its model or be busy."""
_LARGEST = 127
Key = TypeVar("Key")


@dataclass(frozen=True, slots=True)
class VectorModel:
    """A model with the set of its vectors. `fast`: a quick one whose vectors are its tail."""

    vectors: VectorSet
    embedder: Embedder
    fast: Embedder | None = None

    @property
    def leaves(self) -> bool:
        return isinstance(self.embedder, CalibratedEmbedder) and self.embedder.leaves_computer

    @property
    def waits_s(self) -> float | None:
        """Return how long a query waits at most; None: for as long as it takes."""
        return _SERVED_WAITS_S if isinstance(self.embedder, CalibratedEmbedder) else None

    def scaled(self, near: Mapping[Key, float]) -> dict[Key, float]:
        if not isinstance(self.embedder, CalibratedEmbedder):
            return dict(near)
        return {key: self.embedder.on_own_scale(value) for key, value in near.items()}

    def encode(self, vector: Vector) -> Encoded:
        """Encode a vector; a fast one is the tail of a full one, so zeros precede its bits."""
        encoded = encode(vector)
        missing = self.embedder.dimensions - len(vector)
        bits = bytes(missing // 8) + encoded.bits
        return encoded._replace(bits=bits, model=self.vectors.number)


class VectorModels:
    """Finds the model of a set of vectors. May raise StorageError."""

    def __init__(
        self,
        store: MessageVectorStore,
        own: Embedder,
        fast: Embedder | None,
        served: VectorSources | None,
    ) -> None:
        self._store = store
        self._own, self._fast = own, fast
        self._served = served
        self._failures = defaultdict[str, TextFailures](TextFailures)  # By model

    def refusal(self) -> AppError | None:
        chosen = self._served.chosen() if self._served else None
        return self._failures[chosen.name].problem if chosen else None

    def of(self, vectors: VectorSet, wall: Wall) -> VectorModel | None:
        if vectors.name == self._own.name:
            return VectorModel(vectors, self._own, self._fast)
        source = self._served.named(vectors.name, wall) if self._served and vectors.name else None
        calibration = Calibration.read(vectors) if source else None
        if source is None or calibration is None:
            return None
        return self._served_model(source, vectors, calibration)

    def to_feed(self) -> Iterator[VectorModel]:
        """Yield the model in use, if it is the program's own or is chosen; then the chosen one."""
        chosen = self._served.chosen() if self._served else None
        name = chosen.name if chosen else self._own.name
        current = self._store.current()
        if current is None or current.name != name:
            if current is not None and current.name == self._own.name:
                yield VectorModel(current, self._own, self._fast)
            yield self._prepared(chosen)
            return
        if (other := self._store.other()) is not None:  # the choice was taken back
            self._store.rename(other.number, "")
        if chosen is None:
            yield VectorModel(current, self._own, self._fast)
        elif (calibration := Calibration.read(current)) is not None:
            yield self._served_model(chosen, current, calibration)
        else:
            self._store.rename(current.number, "")

    def _prepared(self, chosen: VectorSource | None) -> VectorModel:
        """Return the model that will take over, with its set. Raises EmbeddingFailedError."""
        if chosen is None:
            vectors = self._store.use_model(self._own.name, self._own.dimensions)
            return VectorModel(vectors, self._own, self._fast)
        for vectors in filter(None, (self._store.other(), self._store.current())):
            calibration = Calibration.read(vectors)
            if vectors.name == chosen.name and calibration is not None:
                return self._served_model(chosen, vectors, calibration)
        calibration = Calibration.of(chosen)
        current = self._store.current()
        known = Calibration.read(current) if current is not None and current.name else None
        if current is not None and known is not None and known.is_of(calibration.fingerprint):
            self._store.rename(current.number, chosen.name)  # the same model at another place
            return self._served_model(chosen, replace(current, name=chosen.name), known)
        size = len(calibration.centre)
        vectors = self._store.use_model(chosen.name, size, calibration.stored)
        return self._served_model(chosen, vectors, calibration)

    def _served_model(
        self, source: VectorSource, vectors: VectorSet, calibration: Calibration
    ) -> VectorModel:
        def outdate() -> None:
            self._store.rename(vectors.number, "")

        embedder = CalibratedEmbedder(source, calibration, self._failures[source.name], outdate)
        return VectorModel(vectors, embedder)


def encode(vector: Vector) -> Encoded:
    """Encode a unit vector as signed bytes, scaled to use their range, and as signs."""
    import numpy as np  # noqa: PLC0415 - 80 ms that only those who embed pay

    largest = float(np.abs(vector).max()) or 1.0
    numbers = np.round(vector * (_LARGEST / largest)).astype(np.int8)
    return Encoded(numbers.tobytes(), np.packbits(vector > 0, bitorder="little").tobytes())
