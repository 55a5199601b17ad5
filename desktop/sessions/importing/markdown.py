"""Reads a transcript in markdown or plain text, in which a line says who speaks.

The first such line tells how this file marks its speakers; what looks otherwise is said by them.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime

from desktop.domain.messages import Role
from desktop.language.normalization import fold
from desktop.sessions.importing.import_types import (
    Conversation,
    Form,
    LeftOut,
    Said,
    UnreadableError,
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
_NAME = r"[^\W\d_][\w .'-]{0,30}?"
_EXTRA = r"(?:\s*[(\[][^)\]\n]{0,60}[)\]])?"
_STYLES = (
    re.compile(rf"#{{1,6}}\s+\W*({_NAME}){_EXTRA}\s*:?\s*#*()"),
    re.compile(rf"(?:[-*]\s+)?(?:\*\*|__)\W*({_NAME}){_EXTRA}\s*:?\s*(?:\*\*|__)\s*:?\s*(.*)"),
    re.compile(rf"(?:[-*]\s+)?({_NAME}){_EXTRA}\s*:\s*(.*)"),
)
_FENCE = re.compile(r"\s{0,3}(`{3,}|~{3,})")
_HEADING = re.compile(r"#\s+(.+?)\s*#*\s*")

Speaker = Role | LeftOut


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
    style = _style(lines)
    if style is None:
        raise UnreadableError("no_speakers")
    head, turns = _turns(lines, style)
    conversation = Conversation(Form.MARKDOWN, created_at=written_at)
    _read_head(head, conversation)
    for turn in turns:
        if not isinstance(turn.speaker, Role):
            conversation.left_out[turn.speaker] += 1
        elif turn.text:
            conversation.said.append(Said(turn.speaker, turn.text))
    if not conversation.said:
        raise UnreadableError("no_messages")
    # The beginning names it: a transcript that has grown is still the same.
    beginning = f"{conversation.title}\n{conversation.said[0].content}"
    conversation.id = f"md-{digest(beginning)}"
    return conversation


def _style(lines: Sequence[str]) -> re.Pattern[str] | None:
    """Of the ways that speakers are marked, the first that is met."""
    for line, is_code in _with_code(lines):
        for style in () if is_code else _STYLES:
            if _speaker(line, style):
                return style
    return None


def _speaker(line: str, style: re.Pattern[str]) -> tuple[Speaker, str] | None:
    """Who speaks from here on, and what is said in this line."""
    found = style.fullmatch(line.strip())
    if found is None:
        return None
    name = " ".join(fold(found[1]).split())
    if name in _USERS:
        return Role.USER, found[2]
    if name in _ASSISTANTS or re.fullmatch(r"(?:gpt|claude|gemini|llama)[\w .-]*", name):
        return Role.ASSISTANT, found[2]
    return (LeftOut.SYSTEM, found[2]) if name in _LEFT_OUT else None


def _turns(lines: Sequence[str], style: re.Pattern[str]) -> tuple[list[str], list[_Turn]]:
    """What stands before the first speaker, and who says what."""
    head: list[str] = []
    turns: list[_Turn] = []
    for line, is_code in _with_code(lines):
        begins = None if is_code else _speaker(line, style)
        if begins:
            turns.append(_Turn(begins[0], [begins[1]] if begins[1] else []))
        else:
            (turns[-1].lines if turns else head).append(line)
    return head, turns


def _with_code(lines: Sequence[str]) -> Iterator[tuple[str, bool]]:
    """Each line, and whether it stands in a block of code, where nobody begins to speak."""
    fence = ""
    for line in lines:
        found = _FENCE.match(line)
        yield line, bool(fence)
        if found and not fence:
            fence = found[1]
        elif found and found[1].startswith(fence) and not line.strip().strip(fence[0]):
            fence = ""


def _read_head(head: Sequence[str], into: Conversation) -> None:
    """Title, summary and topics as our own export writes them; a title also as others do."""
    blocks = [block.strip() for block in "\n".join(head).split("\n\n") if block.strip()]
    for block in blocks:
        if found := _HEADING.fullmatch(block):
            into.title = into.title or one_line(found[1])
        elif block.startswith(">"):
            into.summary = into.summary or one_line(block.replace("\n>", "\n")[1:])
        elif " · " in block and "\n" not in block:
            into.topics = tuple(filter(None, map(one_line, block.split(" · "))))
