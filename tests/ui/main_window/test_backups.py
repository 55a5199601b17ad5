"""Backups and imports at the window."""

import json
import os
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from pytestqt.qtbot import QtBot

from desktop.domain.errors import DatabaseDamagedError, RowsDamagedError
from desktop.domain.facts import FactFilter
from desktop.domain.projects import EVERYTHING
from desktop.settings.encryption import KeyFile
from desktop.storage.archive import open_for_reading
from desktop.storage.repositories.imports import FinishedSession, ImportStore
from desktop.ui.dialogs.importing import ImportSessionsDialog, MemoryProposalsDialog
from desktop.ui.dialogs.information_dialogs import DamageDialog
from desktop.ui.services import REPAIR, Restart
from desktop.ui.widgets.fields import TextArea
from desktop.ui.widgets.plain_text import MessageBox
from tests.incoming import claude_chat, packed, simple_chat
from tests.ui.dialogs.stand_ins import button
from tests.ui.gestures import drop, files_in
from tests.ui.main_window.stage import WAIT_MS, Stage

LONG_AGO_S = 1_000_000_000


@pytest.fixture
def backup(stage: Stage, tmp_path: Path) -> Path:
    """A backup of an archive with one session."""
    stage.ask("Gelgit neden olur?")
    stage.window.dialogs.back_up(tmp_path / "b.db")
    stage.until(lambda: "backed_up" in stage.window.parts.strip)
    return tmp_path / "b.db"


def test_a_backup_holds_the_whole_archive_and_reports_its_size(stage: Stage, backup: Path) -> None:
    assert "Sessions: 1. Messages: 2" in stage.window.parts.strip.text("backed_up")
    copy = open_for_reading(backup)
    assert [one.opening for one in copy.sessions.sessions(EVERYTHING)] == ["Gelgit neden olur?"]
    copy.close()


def test_a_backup_is_never_written_over_another_file(stage: Stage, tmp_path: Path) -> None:
    (tmp_path / "b.db").write_text("of somebody else", encoding="utf-8")
    stage.window.dialogs.back_up(tmp_path / "b.db")
    strip = stage.window.parts.strip
    stage.until(lambda: "failed" in strip)
    assert "was not overwritten" in strip.text("failed")
    assert "backing_up" not in strip
    assert (tmp_path / "b.db").read_text(encoding="utf-8") == "of somebody else"


def test_a_file_that_is_no_backup_is_refused_before_anything_closes(
    stage: Stage, tmp_path: Path
) -> None:
    (tmp_path / "notes.db").write_text("bread, milk", encoding="utf-8")
    stage.window.dialogs.restore(tmp_path / "notes.db")
    stage.until(lambda: "failed" in stage.window.parts.strip)
    assert "not a Bellek backup" in stage.window.parts.strip.text("failed")
    assert stage.window.isVisible()
    assert stage.window.restart is None


def test_a_backup_is_restored_by_a_restart(stage: Stage, backup: Path, qtbot: QtBot) -> None:
    stage.window.dialogs.restore(backup)
    box = stage.opened(MessageBox)
    assert "Sessions: 1. Messages: 2. Sources: 0. From " in box.informativeText()
    with qtbot.waitSignal(stage.window.closed, timeout=WAIT_MS):
        button(box, "Restore").click()
    assert stage.window.restart == Restart(("--restoring", str(backup)))
    stage._end()


def test_the_passphrase_of_a_backup_is_announced_before_it_is_asked_for(
    stage: Stage, tmp_path: Path
) -> None:
    (tmp_path / "other.db").write_bytes(bytes(8_192))
    KeyFile.of_backup(tmp_path / "other.db").create("dört kelime bir parola", seconds=0)
    stage.window.dialogs.restore(tmp_path / "other.db")
    assert "Bellek asks for it after the restart." in stage.opened(MessageBox).informativeText()


def test_damage_found_at_work_is_repaired_by_a_restart(stage: Stage, qtbot: QtBot) -> None:
    strip = stage.window.parts.strip
    stage.window.notices.show_failed(DatabaseDamagedError())
    with qtbot.waitSignal(stage.window.closed, timeout=WAIT_MS):
        button(strip, "Restart and repair").click()
    assert stage.window.restart == Restart(())
    stage._end()


def test_the_damaged_rows_of_a_repair_are_shown(stage: Stage) -> None:
    care = stage.services.care
    row = {"table": "messages", "is_kept": True, "row": {"content": "ölç", "role": "usep"}}
    gap = {"session": "Şeker", "id": "s1", "messages": 20, "saved": 17}
    listed = care.path.with_name("backups") / "damaged-20260305-120000.jsonl"
    listed.parent.mkdir(exist_ok=True)
    listed.write_text("\n".join(map(json.dumps, (row, gap))), "utf-8")
    stage.window.notices.show_failed(RowsDamagedError(kept=str(listed.with_suffix(".db"))))
    button(stage.window.parts.strip, "Show damaged rows").click()
    dialog = stage.opened(DamageDialog)
    (area,) = dialog.findChildren(TextArea)
    said = area.text()
    assert "content=ölç; role=usep" in said
    assert "“Şeker”: 17 of 20 messages saved" in said


def test_the_archive_is_checked_on_request_by_a_restart(stage: Stage, qtbot: QtBot) -> None:
    stage.window.actions_by_name["repair"].trigger()
    with qtbot.waitSignal(stage.window.closed, timeout=WAIT_MS):
        button(stage.opened(MessageBox), "Check and repair").click()
    assert stage.window.restart == REPAIR
    stage._end()


def test_cancelling_a_restore_changes_nothing(stage: Stage, backup: Path) -> None:
    stage.window.dialogs.restore(backup)
    button(stage.opened(MessageBox), "Cancel").click()
    assert stage.window.restart is None
    assert stage.window.isVisible()


def test_a_restore_asks_before_it_loses_a_temporary_session(stage: Stage, backup: Path) -> None:
    stage.window.actions_by_name["temporary"].trigger()
    stage.ask("Kimse bilmesin")
    stage.window.dialogs.restore(backup)
    button(stage.opened(MessageBox), "Restore").click()
    stage.until(lambda: stage.opened(MessageBox).text() == "End the temporary session?")
    button(stage.opened(MessageBox), "Keep session").click()
    assert stage.window.restart is None
    assert stage.window.isVisible()


def test_a_deletion_warns_of_backups_that_may_still_contain_the_session(
    stage: Stage, backup: Path
) -> None:
    kept = stage.services.profile.backups
    kept.mkdir(exist_ok=True)
    (kept / "since.db").write_bytes(backup.read_bytes())
    (kept / "before.db").write_bytes(backup.read_bytes())
    os.utime(kept / "before.db", (LONG_AGO_S, LONG_AGO_S))
    assert delete_shown(stage).endswith("1 backup may still contain what was deleted.")


def test_a_deletion_says_nothing_of_backups_if_there_are_none(stage: Stage) -> None:
    stage.ask("Gelgit neden olur?")
    assert delete_shown(stage).endswith("was deleted.")


def delete_shown(stage: Stage) -> str:
    """Delete the shown session; return the notice."""
    stage.window.actions_by_name["delete"].trigger()
    stage.until(lambda: "deleted" in stage.window.parts.strip)
    return stage.window.parts.strip.text("deleted")


def test_the_restored_backup_is_described_in_the_language_of_the_window(
    opens: Callable[[], Stage],
) -> None:
    stage = opens()
    stage.window.dialogs.show_restoring()
    assert stage.window.parts.strip.text("restoring") == "Restoring the backup…"
    stage.attach()
    stage.window.dialogs.show_restored(None)
    assert "restoring" not in stage.window.parts.strip


@pytest.fixture
def export(tmp_path: Path) -> Path:
    chats = [simple_chat(f"c{n}", f"Soru {n}", "Yanıt", title=f"Konu {n}") for n in range(7)]
    return packed(
        tmp_path / "export.zip", conversations=[*chats, {"title": "Bozuk", "mapping": 5}]
    )


def dialog_on(stage: Stage, *paths: Path) -> ImportSessionsDialog:
    """Return the open dialog once its preview is loaded."""
    stage.window.dialogs.show_importing(paths)
    (dialog,) = stage.window.findChildren(ImportSessionsDialog)
    stage.until(lambda: not dialog._is_looking)
    return dialog


def test_a_file_is_shown_before_it_is_imported_and_then_listed(stage: Stage, export: Path) -> None:
    dialog = dialog_on(stage, export)
    shown = dialog._details.toPlainText()
    assert "ChatGPT export" in shown
    assert "Konu 0" in shown
    assert "and 2 more" in shown
    assert "Conversation 8: skipped because it has no messages" in shown
    assert "7 sessions, 14 messages." in dialog._words.text()
    assert stage.archive.sessions.sessions(EVERYTHING) == []
    button(dialog, "Import").click()
    stage.until(lambda: dialog._is_done)
    stage.until(lambda: "Konu 3" in stage.rows())
    report = dialog._details.toPlainText()
    assert "export.zip: 7 sessions added" in report
    assert "Conversation 8" in report
    button(dialog, "Copy report").click()
    assert QGuiApplication.clipboard().text() == report
    button(dialog, "Close").click()


def test_the_same_file_again_says_that_all_is_there(stage: Stage, export: Path) -> None:
    stage.services.importer.import_file(export)
    dialog = dialog_on(stage, export)
    button(dialog, "Import").click()
    stage.until(lambda: dialog._is_done)
    assert dialog._words.text() == "0 sessions imported. 7 sessions were already in the archive."
    button(dialog, "Close").click()


def test_cancelling_keeps_the_sessions_that_are_whole_and_says_so(
    stage: Stage, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    chats = [simple_chat(f"c{n}", *(["Soru", "Yanıt"] * 500)) for n in range(6)]
    path = tmp_path / "conversations.json"
    path.write_text(json.dumps(chats), encoding="utf-8")
    dialog = dialog_on(stage, path)
    add = ImportStore.add

    def add_and_stop(store: ImportStore, batch: Sequence[FinishedSession]) -> None:
        add(store, batch)
        dialog._stopped.set()  # as pressing Cancel does, at a known moment

    monkeypatch.setattr(ImportStore, "add", add_and_stop)
    button(dialog, "Import").click()
    stage.until(lambda: dialog._is_done)
    assert dialog._title.text() == "Import stopped"
    kept = len(stage.archive.sessions.sessions(EVERYTHING))
    assert 0 < kept < 6
    assert f"{kept} sessions imported." in dialog._words.text()
    assert "Sessions added so far stay" in dialog._details.toPlainText()
    button(dialog, "Close").click()


def test_leaving_while_it_imports_stops_and_waits_for_the_report(
    stage: Stage, export: Path
) -> None:
    dialog = dialog_on(stage, export)
    button(dialog, "Import").click()
    dialog.reject()
    assert dialog.isVisible()
    stage.until(lambda: dialog._is_done)
    button(dialog, "Close").click()
    stage.until(lambda: not stage.window.findChildren(ImportSessionsDialog))


def test_a_file_without_conversations_says_why_and_cannot_be_imported(
    stage: Stage, tmp_path: Path
) -> None:
    path = tmp_path / "letter.txt"
    path.write_text("Dear all,\nnothing here.", encoding="utf-8")
    dialog = dialog_on(stage, path, tmp_path / "none.json")
    assert dialog._title.text() == "Nothing to import"
    assert not button(dialog, "Import").isEnabled()
    assert "No line in this text names a speaker" in dialog._details.toPlainText()
    assert "none.json" in dialog._details.toPlainText()
    button(dialog, "Cancel").click()


def test_files_dropped_on_the_window_open_the_dialog(stage: Stage, tmp_path: Path) -> None:
    path = tmp_path / "claude.json"
    path.write_text(json.dumps([claude_chat("c", "a", "b")]), encoding="utf-8")
    dragged = files_in(path)
    drop(stage.window, dragged)
    dialog = stage.opened(ImportSessionsDialog)
    stage.until(lambda: not dialog._is_looking)
    assert "Claude export" in dialog._details.toPlainText()
    assert not stage.window.parts.composer.field.canInsertFromMimeData(dragged)
    dialog.reject()


def test_what_another_assistant_remembers_is_asked_when_the_import_is_closed(
    stage: Stage, tmp_path: Path
) -> None:
    path = tmp_path / "memories.json"
    path.write_text(json.dumps({"conversations_memory": "Lives in Rize. Drinks tea."}), "utf-8")
    dialog = dialog_on(stage, path)
    assert "2 remembered sentences" in dialog._details.toPlainText()
    button(dialog, "Import").click()
    stage.until(lambda: dialog._is_done)
    button(dialog, "Close").click()
    asked = stage.opened(MemoryProposalsDialog)
    stage.until(lambda: asked._list.count() == 2)
    assert not button(asked, "Remember").isEnabled()
    facts = stage.archive.facts
    assert facts.facts(FactFilter(EVERYTHING)) == []
    item = next(each for each in map(asked._list.item, range(2)) if "Rize" in each.text())
    item.setCheckState(Qt.CheckState.Checked)
    button(asked, "Remember").click()
    stage.until(lambda: asked._list.count() == 1)
    assert [fact.content for fact in facts.facts(FactFilter(EVERYTHING))] == ["Lives in Rize."]
    button(asked, "Remember all").click()
    stage.until(lambda: asked._list.count() == 0)
    assert len(facts.facts(FactFilter(EVERYTHING))) == 2
    button(asked, "Close").click()
