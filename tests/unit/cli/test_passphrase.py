"""`bellek profile passphrase`: an encrypted profile by commands alone."""

import shutil
from pathlib import Path

import pytest

from desktop.settings.encryption import KeyFile
from desktop.storage.schema.database import Database
from tests.commands import Done, bellek

WORDS = "dört kelime bir parola"
MARK = "kestanefener"


def run(folder: Path, *words: str, stdin: str = "") -> Done:
    return bellek("--data-dir", str(folder), "--lang", "en", *words, stdin=stdin)


def set_passphrase(folder: Path) -> str:
    """Return the recovery key."""
    assert run(folder, "memory", "add", f"My dog is called {MARK}.").code == 0
    done = run(folder, "profile", "passphrase", "--passphrase-stdin", "--json", stdin=f"{WORDS}\n")
    assert done.code == 0, done.err
    return str(done.json["recovery"])


def test_commands_need_the_passphrase_and_then_work(tmp_path: Path) -> None:
    recovery = set_passphrase(tmp_path)
    locked = run(tmp_path, "memory", "list")
    assert (locked.code, locked.out) == (1, "")
    assert "locked" in locked.err
    wrong = run(tmp_path, "memory", "list", "--passphrase-stdin", stdin="wrong words\n")
    assert (wrong.code, wrong.out) == (1, "")
    for right in (WORDS, recovery):
        done = run(tmp_path, "memory", "list", "--passphrase-stdin", stdin=f"{right}\n")
        assert MARK in done.out


def test_an_export_is_announced_as_plain_text(tmp_path: Path) -> None:
    said = "the exported file is not"
    assert run(tmp_path, "examples", "add").code == 0
    assert said not in run(tmp_path, "export").err
    set_passphrase(tmp_path)
    done = run(tmp_path, "export", "--passphrase-stdin", stdin=f"{WORDS}\n")
    assert said in done.err
    assert said not in done.out


def test_it_is_changed_and_turned_off(tmp_path: Path) -> None:
    set_passphrase(tmp_path)
    both = f"{WORDS}\nanother one\n"
    changed = run(tmp_path, "profile", "passphrase", "--passphrase-stdin", stdin=both)
    assert changed.code == 0, changed.err
    again = run(tmp_path, "memory", "list", "--passphrase-stdin", stdin=f"{WORDS}\n")
    assert again.code == 1
    off = run(
        tmp_path, "profile", "passphrase", "--remove", "--passphrase-stdin", stdin="another one\n"
    )
    assert off.code == 0, off.err
    assert MARK in run(tmp_path, "memory", "list").out


def test_a_backup_of_an_encrypted_profile_is_restored_into_another(tmp_path: Path) -> None:
    set_passphrase(tmp_path / "a")
    backup = tmp_path / "b.db"
    given = ("--passphrase-stdin",)
    done = run(tmp_path / "a", "backup", str(backup), *given, stdin=f"{WORDS}\n")
    assert (done.code, "b.db.key" in done.err) == (0, True)
    assert MARK.encode() not in backup.read_bytes()
    refused = run(tmp_path / "c", "restore", str(backup))
    assert refused.code == 1
    assert "has its own passphrase" in refused.err
    seen = run(tmp_path / "c", "restore", str(backup), "--preview", *given, stdin=f"{WORDS}\n")
    assert "No sessions." in seen.err
    done = run(tmp_path / "c", "restore", str(backup), *given, stdin=f"{WORDS}\n")
    assert done.code == 0, done.err
    assert MARK in run(tmp_path / "c", "memory", "list").out


def test_the_list_of_profiles_shows_an_encrypted_one_and_nothing_of_it(tmp_path: Path) -> None:
    set_passphrase(tmp_path)
    done = run(tmp_path, "profile", "list")
    assert "default" in done.out
    assert "encrypted" in done.out
    assert MARK not in done.out


def test_doctor_and_backup_of_a_locked_profile_show_nothing_of_it(tmp_path: Path) -> None:
    set_passphrase(tmp_path / "a")
    seen = run(tmp_path / "a", "doctor")
    assert seen.code == 0, seen.err
    assert "locked" in seen.err
    backup = tmp_path / "b.db"
    done = run(tmp_path / "a", "backup", str(backup))
    assert done.code == 0, done.err
    assert MARK not in seen.out + seen.err + done.out + done.err
    given = ("--passphrase-stdin",)
    assert run(tmp_path / "c", "restore", str(backup), *given, stdin=f"{WORDS}\n").code == 0
    assert MARK in run(tmp_path / "c", "memory", "list").out


def test_damaged_rows_of_a_repair_are_encrypted_and_shown_with_the_passphrase(
    tmp_path: Path,
) -> None:
    set_passphrase(tmp_path)
    profile = tmp_path / "profiles" / "default"
    key = KeyFile.of_profile(profile).unlock(WORDS)
    database = Database(profile / "bellek.db", key=key)
    with database.writing() as db:
        db.exec_driver_sql("PRAGMA ignore_check_constraints = ON")
        db.exec_driver_sql("UPDATE facts SET importance = 'high'")
    database.close()
    given = ("--passphrase-stdin",)
    repaired = run(tmp_path, "doctor", "--repair", *given, stdin=f"{WORDS}\n")
    assert "bellek doctor --damage" in repaired.out, repaired.err
    (listed,) = (profile / "backups").glob("damaged-*.jsonl")
    assert MARK.encode() not in listed.read_bytes()
    assert run(tmp_path, "doctor", "--damage").code == 1
    shown = run(tmp_path, "doctor", "--damage", *given, stdin=f"{WORDS}\n")
    assert MARK in shown.out
    assert "importance=high" in shown.out


def test_a_conversion_that_cannot_go_on_is_told_and_stops_no_command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    set_passphrase(tmp_path)
    profile = tmp_path / "profiles" / "default"
    file = KeyFile.of_profile(profile)
    file.turn_off(file.unlock(WORDS))
    with monkeypatch.context() as little:
        usage = shutil.disk_usage(profile)._replace(free=0)
        little.setattr("shutil.disk_usage", lambda _: usage)
        for command in (("memory", "list"), ("memory", "add", f"{MARK} likes cheese.")):
            done = run(tmp_path, *command, "--passphrase-stdin", stdin=f"{WORDS}\n")
            assert (done.code, MARK in done.out + done.err) == (0, True)
            assert "MB of free disk space" in done.err
    assert run(tmp_path, "memory", "list", "--passphrase-stdin", stdin=f"{WORDS}\n").err == ""
    assert MARK in run(tmp_path, "memory", "list").out
