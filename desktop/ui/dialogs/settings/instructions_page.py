"""Settings, Instructions: the persona, and instructions for every session."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial

from desktop.settings.settings import OWN_PERSONA, USUAL_PERSONA, Settings, StandingInstruction
from desktop.settings.settings_schema import (
    LONGEST_INSTRUCTION,
    LONGEST_PERSONA,
    MOST_INSTRUCTIONS,
)
from desktop.ui.dialogs.settings.editable_table import EditableTable, TableRow
from desktop.ui.dialogs.settings.setting_rows import SettingsPage
from desktop.ui.dialogs.settings.settings_controller import SettingsController
from desktop.ui.widgets.buttons import Button
from desktop.ui.widgets.fields import EnumComboBox, TextArea
from desktop.ui.widgets.labels import HintLabel, SectionLabel
from desktop.ui.widgets.layouts import FlowLayout, column

_PERSONA_LINES, _LIST_LINES = 6, 9


class InstructionsPage(SettingsPage):
    def __init__(
        self, changes: SettingsController, personas: Callable[[], Mapping[str, str]]
    ) -> None:
        """`personas`: their texts by name, in the language of the window."""
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
        known[OWN_PERSONA] = self.tr("My own")
        persona = EnumComboBox(names, names=[known.get(name, name) for name in names])
        self._persona_text = HintLabel()
        self._own = TextArea(lines=_PERSONA_LINES)
        self._own.setPlaceholderText(
            self.tr("You are Bellek, a … who …. Describe who it is and how it speaks.")
        )
        self.add_section(self.tr("Who you're talking to"))
        self.add_row("persona", persona, self.tr("&Character"))
        self._form.add_below(self._persona_text)
        self.add_text(
            "own_persona", self._own, self.tr("In your own &words"), parse=self._checked_persona
        )
        self.add_switch(
            "checks_answers",
            self.tr("Chec&k answers before showing them"),
            self.tr(
                "Every part answered, in your language and in character, no internal "
                "details leaked. An answer that fails is written again or says what is "
                "missing."
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
            raise ValueError(self.tr("At most {count} characters.").format(count=LONGEST_PERSONA))
        return text

    def _add_instructions(self) -> None:
        hint = self.tr("New, e.g. “Answer in at most five sentences”")
        self.table = EditableTable(
            [hint],
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
            "Rules to follow in every session, in your own words. A rule that is "
            "turned off stays here and is not sent."
        )
        heading = SectionLabel(self.tr("In every session"))
        rows = (heading, HintLabel(about), self.table, self.table.problem, buttons)
        self.column.addLayout(column(*rows))

    def _apply_instructions(self, rows: Sequence[TableRow]) -> None:
        self._apply(
            instructions=tuple(StandingInstruction(one.texts[0], one.is_on) for one in rows)
        )
