"""Stores the annotations of the user's messages, and the contexts of sessions."""

import json
from collections.abc import Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Insert, delete, func, insert, select

from desktop.domain.annotations import (
    AnnotatedMessage,
    Annotation,
    ContextType,
    Entity,
    EntityKind,
    SessionContext,
)
from desktop.domain.ids import MessageId, SessionId
from desktop.domain.messages import Message, Role, Thumb
from desktop.domain.routing import Intent
from desktop.domain.times import utc_text
from desktop.language.normalization import folded_key
from desktop.language.surrogates import whole_letters
from desktop.storage.database import Repository
from desktop.storage.learned_tables import annotations, contexts
from desktop.storage.row_mapping import (
    MESSAGE,
    DatabaseRow,
    listed,
    message_of,
    read_choice,
    read_choice_or_none,
    read_json,
    read_time,
)
from desktop.storage.tables import messages, ratings, sessions

_SEEN = sessions.c.deleted_at.is_(None)


class AnnotationStore(Repository):
    """Every method may raise StorageError."""

    def add(
        self, annotated: Sequence[tuple[Message, Annotation, Sequence[SessionContext]]]
    ) -> None:
        """Store annotations and contexts; a context replaces an older one of the same name."""
        if not annotated:
            return
        with self._database.writing() as db:
            for message, annotation, found in reversed(annotated):
                # The session may have been purged meanwhile.
                stored = select(messages.c.id).where(messages.c.id == message.id)
                if db.execute(stored).first():
                    db.execute(_annotation_row(message, annotation))
                    for context in found:
                        _replace_context(db, context, message)

    def contexts(self, now: datetime, session_id: SessionId | None = None) -> list[SessionContext]:
        """Return the contexts that have not expired, the most relevant first, newest of equals."""
        wanted = (
            select(contexts, messages.c.number)
            .join(messages, messages.c.id == contexts.c.message_id)
            .join(sessions, sessions.c.id == contexts.c.session_id)
            .where(_SEEN, messages.c.is_current == 1, contexts.c.expires_at > utc_text(now))
            .order_by(contexts.c.relevance.desc(), contexts.c.message_id.desc(), contexts.c.id)
        )
        if session_id is not None:
            wanted = wanted.where(contexts.c.session_id == session_id)
        return [_context_of(row) for row in self._rows(wanted)]

    def count_expired(self, now: datetime) -> int:
        gone = contexts.c.expires_at <= utc_text(now)
        return int(self._value(select(func.count()).select_from(contexts).where(gone)))

    def remove_expired(self, now: datetime) -> int:
        """Remove expired contexts; return how many there were."""
        return self._change(delete(contexts).where(contexts.c.expires_at <= utc_text(now)))

    def without(self, limit: int) -> list[Message]:
        """Return the newest of the user's messages that have no annotation yet."""
        known = select(annotations.c.message_id)
        wanted = (
            select(*MESSAGE)
            .where(messages.c.role == Role.USER.value, messages.c.id.not_in(known))
            .order_by(messages.c.id.desc())
            .limit(limit)
        )
        return [message_of(row) for row in self._rows(wanted)]

    def of_session(self, session_id: SessionId) -> list[AnnotatedMessage]:
        """Return the annotated messages of a session, in order."""
        answer = messages.alias("answer")
        wanted = (
            select(
                annotations,
                messages.c.number,
                answer.c.duration_ms,
                ratings.c.thumb,
                ratings.c.words,
            )
            .join(messages, messages.c.id == annotations.c.message_id)
            .outerjoin(
                answer,
                (answer.c.session_id == messages.c.session_id)
                & (answer.c.number == messages.c.number + 1)
                & (answer.c.is_current == 1),
            )
            .outerjoin(ratings, ratings.c.message_id == answer.c.id)
            .where(messages.c.session_id == session_id, messages.c.is_current == 1)
            .order_by(messages.c.number)
        )
        return [
            AnnotatedMessage(
                MessageId(row.message_id),
                row.number,
                Annotation(
                    read_choice(row.intent, Intent.ORDINARY),
                    row.confidence,
                    _entities(read_json(row.entities)),
                ),
                read_choice_or_none(row.thumb, Thumb),
                row.words or "",
                row.duration_ms,
            )
            for row in self._rows(wanted)
        ]


def _annotation_row(message: Message, annotation: Annotation) -> Insert:
    entities = [[one.kind.value, one.text, one.value] for one in annotation.entities]
    return (
        insert(annotations)
        .prefix_with("OR REPLACE")
        .values(
            message_id=message.id,
            intent=annotation.intent.value,
            confidence=annotation.confidence,
            entities=whole_letters(json.dumps(entities, ensure_ascii=False)),
        )
    )


def _replace_context(db: Connection, context: SessionContext, message: Message) -> None:
    same_type = (contexts.c.session_id == context.session_id) & (
        contexts.c.type == context.type.value
    )
    known = db.execute(select(contexts.c.id, contexts.c.name).where(same_type)).all()
    name = folded_key(context.name)
    gone = [row.id for row in known if folded_key(row.name) == name]
    db.execute(delete(contexts).where(contexts.c.id.in_(listed(gone))))
    db.execute(
        insert(contexts).values(
            session_id=context.session_id,
            message_id=context.message_id,
            type=context.type.value,
            name=whole_letters(context.name),
            value=whole_letters(context.value),
            relevance=context.relevance,
            created_at=utc_text(message.created_at),
            expires_at=utc_text(context.expires_at),
        )
    )


def _context_of(row: DatabaseRow) -> SessionContext:
    return SessionContext(
        read_choice(row.type, ContextType.ENTITY),
        row.name,
        row.value,
        row.relevance,
        SessionId(row.session_id),
        MessageId(row.message_id),
        row.number,
        read_time(row.expires_at),
    )


def _entities(stored: Any) -> list[Entity]:
    """Return the entities; unreadable ones are left out."""
    if not isinstance(stored, list):
        return []
    rows = [one for one in stored if isinstance(one, list) and len(one) == len(("k", "t", "v"))]
    return [
        Entity(kind, str(text), str(value))
        for name, text, value in rows
        if (kind := read_choice_or_none(name, EntityKind)) is not None
    ]
