"""Labels of sources: document types, pages, dates, places in a source."""

from pathlib import PurePath

from PySide6.QtCore import QObject

from desktop.domain.sources import Source, SourceKind, SourcePassage, SourceState
from desktop.research.documents.reader import FORM_OF_ENDING, DocumentType
from desktop.ui.formatting import clock_time, day

_FORMS = (
    DocumentType.EPUB,
    DocumentType.HTML,
    DocumentType.MARKDOWN,
    DocumentType.PDF,
    DocumentType.TEXT,
    DocumentType.WEB_PAGE,
    DocumentType.WORD,
)
"""In the order of the list by kind."""


def form_rank(source: Source) -> int:
    return _FORMS.index(_form_of(source))


def _form_of(source: Source) -> DocumentType:
    if source.kind is SourceKind.WEB:
        return DocumentType.WEB_PAGE
    return FORM_OF_ENDING.get(PurePath(source.address).suffix.lower(), DocumentType.TEXT)


def is_excerpt(source: Source) -> bool:
    """Whether an endpoint searched by itself and returned only the cited part of a page."""
    is_partial = source.state is SourceState.PARTIAL
    return is_partial and source.kind is SourceKind.WEB and not source.pages


class SourceLabels(QObject):
    def form(self, source: Source) -> str:
        return self.forms()[form_rank(source)]

    def forms(self) -> list[str]:
        return [
            self.tr("EPUB"),
            self.tr("HTML"),
            self.tr("Markdown"),
            self.tr("PDF"),
            self.tr("Text"),
            self.tr("Web"),
            self.tr("Word"),
        ]

    def pages(self, source: Source) -> str:
        return self.tr("%Ln page(s)", "", source.pages) if source.pages else ""

    def trouble(self, source: Source) -> str:
        if source.is_damaged:
            return self.tr("part of its record is damaged")
        if is_excerpt(source):
            return self.tr("only the quoted part was read")
        if source.state is SourceState.PARTIAL and not source.pages:
            return self.tr("some parts of it could not be read")
        if source.state is SourceState.PARTIAL:
            return self.tr("scanned pages of it have not been read yet")
        return ""

    def read(self, source: Source) -> str:
        moment = self.tr("{day}, {time}").format(
            day=day(source.read_at), time=clock_time(source.read_at)
        )
        if source.kind is SourceKind.WEB:
            return self.tr("Page read on {moment}").format(moment=moment)
        return self.tr("File read on {moment}").format(moment=moment)

    def place(self, passage: SourcePassage) -> str:
        """Return where in its source a passage is; empty if that is unknown."""
        page = self.tr("page {number}").format(number=passage.page) if passage.page else ""
        return " · ".join(filter(None, (page, passage.heading)))
