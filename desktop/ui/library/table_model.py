"""The works of the library in a table: their columns and words, their filter and order."""

from collections.abc import Callable, Mapping, Sequence
from enum import StrEnum

from PySide6.QtCore import QLocale, QMimeData, QObject, Qt

from desktop.domain.frozen import dataclass
from desktop.domain.ids import SourceId
from desktop.domain.language import Language
from desktop.domain.references import MADE_ADDRESS, Work
from desktop.domain.sources import Source, SourceKind
from desktop.language.normalization import sort_key
from desktop.references.fields import marked_title
from desktop.ui.formatting import SourceLabels, day, kind_of
from desktop.ui.i18n import core_texts
from desktop.ui.searchable_list import SearchableTableModel
from desktop.ui.widgets.plain_text import tip
from desktop.ui.widgets.row_list import Index

_DRAGGED = "application/x-bellek-sources"
_READ_MARK, _NOTHING = "✓", "–"


class Column(StrEnum):
    """In their order; also the orders that can be chosen."""

    TITLE = "title"
    AUTHORS = "authors"
    YEAR = "year"
    KIND = "kind"
    PLACE = "place"  # Project and tags
    ADDED = "added"
    READ = "read"


COLUMNS = tuple(Column)
_NEWEST_FIRST = frozenset({Column.YEAR, Column.ADDED})


@dataclass(frozen=True, slots=True)
class ListedWork:
    work: Work
    size: int | None = None  # Bytes of its file; None if there is none
    tags: Sequence[str] = ()
    project: str = ""  # Its name
    owner: str = ""  # The member of a shared project that it comes from

    @property
    def source(self) -> Source:
        return self.work.source

    @property
    def is_read(self) -> bool:
        return self.work.finished_at is not None


def searched_text(listed: ListedWork) -> str:
    source = listed.source
    address = "" if source.address.startswith(MADE_ADDRESS) else source.address
    return " ".join((source.title, address, listed.work.words, *listed.tags))


def dragged_sources(mime_data: QMimeData) -> list[SourceId]:
    return [SourceId(line) for line in mime_data.data(_DRAGGED).toStdString().split("\n") if line]


@dataclass(frozen=True, slots=True)
class WorkFilter:
    """What the listed works have; an empty field: any."""

    tag: str = ""
    kind: str = ""
    is_read: bool | None = None

    def __contains__(self, listed: ListedWork) -> bool:
        return (
            (not self.tag or self.tag in listed.tags)
            and self.is_read in {None, listed.is_read}
            and (not self.kind or self.kind == kind_of(listed.work))
        )


class WorkLabels(QObject):
    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.of_source = SourceLabels(self)
        self._kinds = {**self.of_source.types(), **self.of_source.forms()}
        self._cells: Mapping[Column, Callable[[ListedWork], str]] = {
            Column.TITLE: lambda listed: marked_title(
                listed.source.title, listed.work.reference.marks, core_texts()
            ),
            Column.AUTHORS: lambda listed: self.of_source.authors(listed.work.reference.authors),
            Column.YEAR: lambda listed: str(listed.work.reference.year or ""),
            Column.KIND: lambda listed: self.kind(kind_of(listed.work)),
            Column.PLACE: self._place,
            Column.ADDED: lambda listed: day(listed.source.added_at),
            Column.READ: lambda listed: _READ_MARK if listed.is_read else "",
        }

    def kind(self, kind: str) -> str:
        return self._kinds.get(kind, kind)

    def columns(self) -> Sequence[str]:
        return (
            self.tr("Title"),
            self.tr("Authors"),
            self.tr("Year"),
            self.tr("Type"),
            self.tr("Project, tags"),
            self.tr("Added"),
            self.tr("Read"),
        )

    def cell(self, listed: ListedWork, column: Column) -> str:
        return self._cells[column](listed)

    def _place(self, listed: ListedWork) -> str:
        tags = [f"# {tag}" for tag in listed.tags]
        return " · ".join(filter(None, (listed.project, listed.owner, *tags)))

    def trouble(self, listed: ListedWork) -> str:
        is_gone = listed.source.kind is SourceKind.DOCUMENT and listed.size is None
        gone = self.tr("file not found") if is_gone else ""
        return " · ".join(filter(None, (self.of_source.trouble(listed.source), gone)))

    def detail(self, listed: ListedWork) -> str:
        source, form = listed.source, QLocale.DataSizeFormat.DataSizeTraditionalFormat
        is_made = source.address.startswith(MADE_ADDRESS)
        lines = (
            source.title,
            "; ".join(listed.work.reference.authors),
            " · ".join(
                filter(
                    None,
                    (
                        self.of_source.pages(source)
                        or self.tr("%Ln passage(s)", "", source.passages),
                        QLocale().formattedDataSize(listed.size, 1, form) if listed.size else "",
                        self.tr("copy saved") if source.copy else "",
                        self.trouble(listed),
                    ),
                )
            ),
            "" if is_made else source.address,
        )
        return "\n".join(filter(None, lines))

    def whole(self, listed: ListedWork) -> str:
        """Return the row as a screen reader says it."""
        cells = [self.cell(listed, column) for column in COLUMNS[:-1]]
        read = self.tr("read") if listed.is_read else self.tr("unread")
        return ", ".join(filter(None, (*cells, read, self.trouble(listed))))


class WorkTableModel(SearchableTableModel):
    columns = COLUMNS

    def __init__(self) -> None:
        super().__init__(Column.ADDED)
        self.words = WorkLabels(self)
        self.filter = WorkFilter()
        self.is_descending = True
        self._names = self.words.columns()
        self._language: Language = core_texts().language

    def flags(self, index: Index) -> Qt.ItemFlag:
        flags = super().flags(index)
        return flags | Qt.ItemFlag.ItemIsDragEnabled if index.isValid() else flags

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        row: ListedWork | None = self.row(index)
        if row is None:
            return None
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return self.words.cell(row, COLUMNS[index.column()])
            case Qt.ItemDataRole.AccessibleTextRole if index.column() == 0:
                return self.words.whole(row)
            case Qt.ItemDataRole.AccessibleTextRole:
                words = self.words.cell(row, COLUMNS[index.column()])
                return f"{self._names[index.column()]}: {words or _NOTHING}"
            case Qt.ItemDataRole.ToolTipRole:
                return tip(self.words.detail(row))
            case _:
                return None

    def headerData(
        self, section: int, side: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> object:
        is_ours = side is Qt.Orientation.Horizontal and role == Qt.ItemDataRole.DisplayRole
        return self._names[section] if is_ours else None

    def mimeData(self, indexes: Sequence[Index]) -> QMimeData:
        mime_data = QMimeData()
        ids = dict.fromkeys(str(self.id_at(index)) for index in indexes)
        mime_data.setData(_DRAGGED, "\n".join(ids).encode())
        return mime_data

    def sort_by(self, column: Column, *, is_descending: bool | None = None) -> None:
        """Sort by a column; None: as it is usual for it."""
        usual = column in _NEWEST_FIRST
        self.is_descending = usual if is_descending is None else is_descending
        self.order_by(column)

    def has_places(self) -> bool:
        return any(entry.item.tags or entry.item.project for entry in self._items)

    def kinds(self) -> Mapping[str, str]:
        """Return the kinds of the works that are listed, with their names in their order."""
        kinds = {kind_of(entry.item.work) for entry in self._items}
        names = {kind: self.words.kind(kind) for kind in kinds}
        return dict(sorted(names.items(), key=lambda item: sort_key(item[1], self._language)))

    def _key_of(self, row: object) -> SourceId | None:
        return row.source.id if isinstance(row, ListedWork) else None

    def _arranged(self, items: Sequence[ListedWork]) -> list[ListedWork]:
        """Sort what the filter has; works without the value of the column are always last."""
        column = Column(self.order)
        shown = [listed for listed in items if listed in self.filter]
        keyed = [(self._sort_key(listed, column), listed) for listed in shown]
        full = [entry for entry in keyed if entry[0] not in {"", 0}]
        full.sort(key=lambda entry: entry[0], reverse=self.is_descending)
        return [listed for key, listed in full] + [entry for key, entry in keyed if key in {"", 0}]

    def _sort_key(self, listed: ListedWork, column: Column) -> str | float:
        reference = listed.work.reference
        match column:
            case Column.AUTHORS:
                return sort_key(" ".join(reference.authors), self._language)
            case Column.YEAR:
                return reference.year or 0
            case Column.ADDED:
                return listed.source.added_at.timestamp()
            case Column.READ:
                return listed.work.finished_at.timestamp() if listed.work.finished_at else 0
            case _:
                return sort_key(self.words.cell(listed, column), self._language)
