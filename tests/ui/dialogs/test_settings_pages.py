"""The pages of the settings: every field changes its setting."""

import json
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QCheckBox, QLineEdit, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from desktop.domain.changes import Change
from desktop.domain.facts import Retention
from desktop.domain.language import Language
from desktop.domain.projects import ProjectId
from desktop.domain.times import utc_now
from desktop.domain.web import Contact, ContactOutcome, ContactPurpose
from desktop.research.library import ImportedPage
from desktop.research.tools.tool import Parameter, Tool, ToolOutput
from desktop.sessions.browser_button import BrowserPort, SeenPage
from desktop.settings.keys import MemoryKeys
from desktop.settings.messages import Texts
from desktop.settings.paths import Paths, ProfilePaths
from desktop.settings.programs import CallOutcome, ProgramCall, ProgramCalls, ProgramHost
from desktop.settings.settings import LONGEST_PERSONA, StandingInstruction, ToolSwitch, WebSearch
from desktop.settings.settings_schema import MOST_INSTRUCTIONS
from desktop.ui.dialogs.files import FolderDialog
from desktop.ui.dialogs.information_dialogs import WebLogDialog
from desktop.ui.services import ModelServices
from desktop.ui.settings.privacy_page import PrivacyPage
from desktop.ui.settings.programs_page import ProgramsPage
from desktop.ui.settings.setting_rows import EditableTable, parse_hosts
from desktop.ui.settings.text_pages import (
    InstructionsPage,
    MemoryPage,
    PhrasesPage,
    ResearchPage,
    ToolsPage,
)
from desktop.ui.settings_controller import SettingsController
from desktop.ui.turn_bridge import TurnBridge
from desktop.ui.widgets.fields import EnumComboBox, NumberField, RadioGroup, TextArea
from tests.narrowing import present
from tests.ui.dialogs.stand_ins import PHRASES, button, choose, field_of, shown, texts


@pytest.fixture
def page(qtbot: QtBot, changes: SettingsController) -> MemoryPage:
    return shown(qtbot, MemoryPage(changes))


def write(table: EditableTable, row: int, *words: str) -> None:
    model = table.model()
    for column, text in enumerate(words):
        model.setData(model.index(row, column), text)


def test_details_about_the_user_are_added_changed_and_removed(
    page: MemoryPage, changes: SettingsController
) -> None:
    write(page.variables, 0, "Meslek", "Hekim")
    write(page.variables, 1, "Birim", "mg/dL")
    assert changes.settings.variables == {"Meslek": "Hekim", "Birim": "mg/dL"}
    write(page.variables, 0, "Meslek", "Endokrinolog")
    assert changes.settings.variables["Meslek"] == "Endokrinolog"
    page.variables.setCurrentCell(1, 0)
    QTest.keyClick(page.variables, Qt.Key.Key_Delete)
    assert changes.settings.variables == {"Meslek": "Endokrinolog"}


def test_each_topic_has_its_own_hours(page: MemoryPage, changes: SettingsController) -> None:
    write(page.retention, 0, "sağlık*", "720")
    assert changes.settings.retention == (Retention("sağlık*", 720),)
    write(page.retention, 0, "sağlık*", "bir ay")
    assert changes.settings.retention == (Retention("sağlık*", 720),)
    assert "number of hours" in "\n".join(texts(page))
    page.retention.setCurrentCell(0, 0)
    page.retention.remove_current()
    assert not changes.settings.retention


def test_more_than_a_request_takes_is_refused(
    page: MemoryPage, changes: SettingsController
) -> None:
    write(page.variables, 0, "Meslek", "x" * 201)
    assert changes.settings.variables == {}
    assert "You can add up to 20 values of up to 200 characters each." in texts(page)


def test_it_leads_to_the_memory(page: MemoryPage, qtbot: QtBot) -> None:
    with qtbot.waitSignal(page.memory_asked):
        button(page, "Open memory…").click()


def test_the_empty_row_says_what_it_is_for(page: MemoryPage) -> None:
    model = page.variables.model()
    assert model.index(0, 0).data() == "New, e.g. Profession"
    assert model.index(0, 0).data(Qt.ItemDataRole.EditRole) == ""


AT = datetime(2026, 5, 3, 10, tzinfo=UTC)


@pytest.fixture
def research(qtbot: QtBot, changes: SettingsController) -> ResearchPage:
    return shown(qtbot, ResearchPage(changes))


class Log:
    def __init__(self) -> None:
        self.kept = [
            Contact(AT, ContactPurpose.PAGE, "https://example.org/a", ContactOutcome.OK),
            Contact(AT, ContactPurpose.SEARCH, "https://duck.example", ContactOutcome.FAILED),
        ]

    def contacts(self) -> Sequence[Contact]:
        return self.kept

    def clear(self) -> Change[Sequence[Contact]]:
        cleared, self.kept = self.kept, []

        def undo() -> Sequence[Contact]:
            self.kept = cleared
            return cleared

        return Change(cleared, undo)


def web_log(log: Log, bridge: TurnBridge) -> WebLogDialog:
    return WebLogDialog(log.contacts, log.clear, bridge, lambda: Texts(Language.EN))


def test_a_searxng_of_the_user_needs_an_address(
    research: ResearchPage, changes: SettingsController
) -> None:
    address = field_of(research, "searxng_address", QLineEdit)
    problem = "Enter an address starting with http:// or https://."
    assert not address.isVisibleTo(research)
    field_of(research, "web_search", RadioGroup).chosen.emit(WebSearch.SEARXNG)
    assert address.isVisibleTo(research)
    address.setText("nonsense")
    address.editingFinished.emit()
    assert problem in texts(research)
    address.setText("https://searx.example.org/")
    address.editingFinished.emit()
    assert changes.settings.searxng_address == "https://searx.example.org"
    assert problem not in texts(research)


def test_an_address_for_crossref_has_to_be_one(
    research: ResearchPage, changes: SettingsController
) -> None:
    address = field_of(research, "literature_mail", QLineEdit)
    problem = "Enter an e-mail address such as ada@example.org, or leave it empty."
    for typed, stored in (("ada", ""), ("ada@example.org", "ada@example.org"), ("", "")):
        address.setText(typed)
        address.editingFinished.emit()
        assert changes.settings.literature_mail == stored
        assert (problem in texts(research)) is (typed == "ada")


def test_automatic_backups_are_set_in_privacy(
    qtbot: QtBot, changes: SettingsController, services: ModelServices, tmp_path: Path
) -> None:
    privacy = shown(qtbot, PrivacyPage(changes, services, ProfilePaths(tmp_path), tmp_path))
    field_of(privacy, "backs_up", QCheckBox).click()
    assert not changes.settings.backs_up
    folder = field_of(privacy, "backup_folder", QLineEdit)
    folder.setText("stick/backups")
    folder.editingFinished.emit()
    assert "Enter the full path of the folder." in texts(privacy)
    assert changes.settings.backup_folder == ""
    button(privacy, "Choose folder…").click()
    (dialog,) = privacy.findChildren(FolderDialog)
    dialog.filesSelected.emit([str(tmp_path)])
    dialog.close()
    assert changes.settings.backup_folder == folder.text() == str(tmp_path)
    for setting, kept in {"backup_days": 3, "backup_weeks": 2, "backup_months": 0}.items():
        field_of(privacy, setting, NumberField).setValue(kept)
        assert getattr(changes.settings, setting) == kept


def test_hosts_are_read_however_they_are_written() -> None:
    typed = "https://A.example.org/x, b.org\n\nb.org;c.net."
    assert parse_hosts(typed) == ("a.example.org", "b.org", "c.net")


def test_a_tool_is_switched_off_and_set_to_ask(qtbot: QtBot, changes: SettingsController) -> None:
    tools = [Tool("recall", [Parameter("words")], lambda _, __: ToolOutput(""))]
    page = shown(qtbot, ToolsPage(changes, lambda: tools))
    is_on, asks = page.findChildren(QCheckBox)
    asks.click()
    assert changes.settings.tools["recall"] == ToolSwitch(is_on=True, asks_first=True)
    is_on.click()
    assert changes.settings.tools["recall"] == ToolSwitch(is_on=False, asks_first=True)
    assert not asks.isEnabled()


def test_every_address_is_listed_and_the_list_can_be_cleared(
    qtbot: QtBot, bridge: TurnBridge
) -> None:
    dialog = shown(qtbot, web_log(Log(), bridge))
    rows = [dialog._table.topLevelItem(place) for place in range(2)]
    assert [one.text(column) for one in rows if one for column in (1, 2, 3)] == [
        "Page",
        "https://example.org/a",
        "loaded",
        "Search",
        "https://duck.example",
        "no answer",
    ]
    button(dialog, "Clear the list").click()
    assert dialog._table.topLevelItemCount() == 0
    assert dialog._table.isHidden()
    assert dialog._words.text() == "The list was cleared."
    button(dialog, "Undo").click()
    assert dialog._table.topLevelItemCount() == 2
    assert dialog._undo.isHidden()


def test_an_empty_list_of_addresses_says_so_below_its_title(
    qtbot: QtBot, bridge: TurnBridge
) -> None:
    log = Log()
    log.clear()
    dialog = web_log(log, bridge)
    qtbot.addWidget(dialog)
    dialog.resize(600, 600)
    dialog.show()
    assert texts(dialog) == ["Contacted addresses", "No web addresses have been contacted."]
    qtbot.waitUntil(lambda: dialog._words.geometry().bottom() < dialog.height() // 3)


PERSONAS = {"butler": "You are a butler.", "research": "You are an assistant."}
CHECK = Qt.ItemDataRole.CheckStateRole


@pytest.fixture
def instructions(qtbot: QtBot, changes: SettingsController) -> InstructionsPage:
    return shown(qtbot, InstructionsPage(changes, lambda: PERSONAS))


def test_instructions_are_written_switched_off_moved_and_taken_out(
    instructions: InstructionsPage, changes: SettingsController
) -> None:
    table = instructions.table
    write(table, 0, "Kısa yaz")
    write(table, 1, "  Birimler   SI olsun ")
    assert changes.settings.instructions == (
        StandingInstruction("Kısa yaz"),
        StandingInstruction("Birimler SI olsun"),
    )
    table.model().setData(table.model().index(0, 0), Qt.CheckState.Unchecked, CHECK)
    table.setCurrentCell(0, 0)
    button(instructions, "Move down").click()
    assert changes.settings.instructions == (
        StandingInstruction("Birimler SI olsun"),
        StandingInstruction("Kısa yaz", is_on=False),
    )
    button(instructions, "Remove").click()
    assert [one.text for one in changes.settings.instructions] == ["Birimler SI olsun"]


def test_a_too_long_text_is_refused_with_an_explanation(
    instructions: InstructionsPage, changes: SettingsController
) -> None:
    problem = "An instruction can have at most 1,000 characters."
    write(instructions.table, 0, "x" * 1_001)
    assert problem in texts(instructions)
    assert changes.settings.instructions == ()
    instructions.table.edit_new()
    assert problem not in texts(instructions)


def test_there_is_no_room_for_more_instructions_than_a_request_takes(
    instructions: InstructionsPage, changes: SettingsController
) -> None:
    for number in range(MOST_INSTRUCTIONS):
        write(instructions.table, number, f"Kural {number}")
    assert instructions.table.rowCount() == MOST_INSTRUCTIONS
    write(instructions.table, 3, "Yeni kural")
    assert changes.settings.instructions[3].text == "Yeni kural"


def test_a_character_is_chosen_and_shown_in_its_words(
    instructions: InstructionsPage, changes: SettingsController
) -> None:
    assert "You are an assistant." in texts(instructions)
    choose(field_of(instructions, "persona", EnumComboBox), "Butler")
    assert changes.settings.persona == "butler"
    assert "You are a butler." in texts(instructions)
    assert not field_of(instructions, "own_persona", TextArea).isVisibleTo(instructions)


def test_a_custom_persona_is_saved_when_its_field_loses_the_focus(
    instructions: InstructionsPage, changes: SettingsController
) -> None:
    choose(field_of(instructions, "persona", EnumComboBox), "Custom")
    own = field_of(instructions, "own_persona", TextArea)
    assert own.isVisibleTo(instructions)
    own.setText("Sen Bellek'sin, bir gemicisin.")
    own.editingFinished.emit()
    assert changes.settings.own_persona == "Sen Bellek'sin, bir gemicisin."
    own.setText("x" * 5_000)
    own.editingFinished.emit()
    assert f"Enter at most {LONGEST_PERSONA} characters." in texts(instructions)
    assert changes.settings.own_persona.startswith("Sen")


@pytest.fixture
def phrases(qtbot: QtBot, changes: SettingsController) -> PhrasesPage:
    return shown(qtbot, PhrasesPage(changes, PHRASES))


def rows(table: EditableTable) -> list[str]:
    """The phrases, without the row for a new one."""
    model = table.model()
    return [model.index(row, 0).data() for row in range(model.rowCount() - 1)]


def add(table: EditableTable, phrase: str) -> None:
    write(table, table.rowCount() - 1, phrase)


def test_a_phrase_of_the_user_is_added_and_removed(
    phrases: PhrasesPage, changes: SettingsController
) -> None:
    add(phrases.ends, "  bye   for now ")
    assert changes.settings.own_end_phrases == ("bye for now",)
    assert rows(phrases.ends) == [*PHRASES.ends, "bye for now"]
    phrases.ends.setCurrentCell(len(PHRASES.ends), 0)
    phrases.ends.remove_current()
    settings = changes.settings
    assert (settings.own_end_phrases, settings.ignored_phrases) == ((), ())


def test_a_shipped_phrase_is_turned_off_and_counts_again(
    phrases: PhrasesPage, changes: SettingsController
) -> None:
    model = phrases.ends.model()
    index = model.index(0, 0)
    model.setData(index, Qt.CheckState.Unchecked, CHECK)
    assert changes.settings.ignored_phrases == (PHRASES.ends[0],)
    phrases.ends.setCurrentCell(1, 0)
    phrases.ends.remove_current()
    assert changes.settings.ignored_phrases == PHRASES.ends[:2]
    assert rows(phrases.ends) == list(PHRASES.ends)
    model.setData(index, Qt.CheckState.Checked, CHECK)
    assert changes.settings.ignored_phrases == PHRASES.ends[1:2]


def test_a_phrase_is_not_added_twice(phrases: PhrasesPage, changes: SettingsController) -> None:
    add(phrases.ends, PHRASES.ends[1])
    assert not changes.settings.own_end_phrases
    assert rows(phrases.ends) == list(PHRASES.ends)


def test_phrases_for_a_new_topic_have_a_table_of_their_own(
    phrases: PhrasesPage, changes: SettingsController
) -> None:
    assert rows(phrases.new_topics) == list(PHRASES.new_topics)
    add(phrases.new_topics, "next")
    assert changes.settings.own_new_topic_phrases == ("next",)


def programs_page(
    qtbot: QtBot, changes: SettingsController, bridge: TurnBridge, tmp_path: Path
) -> tuple[ProgramsPage, Path]:
    file = tmp_path / "Claude" / "claude_desktop_config.json"
    file.parent.mkdir(exist_ok=True)
    hosts = (ProgramHost("Claude Desktop", file), ProgramHost("Jan"))
    profile = Paths.under(tmp_path).profile()
    settings_file = tmp_path / "settings.toml"
    browser = BrowserPort(MemoryKeys(), no_page, str, ports=(0,))
    page = ProgramsPage(
        changes, bridge, profile, settings_file, browser=lambda: browser, hosts=hosts
    )
    return shown(qtbot, page), file


def no_page(page: SeenPage, _project: ProjectId) -> ImportedPage:
    raise AssertionError(page)


def test_a_browser_is_paired_by_a_code_and_forgotten(
    qtbot: QtBot, changes: SettingsController, bridge: TurnBridge, tmp_path: Path
) -> None:
    page, _ = programs_page(qtbot, changes, bridge, tmp_path)
    assert not any("can send pages" in text for text in texts(page))
    present(page.findChild(QCheckBox, "takes_pages")).click()
    qtbot.waitUntil(lambda: any("0 browser(s) can send" in text for text in texts(page)))
    button(page, "Pair a browser").click()
    qtbot.waitUntil(lambda: any("within five minutes" in text for text in texts(page)))
    words = next(text for text in texts(page) if "within five minutes" in text)
    code = "".join(letter for letter in words if letter.isdigit())
    browser = present(page._browser)()
    ask = json.dumps({"code": code}).encode()
    assert browser.answer("/pair", "chrome-extension://x", "", ask).status == 200
    qtbot.waitUntil(lambda: any("1 browser(s) can send" in text for text in texts(page)))
    button(page, "Forget all browsers").click()
    qtbot.waitUntil(lambda: any("0 browser(s) can send" in text for text in texts(page)))
    assert not any("within five minutes" in text for text in texts(page))


def test_bellek_is_added_to_another_program_and_removed_again(
    qtbot: QtBot, changes: SettingsController, bridge: TurnBridge, tmp_path: Path
) -> None:
    page, file = programs_page(qtbot, changes, bridge, tmp_path)
    qtbot.waitUntil(lambda: named_button(page, "Add Bellek to Claude Desktop") is not None)
    present(named_button(page, "Add Bellek to Claude Desktop")).click()
    qtbot.waitUntil(lambda: named_button(page, "Remove Bellek from Claude Desktop") is not None)
    button(page, "Copy").click()
    pasted = json.loads(QGuiApplication.clipboard().text())
    assert json.loads(file.read_text()) == pasted
    present(named_button(page, "Remove Bellek from Claude Desktop")).click()
    qtbot.waitUntil(lambda: not file.exists())


def test_a_broken_file_of_another_program_cannot_be_changed(
    qtbot: QtBot, changes: SettingsController, bridge: TurnBridge, tmp_path: Path
) -> None:
    (tmp_path / "Claude").mkdir()
    (tmp_path / "Claude" / "claude_desktop_config.json").write_text("{")
    page, _ = programs_page(qtbot, changes, bridge, tmp_path)
    qtbot.waitUntil(lambda: any("cannot be understood" in text for text in texts(page)))
    assert not present(named_button(page, "Add Bellek to Claude Desktop")).isEnabled()


def test_the_calls_of_other_programs_are_listed_and_stopped(
    qtbot: QtBot, changes: SettingsController, bridge: TurnBridge, tmp_path: Path
) -> None:
    called = ProgramCall(utc_now(), "Jan 1", "fetch", CallOutcome.REFUSED, "Tez")
    ProgramCalls(Paths.under(tmp_path).profile().folder).add(called)
    page, _ = programs_page(qtbot, changes, bridge, tmp_path)
    qtbot.waitUntil(lambda: any("Jan 1 · fetch · Tez · refused" in text for text in texts(page)))
    present(page.findChild(QCheckBox, "answers_programs")).click()
    assert not changes.settings.answers_programs


def named_button(page: QWidget, name: str) -> QPushButton | None:
    buttons = page.findChildren(QPushButton)
    return next((each for each in buttons if each.accessibleName() == name), None)
