"""Conversations that Claude exported."""

import time
from typing import Any

from desktop.domain.ids import SessionId
from desktop.domain.messages import Role
from desktop.sessions.importing.import_types import ImportFormat, OmittedContent
from desktop.sessions.importing.other_programs import read_claude
from desktop.storage.archive import Archive
from tests.incoming import Desk, claude_chat, claude_message


def test_a_conversation_comes_in_complete(archive: Archive, desk: Desk) -> None:
    report = desk.take_json([claude_chat("u1", "What is a sunset?", "The end of a day.")])
    assert (report.form, report.added, report.problems) == (ImportFormat.CLAUDE, 1, [])
    session = archive.sessions.session(SessionId("claude-u1"))
    assert session.title == "Sunset"
    assert session.created_at.isoformat() == "2025-03-01T10:00:00+00:00"
    first, second = archive.sessions.messages(session.id)
    assert (first.role, second.role, second.ref) == (Role.USER, Role.ASSISTANT, "u1-1")


def test_an_object_around_the_list_is_read(desk: Desk) -> None:
    wrapped = {"version": 2, "conversations": [claude_chat("b", "hi", "hello")]}
    assert desk.take_json(wrapped).added == 1


def test_words_are_taken_from_the_text_or_from_its_blocks(desk: Desk) -> None:
    blocks = [
        {"type": "thinking", "thinking": "Hm"},
        {"type": "text", "text": "One"},
        {"type": "tool_use", "name": "web_search", "input": {}},
        {"type": "tool_result", "content": []},
        {"type": "text", "text": "Two"},
    ]
    chat = claude_chat("c")
    chat["chat_messages"] = [
        {**claude_message("1", "human", "Only text"), "content": []},
        claude_message("2", "assistant", "placeholder", content=blocks),
        claude_message("3", "human", "", attachments=[{"file_name": "a"}], files=[{"f": 1}]),
        claude_message("4", "assistant", "x", content="As a string"),
    ]
    report = desk.take_json([chat])
    assert desk.said_in("claude-c") == ["Only text", "One\n\nTwo", "As a string"]
    assert report.left_out[OmittedContent.THINKING] == 1
    assert report.left_out[OmittedContent.TOOL] == 2
    assert report.left_out[OmittedContent.ATTACHMENT] == 2


def test_the_newest_path_of_rewritten_answers_is_followed(desk: Desk) -> None:
    chat = claude_chat("c")
    root = "00000000-0000-4000-8000-000000000000"
    chat["chat_messages"] = [
        claude_message("1", "human", "ask", 0, parent_message_uuid=root),
        claude_message("2", "assistant", "first try", 1, parent_message_uuid="1"),
        claude_message("3", "assistant", "second try", 2, parent_message_uuid="1"),
        claude_message("4", "human", "thanks", 3, parent_message_uuid="3"),
    ]
    desk.take_json([chat])
    assert desk.said_in("claude-c") == ["ask", "second try", "thanks"]
    desk.take_json([{**chat, "uuid": "d", "current_leaf_message_uuid": "2"}])
    assert desk.said_in("claude-d") == ["ask", "first try"]


def test_messages_without_ids_or_of_unknown_senders_are_no_harm(desk: Desk) -> None:
    chat = claude_chat("c", "a", "b")
    messages = chat["chat_messages"]
    assert isinstance(messages, list)
    messages += [5, None, {"sender": "robot", "text": "x"}, {"sender": ["human"], "text": "y"}]
    report = desk.take_json([chat])
    assert desk.said_in("claude-c") == ["a", "b"]
    assert report.left_out[OmittedContent.UNREADABLE] == 2
    assert report.left_out[OmittedContent.UNKNOWN_ROLE] == 2


def test_pasted_attachments_are_imported_with_their_message(desk: Desk) -> None:
    paste = {"file_name": "rapor.txt", "extracted_content": "Bir\n```\niki\n```"}
    chat = claude_chat("p")
    chat["chat_messages"] = [
        claude_message("1", "human", "Özetle", attachments=[paste, {"file_name": "b.pdf"}]),
        claude_message("2", "assistant", "Tamam."),
    ]
    report = desk.take_json([chat])
    assert desk.said_in("claude-p")[0] == (
        "Özetle\n\n**rapor.txt**\n\n````text\nBir\n```\niki\n```\n````"
    )
    assert report.left_out[OmittedContent.ATTACHMENT] == 1


def test_documents_of_the_assistant_come_along_as_they_stood_then(desk: Desk) -> None:
    def artifact(**given: str) -> dict[str, object]:
        return {"type": "tool_use", "name": "artifacts", "input": {"id": "plan", **given}}

    chat = claude_chat("d")
    text = {"type": "text", "text": "Burada."}
    created = artifact(
        command="create", title="Plan", type="text/markdown", content="# Plan\nOcak: başla"
    )
    changed = artifact(command="update", old_str="Ocak", new_str="Mart")
    lost = artifact(command="update", old_str="yok", new_str="var")
    code = artifact(command="create", type="application/vnd.ant.code", language="py", content="1")
    chat["chat_messages"] = [
        claude_message("1", "human", "Bir plan yaz"),
        claude_message("2", "assistant", "", content=[text, created]),
        claude_message("3", "assistant", "", content=[changed, lost]),
        claude_message("4", "assistant", "", content=[code]),
    ]
    report = desk.take_json([chat])
    assert desk.said_in("claude-d")[1:] == [
        "Burada.\n\n**Plan**\n\n# Plan\nOcak: başla",
        "**plan**\n\n# Plan\nMart: başla",
        "**plan**\n\n```py\n1\n```",
    ]
    assert report.left_out[OmittedContent.TOOL] == 1


def test_a_place_holder_for_a_tool_is_not_taken_for_words(desk: Desk) -> None:
    said = "Önce.\n```\nThis block is not supported on your current device yet.\n```\n\nSonra."
    desk.take_json([claude_chat("h", "Ara", said)])
    assert desk.said_in("claude-h")[1] == "Önce.\n\nSonra."


def test_many_changes_of_a_document_in_one_message_are_limited() -> None:
    def artifact(**given: str) -> dict[str, object]:
        return {"type": "tool_use", "name": "artifacts", "input": {"id": "a", **given}}

    blocks = [artifact(content="x" * 200_000), *[artifact(old_str="x", new_str="y")] * 500]
    message: Any = claude_message("1", "assistant", "", content=blocks)
    found = read_claude({"chat_messages": [message]})
    content = found.messages[0].content
    assert 1 << 20 < len(content) < 2 << 20
    last = content.rpartition("**a**")[2]
    assert (last.count("y"), last.count("x")) == (500, 200_000 - 500)


def test_very_many_short_messages_are_read_in_linear_time() -> None:
    started = time.process_time()
    read_claude({"chat_messages": [{"sender": "human", "text": "a"}] * 20_000})
    assert time.process_time() - started < 4


def test_files_that_a_tool_wrote_and_cited_pages_come_along(desk: Desk) -> None:
    def call(name: str, **given: str) -> dict[str, object]:
        return {"type": "tool_use", "name": name, "input": given}

    page = {"url": "https://example.org/a", "title": "A"}
    content = [
        call("create_file", path="/home/plan.md", file_text="Mayısta budama"),
        call("str_replace", path="/home/plan.md", old_str="Mayısta", new_str="Martta"),
        {"type": "text", "text": "Hazır.", "citations": [page, {"details": page}]},
    ]
    asked, told = claude_message("m0", "human", "Plan?"), claude_message("m1", "assistant", "")
    chat = claude_chat("c") | {"chat_messages": [asked, told | {"content": content}]}
    desk.take_json([chat])
    assert desk.said_in("claude-c")[1] == (
        "**plan.md**\n\nMayısta budama\n\n**plan.md**\n\nMartta budama\n\n"
        "Hazır. ([A](<https://example.org/a>))"
    )
