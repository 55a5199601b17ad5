"""The settings pages Instructions, Memory and Phrases, which hold texts of the user."""

from collections.abc import Callable, Mapping, Sequence

from PySide6.QtCore import Qt, Signal

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
from desktop.ui.dialogs.settings.setting_rows import EditableTable, SettingsPage, TableRow
from desktop.ui.dialogs.settings.settings_controller import SettingsController
from desktop.ui.services import ShippedPhrases
from desktop.ui.widgets.buttons import Button
from desktop.ui.widgets.fields import EnumComboBox, NumberField, TextArea
from desktop.ui.widgets.plain_text import HintLabel

_PERSONA_LINES = 6
_MOST_PHRASES = 1_000


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
        self.table = EditableTable(
            [self.tr("New, e.g. “Answer in at most five sentences”")],
            lambda _, text: len(text) <= LONGEST_INSTRUCTION,
            self.tr("An instruction can have at most 1,000 characters."),
            most=MOST_INSTRUCTIONS,
            is_checkable=True,
            is_ordered=True,
        )
        self.add_table(
            self.table,
            self.tr("Instructions for every session"),
            self.tr(
                "Rules that the model follows in every session. A rule that is turned off stays "
                "in the list but is not sent."
            ),
            lambda settings: [TableRow((one.text,), one.is_on) for one in settings.instructions],
            lambda rows: {
                "instructions": tuple(StandingInstruction(one.texts[0], one.is_on) for one in rows)
            },
        )
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
        self._persona_text.set_text(self._personas.get(settings.persona, ""))
        self._form.show_row(self._own, is_shown=settings.persona == OWN_PERSONA)

    def _checked_persona(self, text: str) -> str:
        if len(text) > LONGEST_PERSONA:
            raise ValueError(
                self.tr("Enter at most {count} characters.").format(count=LONGEST_PERSONA)
            )
        return text


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
            NumberField(RECALLED_ITEMS, self.tr("up to {count} passages"), self.tr("Never")),
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
            most=MOST_VARIABLES,
        )
        self.variables.setHorizontalHeaderLabels([self.tr("Name"), self.tr("Value")])
        self.add_table(
            self.variables,
            self.tr("About you"),
            self.tr(
                "Details sent with every question, such as your name, your profession or the "
                "units you prefer."
            ),
            lambda settings: map(TableRow, settings.variables.items()),
            lambda rows: {"variables": {one.texts[0]: one.texts[1] for one in rows}},
        )

    def _add_retention(self) -> None:
        hints = (self.tr("New, e.g. health*"), self.tr("e.g. 720"))
        refusal = self.tr("Enter a number of hours from {least} to {most}.").format(
            least=RETENTION_HOURS.start, most=RETENTION_HOURS.stop - 1
        )
        self.retention = EditableTable(
            hints, lambda column, text: column != _HOURS or _are_hours(text), refusal
        )
        self.retention.setHorizontalHeaderLabels([self.tr("Topic"), self.tr("Hours")])
        self.add_table(
            self.retention,
            self.tr("Fact lifetime"),
            self.tr(
                "After 48 hours, a fact of importance 7 or less is sent only with related "
                "questions. You can set a different time for a topic, also for important facts. "
                "In a topic, * matches any letters. The first matching row applies."
            ),
            lambda settings: [
                TableRow((one.pattern, str(one.hours))) for one in settings.retention
            ],
            lambda rows: {
                "retention": tuple(Retention(one.texts[0], int(one.texts[1])) for one in rows)
            },
        )


def _are_hours(text: str) -> bool:
    return text.isascii() and text.isdigit() and int(text) in RETENTION_HOURS


class PhrasesPage(SettingsPage):
    left = Signal()

    def __init__(self, changes: SettingsController, shipped: ShippedPhrases) -> None:
        super().__init__(changes)
        self.set_title(self.tr("Phrases"))
        back = BackButton(self.tr("Sessions"))
        back.clicked.connect(self.left)
        self.column.insertWidget(0, back, 0, Qt.AlignmentFlag.AlignLeft)
        syntax = self.tr(
            "Capitalisation is ignored. An asterisk at the end of a word matches any ending; … on "
            "its own matches one to three words. Phrases that are turned off are ignored."
        )
        self.column.addWidget(HintLabel(syntax))
        self.ends = self._table(
            "own_end_phrases",
            shipped.ends,
            self.tr("End the session"),
            self.tr("A message that contains only this phrase ends the session."),
        )
        self.new_topics = self._table(
            "own_new_topic_phrases",
            shipped.new_topics,
            self.tr("Start a new topic"),
            self.tr(
                "A message that starts with this phrase ends the session. The rest of the "
                "message starts a new session."
            ),
        )

    def _table(self, setting: str, shipped: Sequence[str], title: str, hint: str) -> EditableTable:

        def read(settings: Settings) -> list[TableRow]:
            own: tuple[str, ...] = getattr(settings, setting)
            ignored = settings.ignored_phrases
            return [TableRow((one,), one not in ignored) for one in (*shipped, *own)]

        def write(rows: Sequence[TableRow]) -> Mapping[str, object]:
            counting = {row.texts[0]: row.is_on for row in rows}
            own = [one for one in counting if one not in shipped]
            here = {*shipped, *own}
            ignored = [one for one in self._changes.settings.ignored_phrases if one not in here]
            ignored += [one for one in (*shipped, *own) if not counting.get(one)]
            return {setting: tuple(own), "ignored_phrases": tuple(ignored)}

        made = EditableTable(
            [self.tr("New, e.g. “that’s it”")],
            lambda _, text: text not in [row.texts[0] for row in read(self._changes.settings)],
            self.tr("This phrase is already in the list."),
            most=_MOST_PHRASES,
            is_checkable=True,
        )
        self.add_table(made, title, hint, read, write)
        return made
