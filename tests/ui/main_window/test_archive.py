"""The archive through the window: found, opened at its place, renamed, pinned, deleted, moved."""

import json
from io import BytesIO
from pathlib import Path

import pytest
from PySide6.QtCore import QModelIndex, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtPrintSupport import QPrinter
from PySide6.QtTest import QTest

from desktop.domain.messages import Citation, CitationState
from desktop.domain.projects import EVERYTHING
from desktop.domain.sessions import Session, SessionStatus
from desktop.research.documents.blocks import Block
from desktop.research.documents.reader_worker import read_document
from desktop.sessions.exporting.formats import FORMATS
from desktop.settings.paths import KEY_FILES
from desktop.storage.repositories.answer_records import AnswerRecord
from desktop.ui.dialogs.files import ExportAllDialog, ExportDialog
from desktop.ui.search.query import Filter
from desktop.ui.sidebar.entries import Entry
from desktop.ui.sidebar.model import SessionListModel, SessionRole
from tests.archives import finished
from tests.narrowing import present
from tests.ui.main_window.stage import Stage


def _first(stage: Stage) -> Session:
    return stage.archive.sessions.sessions(EVERYTHING)[0]


def test_typing_finds_and_a_hit_opens_at_its_message(library: Stage) -> None:
    sidebar = library.window.parts.sidebar
    QTest.keyClicks(sidebar.search, "somogyi")
    library.until(lambda: sidebar.model.is_searching and not library.is_finding())
    QTest.keyClick(sidebar.search, Qt.Key.Key_Down)
    assert sidebar.list.hasFocus()
    entry = present(sidebar.list.current_entry())
    assert entry.marks
    QTest.keyClick(sidebar.list, Qt.Key.Key_Return)
    shown = library.window.sessions
    library.until(lambda: shown.shown is not None and shown.shown.id == entry.session_id)
    assert any("omogyi" in words for words in library.shown())


def test_a_search_with_very_many_hits_is_read_to_its_end(stage: Stage) -> None:
    many = [finished(f"s{n}", f"Gelgit {n}?", f"Gelgit {n}.") for n in range(90)]
    stage.archive.imports.add(many)
    stage.window.archive.load()
    sidebar = stage.window.parts.sidebar
    sidebar.search.setText("gelgit")
    stage.until(lambda: sidebar.model.is_searching and not stage.is_finding())
    assert stage.rows()[-1] == "More results"
    assert sidebar.chips._buttons[Filter.MESSAGES].text() == "Messages 60+"
    sidebar.list.scrollToBottom()
    stage.until(lambda: sidebar.model.message_hits == 180)
    assert "More results" not in stage.rows()
    assert sidebar.chips._buttons[Filter.MESSAGES].text() == "Messages 180"
    listed = sidebar.model
    assert len({row.session_id for row in map(_entry, _indexes(listed)) if row}) == 90


def _indexes(model: SessionListModel) -> list[QModelIndex]:
    return [model.index(place) for place in range(model.rowCount())]


def _entry(index: QModelIndex) -> Entry | None:
    row = index.data(SessionRole.ROW)
    return row if isinstance(row, Entry) else None


def test_a_search_without_a_hit_says_so_and_escape_leaves_it(library: Stage) -> None:
    sidebar = library.window.parts.sidebar
    rows = library.rows()
    QTest.keyClicks(sidebar.search, "xyzzyx")
    library.until(lambda: "xyzzyx" in sidebar.list._nothing.text())
    QTest.keyClick(sidebar.search, Qt.Key.Key_Escape)
    assert library.rows() == rows
    QTest.keyClick(sidebar.search, Qt.Key.Key_Escape)
    assert library.window.parts.composer.field.hasFocus()


def test_undoing_a_deletion_during_a_search_finds_the_session_again(library: Stage) -> None:
    sidebar = library.window.parts.sidebar

    def found() -> set[str]:
        return {hit.session_id for hit in present(sidebar.model._results).hits}

    sidebar.search.setText("insulin")
    library.until(lambda: sidebar.model.is_searching and not library.is_finding())
    session_id = present(sidebar.model._results).hits[0].session_id
    library.window.archive.delete(session_id)
    library.until(lambda: session_id not in found())
    library.window.parts.strip.undo_last()
    library.until(lambda: session_id in found())


def test_undoing_the_deletion_of_the_active_session_lets_it_go_on(stage: Stage) -> None:
    stage.ask("Sil beni")
    active = present(stage.window.sessions.active)
    stage.window.actions_by_name["delete"].trigger()
    strip = stage.window.parts.strip
    stage.until(lambda: "deleted" in strip and stage.window.sessions.shown is None)
    strip.undo_last()
    stage.until(lambda: stage.shown() == ["Sil beni", "Tamam."])
    again = present(stage.window.sessions.active)
    assert (again.id, again.status) == (active.id, SessionStatus.ACTIVE)


@pytest.mark.parametrize("way", ["key", "context menu", "menu"])
def test_deleting_several_sessions_deletes_the_active_one_among_them(
    way: str, library: Stage
) -> None:
    sidebar, past = library.window.parts.sidebar, _first(library).id
    library.ask("Sil beni")
    active = present(library.window.sessions.active)
    sidebar.list.selectAll()
    assert {active.id, past} <= {*sidebar.chosen()}
    if way == "key":
        QTest.keyClick(sidebar.list, Qt.Key.Key_Delete)
    elif way == "menu":
        library.window.actions_by_name["delete"].trigger()
    else:
        sidebar.menu_of_several(sidebar.list.selected()).actions()[-1].trigger()
    library.until(lambda: "deleted" in library.window.parts.strip)
    assert library.archive.sessions.sessions(EVERYTHING) == []
    library.until(lambda: library.window.sessions.active is None)
    library.window.parts.strip.undo_last()
    library.until(lambda: library.shown()[:1] == ["Sil beni"])
    library.until(lambda: past in sidebar.model.known_sessions)


def test_a_session_is_copied_and_exported_as_markdown(library: Stage, tmp_path: Path) -> None:
    one = _first(library)
    QGuiApplication.clipboard().clear()
    library.window.archive.copy(one.id)
    library.until(lambda: bool(QGuiApplication.clipboard().text()))
    copied = QGuiApplication.clipboard().text()
    assert one.title is not None
    assert one.title in copied
    file = tmp_path / "oturum.md"
    with library.qtbot.waitSignal(library.window.archive.exported):
        library.window.archive.export(one.id, file)
    assert file.read_text(encoding="utf-8") == copied


def test_one_answer_is_exported_with_its_question_and_nothing_else(
    library: Stage, tmp_path: Path
) -> None:
    one = _first(library)
    asked, said, _, later = library.archive.sessions.messages(one.id)[2:6]
    records = [
        AnswerRecord(answer.id, "", [Citation(1, CitationState.CHECKED, "su", title, "p", title)])
        for answer, title in ((said, "Zeytin"), (later, "Papirüs"))
    ]
    library.archive.sessions.keep_records(one.id, records)
    for name in ("yanıt.md", "yanıt.html"):
        file = tmp_path / name
        with library.qtbot.waitSignal(library.window.archive.exported):
            library.window.archive.export(one.id, file, said.id)
        text = file.read_text(encoding="utf-8")
        assert text.count("<article" if name.endswith("html") else "\n## ") >= 2
        assert asked.content.split()[0] in text
        assert str(one.summary) not in text
        assert "Zeytin" in text
        assert "Papirüs" not in text
        others = library.archive.sessions.messages(one.id)[4:]
        assert not any(other.content in text for other in others)


def test_a_session_is_exported_as_pdf_and_as_a_word_document(
    library: Stage, tmp_path: Path
) -> None:
    session = _first(library)
    asked = library.archive.sessions.messages(session.id)[0].content
    for file in (tmp_path / "oturum.pdf", tmp_path / "oturum.docx"):
        with library.qtbot.waitSignal(library.window.archive.exported, timeout=20_000):
            library.window.archive.export(session.id, file)
        blocks = read_document(file, BytesIO(file.read_bytes()))
        told = " ".join(one.text for one in blocks if isinstance(one, Block))
        assert " ".join(asked.split())[:30] in " ".join(told.split())
        assert file.name in library.window.parts.strip.text("exported")
        assert list(tmp_path.glob("*.partial")) == []


def test_a_session_is_printed_with_its_answers(library: Stage, tmp_path: Path) -> None:
    one = _first(library)
    printer = QPrinter()
    printer.setOutputFileName(str(tmp_path / "printed.pdf"))
    library.window.archive.print_on(printer, one.id)
    library.until((tmp_path / "printed.pdf").exists)


def test_a_pdf_that_cannot_be_written_is_reported(library: Stage, tmp_path: Path) -> None:
    library.window.archive.export(_first(library).id, tmp_path / "nowhere" / "oturum.pdf")
    library.until(lambda: "failed" in library.window.parts.strip)


def test_the_example_library_is_added_from_the_empty_page(stage: Stage) -> None:
    assert stage.window.parts.empty_page.examples.isVisible()
    stage.window.parts.empty_page.examples.click()
    stage.until(lambda: len(stage.rows()) > 10)
    assert "sample sessions loaded." in stage.window.parts.strip.text("imported")
    assert not stage.window.parts.empty_page.examples.isVisible()


def test_the_examples_are_not_offered_again_after_the_first_session(stage: Stage) -> None:
    stage.ask("Merhaba")
    stage.window.sessions.begin_new()
    stage.until(lambda: bool(stage.rows()))
    stage.until(stage.window.parts.empty_page.isVisible)
    assert stage.window.parts.empty_page.examples.isHidden()


def test_everything_is_exported_in_the_format_that_is_read_in_again_what_is_active_too(
    library: Stage, tmp_path: Path
) -> None:
    library.ask("Zeytin ne kadar su ister?")
    file = tmp_path / "all.jsonl"
    library.window.actions_by_name["export_all"].trigger()
    dialog = library.window.findChildren(ExportAllDialog)[0]
    assert dialog.defaultSuffix() == "jsonl"
    dialog.filesSelected.emit([str(file)])
    strip = library.window.parts.strip
    library.until(lambda: "exporting" in strip and str(file) in strip.text("exporting"))
    dialog.reject()
    there = library.archive.sessions.sessions(EVERYTHING)
    assert SessionStatus.ACTIVE in {one.status for one in there}
    written = [json.loads(line)["id"] for line in file.read_text(encoding="utf-8").splitlines()]
    assert written == [one.id for one in there]
    assert list(tmp_path.glob("*.partial")) == []


def test_the_dialogs_offer_the_formats_of_the_registry(library: Stage, tmp_path: Path) -> None:
    session, answer = ExportDialog("t"), ExportDialog("t", is_answer=True)
    everything = ExportAllDialog("t")
    patterns = [
        [each[each.rindex("*") + 2 : -1] for each in dialog.nameFilters()[:-1]]
        for dialog in (session, answer, everything)
    ]
    assert patterns[0] == [form.name for form in FORMATS]
    assert patterns[1] == [form.name for form in FORMATS if form.is_for_reading]
    assert set(patterns[2]) == {form.name for form in FORMATS if form.holds_many}
    everything.filterSelected.emit(everything.nameFilters()[1])
    file = tmp_path / f"all.{everything.defaultSuffix()}"
    library.window.archive.export_all(file)
    library.until(file.exists)
    assert file.read_text(encoding="utf-8").startswith("# ")


def test_an_export_of_an_encrypted_profile_says_that_the_file_is_plain(library: Stage) -> None:
    (library.services.profile.folder / KEY_FILES[0]).touch()
    library.window.actions_by_name["export_all"].trigger()
    (dialog,) = library.window.findChildren(ExportAllDialog)
    assert dialog.windowTitle() == "Export everything – the file is not encrypted"
    dialog.reject()


def test_an_export_that_cannot_be_written_says_so_and_shows_no_progress(
    library: Stage, tmp_path: Path
) -> None:
    library.window.archive.export_all(tmp_path / "nowhere" / "all.jsonl")
    strip = library.window.parts.strip
    library.until(lambda: "failed" in strip)
    assert "all.jsonl" in strip.text("failed")
    assert "exporting" not in strip
