"""A session that was imported and then split or merged is recognised in its file."""

import pytest

from desktop.domain.ids import SessionId
from desktop.domain.projects import EVERYTHING
from desktop.storage.archive import Archive
from tests.incoming import Desk, simple_chat

A, B, PART = SessionId("chatgpt-a"), SessionId("chatgpt-b"), SessionId("part")
SAID = ("Şafak nedir?", "Sabah.", "Peki gece?", "Karanlık.")
OTHER = ("Ekmek nasıl olur?", "Mayayla.")


def said_in(archive: Archive, session_id: SessionId) -> list[tuple[int, str]]:
    return [(one.number, one.content) for one in archive.sessions.messages(session_id)]


def split(archive: Archive) -> None:
    archive.split_merge.split(A, archive.sessions.messages(A)[2].id, PART)


def test_later_messages_of_a_split_session_go_to_its_last_part(
    archive: Archive, desk: Desk
) -> None:
    desk.take_json([simple_chat("a", *SAID)])
    split(archive)
    assert desk.take_json([simple_chat("a", *SAID)]).already_there == 1
    report = desk.take_json([simple_chat("a", *SAID, "Ya öğlen?")])
    assert (report.added, report.grown, report.messages) == (0, 1, 1)
    assert said_in(archive, PART) == [(1, SAID[2]), (2, SAID[3]), (3, "Ya öğlen?")]
    assert archive.sessions.session(PART).messages == 3
    assert len(said_in(archive, A)) == 2


@pytest.mark.parametrize("is_final", [False, True])
def test_a_merged_session_is_not_imported_again(
    archive: Archive, desk: Desk, *, is_final: bool
) -> None:
    both = [simple_chat("a", *SAID), simple_chat("b", *OTHER)]
    desk.take_json(both)
    archive.split_merge.merge(A, B)
    if is_final:
        archive.purge_deleted()
    report = desk.take_json(both)
    assert (report.added, report.grown, report.already_there) == (0, 0, 2)
    assert [one.id for one in archive.sessions.sessions(EVERYTHING)] == [A]


def test_a_merged_and_purged_session_can_be_imported_again(archive: Archive, desk: Desk) -> None:
    both = [simple_chat("a", *SAID), simple_chat("b", *OTHER)]
    desk.take_json(both)
    archive.split_merge.merge(A, B)
    archive.sessions.delete(A)
    archive.purge_deleted()
    assert desk.take_json(both).added == 2
    with archive.database.reading() as db:
        left = "SELECT (SELECT count(*) FROM moved_sessions) + count(*) FROM split_sessions"
        assert db.exec_driver_sql(left).scalar_one() == 0


def test_a_part_merged_a_second_time_is_still_known(archive: Archive, desk: Desk) -> None:
    both = [simple_chat("a", *SAID), simple_chat("b", *OTHER)]
    desk.take_json(both)
    split(archive)
    archive.split_merge.merge(B, PART)
    archive.purge_deleted()
    report = desk.take_json(both)
    assert (report.added, report.grown) == (0, 0)
    assert [len(said_in(archive, one)) for one in (A, B)] == [2, 4]
