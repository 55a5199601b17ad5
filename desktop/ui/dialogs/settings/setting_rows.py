"""Pages of the settings, and the rows that a page declares: label, field, hint, setting.

A page lists its rows with texts in the current language. The widgets are built from the first
list; after a change of language the texts of a second list replace theirs, in the same order.
"""

from abc import abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import KW_ONLY, dataclass, replace
from enum import StrEnum
from typing import Any, TypeVar

from PySide6.QtGui import QFocusEvent
from PySide6.QtWidgets import QLineEdit, QPlainTextEdit, QWidget

from desktop.settings.settings import Settings
from desktop.ui.dialogs.form import FormGrid, Page
from desktop.ui.dialogs.settings.settings_controller import SettingsController
from desktop.ui.widgets.buttons import Button
from desktop.ui.widgets.fields import EnumComboBox, NumberField, RadioGroup, WrappingCheckBox
from desktop.ui.widgets.labels import HintLabel, ProblemLabel, SectionLabel
from desktop.ui.widgets.plain_text import Label

W = TypeVar("W", bound=QWidget)
_LARGE = 100_000
"""Numbers above are shown with separators."""


def _always(_settings: Settings) -> bool:
    return True


@dataclass(frozen=True, slots=True)
class SettingRow:
    text: str
    _: KW_ONLY
    hint: str = ""
    is_close: bool = False
    """Whether it belongs to the row above, without a gap."""
    is_enabled: Callable[[Settings], bool] = _always
    is_visible: Callable[[Settings], bool] = _always


class SectionRow(SettingRow):
    """A heading."""


class NoteRow(SettingRow):
    """Only a hint, below the row above."""


@dataclass(frozen=True, slots=True)
class ButtonRow(SettingRow):
    press: Callable[[], None]


@dataclass(frozen=True, slots=True)
class SwitchRow(SettingRow):
    setting: str


@dataclass(frozen=True, slots=True)
class ChoiceRow(SettingRow):
    """A drop-down of the members of an enum."""

    setting: str
    members: Sequence[StrEnum]
    names: Sequence[str]
    choose: Callable[[Any], None] | None = None
    """Called instead of changing the setting."""


@dataclass(frozen=True, slots=True)
class RadioRow(SettingRow):
    """A choice with a sentence for each possibility."""

    setting: str
    values: Sequence[object]
    names: Sequence[tuple[str, str]]


@dataclass(frozen=True, slots=True)
class NumberRow(SettingRow):
    setting: str
    numbers: range
    form: str
    """The number in braces with its unit."""
    special: str = ""
    """Shown instead of the least number."""
    read: Callable[[Any], int] = int
    """From the setting to the number that is shown."""
    write: Callable[[int], object] = int


@dataclass(frozen=True, slots=True)
class TextRow(SettingRow):
    """One line; `parse` cleans it or raises ValueError, for which `problem` is shown."""

    setting: str
    parse: Callable[[str], str]
    problem: str


@dataclass(frozen=True, slots=True)
class HostsRow(SettingRow):
    """Host names, one a line."""

    setting: str


@dataclass(slots=True)
class _BuiltRow:
    row: SettingRow
    label: Label
    field: QWidget
    hint: HintLabel
    problem: ProblemLabel

    @property
    def setting(self) -> str:
        return str(getattr(self.row, "setting", ""))


class SettingsPage(Page):
    """Shows the settings and applies each change at once.

    A subclass calls `_begin` at the end of its constructor.
    """

    def __init__(self, changes: SettingsController, parent: QWidget | None = None) -> None:
        super().__init__(self.retranslate, parent)
        self._changes = changes

    @abstractmethod
    def retranslate(self) -> None: ...

    @abstractmethod
    def _build(self) -> None: ...

    def _connect(self) -> None:
        """Connect the widgets that the page has built itself."""

    @abstractmethod
    def _show(self, settings: Settings) -> None: ...

    def _begin(self) -> None:
        self._build()
        self._connect()
        self._changes.changed.connect(self._show)
        self.retranslate()
        self._show(self._changes.settings)

    def _apply(self, **changes: object) -> None:
        self._changes.apply(replace(self._changes.settings, **changes))  # type: ignore[arg-type]  # by name


class RowsPage(SettingsPage):
    """A page that consists of declared rows."""

    @abstractmethod
    def rows(self) -> Sequence[SettingRow]:
        """The rows with their texts in the current language."""

    @abstractmethod
    def heading(self) -> str: ...

    def field(self, setting: str, kind: type[W]) -> W:
        """The field of a setting."""
        field = self._row_of(setting).field
        if not isinstance(field, kind):
            raise TypeError(f"{setting} has a {type(field).__name__}")
        return field

    def problem(self, setting: str) -> ProblemLabel:
        return self._row_of(setting).problem

    def hint(self, setting: str) -> HintLabel:
        return self._row_of(setting).hint

    def retranslate(self) -> None:
        self.title.setText(self.heading())
        for built, row in zip(self._built, self.rows(), strict=True):
            built.row = row
            _set_texts(built)

    def _build(self) -> None:
        self._build_rows()
        self.column.addStretch()

    def _build_rows(self) -> None:
        form = FormGrid()
        self._built: list[_BuiltRow] = []
        before: SettingRow | None = None
        for row in self.rows():
            is_first = before is None or isinstance(before, SectionRow)
            if not is_first and not row.is_close and not isinstance(row, SectionRow | NoteRow):
                form.add_gap()
            built = _BuiltRow(row, Label(), self._field(row), HintLabel(), ProblemLabel())
            _add(form, built)
            self._built.append(built)
            before = row
        self.column.addWidget(form)

    def _show(self, settings: Settings) -> None:
        for built in self._built:
            if built.setting:
                _show_value(built, getattr(settings, built.setting))
            built.field.setEnabled(built.row.is_enabled(settings))
            if built.row.is_visible is not _always:
                is_visible = built.row.is_visible(settings)
                for widget in (built.label, built.field, built.hint):
                    widget.setVisible(is_visible)
                if not is_visible:
                    built.problem.set_text("")

    def _row_of(self, setting: str) -> _BuiltRow:
        return next(built for built in self._built if built.setting == setting)

    def _field(self, row: SettingRow) -> QWidget:
        field: QWidget
        match row:
            case SwitchRow(setting=name):
                box = WrappingCheckBox()
                box.clicked.connect(lambda is_on: self._apply(**{name: is_on}))
                field = box
            case ChoiceRow(setting=name):
                choice = EnumComboBox(row.members)
                choice.chosen.connect(row.choose or (lambda member: self._apply(**{name: member})))
                field = choice
            case RadioRow(setting=name):
                radios = RadioGroup(row.values)
                radios.chosen.connect(lambda value: self._apply(**{name: value}))
                field = radios
            case NumberRow(setting=name):
                number = NumberField(row.numbers)
                number.setGroupSeparatorShown(row.numbers.stop > _LARGE)
                number.valueChanged.connect(lambda value: self._apply(**{name: row.write(value)}))
                field = number
            case HostsRow(setting=name):
                hosts = _HostsField(lambda found: self._apply(**{name: found}))
                hosts.setTabChangesFocus(True)
                field = hosts
            case TextRow(setting=name):
                line = QLineEdit()
                line.editingFinished.connect(lambda: self._apply_text(name))
                field = line
            case ButtonRow():
                button = Button()
                button.clicked.connect(lambda _: row.press())
                field = button
            case _:
                field = SectionLabel()
        return field

    def _apply_text(self, setting: str) -> None:
        built = self._row_of(setting)
        row, field = built.row, built.field
        assert isinstance(row, TextRow)  # noqa: S101 (built from one)
        assert isinstance(field, QLineEdit)  # noqa: S101 (the same)
        try:
            text = row.parse(field.text().strip())
        except ValueError:
            built.problem.set_text(row.problem)
            return
        built.problem.set_text("")
        self._apply(**{setting: text})


def _add(form: FormGrid, built: _BuiltRow) -> None:
    row, field, hint = built.row, built.field, built.hint
    below = [hint] if row.hint else []
    match row:
        case SectionRow():
            assert isinstance(field, SectionLabel)  # noqa: S101 (see _field)
            form.add_section(field)
        case NoteRow():
            form.add_below(hint)
        case SwitchRow():
            hint.setProperty("below", "box")
            form.add_field(field, hint)
        case TextRow():
            form.add_row(built.label, field, built.problem, *below)
        case ButtonRow():
            form.add_field(field)
        case _ if row.text:
            form.add_row(built.label, field, *below)
        case _:
            form.add_field(field, *below)


def _set_texts(built: _BuiltRow) -> None:
    row, field = built.row, built.field
    built.hint.setText(row.hint)
    match field:
        case SectionLabel() | WrappingCheckBox() | Button():
            field.setText(row.text)
        case _:
            built.label.setText(row.text)
    match row, field:
        case ChoiceRow(), EnumComboBox():
            field.set_texts(*row.names)
        case RadioRow(), RadioGroup():
            field.set_texts(*row.names)
        case NumberRow(), NumberField():
            field.set_format(row.form)
            field.setSpecialValueText(row.special)
        case _:
            pass


def _show_value(built: _BuiltRow, value: Any) -> None:
    row, field = built.row, built.field
    match field:
        case WrappingCheckBox():
            field.setChecked(value)
        case EnumComboBox() | RadioGroup():
            field.show_member(value)
        case NumberField() if isinstance(row, NumberRow):
            field.show_number(row.read(value))
        case _HostsField():
            field.show_hosts(value)
        case QLineEdit() if not field.hasFocus():
            field.setText(value)


class _HostsField(QPlainTextEdit):
    """Applied when it loses the focus."""

    _LINES = 3

    def __init__(self, apply: Callable[[tuple[str, ...]], None]) -> None:
        super().__init__()
        self._apply = apply
        self._shown: tuple[str, ...] = ()
        self.setProperty("role", "field")
        self.setFixedHeight((self._LINES + 1) * self.fontMetrics().lineSpacing())

    def show_hosts(self, hosts: Sequence[str]) -> None:
        self._shown = tuple(hosts)
        if not self.hasFocus():
            self.setPlainText("\n".join(hosts))

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        hosts = parse_hosts(self.toPlainText())
        if hosts != self._shown:
            self._apply(hosts)
        self.setPlainText("\n".join(hosts))


def parse_hosts(text: str) -> tuple[str, ...]:
    """The hosts of a text, without schemes, paths and repetitions."""
    words = text.replace(",", " ").replace(";", " ").split()
    hosts = (word.rpartition("://")[2].partition("/")[0].strip(".").lower() for word in words)
    return tuple(dict.fromkeys(filter(None, hosts)))
