"""The list of sessions: the keys and clicks that move in it, open a row or ask for its menu."""

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QPoint, QRect, QSize, Qt, Signal
from PySide6.QtGui import (
    QContextMenuEvent,
    QCursor,
    QFocusEvent,
    QMouseEvent,
    QResizeEvent,
)
from PySide6.QtWidgets import QAbstractItemView, QWidget

from desktop.ui.sidebar.delegate import SessionDelegate
from desktop.ui.sidebar.entries import Entry
from desktop.ui.sidebar.model import Role, SessionListModel
from desktop.ui.theme.theme import ThemeController
from desktop.ui.theme.tokens import Space
from desktop.ui.widgets.layouts import reserve_scrollbar
from desktop.ui.widgets.plain_text import Label
from desktop.ui.widgets.row_list import RowList

Index = QModelIndex | QPersistentModelIndex
_BY_KEY = (
    Qt.FocusReason.TabFocusReason,
    Qt.FocusReason.BacktabFocusReason,
    Qt.FocusReason.ShortcutFocusReason,
)
_Move = QAbstractItemView.CursorAction

_STEPS = {_Move.MoveUp: -1, _Move.MovePrevious: -1, _Move.MoveDown: 1, _Move.MoveNext: 1}


class SessionListView(RowList):
    opened = Signal(object)
    """Entry"""
    menu_requested = Signal(object, QPoint)
    """Entry, place on the screen"""
    delete_pressed = Signal(object)
    """Entry"""

    def __init__(
        self, model: SessionListModel, theme: ThemeController, parent: QWidget | None = None
    ) -> None:
        self._list = model  # first: Qt asks what is in sight while it takes the model
        super().__init__(model, SessionDelegate(theme), parent)
        self._nothing = Label(parent=self.viewport())
        self._is_pointed_at = False
        self._build()
        self._connect()

    def entry(self, index: Index) -> Entry | None:
        row = index.data(Role.ROW) if index.isValid() else None
        return row if isinstance(row, Entry) else None

    def current_entry(self) -> Entry | None:
        return self.entry(self.currentIndex())

    def held(self, *, counts_rest: bool = False) -> object:
        """The key of the row that somebody is at, by keyboard or by pointer; None: nobody is.

        `counts_rest`: also one that the pointer lies on since before the last key.
        """
        current = self.current_entry()
        if self.hasFocus() and current is not None:
            return current.key
        at = self.viewport().mapFromGlobal(QCursor.pos())
        is_pointed_at = self._is_pointed_at or (counts_rest and self.viewport().underMouse())
        if is_pointed_at and self.viewport().rect().contains(at):
            pointed = self.entry(self.indexAt(at))
            return pointed.key if pointed else None
        return None

    def forget_pointer(self) -> None:
        """A pointer that only lies there points at nothing."""
        self._is_pointed_at = False

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self._is_pointed_at = True
        super().mouseMoveEvent(event)

    def say_nothing_found(self, words: str) -> None:
        """Words below the rows (the active session may be one); empty for none."""
        self._nothing.setText(words)
        self._nothing.setVisible(bool(words))
        self._place_nothing()

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Without a row to stand on, nobody would see that the keyboard is here."""
        if self.current_entry() is None and event.reason() in _BY_KEY:
            opened = self._list.open_session
            index = self._list.index_of(opened) if opened is not None else QModelIndex()
            found = index if index.isValid() else self._first()
            self.setCurrentIndex(found)
        super().focusInEvent(event)

    def moveCursor(
        self, action: QAbstractItemView.CursorAction, modifiers: Qt.KeyboardModifier
    ) -> QModelIndex:
        step = _STEPS.get(action)
        if step is None:
            target = super().moveCursor(action, modifiers)
            if self.entry(target):
                return target
            # A heading: the session next to it, on the side that the move came from.
            back = -1 if action in {_Move.MoveEnd, _Move.MovePageDown} else 1
            found = self._list.next_entry(target, back)
        else:
            found = self._list.next_entry(self.currentIndex(), step)
        return found if found.isValid() else self.currentIndex()

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        is_by_mouse = event.reason() is QContextMenuEvent.Reason.Mouse
        index = self.indexAt(event.pos()) if is_by_mouse else self.currentIndex()
        if entry := self.entry(index):
            at = event.pos() if is_by_mouse else self.visualRect(index).center()
            self.menu_requested.emit(entry, self.viewport().mapToGlobal(at))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place_nothing()

    def scrollTo(
        self,
        index: Index,
        hint: QAbstractItemView.ScrollHint = QAbstractItemView.ScrollHint.EnsureVisible,
    ) -> None:
        """With the heading above it, where it is the first of its group."""
        above = self._list.index(index.row() - 1)
        if above.isValid() and self.entry(above) is None:
            super().scrollTo(above, hint)
        super().scrollTo(index, hint)

    def viewportSizeHint(self) -> QSize:
        return QSize(0, 0)

    def enter(self) -> None:
        """While searching at the best of what was found, wherever it was left before."""
        if self._list.is_searching:
            self.setCurrentIndex(self._best())
        super().enter()

    def _best(self) -> QModelIndex:
        """The first hit: the active session above it is no answer."""
        first = self._first()
        entry = self.entry(first)
        found = self._list.next_entry(first, 1) if entry and entry.is_active else first
        return found if found.isValid() else first

    def _first(self) -> QModelIndex:
        return self._list.next_entry(QModelIndex(), 1)

    def _take_key(self, key: int) -> bool:
        entry = self.current_entry()
        match key:
            case Qt.Key.Key_Return | Qt.Key.Key_Enter if entry and not self._is_editing():
                self.opened.emit(entry)
            case Qt.Key.Key_Delete if entry:
                self.delete_pressed.emit(entry)
            case _:
                return super()._take_key(key)
        return True

    def _build(self) -> None:
        reserve_scrollbar(self)
        self.setEditTriggers(QAbstractItemView.EditTrigger.EditKeyPressed)
        self._nothing.setProperty("role", "muted")
        self._nothing.setWordWrap(True)
        self._nothing.setAlignment(Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignTop)
        self._nothing.hide()

    def _connect(self) -> None:
        self.clicked.connect(self._open)
        for changed in (
            self._list.rowsInserted,
            self._list.rowsRemoved,
            self._list.modelReset,
        ):
            changed.connect(self._place_nothing)

    def _open(self, index: QModelIndex) -> None:
        if entry := self.entry(index):
            self.opened.emit(entry)

    def _is_editing(self) -> bool:
        return self.state() is QAbstractItemView.State.EditingState

    def _place_nothing(self) -> None:
        if self._nothing.isHidden():
            return
        last = self.visualRect(self._list.index(self._list.rowCount() - 1))
        top = max(last.bottom(), 0) + Space.WIDE
        width = self.viewport().width() - 2 * Space.WIDE
        self._nothing.setGeometry(
            QRect(Space.WIDE, top, width, self._nothing.heightForWidth(width))
        )
