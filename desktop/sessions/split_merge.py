"""Splits a past session at a message, or merges it with the session before.

Each can be undone with what it returned, until the program ends.
"""

from dataclasses import dataclass

from desktop.domain.ids import MessageId, SessionId, new_session_id
from desktop.domain.sessions import Session
from desktop.storage.archive import Archive


@dataclass(frozen=True, slots=True)
class SessionSplit:
    whole: Session
    """As it was."""
    part: SessionId
    """The session that begins at the message."""


@dataclass(frozen=True, slots=True)
class SessionMerge:
    first: Session
    second: Session
    """As they were."""
    number: int
    """Of the message in the first that began the second."""


@dataclass(frozen=True, slots=True)
class SplitMerge:
    """Past sessions only. Methods may raise StorageError, SessionUnknownError."""

    archive: Archive

    def split(self, session_id: SessionId, at: MessageId) -> SessionSplit:
        whole = self.archive.sessions.session(session_id)
        part = new_session_id()
        self.archive.split_merge.split(session_id, at, part)
        return SessionSplit(whole, part)

    def merge(self, session_id: SessionId) -> SessionMerge | None:
        """Append a session to the one that began before it; None where it is the first."""
        first = self.archive.split_merge.before(session_id)
        if first is None:
            return None
        second = self.archive.sessions.session(session_id)
        return SessionMerge(first, second, self.archive.split_merge.merge(first.id, second.id))

    def undo(self, done: SessionSplit | SessionMerge) -> None:
        match done:
            case SessionSplit(whole, part):
                self.archive.split_merge.undo_split(whole, part)
            case SessionMerge(first, second, number):
                self.archive.split_merge.undo_merge(first, second, number)
