"""Detects the format of a file and reads it, conversation by conversation, with its problems."""

import codecs
import errno
import json
import os
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import BinaryIO
from zipfile import ZipFile, ZipInfo

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
    JsonPiece,
    Readable,
    lines,
    objects,
    parse,
)

_HEAD = 1 << 16
_LIST_OF_CONVERSATIONS = re.compile(rb'\{[^\[{]*?"conversations"\s*:\s*\[', re.DOTALL)
_LONGEST_TITLE = 80
_BYTES_A_ZERO = 16
_MARKS = {
    codecs.BOM_UTF32_LE: "utf-32",
    codecs.BOM_UTF32_BE: "utf-32",
    codecs.BOM_UTF16_LE: "utf-16",
    codecs.BOM_UTF16_BE: "utf-16",
}
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


class _ExportFile:
    """A file in UTF-8 that counts what was read and whose head can be looked at."""

    def __init__(self, file: Readable, name: str, modified_at: datetime | None) -> None:
        self.name = name
        self.modified_at = modified_at
        self.taken = 0
        self._file = file
        self._waiting = self.head = file.read(_HEAD)

    def read(self, size: int, /) -> bytes:
        data, self._waiting = self._waiting or self._file.read(size), b""
        self.taken += len(data)
        return data

    def unmarked(self) -> Readable:
        """Behind a byte order mark, in UTF-8 whichever encoding the mark names."""
        encoding = next((name for mark, name in _MARKS.items() if self.head.startswith(mark)), "")
        # Broken bytes may begin like a mark; wide text has a zero in nearly every letter.
        if encoding and self.head.count(b"\0") * _BYTES_A_ZERO > len(self.head):
            self.head = self.head.decode(encoding, "replace").encode()
            return codecs.EncodedFile(self, "utf-8", encoding, "replace")  # type: ignore[arg-type]  # reads alone
        self._waiting = self.head = self.head.removeprefix(codecs.BOM_UTF8)
        return self


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
    start = file.read(4)
    size = file.seek(0, 2)
    # What is called a zip and is none came broken: nobody means it as a text.
    if zip_members.is_zip(start) or path.suffix.casefold() == ".zip":
        try:
            archive = zip_members.open_zip(file)
        except UnreadableConversationError as exc:
            yield FoundConversation(Problem(0, exc.key, exc.values), 0, 1.0)
            return
        with archive:
            yield from _read_zip(archive, form)
        return
    file.seek(0)
    modified_at = datetime.fromtimestamp(path.stat().st_mtime, UTC)
    export = _ExportFile(file, path.name, modified_at)
    for number, what in _read_one(export, form):
        yield FoundConversation(what, number, min(1.0, export.taken / max(1, size)))


def _read_zip(archive: ZipFile, form: ImportFormat | None) -> Iterator[FoundConversation]:
    inside = list(zip_members.members(archive))
    whole = sum(one.file_size for one in inside if isinstance(one, ZipInfo)) or 1
    done = 0
    for info in inside:
        if isinstance(info, Problem):
            yield FoundConversation(info, 0, done / whole)
            continue
        number = 0
        try:
            with zip_members.opened_member(archive, info) as member:
                export = _ExportFile(member, info.filename, member.modified_at)
                for number, found in _read_one(export, form):
                    what = (
                        replace(found, file=info.filename) if isinstance(found, Problem) else found
                    )
                    share = min(1.0, (done + export.taken) / whole)
                    yield FoundConversation(what, number, share)
        except UnreadableConversationError as exc:
            problem = Problem(0, exc.key, exc.values, file=info.filename)
            yield FoundConversation(problem, number, done / whole)
        done += info.file_size


def _read_one(
    file: _ExportFile, form: ImportFormat | None
) -> Iterator[tuple[int, Conversation | Problem]]:
    text = file.unmarked()
    if file.head[:2].count(b"\0") == 1:
        yield 0, Problem(0, "wrong_encoding")
        return
    base = _nesting(file, form)
    if base is None:
        yield 1, _transcript(file)
        return
    is_line = base < 0
    for piece in lines(text) if is_line else objects(text, base):
        yield piece.number, _conversation(piece, form, is_line=is_line)


def _nesting(file: _ExportFile, form: ImportFormat | None) -> int | None:
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
    piece: JsonPiece, form: ImportFormat | None, *, is_line: bool
) -> Conversation | Problem:
    value: JsonValue = None
    try:
        value, is_whole = parse(piece)
        conversation = _read_value(value, form)
    except UnreadableConversationError as exc:
        title = ""
        if isinstance(value, Mapping):
            title = one_line(value.get("title") or value.get("name"))[:_LONGEST_TITLE]
        return Problem(piece.number, exc.key, exc.values, is_line=is_line, title=title)
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


def _transcript(file: _ExportFile) -> Conversation | Problem:
    held = bytearray()
    while chunk := file.read(_HEAD):
        held += chunk
        if len(held) > LONGEST_MB << 20:
            return Problem(0, "file_too_long", {"megabytes": LONGEST_MB})
    if b"\0" in held and not held.startswith(tuple(_MARKS)):
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
