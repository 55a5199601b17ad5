"""What is told of a file before it is imported."""

import json
from pathlib import Path

from desktop.sessions.importing.import_types import Form
from desktop.sessions.importing.preview import Preview, looked_at
from tests.incoming import BEGAN, simple_chat


def written(folder: Path, value: object) -> Path:
    path = folder / "conversations.json"
    path.write_text(json.dumps(value), encoding="utf-8")
    return path


def test_a_preview_counts_names_the_first_and_tells_when(tmp_path: Path) -> None:
    chats = [simple_chat(f"c{n}", f"Soru {n}", "Yanıt", title=None) for n in range(8)]
    *_, seen = looked_at(written(tmp_path, [*chats, *range(2)]))
    assert (seen.form, seen.conversations, seen.messages) == (Form.CHATGPT, 8, 16)
    assert seen.titles == tuple(f"Soru {n}" for n in range(5))
    assert [problem.number for problem in seen.problems] == [9, 10]
    assert seen.first is not None
    assert seen.last is not None
    assert (seen.first.timestamp(), seen.last.timestamp()) == (BEGAN, BEGAN + 1)


def test_looking_tells_what_is_known_so_far_and_can_be_stopped(tmp_path: Path) -> None:
    path = written(tmp_path, [simple_chat(f"c{n}", "a", "b") for n in range(500)])
    assert [seen.conversations for seen in looked_at(path)] == [1, 201, 401, 500]
    assert list(looked_at(path, should_stop=lambda: True)) == [Preview(path)]


def test_a_long_title_says_that_it_was_cut(tmp_path: Path) -> None:
    long = "Uzun bir başlık " * 20
    *_, seen = looked_at(written(tmp_path, [simple_chat("c", "a", "b", title=long)]))
    (title,) = seen.titles
    assert len(title) <= 80
    assert title.endswith("…")
