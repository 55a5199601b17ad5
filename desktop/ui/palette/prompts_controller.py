"""Prompts: their page and variables, and the lists that a mark in the message field opens."""

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QDialogButtonBox, QLayout, QLineEdit, QWidget

from desktop.domain.ids import SessionId, SourceId
from desktop.domain.projects import ProjectId
from desktop.domain.prompts import Prompt
from desktop.domain.sessions import Session
from desktop.ui.actions import QT_TR_NOOP, Action, everywhere, possible, when_open
from desktop.ui.composer.suggestions_controller import SuggestionsController
from desktop.ui.dialogs.form import FormGrid, RebuiltDialog, open_dialog
from desktop.ui.palette.palette import PaletteItem
from desktop.ui.palette.palette_controller import PaletteController
from desktop.ui.services import NavigationTarget, Worker
from desktop.ui.session.controller import SessionController
from desktop.ui.widgets.bars import MessageBar
from desktop.ui.widgets.layouts import text_width
from desktop.ui.widgets.message_editor import MessageField
from desktop.ui.widgets.plain_text import Label

if TYPE_CHECKING:
    from desktop.sessions.services import Services
    from desktop.ui.palette.prompts_page import PromptsPage


_MOST_COMMANDS, _MOST_OF_A_KIND = 20, 5


class VariablesDialog(RebuiltDialog):
    def __init__(self, prompt: Prompt, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._prompt = prompt
        self.fields = {name: QLineEdit() for name in prompt.variables}
        self.rebuild()
        self.setMinimumWidth(text_width(self, 80))

    @property
    def filled(self) -> str:
        return self._prompt.filled({name: field.text() for name, field in self.fields.items()})

    def _build(self) -> QLayout:
        form, choices = FormGrid(), QDialogButtonBox.StandardButton
        self.fields = {name: QLineEdit(field.text()) for name, field in self.fields.items()}
        for name, field in self.fields.items():
            form.add_row(Label(name.replace("&", "&&")), field)
        form.fit(text_width(self, 80))
        buttons = QDialogButtonBox(choices.Ok | choices.Cancel)
        buttons.button(choices.Ok).setText(self.tr("Insert"))
        buttons.button(choices.Cancel).setText(self.tr("Cancel"))
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)
        return self._titled(self._prompt.name, form, buttons)


class PromptsController(QObject):
    """The library of prompts, and the lists that a mark in the message field opens.

    A slash offers the prompts, @ attaches a session, document or project to the question.
    """

    page_made = Signal(object)  # View that needs its place in the window
    draft_wanted = Signal()  # the message being written, instead of a past session

    def __init__(
        self,
        field: MessageField,
        strip: MessageBar,
        palette: PaletteController,
        recall: SuggestionsController,
        sessions: SessionController,
        worker: Worker,
    ) -> None:
        super().__init__(palette)
        self._field, self._strip = field, strip
        self.page: PromptsPage | None = None
        self._palette = palette
        self._recall = recall
        self._sessions = sessions
        self._worker = worker
        self._field.marked.connect(self._open_marked)
        palette.offer_loaded("prompts", self._items)

    def records(self) -> Sequence[Action]:
        read = QT_TR_NOOP("Open a past session in a side panel")
        add = QT_TR_NOOP("Attach a past session to the question")
        return [
            everywhere("prompts", QT_TR_NOOP("Prompts"), "", self.open, when_open),
            *possible(
                when_open,
                ("read_beside", read, "Ctrl+Shift+K", self._read_beside),
                ("add_beside", add, "Ctrl+Shift+A", self._add_beside),
            ),
        ]

    def _read_beside(self) -> None:
        """Show a past session beside the message: the one that is read, suggested, or chosen."""
        past = self._past()

        def read(item: PaletteItem) -> None:
            place = NavigationTarget(SessionId(item.key.partition(" ")[2]))
            self._recall.read_place(place)

        if past is not None:
            self._recall.read_place(NavigationTarget(past.id))
            self.draft_wanted.emit()
        elif not self._recall.open_beside():
            self._palette.open(("session",), read)

    def _add_beside(self) -> None:
        """Add a past session to the context: the one that is read, suggested, or chosen."""
        past = self._past()
        if past is not None:
            self.draft_wanted.emit()
            self._recall.add(past.id, past.shown_title)
        elif not self._recall.add_current():
            self._palette.open(("session",), self.attach)

    def _past(self) -> Session | None:
        return self._sessions.shown if self._sessions.is_past_shown else None

    def open(self) -> "PromptsPage":
        from desktop.ui.palette.prompts_page import PromptsPage  # noqa: PLC0415 - not at the start

        if self.page is None:
            self.page = PromptsPage(
                self._worker, self._palette.theme, self._strip, self._field.window()
            )
            self.page_made.emit(self.page)
            self.page.use_wanted.connect(self._use_in_draft)
        self.page.open_at()
        return self.page

    def look_again(self) -> None:
        if self.page is not None and self.page.isVisible():
            self.page.load()

    def _use_in_draft(self, prompt: Prompt) -> None:
        self.draft_wanted.emit()
        self.use(prompt)

    def use(self, prompt: Prompt) -> None:
        """Insert the prompt at the cursor; ask for its variables first."""
        self._worker.do(lambda services: services.prompts.note_use(prompt))
        if not prompt.variables:
            self._write(prompt.text)
            return
        dialog = VariablesDialog(prompt, self._field.window())
        dialog.accepted.connect(lambda: self._write(dialog.filled))
        open_dialog(dialog)

    def _items(self, services: "Services") -> list[PaletteItem]:
        kind = self.tr("Prompt")
        none_yet = PaletteItem(
            "prompt ", self.tr("No prompts yet: write the first…"), kind, self.open
        )
        return [
            PaletteItem(
                f"prompt {prompt.name} {prompt.project}",
                prompt.name,
                f"{kind} · {prompt.project}" if prompt.project else kind,
                partial(self.use, prompt),
            )
            for prompt in services.archive.prompts(services.assistant.wall())
        ] or [none_yet]

    def _open_marked(self, mark: str) -> None:
        # What goes with the question anyway: its own session, and what is attached already.
        active = self._sessions.active
        taken = {*self._sessions.asking.in_context, *((active.id,) if active else ())}
        is_slash = mark == "/"
        commands = {"prompt": self.tr("Prompts"), "action": self.tr("Commands")}
        sources = {
            "session": self.tr("Sessions"),
            "source": self.tr("Library"),
            "project": self.tr("Projects"),
        }
        self._palette.open_at_caret(
            self._field,
            commands if is_slash else sources,
            (lambda item: item.run()) if is_slash else self.attach,
            without=taken,
            most_in_group=_MOST_COMMANDS if is_slash else _MOST_OF_A_KIND,
        )

    def attach(self, item: PaletteItem) -> None:
        """Attach the session, document or project of an item to the question."""
        kind, _, key = item.key.partition(" ")
        match kind:
            case "session":
                self._recall.add(SessionId(key), item.text)
            case "source":
                self._recall.add(SourceId(key), item.text)
            case _:
                self._recall.add(ProjectId(key), item.text)

    def _write(self, text: str) -> None:
        self._field.insertPlainText(text)
        self._field.setFocus(Qt.FocusReason.OtherFocusReason)
