"""Words of a query against words of messages: exact forms, endings, neighbours, length."""

from desktop.language.normalization import words
from desktop.recall.bm25 import QueryWord, Scorer, weighted_length

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
