"""Identifiers, created without the database, so that they are known before a commit."""

import os
from collections.abc import Iterable
from datetime import UTC, datetime
from threading import Lock
from typing import NewType

from desktop.domain.projects import ProjectId

SessionId = NewType("SessionId", str)
MessageId = NewType("MessageId", int)
TurnId = NewType("TurnId", str)
FactId = NewType("FactId", str)
ProposalId = NewType("ProposalId", str)  # Of a sentence that may become a fact
SourceId = NewType("SourceId", str)
PassageId = NewType("PassageId", str)
RunId = NewType("RunId", str)
PreferenceId = NewType("PreferenceId", str)
NoteId = NewType("NoteId", str)

AttachedId = SessionId | SourceId | ProjectId
"""An attachment of a question; its table shows which kind it is."""

NO_SESSION = SessionId("")
NO_MESSAGE = MessageId(0)  # Lower than every id
_SPREAD_BITS = 11
_SPREAD = 1 << _SPREAD_BITS


def new_session_id() -> SessionId:
    return SessionId(os.urandom(6).hex())


def new_turn_id() -> TurnId:
    return TurnId(os.urandom(4).hex())


def new_fact_id() -> FactId:
    return FactId(os.urandom(5).hex())


def new_source_id() -> SourceId:
    return SourceId(os.urandom(5).hex())


def new_passage_id() -> PassageId:
    return PassageId(os.urandom(7).hex())


def new_preference_id() -> PreferenceId:
    return PreferenceId(os.urandom(5).hex())


def new_note_id() -> NoteId:
    return NoteId(os.urandom(5).hex())


def new_project_id() -> ProjectId:
    return ProjectId(os.urandom(5).hex())


def new_run_id() -> RunId:
    return RunId(os.urandom(5).hex())


def message_id_at(moment: datetime, *, attempt: int = 0) -> MessageId:
    """Return an id that sorts by time, to about a millisecond; JSON can hold it (below 2**53).

    Ids of the same millisecond differ in random bits. If an id is already used, call again with
    a higher `attempt`, which doubles the range of the random part.
    """
    at_random = int.from_bytes(os.urandom(8), "big") % (_SPREAD << attempt)
    milliseconds = int(moment.timestamp() * 1000)
    return MessageId((milliseconds << _SPREAD_BITS) + at_random)


class MessageIds:
    """Gives each message of a process a higher id than all before it; any thread may call."""

    def __init__(self) -> None:
        self._newest = NO_MESSAGE
        self._lock = Lock()

    def note(self, there: Iterable[MessageId]) -> None:
        """Record ids that are in use, so that later ones are higher."""
        with self._lock:
            self._newest = max((self._newest, *there))

    def next(self, moment: datetime) -> MessageId:
        """Return a new id; ids of the same millisecond are consecutive."""
        with self._lock:
            # Versions sort by age, and a question that continues in the next session is added
            # twice within a millisecond.
            self._newest = max(message_id_at(moment), MessageId(self._newest + 1))
            return self._newest


def moment_of(message_id: MessageId) -> datetime:
    """Return when the message was said, to about a millisecond."""
    return datetime.fromtimestamp((message_id >> _SPREAD_BITS) / 1000, UTC)


def first_message_id_at(moment: datetime) -> MessageId:
    """Return the lowest id of a moment in `message_id_at`: a bound for ranges of time."""
    return MessageId(int(moment.timestamp() * 1000) << _SPREAD_BITS)
