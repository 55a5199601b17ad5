"""Which session is shown and which is active, and how one becomes the other.

The active session lives in the core; this holds what the core last said. Nothing in here waits:
whatever touches the disk runs on a worker.
"""

from collections.abc import Callable, Sequence

from PySide6.QtCore import QObject, Signal

from desktop.domain.events import (
    ContextReduced,
    MessageAdded,
    SessionEnded,
    SessionStarted,
    TurnEnded,
    TurnEvent,
    UsageCounted,
)
from desktop.domain.ids import MessageId, SessionId
from desktop.domain.messages import Message, Role
from desktop.domain.sessions import Draft, Session, SessionStatus
from desktop.ui.services import NavigationTarget, WindowServices, Worker
from desktop.ui.session.notices import SessionNotices
from desktop.ui.session.question_queue import QuestionQueue
from desktop.ui.session.session_ending import ActiveSessionState, SessionEnding
from desktop.ui.session.shown_session import OpenedSession, ShownSession, open_active
from desktop.ui.session.turn_display import TurnDisplay
from desktop.ui.session.turn_outcome import Regeneration, SplitNotice, TurnOutcome
from desktop.ui.transcript.view import TranscriptView
from desktop.ui.turn_bridge import TurnBridge

_ONE_EXCHANGE = 2


class SessionController(QObject):
    shown_changed = Signal()
    """Another session is shown, or what is said of it has changed."""
    session_opened = Signal(object)
    """SessionId or None: the transcript was filled anew."""
    active_changed = Signal(object)
    """Session or None"""
    left_behind = Signal(object)
    """Session that was ended to begin a new one on an empty page"""
    session_changed = Signal(str)
    """Id of a session that has to be read again"""
    session_removed = Signal(str)
    temporary_ended = Signal()
    """What was said in it is gone."""
    description_due = Signal()
    draft_found = Signal(object)
    """Draft: what was being written in a session that is continued"""
    saved = Signal()
    unsaved = Signal()
    usage_counted = Signal(object)
    """Usage of one request"""
    answered = Signal(object)
    """TurnEnded"""
    failed = Signal(object)
    """AppError"""
    broke = Signal(str)

    def __init__(
        self, transcript: TranscriptView, bridge: TurnBridge, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._transcript = transcript
        self._worker = Worker(bridge, self)
        self.do = self._worker.do
        """On a worker, once the program is ready."""
        self.turns = TurnDisplay(transcript, bridge, self)
        self.asking = QuestionQueue(self.turns, bridge, self)
        self.notices = SessionNotices(transcript, self)
        self._now = ActiveSessionState(self)
        self._shown = ShownSession(transcript, self.turns, self.notices, self._worker, self)
        self.leaving = SessionEnding(
            self._now, self._shown, self.notices, self.asking, self._worker
        )
        self.begin_new, self.begin_temporary = self.leaving.begin_new, self.leaving.begin_temporary
        self.end, self.take_end = self.leaving.end, self.leaving.take_end
        self.resume, self.undo_end = self.leaving.resume, self.leaving.undo_end
        self._rewriting = Regeneration(transcript, self.asking, self.notices, self.in_active, self)
        self.retry, self.edit = self._rewriting.retry, self._rewriting.edit
        self.retry_last = self._rewriting.retry_last
        self._beginning = SplitNotice(self.notices, self.asking, self.undo_end, self)
        self._outcome = TurnOutcome(self.notices, self.retry, self)
        self._connect(transcript)

    def _connect(self, transcript: TranscriptView) -> None:
        self._worker.failed.connect(self.failed)
        self._now.changed.connect(self.active_changed)
        self._outcome.told.connect(self.answered)
        self._outcome.unsaved.connect(self.unsaved)
        self._outcome.failed.connect(self.failed)
        self._outcome.broke.connect(self.broke)
        self._shown.opened.connect(self.session_opened)
        self._shown.changed.connect(self.shown_changed)
        self._shown.read_again.connect(self._reread)
        self._beginning.undone.connect(self._remove_if_empty)
        self._beginning.left.connect(self._tell_left)
        self.leaving.left.connect(self._tell_left)
        self.leaving.left_behind.connect(self.left_behind)
        self.leaving.lost.connect(self._tell_lost)
        self.leaving.begun.connect(self._start)
        self.leaving.resumed.connect(self._take_resumed)
        self.leaving.undone.connect(self._show_undone)
        self.leaving.told.connect(self.shown_changed)
        self.turns.happened.connect(self._take)
        self.asking.begun.connect(self._outcome.begin)
        self.asking.begun.connect(self.notices.take_unanswered)
        self.asking.kept.connect(self._tell_saved)
        self.asking.failed.connect(self.failed)
        self.asking.missed.connect(self._look_again)
        self.asking.busy_changed.connect(transcript.set_busy)

    @property
    def active(self) -> Session | None:
        return self._now.session

    @property
    def is_temporary(self) -> bool:
        """Whether what is active is kept nowhere."""
        return self._now.is_temporary

    @property
    def shown(self) -> Session | None:
        """None: a session that has no message yet."""
        return self._shown.session

    @property
    def is_past_shown(self) -> bool:
        """Whether what is shown has to be continued before it can be gone on with."""
        return self.shown is not None and not self._now.holds(self.shown.id)

    @property
    def was_just_ended(self) -> bool:
        """Whether what is shown ended before the reader's eyes: writing begins a new session."""
        return self.shown is not None and self.active is None and self._shown.ended_here

    def attach(self, services: WindowServices) -> None:
        self._worker.attach(services)
        self._outcome.attach(services)
        self.asking.attach(services)

    def open(self, place: NavigationTarget) -> None:
        """Show a session, at the message that was found in it."""
        self._shown.open(place)

    def show_version(self, message_id: MessageId) -> None:
        """What followed it comes along; the reader stays at the message."""
        self.in_active(
            lambda: self.do(
                lambda services: services.assistant.show_version(message_id),
                lambda _: self._shown.open_again(self._transcript.anchor_of_version(message_id)),
            )
        )

    def read_again(self) -> None:
        """What is shown was changed behind it; the reader stays where they are."""
        self._shown.open_again(self._transcript.anchor())

    def _reread(self, session: Session) -> None:
        """Another path has another length, and another beginning perhaps."""
        if self._now.holds(session.id):
            self._now.put(session)

    def show_active(self) -> None:
        """The active session, or an empty page for a new one."""
        if self.active is not None:
            self.open(NavigationTarget(self.active.id))
        else:
            self._shown.show_empty()

    def _take_resumed(self, session: Session, draft: Draft) -> None:
        self.take_active(session)
        self.draft_found.emit(draft)
        # What is remembered may have grown old since, and the session long.
        self.description_due.emit()

    def _show_undone(self, session_id: SessionId) -> None:
        self.open(NavigationTarget(session_id))
        self._offer_to_answer(session_id)

    def _offer_to_answer(self, session_id: SessionId) -> None:
        """What was taken for thanks may have been a question."""

        def offer(messages: Sequence[Message]) -> None:
            last, active = messages[-1] if messages else None, self.active
            if active is None or active.id != session_id or self.asking.is_busy:
                return
            if last is not None and last.role is Role.USER and last.number == active.messages:
                self.notices.say_unanswered(session_id, lambda: self.retry(last.id))

        self.do(lambda services: services.archive.sessions.messages(session_id), offer)

    def take_active(self, session: Session) -> None:
        """The core has made a session the active one."""
        self._now.put(session)
        self.notices.take_ended(session.id)
        self._shown.take(session)
        self.shown_changed.emit()

    def take_changed(self, session: Session) -> None:
        """A session has another title, or another pin."""
        if session.title and session.status is SessionStatus.COMPLETE:
            self.notices.say_described(session.id, session.title)
        self._now.name(session)
        if self._shown.take(session):
            self.shown_changed.emit()

    def forget(self, session_id: SessionId) -> None:
        """A session was deleted."""
        if self._now.holds(session_id):
            self._now.put(None)
        if self._shown.shows(session_id):
            self.show_active()

    def in_active(self, act: Callable[[], None]) -> None:
        """Do something to a message of what is shown; a past session is continued for it."""
        shown = self.shown
        if shown is None or self.asking.is_busy or self.leaving.is_resuming:
            return
        if self._now.holds(shown.id):
            act()
        else:
            self.resume(shown.id, act)

    def _look_again(self) -> None:
        """What the core did was not told: take over what it has."""

        def take(opened: OpenedSession | None) -> None:
            if opened is not None:
                self.take_active(opened.session)
                self._shown.open_anew(NavigationTarget(opened.session.id))
            elif self.active is not None:
                self.leaving.leave(self.active)
                self.shown_changed.emit()

        self.do(open_active, take)

    def _tell_left(self, session_id: str) -> None:
        self.session_changed.emit(session_id)
        self.description_due.emit()

    def _tell_lost(self, session: Session) -> None:
        """A temporary session has ended: nothing of it is anywhere."""
        self.session_removed.emit(session.id)
        if self._shown.shows(session.id):
            self._shown.show_empty()
        if session.messages:
            self.temporary_ended.emit()

    def _tell_saved(self) -> None:
        if not self.is_temporary:
            self.saved.emit()

    def _take(self, event: TurnEvent) -> None:
        match event:
            case SessionStarted(session=session):
                self._start(session)
            case SessionEnded(session=session, why=why, phrase=phrase):
                self.take_end(session, why, phrase)
                self._beginning.note_end(why, session.id)
            case MessageAdded():
                self._add(event)
            case ContextReduced() if self.active is not None:
                self.notices.say_reduced(self.active.id, event)
            case UsageCounted(usage=usage):
                self.usage_counted.emit(usage)
            case TurnEnded():
                self._finish(event)
            case _:
                pass

    def _start(self, session: Session) -> None:
        self._now.put(session)
        if session.messages:
            self.open(NavigationTarget(session.id))
        else:
            self._shown.begin(session)
            self._beginning.say(session.id)

    def _remove_if_empty(self, undone: str) -> None:
        """An undone session that has no more than its beginning is gone with it."""
        if self.active is not None and self.active.messages <= _ONE_EXCHANGE:
            self.session_removed.emit(undone)

    def _add(self, event: MessageAdded) -> None:
        message = event.message
        if event.is_saved:
            self._tell_saved()
        self._now.add(message)
        self._shown.add(message, self.active)
        if message.role is not Role.USER:
            self._outcome.take_answer()
            self._beginning.take_answer()
            self._rewriting.take_answer(message)

    def _finish(self, event: TurnEnded) -> None:
        self._rewriting.take_turn_end()
        self._beginning.take_turn_end()
        self._outcome.end(event)
