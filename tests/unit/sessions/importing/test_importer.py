"""The preview of a file before it is imported."""

import json
from pathlib import Path
from threading import Event

import pytest

from desktop.domain.ids import SessionId
from desktop.domain.projects import EVERYTHING
from desktop.research.child_process import ReadingStopped
from desktop.sessions.importing.import_process import read_in_child, read_in_process
from desktop.sessions.importing.import_reports import Preview, preview_file
from desktop.sessions.importing.import_types import ImportFormat
from desktop.storage.archive import Archive
from tests.incoming import BEGAN, Desk, claude_chat, simple_chat


def written(folder: Path, value: object) -> Path:
    path = folder / "conversations.json"
    path.write_text(json.dumps(value), encoding="utf-8")
    return path


def test_a_preview_shows_the_count_the_first_titles_and_the_period(tmp_path: Path) -> None:
    long = "Uzun bir başlık " * 20
    chats = [simple_chat(f"c{n}", f"Soru {n}", "Yanıt", title=None) for n in range(7)]
    chats.insert(0, simple_chat("c", "Soru", "Yanıt", title=long))
    *_, seen = preview_file(written(tmp_path, [*chats, *range(2)]))
    assert (seen.form, seen.conversations, seen.messages) == (ImportFormat.CHATGPT, 8, 16)
    assert seen.titles == (f"{long[:79].rstrip()}…", *(f"Soru {n}" for n in range(4)))
    assert [problem.number for problem in seen.problems] == [9, 10]
    assert seen.first is not None
    assert seen.last is not None
    assert (seen.first.timestamp(), seen.last.timestamp()) == (BEGAN, BEGAN + 1)


def test_a_preview_reports_its_progress_and_can_be_stopped(tmp_path: Path) -> None:
    path = written(tmp_path, [simple_chat(f"c{n}", "a", "b") for n in range(500)])
    assert [seen.conversations for seen in preview_file(path)] == [1, 201, 401, 500]
    assert list(preview_file(path, should_stop=lambda: True)) == [Preview(path)]


@pytest.mark.usefixtures("usual_children")
def test_a_child_reads_what_this_process_would_have_read(tmp_path: Path) -> None:
    long = simple_chat("long", "ğ" * 2_500_000, "Yanıt \ud83d")
    pieces = [simple_chat("a", "Soru", "Yanıt"), claude_chat("b", "s", "y"), 5, {}, long]
    path = written(tmp_path, pieces)
    assert list(read_in_child(path)) == list(read_in_process(path))
    own = {"id": "c", "topics": ["bal"], "summary": "Öz", "ended_at": "2026-01-02T03:04:05Z"}
    line = {**own, "messages": [{"role": "user", "content": "Arılar?", "ref": "r1"}]}
    path.write_text(f"{json.dumps(line)}\n", "utf-8")
    assert list(read_in_child(path)) == list(read_in_process(path))


def test_a_stop_ends_the_child_that_reads(tmp_path: Path) -> None:
    path = written(tmp_path, [simple_chat("a", *["Soru", "Yanıt"] * 1_000)] * 50)
    asked = Event()

    def should_stop() -> bool:
        asked.set()
        return True

    with pytest.raises(ReadingStopped):
        list(read_in_child(path, None, should_stop))
    assert asked.is_set()


# A session that was imported and then split or merged is recognised in its file


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
