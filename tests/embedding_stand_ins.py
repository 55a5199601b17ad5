"""A stand-in for embedding models: texts about the same listed subject are similar."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from desktop.language.normalization import words

if TYPE_CHECKING:
    from desktop.domain.search import Vector, Vectors

SUBJECTS = (
    {"araba", "otomobil", "car", "vehicle", "arac"},
    {"hekim", "doktor", "doctor", "physician"},
    {"ev", "konut", "house", "home"},
    {"kopek", "dog"},
)


class SubjectEmbedder:
    """Implements Embedder. A dimension a subject, and one for everything else."""

    def __init__(self, name: str = "subjects", dimensions: int = 16) -> None:
        self.name = name
        self.dimensions = dimensions
        self.asked: list[str] = []

    def passages(self, texts: Sequence[str]) -> Vectors:
        self.asked += texts
        return np.stack([self._vector(text) for text in texts])

    def query(self, text: str) -> Vector:
        self.asked.append(text)
        return self._vector(text)

    def _vector(self, text: str) -> Vector:
        vector = np.full(self.dimensions, -0.05, np.float32)
        said = {word.text for word in words(text)}
        for place, subject in enumerate(SUBJECTS):
            if said & subject:
                vector[place] = 1.0
        if not (vector > 0).any():
            vector[-1] = 1.0
        return np.asarray(vector / np.linalg.norm(vector), np.float32)


class FarEmbedder(SubjectEmbedder):
    """Finds every text a little near."""

    def query(self, text: str) -> Vector:  # noqa: ARG002 - whatever is asked
        vector = 0.2 * self._vector("hekim")
        vector[5] = 1.0
        return np.asarray(vector / np.linalg.norm(vector), np.float32)
