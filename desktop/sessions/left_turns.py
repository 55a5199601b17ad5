"""Turns that go on in sessions that the user has left for another one, or beside another turn.

A session that was left has ended on the disk, where only one session is active. Its answer is
saved as it arrives, like any other, and the session can be made active again meanwhile. A turn
beside another one writes a second answer to the same question, on a branch of its session.
"""

from collections.abc import Collection
from dataclasses import dataclass
from threading import RLock

from desktop.domain.ids import SessionId, TurnId
from desktop.sessions.conversation.active_session import ActiveSession
from desktop.sessions.conversation.current_session import CurrentSession
from desktop.sessions.conversation.turn import Turn
from desktop.sessions.turn_steps import TurnSteps


@dataclass(frozen=True, slots=True)
class LeftTurn:
    current: CurrentSession
    steps: TurnSteps
    turn: Turn

    @property
    def active(self) -> ActiveSession | None:
        return self.current.active

    @property
    def is_running(self) -> bool:
        return not self.turn.has_ended.is_set()

    @property
    def is_branch(self) -> bool:
        return self.active is not None and self.active.is_branch

    def writes_to(self, session_id: SessionId) -> bool:
        return self.active is not None and self.active.id == session_id


class LeftTurns:
    """Any thread may call; what touches the disk raises StorageError."""

    def __init__(self) -> None:
        self._lock = RLock()
        self._all: list[LeftTurn] = []

    def add(self, left: LeftTurn) -> None:
        with self._lock:
            self._all = [*self._needed(), left]

    def remove(self, left: LeftTurn) -> None:
        with self._lock:
            self._all = [each for each in self._all if each is not left]

    def of_session(self, session_id: SessionId) -> LeftTurn | None:
        """Return the turn that still writes to a session, or whose text is not on the disk."""
        whole = (left for left in self._needed() if not left.is_branch)
        return next((left for left in whole if left.writes_to(session_id)), None)

    def turn(self, turn_id: TurnId) -> Turn | None:
        return next((left.turn for left in self._all if left.turn.id == turn_id), None)

    @property
    def actives(self) -> list[ActiveSession]:
        """Return the sessions to which a turn still writes."""
        running = (left.active for left in self._all if left.is_running)
        return [active for active in running if active is not None]

    @property
    def session_ids(self) -> frozenset[SessionId]:
        return frozenset(active.id for active in self.actives)

    def stop_in(self, session_ids: Collection[SessionId]) -> None:
        """Stop the turns of sessions that are about to change or to go."""
        for left in self._needed():
            if any(map(left.writes_to, session_ids)):
                self.remove(left)
                left.turn.stop()

    def stop(self) -> None:
        for left in self._all:
            left.turn.stop()

    def save_pending(self) -> None:
        for left in self._all:
            if left.active is not None:
                left.active.save()

    def _needed(self) -> list[LeftTurn]:
        """Return those that run, or of which the disk does not have everything."""
        return [
            left
            for left in self._all
            if left.is_running or (left.active is not None and left.active.is_unsaved)
        ]
