"""Highlights and notes on the pages and in the text of the reader."""

from pathlib import Path

import pytest
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QColor, QTextCursor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QMenu

from desktop.domain.notes import Note
from desktop.domain.projects import EVERYTHING
from desktop.research.documents.reader import DocumentReader
from desktop.settings.settings import Theme
from desktop.ui.dialogs.files import AnnotatedCopyDialog
from desktop.ui.dialogs.note_editor import NoteForm
from desktop.ui.reader.page_selection import area_of
from desktop.ui.reader.page_view import PageView
from desktop.ui.reader.panel import ReaderPanel
from desktop.ui.reader.reader_content import ReaderPlace, place_of_note
from desktop.ui.reader.source_notes import Selection
from desktop.ui.search.results_list import ResultKind
from desktop.ui.theme.tokens import LIGHT
from desktop.ui.widgets.fields import TextArea
from tests.narrowing import instance, present
from tests.ui.main_window.stage import Stage
from tests.ui.reader.test_page_view import read, until_pages_are_read, with_document

_PAGES = ("Zeytin ağacı az su ister.", "Bahçede su ölçüldü. Damla sulama suyu azaltır.")
_WORDS = "Damla sulama suyu azaltır"


@pytest.fixture
def stage(empty: Stage, tmp_path: Path) -> Stage:
    return with_document(empty, tmp_path / "zeytin.pdf", *_PAGES)


def notes(stage: Stage) -> list[Note]:
    return stage.archive.notes.notes(EVERYTHING)


def opened(stage: Stage, text: str | None = None) -> ReaderPanel:
    """Open the page of the words; with a text, a note on them is there."""
    (source,) = stage.archive.sources.sources(EVERYTHING)
    if text is not None:
        stage.services.notes.add(source.id, _WORDS, text)
    reader = read(stage, _WORDS)
    stage.until(lambda: text is None or bool(reader.pages._marks.notes))
    return reader


def menu_of(reader: ReaderPanel, selection: Selection | None, note: Note | None = None) -> QMenu:
    menu = QMenu(reader)
    reader.notes.offer(menu, selection, note)
    return menu


def choose(menu: QMenu, words: str) -> None:
    next(action for action in menu.actions() if action.text() == words).trigger()


def select(view: PageView, words: str, page: int) -> Selection:
    letters = view._selection.letters[page]
    first = letters.text.index(words)
    view._selection.ends = ((page, first), (page, first + len(words)))
    return present(view.selection)


def colour_at(view: PageView, point: QPointF) -> QColor:
    shot = view.viewport().grab().toImage()
    scale = shot.width() / view.viewport().width()
    return shot.pixelColor((point * scale).toPoint())


def test_selected_words_are_highlighted_on_the_page(stage: Stage) -> None:
    reader = opened(stage)
    choose(menu_of(reader, select(reader.pages, _WORDS, 1)), "Highlight")
    stage.until(lambda: bool(reader.pages._marks.notes.get(1)))
    (note,) = notes(stage)
    assert (note.quote, note.page, note.text) == (_WORDS, 2, "")
    reader.pages._selection.ends, reader.pages._marks.cited = None, {}
    (shown,) = reader.pages._marks.notes[1]
    area = area_of(shown.places[0], reader.pages._paper(1), reader.pages._scale)
    top = [QPointF(x, area.top() + 1) for x in range(round(area.left()), round(area.right()))]
    assert QColor(LIGHT.note) in [colour_at(reader.pages, point) for point in top]


def test_a_highlight_is_undone_with_the_keys(stage: Stage) -> None:
    reader = opened(stage)
    choose(menu_of(reader, select(reader.pages, _WORDS, 1)), "Highlight")
    stage.until(lambda: bool(reader.pages._marks.notes))
    QTest.keyClick(reader.pages, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    stage.until(lambda: not reader.pages._marks.notes)
    assert notes(stage) == []


def test_of_words_that_stand_twice_the_selected_ones_are_marked(stage: Stage) -> None:
    reader = opened(stage)
    letters = reader.pages._selection.letters[1]
    first = letters.text.index("su", letters.text.index("su") + 1)
    reader.pages._selection.ends = ((1, first), (1, first + 2))
    choose(menu_of(reader, reader.pages.selection), "Highlight")
    stage.until(lambda: bool(reader.pages._marks.notes))
    (shown,) = reader.pages._marks.notes[1]
    assert shown.note.occurrence == 1
    assert shown.places[0][0] == pytest.approx(letters.places[first][0], abs=1)


def test_a_note_shows_a_sign_in_the_margin_that_opens_it(stage: Stage) -> None:
    reader = opened(stage, "Sonuç için")
    ((_, area),) = reader.pages._marks.in_margin(1, reader.pages._paper(1), reader.pages._scale)
    assert colour_at(reader.pages, area.topLeft() + QPointF(1, 1)) == QColor(LIGHT.accent)
    left, at = Qt.MouseButton.LeftButton, area.center().toPoint()
    QTest.mouseClick(reader.pages.viewport(), left, pos=at)
    form = present(stage.window.findChild(NoteForm))
    assert form._text.text() == "Sonuç için"
    form._text.setText("Giriş için")
    QTest.keyClick(form._text, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    shown = reader.pages
    stage.until(lambda: [note.text for note, _ in shown._marks.notes.get(1, ())] == ["Giriş için"])
    assert [note.text for note in notes(stage)] == ["Giriş için"]


def test_a_deleted_note_comes_back_when_that_is_undone(stage: Stage) -> None:
    reader = opened(stage, "Sonuç için")
    (note,) = notes(stage)
    choose(menu_of(reader, None, note), "Delete note")
    stage.until(lambda: not reader.pages._marks.notes)
    reader.notes.strip.undo_last()
    stage.until(lambda: bool(reader.pages._marks.notes))
    assert notes(stage) == [note]


def test_words_of_the_text_are_highlighted_and_pressed_there(stage: Stage) -> None:
    reader = opened(stage)
    reader._as_text.setChecked(True)
    cursor = reader.text.document().find(_WORDS)
    reader.text.setTextCursor(cursor)
    choose(menu_of(reader, reader.text.selection), "Highlight")
    stage.until(lambda: bool(reader.text._notes))
    (note,) = notes(stage)
    assert (note.quote, note.page) == (_WORDS, 2)
    cursor.setPosition(cursor.selectionStart() + 2)
    reader.text.setTextCursor(cursor)
    point = reader.text.cursorRect(QTextCursor(cursor)).center()
    assert present(reader.text.note_at(point)).id == note.id


def test_nothing_can_be_highlighted_without_selected_words(stage: Stage) -> None:
    reader = opened(stage)
    assert [action.isEnabled() for action in menu_of(reader, None).actions()] == [False, False]


def test_the_results_can_keep_to_notes_which_open_at_their_page(stage: Stage) -> None:
    (source,) = stage.archive.sources.sources(EVERYTHING)
    stage.services.notes.add(source.id, _WORDS, "suyu ölç")
    stage.window.actions_by_name["results"].trigger()
    page = stage.window.parts.results
    page.field.setText("ölç")
    page.filters.kind.show_value(ResultKind.NOTES)
    page.filters.kind.chosen.emit(ResultKind.NOTES)
    stage.until(lambda: [hit.note_id for each in page.model.sessions for hit in each.hits] != [])
    ((hit,),) = (each.hits for each in page.model.sessions)
    assert "suyu ölç" in hit.snippet
    page._open(hit)
    stage.until(lambda: stage.window.library.reader is not None)
    reader = present(stage.window.library.reader)
    stage.until(lambda: reader.pages.current == 1 and bool(reader.pages._marks.notes))
    until_pages_are_read(stage, reader)


def test_a_copy_with_the_notes_is_saved_from_the_menu(stage: Stage, tmp_path: Path) -> None:
    reader = opened(stage, "Sonuç için")
    menu = QMenu(reader)
    reader.notes.offer_copy(menu)
    choose(menu, "Save a copy with notes…")
    target = tmp_path / "kopya.pdf"
    dialog = stage.opened(AnnotatedCopyDialog)
    dialog.filesSelected.emit([str(target)])
    dialog.reject()
    stage.until(lambda: "copy" in reader.notes.strip)
    with DocumentReader() as document_reader:
        (annotation,) = document_reader.read(target).annotations
    assert (annotation.quote, annotation.text) == (_WORDS, "Sonuç için")


def test_a_note_of_no_passage_is_opened_on_its_page_without_a_warning(stage: Stage) -> None:
    (source,) = stage.archive.sources.sources(EVERYTHING)
    note = stage.services.notes.add(source.id, "mla sulama suyu azal", page=2).value
    assert note.passage_id is None
    place = place_of_note(note)
    reader = stage.window.library.read(instance(place, ReaderPlace))
    stage.until(lambda: reader._reading is not None)
    assert reader.pages.current == 1
    assert reader.pages._marks.cited
    assert reader._trouble.text() == ""


def test_words_that_were_not_found_are_told_of_only_where_they_were_looked_for(
    stage: Stage,
) -> None:
    (source,) = stage.archive.sources.sources(EVERYTHING)
    note = stage.services.notes.add(source.id, "Kestane közde", page=2).value
    reader = stage.window.library.read(instance(place_of_note(note), ReaderPlace))
    stage.until(lambda: reader._reading is not None)
    assert (reader.pages.current, "not found" in reader._trouble.text()) == (1, True)
    reader._previous.click()
    assert reader._trouble.text() == ""


def test_the_form_of_a_long_note_fits_into_a_small_window(stage: Stage) -> None:
    stage.theme.apply(Theme.LIGHT, zoom_percent=190)
    form = NoteForm(f"{_WORDS} " * 100, "", stage.window, is_new=True)
    form.open()
    assert form.height() <= 640
    quoted = next(area for area in form.findChildren(TextArea) if area.isReadOnly())
    assert quoted.verticalScrollBar().maximum() > 0
    form.close()
