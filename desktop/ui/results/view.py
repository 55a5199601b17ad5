"""The list of results: keys and clicks that open a place in a session, or ask for more."""

from PySide6.QtCore import QModelIndex, Qt, Signal
from PySide6.QtGui import QCursor
from PySide6.QtWidgets import QWidget

from desktop.domain.ids import SessionId
from desktop.ui.results.delegate import ResultsDelegate
from desktop.ui.results.model import ResultsModel
from desktop.ui.results.rows import Found, More, Row
from desktop.ui.theme.theme import ThemeController
from desktop.ui.widgets.row_list import RowList


class ResultsView(RowList):
    opened = Signal(object)
    """Found or Hit"""
    more_wanted = Signal()

    def __init__(
        self, model: ResultsModel, theme: ThemeController, parent: QWidget | None = None
    ) -> None:
        super().__init__(model, ResultsDelegate(theme), parent)
        self._results = model
        self.clicked.connect(self._open)

    def held(self) -> SessionId | None:
        """The session that somebody is at, by key or by pointer: it must not move."""
        if self.hasFocus() and self.currentIndex().isValid():
            return self._results.session_at(self.currentIndex())
        at = self.viewport().mapFromGlobal(QCursor.pos())
        if self.viewport().underMouse() and self.viewport().rect().contains(at):
            return self._results.session_at(self.indexAt(at))
        return None

    def show_rows(self, found: list[Found], *, has_more: bool, is_new: bool) -> None:
        """`is_new`: another question was asked; otherwise the reader stays where they are."""
        current = self._results.row(self.currentIndex())
        if isinstance(current, More):  # what it stood for begins where it stood
            current = None
            place = self.currentIndex().row()
        else:
            place = -1
        at = 0 if is_new else self.verticalScrollBar().value()
        self._results.show(found, has_more=has_more)
        index = self._results.index(place) if place >= 0 else self._results.index_of(current)
        if index.isValid() and not is_new:
            self.setCurrentIndex(index)
        self.verticalScrollBar().setValue(at)

    def _take_key(self, key: int) -> bool:
        if key not in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            return super()._take_key(key)
        self._open(self.currentIndex())
        return True

    def _open(self, index: QModelIndex) -> None:
        row: Row | None = self._results.row(index)
        if isinstance(row, More):
            self.more_wanted.emit()
        elif row is not None:
            self.opened.emit(row)
