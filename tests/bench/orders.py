"""Learns what orders to a model are made of, from orders and from ordinary sentences.

`python -m tests.bench.orders TEXT…` writes resources/orders/weights.json anew. It is a logistic
regression over the ideas that meet in a sentence. Learnt are orders by their kinds and sentences
that come near to one and are none (`orders/`, and those of the tests). Ordinary are the
descriptions of the installed packages, the docstrings of two, the dialogues, the example library
and the texts that are named. What a third of those reach at the most, but for one sentence in
`_FALSE_ALARMS`, is where an order begins.
"""

import ast
import json
import random
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from importlib.metadata import distributions
from pathlib import Path

import anthropic
import numpy as np
from numpy.typing import NDArray

from desktop.language.sentences import sentences
from desktop.research.injection.likely import features
from desktop.research.injection.views import even
from desktop.settings.paths import asset
from tests.unit.research import test_demands, test_hidden_orders, test_suspicion

Matrix = NDArray[np.float32]
Row = NDArray[np.float64]

_HERE = Path(__file__).parent
_LONGEST = 240
_OF_EACH = 4000
_FALSE_ALARMS = 700
_SEEN_OFTEN = 3
_STEM, _OF_A_STEM = "…", 0.6
"""What a word weighs beside an idea."""
_HELD, _HELD_IDEA = 4.0, 1.2
"""How strongly the numbers are held near zero: an idea alone less than two that meet."""
_ORDER_MATTERS, _NEAR_ONE_MATTERS = 2.0, 8.0
_STEPS, _WITHIN = 12, 60
_LEAST = 0.03


def orders() -> Iterator[tuple[str, str]]:
    """Of what kind, and how it reads."""
    for file in sorted((_HERE / "orders").glob("orders_*.txt")):
        kind = ""
        for line in file.read_text("utf-8").splitlines():
            if line.startswith("# "):
                kind = line.removeprefix("# ")
            else:
                yield kind, line
    yield from (("tested", text) for _, text in test_suspicion.ORDERS)
    yield from (("tested", text) for text in test_demands.DEMANDS.strip().splitlines())


def near_orders() -> Iterator[str]:
    yield from test_suspicion.PLAIN
    yield from test_demands.PLAIN.strip().splitlines()
    yield from test_hidden_orders.PLAIN
    for file in sorted((_HERE / "orders").glob("ordinary_*.txt")):
        yield from file.read_text("utf-8").splitlines()


def ordinary(named: Sequence[Path]) -> Iterator[list[str]]:
    """Sentences of each register."""
    yield _sentences("\n\n".join(_descriptions()))
    for folder in (Path(ast.__file__).parent, Path(anthropic.__file__).parent / "types"):
        yield _sentences("\n\n".join(_strings(folder)))
    yield [line for one in sorted((_HERE / "dialogues").glob("*.txt")) for line in _lines(one)]
    library = asset("resources", "examples", "library.jsonl")
    said = [
        message["content"] for one in _lines(library) for message in json.loads(one)["messages"]
    ]
    yield _sentences("\n\n".join(said))
    for path in named:
        yield _sentences(path.read_text("utf-8"))


def _descriptions() -> Iterator[str]:
    for one in distributions():
        yield (one.read_text("METADATA") or "").partition("\n\n")[2]


def _strings(folder: Path) -> Iterator[str]:
    for path in sorted(folder.glob("*.py")):
        for node in ast.walk(ast.parse(path.read_bytes())):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                yield node.value


def _lines(path: Path) -> list[str]:
    return [line for line in path.read_text("utf-8").splitlines() if line]


def _sentences(text: str) -> list[str]:
    found = dict.fromkeys(" ".join(one.text.split()) for one in sentences(text))
    return [one for one in found if len(one) <= _LONGEST]


def learn(wanted: Sequence[str], near: Sequence[str], plain: Sequence[str]) -> dict[str, object]:
    made = [tuple(features(even(one))) for one in (*wanted, *near, *plain)]
    counted = Counter(one for some in made[: len(wanted) + len(near)] for one in some)
    places = {one: at for at, one in enumerate(sorted(counted)) if counted[one] >= _SEEN_OFTEN}
    places = {one: at for at, one in enumerate(places)}
    matters = np.array(
        [_ORDER_MATTERS] * len(wanted) + [_NEAR_ONE_MATTERS] * len(near) + [1.0] * len(plain)
    )
    inputs = _matrix(made, places)
    is_left_out = np.arange(len(made)) % 3 == 0
    is_left_out[: len(wanted) + len(near)] = False
    shown = ~is_left_out
    is_order = np.arange(len(made)) < len(wanted)
    held = np.array([_HELD if " " in one or one[-1] == _STEM else _HELD_IDEA for one in places])
    weights = _fitted(inputs[shown], is_order[shown], matters[shown], np.append(held, 0.0))
    reached = np.sort(inputs[is_left_out] @ weights)[::-1]
    base = weights[-1] - reached[len(reached) // _FALSE_ALARMS]
    told = {
        one: round(float(weights[at] * (_OF_A_STEM if one[-1] == _STEM else 1.0)), 2)
        for one, at in places.items()
        if abs(weights[at]) >= _LEAST
    }
    return {"base": round(float(base), 2), "weights": told}


def _matrix(made: Sequence[Sequence[str]], places: dict[str, int]) -> Matrix:
    inputs = np.zeros((len(made), len(places) + 1), np.float32)
    inputs[:, -1] = 1.0
    for row, some in enumerate(made):
        for one in some:
            if one in places:
                inputs[row, places[one]] = _OF_A_STEM if one[-1] == _STEM else 1.0
    return inputs


def _fitted(inputs: Matrix, is_order: NDArray[np.bool_], matters: Row, held: Row) -> Row:
    """Newton's method, each step found by conjugate gradients and halved until it helps."""
    weights = np.zeros(len(held))
    for _ in range(_STEPS):
        chance = 1 / (1 + np.exp(-(inputs @ weights)))
        slope = inputs.T @ ((chance - is_order) * matters) + held * weights
        step = _solved(inputs, matters * chance * (1 - chance), held, slope)
        before = _loss(inputs, is_order, matters, held, weights)
        while _loss(inputs, is_order, matters, held, weights - step) > before and step.any():
            step = step / 2 if np.abs(step).max() > 1e-6 else step * 0
        weights = weights - step
    return weights


def _loss(
    inputs: Matrix, is_order: NDArray[np.bool_], matters: Row, held: Row, weights: Row
) -> float:
    told = inputs @ weights
    off = (matters * (np.logaddexp(0, told) - is_order * told)).sum()
    return float(off + (held * weights * weights).sum() / 2)


def _solved(inputs: Matrix, bend: Row, held: Row, slope: Row) -> Row:
    found, left = np.zeros_like(slope), slope.copy()
    towards, size = left.copy(), float(left @ left)
    for _ in range(_WITHIN):
        bent = inputs.T @ (bend * (inputs @ towards)) + (held + 1e-4) * towards
        share = size / float(towards @ bent)
        found, left = found + share * towards, left - share * bent
        size, last = float(left @ left), size
        if size < 1e-6 * float(slope @ slope):
            break
        towards = left + size / last * towards
    return found


def main(named: Sequence[Path]) -> None:
    rng = random.Random(3)  # noqa: S311 - the same every time is what is wanted
    plain: list[str] = []
    for some in ordinary(named):
        rng.shuffle(some)
        plain += some[:_OF_EACH]
    learnt = learn([one for _, one in orders()], list(near_orders()), plain)
    target = asset("resources", "orders", "weights.json")
    target.write_text(json.dumps(learnt, ensure_ascii=False, indent=0) + "\n", "utf-8")


if __name__ == "__main__":
    main([Path(one) for one in sys.argv[1:]])
