"""Settings, Instructions: whom one talks with, and what is kept to in every session."""

import pytest
from PySide6.QtCore import Qt
from pytestqt.modeltest import ModelTester
from pytestqt.qtbot import QtBot

from desktop.settings.settings import OWN_PERSONA, StandingInstruction
from desktop.ui.dialogs.settings.instructions_page import InstructionsPage
from desktop.ui.dialogs.settings.settings_controller import SettingsController

PERSONAS = {"butler": "You are a butler.", "research": "You are an assistant."}
CHECK = Qt.ItemDataRole.CheckStateRole


@pytest.fixture
def page(qtbot: QtBot, changes: SettingsController) -> InstructionsPage:
    made = InstructionsPage(changes, lambda: PERSONAS)
    qtbot.addWidget(made)
    made.show()
    return made


def write(page: InstructionsPage, row: int, text: str) -> bool:
    return page.model.setData(page.model.index(row), text)


def test_instructions_are_written_switched_off_moved_and_taken_out(
    page: InstructionsPage, changes: SettingsController
) -> None:
    write(page, 0, "Kısa yaz")
    write(page, 1, "  Birimler   SI olsun ")
    assert changes.settings.instructions == (
        StandingInstruction("Kısa yaz"),
        StandingInstruction("Birimler SI olsun"),
    )
    page.model.setData(page.model.index(0), Qt.CheckState.Unchecked, CHECK)
    page._list.setCurrentIndex(page.model.index(0))
    page._down.click()
    assert changes.settings.instructions == (
        StandingInstruction("Birimler SI olsun"),
        StandingInstruction("Kısa yaz", is_on=False),
    )
    page._drop.click()
    assert [one.text for one in changes.settings.instructions] == ["Birimler SI olsun"]


def test_what_is_too_long_is_refused_and_said(
    page: InstructionsPage, changes: SettingsController
) -> None:
    assert not write(page, 0, "x" * 1_001)
    assert page._problem.text()
    assert changes.settings.instructions == ()
    write(page, 0, "kısa")
    assert not page._problem.text()


def test_a_character_is_chosen_and_shown_in_its_words(
    page: InstructionsPage, changes: SettingsController
) -> None:
    assert page._persona_text.text() == "You are an assistant."
    page._persona.activated.emit(page._names.index("butler"))
    assert changes.settings.persona == "butler"
    assert page._persona_text.text() == "You are a butler."
    assert page._own.isHidden()


def test_a_character_of_ones_own_is_kept_when_its_field_is_left(
    page: InstructionsPage, changes: SettingsController, qtbot: QtBot
) -> None:
    page._persona.activated.emit(page._names.index(OWN_PERSONA))
    assert not page._own.isHidden()
    page._apply_own("Sen Bellek'sin, bir gemicisin.")
    assert changes.settings.own_persona == "Sen Bellek'sin, bir gemicisin."
    page._apply_own("x" * 5_000)
    assert page._own_problem.text()
    assert changes.settings.own_persona.startswith("Sen")


def test_the_model_keeps_to_the_rules_of_models(
    page: InstructionsPage, qtmodeltester: ModelTester
) -> None:
    write(page, 0, "Kısa yaz")
    qtmodeltester.check(page.model)  # type: ignore[no-untyped-call]
