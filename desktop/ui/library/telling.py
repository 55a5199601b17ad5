"""How sources are spoken of: their form, their pages, when they were added and read."""

from collections.abc import Mapping

from PySide6.QtCore import QLocale, QObject

from desktop.domain.sources import Source, SourceKind, SourcePassage, SourceState
from desktop.ui.amounts import clock_time
from desktop.ui.library.form import ShownForm, form_of
from desktop.ui.library.known import Shelved
from desktop.ui.memory.telling import day


class SourceWords(QObject):
    def form(self, source: Source) -> str:
        """Short, for a label."""
        names: Mapping[ShownForm, str] = {
            ShownForm.PDF: self.tr("PDF"),
            ShownForm.WORD: self.tr("Word"),
            ShownForm.EPUB: self.tr("EPUB"),
            ShownForm.HTML: self.tr("HTML"),
            ShownForm.MARKDOWN: self.tr("Markdown"),
            ShownForm.TEXT: self.tr("Text"),
            ShownForm.WEB: self.tr("Web"),
        }
        return names[form_of(source)]

    def forms(self) -> list[str]:
        """Every name of a form, for whoever needs room for the longest."""
        return [
            *(self.tr("PDF"), self.tr("Word"), self.tr("EPUB"), self.tr("HTML")),
            *(self.tr("Markdown"), self.tr("Text"), self.tr("Web")),
        ]

    def detail(self, shelved: Shelved) -> str:
        """The line below the title in a list."""
        source = shelved.source
        told = [
            self.pages(source) or self.tr("%Ln passage(s)", "", source.passages),
            size_words(shelved.size),
            self.tr("added {day}").format(day=day(source.added_at)),
            self.tr("copy kept") if source.copy else "",
        ]
        return " · ".join(filter(None, told))

    def pages(self, source: Source) -> str:
        return self.tr("%Ln page(s)", "", source.pages) if source.pages else ""

    def trouble(self, source: Source) -> str:
        if source.state is SourceState.PARTIAL:
            return self.tr("some pages are pictures and could not be read")
        return ""

    def read(self, source: Source) -> str:
        moment = self.tr("{day}, {time}").format(
            day=day(source.read_at), time=clock_time(source.read_at)
        )
        if source.kind is SourceKind.WEB:
            return self.tr("Page read on {moment}").format(moment=moment)
        return self.tr("File read on {moment}").format(moment=moment)

    def whole(self, shelved: Shelved) -> str:
        """A source as a screen reader tells it in a list."""
        source = shelved.source
        told = (source.title, self.form(source), self.detail(shelved), self.trouble(source))
        return ", ".join(filter(None, told))

    def place(self, passage: SourcePassage) -> str:
        """Where in its source a passage stands; empty where nothing tells it."""
        page = self.tr("page {number}").format(number=passage.page) if passage.page else ""
        return " · ".join(filter(None, (page, passage.heading)))


def size_words(size: int | None) -> str:
    if size is None:
        return ""
    form = QLocale.DataSizeFormat.DataSizeTraditionalFormat
    return QLocale().formattedDataSize(size, 1, form)
