from pathlib import Path
from time import thread_time

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QDialog
from pytestqt.modeltest import ModelTester

from desktop.domain.sources import SourceKind
from desktop.ui.library.add_documents_dialog import AddDocumentsDialog
from desktop.ui.library.source_list import Sorting, searchable_source
from desktop.ui.widgets.plain_text import MessageBox
from desktop.ui.window.actions import ActionId
from tests.ui.library.conftest import a_source, listed, opened
from tests.ui.main_window.stage import Stage

FRAME_S = 0.016


def adding(stage: Stage) -> AddDocumentsDialog:
    def there() -> bool:
        return any(one.isVisible() for one in stage.window.findChildren(AddDocumentsDialog))

    stage.until(there)
    return next(one for one in stage.window.findChildren(AddDocumentsDialog) if one.isVisible())


def test_the_menu_opens_the_library_with_every_source(stage: Stage) -> None:
    stage.window.actions_by_name[ActionId.LIBRARY].trigger()
    window = stage.window.library.window
    assert window is not None
    stage.until(lambda: window.is_loaded)
    assert listed(window) == ["Olive water use", "Arıcılık notları", "Zeytinlikte sulama"]


def test_an_empty_library_says_what_it_is_for(empty: Stage) -> None:
    window = opened(empty)
    assert window._pages.currentIndex() == 1
    assert "PDF" in window._empty.text()


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
    window._order_by(Sorting.TITLE)
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
    dialog = adding(empty)
    with empty.qtbot.waitSignal(dialog.added, timeout=60_000):
        dialog._begin.click()
    told = dialog._details.toPlainText()
    assert "zeytin.txt: added" in told
    assert "✗ bozuk.pdf" in told
    empty.until(lambda: listed(window) == ["zeytin"])
    dialog.reject()


def test_a_copy_is_kept_on_request(empty: Stage, files: Path) -> None:
    empty.window.library.add([files / "zeytin.txt"])
    dialog = adding(empty)
    dialog._copies.setChecked(True)
    with empty.qtbot.waitSignal(dialog.added, timeout=60_000):
        dialog._begin.click()
    (source,) = empty.archive.sources.sources()
    assert source.copy is not None
    (files / "zeytin.txt").unlink()
    original = empty.core.library.original(source)
    assert original is not None
    assert original.name == source.copy
    dialog.reject()


def test_the_list_says_that_a_file_is_gone_and_does_not_open_it(empty: Stage, files: Path) -> None:
    file = next(iter(sorted(files.glob("*.txt"))))
    empty.core.library.add([file])
    window = opened(empty)
    row = window.model.source(window.model.index(0))
    assert row is not None
    assert window.model.words.trouble(row) == ""
    assert window._original.isEnabled()
    file.unlink()
    window.load()
    empty.until(lambda: window.model._known[0].item.size is None)
    row = window.model.source(window.model.index(0))
    assert row is not None
    assert window.model.words.trouble(row) == "the file is no longer where it was"
    assert not window._original.isEnabled()
    assert window._read_button.isEnabled()


def test_a_dropped_conversation_is_imported(empty: Stage, tmp_path: Path) -> None:
    file = tmp_path / "sohbet.jsonl"
    file.write_text('{"id":"a","created_at":"2026-01-01T10:00:00.000Z","messages":[]}\n')
    empty.window.library.take_dropped([file])
    empty.until(lambda: any(_is_importing(one) for one in empty.window.findChildren(QDialog)))


def test_documents_dropped_with_a_conversation_are_asked_about_after_it(
    empty: Stage, files: Path, tmp_path: Path
) -> None:
    chat = tmp_path / "sohbet.jsonl"
    chat.write_text('{"id":"a","created_at":"2026-01-01T10:00:00.000Z","messages":[]}\n')
    empty.window.library.take_dropped([chat, files / "zeytin.txt"])
    empty.until(lambda: any(_is_importing(one) for one in empty.window.findChildren(QDialog)))
    assert not empty.window.findChildren(AddDocumentsDialog)
    (importing,) = filter(_is_importing, empty.window.findChildren(QDialog))
    importing.reject()
    adding(empty).reject()


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


def test_a_key_in_the_search_of_a_thousand_sources_takes_less_than_a_frame(stage: Stage) -> None:
    window = opened(stage)
    known = [
        searchable_source(
            a_source(f"Sayfa {number}", f"https://example.org/{number}", kind=SourceKind.WEB)
        )
        for number in range(1_000)
    ]
    window.model.show_items(known)
    taken_s = []
    for typed in ("s", "sa", "say", "sayfa", "sayfa 9", "sayfa 99", "sayfa 999"):
        began = thread_time()
        window.search.setText(typed)
        window.list.grab()
        taken_s.append(thread_time() - began)
    assert listed(window) == ["Sayfa 999"]
    # The middle one: a busy machine makes single ones waver.
    assert sorted(taken_s)[3] < FRAME_S


def _is_importing(dialog: QDialog) -> bool:
    return dialog.isVisible() and type(dialog).__name__ == "ImportSessionsDialog"
