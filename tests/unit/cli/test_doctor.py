"""`bellek doctor`: what it finds, repairs and refuses, in words and exit code."""

import json
import os
import sqlite3
import threading
from contextlib import closing
from pathlib import Path

import pytest

from tests.archives import archive_in, finished
from tests.commands import Done, bellek


@pytest.fixture
def profile(tmp_path: Path) -> Path:
    folder = tmp_path / "data" / "profiles" / "default"
    archive = archive_in(folder)
    archive.imports.add([finished("s1", "Kan şekeri", "Ölç.", title="Şeker")])
    archive.close()
    return folder


def doctor(profile: Path, *more: str) -> Done:
    return bellek("doctor", "--data-dir", str(profile.parents[1]), "--lang", "en", *more)


def test_a_damaged_value_is_reported_and_set_aside_by_repair(profile: Path) -> None:
    with closing(sqlite3.connect(profile / "bellek.db")) as db, db:
        db.execute("UPDATE messages SET created_at = 'yesterday' WHERE number = 1")
    found = doctor(profile)
    assert found.code == 0
    assert "Rows with damaged values: 1." in found.out
    repaired = doctor(profile, "--repair")
    assert repaired.code == 0
    assert "Messages recovered: 2 of 2." in repaired.out
    assert doctor(profile, "--repair").out == "Nothing was damaged.\n"
    assert "The database is intact" in doctor(profile).out
    shown = doctor(profile, "--damage")
    assert "Damaged, kept in part (messages): " in shown.out
    assert "yesterday" in shown.out
    (listed,) = (profile / "backups").glob("damaged-*.jsonl")
    told = json.loads(doctor(profile, "--damage", "--json").out)["damage"]
    assert told[str(listed)][0]["row"]["created_at"] == "yesterday"


def test_before_any_repair_nothing_is_listed(profile: Path) -> None:
    assert "Repairs have lost nothing so far." in doctor(profile, "--damage").err


def test_an_index_that_lacks_a_row_is_rebuilt(profile: Path) -> None:
    with closing(sqlite3.connect(profile / "bellek.db")) as db, db:
        db.execute("PRAGMA writable_schema = ON")
        changed = "UPDATE sqlite_schema SET sql = replace(sql, 'updated_at', 'created_at') "
        db.execute(f"{changed} WHERE name = 'sessions_by_time'")
        db.execute("UPDATE sessions SET created_at = '2020-01-01T00:00:00.000Z'")
    repaired = doctor(profile, "--repair")
    assert repaired.out == "A search index was damaged and was rebuilt. Nothing is lost.\n"


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="root may write everywhere")
def test_a_read_only_folder_is_refused_as_a_data_folder(profile: Path) -> None:
    profile.chmod(0o500)
    found = doctor(profile)
    profile.chmod(0o700)
    assert found.code == 1
    assert "Bellek cannot write to the profile folder." in found.out


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no such files there")
@pytest.mark.parametrize("name", ["settings.toml", "profiles/default/bellek.db"])
def test_a_pipe_in_the_place_of_a_file_is_refused_at_once(profile: Path, name: str) -> None:
    place = profile.parents[1] / name
    place.unlink(missing_ok=True)
    os.mkfifo(place)
    told = list[Done]()
    asking = threading.Thread(target=lambda: told.append(doctor(profile)), daemon=True)
    asking.start()
    asking.join(20)
    assert "is not a regular file" in told[0].err


@pytest.mark.parametrize("half", [b"", b"half of it", None])
def test_a_copy_that_is_missing_or_half_written_is_told(
    profile: Path, tmp_path: Path, half: bytes | None
) -> None:
    (tmp_path / "köz.md").write_text("# Köz\n\nKestane közde pişer.", encoding="utf-8")
    data = ("--data-dir", str(profile.parents[1]), "--lang", "en")
    assert bellek("library", "add", str(tmp_path / "köz.md"), "--copy", *data).code == 0
    assert "missing or damaged" not in doctor(profile).out
    (copy,) = (profile / "library").iterdir()
    copy.unlink() if half is None else copy.write_bytes(half)
    assert "pictures that are missing or damaged: 1." in doctor(profile).out
