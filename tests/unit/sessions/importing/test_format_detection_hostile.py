"""Files that are broken, cut off or hostile."""

import json
import os
import resource
import subprocess
import sys
from pathlib import Path
from typing import Any
from zipfile import ZIP_BZIP2, ZIP_DEFLATED, ZIP_STORED, ZipFile, ZipInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop.domain.errors import FileUnreadableError
from desktop.domain.language import Language
from desktop.sessions.importing.format_detection import read_file
from desktop.sessions.importing.import_reports import ImportReport
from desktop.sessions.importing.import_types import (
    Conversation,
    OmittedContent,
    Problem,
    UnreadableConversationError,
)
from desktop.sessions.importing.other_programs import read_chatgpt, read_claude
from desktop.settings.messages import Texts
from tests.commands import bellek
from tests.incoming import Desk, claude_chat, packed, simple_chat

GOOD = simple_chat("good", "Soru", "Yanıt")
MEGABYTE = 1 << 20
MOST_MEMORY = 300 * MEGABYTE


def kinds(report: ImportReport) -> list[tuple[int, str]]:
    return [(one.number, one.key) for one in report.problems]


@pytest.mark.parametrize(
    ("broken", "key"),
    [
        *((one, "not_an_object") for one in (None, 5, "söz", [], [1, 2], True)),
        ({}, "no_messages"),
        ({"mapping": 5, "title": "T"}, "no_messages"),
        ({"mapping": {}}, "no_messages"),
        ({"chat_messages": "hi"}, "no_messages"),
        ({"messages": [{"role": "user", "content": 5}]}, "message_invalid"),
    ],
)
def test_a_broken_conversation_is_named_by_its_place_and_the_rest_is_imported(
    desk: Desk, broken: object, key: str
) -> None:
    text = json.dumps([GOOD, broken, simple_chat("last", "a", "b")])
    report = desk.take_bytes(text.encode(), "conversations.json")
    assert report.added == 2
    assert kinds(report) == [(2, key)]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
def test_a_pipe_is_refused_and_never_waited_for(tmp_path: Path) -> None:
    pipe = tmp_path / "export.json"
    os.mkfifo(pipe)
    with pytest.raises(FileUnreadableError) as raised:
        next(read_file(pipe))
    assert "aygıt" in Texts(Language.TR).error(raised.value)


@pytest.mark.parametrize("share", [0.3, 0.7, 0.99])
def test_a_truncated_file_gives_every_complete_record(desk: Desk, share: float) -> None:
    chats = [simple_chat(f"c{n}", "Soru", "Yanıt") for n in range(10)]
    text = json.dumps(chats).encode()
    report = desk.take_bytes(text[: int(len(text) * share)], "conversations.json")
    assert report.added == int(10 * share)
    assert [key for _, key in kinds(report)] == ["cut_off"]


def test_bytes_that_are_no_letters_are_replaced(desk: Desk) -> None:
    text = json.dumps([GOOD, claude_chat("x", "AAA", "b")]).encode().replace(b"AAA", b"\xff\xc3A")
    report = desk.take_bytes(text, "conversations.json")
    assert (report.added, report.problems) == (2, [])


def test_the_end_of_a_chunk_may_fall_anywhere(desk: Desk) -> None:
    """Texts full of quotes, backslashes and brackets, around the sizes that are read at once."""
    for size in (65_533, 65_534, 65_535, 65_536, 262_140, 262_143, 262_144, 262_145):
        said = '"\\[{' * ((size - 700) // 7) + "x" * (size % 7)
        chats = [simple_chat(f"{size}-{n}", said, "]}\\") for n in range(3)]
        assert desk.take_json(chats).added == 3


def test_a_too_deeply_nested_value_is_named(desk: Desk) -> None:
    deep = b"[" * 200_000 + b"]" * 200_000
    text = b"[" + json.dumps(GOOD).encode() + b"," + deep + b"]"
    report = desk.take_bytes(text, "conversations.json")
    assert (report.added, kinds(report)) == (1, [(2, "cut_off")])


@pytest.mark.parametrize("title", ['"a\nb"', '"a\0b"', "1" * 5_000])
def test_an_odd_value_does_not_end_the_file(desk: Desk, title: str) -> None:
    odd = CHAT.decode().replace('"good"', '"odd"').replace("{", '{"x": ' + title + ",", 1)
    last = json.dumps(simple_chat("last", "a", "b"))
    report = desk.take_bytes(f"[{CHAT.decode()}, {odd}, {last}]".encode(), "conversations.json")
    assert (report.added, report.problems) == (3, [])


def test_a_broken_first_line_costs_no_other_line(desk: Desk) -> None:
    report = desk.take_bytes(b"{bad\n" + CHAT + b"\n", "conversations.json")
    assert (report.added, kinds(report)) == (1, [(1, "not_json")])


def test_only_the_first_thousand_problems_are_listed(desk: Desk) -> None:
    report = desk.take_bytes(b"x\n" * 5_000, "a.jsonl")
    assert (len(report.problems), report.more_problems) == (1_000, 4_000)


# zip files


def test_names_that_lead_out_of_the_zip_are_passed_over(desk: Desk, tmp_path: Path) -> None:
    path = tmp_path / "evil.zip"
    names = ["/etc/conversations.json", "../../conversations.json", "C:/conversations.json"]
    with ZipFile(path, "w") as made:
        for name in [*names, "export/conversations.json"]:
            made.writestr(name, json.dumps([GOOD]))
    report = desk.importer.import_file(path)
    assert report.added == 1
    assert [one.key for one in report.problems] == ["zip_path"] * 3
    assert sorted(one.name for one in tmp_path.iterdir() if one.suffix == ".json") == []


def test_a_zip_bomb_is_stopped_and_what_came_before_stays(desk: Desk, tmp_path: Path) -> None:
    path = tmp_path / "bomb.zip"
    with ZipFile(path, "w", ZIP_DEFLATED) as made:
        made.writestr("conversations-000.json", json.dumps([GOOD]))
        with made.open("conversations-001.json", "w", force_zip64=True) as file:
            file.write(b"[")
            for _ in range(80):
                file.write(b" " * MEGABYTE)
    report = desk.importer.import_file(path)
    assert report.added == 1
    assert [(one.file, one.key) for one in report.problems] == [
        ("conversations-001.json", "zip_bomb")
    ]


def test_a_zip_that_is_damaged_locked_or_empty_says_so(desk: Desk, tmp_path: Path) -> None:
    good = packed(tmp_path / "good.zip", conversations=[GOOD] * 50).read_bytes()
    cut = good[: len(good) // 2]
    flipped = bytearray(good)
    flipped[60:90] = b"\x00" * 30
    other = packed(tmp_path / "other.zip", user={"id": 1}).read_bytes()
    locked = bytearray(good)
    for mark, offset in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        locked[locked.find(mark) + offset] |= 1
    for data, key in [
        (cut, "zip_damaged"),
        (bytes(flipped), "zip_damaged"),
        (b"PK\x03\x04 and no more", "zip_damaged"),
        (b"", "zip_damaged"),
        ("Kullanıcı: bu bir zip değil".encode(), "zip_damaged"),
        (bytes(locked), "zip_damaged"),
        (other, "unknown_form"),
    ]:
        report = desk.take_bytes(data, "x.zip")
        assert [one.key for one in report.problems] == [key]
    unnamed, misplaced = bytearray(good), bytearray(good)
    entry = good.find(b"PK\x01\x02")
    unnamed[entry + 46] = 0
    misplaced[entry + 42 : entry + 46] = b"\xff\xff\xff\x7f"
    for made_wrong in (unnamed, misplaced):
        (path := tmp_path / "conversations.zip").write_bytes(made_wrong)
        assert {one.what.key for one in read_file(path) if isinstance(one.what, Problem)} <= {
            "zip_damaged",
            "zip_empty",
        }
    for name, how, key in (
        ("picture.png", ZIP_STORED, "zip_empty"),
        ("conversations.json", ZIP_BZIP2, "zip_packed_otherwise"),
    ):
        with ZipFile(tmp_path / "x.zip", "w", how) as made:
            made.writestr(name, json.dumps([GOOD]))
        (problem,) = desk.importer.import_file(tmp_path / "x.zip").problems
        assert problem.key == key


# memory, in a process with a limit


LINE = json.dumps({"id": "a", "messages": [{"role": "user", "content": "s"}]}).encode()
CHAT = json.dumps(GOOD).encode()


VERY_LARGE = (
    (b'{"id":"a","messages":["', b"x", 40, b'"]}\n' + LINE, "too_long"),
    (b"[" + CHAT + b',{"mapping": {"a": "', b"\\n", 40, b'"}}]', "cut_off"),
    (b"[" + CHAT + b',{"mapping": [', b"{},", 6, b"{}]}]", "cut_off"),
    (b"[" + CHAT + b',{"', b"x\xff", 20, b"", "cut_off"),
)
"""A file's head, what is repeated, how many million times, its tail, and the problem."""


def test_memory_stays_bounded_and_the_archive_whole(tmp_path: Path) -> None:
    """One process with little memory imports them all; one of them is a zip of very many files."""
    problems: list[tuple[str, list[str]]] = []
    for number, (head, repeated, millions, tail, key) in enumerate(VERY_LARGE):
        path = tmp_path / f"export-{number}.json"
        with path.open("wb") as file:
            file.write(head.replace(b'"good"', b'"good-%d"' % number))
            for _ in range(millions):
                file.write(repeated * MEGABYTE)
            file.write(tail)
        problems.append((str(path), [key]))
    path = tmp_path / "many.zip"
    with ZipFile(path, "w", ZIP_STORED) as made:
        for number in range(20_000):
            made.writestr(ZipInfo(f"images/{number}.png"), b"")
        made.writestr("conversations.json", json.dumps([GOOD]))
    problems.append((str(path), []))
    data, files = tmp_path / "data", [name for name, _ in problems]
    done = subprocess.run(  # noqa: S603 (our own program)
        [sys.executable, "-m", "desktop", "--data-dir", data, "import", *files, "--json"],
        capture_output=True,
        check=False,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_DATA, (MOST_MEMORY, MOST_MEMORY)),
    )
    reports = [json.loads(line) for line in done.stdout.splitlines()]
    found = [(one["file"], [each["error"]["key"] for each in one["problems"]]) for one in reports]
    assert found == problems
    assert [one["added"] for one in reports] == [1] * len(files)
    assert bellek("--data-dir", str(data), "doctor").code == 0


OPENING = (
    ":::writing\n",
    ":::writing\n:::\n",
    "\ue200cite\ue202",
    "\ue200\ue201",
    "【1†",
    "【",
    "```\nThis block is not supported on your current device yet.\n",
)
LINES = ("# a {}b", "# {}b", "## Sen {}b", "**Sen {}b**", "Sen {}b", "Sen ({}b", "- {}b")
COUNTING = (
    "import sys, pathlib; from desktop.sessions.importing.format_detection import read_file; "
    "print(sum(bool(getattr(one.what, 'messages', 0)) for path in sys.argv[1:] "
    "for one in read_file(pathlib.Path(path))))"
)


def test_megabytes_of_opening_marks_and_long_lines_are_read_within_minutes(tmp_path: Path) -> None:
    """Such files once took hours, and blocked the whole program."""
    chats: list[object] = []
    for repeated in OPENING:
        said = repeated * (2 * MEGABYTE // len(repeated.encode()))
        chats += [simple_chat("a", "s", said), claude_chat("b", "s", said)]
    files = [tmp_path / "conversations.json"]
    files[0].write_text(json.dumps(chats))
    for number, line in enumerate(LINES):
        files.append(tmp_path / f"transcript-{number}.md")
        long = [line.format(one * (MEGABYTE // 2)) for one in (" ", " #", "[", "`")]
        files[-1].write_text("\n\n".join([*long, "Sen: soru", "Claude: yanıt"]), "utf-8")
    done = subprocess.run(  # noqa: S603 (our own program)
        [sys.executable, "-c", COUNTING, *map(str, files)],
        capture_output=True,
        check=False,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (100, 100)),
    )
    assert (done.returncode, int(done.stdout)) == (0, len(chats) + len(LINES))


def test_the_kept_versions_of_a_document_are_limited(desk: Desk) -> None:
    def artifact(**given: str) -> dict[str, object]:
        block = {"type": "tool_use", "name": "artifacts", "input": {"id": "a", **given}}
        return {"uuid": f"m{given}", "sender": "assistant", "content": [block]}

    changes = [artifact(old_str=f"x{n}x", new_str=f"x{n + 1}x") for n in range(1_000)]
    messages = [artifact(content="x0x" + "a" * MEGABYTE), *changes]
    report = desk.take_json([{"uuid": "c", "name": "T", "chat_messages": messages}])
    assert report.added == 1
    assert report.messages == 3  # as it was first, after one change, and last
    assert report.left_out[OmittedContent.TOOL] == 1_001 - report.messages


FIELDS = (
    "message parent author role content parts content_type n0 n1 sender text type metadata uuid "
    "create_time"
)
VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=8)
    | st.sampled_from(["n0", "n1", "user", "assistant", "human", "text", "all"]),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.text(max_size=3) | st.sampled_from(FIELDS.split()), inner, max_size=6)
    ),
    max_leaves=20,
)


@given(VALUES, VALUES, VALUES)
def test_any_export_is_a_conversation_or_its_own_error(inside: Any, leaf: Any, title: Any) -> None:
    for read, value in [
        (read_chatgpt, {"mapping": inside, "current_node": leaf, "title": title, "id": leaf}),
        (read_claude, {"chat_messages": inside, "name": title, "uuid": leaf}),
    ]:
        try:
            found = read(value)
        except UnreadableConversationError:
            continue
        assert isinstance(found, Conversation)
        assert all(one.content.strip() for one in found.messages)
