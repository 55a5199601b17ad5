"""Pages of the settings, made of rows: a setting, its field, a label, a hint; tables of texts.

The pages are built again when the language changes, so a page sets each text once.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from enum import StrEnum
from functools import partial
from types import MappingProxyType
from typing import Any, NamedTuple

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QSignalBlocker, Qt, Signal
from PySide6.QtGui import QGuiApplication, QKeyEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QLayout,
    QLineEdit,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableWidget,
    QTableWidgetItem,
    QWidget,
)

from desktop.settings.settings import SETTINGS, Number, Setting, Settings
from desktop.settings.settings_schema import has_form
from desktop.ui.dialogs.form import FormGrid, Page, do_nothing
from desktop.ui.settings_controller import PageId, SettingsController
from desktop.ui.widgets.buttons import Button, DangerButton
from desktop.ui.widgets.fields import (
    EnumComboBox,
    NumberField,
    RadioGroup,
    TextArea,
    WrappingCheckBox,
)
from desktop.ui.widgets.layouts import FlowLayout
from desktop.ui.widgets.plain_text import HintLabel, Label, ProblemLabel, SectionLabel

_Role = Qt.ItemDataRole
_State = Qt.CheckState
_Trigger = QAbstractItemView.EditTrigger
_MOST, _LINES = 100, 6  # rows, and lines of the least height
_LIST_LINES, _TEXT_LINES = 3, 6  # of a text field

_NOTHING: Mapping[str, Any] = MappingProxyType({})


class TableRow(NamedTuple):
    texts: tuple[str, ...]
    is_on: bool = True


class EditableTable(QTableWidget):
    """A row whose text is cleared is removed, and Delete removes a row. Tab leaves the table."""

    written = Signal(object)  # List of TableRows, without the empty row

    def __init__(
        self,
        hints: Sequence[str],
        accepts: Callable[[int, str], bool],
        refusal: str,
        *,
        most: int = _MOST,
        is_checkable: bool = False,
        is_ordered: bool = False,
    ) -> None:
        """Set up the columns. `hints` fill the empty row; `accepts`: whether a text is valid.

        `refusal`: the error shown if it is not; `is_checkable`: whether a row can be switched
        off; `is_ordered`: whether rows can be moved.
        """
        super().__init__(0, len(hints))
        self._hints = hints
        self._accepts, self._refusal = accepts, refusal
        self.problem = ProblemLabel()
        delegate = _CellEditing(self)
        delegate.begun.connect(self.problem.dismiss)
        self.setItemDelegate(delegate)
        self._most = most
        self._is_checkable, self._is_ordered = is_checkable, is_ordered
        self._rows: list[TableRow] | None = None
        self.setProperty("role", "list")
        self.setShowGrid(False)
        self.setTabKeyNavigation(False)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setEditTriggers(
            _Trigger.AnyKeyPressed
            | _Trigger.DoubleClicked
            | _Trigger.EditKeyPressed
            | _Trigger.SelectedClicked
        )
        self.verticalHeader().hide()
        self.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        header = self.horizontalHeader()
        header.setSectionResizeMode(QHeaderView.ResizeMode.Stretch)
        header.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        header.setHighlightSections(False)
        header.setHidden(len(hints) == 1)
        self.setMinimumHeight(_LINES * self.verticalHeader().defaultSectionSize())
        self.cellChanged.connect(self._read)

    def show_rows(self, rows: Sequence[TableRow]) -> None:
        if list(rows) == self._rows:
            return
        self._rows = list(rows)
        shown = [*rows, TableRow(("",) * len(self._hints))][: self._most]
        with QSignalBlocker(self):
            self.setRowCount(len(shown))
            for place, row in enumerate(shown):
                for at, text in enumerate(row.texts):
                    self._cell(place, at).setText(text)
                if self._is_checkable and all(row.texts):
                    state = _State.Checked if row.is_on else _State.Unchecked
                    self._cell(place, 0).setCheckState(state)
                elif self._is_checkable:
                    self._cell(place, 0).setData(_Role.CheckStateRole, None)

    def buttons(self) -> QLayout:
        layout, title = FlowLayout(), self.accessibleName()
        moves = (
            (self.tr("Move up"), partial(self.move_current, by=-1)),
            (self.tr("Move down"), partial(self.move_current, by=1)),
        )
        for text, press in ((self.tr("New"), self.edit_new), *(moves if self._is_ordered else ())):
            layout.addWidget(Button(text=text, name=f"{text}: {title}", press=press))
        text = self.tr("Remove")
        name = f"{text}: {title}"
        layout.addWidget(DangerButton("", text=text, name=name, press=self.remove_current))
        return layout

    def remove_current(self) -> None:
        rows = [row for place, row in enumerate(self._rows or ()) if place != self.currentRow()]
        if rows != self._rows:
            self._write(rows)

    def move_current(self, by: int) -> None:
        rows, place = [*(self._rows or ())], self.currentRow()
        if 0 <= place < len(rows) and 0 <= place + by < len(rows):
            rows.insert(place + by, rows.pop(place))
            self._write(rows)
            self.setCurrentCell(place + by, 0)

    def edit_new(self) -> None:
        self.setCurrentCell(self.rowCount() - 1, 0)
        self.editItem(self.currentItem())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Delete:
            self.remove_current()
        else:
            super().keyPressEvent(event)

    def _read(self, place: int, at: int) -> None:
        rows = [*(self._rows or ())]
        before = rows[place].texts[at] if place < len(rows) else ""
        text = self._text(place, at)
        is_accepted = text in ("", before) or self._accepts(at, text)
        self.problem.set_text("" if is_accepted else self._refusal)
        if not is_accepted:
            with QSignalBlocker(self):
                self._cell(place, at).setText(before)
            return
        texts = tuple(self._text(place, each) for each in range(len(self._hints)))
        if place < len(rows) or all(texts):
            is_on = self._cell(place, 0).checkState() is _State.Checked or place == len(rows)
            rows[place : place + 1] = [TableRow(texts, is_on or not self._is_checkable)]
            self._write([row for row in rows if all(row.texts)])

    def _write(self, rows: list[TableRow]) -> None:
        self.show_rows(rows)
        self.written.emit(rows)

    def _text(self, place: int, at: int) -> str:
        return " ".join(str(self._cell(place, at).data(_Role.EditRole)).split())

    def _cell(self, place: int, at: int) -> QTableWidgetItem:
        cell = self.item(place, at)
        if cell is None:
            cell = _Cell(self._hints[at])
            self.setItem(place, at, cell)
        return cell


class _CellEditing(QStyledItemDelegate):
    begun = Signal()

    def createEditor(
        self,
        parent: QWidget,
        option: QStyleOptionViewItem,
        index: QModelIndex | QPersistentModelIndex,
    ) -> QWidget:
        self.begun.emit()
        return super().createEditor(parent, option, index)


class _Cell(QTableWidgetItem):
    def __init__(self, hint: str) -> None:
        super().__init__("")
        self._hint = hint

    def data(self, role: int) -> object:
        is_empty = not super().data(_Role.EditRole)
        match role:
            case _Role.DisplayRole if is_empty:
                return self._hint
            case _Role.ForegroundRole if is_empty:
                return QGuiApplication.palette().placeholderText()
            case _:
                return super().data(role)


Parse = Callable[[str], str | tuple[str, ...]]
"""Cleans a text, or raises ValueError with the problem; a tuple is a list of lines."""


class SettingsPage(Page):
    """Shows the settings and applies each change at once; its rows are those of `SETTINGS`.

    A field has the name of its setting as its object name.
    """

    def __init__(self, changes: SettingsController, page: PageId) -> None:
        super().__init__()
        self._changes = changes
        self.words = changes.words()
        self._page = page.name.lower()
        self._shows: list[Callable[[Settings], None]] = []
        self._form = FormGrid()
        self._is_first = True  # the first row has no gap above
        self.set_title(self.words.say(f"pages.{self._page}"))
        changes.changed.connect(self._show)

    def follow(self, show: Callable[[Settings], None]) -> None:
        """Call `show` with the current settings, and after each change."""
        self._shows.append(show)
        show(self._changes.settings)

    def add_rows(
        self,
        *,
        after: Mapping[str, Callable[[], object]] = _NOTHING,
        choices: Mapping[str, Mapping[str, str]] = _NOTHING,
        parse: Mapping[str, Parse] = _NOTHING,
    ) -> None:
        """Add the form with the rows of this page.

        `after`: what adds something below a row, by setting; `choices`: the names of the choices
        that the page finds itself, by value (without any, there is no row); `parse`: of texts.
        """
        before = ""
        for name, about in SETTINGS.items():
            page, _, section = about.section.partition(" ")
            offered = choices.get(name)
            if page != self._page or (offered is not None and not offered):
                continue
            if section != before:
                self._form.add_section(SectionLabel(self.words.say(f"sections.{section}")))
                self._is_first, before = True, section
            self._add_setting(name, about, offered, parse.get(name))
            after.get(name, do_nothing)()
        self.add_section(self._form)

    def field(self, setting: str) -> QWidget:
        (field,) = self._form.findChildren(QWidget, setting)
        return field

    def add_below(self, label: HintLabel) -> None:
        self._form.add_below(label)

    def add_button(self, text: str, press: Callable[[], object]) -> Button:
        button = Button(text=text, press=press)
        self._place(button, is_close=True)
        return button

    def add_table(
        self,
        table: EditableTable,
        title: str,
        hint: str,
        read: Callable[[Settings], Iterable[TableRow]],
        write: Callable[[Sequence[TableRow]], Mapping[str, object]],
    ) -> None:
        """Add a table below the rows; `write` returns the changed settings by name."""
        table.setAccessibleName(title)
        table.written.connect(lambda rows: self._apply(**write(rows)))
        self.follow(lambda settings: table.show_rows(list(read(settings))))
        shown = (table, table.problem, table.buttons())
        self.add_section(SectionLabel(title), HintLabel(hint), *shown)

    def _add_setting(
        self, name: str, about: Setting, choices: Mapping[str, str] | None, parse: Parse | None
    ) -> None:
        """Add a row of the kind that the type of the setting has."""
        value = getattr(self._changes.settings, name)
        title, hint = (self.words.say_or_empty(f"{name}.{part}") for part in ("title", "hint"))
        below: list[QWidget] = [HintLabel(hint)] if hint else []
        field: QWidget
        if isinstance(value, bool) and not about.explains_choices:
            field, title = self._switch(name, title), ""
            for label in below:
                label.setProperty("below", "box")
        elif choices or isinstance(value, int | float | StrEnum):
            field = self._choice(name, about, choices)
        else:
            problem = ProblemLabel()
            field = self._text(name, about, parse, problem)
            below.insert(0, problem)
        field.setObjectName(name)
        if about.needs:
            self.follow(lambda settings: field.setEnabled(getattr(settings, about.needs)))
        self._place(field, title, *below, is_close=about.is_close)

    def _switch(self, name: str, title: str) -> QWidget:
        box = WrappingCheckBox(title)
        box.clicked.connect(lambda is_on: self._apply(**{name: is_on}))
        self.follow(lambda settings: box.setChecked(getattr(settings, name)))
        return box

    def _choice(self, name: str, about: Setting, choices: Mapping[str, str] | None) -> QWidget:
        words, value = self.words.say_or_empty, getattr(self._changes.settings, name)
        field: NumberField | RadioGroup | EnumComboBox
        if isinstance(about, Number):
            form = words(f"{name}.form") or "{n}"
            field = NumberField(about, form, words(f"{name}.zero"))
        elif choices:
            field = EnumComboBox(tuple(choices), names=tuple(choices.values()))
        else:
            members: Mapping[str, Any] = {"on": True, "off": False}
            if isinstance(value, StrEnum):
                members = {member.value: member for member in type(value)}
            names = {key: words(f"{name}.{key}") for key in members}
            if about.explains_choices:
                named = [(shown, words(f"{name}.{key}_hint")) for key, shown in names.items()]
                field = RadioGroup(tuple(members.values()), named)
            else:
                field = EnumComboBox(tuple(members.values()), names=tuple(names.values()))
        field.chosen.connect(lambda number: self._apply(**{name: number}))
        self.follow(lambda settings: field.show_value(getattr(settings, name)))
        return field

    def _text(
        self, name: str, about: Setting, parse: Parse | None, problem: ProblemLabel
    ) -> QWidget:
        """Return a field whose value is saved when it loses the focus."""
        is_list = isinstance(getattr(self._changes.settings, name), tuple)
        lines = _LIST_LINES if is_list else _TEXT_LINES
        field = TextArea(lines=lines) if is_list or about.longest else QLineEdit()
        field.setPlaceholderText(self.words.say_or_empty(f"{name}.placeholder"))

        def apply() -> None:
            text = field.text().strip()
            if about.longest and len(text) > about.longest:
                problem.set_text(self.words.say("rows.too_long", count=about.longest))
                return
            if not has_form(about, text):
                problem.set_text(self.words.say(f"{name}.invalid"))
                return
            try:
                value = parse(text) if parse else tuple(text.splitlines()) if is_list else text
            except ValueError as exc:
                problem.set_text(str(exc))
                return
            problem.set_text("")
            field.setText(_in_lines(value))
            self._apply(**{name: value})

        def show(settings: Settings) -> None:
            if not field.hasFocus():
                field.setText(_in_lines(getattr(settings, name)))

        field.editingFinished.connect(apply)
        problem.follow(field)
        self.follow(show)
        return field

    def _show(self, settings: Settings) -> None:
        for show in self._shows:
            show(settings)

    def _apply(self, **changes: object) -> None:
        self._changes.apply(replace(self._changes.settings, **changes))  # type: ignore[arg-type]  # by name

    def _place(
        self, field: QWidget, text: str = "", *below: QWidget, is_close: bool = False
    ) -> None:
        if not (self._is_first or is_close):
            self._form.add_gap()
        self._is_first = False
        if text:
            self._form.add_row(Label(text), field, *below)
        else:
            self._form.add_field(field, *below)


def _in_lines(value: str | tuple[str, ...]) -> str:
    return value if isinstance(value, str) else "\n".join(value)


def parse_hosts(text: str) -> tuple[str, ...]:
    """Return the hosts in a text, without schemes, paths and duplicates."""
    words = text.replace(",", " ").replace(";", " ").split()
    hosts = (word.rpartition("://")[2].partition("/")[0].strip(".").lower() for word in words)
    return tuple(dict.fromkeys(filter(None, hosts)))
