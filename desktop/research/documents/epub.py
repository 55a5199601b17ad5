"""Reads EPUBs: the chapters in order, as HTML pages in a zip."""

import posixpath
from pathlib import Path
from urllib.parse import unquote

from desktop.domain.errors import DocumentDamagedError, DocumentEncryptedError
from desktop.research.documents.blocks import Head, Parts
from desktop.research.documents.encoding import decode_text
from desktop.research.documents.html import HtmlText
from desktop.research.documents.zip_reader import (
    ZipPackage,
    attribute,
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
        text = HtmlText()
        for name in chapters:
            # One that is listed and not there costs no other.
            if name in archive.names:
                text.add(decode_text(archive.read(name)))
                yield from text.blocks
                text.blocks.clear()


def _contents(archive: ZipPackage) -> tuple[str, list[str]]:
    """The book's title, and the files of its chapters in their order."""
    root = parse_xml(archive.read(_CONTAINER)).find(".//{*}rootfile")
    if root is None:
        raise DocumentDamagedError
    place = attribute(root, "full-path")
    package = parse_xml(archive.read(place))
    files = {
        attribute(one, "id"): posixpath.normpath(
            posixpath.join(
                posixpath.dirname(place), unquote(attribute(one, "href").partition("#")[0])
            )
        )
        for one in package.iterfind(".//{*}item")
        if attribute(one, "media-type") in _CHAPTERS
    }
    order = [attribute(one, "idref") for one in package.iterfind(".//{*}itemref")]
    title = " ".join((package.findtext(".//{*}title") or "").split())
    return title, [files[one] for one in order if one in files]


def _encrypted(archive: ZipPackage) -> set[str]:
    """Encrypted files; fonts often are, also in readable books."""
    if _ENCRYPTION not in archive.names:
        return set()
    found = parse_xml(archive.read(_ENCRYPTION)).iterfind(".//{*}CipherReference")
    return {unquote(attribute(one, "URI")) for one in found}
