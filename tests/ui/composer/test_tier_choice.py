"""How much work a question gets, as it is chosen below the field."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from desktop.domain.tiers import Tier
from desktop.ui.composer.controls import TierChoice


@pytest.fixture
def choice(qtbot: QtBot) -> TierChoice:
    made = TierChoice()
    qtbot.addWidget(made)
    made.show()
    return made


def shown(choice: TierChoice) -> list[str]:
    return [button.text() for button in choice.stops if button.isVisible()]


def chosen(choice: TierChoice) -> str:
    (found,) = [button.text() for button in choice.stops if button.isChecked()]
    return found


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


def test_all_choices_stand_side_by_side_and_one_is_pressed(choice: TierChoice) -> None:
    assert shown(choice) == ["Automatic", "Quick", "Research", "Deep"]
    QTest.mouseClick(choice.stops[2], Qt.MouseButton.LeftButton)
    assert choice.tier is Tier.RESEARCH
    assert chosen(choice) == "Research"


def test_the_arrow_keys_go_from_one_choice_to_the_next(choice: TierChoice) -> None:
    choice.stops[0].setFocus()
    QTest.keyClick(choice.stops[0], Qt.Key.Key_Right)
    assert (choice.tier, chosen(choice)) == (Tier.QUICK, "Quick")


def test_where_there_is_no_room_the_chosen_one_stands_for_all(choice: TierChoice) -> None:
    choice.choose(Tier.QUICK)
    choice.fit(choice.sizeHint().width() - 1)
    assert shown(choice) == ["Quick"]
    choice.fit(10_000)
    assert len(shown(choice)) == len(Tier) + 1
