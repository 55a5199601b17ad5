"""Identifiers, created without the database, so that they are known before a commit."""

import secrets
from datetime import UTC, datetime
from typing import NewType

from desktop.domain.projects import ProjectId

SessionId = NewType("SessionId", str)
MessageId = NewType("MessageId", int)
TurnId = NewType("TurnId", str)
FactId = NewType("FactId", str)
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
    return SessionId(secrets.token_hex(6))


def new_turn_id() -> TurnId:
    return TurnId(secrets.token_hex(4))


def new_fact_id() -> FactId:
    return FactId(secrets.token_hex(5))


def new_source_id() -> SourceId:
    return SourceId(secrets.token_hex(5))


def new_passage_id() -> PassageId:
    return PassageId(secrets.token_hex(7))


def new_preference_id() -> PreferenceId:
    return PreferenceId(secrets.token_hex(5))


def new_note_id() -> NoteId:
    return NoteId(secrets.token_hex(5))


def new_project_id() -> ProjectId:
    return ProjectId(secrets.token_hex(5))


def new_run_id() -> RunId:
    return RunId(secrets.token_hex(5))


def message_id_at(moment: datetime, *, attempt: int = 0) -> MessageId:
    """Return an id that sorts by time, to about a millisecond; JSON can hold it (below 2**53).

    Ids of the same millisecond differ in random bits. If an id is already used, call again with
    a higher `attempt`, which doubles the range of the random part.
    """
    milliseconds = int(moment.timestamp() * 1000)
    return MessageId((milliseconds << _SPREAD_BITS) + secrets.randbelow(_SPREAD << attempt))


def moment_of(message_id: MessageId) -> datetime:
    """Return when the message was said, to about a millisecond."""
    return datetime.fromtimestamp((message_id >> _SPREAD_BITS) / 1000, UTC)


def first_message_id_at(moment: datetime) -> MessageId:
    """Return the lowest id of a moment in `message_id_at`: a bound for ranges of time."""
    return MessageId(int(moment.timestamp() * 1000) << _SPREAD_BITS)
