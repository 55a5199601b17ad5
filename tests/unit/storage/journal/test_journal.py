"""The journal of one profile: what it keeps of what was deleted, and what it leaves behind."""

from pathlib import Path

from desktop.domain.ids import SessionId
from desktop.domain.prompts import Prompt
from desktop.domain.sync import DeviceId
from desktop.storage.archive import Archive
from desktop.storage.journal.journal import Journal
from tests.archives import an_active_session, archive_in, finished, stored


def test_the_tombstone_of_a_prompt_does_not_say_its_name(tmp_path: Path) -> None:
    archive = archive_in(tmp_path)
    journal = Journal(archive.database)
    journal.start(DeviceId("a" * 32))
    archive.prompts.replace([Prompt("Sırdüğümü", "Metin")])
    first = journal.take()
    assert first is not None
    journal.mark_sent(first.number)
    archive.prompts.replace([])
    second = journal.take()
    assert second is not None
    [deletion] = second.changes
    assert deletion.is_deletion
    assert "Sırdüğümü" not in deletion.id
    archive.purge_deleted()
    archive.close()
    files = [file for file in tmp_path.rglob("*") if file.is_file()]
    assert not any("Sırdüğümü".encode() in file.read_bytes() for file in files)


def test_a_journal_that_ends_leaves_nothing_in_the_file(tmp_path: Path) -> None:
    archive = archive_in(tmp_path)
    with archive.database.reading() as db:
        before = set(db.exec_driver_sql("SELECT name FROM sqlite_master").scalars())
    journal = Journal(archive.database)
    journal.start(DeviceId("a" * 32))
    journal.stop()
    with archive.database.reading() as db:
        assert set(db.exec_driver_sql("SELECT name FROM sqlite_master").scalars()) == before
    archive.close()


def test_what_follows_a_message_that_is_gone_follows_none(tmp_path: Path) -> None:
    archive = archive_in(tmp_path)
    Journal(archive.database).start(DeviceId("a" * 32))
    archive.imports.add([finished("s", "Soru", "Yanıt")])
    question, answer = archive.sessions.messages(SessionId("s"))
    with archive.database.writing() as db:
        db.exec_driver_sql(
            "UPDATE messages SET parent_id = ? WHERE id = ?", (question.id, answer.id)
        )
        db.exec_driver_sql("DELETE FROM messages WHERE id = ?", (question.id,))
    [left] = archive.sessions.messages(SessionId("s"))
    assert left.parent_id is None
    archive.close()


def test_a_message_of_a_session_that_is_marked_needs_no_mark(tmp_path: Path) -> None:
    """A mark would be a page more that is written for each message."""
    archive = archive_in(tmp_path)
    journal = Journal(archive.database)
    journal.start(DeviceId("a" * 32))
    session = an_active_session("s")
    archive.sessions.save(session, [stored(session.id, 1, "Soru")])
    marks = _marks(archive)
    archive.sessions.save(session, [stored(session.id, 2, "Yanıt")])
    assert _marks(archive) == marks
    pack = journal.take()
    assert pack is not None
    assert sum(change.kind == "messages" for change in pack.changes) == 2
    archive.close()


def _marks(archive: Archive) -> list[tuple[object, ...]]:
    with archive.database.reading() as db:
        rows = db.exec_driver_sql("SELECT kind, entity FROM changed_entities").all()
    return [tuple(row) for row in rows]
