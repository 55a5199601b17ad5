"""A damaged file: kept, read as far as possible, and reported to the user."""

import os
import sqlite3
from contextlib import closing, suppress
from datetime import timedelta
from pathlib import Path

import pytest

from desktop.domain.backups import RepairNeed
from desktop.domain.errors import DatabaseDamagedError, RowsDamagedError
from desktop.domain.facts import Fact, FactFilter, NewFact, Origin, Term
from desktop.domain.ids import FactId, SessionId, SourceId
from desktop.domain.projects import EVERYTHING
from desktop.domain.search import EVERYWHERE, HitKind, Query
from desktop.domain.sources import NewPassage, Source, SourceKind
from desktop.recall.search import Search
from desktop.storage.archive import Archive, repair_archive
from desktop.storage.care.salvage import read_damage
from desktop.storage.schema.database import Database, OpenMode
from tests.archives import NOON, archive_in, finished
from tests.commands import bellek
from tests.unit.storage.test_restore import PAGE, overwrite_root_page

SESSIONS, MESSAGES = 30, 20
NOISE = b"\xa5" * PAGE


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """An archive of many pages."""
    folder = tmp_path_factory.mktemp("archive")
    archive = archive_in(folder)
    words = "Kan şekeri sabaha karşı yükselir. " * 12
    archive.imports.add(
        [
            finished(
                f"s{n}",
                *[f"{n}.{m} {words}" for m in range(MESSAGES)],
                at=NOON + timedelta(days=n),
            )
            for n in range(SESSIONS)
        ]
    )
    archive.close()
    return (folder / "bellek.db").read_bytes()


@pytest.fixture(scope="module")
def part(tmp_path_factory: pytest.TempPathFactory, whole: bytes) -> bytes:
    """The same without the last third of what its sessions added, which no new table moves.

    The pages of tables, which are there in an empty archive too, stand before them.
    """
    folder = tmp_path_factory.mktemp("empty")
    archive_in(folder).close()
    empty = (folder / "bellek.db").stat().st_size
    return whole[: empty + (len(whole) - empty) * 2 // 3]


@pytest.fixture
def file(tmp_path: Path, whole: bytes) -> Path:
    """Its file, closed."""
    file = tmp_path / "bellek.db"
    file.write_bytes(whole)
    return file


def reopened_after_damage(file: Path) -> tuple[DatabaseDamagedError, Archive]:
    with pytest.raises(DatabaseDamagedError) as raised:
        _use_everything(file)
    if not raised.value.values:  # found while reading: the next start checks and salvages
        with pytest.raises(DatabaseDamagedError) as raised:
            archive_in(file.parent)
    return raised.value, archive_in(file.parent)


def _use_everything(file: Path) -> None:
    archive = archive_in(file.parent)
    try:
        for session in archive.sessions.sessions(EVERYTHING):
            archive.sessions.messages(session.id)
    finally:
        archive.close()


def test_a_truncated_file_is_kept_and_what_is_left_of_it_is_saved(file: Path, part: bytes) -> None:
    file.write_bytes(part)
    told, archive = reopened_after_damage(file)
    kept = Path(str(told.values["kept"]))
    assert kept.read_bytes() == part
    saved = int(told.values["saved"])
    assert SESSIONS * MESSAGES * 0.6 < saved < SESSIONS * MESSAGES
    assert (
        sum(len(archive.sessions.messages(s.id)) for s in archive.sessions.sessions(EVERYTHING))
        == saved
    )
    archive.close()


def test_overwritten_pages_lose_only_their_own_rows(file: Path) -> None:
    whole = bytearray(file.read_bytes())
    middle = len(whole) // 2 // PAGE * PAGE
    whole[middle : middle + 2 * PAGE] = NOISE * 2
    file.write_bytes(whole)
    told, archive = reopened_after_damage(file)
    assert int(told.values["saved"]) > SESSIONS * MESSAGES * 0.8
    assert file.with_name("backups").joinpath(Path(str(told.values["kept"])).name).exists()
    archive.check()
    archive.close()


@pytest.mark.parametrize("index", ["message_index", "fact_index", "session_index"])
@pytest.mark.parametrize("table", ["data", "idx", "docsize", "config"])
def test_a_broken_index_is_also_damage_and_loses_no_message(
    file: Path, index: str, table: str
) -> None:
    overwrite_root_page(file, f"{index}_{table}", NOISE)
    file.with_name(file.name + "-suspect").touch()
    with suppress(
        DatabaseDamagedError
    ):  # it depends on the table whether the index can be dropped
        archive_in(file.parent).close()
    archive = archive_in(file.parent)
    assert (
        sum(one.messages for one in archive.sessions.sessions(EVERYTHING)) == SESSIONS * MESSAGES
    )
    archive.check()
    archive.close()


@pytest.mark.parametrize("state", ["new", "compact"])
def test_a_destroyed_page_of_the_schema_is_reported_and_costs_no_message(
    file: Path, state: str
) -> None:
    if state == "compact":
        database = Database(file)
        with database.outside_transactions() as db:
            db.exec_driver_sql("VACUUM")
        database.close()
    whole = file.read_bytes()
    file.write_bytes(NOISE + whole[PAGE:])
    told, archive = reopened_after_damage(file)
    assert Path(str(told.values["kept"])).read_bytes() == NOISE + whole[PAGE:]
    assert told.values["saved"] == SESSIONS * MESSAGES
    assert len(archive.sessions.sessions(EVERYTHING)) == SESSIONS
    archive.check()
    archive.close()
    assert not list(file.parent.glob(".bellek-*"))


def test_a_file_of_noise_is_replaced_by_a_new_one(file: Path) -> None:
    file.write_bytes(NOISE * 9)
    told, archive = reopened_after_damage(file)
    assert (told.values["saved"], archive.sessions.sessions(EVERYTHING)) == (0, [])
    archive.close()


def test_salvaged_messages_can_be_found_again(file: Path) -> None:
    whole = bytearray(file.read_bytes())
    whole[-2 * PAGE :] = NOISE * 2
    whole[len(whole) // 2 // PAGE * PAGE :][:PAGE] = NOISE
    file.write_bytes(whole[: len(whole) - 7 * PAGE])
    _, archive = reopened_after_damage(file)
    for session_id in archive.index.unindexed():
        archive.index.index_session(session_id)
    hits = Search(archive.index).find(
        Query("sabaha", kinds=frozenset({HitKind.MESSAGE}), scope=EVERYWHERE)
    )
    assert hits
    archive.close()


def test_saving_the_same_damaged_profile_twice_keeps_both_files(file: Path) -> None:
    for _ in range(2):
        file.write_bytes(NOISE)
        with pytest.raises(DatabaseDamagedError):
            archive_in(file.parent)
    assert len(list((file.parent / "backups").glob("damaged-*.db"))) == 2


def test_messages_without_their_session_get_one_of_their_own(file: Path, tmp_path: Path) -> None:
    archive = archive_in(tmp_path)
    with archive.database.outside_transactions() as db:
        db.exec_driver_sql("PRAGMA foreign_keys = OFF")
        db.exec_driver_sql("DELETE FROM sessions WHERE id = 's7'")
    archive.close()
    whole = bytearray(file.read_bytes())
    whole[len(whole) * 3 // 4 // PAGE * PAGE :][:PAGE] = NOISE
    file.write_bytes(whole[: len(whole) - 3 * PAGE])
    _, archive = reopened_after_damage(file)
    orphan = archive.sessions.session(SessionId("s7"))
    assert orphan.opening.startswith("7.0")
    assert [one.id for one in archive.descriptions.due()] == ["s7"]
    archive.close()


@pytest.mark.parametrize("name", ["C# notes", "what?", "50%25 off", "a%20b&c=d"])
def test_salvage_works_in_every_folder_name(part: bytes, tmp_path: Path, name: str) -> None:
    if os.name == "nt" and "?" in name:
        pytest.skip("no folder can be named so there")
    folder = tmp_path / "data" / name
    folder.mkdir(parents=True)
    file = folder / "bellek.db"
    file.write_bytes(part)
    told, archive = reopened_after_damage(file)
    assert int(told.values["saved"]) > SESSIONS * MESSAGES * 0.6
    assert len(archive.sessions.sessions(EVERYTHING)) == SESSIONS
    archive.close()
    assert [one.name for one in (tmp_path / "data").iterdir()] == [name]


def spoil(file: Path, table: str, column: str, value: str | bytes, session: str = "s7") -> None:
    """Damage one value of a session or of its third message; the file's own checks still pass."""
    key = {"sessions": "id = ?", "messages": "session_id = ? AND number = 3"}[table]
    as_text = f"UPDATE {table} SET {column} = CAST(? AS TEXT) WHERE {key}"  # noqa: S608
    with closing(sqlite3.connect(file)) as db, db:
        db.execute("PRAGMA ignore_check_constraints = ON")
        db.execute(as_text, (value, session))


UNREADABLE: list[tuple[str, str, str | bytes]] = [
    ("sessions", "created_at", "2026-0s-05T12:00:00.000Z"),
    ("sessions", "updated_at", b"\xff\xfe"),
    ("sessions", "status", "complgte"),
    ("sessions", "language", "tz"),
    ("sessions", "described_by", "?"),
    ("sessions", "opening", b"kan \xff\xe7"),
    ("sessions", "message_count", "many"),
    ("messages", "created_at", "yesterday"),
    ("messages", "role", "usep"),
    ("messages", "state", "kompl"),
    ("messages", "content", b"kan \xff\xe7 \x80"),
]


def test_one_unreadable_value_hides_only_itself_and_salvage_keeps_its_row(file: Path) -> None:
    """Each in its own session."""
    for number, (table, column, value) in enumerate(UNREADABLE):
        spoil(file, table, column, value, f"s{number}")
    archive = archive_in(file.parent)
    sessions = {one.id: one for one in archive.sessions.sessions(EVERYTHING)}
    assert len(sessions) == SESSIONS
    for number, (table, _, _) in enumerate(UNREADABLE):
        session = sessions[SessionId(f"s{number}")]
        messages = archive.sessions.messages(session.id)
        assert session.is_damaged == (table == "sessions")
        assert [one.number for one in messages if one.is_damaged] == [3] * (table == "messages")
        assert [one.content.split()[0] for one in messages if one.number != 3] == [
            f"{number}.{n}" for n in range(MESSAGES) if n != 2
        ]
        assert len(messages) == MESSAGES
    assert archive.count_unreadable() == len(UNREADABLE)
    archive.close()
    file.with_name(file.name + "-suspect").touch()
    told, archive = reopened_after_damage(file)
    assert told.values["saved"] == SESSIONS * MESSAGES
    for session_id in sessions:
        assert len(archive.sessions.messages(session_id)) == MESSAGES
    archive.check()
    archive.close()


def test_a_fact_and_a_document_with_an_unreadable_value_are_listed_as_damaged(
    archive: Archive,
) -> None:
    source = Source(SourceId("d"), SourceKind.DOCUMENT, "Kış", "/d", NOON, NOON, sha256="0")
    archive.sources.add(source, [NewPassage("Kestane közde pişer.")])
    for name in ("a", "b"):
        fact = Fact(FactId(name), "Ev", name * 9, 5, Origin.USER, Term.LONG, NOON)
        archive.facts.add([NewFact(fact)])
    with closing(sqlite3.connect(archive.database.path)) as db, db:
        db.execute("PRAGMA ignore_check_constraints = ON")
        db.execute("UPDATE facts SET importance = 'high' WHERE id = 'a'")
        db.execute("UPDATE sources SET title = CAST(x'ff' AS TEXT), pages = 'many'")
    facts = archive.facts.facts(FactFilter(EVERYTHING))
    assert {one.id: one.is_damaged for one in facts} == {"a": True, "b": False}
    (listed,) = archive.sources.sources(EVERYTHING)
    assert (listed.title, listed.is_damaged) == ("\ufffd", True)
    assert archive.count_unreadable() == 2


def damage_an_index_unseen(file: Path) -> None:
    """Damage a page of an index that only a check of every index finds."""
    with closing(sqlite3.connect(file)) as db:
        sql = "SELECT rootpage FROM sqlite_master WHERE name = 'one_active_session'"
        (root,) = db.execute(sql).fetchone()
    whole = bytearray(file.read_bytes())
    whole[(root - 1) * PAGE] ^= 8
    file.write_bytes(whole)
    database = Database(file, OpenMode.AS_IT_LIES)
    with database.reading() as found:
        assert found.exec_driver_sql("PRAGMA quick_check(1)").scalar_one() == "ok"
    database.close()


def test_damage_at_the_root_of_an_index_that_no_check_finds_is_found_at_the_start(
    file: Path,
) -> None:
    damage_an_index_unseen(file)
    told, archive = reopened_after_damage(file)
    assert told.values["saved"] == SESSIONS * MESSAGES
    assert archive.sessions.active() is None
    archive.close()


def test_losses_of_a_salvage_are_reported_by_session_and_listed(file: Path) -> None:
    spoil(file, "messages", "role", "usep")
    with closing(sqlite3.connect(file)) as db, db:
        db.execute("PRAGMA foreign_keys = OFF")
        db.execute("DELETE FROM messages WHERE session_id = 's9' AND number > 17")
        db.execute("UPDATE sessions SET title = 'Dokuz' WHERE id = 's9'")
    need, told = repair_archive(file, backups=file.parent / "backups")
    assert need is RepairNeed.SALVAGE
    assert isinstance(told, RowsDamagedError)
    saved = SESSIONS * MESSAGES - 3
    assert (told.values["saved"], told.values["known"]) == (saved, SESSIONS * MESSAGES)
    assert told.values["sessions"] == f"“Dokuz” {MESSAGES - 3}/{MESSAGES}"
    row, session = read_damage(Path(str(told.values["list"])), None)
    assert (row["table"], row["row"]["role"], row["row"]["number"]) == ("messages", "usep", 3)
    assert (session["session"], session["messages"], session["saved"]) == ("Dokuz", 20, 17)
    assert repair_archive(file, backups=file.parent / "backups") == (RepairNeed.NOTHING, None)


def test_a_command_that_meets_damage_repairs_and_the_next_one_works(
    file: Path, tmp_path: Path
) -> None:
    damage_an_index_unseen(file)
    profile = tmp_path / "data" / "profiles" / "default"
    profile.mkdir(parents=True)
    file.rename(profile / "bellek.db")
    options = ("--data-dir", str(tmp_path / "data"), "--lang", "en")
    first = bellek("sessions", "end", *options)
    assert first.code == 1
    assert first.err.count("The database was damaged") == 1
    assert "Bellek kept the damaged file as" in first.err
    assert f"{SESSIONS * MESSAGES}" in first.err
    second = bellek("sessions", "list", "--json", *options)
    assert (second.code, second.err, len(second.lines)) == (0, "", SESSIONS)
    assert bellek("export", *options).code == 0


def test_damaged_letters_in_the_schema_are_reported_as_damage(file: Path) -> None:
    whole = file.read_bytes()
    file.write_bytes(whole.replace(b"sessions_by_time ON", b"sessions_by_time \xff\xfe", 1))
    told, archive = reopened_after_damage(file)
    assert told.values["saved"] == SESSIONS * MESSAGES
    archive.check()
    archive.close()
