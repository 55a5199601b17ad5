"""Opens what is imported: a file, or each member of a zip, with limits against zip bombs.

Nothing is unpacked to the disk, and only bounded compression methods are accepted.
"""

import codecs
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path, PurePosixPath
from typing import IO, BinaryIO
from zipfile import ZIP_DEFLATED, ZIP_STORED, BadZipFile, ZipFile, ZipInfo

from desktop.sessions.importing.import_types import UnreadableConversationError

HEAD_BYTES = 1 << 16
_MOST_BYTES = 16 << 30
_FREE_BYTES = 16 << 20
# Chats pack to a tenth; deflate itself ends at a thousandth, and so do bombs.
_MOST_RATIO = 200
_OTHERS = (".json", ".md", ".markdown")
_DAMAGED = (
    BadZipFile,
    zlib.error,
    EOFError,
    NotImplementedError,
    RuntimeError,
    ValueError,
    OSError,
)
"""What the standard library raises for a zip that is broken, locked or packed in other ways."""


class ExportFile:
    """A file that is read once; `head` is its beginning, without the mark of UTF-8."""

    def __init__(
        self, name: str, size: int, modified_at: datetime | None, file: IO[bytes] | None = None
    ) -> None:
        self.name = name
        self.size = size
        self.modified_at = modified_at
        self.bytes_read = 0
        self.head = self._waiting = b""
        self._file = file

    def read_head(self) -> None:
        self.head = self._waiting = self.read(HEAD_BYTES).removeprefix(codecs.BOM_UTF8)

    def read(self, size: int, /) -> bytes:
        """Raises OSError, UnreadableConversationError."""
        if self._waiting:
            data, self._waiting = self._waiting, b""
            return data
        data = self._next(size)
        self.bytes_read += len(data)
        return data

    def _next(self, size: int) -> bytes:
        return self._file.read(size) if self._file else b""


class ZipMember(ExportFile):
    """A file inside of a zip; whatever is wrong with it is found when it is read."""

    def __init__(self, archive: ZipFile, info: ZipInfo) -> None:
        try:
            modified_at = datetime(*info.date_time, tzinfo=UTC)
        except ValueError:
            modified_at = None
        super().__init__(info.filename, info.file_size, modified_at)
        self._archive = archive
        self._info = info
        self._most = min(_FREE_BYTES + _MOST_RATIO * info.compress_size, _MOST_BYTES)

    def _next(self, size: int) -> bytes:
        self._file = self._file or self._opened()
        with _translated():
            data = self._file.read(size)
        if self.bytes_read + len(data) > self._most:
            raise UnreadableConversationError("zip_bomb")
        return data

    def _opened(self) -> IO[bytes]:
        path = PurePosixPath(self.name)
        is_outside = path.is_absolute() or ".." in path.parts
        if is_outside or "\\" in self.name or self.name[1:2] == ":":
            raise UnreadableConversationError("zip_path")
        if self._info.compress_type not in {ZIP_STORED, ZIP_DEFLATED}:
            raise UnreadableConversationError("zip_packed_otherwise")
        with _translated():
            return self._archive.open(self._info)


@contextmanager
def _translated() -> Iterator[None]:
    try:
        yield
    except _DAMAGED as exc:
        raise UnreadableConversationError("zip_damaged") from exc


def find_files(file: BinaryIO, path: Path) -> list[ExportFile]:
    """The file itself, or those in it that can have conversations in them.

    Raises OSError, UnreadableConversationError.
    """
    start = file.read(4)
    # What is called a zip and is none came broken: nobody means it as a text.
    if start in {b"PK\x03\x04", b"PK\x05\x06"} or path.suffix.casefold() == ".zip":
        with _translated():
            return _members(ZipFile(file))
    size = file.seek(0, 2)
    file.seek(0)
    modified_at = datetime.fromtimestamp(path.stat().st_mtime, UTC)
    return [ExportFile(path.name, size, modified_at, file)]


def _members(archive: ZipFile) -> list[ExportFile]:
    infos = [info for info in archive.infolist() if not info.is_dir()]
    found = [one for one in infos if _is_conversations(_name(one))]
    found = found or [one for one in infos if _name(one).endswith(_OTHERS)]
    if not found:
        raise UnreadableConversationError("zip_empty")
    return [ZipMember(archive, info) for info in found]


def _name(info: ZipInfo) -> str:
    return PurePosixPath(info.filename).name.lower()


def _is_conversations(name: str) -> bool:
    is_array = name.startswith("conversation") and name.endswith(".json")
    return is_array or name.endswith(".jsonl")
