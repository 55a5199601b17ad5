"""Detects the format of a file and reads it, conversation by conversation, with its problems."""

import errno
import json
import os
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from enum import Enum, auto
from pathlib import Path
from typing import BinaryIO

from desktop.domain.errors import FileUnreadableError
from desktop.domain.model import JsonValue
from desktop.research.documents.encoding import decode_text
from desktop.sessions.importing import bellek, chatgpt, claude, markdown, zip_members
from desktop.sessions.importing.import_types import (
    Conversation,
    ImportFormat,
    Omission,
    Problem,
    UnreadableConversationError,
    one_line,
)
from desktop.sessions.importing.json_stream import (
    LONGEST_MB,
    AsUtf8,
    JsonPiece,
    Objects,
    Readable,
    is_wide,
    lines,
    named_by,
    parse,
)

_HEAD = 1 << 16
_BYTE_ORDER_MARK = b"\xef\xbb\xbf"
_LIST_OF_CONVERSATIONS = re.compile(rb'\s*\{[^\[{]*?"conversations"\s*:\s*(?=\[)', re.DOTALL)
_LONGEST_TITLE = 80

_READERS: Mapping[ImportFormat, Callable[[Mapping[str, JsonValue]], Conversation]] = {
    ImportFormat.CHATGPT: chatgpt.read,
    ImportFormat.CLAUDE: claude.read,
    ImportFormat.BELLEK: bellek.read,
}
_TELLING = {
    ImportFormat.CHATGPT: "mapping",
    ImportFormat.CLAUDE: "chat_messages",
    ImportFormat.BELLEK: "messages",
}
"""The field that only this program's conversations have."""


class _Layout(Enum):
    LINES = auto()
    ARRAY = auto()
    OBJECTS = auto()
    TEXT = auto()


@dataclass(frozen=True, slots=True)
class FoundConversation:
    """The next conversation or problem, and the progress in the file."""

    what: Conversation | Problem
    number: int
    share: float
    """Of the file that is read, 0 to 1."""


class _Counted:
    """A file that counts what was read and lets the head be read again."""

    def __init__(self, file: Readable, name: str, modified_at: datetime | None) -> None:
        self.name = name
        self.modified_at = modified_at
        self.taken = 0
        head = file.read(_HEAD)
        if encoding := named_by(head):
            file = AsUtf8(file, head, encoding)
            head = file.read(_HEAD)
        self._file = file
        self.head = head.removeprefix(_BYTE_ORDER_MARK)
        self._waiting = self.head

    def skip(self, count: int) -> None:
        self._waiting = self._waiting[count:]

    def read(self, size: int, /) -> bytes:
        if self._waiting:
            data, self._waiting = self._waiting, b""
        else:
            data = self._file.read(size)
        self.taken += len(data)
        return data


def read_file(path: Path, form: ImportFormat | None = None) -> Iterator[FoundConversation]:
    """Everything in the file, in order; `form` None looks at the content. FileUnreadableError.

    Of a file with nothing in it, that.
    """
    found: FoundConversation | None = None
    for found in _everything_in(path, form):
        yield found
    if found is None:
        yield FoundConversation(Problem(0, "file_empty"), 0, 1.0)


def _everything_in(path: Path, form: ImportFormat | None) -> Iterator[FoundConversation]:
    try:
        if path.exists() and not (path.is_file() or path.is_dir()):
            # A pipe or a device would be waited for without end.
            raise FileUnreadableError(path=str(path), detail=os.strerror(errno.ESPIPE))
        with path.open("rb") as file:
            # What is called a zip and is none came broken: nobody means it as a text.
            if zip_members.is_zip(file.read(4)) or path.suffix.casefold() == ".zip":
                yield from _read_zip(file, form)
            else:
                size = file.seek(0, 2)
                modified_at = datetime.fromtimestamp(path.stat().st_mtime, UTC)
                file.seek(0)
                counted = _Counted(file, path.name, modified_at)
                for number, what in _read_one(counted, form):
                    share = min(1.0, counted.taken / size) if size else 1.0
                    yield FoundConversation(what, number, share)
    except OSError as exc:
        raise FileUnreadableError(path=str(path), detail=exc.strerror or "") from exc


def _read_zip(file: BinaryIO, form: ImportFormat | None) -> Iterator[FoundConversation]:
    try:
        archive = zip_members.opened(file)
    except UnreadableConversationError as exc:
        yield FoundConversation(Problem(0, exc.key, exc.values), 0, 1.0)
        return
    with archive:
        inside = list(zip_members.members(archive))
        whole = sum(one.size for one in inside if isinstance(one, zip_members.Member)) or 1
        done = 0
        for one in inside:
            if isinstance(one, Problem):
                yield FoundConversation(one, 0, done / whole)
                continue
            with closing(one):
                yield from _read_member(one, form, done, whole)
            done += one.size


def _read_member(
    member: zip_members.Member, form: ImportFormat | None, done: int, whole: int
) -> Iterator[FoundConversation]:
    number = 0
    try:
        counted = _Counted(member, member.name, member.modified_at)
        for number, what in _read_one(counted, form):
            share = min(1.0, (done + counted.taken) / whole)
            inside = replace(what, file=member.name) if isinstance(what, Problem) else what
            yield FoundConversation(inside, number, share)
    except UnreadableConversationError as exc:
        yield FoundConversation(Problem(0, exc.key, exc.values, file=member.name), number, 0.0)


def _read_one(
    file: _Counted, form: ImportFormat | None
) -> Iterator[tuple[int, Conversation | Problem]]:
    if is_wide(file.head):
        yield 0, Problem(0, "wrong_encoding")
        return
    layout, start = _layout(file, form)
    if layout is _Layout.TEXT:
        yield 1, _transcript(file)
        return
    file.skip(start)
    is_line = layout is _Layout.LINES
    pieces = lines(file) if is_line else Objects(file, in_array=layout is _Layout.ARRAY)
    for piece in pieces:
        yield piece.number, _conversation(piece, form, is_line=is_line)


def _layout(file: _Counted, form: ImportFormat | None) -> tuple[_Layout, int]:
    """The layout of the file, and where the first conversation begins."""
    if form is ImportFormat.MARKDOWN:
        return _Layout.TEXT, 0
    head, bare = file.head, file.head.lstrip()
    if bare.startswith(b"["):
        return _Layout.ARRAY, 0
    if found := _LIST_OF_CONVERSATIONS.match(head):
        return _Layout.ARRAY, found.end()
    if _has_object_line(head):
        return _Layout.LINES, 0
    if bare.startswith(b"{"):
        first = bare.split(b"\n", 1)[0].rstrip()
        is_open = b"\n" in bare and not first.endswith(b"}")
        return (_Layout.OBJECTS if is_open else _Layout.LINES), 0
    is_data = form is not None or file.name.lower().endswith((".jsonl", ".json"))
    return (_Layout.LINES if is_data else _Layout.TEXT), 0


def _has_object_line(head: bytes) -> bool:
    return any(line.lstrip().startswith(b"{") and _is_json(line) for line in head.splitlines())


def _is_json(line: bytes) -> bool:
    try:
        json.loads(line)
    except (ValueError, RecursionError):
        return False
    return True


def _conversation(
    piece: JsonPiece, form: ImportFormat | None, *, is_line: bool
) -> Conversation | Problem:
    value: JsonValue = None
    try:
        value, is_whole = parse(piece)
        if not isinstance(value, Mapping):
            raise UnreadableConversationError("not_an_object")  # noqa: TRY301 (one way out)
        conversation = _READERS[form or _form_of(value)](value)
    except UnreadableConversationError as exc:
        title = _title(value) if isinstance(value, Mapping) else ""
        return Problem(piece.number, exc.key, exc.values, is_line=is_line, title=title)
    if not is_whole:
        conversation.left_out[Omission.LETTERS] += 1
    return conversation


def _form_of(value: Mapping[str, JsonValue]) -> ImportFormat:
    """The format by the field that only one program writes. Raises UnreadableError."""
    for form, name in _TELLING.items():
        if name in value:
            return form
    raise UnreadableConversationError("no_messages")


def _title(value: Mapping[str, JsonValue]) -> str:
    return one_line(value.get("title") or value.get("name"))[:_LONGEST_TITLE]


def _transcript(file: _Counted) -> Conversation | Problem:
    held = bytearray()
    while chunk := file.read(_HEAD):
        held += chunk
        if len(held) > LONGEST_MB << 20:
            return Problem(0, "file_too_long", {"megabytes": LONGEST_MB})
    if b"\0" in held:
        return Problem(0, "not_a_transcript")
    if not held.strip():
        return Problem(0, "file_empty")
    text = decode_text(bytes(held))
    try:
        conversation = markdown.read(text, file.modified_at)
    except UnreadableConversationError as exc:
        return Problem(0, exc.key, exc.values)
    conversation.left_out[Omission.LETTERS] += "\ufffd" in text
    return conversation
