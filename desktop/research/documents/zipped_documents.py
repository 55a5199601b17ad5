"""Reads Word documents and EPUBs: XML and HTML in zip packages, with limits against zip bombs."""

import errno
import posixpath
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from typing import BinaryIO
from urllib.parse import unquote
from xml.etree.ElementTree import Element, ParseError, fromstring
from zipfile import BadZipFile, ZipFile

from desktop.domain.errors import (
    DocumentDamagedError,
    DocumentEncryptedError,
    DocumentUnfoldsError,
)
from desktop.research.documents.blocks import Block, Head, Outline, Parts
from desktop.research.documents.html import HtmlText, parse_html
from desktop.research.documents.text_files import decode_text

_MOST_FILES = 20_000
_MOST_BYTES = 256 << 20
_FREE_BYTES = 16 << 20
_MOST_RATIO = 100
"""Text compresses to a tenth, XML markup to a fiftieth; deflate's limit is a thousandth."""
_LOCKED = 0x1
_BROKEN = (BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, ValueError)
_OWN_ENTITIES = b"<!ENTITY"

WORD_BODY = "word/document.xml"
_NOTES = ("word/footnotes.xml", "word/endnotes.xml")
_STYLES = "word/styles.xml"
_PROPERTIES = "docProps/core.xml"
_LEVELS = {"title": 0, **{f"heading {level}": level for level in range(1, 10)}}
# Of alternative content, the second form is for programs that do not support the first.
_LEFT_OUT = frozenset({"Fallback", "del", "instrText"})
_OFF = frozenset({"0", "false", "off"})
_CHARACTERS = {"tab": "\t", "br": "\n", "cr": "\n", "noBreakHyphen": "-"}

EPUB_CONTAINER = "META-INF/container.xml"
_ENCRYPTION = "META-INF/encryption.xml"
_CHAPTERS = frozenset({"application/xhtml+xml", "text/html"})


class ZipPackage:
    def __init__(self, archive: ZipFile) -> None:
        self._archive = archive
        self._read = self._packed = 0
        self.names = frozenset(archive.namelist())

    def read(self, name: str) -> bytes:
        """Return a file's bytes. Raises DocumentError, also if the file is missing."""
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

    def xml(self, name: str) -> Element:
        """Return a file's root element. Raises DocumentError."""
        data = self.read(name)
        # Other encodings escape this check; the limits of the process apply there.
        if _OWN_ENTITIES in data:
            raise DocumentDamagedError
        try:
            return fromstring(data)  # noqa: S314 - without entities
        except ParseError as exc:
            raise DocumentDamagedError from exc

    def elements(self, name: str, path: str) -> Iterator[Element]:
        """Yield the elements of a file that may be missing."""
        if name in self.names:
            yield from self.xml(name).iterfind(path)


@contextmanager
def open_package(file: BinaryIO) -> Iterator[ZipPackage]:
    """Yield the package. Raises DocumentError."""
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


def _local(tag: str) -> str:
    return tag.rpartition("}")[2]


def _attribute(element: Element | None, name: str) -> str:
    items = element.items() if element is not None else ()
    return next((value for key, value in items if _local(key) == name), "")


def read_word(file: BinaryIO) -> Parts:
    """Return paragraphs, tables and notes under their headings. Raises DocumentError."""
    with open_package(file) as archive:
        # Word translates the ids of its styles ("Balk1"), but not their names.
        levels = {
            _attribute(style, "styleId"): _LEVELS.get(
                _attribute(style.find("{*}name"), "val").lower()
            )
            for style in archive.elements(_STYLES, "{*}style")
        }
        blocks = list(_word_blocks(archive.xml(WORD_BODY), levels, Outline()))
        for name in _NOTES:
            for note in archive.elements(name, "*"):
                blocks += _word_blocks(note, {}, Outline())
        titles = (one.text or "" for one in archive.elements(_PROPERTIES, "{*}title"))
        title = " ".join(next(titles, "").split())
    first = blocks[0].heading if blocks and blocks[0].is_heading else ""
    yield Head(title or first)
    yield from blocks


def _word_blocks(
    parent: Element, levels: dict[str, int | None], outline: Outline
) -> Iterator[Block]:
    for element in parent:
        name = _local(element.tag)
        if name == "p":
            text = "".join(_word_text(element)).strip()
            level = levels.get(_attribute(element.find("{*}pPr/{*}pStyle"), "val"))
            if text:
                yield outline.block(text) if level is None else outline.heading(level, text)
        elif name == "tr":
            cells = [" ".join("".join(_word_text(cell)).split()) for cell in element]
            if any(cells):
                yield outline.block(" | ".join(filter(None, cells)))
        elif name not in _LEFT_OUT:
            yield from _word_blocks(element, levels, outline)


def _word_text(parent: Element) -> Iterator[str]:
    """Yield the text without what Word hides."""
    for element in parent:
        name = _local(element.tag)
        if name == "t":
            yield element.text or ""
        elif name in _CHARACTERS:
            yield _CHARACTERS[name]
        elif name not in _LEFT_OUT:
            hidden = element.find("{*}rPr/{*}vanish")
            if hidden is None or _attribute(hidden, "val") in _OFF:
                yield from _word_text(element)
            if name == "p":
                yield " "


def read_epub(file: BinaryIO) -> Parts:
    with open_package(file) as archive:
        root = next(archive.elements(EPUB_CONTAINER, ".//{*}rootfile"), None)
        if root is None:
            raise DocumentDamagedError
        place = _attribute(root, "full-path")
        package = archive.xml(place)
        chapters = list(_chapters(package, posixpath.dirname(place)))
        # Fonts are often encrypted, also in readable books.
        locked = archive.elements(_ENCRYPTION, ".//{*}CipherReference")
        if {unquote(_attribute(one, "URI")) for one in locked} & set(chapters):
            raise DocumentEncryptedError
        yield Head(" ".join((package.findtext(".//{*}title") or "").split()))
        text = HtmlText()
        for name in chapters:
            # A chapter that is listed but missing affects no other.
            if name in archive.names:
                _, chapter = parse_html(decode_text(archive.read(name)))
                text.add(chapter)
                yield from text.blocks
                text.blocks.clear()


def _chapters(package: Element, folder: str) -> Iterator[str]:
    files = {
        _attribute(one, "id"): unquote(_attribute(one, "href").partition("#")[0])
        for one in package.iterfind(".//{*}item")
        if _attribute(one, "media-type") in _CHAPTERS
    }
    for one in package.iterfind(".//{*}itemref"):
        if name := files.get(_attribute(one, "idref")):
            yield posixpath.normpath(posixpath.join(folder, name))
