"""Words of a query against words of messages: exact forms, endings, neighbours, length."""

from collections.abc import Sequence

import pytest

from desktop.language.normalization import words
from desktop.recall.bm25 import (
    QueryWord,
    RelevanceCandidate,
    RelevanceFloor,
    Scorer,
    weighted_length,
)

ARCHIVE = 1_000
USUAL = 100.0


def score(query: str, text: str, *around: str, usual: float = USUAL) -> float:
    scorer = Scorer([QueryWord(word.text, 10) for word in words(query)], ARCHIVE)
    return scorer.score(
        scorer.counts(text),
        [scorer.counts(other) for other in around],
        weighted_length(len(text), [len(other) for other in around]),
        usual,
    )


def test_a_word_within_another_is_not_found() -> None:
    assert score("gece", "geceleyin") > 0
    assert score("gece", "bugece") == 0


def test_a_text_with_all_the_words_beats_one_that_repeats_some() -> None:
    both = score("sabah insülin", "sabah yapılan insülin")
    one = score("sabah insülin", "sabah sabah sabah sabah")
    assert both > one


def test_a_rare_word_weighs_more_than_a_common_one() -> None:
    scorer = Scorer([QueryWord("yaygin", 900), QueryWord("nadir", 2)], ARCHIVE)
    common = scorer.score(scorer.counts("yaygın"), [], 6, USUAL)
    rare = scorer.score(scorer.counts("nadir"), [], 6, USUAL)
    assert rare > 5 * common > 0


def test_a_message_is_found_by_the_words_of_those_beside_it() -> None:
    alone = score("tatil", "Evet, iki hafta.")
    beside = score("tatil", "Evet, iki hafta.", "Tatil ne kadar sürecek?")
    assert alone == 0
    assert 0 < beside < score("tatil", "Tatil ne kadar sürecek?")


# Automatic recall needs relevant passages; a search alone always finds something


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
