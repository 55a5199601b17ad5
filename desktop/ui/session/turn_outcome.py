"""How a turn came out: an answer says itself why it failed; before there is one, a notice does."""

from collections.abc import Callable

from PySide6.QtCore import QObject, Signal

from desktop.domain.errors import AppError, StorageError
from desktop.domain.events import TurnEnded
from desktop.domain.ids import MessageId
from desktop.ui.services import WindowServices
from desktop.ui.session.notices import SessionNotices


class TurnOutcome(QObject):
    told = Signal(object)
    """TurnEnded"""
    unsaved = Signal()
    failed = Signal(object)
    """AppError that no session can tell of"""
    broke = Signal(str)

    def __init__(
        self,
        notices: SessionNotices,
        retry: Callable[[MessageId], None],
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._notices = notices
        self._retry = retry
        self._services: WindowServices | None = None
        self._has_answer = False

    def attach(self, services: WindowServices) -> None:
        self._services = services

    def begin(self) -> None:
        self._notices.take_failed()
        self._has_answer = False

    def take_answer(self) -> None:
        self._has_answer = True

    def end(self, event: TurnEnded) -> None:
        if isinstance(event.error, StorageError):
            self.unsaved.emit()
        self.told.emit(event)
        if event.bug:
            self.broke.emit(event.bug)
        elif event.error is not None:
            self._say_failed(event, event.error)

    def _say_failed(self, event: TurnEnded, error: AppError) -> None:
        services, session_id, message_id = self._services, event.session_id, event.message_id
        if services is None or session_id is None or message_id is None:
            self.failed.emit(error)
        elif not self._has_answer:
            self._notices.say_failed(
                session_id,
                lambda: services.texts().error(error),
                lambda: self._retry(message_id),
            )
