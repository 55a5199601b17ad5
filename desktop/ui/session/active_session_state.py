"""The session that is gone on with, as the core last told of it."""

from dataclasses import replace

from PySide6.QtCore import QObject, Signal

from desktop.domain.messages import Message
from desktop.domain.sessions import Session, SessionStatus, opening_of


class ActiveNow(QObject):
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
