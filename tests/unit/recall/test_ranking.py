"""Which results are listed for a query, and in which order."""

import pytest

from desktop.domain.ids import MessageId, SessionId
from desktop.recall.bm25 import QueryWord, Scorer
from desktop.recall.ranking import Ranked, lift_answers, rank
from desktop.storage.search.message_index import IndexedMessage


def passage(number: int, content: str) -> IndexedMessage:
    """A passage in a session of its own."""
    return IndexedMessage(MessageId(number), SessionId(f"s{number}"), 1, content, "user", None)


def ranked(*contents: str) -> list[Ranked]:
    """Each as good as the one before."""
    return [Ranked(passage(n, content), 1.0) for n, content in enumerate(contents, 1)]


def test_a_message_without_words_or_similar_meaning_is_not_listed() -> None:
    nearness = {MessageId(1): 1.0, MessageId(2): 0.6, MessageId(3): 0.2, MessageId(4): 0.1}
    passages = [passage(n, f"söz {n}") for n in (1, 2, 3)] + [passage(4, "araba")]
    listed = rank(passages, Scorer([QueryWord("araba", 1)], 100), nearness)
    assert {one.passage.id for one in listed} == {1, 2, 4}


@pytest.mark.parametrize(
    ("question", "asks", "answers"),
    [
        ("Where did Nora park?", "where did you park, Nora?", "behind the bakery, as always"),
        ("Saksıyı nereye koyduk?", "saksıyı nereye koyalım?", "kilerin penceresine"),
    ],
)
def test_an_answer_goes_before_the_question_that_it_answers(
    question: str, asks: str, answers: str
) -> None:
    assert [one.passage.content for one in lift_answers(ranked(asks, answers), question)] == [
        answers,
        asks,
    ]


@pytest.mark.parametrize(
    ("question", "other", "answer"),
    [
        ("How many hens does Nora keep?", "my hens lay well", "i keep seven hens"),
        ("Nora kaç tavuk besliyor?", "tavuklar iyi yumurtluyor", "yedi tavuk besliyorum"),
        ("When did Nora move?", "i moved with two cats in a van", "we moved last spring"),
        ("Nora ne zaman taşındı?", "kedilerle taşındım", "geçen ilkbahar taşındık"),
    ],
)
def test_a_number_answers_how_many_and_a_time_when(question: str, other: str, answer: str) -> None:
    assert lift_answers(ranked(other, answer), question)[0].passage.content == answer
