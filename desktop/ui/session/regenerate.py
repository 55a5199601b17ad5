"""Asks a message of the shown session again: beside how it was, as another version of it.

What followed the message stays with the version that it followed; once the new one is there, a
notice says with which.
"""

from collections.abc import Callable

from PySide6.QtCore import QObject

from desktop.domain.ids import MessageId
from desktop.domain.messages import Message
from desktop.domain.tiers import Tier
from desktop.ui.services import WindowServices
from desktop.ui.session.notices import SessionNotices
from desktop.ui.session.question_queue import Asking, MakeTurn
from desktop.ui.transcript.view import TranscriptView
from desktop.ui.turn_bridge import RunningTurn

InActive = Callable[[Callable[[], None]], None]


class Rewriting(QObject):
    def __init__(
        self,
        transcript: TranscriptView,
        asking: Asking,
        notices: SessionNotices,
        in_active: InActive,
        parent: QObject | None = None,
    ) -> None:
        """`in_active` does something once what is shown is the active session."""
        super().__init__(parent)
        self._transcript = transcript
        self._asking = asking
        self._notices = notices
        self._in_active = in_active
        self._later_stay_with: int | None = None

    def retry(self, message_id: MessageId, tier: Tier | None = None) -> None:
        """`tier`: how much work the user wanted done; None: as the router decides."""
        beside = tuple(self._asking.beside())
        self._ask(
            message_id,
            lambda services: services.assistant.retry(
                message_id, beside=beside, tier=tier, shows_plan=True
            ),
        )

    def retry_last(self, tier: Tier | None = None) -> None:
        """What was asked last in the active session, whichever session is shown."""
        beside = tuple(self._asking.beside())
        self._asking.begin(
            lambda services: services.assistant.retry_last(
                beside=beside, tier=tier, shows_plan=True
            )
        )

    def edit(self, message_id: MessageId, text: str) -> None:
        beside = tuple(self._asking.beside())
        self._ask(
            message_id,
            lambda services: services.assistant.edit(
                message_id, text, beside=beside, shows_plan=True
            ),
        )

    def take_answer(self, answer: Message) -> None:
        if (version := self._later_stay_with) is not None:
            self._later_stay_with = None
            self._notices.say_later(answer.session_id, version, answer.id)

    def take_turn_end(self) -> None:
        self._later_stay_with = None

    def _ask(self, message_id: MessageId, make: MakeTurn) -> None:
        def begin(services: WindowServices) -> RunningTurn | None:
            self._later_stay_with = self._transcript.version_before(message_id)
            return make(services)

        self._in_active(lambda: self._asking.begin(begin))
