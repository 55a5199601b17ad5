"""Detects the format of a file and reads it, conversation by conversation, with its problems."""

import codecs
import errno
import json
import os
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import BinaryIO

from desktop.domain.errors import FileUnreadableError
from desktop.domain.model import JsonValue
from desktop.research.documents.text_files import decode_text
from desktop.sessions.importing import bellek, chatgpt, claude, markdown
from desktop.sessions.importing.export_files import HEAD_BYTES, ExportFile, ZipMember, find_files
from desktop.sessions.importing.import_types import (
    Conversation,
    ImportFormat,
    Omission,
    Problem,
    UnreadableConversationError,
    one_line,
)
from desktop.sessions.importing.json_stream import LONGEST_MB, lines, objects, parse

_LIST_OF_CONVERSATIONS = re.compile(rb'\{[^\[{]*?"conversations"\s*:\s*\[', re.DOTALL)
_LONGEST_TITLE, _LONGEST_NAME = 80, 200
_LEAST_ZEROS = 0.25
"""Of the bytes of text in UTF-16 or UTF-32: there is a zero in nearly every letter."""
_MARKS = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
_READERS: Mapping[ImportFormat, tuple[str, Callable[[Mapping[str, JsonValue]], Conversation]]] = {
    ImportFormat.CHATGPT: ("mapping", chatgpt.read),
    ImportFormat.CLAUDE: ("chat_messages", claude.read),
    ImportFormat.BELLEK: ("messages", bellek.read),
}
"""Each with the field that only this program's conversations have."""


@dataclass(frozen=True, slots=True)
class FoundConversation:
    """The next conversation or problem, and the progress in the file."""

    what: Conversation | Problem
    number: int
    share: float
    """Of the file that is read, 0 to 1."""


def read_file(path: Path, form: ImportFormat | None = None) -> Iterator[FoundConversation]:
    """Everything in the file, in order; `form` None looks at the content. FileUnreadableError.

    Of a file with nothing in it, that.
    """
    found: FoundConversation | None = None
    try:
        if path.exists() and not (path.is_file() or path.is_dir()):
            # A pipe or a device would be waited for without end.
            raise FileUnreadableError(path=str(path), detail=os.strerror(errno.ESPIPE))
        with path.open("rb") as file:
            for found in _read_opened(file, path, form):
                yield found
    except OSError as exc:
        raise FileUnreadableError(path=str(path), detail=exc.strerror or "") from exc
    if found is None:
        yield FoundConversation(Problem(0, "file_empty"), 0, 1.0)


def _read_opened(
    file: BinaryIO, path: Path, form: ImportFormat | None
) -> Iterator[FoundConversation]:
    try:
        files = find_files(file, path)
    except UnreadableConversationError as exc:
        yield FoundConversation(Problem(0, exc.key, exc.values), 0, 1.0)
        return
    whole, done = sum(one.size for one in files) or 1, 0
    for one in files:
        number, inside = 0, one.name if isinstance(one, ZipMember) else ""
        try:
            for number, what in _read_one(one, form):
                found = replace(what, file=inside) if isinstance(what, Problem) else what
                share = min(1.0, (done + one.bytes_read) / whole)
                yield FoundConversation(found, number, share)
        except UnreadableConversationError as exc:
            problem = Problem(0, exc.key, exc.values, file=inside[:_LONGEST_NAME])
            yield FoundConversation(problem, number, min(1.0, done / whole))
        done += one.size


def _read_one(
    file: ExportFile, form: ImportFormat | None
) -> Iterator[tuple[int, Conversation | Problem]]:
    """Raises UnreadableConversationError for what is wrong with the whole file."""
    file.read_head()
    base = _nesting(file, form)
    is_wide = b"\0" in file.head[:4] and file.head.count(b"\0") > _LEAST_ZEROS * len(file.head)
    if is_wide and not (base is None and file.head.startswith(_MARKS)):
        raise UnreadableConversationError("wrong_encoding")
    if base is None:
        yield 1, _transcript(file)
        return
    for number, text in lines(file) if base < 0 else objects(file, base):
        yield number, _conversation(number, text, form, is_line=base < 0)


def _nesting(file: ExportFile, form: ImportFormat | None) -> int | None:
    """In how many brackets the conversations stand; -1 for lines, None for a transcript."""
    bare = file.head.lstrip()
    is_named = form is not None or file.name.lower().endswith((".jsonl", ".json"))
    if form is ImportFormat.MARKDOWN:
        return None
    if bare.startswith(b"["):
        return 1
    if _LIST_OF_CONVERSATIONS.match(bare):
        return 2
    if any(map(_is_object, bare.splitlines())):
        return -1
    if bare.startswith(b"{"):
        first, *more = bare.split(b"\n", 1)
        return 0 if more and not first.rstrip().endswith(b"}") else -1
    return -1 if is_named else None


def _is_object(line: bytes) -> bool:
    try:
        return line.lstrip().startswith(b"{") and isinstance(json.loads(line), dict)
    except (ValueError, RecursionError):
        return False


def _conversation(
    number: int, text: bytes | None, form: ImportFormat | None, *, is_line: bool
) -> Conversation | Problem:
    value: JsonValue = None
    try:
        value, is_whole = parse(text)
        conversation = _read_value(value, form)
    except UnreadableConversationError as exc:
        title = ""
        if isinstance(value, Mapping):
            title = one_line(value.get("title") or value.get("name"))[:_LONGEST_TITLE]
        return Problem(number, exc.key, exc.values, is_line=is_line, title=title)
    if not is_whole:
        conversation.left_out[Omission.LETTERS] = 1
    return conversation


def _read_value(value: JsonValue, form: ImportFormat | None) -> Conversation:
    if not isinstance(value, Mapping):
        raise UnreadableConversationError("not_an_object")
    for own_form, (field, read) in _READERS.items():
        if form is own_form or (form is None and field in value):
            return read(value)
    raise UnreadableConversationError("no_messages")


def _transcript(file: ExportFile) -> Conversation:
    held = bytearray()
    while chunk := file.read(HEAD_BYTES):
        held += chunk
        if len(held) > LONGEST_MB << 20:
            raise UnreadableConversationError("file_too_long", megabytes=LONGEST_MB)
    if b"\0" in held and not held.startswith(_MARKS):
        raise UnreadableConversationError("not_a_transcript")
    if not held.strip():
        raise UnreadableConversationError("file_empty")
    text = decode_text(bytes(held))
    conversation = markdown.read(text, file.modified_at)
    conversation.left_out[Omission.LETTERS] += "\ufffd" in text
    return conversation
