"""Detects the format of a file and reads it, conversation by conversation, with its problems."""

import codecs
import errno
import json
import os
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from io import BufferedReader, FileIO
from pathlib import Path

from desktop.domain.errors import FileUnreadableError
from desktop.domain.model import JsonValue
from desktop.domain.prompts import Prompt
from desktop.research.documents.text_files import decode_text
from desktop.sessions.importing import bellek, chatgpt, claude, markdown
from desktop.sessions.importing.export_files import (
    DAMAGED,
    HEAD_BYTES,
    LONGEST,
    LONGEST_MB,
    JsonPiece,
    find_files,
    read_lines,
    read_values,
)
from desktop.sessions.importing.import_types import (
    Conversation,
    ImportFormat,
    Problem,
    UnreadableConversationError,
)

_LIST = re.compile(rb'\[|\{[^\[{]*?"conversations"\s*:\s*\[', re.DOTALL)
_LONGEST_NAME = 200
_READERS: Mapping[ImportFormat, tuple[str, Callable[[Mapping[str, JsonValue]], Conversation]]] = {
    ImportFormat.CHATGPT: ("mapping", chatgpt.read),
    ImportFormat.CLAUDE: ("chat_messages", claude.read),
    ImportFormat.BELLEK: ("messages", bellek.read),
}
"""Each with the field that only this program's conversations have."""


@dataclass(frozen=True, slots=True)
class FoundConversation:
    """The next conversation, prompt or problem, and the progress in the file."""

    what: Conversation | Prompt | Problem
    share: float
    """The part of the file that is read, 0 to 1."""


def read_file(path: Path, form: ImportFormat | None = None) -> Iterator[FoundConversation]:
    """Yield everything in the file, in order; without `form` the content is examined.

    An empty file yields a problem. Raises FileUnreadableError.
    """
    yield from read_opened_file(open_file(path), path, form)


def open_file(path: Path) -> FileIO:
    """Raises FileUnreadableError."""
    try:
        if path.exists() and not (path.is_file() or path.is_dir()):
            # A pipe or a device would block forever.
            raise FileUnreadableError(path=str(path), detail=os.strerror(errno.ESPIPE))
        return FileIO(path)
    except OSError as exc:
        raise FileUnreadableError(path=str(path), detail=exc.strerror or "") from exc


def read_opened_file(
    opened: FileIO, path: Path, form: ImportFormat | None
) -> Iterator[FoundConversation]:
    """As `read_file`; closes the file."""
    found: FoundConversation | None = None
    try:
        file: BufferedReader = BufferedReader(opened, HEAD_BYTES)
        with file:
            for found in _read_opened(file, path, form):
                yield found
    except OSError as exc:
        raise FileUnreadableError(path=str(path), detail=exc.strerror or "") from exc
    if found is None:
        yield FoundConversation(Problem(0, "file_empty"), 1.0)


def _read_opened(
    file: BufferedReader, path: Path, form: ImportFormat | None
) -> Iterator[FoundConversation]:
    try:
        files = find_files(file, path)
    except UnreadableConversationError as exc:
        yield FoundConversation(Problem(0, exc.key, exc.values), 1.0)
        return
    stat, share = os.fstat(file.fileno()), 0.0
    for inside, opened in files:
        name = inside[:_LONGEST_NAME]
        try:
            for found in _read_one(opened(), inside or path.name, form, stat.st_mtime):
                what = replace(found, file=name) if isinstance(found, Problem) else found
                share = 1.0 if file.closed else min(1.0, file.tell() / (stat.st_size or 1))
                yield FoundConversation(what, share)
        except UnreadableConversationError as exc:
            yield FoundConversation(Problem(0, exc.key, exc.values, file=name), share)
        except DAMAGED:
            yield FoundConversation(Problem(0, "zip_damaged", file=name), share)


def _read_one(
    file: BufferedReader, name: str, form: ImportFormat | None, written_at: float
) -> Iterator[Conversation | Prompt | Problem]:
    """Yield one file's contents. Raises UnreadableConversationError if all of it is unreadable."""
    head = file.peek(HEAD_BYTES).removeprefix(codecs.BOM_UTF8)
    read = _json_reader(head.lstrip(), name.lower(), form)
    if read is None:
        yield _transcript(file, datetime.fromtimestamp(written_at, UTC))
        return
    if head.count(b"\0") * 4 >= len(head) > 0:
        raise UnreadableConversationError("wrong_encoding")
    for number, value in read(file):
        try:
            yield _conversation(value, form)
        except UnreadableConversationError as exc:
            yield Problem(number, exc.key, exc.values, is_line=read is read_lines)


def _json_reader(
    head: bytes, name: str, form: ImportFormat | None
) -> Callable[[BufferedReader], Iterator[JsonPiece]] | None:
    if form is ImportFormat.MARKDOWN:
        return None
    first, *more = head.split(b"\n", 1)
    is_object, has_lines = head.startswith(b"{"), name.endswith(".jsonl")
    goes_on = bool(more) and not (first.rstrip().endswith(b"}") or has_lines)
    # A broken first line costs no other.
    goes_on = goes_on and not any(map(_is_object, more[0].splitlines()))
    if _LIST.match(head) or (is_object and goes_on):
        return read_values
    is_named = form is not None or has_lines or name.endswith(".json")
    return read_lines if is_object or is_named else None


def _is_object(line: bytes) -> bool:
    try:
        return line.startswith(b"{") and isinstance(json.loads(line), dict)
    except (ValueError, RecursionError):
        return False


def _conversation(
    value: JsonValue | UnreadableConversationError, form: ImportFormat | None
) -> Conversation | Prompt:
    if isinstance(value, UnreadableConversationError):
        raise value
    if not isinstance(value, Mapping):
        raise UnreadableConversationError("not_an_object")
    if form in {None, ImportFormat.BELLEK} and list(value) == ["prompt"]:
        return bellek.read_prompt(value["prompt"])
    for own_form, (field, read) in _READERS.items():
        if form is own_form or (form is None and field in value):
            return read(value)
    raise UnreadableConversationError("no_messages")


def _transcript(file: BufferedReader, written_at: datetime) -> Conversation:
    data = file.read(LONGEST + 1)
    if len(data) > LONGEST:
        raise UnreadableConversationError("file_too_long", megabytes=LONGEST_MB)
    if b"\0" in data and not data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        raise UnreadableConversationError("not_a_transcript")
    if not data.strip():
        raise UnreadableConversationError("file_empty")
    return markdown.read(decode_text(data), written_at)
