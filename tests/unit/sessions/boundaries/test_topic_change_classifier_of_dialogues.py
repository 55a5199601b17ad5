"""Where the topic shifts inside a conversation."""

from datetime import UTC, datetime, timedelta
from itertools import accumulate, chain, combinations, pairwise
from math import log

import numpy as np
import pytest
from session_boundaries import Boundary, BoundaryReason, DialogueLine
from topic_segmentation import (
    TIED,
    Cohesion,
    SegmentWeights,
    find_boundaries,
    segment_topics,
    word_ties,
)

from desktop.domain.messages import Role
from desktop.domain.search import Embedder
from desktop.language.intents import PhraseLists
from tests.unit.sessions.boundaries.dialogues import DIALOGUES, spoken

_CHAT = """
hi ! do you like turtles ?
i am much more of a cat person actually
i have a turtle , his name is speedy . cats are nice too
that is an adorable name for a turtle . i have two cats
what are the names of your cats ?
snow and winter , named after my favourite season
i like that . so what do you do for work ?
i teach mathematics at a high school in the city
teaching must be hard . how long have you been a teacher ?
about ten years , i love my students at school
""".strip().splitlines()


def test_a_topic_change_in_small_talk_is_found(
    lists: PhraseLists, embedder: Embedder | None
) -> None:
    assert 7 in [one.number for one in find_boundaries(spoken(*_CHAT), lists, embedder)]


def test_most_seams_between_stitched_dialogues_are_found(
    lists: PhraseLists, by_meaning: Embedder
) -> None:
    found = 0
    for one, other in pairwise(DIALOGUES[:25]):
        seam = len(one.said[:6]) + 1
        stitched = [*one.said[:6], *other.said[:6]]
        found += seam in [shift.number for shift in find_boundaries(stitched, lists, by_meaning)]
    assert found >= 20


@pytest.mark.parametrize(
    ("first", "least", "precision"),
    [(0, 27, 0.75), (1, 24, 0.6)],
    ids=["by turns", "where the turns do not show it"],
)
def test_in_a_long_conversation_few_boundaries_beside_the_seams_are_found(
    first: int, least: int, precision: float, lists: PhraseLists, by_meaning: Embedder
) -> None:
    found = right = 0
    for start in range(0, 50, 5):
        parts = [one.said[first:] for one in DIALOGUES[start : start + 5]]
        seams = {one + 1 for one in accumulate(map(len, parts[:-1]))}
        said = spoken(*(one.text for one in chain(*parts)))
        numbers = {one.number for one in find_boundaries(said, lists, by_meaning)}
        found += len(numbers)
        right += len(numbers & seams)
    assert right >= least  # of 40; each seam judged for itself: 13 where the turns do not show it
    assert right >= precision * found


@pytest.mark.parametrize("texts", [(), _CHAT[:1], ("", "…", "", "?!")])
def test_without_earlier_messages_or_words_there_is_no_topic_change(
    texts: list[str], lists: PhraseLists, embedder: Embedder | None
) -> None:
    assert find_boundaries(spoken(*texts), lists, embedder) == []


def test_an_announced_topic_is_a_shift_and_says_so(lists: PhraseLists) -> None:
    said = spoken(*_CHAT[:4], "New topic: what are the names of your cats?")
    assert Boundary(5, BoundaryReason.ANNOUNCED, "New topic") in find_boundaries(said, lists, None)


def test_a_pause_makes_a_topic_change_more_likely(lists: PhraseLists) -> None:
    at = datetime(2026, 3, 1, 9, tzinfo=UTC)

    def said(pause: timedelta) -> list[DialogueLine]:
        before = [DialogueLine(one.role, one.text, at) for one in spoken(*_CHAT[:6])]
        return [*before, DialogueLine(Role.USER, "my garden is full of weeds again", at + pause)]

    assert find_boundaries(said(timedelta(minutes=1)), lists, None) == []
    assert [one.number for one in find_boundaries(said(timedelta(days=2)), lists, None)] == [7]


# A conversation on several subjects is divided by judging all seams together


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
