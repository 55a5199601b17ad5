"""Fit resources/models/openers.npz and subjects.npz on dialogues.

What opens a subject: logistic regression over the vectors of what the user says, the first message
of each dialogue, and of each of its subjects, against the rest. What is said about one subject:
linear discriminants, the directions in which subjects differ, relative to their messages.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from desktop.recall.embedders import best_embedder, fast_embedder

if TYPE_CHECKING:
    from collections.abc import Iterator

    from desktop.domain.search import Vector, Vectors

_ROOT = Path(__file__).parents[2]
_DIALOGUES = _ROOT / "tests" / "bench" / "dialogues"
_FOLLOW_UPS = _ROOT / "tests" / "unit" / "sessions" / "boundaries"
_CHANGES = "=> "
_HELD_BACK = {"use-m3": 300.0, "e5-small-q4+use-m3": 1000.0}
"""How strongly the numbers are held near zero: chosen on dialogues left out."""
_STEPS = 30
_DIRECTIONS, _SPREAD_ALIKE = 64, 10.0
"""The more the messages of a subject are taken to lie apart alike in all directions."""
_LEAST_MESSAGES = 3
_TINY = 1e-9


def main() -> None:
    dialogues = list(_dialogues())
    openers: dict[str, Vector] = {}
    subjects: dict[str, Vectors] = {}
    for embedder in (fast_embedder(), best_embedder()):
        said = [embedder.passages(one) for one in dialogues]
        openers[embedder.name] = _direction(said, _HELD_BACK[embedder.name])
        subjects[embedder.name] = _discriminants(said)
    for name, found in (("openers", openers), ("subjects", subjects)):
        target = _ROOT / "resources" / "models" / f"{name}.npz"
        with target.open("wb") as file:
            np.savez(file, allow_pickle=False, **found)
        print(f"{target.relative_to(_ROOT)}: {len(dialogues)} dialogues, {', '.join(found)}")


def _dialogues() -> Iterator[list[str]]:
    """Return the messages of both sides in turns, the user first; one subject each."""
    for path in sorted(_DIALOGUES.glob("*.txt")):
        for block in path.read_text("utf-8").strip().split("\n\n"):
            for subject in block.split(f"\n{_CHANGES}"):
                yield subject.splitlines()
    for path in sorted(_FOLLOW_UPS.glob("followups_*.txt")):
        for block in path.read_text("utf-8").strip().split("\n\n"):
            yield [line.partition(": ")[2] for line in block.splitlines()[:-1]]
    library = _ROOT / "resources" / "examples" / "library.jsonl"
    for line in library.read_text("utf-8").splitlines():
        yield [message["content"] for message in json.loads(line)["messages"]]


def _direction(dialogues: list[Vectors], held_back: float) -> Vector:
    vectors = np.concatenate([one[::2] for one in dialogues])
    first = np.concatenate([np.arange(len(one[::2])) == 0 for one in dialogues]).astype(np.float64)
    mean, spread = vectors.mean(axis=0), vectors.std(axis=0) + _TINY
    inputs = np.column_stack([(vectors - mean) / spread, np.ones(len(vectors))])
    held = np.diag([*[held_back] * len(mean), 0.0])
    weights = np.zeros(len(held))
    for _ in range(_STEPS):  # Newton's method: it converges in fewer
        chance = 1 / (1 + np.exp(-inputs @ weights))
        slope = inputs.T @ (chance - first) + held @ weights
        bend = (inputs * (chance * (1 - chance))[:, None]).T @ inputs + held
        weights -= np.linalg.solve(bend, slope)
    by_number = weights[:-1] / spread
    return np.asarray([*by_number, weights[-1] - by_number @ mean], np.float32)


def _discriminants(dialogues: list[Vectors]) -> Vectors:
    subjects = [one for one in dialogues if len(one) >= _LEAST_MESSAGES]
    means = np.array([one.mean(axis=0) for one in subjects])
    centre = np.concatenate(subjects).mean(axis=0)
    off = np.concatenate([one - one.mean(axis=0) for one in subjects])
    within = off.T @ off / (len(off) - len(subjects))
    within += _SPREAD_ALIKE * np.trace(within) / len(within) * np.eye(len(within))
    whiten = np.linalg.inv(np.linalg.cholesky(within))
    _, axes = np.linalg.eigh(whiten @ np.cov((means - centre).T) @ whiten.T)
    directions = (whiten.T @ axes[:, -_DIRECTIONS:]).T
    return np.asarray(np.column_stack([directions, directions @ centre]), np.float16)


if __name__ == "__main__":
    main()
