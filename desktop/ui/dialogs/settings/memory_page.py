"""Settings, Memory: what is used, how much of it is sent, values and retention."""

from collections.abc import Callable, Sequence

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
from desktop.ui.dialogs.settings.setting_rows import (
    NumberRow,
    RowsPage,
    SectionRow,
    SettingRow,
    SwitchRow,
)
from desktop.ui.dialogs.settings.settings_controller import SettingsController
from desktop.ui.theme.tokens import Space
from desktop.ui.widgets.buttons import Button
from desktop.ui.widgets.labels import HintLabel, ProblemLabel, SectionLabel

Pair = tuple[str, str]
_Index = QModelIndex | QPersistentModelIndex
_TOP = QModelIndex()
_Role = Qt.ItemDataRole
_ROWS_SHOWN = 3


class PairsModel(QAbstractTableModel):
    written = Signal(object)
    """List of Pairs, without the empty row"""
    refused = Signal(str)
    """A text that was not accepted; empty once one is"""

    def __init__(self, accepts: Callable[[int, str], bool], parent: QObject | None = None) -> None:
        """`accepts`: whether a text is valid in a column."""
        super().__init__(parent)
        self._accepts = accepts
        self._pairs: list[Pair] = []
        self._new: Pair = ("", "")
        """The last row, until both columns are filled."""
        self._titles = ("", "")
        self._hints = ("", "")

    def show_pairs(self, pairs: Sequence[Pair]) -> None:
        if list(pairs) != self._pairs:
            self.beginResetModel()
            self._pairs = list(pairs)
            self.endResetModel()

    def set_texts(self, titles: Pair, hints: Pair) -> None:
        """`hints`: placeholders of the empty row."""
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
        return self._write(pairs)

    def _write_new(self, column: int, text: str) -> bool:
        self._new = _with(self._new, column, text)
        if all(self._new):
            pairs, self._new = [*self._pairs, self._new], ("", "")
            return self._write(pairs)
        last = len(self._pairs)
        self.dataChanged.emit(self.index(last, 0), self.index(last, 1))
        return True

    def _write(self, pairs: list[Pair]) -> bool:
        self.show_pairs(pairs)
        self.written.emit(pairs)
        return True


class PairsTable(QTableView):
    """Delete removes a row; Tab leaves the table."""

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


_HOURS = 1
"""The column of hours."""
_AUTOMATIC = COMPACT_AFTER.start - 1
"""The number that stands for 0 in the settings."""


class PairsSection(QVBoxLayout):
    """A heading, a table of pairs, and a problem with what was typed."""

    def __init__(self, accepts: Callable[[int, str], bool]) -> None:
        super().__init__()
        self.model = PairsModel(accepts)
        self.table = PairsTable(self.model)
        self.problem, self.remove_button = ProblemLabel(), Button()
        self._heading, self._hint, self._refusal = SectionLabel(), HintLabel(), ""
        self.setSpacing(Space.SMALL)
        for widget in (self._heading, self._hint, self.table):
            self.addWidget(widget)
        row = QHBoxLayout()
        row.addWidget(self.problem, 1)
        row.addStretch()
        row.addWidget(self.remove_button)
        self.addLayout(row)
        self.model.refused.connect(
            lambda text: self.problem.set_text(self._refusal if text else "")
        )
        self.remove_button.clicked.connect(self.table.remove_current)

    def set_texts(self, heading: str, hint: str, refusal: str, remove: tuple[str, str]) -> None:
        """`remove`: the text and the accessible name of the button."""
        self._heading.setText(heading)
        self._hint.setText(hint)
        self._refusal = refusal
        self.table.setAccessibleName(heading)
        self.remove_button.setText(remove[0])
        self.remove_button.setAccessibleName(remove[1])


class MemoryPage(RowsPage):
    memory_asked = Signal()

    def __init__(self, changes: SettingsController, parent: QWidget | None = None) -> None:
        super().__init__(changes, parent)
        self._begin()

    def heading(self) -> str:
        return self.tr("Memory")

    def rows(self) -> Sequence[SettingRow]:
        return [
            SectionRow(self.tr("What is remembered")),
            SwitchRow(
                self.tr("&Remember important facts across sessions"),
                "uses_memory",
                hint=self.tr(
                    "Learned when a session ends, only from what you said yourself. When "
                    "off, nothing new is learned or sent; existing facts stay."
                ),
            ),
            SwitchRow(
                self.tr("Use &past sessions and what is remembered from them"),
                "uses_past_sessions",
                hint=self.tr(
                    "When off, a question is sent with its own session and nothing else."
                ),
            ),
            SectionRow(self.tr("How much is sent with a question")),
            SwitchRow(
                self.tr("&Lite"),
                "is_lite",
                hint=self.tr("Half of everything, and at most two facts."),
            ),
            NumberRow(
                self.tr("&Word for word"),
                "history_items",
                HISTORY_ITEMS,
                self.tr("the newest {count} messages"),
                hint=self.tr("These are never summarised."),
            ),
            NumberRow(
                self.tr("&Summarise"),
                "compact_after",
                range(_AUTOMATIC, COMPACT_AFTER.stop),
                self.tr("{count} messages at a time"),
                self.tr("Based on the model’s size"),
                read=lambda count: count or _AUTOMATIC,
                write=lambda count: 0 if count == _AUTOMATIC else count,
                hint=self.tr(
                    "Older messages of a long session, in the background. All of them stay on "
                    "your disk."
                ),
            ),
        ]

    def _build(self) -> None:
        self._open = Button()
        self.column.addWidget(self._open, 0, Qt.AlignmentFlag.AlignLeft)
        self._build_rows()
        self.variables = PairsSection(self._can_be_variable)
        self.retention = PairsSection(_can_be_retention)
        self.column.addLayout(self.variables)
        self.column.addLayout(self.retention)
        self.column.addStretch()

    def _connect(self) -> None:
        self._open.clicked.connect(self.memory_asked)
        self.variables.model.written.connect(lambda pairs: self._apply(variables=dict(pairs)))
        self.retention.model.written.connect(self._apply_retention)

    def retranslate(self) -> None:
        super().retranslate()
        self._open.setText(self.tr("&Open memory…"))
        self.variables.set_texts(
            self.tr("About you"),
            self.tr("Named values sent with every question: name, field of work, units."),
            self.tr("At most {count} values of {length} characters each.").format(
                count=MOST_VARIABLES, length=LONGEST_VARIABLE
            ),
            (self.tr("Remove"), self.tr("Remove the selected value")),
        )
        self.variables.model.set_texts(
            (self.tr("Name"), self.tr("Value")),
            (self.tr("New, e.g. Profession"), self.tr("e.g. Physician")),
        )
        self.retention.set_texts(
            self.tr("How long facts stay in use"),
            self.tr(
                "After 48 hours a fact is sent only with related questions. Topics can "
                "have their own time; * stands for any letters. The first match counts."
            ),
            self.tr("Enter a number of hours from {least} to {most}.").format(
                least=RETENTION_HOURS.start, most=RETENTION_HOURS.stop - 1
            ),
            (self.tr("Remove"), self.tr("Remove the selected topic")),
        )
        self.retention.model.set_texts(
            (self.tr("Topic"), self.tr("Hours")),
            (self.tr("New, e.g. health*"), self.tr("e.g. 720")),
        )

    def _show(self, settings: Settings) -> None:
        super()._show(settings)
        self.variables.model.show_pairs(list(settings.variables.items()))
        self.retention.model.show_pairs(
            [(one.pattern, str(one.hours)) for one in settings.retention]
        )

    def _apply_retention(self, pairs: Sequence[Pair]) -> None:
        self._apply(retention=tuple(Retention(pattern, int(hours)) for pattern, hours in pairs))

    def _can_be_variable(self, _column: int, text: str) -> bool:
        has_room = len(self._changes.settings.variables) < MOST_VARIABLES
        return has_room and len(text) <= LONGEST_VARIABLE


def _can_be_retention(column: int, text: str) -> bool:
    if column != _HOURS:
        return True
    return text.isascii() and text.isdigit() and int(text) in RETENTION_HOURS
