"""The kinds of document that can be read."""

from enum import StrEnum


class Form(StrEnum):
    PDF = "pdf"
    WORD = "docx"
    EPUB = "epub"
    HTML = "html"
    MARKDOWN = "markdown"
    TEXT = "text"
    WEB_PAGE = "web page"
    """HTML as it was fetched: of an article, the article alone."""


FORM_OF_ENDING = {
    ".pdf": Form.PDF,
    ".docx": Form.WORD,
    ".docm": Form.WORD,
    ".epub": Form.EPUB,
    ".html": Form.HTML,
    ".htm": Form.HTML,
    ".xhtml": Form.HTML,
    ".md": Form.MARKDOWN,
    ".markdown": Form.MARKDOWN,
    ".txt": Form.TEXT,
    ".text": Form.TEXT,
}
"""What is looked for in a folder."""

FETCHED = ".fetched"
"""The ending of a web page that was fetched; nobody's folder has such files."""
