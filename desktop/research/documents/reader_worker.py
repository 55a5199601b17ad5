"""The child process that reads documents and cuts them into passages, and reads feeds.

`app/file_worker.py` starts it. It exits when stdin ends, or when a document exceeds the memory or
time limit (`child_process`). Its output is described in `reader`.

Of feeds (RSS and Atom) no entity is resolved and nothing is loaded; one that declares some, or
that ends before its last tag, is refused. HTML in an entry becomes plain text.
"""

import re
import traceback
from collections.abc import Callable, Iterator
from io import BufferedReader
from itertools import islice
from pathlib import PurePath
from typing import Any, BinaryIO

from lxml import etree

from desktop.domain import errors
from desktop.domain.errors import DocumentKindError
from desktop.domain.notes import PdfAnnotation
from desktop.domain.references import FieldOrigin, Reference
from desktop.domain.sources import FORM_OF_ENDING, DocumentType
from desktop.research.child_process import received_file, send_line
from desktop.research.documents.blocks import Block, Head, Parts, Tail, chunk_blocks
from desktop.research.documents.html import parse_html, read_html, read_web_page
from desktop.research.documents.reader import (
    BEGINNING,
    FEED,
    FETCHED,
    MOST_OF_REFERENCES,
    PDF_MARK,
    ZIP_MARK,
)
from desktop.research.documents.text_files import SAMPLE, is_text, read_markdown, read_text
from desktop.research.documents.zipped_documents import (
    is_epub,
    open_package,
    read_epub,
    read_word,
    word_body,
)

_FEEDS = frozenset({"rss", "feed", "RDF"})
_END = re.compile(rb"</(?:[\w.-]+:)?(?:rss|feed|RDF)\s*>")
_LENGTH_OF_END = 4_000  # Bytes: the last tag, with a comment or spaces below it
_ENTRIES = frozenset({"item", "entry"})
_MOST_ENTRIES = 200
_LONGEST, _LONGEST_FEED_LINE = 4_000, 300
_WORDS = ("summary", "description", "abstract", "encoded", "content")
"""The elements with an entry's words, the preferred first."""


def read_feed(data: bytes) -> Iterator[Reference]:
    """Yield the entries as references: id, title, URL, abstract. Raises DocumentKindError."""
    parser = etree.XMLParser(
        resolve_entities=False, no_network=True, load_dtd=False, recover=True, remove_pis=True
    )
    try:
        root = etree.fromstring(data, parser)
    except etree.XMLSyntaxError as exc:
        raise DocumentKindError from exc
    if root is None or _name(root) not in _FEEDS or _declares_entities(root):
        raise DocumentKindError
    # The parser mends a feed that was cut off; a NUL is half a letter of UTF-16.
    if not _END.search(data[-_LENGTH_OF_END:].replace(b"\0", b"")):
        raise DocumentKindError
    entries = (element for element in root.iter() if _name(element) in _ENTRIES)
    for entry in islice(entries, _MOST_ENTRIES):
        parts = {_name(part): part for part in reversed(entry) if _name(part)}
        title, address = _words(parts.get("title"))[:_LONGEST_FEED_LINE], _address(entry)
        words = next(filter(None, (_words(parts.get(name)) for name in _WORDS)), "")
        key = next(filter(None, (_words(parts.get(name)) for name in ("guid", "id"))), "")
        if title or words:
            csl = {"id": key or address or title, "title": title, "URL": address}
            csl["abstract"] = words[:_LONGEST]
            yield Reference(csl, dict.fromkeys(csl, FieldOrigin.FILE))


def _declares_entities(root: etree.Element) -> bool:
    dtd = root.getroottree().docinfo.internalDTD
    return dtd is not None and next(dtd.iterentities(), None) is not None


def _name(element: etree.Element) -> str:
    """Return the name without its namespace; empty for comments and entities."""
    return etree.QName(element).localname if isinstance(element.tag, str) else ""


def _address(entry: etree.Element) -> str:
    """Return the entry's own page: the text of RSS's link, or Atom's alternate link."""
    for link in entry:
        is_own = _name(link) == "link" and link.get("rel", "alternate") == "alternate"
        if is_own and (address := (link.get("href") or link.text or "").strip()):
            return address
    return ""


def _words(element: etree.Element | None) -> str:
    """Return the words of an element, also of HTML in it, on one line."""
    if element is None:
        return ""
    text = "".join(element.itertext())
    if "<" in text and ">" in text:
        text = " ".join(parse_html(text)[1].itertext())
    return " ".join(text.split())


def _read_pdf(file: BinaryIO) -> Parts:
    from desktop.research.documents.pdf import read_pdf  # noqa: PLC0415 - others do not load its library

    return read_pdf(file)


_BLOCK_COST = 16  # Added to a block's characters, so that there are not millions of tiny ones
_HEADING_COST = 256  # Of a heading, which takes ten times as long as a paragraph
_LONGEST_LINE = 500
_READERS: dict[DocumentType, Callable[[BinaryIO], Parts]] = {
    DocumentType.PDF: _read_pdf,
    DocumentType.WORD: read_word,
    DocumentType.EPUB: read_epub,
    DocumentType.HTML: read_html,
    DocumentType.MARKDOWN: read_markdown,
    DocumentType.TEXT: read_text,
    DocumentType.WEB_PAGE: read_web_page,
}
_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_OLE_LOCKED = "EncryptedPackage".encode("utf-16-le")
_READ_OF_OLE = 8 << 20
_PDF_OBJECT = b"endobj"
_NO_PROSE = (b"{\\rtf", b"%!ps", b"<svg", b"/* xpm */", b"mz\x90")
_PAGES = (b"<!doctype html", b"<html", b"<?xml")


def answer_document(request: dict[str, Any], answers: BinaryIO) -> None:
    try:
        with BufferedReader(received_file(request, answers)) as file:
            name = PurePath(request["path"])
            if request["as_references"]:
                _send_references(name, file, answers)
            else:
                _send_document(read_document(name, file), request["letters"], answers)
    except (BrokenPipeError, MemoryError):
        raise
    except OSError as exc:
        unreadable = errors.FileUnreadableError(path=request["path"], detail=exc.strerror or "")
        send_line(answers, "error", unreadable.key, unreadable.values, "")
    except RecursionError:
        send_line(answers, "error", errors.DocumentDamagedError.key, {}, "")
    except errors.DocumentError as exc:
        send_line(answers, "error", exc.key, exc.values, "")
    except Exception as exc:  # noqa: BLE001 - a bug of ours: the program must be notified
        # An import error names a module; other errors may contain words of the document.
        detail = f": {exc}" if isinstance(exc, ImportError) else ""
        error = errors.DocumentReaderError(detail=f"{type(exc).__name__}{detail}")
        frames = "".join(traceback.format_tb(exc.__traceback__))
        send_line(answers, "error", error.key, error.values, frames)


def _send_references(name: PurePath, file: BinaryIO, answers: BinaryIO) -> None:
    from desktop.references.formats import read_references  # noqa: PLC0415 - others do not load it

    data = file.read(MOST_OF_REFERENCES + 1)
    if len(data) > MOST_OF_REFERENCES:
        raise errors.DocumentTooLargeError(limit=MOST_OF_REFERENCES >> 20)
    entries = read_feed(data) if name.suffix == FEED else iter(read_references(str(name), data))
    for reference in entries:
        send_line(answers, "reference", dict(reference.csl), dict(reference.origins))
    send_line(answers, "tail", *Tail())


def _send_document(parts: Parts, most_letters: int, answers: BinaryIO) -> None:
    tail = Tail()

    def blocks() -> Iterator[Block]:
        nonlocal tail
        room = most_letters
        for part in parts:
            match part:
                case Tail():
                    tail = part
                case Block():
                    room -= _cost(part)
                    if room < 0:
                        raise errors.DocumentTooLargeError(limit=most_letters >> 20)
                    yield part
                case _:
                    _send_part(part, answers)

    for passage in chunk_blocks(blocks()):
        send_line(answers, "passage", passage.text, passage.page, passage.heading)
    send_line(answers, "tail", *tail)


def _send_part(part: Head | PdfAnnotation, answers: BinaryIO) -> None:
    match part:
        case Head(title, pages, known, tags):
            reference = (dict(known.csl), dict(known.origins))
            send_line(answers, "head", title[:_LONGEST_LINE], pages, *reference, list(tags))
        case PdfAnnotation(quote, text, page):
            send_line(answers, "annotation", quote, text, page)


def _cost(block: Block) -> int:
    return len(block.text) + (_HEADING_COST if block.is_heading else _BLOCK_COST)


def read_document(name: PurePath, file: BinaryIO) -> Parts:
    """Return the parts of a document. Raises DocumentError, OSError."""
    kind = _type_of(name, file)
    file.seek(0)
    yield from _READERS[kind](file)


def _type_of(name: PurePath, file: BinaryIO) -> DocumentType:
    """Detect by the first bytes, or else by the extension. Raises DocumentError, OSError."""
    sample = file.read(SAMPLE)
    head = sample[:BEGINNING]
    # A Word document with a password has the container of the old format.
    is_locked = head.startswith(_OLE) and _OLE_LOCKED in sample + file.read(_READ_OF_OLE)
    if not head:
        raise errors.DocumentEmptyError
    called = {**FORM_OF_ENDING, FETCHED: DocumentType.WEB_PAGE}.get(name.suffix.lower())
    is_packed = called in {DocumentType.PDF, DocumentType.WORD, DocumentType.EPUB}
    # A text may mention the mark of a PDF.
    is_written_pdf = sample.lstrip().startswith(PDF_MARK) and _PDF_OBJECT in sample
    if PDF_MARK in head and (is_packed or is_written_pdf or not is_text(sample)):
        return DocumentType.PDF
    if head.startswith(_OLE):
        raise errors.DocumentEncryptedError if is_locked else errors.DocumentKindError
    if head.startswith(ZIP_MARK):
        with open_package(file) as archive:
            if word_body(archive):
                return DocumentType.WORD
            if is_epub(archive):
                return DocumentType.EPUB
    elif not is_packed and (called or (is_text(sample) and not _is_program(head))):
        is_page = sample.lstrip().lower().startswith(_PAGES)
        return called or (DocumentType.HTML if is_page else DocumentType.TEXT)
    raise errors.DocumentKindError if called is None else errors.DocumentDamagedError


def _is_program(head: bytes) -> bool:
    """Return whether a file is a program, or a text for a program that draws what it says."""
    begin = head.lstrip().lower()
    return begin.startswith(_NO_PROSE) or (begin.startswith(b"<?xml") and b"<svg" in begin)
