"""Sessions of other programs, brought in through the window."""

import json
from collections.abc import Sequence
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent, QGuiApplication
from PySide6.QtWidgets import QApplication, QPushButton

from desktop.storage.imports import FinishedSession, ImportStore
from desktop.ui.dialogs.importing import ImportSessionsDialog
from tests.incoming import claude_chat, packed, simple_chat
from tests.ui.main_window.stage import Stage


@pytest.fixture
def export(tmp_path: Path) -> Path:
    chats = [simple_chat(f"c{n}", f"Soru {n}", "Yanıt", title=f"Konu {n}") for n in range(7)]
    return packed(
        tmp_path / "export.zip", conversations=[*chats, {"title": "Bozuk", "mapping": 5}]
    )


def dialog_on(stage: Stage, *paths: Path) -> ImportSessionsDialog:
    """Open, and done with looking."""
    stage.window.dialogs.show_importing(paths)
    (dialog,) = stage.window.findChildren(ImportSessionsDialog)
    stage.until(lambda: not dialog._is_looking)
    return dialog


def press(button: QPushButton) -> None:
    assert button.isVisible()
    assert button.isEnabled()
    button.click()


def test_a_file_is_shown_before_it_is_imported_and_then_listed(stage: Stage, export: Path) -> None:
    dialog = dialog_on(stage, export)
    shown = dialog._details.toPlainText()
    assert "ChatGPT export" in shown
    assert "Konu 0" in shown
    assert "and 2 more" in shown
    assert "Conversation 8: has no messages" in shown
    assert "7 sessions, 14 messages." in dialog._words.text()
    assert stage.archive.sessions.sessions() == []
    press(dialog._begin)
    stage.until(lambda: dialog._is_done)
    stage.until(lambda: "Konu 3" in stage.rows())
    report = dialog._details.toPlainText()
    assert "export.zip: 7 sessions added" in report
    assert "Conversation 8" in report
    press(dialog._copy)
    assert QGuiApplication.clipboard().text() == report
    press(dialog._leave)


def test_the_same_file_again_says_that_all_is_there(stage: Stage, export: Path) -> None:
    stage.core.importer.import_file(export)
    dialog = dialog_on(stage, export)
    press(dialog._begin)
    stage.until(lambda: dialog._is_done)
    assert dialog._words.text() == "0 sessions imported. 7 sessions were already in the archive."
    press(dialog._leave)


def test_cancelling_keeps_the_sessions_that_are_whole_and_says_so(
    stage: Stage, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    chats = [simple_chat(f"c{n}", *(["Soru", "Yanıt"] * 500)) for n in range(12)]
    path = tmp_path / "conversations.json"
    path.write_text(json.dumps(chats), encoding="utf-8")
    dialog = dialog_on(stage, path)
    add = ImportStore.add

    def add_and_stop(store: ImportStore, batch: Sequence[FinishedSession]) -> None:
        add(store, batch)
        dialog._stopped.set()  # as pressing Cancel does, at a known moment

    monkeypatch.setattr(ImportStore, "add", add_and_stop)
    press(dialog._begin)
    stage.until(lambda: dialog._is_done)
    assert dialog._title.text() == "Import stopped"
    kept = len(stage.archive.sessions.sessions())
    assert 0 < kept < 12
    assert f"{kept} sessions imported." in dialog._words.text()
    assert "What was added stays" in dialog._details.toPlainText()
    press(dialog._leave)


def test_leaving_while_it_imports_stops_and_waits_for_the_report(
    stage: Stage, export: Path
) -> None:
    dialog = dialog_on(stage, export)
    press(dialog._begin)
    dialog.reject()
    assert dialog.isVisible()
    stage.until(lambda: dialog._is_done)
    press(dialog._leave)
    stage.until(lambda: not stage.window.findChildren(ImportSessionsDialog))


def test_a_file_without_conversations_says_why_and_cannot_be_imported(
    stage: Stage, tmp_path: Path
) -> None:
    path = tmp_path / "letter.txt"
    path.write_text("Dear all,\nnothing here.", encoding="utf-8")
    dialog = dialog_on(stage, path, tmp_path / "none.json")
    assert dialog._title.text() == "Nothing to import"
    assert not dialog._begin.isEnabled()
    assert "No line in this text names a speaker" in dialog._details.toPlainText()
    assert "none.json" in dialog._details.toPlainText()
    press(dialog._leave)


def test_files_dropped_on_the_window_open_the_dialog(stage: Stage, tmp_path: Path) -> None:
    path = tmp_path / "claude.json"
    path.write_text(json.dumps([claude_chat("c", "a", "b")]), encoding="utf-8")
    dragged = QMimeData()
    dragged.setUrls([QUrl.fromLocalFile(str(path))])
    button, keys = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    copy = Qt.DropAction.CopyAction
    entered = QDragEnterEvent(QPointF(5, 5).toPoint(), copy, dragged, button, keys)
    QApplication.sendEvent(stage.window, entered)
    assert entered.isAccepted()
    QApplication.sendEvent(stage.window, QDropEvent(QPointF(5, 5), copy, dragged, button, keys))
    stage.until(lambda: bool(stage.window.findChildren(ImportSessionsDialog)))
    (dialog,) = stage.window.findChildren(ImportSessionsDialog)
    stage.until(lambda: not dialog._is_looking)
    assert "Claude export" in dialog._details.toPlainText()
    assert not stage.window.parts.composer.field.canInsertFromMimeData(dragged)
    dialog.reject()


def test_a_session_is_written_as_a_page(stage: Stage, export: Path, tmp_path: Path) -> None:
    stage.core.importer.import_file(export)
    one = stage.archive.sessions.sessions()[0]
    file = tmp_path / "oturum.html"
    with stage.qtbot.waitSignal(stage.window.archive.exported):
        stage.window.archive.export(one.id, file)
    assert file.read_text(encoding="utf-8").startswith("<!doctype html>")
