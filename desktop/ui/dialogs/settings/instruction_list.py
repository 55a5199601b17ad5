"""Standing instructions as a list to be written in: each with a switch, an empty row for new."""

from collections.abc import Sequence

from PySide6.QtCore import (
    QAbstractListModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    Qt,
    Signal,
)
from PySide6.QtGui import QGuiApplication

from desktop.settings.settings import StandingInstruction
from desktop.settings.settings_schema import LONGEST_INSTRUCTION, MOST_INSTRUCTIONS

_Index = QModelIndex | QPersistentModelIndex
_TOP = QModelIndex()
_Role = Qt.ItemDataRole


class InstructionListModel(QAbstractListModel):
    written = Signal(object)
    """Tuple of StandingInstructions"""
    refused = Signal(bool)
    """Whether something was written that cannot be taken"""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._kept: tuple[StandingInstruction, ...] = ()
        self._hint = ""

    def show_instructions(self, kept: Sequence[StandingInstruction]) -> None:
        if tuple(kept) != self._kept:
            self.beginResetModel()
            self._kept = tuple(kept)
            self.endResetModel()

    def say(self, hint: str) -> None:
        """What stands in the empty row."""
        self._hint = hint
        self.dataChanged.emit(self.index(len(self._kept)), self.index(len(self._kept)))

    def remove(self, row: int) -> None:
        if row < len(self._kept):
            self._put([one for place, one in enumerate(self._kept) if place != row])

    def move(self, row: int, by: int) -> bool:
        """Those that come first count first."""
        to = row + by
        if not (0 <= row < len(self._kept) and 0 <= to < len(self._kept)):
            return False
        kept = list(self._kept)
        kept[row], kept[to] = kept[to], kept[row]
        self._put(kept)
        return True

    def rowCount(self, parent: _Index = _TOP) -> int:
        has_room = len(self._kept) < MOST_INSTRUCTIONS
        return 0 if parent.isValid() else len(self._kept) + int(has_room)

    def flags(self, index: _Index) -> Qt.ItemFlag:
        flags = super().flags(index)
        if not index.isValid():
            return flags
        flags |= Qt.ItemFlag.ItemIsEditable
        return flags | Qt.ItemFlag.ItemIsUserCheckable if self._one(index) else flags

    def data(self, index: _Index, role: int = _Role.DisplayRole) -> object:
        one = self._one(index)
        match role:
            case _Role.DisplayRole if index.isValid():
                return one.text if one else self._hint
            case _Role.EditRole:
                return one.text if one else ""
            case _Role.CheckStateRole if one is not None:
                return Qt.CheckState.Checked if one.is_on else Qt.CheckState.Unchecked
            case _Role.ForegroundRole if index.isValid() and one is None:
                return QGuiApplication.palette().placeholderText()
            case _:
                return None

    def setData(self, index: _Index, value: object, role: int = _Role.EditRole) -> bool:
        one = self._one(index)
        if role == _Role.CheckStateRole and one is not None:
            is_on = Qt.CheckState(value) is Qt.CheckState.Checked
            return self._change(index.row(), StandingInstruction(one.text, is_on))
        if role != _Role.EditRole or not index.isValid() or not isinstance(value, str):
            return False
        text = " ".join(value.split())
        self.refused.emit(len(text) > LONGEST_INSTRUCTION)
        if len(text) > LONGEST_INSTRUCTION or (not text and one is None):
            return False
        if not text:
            self.remove(index.row())
            return True
        return self._change(index.row(), StandingInstruction(text, one.is_on if one else True))

    def _change(self, row: int, changed: StandingInstruction) -> bool:
        kept = list(self._kept)
        kept[row : row + 1] = [changed]
        self._put(kept)
        return True

    def _put(self, kept: Sequence[StandingInstruction]) -> None:
        self.show_instructions(kept)
        self.written.emit(tuple(kept))

    def _one(self, index: _Index) -> StandingInstruction | None:
        is_kept = index.isValid() and index.row() < len(self._kept)
        return self._kept[index.row()] if is_kept else None
