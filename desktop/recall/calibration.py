"""Vectors of any model, brought to the scale of the program's own ones.

Whatever judges a similarity (which hits are near enough, which passages are relevant) was fitted
to the program's own models. A model of the user's may put every text into one narrow cone, where
unrelated texts have a similarity of .8. So a new model embeds texts of the sample sessions first:

- Their mean is taken out of every vector, as in "All-but-the-Top" (Mu and Viswanath, ICLR 2018):
  only then do the signs of the numbers tell texts apart.
- Questions and messages of different sessions are pairs of which nothing is related. The
  similarity that one pair in twenty exceeds is mapped to that of the program's own models, and
  1 to 1, linearly in between. So a floor lets the same share of unrelated pairs pass as before:
  the normalisation by impostor scores of speaker verification (Auckenthaler, Carey and
  Lloyd-Thomas, "Score normalization for text-independent speaker verification systems", Digital
  Signal Processing 10, 2000), with a quantile in the place of mean and deviation.

The vector of one fixed text is the model's fingerprint. Each request has that text, too: vectors
of a model that was changed behind the same name are refused. It also tells a model that refuses
everything from one that refuses a text: such a text gets zeros, which are near nothing.
"""

from __future__ import annotations

import json
from functools import cache
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from desktop.domain.errors import (
    AppError,
    EmbeddingFailedError,
    EmbeddingModelChangedError,
    PassageTooLongError,
    RefusedError,
    RequestRejectedError,
    ServerFailedError,
    VectorBrokenError,
)
from desktop.settings.paths import asset

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from desktop.domain.search import Vector, Vectors, VectorSet, VectorSource

FINGERPRINTED = (
    "Bellek: deniz kıyısında üç bilimsel soru. Three questions about science by the sea."
)
_SAME = 0.99
"""The cosine of two fingerprints of one model; other hardware and batches change less."""
_OWN_UNRELATED = 0.162
"""Of the program's own models, both together (measured)."""
_QUANTILE = 0.95
_MOST_UNRELATED = 0.9  # Of a model that tells nothing apart
_REFUSALS = (
    PassageTooLongError,
    RefusedError,
    RequestRejectedError,
    ServerFailedError,
    VectorBrokenError,
)
"""What may be because of a text; a request that was lost, or a limit, is not."""
_BITS = 8  # The search form has whole bytes
_FLOAT_BYTES = 4
_LONGEST_PROBE, _PROBES_A_SESSION = 400, 2


class Calibration(NamedTuple):
    """What a model was found to be like."""

    unrelated: float  # The similarity that few unrelated texts exceed
    fingerprint: Vector
    centre: Vector

    @classmethod
    def of(cls, source: VectorSource) -> Calibration:
        """Ask the model for what it has to show. Raises EmbeddingFailedError."""
        import numpy as np  # noqa: PLC0415 - 80 ms that only those who embed pay

        probes = _probes()
        made = source.embed([FINGERPRINTED, *probes.messages], probes.questions)
        fingerprint, vectors = made[0], _padded(made[1:])
        centre = vectors.mean(axis=0)
        messages, questions = np.split(_unit(vectors - centre), [len(probes.messages)])
        is_unrelated = np.subtract.outer(probes.asked_in, probes.said_in) != 0
        similarities = (questions @ messages.T)[is_unrelated]
        unrelated = min(float(np.quantile(similarities, _QUANTILE)), _MOST_UNRELATED)
        return cls(unrelated, _padded(fingerprint), centre)

    @classmethod
    def read(cls, vectors: VectorSet) -> Calibration | None:
        """Return what was stored with a set; None if that is damaged."""
        import numpy as np  # noqa: PLC0415 - as above

        size = vectors.dimensions
        if len(vectors.calibration) != (2 * size + 1) * _FLOAT_BYTES:
            return None
        numbers = np.frombuffer(vectors.calibration, "<f4")
        is_usable = bool(np.isfinite(numbers).all()) and numbers[0] < 1
        return cls(float(numbers[0]), *np.split(numbers[1:], 2)) if is_usable else None

    @property
    def stored(self) -> bytes:
        import numpy as np  # noqa: PLC0415 - as above

        numbers = np.concatenate([[self.unrelated], self.fingerprint, self.centre])
        return numbers.astype("<f4").tobytes()

    def is_of(self, fingerprint: Vector) -> bool:
        """Return whether a vector of the fixed text is one of this model."""
        if len(fingerprint) != len(self.fingerprint):
            return False
        lengths = float((fingerprint @ fingerprint) * (self.fingerprint @ self.fingerprint))
        return bool(fingerprint @ self.fingerprint >= _SAME * lengths**0.5)


class CalibratedEmbedder:
    """Implements Embedder with a model of another program."""

    def __init__(
        self,
        source: VectorSource,
        calibration: Calibration,
        note_change: Callable[[], None] = lambda: None,
        note_refusal: Callable[[AppError], None] = lambda _: None,
    ) -> None:
        """`note_change` is called before EmbeddingModelChangedError is raised.

        `note_refusal` is called with the reason for each text that gets zeros.
        """
        self.name = source.name
        self.dimensions = len(calibration.centre)
        self.leaves_computer = source.leaves_computer
        self._source = source
        self._calibration = calibration
        self._note_change = note_change
        self._note_refusal = note_refusal

    def passages(self, texts: Sequence[str]) -> Vectors:
        """Return a row for each; zeros for a text that the model refuses, alone and twice."""
        if (vectors := self._unless_refused(texts)) is not None:
            return vectors
        self._embed([])  # raises if it is not because of the texts
        return self._without_refused(texts)

    def _without_refused(self, texts: Sequence[str]) -> Vectors:
        import numpy as np  # noqa: PLC0415 - as above

        if len(texts) == 1:
            vectors = self._unless_refused(texts, self._note_refusal)
            return np.zeros((1, self.dimensions), np.float32) if vectors is None else vectors
        half = len(texts) // 2
        return np.concatenate([self.passages(texts[:half]), self.passages(texts[half:])])

    def _unless_refused(
        self, texts: Sequence[str], note: Callable[[AppError], None] = lambda _: None
    ) -> Vectors | None:
        try:
            return self._embed(texts)
        except EmbeddingFailedError as exc:
            if not isinstance(exc.__cause__, _REFUSALS):
                raise
            note(exc.__cause__)
            return None

    def _embed(self, texts: Sequence[str]) -> Vectors:
        return self._checked(self._source.embed([FINGERPRINTED, *texts]))

    def query(self, text: str) -> Vector:
        vector: Vector = self._checked(self._source.embed([FINGERPRINTED], [text]))[0]
        return vector

    def on_own_scale(self, similarity: float) -> float:
        """Return a similarity as the program's own models would have it."""
        unrelated = self._calibration.unrelated
        return 1 - (1 - similarity) * (1 - _OWN_UNRELATED) / (1 - unrelated)

    def _checked(self, made: Vectors) -> Vectors:
        vectors = _padded(made)
        if not self._calibration.is_of(vectors[0]):
            self._note_change()
            raise EmbeddingModelChangedError
        return _unit(vectors[1:] - self._calibration.centre)


class _Probes(NamedTuple):
    """Questions and messages of the sample sessions, each with the number of its session."""

    questions: list[str]
    asked_in: list[int]
    messages: list[str]
    said_in: list[int]


@cache
def _probes() -> _Probes:
    lines = asset("resources", "examples", "library.jsonl").read_text("utf-8").splitlines()
    probes = _Probes([], [], [], [])
    for number, line in enumerate(lines):
        messages = json.loads(line)["messages"]
        for role, texts, places in (
            ("user", probes.questions, probes.asked_in),
            ("assistant", probes.messages, probes.said_in),
        ):
            contents = (each["content"] for each in messages if each["role"] == role)
            first = [text[:_LONGEST_PROBE] for text in islice(contents, _PROBES_A_SESSION)]
            texts.extend(first)
            places.extend([number] * len(first))
    return probes


def _padded(vectors: Vectors) -> Vectors:
    """Add zeros up to whole bytes of signs, which changes no similarity."""
    import numpy as np  # noqa: PLC0415 - as above

    missing = -vectors.shape[-1] % _BITS
    if not missing:
        return vectors
    return np.pad(vectors, [(0, 0)] * (vectors.ndim - 1) + [(0, missing)])


def _unit(vectors: Vectors) -> Vectors:
    import numpy as np  # noqa: PLC0415 - as above

    lengths = np.linalg.norm(vectors, axis=-1, keepdims=True)
    return np.asarray(vectors / np.where(lengths == 0, 1, lengths), np.float32)
