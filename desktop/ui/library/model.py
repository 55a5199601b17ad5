"""The sources of the library window as a Qt model."""

from collections.abc import Callable, Sequence
from enum import IntEnum

from PySide6.QtCore import QObject, Qt

from desktop.domain.ids import SourceId
from desktop.ui.library.known import Shelved, Sorting, in_order, matching
from desktop.ui.library.telling import ShelfWords
from desktop.ui.shelf.model import Index, ShelfModel


class Role(IntEnum):
    SHELVED = Qt.ItemDataRole.UserRole + 1
    FORM = Qt.ItemDataRole.UserRole + 2
    DETAIL = Qt.ItemDataRole.UserRole + 3
    """What stands below a title"""
    TROUBLE = Qt.ItemDataRole.UserRole + 4
    """What is wrong with it, where something is"""
    MARKS = Qt.ItemDataRole.UserRole + 5
    """Spans of a title that were searched for"""


class SourceListModel(ShelfModel):
    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.words = ShelfWords(self)
        self._known: Sequence[Shelved] = ()
        self._sorting = Sorting.NEWEST

    @property
    def count(self) -> int:
        return len(self._known)

    def show_sources(self, known: Sequence[Shelved]) -> None:
        self._known = known
        self._fill()

    def sort_by(self, sorting: Sorting) -> None:
        self._sorting = sorting
        self._fill()

    def shelved(self, index: Index) -> Shelved | None:
        row = self._row(index)
        return row if isinstance(row, Shelved) else None

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        row = self.shelved(index)
        return self._of(row, role) if row is not None else None

    def _id_of(self, row: object) -> SourceId | None:
        return row.source.id if isinstance(row, Shelved) else None

    def _arranged(self) -> Sequence[Shelved]:
        return in_order(matching(self._known, self._query), self._sorting)

    def _of(self, row: Shelved, role: int) -> object:
        told: dict[int, Callable[[], object]] = {
            Qt.ItemDataRole.DisplayRole: lambda: row.source.title,
            Qt.ItemDataRole.AccessibleTextRole: lambda: self.words.whole(row),
            Qt.ItemDataRole.ToolTipRole: lambda: row.source.address,
            Role.SHELVED: lambda: row,
            Role.FORM: lambda: self.words.of_source.form(row.source),
            Role.DETAIL: lambda: self.words.detail(row),
            Role.TROUBLE: lambda: self.words.of_source.trouble(row.source),
            Role.MARKS: lambda: self._marks(row.source.title),
        }
        tell = told.get(role)
        return tell() if tell else None
