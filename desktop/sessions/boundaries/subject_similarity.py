"""How near what is said is to what was said in its subject, whatever is done with the subject.

"Ne zaman?" asked of two things is near in meaning, and a question is far from its answer. The
directions in which dialogues lie apart from one another, measured by how far what is said within
one lies apart, were learned from dialogues in both languages (`training/openers.py`), for each
model of meanings.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from desktop.sessions.boundaries.similarity_features import cosine
from desktop.settings.paths import asset

if TYPE_CHECKING:
    from collections.abc import Mapping

    from desktop.domain.embedding import Vector, Vectors


def about(vectors: Vectors, at: int, embedder: str) -> Mapping[str, float]:
    """`at` is the place of the message; the last vector is of all from there on as one text."""
    directions = _directions().get(embedder)
    if directions is None:
        return {"about": 0.0, "about_all": 0.0, "about_whole": 0.0}
    said = _subject(vectors[:at].mean(axis=0), directions)
    return {
        "about": cosine(said, _subject(vectors[at], directions)),
        "about_all": cosine(said, _subject(vectors[at:-1].mean(axis=0), directions)),
        "about_whole": cosine(said, _subject(vectors[-1], directions)),
    }


def _subject(vector: Vector, directions: Vectors) -> Vector:
    subject: Vector = directions[:, :-1] @ vector - directions[:, -1]
    return subject


@lru_cache(maxsize=1)
def _directions() -> dict[str, Vectors]:
    """By the model's name; the last column is what dialogues have in common."""
    with np.load(asset("resources", "models", "subjects.npz")) as stored:
        return {name: np.asarray(stored[name], np.float32) for name in stored.files}
