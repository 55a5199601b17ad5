"""Detects the format of a file and reads it, conversation by conversation, with its problems."""

import codecs
import errno
import json
import os
import re
from codecs import getincrementaldecoder
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from io import BufferedReader, FileIO, TextIOWrapper
from itertools import count
from pathlib import Path, PurePosixPath

from desktop.domain.json_values import JsonValue
from desktop.domain.messages import Role
from desktop.domain.prompts import Prompt
from desktop.sessions.importing import bellek, claude_export, markdown
from desktop.sessions.importing.activity_logs import (
    LogEntry,
    conversations,
    is_activity,
    read_activity,
    read_event,
    read_line,
)
from desktop.sessions.importing.import_files import (
    DAMAGED,
    EXPORT_NAMES,
    HEAD_BYTES,
    find_files,
)
from desktop.sessions.importing.import_types import (
    Conversation,
    ImportedDocument,
    ImportedMemory,
    ImportedProject,
    ImportFormat,
    LinkedFiles,
    Problem,
    UnreadableConversationError,
    one_line,
)
from desktop.sessions.importing.other_programs import other_program, read_chatgpt, read_claude
from desktop.settings.file_writing import raising_unreadable

LONGEST_MB = 32
LONGEST = LONGEST_MB << 20
_CHUNK = 1 << 18
_BEFORE_LIST = re.compile(r'\s*(?:\{[^\[{]*?"conversations"\s*:\s*)?\[')
_BETWEEN = frozenset(" ,\n\r\t")

JsonPiece = tuple[int, JsonValue | UnreadableConversationError]
"""A value by its number from 1, or what is wrong with it."""


def _as_number(digits: str) -> float:
    try:
        return int(digits)
    except ValueError:  # Python reads no more than 4,300 digits
        return float(digits)


_DECODER = json.JSONDecoder(strict=False, parse_int=_as_number)


def read_values(file: BufferedReader) -> Iterator[JsonPiece]:
    """Yield the values of a list, or of a sequence; a mistake in one ends the file."""
    decode, number, left = _DECODER.raw_decode, 1, 0
    with _as_text(file) as text:
        held = text.read(_CHUNK)
        begun = _BEFORE_LIST.match(held)
        at = begun.end() if begun else 0
        while True:
            while held[at : at + 1] in _BETWEEN:
                at += 1
            if begun and held.startswith("]", at):
                return
            try:
                value, end = decode(held, at)
            except (ValueError, RecursionError):
                # The buffer doubles with each read: nothing is parsed more than twice.
                left = len(held) - at
                more = text.read(max(_CHUNK, left)) if left < LONGEST else ""
                if not more:
                    break
                held, at = held[at:] + more, 0
                continue
            yield number, value
            number, at = number + 1, end
    if begun or left:
        yield number, UnreadableConversationError("cut_off", megabytes=LONGEST_MB)


def read_lines(file: BufferedReader) -> Iterator[JsonPiece]:
    with _as_text(file) as text:
        for number in count(1):
            line = rest = text.readline(LONGEST)
            if not line:
                return
            while rest and not rest.endswith("\n"):
                rest = text.readline(LONGEST)
            if line.strip():
                yield number, _parse(line)


def _parse(line: str) -> JsonValue | UnreadableConversationError:
    if len(line) == LONGEST:
        return UnreadableConversationError("too_long", megabytes=LONGEST_MB)
    try:
        value: JsonValue = _DECODER.decode(line)
    except (ValueError, RecursionError):
        return UnreadableConversationError("not_json")
    return value


def _as_text(file: BufferedReader) -> TextIOWrapper:
    return TextIOWrapper(file, _encoding_of(file), "replace", newline="\n")


def _encoding_of(file: BufferedReader) -> str:
    """Return UTF-8, or what a file is written in instead: wrong letters would stay for good."""
    decoder, wrong = getincrementaldecoder("utf-8")(), b""
    while not wrong and (piece := file.read(_CHUNK)):
        try:
            decoder.decode(piece)
        except UnicodeDecodeError:
            wrong = piece
    file.seek(0)
    if not wrong:
        return "utf-8-sig"
    from desktop.research.documents.text_files import likely_encoding  # noqa: PLC0415 - rarely

    broken = wrong.decode("utf-8", "replace")
    letters = len(broken) - len(broken.encode("ascii", "ignore"))
    is_damaged = broken.count("\ufffd") <= _MOST_BROKEN * letters
    return "utf-8-sig" if is_damaged else likely_encoding(wrong)


_LIST = re.compile(rb'\[|\{[^\[{]*?"conversations"\s*:\s*\[', re.DOTALL)
_LONGEST_NAME, _LONGEST_FIELD = 200, 40

ImportedItem = (
    Conversation
    | ImportedProject
    | ImportedDocument
    | ImportedMemory
    | LinkedFiles
    | bellek.ImportedNote
    | bellek.ImportedCitations
    | Prompt
    | Problem
)
_Value = Mapping[str, JsonValue]


@dataclass(frozen=True, slots=True)
class ExportRecord:
    """A kind of value in the files of a program, and how it is read."""

    form: ImportFormat
    fields: frozenset[str]  # Of a value of this kind; no other kind has them all
    read: Callable[[_Value], Iterable[ImportedItem | LogEntry]]
    """May raise UnreadableConversationError."""
    is_alone: bool = False  # Whether a value has no other field

    def fits(self, value: _Value) -> bool:
        return self.fields <= value.keys() and (not self.is_alone or len(value) == 1)

    def is_in(self, head: bytes) -> bool:
        return not self.is_alone and all(f'"{field}"'.encode() in head for field in self.fields)


def _one(read: Callable[[_Value], Conversation]) -> Callable[[_Value], Iterable[ImportedItem]]:
    return lambda value: [read(value)]


RECORDS: Sequence[ExportRecord] = (
    ExportRecord(
        ImportFormat.BELLEK,
        frozenset({"prompt"}),
        lambda value: [bellek.read_prompt(value["prompt"])],
        is_alone=True,
    ),
    ExportRecord(
        ImportFormat.BELLEK,
        frozenset({"note"}),
        lambda value: [bellek.read_note(value["note"])],
        is_alone=True,
    ),
    ExportRecord(
        ImportFormat.BELLEK,
        frozenset({"answer"}),
        lambda value: [bellek.read_citations(value["answer"])],
        is_alone=True,
    ),
    ExportRecord(ImportFormat.CHATGPT, frozenset({"mapping"}), _one(read_chatgpt)),
    ExportRecord(ImportFormat.CLAUDE, frozenset({"chat_messages"}), _one(read_claude)),
    ExportRecord(
        ImportFormat.CLAUDE, frozenset({"prompt_template", "name"}), claude_export.read_project
    ),
    ExportRecord(ImportFormat.CLAUDE, frozenset({"docs", "name"}), claude_export.read_project),
    ExportRecord(
        ImportFormat.CLAUDE, frozenset({"conversations_memory"}), claude_export.read_memories
    ),
    ExportRecord(
        ImportFormat.CLAUDE, frozenset({"project_memories"}), claude_export.read_memories
    ),
    ExportRecord(ImportFormat.GEMINI, frozenset({"header", "title", "time"}), read_event),
    ExportRecord(ImportFormat.CLAUDE_CODE, frozenset({"sessionId", "type"}), read_line),
    ExportRecord(ImportFormat.CLAUDE_CODE, frozenset({"leafUuid", "type"}), read_line),
    ExportRecord(ImportFormat.CLAUDE_CODE, frozenset({"snapshot", "type"}), read_line),
    ExportRecord(ImportFormat.BELLEK, frozenset({"messages"}), _one(bellek.read)),
)
"""The first that fits reads a value."""
_NOTION_ID = re.compile(r"(?:%20|[ _-])[0-9a-f]{32}(?=_all\.|[./)\]\s]|\Z)")
_DOCUMENTS = (".csv", ".html", ".htm")
_MOST_NAMED = 5
_MOST_BROKEN = 0.2  # Of the letters beyond ASCII: a damaged file has few, one in another code many


@dataclass(frozen=True, slots=True)
class FoundConversation:
    """The next conversation, prompt, note or problem, and the progress in the file."""

    what: ImportedItem
    share: float  # The part of the file that is read, 0 to 1


def read_file(
    path: Path, form: ImportFormat | None = None, *, is_part: bool = False
) -> Iterator[FoundConversation]:
    """Yield everything in the file, in order; without `form` the content is examined.

    An empty file yields a problem. `is_part`: of a folder, in which other files lie, too.
    Raises FileUnreadableError.
    """
    yield from read_opened_file(open_file(path), path, form, is_part=is_part)


def open_file(path: Path) -> FileIO:
    """Raises FileUnreadableError."""
    with raising_unreadable(path):
        if path.exists() and not (path.is_file() or path.is_dir()):
            # A pipe or a device would block forever.
            raise OSError(errno.ESPIPE, os.strerror(errno.ESPIPE))
        return FileIO(path)


def read_opened_file(
    opened: FileIO, path: Path, form: ImportFormat | None, *, is_part: bool = False
) -> Iterator[FoundConversation]:
    """As `read_file`; closes the file."""
    outcome: FoundConversation | None = None
    file: BufferedReader = BufferedReader(opened, HEAD_BYTES)
    with raising_unreadable(path), file:
        for outcome in _read_opened(file, path, form, is_part=is_part):
            yield outcome
    if outcome is None and not is_part:
        yield FoundConversation(Problem(0, "file_empty"), 1.0)


def is_export(head: bytes) -> bool:
    """Return whether a file that begins like this is part of a program's export."""
    return is_activity(head) or any(record.is_in(head) for record in RECORDS)


def _read_opened(
    file: BufferedReader, path: Path, form: ImportFormat | None, *, is_part: bool
) -> Iterator[FoundConversation]:
    try:
        files = find_files(file, path, is_export, is_part=is_part)
    except UnreadableConversationError as exc:
        yield FoundConversation(Problem(0, exc.key, exc.values), 1.0)
        return
    stat, share = os.fstat(file.fileno()), 0.0
    for inside, opened in files:
        name = inside[:_LONGEST_NAME]
        place = _Place(
            inside or path.name, form, stat.st_mtime, is_part=is_part, is_inside=bool(inside)
        )
        try:
            for what in _read_one(opened(), place):
                item = replace(what, file=name) if isinstance(what, Problem) else what
                share = 1.0 if file.closed else min(1.0, file.tell() / (stat.st_size or 1))
                yield FoundConversation(item, share)
        except UnreadableConversationError as exc:
            yield FoundConversation(Problem(0, exc.key, exc.values, file=name), share)
        except DAMAGED:
            yield FoundConversation(Problem(0, "zip_damaged", file=name), share)


@dataclass(frozen=True, slots=True)
class _Place:
    name: str  # Of the file, with its folders in a zip
    form: ImportFormat | None
    written_at: float  # Seconds since 1970
    is_part: bool
    is_inside: bool  # Whether the file is in a zip


def _read_one(file: BufferedReader, place: _Place) -> Iterator[ImportedItem]:
    """Yield one file's contents. Raises UnreadableConversationError if all of it is unreadable."""
    entries: list[LogEntry] = []
    for item in _parts_of(file, place):
        if isinstance(item, LogEntry):
            entries.append(item)
        else:
            yield item
    yield from conversations(entries)


def _parts_of(file: BufferedReader, place: _Place) -> Iterator[ImportedItem | LogEntry]:
    head = file.peek(HEAD_BYTES).removeprefix(codecs.BOM_UTF8).lstrip()
    form, name = place.form, place.name.lower()
    read = _json_reader(head, name, form)
    if is_activity(head):
        yield from read_activity(file)
    elif read is None:
        yield from _read_text(file, place)
    elif place.is_part and not _is_own(head, name):
        return  # something else that lies in the folder
    elif head.count(b"\0") * 4 >= len(head) > 0:
        raise UnreadableConversationError("wrong_encoding")
    else:
        yield from _read_json(
            file, read, form, is_manifest=_name_of(name).startswith(EXPORT_NAMES[0])
        )


def _name_of(name: str) -> str:
    return PurePosixPath(name).name


def _is_own(head: bytes, name: str) -> bool:
    return name.endswith(".jsonl") or _name_of(name).startswith(EXPORT_NAMES) or is_export(head)


def _read_json(
    file: BufferedReader,
    read: Callable[[BufferedReader], Iterator[JsonPiece]],
    form: ImportFormat | None,
    *,
    is_manifest: bool,
) -> Iterator[ImportedItem | LogEntry]:
    for number, value in read(file):
        try:
            yield from _items(value, form, is_manifest=is_manifest)
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
    # A broken first line does not stop the others.
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


def _items(
    value: JsonValue | UnreadableConversationError, form: ImportFormat | None, *, is_manifest: bool
) -> Iterable[ImportedItem | LogEntry]:
    """Return what a value holds. Raises UnreadableConversationError, also while it is read."""
    if isinstance(value, UnreadableConversationError):
        raise value
    if not isinstance(value, Mapping):
        raise UnreadableConversationError("not_an_object")
    program = other_program(value)
    if form is not None or not program:
        for record in RECORDS:
            if record.form is (form or record.form) and record.fits(value):
                return record.read(value)
    if program:
        raise UnreadableConversationError("other_program", program=program)
    if is_manifest:
        return claude_export.read_manifest(value)
    names = ", ".join(one_line(name)[:_LONGEST_FIELD] for name in list(value)[:_MOST_NAMED])
    raise UnreadableConversationError("unknown_form" if names else "no_messages", names=names)


def _read_text(file: BufferedReader, place: _Place) -> Iterator[ImportedItem]:
    """Yield a transcript; of several files, one without two speakers is a document."""
    from desktop.research.documents.text_files import decode_text  # noqa: PLC0415 - of no export

    data = file.read(LONGEST + 1)
    if len(data) > LONGEST:
        raise UnreadableConversationError("file_too_long", megabytes=LONGEST_MB)
    if b"\0" in data and not data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        raise UnreadableConversationError("not_a_transcript")
    if not data.strip():
        raise UnreadableConversationError("file_empty")
    text, name = decode_text(data), _name_of(place.name)
    is_alone = not (place.is_part or place.is_inside) or place.form is ImportFormat.MARKDOWN
    if is_alone or not (name.endswith(_DOCUMENTS) or place.form is ImportFormat.NOTES):
        written_at = datetime.fromtimestamp(place.written_at, UTC)
        conversation = _transcript(text, written_at, is_sure=is_alone)
        if conversation is not None:
            yield conversation
            return
    whole = without_ids(text) if place.is_inside else ""
    yield ImportedDocument(ImportFormat.NOTES, without_ids(name), whole)


def _transcript(text: str, written_at: datetime, *, is_sure: bool) -> Conversation | None:
    """Return the conversation of a text; None if it may be none. As `markdown.read`."""
    try:
        conversation = markdown.read(text, written_at)
    except UnreadableConversationError:
        if is_sure:
            raise
        return None
    speakers = {message.role for message in conversation.messages}
    return conversation if is_sure or len(speakers) == len(Role) else None


def without_ids(text: str) -> str:
    """Return a text without the ids that Notion adds to the names of its files."""
    return _NOTION_ID.sub("", text)
