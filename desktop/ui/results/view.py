"""The list of results: keys and clicks that open a place in a session, or ask for more."""

from PySide6.QtCore import QModelIndex, Qt, Signal
from PySide6.QtGui import QCursor, QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QFrame, QListView, QWidget

from desktop.domain.ids import SessionId
from desktop.ui.results.delegate import ResultsDelegate
from desktop.ui.results.model import ResultsModel
from desktop.ui.results.rows import Found, More, Row
from desktop.ui.theme.theme import ThemeController


class ResultsView(QListView):
    opened = Signal(object)
    """Found or Hit"""
    more_wanted = Signal()
    left_upwards = Signal()
    """Up was pressed on the first row."""

    def __init__(
        self, model: ResultsModel, theme: ThemeController, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._results = model
        self._rows = ResultsDelegate(theme, self)
        self._build()
        self.clicked.connect(self._open)

    def enter(self) -> None:
        """Take the focus, at the chosen row or at the first one."""
        if not self.currentIndex().isValid():
            self.setCurrentIndex(self._results.index(0))
        self.setFocus(Qt.FocusReason.TabFocusReason)

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

    def keyPressEvent(self, event: QKeyEvent) -> None:
        match event.key():
            case Qt.Key.Key_Return | Qt.Key.Key_Enter:
                self._open(self.currentIndex())
            case Qt.Key.Key_Up if self.currentIndex().row() <= 0:
                self.left_upwards.emit()
            case _:
                super().keyPressEvent(event)
                return
        event.accept()

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._rows.set_width(event.size().width())
        super().resizeEvent(event)

    def _build(self) -> None:
        self.setModel(self._results)
        self.setItemDelegate(self._rows)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setResizeMode(QListView.ResizeMode.Adjust)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setMouseTracking(True)
        self.viewport().setAutoFillBackground(False)

    def _open(self, index: QModelIndex) -> None:
        row: Row | None = self._results.row(index)
        if isinstance(row, More):
            self.more_wanted.emit()
        elif row is not None:
            self.opened.emit(row)
