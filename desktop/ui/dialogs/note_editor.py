"""The form of a note, and what writes, changes and deletes notes so that it can be undone."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QWidget

from desktop.domain.changes import Change
from desktop.domain.errors import AppError
from desktop.domain.notes import Note
from desktop.ui.dialogs.form import SavingForm, do_nothing
from desktop.ui.services import Worker
from desktop.ui.theme.tokens import Space
from desktop.ui.widgets.bars import MessageBar
from desktop.ui.widgets.buttons import Button
from desktop.ui.widgets.fields import TextArea
from desktop.ui.widgets.layouts import STRETCH, column, row, text_width
from desktop.ui.widgets.plain_text import TitleLabel

if TYPE_CHECKING:
    from desktop.sessions.services import Services

AddNote = Callable[["Services", str], Change[Note]]
"""Adds a note with a text, on a worker."""
_LINES, _CHARACTERS = 6, 48
_MOST_QUOTED = 3  # Lines, and one more; the rest is scrolled to
_CHANGED = "note"


class NoteEditor(QObject):
    changed = Signal(object)  # Note, as it was or is

    def __init__(self, worker: Worker, strip: MessageBar, owner: QWidget) -> None:
        super().__init__(owner)
        self._worker, self._strip, self._owner = worker, strip, owner

    def highlight(self, add: AddNote) -> None:
        self._do(lambda services: add(services, ""), self.tr("Highlighted."))

    def write(self, quote: str, add: AddNote, text: str = "") -> None:
        form = NoteForm(quote, text, self._owner.window(), is_new=True)
        form.written.connect(
            lambda text: self._do(
                lambda services: add(services, text),
                self.tr("Note saved."),
                lambda: self.write(quote, add, text),
            )
        )
        form.open()

    def edit(self, note: Note) -> None:
        """Show a note, to be changed or deleted."""
        form = NoteForm(note.quote, note.text, self._owner.window(), is_new=False)
        form.written.connect(
            lambda text: self._do(
                lambda services: services.notes.edit(note.id, text, begun=note.text),
                self.tr("Note saved."),
                lambda: self.edit(replace(note, text=text)),
            )
        )
        form.deleted.connect(partial(self.delete, note))
        form.open()

    def delete(self, note: Note) -> None:
        self._do(lambda services: services.notes.delete(note.id), self.tr("Note deleted."))

    def _do(
        self,
        work: "Callable[[Services], Change[Note]]",
        words: str,
        again: Callable[[], None] = do_nothing,
    ) -> None:
        """`again`: shows what was written and could not be saved, as when its place is gone."""

        def show(change: Change[Note]) -> None:
            self.changed.emit(change.value)
            undo = self._worker.undoes(change, self.changed.emit)
            self._strip.show_message(_CHANGED, words, undo=undo)

        def fail(error: AppError) -> None:
            again()
            self._worker.failed.emit(error)

        self._worker.do_in_turn(work, show, failed=fail)


class NoteForm(SavingForm):
    written = Signal(str)
    deleted = Signal()

    def __init__(self, quote: str, text: str, parent: QWidget, *, is_new: bool) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        title = self.tr("New note") if is_new else self.tr("Note")
        self.setWindowTitle(title)
        self._text = TextArea(text, lines=_LINES)
        self._text.setAccessibleName(self.tr("Your note"))
        self._text.setPlaceholderText(self._text.accessibleName())
        save = Button("primary", text=self.tr("&Save"), press=self.save)
        cancel = Button(text=self.tr("&Cancel"), press=self.reject)
        delete = Button(text=self.tr("&Delete"), press=self._delete)
        delete.setHidden(is_new)
        lines = min(len(quote) // _CHARACTERS, _MOST_QUOTED)
        words = TextArea(quote, lines=lines, is_read_only=True, grows=True)
        words.setAccessibleName(self.tr("Marked words"))
        words.setHidden(not quote)
        parts = (TitleLabel(title), words, self._text, row(delete, STRETCH, cancel, save))
        self.setLayout(column(*parts, spacing=Space.MEDIUM, margin=Space.WIDE))
        self.setMinimumWidth(text_width(self, _CHARACTERS))
        self._text.setFocus(Qt.FocusReason.OtherFocusReason)

    def save(self) -> None:
        self.accept()
        self.written.emit(self._text.text())

    def _delete(self) -> None:
        self.reject()
        self.deleted.emit()
