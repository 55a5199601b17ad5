"""The list of sources: keys that open and remove what is chosen, several at once too."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QAbstractItemView, QWidget

from desktop.ui.library.delegate import SourceDelegate
from desktop.ui.library.model import SourceListModel
from desktop.ui.library.source_filter import Shelved
from desktop.ui.searchable_list.view import ShelfList
from desktop.ui.theme.theme import ThemeController


class SourceListView(ShelfList):
    open_wanted = Signal()
    remove_wanted = Signal()

    def __init__(
        self, model: SourceListModel, theme: ThemeController, parent: QWidget | None = None
    ) -> None:
        rows = SourceDelegate(theme)
        super().__init__(model, rows, parent)
        self._sources = model
        model.dataChanged.connect(rows.forget_widths)
        self.setUniformItemSizes(True)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.doubleClicked.connect(lambda _: self.open_wanted.emit())

    @property
    def current(self) -> Shelved | None:
        return self._sources.shelved(self.currentIndex())

    @property
    def selected(self) -> list[Shelved]:
        places = sorted(self.selectedIndexes(), key=lambda index: index.row())
        return [one for place in places if (one := self._sources.shelved(place)) is not None]

    def _take_key(self, key: int) -> bool:
        match key:
            case Qt.Key.Key_Return | Qt.Key.Key_Enter:
                self.open_wanted.emit()
            case Qt.Key.Key_Delete:
                self.remove_wanted.emit()
            case _:
                return super()._take_key(key)
        return True
