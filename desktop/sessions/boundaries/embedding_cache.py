"""An embedder that is asked only once for each text, so that a growing session costs little."""

from __future__ import annotations

from collections import OrderedDict
from threading import Lock
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from desktop.domain.embedding import Embedder, Vector, Vectors

_MOST_TEXTS = 512


class Remembering:
    """Implements Embedder. Any thread may ask."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder
        self._lock = Lock()
        self._known: OrderedDict[str, Vector] = OrderedDict()

    @property
    def name(self) -> str:
        return self._embedder.name

    @property
    def dimensions(self) -> int:
        return self._embedder.dimensions

    def passages(self, texts: Sequence[str]) -> Vectors:
        import numpy as np  # noqa: PLC0415 - loaded by whoever embeds, not at a start

        with self._lock:
            found = {text: self._known[text] for text in texts if text in self._known}
        missing = [text for text in dict.fromkeys(texts) if text not in found]
        if missing:
            found |= zip(missing, self._embedder.passages(missing), strict=True)
        self._keep(found)
        return np.stack([found[text] for text in texts])

    def query(self, text: str) -> Vector:
        return self._embedder.query(text)

    def unknown(self, texts: Sequence[str]) -> int:
        """How many of these would have to be computed."""
        with self._lock:
            return sum(text not in self._known for text in texts)

    def _keep(self, found: dict[str, Vector]) -> None:
        with self._lock:
            self._known.update(found)
            for text in found:
                self._known.move_to_end(text)
            while len(self._known) > _MOST_TEXTS:
                self._known.popitem(last=False)
