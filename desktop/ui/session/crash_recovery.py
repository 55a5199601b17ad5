"""Restores the draft and offers the session that was open when the program crashed."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from desktop.domain.errors import AppError
from desktop.domain.ids import SessionId
from desktop.domain.sessions import Draft, Session
from desktop.ui.dialogs.form import do_nothing
from desktop.ui.formatting import day_and_time
from desktop.ui.services import NavigationTarget, Worker
from desktop.ui.session.shown_session import OpenedSession, open_active
from desktop.ui.timers import make_timer
from desktop.ui.widgets.bars import MessageBar, Rank

if TYPE_CHECKING:
    from desktop.sessions.services import Services

_KEY = "unfinished"
_TITLE_LENGTH = 80
_AGAIN_MS = 3_000
_MOST_UNANSWERED = 20


class CrashRecovery(QObject):
    """No session may begin before `settled`, because another one might still be active."""

    settled = Signal()  # No session is left open, on the disk either
    offered = Signal()  # A session was left open, or is unknown yet: questions wait for a choice

    draft_found = Signal(object)  # Draft that was being written
    continued = Signal(object, object)
    """Session that is active again, and the Draft of what was being written in it"""
    ended = Signal(object)  # Session that was ended instead
    opened = Signal(object)  # NavigationTarget of a session that the user wants to see
    again_wanted = Signal(str)  # Id of a session whose last question is asked again

    def __init__(
        self, worker: Worker, strip: MessageBar, undo_end: Callable[[SessionId], None]
    ) -> None:
        super().__init__(strip)
        self._worker = worker
        self._strip = strip
        self._undo_end = undo_end
        self._left: Session | None = None
        self._then: Callable[[], None] = do_nothing
        self._is_known = False
        self._is_working = False
        self._has_failed = False
        self._again = make_timer(self, _AGAIN_MS, self.look, is_single=True)
        self.look()

    def look(self) -> None:
        """Look for a session that was left open; retry if the disk fails."""
        if self._is_working:
            return

        def work(services: "Services") -> tuple[Session | None, Draft]:
            assistant = services.assistant
            return assistant.unfinished(), assistant.drafts.read()

        self._is_working = True
        self._worker.do(work, lambda result: self._ask(*result), self._looked, self._show_failed)

    def accept(self) -> None:

        def work(services: "Services") -> tuple[OpenedSession | None, Draft]:
            services.assistant.continue_unfinished()
            return open_active(services), services.assistant.drafts.read()

        self._strip.remove(_KEY)
        self._is_working = True
        self._worker.do(work, lambda result: self._restore(*result), self._answered)

    def decline(self) -> None:
        left = self._left
        if left is None:
            return

        def done(_: object) -> None:
            self.ended.emit(left)
            self._strip.show_message(
                f"{_KEY}-ended",
                self.tr("“{title}” ended.").format(title=_name(left)),
                undo=lambda: self._undo_end(left.id),
            )
            self._settle()

        self._strip.remove(_KEY)
        self._is_working = True
        self._worker.do(
            lambda services: services.assistant.decline_unfinished(), done, self._answered
        )

    def answer_for(
        self, session_id: SessionId | None, go_on: Callable[[], None] = do_nothing
    ) -> None:
        """End a session that was left open, unless it is `session_id`, then call `go_on`."""
        left = self._left
        if self._is_known and (left is None or left.id == session_id):
            go_on()
            return
        self._then = go_on
        if self._is_working:
            return
        if left is None:
            self.look()
        else:
            self.decline()

    def _show_failed(self, error: AppError) -> None:
        if not self._has_failed:
            self._has_failed = True
            self._worker.failed.emit(error)

    def _looked(self) -> None:
        self._is_working = False
        if not self._is_known:
            self._then = do_nothing
            self._again.start()
            self.offered.emit()

    def _ask(self, left: Session | None, draft: Draft) -> None:
        self._is_known = True
        assistant = self._worker.services.assistant
        for session in assistant.interrupted:
            self._show_interrupted(session)
        for session in assistant.unanswered[:_MOST_UNANSWERED]:
            self._show_unanswered(session)
        self.draft_found.emit(draft)
        if left is None or not left.messages:
            self._settle()
        else:
            self._left = left
            self._offer(left)

    def _offer(self, left: Session) -> None:
        self._then = do_nothing
        length = self.tr("%n message(s)", "", left.messages)
        question = self.tr("Your last session is unfinished. Do you want to continue it?")
        self._strip.show_message(
            _KEY,
            f"{question}\n“{_name(left)}” · {day_and_time(left.updated_at)} · {length}",
            (self.tr("Continue"), self.accept),
            (self.tr("New session"), self.decline),
            rank=Rank.QUESTION,
            can_be_closed=False,
        )
        self.offered.emit()

    def _show_interrupted(self, session: Session) -> None:
        """Lead to a session that was answered beside the one that is offered."""
        words = self.tr("The answer in “{title}” was interrupted. What had arrived is kept.")
        self._strip.show_message(
            f"interrupted-{session.id}",
            words.format(title=_name(session)),
            (self.tr("Open"), lambda: self.opened.emit(NavigationTarget(session.id))),
        )

    def _show_unanswered(self, session: Session) -> None:
        words = self.tr("The answer to the last question in “{title}” did not arrive.")
        self._strip.show_message(
            f"unanswered-{session.id}",
            words.format(title=_name(session)),
            (self.tr("Ask again"), lambda: self.again_wanted.emit(session.id)),
            (self.tr("Open"), lambda: self.opened.emit(NavigationTarget(session.id))),
            rank=Rank.FAILURE,
        )

    def _answered(self) -> None:
        """Offer the session again if the choice could not be carried out."""
        self._is_working = False
        if self._left is not None:
            self._offer(self._left)

    def _settle(self) -> None:
        self._left = None
        self._strip.remove(_KEY)
        then, self._then = self._then, do_nothing
        self.settled.emit()
        then()

    def note_active(self) -> None:
        if self._left is not None:
            self._settle()

    def _restore(self, opened: OpenedSession | None, draft: Draft) -> None:
        if opened is None:
            self._settle()
        else:
            self.continued.emit(opened.session, draft)


def _name(session: Session) -> str:
    return " ".join((session.title or session.opening).split())[:_TITLE_LENGTH]
