"""Reads Word documents and EPUBs: XML and HTML in zip packages, with limits against zip bombs."""

import errno
import posixpath
import re
import zlib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from io import BytesIO
from itertools import chain
from typing import BinaryIO
from unicodedata import normalize
from urllib.parse import unquote
from xml.etree.ElementTree import Element, ParseError, fromstring
from zipfile import BadZipFile, ZipFile

from desktop.domain.errors import (
    DocumentDamagedError,
    DocumentEncryptedError,
    DocumentUnfoldsError,
)
from desktop.research.documents.blocks import Block, Head, Outline, Parts, Tail
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

_WORD_BODY = "word/document.xml"
_BESIDE_BODY = ("footnotes", "endnotes", "comments", "header", "footer")
"""The kinds of parts that stand on a page but not in the main part, in the order of reading."""
_PROPERTIES = "docProps/core.xml"
_LEVELS = {"title": 0, **{f"heading {level}": level for level in range(1, 10)}}
_REMOVED = frozenset({"del", "moveFrom", "cellDel"})
# Of alternative content, the second form is for programs that do not support the first.
_LEFT_OUT = _REMOVED | {"Fallback", "instrText"}
_OFF = frozenset({"0", "false", "off"})
_CHARACTERS = {"tab": "\t", "br": "\n", "cr": "\n", "noBreakHyphen": "-"}
_DEEPEST = 3  # Documents within documents
_NO_PAGES = (b"{\\rtf", b"MIME-Version:", b"From:")

_END_OF_PATH = re.compile(r"\?|%3F|#|%23", re.IGNORECASE)
_EPUB_CONTAINER = "META-INF/container.xml"
_EPUB_PACKAGE = ".opf"
_ENCRYPTION = "META-INF/encryption.xml"
_NO_CHAPTERS = ("image/", "audio/", "video/", "font/", "text/css", "application/x-dtbncx")


class ZipPackage:
    def __init__(self, archive: ZipFile) -> None:
        self._archive = archive
        self._read = self._packed = 0
        self.names = archive.namelist()
        self._names = {name: name for name in self.names}
        for name in self.names:
            self._names.setdefault(_plain_path(name), name)
            # UTF-8 that does not say so is decoded as the code page of DOS.
            with suppress(UnicodeError):
                self._names.setdefault(_plain_path(name.encode("cp437").decode()), name)

    def find(self, path: str, folder: str = "") -> str:
        """Return the name of the file that a path means, however it is spelled; else empty."""
        before_fragment = path.replace("%23", "#").partition("#")[0]
        for cut in (path, before_fragment, _END_OF_PATH.split(path)[0]):
            whole = posixpath.normpath(posixpath.join("/", folder, cut)).lstrip("/")
            beside = _plain_path(f"{folder}/{cut}")
            for name in (whole, unquote(whole), _plain_path(whole), beside):
                if name in self._names:
                    return self._names[name]
        return ""

    def read(self, name: str) -> bytes:
        """Return a file's bytes. Raises DocumentError, also if the file is missing."""
        member = self.find(name)
        if not member:
            raise DocumentDamagedError
        info = self._archive.getinfo(member)
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
        if self.find(name):
            yield from self.xml(name).iterfind(path)


def _plain_path(path: str) -> str:
    """Return a path as it is compared: programs differ in case, escapes, accents and slashes."""
    plain = unquote(unquote(path)).replace("\\", "/")
    return normalize("NFC", posixpath.normpath(f"/{plain}").lstrip("/")).casefold()


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


def _related(archive: ZipPackage, part: str) -> Iterator[tuple[str, str, str]]:
    """Yield kind, id and name of the parts that a part refers to; the package's for ""."""
    folder, name = posixpath.split(part)
    relations = posixpath.join(folder, "_rels", f"{name}.rels")
    for element in archive.elements(relations, "{*}Relationship"):
        if _attribute(element, "TargetMode") != "External":
            kind = posixpath.basename(_attribute(element, "Type"))
            target = archive.find(_attribute(element, "Target"), folder)
            yield kind, _attribute(element, "Id"), target


def word_body(archive: ZipPackage) -> str:
    """Return the name of the main part; empty if the package is no Word document."""
    types = {
        archive.find(_attribute(element, "PartName")): _attribute(element, "ContentType")
        for element in archive.elements("[Content_Types].xml", "{*}Override")
    }
    for kind, _, name in _related(archive, ""):
        if kind == "officeDocument" and "word" in types.get(name, name).lower():
            return name
    return archive.find(_WORD_BODY)


def read_word(file: BinaryIO) -> Parts:
    """Return paragraphs, tables, notes and embedded parts. Raises DocumentError."""
    with open_package(file) as archive:
        text = _WordText(archive)
        blocks = list(text.blocks())
        titles = (element.text or "" for element in archive.elements(_PROPERTIES, "{*}title"))
        title = " ".join(next(titles, "").split())
    yield Head(title or (blocks[0].heading if blocks and blocks[0].is_heading else ""))
    yield from blocks
    yield Tail(text.unreadable)


class _WordText:
    def __init__(self, archive: ZipPackage, depth: int = 0) -> None:
        self.unreadable = 0  # Parts
        self._archive, self._depth = archive, depth
        self._body = word_body(archive)
        # A package without relationships names its parts as Word does.
        self._parts = list(_related(archive, self._body)) or [
            (posixpath.basename(name).rstrip(".xml0123456789"), "", name) for name in archive.names
        ]
        # Word translates the ids of its styles ("Balk1"), but not their names.
        styles = (archive.elements(name, "{*}style") for name in self._of_kind("styles"))
        self._levels = {
            _attribute(style, "styleId"): _LEVELS.get(
                _attribute(style.find("{*}name"), "val").lower()
            )
            for style in chain.from_iterable(styles)
        }
        self._outline = Outline()
        self._begun = ""  # The text of paragraphs whose ends were deleted

    def blocks(self) -> Iterator[Block]:
        yield from self._blocks(self._archive.xml(self._body))
        if self._begun.strip():
            yield self._outline.block(self._begun)
        self._begun = ""
        self._levels, self._outline = {}, Outline()
        seen = set[str]()
        for kind in _BESIDE_BODY:
            for name in self._of_kind(kind):
                try:
                    blocks = list(self._blocks(self._archive.xml(name)))
                except DocumentDamagedError:
                    self.unreadable += 1
                    continue
                # Sections repeat their headers; a page number alone says nothing.
                for block in blocks:
                    if block.text not in seen and any(map(str.isalpha, block.text)):
                        yield block
                    seen.add(block.text)

    def _of_kind(self, kind: str) -> list[str]:
        return [name for its_kind, _, name in self._parts if its_kind == kind and name]

    def _blocks(self, parent: Element) -> Iterator[Block]:
        for element in parent:
            name = _local(element.tag)
            if name == "p":
                yield from self._paragraph(element)
            elif name == "tr":
                cells = [
                    " ".join("".join(_word_text(cell)).split())
                    for cell in element
                    if not _is_removed(cell.find("{*}tcPr"))
                ]
                if any(cells) and not _is_removed(element.find("{*}trPr")):
                    yield self._outline.block(" | ".join(filter(None, cells)))
            elif name == "altChunk":
                yield from self._embedded(_attribute(element, "id"))
            elif name not in _LEFT_OUT:
                yield from self._blocks(element)

    def _paragraph(self, element: Element) -> Iterator[Block]:
        self._begun += "".join(_word_text(element))
        if _is_removed(element.find("{*}pPr/{*}rPr")):
            return
        text, self._begun = self._begun.strip(), ""
        level = self._levels.get(_attribute(element.find("{*}pPr/{*}pStyle"), "val"))
        if text:
            outline = self._outline
            yield outline.block(text) if level is None else outline.heading(level, text)

    def _embedded(self, part: str) -> Iterator[Block]:
        name = next((name for _, its_id, name in self._parts if its_id == part), "")
        data = self._archive.read(name) if name else b""
        if not data or data.startswith(_NO_PAGES) or self._depth > _DEEPEST:
            self.unreadable += 1
        elif data.startswith(b"PK"):
            with open_package(BytesIO(data)) as archive:
                inner = _WordText(archive, self._depth + 1)
                yield from inner.blocks()
                self.unreadable += inner.unreadable
        else:
            yield from HtmlText().read(parse_html(decode_text(data))[1])


def _is_removed(properties: Element | None) -> bool:
    """Return whether a tracked change deleted or moved away what has these properties."""
    return any(_local(element.tag) in _REMOVED for element in properties or ())


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


def epub_package(archive: ZipPackage) -> str:
    """Return the name of the package file; empty if the archive is no EPUB."""
    files = archive.elements(_EPUB_CONTAINER, ".//{*}rootfile")
    listed = (_attribute(element, "full-path") for element in files)
    others = (name for name in archive.names if name.lower().endswith(_EPUB_PACKAGE))
    return next(filter(None, map(archive.find, chain(listed, others))), "")


def is_epub(archive: ZipPackage) -> bool:
    return bool(archive.find(_EPUB_CONTAINER) or epub_package(archive))


def read_epub(file: BinaryIO) -> Parts:
    """Return the chapters in the order of the book, each once. Raises DocumentError."""
    with open_package(file) as archive:
        place = epub_package(archive)
        if not place:
            raise DocumentDamagedError
        package = archive.xml(place)
        chapters = list(dict.fromkeys(_chapters(package)))
        # Fonts are often encrypted, also in readable books.
        ciphers = archive.elements(_ENCRYPTION, ".//{*}CipherReference")
        locked = {archive.find(_attribute(element, "URI")) for element in ciphers}
        folder = posixpath.dirname(place)
        names = dict.fromkeys(archive.find(path, folder) for path in chapters)
        if locked & set(filter(None, names)):
            raise DocumentEncryptedError
        yield Head(" ".join((package.findtext(".//{*}title") or "").split()))
        text, unreadable = HtmlText(), 0
        for name in names:
            # A chapter that is missing or damaged affects no other.
            try:
                yield from text.read(parse_html(decode_text(archive.read(name)))[1])
            except DocumentDamagedError:
                unreadable += 1
        yield Tail(unreadable)


def _chapters(package: Element) -> Iterator[str]:
    """Yield the paths in the order of the spine; "" for an unknown one."""
    items = {_attribute(element, "id"): element for element in package.iterfind(".//{*}item")}
    order = [
        _attribute(element, "idref") for element in package.iterfind(".//{*}itemref")
    ] or list(items)
    for name in order:
        item, kind = items.get(name), _attribute(items.get(name), "media-type").lower()
        if kind.startswith(_NO_CHAPTERS):
            item = items.get(_attribute(item, "fallback"))
        if item is not None or not kind:
            yield _attribute(item, "href")
