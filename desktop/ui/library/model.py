"""The sources of the library window as a Qt model."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum

from PySide6.QtCore import QObject, Qt

from desktop.domain.ids import SourceId
from desktop.ui.library.source_filter import Shelved, Sorting, in_order, matching
from desktop.ui.library.source_list_labels import ShelfWords
from desktop.ui.searchable_list.model import Index, ShelfModel
from desktop.ui.widgets.plain_text import tip


class Role(IntEnum):
    SHELVED = Qt.ItemDataRole.UserRole + 1
    SHOWN = Qt.ItemDataRole.UserRole + 2


@dataclass(frozen=True, slots=True)
class Shown:
    """The words of a row, said once: it is painted at every turn of the wheel."""

    title: str
    form: str
    detail: str
    """What stands below the title"""
    trouble: str
    """What is wrong with it, where something is"""
    marks: Sequence[tuple[int, int]]
    """Spans of the title that were searched for"""


class SourceListModel(ShelfModel):
    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.words = ShelfWords(self)
        self._known: Sequence[Shelved] = ()
        self._sorting = Sorting.NEWEST
        self._shown: dict[SourceId, Shown] = {}

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

    def say_again(self) -> None:
        self._shown.clear()
        super().say_again()

    def _id_of(self, row: object) -> SourceId | None:
        return row.source.id if isinstance(row, Shelved) else None

    def _arranged(self) -> Sequence[Shelved]:
        self._shown.clear()
        return in_order(matching(self._known, self._query), self._sorting)

    def _of(self, row: Shelved, role: int) -> object:
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return row.source.title
            case Qt.ItemDataRole.AccessibleTextRole:
                return self.words.whole(row)
            case Qt.ItemDataRole.ToolTipRole:
                return tip(row.source.address)
            case Role.SHELVED:
                return row
            case Role.SHOWN:
                return self._shown_of(row)
            case _:
                return None

    def _shown_of(self, row: Shelved) -> Shown:
        source = row.source
        if (known := self._shown.get(source.id)) is not None:
            return known
        shown = self._shown[source.id] = Shown(
            source.title,
            self.words.of_source.form(source),
            self.words.detail(row),
            self.words.trouble(row),
            self._marks(source.title),
        )
        return shown
