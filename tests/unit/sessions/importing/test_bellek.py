"""Sessions in Bellek's own format, in and out."""

import json
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop.domain.errors import FileUnreadableError
from desktop.domain.ids import SessionId
from desktop.domain.language import Language
from desktop.domain.messages import Role
from desktop.domain.projects import EVERYTHING
from desktop.domain.sessions import DescribedBy, SessionStatus
from desktop.sessions.conversation.message_files import message_file
from desktop.sessions.exporting.formats import as_line
from desktop.sessions.importing import bellek
from desktop.sessions.importing.import_types import OmittedContent, UnreadableConversationError
from desktop.sessions.importing.importer import finished as session_of
from desktop.storage.archive import Archive
from tests.archives import NOON, archive_in, finished
from tests.incoming import Desk
from tests.pictures import png

SAID = [
    {"role": "user", "content": "Şafak olayı nedir?", "ref": "u1"},
    {"role": "assistant", "content": "Sabaha karşı kan şekerinin yükselmesidir.", "ref": "a1"},
]


def test_a_session_comes_in_complete_with_its_times_words_and_refs(
    archive: Archive, desk: Desk
) -> None:
    report = desk.take(
        {
            "id": "s1",
            "created_at": "2025-01-02T03:04:05.678Z",
            "ended_at": "2025-01-02T04:00:00+00:00",
            "title": "Şafak",
            "summary": "Özet",
            "topics": ["şafak olayı", "insülin"],
            "messages": SAID,
        }
    )
    assert (report.added, report.messages, report.problems) == (1, 2, [])
    session = archive.sessions.session(SessionId("s1"))
    assert session.status is SessionStatus.COMPLETE
    assert session.created_at.isoformat() == "2025-01-02T03:04:05.678000+00:00"
    assert session.ended_at is not None
    assert session.ended_at.hour == 4
    assert (session.title, session.summary) == ("Şafak", "Özet")
    assert session.topics == ("şafak olayı", "insülin")
    assert session.described_by is DescribedBy.IMPORT
    messages = archive.sessions.messages(session.id)
    assert [(one.role, one.content, one.ref) for one in messages] == [
        (Role.USER, SAID[0]["content"], "u1"),
        (Role.ASSISTANT, SAID[1]["content"], "a1"),
    ]


def test_a_description_missing_in_the_file_is_extracted(archive: Archive, desk: Desk) -> None:
    desk.take({"id": "s1", "messages": SAID})
    session = archive.sessions.session(SessionId("s1"))
    assert session.title
    assert "şafak" in session.title.lower()
    assert session.summary
    assert session.topics
    assert session.language is Language.TR
    assert session.described_by is DescribedBy.EXTRACTION


def test_two_different_sessions_of_one_id_are_both_kept_in_one_file_and_in_two(
    archive: Archive, desk: Desk
) -> None:
    other = [{"role": "user", "content": "Bambaşka"}]
    third = [{"role": "user", "content": "Üçüncü"}]
    assert desk.take({"id": "s", "messages": SAID}, {"id": "s", "messages": other}).added == 2
    assert desk.take({"id": "s", "messages": third}).added == 1
    again = desk.take(*[{"id": "s", "messages": one} for one in (SAID, other, third)])
    assert (again.added, again.already_there) == (0, 3)
    assert len(archive.sessions.sessions(EVERYTHING)) == 3


@pytest.mark.parametrize(
    ("line", "key"),
    [
        ("{", "not_json"),
        ("[" * 100_000, "not_json"),
        ("5", "not_an_object"),
        ({"id": "x"}, "unknown_form"),
        ({"id": "x", "messages": []}, "no_messages"),
        ({"id": "x", "messages": "hi"}, "no_messages"),
        ({"id": 5, "messages": SAID}, "field_not_text"),
        ({"id": "x", "messages": ["hi"]}, "message_invalid"),
        ({"id": "x", "messages": [{"role": "user"}]}, "message_invalid"),
        ({"id": "x", "messages": [{"role": "system", "content": "x"}]}, "no_messages"),
        ({"id": "x", "messages": [{"role": ["user"], "content": "x"}]}, "message_invalid"),
        ({"id": "x", "created_at": "yesterday", "messages": SAID}, "field_not_a_time"),
        (
            {"id": "x", "created_at": "0001-01-01T00:00+14:00", "messages": SAID},
            "field_not_a_time",
        ),
        ({"id": "x", "topics": "a", "messages": SAID}, "field_not_list"),
        ({"id": "x", "title": ["a"], "messages": SAID}, "field_not_text"),
    ],
)
def test_a_broken_line_is_named_by_its_number_and_the_rest_is_imported(
    archive: Archive, desk: Desk, line: object, key: str
) -> None:
    report = desk.take({"id": "a", "messages": SAID}, "", line, {"id": "b", "messages": SAID})
    assert report.added == 2
    (problem,) = report.problems
    assert (problem.number, problem.is_line, problem.key) == (3, True, key)
    assert {one.id for one in archive.sessions.sessions(EVERYTHING)} == {"a", "b"}


def test_half_a_letter_in_one_line_loses_that_letter_and_no_session(
    archive: Archive, desk: Desk
) -> None:
    half = (
        r'{"id": "half", "title": "\ud83d", "messages": [{"role": "user", "content": "a\ud83d"}]}'
    )
    report = desk.take({"id": "a", "messages": SAID}, half)
    assert report.added == 2
    assert archive.sessions.messages(SessionId("half"))[0].content.startswith("a")
    assert desk.take(half).already_there == 1


def test_invalid_bytes_do_not_lose_other_lines(desk: Desk) -> None:
    good = json.dumps({"id": "a", "messages": SAID}).encode()
    desk.file.write_bytes(b"\xff\xfebroken\n" + good + b"\n")
    report = desk.importer.import_file(desk.file)
    assert (report.added, [one.number for one in report.problems]) == (1, [1])


def test_a_file_that_cannot_be_read_says_which(desk: Desk, tmp_path: Path) -> None:
    with pytest.raises(FileUnreadableError) as raised:
        desk.importer.import_file(tmp_path / "none.jsonl")
    assert str(tmp_path / "none.jsonl") in str(raised.value.values["path"])


def test_a_session_of_the_last_possible_day_is_imported(desk: Desk) -> None:
    desk.take({"id": "s", "created_at": "9999-12-31T23:59:59.999Z", "messages": SAID})
    assert desk.said_in("s") == [one["content"] for one in SAID]


def test_an_export_is_imported_unchanged(archive: Archive, tmp_path: Path) -> None:
    one = finished("s", "Soru \u2028 \n yeni satır", "Cevap", title="T", summary="S", topics=["x"])
    archived = replace(one, session=replace(one.session, archived_at=NOON))
    archive.imports.add([archived])
    session = archive.sessions.session(SessionId("s"))
    line = as_line(session, archive.sessions.messages(session.id))
    assert "\n" not in line
    there = tmp_path / "there"
    there.mkdir()
    other = archive_in(there)
    assert Desk(other, there).take(line).added == 1
    copied = other.sessions.session(session.id)
    assert (copied.title, copied.summary, copied.topics) == ("T", "S", ("x",))
    assert (copied.created_at, copied.ended_at) == (session.created_at, session.ended_at)
    assert (session.archived_at, copied.archived_at) == (NOON, NOON)
    assert [(m.role, m.content, m.created_at) for m in other.sessions.messages(session.id)] == [
        (m.role, m.content, m.created_at) for m in archive.sessions.messages(session.id)
    ]
    other.close()


VALUES = st.recursive(
    st.none() | st.integers() | st.floats() | st.text(max_size=8) | st.datetimes().map(str)
    | st.sampled_from(["9999-12-31T23:59:59.999999Z", "0001-01-01", "user"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner),
    max_leaves=6,
)  # fmt: skip
MESSAGE = st.fixed_dictionaries(
    {"role": st.sampled_from(["user", "assistant"]), "content": st.text(max_size=9) | VALUES},
    optional={"ref": VALUES, "created_at": VALUES},
)
LINE = st.fixed_dictionaries(
    {"messages": st.lists(MESSAGE | VALUES, max_size=3) | VALUES},
    optional={
        "id": VALUES,
        "created_at": VALUES,
        "ended_at": VALUES,
        "archived_at": VALUES,
        "title": VALUES,
        "summary": VALUES,
        "topics": VALUES,
    },
)


@given(LINE)
def test_any_line_is_a_session_or_an_error_of_that_line(line: Any) -> None:
    try:
        found = session_of(bellek.read(line), NOON, SessionId("x"))
    except UnreadableConversationError:
        return
    assert found.messages
    json.loads(as_line(found.session, found.messages))
    assert found.session.updated_at - NOON < timedelta.max


def test_an_import_can_be_stopped_between_sessions(archive: Archive, desk: Desk) -> None:
    desk.take({"id": "a", "messages": SAID})
    report = desk.importer.import_file(desk.file, should_stop=lambda: True)
    assert (report.added, report.already_there) == (0, 0)


def test_a_large_file_is_stored_in_batches_and_all_of_it_is_found(
    archive: Archive, desk: Desk
) -> None:
    lines = [
        {"id": f"s{n}", "title": "t", "summary": "s", "topics": ["k"], "messages": SAID * 60}
        for n in range(40)
    ]
    report = desk.take(*lines)
    assert (report.added, report.messages) == (40, 4800)
    assert archive.index.unindexed() == []


def test_the_files_of_a_message_come_in_again_the_same(archive: Archive, tmp_path: Path) -> None:
    (there := tmp_path / "there").mkdir()
    files = [message_file("a.png", png()), message_file("b.txt", b"Kestane")]
    for file, data in zip(files, (png(), b"Kestane"), strict=True):
        archive.files.add(file, data)
    one = finished("s", "Bu ne?", "Bir kare.")
    said = [replace(one.messages[0], files=tuple(files)), *one.messages[1:]]
    archive.imports.add([replace(one, messages=said)])
    session, messages = (
        archive.sessions.session(SessionId("s")),
        archive.sessions.messages(SessionId("s")),
    )
    line = as_line(session, messages, archive.files.read)
    other = archive_in(there)
    Desk(other, there).take(line)
    (asked, _) = other.sessions.messages(SessionId("s"))
    assert list(asked.files) == files
    assert [other.files.read(one) for one in asked.files] == [png(), b"Kestane"]


@pytest.mark.parametrize("files", [[{"name": "a.png", "data": "%"}], [{"data": 3}], "?"])
def test_a_malformed_file_list_is_reported_or_ignored(desk: Desk, files: object) -> None:
    said = [{**SAID[0], "files": files}, *SAID[1:]]
    report = desk.take({"id": "s", "messages": said})
    assert report.added + len(report.problems) == 1


def test_instructions_and_tools_in_texts_to_train_with_are_left_out(desk: Desk) -> None:
    tools = [{"role": role, "content": None} for role in ("system", "developer", "tool")]
    call = {"role": "assistant", "content": None, "tool_calls": [{"id": "a"}]}
    report = desk.take({"messages": [*tools, call, *SAID]})
    assert (report.added, report.problems) == (1, [])
    assert report.left_out == {OmittedContent.SYSTEM: 2, OmittedContent.TOOL: 2}
