"""How much work a question gets, as it is chosen below the field."""

import pytest
from pytestqt.qtbot import QtBot

from desktop.domain.tiers import Tier
from desktop.ui.composer.tier_choice import TierChoice


@pytest.fixture
def choice(qtbot: QtBot) -> TierChoice:
    made = TierChoice()
    qtbot.addWidget(made)
    return made


def test_nothing_is_chosen_until_somebody_does(choice: TierChoice) -> None:
    assert choice.take() is None
    assert choice.text() == "Automatic"


def test_a_choice_stays_and_is_given_up_by_choosing_it_again(choice: TierChoice) -> None:
    choice.choose(Tier.QUICK)
    assert [choice.take(), choice.take()] == [Tier.QUICK, Tier.QUICK]
    choice.choose(Tier.QUICK)
    assert choice.take() is None


def test_deep_is_for_one_question(choice: TierChoice, qtbot: QtBot) -> None:
    with qtbot.waitSignal(choice.changed):
        choice.choose(Tier.DEEP)
    assert choice.take() is Tier.DEEP
    assert choice.tier is None
