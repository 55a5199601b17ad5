"""The list of facts: keys that edit and delete the one that is chosen."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QWidget

from desktop.domain.facts import Fact
from desktop.ui.memory.delegate import FactDelegate
from desktop.ui.memory.model import FactListModel
from desktop.ui.searchable_list.view import ShelfList
from desktop.ui.theme.theme import ThemeController
from desktop.ui.widgets.layouts import reserve_scrollbar


class FactListView(ShelfList):
    edit_wanted = Signal()
    delete_wanted = Signal()

    def __init__(
        self, model: FactListModel, theme: ThemeController, parent: QWidget | None = None
    ) -> None:
        super().__init__(model, FactDelegate(theme), parent)
        self._facts = model
        # The rows are measured for one width.
        reserve_scrollbar(self)

    @property
    def current(self) -> Fact | None:
        return self._facts.fact(self.currentIndex())

    def _take_key(self, key: int) -> bool:
        match key:
            case Qt.Key.Key_Return | Qt.Key.Key_Enter | Qt.Key.Key_F2:
                self.edit_wanted.emit()
            case Qt.Key.Key_Delete:
                self.delete_wanted.emit()
            case _:
                return super()._take_key(key)
        return True
