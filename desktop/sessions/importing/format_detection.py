"""Detects the format of a file and reads it, conversation by conversation, with its problems."""

import codecs
import errno
import json
import os
import re
import zlib
from codecs import getincrementaldecoder
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import partial
from io import BufferedReader, FileIO, TextIOWrapper
from itertools import count
from pathlib import Path, PurePosixPath
from zipfile import ZIP_DEFLATED, ZIP_STORED, BadZipFile, ZipFile, ZipInfo

from desktop.domain.json_values import JsonValue
from desktop.domain.prompts import Prompt
from desktop.sessions.importing import bellek, markdown
from desktop.sessions.importing.import_types import (
    Conversation,
    ImportFormat,
    Problem,
    UnreadableConversationError,
    one_line,
)
from desktop.sessions.importing.other_programs import other_program, read_chatgpt, read_claude
from desktop.settings.file_writing import raising_unreadable

HEAD_BYTES = 1 << 16
LONGEST_MB = 32
LONGEST = LONGEST_MB << 20
_CHUNK = 1 << 18
_BEFORE_LIST = re.compile(r'\s*(?:\{[^\[{]*?"conversations"\s*:\s*)?\[')
_BETWEEN = frozenset(" ,\n\r\t")
_FREE_BYTES = 16 << 20
# Chats compress to a tenth; deflate's limit, and that of zip bombs, is a thousandth.
_MOST_RATIO = 200
_OTHERS = (".json", ".md", ".markdown")
DAMAGED = (BadZipFile, zlib.error, EOFError)  # The exceptions that reading a broken zip raises

OpenFile = Callable[[], BufferedReader]
JsonPiece = tuple[int, JsonValue | UnreadableConversationError]
"""A value by its number from 1, or what is wrong with it."""


def _as_number(digits: str) -> float:
    try:
        return int(digits)
    except ValueError:  # Python reads no more than 4,300 digits
        return float(digits)


_DECODER = json.JSONDecoder(strict=False, parse_int=_as_number)


def find_files(file: BufferedReader, path: Path) -> list[tuple[str, OpenFile]]:
    """Return the file itself, or the members that can contain conversations.

    Raises OSError, UnreadableConversationError.
    """
    # A file named .zip that is not a zip is damaged: it is not read as a text.
    is_zip = file.peek()[:4] in {b"PK\x03\x04", b"PK\x05\x06"}
    if not is_zip and path.suffix.casefold() != ".zip":
        return [("", lambda: file)]
    try:
        archive = ZipFile(file)
    except (*DAMAGED, NotImplementedError, ValueError) as exc:
        raise UnreadableConversationError("zip_damaged") from exc
    infos = [info for info in archive.infolist() if not _is_companion(info.filename)]
    members = [info for info in infos if _is_conversations(archive, info)]
    members = members or [info for info in infos if _name(info).endswith(_OTHERS)]
    if not members:
        inside = [_name(info) for info in infos if _name(info).endswith(".zip")]
        if inside:
            raise UnreadableConversationError("zip_in_zip", names=", ".join(inside[:_MOST_NAMED]))
        raise UnreadableConversationError("zip_empty")
    return [(member.filename, partial(_open_member, archive, member)) for member in members]


def _is_companion(name: str) -> bool:
    """Return whether it is a folder, or what macOS adds to each file."""
    path = PurePosixPath(name)
    return name.endswith("/") or "__MACOSX" in path.parts or path.name.startswith("._")


def _name(info: ZipInfo) -> str:
    return PurePosixPath(info.filename).name.lower()


def _is_conversations(archive: ZipFile, info: ZipInfo) -> bool:
    """Return whether a member has conversations; tables beside them begin with the same word."""
    name = _name(info)
    if not (name.startswith("conversation") and name.endswith(".json")):
        return name.endswith(".jsonl")
    with suppress(UnreadableConversationError, *DAMAGED), _open_member(archive, info) as file:
        head = file.peek(HEAD_BYTES).removeprefix(codecs.BOM_UTF8).lstrip()
        return bool(_LIST.match(head)) or any(field in head for field in _FIELDS)
    return True  # Its reader says what is wrong with it


def _open_member(archive: ZipFile, info: ZipInfo) -> BufferedReader:
    path = PurePosixPath(info.filename)
    is_outside = path.is_absolute() or ".." in path.parts
    if is_outside or "\\" in info.filename or info.filename[1:2] == ":":
        raise UnreadableConversationError("zip_path")
    if info.compress_type not in {ZIP_STORED, ZIP_DEFLATED}:
        raise UnreadableConversationError("zip_packed_otherwise")
    # No more than this size is ever read.
    if info.file_size > _FREE_BYTES + _MOST_RATIO * info.compress_size:
        raise UnreadableConversationError("zip_bomb")
    try:
        # typeshed types it as IO, without the `readinto` that it has
        return BufferedReader(archive.open(info), HEAD_BYTES)  # type: ignore[arg-type]
    # RuntimeError: it has a password
    except (*DAMAGED, RuntimeError, ValueError, OSError) as exc:
        raise UnreadableConversationError("zip_damaged") from exc


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
_READERS: Mapping[ImportFormat, tuple[str, Callable[[Mapping[str, JsonValue]], Conversation]]] = {
    ImportFormat.CHATGPT: ("mapping", read_chatgpt),
    ImportFormat.CLAUDE: ("chat_messages", read_claude),
    ImportFormat.BELLEK: ("messages", bellek.read),
}
"""Each with the field that this program's conversations have."""
_FIELDS = [f'"{field}"'.encode() for field, _ in _READERS.values()]
_MOST_NAMED = 5
_MOST_BROKEN = 0.2  # Of the letters beyond ASCII: a damaged file has few, one in another code many


@dataclass(frozen=True, slots=True)
class FoundConversation:
    """The next conversation, prompt, note or problem, and the progress in the file."""

    what: Conversation | bellek.ImportedNote | Prompt | Problem
    share: float  # The part of the file that is read, 0 to 1


def read_file(path: Path, form: ImportFormat | None = None) -> Iterator[FoundConversation]:
    """Yield everything in the file, in order; without `form` the content is examined.

    An empty file yields a problem. Raises FileUnreadableError.
    """
    yield from read_opened_file(open_file(path), path, form)


def open_file(path: Path) -> FileIO:
    """Raises FileUnreadableError."""
    with raising_unreadable(path):
        if path.exists() and not (path.is_file() or path.is_dir()):
            # A pipe or a device would block forever.
            raise OSError(errno.ESPIPE, os.strerror(errno.ESPIPE))
        return FileIO(path)


def read_opened_file(
    opened: FileIO, path: Path, form: ImportFormat | None
) -> Iterator[FoundConversation]:
    """As `read_file`; closes the file."""
    outcome: FoundConversation | None = None
    file: BufferedReader = BufferedReader(opened, HEAD_BYTES)
    with raising_unreadable(path), file:
        for outcome in _read_opened(file, path, form):
            yield outcome
    if outcome is None:
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
            for conversation in _read_one(opened(), inside or path.name, form, stat.st_mtime):
                what = (
                    replace(conversation, file=name)
                    if isinstance(conversation, Problem)
                    else conversation
                )
                share = 1.0 if file.closed else min(1.0, file.tell() / (stat.st_size or 1))
                yield FoundConversation(what, share)
        except UnreadableConversationError as exc:
            yield FoundConversation(Problem(0, exc.key, exc.values, file=name), share)
        except DAMAGED:
            yield FoundConversation(Problem(0, "zip_damaged", file=name), share)


def _read_one(
    file: BufferedReader, name: str, form: ImportFormat | None, written_at: float
) -> Iterator[Conversation | bellek.ImportedNote | Prompt | Problem]:
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


def _conversation(
    value: JsonValue | UnreadableConversationError, form: ImportFormat | None
) -> Conversation | bellek.ImportedNote | Prompt:
    if isinstance(value, UnreadableConversationError):
        raise value
    if not isinstance(value, Mapping):
        raise UnreadableConversationError("not_an_object")
    if form in {None, ImportFormat.BELLEK} and list(value) == ["prompt"]:
        return bellek.read_prompt(value["prompt"])
    if form in {None, ImportFormat.BELLEK} and list(value) == ["note"]:
        return bellek.read_note(value["note"])
    for own_form, (field, read) in _READERS.items():
        if form is own_form or (form is None and field in value and not other_program(value)):
            return read(value)
    if program := other_program(value):
        raise UnreadableConversationError("other_program", program=program)
    names = ", ".join(one_line(name)[:_LONGEST_FIELD] for name in list(value)[:_MOST_NAMED])
    raise UnreadableConversationError("unknown_form" if names else "no_messages", names=names)


def _transcript(file: BufferedReader, written_at: datetime) -> Conversation:
    from desktop.research.documents.text_files import decode_text  # noqa: PLC0415 - of no export

    data = file.read(LONGEST + 1)
    if len(data) > LONGEST:
        raise UnreadableConversationError("file_too_long", megabytes=LONGEST_MB)
    if b"\0" in data and not data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        raise UnreadableConversationError("not_a_transcript")
    if not data.strip():
        raise UnreadableConversationError("file_empty")
    return markdown.read(decode_text(data), written_at)
