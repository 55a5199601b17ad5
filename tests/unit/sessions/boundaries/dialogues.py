"""Reads the dialogues beside it: user and assistant in turns, and a message on another subject."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from session_boundaries import DialogueLine

from desktop.domain.messages import Role

_HERE = Path(__file__).parent
_ROLES = {"u": Role.USER, "a": Role.ASSISTANT}


@dataclass(frozen=True, slots=True)
class Dialogue:
    said: Sequence[DialogueLine]
    """On one subject, full of follow-ups."""
    another_subject: str


def spoken(*texts: str) -> list[DialogueLine]:
    """In turn, the user first."""
    roles = (Role.USER, Role.ASSISTANT)
    return [DialogueLine(roles[at % 2], text) for at, text in enumerate(texts)]


def read_dialogues(language: str) -> list[Dialogue]:
    blocks = (_HERE / f"followups_{language}.txt").read_text("utf-8").strip().split("\n\n")
    return [_read(block.splitlines()) for block in blocks]


def _read(lines: Sequence[str]) -> Dialogue:
    *said, change = (line.partition(": ") for line in lines)
    return Dialogue([DialogueLine(_ROLES[who], text) for who, _, text in said], change[2])


DIALOGUES = [*read_dialogues("tr"), *read_dialogues("en")]
