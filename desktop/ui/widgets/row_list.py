"""A list of painted rows that gives the focus back upwards where there is no row above."""

from PySide6.QtCore import QAbstractItemModel, QModelIndex, Qt, Signal
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QFrame, QListView, QWidget

from desktop.ui.widgets.row_delegate import RowDelegate


class RowList(QListView):
    left_upwards = Signal()
    """Up was pressed on the first row."""

    def __init__(
        self, model: QAbstractItemModel, rows: RowDelegate, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._rows = rows
        rows.setParent(self)
        self.setModel(model)
        self.setItemDelegate(rows)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setResizeMode(QListView.ResizeMode.Adjust)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setMouseTracking(True)
        self.viewport().setAutoFillBackground(False)

    def enter(self) -> None:
        """Take the focus, at the chosen row or at the first one."""
        if not self.currentIndex().isValid():
            self.setCurrentIndex(self._first())
        self.setFocus(Qt.FocusReason.TabFocusReason)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if self._take_key(event.key()):
            event.accept()
        else:
            super().keyPressEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._rows.set_width(event.size().width())
        super().resizeEvent(event)

    def _first(self) -> QModelIndex:
        """The first row that can be chosen."""
        return self.model().index(0, 0)

    def _take_key(self, key: int) -> bool:
        """Whether the key means something to this list itself."""
        if key != Qt.Key.Key_Up or self.currentIndex() not in (QModelIndex(), self._first()):
            return False
        self.left_upwards.emit()
        return True
