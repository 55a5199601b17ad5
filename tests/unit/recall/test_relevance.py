"""Automatic recall needs relevant passages; a search alone always finds something."""

from collections.abc import Sequence

import pytest

from desktop.recall.bm25 import QueryWord, RelevanceCandidate, RelevanceFloor

TERMS = (QueryWord("somogyi", 3), QueryWord("etkisi", 40))
ANSWER = "Somogyi etkisi gece düşüşünden sonra gelir."


def chosen(*several: tuple[str, float | None], messages: int = 1_000) -> Sequence[int]:
    return RelevanceFloor(TERMS, messages).choose([RelevanceCandidate(*one) for one in several])


def test_the_nearest_of_unrelated_texts_is_left_out() -> None:
    assert chosen(("Roma betonu kireçle yapılır.", 0.3), ("Ekşi maya.", 0.25)) == []


def test_the_nearest_hit_is_kept_and_distant_ones_are_dropped() -> None:
    near = ("Gece ölçülen şeker bunu ayırır.", 0.45)
    assert chosen((ANSWER, 0.6), near, ("Ekşi maya.", 0.25)) == [0, 1]


def test_a_larger_archive_needs_a_higher_similarity() -> None:
    near = ("Gece ölçülen şeker bunu ayırır.", 0.45)
    assert chosen(near) == [0]
    assert chosen(near, messages=1_000_000) == []


def test_without_vectors_the_words_decide() -> None:
    assert chosen((ANSWER, None)) == [0]
    assert chosen(("Ay etkisi.", None)) == []


@pytest.mark.parametrize("nearness", [None, 0.25])
@pytest.mark.parametrize("word", ["test", "file", "option", "sayfalar"])
def test_a_shared_everyday_word_makes_nothing_relevant(word: str, nearness: float | None) -> None:
    floor = RelevanceFloor([QueryWord(word, 0)], 1_000)
    assert floor.choose([RelevanceCandidate(f'<{word} name="lang">', nearness)]) == []


@pytest.mark.parametrize("words", [["satranc"], ["insulin", "test"], ["tax", "return"]])
def test_a_rare_word_or_all_of_several_make_a_text_relevant(words: Sequence[str]) -> None:
    floor = RelevanceFloor([QueryWord(word, 0) for word in words], 1_000)
    assert floor.choose([RelevanceCandidate(" ".join(words))]) == [0]
