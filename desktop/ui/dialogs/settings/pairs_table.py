"""A table of two columns to be written in: an empty row at its end takes what is new."""

from collections.abc import Callable, Sequence

from PySide6.QtCore import (
    QAbstractTableModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    Qt,
    Signal,
)
from PySide6.QtGui import QGuiApplication, QKeyEvent
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTableView, QWidget

Pair = tuple[str, str]
_Index = QModelIndex | QPersistentModelIndex
_TOP = QModelIndex()
_Role = Qt.ItemDataRole
_ROWS_SHOWN = 3


class PairsModel(QAbstractTableModel):
    written = Signal(object)
    """List of Pairs, without the empty row"""
    refused = Signal(str)
    """What was written and cannot be taken"""

    def __init__(self, accepts: Callable[[int, str], bool], parent: QObject | None = None) -> None:
        """`accepts`: whether a column can be given a text."""
        super().__init__(parent)
        self._accepts = accepts
        self._pairs: list[Pair] = []
        self._new: Pair = ("", "")
        """The last row, until both of it are written."""
        self._titles = ("", "")
        self._hints = ("", "")

    def show_pairs(self, pairs: Sequence[Pair]) -> None:
        if list(pairs) != self._pairs:
            self.beginResetModel()
            self._pairs = list(pairs)
            self.endResetModel()

    def say(self, titles: Pair, hints: Pair) -> None:
        """`hints`: what stands in the empty row."""
        self._titles, self._hints = titles, hints
        self.headerDataChanged.emit(Qt.Orientation.Horizontal, 0, 1)
        last = len(self._pairs)
        self.dataChanged.emit(self.index(last, 0), self.index(last, 1))

    def remove(self, row: int) -> None:
        if row < len(self._pairs):
            pairs = [pair for place, pair in enumerate(self._pairs) if place != row]
            self.show_pairs(pairs)
            self.written.emit(pairs)

    def rowCount(self, parent: _Index = _TOP) -> int:
        return 0 if parent.isValid() else len(self._pairs) + 1

    def columnCount(self, parent: _Index = _TOP) -> int:
        return 0 if parent.isValid() else 2

    def flags(self, index: _Index) -> Qt.ItemFlag:
        flags = super().flags(index)
        return flags | Qt.ItemFlag.ItemIsEditable if index.isValid() else flags

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = _Role.DisplayRole
    ) -> object:
        if orientation is Qt.Orientation.Horizontal and role == _Role.DisplayRole:
            return self._titles[section]
        return None

    def data(self, index: _Index, role: int = _Role.DisplayRole) -> object:
        if not index.isValid():
            return None
        is_new = index.row() == len(self._pairs)
        text = (self._new if is_new else self._pairs[index.row()])[index.column()]
        match role:
            case _Role.EditRole:
                return text
            case _Role.DisplayRole:
                return text or self._hints[index.column()]
            case _Role.AccessibleTextRole:
                return f"{self._titles[index.column()]}: {text}" if text else self._hints[0]
            case _Role.ForegroundRole if is_new and not text:
                return QGuiApplication.palette().placeholderText()
            case _:
                return None

    def setData(self, index: _Index, value: object, role: int = _Role.EditRole) -> bool:
        if role != _Role.EditRole or not index.isValid() or not isinstance(value, str):
            return False
        text = " ".join(value.split())
        if text and not self._accepts(index.column(), text):
            self.refused.emit(text)
            return False
        self.refused.emit("")
        if index.row() == len(self._pairs):
            return self._write_new(index.column(), text)
        if not text:
            self.remove(index.row())
            return True
        pairs = [*self._pairs]
        pairs[index.row()] = _with(pairs[index.row()], index.column(), text)
        return self._take(pairs)

    def _write_new(self, column: int, text: str) -> bool:
        self._new = _with(self._new, column, text)
        if all(self._new):
            pairs, self._new = [*self._pairs, self._new], ("", "")
            return self._take(pairs)
        last = len(self._pairs)
        self.dataChanged.emit(self.index(last, 0), self.index(last, 1))
        return True

    def _take(self, pairs: list[Pair]) -> bool:
        self.show_pairs(pairs)
        self.written.emit(pairs)
        return True


class PairsTable(QTableView):
    """Delete takes a row out; Tab leaves the table."""

    def __init__(self, pairs: PairsModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._pairs = pairs
        pairs.setParent(self)
        self.setModel(pairs)
        self.setProperty("role", "list")
        self.setShowGrid(False)
        self.setTabKeyNavigation(False)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setEditTriggers(
            QAbstractItemView.EditTrigger.AnyKeyPressed
            | QAbstractItemView.EditTrigger.DoubleClicked
            | QAbstractItemView.EditTrigger.EditKeyPressed
            | QAbstractItemView.EditTrigger.SelectedClicked
        )
        self.verticalHeader().hide()
        header = self.horizontalHeader()
        header.setSectionResizeMode(QHeaderView.ResizeMode.Stretch)
        header.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        header.setHighlightSections(False)
        row = self.verticalHeader().defaultSectionSize()
        self.setMinimumHeight((_ROWS_SHOWN + 1) * row)

    def remove_current(self) -> None:
        if self.currentIndex().isValid():
            self._pairs.remove(self.currentIndex().row())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Delete:
            self.remove_current()
            event.accept()
        else:
            super().keyPressEvent(event)


def _with(pair: Pair, column: int, text: str) -> Pair:
    return (text, pair[1]) if column == 0 else (pair[0], text)
