"""The list of facts: keys that edit, pin and delete the one that is chosen."""

from PySide6.QtCore import QItemSelection, Qt, Signal
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QFrame, QListView, QWidget

from desktop.domain.facts import Fact
from desktop.domain.ids import FactId
from desktop.ui.memory.delegate import FactDelegate
from desktop.ui.memory.model import FactListModel
from desktop.ui.theme.theme import ThemeController
from desktop.ui.widgets.scroll_room import keep_scroll_room


class FactListView(QListView):
    chosen = Signal()
    """Another fact is the current one, or none."""
    edit_wanted = Signal()
    delete_wanted = Signal()
    left_upwards = Signal()
    """Up was pressed on the first fact."""

    def __init__(
        self, model: FactListModel, theme: ThemeController, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._facts = model
        self._rows = FactDelegate(theme, self)
        self._build()

    @property
    def current(self) -> Fact | None:
        return self._facts.fact(self.currentIndex())

    def choose(self, fact_id: FactId | None) -> bool:
        """Whether it is there to be chosen."""
        index = self._facts.index_of(fact_id)
        if index.isValid():
            self.setCurrentIndex(index)
            self.scrollTo(index)
        return index.isValid()

    def enter(self) -> None:
        """Take the focus, at the chosen fact or at the first one."""
        if self.current is None:
            self.setCurrentIndex(self._facts.nearest(0))
        self.setFocus(Qt.FocusReason.TabFocusReason)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        match event.key():
            case Qt.Key.Key_Return | Qt.Key.Key_Enter | Qt.Key.Key_F2:
                self.edit_wanted.emit()
            case Qt.Key.Key_Delete:
                self.delete_wanted.emit()
            case Qt.Key.Key_Up if self.currentIndex() == self._facts.nearest(0):
                self.left_upwards.emit()
            case _:
                super().keyPressEvent(event)
                return
        event.accept()

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._rows.set_width(event.size().width())
        super().resizeEvent(event)

    def selectionChanged(self, selected: QItemSelection, deselected: QItemSelection) -> None:
        super().selectionChanged(selected, deselected)
        self.chosen.emit()

    def _build(self) -> None:
        self.setModel(self._facts)
        self.setItemDelegate(self._rows)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setResizeMode(QListView.ResizeMode.Adjust)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setMouseTracking(True)
        # The rows are measured for one width.
        keep_scroll_room(self)
        self.viewport().setAutoFillBackground(False)
