"""Settings, Memory: every field changes what it says it changes."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.modeltest import ModelTester
from pytestqt.qtbot import QtBot

from desktop.domain.facts import Retention
from desktop.ui.dialogs.settings.memory_page import MemoryPage, PairsModel, PairsTable
from desktop.ui.dialogs.settings.settings_controller import SettingsController
from desktop.ui.widgets.fields import NumberField, WrappingCheckBox


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
    for setting in ("uses_memory", "uses_past_sessions", "is_lite"):
        page.field(setting, WrappingCheckBox).click()
    settings = changes.settings
    assert (settings.uses_memory, settings.uses_past_sessions) == (False, False)
    assert settings.is_lite


def test_summaries_stand_for_as_many_messages_as_the_model_suggests_or_the_user(
    page: MemoryPage, changes: SettingsController
) -> None:
    after = page.field("compact_after", NumberField)
    assert after.text() == "Based on the model’s size"
    after.setValue(60)
    page.field("history_items", NumberField).setValue(12)
    assert (changes.settings.compact_after, changes.settings.history_items) == (60, 12)
    after.setValue(after.minimum())
    assert changes.settings.compact_after == 0


def test_what_is_said_of_oneself_is_written_changed_and_taken_out(
    page: MemoryPage, changes: SettingsController
) -> None:
    write(page.variables.table, 0, "Meslek", "Hekim")
    write(page.variables.table, 1, "Birim", "mg/dL")
    assert changes.settings.variables == {"Meslek": "Hekim", "Birim": "mg/dL"}
    write(page.variables.table, 0, "Meslek", "Endokrinolog")
    assert changes.settings.variables["Meslek"] == "Endokrinolog"
    page.variables.table.setCurrentIndex(page.variables.table.model().index(1, 0))
    QTest.keyClick(page.variables.table, Qt.Key.Key_Delete)
    assert changes.settings.variables == {"Meslek": "Endokrinolog"}


def test_topics_have_hours_of_their_own(page: MemoryPage, changes: SettingsController) -> None:
    write(page.retention.table, 0, "sağlık*", "720")
    assert changes.settings.retention == (Retention("sağlık*", 720),)
    write(page.retention.table, 0, "sağlık*", "bir ay")
    assert changes.settings.retention == (Retention("sağlık*", 720),)
    assert "number of hours" in page.retention.problem.text()
    page.retention.table.setCurrentIndex(page.retention.table.model().index(0, 0))
    page.retention.remove_button.click()
    assert not changes.settings.retention


def test_more_than_a_request_takes_is_refused(
    page: MemoryPage, changes: SettingsController
) -> None:
    write(page.variables.table, 0, "Meslek", "x" * 201)
    assert changes.settings.variables == {}
    assert page.variables.problem.isVisible()


def test_it_leads_to_the_memory(page: MemoryPage, qtbot: QtBot) -> None:
    with qtbot.waitSignal(page.memory_asked):
        page._open.click()


def test_the_model_keeps_its_promises(qtmodeltester: ModelTester) -> None:
    pairs = PairsModel(lambda _column, _text: True)
    pairs.show_pairs([("a", "b")])
    qtmodeltester.check(pairs)  # type: ignore[no-untyped-call]
