"""What stands above what where all have the words of a question."""

import pytest

from desktop.domain.ids import MessageId, SessionId
from desktop.recall.ranking import Ranked, lift_answers
from desktop.storage.index import IndexedMessage


def ranked(*contents: str) -> list[Ranked]:
    """Each as good as the one before."""
    return [
        Ranked(IndexedMessage(MessageId(n), SessionId("s"), n, content, "user", None), 1.0)
        for n, content in enumerate(contents, 1)
    ]


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
