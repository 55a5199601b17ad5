"""Phrases in a list: the user's own, then the shipped ones, of which any can be struck out."""

from collections.abc import Sequence
from typing import ClassVar

from PySide6.QtCore import (
    QAbstractListModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    Qt,
    Signal,
)
from PySide6.QtGui import QFont

_Index = QModelIndex | QPersistentModelIndex
_TOP = QModelIndex()
_Role = Qt.ItemDataRole


class PhraseListModel(QAbstractListModel):
    """A checked phrase counts; an unchecked one is struck out."""

    own_changed = Signal(object)  # tuple[str, ...]
    struck_out = Signal(str, bool)

    is_own_role: ClassVar[int] = _Role.UserRole + 1

    def __init__(self, shipped: Sequence[str], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._shipped = tuple(shipped)
        self._own: tuple[str, ...] = ()
        self._ignored: frozenset[str] = frozenset()

    def show_phrases(self, own: Sequence[str], ignored: Sequence[str]) -> None:
        if (tuple(own), frozenset(ignored)) == (self._own, self._ignored):
            return
        self.beginResetModel()
        self._own = tuple(own)
        self._ignored = frozenset(ignored)
        self.endResetModel()

    def add(self, phrase: str) -> None:
        """Put it first; a shipped phrase that was struck out counts again instead."""
        phrase = " ".join(phrase.split())
        if phrase in self._ignored:
            self.struck_out.emit(phrase, False)
        elif phrase and phrase not in (*self._own, *self._shipped):
            self.own_changed.emit((phrase, *self._own))

    def remove(self, index: _Index) -> None:
        """An own phrase goes; a shipped one is struck out."""
        phrase = self._phrase(index)
        if index.row() < len(self._own):
            self.own_changed.emit(tuple(each for each in self._own if each != phrase))
        else:
            self.struck_out.emit(phrase, True)

    def rowCount(self, parent: _Index = _TOP) -> int:
        return 0 if parent.isValid() else len(self._own) + len(self._shipped)

    def flags(self, index: _Index) -> Qt.ItemFlag:
        flags = super().flags(index)
        is_shipped = index.isValid() and index.row() >= len(self._own)
        return flags | Qt.ItemFlag.ItemIsUserCheckable if is_shipped else flags

    def data(self, index: _Index, role: int = _Role.DisplayRole) -> object:
        if not index.isValid():
            return None
        phrase = self._phrase(index)
        is_own = index.row() < len(self._own)
        match role:
            case _Role.DisplayRole | _Role.AccessibleTextRole:
                return phrase
            case _Role.CheckStateRole if not is_own:
                return _state(is_checked=phrase not in self._ignored)
            case _Role.FontRole:
                return _font(is_own=is_own, is_struck=not is_own and phrase in self._ignored)
            case self.is_own_role:
                return is_own
            case _:
                return None

    def setData(self, index: _Index, value: object, role: int = _Role.EditRole) -> bool:
        if role != _Role.CheckStateRole or not index.isValid():
            return False
        self.struck_out.emit(self._phrase(index), Qt.CheckState(value) == Qt.CheckState.Unchecked)
        return True

    def _phrase(self, index: _Index) -> str:
        return (*self._own, *self._shipped)[index.row()]


def _state(*, is_checked: bool) -> Qt.CheckState:
    return Qt.CheckState.Checked if is_checked else Qt.CheckState.Unchecked


def _font(*, is_own: bool, is_struck: bool) -> QFont:
    font = QFont()
    font.setStrikeOut(is_struck)
    if is_own:
        font.setWeight(QFont.Weight.DemiBold)
    return font
