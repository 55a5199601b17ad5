"""What can follow a question: asking it again, its error, undoing a wrong session split."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from desktop.domain.endpoints import ModelChoice
from desktop.domain.events import TurnEnded
from desktop.domain.ids import MessageId, SessionId
from desktop.domain.messages import Message, MessageFile, Role
from desktop.domain.routing import Tier, TurnOptions
from desktop.domain.sessions import EndReason, Session
from desktop.ui.services import Worker
from desktop.ui.session.notices import FAILED, UNANSWERED, SessionNotices
from desktop.ui.session.turns import MakeTurn, QuestionQueue
from desktop.ui.transcript.view import TranscriptView
from desktop.ui.turn_bridge import RunningTurn

if TYPE_CHECKING:
    from desktop.sessions.services import Services


class Regeneration:
    def __init__(
        self,
        transcript: TranscriptView,
        asking: QuestionQueue,
        notices: SessionNotices,
        worker: Worker,
        in_active: Callable[[Callable[[], None]], None],
    ) -> None:
        """`in_active` calls a function once the shown session is the active one."""
        self._transcript = transcript
        self._asking = asking
        self._notices = notices
        self._worker = worker
        self._in_active = in_active
        self._has_answer = False
        self._later_stay_with: int | None = None
        asking.begun.connect(self._begin)

    def retry(
        self, message_id: MessageId, leave_out: Sequence[SessionId] = (), *, goes_on: bool = False
    ) -> None:
        """Answer again; `leave_out`: past sessions that are not recalled for it.

        `goes_on`: continue the text of an answer that was cut off.
        """
        attachments = tuple(self._asking.in_context)
        self._ask(
            message_id,
            lambda services: services.assistant.retry(
                message_id,
                TurnOptions(
                    attachments=attachments,
                    leave_out=leave_out,
                    shows_plan=not goes_on,
                    goes_on=goes_on,
                ),
            ),
        )

    def answer_beside(
        self, message_id: MessageId, tier: Tier | None, model: ModelChoice | None
    ) -> None:
        """Answer again as another version, with this much work or this model.

        While the answer is written, the other one is written beside it, as far as the endpoints
        take several requests. While another answer is written, it waits.
        """
        options = TurnOptions(attachments=tuple(self._asking.in_context), tier=tier, model=model)

        def make(services: "Services") -> RunningTurn:
            return services.assistant.retry(message_id, options)

        def make_beside(services: "Services") -> RunningTurn | None:
            return services.assistant.answer_beside(message_id, options)

        if not self._asking.is_busy:
            self._ask(message_id, make)
        elif not self._asking.begin_beside(make_beside):
            self._asking.begin(make)

    def rewrite_without(self, message_id: MessageId) -> None:
        """Write an answer again without the claims that its sources do not say."""
        self._ask(message_id, lambda services: services.assistant.rewrite_without(message_id))

    def retry_last(self, tier: Tier | None = None) -> None:
        """Ask the last question of the active session again, whichever session is shown.

        `tier`: how much work the user wanted done; None: the router decides.
        """
        attachments = tuple(self._asking.in_context)
        self._asking.begin(
            lambda services: services.assistant.retry_last(
                TurnOptions(attachments=attachments, tier=tier, shows_plan=True)
            )
        )

    def edit(
        self, message_id: MessageId, text: str, keeps: Sequence[MessageFile] | None = None
    ) -> None:
        attachments = tuple(self._asking.in_context)
        self._ask(
            message_id,
            lambda services: services.assistant.edit(
                message_id, text, keeps, TurnOptions(attachments=attachments, shows_plan=True)
            ),
        )

    def offer_to_answer(self, session: Session) -> None:

        def offer(messages: Sequence[Message]) -> None:
            last = messages[-1] if messages else None
            if last is None or last.role is not Role.USER or self._asking.is_busy:
                return
            if last.number == session.messages:
                self._notices.show_unanswered(session.id, lambda: self.retry(last.id))

        self._worker.do(lambda services: services.archive.messages(session.id), offer)

    def take_answer(self, answer: Message) -> None:
        self._has_answer = True
        if (version := self._later_stay_with) is not None:
            self._later_stay_with = None
            self._notices.show_later(answer.session_id, version, answer.id)

    def take_turn_end(self, event: TurnEnded) -> None:
        self._later_stay_with = None
        session_id, message_id, error = event.session_id, event.message_id, event.error
        if event.bug:
            self._worker.bridge.broke.emit(event.bug)
        elif error is None:
            return
        elif session_id is None or message_id is None:
            self._worker.failed.emit(error)
        elif not self._has_answer:
            self._notices.show_failed(
                session_id,
                lambda: self._worker.services.texts().error(error),
                lambda: self.retry(message_id),
            )

    def _begin(self) -> None:
        self._has_answer = False
        self._notices.remove(FAILED)
        self._notices.remove(UNANSWERED)

    def _ask(self, message_id: MessageId, make: MakeTurn) -> None:
        def begin(services: "Services") -> RunningTurn | None:
            self._later_stay_with = self._transcript.version_before(message_id)
            return make(services)

        self._in_active(lambda: self._asking.begin(begin))


class SplitNotice(QObject):
    undone = Signal(str)  # Id of the new session, whose question goes back to the session before
    left = Signal(str)  # Id of that session, once it is deleted, or ended if it has more messages

    def __init__(
        self, notices: SessionNotices, asking: QuestionQueue, undo_end: Callable[[SessionId], None]
    ) -> None:
        super().__init__(asking)
        self._notices = notices
        self._asking = asking
        self._undo_end = undo_end
        self._before: tuple[EndReason, SessionId] | None = None
        self._undone: SessionId | None = None

    def note_end(self, why: EndReason, session_id: SessionId) -> None:
        """Note that a turn ended a session; the turn may begin another one."""
        self._before = why, session_id

    def show(self, session_id: SessionId) -> None:
        if self._before is not None:
            why, before = self._before
            self._before = None
            self._notices.show_began(session_id, why, lambda: self._undo(why, session_id, before))

    def take_answer(self) -> None:
        if (undone := self._undone) is not None:
            self._undone = None
            self.left.emit(undone)

    def take_turn_end(self) -> None:
        self._before = None
        self.take_answer()

    def _undo(self, why: EndReason, session_id: SessionId, before: SessionId) -> None:
        def make(services: "Services") -> RunningTurn | None:
            turn = services.assistant.undo_split(session_id)
            if turn is not None:
                self._undone = session_id
                self.undone.emit(session_id)
            return turn

        if why is EndReason.SUBJECT_CHANGE:
            self._asking.stop()
            self._asking.begin(make)
        else:
            self._undo_end(before)
