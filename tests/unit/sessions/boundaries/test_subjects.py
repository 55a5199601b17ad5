"""What a message is about, told apart from what it does with it."""

import numpy as np
import pytest

from desktop.domain.embedding import Embedder
from desktop.sessions.boundaries.subject_similarity import about

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
def test_a_question_on_the_subject_is_nearer_to_it_than_one_that_is_asked_alike(
    said: tuple[str, ...], same: str, other: str, by_meaning: Embedder
) -> None:
    near, far = (
        about(by_meaning.passages([*said, one, one]), len(said), by_meaning.name)
        for one in (same, other)
    )
    assert near["about"] > far["about"] + 0.1


def test_what_comes_after_counts_as_a_whole_too(by_meaning: Embedder) -> None:
    answer = "Günde iki kez, bir avuç kadar."
    asked = "Kedi maması ne kadar verilir?"
    vectors = by_meaning.passages([*_TAXES, asked, answer, f"{asked} {answer}"])
    alone = about(by_meaning.passages([*_TAXES, asked, asked]), 2, by_meaning.name)
    found = about(vectors, 2, by_meaning.name)
    assert found["about"] == pytest.approx(alone["about"])
    assert found["about_all"] != pytest.approx(alone["about_all"])


def test_of_a_model_of_which_nothing_is_known_nothing_is_said() -> None:
    assert set(about(np.ones((3, 7), np.float32), 1, "another").values()) == {0.0}
