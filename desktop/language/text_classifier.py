"""A linear text classifier over hashed character and word n-grams.

The same code serves the intents of messages and suspicious sentences; only the weights differ.
Those of suspicious sentences also know concepts: classes of words, of which the features are the
ordered pairs ("drop" before "rule"). Single words cannot tell who is addressed.
`packaging/training/` fits them on labelled examples. At run time nothing but numpy is needed.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING
from zlib import crc32

import numpy as np

from desktop.language.normalization import folded_key
from desktop.settings.paths import asset

if TYPE_CHECKING:
    from numpy.typing import NDArray

BUCKETS = 1 << 16
_LETTERS = (2, 3, 4, 5, 6)
_PRIME = 1_000_003
_MIX = 0x9E3779B97F4A7C15
_SHIFT = np.uint64(64 - (BUCKETS - 1).bit_length())
_LONGEST = 1_000  # Characters that are read: a longer text is cut to its first and last half
_APART = str.maketrans({mark: f" {mark} " for mark in ".,;:!?()\"'…"} | {"\n": " ¶ "})
_QUOTATION_MARKS = str.maketrans(dict.fromkeys("“”„«»`", '"'))
_REACH = 8  # Concepts that one is paired with
_SHORTEST_STEM = 4


@dataclass(frozen=True, slots=True)
class Prediction:
    label: str
    confidence: float  # The probability of the label, from 0 to 1
    threshold: float
    """The confidence from which the label is to be believed; chosen on validation examples."""

    @property
    def is_sure(self) -> bool:
        return self.confidence >= self.threshold


@dataclass(frozen=True, slots=True)
class TextClassifier:
    labels: tuple[str, ...]  # The first is the label of ordinary texts
    weights: NDArray[np.int8]
    scales: NDArray[np.float32]
    biases: NDArray[np.float32]
    thresholds: NDArray[np.float32]  # For each label, the confidence from which it is accepted
    concepts: Mapping[str, str] = field(default_factory=dict)  # By the stem of a folded word

    def predict(self, text: str) -> Prediction:
        """Return the likeliest label that is not the first one; its threshold decides."""
        buckets = hash_features(text, self.concepts)
        sums = self.weights[:, buckets].sum(axis=1, dtype=np.int32)
        logits = sums * self.scales / np.sqrt(max(1, len(buckets))) + self.biases
        raised = np.exp(logits - logits.max())
        at = 1 + int(raised[1:].argmax())
        confidence = float(raised[at] / raised.sum()) if len(buckets) else 0.0
        return Prediction(self.labels[at], confidence, float(self.thresholds[at]))


@lru_cache(maxsize=16)
def load_classifier(name: str) -> TextClassifier:
    """Load the weights `resources/models/NAME.npz`, read once."""
    with np.load(asset("resources", "models", f"{name}.npz")) as stored:
        labels = tuple(str(label) for label in stored["labels"])
        others = ("weights", "scales", "biases", "thresholds")
        arrays = {name: stored[name] for name in others}
        concepts = dict(str(line).split() for line in stored.get("concepts", ()))
        return TextClassifier(labels, **arrays, concepts=concepts)


def hash_features(text: str, concepts: Mapping[str, str]) -> NDArray[np.int64]:
    """Return the buckets of a text's character n-grams, words and pairs, without duplicates."""
    words = _words(text)
    if not words:
        return np.zeros(0, np.int64)
    codes = np.array([ord(letter) for letter in f" {' '.join(words)} "], np.uint64)
    hashes = [_letter_hashes(codes, length) for length in _LETTERS if length <= len(codes)]
    named = [f"first {words[0]}", f"last {words[-1]}", f"length {min(len(words), 24) // 3}"]
    named += [f"word {word}" for word in words]
    named += [f"pair {word} {other}" for word, other in pairwise(words)]
    if concepts:
        named += _concept_pairs(text, concepts)
    sums = [crc32(name.encode(errors="surrogatepass")) for name in named]
    hashes.append(np.array(sums, np.uint64))
    return np.unique((np.concatenate(hashes) * np.uint64(_MIX)) >> _SHIFT).astype(np.int64)


def _concept_pairs(text: str, concepts: Mapping[str, str]) -> list[str]:
    """Return the pairs of concepts near each other; quoted words are mentioned, not meant."""
    parts = text.translate(_QUOTATION_MARKS).split('"')
    words = _words(" § ".join(parts[::2]) if len(parts) % 2 else text)
    row = ["^", *filter(None, (_concept(word, concepts) for word in words)), "$"]
    near = [
        f"near {row[at]} {other}" for at in range(len(row)) for other in row[at + 1 :][:_REACH]
    ]
    return near + [f"row {' '.join(row[at : at + 3])}" for at in range(len(row) - 2)]


def _concept(word: str, concepts: Mapping[str, str]) -> str | None:
    stems = (word[:length] for length in range(len(word), _SHORTEST_STEM - 1, -1))
    return next((concepts[stem] for stem in (word, *stems) if stem in concepts), None)


def _letter_hashes(codes: NDArray[np.uint64], length: int) -> NDArray[np.uint64]:
    count = len(codes) - length + 1
    hashes = np.full(count, length, np.uint64)
    for at in range(length):
        hashes = hashes * np.uint64(_PRIME) + codes[at : at + count]
    return hashes


def _words(text: str) -> list[str]:
    """Return folded words and punctuation marks, each mark as a word of its own."""
    if len(text) > _LONGEST:
        text = f"{text[: _LONGEST // 2]} {text[-_LONGEST // 2 :]}"
    return folded_key(text).translate(_APART).split()
