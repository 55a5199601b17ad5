"""Settings, Memory: what is used, how much of it is sent, values and retention."""

from PySide6.QtCore import Qt, Signal

from desktop.domain.facts import Retention
from desktop.settings.settings_schema import (
    COMPACT_AFTER,
    HISTORY_ITEMS,
    LONGEST_VARIABLE,
    MOST_VARIABLES,
    RETENTION_HOURS,
)
from desktop.ui.dialogs.settings.editable_table import EditableTable, TableRow
from desktop.ui.dialogs.settings.setting_rows import SettingsPage
from desktop.ui.dialogs.settings.settings_controller import SettingsController
from desktop.ui.widgets.buttons import Button
from desktop.ui.widgets.fields import NumberField
from desktop.ui.widgets.labels import HintLabel, SectionLabel
from desktop.ui.widgets.layouts import STRETCH, column, growing, row

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
        self.add_section(self.tr("What is remembered"))
        self.add_switch(
            "uses_memory",
            self.tr("&Remember important facts across sessions"),
            self.tr(
                "Learned when a session ends, only from what you said yourself. When "
                "off, nothing new is learned or sent; existing facts stay."
            ),
        )
        self.add_switch(
            "uses_past_sessions",
            self.tr("Use &past sessions and what is remembered from them"),
            self.tr("When off, a question is sent with its own session and nothing else."),
        )

    def _add_amounts(self) -> None:
        self.add_section(self.tr("How much is sent with a question"))
        self.add_switch(
            "is_lite", self.tr("&Lite"), self.tr("Half of everything, and at most two facts.")
        )
        self.add_row(
            "history_items",
            NumberField(HISTORY_ITEMS, self.tr("the newest {count} messages")),
            self.tr("&Word for word"),
            self.tr("These are never summarised."),
        )
        self.add_row(
            "compact_after",
            NumberField(
                range(_AUTOMATIC, COMPACT_AFTER.stop),
                self.tr("{count} messages at a time"),
                self.tr("Based on the model’s size"),
            ),
            self.tr("&Summarise"),
            self.tr(
                "Older messages of a long session, in the background. All of them stay on "
                "your disk."
            ),
        )

    def _add_variables(self) -> None:
        hints = (self.tr("New, e.g. Profession"), self.tr("e.g. Physician"))
        self.variables = EditableTable(
            hints,
            lambda _, text: len(text) <= LONGEST_VARIABLE,
            self.tr("At most {count} values of {length} characters each.").format(
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
            self.tr("Named values sent with every question: name, field of work, units."),
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
            self.tr("How long facts stay in use"),
            self.tr(
                "After 48 hours a fact is sent only with related questions. Topics can "
                "have their own time; * stands for any letters. The first match counts."
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
