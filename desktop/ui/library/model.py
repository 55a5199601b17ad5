"""The sources of the library window as a Qt model."""

from collections.abc import Callable, Sequence
from enum import IntEnum

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from desktop.domain.ids import SourceId
from desktop.language.folding import find_words
from desktop.ui.library.known import Shelved, Sorting, in_order, matching
from desktop.ui.library.telling import ShelfWords

Index = QModelIndex | QPersistentModelIndex
_NOWHERE = QModelIndex()


class Role(IntEnum):
    SHELVED = Qt.ItemDataRole.UserRole + 1
    FORM = Qt.ItemDataRole.UserRole + 2
    DETAIL = Qt.ItemDataRole.UserRole + 3
    """What stands below a title"""
    TROUBLE = Qt.ItemDataRole.UserRole + 4
    """What is wrong with it, where something is"""
    MARKS = Qt.ItemDataRole.UserRole + 5
    """Spans of a title that were searched for"""


class SourceListModel(QAbstractListModel):
    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.words = ShelfWords(self)
        self._known: Sequence[Shelved] = ()
        self._rows: Sequence[Shelved] = ()
        self._query = ""
        self._sorting = Sorting.NEWEST

    @property
    def count(self) -> int:
        """Sources that are there, found or not."""
        return len(self._known)

    @property
    def found(self) -> int:
        return len(self._rows)

    def show_sources(self, known: Sequence[Shelved]) -> None:
        self._known = known
        self._fill()

    def find(self, query: str) -> None:
        if query.split() != self._query.split():
            self._query = query
            self._fill()

    def sort_by(self, sorting: Sorting) -> None:
        self._sorting = sorting
        self._fill()

    def shelved(self, index: Index) -> Shelved | None:
        return self._rows[index.row()] if index.isValid() else None

    def index_of(self, source_id: SourceId | None) -> QModelIndex:
        for place, row in enumerate(self._rows):
            if row.source.id == source_id:
                return self.index(place)
        return QModelIndex()

    def nearest(self, place: int) -> QModelIndex:
        """The source at a place, or the one that is nearest to it."""
        return self.index(min(place, len(self._rows) - 1)) if self._rows else QModelIndex()

    def rowCount(self, parent: Index = _NOWHERE) -> int:
        return 0 if parent.isValid() else len(self._rows)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        row = self.shelved(index)
        return self._of(row, role) if row is not None else None

    def say_again(self) -> None:
        if self._rows:
            self.dataChanged.emit(self.index(0), self.index(len(self._rows) - 1))

    def _fill(self) -> None:
        self.beginResetModel()
        self._rows = in_order(matching(self._known, self._query), self._sorting)
        self.endResetModel()

    def _of(self, row: Shelved, role: int) -> object:
        told: dict[int, Callable[[], object]] = {
            Qt.ItemDataRole.DisplayRole: lambda: row.source.title,
            Qt.ItemDataRole.AccessibleTextRole: lambda: self.words.whole(row),
            Qt.ItemDataRole.ToolTipRole: lambda: row.source.address,
            Role.SHELVED: lambda: row,
            Role.FORM: lambda: self.words.of_source.form(row.source),
            Role.DETAIL: lambda: self.words.detail(row),
            Role.TROUBLE: lambda: self.words.of_source.trouble(row.source),
            Role.MARKS: lambda: self._marks(row),
        }
        tell = told.get(role)
        return tell() if tell else None

    def _marks(self, row: Shelved) -> Sequence[tuple[int, int]]:
        return find_words(row.source.title, [self._query]) if self._query else []
