"""Reads the files of a zip without unpacking it to the disk, with limits against zip bombs.

Only bounded compression methods are accepted, and the output is counted.
"""

import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import PurePosixPath
from typing import IO, BinaryIO
from zipfile import ZIP_DEFLATED, ZIP_STORED, BadZipFile, ZipFile, ZipInfo

from desktop.sessions.importing.import_types import Problem, UnreadableConversationError

_MOST_BYTES = 16 << 30
_FREE_BYTES = 16 << 20
# Chats pack to a tenth; deflate itself ends at a thousandth, and so do bombs.
_MOST_RATIO = 200
_OTHERS = (".json", ".md", ".markdown")
DAMAGED = (
    BadZipFile,
    zlib.error,
    EOFError,
    NotImplementedError,
    RuntimeError,
    ValueError,
    OSError,
)
"""What the standard library raises for a zip that is broken, locked or packed in other ways."""


class Member:
    """One file of the archive, read with a limit; raises UnreadableConversationError."""

    def __init__(self, info: ZipInfo, file: IO[bytes]) -> None:
        self._info = info
        self._file = file
        self._read = 0

    @property
    def modified_at(self) -> datetime | None:
        try:
            return datetime(*self._info.date_time, tzinfo=UTC)
        except ValueError:
            return None

    def read(self, size: int, /) -> bytes:
        with _translated():
            data = self._file.read(size)
        self._read += len(data)
        allowed = _FREE_BYTES + _MOST_RATIO * self._info.compress_size
        if self._read > min(allowed, _MOST_BYTES):
            raise UnreadableConversationError("zip_bomb")
        return data


@contextmanager
def opened_member(archive: ZipFile, info: ZipInfo) -> Iterator[Member]:
    """Raises UnreadableConversationError."""
    if info.compress_type not in {ZIP_STORED, ZIP_DEFLATED}:
        raise UnreadableConversationError("zip_packed_otherwise")
    with _translated():
        file = archive.open(info)
    with file:
        yield Member(info, file)


@contextmanager
def _translated() -> Iterator[None]:
    try:
        yield
    except DAMAGED as exc:
        raise UnreadableConversationError("zip_damaged") from exc


def is_zip(head: bytes) -> bool:
    return head.startswith((b"PK\x03\x04", b"PK\x05\x06"))


def open_zip(file: BinaryIO) -> ZipFile:
    """Raises UnreadableConversationError."""
    with _translated():
        return ZipFile(file)


def members(archive: ZipFile) -> Iterator[ZipInfo | Problem]:
    """Those that can have conversations in them, and those whose path is unsafe."""
    files = [info for info in archive.infolist() if not info.is_dir()]
    found = [one for one in files if _is_conversations(_name(one))]
    found = found or [one for one in files if _name(one).endswith(_OTHERS)]
    if not found:
        yield Problem(0, "zip_empty")
    for info in found:
        path = PurePosixPath(info.filename)
        is_outside = path.is_absolute() or ".." in path.parts
        if is_outside or "\\" in info.filename or info.filename[1:2] == ":":
            yield Problem(0, "zip_path", file=info.filename[:200])
        else:
            yield info


def _name(info: ZipInfo) -> str:
    return PurePosixPath(info.filename).name.lower()


def _is_conversations(name: str) -> bool:
    is_array = name.startswith("conversation") and name.endswith(".json")
    return is_array or name.endswith(".jsonl")
