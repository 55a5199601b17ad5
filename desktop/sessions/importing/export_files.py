"""Opens imported files, or the members of a zip, and reads JSON from them.

One value at a time is in memory. Nothing is unpacked to the disk, and only compression methods
with a bounded ratio are accepted.
"""

import json
import re
import zlib
from collections.abc import Callable, Iterator
from functools import partial
from io import BufferedReader, TextIOWrapper
from itertools import count
from pathlib import Path, PurePosixPath
from zipfile import ZIP_DEFLATED, ZIP_STORED, BadZipFile, ZipFile, ZipInfo

from desktop.domain.model import JsonValue
from desktop.sessions.importing.import_types import UnreadableConversationError

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
DAMAGED = (BadZipFile, zlib.error, EOFError)
"""The exceptions that reading a broken zip raises."""

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
    # A file named .zip that is not a zip is damaged: nobody means it as a text.
    is_zip = file.peek()[:4] in {b"PK\x03\x04", b"PK\x05\x06"}
    if not is_zip and path.suffix.casefold() != ".zip":
        return [("", lambda: file)]
    try:
        archive = ZipFile(file)
    except (*DAMAGED, NotImplementedError, ValueError) as exc:
        raise UnreadableConversationError("zip_damaged") from exc
    infos = [info for info in archive.infolist() if not info.filename.endswith("/")]
    found = [one for one in infos if _is_conversations(_name(one))]
    found = found or [one for one in infos if _name(one).endswith(_OTHERS)]
    if not found:
        raise UnreadableConversationError("zip_empty")
    return [(one.filename, partial(_open_member, archive, one)) for one in found]


def _name(info: ZipInfo) -> str:
    return PurePosixPath(info.filename).name.lower()


def _is_conversations(name: str) -> bool:
    is_array = name.startswith("conversation") and name.endswith(".json")
    return is_array or name.endswith(".jsonl")


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
    return TextIOWrapper(file, "utf-8-sig", "replace", newline="\n")
