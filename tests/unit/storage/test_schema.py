"""Schema steps: every earlier file can be migrated, and none is lost."""

import re
from collections.abc import Sequence
from datetime import date
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
import sqlcipher3.dbapi2
from sqlalchemy import Connection

from desktop.domain.errors import DatabaseTooNewError, MigrationFailedError
from desktop.domain.facts import Fact, NewFact, Origin, Term
from desktop.domain.ids import FactId
from desktop.domain.projects import EVERYTHING
from desktop.domain.search import EVERYWHERE, HitKind, Query
from desktop.recall.other_kinds import DiarySearch, FactSearch
from desktop.recall.search import Search
from desktop.storage.archive import Archive, open_archive
from desktop.storage.schema import migrations as schema
from desktop.storage.schema.database import Database
from desktop.storage.schema.migrations import STEPS, migrate, version_of
from tests.archives import NOON, archive_in, finished

Shape = dict[str, list[str]]


def shape_of(database: Database) -> Shape:
    """For each table its columns, keys, checks and indexes, in a comparable form."""
    with database.reading() as db:
        created = db.exec_driver_sql("SELECT name, type, sql FROM sqlite_master").all()
        shape: Shape = {}
        for name, kind, sql in created:
            if kind == "table" and not sql.startswith("CREATE VIRTUAL"):
                pragmas = ("table_xinfo", "foreign_key_list", "index_list")
                found = [row for one in pragmas for row in _pragma(db, one, name)]
                shape[name] = sorted(map(str, found)) + sorted(_checks(sql))
                shape[name].append(f"WITHOUT ROWID: {'WITHOUT ROWID' in sql}")
            else:
                shape[name] = ["".join(str(sql).split())]
    return shape


def _pragma(db: Connection, pragma: str, table: str) -> list[object]:
    rows = db.exec_driver_sql(f"PRAGMA {pragma}({table})").all()
    # The numbers that SQLite gives to keys and indexes follow the order of writing.
    return [tuple(row) if pragma == "table_xinfo" else tuple(row)[1:] for row in rows]


def _checks(sql: str) -> list[str]:
    return [" ".join(one.split()) for one in re.findall(r"CHECK \((.+?\)?)\)(?=[,\s])", sql)]


def database_at(path: Path, steps: int) -> Database:
    """A file as a program with that many steps wrote it."""
    path.write_bytes(_older_files()[steps])
    return Database(path)


@cache
def _older_files() -> Sequence[bytes]:
    with TemporaryDirectory() as folder:
        database = Database(Path(folder) / "bellek.db")
        found = [b""]
        for version, step in enumerate(STEPS, start=1):
            with database.writing() as db:
                step(db)
                db.exec_driver_sql(f"PRAGMA user_version = {version}")
            with database.outside_transactions() as db:
                db.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)")
            found.append(database.path.read_bytes())
        database.close()
        return found


@pytest.fixture(scope="module")
def fresh(tmp_path_factory: pytest.TempPathFactory) -> Shape:
    database = Database(tmp_path_factory.mktemp("fresh") / "bellek.db")
    migrate(database, backups=database.path.parent, now=NOON)
    shape = shape_of(database)
    database.close()
    return shape


@pytest.mark.parametrize("steps", range(len(STEPS) + 1))
def test_a_file_of_every_older_schema_becomes_equal_to_a_fresh_one(
    fresh: Shape, tmp_path: Path, steps: int
) -> None:
    old = database_at(tmp_path / "old.db", steps)
    migrate(old, backups=tmp_path / "backups", now=NOON)
    assert shape_of(old) == fresh
    assert version_of(old) == len(STEPS)
    old.close()


def test_a_diary_of_entries_becomes_a_diary_of_searchable_lines(tmp_path: Path) -> None:
    database = database_at(tmp_path / "bellek.db", 16)
    with database.writing() as db:
        db.exec_driver_sql(
            "INSERT INTO diary_entries"
            " VALUES (1, 'e', '2026-05-01', 'Kısa bir gün', 'user', '', '', '')"
        )
        db.exec_driver_sql(
            "INSERT INTO diary_items VALUES (7, 1, 1, 'open', 'Maya sorulacak', NULL, NULL, NULL)"
        )
    database.close()
    archive = archive_in(tmp_path)
    entry = archive.diary.entry(date(2026, 5, 1), EVERYTHING)
    assert entry is not None
    assert [item.text for item in entry.items] == ["Kısa bir gün", "Maya sorulacak"]
    assert [item.text for _, item, _ in archive.diary.matching("kisa", EVERYTHING)] == [
        "Kısa bir gün"
    ]
    archive.close()


def test_signs_and_words_without_spaces_of_an_older_archive_are_found(tmp_path: Path) -> None:
    texts = ("Tamam 👍", "庭園の桜並木を散策", "Eski söz")
    archive = archive_in(tmp_path)
    archive.imports.add([finished("s", *texts[:2])])
    liked = Fact(FactId("f"), "Genel", "Sevdiği: 桜並木 ♥", 5, Origin.USER, Term.LONG, NOON)
    archive.facts.add([NewFact(liked)])
    archive.diary.write_note(date(2026, 5, 1), "散策 ✓")
    with archive.database.writing() as db:  # as an earlier program left them
        db.exec_driver_sql("DELETE FROM message_index")
        db.exec_driver_sql("DELETE FROM fact_index")
        db.exec_driver_sql("DELETE FROM diary_index")
        db.exec_driver_sql("UPDATE sessions SET indexed_at = '2026-05-01'")
        db.exec_driver_sql("DROP TABLE literature_cache")
        db.exec_driver_sql("ALTER TABLE projects DROP COLUMN is_local_only")
        db.exec_driver_sql("ALTER TABLE vectors DROP COLUMN model")
        db.exec_driver_sql("ALTER TABLE source_vectors DROP COLUMN model")
        for table in (
            "memory_proposals",
            "shared_items",
            "shared_members",
            "watch_seen",
            "watched_files",
            "watched_folders",
            "watch_findings",
            "watches",
            "background_requests",
        ):
            db.exec_driver_sql(f"DROP TABLE {table}")
        db.exec_driver_sql("DROP TABLE claims")
        db.exec_driver_sql("DROP TABLE claim_checks")
        db.exec_driver_sql("DROP TABLE scanned_pages")
        db.exec_driver_sql("DROP TABLE source_references")
        db.exec_driver_sql("DROP TABLE note_vectors")
        db.exec_driver_sql("DROP TABLE notes")
        db.exec_driver_sql("DROP TABLE note_index")
        db.exec_driver_sql("DROP TABLE picture_texts")
        db.exec_driver_sql("DROP TABLE picture_index")
        db.exec_driver_sql("PRAGMA user_version = 18")
    archive.close()
    archive = archive_in(tmp_path)
    for session in archive.index.unindexed():
        archive.index.index_session(session)
    search = Search(
        archive.index,
        facts=FactSearch(archive.facts),
        diary=DiarySearch(archive.diary, lambda: True),
    )
    kinds = frozenset({HitKind.MESSAGE, HitKind.FACT, HitKind.DIARY})
    found = {
        typed: {hit.snippet for hit in search.find(Query(typed, kinds, scope=EVERYWHERE))}
        for typed in ("👍", "桜並木", "散策", "✓")
    }
    assert found == {
        "👍": {texts[0]},
        "桜並木": {texts[1], "Sevdiği: 桜並木 ♥"},
        "散策": {texts[1], "散策 ✓"},
        "✓": {"散策 ✓"},
    }
    archive.close()


def test_no_index_or_trigger_needs_a_function_that_other_tools_lack(archive: Archive) -> None:
    with archive.database.reading() as db:
        kinds = db.exec_driver_sql("SELECT type, sql FROM sqlite_master").all()
    assert not [sql for kind, sql in kinds if kind == "trigger"]
    assert not [sql for kind, sql in kinds if kind == "index" and sql and sql.count("(") > 1]


def test_a_file_newer_than_the_program_is_refused_and_left_as_it_is(tmp_path: Path) -> None:
    archive_in(tmp_path).close()
    with_future = Database(tmp_path / "bellek.db")
    with with_future.writing() as db:
        db.exec_driver_sql(f"PRAGMA user_version = {len(STEPS) + 1}")
    with_future.close()
    before = (tmp_path / "bellek.db").read_bytes()
    with pytest.raises(DatabaseTooNewError) as raised:
        archive_in(tmp_path)
    assert raised.value.values == {"found": len(STEPS) + 1, "known": len(STEPS)}
    assert (tmp_path / "bellek.db").read_bytes() == before


def test_a_copy_of_the_whole_file_is_taken_before_the_first_step(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    archive = archive_in(tmp_path)
    archive.imports.add([finished("s", "Eski soru", "Eski cevap")])
    archive.close()
    monkeypatch.setattr(schema, "STEPS", (*STEPS, _drops_everything))
    archive_in(tmp_path).close()
    (copy,) = (tmp_path / "backups").iterdir()
    kept = sqlcipher3.dbapi2.connect(str(copy))
    said = kept.execute("SELECT content FROM messages ORDER BY number").fetchall()
    kept.close()
    assert said == [("Eski soru",), ("Eski cevap",)]


def test_a_step_that_fails_leaves_the_file_at_the_step_before(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    archive_in(tmp_path).close()
    monkeypatch.setattr(schema, "STEPS", (*STEPS, _drops_everything, _breaks_off))
    with pytest.raises(InterruptedError):
        archive_in(tmp_path)
    database = Database(tmp_path / "bellek.db")
    assert version_of(database) == len(STEPS) + 1
    assert "left_by_a_broken_step" not in shape_of(database)
    database.close()


def test_every_check_of_a_fresh_file_holds_and_is_seen(archive: Archive) -> None:
    shape = shape_of(archive.database)
    assert "importance BETWEEN 1 AND 10" in shape["facts"]
    assert "role IN ('user', 'assistant')" in shape["messages"]
    assert "WITHOUT ROWID: True" in shape["citations"]


def test_a_fresh_file_needs_no_copy(tmp_path: Path) -> None:
    open_archive(tmp_path / "bellek.db", backups=tmp_path / "backups").close()
    assert not (tmp_path / "backups").exists()


def _drops_everything(db: Connection) -> None:
    db.exec_driver_sql("DELETE FROM messages")


def _breaks_off(db: Connection) -> None:
    db.exec_driver_sql("CREATE TABLE left_by_a_broken_step (n)")
    raise InterruptedError


def test_a_start_after_a_kill_in_the_same_second_goes_on_from_the_step(tmp_path: Path) -> None:
    """The copy before the step is there, whole or half written; the migration needs another."""
    old = database_at(tmp_path / "bellek.db", 3)
    backups = tmp_path / "backups"
    for half in (b"SQLite format 3\0 and nothing else", b""):
        old.close()
        old = database_at(tmp_path / "bellek.db", 3)
        backups.mkdir(exist_ok=True)
        copy = backups / f"before-step-4-{NOON:%Y%m%d-%H%M%S}.db"
        copy.write_bytes(half)
        (backups / ".bellek-killed.partial").write_bytes(half)
        migrate(old, backups=backups, now=NOON)
        assert version_of(old) == len(STEPS)
        kept = Database(copy)
        kept.check()
        assert version_of(kept) == 3
        kept.close()
    old.close()


def test_a_step_that_fails_without_words_names_the_copy(tmp_path: Path) -> None:
    old = database_at(tmp_path / "bellek.db", 3)
    with old.writing() as db:
        db.exec_driver_sql("CREATE TABLE compact_failures (other)")
    with pytest.raises(MigrationFailedError) as failed:
        migrate(old, backups=tmp_path / "backups", now=NOON)
    assert version_of(old) == 3
    assert Path(str(failed.value.values["kept"])).is_file()
    old.close()
