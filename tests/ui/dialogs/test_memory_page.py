"""Settings, Memory: every field changes what it says it changes."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.modeltest import ModelTester
from pytestqt.qtbot import QtBot

from desktop.domain.facts import Retention
from desktop.ui.dialogs.settings.memory_page import MemoryPage, PairsModel, PairsTable
from desktop.ui.dialogs.settings.settings_controller import SettingsController


@pytest.fixture
def page(qtbot: QtBot, changes: SettingsController) -> MemoryPage:
    made = MemoryPage(changes)
    qtbot.addWidget(made)
    made.show()
    return made


def write(table: PairsTable, row: int, *words: str) -> None:
    model = table.model()
    for column, text in enumerate(words):
        model.setData(model.index(row, column), text)


def test_memory_can_be_switched_off_and_halved(
    page: MemoryPage, changes: SettingsController
) -> None:
    for box in (page._uses, page._past, page._lite):
        box.click()
    settings = changes.settings
    assert (settings.uses_memory, settings.uses_past_sessions) == (False, False)
    assert settings.is_lite


def test_summaries_stand_for_as_many_messages_as_the_model_suggests_or_the_user(
    page: MemoryPage, changes: SettingsController
) -> None:
    assert page._after.text() == "Based on the model’s size"
    page._after.setValue(60)
    page._items.setValue(12)
    assert (changes.settings.compact_after, changes.settings.history_items) == (60, 12)
    page._after.setValue(page._after.minimum())
    assert changes.settings.compact_after == 0


def test_what_is_said_of_oneself_is_written_changed_and_taken_out(
    page: MemoryPage, changes: SettingsController
) -> None:
    write(page._variables, 0, "Meslek", "Hekim")
    write(page._variables, 1, "Birim", "mg/dL")
    assert changes.settings.variables == {"Meslek": "Hekim", "Birim": "mg/dL"}
    write(page._variables, 0, "Meslek", "Endokrinolog")
    assert changes.settings.variables["Meslek"] == "Endokrinolog"
    page._variables.setCurrentIndex(page._variables.model().index(1, 0))
    QTest.keyClick(page._variables, Qt.Key.Key_Delete)
    assert changes.settings.variables == {"Meslek": "Endokrinolog"}


def test_topics_have_hours_of_their_own(page: MemoryPage, changes: SettingsController) -> None:
    write(page._retention, 0, "sağlık*", "720")
    assert changes.settings.retention == (Retention("sağlık*", 720),)
    write(page._retention, 0, "sağlık*", "bir ay")
    assert changes.settings.retention == (Retention("sağlık*", 720),)
    assert "number of hours" in page._kept_problem.text()
    page._retention.setCurrentIndex(page._retention.model().index(0, 0))
    page._drop_retention.click()
    assert not changes.settings.retention


def test_more_than_a_request_takes_is_refused(
    page: MemoryPage, changes: SettingsController
) -> None:
    write(page._variables, 0, "Meslek", "x" * 201)
    assert changes.settings.variables == {}
    assert page._about_problem.isVisible()


def test_it_leads_to_the_memory(page: MemoryPage, qtbot: QtBot) -> None:
    with qtbot.waitSignal(page.memory_asked):
        page._open.click()


def test_the_model_keeps_its_promises(qtmodeltester: ModelTester) -> None:
    pairs = PairsModel(lambda _column, _text: True)
    pairs.show_pairs([("a", "b")])
    qtmodeltester.check(pairs)  # type: ignore[no-untyped-call]
