"""Stores the annotations of the user's messages; the contexts of sessions follow from them."""

import json
from collections.abc import Iterable
from datetime import datetime
from typing import Any

from sqlalchemy import insert, literal, select

from desktop.domain.annotations import (
    CONTEXTS,
    AnnotatedMessage,
    Annotation,
    ContextType,
    Entity,
    EntityKind,
    SessionContext,
)
from desktop.domain.ids import MessageId, SessionId, first_message_id_at
from desktop.domain.messages import Message, Role, Thumb
from desktop.domain.routing import Intent
from desktop.language.normalization import folded_key, whole_letters
from desktop.storage.database import Repository
from desktop.storage.learned_tables import annotations
from desktop.storage.row_mapping import (
    MESSAGE,
    message_of,
    read_choice,
    read_choice_or_none,
    read_json,
    read_time,
)
from desktop.storage.tables import messages, ratings, sessions

_LONGEST = max(lifetime for _, _, lifetime in CONTEXTS.values())


class AnnotationStore(Repository):
    """Every method may raise StorageError."""

    def add(self, annotated: Iterable[tuple[MessageId, Annotation]]) -> None:
        with self._database.writing() as db:
            for message_id, annotation in annotated:
                entities = [[one.kind.value, one.text, one.value] for one in annotation.entities]
                said = whole_letters(json.dumps(entities, ensure_ascii=False))
                values = (literal(one) for one in (annotation.intent, annotation.confidence, said))
                # The session may have been purged meanwhile.
                row = select(messages.c.id, *values).where(messages.c.id == message_id)
                new = insert(annotations).prefix_with("OR REPLACE")
                db.execute(
                    new.from_select(["message_id", "intent", "confidence", "entities"], row)
                )

    def contexts(self, now: datetime, session_id: SessionId | None = None) -> list[SessionContext]:
        """Return what has not expired, the most relevant first; of one name the newest."""
        columns = (messages.c.id, messages.c.session_id, messages.c.number, messages.c.created_at)
        wanted = (
            select(*columns, annotations.c.entities)
            .join(annotations, annotations.c.message_id == messages.c.id)
            .join(sessions, sessions.c.id == messages.c.session_id)
            .where(sessions.c.deleted_at.is_(None), messages.c.is_current == 1)
            .where(messages.c.id >= first_message_id_at(now - _LONGEST))
            .order_by(messages.c.id)
        )
        if session_id is not None:
            wanted = wanted.where(messages.c.session_id == session_id)
        found: dict[tuple[str, ContextType, str], SessionContext] = {}
        for row in self._rows(wanted):
            for one in _entities(read_json(row.entities)):
                kind, relevance, lifetime = CONTEXTS.get(one.kind, (None, 0.0, _LONGEST))
                expires_at = read_time(row.created_at) + lifetime
                if kind is None or expires_at <= now:
                    continue
                found[row.session_id, kind, folded_key(one.text)] = SessionContext(
                    kind,
                    one.text,
                    one.value,
                    relevance,
                    row.session_id,
                    row.id,
                    row.number,
                    expires_at,
                )
        return sorted(found.values(), key=lambda one: (-one.relevance, -one.message_id))

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


def _entities(stored: Any) -> list[Entity]:
    if not isinstance(stored, list):
        return []
    rows = [one for one in stored if isinstance(one, list) and len(one) == len(("k", "t", "v"))]
    return [
        Entity(kind, str(text), str(value))
        for name, text, value in rows
        if (kind := read_choice_or_none(name, EntityKind)) is not None
    ]
