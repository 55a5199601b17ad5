"""The pages of a PDF beside the conversation, drawn by the child process that reads files."""

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QGuiApplication, QKeySequence
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget

from desktop.domain.messages import Citation, CitationState
from desktop.domain.projects import EVERYTHING
from desktop.ui.reader.page_selection import area_of
from desktop.ui.reader.page_view import PageView
from desktop.ui.reader.panel import ReaderPanel
from desktop.ui.reader.reader_content import ReaderPlace
from tests.documents.pdfs import pdf_of
from tests.narrowing import present
from tests.ui.main_window.stage import Stage

_PAGES = (
    "Zeytin ağacı az su ister. " * 20,
    "Bahçede ölçüm yapıldı. Damla sulama yağmurlama sulamaya göre yüzde 38 daha az su kullandı.",
    "Sonuç olarak damla sulama önerilir.",
)
_QUOTE = "Damla sulama yağmurlama sulamaya göre yüzde 38"


@pytest.fixture
def stage(empty: Stage, tmp_path: Path) -> Stage:
    return with_document(empty, tmp_path / "zeytin.pdf", *_PAGES)


def with_document(stage: Stage, file: Path, *pages: str) -> Stage:
    file.write_bytes(pdf_of(*pages, title="Zeytinlikte sulama"))
    stage.services.library.add([file])
    stage.window.show()
    stage.window.resize(1280, 820)
    return stage


def read(stage: Stage, quote: str = "") -> ReaderPanel:
    (source,) = stage.archive.sources.sources(EVERYTHING)
    passages = stage.archive.sources.passages(source.id)
    cited = next((passage.id for passage in passages if quote and quote in passage.text), None)
    place = ReaderPlace(source.id, cited, quote)
    stage.window.library.read(place)
    reader = stage.window.library.reader
    assert reader is not None
    stage.until(lambda: reader._reading is not None and reader._reading.place == place)
    until_pages_are_read(stage, reader)
    return reader


def until_pages_are_read(stage: Stage, reader: ReaderPanel) -> None:
    pages = reader.pages
    stage.until(lambda: all(map(pages._is_drawn, pages._visible())))
    stage.until(lambda: pages._selection.letters.keys() >= set(pages._visible()))


def ground(view: PageView, index: int) -> QColor:
    """Return the lightest colour of the marked place on the screen: between its letters."""
    (place, *_) = view._marks.cited[index]
    shot = view.viewport().grab(area_of(place, view._paper(index), view._scale).toRect()).toImage()
    pixels = (shot.pixelColor(x, y) for x in range(shot.width()) for y in range(shot.height()))
    return max(pixels, key=QColor.lightness)


def test_a_citation_turns_to_its_page_with_the_words_marked(stage: Stage) -> None:
    reader = read(stage, _QUOTE)
    assert reader.are_pages_shown
    assert reader.pages.current == 1
    assert reader._count.text() == "Page 2 of 3"
    assert reader._trouble.text() == ""
    marked = ground(reader.pages, 1)
    assert marked.blue() < 200 < marked.red()


def test_the_reader_stands_beside_the_conversation(stage: Stage) -> None:
    reader = read(stage)
    assert reader.window() is stage.window
    assert reader.width() > stage.window.width() // 3
    assert stage.window.parts.composer.isVisible()
    assert stage.window.parts.transcript.width() >= 300
    QTest.keyClick(reader.pages, Qt.Key.Key_Escape)
    stage.until(lambda: not reader.isVisible())
    assert stage.window.focusWidget() is stage.window.parts.composer.field


def test_selected_words_go_into_the_message(stage: Stage) -> None:
    reader = read(stage, _QUOTE)
    view = reader.pages
    letters, paper = view._selection.letters[1], view._paper(1)
    first = letters.text.index("ölçüm")
    ends = [area_of(letters.places[at], paper, view._scale).center() for at in (first, first + 4)]
    left = Qt.MouseButton.LeftButton
    QTest.mousePress(view.viewport(), left, pos=ends[0].toPoint())
    QTest.mouseMove(view.viewport(), ends[1].toPoint())
    QTest.mouseRelease(view.viewport(), left, pos=ends[1].toPoint())
    assert view.selected == "ölçüm"
    QTest.keyClick(view, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert QGuiApplication.clipboard().text() == "ölçüm"
    reader.quote_wanted.emit(view.selected)
    assert stage.window.parts.composer.text == "> ölçüm\n\n"


def test_a_double_click_selects_a_word(stage: Stage) -> None:
    reader = read(stage, _QUOTE)
    view = reader.pages
    letters = view._selection.letters[1]
    at = letters.text.index("sulama") + 2
    middle = area_of(letters.places[at], view._paper(1), view._scale).center().toPoint()
    QTest.mouseDClick(view.viewport(), Qt.MouseButton.LeftButton, pos=middle)
    assert view.selected == "sulama"


def test_find_leads_through_the_pages(stage: Stage) -> None:
    reader = read(stage)
    QTest.keyClick(reader.pages, Qt.Key.Key_F, Qt.KeyboardModifier.ControlModifier)
    assert reader.find_bar.isVisible()
    reader.find_bar.field.setText("DAMLA sulama")
    stage.until(lambda: len(reader.search.page_matches) == 2)
    assert reader.pages.current == 1
    QTest.keyClick(reader.find_bar.field, Qt.Key.Key_F3)
    stage.until(lambda: reader.pages.current == 2)


def test_zoom_keeps_the_place_and_draws_again(stage: Stage) -> None:
    reader = read(stage, _QUOTE)
    before = reader.pages._pictures[1].width()
    reader._larger.click()
    reader._larger.click()
    stage.until(lambda: reader.pages._is_drawn(1))
    assert reader.pages._pictures[1].width() > 1.4 * before
    assert reader.pages.current == 1


def test_the_text_is_shown_on_request_at_the_same_place(stage: Stage) -> None:
    reader = read(stage, _QUOTE)
    reader._as_text.trigger()
    assert reader.text.isVisible()
    assert reader._reading is not None
    assert reader._reading.passages[reader.text.current].page == 2
    reader._as_text.trigger()
    assert reader.pages.isVisible()


def test_a_question_about_a_source_takes_it_along(stage: Stage) -> None:
    reader = read(stage)
    reader._ask.click()
    (source,) = stage.archive.sources.sources(EVERYTHING)
    assert source.id in stage.window.sessions.asking.in_context


def test_a_damaged_file_shows_the_stored_text_and_says_why(stage: Stage, tmp_path: Path) -> None:
    (source,) = stage.archive.sources.sources(EVERYTHING)
    Path(source.address).write_bytes(b"%PDF-1.4 broken")
    stage.window.library.read(ReaderPlace(source.id))
    reader = stage.window.library.reader
    assert reader is not None
    stage.until(lambda: reader._reading is not None)
    assert reader.text.isVisible()
    assert "Zeytin ağacı" in reader.text.toPlainText()


def test_scrolling_with_the_keys_reaches_the_last_page(stage: Stage) -> None:
    reader = read(stage)
    QTest.keyClick(reader.pages, Qt.Key.Key_End)
    assert reader.pages.current == 2
    assert reader._count.text() == "Page 3 of 3"
    QTest.keyClick(reader.pages, Qt.Key.Key_Home)
    assert reader.pages.current == 0


def test_low_pages_are_counted_one_by_one(stage: Stage) -> None:
    reader = read(stage)
    for _ in range(4):
        reader._smaller.click()
    numbers = [reader.pages.current]
    for _ in range(2):
        reader._next.click()
        numbers.append(reader.pages.current)
    assert numbers == [0, 1, 2]
    QTest.keyClick(reader.pages, Qt.Key.Key_Home)
    assert reader._count.text() == "Page 1 of 3"
    reader._previous.click()
    assert reader.pages.current == 0


def test_find_goes_on_behind_the_first_pages(stage: Stage, tmp_path: Path) -> None:
    file = tmp_path / "uzun.pdf"
    file.write_bytes(pdf_of(*(f"Sayfa {number} burada durur." for number in range(40))))
    stage.services.library.add([file])
    source = next(
        one for one in stage.archive.sources.sources(EVERYTHING) if one.address == str(file)
    )
    stage.window.library.read(ReaderPlace(source.id))
    reader = stage.window.library.reader
    assert reader is not None
    stage.until(lambda: reader._reading is not None and reader._reading.source.id == source.id)
    until_pages_are_read(stage, reader)
    reader.pages.go_to(20)
    reader.find_bar.begin()
    reader.find_bar.field.setText("burada")
    stage.until(lambda: len(reader.search.page_matches) == 40)
    assert reader.search.page_matches[reader.search._match] == (20, 0)
    assert reader.find_bar._place.text() == "21 of 40"


def test_the_reader_of_a_removed_source_closes(stage: Stage) -> None:
    reader = read(stage)
    (source,) = stage.archive.sources.sources(EVERYTHING)
    stage.window.library.desk.remove([source.id])
    stage.until(lambda: not reader.isVisible())


def test_the_focus_goes_back_to_the_page_from_which_a_source_was_opened(stage: Stage) -> None:
    library = stage.window.library.open()
    stage.until(lambda: library.is_loaded)
    library.search.setFocus()
    reader = read(stage)
    QTest.keyClick(reader.pages, Qt.Key.Key_Escape)
    assert stage.window.focusWidget() is library.search
    assert stage.window.parts.view is library


def test_a_reader_that_was_closed_over_the_text_stays_closed(stage: Stage) -> None:
    stage.window.resize(760, 640)
    reader = read(stage)
    QTest.keyClick(reader.pages, Qt.Key.Key_Escape)
    assert not reader.isVisible()
    stage.window.resize(1280, 820)
    assert not reader.isVisible()


def test_the_process_of_the_pages_is_ready_once_an_answer_has_citations(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk, pages = stage.window.desk, stage.services.document_pages
    assert pages._child is None
    cited = Citation(1, CitationState.CHECKED, _QUOTE, "a", "b", "Zeytin")
    monkeypatch.setattr(desk, "newest_citations", lambda: [cited])
    desk.citations_changed.emit()
    stage.until(lambda: pages._child is not None)


def press(view: QWidget, keys: str) -> None:
    """Press keys as a person does: through the shortcuts of the window."""
    QTest.keySequence(view, QKeySequence(keys))


def test_shift_and_arrows_select_on_from_the_marked_words(stage: Stage) -> None:
    reader = read(stage, _QUOTE)
    press(reader.pages, "Ctrl+Shift+Right")
    assert reader.pages.selected == f"{_QUOTE} daha"
    press(reader.pages, "Ctrl+Shift+H")
    stage.until(lambda: bool(reader.pages._marks.notes.get(1)))
    (note,) = stage.archive.notes.notes(EVERYTHING)
    assert (note.quote, note.page) == (f"{_QUOTE} daha", 2)


def test_keys_select_on_from_a_hit_and_over_the_end_of_its_page(stage: Stage) -> None:
    reader = read(stage)
    reader.find_bar.begin()
    reader.find_bar.field.setText("su kullandı")
    stage.until(lambda: len(reader.search.page_matches) == 1)
    press(reader.find_bar.field, "Escape")
    for keys in ("Shift+End", "Ctrl+Shift+Right"):
        press(reader.pages, keys)
    stage.until(lambda: reader.pages.selected == "su kullandı. Sonuç")
    press(reader.pages, "Ctrl+Shift+J")
    assert stage.window.parts.composer.text == "> su kullandı. Sonuç\n\n"


def test_a_caret_moves_line_by_line_and_the_menu_opens_beside_it(stage: Stage) -> None:
    reader = read(stage)
    view = reader.pages
    press(view, "F7")
    first = present(view._caret())
    press(view, "Right")
    press(view, "Down")
    second = present(view._caret())
    assert second.top() > first.bottom()
    assert view.selected == ""
    assert view.inputMethodQuery(Qt.InputMethodQuery.ImCursorRectangle) == second
    press(view, "Home")
    assert present(view._caret()).left() == pytest.approx(first.left(), abs=1)
    press(view, "F7")
    top = view.verticalScrollBar().value()
    press(view, "Down")
    assert view.verticalScrollBar().value() > top


def test_keys_without_selected_words_say_how_words_are_selected(stage: Stage) -> None:
    reader = read(stage)
    press(reader.pages, "Ctrl+Shift+H")
    assert "select" in reader.notes.strip
    assert stage.archive.notes.notes(EVERYTHING) == []


def test_shift_and_arrows_select_on_from_the_marked_words_of_the_text(stage: Stage) -> None:
    reader = read(stage, _QUOTE)
    reader._as_text.setChecked(True)
    reader.text.go_to(reader.text.current, reader.text._marks[0])
    press(reader.text, "Ctrl+Shift+Right")
    assert reader.text.selected.startswith(_QUOTE)
    press(reader.text, "Ctrl+Shift+H")
    stage.until(lambda: bool(reader.text._notes))


def test_words_over_a_page_break_are_marked_and_highlighted_on_both_pages(stage: Stage) -> None:
    reader = read(stage, "su kullandı. Sonuç olarak")
    assert sorted(reader.pages._marks.cited) == [1, 2]
    assert reader._trouble.text() == ""
    press(reader.pages, "Ctrl+Shift+Right")
    stage.until(lambda: reader.pages.selected == "su kullandı. Sonuç olarak damla")
    press(reader.pages, "Ctrl+Shift+H")
    stage.until(lambda: sorted(reader.pages._marks.notes) == [1, 2])
    assert all(note.places for notes in reader.pages._marks.notes.values() for note in notes)
    words = [
        reader._reading.passages[at].text[note.start : note.end]
        for at, notes in reader.text._notes.items()
        for note in notes
        if reader._reading is not None
    ]
    assert words == ["su kullandı.", "Sonuç olarak damla"]
