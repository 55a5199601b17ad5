"""Files that were saved in another encoding than UTF-8."""

import json
from pathlib import Path

import pytest

from desktop.sessions.importing.format_detection import read_file
from desktop.sessions.importing.import_types import Conversation, Problem
from tests.incoming import simple_chat

TEXT = "\n".join(
    json.dumps(simple_chat(f"s{n}", "Şafak olayı nedir? 🌅", "Sabahın ışığı: " + "ğ" * 20_000))
    if n
    else json.dumps(simple_chat("s0", "Şafak olayı nedir? 🌅", "Işık"), ensure_ascii=False)
    for n in range(5)
)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-32"])
@pytest.mark.parametrize("form", ["lines", "array"])
def test_a_file_that_begins_with_the_mark_of_its_encoding_is_read_whole(
    tmp_path: Path, encoding: str, form: str
) -> None:
    text = TEXT if form == "lines" else "[" + TEXT.replace("\n", ",\n") + "]"
    path = tmp_path / "exported.json"
    path.write_bytes(text.encode(encoding))
    found = [one.what for one in read_file(path)]
    assert len(found) == 5
    assert all(isinstance(one, Conversation) and not one.left_out for one in found)


def test_the_other_order_of_bytes_is_read_too(tmp_path: Path) -> None:
    path = tmp_path / "exported.jsonl"
    path.write_bytes(b"\xfe\xff" + TEXT.encode("utf-16-be"))
    assert all(isinstance(one.what, Conversation) for one in read_file(path))


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
@pytest.mark.parametrize("name", ["exported.jsonl", "talk.md"])
def test_without_a_mark_the_encoding_is_named_as_what_is_wrong(
    tmp_path: Path, encoding: str, name: str
) -> None:
    path = tmp_path / name
    path.write_bytes(TEXT.encode(encoding))
    assert [one.what for one in read_file(path)] == [Problem(0, "wrong_encoding")]
