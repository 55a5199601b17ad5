"""Reads a transcript in markdown or plain text, in which a line says who speaks.

The first such line tells how this file marks its speakers; what looks otherwise is said by them.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import Enum, auto

from desktop.domain.messages import Role
from desktop.language.normalization import fold
from desktop.sessions.importing.import_types import (
    Conversation,
    ImportedMessage,
    ImportFormat,
    Omission,
    UnreadableConversationError,
    digest,
    one_line,
)

_USER = (
    "user, you, you said, human, me, q, question, prompt, sen, siz, ben, kullanici, insan, soru"
)
_ASSISTANT = (
    "assistant, the assistant, ai assistant, ai, bot, model, bellek, chatgpt, chatgpt said, gpt, "
    "claude, claude said, gemini, copilot, answer, a, response, "
    "asistan, yapay zeka, yardimci, yanit, cevap"
)
_USERS, _ASSISTANTS = frozenset(_USER.split(", ")), frozenset(_ASSISTANT.split(", "))
_LEFT_OUT = frozenset({"system", "sistem", "tool", "arac"})
_MODELS = ("gpt", "claude", "gemini", "llama")
"""What the names of models begin with."""
_LONGEST_LABEL = 110
"""Letters of a name with what stands in brackets behind it."""
_BOLD = ("**", "__")
_DEEPEST_HEADING = 6
_DEEPEST_INDENT = 3


class _Style(Enum):
    """How a file marks its speakers."""

    HEADING = auto()
    BOLD = auto()
    PLAIN = auto()


Speaker = Role | Omission


@dataclass(frozen=True, slots=True)
class _Turn:
    speaker: Speaker
    lines: list[str]

    @property
    def text(self) -> str:
        return "\n".join(self.lines).strip("\n").rstrip()


def read(text: str, written_at: datetime | None = None) -> Conversation:
    """Raises UnreadableError. `written_at`: when the file was; it has no times of its own."""
    lines = text.lstrip("\ufeff").splitlines()
    style = _detect_style(lines)
    if style is None:
        raise UnreadableConversationError("no_speakers")
    head, turns = _turns(lines, style)
    conversation = Conversation(ImportFormat.MARKDOWN, created_at=written_at)
    _read_head(head, conversation)
    for turn in turns:
        if not isinstance(turn.speaker, Role):
            conversation.left_out[turn.speaker] += 1
        elif turn.text:
            conversation.said.append(ImportedMessage(turn.speaker, turn.text))
    if not conversation.said:
        raise UnreadableConversationError("no_messages")
    # The beginning names it: a transcript that has grown is still the same.
    beginning = f"{conversation.title}\n{conversation.said[0].content}"
    conversation.id = f"md-{digest(beginning)}"
    return conversation


def _detect_style(lines: Sequence[str]) -> _Style | None:
    """Of the ways that speakers are marked, the first that is met."""
    for line, is_code in _with_code(lines):
        for style in () if is_code else _Style:
            if _parse_speaker(line, style):
                return style
    return None


def _parse_speaker(line: str, style: _Style) -> tuple[Speaker, str] | None:
    """Who speaks from here on, and what is said in this line."""
    parts = _PARSERS[style](line.strip())
    if parts is None:
        return None
    label, said = parts
    name = " ".join(fold(_without_brackets(label)).split())
    if name in _USERS:
        return Role.USER, said
    is_model = name.startswith(_MODELS) and all(one.isalnum() or one in " ._-" for one in name)
    if name in _ASSISTANTS or is_model:
        return Role.ASSISTANT, said
    return (Omission.SYSTEM, said) if name in _LEFT_OUT else None


def _parse_heading(line: str) -> tuple[str, str] | None:
    """Reads `## User`."""
    title = line.lstrip("#")
    level = len(line) - len(title)
    if not 0 < level <= _DEEPEST_HEADING or len(title) > _LONGEST_LABEL or title[:1].strip():
        return None
    return _strip_marks(title.rstrip("# ")), ""


def _parse_bold(line: str) -> tuple[str, str] | None:
    """Reads `**User:** words`."""
    line = _without_bullet(line)
    if not line.startswith(_BOLD):
        return None
    label, mark, said = line[2:].partition(line[:2])
    if not mark or len(label) > _LONGEST_LABEL:
        return None
    return _strip_marks(label), said.lstrip().removeprefix(":").lstrip()


def _parse_plain(line: str) -> tuple[str, str] | None:
    """Reads `User (10:30): words`."""
    line = _without_bullet(line)
    start = line[:_LONGEST_LABEL]
    colon, bracket = start.find(":"), min(_found(start, "("), _found(start, "["))
    if bracket < colon:
        closed = min(_found(start, ")", bracket), _found(start, "]", bracket))
        colon = start.find(":", closed)
    if colon < 0:
        return None
    return line[:colon], line[colon + 1 :].lstrip()


_PARSERS = {
    _Style.HEADING: _parse_heading,
    _Style.BOLD: _parse_bold,
    _Style.PLAIN: _parse_plain,
}


def _without_bullet(line: str) -> str:
    return line[2:].lstrip() if line.startswith(("- ", "* ")) else line


def _strip_marks(label: str) -> str:
    """Without pictures and signs before a name, and the colon behind it."""
    first = next((at for at, one in enumerate(label) if one.isalnum()), len(label))
    return label[first:].rstrip().removesuffix(":")


def _without_brackets(label: str) -> str:
    label = label.rstrip()
    if label.endswith((")", "]")):
        return label[: max(label.rfind("("), label.rfind("["), 0)]
    return label


def _found(text: str, part: str, start: int = 0) -> int:
    """Where it stands, or the end of the text."""
    found = text.find(part, start)
    return len(text) if found < 0 else found


def _turns(lines: Sequence[str], style: _Style) -> tuple[list[str], list[_Turn]]:
    """What stands before the first speaker, and who says what."""
    head: list[str] = []
    turns: list[_Turn] = []
    for line, is_code in _with_code(lines):
        begins = None if is_code else _parse_speaker(line, style)
        if begins:
            turns.append(_Turn(begins[0], [begins[1]] if begins[1] else []))
        else:
            (turns[-1].lines if turns else head).append(line)
    return head, turns


def _with_code(lines: Sequence[str]) -> Iterator[tuple[str, bool]]:
    """Each line, and whether it stands in a block of code, where nobody begins to speak."""
    fence = ""
    for line in lines:
        yield line, bool(fence)
        bare = line.strip()
        if not bare.startswith(("```", "~~~")) or line.find(bare[0]) > _DEEPEST_INDENT:
            continue
        marks = bare[: len(bare) - len(bare.lstrip(bare[0]))]
        if not fence:
            fence = marks
        elif marks == bare and marks.startswith(fence):
            fence = ""


def _read_head(head: Sequence[str], into: Conversation) -> None:
    """Title, summary and topics as our own export writes them; a title also as others do."""
    blocks = [block.strip() for block in "\n".join(head).split("\n\n") if block.strip()]
    for block in blocks:
        if block.startswith("# ") and "\n" not in block:
            into.title = into.title or one_line(block[1:].strip().rstrip("#"))
        elif block.startswith(">"):
            into.summary = into.summary or one_line(block.replace("\n>", "\n")[1:])
        elif " · " in block and "\n" not in block:
            into.topics = tuple(filter(None, map(one_line, block.split(" · "))))
