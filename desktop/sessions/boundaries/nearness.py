"""How near a message and what comes after it are in meaning to what was said before."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from desktop.sessions.boundaries.similarity_features import cosine, weights_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from desktop.domain.embedding import Vectors


def nearness(vectors: Vectors, at: int, own_words: Sequence[int]) -> Mapping[str, float]:
    """`at` is the place of the message: what was said stands before it, what follows after it.

    The last vector is that of the message and all that follows it as one text.
    """
    vectors, whole = vectors[:-1], vectors[-1]
    near = vectors @ vectors.T
    weighted = vectors * weights_of(own_words)[:, None]
    across = near[at:, :at]
    nearest = float(near[at, :at].max())
    usual = [float(near[one, :one].max()) for one in range(1, at)]
    among = near[:at, :at][np.tril_indices(at, -1)]
    later = [float(one.max()) for one in across[1:]]
    return {
        "nearest": nearest,
        "mean": float(near[at, :at].mean()),
        "usual": sum(usual) / len(usual) if usual else nearest,
        "within": float(among.mean()) if len(among) else 0.0,
        "across": cosine(weighted[:at].sum(axis=0), weighted[at:].sum(axis=0)),
        "across_mean": float(across.mean()),
        "whole": float((vectors[:at] @ whole).mean()),
        "reply": later[0] if later else nearest,
        "later": sum(later) / len(later) if later else nearest,
    }
