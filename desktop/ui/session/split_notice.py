"""Why a turn began another session, and how that is taken back.

What ended the one before is told first and the new session after it. Where the beginning is undone
its question is asked once more, and what had been begun has to be read again when it is answered.
"""

from collections.abc import Callable

from PySide6.QtCore import QObject, Signal

from desktop.domain.ids import SessionId
from desktop.domain.sessions import EndReason
from desktop.ui.services import WindowServices
from desktop.ui.session.notices import SessionNotices
from desktop.ui.session.question_queue import Asking
from desktop.ui.turn_bridge import RunningTurn


class Beginning(QObject):
    undone = Signal(str)
    """Id of the session that was begun: its question goes back into the one before."""
    left = Signal(str)
    """Id of that session, once it is what it will be: gone, or ended where it had grown."""

    def __init__(
        self,
        notices: SessionNotices,
        asking: Asking,
        undo_end: Callable[[SessionId], None],
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._notices = notices
        self._asking = asking
        self._undo_end = undo_end
        self._before: tuple[EndReason, SessionId] | None = None
        self._undone: SessionId | None = None

    def note_end(self, why: EndReason, session_id: SessionId) -> None:
        """A turn has ended a session, perhaps to begin another one."""
        self._before = why, session_id

    def say(self, session_id: SessionId) -> None:
        """In the new session, why there is one."""
        if self._before is not None:
            why, before = self._before
            self._before = None
            self._notices.say_began(session_id, why, self._undo_of(why, session_id, before))

    def take_answer(self) -> None:
        if (undone := self._undone) is not None:
            self._undone = None
            self.left.emit(undone)

    def take_turn_end(self) -> None:
        """What the turn has not begun by now it will not begin."""
        self._before = None
        self.take_answer()

    def _undo_of(
        self, why: EndReason, session_id: SessionId, before: SessionId
    ) -> Callable[[], None]:
        if why is not EndReason.SUBJECT_CHANGE:
            return lambda: self._undo_end(before)

        def make(services: WindowServices) -> RunningTurn | None:
            turn = services.assistant.undo_split(session_id)
            if turn is not None:
                self._undone = session_id
                self.undone.emit(session_id)
            return turn

        def undo() -> None:
            self._asking.stop()
            self._asking.begin(make)

        return undo
