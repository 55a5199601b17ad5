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
of a model that was changed behind the same name are refused. It also tells an endpoint that fails
from a text with which it fails: if it answers for the fixed text and not for another one right
after it, twice, that one gets zeros, which are near nothing.
"""

from __future__ import annotations

import json
import logging
from dataclasses import dataclass, field
from functools import cache
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from desktop.domain.errors import (
    AppError,
    ConnectionLostError,
    RefusedError,
    RequestRejectedError,
    ServerFailedError,
    StreamBrokenError,
)
from desktop.domain.search import (
    EmbeddingFailedError,
    EmbeddingModelChangedError,
    PassageTooLongError,
    TextsRefusedError,
    VectorBrokenError,
    VectorCountError,
    VectorLengthError,
)
from desktop.settings.paths import asset

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from desktop.domain.search import Vector, Vectors, VectorSet, VectorSource

log = logging.getLogger(__name__)

FINGERPRINTED = (
    "Bellek: deniz kıyısında üç bilimsel soru. Three questions about science by the sea."
)
_SAME = 0.99
"""The cosine of two fingerprints of one model; other hardware and batches change less."""
_OWN_UNRELATED = 0.162
"""Of the program's own models, both together (measured)."""
_QUANTILE = 0.95
_MOST_UNRELATED = 0.9  # Of a model that tells nothing apart
_MAY_BE_OF_TEXT = (
    ConnectionLostError,
    PassageTooLongError,
    RefusedError,
    RequestRejectedError,
    ServerFailedError,
    StreamBrokenError,
    VectorBrokenError,
    VectorCountError,
    VectorLengthError,
)
"""What may be because of a text; a limit, a key or a missing model is not."""
_MOST_FAILURES = 2
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


@dataclass
class TextFailures:
    """Texts with which a model failed alone, since the start of the program.

    They are kept from one run to the next, because an endpoint that hangs with a text may not
    answer for another one either before somebody restarts it.
    """

    _counts: dict[str, int] = field(default_factory=dict)
    _last: AppError | None = None

    def has_any(self, texts: Sequence[str]) -> bool:
        return not self._counts.keys().isdisjoint(texts)

    def suspect(self, texts: Sequence[str]) -> None:
        self._counts |= dict.fromkeys(texts, 0)

    def clear(self, text: str) -> None:
        self._counts.pop(text, None)

    def add(self, text: str, cause: AppError) -> None:
        self._counts[text] = self._counts.get(text, 0) + 1
        if self.is_final(text):
            self._last = cause
            log.warning("a text gets no vector: the model fails with it (%s)", cause.key)

    def is_final(self, text: str) -> bool:
        return self._counts.get(text, 0) >= _MOST_FAILURES

    @property
    def problem(self) -> TextsRefusedError | None:
        """Return how many texts get no vector, and why the last one; None if all get one."""
        if self._last is None:
            return None
        reason = str(self._last.values.get("detail") or self._last.key)
        return TextsRefusedError(count=sum(map(self.is_final, self._counts)), reason=reason)


class CalibratedEmbedder:
    """Implements Embedder with a model of another program."""

    def __init__(
        self,
        source: VectorSource,
        calibration: Calibration,
        failures: TextFailures,
        note_change: Callable[[], None] = lambda: None,
    ) -> None:
        """`note_change` is called before EmbeddingModelChangedError is raised."""
        self.name = source.name
        self.dimensions = len(calibration.centre)
        self.leaves_computer = source.leaves_computer
        self._source = source
        self._calibration = calibration
        self._failures = failures
        self._note_change = note_change

    def passages(self, texts: Sequence[str]) -> Vectors:
        """Return a row for each; zeros for a text with which the model always fails."""
        import numpy as np  # noqa: PLC0415 - as above

        if not self._failures.has_any(texts):
            try:
                return self._embed(texts)
            except EmbeddingFailedError as exc:
                _cause_in_text(exc)
                self._failures.suspect(texts)
        self._embed([])  # raises if it is not because of a text
        return np.concatenate([self._alone(text) for text in texts])

    def _alone(self, text: str) -> Vectors:
        """Ask for one text, always after a request that was answered, until it failed twice."""
        import numpy as np  # noqa: PLC0415 - as above

        while not self._failures.is_final(text):
            try:
                vector = self._embed([text])
            except EmbeddingFailedError as exc:
                self._failures.add(text, _cause_in_text(exc))
                self._embed([])  # as above
            else:
                self._failures.clear(text)
                return vector
        return np.zeros((1, self.dimensions), np.float32)

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


def _cause_in_text(exc: EmbeddingFailedError) -> AppError:
    """Return the cause of a failure; raise the failure if no text can be the reason."""
    if not isinstance(exc.__cause__, _MAY_BE_OF_TEXT):
        raise exc
    return exc.__cause__


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
