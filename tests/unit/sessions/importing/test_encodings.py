"""Files in other encodings than UTF-8."""

import json
from pathlib import Path

import pytest

from desktop.sessions.importing.format_detection import read_file
from desktop.sessions.importing.import_types import Conversation, Problem
from tests.incoming import Desk, simple_chat

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
