"""Rows to domain values and back; SQL text ends here."""

from collections.abc import Mapping
from typing import Any

from sqlalchemy import Row

from desktop.domain.language import Language
from desktop.domain.messages import Message, MessageState, Role
from desktop.domain.sessions import DescribedBy, EndReason, Session, SessionStatus
from desktop.domain.times import utc_text
from desktop.storage.damaged_values import (
    read_choice_or_none,
    read_time,
    read_time_or_none,
)

TOPIC_SEPARATOR = "\x1f"

SESSION_COLUMNS = f"""
    s.id, s.status, s.title, s.summary, s.described_by, s.language, s.created_at, s.updated_at,
    s.ended_at, s.end_reason, s.pinned_at, s.message_count, s.opening,
    (SELECT group_concat(name, '{TOPIC_SEPARATOR}') FROM (
        SELECT t.name FROM session_topics st JOIN topics t ON t.id = st.topic_id
        WHERE st.session_id = s.id ORDER BY st.place)) AS topics
"""

MESSAGE_COLUMNS = """
    m.id, m.session_id, m.number, m.parent_id, m.is_current, m.role, m.content, m.state,
    m.created_at, m.ref, m.model, m.error, m.duration_ms
"""

_MESSAGE_WIDTH = 13
_SESSION_WIDTH = 14
_STATUSES = {status.value: status for status in SessionStatus}
_ROLES = {role.value: role for role in Role}
_STATES = {state.value: state for state in MessageState}

# A database row has no static type; these functions are where it gets one.
DatabaseRow = Row[Any]


def session_of(row: DatabaseRow) -> Session:
    # By place, like messages below: the sidebar lists thousands.
    (
        session_id, status, title, summary, described_by, language, created_at, updated_at,
        ended_at, end_reason, pinned_at, message_count, opening, topics,
    ) = row[:_SESSION_WIDTH]  # fmt: skip
    return Session(
        id=session_id,
        status=_STATUSES.get(status, SessionStatus.COMPLETE),
        created_at=read_time(created_at),
        updated_at=read_time(updated_at),
        title=title,
        summary=summary,
        topics=tuple(topics.split(TOPIC_SEPARATOR)) if topics else (),
        described_by=read_choice_or_none(described_by, DescribedBy),
        language=read_choice_or_none(language, Language),
        ended_at=read_time_or_none(ended_at),
        end_reason=read_choice_or_none(end_reason, EndReason),
        is_pinned=pinned_at is not None,
        messages=message_count,
        opening=opening,
    )


def message_of(row: DatabaseRow) -> Message:
    # By place and through ready tables: a session of 5,000 messages is opened in one go.
    (
        message_id, session_id, number, parent_id, _, role, content, state,
        created_at, ref, model, error, duration_ms,
    ) = row[:_MESSAGE_WIDTH]  # fmt: skip
    return Message(
        message_id,
        session_id,
        number,
        _ROLES.get(role, Role.ASSISTANT),
        content,
        _STATES.get(state, MessageState.INTERRUPTED),
        read_time(created_at),
        parent_id,
        ref,
        model,
        error,
        duration_ms,
    )


def message_values(message: Message, *, is_current: bool) -> Mapping[str, str | int | None]:
    return {
        "id": message.id,
        "session_id": message.session_id,
        "number": message.number,
        "parent_id": message.parent_id,
        "is_current": int(is_current),
        "role": message.role.value,
        "content": message.content,
        "state": message.state.value,
        "created_at": utc_text(message.created_at),
        "ref": message.ref,
        "model": message.model,
        "error": message.error,
        "duration_ms": message.duration_ms,
    }


def session_values(session: Session) -> Mapping[str, str | int | None]:
    """The columns that the active session itself keeps; titles and pins have their own writers."""
    return {
        "id": session.id,
        "status": session.status.value,
        "language": session.language.value if session.language else None,
        "created_at": utc_text(session.created_at),
        "updated_at": utc_text(session.updated_at),
        "ended_at": utc_text(session.ended_at) if session.ended_at else None,
        "end_reason": session.end_reason.value if session.end_reason else None,
        "message_count": session.messages,
        "opening": session.opening,
    }
