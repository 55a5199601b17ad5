"""Learns how messages about the assistant sound, from the messages that the router is held to.

`python -m tests.bench.likeness` writes resources/routes/likeness.bin anew. It is a logistic
regression over pieces of words; each message is learnt with several misspellings of it, and what
people say in ordinary dialogues (`dialogues/`) as what is not about it.
"""

import math
import random
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path

import numpy as np

from desktop.research.routing.likeness import HEAD, PLACES, features
from desktop.settings.paths import asset
from tests.unit.research.test_router_messages import FILES, labelled

_FILLERS = """
ya yaw lan kanka abi be ki acaba bi hemen lütfen şimdi peki hele yani hocam reis lol pls mate hey
ok so uh even actually rn tho like man dude just really well umm btw quick
"""
_DIALOGUES = Path(__file__).parent / "dialogues"
_CHANGE = "=> "
"""What marks the first message on another subject."""
_ORDINARY_SPELLINGS = 2
_SPOILT = 5
_ROUNDS = 14
_STEP, _DECAY, _BASE_STEP = 0.5, 1e-4, 0.02
_FOUND_MATTERS = 1.5
"""Missing one is worse than asking once too often."""
_MOST = 127


def ordinary_messages() -> Iterator[str]:
    """What the first speaker of each dialogue says to a shop, an office or a teacher."""
    for file in sorted(_DIALOGUES.glob("*.txt")):
        for dialogue in file.read_text(encoding="utf-8").split("\n\n"):
            lines = [line.removeprefix(_CHANGE) for line in dialogue.splitlines()]
            yield from (line for line in lines[::2] if line.strip())


def learn(ordinary: Sequence[str], seed: int = 3) -> bytes:
    rng = random.Random(seed)  # noqa: S311 - the same every time is what is wanted
    shown = [
        (np.array(features(text, has_session=bool(one.said))), one.wants.startswith("guard"))
        for file in FILES
        for one in labelled(file)
        for text in _spellings(one.text, rng)
    ]
    shown += [
        (np.array(features(text, has_session=has_session)), False)
        for said in ordinary
        for text in islice(_spellings(said, rng), _ORDINARY_SPELLINGS)
        for has_session in (False, True)
    ]
    weights, slopes, base = np.zeros(PLACES), np.full(PLACES, 1e-6), 0.0
    for _ in range(_ROUNDS):
        rng.shuffle(shown)
        for places, is_about_it in shown:
            if not len(places):
                continue
            share = 1 / math.sqrt(len(places))
            found = 1 / (1 + math.exp(-(weights[places].sum() * share + base)))
            off = (found - is_about_it) * (_FOUND_MATTERS if is_about_it else 1)
            slope = off * share + _DECAY * weights[places]
            slopes[places] += slope * slope
            weights[places] -= _STEP * slope / np.sqrt(slopes[places])
            base -= _BASE_STEP * off
    scale = float(np.abs(weights).max()) / _MOST
    return HEAD.pack(scale, base) + np.round(weights / scale).astype(np.int8).tobytes()


def _spellings(text: str, rng: random.Random) -> Iterator[str]:
    yield text
    for _ in range(_SPOILT):
        yield " ".join(_spoilt(text.lower().replace("?", "").split(), rng))


def _spoilt(words: Sequence[str], rng: random.Random) -> list[str]:
    said = list(words)
    if rng.random() < 0.3:
        said.insert(rng.randint(0, len(said)), rng.choice(_FILLERS.split()))
    at = rng.randrange(len(said))
    if len(said[at]) > 3 and rng.random() < 0.5:
        said[at] = _misspelt(said[at], rng)
    return said


def _misspelt(word: str, rng: random.Random) -> str:
    at = rng.randrange(1, len(word) - 1)
    return rng.choice(
        (
            word[:at] + word[at + 1 :],
            word[:at] + word[at + 1] + word[at] + word[at + 2 :],
            word[:at] + word[at] + word[at:],
            word[0] + "".join(one for one in word[1:-1] if one not in "aeıioöuü") + word[-1],
        )
    )


if __name__ == "__main__":
    asset("resources", "routes", "likeness.bin").write_bytes(learn(list(ordinary_messages())))
