"""Settings, Shortcuts: the keys of every action, to change, clear and reset."""

from collections.abc import Mapping, Sequence

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtGui import QFont, QKeySequence
from PySide6.QtWidgets import (
    QHeaderView,
    QKeySequenceEdit,
    QLineEdit,
    QTreeWidget,
    QTreeWidgetItem,
)

from desktop.settings.settings import Settings
from desktop.ui.dialogs.shortcuts import Shortcut, Shortcuts, clash, keys_of, shown_keys, with_keys
from desktop.ui.settings.setting_rows import SettingsPage
from desktop.ui.settings_controller import PageId, SettingsController
from desktop.ui.widgets.buttons import Button
from desktop.ui.widgets.layouts import STRETCH, growing, row
from desktop.ui.widgets.plain_text import Label, ProblemLabel

_NAME = Qt.ItemDataRole.UserRole


class ShortcutTable(QTreeWidget):
    picked = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("role", "list")
        self.setColumnCount(2)
        self.setRootIsDecorated(False)
        self.setIndentation(0)
        self.setUniformRowHeights(True)
        self.setAllColumnsShowFocus(True)
        self.header().setStretchLastSection(False)
        self.header().setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        self.header().setSectionResizeMode(1, QHeaderView.ResizeMode.ResizeToContents)
        self.currentItemChanged.connect(lambda _: self.picked.emit())

    @property
    def current_name(self) -> str:
        item = self.currentItem()
        return str(item.data(0, _NAME) or "") if item else ""

    def show_shortcuts(self, shortcuts: Sequence[Shortcut], chosen: Mapping[str, str]) -> None:
        current = self.current_name
        self.clear()
        group, bold = "", QFont()
        bold.setWeight(QFont.Weight.DemiBold)
        for shortcut in shortcuts:
            if shortcut.group != group:
                group = shortcut.group
                head = QTreeWidgetItem([group, ""])
                head.setFlags(Qt.ItemFlag.ItemIsEnabled)
                head.setData(1, Qt.ItemDataRole.AccessibleTextRole, group)
                head.setForeground(0, self.palette().placeholderText())
                head.setFont(0, bold)
                self.addTopLevelItem(head)
            keys = shown_keys(keys_of(shortcut, chosen))
            item = QTreeWidgetItem([shortcut.text, keys])
            item.setData(0, _NAME, shortcut.name)
            item.setData(1, Qt.ItemDataRole.AccessibleTextRole, keys or self.tr("none"))
            item.setFont(1, bold if shortcut.name in chosen else QFont())
            self.addTopLevelItem(item)
            if shortcut.name == current:
                self.setCurrentItem(item)


class ShortcutsPage(SettingsPage):
    def __init__(self, changes: SettingsController, shortcuts: Shortcuts) -> None:
        super().__init__(changes, PageId.SHORTCUTS)
        self._shortcuts = tuple(shortcuts())
        self._table = ShortcutTable()
        self._table.setHeaderLabels([self.tr("Action"), self.tr("Keys")])
        self._table.setAccessibleName(self.tr("Actions and shortcuts"))
        self._keys = QKeySequenceEdit()
        self._keys.setClearButtonEnabled(True)
        self._keys.setMaximumSequenceLength(1)
        self._keys.setAccessibleName(self.tr("New keys"))
        # The line edit inside has the keyboard focus.
        for field in self._keys.findChildren(QLineEdit):
            field.setAccessibleName(self._keys.accessibleName())
        self._label = Label()
        self._label.setBuddy(self._keys)
        self._label.setWordWrap(True)
        self._problem = ProblemLabel()
        self._use_here = Button(text=self.tr("&Use for this action"), press=self._take_over)
        self._use_here.hide()
        self._reset = Button(text=self.tr("&Reset"), press=self._reset_one)
        self._reset_all = Button(
            text=self.tr("Reset a&ll"), press=lambda: self._apply(shortcuts={})
        )
        self.column.addWidget(self._table, 1)
        for line in (
            row(growing(self._label), self._keys, self._reset),
            row(growing(self._problem), self._use_here),
            row(self._reset_all, STRETCH),
        ):
            self.column.addLayout(line)
        self._table.picked.connect(self._pick)
        self._keys.editingFinished.connect(self._try)
        self.follow(self._show_shortcuts)

    def _show_shortcuts(self, settings: Settings) -> None:
        self._table.show_shortcuts(self._shortcuts, settings.shortcuts)
        self._reset_all.setEnabled(bool(settings.shortcuts))
        self._pick()

    def _current(self) -> Shortcut | None:
        name = self._table.current_name
        return next((each for each in self._shortcuts if each.name == name), None)

    def _pick(self) -> None:
        current = self._current()
        chosen = self._changes.settings.shortcuts
        self._problem.set_text("")
        self._use_here.hide()
        self._keys.setEnabled(current is not None)
        self._reset.setEnabled(current is not None and current.name in chosen)
        with QSignalBlocker(self._keys):
            if current is None:
                self._label.setText(self.tr("Select an action to change its shortcut."))
                self._keys.clear()
            else:
                self._label.setText(self.tr("&Keys for “{action}”").format(action=current.text))
                self._keys.setKeySequence(QKeySequence(keys_of(current, chosen)))

    def _typed_keys(self) -> str:
        return self._keys.keySequence().toString(QKeySequence.SequenceFormat.PortableText)

    def _try(self) -> None:
        current = self._current()
        chosen = self._changes.settings.shortcuts
        if current is None or self._typed_keys() == keys_of(current, chosen):
            return
        other = clash(self._typed_keys(), current.name, self._shortcuts, chosen)
        if other is None:
            self._apply(
                shortcuts=with_keys(chosen, self._shortcuts, current.name, self._typed_keys())
            )
            return
        self._problem.set_text(
            self.tr("{keys} is already in use for “{action}”.").format(
                keys=self._keys.keySequence().toString(QKeySequence.SequenceFormat.NativeText),
                action=other.text,
            )
        )
        self._use_here.show()

    def _take_over(self) -> None:
        current = self._current()
        chosen = self._changes.settings.shortcuts
        keys = self._typed_keys()
        while current and (other := clash(keys, current.name, self._shortcuts, chosen)):
            chosen = with_keys(chosen, self._shortcuts, other.name, "")
        if current:
            self._apply(shortcuts=with_keys(chosen, self._shortcuts, current.name, keys))

    def _reset_one(self) -> None:
        current = self._current()
        if current is None:
            return
        chosen = self._changes.settings.shortcuts
        rest = {name: keys for name, keys in chosen.items() if name != current.name}
        if clash(current.shipped, current.name, self._shortcuts, rest):
            with QSignalBlocker(self._keys):
                self._keys.setKeySequence(QKeySequence(current.shipped))
            self._try()
        else:
            self._apply(shortcuts=rest)
