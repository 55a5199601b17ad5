"""What requests take from a session beside its messages.

Compacts: summaries that replace ranges of messages. Annotations of the user's messages, with the
contexts that follow from them.
"""

import json
from collections.abc import Iterable, Sequence
from datetime import datetime
from functools import lru_cache

from sqlalchemy import (
    Connection,
    and_,
    bindparam,
    delete,
    exists,
    func,
    literal,
    select,
    update,
)
from sqlalchemy.dialects.sqlite import Insert, insert

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
from desktop.domain.messages import Compact, Message, Role, Thumb, covered
from desktop.domain.routing import Intent
from desktop.domain.times import utc_text
from desktop.language.normalization import fix_surrogates, folded_key
from desktop.storage.schema.database import Repository
from desktop.storage.schema.learned_tables import (
    annotations,
)
from desktop.storage.schema.row_mapping import (
    IS_OWN,
    MESSAGE,
    PAST,
    message_of,
    read_choice,
    read_choice_or_none,
    read_json,
    read_time,
    values_of,
)
from desktop.storage.schema.tables import (
    compact_failures,
    compacts,
    messages,
    ratings,
    sessions,
)

ANSWER = messages.alias("answer")  # Of a question
IS_ANSWER = and_(
    ANSWER.c.session_id == messages.c.session_id,
    ANSWER.c.number == messages.c.number + 1,
    ANSWER.c.is_current == 1,
)

NO_RESERVE = -1  # Of a failure: a compact in reserve was to be made
_FIELDS = ("session_id", "from_number", "to_number", "last_message_id", "summary")


class CompactStore(Repository):
    def add(self, compact: Compact) -> bool:
        """Store a compact; False if it would overlap, leave a gap, or the path has changed."""
        last = select(messages.c.id).where(
            messages.c.id == compact.last_message_id,
            messages.c.session_id == compact.session_id,
            messages.c.is_current == 1,
            messages.c.number == compact.to_number,
        )
        with self._database.writing() as db:
            follows = covered(_current(db, compact.session_id)) + 1 == compact.from_number
            if not follows or db.execute(last).one_or_none() is None:
                return False
            db.execute(self._insertion(compact, is_reserve=0))
            failures = delete(compact_failures)
            db.execute(failures.where(compact_failures.c.session_id == compact.session_id))
            return True

    def compacts(self, session_id: SessionId) -> list[Compact]:
        """Return the compacts of the current path, contiguous and in order."""
        with self._database.reading() as db:
            return _current(db, session_id)

    def on_path(self, session_id: SessionId, path: Sequence[Message]) -> list[Compact]:
        """Return the compacts whose last message is on this path, contiguous and in order."""
        return _contiguous(
            compact
            for compact in self.compacts(session_id)
            if compact.to_number <= len(path)
            and path[compact.to_number - 1].id == compact.last_message_id
        )

    def reserve(self, session_id: SessionId) -> list[Compact]:
        """Return the compact that replaces an old session's messages if they do not fit whole."""
        return [
            Compact(*row) for row in self._rows(_VALID, {"session": session_id, "is_reserve": 1})
        ]

    def keep_reserve(self, compact: Compact) -> None:
        is_old = (compacts.c.session_id == compact.session_id) & (compacts.c.is_reserve == 1)
        with self._database.writing() as db:
            db.execute(delete(compacts).where(is_old))
            db.execute(self._insertion(compact, is_reserve=1))

    def use_reserve(self, session_id: SessionId, first: int) -> int:
        """Let it replace the messages from a number on; return the last one's number, or 0."""
        reserve = compacts.c.session_id == session_id, compacts.c.is_reserve == 1
        with self._database.writing() as db:
            row = db.execute(_VALID, {"session": session_id, "is_reserve": 1}).first()
            if row is None or row.from_number != first:
                return 0
            db.execute(update(compacts).where(*reserve).values(is_reserve=0))
            return int(row.to_number)

    def without_reserve(self, before: datetime, more_than: int) -> list[SessionId]:
        """Return sessions untouched since a moment with this many messages and no compact.

        Newest first, without those that cannot have one.
        """
        of_session, reserve = compacts.c.session_id == sessions.c.id, compacts.c.is_reserve == 1
        to_number = func.max(compacts.c.to_number)
        replaced = select(func.coalesce(to_number, 0)).where(of_session, ~reserve)
        has_one = exists().where(
            of_session, reserve, compacts.c.to_number >= sessions.c.message_count
        )
        has_failed = exists().where(
            compact_failures.c.session_id == sessions.c.id,
            compact_failures.c.covered == NO_RESERVE,
            compact_failures.c.messages >= sessions.c.message_count,
        )
        query = select(sessions.c.id).where(
            PAST,
            sessions.c.updated_at < utc_text(before),
            sessions.c.message_count > more_than,
            sessions.c.message_count - replaced.scalar_subquery() > more_than,
            ~has_one,
            ~has_failed,
        )
        return list(map(SessionId, self._values(query.order_by(sessions.c.updated_at.desc()))))

    def note_failure(self, session_id: SessionId, *, covered: int, messages: int) -> None:
        """Record that compaction after `covered` failed, with the number of messages."""
        self._change(
            insert(compact_failures)
            .prefix_with("OR REPLACE")
            .values(session_id=session_id, covered=covered, messages=messages)
        )

    def failed_at(self, session_id: SessionId, *, covered: int) -> int:
        """Return the number of messages at the last failure; 0 if it never failed."""
        query = select(compact_failures.c.messages).where(
            compact_failures.c.session_id == session_id, compact_failures.c.covered == covered
        )
        return self._value(query) or 0

    def _insertion(self, compact: Compact, *, is_reserve: int) -> Insert:
        values = values_of(compact, _FIELDS)
        at = utc_text(self._now())
        return insert(compacts).values(**values, is_reserve=is_reserve, created_at=at)


def _current(db: Connection, session_id: SessionId) -> list[Compact]:
    rows = db.execute(_VALID, {"session": session_id, "is_reserve": 0})
    return _contiguous(Compact(*row) for row in rows)


def _contiguous(compacts: Iterable[Compact]) -> list[Compact]:
    """Return the longest series of compacts without a gap or an overlap.

    If the user leaves a path and comes back to it, compacts of both paths may end with messages
    they share, and then overlap. Compacts are given oldest first; of two rows with the same reach
    the one with the older compact is kept.
    """
    rows: dict[int, tuple[Compact, ...]] = {0: ()}
    for compact in sorted(compacts, key=lambda compact: compact.to_number):
        before = rows.get(compact.from_number - 1)
        if before is not None:
            rows.setdefault(compact.to_number, (*before, compact))
    return list(rows[max(rows)])


_VALID = (
    select(*(compacts.c[name] for name in _FIELDS))
    .join(messages, messages.c.id == compacts.c.last_message_id)
    .where(
        compacts.c.session_id == bindparam("session"),
        compacts.c.is_reserve == bindparam("is_reserve"),
        messages.c.session_id == bindparam("session"),
        messages.c.is_current != 0,
        messages.c.number == compacts.c.to_number,
    )
    .order_by(compacts.c.id)
)


_LONGEST = max(lifetime for _, _, lifetime in CONTEXTS.values())
_SINCE = (
    select(
        messages.c.id,
        messages.c.session_id,
        messages.c.number,
        messages.c.created_at,
        annotations.c.entities,
    )
    .join(annotations, annotations.c.message_id == messages.c.id)
    .join(sessions, sessions.c.id == messages.c.session_id)
    .where(sessions.c.deleted_at.is_(None), messages.c.is_current == 1)
    .where(messages.c.id >= bindparam("since"))
    .order_by(messages.c.id)
)
_SINCE_IN_SESSION = _SINCE.where(messages.c.session_id == bindparam("session"))


class AnnotationStore(Repository):
    """Every method may raise StorageError."""

    def add(self, annotated: Iterable[tuple[MessageId, Annotation]]) -> None:
        with self._database.writing() as db:
            for message_id, annotation in annotated:
                entities = [
                    [entity.kind.value, entity.text, entity.value]
                    for entity in annotation.entities
                ]
                text = fix_surrogates(json.dumps(entities, ensure_ascii=False))
                values = (
                    literal(value) for value in (annotation.intent, annotation.confidence, text)
                )
                # The session may have been purged meanwhile.
                row = select(messages.c.id, *values).where(messages.c.id == message_id)
                new = insert(annotations).prefix_with("OR REPLACE")
                db.execute(
                    new.from_select(["message_id", "intent", "confidence", "entities"], row)
                )

    def contexts(self, now: datetime, session_id: SessionId | None = None) -> list[SessionContext]:
        """Return what has not expired, the most relevant first; for each name the newest."""
        query = _SINCE if session_id is None else _SINCE_IN_SESSION
        values = {"since": first_message_id_at(now - _LONGEST), "session": session_id}
        contexts: dict[tuple[str, ContextType, str], SessionContext] = {}
        for row in self._rows(query, values):
            at = read_time(row.created_at)
            for entity in _entities(row.entities):
                kind, relevance, lifetime = CONTEXTS.get(entity.kind, (None, 0.0, _LONGEST))
                if kind is None or (expires_at := at + lifetime) <= now:
                    continue
                contexts[row.session_id, kind, folded_key(entity.text)] = SessionContext(
                    type=kind,
                    name=entity.text,
                    value=entity.value,
                    relevance=relevance,
                    session_id=row.session_id,
                    message_id=row.id,
                    message_number=row.number,
                    expires_at=expires_at,
                )
        return sorted(
            contexts.values(), key=lambda context: (-context.relevance, -context.message_id)
        )

    def without(self, limit: int) -> list[Message]:
        """Return the newest of the user's messages that have no annotation yet."""
        message_ids = select(annotations.c.message_id)
        query = (
            select(*MESSAGE)
            .join(sessions, sessions.c.id == messages.c.session_id)
            .where(IS_OWN, messages.c.role == Role.USER.value)
            .where(messages.c.id.not_in(message_ids))
            .order_by(messages.c.id.desc())
            .limit(limit)
        )
        return [message_of(row) for row in self._rows(query)]

    def of_session(self, session_id: SessionId) -> list[AnnotatedMessage]:
        """Return the annotated messages of a session, in order."""
        query = (
            select(
                annotations,
                messages.c.number,
                ANSWER.c.duration_ms,
                ratings.c.thumb,
                ratings.c.words,
            )
            .join(messages, messages.c.id == annotations.c.message_id)
            .outerjoin(ANSWER, IS_ANSWER)
            .outerjoin(ratings, ratings.c.message_id == ANSWER.c.id)
            .where(messages.c.session_id == session_id, messages.c.is_current == 1)
            .order_by(messages.c.number)
        )
        return [
            AnnotatedMessage(
                message_id=MessageId(row.message_id),
                number=row.number,
                annotation=Annotation(
                    read_choice(row.intent, Intent.ORDINARY),
                    row.confidence,
                    _entities(row.entities),
                ),
                thumb=read_choice_or_none(row.thumb, Thumb),
                words=row.words or "",
                answer_ms=row.duration_ms,
            )
            for row in self._rows(query)
        ]


@lru_cache(maxsize=1_000)  # each turn reads those of the last two hours
def _entities(stored: str) -> Sequence[Entity]:
    entries = read_json(stored)
    if not isinstance(entries, list):
        return ()
    rows = [
        entry
        for entry in entries
        if isinstance(entry, list) and len(entry) == len(("k", "t", "v"))
    ]
    return tuple(
        Entity(kind, str(text), str(value))
        for name, text, value in rows
        if (kind := read_choice_or_none(name, EntityKind)) is not None
    )
