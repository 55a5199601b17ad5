"""Highlights and notes of the messages that are shown."""

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from desktop.domain.changes import Change
from desktop.domain.notes import Note
from desktop.ui.dialogs.note_editor import NoteEditor
from desktop.ui.services import Worker
from desktop.ui.session.message_actions import MessageActions
from desktop.ui.transcript.entries import MessageAction, MessageRequest
from desktop.ui.transcript.view import TranscriptView
from desktop.ui.widgets.bars import MessageBar

if TYPE_CHECKING:
    from desktop.sessions.services import Services


class MessageNotes(QObject):
    def __init__(
        self,
        *transcripts: TranscriptView,
        strip: MessageBar,
        worker: Worker,
        desk: MessageActions,
    ) -> None:
        super().__init__(desk)
        self._desk = desk
        self._editor = NoteEditor(worker, strip, strip)
        self._editor.changed.connect(self._show)
        for transcript in transcripts:
            transcript.action_chosen.connect(self._act)

    def _act(self, request: MessageRequest) -> None:
        message_id = request.message

        def add(services: "Services", text: str) -> Change[Note]:
            if message_id is None:
                raise AssertionError("a note has a message")
            return services.notes.add_to_message(
                message_id, request.text, text, occurrence=request.occurrence
            )

        match request.action:
            case MessageAction.HIGHLIGHT:
                self._editor.highlight(add)
            case MessageAction.NOTE:
                self._editor.write(request.text, add)
            case MessageAction.EDIT_NOTE if request.note is not None:
                self._editor.edit(request.note)
            case _:
                pass  # other parts of the window handle these

    def _show(self, note: Note) -> None:
        if note.message_id is not None:
            self._desk.reload(note.message_id)
