"""Settings, Memory: whether anything is remembered, how much of it goes along, for how long."""

from collections.abc import Callable, Sequence
from dataclasses import replace

from PySide6.QtCore import (
    QAbstractTableModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    Qt,
    Signal,
)
from PySide6.QtGui import QGuiApplication, QKeyEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHBoxLayout,
    QHeaderView,
    QTableView,
    QVBoxLayout,
    QWidget,
)

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
from desktop.ui.dialogs.settings.settings_controller import SettingsController
from desktop.ui.dialogs.settings.settings_page import SettingsPage
from desktop.ui.theme.tokens import Space
from desktop.ui.widgets.buttons import Button
from desktop.ui.widgets.fields import NumberField, WrappingCheckBox
from desktop.ui.widgets.labels import HintLabel, ProblemLabel, SectionLabel
from desktop.ui.widgets.plain_text import Label

Pair = tuple[str, str]
_Index = QModelIndex | QPersistentModelIndex
_TOP = QModelIndex()
_Role = Qt.ItemDataRole
_ROWS_SHOWN = 3


class PairsModel(QAbstractTableModel):
    written = Signal(object)
    """List of Pairs, without the empty row"""
    refused = Signal(str)
    """What was written and cannot be taken"""

    def __init__(self, accepts: Callable[[int, str], bool], parent: QObject | None = None) -> None:
        """`accepts`: whether a column can be given a text."""
        super().__init__(parent)
        self._accepts = accepts
        self._pairs: list[Pair] = []
        self._new: Pair = ("", "")
        """The last row, until both of it are written."""
        self._titles = ("", "")
        self._hints = ("", "")

    def show_pairs(self, pairs: Sequence[Pair]) -> None:
        if list(pairs) != self._pairs:
            self.beginResetModel()
            self._pairs = list(pairs)
            self.endResetModel()

    def say(self, titles: Pair, hints: Pair) -> None:
        """`hints`: what stands in the empty row."""
        self._titles, self._hints = titles, hints
        self.headerDataChanged.emit(Qt.Orientation.Horizontal, 0, 1)
        last = len(self._pairs)
        self.dataChanged.emit(self.index(last, 0), self.index(last, 1))

    def remove(self, row: int) -> None:
        if row < len(self._pairs):
            pairs = [pair for place, pair in enumerate(self._pairs) if place != row]
            self.show_pairs(pairs)
            self.written.emit(pairs)

    def rowCount(self, parent: _Index = _TOP) -> int:
        return 0 if parent.isValid() else len(self._pairs) + 1

    def columnCount(self, parent: _Index = _TOP) -> int:
        return 0 if parent.isValid() else 2

    def flags(self, index: _Index) -> Qt.ItemFlag:
        flags = super().flags(index)
        return flags | Qt.ItemFlag.ItemIsEditable if index.isValid() else flags

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = _Role.DisplayRole
    ) -> object:
        if orientation is Qt.Orientation.Horizontal and role == _Role.DisplayRole:
            return self._titles[section]
        return None

    def data(self, index: _Index, role: int = _Role.DisplayRole) -> object:
        if not index.isValid():
            return None
        is_new = index.row() == len(self._pairs)
        text = (self._new if is_new else self._pairs[index.row()])[index.column()]
        match role:
            case _Role.EditRole:
                return text
            case _Role.DisplayRole:
                return text or self._hints[index.column()]
            case _Role.AccessibleTextRole:
                return f"{self._titles[index.column()]}: {text}" if text else self._hints[0]
            case _Role.ForegroundRole if is_new and not text:
                return QGuiApplication.palette().placeholderText()
            case _:
                return None

    def setData(self, index: _Index, value: object, role: int = _Role.EditRole) -> bool:
        if role != _Role.EditRole or not index.isValid() or not isinstance(value, str):
            return False
        text = " ".join(value.split())
        if text and not self._accepts(index.column(), text):
            self.refused.emit(text)
            return False
        self.refused.emit("")
        if index.row() == len(self._pairs):
            return self._write_new(index.column(), text)
        if not text:
            self.remove(index.row())
            return True
        pairs = [*self._pairs]
        pairs[index.row()] = _with(pairs[index.row()], index.column(), text)
        return self._take(pairs)

    def _write_new(self, column: int, text: str) -> bool:
        self._new = _with(self._new, column, text)
        if all(self._new):
            pairs, self._new = [*self._pairs, self._new], ("", "")
            return self._take(pairs)
        last = len(self._pairs)
        self.dataChanged.emit(self.index(last, 0), self.index(last, 1))
        return True

    def _take(self, pairs: list[Pair]) -> bool:
        self.show_pairs(pairs)
        self.written.emit(pairs)
        return True


class PairsTable(QTableView):
    """Delete takes a row out; Tab leaves the table."""

    def __init__(self, pairs: PairsModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._pairs = pairs
        pairs.setParent(self)
        self.setModel(pairs)
        self.setProperty("role", "list")
        self.setShowGrid(False)
        self.setTabKeyNavigation(False)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setEditTriggers(
            QAbstractItemView.EditTrigger.AnyKeyPressed
            | QAbstractItemView.EditTrigger.DoubleClicked
            | QAbstractItemView.EditTrigger.EditKeyPressed
            | QAbstractItemView.EditTrigger.SelectedClicked
        )
        self.verticalHeader().hide()
        header = self.horizontalHeader()
        header.setSectionResizeMode(QHeaderView.ResizeMode.Stretch)
        header.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        header.setHighlightSections(False)
        row = self.verticalHeader().defaultSectionSize()
        self.setMinimumHeight((_ROWS_SHOWN + 1) * row)

    def remove_current(self) -> None:
        if self.currentIndex().isValid():
            self._pairs.remove(self.currentIndex().row())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Delete:
            self.remove_current()
            event.accept()
        else:
            super().keyPressEvent(event)


def _with(pair: Pair, column: int, text: str) -> Pair:
    return (text, pair[1]) if column == 0 else (pair[0], text)


_NUMBER = 1
"""The column that hours stand in."""
_AUTOMATIC = COMPACT_AFTER.start - 1
"""What the field shows for a 0 in the settings."""


class MemoryPage(SettingsPage):
    memory_asked = Signal()

    def __init__(self, changes: SettingsController, parent: QWidget | None = None) -> None:
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
        self._changes.apply(replace(self._changes.settings, variables=dict(pairs)))

    def _take_retention(self, pairs: Sequence[Pair]) -> None:
        kept = tuple(Retention(pattern, int(hours)) for pattern, hours in pairs)
        self._changes.apply(replace(self._changes.settings, retention=kept))

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
