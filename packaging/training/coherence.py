"""Fit coherence.npz, which tells the next messages of a chat from others.

Needs the package chitchat-dataset (MIT; 7,168 chats in English), which nothing else does:

    pip install chitchat-dataset && python packaging/training/coherence.py

A few messages and the next few of the same chat are pulled together, those of all other
chats of the batch pushed apart.
"""

from __future__ import annotations

import json
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from desktop.recall.embedders import fast_embedder

if TYPE_CHECKING:
    from desktop.domain.search import Vector, Vectors

_ROOT = Path(__file__).parents[2]
_LEAST_TURNS, _MOST_TURNS = 10, 40
_LETTERS = 600
_HELD_OUT = 200
"""Chats that the numbers in the documentation were taken from."""
_DIMENSIONS, _EPOCHS, _BATCH, _RATE, _DECAY = 64, 12, 384, 2e-3, 1e-5
_AT_FIRST = 4.0
_TINY = 1e-6


def main() -> None:
    chats = _chats()[_HELD_OUT:]
    embedder = fast_embedder()
    before, after, of_chat = _pairs([embedder.passages(chat) for chat in chats])
    centre = before.mean(axis=0)
    found = _train(_unit(before - centre), _unit(after - centre), of_chat)
    target = Path(__file__).with_name("coherence.npz")
    names = {"before": found[0], "after": found[1], "centre": centre}
    with target.open("wb") as file:
        np.savez_compressed(file, **{name: one.astype(np.float16) for name, one in names.items()})
    print(f"{target.relative_to(_ROOT)}: {len(chats)} chats, {len(before)} places")


def _chats() -> list[list[str]]:
    spec = find_spec("chitchat_dataset")
    if spec is None or spec.origin is None:
        raise SystemExit("pip install chitchat-dataset")
    stored = json.loads(Path(spec.origin).with_name("dataset.json").read_text("utf-8"))
    chats = [
        [" ".join(" ".join(one["text"] for one in turn).split())[:_LETTERS] for turn in it]
        for it in (stored[name]["messages"] for name in sorted(stored))
    ]
    spoken = [[turn for turn in chat if turn][:_MOST_TURNS] for chat in chats]
    several = [chat for chat in spoken if len(chat) >= _LEAST_TURNS]
    return [several[at] for at in np.random.default_rng(1).permutation(len(several))]


def _pairs(chats: list[Vectors]) -> tuple[Vectors, Vectors, Vectors]:
    """Yield one to three messages before each place in a chat, and as many after it."""
    drawn = np.random.default_rng(0)
    before, after, of_chat = [], [], []
    for number, chat in enumerate(chats):
        for at in range(1, len(chat)):
            back, on = drawn.integers(1, 4, size=2)
            before.append(chat[max(0, at - back) : at].mean(axis=0))
            after.append(chat[at : at + on].mean(axis=0))
            of_chat.append(number)
    return np.array(before), np.array(after), np.array(of_chat)


def _train(before: Vectors, after: Vectors, of_chat: Vectors) -> list[Vectors]:
    """Adam over the likelihood of each place's own continuation among those of its batch."""
    drawn = np.random.default_rng(0)
    _, axes = np.linalg.eigh(before.T @ before / len(before))
    found = [np.asarray(axes[:, -_DIMENSIONS:].T * _AT_FIRST, np.float32) for _ in range(2)]
    first, second = ([np.zeros_like(one) for one in found] for _ in range(2))
    step = 0
    for epoch in range(_EPOCHS):
        order = drawn.permutation(len(before))
        for start in range(0, len(order) - _BATCH, _BATCH):
            batch = order[start : start + _BATCH]
            step += 1
            slopes = _slopes(found, before[batch], after[batch], of_chat[batch])
            for at, slope in enumerate(slopes):
                first[at] = 0.9 * first[at] + 0.1 * slope
                second[at] = 0.99 * second[at] + 0.01 * slope**2
                size = np.sqrt(second[at] / (1 - 0.99**step)) + _TINY
                rate = _RATE * (1 - epoch / _EPOCHS)
                moved = found[at] - rate * first[at] / (1 - 0.9**step) / size
                found[at] = np.asarray(moved, np.float32)
    return found


def _slopes(found: list[Vectors], left: Vectors, right: Vectors, of_chat: Vector) -> list[Vectors]:
    one, other = left @ found[0].T, right @ found[1].T
    scores = one @ other.T
    scores[(of_chat[:, None] == of_chat) & ~np.eye(len(left), dtype=bool)] = -1e9
    off = (_shares(scores) + _shares(scores.T).T) / 2 - np.eye(len(left))
    off /= len(left)
    return [
        (off @ other).T @ left + _DECAY * found[0],
        (off.T @ one).T @ right + _DECAY * found[1],
    ]


def _shares(scores: Vectors) -> Vectors:
    raised = np.exp(scores - scores.max(axis=1, keepdims=True))
    shares: Vectors = raised / raised.sum(axis=1, keepdims=True)
    return shares


def _unit(vectors: Vectors) -> Vectors:
    unit: Vectors = vectors / (np.linalg.norm(vectors, axis=1, keepdims=True) + _TINY)
    return unit


if __name__ == "__main__":
    main()
