"""The user's own prompts: written, used through a slash, with their variables asked for."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QSize, Qt
from PySide6.QtTest import QTest

from desktop.domain.ids import new_source_id
from desktop.domain.projects import EVERYTHING
from desktop.domain.prompts import Prompt
from desktop.domain.sources import NewPassage, Source, SourceKind
from desktop.ui.palette.caret_popup import CaretPopup
from desktop.ui.palette.palette import PaletteItem
from desktop.ui.palette.prompts_controller import VariablesDialog
from desktop.ui.palette.prompts_page import PromptsPage
from tests.archives import NOON
from tests.narrowing import instance, present
from tests.ui.dialogs.stand_ins import button, choose, texts
from tests.ui.main_window.stage import Stage


def page(stage: Stage) -> PromptsPage:
    stage.window.actions_by_name["prompts"].trigger()
    shown = instance(stage.window.parts.view, PromptsPage)
    stage.until(lambda: bool(shown.name.text()))
    return shown


def stored(stage: Stage) -> list[str]:
    return sorted(prompt.name for prompt in stage.archive.prompts.prompts(EVERYTHING))


def write(stage: Stage, typed: str) -> CaretPopup:
    """Type at the end of the message; `typed` has a sign, or one stands before it."""
    stage.window.activateWindow()
    field = stage.window.parts.composer.field
    field.setFocus()
    stage.until(field.hasFocus)  # the window may become the active one later
    QTest.keyClicks(field, typed)
    return present(stage.window.command_palette.popup)


def press(stage: Stage, key: Qt.Key) -> None:
    QTest.keyClick(stage.window.parts.composer.field, key)


def names(popup: CaretPopup) -> list[str]:
    return [str(popup.model.index(row).data()) for row in range(popup.model.rowCount())]


def headings(popup: CaretPopup) -> list[str]:
    rows = [popup.model.row(popup.model.index(row)) for row in range(popup.model.rowCount())]
    return [row.heading for row in rows if row and row.heading]


def test_a_prompt_is_written_by_keys_duplicated_and_deleted(stage: Stage) -> None:
    shown = page(stage)
    QTest.keyClick(shown, Qt.Key.Key_N, Qt.KeyboardModifier.ControlModifier)
    stage.until(shown.name.hasFocus)
    QTest.keyClicks(shown.name, "Explain")
    shown.text.setFocus()
    QTest.keyClicks(shown.text, "Explain {topic} to {reader}.")
    stage.until(lambda: {"topic", "reader"} <= set(texts(shown)))
    assert stored(stage) == []
    QTest.keyClick(shown.text, Qt.Key.Key_Escape)
    stage.until(lambda: stored(stage) == ["Explain"])
    shown = page(stage)
    stage.until(lambda: shown.name.text() == "Explain")
    shown.duplicate()
    stage.until(lambda: stored(stage) == ["Explain", "Explain +"])
    shown.name.setText("Brief")
    shown.delete()
    stage.until(lambda: stored(stage) == ["Explain"])
    strip = stage.window.parts.strip
    stage.until(lambda: "prompts" in strip)
    strip.undo_last()
    stage.until(lambda: stored(stage) == ["Explain", "Explain +"])
    stage.until(lambda: shown._model.rowCount() == 2)


def test_a_prompt_of_a_project_is_chosen_in_the_form(stage: Stage) -> None:
    stage.archive.projects.create("Thesis")
    stage.archive.prompts.replace([Prompt("Brief", "In a word:")])
    shown = page(stage)
    stage.until(lambda: shown.name.text() == "Brief" and shown.project.count() == 2)
    choose(shown.project, "Thesis")
    prompts = stage.archive.prompts.prompts
    stage.until(lambda: prompts(EVERYTHING) == [Prompt("Brief", "In a word:", "Thesis")])


def test_a_prompt_that_an_import_adds_meanwhile_stays(stage: Stage) -> None:
    stage.archive.prompts.replace([Prompt("Brief", "In a word:")])
    shown = page(stage)
    stage.until(lambda: shown.name.text() == "Brief")
    stage.archive.prompts.add([Prompt("Explain", "Explain {topic}.")])
    shown.text.setText("In one word:")
    shown.keep()
    stage.until(lambda: stored(stage) == ["Brief", "Explain"])


def test_what_another_device_changes_is_shown_and_nothing_takes_another_prompts_place(
    stage: Stage,
) -> None:
    before = [Prompt("Brief", "In a word:"), Prompt("Explain", "Explain {topic}.")]
    stage.archive.prompts.replace(before)
    shown = page(stage)
    shown._choose(shown._model.index(1))
    assert shown.name.text() == "Explain"
    QTest.keyClicks(shown.name, "!")
    elsewhere = [before[0], Prompt("Explain", "Explain {topic} simply."), Prompt("New", "New.")]
    stage.archive.prompts.replace(elsewhere)
    for _ in range(2):
        shown.load()
        stage.until(lambda: shown._model.rowCount() > 2)
    expected = {*elsewhere, Prompt("Explain!", "Explain {topic}.")}
    stage.until(lambda: {*stage.archive.prompts.prompts(EVERYTHING)} == expected)
    assert shown.name.text() == "Explain!"
    stage.archive.prompts.replace([elsewhere[0], Prompt("Explain!", "In other words:")])
    shown.load()
    stage.until(lambda: shown.text.text() == "In other words:")
    stage.archive.prompts.replace([elsewhere[0], Prompt("Explain!", "Theirs:")])
    shown.text.setText("Mine:")
    shown.load()
    texts_of = {elsewhere[0].text, "Theirs:", "Mine:"}
    stage.until(lambda: {p.text for p in stage.archive.prompts.prompts(EVERYTHING)} == texts_of)


def test_the_page_writes_a_prompt_into_the_message(stage: Stage) -> None:
    stage.archive.prompts.replace([Prompt("Brief", "In a word:")])
    shown = page(stage)
    stage.until(lambda: shown.name.text() == "Brief")
    button(shown, "Use").click()
    assert stage.window.parts.view is None
    assert stage.window.parts.composer.text == "In a word:"


def test_a_slash_offers_the_prompts_and_writes_the_chosen_one(stage: Stage) -> None:
    stage.archive.prompts.replace([Prompt("Brief", "In one sentence: ")])
    popup = write(stage, "/")
    stage.until(lambda: "Brief" in names(popup))
    assert headings(popup) == ["Prompts", "Commands"]
    write(stage, "brie")
    assert names(popup)[0] == "Brief"
    press(stage, Qt.Key.Key_Return)
    assert stage.window.parts.composer.text == "In one sentence: "
    assert popup.isHidden()


def test_a_slash_does_a_command_and_leaves_nothing_of_its_name(stage: Stage) -> None:
    before = stage.window.changes.settings.zoom_percent
    popup = write(stage, "/zoom in")
    assert names(popup)[0] == "Zoom in"
    press(stage, Qt.Key.Key_Tab)
    assert stage.window.changes.settings.zoom_percent > before
    assert stage.window.parts.composer.text == ""


def test_a_slash_without_prompts_leads_to_writing_the_first(stage: Stage) -> None:
    popup = write(stage, "/no prompts")
    stage.until(lambda: names(popup) == ["No prompts yet: write the first…"])
    press(stage, Qt.Key.Key_Return)
    shown = instance(stage.window.parts.view, PromptsPage)
    stage.until(lambda: shown.name.text() == "New prompt")
    assert not stage.window.parts.composer.text


def test_the_variables_of_a_prompt_are_asked_for(stage: Stage) -> None:
    stage.window.prompts.use(Prompt("Explain", "Explain {topic} to {reader}."))
    asked = present(stage.window.findChild(VariablesDialog))
    for name, value in {"topic": "tides", "reader": "a child"}.items():
        asked.fields[name].setText(value)
    asked.accept()
    assert stage.window.parts.composer.text == "Explain tides to a child."


def test_escape_leaves_the_sign_and_asks_no_more_until_the_next_one(library: Stage) -> None:
    popup = write(library, "@ro")
    assert popup.isVisible()
    press(library, Qt.Key.Key_Escape)
    assert popup.isHidden()
    write(library, "man")
    assert popup.isHidden()
    assert library.window.parts.composer.text == "@roman"
    write(library, " @roman")
    assert popup.isVisible()


def test_the_popup_ends_with_its_sign_or_when_the_caret_leaves_it(library: Stage) -> None:
    for end in (Qt.Key.Key_Backspace, Qt.Key.Key_Home):
        popup = write(library, "@")
        assert popup.isVisible()
        press(library, end)
        assert popup.isHidden()
        press(library, Qt.Key.Key_End)
        assert popup.isHidden()


def test_enter_sends_what_follows_a_sign_if_nothing_has_this_name(library: Stage) -> None:
    popup = write(library, "@ayse roman concrete nedir?")
    assert popup.isHidden()
    with library.qtbot.waitSignal(library.window.parts.composer.sent) as sent:
        press(library, Qt.Key.Key_Return)
    assert sent.args == ["@ayse roman concrete nedir?"]


def test_the_popup_is_as_tall_as_its_hits_above_the_caret_and_inside_the_window(
    library: Stage,
) -> None:
    window, field = library.window, library.window.parts.composer.field
    for size, zoom in ((QSize(1280, 820), 100), (QSize(900, 640), 200)):
        window.resize(size)
        window.changes.apply(replace(window.changes.settings, zoom_percent=zoom))
        popup = write(library, "@")
        all_rows = popup.height()
        write(library, "roman concrete")
        assert popup.model.rowCount() == 1
        assert popup.list.height() == popup.list.sizeHintForRow(0)
        assert popup.height() < all_rows
        line = field.viewport().mapTo(window, field.cursorRect().topLeft())
        assert 0 <= line.y() - popup.geometry().bottom() < popup.list.sizeHintForRow(0)
        assert window.rect().contains(popup.geometry())
        window.parts.composer.clear()


def test_marks_within_words_offer_nothing(stage: Stage) -> None:
    field = stage.window.parts.composer.field
    QTest.keyClicks(field, "a@b 1/2")
    assert stage.window.command_palette.popup is None


@pytest.mark.parametrize("choice", ["Enter", "mouse"])
def test_at_puts_a_session_beside_the_question(library: Stage, choice: str) -> None:
    popup = write(library, "Compare with @roman")
    library.until(lambda: popup.model.rowCount() > 0)
    assert headings(popup)[:1] == ["Sessions"]
    if choice == "Enter":
        press(library, Qt.Key.Key_Return)
    else:
        place = popup.list.visualRect(popup.model.index(0)).center()
        QTest.mouseClick(popup.list.viewport(), Qt.MouseButton.LeftButton, pos=place)
    beside = library.window.sessions.asking.in_context
    assert [title.startswith("Roman concrete") for title in beside.values()] == [True]
    assert library.window.parts.composer.text == "Compare with "


def test_at_offers_neither_the_running_session_nor_what_is_attached(library: Stage) -> None:
    library.ask("Roman concrete, bir daha")
    active = present(library.window.sessions.active)
    popup = write(library, "@roman")
    library.until(lambda: popup.model.rowCount() > 0)
    press(library, Qt.Key.Key_Return)
    (attached,) = library.window.sessions.asking.in_context
    assert attached != active.id
    write(library, "@roman")
    items = [PaletteItem(f"session {one}", "", "", list) for one in (active.id, attached, "other")]
    offered = library.window.command_palette._wanted(items)
    assert [one.key for one in offered] == ["session other"]


@pytest.mark.parametrize("kind", ["document", "project"])
def test_at_puts_a_document_or_a_project_beside_it_which_a_draft_keeps(
    library: Stage, kind: str
) -> None:
    source = Source(
        new_source_id(), SourceKind.DOCUMENT, "Zeolites", "z.pdf", NOON, NOON, "zeolites"
    )
    if kind == "document":
        wanted = str(library.archive.sources.add(source, [NewPassage("Zeolites.")]).id)
    else:
        wanted = str(library.archive.projects.create("Zeolites").id)
    library.window.archive.load()
    library.until(lambda: kind == "document" or bool(library.window.projects.projects))
    popup = write(library, "@zeol")
    library.until(lambda: popup.model.rowCount() > 0)
    press(library, Qt.Key.Key_Return)
    beside = library.window.sessions.asking.in_context
    assert list(beside.items()) == [(wanted, "Zeolites")]
    kept = library.window.background.draft().attachments
    beside.clear()
    library.window.recall.take_again(kept)
    library.until(lambda: list(beside.values()) == ["Zeolites"])


def test_an_export_of_everything_has_the_prompts_which_an_import_adds_once(
    library: Stage, tmp_path: Path
) -> None:
    store = library.archive.prompts
    mine = [Prompt("Kısa", "Tek cümleyle: {konu}"), Prompt("Özet", "Özetle:", "Tez")]
    store.replace(mine)
    file = tmp_path / "everything.jsonl"
    for _ in library.services.exporter.write_all(file, lambda: False):
        pass
    *_, last = file.read_text(encoding="utf-8").splitlines()
    assert json.loads(last) == {"prompt": {"name": "Özet", "text": "Özetle:", "project": "Tez"}}
    store.replace([Prompt("Kısa", "In a word:")])
    report = library.services.importer.import_file(file)
    assert (report.prompts, report.problems) == (2, [])
    assert library.services.importer.import_file(file).prompts == 0
    assert set(store.prompts(EVERYTHING)) == {
        Prompt("Kısa", "In a word:"),
        Prompt("Kısa +", "Tek cümleyle: {konu}"),
        mine[1],
    }
