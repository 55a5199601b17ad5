"""What embeddings show about a new subject: openers, coherence, subjects."""

import numpy as np
import pytest

from desktop.domain.search import Embedder
from desktop.sessions.conversation.topic_change_classifier import about, opening


@pytest.mark.parametrize(
    ("opener", "follow_up"),
    [
        ("Ehliyetimi nasıl yenilerim?", "ne kadar sürer"),
        ("Balkona hangi sardunyayı dikeyim?", "suyu çok mu ister"),
        ("How do I get candle wax off a tablecloth?", "does that work on wool"),
        ("Who invented the saxophone?", "and how old was he"),
    ],
)
def test_a_first_question_scores_higher_as_an_opening_than_a_later_one(
    opener: str, follow_up: str, by_meaning: Embedder
) -> None:
    first, later = opening(by_meaning.passages([opener, follow_up]), by_meaning.name)
    assert first > later + 1


def test_an_unknown_model_gives_no_opinion(by_meaning: Embedder) -> None:
    assert opening(by_meaning.passages(["Who invented it?", "Ne zaman?"]), "another") == [0, 0]
    assert set(about(np.ones((3, 7), np.float32), 1, "another").values()) == {0.0}


_TAXES = (
    "Emlak vergisi ne zaman ödenir?",
    "Mayıs ve kasım aylarında iki taksitle belediyeye ödenir.",
)


@pytest.mark.parametrize(
    ("said", "same", "other"),
    [
        (_TAXES, "Gecikirsem ceza ne kadar?", "Kedi maması ne kadar verilir?"),
        (_TAXES, "Kaç taksit var?", "Keman kaç yaşında başlanır?"),
        (
            ("How do I prune roses?", "In late winter, cut to an outward facing bud."),
            "When should I feed them?",
            "How do I renew my passport?",
        ),
    ],
)
def test_a_question_on_the_subject_is_nearer_than_one_with_the_same_form(
    said: tuple[str, ...], same: str, other: str, by_meaning: Embedder
) -> None:
    near, far = (
        about(by_meaning.passages([*said, one, one]), len(said), by_meaning.name)
        for one in (same, other)
    )
    assert near["about"] > far["about"] + 0.1
