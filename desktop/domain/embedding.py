"""Embedding models: they turn texts into vectors, so that meanings can be compared."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Vector = NDArray[np.float32]  # One text: `dimensions` numbers, of unit length
    Vectors = NDArray[np.float32]  # A row for every text


@dataclass(frozen=True, slots=True)
class EmbeddingProgress:
    """How many of the complete sessions are embedded."""

    embedded: int
    refined: int  # By the stronger model as well
    sessions: int
    made: int = 0


class Embedder(Protocol):
    """An embedding model: slow and large, so called on a worker thread, never by the window."""

    @property
    def name(self) -> str:
        """Return a name that changes with the vectors: those of two names cannot be compared."""
        ...

    @property
    def dimensions(self) -> int: ...

    def passages(self, texts: Sequence[str]) -> Vectors: ...

    def query(self, text: str) -> Vector: ...
