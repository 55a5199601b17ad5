"""Conversations, messages and problems of an import, and what the export formats share."""

import dataclasses
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import field
from datetime import UTC, datetime
from enum import StrEnum

from desktop.domain.frozen import dataclass
from desktop.domain.json_values import JsonValue
from desktop.domain.messages import MessageFile, Role
from desktop.domain.projects import NO_PROJECT, ProjectId
from desktop.domain.times import parse_utc
from desktop.language.normalization import fix_surrogates

LONGEST_ID = 200
_DIGEST_LETTERS = 12


class ImportFormat(StrEnum):
    """The program that wrote the file."""

    BELLEK = "bellek"
    CHATGPT = "chatgpt"
    CLAUDE = "claude"
    GEMINI = "gemini"
    CLAUDE_CODE = "claude-code"
    MARKDOWN = "markdown"
    NOTES = "notes"
    """A folder or zip of Markdown, as Obsidian and Notion have it: documents of the library."""


class OmittedContent(StrEnum):
    """What an import leaves out by design; the report counts it."""

    SYSTEM = "system"
    TOOL = "tool"
    HIDDEN = "hidden"
    THINKING = "thinking"
    IMAGE = "image"
    ATTACHMENT = "attachment"
    UNKNOWN_ROLE = "unknown_role"
    UNREADABLE = "unreadable"  # A message of an unknown form
    WORDLESS = "wordless"
    """A message of the user or the assistant without words, or of any other role."""
    OTHER_ACTIVITY = "other_activity"  # Of another product of Google's
    EMPTY = "empty"  # A conversation without anything to read


ROLES_LEFT_OUT = {
    "system": OmittedContent.SYSTEM,
    "developer": OmittedContent.SYSTEM,
    "tool": OmittedContent.TOOL,
    "function": OmittedContent.TOOL,
}


class UnreadableConversationError(Exception):
    """A conversation cannot be read; `key` and `values` select a sentence of the texts."""

    def __init__(self, key: str, **values: str | int) -> None:
        super().__init__(key)
        self.key = key
        self.values = values


@dataclass(frozen=True, slots=True)
class ImportedMessage:
    role: Role
    content: str
    at: datetime | None = None
    ref: str | None = None
    model: str | None = None
    files: tuple[tuple[str, bytes], ...] = ()  # Name and bytes of each


@dataclasses.dataclass(slots=True)
class Conversation:
    form: ImportFormat
    id: str = ""  # The id in the file; empty if it has none
    title: str = ""
    summary: str = ""
    topics: tuple[str, ...] = ()
    project: str = ""
    tags: tuple[str, ...] = ()
    created_at: datetime | None = None
    ended_at: datetime | None = None
    archived_at: datetime | None = None
    messages: list[ImportedMessage] = field(default_factory=list)
    left_out: Counter[OmittedContent] = field(default_factory=Counter)
    files: dict[int, tuple[MessageFile, ...]] = field(default_factory=dict)
    """The files of a message, by its place, once the profile has them."""

    def add(self, message: ImportedMessage, omissions: Counter[OmittedContent]) -> None:
        """Add a message if it contains text, and count the other contents given in `beside`."""
        self.left_out += omissions
        if message.content:
            self.messages.append(message)
        else:
            self.left_out[OmittedContent.WORDLESS] += not omissions.total()


@dataclass(frozen=True, slots=True)
class Problem:
    """A piece of a file that was not imported, and why."""

    number: int  # Of the line, or of the conversation; 0 for a whole file
    key: str
    values: Mapping[str, str | int] = field(default_factory=dict)
    is_line: bool = False
    file: str = ""  # Which file inside an archive


@dataclass(frozen=True, slots=True)
class ImportedProject:
    """A project of another program; its documents follow it."""

    form: ImportFormat
    id: ProjectId  # Made of the other program's own id: the same in every export
    name: str
    instructions: str = ""


@dataclass(frozen=True, slots=True)
class ImportedDocument:
    """A document for the library: its text, or, in a folder of the user, its place."""

    form: ImportFormat
    name: str
    text: str = ""
    project: ProjectId = NO_PROJECT
    path: str = ""


@dataclass(frozen=True, slots=True)
class ImportedMemory:
    """A sentence that another assistant remembers; no fact before the user confirms it."""

    form: ImportFormat
    text: str
    project: ProjectId = NO_PROJECT


@dataclass(frozen=True, slots=True)
class LinkedFiles:
    """The names of the files that are the parts of an export, beside the one that lists them."""

    names: tuple[str, ...]


def digest(text: str) -> str:
    from hashlib import sha256  # noqa: PLC0415 - not for the start

    return sha256(text.encode()).hexdigest()[:_DIGEST_LETTERS]


def as_mapping(value: JsonValue) -> Mapping[str, JsonValue]:
    """Return an object; empty for any other value."""
    return value if isinstance(value, Mapping) else {}


def as_list(value: JsonValue) -> Sequence[JsonValue]:
    """Return a list; empty for any other value."""
    return value if isinstance(value, Sequence) and not isinstance(value, str) else ()


def as_text(value: JsonValue) -> str:
    """Return a text; empty for any other value."""
    return value if isinstance(value, str) else ""


def one_line(value: JsonValue) -> str:
    """Return a text without line breaks; empty for any other value."""
    return " ".join(fix_surrogates(as_text(value)).split())


def parse_moment(value: JsonValue) -> datetime | None:
    """Parse seconds since 1970 or ISO 8601; None for anything else, implausible years too."""
    try:
        if isinstance(value, bool) or not isinstance(value, (int, float, str)):
            return None
        if not isinstance(value, str):
            value = datetime.fromtimestamp(value, UTC).isoformat()
        return parse_utc(value)
    except (ValueError, OverflowError, OSError):
        return None


def path_to(
    current: str, parents: Mapping[str, str], written_at: Callable[[str], float | str]
) -> list[str]:
    """Return the branch from the first message to `current`, or to the newest leaf without it.

    A cycle in a broken file is cut.
    """
    if current not in parents:
        followed = set(parents.values())
        leaves = [node for node in parents if node not in followed] or list(parents)
        # Of several with the same time, the last.
        current = max(reversed(leaves), key=written_at)
    path: dict[str, None] = {}
    while current in parents and current not in path:
        path[current] = None
        current = parents[current]
    branch = list(path)[::-1]
    # A predecessor that the file lacks: what is not connected with the rest came before.
    rest = _apart_from(branch[0], parents) if branch and parents[branch[0]] else {}
    return [*path_to("", rest, written_at), *branch] if rest else branch


def _apart_from(first: str, parents: Mapping[str, str]) -> Mapping[str, str]:
    """Return what neither follows a message nor has the same predecessor."""
    children: dict[str, list[str]] = {}
    for child, parent in parents.items():
        children.setdefault(parent, []).append(child)
    waiting, connected = [parents[first]], set[str]()
    while waiting:
        for child in children.get(waiting.pop(), ()):
            if child not in connected:
                connected.add(child)
                waiting.append(child)
    return {child: parent for child, parent in parents.items() if child not in connected}


_PROSE = frozenset({"", "document", "markdown", "text/markdown"})
_LONGEST_LANGUAGE = 20


def document_markdown(name: str, content: str, kind: str = "") -> str:
    """Return a document as Markdown; `kind`: its language, empty for prose."""
    title = f"**{name}**\n\n" if name else ""
    if kind in _PROSE:
        return f"{title}{content.strip()}"
    fence = "```"
    while fence in content:
        fence += "`"
    is_name = len(kind) <= _LONGEST_LANGUAGE and all(c.isalnum() or c in "_+#.-" for c in kind)
    newline = "\n"
    return f"{title}{fence}{kind if is_name else ''}\n{content.strip(newline)}\n{fence}"
