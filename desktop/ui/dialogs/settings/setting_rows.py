"""Pages of the settings, made of rows: a setting, its field, a label, a hint.

The settings dialog makes its pages anew when the language changes, so a page sets each text once.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace

from PySide6.QtWidgets import QLineEdit, QWidget

from desktop.settings.settings import Settings
from desktop.ui.dialogs.form import FormGrid, Page
from desktop.ui.dialogs.settings.editable_table import EditableTable, TableRow
from desktop.ui.dialogs.settings.settings_controller import SettingsController
from desktop.ui.widgets.buttons import Button
from desktop.ui.widgets.fields import (
    EnumComboBox,
    NumberField,
    RadioGroup,
    TextArea,
    WrappingCheckBox,
)
from desktop.ui.widgets.labels import HintLabel, ProblemLabel, SectionLabel
from desktop.ui.widgets.layouts import column
from desktop.ui.widgets.plain_text import Label

_HOST_LINES = 3


class SettingsPage(Page):
    """Shows the settings and applies each change at once.

    A field has the name of its setting as its object name.
    """

    def __init__(self, changes: SettingsController) -> None:
        super().__init__()
        self._changes = changes
        self._shows: list[Callable[[Settings], None]] = []
        self._form = FormGrid()
        self._is_first = True  # the first row has no gap above
        changes.changed.connect(self._show)

    def follow(self, show: Callable[[Settings], None]) -> None:
        """Call `show` with the current settings, and after each change."""
        self._shows.append(show)
        show(self._changes.settings)

    def add_section(self, title: str) -> None:
        self._form.add_section(SectionLabel(title))
        self._is_first = True

    def add_note(self, text: str) -> None:
        self._form.add_below(HintLabel(text))

    def add_row(
        self,
        setting: str,
        field: EnumComboBox | RadioGroup | NumberField,
        text: str = "",
        hint: str = "",
        *,
        is_close: bool = False,
    ) -> None:
        """Add a row; `is_close`: without a gap to the row above."""
        field.chosen.connect(lambda value: self._apply(**{setting: value}))
        self.follow(lambda settings: field.show_value(getattr(settings, setting)))
        field.setObjectName(setting)
        self._place(field, text, hint, is_close=is_close)

    def add_switch(
        self, setting: str, text: str, hint: str = "", *, is_close: bool = False
    ) -> None:
        box = WrappingCheckBox(text)
        box.setObjectName(setting)
        box.clicked.connect(lambda is_on: self._apply(**{setting: is_on}))
        self.follow(lambda settings: box.setChecked(getattr(settings, setting)))
        about = HintLabel(hint)
        about.setProperty("below", "box")
        self._place(box, is_close=is_close, below=[about] if hint else [])

    def add_button(self, text: str, press: Callable[[], object]) -> Button:
        button = Button(text=text, press=press)
        self._place(button, is_close=True)
        return button

    def add_text(
        self,
        setting: str,
        field: QLineEdit | TextArea,
        text: str,
        hint: str = "",
        *,
        parse: Callable[[str], str | tuple[str, ...]],
    ) -> None:
        """Add a text field whose value is saved when it loses the focus.

        `parse` cleans the text or raises ValueError with the problem; a tuple is a list of lines.
        """
        problem = ProblemLabel()

        def apply() -> None:
            try:
                value = parse(field.text().strip())
            except ValueError as exc:
                problem.set_text(str(exc))
                return
            problem.set_text("")
            field.setText(_in_lines(value))
            self._apply(**{setting: value})

        def show(settings: Settings) -> None:
            if not field.hasFocus():
                field.setText(_in_lines(getattr(settings, setting)))

        field.setObjectName(setting)
        field.editingFinished.connect(apply)
        self.follow(show)
        self._place(field, text, hint, below=[problem])

    def add_hosts(self, setting: str, text: str, hint: str) -> None:
        self.add_text(setting, TextArea(lines=_HOST_LINES), text, hint, parse=parse_hosts)

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
        self.column.addLayout(column(SectionLabel(title), HintLabel(hint), *shown))

    def _show(self, settings: Settings) -> None:
        for show in self._shows:
            show(settings)

    def _apply(self, **changes: object) -> None:
        self._changes.apply(replace(self._changes.settings, **changes))  # type: ignore[arg-type]  # by name

    def _place(
        self,
        field: QWidget,
        text: str = "",
        hint: str = "",
        *,
        is_close: bool = False,
        below: Sequence[QWidget] = (),
    ) -> None:
        if not (self._is_first or is_close):
            self._form.add_gap()
        self._is_first = False
        hints = [*below, HintLabel(hint)] if hint else below
        if text:
            self._form.add_row(Label(text), field, *hints)
        else:
            self._form.add_field(field, *hints)


def _in_lines(value: str | tuple[str, ...]) -> str:
    return value if isinstance(value, str) else "\n".join(value)


def parse_hosts(text: str) -> tuple[str, ...]:
    """Return the hosts in a text, without schemes, paths and duplicates."""
    words = text.replace(",", " ").replace(";", " ").split()
    hosts = (word.rpartition("://")[2].partition("/")[0].strip(".").lower() for word in words)
    return tuple(dict.fromkeys(filter(None, hosts)))
