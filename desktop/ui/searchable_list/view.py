"""The list of what is kept, with one of its rows chosen."""

from PySide6.QtCore import QItemSelection, QModelIndex, Signal
from PySide6.QtWidgets import QWidget

from desktop.ui.searchable_list.model import ShelfModel
from desktop.ui.widgets.row_list import RowDelegate, RowList


class ShelfList(RowList):
    chosen = Signal()
    """Another row is selected, or others, or none."""

    def __init__(
        self, model: ShelfModel, rows: RowDelegate, parent: QWidget | None = None
    ) -> None:
        super().__init__(model, rows, parent)
        self._shelf = model

    @property
    def current_id(self) -> str | None:
        return self._shelf.id_at(self.currentIndex())

    def choose(self, wanted: str | None) -> bool:
        """Whether it is there to be chosen."""
        index = self._shelf.index_of(wanted)
        if index.isValid():
            self.setCurrentIndex(index)
            self.scrollTo(index)
        return index.isValid()

    def selectionChanged(self, selected: QItemSelection, deselected: QItemSelection) -> None:
        super().selectionChanged(selected, deselected)
        self.chosen.emit()

    def _first(self) -> QModelIndex:
        return self._shelf.nearest(0)
