"""A conversation on several subjects is divided by judging all seams together."""

from itertools import combinations, pairwise
from math import log

import numpy as np
import pytest

from desktop.sessions.boundaries.topic_segmentation import (
    TIED,
    Cohesion,
    SegmentWeights,
    segment_topics,
    word_ties,
)

_WORTH = SegmentWeights(likeness=1.0, words=0.5, whole=0.0, alone=-2.0, pair=-2.0, length=0.5)


def test_a_part_ends_when_its_vocabulary_changes() -> None:
    said = ["cat food", "food dry", "cat dry", "rent flat", "flat lease", "rent lease"]
    words = word_ties([one.split() for one in said])
    ties = Cohesion(np.zeros_like(words), words, np.zeros((len(said), 1), np.float32))
    assert list(segment_topics([0.2] * len(said), ties, _WORTH).starts) == [3]


def test_the_best_of_all_cuts_is_found() -> None:
    drawn = np.random.default_rng(1)
    count = 9
    alike = np.tril(drawn.normal(size=(count, TIED)), -1).astype(np.float32)
    seams = [float(one) for one in drawn.normal(size=count)]
    apart = drawn.normal(size=(count, 3)).astype(np.float32)
    worth = _WORTH._replace(whole=0.7)
    found = segment_topics(seams, Cohesion(alike, np.zeros_like(alike), apart), worth)

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
