"""The page of all notes: filtered, opened at their place, edited, deleted and exported."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QComboBox

from desktop.domain.ids import NoteId, SessionId, SourceId
from desktop.domain.notes import Note
from desktop.domain.projects import EVERYTHING
from desktop.settings.settings import Theme
from desktop.ui.library.notes_page import NotesPage
from desktop.ui.widgets.plain_text import BodyLabel
from tests.archives import NOON, finished
from tests.narrowing import instance, present
from tests.ui.main_window.stage import Stage
from tests.unit.storage.test_sources import PAGE, source

ON_SOURCE = Note(
    NoteId("n"), "Kestane közde", "Girişe", NOON, NOON, source_id=SourceId("a"), page=4
)


@pytest.fixture
def stage(opens: Callable[[], Stage]) -> Stage:
    """A note on a page of a document, one on an answer, and one in a project."""
    made = opens()
    made.archive.imports.add([finished("s", "Soru", "Zurna yanıtı", title="Çalgılar")])
    answer = made.archive.sessions.messages(SessionId("s"))[1]
    made.archive.sources.add(source(), [PAGE])
    thesis = made.archive.projects.create("Tez").id
    other = replace(source(), id=SourceId("b"), title="Tez kaynağı", address="/b", sha256="b")
    made.archive.sources.of(thesis).add(other, [PAGE])
    on_answer = Note(NoteId("m"), "Zurna", "", NOON, NOON, message_id=answer.id)
    walled = Note(NoteId("w"), "Sis", "Saklı", NOON, NOON, source_id=SourceId("b"))
    made.archive.notes.add([ON_SOURCE, on_answer, walled])
    made.attach()
    return made


def page(stage: Stage) -> NotesPage:
    stage.window.show()
    stage.window.actions_by_name["notes"].trigger()
    shown = instance(stage.window.parts.view, NotesPage)
    stage.until(lambda: bool(listed(shown)))
    return shown


def listed(shown: NotesPage) -> list[str]:
    model = shown.model
    return sorted(str(model.index(row).data()) for row in range(model.rowCount()))


def choose(shown: NotesPage, words: str) -> None:
    model = shown.model
    rows = [model.index(row) for row in range(model.rowCount())]
    shown.list.setCurrentIndex(next(row for row in rows if words in str(row.data())))


def pick(box: QComboBox, name: str) -> None:
    box.setCurrentIndex(box.findText(name))
    box.activated.emit(box.currentIndex())


def stored(stage: Stage) -> dict[str, str]:
    return {note.id: note.text for note in stage.archive.notes.notes(EVERYTHING)}


def test_all_notes_are_listed_searched_and_filtered(stage: Stage) -> None:
    shown = page(stage)
    assert listed(shown) == ["Girişe", "Saklı", "“Zurna”"]
    shown.search.setText("kestane kış")  # the marked words, and the document's title
    assert listed(shown) == ["Girişe"]
    shown.search.clear()
    pick(shown.owners, "Çalgılar")
    assert listed(shown) == ["“Zurna”"]
    pick(shown.projects, "Tez")
    stage.until(lambda: listed(shown) == ["Saklı"])


def test_a_note_is_opened_where_it_stands(stage: Stage) -> None:
    shown = page(stage)
    choose(shown, "Girişe")
    shown.open_note()
    stage.until(lambda: stage.window.library.reader is not None)
    reader = present(stage.window.library.reader)
    stage.until(lambda: reader.place is not None)
    assert present(reader.place).source_id == "a"
    shown = page(stage)
    choose(shown, "Zurna")
    shown.open_note()
    stage.until(lambda: stage.window.parts.view is None)
    stage.until(lambda: present(stage.window.sessions.shown).id == "s")


def test_a_note_is_deleted_and_comes_back(stage: Stage) -> None:
    shown = page(stage)
    choose(shown, "Girişe")
    shown.delete()
    stage.until(lambda: listed(shown) == ["Saklı", "“Zurna”"])
    assert "n" not in stored(stage)
    stage.until(lambda: "note" in stage.window.parts.strip)
    stage.window.parts.strip.undo_last()
    stage.until(lambda: len(listed(shown)) == 3)


def test_keys_delete_a_note_and_the_list_keeps_a_current_row(stage: Stage) -> None:
    shown = page(stage)
    choose(shown, "Girişe")
    place = shown.list.currentIndex().row()
    shown.list.setFocus()
    QTest.keyClick(shown.list, Qt.Key.Key_Delete)
    stage.until(lambda: "note" in stage.window.parts.strip)
    stage.until(lambda: len(listed(shown)) == 2)
    assert shown.list.currentIndex().row() == min(place, 1)
    assert shown._delete.isEnabled()
    stage.window.parts.strip.undo_last()
    stage.until(lambda: len(listed(shown)) == 3)
    assert shown.list.currentIndex().data() == "Girişe"


def test_another_language_keeps_the_search_the_row_and_the_focus(stage: Stage) -> None:
    shown = page(stage)
    shown.search.setText("giriş")
    choose(shown, "Girişe")
    shown.list.setFocus()
    before = shown.list
    stage.window.actions_by_name["language tr"].trigger()
    stage.until(lambda: shown.list is not before)
    assert (shown.search.text(), shown.list.currentIndex().data()) == ("giriş", "Girişe")
    assert shown.list.hasFocus()


def test_what_is_listed_is_exported(stage: Stage, tmp_path: Path) -> None:
    shown, path = page(stage), tmp_path / "notlar.md"
    shown.search.setText("girişe")
    shown.export(path)
    stage.until(path.exists)
    assert path.read_text(encoding="utf-8") == "# Kış\n\n> Kestane közde (p. 4)\n\nGirişe\n"


def test_the_library_leads_to_the_notes_of_a_document(stage: Stage) -> None:
    stage.window.library.open_notes(SourceId("a"))
    shown = instance(stage.window.parts.view, NotesPage)
    stage.until(lambda: listed(shown) == ["Girişe"])


def test_words_of_an_empty_page_scroll_in_the_smallest_window(stage: Stage) -> None:
    stage.window.resize(820, 460)
    stage.theme.apply(Theme.LIGHT, zoom_percent=190)
    shown = page(stage)
    shown._show(replace(shown._listing, notes=()))
    stage.until(lambda: not shown._empty.isHidden())
    label = shown._nothing
    stage.until(lambda: label.height() >= label.heightForWidth(label.width()))
    library = stage.window.library.open()
    stage.until(lambda: library.is_loaded)
    library.model.show_items(())
    library._show_state()
    texts = present(library._pages.widget(1)).findChildren(BodyLabel)
    stage.until(lambda: all(text.height() >= text.heightForWidth(text.width()) for text in texts))
