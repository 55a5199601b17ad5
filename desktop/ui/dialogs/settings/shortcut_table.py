"""The table of actions and their keys, grouped as the menus are."""

from collections.abc import Mapping, Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QHeaderView, QTreeWidget, QTreeWidgetItem, QWidget

from desktop.ui.dialogs.shortcuts import Shortcut, keys_of, shown_keys

_NAME = Qt.ItemDataRole.UserRole


class ShortcutTable(QTreeWidget):
    picked = Signal(str)  # the action's name; empty for none

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("role", "list")
        self.setColumnCount(2)
        self.setRootIsDecorated(False)
        self.setIndentation(0)
        self.setUniformRowHeights(True)
        self.setAllColumnsShowFocus(True)
        self.header().setStretchLastSection(False)
        self.header().setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        self.header().setSectionResizeMode(1, QHeaderView.ResizeMode.ResizeToContents)
        self.currentItemChanged.connect(lambda item: self.picked.emit(_name_of(item)))

    @property
    def current_name(self) -> str:
        return _name_of(self.currentItem())

    def show_shortcuts(self, shortcuts: Sequence[Shortcut], chosen: Mapping[str, str]) -> None:
        """Show them all; the current one stays current."""
        current = self.current_name
        self.clear()
        group = ""
        for shortcut in shortcuts:
            if shortcut.group != group:
                group = shortcut.group
                self._add_group(group)
            item = QTreeWidgetItem([shortcut.text, shown_keys(keys_of(shortcut, chosen))])
            item.setData(0, _NAME, shortcut.name)
            font = QFont()
            font.setWeight(
                QFont.Weight.DemiBold if shortcut.name in chosen else QFont.Weight.Normal
            )
            item.setFont(1, font)
            self.addTopLevelItem(item)
            if shortcut.name == current:
                self.setCurrentItem(item)

    def _add_group(self, group: str) -> None:
        item = QTreeWidgetItem([group, ""])
        item.setFlags(Qt.ItemFlag.ItemIsEnabled)
        item.setForeground(0, self.palette().placeholderText())
        font = QFont()
        font.setWeight(QFont.Weight.DemiBold)
        item.setFont(0, font)
        self.addTopLevelItem(item)


def _name_of(item: QTreeWidgetItem | None) -> str:
    return str(item.data(0, _NAME) or "") if item is not None else ""
