"""Taking a session apart at a message, and putting two together: each in one transaction.

Messages keep their ids, so what hangs on them (index, vectors, citations, ratings, facts) goes
with them. What was derived from a session as a whole is made due again; its compacts are dropped.
What else is the session's own goes as `session_log` says.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from sqlalchemy import Connection, text

from desktop.domain.errors import SessionDeletedError, SessionUnknownError
from desktop.domain.ids import MessageId, SessionId
from desktop.domain.sessions import OPENING_LENGTH, Session
from desktop.domain.times import Clock, utc_now, utc_text
from desktop.storage.database import Database
from desktop.storage.row_mapping import SESSION_COLUMNS, session_of
from desktop.storage.session_log import hand_over_log, part_log
from desktop.storage.session_redirects import forget_join, note_join, note_split
from desktop.storage.topics import set_topics

_PAST = "status = 'complete' AND deleted_at IS NULL"
Values = Mapping[str, str | int | None]


class PartingStore:
    """Past sessions only. Every method may raise StorageError, SessionUnknownError."""

    def __init__(self, database: Database, *, now: Clock = utc_now) -> None:
        self._database = database
        self._now = now

    def before(self, session_id: SessionId) -> Session | None:
        """The past session that began last before this one."""
        with self._database.reading() as db:
            _past(db, session_id)
            row = db.execute(
                text(
                    f"SELECT {SESSION_COLUMNS} FROM sessions s, sessions this WHERE this.id = :id "
                    "AND s.status = 'complete' AND s.deleted_at IS NULL AND s.key != this.key "
                    "AND (s.created_at, s.key) < (this.created_at, this.key) "
                    "ORDER BY s.created_at DESC, s.key DESC LIMIT 1"
                ),
                {"id": session_id},
            ).one_or_none()
        return session_of(row) if row else None

    def where(self, session_id: SessionId, message_id: MessageId | None) -> SessionId:
        """In which session stands what a link names; SessionDeletedError where in none any more.

        A message that there is tells it best: it may have gone to another session twice.
        """
        with self._database.reading() as db:
            if message_id is not None:
                found = db.execute(text(_HOLDS), {"id": message_id}).scalar_one_or_none()
                if found is not None:
                    return SessionId(found)
            found = db.execute(text(_NOW_IN), {"id": session_id}).scalar_one_or_none()
        if found is None:
            raise SessionDeletedError(session=session_id)
        return SessionId(found)

    def split(self, session_id: SessionId, at: MessageId, new: SessionId) -> None:
        """What stands from a message on becomes a session of its own, with what hangs on it.

        A path that was left before that message stays behind.
        """
        with self._database.writing() as db:
            _past(db, session_id)
            values: Values = {"id": session_id, "at": at, "new": new}
            place = db.execute(text(_PLACE), values).one_or_none()
            if place is None or place.number == 1:
                raise SessionUnknownError(session=session_id)
            values = {**values, "number": place.number, "parent": place.parent_id}
            db.execute(text(_ADD_PART), values)
            part_log(db, session_id, new, at)
            note_split(db, session_id, new)
            with _marked(db, _PART, values):
                _move(db, session_id, new, shift=1 - place.number, parent=None)
            _look_over(db, session_id)
            _look_over(db, new)

    def join(self, first: SessionId, second: SessionId) -> int:
        """Put the second behind the first and out of sight; the number its messages begin with.

        The second's row is deleted as any session is: made final later, and until then
        `part_again` can bring it back.
        """
        with self._database.writing() as db:
            return self._join(db, first, second)

    def part_again(self, first: Session, second: Session, number: int) -> None:
        """Undo `join`: both are what they were, from the number on it was the second's."""
        with self._database.writing() as db:
            _past(db, first.id)
            forget_join(db, second.id)
            known = db.execute(
                text("UPDATE sessions SET deleted_at = NULL WHERE id = :id"), {"id": second.id}
            )
            if known.rowcount == 0:
                raise SessionUnknownError(session=second.id)
            at = db.execute(text(_AT_NUMBER), {"id": first.id, "number": number}).one_or_none()
            if at is None:  # it went on another way since, or was split again
                raise SessionUnknownError(session=second.id)
            values: Values = {"id": first.id, "number": number, "parent": at.parent_id}
            with _marked(db, _PART, values):
                _move(db, first.id, second.id, shift=1 - number, parent=None)
            for session in (first, second):
                _look_over(db, session.id)
                _restore(db, session)

    def join_again(self, first: Session, second: SessionId) -> None:
        """Undo `split`: the first is what it was, the second never was."""
        with self._database.writing() as db:
            self._join(db, first.id, second)
            hand_over_log(db, second, first.id)
            _restore(db, first)

    def _join(self, db: Connection, first: SessionId, second: SessionId) -> int:
        _past(db, first)
        _past(db, second)
        last = db.execute(text(_LAST), {"id": first}).one()
        is_read = db.execute(text(_ARE_READ), {"first": first, "second": second}).scalar_one()
        with _marked(db, "SELECT id FROM messages WHERE session_id = :id", {"id": second}):
            _move(db, second, first, shift=last.number, parent=last.id)
        db.execute(
            text("UPDATE sessions SET deleted_at = :at, message_count = 0 WHERE id = :id"),
            {"id": second, "at": utc_text(self._now())},
        )
        note_join(db, second, first)
        db.execute(text(_END_LIKE), {"first": first, "second": second})
        _describe_as_both(db, first, second)
        _look_over(db, first)
        db.execute(text(_READ_LIKE), {"id": first, "is_read": is_read})
        return int(last.number) + 1


def _describe_as_both(db: Connection, first: SessionId, second: SessionId) -> None:
    """Until somebody describes the whole, what was said of each part is said of it."""
    rows = db.execute(
        text(f"SELECT {SESSION_COLUMNS} FROM sessions s WHERE s.id IN (:first, :second)"),
        {"first": first, "second": second},
    )
    one, other = sorted(map(session_of, rows), key=lambda found: found.id != first)
    summaries = dict.fromkeys(said for said in (one.summary, other.summary) if said)
    db.execute(
        text("UPDATE sessions SET summary = :summary WHERE id = :id"),
        {"id": first, "summary": " ".join(summaries) or None},
    )
    set_topics(db, first, tuple(dict.fromkeys((*one.topics, *other.topics))))


def _past(db: Connection, session_id: SessionId) -> None:
    found = db.execute(
        text(f"SELECT 1 FROM sessions WHERE id = :id AND {_PAST}"), {"id": session_id}
    )
    if found.one_or_none() is None:
        raise SessionUnknownError(session=session_id)


@contextmanager
def _marked(db: Connection, which: str, values: Values) -> Iterator[None]:
    """The messages that a query names stand in the table `moving` meanwhile."""
    db.exec_driver_sql("CREATE TEMP TABLE moving (id INTEGER PRIMARY KEY)")
    db.execute(text(f"INSERT INTO moving {which}"), values)
    yield
    db.exec_driver_sql("DROP TABLE moving")


def _move(
    db: Connection,
    source: SessionId,
    target: SessionId,
    *,
    shift: int,
    parent: MessageId | None,
) -> None:
    """Bring the marked messages over; those that follow none of them follow `parent`."""
    values: Values = {"source": source, "target": target, "shift": shift, "parent": parent}
    for statement in _MOVE:
        db.execute(text(statement), values)


def _look_over(db: Connection, session_id: SessionId) -> None:
    """Count again, and have index, vectors and description look at it again."""
    db.execute(text(_LOOK_OVER), {"id": session_id, "length": OPENING_LENGTH})


def _restore(db: Connection, session: Session) -> None:
    """What was said of it as a whole."""
    db.execute(
        text(
            "UPDATE sessions SET title = :title, summary = :summary, described_by = :by, "
            "updated_at = :updated_at, ended_at = :ended_at, end_reason = :why, "
            "description_due = :title IS NULL WHERE id = :id"
        ),
        {
            "id": session.id,
            "title": session.title,
            "summary": session.summary,
            "by": session.described_by,
            "updated_at": utc_text(session.updated_at),
            "ended_at": utc_text(session.ended_at) if session.ended_at else None,
            "why": session.end_reason,
        },
    )
    set_topics(db, session.id, session.topics)


_HOLDS = (
    "SELECT s.id FROM messages m JOIN sessions s ON s.id = m.session_id "
    "WHERE m.id = :id AND s.deleted_at IS NULL"
)
# UNION, not UNION ALL: a file that was tampered with must not lead round in a circle.
_NOW_IN = """
WITH RECURSIVE place (id) AS (
    SELECT :id UNION
    SELECT m.now_in FROM moved_sessions m JOIN place p ON m.session_id = p.id
)
SELECT s.id FROM sessions s JOIN place p ON p.id = s.id WHERE s.deleted_at IS NULL LIMIT 1
"""
_PLACE = (
    "SELECT number, parent_id FROM messages WHERE id = :at AND session_id = :id AND is_current = 1"
)
_AT_NUMBER = (
    "SELECT parent_id FROM messages WHERE session_id = :id AND number = :number AND is_current = 1"
)
_LAST = (
    "SELECT id, number FROM messages WHERE session_id = :id AND is_current = 1 "
    "ORDER BY number DESC LIMIT 1"
)
_ADD_PART = """
INSERT INTO sessions
    (id, status, language, created_at, updated_at, ended_at, end_reason, learned_at)
SELECT :new, 'complete', language,
    (SELECT created_at FROM messages WHERE id = :at), updated_at, ended_at, end_reason, learned_at
FROM sessions WHERE id = :id
"""
# Versions go with what they are versions of; a path left before the place stays.
_PART = """
WITH RECURSIVE part (id) AS (
    SELECT id FROM messages WHERE session_id = :id AND number = :number AND parent_id IS :parent
    UNION
    SELECT m.id FROM messages m JOIN part ON m.parent_id = part.id
    WHERE m.session_id = :id AND m.number > :number
)
SELECT id FROM part UNION
SELECT id FROM messages WHERE session_id = :id AND is_current = 1 AND number >= :number
"""
_MOVE = (
    (
        "UPDATE messages SET parent_id = :parent WHERE id IN (SELECT id FROM moving) "
        "AND (parent_id IS NULL OR parent_id NOT IN (SELECT id FROM moving))"
    ),
    (
        "UPDATE messages SET session_id = :target, number = number + :shift "
        "WHERE id IN (SELECT id FROM moving)"
    ),
    "UPDATE usage SET session_id = :target WHERE message_id IN (SELECT id FROM moving)",
    "UPDATE research_runs SET session_id = :target WHERE message_id IN (SELECT id FROM moving)",
    (
        "UPDATE citations SET source_id = :target WHERE source_id = :source "
        "AND CAST(passage_id AS INTEGER) IN (SELECT id FROM moving)"
    ),
    (
        "DELETE FROM compacts WHERE session_id = :source AND last_message_id IN "
        "(SELECT id FROM moving)"
    ),
)
_END_LIKE = """
UPDATE sessions SET updated_at = max(sessions.updated_at, other.updated_at),
    ended_at = max(coalesce(sessions.ended_at, ''), coalesce(other.ended_at, '')),
    end_reason = other.end_reason
FROM (SELECT updated_at, ended_at, end_reason FROM sessions WHERE id = :second) AS other
WHERE sessions.id = :first
"""
_ARE_READ = """
SELECT count(*) = 2 FROM sessions WHERE id IN (:first, :second) AND learned_at >= updated_at
"""
_READ_LIKE = (
    "UPDATE sessions SET learned_at = CASE WHEN :is_read THEN updated_at END WHERE id = :id"
)
_LOOK_OVER = """
UPDATE sessions SET
    message_count = (SELECT count(*) FROM messages WHERE session_id = :id AND is_current = 1),
    opening = coalesce((SELECT substr(content, 1, :length) FROM messages
        WHERE session_id = :id AND number = 1 AND is_current = 1), ''),
    updated_at = coalesce((SELECT max(created_at) FROM messages
        WHERE session_id = :id AND is_current = 1), updated_at),
    indexed_at = NULL, embedded_at = NULL, description_due = 1
WHERE id = :id
"""
