"""Embedding models: what turns texts into vectors, so that meanings can be compared."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Vector = NDArray[np.float32]
    """One text: `dimensions` numbers, of unit length."""
    Vectors = NDArray[np.float32]
    """A row for every text."""


@dataclass(frozen=True, slots=True)
class EmbeddingProgress:
    """Of the complete sessions."""

    embedded: int
    refined: int
    """By the stronger model as well."""
    sessions: int
    made: int = 0
    """Vectors made just now, of messages and passages."""


class Embedder(Protocol):
    """An embedding model. Slow and large: asked on a worker thread, never by the window."""

    @property
    def name(self) -> str:
        """Changes whenever its vectors would: those of another name cannot be compared."""
        ...

    @property
    def dimensions(self) -> int: ...

    def passages(self, texts: Sequence[str]) -> Vectors:
        """What may be found."""
        ...

    def query(self, text: str) -> Vector:
        """What is looked for."""
        ...
