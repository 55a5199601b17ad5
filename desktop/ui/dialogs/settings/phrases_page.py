"""Settings, Sessions: the phrases that end a session or start a new topic."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

from PySide6.QtCore import (
    QAbstractListModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    Qt,
    Signal,
)
from PySide6.QtGui import QFont, QKeySequence, QShortcut, QShowEvent
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLineEdit,
    QListView,
    QTabBar,
    QVBoxLayout,
    QWidget,
)

from desktop.settings.settings import Settings
from desktop.ui.dialogs.form import BackButton
from desktop.ui.dialogs.settings.setting_rows import SettingsPage
from desktop.ui.dialogs.settings.settings_controller import SettingsController
from desktop.ui.theme.tokens import Space
from desktop.ui.widgets.buttons import Button
from desktop.ui.widgets.labels import HintLabel

_Index = QModelIndex | QPersistentModelIndex
_TOP = QModelIndex()
_Role = Qt.ItemDataRole


class PhraseListModel(QAbstractListModel):
    """The user's phrases first, then the shipped ones; an unchecked one is ignored."""

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
        """Add a phrase, or check a shipped one again."""
        phrase = " ".join(phrase.split())
        if phrase in self._ignored:
            self.struck_out.emit(phrase, False)
        elif phrase and phrase not in (*self._own, *self._shipped):
            self.own_changed.emit((phrase, *self._own))

    def remove(self, index: _Index) -> None:
        """Delete an own phrase; uncheck a shipped one."""
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


@dataclass(frozen=True, slots=True)
class ShippedPhrases:
    """The phrases of both languages, those of the window's language first."""

    ends: Sequence[str] = ()
    new_topics: Sequence[str] = ()


class PhrasesPage(SettingsPage):
    left = Signal()

    def __init__(
        self, changes: SettingsController, shipped: ShippedPhrases, parent: QWidget | None = None
    ) -> None:
        super().__init__(changes, parent)
        self._models = (PhraseListModel(shipped.ends), PhraseListModel(shipped.new_topics))
        self._begin()
        self._turn_to(0)

    def _build(self) -> None:
        self._back = BackButton()
        self._tabs, self._tab_hint = QTabBar(), HintLabel()
        self._tabs.setDrawBase(False)
        self._tabs.setExpanding(False)
        for _ in self._models:
            self._tabs.addTab("")
        self._list = QListView()
        self._list.setProperty("role", "list")
        self._new, self._add, self._remove = QLineEdit(), Button(), Button()
        self._syntax = HintLabel()
        line = QHBoxLayout()
        line.setSpacing(Space.SMALL)
        line.addWidget(self._new, 1)
        line.addWidget(self._add)
        line.addWidget(self._remove)
        below = QVBoxLayout()
        below.setSpacing(Space.SMALL)
        for widget in (self._tabs, self._tab_hint):
            below.addWidget(widget)
        below.addLayout(line)
        below.addWidget(self._syntax)
        below.addWidget(self._list, 1)
        self.column.insertWidget(0, self._back, 0, Qt.AlignmentFlag.AlignLeft)
        self.column.addLayout(below, 1)

    def _connect(self) -> None:
        self._back.clicked.connect(self.left)
        self._tabs.currentChanged.connect(self._turn_to)
        self._add.clicked.connect(self._add_phrase)
        self._new.returnPressed.connect(self._add_phrase)
        self._new.textChanged.connect(lambda text: self._add.setEnabled(bool(text.strip())))
        self._remove.clicked.connect(self._remove_phrase)
        delete = QShortcut(QKeySequence.StandardKey.Delete, self._list)
        delete.setContext(Qt.ShortcutContext.WidgetShortcut)
        delete.activated.connect(self._remove_phrase)
        ends, new_topics = self._models
        ends.own_changed.connect(self._choose_ends)
        new_topics.own_changed.connect(self._choose_new_topics)
        for model in self._models:
            model.struck_out.connect(self._strike_out)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        # What was laid out before the stylesheet was known has rows of another height.
        self._list.scheduleDelayedItemsLayout()

    def retranslate(self) -> None:
        self.title.setText(self.tr("Phrases"))
        self._back.set_page(self.tr("Sessions"))
        self._tabs.setTabText(0, self.tr("End the session"))
        self._tabs.setTabText(1, self.tr("Start a new topic"))
        self._tabs.setAccessibleName(self.tr("Kind of phrase"))
        self._new.setPlaceholderText(self.tr("Your own phrase"))
        self._new.setAccessibleName(self.tr("Your own phrase"))
        self._add.setText(self.tr("&Add"))
        self._remove.setText(self.tr("&Remove"))
        self._list.setAccessibleName(self.tr("Phrases"))
        self._syntax.setText(
            self.tr(
                "Case does not matter. An asterisk at the end of a word stands for any "
                "ending; … on its own stands for one to three words."
            )
        )
        self._show_tab_hint()

    def _show_tab_hint(self) -> None:
        self._tab_hint.setText(
            self.tr("A message that says only this ends the session.")
            if self._tabs.currentIndex() == 0
            else self.tr(
                "A message that starts like this ends the session; the rest starts a new one."
            )
        )

    def _turn_to(self, tab: int) -> None:
        self._list.setModel(self._models[tab])
        self._list.selectionModel().currentChanged.connect(self._follow)
        self._follow(QModelIndex())
        self._add.setEnabled(bool(self._new.text().strip()))
        self._show_tab_hint()

    def _follow(self, current: QModelIndex) -> None:
        self._remove.setEnabled(current.isValid())

    def _show(self, settings: Settings) -> None:
        ends, new_topics = self._models
        ends.show_phrases(settings.own_end_phrases, settings.ignored_phrases)
        new_topics.show_phrases(settings.own_new_topic_phrases, settings.ignored_phrases)

    def _add_phrase(self) -> None:
        self._models[self._tabs.currentIndex()].add(self._new.text())
        self._new.clear()
        self._list.scrollToTop()

    def _remove_phrase(self) -> None:
        index = self._list.currentIndex()
        if index.isValid():
            self._models[self._tabs.currentIndex()].remove(index)

    def _choose_ends(self, phrases: tuple[str, ...]) -> None:
        self._changes.apply(replace(self._changes.settings, own_end_phrases=phrases))

    def _choose_new_topics(self, phrases: tuple[str, ...]) -> None:
        self._changes.apply(replace(self._changes.settings, own_new_topic_phrases=phrases))

    def _strike_out(self, phrase: str, is_struck: bool) -> None:  # noqa: FBT001 (a slot)
        others = tuple(each for each in self._changes.settings.ignored_phrases if each != phrase)
        ignored = (*others, phrase) if is_struck else others
        self._changes.apply(replace(self._changes.settings, ignored_phrases=ignored))
