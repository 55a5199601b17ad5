"""How the library's list speaks of its sources."""

from PySide6.QtCore import QLocale, QObject

from desktop.domain.sources import SourceKind
from desktop.ui.formatting import day
from desktop.ui.library.source_filter import Shelved
from desktop.ui.source_labels import SourceWords


class ShelfWords(QObject):
    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.of_source = SourceWords(self)

    def detail(self, shelved: Shelved) -> str:
        """The line below the title in a list."""
        source = shelved.source
        told = [
            self.of_source.pages(source) or self.tr("%Ln passage(s)", "", source.passages),
            size_words(shelved.size),
            self.tr("added {day}").format(day=day(source.added_at)),
            self.tr("copy saved") if source.copy else "",
        ]
        return " · ".join(filter(None, told))

    def trouble(self, shelved: Shelved) -> str:
        is_gone = shelved.source.kind is SourceKind.DOCUMENT and shelved.size is None
        gone = self.tr("the file is no longer where it was") if is_gone else ""
        return " · ".join(filter(None, (self.of_source.trouble(shelved.source), gone)))

    def whole(self, shelved: Shelved) -> str:
        """A source as a screen reader tells it in a list."""
        source = shelved.source
        told = (
            source.title,
            self.of_source.form(source),
            self.detail(shelved),
            self.trouble(shelved),
        )
        return ", ".join(filter(None, told))


def size_words(size: int | None) -> str:
    if size is None:
        return ""
    form = QLocale.DataSizeFormat.DataSizeTraditionalFormat
    return QLocale().formattedDataSize(size, 1, form)
