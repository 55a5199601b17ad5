"""Reads the dialogues in dialogues/: "@user" and "@assistant" are on lines of their own."""

import re
from pathlib import Path

_FOLDER = Path(__file__).parent / "dialogues"


def read_dialogue(name: str) -> list[tuple[str, str]]:
    parts = re.split(r"(?m)^@(user|assistant)\n", (_FOLDER / f"{name}.md").read_text("utf-8"))
    return [(role, text.strip()) for role, text in zip(parts[1::2], parts[2::2], strict=True)]


def read_texts(name: str) -> list[str]:
    return [text for _, text in read_dialogue(name)]
