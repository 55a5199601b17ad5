"""An empty or null part of an export is reported, and only it is lost."""

import json
from pathlib import Path

import pytest

from desktop.domain.projects import EVERYTHING
from desktop.sessions.importing.format_detection import read_file
from desktop.sessions.importing.import_types import Conversation, OmittedContent, Problem
from desktop.storage.archive import Archive
from tests.incoming import (
    Desk,
    chatgpt_chat,
    chatgpt_message,
    claude_chat,
    claude_message,
    packed,
    simple_chat,
)

SAID = ("Şafak nedir?", "Sabah.", "Peki gece?", "Karanlık.")


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("conversations.json", "[]"),
        ("conversations.json", ""),
        ("conversations.json", " \n\n"),
        ("conversations.json", '{"conversations": []}'),
        ("sohbet.jsonl", ""),
        ("sohbet.md", "\n"),
    ],
)
def test_a_file_without_conversations_says_so(desk: Desk, name: str, content: str) -> None:
    report = desk.take_bytes(content.encode(), name)
    assert [one.key for one in report.problems] == ["file_empty"]


def test_a_zip_of_which_one_file_is_empty_is_no_problem_and_one_with_nothing_is(
    desk: Desk, tmp_path: Path
) -> None:
    some = {"conversations-000": [], "conversations-001": [simple_chat("a", *SAID)]}
    report = desk.importer.import_file(packed(tmp_path / "some.zip", **some))
    assert (report.added, report.problems) == (1, [])
    report = desk.importer.import_file(packed(tmp_path / "none.zip", conversations=[]))
    assert [one.key for one in report.problems] == ["file_empty"]


def test_a_null_node_loses_only_its_own_message(desk: Desk) -> None:
    chat = simple_chat("a", *SAID)
    mapping = chat["mapping"]
    assert isinstance(mapping, dict)
    mapping["n1"] = None
    report = desk.take_json([chat])
    assert desk.said_in("chatgpt-a") == [SAID[0], *SAID[2:]]
    assert report.left_out[OmittedContent.UNREADABLE] == 1


def test_messages_without_words_are_counted(desk: Desk) -> None:
    chat = chatgpt_chat(
        "a",
        [
            chatgpt_message("system", ""),
            chatgpt_message("user", SAID[0]),
            chatgpt_message("assistant", ""),
            chatgpt_message("assistant", None),
            {**chatgpt_message("assistant", ""), "metadata": {"attachments": [{"id": "f"}]}},
            chatgpt_message("assistant", SAID[1]),
        ],
    )
    report = desk.take_json([chat])
    assert desk.said_in("chatgpt-a") == list(SAID[:2])
    assert report.left_out[OmittedContent.WORDLESS] == 2
    assert report.left_out[OmittedContent.ATTACHMENT] == 1
    quiet = [claude_message("1", "human", ""), {"uuid": "2", "sender": "assistant", "text": None}]
    chat = claude_chat("b", chat_messages=[claude_message("0", "human", "Soru"), *quiet])
    assert desk.take_json([chat]).left_out[OmittedContent.WORDLESS] == 2


def test_a_conversation_with_nothing_to_read_is_counted_whoever_wrote_the_file(
    archive: Archive, desk: Desk
) -> None:
    nulls = [chatgpt_message("user", ""), chatgpt_message("assistant", "")]
    for chat in (
        chatgpt_chat("a", nulls),
        claude_chat("b"),
        claude_chat("c", chat_messages=[None]),
    ):
        assert desk.take_json([chat]).left_out[OmittedContent.EMPTY] == 1
    blank = {"id": "d", "messages": [{"role": "user", "content": " "}]}
    assert desk.take(blank).left_out[OmittedContent.EMPTY] == 1
    assert archive.sessions.sessions(EVERYTHING) == []


# Files in other encodings than UTF-8


CHAT = json.dumps(simple_chat("s", "Şafak olayı nedir? 🌅", "Işık"), ensure_ascii=False)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig"])
@pytest.mark.parametrize("text", [f"{CHAT}\n{CHAT}", f"[{CHAT},\n{CHAT}]"])
def test_a_file_in_utf_8_is_read_with_and_without_its_mark(
    tmp_path: Path, encoding: str, text: str
) -> None:
    path = tmp_path / "exported.json"
    path.write_text(text, encoding)
    found = [one.what for one in read_file(path)]
    assert len(found) == 2
    assert all(isinstance(one, Conversation) and not one.left_out for one in found)


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be", "utf-32"])
def test_a_wrong_encoding_is_named(tmp_path: Path, encoding: str) -> None:
    path = tmp_path / "exported.jsonl"
    path.write_text(CHAT, encoding)
    assert [one.what for one in read_file(path)] == [Problem(0, "wrong_encoding")]


def test_a_transcript_in_utf_16_is_read_if_its_mark_says_so(desk: Desk) -> None:
    text = "Kullanıcı: Şafak nedir?\nAsistan: Sabahın ışığı.\n"
    assert desk.take_bytes(text.encode("utf-16"), "talk.md").added == 1
    (problem,) = desk.take_bytes(text.encode("utf-16-le"), "talk.md").problems
    assert problem.key == "not_a_transcript"
