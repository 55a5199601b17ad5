"""Answers that come while another session is shown: those that go on, and those not seen yet."""

from PySide6.QtCore import QObject, Signal

from desktop.domain import events
from desktop.domain.ids import SessionId
from desktop.ui.services import Worker
from desktop.ui.session.shown_session import ShownSession
from desktop.ui.session.turn_display import TurnDisplay
from desktop.ui.transcript.view import TranscriptView


class OtherAnswers(QObject):
    changed = Signal()  # Which sessions are answered, or have an answer that was not seen
    session_changed = Signal(str)  # id of a session that was left, and has changed
    unsaved = Signal()

    def __init__(
        self,
        transcript: TranscriptView,
        turns: TurnDisplay,
        shown: ShownSession,
        worker: Worker,
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._transcript, self._shown = transcript, shown
        self._broke = worker.bridge.broke
        self.unseen: frozenset[SessionId] = frozenset()
        turns.sessions_changed.connect(self.changed)
        turns.left_happened.connect(self._take)
        for happened in (turns.left_happened, turns.front_happened):
            happened.connect(self._note_unseen)
        shown.opened.connect(self._note_seen)

    def _take(self, event: events.TurnEvent) -> None:
        """Take what happens in a session that was left while it was answered."""
        match event:
            case events.SessionStarted(session=session) | events.SessionEnded(session=session):
                self.session_changed.emit(session.id)
            case events.MessageAdded(message=message):
                self._shown.add(message, None)
            case events.StatusChanged(status=events.Status.SAVING_LATER):
                self.unsaved.emit()
            case events.TurnEnded():
                self._end(event)
            case _:
                pass

    def _end(self, event: events.TurnEnded) -> None:
        if event.bug:
            self._broke.emit(event.bug)
        if event.session_id is not None:
            self.session_changed.emit(event.session_id)
            if self._shown.shows(event.session_id):
                self._shown.open_again(self._transcript.anchor())

    def _note_unseen(self, event: events.TurnEvent) -> None:
        if not isinstance(event, events.TurnEnded) or event.session_id is None:
            return
        is_seen = event.message_id is None or self._shown.shows(event.session_id)
        if not is_seen and event.outcome is not events.Outcome.STOPPED:
            self.unseen |= {event.session_id}
            self.changed.emit()

    def _note_seen(self, session_id: SessionId | None) -> None:
        if session_id is not None and session_id in self.unseen:
            self.unseen -= {session_id}
            self.changed.emit()
