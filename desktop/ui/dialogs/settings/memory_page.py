"""Settings, Memory: whether anything is remembered, how much of it goes along, for how long."""

from collections.abc import Sequence
from dataclasses import replace

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from desktop.domain.facts import Retention
from desktop.settings.settings import Settings
from desktop.settings.settings_schema import (
    COMPACT_AFTER,
    HISTORY_ITEMS,
    LONGEST_VARIABLE,
    MOST_VARIABLES,
    RETENTION_HOURS,
)
from desktop.ui.dialogs.form import Form
from desktop.ui.dialogs.settings.pairs_table import Pair, PairsModel, PairsTable
from desktop.ui.dialogs.settings.settings_controller import SettingsChanges
from desktop.ui.dialogs.settings.settings_page import KeptPage
from desktop.ui.theme.tokens import Space
from desktop.ui.widgets.buttons import Button
from desktop.ui.widgets.fields import NumberField, WrappingCheckBox
from desktop.ui.widgets.labels import HintLabel, ProblemLabel, SectionLabel
from desktop.ui.widgets.plain_text import Label

_NUMBER = 1
"""The column that hours stand in."""
_AUTOMATIC = COMPACT_AFTER.start - 1
"""What the field shows for a 0 in the settings."""


class MemoryPage(KeptPage):
    memory_asked = Signal()

    def __init__(self, changes: SettingsChanges, parent: QWidget | None = None) -> None:
        super().__init__(changes, parent)
        self._begin()

    def _build(self) -> None:
        self._open = Button()
        top = QHBoxLayout()
        top.addWidget(self._open)
        top.addStretch()
        form = Form()
        self._build_use(form)
        self._build_amounts(form)
        self._about, self._about_hint, self._about_problem = (
            SectionLabel(),
            HintLabel(),
            ProblemLabel(),
        )
        self._variables = PairsTable(PairsModel(self._can_be_variable))
        self._drop_variable = Button()
        self._kept, self._kept_hint, self._kept_problem = (
            SectionLabel(),
            HintLabel(),
            ProblemLabel(),
        )
        self._retention = PairsTable(PairsModel(_can_be_retention))
        self._drop_retention = Button()
        self.column.addLayout(top)
        self.column.addWidget(form)
        for section, hint, table, problem, drop in (
            (
                *(self._about, self._about_hint, self._variables, self._about_problem),
                self._drop_variable,
            ),
            (
                *(self._kept, self._kept_hint, self._retention, self._kept_problem),
                self._drop_retention,
            ),
        ):
            row = QHBoxLayout()
            row.addWidget(problem, 1)
            row.addStretch()
            row.addWidget(drop)
            part = QVBoxLayout()
            part.setSpacing(Space.SMALL)
            for widget in (section, hint, table):
                part.addWidget(widget)
            part.addLayout(row)
            self.column.addLayout(part)
        self.column.addStretch()

    def _build_use(self, form: Form) -> None:
        self._use = SectionLabel()
        self._uses, self._uses_hint = WrappingCheckBox(), HintLabel()
        self._past, self._past_hint = WrappingCheckBox(), HintLabel()
        form.add_section(self._use)
        form.add_check(self._uses, self._uses_hint)
        form.add_gap()
        form.add_check(self._past, self._past_hint)

    def _build_amounts(self, form: Form) -> None:
        self._amounts = SectionLabel()
        self._lite, self._lite_hint = WrappingCheckBox(), HintLabel()
        self._items_label, self._items = Label(), NumberField(HISTORY_ITEMS)
        self._items_hint = HintLabel()
        compacted = range(_AUTOMATIC, COMPACT_AFTER.stop)
        self._after_label, self._after = Label(), NumberField(compacted)
        self._after_hint = HintLabel()
        form.add_section(self._amounts)
        form.add_check(self._lite, self._lite_hint)
        form.add_gap()
        form.add_row(self._items_label, self._items, self._items_hint)
        form.add_gap()
        form.add_row(self._after_label, self._after, self._after_hint)

    def _connect(self) -> None:
        self._open.clicked.connect(self.memory_asked)
        self._uses.clicked.connect(lambda is_on: self._put(uses_memory=is_on))
        self._past.clicked.connect(lambda is_on: self._put(uses_past_sessions=is_on))
        self._lite.clicked.connect(lambda is_on: self._put(is_lite=is_on))
        self._items.valueChanged.connect(lambda count: self._put(history_items=count))
        self._after.valueChanged.connect(
            lambda count: self._put(compact_after=0 if count == _AUTOMATIC else count)
        )
        for table, take, problem, drop in (
            (self._variables, self._take_variables, self._about_problem, self._drop_variable),
            (self._retention, self._take_retention, self._kept_problem, self._drop_retention),
        ):
            pairs = table.model()
            assert isinstance(pairs, PairsModel)  # noqa: S101 (made above)
            pairs.written.connect(take)
            pairs.refused.connect(lambda text, problem=problem: self._refuse(problem, text))
            drop.clicked.connect(table.remove_current)

    def retranslate(self) -> None:
        self.title.setText(self.tr("Memory"))
        self._open.setText(self.tr("&Open memory…"))
        self._use.setText(self.tr("What is remembered"))
        self._uses.setText(self.tr("&Remember important facts across sessions"))
        self._uses_hint.setText(
            self.tr(
                "Learned when a session ends, only from what you said yourself. When off, "
                "nothing new is learned or sent; existing facts stay."
            )
        )
        self._past.setText(self.tr("Use &past sessions and what is remembered from them"))
        self._past_hint.setText(
            self.tr("When off, a question is sent with its own session and nothing else.")
        )
        self._amounts.setText(self.tr("How much is sent with a question"))
        self._lite.setText(self.tr("&Lite"))
        self._lite_hint.setText(self.tr("Half of everything, and at most two facts."))
        self._items_label.setText(self.tr("&Word for word"))
        self._items.set_format(self.tr("the newest {count} messages"))
        self._items_hint.setText(self.tr("These are never summarised."))
        self._after_label.setText(self.tr("&Summarise"))
        self._after.set_format(self.tr("{count} messages at a time"))
        self._after.setSpecialValueText(self.tr("Based on the model’s size"))
        self._after_hint.setText(
            self.tr(
                "Older messages of a long session, in the background. All of them stay on "
                "your disk."
            )
        )
        self._retranslate_tables()

    def _retranslate_tables(self) -> None:
        self._about.setText(self.tr("About you"))
        self._about_hint.setText(
            self.tr("Named values sent with every question: name, field of work, units.")
        )
        self._variables.setAccessibleName(self.tr("About you"))
        self._kept.setText(self.tr("How long facts stay in use"))
        self._kept_hint.setText(
            self.tr(
                "After 48 hours a fact is sent only with related questions. Topics can "
                "have their own time; * stands for any letters. The first match counts."
            )
        )
        self._retention.setAccessibleName(self.tr("How long facts stay in use"))
        for button in (self._drop_variable, self._drop_retention):
            button.setText(self.tr("Remove"))
        self._drop_variable.setAccessibleName(self.tr("Remove the selected value"))
        self._drop_retention.setAccessibleName(self.tr("Remove the selected topic"))
        for table, titles, hints in (
            (
                self._variables,
                (self.tr("Name"), self.tr("Value")),
                (self.tr("New, e.g. Profession"), self.tr("e.g. Physician")),
            ),
            (
                self._retention,
                (self.tr("Topic"), self.tr("Hours")),
                (self.tr("New, e.g. health*"), self.tr("e.g. 720")),
            ),
        ):
            pairs = table.model()
            assert isinstance(pairs, PairsModel)  # noqa: S101 (made above)
            pairs.say(titles, hints)

    def _show(self, settings: Settings) -> None:
        self._uses.setChecked(settings.uses_memory)
        self._past.setChecked(settings.uses_past_sessions)
        self._lite.setChecked(settings.is_lite)
        self._items.show_number(settings.history_items)
        self._after.show_number(settings.compact_after or _AUTOMATIC)
        variables, retention = self._variables.model(), self._retention.model()
        assert isinstance(variables, PairsModel)  # noqa: S101 (made above)
        assert isinstance(retention, PairsModel)  # noqa: S101 (made above)
        variables.show_pairs(list(settings.variables.items()))
        retention.show_pairs([(one.pattern, str(one.hours)) for one in settings.retention])

    def _take_variables(self, pairs: Sequence[Pair]) -> None:
        self._changes.put(replace(self._changes.settings, variables=dict(pairs)))

    def _take_retention(self, pairs: Sequence[Pair]) -> None:
        kept = tuple(Retention(pattern, int(hours)) for pattern, hours in pairs)
        self._changes.put(replace(self._changes.settings, retention=kept))

    def _can_be_variable(self, _column: int, text: str) -> bool:
        has_room = len(self._changes.settings.variables) < MOST_VARIABLES
        return has_room and len(text) <= LONGEST_VARIABLE

    def _refuse(self, problem: ProblemLabel, text: str) -> None:
        if not text:
            problem.set_text("")
        elif problem is self._kept_problem:
            problem.set_text(
                self.tr("Enter a number of hours from {least} to {most}.").format(
                    least=RETENTION_HOURS.start, most=RETENTION_HOURS.stop - 1
                )
            )
        else:
            problem.set_text(
                self.tr("At most {count} values of {length} characters each.").format(
                    count=MOST_VARIABLES, length=LONGEST_VARIABLE
                )
            )


def _can_be_retention(column: int, text: str) -> bool:
    if column != _NUMBER:
        return True
    return text.isascii() and text.isdigit() and int(text) in RETENTION_HOURS
