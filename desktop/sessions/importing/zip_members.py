"""Reads the files of a zip without unpacking it to the disk, with limits against zip bombs.

The table of contents is measured before it is read, only bounded compression methods are
accepted, and the output is counted.
"""

import zlib
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import PurePosixPath
from typing import BinaryIO
from zipfile import ZIP_DEFLATED, ZIP_STORED, BadZipFile, ZipFile, ZipInfo

from desktop.sessions.importing.import_types import Problem, UnreadableConversationError

_MOST_CONTENTS_BYTES = 32 << 20
_MOST_BYTES = 16 << 30
_FREE_BYTES = 16 << 20
# Chats pack to a tenth; deflate itself ends at a thousandth, and so do bombs.
_MOST_RATIO = 200
_END, _END_64, _LOCATOR_64 = b"PK\x05\x06", b"PK\x06\x06", b"PK\x06\x07"
_LONGEST_END = 22 + 0xFFFF
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
    """One file of the archive, read with a limit; raises UnreadableError."""

    def __init__(self, archive: ZipFile, info: ZipInfo) -> None:
        self.name = info.filename
        self.size = info.file_size
        self._archive = archive
        self._info = info
        self._file: BinaryIO | None = None
        self._read = 0

    @property
    def modified_at(self) -> datetime | None:
        try:
            return datetime(*self._info.date_time, tzinfo=UTC)
        except ValueError:
            return None

    def read(self, size: int, /) -> bytes:
        try:
            if self._file is None:
                self._file = self._opened()
            data = self._file.read(size)
        except DAMAGED as exc:
            raise UnreadableConversationError("zip_damaged") from exc
        self._read += len(data)
        allowed = _FREE_BYTES + _MOST_RATIO * self._info.compress_size
        if self._read > min(allowed, _MOST_BYTES):
            raise UnreadableConversationError("zip_bomb")
        return data

    def close(self) -> None:
        if self._file is not None:
            self._file.close()

    def _opened(self) -> BinaryIO:
        if self._info.compress_type not in {ZIP_STORED, ZIP_DEFLATED}:
            raise UnreadableConversationError("zip_packed_otherwise")
        return self._archive.open(self._info)  # type: ignore[return-value]  # IO[bytes] reads alike


def is_zip(head: bytes) -> bool:
    return head.startswith((b"PK\x03\x04", _END))


def opened(file: BinaryIO) -> ZipFile:
    """Raises UnreadableError."""
    if _contents_bytes(file) > _MOST_CONTENTS_BYTES:
        raise UnreadableConversationError("zip_bomb")
    try:
        return ZipFile(file)
    except DAMAGED as exc:
        raise UnreadableConversationError("zip_damaged") from exc


def members(archive: ZipFile) -> Iterator[Member | Problem]:
    """Those that can have conversations in them, and those whose name says no good."""
    files = [info for info in archive.infolist() if not info.is_dir()]
    found = [one for one in files if _is_conversations(_name(one))]
    found = found or [one for one in files if _name(one).endswith(_OTHERS)]
    if not found:
        yield Problem(0, "zip_empty")
    for info in found:
        if _is_safe(info.filename):
            yield Member(archive, info)
        else:
            yield Problem(0, "zip_path", file=info.filename[:200])


def _name(info: ZipInfo) -> str:
    return PurePosixPath(info.filename).name.lower()


def _is_conversations(name: str) -> bool:
    is_array = name.startswith("conversation") and name.endswith(".json")
    return is_array or name.endswith(".jsonl")


def _is_safe(name: str) -> bool:
    path = PurePosixPath(name)
    outside = path.is_absolute() or ".." in path.parts
    return not (outside or "\\" in name or name[1:2] == ":")


def _contents_bytes(file: BinaryIO) -> int:
    """How long the table of contents is that opening the zip would read at once."""
    size = file.seek(0, 2)
    start = max(0, size - _LONGEST_END - 76)
    file.seek(start)
    tail = file.read(_LONGEST_END + 76)
    end = tail.rfind(_END)
    if end < 0:
        raise UnreadableConversationError("zip_damaged")
    found = int.from_bytes(tail[end + 12 : end + 16], "little")
    locator = end - 20
    if tail[max(0, locator) :].startswith(_LOCATOR_64):
        record = tail.rfind(_END_64, 0, locator)
        wide = int.from_bytes(tail[record + 40 : record + 48], "little") if record >= 0 else size
        found = max(found if found != 0xFFFFFFFF else 0, wide)  # noqa: PLR2004 (says: see there)
    return found
