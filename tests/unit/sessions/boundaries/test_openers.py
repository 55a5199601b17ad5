"""What a message's meaning alone, and what comes after it, say of where a subject begins."""

import numpy as np
import pytest

from desktop.domain.embedding import Embedder
from desktop.sessions.boundaries.coherence import goes_on
from desktop.sessions.boundaries.opener_classifier import opening


@pytest.mark.parametrize(
    ("opener", "follow_up"),
    [
        ("Ehliyetimi nasıl yenilerim?", "ne kadar sürer"),
        ("Balkona hangi sardunyayı dikeyim?", "suyu çok mu ister"),
        ("How do I get candle wax off a tablecloth?", "does that work on wool"),
        ("Who invented the saxophone?", "and how old was he"),
    ],
)
def test_a_first_question_reads_more_like_one_than_a_later_one(
    opener: str, follow_up: str, by_meaning: Embedder
) -> None:
    first, later = opening(by_meaning.passages([opener, follow_up]), by_meaning.name)
    assert first > later + 1


def test_of_a_model_of_which_nothing_is_known_nothing_is_said(by_meaning: Embedder) -> None:
    assert opening(by_meaning.passages(["Who invented it?", "Ne zaman?"]), "another") == [0, 0]


def test_an_answer_goes_on_with_its_question_rather_than_with_another(
    by_meaning: Embedder,
) -> None:
    question, another = "do you have any pets ?", "what did you cook last night ?"
    answer = "yes , two cats and an old dog ."
    _, own = goes_on(by_meaning.passages([question, answer]), 1)
    _, other = goes_on(by_meaning.passages([another, answer]), 1)
    assert own > other


def test_nothing_goes_on_where_nothing_was_said_before() -> None:
    assert goes_on(np.ones((1, 512), np.float32), 3) == [0.0]
