"""The file itself: transactions, threads, readers beside the owner, errors."""

import os
import sqlite3
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path
from shutil import copytree
from tempfile import TemporaryDirectory

import pytest
import sqlcipher3.dbapi2
from sqlalchemy import Connection, text

from desktop.domain.errors import (
    DatabaseDamagedError,
    DatabaseIsFolderError,
    DatabaseLockedError,
    DatabaseReadOnlyError,
    DataUnreadableError,
    DiskFullError,
    StorageError,
)
from desktop.domain.ids import SessionId
from desktop.domain.projects import EVERYTHING
from desktop.domain.usage import Figure
from desktop.settings.encryption import ProfileKey
from desktop.storage.archive import Archive, open_archive, open_for_reading
from desktop.storage.care.backup import checkpoint_log
from desktop.storage.repositories.sessions import StoredMessage
from desktop.storage.schema.database import KEPT_S, MOST, Database, RecentCache
from tests.archives import an_active_session, archive_in, finished, full_disk, stored

NOBODY = 65534
needs_another_user = pytest.mark.skipif(
    not hasattr(os, "seteuid"), reason="needs another user's rights"
)


@pytest.fixture
def counter(tmp_path: Path) -> Iterator[Database]:
    """A file with one number in it."""
    database = Database(tmp_path / "counter.db", busy_timeout_s=30)
    with database.writing() as db:
        db.exec_driver_sql("CREATE TABLE counter (n INTEGER)")
        db.exec_driver_sql("INSERT INTO counter VALUES (0)")
    yield database
    database.close()


@pytest.fixture
def unwritable() -> Iterator[Path]:
    """A folder that this process may read and not write, even where tests run as root."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        archive = open_archive(folder / "bellek.db", backups=folder / "backups")
        archive.imports.add([finished("s", "Soru", "Cevap")])
        archive.close()
        folder.chmod(0o555)
        (folder / "bellek.db").chmod(0o444)
        is_root = os.geteuid() == 0
        if is_root:
            os.seteuid(NOBODY)
        try:
            yield folder
        finally:
            if is_root:
                os.seteuid(0)
            folder.chmod(0o755)


def _number(database: Database) -> int:
    with database.reading() as db:
        return int(db.exec_driver_sql("SELECT n FROM counter").scalar_one())


@contextmanager
def written_by_its_owner(folder: Path) -> Iterator[None]:
    at = os.geteuid()
    os.seteuid(os.getuid())
    folder.chmod(0o755)
    yield
    folder.chmod(0o555)
    os.seteuid(at)


@pytest.mark.parametrize("name", ["Araştırma #2", "100% emin?", "a&b=c ; d"])
def test_a_folder_may_have_any_name(tmp_path: Path, name: str) -> None:
    if os.name == "nt":
        name = name.replace("?", "")
    (tmp_path / name).mkdir()
    file = tmp_path / name / "bellek.db"
    archive = open_archive(file, backups=tmp_path / "backups")
    archive.imports.add([finished("s", "Soru", "Cevap")])
    archive.close()
    assert file.exists()
    reader = open_for_reading(file)
    assert len(reader.sessions.sessions(EVERYTHING)) == 1
    reader.close()


def test_writers_of_many_threads_all_succeed_and_no_write_is_lost(counter: Database) -> None:
    def add_one(_: int) -> None:
        with counter.writing() as db:
            n = db.exec_driver_sql("SELECT n FROM counter").scalar_one()
            db.execute(text("UPDATE counter SET n = :n"), {"n": n + 1})

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(add_one, range(80)))
    assert _number(counter) == 80


def test_a_long_read_is_not_cut_off_by_however_many_threads_come_after_it(
    counter: Database,
) -> None:
    with counter.reading() as db:
        rows = db.exec_driver_sql("SELECT n FROM counter UNION ALL SELECT 7")
        for _ in range(12):  # for example, a thread for every streaming answer
            others: list[int] = []
            thread = threading.Thread(target=lambda found=others: found.append(_number(counter)))
            thread.start()
            thread.join()
            assert others == [0]
        assert [row[0] for row in rows] == [0, 7]
        assert db.exec_driver_sql("SELECT count(*) FROM counter").scalar_one() == 1


def _break_off(db: Connection, *statements: str) -> None:
    for statement in statements:
        db.exec_driver_sql(statement)
    raise InterruptedError


def test_the_next_query_gets_the_connection_that_was_used_last(counter: Database) -> None:
    """Its cache has the pages, which an encrypted file would otherwise decrypt again."""
    with counter.reading() as one, counter.reading() as other:
        last = one.connection.driver_connection
        assert other.connection.driver_connection is not last
    for _ in range(3):
        with counter.reading() as db:
            assert db.connection.driver_connection is last


def test_a_transaction_that_fails_leaves_nothing_behind(counter: Database) -> None:
    with pytest.raises(InterruptedError), counter.writing() as db:
        _break_off(db, "UPDATE counter SET n = 5")
    assert _number(counter) == 0


def test_what_a_thread_does_together_is_seen_by_it_alone_and_undone_whole(
    counter: Database,
) -> None:
    seen: list[int] = []

    def break_off() -> None:
        with counter.writing() as db:
            db.exec_driver_sql("UPDATE counter SET n = 5")
        with counter.driver() as cursor:
            seen.append(cursor.execute("SELECT n FROM counter").fetchone()[0])
        with ThreadPoolExecutor(1) as pool:
            seen.extend([_number(counter), pool.submit(_number, counter).result()])
        raise InterruptedError

    with pytest.raises(InterruptedError), counter.together():
        break_off()
    assert seen == [5, 5, 0]
    assert _number(counter) == 0


def test_schema_and_version_change_together_or_not_at_all(counter: Database) -> None:
    with pytest.raises(InterruptedError), counter.writing() as db:
        _break_off(db, "CREATE TABLE other (n INTEGER)", "PRAGMA user_version = 9")
    with counter.reading() as db:
        assert db.exec_driver_sql("PRAGMA user_version").scalar_one() == 0
        assert db.exec_driver_sql("SELECT count(*) FROM sqlite_master").scalar_one() == 1


def test_the_standard_librarys_sqlite_reads_sessions_and_messages(
    archive: Archive, tmp_path: Path
) -> None:
    archive.imports.add([finished("s", "Şafak nedir?", "Sabah yükselişidir.", title="Şafak")])
    archive.close()
    with closing(sqlite3.connect(tmp_path / "bellek.db")) as plain:
        told = plain.execute(
            "SELECT s.title, s.status, m.number, m.role, m.content FROM sessions s "
            "JOIN messages m ON m.session_id = s.id ORDER BY m.number"
        ).fetchall()
        assert told == [
            ("Şafak", "complete", 1, "user", "Şafak nedir?"),
            ("Şafak", "complete", 2, "assistant", "Sabah yükselişidir."),
        ]
        assert plain.execute("PRAGMA quick_check").fetchone() == ("ok",)
        plain.execute("UPDATE sessions SET title = 'Elle' WHERE id = 's'")
        plain.commit()


def test_a_reader_beside_the_owner_sees_what_is_committed_and_writes_nothing(
    archive: Archive, tmp_path: Path
) -> None:
    with closing(open_for_reading(tmp_path / "bellek.db")) as beside:
        archive.sessions.save(an_active_session(), [stored(an_active_session().id, 1, "Merhaba")])
        assert [one.id for one in beside.sessions.sessions(EVERYTHING)] == ["s1"]
        with pytest.raises(DatabaseReadOnlyError):
            beside.sessions.pin(an_active_session().id, True)


def test_a_reader_in_mid_transaction_does_not_keep_the_owner_from_writing(
    archive: Archive, tmp_path: Path
) -> None:
    session = an_active_session()
    with closing(open_for_reading(tmp_path / "bellek.db")) as beside:
        with beside.database.reading() as db:
            assert db.exec_driver_sql("SELECT count(*) FROM messages").scalar_one() == 0
            archive.sessions.save(session, [stored(session.id, 1, "Merhaba")])
            assert db.exec_driver_sql("SELECT count(*) FROM messages").scalar_one() == 0
        assert len(beside.sessions.messages(session.id)) == 1


def test_a_file_that_another_program_holds_is_locked(tmp_path: Path, archive: Archive) -> None:
    impatient = Database(tmp_path / "bellek.db", busy_timeout_s=0.01)
    # Not by the standard library's SQLite: two copies of it in one process share their locks.
    other = sqlcipher3.dbapi2.connect(str(tmp_path / "bellek.db"), isolation_level=None)
    try:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(DatabaseLockedError), impatient.writing():
            pass
        other.execute("ROLLBACK")
        with impatient.writing() as db:
            db.exec_driver_sql("PRAGMA application_id = 7")
    finally:
        other.close()
        impatient.close()


@pytest.mark.skipif(os.name != "posix", reason="no such modes here")
def test_only_its_owner_can_read_a_new_archive(tmp_path: Path) -> None:
    path = tmp_path / "bellek.db"
    open_archive(path, backups=tmp_path / "backups").close()
    assert path.stat().st_mode & 0o777 == 0o600


def test_a_full_disk_is_reported_as_a_full_disk(counter: Database) -> None:
    with counter.writing() as db:
        db.exec_driver_sql("PRAGMA max_page_count = 3")
    with pytest.raises(DiskFullError), counter.writing() as db:
        db.exec_driver_sql("CREATE TABLE big AS SELECT randomblob(100000)")


def test_a_file_that_is_no_database_is_damaged(tmp_path: Path) -> None:
    (tmp_path / "noise.db").write_bytes(b"this is no database at all" * 400)
    noise = Database(tmp_path / "noise.db")
    with pytest.raises(DatabaseDamagedError), noise.reading() as db:
        db.exec_driver_sql("SELECT * FROM sqlite_master")
    noise.close()


def test_an_error_never_contains_the_users_words(counter: Database) -> None:
    with pytest.raises(StorageError) as raised, counter.writing() as db:
        db.execute(text("INSERT INTO nowhere VALUES (:words)"), {"words": "çok gizli"})
    assert "gizli" not in str(raised.value)
    assert "gizli" not in str(raised.value.__cause__)


@needs_another_user
def test_a_profile_in_a_folder_that_cannot_be_written_to_is_read(unwritable: Path) -> None:
    before = sorted(unwritable.iterdir())
    reader = open_for_reading(unwritable / "bellek.db")
    (session,) = reader.sessions.sessions(EVERYTHING)
    assert [one.content for one in reader.sessions.messages(session.id)] == ["Soru", "Cevap"]
    with pytest.raises(DatabaseReadOnlyError):
        reader.sessions.rename(session.id, "Başka")
    reader.close()
    assert sorted(unwritable.iterdir()) == before


@needs_another_user
def test_an_unreadable_log_is_not_ignored(unwritable: Path) -> None:
    with written_by_its_owner(unwritable):
        (unwritable / "bellek.db-wal").write_bytes(b"what was said last")
    with pytest.raises(DatabaseReadOnlyError):
        open_for_reading(unwritable / "bellek.db")


@needs_another_user
@pytest.mark.parametrize("name", ["new.db", "bellek.db"])
def test_a_folder_that_cannot_be_written_to_is_called_read_only(
    unwritable: Path, name: str
) -> None:
    with pytest.raises(DatabaseReadOnlyError):
        open_archive(unwritable / name, backups=unwritable / "backups")


def test_a_folder_in_the_place_of_the_file_is_reported_as_a_folder(tmp_path: Path) -> None:
    """SQLite reports the same error as for a full disk."""
    taken = tmp_path / "bellek.db"
    taken.mkdir()
    with pytest.raises(DatabaseIsFolderError) as raised:
        open_archive(taken, backups=tmp_path)
    assert raised.value.values == {"path": str(taken)}
    with pytest.raises(DatabaseIsFolderError):
        open_for_reading(taken)


@needs_another_user
def test_a_file_or_folder_without_read_permission_is_named(unwritable: Path) -> None:
    file = unwritable / "bellek.db"
    with written_by_its_owner(unwritable):
        file.chmod(0o000)
    with pytest.raises(DataUnreadableError) as raised:
        open_for_reading(file)
    assert raised.value.values == {"path": str(file)}
    shut = unwritable / "shut"
    with written_by_its_owner(unwritable):
        shut.mkdir(mode=0o000)
    with pytest.raises(DataUnreadableError) as raised:
        open_for_reading(shut / "bellek.db")
    assert raised.value.values == {"path": str(shut)}


@pytest.fixture(params=[None, ProfileKey(b"k" * 48)], ids=["plain", "encrypted"])
def key(request: pytest.FixtureRequest) -> ProfileKey | None:
    key: ProfileKey | None = request.param
    return key


@pytest.fixture(params=["with a log", "without", "as a conversion leaves it"])
def closed(request: pytest.FixtureRequest, tmp_path: Path, key: ProfileKey | None) -> Path:
    """A profile that no process has open; the last one closed it, or was killed."""
    archive = archive_in(tmp_path / "first", key=key)
    archive.imports.add([finished("s", "Soru", "Cevap")])
    if request.param == "with a log":
        copytree(tmp_path / "first", tmp_path / "second")
    archive.close()
    if request.param != "with a log":
        copytree(tmp_path / "first", tmp_path / "second")
    file = tmp_path / "second" / "bellek.db"
    if "conversion" in request.param:
        checkpoint_log(database := Database(file, key=key))
        database.close()
    file.with_name("bellek.db-shm").unlink(missing_ok=True)
    return file


def test_on_a_full_disk_everything_is_read_and_written_again_when_there_is_room(
    closed: Path, key: ProfileKey | None
) -> None:
    with full_disk():
        archive = open_archive(closed, backups=closed.parent, key=key)
        reader = open_for_reading(closed, key=key)
        for opened in (archive, reader):
            assert [one.content for one in opened.sessions.messages(SessionId("s"))] == [
                "Soru",
                "Cevap",
            ]
            with pytest.raises(StorageError) as refused:
                opened.sessions.rename(SessionId("s"), "Ad")
            assert type(refused.value) is not StorageError
        reader.close()
    archive.sessions.rename(SessionId("s"), "Ad")
    assert [one.title for one in archive.sessions.sessions(EVERYTHING)] == ["Ad"]
    archive.check()
    archive.close()


# Recently read values: cached for an hour, and dropped when their session changes


ONE = SessionId("one")


def _near(archive: Archive) -> list[str]:
    return [message.content for message in archive.index.neighbours(ONE, 1, 1)]


def _edit(archive: Archive) -> None:
    first = archive.sessions.messages(ONE)[0]
    edited = StoredMessage(replace(first, content="Yeni soru"), is_current=True)
    archive.sessions.save(archive.sessions.session(ONE), [edited])


def _delete(archive: Archive) -> None:
    archive.sessions.delete(ONE)
    archive.purge_deleted()


def _split(archive: Archive) -> None:
    archive.split_merge.split(ONE, archive.sessions.messages(ONE)[1].id, SessionId("new"))


def test_a_repeated_read_is_cached_until_its_session_changes(archive: Archive) -> None:
    changes: list[tuple[Callable[[Archive], None], list[str]]] = [
        (_edit, ["Yeni soru", "Yanıt"]),
        (_split, ["Yeni soru"]),
        (_delete, []),
    ]
    archive.imports.add([finished("one", "Soru", "Yanıt")])
    before = ["Soru", "Yanıt"]
    for change, after in changes:
        assert _near(archive) == before
        assert _near(archive) == before
        change(archive)
        assert _near(archive) == after
        before = after
    hits = archive.database.cached.figures.take()
    assert [one.figure for one in hits] == [Figure.CACHE_HITS]
    assert 0 < hits[0].total < hits[0].count


def test_entries_expire_after_an_hour_and_the_oldest_is_dropped_first() -> None:
    at = [0.0]
    cache, reads = RecentCache(lambda: at[0]), list[int]()

    def read(number: int) -> int:
        def now() -> int:
            reads.append(number)
            return number

        return cache.get("", number, now)

    for number in (*range(1, MOST + 1), MOST, MOST + 1, 1):
        assert read(number) == number
    assert reads == [*range(1, MOST + 2), 1]
    at[0] = KEPT_S + 1
    read(MOST)
    assert reads[-1] == MOST


def test_a_read_from_before_a_change_is_not_cached_after_it() -> None:
    cache = RecentCache()

    def read_while_it_changes() -> str:
        cache.drop("one")
        return "old"

    assert cache.get("one", 1, read_while_it_changes) == "old"
    assert cache.get("one", 1, lambda: "new") == "new"
