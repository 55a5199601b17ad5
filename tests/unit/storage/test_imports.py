"""Many finished sessions are stored at a time."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
from sqlalchemy import Connection, event

from desktop.domain.errors import StorageError
from desktop.domain.ids import SessionId, first_message_id_at
from desktop.domain.messages import Role
from desktop.domain.projects import EVERYTHING
from desktop.domain.search import EVERYWHERE, Query
from desktop.recall.search import Search
from desktop.storage.archive import Archive
from desktop.storage.schema.database import Database
from tests.archives import NOON, finished
from tests.incoming import Desk


def test_known_returns_roles_and_texts_or_none_for_a_missing_session(archive: Archive) -> None:
    archive.imports.add([finished("s", "Soru", "Cevap")])
    known = archive.imports.find_session(SessionId("s"))
    assert known
    assert known.contents == [(Role.USER, "Soru"), (Role.ASSISTANT, "Cevap")]
    assert known.grows == "s"
    assert archive.imports.find_session(SessionId("t")) is None


def test_an_active_or_deleted_session_is_known_and_may_not_grow(archive: Archive) -> None:
    archive.imports.add([finished("s", "Soru")])
    archive.sessions.delete(SessionId("s"))
    known = archive.imports.find_session(SessionId("s"))
    assert known is not None
    assert known.grows is None


def test_thousands_of_messages_of_one_moment_all_get_ids_of_their_own_in_order(
    archive: Archive,
) -> None:
    for name in ("a", "b", "c"):
        one = finished(name, *[f"{n}" for n in range(1500)])
        same = [replace(message, created_at=NOON) for message in one.messages]
        archive.imports.add([replace(one, messages=same)])
    for name in ("a", "b", "c"):
        said = archive.sessions.messages(SessionId(name))
        assert [one.content for one in said] == [f"{n}" for n in range(1500)]
        ids = [one.id for one in said]
        assert ids == sorted(ids)
        assert ids[0] >= first_message_id_at(NOON)


def test_a_batch_is_added_completely_or_not_at_all(archive: Archive) -> None:
    with pytest.raises(StorageError):
        archive.imports.add([finished("a", "x"), finished("a", "y")])
    assert archive.sessions.sessions(EVERYTHING) == []
    assert Search(archive.index).find(Query("x", scope=EVERYWHERE)) == []


def test_twice_as_many_sessions_at_once_need_no_more_queries(archive: Archive) -> None:
    def asked(count: int) -> int:
        days = [NOON + timedelta(days=count + n) for n in range(count)]
        batch = [finished(f"{at:%j}", f"Soru {at:%j}", at=at) for at in days]
        with _statements(archive.database) as seen:
            archive.imports.add(batch)
        return len(seen)

    assert asked(20) == asked(10)


def test_a_file_that_is_imported_again_needs_one_query_for_each_of_its_sessions(
    archive: Archive, tmp_path: Path
) -> None:
    desk, said = Desk(archive, tmp_path), [{"role": "user", "content": "Gelgit neden olur?"}]

    def asked(count: int) -> int:
        lines = [{"id": f"s{n}", "messages": said} for n in range(count)]
        desk.take(*lines)
        with _statements(archive.database) as seen:
            assert desk.take(*lines).already_there == count
        return len(seen)

    assert asked(20) - asked(10) == 10


@contextmanager
def _statements(database: Database) -> Iterator[list[str]]:
    seen: list[str] = []

    def note(_: Connection, __: object, statement: str, *___: object) -> None:
        seen.append(statement)

    event.listen(database._engine, "before_cursor_execute", note)
    yield seen
    event.remove(database._engine, "before_cursor_execute", note)
