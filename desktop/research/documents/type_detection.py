"""Which kind of document a file is, by what it holds before what it is called."""

from collections.abc import Callable
from pathlib import Path

from desktop.domain.errors import (
    DocumentDamagedError,
    DocumentEmptyError,
    DocumentEncryptedError,
    DocumentError,
    DocumentKindError,
)
from desktop.research.documents.blocks import Parts
from desktop.research.documents.document_types import (
    BEGINNING,
    FETCHED,
    FORM_OF_ENDING,
    PDF_MARK,
    ZIP_MARK,
    Form,
)
from desktop.research.documents.epub import read_epub
from desktop.research.documents.html import read_html
from desktop.research.documents.pdf import read_pdf
from desktop.research.documents.text_files import read_markdown, read_text
from desktop.research.documents.web_page import read_web_page
from desktop.research.documents.word import read_word
from desktop.research.documents.zip_reader import packed

_READERS: dict[Form, Callable[[Path], Parts]] = {
    Form.PDF: read_pdf,
    Form.WORD: read_word,
    Form.EPUB: read_epub,
    Form.HTML: read_html,
    Form.MARKDOWN: read_markdown,
    Form.TEXT: read_text,
    Form.WEB_PAGE: read_web_page,
}
_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_OLE_LOCKED = "EncryptedPackage".encode("utf-16-le")
_READ_OF_OLE = 8 << 20


def read_document(file: Path) -> Parts:
    """Raises DocumentError, OSError."""
    yield from _READERS[form_of(file)](file)


def form_of(file: Path) -> Form:
    """Raises DocumentError, OSError."""
    with file.open("rb") as opened:
        head = opened.read(BEGINNING)
    if not head:
        raise DocumentEmptyError
    if PDF_MARK in head:
        return Form.PDF
    called = {**FORM_OF_ENDING, FETCHED: Form.WEB_PAGE}.get(file.suffix.lower())
    if head.startswith(_OLE):
        raise _ole_error(file)
    if head.startswith(ZIP_MARK):
        return _form_of_zip(file, called)
    if called is None:
        raise DocumentKindError
    if called in {Form.PDF, Form.WORD, Form.EPUB}:
        raise DocumentDamagedError
    return called


def _form_of_zip(file: Path, called: Form | None) -> Form:
    with packed(file) as archive:
        if "word/document.xml" in archive.names:
            return Form.WORD
        if "META-INF/container.xml" in archive.names:
            return Form.EPUB
    raise DocumentKindError if called is None else DocumentDamagedError


def _ole_error(file: Path) -> DocumentError:
    """A Word document behind a password is packed as the old ones were."""
    with file.open("rb") as opened:
        is_locked = _OLE_LOCKED in opened.read(_READ_OF_OLE)
    return DocumentEncryptedError() if is_locked else DocumentKindError()
