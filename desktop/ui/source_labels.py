"""Labels of sources: document types, pages, dates, places in a source."""

from collections.abc import Mapping, Sequence
from pathlib import PurePath

from PySide6.QtCore import QObject

from desktop.domain.references import Work
from desktop.domain.sources import (
    FORM_OF_ENDING,
    DocumentType,
    Source,
    SourceKind,
    SourcePassage,
    SourceState,
)
from desktop.ui.formatting import clock_time, day


def form_of(source: Source) -> DocumentType:
    if source.kind is SourceKind.WEB:
        return DocumentType.WEB_PAGE
    return FORM_OF_ENDING.get(PurePath(source.address).suffix.lower(), DocumentType.TEXT)


def kind_of(work: Work) -> str:
    """Return the type of a work, or else the form of its document."""
    return work.reference.text("type") or str(form_of(work.source))


def is_excerpt(source: Source) -> bool:
    """Whether an endpoint searched by itself and returned only the cited part of a page."""
    is_partial = source.state is SourceState.PARTIAL
    return is_partial and source.kind is SourceKind.WEB and not source.pages


class SourceLabels(QObject):
    def form(self, source: Source) -> str:
        return self.forms()[form_of(source)]

    def forms(self) -> Mapping[str, str]:
        return {
            DocumentType.EPUB: self.tr("EPUB"),
            DocumentType.HTML: self.tr("HTML"),
            DocumentType.MARKDOWN: self.tr("Markdown"),
            DocumentType.PDF: self.tr("PDF"),
            DocumentType.TEXT: self.tr("Text"),
            DocumentType.WEB_PAGE: self.tr("Web"),
            DocumentType.WORD: self.tr("Word"),
        }

    def types(self) -> Mapping[str, str]:
        """Return the types of CSL that can be chosen, with their names."""
        return {
            "article-journal": self.tr("Article"),
            "book": self.tr("Book"),
            "chapter": self.tr("Chapter"),
            "paper-conference": self.tr("Conference paper"),
            "thesis": self.tr("Thesis"),
            "report": self.tr("Report"),
            "article": self.tr("Preprint"),
            "article-magazine": self.tr("Magazine article"),
            "article-newspaper": self.tr("Newspaper article"),
            "entry-encyclopedia": self.tr("Encyclopedia entry"),
            "webpage": self.tr("Web page"),
            "dataset": self.tr("Dataset"),
            "software": self.tr("Software"),
            "legislation": self.tr("Legislation"),
            "patent": self.tr("Patent"),
            "manuscript": self.tr("Manuscript"),
            "document": self.tr("Document"),
        }

    def authors(self, names: Sequence[str]) -> str:
        """Return the family names: of two authors both, of more the first."""
        families = [name.partition(",")[0] for name in names]
        if len(families) > 2:  # noqa: PLR2004 - what the sentence says
            return self.tr("{author} et al.").format(author=families[0])
        if len(families) > 1:
            both = self.tr("{author} and {other}")
            return both.format(author=families[0], other=families[1])
        return "".join(families)

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

    def place(self, passage: SourcePassage, printed: str = "") -> str:
        """Return where in its source a passage is; empty if that is unknown.

        `printed`: the number that is printed on its page.
        """
        page = self.tr("page {number}").format(number=passage.page) if passage.page else ""
        if page and printed and printed != str(passage.page):
            page = self.tr("{page} (printed as {label})").format(page=page, label=printed)
        return " · ".join(filter(None, (page, passage.heading)))
