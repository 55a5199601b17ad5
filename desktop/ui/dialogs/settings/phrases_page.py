"""Settings, Sessions: the phrases that end a session or start a new topic."""

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtGui import QFont, QKeyEvent, QShowEvent
from PySide6.QtWidgets import QLineEdit, QListWidget, QTabBar

from desktop.settings.settings import Settings
from desktop.ui.dialogs.form import BackButton
from desktop.ui.dialogs.settings.setting_rows import SettingsPage
from desktop.ui.dialogs.settings.settings_controller import SettingsController
from desktop.ui.widgets.buttons import Button
from desktop.ui.widgets.labels import HintLabel
from desktop.ui.widgets.layouts import column, growing, row

_State = Qt.CheckState


@dataclass(frozen=True, slots=True)
class ShippedPhrases:
    """The phrases of both languages, those of the window's language first."""

    ends: Sequence[str] = ()
    new_topics: Sequence[str] = ()


class PhraseList(QListWidget):
    """The user's phrases first, then the shipped ones; an unchecked one is ignored."""

    remove_wanted = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._phrases: list[str] = []
        self.setProperty("role", "list")

    def show_phrases(
        self, own: Sequence[str], shipped: Sequence[str], ignored: Sequence[str]
    ) -> None:
        with QSignalBlocker(self):
            if [*own, *shipped] != self._phrases:
                self._phrases = [*own, *shipped]
                self.clear()
                self.addItems(self._phrases)
            for place, phrase in enumerate(self._phrases):
                is_own = place < len(own)
                is_ignored = not is_own and phrase in ignored
                font = QFont()
                font.setWeight(QFont.Weight.DemiBold if is_own else QFont.Weight.Normal)
                font.setStrikeOut(is_ignored)
                self.item(place).setFont(font)
                if not is_own:
                    state = _State.Unchecked if is_ignored else _State.Checked
                    self.item(place).setCheckState(state)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Delete:
            self.remove_wanted.emit()
        else:
            super().keyPressEvent(event)


class PhrasesPage(SettingsPage):
    left = Signal()

    def __init__(self, changes: SettingsController, shipped: ShippedPhrases) -> None:
        super().__init__(changes)
        self._kinds = (
            ("own_end_phrases", shipped.ends),
            ("own_new_topic_phrases", shipped.new_topics),
        )
        """The setting and the shipped phrases of each tab."""
        self.set_title(self.tr("Phrases"))
        back = BackButton(self.tr("Sessions"))
        back.clicked.connect(self.left)
        self._tabs, self._tab_hint = QTabBar(), HintLabel()
        self._tabs.setDrawBase(False)
        self._tabs.setExpanding(False)
        self._tabs.setAccessibleName(self.tr("Kind of phrase"))
        self._tabs.addTab(self.tr("End the session"))
        self._tabs.addTab(self.tr("Start a new topic"))
        self._list = PhraseList()
        self._list.setAccessibleName(self.tr("Phrases"))
        self._new = QLineEdit()
        self._new.setPlaceholderText(self.tr("Your own phrase"))
        self._new.setAccessibleName(self.tr("Your own phrase"))
        self._add = Button(text=self.tr("&Add"), press=self._add_phrase)
        self._add.setEnabled(False)
        self._remove = Button(text=self.tr("&Remove"), press=self._remove_phrase)
        syntax = self.tr(
            "Case does not matter. An asterisk at the end of a word stands for any "
            "ending; … on its own stands for one to three words."
        )
        line = row(growing(self._new), self._add, self._remove)
        self.column.insertWidget(0, back, 0, Qt.AlignmentFlag.AlignLeft)
        self.column.addLayout(
            column(self._tabs, self._tab_hint, line, HintLabel(syntax), growing(self._list)), 1
        )
        self._connect()
        self.follow(self._show_phrases)

    def _connect(self) -> None:
        self._tabs.currentChanged.connect(lambda _: self._show_phrases(self._changes.settings))
        self._new.returnPressed.connect(self._add_phrase)
        self._new.textChanged.connect(lambda text: self._add.setEnabled(bool(text.strip())))
        self._list.currentRowChanged.connect(lambda at: self._remove.setEnabled(at >= 0))
        self._list.remove_wanted.connect(self._remove_phrase)
        self._list.itemChanged.connect(
            lambda item: self._ignore(
                item.text(), is_ignored=item.checkState() is not _State.Checked
            )
        )

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        # What was laid out before the stylesheet was known has rows of another height.
        self._list.scheduleDelayedItemsLayout()

    def _show_phrases(self, settings: Settings) -> None:
        setting, shipped = self._kinds[self._tabs.currentIndex()]
        self._list.show_phrases(getattr(settings, setting), shipped, settings.ignored_phrases)
        self._remove.setEnabled(self._list.currentRow() >= 0)
        self._tab_hint.setText(
            self.tr("A message that says only this ends the session.")
            if self._tabs.currentIndex() == 0
            else self.tr(
                "A message that starts like this ends the session; the rest starts a new one."
            )
        )

    def _add_phrase(self) -> None:
        """Add a phrase, or check a shipped one again."""
        phrase = " ".join(self._new.text().split())
        setting, shipped = self._kinds[self._tabs.currentIndex()]
        own: tuple[str, ...] = getattr(self._changes.settings, setting)
        if phrase in self._changes.settings.ignored_phrases:
            self._ignore(phrase, is_ignored=False)
        elif phrase and phrase not in (*own, *shipped):
            self._apply(**{setting: (phrase, *own)})
        self._new.clear()
        self._list.scrollToTop()

    def _remove_phrase(self) -> None:
        """Delete an own phrase; uncheck a shipped one."""
        if self._list.currentRow() < 0:
            return
        item = self._list.currentItem()
        setting, _ = self._kinds[self._tabs.currentIndex()]
        own: tuple[str, ...] = getattr(self._changes.settings, setting)
        if self._list.currentRow() < len(own):
            self._apply(**{setting: tuple(each for each in own if each != item.text())})
        else:
            self._ignore(item.text(), is_ignored=True)

    def _ignore(self, phrase: str, *, is_ignored: bool) -> None:
        others = tuple(each for each in self._changes.settings.ignored_phrases if each != phrase)
        self._apply(ignored_phrases=(*others, phrase) if is_ignored else others)
