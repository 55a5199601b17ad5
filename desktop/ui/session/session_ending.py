"""Ends, leaves and resumes sessions, and holds what the core last said of the active one."""

from collections.abc import Callable
from dataclasses import replace
from typing import TypeVar

from PySide6.QtCore import QObject, Signal

from desktop.domain.ids import SessionId
from desktop.domain.messages import Message
from desktop.domain.sessions import Draft, EndReason, Session, SessionStatus, opening_of
from desktop.ui.services import WindowServices, Worker
from desktop.ui.session.notices import SessionNotices
from desktop.ui.session.question_queue import QuestionQueue
from desktop.ui.session.shown_session import ShownSession


class ActiveSessionState(QObject):
    changed = Signal(object)
    """Session or None"""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._session: Session | None = None

    @property
    def session(self) -> Session | None:
        return self._session

    @property
    def is_temporary(self) -> bool:
        """Whether it is kept nowhere."""
        return self._session is not None and self._session.is_temporary

    def holds(self, session_id: str) -> bool:
        return self._session is not None and self._session.id == session_id

    def put(self, session: Session | None) -> None:
        self._session = session
        self.changed.emit(session)

    def name(self, session: Session) -> None:
        """It has another title, or another pin, which is told of elsewhere."""
        if self.holds(session.id):
            self._session = session

    def add(self, message: Message) -> None:
        session = self._session
        if session is None or session.id != message.session_id:
            return
        opening = opening_of(message.content) if message.number == 1 else session.opening
        self.put(
            replace(
                session,
                messages=message.number,
                opening=opening,
                updated_at=message.created_at,
                status=SessionStatus.ACTIVE,
            )
        )


T = TypeVar("T")


def _at_once(_: SessionId, go_on: Callable[[], None]) -> None:
    go_on()


def _unasked(go_on: Callable[[], None]) -> None:
    go_on()


class SessionEnding(QObject):
    left = Signal(str)
    """Id of a session that is active no more and has to be read again"""
    left_behind = Signal(object)
    """Session that was ended to begin a new one on an empty page"""
    lost = Signal(object)
    """A temporary session: what was said in it is gone."""
    begun = Signal(object)
    """Session that is active now, and was not there before"""
    resumed = Signal(object, object)
    """Session that is active again, and the Draft of what was being written in it"""
    undone = Signal(object)
    """SessionId of what goes on as if it had not ended"""
    told = Signal()
    """What is said of the session that is shown has changed."""

    def __init__(
        self,
        now: ActiveSessionState,
        shown: ShownSession,
        notices: SessionNotices,
        asking: QuestionQueue,
        worker: Worker,
    ) -> None:
        super().__init__(now)
        self._now = now
        self._shown = shown
        self._notices = notices
        self._asking = asking
        self._worker = worker
        self._is_resuming = False
        self.before_resuming: Callable[[SessionId, Callable[[], None]], None] = _at_once
        """Answers for what a crash left open, and then goes on."""
        self.before_losing: Callable[[Callable[[], None]], None] = _unasked
        """Goes on, unless a temporary session would be lost that is wanted still."""

    @property
    def is_resuming(self) -> bool:
        return self._is_resuming

    def begin_new(self) -> None:
        """End what is active and show an empty page."""
        if self._now.session is None:
            self._shown.show_empty()
        else:
            self.before_losing(lambda: self._end(self._begin_after))

    def begin_temporary(self) -> None:
        """End what is active, and begin a session that is kept nowhere."""
        self.before_losing(self._begin_temporary)

    def end(self) -> None:
        self.before_losing(
            lambda: self._end(lambda session: self.take_end(session, EndReason.USER))
        )

    def take_end(self, session: Session | None, why: EndReason, phrase: str = "") -> None:
        """The core has ended the active session."""
        if session is None:
            return
        self.leave(session)
        self._shown.take_end(session)
        self._notices.say_ended(session.id, why, phrase, lambda: self.undo_end(session.id))
        if why is EndReason.USER:  # who ended it wants to see that it has
            self._shown.go_to_end()
        if session.title:
            self._notices.say_described(session.id, session.title)
        self.told.emit()

    def resume(self, session_id: SessionId, then: Callable[[], None] = lambda: None) -> None:
        """Make a past session the active one, then go on."""
        before = self._now.session

        def work(services: WindowServices) -> tuple[Session, Draft]:
            return services.assistant.resume(session_id), services.assistant.draft()

        def take(found: tuple[Session, Draft]) -> None:
            session, draft = found
            self.resumed.emit(session, draft)
            if before is not None and before.is_temporary:
                self._lose(before)
            elif before is not None and before.id != session.id and before.messages:
                self.left.emit(before.id)
                self._notices.say_began(
                    session.id, EndReason.REPLACED, lambda: self.undo_end(before.id)
                )
            then()

        def go_on() -> None:
            self._is_resuming = True
            self._change(work, take, self._has_resumed)

        self.before_losing(lambda: self.before_resuming(session_id, go_on))

    def undo_end(self, session_id: SessionId) -> None:
        self._notices.take_ended(session_id)
        self.resume(session_id, lambda: self.undone.emit(session_id))

    def leave(self, session: Session) -> None:
        """It is active no more, and nothing is in its place."""
        self._now.put(None)
        self.left.emit(session.id)

    def _end(self, then: Callable[[Session | None], None]) -> None:
        before = self._now.session

        def take(ended: Session | None) -> None:
            then(ended)
            if before is not None and before.is_temporary:
                self._lose(before)

        self._change(lambda services: services.assistant.end(), take)

    def _begin_after(self, session: Session | None) -> None:
        if session is not None:
            self.leave(session)
        self._shown.show_empty()
        if session is not None:
            self.left_behind.emit(session)

    def _begin_temporary(self) -> None:
        before = self._now.session

        def take(session: Session) -> None:
            if before is not None and before.is_temporary:
                self._lose(before)
            elif before is not None:
                self.left.emit(before.id)
                self.left_behind.emit(before)
            self.begun.emit(session)

        self._change(lambda services: services.assistant.begin_temporary(), take)

    def _change(
        self,
        work: Callable[[WindowServices], T],
        take: Callable[[T], None],
        settled: Callable[[], None] = lambda: None,
    ) -> None:
        """Nothing is asked meanwhile: it would come into the session that is left."""

        def let_go() -> None:
            settled()
            self._asking.let_go()

        self._asking.stop()
        if self._worker.is_attached:
            self._asking.hold()
            self._worker.do(work, take, let_go)

    def _lose(self, session: Session) -> None:
        """A temporary session has ended: nothing of it is anywhere."""
        if self._now.holds(session.id):
            self._now.put(None)
        self.lost.emit(session)

    def _has_resumed(self) -> None:
        self._is_resuming = False
