"""The kinds of document that can be read."""

from enum import StrEnum


class DocumentType(StrEnum):
    PDF = "pdf"
    WORD = "docx"
    EPUB = "epub"
    HTML = "html"
    MARKDOWN = "markdown"
    TEXT = "text"
    WEB_PAGE = "web page"
    """HTML as it was fetched: of an article, the article alone."""


BEGINNING = 1024
"""The bytes within which the signature of a PDF may be."""
PDF_MARK = b"%PDF-"
ZIP_MARK = b"PK\x03\x04"

FORM_OF_ENDING = {
    ".pdf": DocumentType.PDF,
    ".docx": DocumentType.WORD,
    ".docm": DocumentType.WORD,
    ".epub": DocumentType.EPUB,
    ".html": DocumentType.HTML,
    ".htm": DocumentType.HTML,
    ".xhtml": DocumentType.HTML,
    ".md": DocumentType.MARKDOWN,
    ".markdown": DocumentType.MARKDOWN,
    ".txt": DocumentType.TEXT,
    ".text": DocumentType.TEXT,
}
"""The extensions that are read in a folder."""

FETCHED = ".fetched"
"""The extension of a fetched web page; no user's folder has such files."""
