"""Reads files of zip packages (.docx, .epub) and their XML, with limits against zip bombs."""

import errno
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from xml.etree.ElementTree import Element, ParseError, fromstring
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
_LOCKED = 0x1
_BROKEN = (BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, ValueError)
_OWN_ENTITIES = b"<!ENTITY"


class ZipPackage:
    def __init__(self, archive: ZipFile) -> None:
        self._archive = archive
        self._read = self._packed = 0
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
        with _translated(), self._archive.open(info) as file:
            data = file.read(allowed - self._read + 1)
        self._read += len(data)
        if self._read > allowed:
            raise DocumentUnfoldsError
        return data


@contextmanager
def open_package(file: Path) -> Iterator[ZipPackage]:
    """Raises DocumentError."""
    with _translated():
        archive = ZipFile(file)
    with archive:
        if len(archive.filelist) > _MOST_FILES:
            raise DocumentUnfoldsError
        yield ZipPackage(archive)


@contextmanager
def _translated() -> Iterator[None]:
    try:
        yield
    except _BROKEN as exc:
        raise DocumentDamagedError from exc
    except OSError as exc:
        # A table of contents that points outside its file is damage, not a disk error.
        if exc.errno == errno.EINVAL:
            raise DocumentDamagedError from exc
        raise


def parse_xml(data: bytes) -> Element:
    """Raises DocumentDamagedError."""
    # In other encodings the letters lie apart; what they declare, the limits of the process hold.
    if _OWN_ENTITIES in data:
        raise DocumentDamagedError
    try:
        return fromstring(data)  # noqa: S314 - without entities
    except ParseError as exc:
        raise DocumentDamagedError from exc


def local(tag: str) -> str:
    """A name without its namespace."""
    return tag.rpartition("}")[2]


def attribute(element: Element, name: str) -> str:
    """By its local name; empty where there is none."""
    return next((value for key, value in element.items() if local(key) == name), "")
