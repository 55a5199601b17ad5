"""The settings pages Instructions, Memory and Phrases, which hold texts of the user."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtGui import QFont, QKeyEvent, QShowEvent
from PySide6.QtWidgets import QLineEdit, QListWidget, QTabBar

from desktop.domain.facts import Retention
from desktop.settings.settings import OWN_PERSONA, USUAL_PERSONA, Settings, StandingInstruction
from desktop.settings.settings_schema import (
    COMPACT_AFTER,
    HISTORY_ITEMS,
    LONGEST_INSTRUCTION,
    LONGEST_PERSONA,
    LONGEST_VARIABLE,
    MOST_INSTRUCTIONS,
    MOST_VARIABLES,
    RECALLED_ITEMS,
    RETENTION_HOURS,
)
from desktop.ui.dialogs.form import BackButton
from desktop.ui.dialogs.settings.editable_table import EditableTable, TableRow
from desktop.ui.dialogs.settings.setting_rows import SettingsPage
from desktop.ui.dialogs.settings.settings_controller import SettingsController
from desktop.ui.widgets.buttons import Button
from desktop.ui.widgets.fields import EnumComboBox, NumberField, TextArea
from desktop.ui.widgets.labels import HintLabel, SectionLabel
from desktop.ui.widgets.layouts import STRETCH, FlowLayout, column, growing, row

_PERSONA_LINES, _LIST_LINES = 6, 9


class InstructionsPage(SettingsPage):
    def __init__(
        self, changes: SettingsController, personas: Callable[[], Mapping[str, str]]
    ) -> None:
        """`personas` returns their texts by name, in the language of the window."""
        super().__init__(changes)
        self._personas = personas()
        self.set_title(self.tr("Instructions"))
        self._add_persona()
        self.column.addWidget(self._form)
        self._add_instructions()
        self.column.addStretch()

    def _add_persona(self) -> None:
        known = {
            USUAL_PERSONA: self.tr("Research assistant"),
            "butler": self.tr("Butler"),
            "editor": self.tr("Editor"),
            "teacher": self.tr("Teacher"),
        }
        # The usual ones come first, in this order.
        there = [name for name in (*known, *self._personas) if name in self._personas]
        names = [*dict.fromkeys(there), OWN_PERSONA]
        known[OWN_PERSONA] = self.tr("Custom")
        persona = EnumComboBox(names, names=[known.get(name, name) for name in names])
        self._persona_text = HintLabel()
        self._own = TextArea(lines=_PERSONA_LINES)
        self._own.setPlaceholderText(
            self.tr("You are Bellek, a … who … Describe who the assistant is and how it speaks.")
        )
        self.add_section(self.tr("Assistant"))
        self.add_row("persona", persona, self.tr("&Character"))
        self._form.add_below(self._persona_text)
        self.add_text(
            "own_persona", self._own, self.tr("Your o&wn description"), parse=self._checked_persona
        )
        self.add_switch(
            "checks_answers",
            self.tr("Chec&k answers before showing them"),
            self.tr(
                "Bellek checks that an answer is complete, in your language and in character, and "
                "reveals no internal details. If a check fails, Bellek rewrites the answer or "
                "notes what is missing."
            ),
        )
        self.follow(self._show_persona)

    def _show_persona(self, settings: Settings) -> None:
        words = self._personas.get(settings.persona, "")
        self._persona_text.setText(words)
        self._persona_text.setVisible(bool(words))
        self._form.show_row(self._own, is_shown=settings.persona == OWN_PERSONA)

    def _checked_persona(self, text: str) -> str:
        if len(text) > LONGEST_PERSONA:
            raise ValueError(
                self.tr("Enter at most {count} characters.").format(count=LONGEST_PERSONA)
            )
        return text

    def _add_instructions(self) -> None:
        self.table = EditableTable(
            [self.tr("New, e.g. “Answer in at most five sentences”")],
            lambda _, text: len(text) <= LONGEST_INSTRUCTION,
            self.tr("An instruction can have at most 1,000 characters."),
            lines=_LIST_LINES,
            most=MOST_INSTRUCTIONS,
            is_checkable=True,
        )
        self.table.setAccessibleName(self.tr("Standing instructions"))
        self.table.horizontalHeader().hide()
        self.table.written.connect(self._apply_instructions)
        self.follow(
            lambda settings: self.table.show_rows(
                [TableRow((one.text,), one.is_on) for one in settings.instructions]
            )
        )
        buttons = FlowLayout()
        for text, press in (
            (self.tr("&New instruction"), self.table.edit_new),
            (self.tr("Move &up"), partial(self.table.move_current, by=-1)),
            (self.tr("Move &down"), partial(self.table.move_current, by=1)),
            (self.tr("&Remove"), self.table.remove_current),
        ):
            buttons.addWidget(Button(text=text, press=press))
        about = self.tr(
            "Rules that the model follows in every session. A rule that is turned off stays in "
            "the list but is not sent."
        )
        heading = SectionLabel(self.tr("Instructions for every session"))
        rows = (heading, HintLabel(about), self.table, self.table.problem, buttons)
        self.column.addLayout(column(*rows))

    def _apply_instructions(self, rows: Sequence[TableRow]) -> None:
        self._apply(
            instructions=tuple(StandingInstruction(one.texts[0], one.is_on) for one in rows)
        )


_LINES = 4
_HOURS = 1  # the column of hours
_AUTOMATIC = COMPACT_AFTER.start - 1  # the number that stands for 0 in the settings


class MemoryPage(SettingsPage):
    memory_asked = Signal()

    def __init__(self, changes: SettingsController) -> None:
        super().__init__(changes)
        self.set_title(self.tr("Memory"))
        self._open = Button(text=self.tr("&Open memory…"), press=self.memory_asked.emit)
        self.column.addWidget(self._open, 0, Qt.AlignmentFlag.AlignLeft)
        self._add_use()
        self._add_amounts()
        self.column.addWidget(self._form)
        self._add_variables()
        self._add_retention()
        self.column.addStretch()

    def _add_use(self) -> None:
        self.add_section(self.tr("Facts"))
        self.add_switch(
            "uses_memory",
            self.tr("&Remember important facts across sessions"),
            self.tr(
                "When a session ends, Bellek learns facts from your own messages only. When "
                "memory is off, Bellek neither learns nor sends facts, but existing facts are "
                "kept."
            ),
        )
        self.add_switch(
            "uses_past_sessions",
            self.tr("Use &past sessions and the facts learned from them"),
            self.tr("When this setting is off, only the current session is sent with a question."),
        )
        self.add_switch(
            "uses_patterns",
            self.tr("Suggest &questions"),
            self.tr(
                "Once a day, Bellek looks for patterns in your sessions and suggests questions "
                "based on them. Nothing is sent. Turning off suggestions deletes the patterns "
                "found so far."
            ),
        )

    def _add_amounts(self) -> None:
        self.add_section(self.tr("Amount sent with each question"))
        self.add_switch(
            "is_lite",
            self.tr("&Lite mode"),
            self.tr("Sends half as much, with at most two facts."),
        )
        self.add_row(
            "history_items",
            NumberField(HISTORY_ITEMS, self.tr("the newest {count} messages")),
            self.tr("&Word for word"),
            self.tr("These messages are never summarised."),
        )
        self.add_row(
            "recalled_items",
            NumberField(RECALLED_ITEMS, self.tr("up to {count} passages"), self.tr("None")),
            self.tr("&Automatic recall"),
            self.tr(
                "Relevant passages from past sessions, memory and the library are sent with your "
                "question, even if you do not ask for them."
            ),
        )
        self.add_row(
            "compact_after",
            NumberField(
                range(_AUTOMATIC, COMPACT_AFTER.stop),
                self.tr("{count} messages at a time"),
                self.tr("Based on the model"),
            ),
            self.tr("&Summarise"),
            self.tr(
                "Older messages of a long session are summarised in the background. The "
                "original messages stay on your disk."
            ),
        )

    def _add_variables(self) -> None:
        self.variables = EditableTable(
            (self.tr("New, e.g. Profession"), self.tr("e.g. Physician")),
            lambda _, text: len(text) <= LONGEST_VARIABLE,
            self.tr("You can add up to {count} values of up to {length} characters each.").format(
                count=MOST_VARIABLES, length=LONGEST_VARIABLE
            ),
            lines=_LINES,
            most=MOST_VARIABLES,
        )
        self.variables.setHorizontalHeaderLabels([self.tr("Name"), self.tr("Value")])
        self.variables.written.connect(
            lambda rows: self._apply(variables=dict(one.texts for one in rows))
        )
        self.follow(
            lambda settings: self.variables.show_rows(
                [TableRow(pair) for pair in settings.variables.items()]
            )
        )
        self._add_table(
            self.variables,
            self.tr("About you"),
            self.tr(
                "Details sent with every question, such as your name, profession or preferred "
                "units."
            ),
            self.tr("Remove the selected value"),
        )

    def _add_retention(self) -> None:
        hints = (self.tr("New, e.g. health*"), self.tr("e.g. 720"))
        refusal = self.tr("Enter a number of hours from {least} to {most}.").format(
            least=RETENTION_HOURS.start, most=RETENTION_HOURS.stop - 1
        )
        self.retention = EditableTable(hints, _can_be_retention, refusal, lines=_LINES)
        self.retention.setHorizontalHeaderLabels([self.tr("Topic"), self.tr("Hours")])
        self.retention.written.connect(
            lambda rows: self._apply(
                retention=tuple(Retention(one.texts[0], int(one.texts[1])) for one in rows)
            )
        )
        self.follow(
            lambda settings: self.retention.show_rows(
                [TableRow((one.pattern, str(one.hours))) for one in settings.retention]
            )
        )
        self._add_table(
            self.retention,
            self.tr("Fact lifetime"),
            self.tr(
                "After 48 hours, a fact is sent only with related questions. You can set a "
                "different time for a topic. In a topic, * matches any letters. The first "
                "matching row applies."
            ),
            self.tr("Remove the selected topic"),
        )

    def _add_table(self, table: EditableTable, heading: str, hint: str, removes: str) -> None:
        table.setAccessibleName(heading)
        remove = Button(text=self.tr("Remove"), name=removes, press=table.remove_current)
        foot = row(growing(table.problem), STRETCH, remove)
        self.column.addLayout(column(SectionLabel(heading), HintLabel(hint), table, foot))


def _can_be_retention(column: int, text: str) -> bool:
    if column != _HOURS:
        return True
    return text.isascii() and text.isdigit() and int(text) in RETENTION_HOURS


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
        self._tabs.setAccessibleName(self.tr("Type of phrase"))
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
            "Capitalisation is ignored. An asterisk at the end of a word matches any ending; … on "
            "its own matches one to three words."
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
        # Rows that were laid out before the stylesheet applied have another height.
        self._list.scheduleDelayedItemsLayout()

    def _show_phrases(self, settings: Settings) -> None:
        setting, shipped = self._kinds[self._tabs.currentIndex()]
        self._list.show_phrases(getattr(settings, setting), shipped, settings.ignored_phrases)
        self._remove.setEnabled(self._list.currentRow() >= 0)
        self._tab_hint.setText(
            self.tr("A message that contains only this phrase ends the session.")
            if self._tabs.currentIndex() == 0
            else self.tr(
                "A message that starts with this phrase ends the session. The rest of the "
                "message starts a new session."
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
