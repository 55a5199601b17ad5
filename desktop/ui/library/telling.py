"""How the library's list speaks of its sources."""

from PySide6.QtCore import QLocale

from desktop.ui.amounts import day
from desktop.ui.library.known import Shelved
from desktop.ui.source_words import SourceWords


class ShelfWords(SourceWords):
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

    def whole(self, shelved: Shelved) -> str:
        """A source as a screen reader tells it in a list."""
        source = shelved.source
        told = (source.title, self.form(source), self.detail(shelved), self.trouble(source))
        return ", ".join(filter(None, told))


def size_words(size: int | None) -> str:
    if size is None:
        return ""
    form = QLocale.DataSizeFormat.DataSizeTraditionalFormat
    return QLocale().formattedDataSize(size, 1, form)
