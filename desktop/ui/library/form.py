"""What a source is to the eye: the form of its file, or a page of the web."""

from enum import StrEnum
from pathlib import PurePath

from desktop.domain.sources import Source, SourceKind
from desktop.research.documents.forms import FORM_OF_ENDING, Form


class ShownForm(StrEnum):
    """In the order in which they are listed by kind."""

    PDF = "pdf"
    WORD = "word"
    EPUB = "epub"
    HTML = "html"
    MARKDOWN = "markdown"
    TEXT = "text"
    WEB = "web"


_SHOWN = {
    Form.PDF: ShownForm.PDF,
    Form.WORD: ShownForm.WORD,
    Form.EPUB: ShownForm.EPUB,
    Form.HTML: ShownForm.HTML,
    Form.MARKDOWN: ShownForm.MARKDOWN,
    Form.TEXT: ShownForm.TEXT,
}


def form_of(source: Source) -> ShownForm:
    if source.kind is SourceKind.WEB:
        return ShownForm.WEB
    form = FORM_OF_ENDING.get(PurePath(source.address).suffix.lower())
    return _SHOWN[form] if form else ShownForm.TEXT
