"""Which session is shown and which is active, and how one becomes the other.

The core owns the active session; this holds the state that the core last reported. Nothing here
waits: disk access runs on a worker.
"""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, TypeVar

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from desktop.domain import events
from desktop.domain.errors import StorageError
from desktop.domain.ids import MessageId, SessionId
from desktop.domain.messages import Role
from desktop.domain.routing import Tier
from desktop.domain.sessions import OPENING_LENGTH, Draft, EndReason, Session, SessionStatus
from desktop.ui.services import NavigationTarget, Worker
from desktop.ui.session.crash_recovery import CrashRecovery
from desktop.ui.session.notices import LossQuestion, SessionNotices
from desktop.ui.session.shown_session import (
    OpenedSession,
    OtherAnswers,
    ShownSession,
    open_active,
)
from desktop.ui.session.turn_display import TurnDisplay
from desktop.ui.session.turn_outcome import Regeneration, SplitNotice
from desktop.ui.session.turns import QuestionQueue
from desktop.ui.transcript.view import TranscriptView
from desktop.ui.widgets.bars import MessageBar

if TYPE_CHECKING:
    from desktop.sessions.services import Services

_ONE_EXCHANGE = 2

T = TypeVar("T")


class SessionController(QObject):
    active_changed = Signal(object)  # Session or None
    left_behind = Signal(object)  # Session that was ended to begin a new one on an empty page
    session_changed = Signal(str)  # id of a session to reload and describe
    session_removed = Signal(str)
    temporary_ended = Signal()  # The messages of a session are gone
    description_due = Signal()
    draft_found = Signal(object)  # Draft of the session that is written in from now on
    draft_left = Signal()  # The composer was emptied for another session
    saved = Signal()
    unsaved = Signal()
    answered = Signal(object)  # TurnEnded

    def __init__(
        self,
        transcript: TranscriptView,
        strip: MessageBar,
        tier: Callable[[], Tier | None],
        worker: Worker,
        window: QWidget,
    ) -> None:
        """`tier`: how much work the user wants for the next question."""
        super().__init__(window)
        self._transcript = transcript
        self.do = worker.do
        self.take_draft: Callable[[], Draft] = Draft
        """Empties the composer and returns what was in it, because another session comes."""
        self.active: Session | None = None
        self.is_resuming = False
        self._is_unsaved = False  # Whether the newest save has failed
        self.turns = TurnDisplay(transcript, worker.bridge, self)
        self.asking = QuestionQueue(self.turns, worker, tier, self)
        self.notices = SessionNotices(transcript, self)
        self.ask_before_losing = LossQuestion(window, lambda: self.loses_something).ask
        self._shown = ShownSession(transcript, self.turns, self.notices, worker, self)
        self.open, self.follow = self._shown.open, self._shown.follow
        self.shown_changed, self.session_opened = self._shown.changed, self._shown.opened
        self.leaving, self.jumped = self._shown.leaving, self._shown.jumped
        self.received, self.look_for_received = self._shown.received, self._shown.look_for_received
        self.others = OtherAnswers(transcript, self.turns, self._shown, worker, self)
        self._rewriting = Regeneration(
            transcript, self.asking, self.notices, worker, self.in_active
        )
        self.retry, self.edit = self._rewriting.retry, self._rewriting.edit
        self.retry_last = self._rewriting.retry_last
        self.rewrite_without = self._rewriting.rewrite_without
        self.answer_beside = self._rewriting.answer_beside
        self._beginning = SplitNotice(self.notices, self.asking, self.undo_end)
        self.recovery = CrashRecovery(worker, strip, self.undo_end)
        self._connect()

    def _connect(self) -> None:
        self.saved.connect(partial(setattr, self, "_is_unsaved", False))
        self.unsaved.connect(partial(setattr, self, "_is_unsaved", True))
        self._shown.read_again.connect(self._note_reread)
        self._shown.gone.connect(self._forget_past)
        self._beginning.undone.connect(self._remove_if_empty)
        self._beginning.left.connect(self.session_changed)
        self.session_changed.connect(self.description_due)
        self.turns.front_happened.connect(self._take)
        self.others.session_changed.connect(self.session_changed)
        self.others.unsaved.connect(self.unsaved)
        self.asking.kept.connect(self._tell_saved)
        self.asking.missed.connect(self._look_again)
        self.asking.busy_changed.connect(self._show_busy)
        self.turns.running_changed.connect(self._show_busy)
        self.recovery.settled.connect(self.asking.open)
        self.recovery.opened.connect(self.open)
        self.recovery.again_wanted.connect(self._ask_again)
        self.recovery.offered.connect(self.asking.give_back)
        self.recovery.draft_found.connect(self.draft_found)
        self.recovery.ended.connect(lambda session: self.session_changed.emit(session.id))
        self.recovery.continued.connect(self._restore)

    @property
    def is_temporary(self) -> bool:
        return self.active is not None and self.active.is_temporary

    @property
    def loses_something(self) -> bool:
        return self.is_temporary and self.active is not None and self.active.messages > 0

    @property
    def shown(self) -> Session | None:
        """Return the session in the transcript; None: one without messages."""
        return self._shown.session

    @property
    def is_past_shown(self) -> bool:
        """Whether the shown session must be resumed before the user can write in it."""
        return self.shown is not None and not self._is_active(self.shown.id)

    @property
    def was_just_ended(self) -> bool:
        """Whether the shown session ended while it was shown: typing begins a new session."""
        return self.shown is not None and self.active is None and self._shown.ended_here

    def show_version(self, message_id: MessageId) -> None:
        self.in_active(
            lambda: self.do(
                lambda services: services.assistant.show_version(message_id),
                lambda _: self._shown.open_again(self._transcript.anchor_of_version(message_id)),
            )
        )

    def show_active(self) -> None:
        if self.active is not None:
            self.open(NavigationTarget(self.active.id))
        else:
            self._shown.show_empty()

    def in_active(self, act: Callable[[], None]) -> None:
        """Act on a message of the shown session; resume the session first if it is past."""
        shown = self.shown
        if shown is None or self.asking.is_busy or self.is_resuming:
            return
        if self._is_active(shown.id):
            act()
        else:
            self.resume(shown.id, act)

    def begin_new(self) -> None:
        def begin(ended: Session | None) -> None:
            if ended is not None:
                self._leave(ended)
                self.left_behind.emit(ended)
            self._shown.show_empty()

        if self.active is None:
            begin(None)
        else:
            is_left = not self.active.is_temporary
            self.ask_before_losing(
                lambda: self._end(
                    begin, lambda services: services.assistant.leave(), leaves_draft=is_left
                )
            )

    def begin_temporary(self) -> None:
        before = self.active

        def start(session: Session) -> None:
            self._drop_temporary(before)
            if before is not None and not before.is_temporary:
                self.session_changed.emit(before.id)
                self.left_behind.emit(before)
            self._start(session)

        self.ask_before_losing(
            lambda: self._leave_for(lambda services: services.assistant.begin_temporary(), start)
        )

    def end(self) -> None:
        def take(session: Session | None) -> None:
            self.take_end(session, EndReason.USER)

        def end() -> None:
            self.asking.stop()
            self._end(take, lambda services: services.assistant.end())

        self.ask_before_losing(end)

    def take_end(self, session: Session | None, why: EndReason, phrase: str = "") -> None:
        if session is None:
            return
        self._leave(session)
        self._shown.take_end(session)
        self.notices.show_ended(session.id, why, phrase, lambda: self.undo_end(session.id))
        if why is EndReason.USER:  # the user ended it, so show the notice
            self._transcript.go_to_end()
        if session.title:
            self.notices.show_described(session.id, session.title)
        self.shown_changed.emit()

    def resume(self, session_id: SessionId, then: Callable[[], None] = lambda: None) -> None:
        self._take_over(session_id, lambda services: services.assistant.resume(session_id), then)

    def adopt_aside(self, then: Callable[[], None]) -> None:
        """Make the session of the quick window the active one, save and show it; call `then`."""

        def show() -> None:
            self.do(
                lambda services: services.assistant.save_pending(),
                lambda _: self._tell_saved(),
                failed=lambda _: self.unsaved.emit(),
            )
            self.show_active()
            then()

        self._take_over(None, lambda services: services.assistant.adopt(services.aside), show)

    def _take_over(
        self,
        session_id: SessionId | None,
        make_active: "Callable[[Services], Session]",
        then: Callable[[], None],
    ) -> None:
        """`session_id`: None for a session that is not on the disk."""
        before = self.active

        def take(session: Session) -> None:
            self.turns.come_back(session.id)
            self.take_active(session)
            # The summaries may be outdated, and the session may be too long.
            self.description_due.emit()
            self._drop_temporary(before)
            is_other = before is not None and before.id != session.id
            if before is not None and is_other and before.messages and not before.is_temporary:
                self.session_changed.emit(before.id)
                self.notices.show_began(
                    session.id, EndReason.REPLACED, lambda: self.undo_end(before.id)
                )
            then()

        def go_on() -> None:
            self.is_resuming = True
            # A session that ended while it was shown takes what was written below it along.
            is_here = session_id is not None and self._shown.shows(session_id)
            is_left = not (self.is_temporary or (is_here and self.was_just_ended))
            self._leave_for(make_active, take, leaves_draft=is_left)

        self.ask_before_losing(lambda: self.recovery.answer_for(session_id, go_on))

    def undo_end(self, session_id: SessionId) -> None:
        def show() -> None:
            self.open(NavigationTarget(session_id))
            if self.active is not None:
                self._rewriting.offer_to_answer(self.active)

        self.notices.remove_ended(session_id)
        self.resume(session_id, show)

    def _ask_again(self, session_id: SessionId) -> None:
        def ask() -> None:
            self.open(NavigationTarget(session_id))
            self.retry_last()

        self.resume(session_id, ask)

    def take_active(self, session: Session) -> None:
        self._set_active(session)
        self.notices.remove_ended(session.id)
        self._shown.take(session)
        self.shown_changed.emit()

    def take_changed(self, session: Session) -> None:
        if session.title and session.status is SessionStatus.COMPLETE:
            self.notices.show_described(session.id, session.title)
        if self._is_active(session.id):
            self.active = session
        if self._shown.take(session):
            self.shown_changed.emit()

    def forget(self, session_id: SessionId) -> None:
        if self._is_active(session_id):
            self._set_active(None)
        if self._shown.shows(session_id):
            self.show_active()

    def _forget_past(self, session_id: SessionId) -> None:
        if not self._is_active(session_id):
            self.forget(session_id)

    def _is_active(self, session_id: str) -> bool:
        return self.active is not None and self.active.id == session_id

    def _set_active(self, session: Session | None) -> None:
        self.active = session
        self.active_changed.emit(session)
        if session is not None:
            self.recovery.note_active()

    def _leave(self, session: Session) -> None:
        self._set_active(None)
        self.session_changed.emit(session.id)

    def _end(
        self,
        then: Callable[[Session | None], None],
        end: "Callable[[Services], Session | None]",
        *,
        leaves_draft: bool = False,
    ) -> None:
        before = self.active

        def take(ended: Session | None) -> None:
            then(ended)
            self._drop_temporary(before)

        self._leave_for(end, take, leaves_draft=leaves_draft)

    def _leave_for(
        self,
        work: "Callable[[Services], T]",
        done: Callable[[T], None],
        *,
        leaves_draft: bool = False,
    ) -> None:
        """Change the active session; questions wait, or they would go to the old one.

        Its answer goes on, unless the question is not in it yet or it is temporary.
        `leaves_draft`: what is being written stays with the session that is left.
        """
        if self.turns.is_answering and self.asking.has_waiting:
            self.asking.give_back()  # it stays with the session that it was written for
        if self.is_temporary or not self.asking.can_leave:
            self.asking.stop()
        left = self.take_draft() if leaves_draft else Draft()

        def change(services: "Services") -> tuple[T, Draft]:
            if leaves_draft:
                services.assistant.drafts.leave(left)
            return work(services), services.assistant.drafts.read()

        def take(result: tuple[T, Draft]) -> None:
            nonlocal left
            changed, left = result
            self.turns.leave()
            done(changed)

        def settle() -> None:
            self.is_resuming = False
            if leaves_draft:  # after a failure the old one
                self.draft_found.emit(left)
            self.asking.release()

        self.asking.hold()
        self.do(change, take, settle)

    def _drop_temporary(self, session: Session | None) -> None:
        if session is None or not session.is_temporary:
            return
        self.forget(session.id)
        self.session_removed.emit(session.id)
        if session.messages:
            self.temporary_ended.emit()

    def _restore(self, session: Session, draft: Draft) -> None:
        def restore() -> None:
            self.draft_found.emit(draft)
            self._transcript.restore_anchor(draft.anchor_number, draft.anchor_offset)

        self.take_active(session)
        self._shown.open(NavigationTarget(session.id), restore)

    def _note_reread(self, session: Session) -> None:
        """Update the active session, because another path may have other messages."""
        if self._is_active(session.id):
            self._set_active(session)

    def _look_again(self) -> None:
        """Reload the active session after an unknown result in the core."""

        def take(opened: OpenedSession | None) -> None:
            if opened is not None:
                self.take_active(opened.session)
                self._shown.open_anew(NavigationTarget(opened.session.id))
            elif self.active is not None:
                self._leave(self.active)
                self.shown_changed.emit()

        self.do(open_active, take)

    def _tell_saved(self) -> None:
        if not self.is_temporary:
            self.saved.emit()

    def _take(self, event: events.TurnEvent) -> None:
        match event:
            case events.SessionStarted(session=session):
                self._start(session)
            case events.SessionEnded(session=session, why=why, phrase=phrase):
                self.take_end(session, why, phrase)
                self._beginning.note_end(why, session.id)
            case events.MessageAdded():
                self._add(event)
            case events.ContextReduced() if self.active is not None:
                self.notices.show_reduced(self.active.id, event)
            case events.StatusChanged(status=events.Status.SAVING_LATER):
                self.unsaved.emit()
            case events.TurnEnded():
                self._finish(event)
            case _:
                pass

    def _show_busy(self) -> None:
        self._transcript.set_busy(self.asking.is_busy or self.turns.is_running)

    def _start(self, session: Session) -> None:
        self._set_active(session)
        if session.messages:
            self.open(NavigationTarget(session.id))
        else:
            self._shown.begin(session)
            self._beginning.show(session.id)

    def _remove_if_empty(self, undone: str) -> None:
        """Remove an undone session if it contains only its first exchange."""
        if self.active is not None and self.active.messages <= _ONE_EXCHANGE:
            self.session_removed.emit(undone)

    def _add(self, event: events.MessageAdded) -> None:
        message = event.message
        if event.is_saved:
            self._tell_saved()
        if (active := self.active) is not None and active.id == message.session_id:
            opening = message.content[:OPENING_LENGTH] if message.number == 1 else active.opening
            self._set_active(
                replace(
                    active,
                    messages=message.number,
                    opening=opening,
                    updated_at=message.created_at,
                    status=SessionStatus.ACTIVE,
                )
            )
        self._shown.add(message, self.active)
        if message.role is not Role.USER:
            self._beginning.take_answer()
            self._rewriting.take_answer(message)

    def _finish(self, event: events.TurnEnded) -> None:
        self._beginning.take_turn_end()
        if isinstance(event.error, StorageError):
            self.unsaved.emit()
        elif event.message_id is not None and not self._is_unsaved:
            self._tell_saved()  # a stopped answer is saved later
        self.answered.emit(event)
        self._rewriting.take_turn_end(event)
