"""The settings pages Instructions, Memory and Phrases, which hold texts of the user."""

from collections.abc import Callable, Mapping, Sequence

from PySide6.QtCore import Qt, Signal

from desktop.domain.facts import Retention
from desktop.settings.settings import OWN_PERSONA, USUAL_PERSONA, Settings, StandingInstruction
from desktop.settings.settings_schema import (
    LONGEST_INSTRUCTION,
    LONGEST_VARIABLE,
    MOST_INSTRUCTIONS,
    MOST_VARIABLES,
    RETENTION_HOURS,
)
from desktop.ui.dialogs.form import BackButton
from desktop.ui.services import ShippedPhrases
from desktop.ui.settings.setting_rows import EditableTable, SettingsPage, TableRow
from desktop.ui.settings_controller import PageId, SettingsController
from desktop.ui.widgets.buttons import Button
from desktop.ui.widgets.plain_text import HintLabel

_MOST_PHRASES = 1_000
_USUAL_PERSONAS = (USUAL_PERSONA, "butler", "editor", "teacher")


class InstructionsPage(SettingsPage):
    def __init__(
        self, changes: SettingsController, personas: Callable[[], Mapping[str, str]]
    ) -> None:
        """`personas` returns their texts by name, in the language of the window."""
        super().__init__(changes, PageId.INSTRUCTIONS)
        self._personas = personas()
        self._persona_text = HintLabel()
        # The usual ones come first, in this order.
        usual = [name for name in _USUAL_PERSONAS if name in self._personas]
        names = dict.fromkeys((*usual, *self._personas, OWN_PERSONA))
        named = {name: self.words.say_or_empty(f"persona.{name}") or name for name in names}
        self.add_rows(
            after={"persona": lambda: self.add_below(self._persona_text)},
            choices={"persona": named},
        )
        self.follow(self._show_persona)
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
            lambda settings: [
                TableRow((instruction.text,), instruction.is_on)
                for instruction in settings.instructions
            ],
            lambda rows: {
                "instructions": tuple(StandingInstruction(row.texts[0], row.is_on) for row in rows)
            },
        )
        self.column.addStretch()

    def _show_persona(self, settings: Settings) -> None:
        self._persona_text.set_text(self._personas.get(settings.persona, ""))
        self._form.show_row(self.field("own_persona"), is_shown=settings.persona == OWN_PERSONA)


_HOURS = 1  # the column of hours


class MemoryPage(SettingsPage):
    memory_asked = Signal()

    def __init__(self, changes: SettingsController) -> None:
        super().__init__(changes, PageId.MEMORY)
        self._open = Button(text=self.tr("&Open memory…"), press=self.memory_asked.emit)
        self.column.addWidget(self._open, 0, Qt.AlignmentFlag.AlignLeft)
        self.add_rows()
        self._add_variables()
        self._add_retention()
        self.column.addStretch()

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
            lambda rows: {"variables": {row.texts[0]: row.texts[1] for row in rows}},
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
                TableRow((retention.pattern, str(retention.hours)))
                for retention in settings.retention
            ],
            lambda rows: {
                "retention": tuple(Retention(row.texts[0], int(row.texts[1])) for row in rows)
            },
        )


def _are_hours(text: str) -> bool:
    return text.isascii() and text.isdigit() and int(text) in RETENTION_HOURS


class PhrasesPage(SettingsPage):
    left = Signal()

    def __init__(self, changes: SettingsController, shipped: ShippedPhrases) -> None:
        super().__init__(changes, PageId.PHRASES)
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
            return [TableRow((phrase,), phrase not in ignored) for phrase in (*shipped, *own)]

        def write(rows: Sequence[TableRow]) -> Mapping[str, object]:
            counting = {row.texts[0]: row.is_on for row in rows}
            own = [phrase for phrase in counting if phrase not in shipped]
            here = {*shipped, *own}
            ignored = [
                phrase for phrase in self._changes.settings.ignored_phrases if phrase not in here
            ]
            ignored += [phrase for phrase in (*shipped, *own) if not counting.get(phrase)]
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
