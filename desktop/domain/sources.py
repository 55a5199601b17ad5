"""Sources: documents and web pages, and the passages of them that can be cited."""

from datetime import datetime
from enum import StrEnum
from typing import NamedTuple

from desktop.domain.frozen import dataclass
from desktop.domain.ids import PassageId, SessionId, SourceId
from desktop.domain.language import Language
from desktop.domain.projects import NO_PROJECT, ProjectId


class SourceKind(StrEnum):
    DOCUMENT = "document"
    WEB = "web"


class SourceState(StrEnum):
    COMPLETE = "complete"
    PARTIAL = "partial"  # Some pages are pictures without text, or some parts could not be read


class DocumentType(StrEnum):
    PDF = "pdf"
    WORD = "docx"
    EPUB = "epub"
    HTML = "html"
    MARKDOWN = "markdown"
    TEXT = "text"
    WEB_PAGE = "web page"  # HTML as it was fetched: of an article, the article alone


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
    **dict.fromkeys(
        (".text", ".rst", ".org", ".tex", ".adoc", ".csv", ".tsv", ".log", ".py", ".srt", ".vtt"),
        DocumentType.TEXT,
    ),
}
"""The extensions that are read in a folder; a file named itself may have any if it is text."""


@dataclass(frozen=True, slots=True)
class Source:
    id: SourceId
    kind: SourceKind
    title: str
    address: str  # A file's path, or a web page's address
    added_at: datetime
    read_at: datetime  # When the stored text was read
    sha256: str  # Of the file, or of a page's text
    language: Language | None = None
    pages: int | None = None  # None if it has no pages of its own
    state: SourceState = SourceState.COMPLETE
    passages: int = 0
    copy: str | None = None  # The name of the file's copy in the profile, if there is one
    session_id: SessionId | None = None
    """The session that has it alone; None: it is in the library."""
    project: ProjectId = NO_PROJECT
    is_damaged: bool = False  # Whether some value of it could not be read

    @property
    def needs_ocr(self) -> bool:
        """Whether pages of it are pictures whose words were not read."""
        is_pdf = self.kind is SourceKind.DOCUMENT and self.pages is not None
        return is_pdf and self.state is SourceState.PARTIAL


@dataclass(frozen=True, slots=True)
class ProposedDocument:
    """What another program wants added to the library: a text, or the address of a page."""

    program: str  # How it calls itself
    project: ProjectId = NO_PROJECT
    title: str = ""  # Of a text
    text: str = ""
    address: str = ""


@dataclass(frozen=True, slots=True)
class NewPassage:
    """A passage that is not stored yet."""

    text: str
    page: int | None = None  # From 1, as a reader counts; None if there are no pages
    heading: str = ""  # The headings above it, outer ones first


@dataclass(frozen=True, slots=True)
class SourcePassage:
    id: PassageId
    source_id: SourceId
    number: int  # From 1, in the order of the source
    page: int | None
    heading: str
    text: str
    is_current: bool = True
    """Whether the source still contains it; otherwise it is kept while it is cited."""


UNCERTAIN = 60
"""A word that OCR read with less confidence, of 100, may be another."""


class ScannedWord(NamedTuple):
    """A word that OCR read on a page, and where: in points from the page's lower left."""

    text: str
    left: float
    bottom: float
    right: float
    top: float
    confidence: int  # Of 100
    line: int  # Of the page, from 0

    @property
    def is_uncertain(self) -> bool:
        return self.confidence < UNCERTAIN
