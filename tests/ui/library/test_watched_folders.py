"""Watched folders in the window, importing a folder, and the memory that waits after it."""

import json
from collections.abc import Sequence
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QListWidget, QMenu, QWidget

from desktop.domain.facts import FactFilter
from desktop.domain.projects import EVERYTHING
from desktop.domain.watched_folders import WatchedFolder
from desktop.ui.dialogs.files import FolderDialog
from desktop.ui.dialogs.importing import ImportSessionsDialog, MemoryProposalsDialog
from desktop.ui.dialogs.information_dialogs import PictureDialog
from desktop.ui.library.watched_folders import WatchedFoldersDialog
from desktop.ui.memory.memory_page import FactsPage
from desktop.ui.reader.reader_content import ReaderPlace
from desktop.ui.reader.reader_view import ReaderText
from desktop.ui.transcript.entries import MessageAction, MessageRequest
from desktop.ui.widgets.buttons import Button
from desktop.ui.widgets.fields import WrappingCheckBox
from tests.narrowing import instance, present
from tests.pictures import png
from tests.ui.main_window.stage import Stage


@pytest.fixture
def vault(tmp_path: Path) -> Path:
    (vault := tmp_path / "Kasa").mkdir()
    (vault / ".obsidian").mkdir()
    (vault / "Kovan.md").write_text("Kovanın içi sıcaktır.")
    (vault / "Şafak.md").write_text("Şafak [[Kovan]] üstünde söker.")
    return vault


def titles(stage: Stage) -> list[str]:
    return sorted(source.title for source in stage.archive.sources.sources(EVERYTHING))


def folders(stage: Stage) -> Sequence[WatchedFolder]:
    return stage.archive.watched_folders.folders(EVERYTHING)


def press(stage: Stage, parent: QWidget, words: str) -> None:
    def buttons() -> list[Button]:
        several = parent.findChildren(Button)
        return [each for each in several if words in each.text() and each.isEnabled()]

    stage.until(lambda: bool(buttons()))
    buttons()[0].click()


def test_a_folder_is_watched_and_read_until_it_no_longer_is(empty: Stage, vault: Path) -> None:
    empty.window.actions_by_name.trigger("watched_folders")
    dialog = empty.opened(WatchedFoldersDialog)
    dialog.watch(vault)
    empty.until(lambda: titles(empty) == ["Kovan", "Şafak"])
    empty.until(lambda: bool(dialog.findChildren(WrappingCheckBox)))
    dialog.findChildren(WrappingCheckBox)[0].click()
    empty.until(lambda: [folder.takes_notes for folder in folders(empty)] == [True])
    press(empty, dialog, "Pause")
    empty.until(lambda: [folder.is_paused for folder in folders(empty)] == [True])
    press(empty, dialog, "No longer watch")
    empty.until(lambda: not folders(empty))
    assert titles(empty) == ["Kovan", "Şafak"]


def test_a_look_reads_what_is_new_and_asks_about_what_is_gone(empty: Stage, vault: Path) -> None:
    folder = empty.services.watched_folders.add(vault)
    watcher = present(empty.window.library.folders)
    watcher.look()
    empty.until(lambda: titles(empty) == ["Kovan", "Şafak"])
    empty.until(lambda: bool(folders(empty)[0].looked_at) and not watcher.is_looking)
    (vault / "Kovan.md").unlink()
    (vault / "Yeni.md").write_text("Yeni bir not.")
    watcher.look()
    notice = "1 document is no longer in the folder “Kasa”: Kovan."
    strip, key = empty.window.parts.strip, f"watched_folder {folder.id}"
    empty.until(lambda: key in strip)
    assert notice in strip.text(key)
    assert titles(empty) == ["Kovan", "Yeni", "Şafak"]
    strip._choose(key, 1)
    empty.until(lambda: titles(empty) == ["Yeni", "Şafak"])
    assert empty.services.watched_folders.gone(folder) == []


def test_a_chosen_folder_of_notes_comes_as_documents_and_is_watched(
    empty: Stage, vault: Path
) -> None:
    empty.window.actions_by_name.trigger("import_folder")
    chooser = empty.opened(FolderDialog)
    chooser.filesSelected.emit([str(vault)])
    chooser.close()
    dialog = empty.opened(ImportSessionsDialog)
    press(empty, dialog, "&Import")
    empty.until(lambda: titles(empty) == ["Kovan", "Şafak"])
    empty.until(lambda: [folder.path for folder in folders(empty)] == [str(vault.resolve())])
    dialog.close()
    empty.window.dialogs.show_importing([vault])  # again: it is watched already
    empty.until(lambda: empty.opened(ImportSessionsDialog) is not dialog)
    again = empty.opened(ImportSessionsDialog)
    press(empty, again, "&Import")
    empty.until(lambda: not again.isVisible() or again._is_done)
    assert len(folders(empty)) == 1
    assert "failed" not in empty.window.parts.strip


def test_what_another_assistant_remembers_waits_in_the_memory_and_takes_keys(
    empty: Stage, tmp_path: Path
) -> None:
    file = tmp_path / "memories.json"
    file.write_text(json.dumps({"conversations_memory": "- Ayşe arıcıdır.\n- Bal üretir."}))
    empty.services.importer.import_file(file)
    empty.window.actions_by_name.trigger("memory")
    page = empty.opened(FactsPage)
    press(empty, page, "2 sentences of another assistant wait")
    dialog = empty.opened(MemoryProposalsDialog)
    sentences = dialog.findChildren(QListWidget)[0]
    empty.until(lambda: sentences.count() == 2)
    assert sentences.hasFocus() or dialog.focusWidget() is sentences
    QTest.keyClick(sentences, Qt.Key.Key_Space)
    press(empty, dialog, "&Remember")
    empty.until(lambda: sentences.count() == 1)
    assert len(empty.archive.facts.facts(FactFilter(EVERYTHING))) == 1
    dialog.close()
    waits = "1 sentence of another assistant waits"
    empty.until(lambda: any(waits in each.text() for each in page.findChildren(Button)))


def test_a_link_between_notes_is_followed_by_a_click_a_key_and_the_menu(
    empty: Stage, vault: Path
) -> None:
    empty.services.library.add([vault])
    sources = {each.title: each for each in empty.archive.sources.sources(EVERYTHING)}
    library = empty.window.library

    def opened_dawn() -> ReaderText:
        place = ReaderPlace(sources["Şafak"].id)
        library.read(place)
        empty.until(lambda: at("Şafak"))
        return present(library.reader).text

    def at(title: str) -> bool:
        place, reading = present(library.reader).place, present(library.reader)._reading
        shown = reading is not None and reading.place == place
        return shown and place is not None and place.source_id == sources[title].id

    text = opened_dawn()
    cursor = text.textCursor()
    cursor.setPosition(text.toPlainText().index("Kovan") + 1)
    text.setTextCursor(cursor)
    QTest.keyClick(text, Qt.Key.Key_Return)
    empty.until(lambda: at("Kovan"))
    text = opened_dawn()
    cursor.setPosition(text.toPlainText().index("Kovan") + 1)
    point = text.cursorRect(cursor).center()
    QTest.mouseClick(text.viewport(), Qt.MouseButton.LeftButton, pos=point)
    empty.until(lambda: at("Kovan"))
    text = opened_dawn()
    menu = QMenu()
    text.offer_links(menu)
    instance(menu.actions()[0].menu(), QMenu).actions()[0].trigger()
    empty.until(lambda: at("Kovan"))


def test_a_picture_of_a_note_opens_from_the_reader(empty: Stage, vault: Path) -> None:
    (vault / "Ekler").mkdir()
    (vault / "Ekler" / "Işık.png").write_bytes(png())
    (vault / "Resimli.md").write_text("Ufuk ![[Işık.png]] ve ![[Yok.png]] böyledir.")
    watched = empty.services.watched_folders
    watched.look(watched.add(vault).id)
    (source,) = (s for s in empty.archive.sources.sources(EVERYTHING) if s.title == "Resimli")
    library = empty.window.library
    library.read(ReaderPlace(source.id))
    empty.until(lambda: "Ufuk" in present(library.reader).text.toPlainText())
    text = present(library.reader).text
    text.link_wanted.emit("Yok.png")
    strip = present(library.reader).notes.strip
    empty.until(lambda: "link" in strip)
    cursor = text.textCursor()
    cursor.setPosition(text.toPlainText().index("Işık") + 1)
    text.setTextCursor(cursor)
    QTest.keyClick(text, Qt.Key.Key_Return)
    empty.until(lambda: bool(empty.window.findChildren(PictureDialog)))
    assert empty.opened(PictureDialog).windowTitle() == "Işık.png"


def test_a_session_an_answer_and_a_note_are_written_into_the_folder_that_takes_notes(
    empty: Stage, vault: Path
) -> None:
    empty.model.says("Kovan sıcaktır.")
    empty.ask("Kovan sıcak mı?")
    strip = empty.window.parts.strip
    empty.window.actions_by_name.trigger("write_note")
    empty.until(lambda: "written_note" in strip)
    assert "No folder takes answers and notes yet" in strip.text("written_note")
    folder = empty.services.watched_folders.add(vault)
    empty.services.watched_folders.allow_notes(folder.id, takes_notes=True)
    empty.window.actions_by_name.trigger("write_note")
    empty.until(lambda: len(list(vault.glob("*.md"))) == 3)
    answer = empty.messages()[-1].message
    request = MessageRequest(MessageAction.WRITE, message=answer.id)
    empty.window.parts.transcript.action_chosen.emit(request)
    empty.until(lambda: len(list(vault.glob("*.md"))) == 4)
    note = empty.services.notes.add_to_message(answer.id, "sıcaktır", "Isıyı ölç").value
    empty.window.library.note_file_wanted.emit(note.id)
    empty.until((vault / "Isıyı ölç.md").exists)
    empty.until(lambda: "Isıyı ölç.md" in strip.text("written_note"))
