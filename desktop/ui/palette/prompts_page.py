"""The page of prompts: a list at the left, and the chosen prompt as a form at the right."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QLayout, QLineEdit, QWidget

from desktop.domain.changes import Change
from desktop.domain.projects import EVERYTHING
from desktop.domain.prompts import Prompt, with_free_name
from desktop.ui.dialogs.form import RebuiltView, do_nothing
from desktop.ui.palette.palette import PaletteDelegate, PaletteItem, PaletteModel
from desktop.ui.services import Worker
from desktop.ui.theme.theme import ThemeController
from desktop.ui.theme.tokens import Space
from desktop.ui.widgets.bars import MessageBar
from desktop.ui.widgets.buttons import Button, DangerButton
from desktop.ui.widgets.fields import EnumComboBox, TextArea
from desktop.ui.widgets.layouts import (
    Columns,
    FlowLayout,
    clear_layout,
    column,
    flowing,
    growing,
    row,
    scrolling,
    widget_with,
)
from desktop.ui.widgets.plain_text import HintLabel, Label, TitleLabel
from desktop.ui.widgets.row_list import Index, RowList
from desktop.ui.widgets.search_fields import SearchField

if TYPE_CHECKING:
    from desktop.sessions.services import Services

_TWO_COLUMNS = 90  # Letters
_LIST_SHARE, _FORM_SHARE = 1, 2
_LINES = 4


class PromptsPage(RebuiltView):
    """What is written is stored when its field is left; a prompt without text is not stored."""

    act = "prompts"
    use_wanted = Signal(object)  # Prompt

    def __init__(
        self, worker: Worker, theme: ThemeController, strip: MessageBar, parent: QWidget
    ) -> None:
        super().__init__(parent)
        self._worker, self._theme, self._strip = worker, theme, strip
        self._prompts: list[Prompt] = []
        self._stored: Sequence[Prompt] = ()
        self._projects: Sequence[str] = ()
        self._at = 0  # the place of the shown one
        self._version = 0  # rises with each change
        self.rebuild()
        self.add_key(QKeySequence.StandardKey.New, self.add)
        self.add_key(QKeySequence.StandardKey.Find, self._go_to_search)

    def open_at(self) -> None:
        self.come()
        self.load()
        self._go_to_search()

    def load(self) -> None:
        """Load after the pending changes, or their old state would come back."""
        if self._prompts:
            self.keep()

        def read(services: "Services") -> tuple[Sequence[Prompt], Sequence[str]]:
            names = [project.name for project in services.archive.projects()]
            return services.archive.prompts(EVERYTHING), names

        version = self._version

        def show(contents: tuple[Sequence[Prompt], Sequence[str]]) -> None:
            if self._prompts:
                self.keep()
            if version == self._version:  # else it has changed meanwhile
                self._show(*contents)

        self._worker.do_in_turn(read, show)

    def rebuild(self) -> None:
        if self._prompts:
            self.keep()
        super().rebuild()

    def add(self) -> None:
        if self._prompts:  # else they are not loaded yet
            self._begin(self._draft())

    def duplicate(self) -> None:
        self._begin(self._prompts[self._at])

    def delete(self) -> None:
        prompt = self._prompts.pop(self._at)
        self._prompts = self._prompts or [self._draft()]
        self._at = min(self._at, len(self._prompts) - 1)
        self._store(self.tr("“{name}” was deleted.").format(name=prompt.name))
        self._fill()

    def keep(self) -> None:
        """Store what the fields say."""
        before, taken = self._prompts[self._at], [*self._prompts]
        taken.pop(self._at)
        name = " ".join(self.name.text().split()) or before.name
        after = with_free_name(Prompt(name, self.text.text().strip(), self.project.value), taken)
        if after != before:
            self._prompts[self._at] = after
            self._store()
            self._fill()

    def _build(self) -> QLayout:
        self.setWindowTitle(self.tr("Prompts"))
        self.search = SearchField(self._theme)
        self.search.set_name(self.tr("Search prompts"))
        self.search.set_hint(QKeySequence())
        self._model = PaletteModel(self)
        self.list = RowList(self._model, PaletteDelegate(self._theme))
        self.list.setAccessibleName(self.tr("Prompts"))
        self.name, self.text = QLineEdit(), TextArea(lines=_LINES, grows=True)
        projects = (self.tr("All projects"), *self._projects)
        self.project = EnumComboBox(("", *self._projects), names=projects)
        self._variables = FlowLayout()
        fields = (
            (Label(self.tr("Na&me")), self.name),
            (Label(self.tr("Offered &in")), self.project),
            (Label(self.tr("&Text")), self.text),
        )
        for label, field in fields:
            label.setBuddy(field)
        about = self.tr(
            "Bellek asks for words in braces, such as [topic], when you use the prompt. Type / in "
            "the empty message field to use one."
        )
        self._use_it = Button("primary", text=self.tr("&Use"), press=self._use)
        again = Button(text=self.tr("D&uplicate"), press=self.duplicate)
        delete = DangerButton(text=self.tr("&Delete"), press=self.delete)
        form = column(
            *(part for pair in fields[:2] for part in pair),
            fields[2][0],
            growing(self.text),
            self._variables,
            HintLabel(about.replace("[", "{").replace("]", "}")),
        )
        buttons = flowing(self._use_it, again, delete)
        self._form = widget_with(column(growing(scrolling(form)), buttons))
        title = TitleLabel(self.tr("Prompts"))
        title.setWordWrap(False)
        add = Button(text=self.tr("&Add a prompt"), press=self.add)
        left = widget_with(column(self.search, growing(self.list)))
        shares = (growing(left, _LIST_SHARE), growing(self._form, _FORM_SHARE))
        columns = Columns(*shares, letters=_TWO_COLUMNS, spacing=Space.LARGE)
        self._connect()
        return column(
            row(growing(title), add),
            growing(columns),
            spacing=Space.MEDIUM,
            margin=Space.WIDE,
        )

    def _connect(self) -> None:
        self.search.textChanged.connect(lambda _: self._list())
        self.search.left_downwards.connect(self.list.enter)
        self.search.entered.connect(self.list.enter)
        self.search.left.connect(self.step_back)
        self.list.left_upwards.connect(self._go_to_search)
        self.list.remove_wanted.connect(self.delete)
        self.list.selectionModel().currentChanged.connect(lambda index, _: self._choose(index))
        self.name.editingFinished.connect(self.keep)
        self.text.editingFinished.connect(self.keep)
        self.text.textChanged.connect(self._show_variables)
        self.project.chosen.connect(lambda _: self.keep())

    def _show(self, prompts: Sequence[Prompt], projects: Sequence[str]) -> None:
        shown = self._prompts[self._at] if self._prompts else None
        self._stored = prompts
        self._prompts = sorted(
            prompts, key=lambda prompt: (prompt.name.casefold(), prompt.project)
        )
        if shown and not shown.text and self.name.hasFocus():  # it is being written
            self._prompts.append(shown)
        self._prompts = self._prompts or [self._draft()]
        keys = [(prompt.name, prompt.project) for prompt in self._prompts]
        key = (shown.name, shown.project) if shown else None
        self._at = keys.index(key) if key in keys else 0
        if projects != self._projects:
            self._projects = projects
            super().rebuild()
        else:
            self._fill()

    def _draft(self) -> Prompt:
        return Prompt(self.tr("New prompt"), "")

    def _begin(self, prompt: Prompt) -> None:
        """Add a prompt to the list, and let its name be written."""
        self.search.clear()
        self._prompts.append(with_free_name(prompt, self._prompts))
        self._at = len(self._prompts) - 1
        self._store()
        self._fill()
        self.name.setFocus(Qt.FocusReason.OtherFocusReason)
        self.name.selectAll()

    def _go_to_search(self) -> None:
        self.search.setFocus(Qt.FocusReason.OtherFocusReason)

    def _use(self) -> None:
        self.left.emit()
        self.use_wanted.emit(self._prompts[self._at])

    def _fill(self) -> None:
        """Show the list, and the current prompt in the form."""
        self._form.setEnabled(bool(self._prompts))
        self._list()
        if not self._prompts:
            return
        prompt = self._prompts[self._at]
        if " ".join(self.name.text().split()) != prompt.name:
            self.name.setText(prompt.name)
        self.project.show_value(prompt.project)
        if self.text.text().strip() != prompt.text:
            self.text.setText(prompt.text)
        self._show_variables()

    def _list(self) -> None:
        items = [
            PaletteItem(str(place), prompt.name, prompt.project, do_nothing)
            for place, prompt in enumerate(self._prompts)
        ]
        self._model.put("prompts", items)
        self._model.find(self.search.text())
        self.list.setCurrentIndex(self._model.index_of_key(str(self._at)))

    def _choose(self, index: Index) -> None:
        row = self._model.row(index)
        if row is not None and (place := int(row.item.key)) != self._at:
            self._at = place
            self._fill()

    def _show_variables(self) -> None:
        """Show what the prompt asks for, as it is written."""
        text = self.text.text()
        self._use_it.setEnabled(bool(text.strip()))
        clear_layout(self._variables)
        for name in Prompt("", text).variables:
            self._variables.addWidget(Label(name.replace("&", "&&"), role="key"))

    def _store(self, notice: str = "") -> None:
        """Store all prompts; what something else has added, changed or deleted stays so."""
        self._version += 1
        before, after = self._stored, [prompt for prompt in self._prompts if prompt.text]
        if set(after) == set(before):
            return

        def work(services: "Services") -> Change[Sequence[Prompt]]:
            current = services.archive.prompts(EVERYTHING)
            own = [prompt for prompt in after if prompt in current or prompt not in before]
            added = [prompt for prompt in current if prompt not in (*before, *own)]
            own = [with_free_name(prompt, added) for prompt in own]
            return services.prompts.replace(current, [*own, *added])

        def show(change: Change[Sequence[Prompt]]) -> None:
            if notice:
                undo = self._worker.undoes(change, lambda _: self.load())
                self._strip.show_message("prompts", notice, undo=undo)

        self._stored = after
        self._worker.do_in_turn(work, show)
