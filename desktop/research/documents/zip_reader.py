"""Reads files of zip packages (.docx, .epub) and their XML, with limits against zip bombs."""

import errno
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from xml.etree.ElementTree import Element, ParseError, fromstring, iterparse
from zipfile import BadZipFile, ZipFile

from desktop.domain.errors import (
    DocumentDamagedError,
    DocumentEncryptedError,
    DocumentUnfoldsError,
)

_MOST_FILES = 20_000
_MOST_BYTES = 256 << 20
_FREE_BYTES = 16 << 20
_MOST_RATIO = 100
"""Text packs to a tenth, the XML around it to a fiftieth; deflate itself ends at a thousandth."""
_PIECE = 1 << 20
_LOCKED = 0x1
_BROKEN = (BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, ValueError)


class ZipPackage:
    def __init__(self, archive: ZipFile) -> None:
        self._archive = archive
        self._read = 0
        self._packed = 0
        self.names = frozenset(archive.namelist())

    def read(self, name: str) -> bytes:
        """A file's bytes. Raises DocumentError; a file that is missing is damage, too."""
        if name not in self.names:
            raise DocumentDamagedError
        info = self._archive.getinfo(name)
        if info.flag_bits & _LOCKED:
            raise DocumentEncryptedError
        self._packed += info.compress_size
        allowed = min(_MOST_BYTES, _FREE_BYTES + _MOST_RATIO * self._packed)
        pieces: list[bytes] = []
        try:
            with self._archive.open(info) as file:
                while piece := file.read(_PIECE):
                    self._read += len(piece)
                    if self._read > allowed:
                        raise DocumentUnfoldsError
                    pieces.append(piece)
        except _BROKEN as exc:
            raise DocumentDamagedError from exc
        except OSError as exc:
            raise _told(exc) from exc
        return b"".join(pieces)


@contextmanager
def open_package(file: Path) -> Iterator[ZipPackage]:
    """Raises DocumentError."""
    try:
        archive = ZipFile(file)
    except _BROKEN as exc:
        raise DocumentDamagedError from exc
    except OSError as exc:
        raise _told(exc) from exc
    with archive:
        if len(archive.filelist) > _MOST_FILES:
            raise DocumentUnfoldsError
        yield ZipPackage(archive)


def _told(failure: OSError) -> Exception:
    """A table of contents that points outside its file is damage, not a disk error."""
    return DocumentDamagedError() if failure.errno == errno.EINVAL else failure


_OWN_ENTITIES = b"<!ENTITY"


def parse_xml(data: bytes) -> Element:
    """Raises DocumentDamagedError."""
    _refuse_entities(data)
    try:
        return fromstring(data)  # noqa: S314 - without entities, in a process with limits
    except ParseError as exc:
        raise DocumentDamagedError from exc


def iterate_xml(data: bytes) -> Iterator[tuple[str, Element]]:
    """Where elements begin and end, in their order. Raises DocumentDamagedError."""
    _refuse_entities(data)
    try:
        yield from iterparse(BytesIO(data), ("start", "end"))  # noqa: S314 - as above
    except ParseError as exc:
        raise DocumentDamagedError from exc


def local(tag: str) -> str:
    """A name without its namespace."""
    return tag.rpartition("}")[2]


def attribute(element: Element, name: str) -> str:
    """By its local name; empty where there is none."""
    return next((value for key, value in element.items() if local(key) == name), "")


def _refuse_entities(data: bytes) -> None:
    # In other encodings the letters lie apart; what they declare, the limits of the process hold.
    if _OWN_ENTITIES in data:
        raise DocumentDamagedError
