from pathlib import Path
from typing import TypeVar

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QDialog
from pytestqt.modeltest import ModelTester

from desktop.ui.dialogs.importing import ImportSessionsDialog
from desktop.ui.library.add_documents_dialog import AddDocumentsDialog
from desktop.ui.library.library_actions import Sorting
from desktop.ui.widgets.plain_text import MessageBox
from desktop.ui.window.actions import ActionId
from tests.ui.dialogs.stand_ins import texts
from tests.ui.library.conftest import listed, opened
from tests.ui.main_window.stage import Stage

D = TypeVar("D", bound=QDialog)


def the_dialog(stage: Stage, kind: type[D]) -> D:
    """The one that is open, once it is."""

    def visible() -> list[D]:
        return [one for one in stage.window.findChildren(kind) if one.isVisible()]

    stage.until(lambda: bool(visible()))
    return visible()[0]


def add_all(stage: Stage, dialog: AddDocumentsDialog) -> None:
    with stage.qtbot.waitSignal(dialog.added, timeout=60_000):
        dialog._begin.click()


def test_the_menu_opens_the_library_with_every_source(stage: Stage) -> None:
    stage.window.actions_by_name[ActionId.LIBRARY].trigger()
    window = stage.window.library.window
    assert window is not None
    stage.until(lambda: window.is_loaded)
    assert listed(window) == ["Olive water use", "Arıcılık notları", "Zeytinlikte sulama"]


def test_an_empty_library_says_what_it_is_for(empty: Stage) -> None:
    window = opened(empty)
    assert window._pages.currentIndex() == 1
    assert any("PDF" in words for words in texts(window))


def test_letters_find_titles_and_addresses_in_either_spelling(stage: Stage) -> None:
    window = opened(stage)
    window.search.setText("aricilik")
    assert listed(window) == ["Arıcılık notları"]
    window.search.setText("example")
    assert listed(window) == ["Olive water use"]
    window.search.setText("yok böyle")
    assert listed(window) == []
    assert not window._nothing.isHidden()


def test_the_order_can_be_chosen(stage: Stage) -> None:
    window = opened(stage)
    window.order.chosen.emit(Sorting.TITLE)
    assert listed(window) == ["Arıcılık notları", "Olive water use", "Zeytinlikte sulama"]


def test_what_is_removed_comes_back_with_undo(stage: Stage) -> None:
    window = opened(stage)
    window.list.choose(stage.archive.sources.sources()[1].id)
    QTest.keyClick(window.list, Qt.Key.Key_Delete)
    stage.until(lambda: "Arıcılık notları" not in listed(window))
    window.strip.choose_first("removed")
    stage.until(lambda: "Arıcılık notları" in listed(window))
    assert window.list.current is not None
    assert window.list.current.source.title == "Arıcılık notları"


def test_dropped_documents_go_into_the_library_and_failures_are_told(
    empty: Stage, files: Path
) -> None:
    window = opened(empty)
    empty.window.library.take_dropped([files])
    dialog = the_dialog(empty, AddDocumentsDialog)
    add_all(empty, dialog)
    told = dialog._details.toPlainText()
    assert "zeytin.txt: added" in told
    assert "✗ bozuk.pdf" in told
    empty.until(lambda: listed(window) == ["zeytin"])
    dialog.reject()


def test_a_copy_is_kept_on_request(empty: Stage, files: Path) -> None:
    empty.window.library.add([files / "zeytin.txt"])
    dialog = the_dialog(empty, AddDocumentsDialog)
    dialog._copies.setChecked(True)
    add_all(empty, dialog)
    (source,) = empty.archive.sources.sources()
    assert source.copy is not None
    dialog.reject()


def test_the_list_says_that_a_file_is_gone_and_does_not_open_it(empty: Stage, files: Path) -> None:
    file = next(iter(sorted(files.glob("*.txt"))))
    empty.core.library.add([file])
    window = opened(empty)
    row = window.model.row(window.model.index(0))
    assert row is not None
    assert window.model.words.trouble(row) == ""
    assert window._original.isEnabled()
    file.unlink()
    window.load()
    empty.until(lambda: window.model._known[0].item.size is None)
    row = window.model.row(window.model.index(0))
    assert row is not None
    assert window.model.words.trouble(row) == "the file is no longer where it was"
    assert not window._original.isEnabled()
    assert window._read_button.isEnabled()


def test_documents_dropped_with_a_conversation_are_asked_about_after_it(
    empty: Stage, files: Path, tmp_path: Path
) -> None:
    chat = tmp_path / "sohbet.jsonl"
    chat.write_text('{"id":"a","created_at":"2026-01-01T10:00:00.000Z","messages":[]}\n')
    empty.window.library.take_dropped([chat, files / "zeytin.txt"])
    importing = the_dialog(empty, ImportSessionsDialog)
    assert not empty.window.findChildren(AddDocumentsDialog)
    importing.reject()
    the_dialog(empty, AddDocumentsDialog).reject()


def test_a_text_that_reads_like_a_conversation_is_asked_about(
    empty: Stage, tmp_path: Path
) -> None:
    file = tmp_path / "not.md"
    file.write_text("## Sen\n\nMerhaba\n\n## Asistan\n\nMerhaba!\n", encoding="utf-8")
    empty.window.library.take_dropped([file])
    empty.until(lambda: bool(empty.window.findChildren(MessageBox)))
    (box,) = empty.window.findChildren(MessageBox)
    assert "not.md" in box.text()
    box.reject()


def test_the_model_keeps_to_the_rules_of_models(stage: Stage, qtmodeltester: ModelTester) -> None:
    qtmodeltester.check(opened(stage).model)  # type: ignore[no-untyped-call]
