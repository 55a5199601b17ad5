"""Reads a transcript in markdown or plain text, in which a line names the speaker.

The first such line shows how this file marks its speakers; other lines belong to the speech.
"""

import re
from collections.abc import Iterator, Sequence
from datetime import datetime

from desktop.domain.messages import Role
from desktop.language.normalization import fold
from desktop.sessions.importing.import_types import (
    Conversation,
    ImportedMessage,
    ImportFormat,
    OmittedContent,
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
_LONGEST_MARK = 160  # Characters of a line that may name a speaker
_NAME = r"([^:()\[\]#*_]+?)\s*(?:[(\[][^)\]]*[)\]])?\s*"
"""A name, optionally followed by brackets, such as a time."""
_STYLES = (
    re.compile(rf"#{{1,6}}\s\W*{_NAME}:?\s*#*\Z"),
    re.compile(rf"(?:[-*] )?\s*(?:\*\*|__)\W*{_NAME}:?\s*(?:\*\*|__)\s*:?\s*"),
    re.compile(rf"(?:[-*] )?\s*{_NAME}:\s*"),
)
"""How files mark their speakers: `## User`, `**User:** words`, `User (10:30): words`."""
_DEEPEST_INDENT = 3
_HEADING, _QUOTED = "#", "\\"
_MARKS = (_HEADING, _QUOTED)

Speaker = Role | OmittedContent
_Turn = tuple[Speaker, list[str]]


def read(text: str, written_at: datetime | None = None) -> Conversation:
    """Return the conversation. `written_at`: the file's time. UnreadableConversationError."""
    # Not splitlines(): a form feed or U+2028 in a message begins no line in an export.
    lines = text.lstrip("\ufeff").replace("\r\n", "\n").replace("\r", "\n").split("\n")
    title = _take_title(lines)
    style = _detect_style(lines)
    if style is None:
        raise UnreadableConversationError("no_speakers")
    head, turns = _turns(lines, style)
    head = [*title, "", *head]
    conversation = Conversation(ImportFormat.MARKDOWN, created_at=written_at)
    _read_head(head, conversation)
    for speaker, spoken in turns:
        content = "\n".join(spoken).strip("\n").rstrip()
        if not isinstance(speaker, Role):
            conversation.left_out[speaker] += 1
        elif content:
            conversation.messages.append(ImportedMessage(speaker, content))
    if not conversation.messages:
        raise UnreadableConversationError("no_messages")
    # The beginning makes the id: a transcript that has grown is still the same.
    beginning = f"{conversation.title}\n{conversation.messages[0].content}"
    conversation.id = f"md-{digest(beginning)}"
    return conversation


def _take_title(lines: list[str]) -> list[str]:
    """Remove and return the title above speakers of a lower rank: it may be "Bellek" or "You"."""
    first = next((at for at, line in enumerate(lines) if line.strip()), 0)
    are_lower = any(line.startswith("##") and _parse_speaker(line, _STYLES[0]) for line in lines)
    return [lines.pop(first)] if are_lower and lines[first].startswith("# ") else []


def _detect_style(lines: Sequence[str]) -> re.Pattern[str] | None:
    for line, is_code in _with_code(lines):
        for style in () if is_code else _STYLES:
            if _parse_speaker(line, style):
                return style
    return None


def _parse_speaker(line: str, style: re.Pattern[str]) -> tuple[Speaker, str] | None:
    bare = line.strip()
    match = style.match(bare[:_LONGEST_MARK])
    if match is None or (style is _STYLES[0] and line[:1].isspace()):
        return None  # An indented heading is code, or part of a list.
    text, name = bare[match.end() :].lstrip(), " ".join(fold(match[1]).split())
    if name in _USERS:
        return Role.USER, text
    is_model = name.startswith(_MODELS) and all(
        letter.isalnum() or letter in " ._-" for letter in name
    )
    if name in _ASSISTANTS or is_model:
        return Role.ASSISTANT, text
    return (OmittedContent.SYSTEM, text) if name in _LEFT_OUT else None


def _turns(lines: Sequence[str], style: re.Pattern[str]) -> tuple[list[str], list[_Turn]]:
    head: list[str] = []
    turns: list[_Turn] = []
    for line, is_code in _with_code(lines):
        begins = None if is_code else _parse_speaker(line, style)
        if begins:
            turns.append((begins[0], [begins[1]] if begins[1] else []))
        else:
            is_quoted = line.startswith(_QUOTED) and not is_code
            is_quoted = is_quoted and _parse_speaker(line.lstrip(_QUOTED), style) is not None
            (turns[-1][1] if turns else head).append(line[1:] if is_quoted else line)
    return head, turns


def quote_speakers(text: str) -> str:
    """Return markdown in which no line is taken for the heading of a speaker, as read back."""
    if _HEADING not in text:
        return text
    style = _STYLES[0]
    return "\n".join(
        f"{_QUOTED}{line}"
        if not is_code and _parse_speaker(line.lstrip(_QUOTED), style) and line.startswith(_MARKS)
        else line
        for line, is_code in _with_code(text.split("\n"))
    )


def _with_code(lines: Sequence[str]) -> Iterator[tuple[str, bool]]:
    """Yield each line, and whether it is inside a code block, in which no speaker begins."""
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
    blocks = [block.strip() for block in "\n".join(head).split("\n\n") if block.strip()]
    for block in blocks:
        if block.startswith("# ") and "\n" not in block:
            into.title = into.title or one_line(block[1:].strip().rstrip("#"))
        elif block.startswith(">"):
            into.summary = into.summary or one_line(block.replace("\n>", "\n")[1:])
        elif " · " in block and "\n" not in block:
            into.topics = tuple(filter(None, map(one_line, block.split(" · "))))
