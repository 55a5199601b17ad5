"""The session that the transcript shows, and how another one comes to be shown there.

A session is read by a worker, and what is wanted may change meanwhile: only the one that was asked
for last is shown, and what is said in it until then is added to what was read.
"""

from PySide6.QtCore import QObject, Signal

from desktop.domain.ids import MessageId, SessionId
from desktop.domain.messages import Message, Role
from desktop.domain.sessions import Session
from desktop.ui.background_tasks import Worker
from desktop.ui.navigation_target import Place
from desktop.ui.session.notices import SessionNotices
from desktop.ui.session.session_loader import Opened, open_session
from desktop.ui.session.turn_display import TurnDisplay
from desktop.ui.transcript.view import TranscriptView


class ShownSession(QObject):
    opened = Signal(object)
    """SessionId or None: the transcript was filled anew."""
    changed = Signal()
    """Another session is shown, or what is said of it has changed."""
    read_again = Signal(object)
    """Session, as it is after what was changed behind the transcript"""

    def __init__(
        self,
        transcript: TranscriptView,
        turns: TurnDisplay,
        notices: SessionNotices,
        worker: Worker,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._transcript = transcript
        self._turns = turns
        self._notices = notices
        self._worker = worker
        self._session: Session | None = None
        self._asked: SessionId | None = None
        self._late: list[Message] = []
        self._question: MessageId | None = None
        self._ended_here = False

    @property
    def session(self) -> Session | None:
        """None: a session that has no message yet."""
        return self._session

    @property
    def ended_here(self) -> bool:
        """Whether it ended before the reader's eyes."""
        return self._ended_here

    def shows(self, session_id: SessionId) -> bool:
        return self._session is not None and self._session.id == session_id

    def open(self, place: Place) -> None:
        """Show a session, at the message that was found in it."""
        if self.shows(place.session_id):
            self._asked = None
            self._go_to(place)
            return
        self._asked = place.session_id
        self._late = []
        self._worker.do(
            lambda services: open_session(services, place.session_id),
            lambda opened: self._show(opened, place),
        )

    def open_anew(self, place: Place) -> None:
        """Also where it is shown already: what is said of it cannot be trusted."""
        self._session = None
        self.open(place)

    def open_again(self, at: tuple[int | None, int]) -> None:
        """What is shown was changed behind it; the reader is put at an anchor of the text."""
        if self._session is None:
            return
        session_id = self._session.id

        def show(opened: Opened) -> None:
            self._notices.take_later()
            self._show(opened, Place(session_id))
            self._transcript.restore_anchor(*at)
            self.read_again.emit(opened.session)

        self._asked = session_id
        self._worker.do(lambda services: open_session(services, session_id), show)

    def begin(self, session: Session) -> None:
        """Show a session that has no message yet."""
        self._asked = session.id
        self._show(Opened(session, ()), Place(session.id))

    def show_empty(self) -> None:
        self._asked, self._session, self._ended_here = None, None, False
        self._turns.show_in(None)
        self._transcript.show_session(())
        self._notices.show_in(None)
        self.opened.emit(None)
        self.changed.emit()

    def take(self, session: Session) -> bool:
        """What is known of a session has changed; whether it is the one that is shown."""
        is_shown = self.shows(session.id)
        if is_shown:
            self._session = session
        return is_shown

    def take_end(self, session: Session) -> None:
        self._ended_here = self.take(session)

    def go_to_end(self) -> None:
        self._transcript.go_to_end()

    def add(self, message: Message, active: Session | None) -> None:
        """A message came into the active session."""
        if self._asked == message.session_id:
            self._late.append(message)
        elif self.shows(message.session_id):
            # The user's words are told of twice: when they are in memory, and when the disk has
            # them.
            if message.id != self._question:
                self._transcript.append(message)
            if active is not None:
                self._session = active
            self.changed.emit()
        if message.role is Role.USER:
            self._question = message.id

    def _show(self, opened: Opened, place: Place) -> None:
        session = opened.session
        if self._asked != session.id:
            return
        self._asked = None
        self._ended_here = False
        self._session = session
        self._turns.show_in(session.id)
        messages = self._turns.with_what_arrived(opened.messages)
        self._transcript.show_session(messages)
        known = {message.id for message in messages}
        for message in self._late:
            if message.session_id == session.id and message.id not in known:
                self._transcript.append(message)
        self._late = []
        self._notices.show_in(session.id)
        self._go_to(place)
        self.opened.emit(session.id)
        self.changed.emit()

    def _go_to(self, place: Place) -> None:
        if place.message_id is not None:
            self._transcript.scroll_to(place.message_id, place.terms)
