"""Reads EPUBs: the chapters in order, as HTML pages in a zip."""

import posixpath
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import unquote

from desktop.domain.errors import (
    DocumentDamagedError,
    DocumentEmptyError,
    DocumentEncryptedError,
)
from desktop.research.documents.blocks import Block, Head, Outline, Parts, Tail
from desktop.research.documents.encoding import decode_text
from desktop.research.documents.html import HtmlText
from desktop.research.documents.zip_reader import (
    ZipPackage,
    attribute,
    local,
    open_package,
    parse_xml,
)

_CONTAINER = "META-INF/container.xml"
_ENCRYPTION = "META-INF/encryption.xml"
_CHAPTERS = frozenset({"application/xhtml+xml", "text/html"})


def read_epub(file: Path) -> Parts:
    """Raises DocumentError."""
    with open_package(file) as archive:
        title, chapters = _contents(archive)
        if _encrypted(archive) & set(chapters):
            raise DocumentEncryptedError
        yield Head(title)
        is_empty = True
        for block in _blocks(archive, chapters):
            is_empty = False
            yield block
    if is_empty:
        raise DocumentEmptyError
    yield Tail()


def _blocks(archive: ZipPackage, chapters: list[str]) -> Iterator[Block]:
    outline, page = Outline(), None
    for name in chapters:
        if name not in archive.names:
            continue  # listed and not there: the other chapters still are
        chapter = HtmlText(outline, page=page)
        chapter.take(decode_text(archive.read(name)))
        page = chapter.page
        yield from chapter.every_block()


def _contents(archive: ZipPackage) -> tuple[str, list[str]]:
    """The book's title, and the files of its chapters in their order."""
    container = parse_xml(archive.read(_CONTAINER))
    roots = [attribute(one, "full-path") for one in container.iter() if _is(one.tag, "rootfile")]
    if not roots:
        raise DocumentDamagedError
    package = parse_xml(archive.read(roots[0]))
    folder = posixpath.dirname(roots[0])
    files: dict[str, str] = {}
    title, order = "", []
    for one in package.iter():
        if _is(one.tag, "title") and not title:
            title = " ".join((one.text or "").split())
        elif _is(one.tag, "item") and attribute(one, "media-type") in _CHAPTERS:
            files[attribute(one, "id")] = _within(folder, attribute(one, "href"))
        elif _is(one.tag, "itemref"):
            order.append(attribute(one, "idref"))
    return title, [files[one] for one in order if one in files]


def _encrypted(archive: ZipPackage) -> set[str]:
    """Encrypted files; fonts often are, also in readable books."""
    if _ENCRYPTION not in archive.names:
        return set()
    tree = parse_xml(archive.read(_ENCRYPTION))
    return {
        unquote(attribute(one, "URI")) for one in tree.iter() if _is(one.tag, "CipherReference")
    }


def _within(folder: str, href: str) -> str:
    return posixpath.normpath(posixpath.join(folder, unquote(href.partition("#")[0])))


def _is(tag: str, name: str) -> bool:
    return local(tag) == name
