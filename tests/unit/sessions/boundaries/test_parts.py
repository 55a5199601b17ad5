"""Where a conversation on several subjects comes apart, all its seams judged together."""

from itertools import combinations, pairwise
from math import log

import numpy as np
import pytest

from desktop.sessions.boundaries.segmentation import TIED, Ties, Worth, parting, word_ties

_WORTH = Worth(likeness=1.0, words=0.5, whole=0.0, alone=-2.0, pair=-2.0, length=0.5)
_A_SEAM = 0.2


def _cut(*own: str, likeness: float = 0.0, worth: Worth = _WORTH) -> list[int]:
    words = word_ties([one.split() for one in own])
    alike = np.where(np.tri(len(own), TIED, -1) > 0, np.float32(likeness), np.float32(0))
    ties = Ties(alike, words, np.zeros((len(own), 1), np.float32))
    return list(parting([_A_SEAM] * len(own), ties, worth).starts)


def test_a_part_ends_where_its_words_end_and_others_come_again_and_again() -> None:
    cats, rent = ["cat food", "food dry", "cat dry"], ["rent flat", "flat lease", "rent lease"]
    assert _cut(*cats, *rent) == [3]


def test_messages_that_are_alike_stay_together_without_a_word_in_common() -> None:
    assert _cut(*"abcdefgh", likeness=0.5) == []


def test_a_part_is_held_together_by_all_that_it_means_not_by_the_last_few_messages_alone() -> None:
    one, other = [1.0, 0.0], [0.0, 1.0]
    apart = np.array([*[one] * 12, *[other] * 12], np.float32)
    loose = np.zeros((len(apart), TIED), np.float32)
    seams = [-1.0] * len(apart)
    by_far = _WORTH._replace(whole=1.0)
    assert list(parting(seams, Ties(loose, loose, apart), _WORTH).starts) == []
    assert list(parting(seams, Ties(loose, loose, apart), by_far).starts) == [12]


def test_the_best_of_all_cuts_is_found() -> None:
    drawn = np.random.default_rng(1)
    count = 9
    alike = np.tril(drawn.normal(size=(count, TIED)), -1).astype(np.float32)
    seams = [float(one) for one in drawn.normal(size=count)]
    apart = drawn.normal(size=(count, 3)).astype(np.float32)
    worth = _WORTH._replace(whole=0.7)
    found = parting(seams, Ties(alike, np.zeros_like(alike), apart), worth)

    def value(starts: tuple[int, ...]) -> float:
        edges = [0, *starts, count]
        total = sum(seams[at] for at in starts)
        for start, end in pairwise(edges):
            length = end - start
            total += _WORTH.length * log(length) + _WORTH.alone * (length == 1)
            total += _WORTH.pair * (length == 2)
            total += sum(
                float(alike[at, back - 1])
                for at in range(start, end)
                for back in range(1, TIED + 1)
                if at - back >= start
            )
            pairs = combinations(range(start, end), 2)
            whole = sum(float(apart[one] @ apart[other]) for one, other in pairs)
            total += worth.whole * whole / length
        return total

    places = range(1, count)
    best = max((one for few in range(count) for one in combinations(places, few)), key=value)
    assert tuple(found.starts) == best
    assert found.gain == pytest.approx(value(best) - value(()))
    without = [value(tuple(one for one in best if one != at)) for at in best]
    assert list(found.clearness) == pytest.approx([value(best) - one for one in without])
