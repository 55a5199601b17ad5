"""Facts: what is remembered across sessions, with the words it rests on.

A fact is seen while somebody's words support it: where it was said stands in `fact_sources`, and
one whose every source lies in a deleted session is out of sight with it. One that was written by
hand has no source and needs none.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection, text

from desktop.domain.errors import FactUnknownError
from desktop.domain.facts import Fact, FactSource, Origin, Support, Term
from desktop.domain.ids import FactId, MessageId, SessionId
from desktop.domain.times import Clock, parse_utc, utc_now, utc_text
from desktop.language.folding import folded_key
from desktop.language.letters import whole_letters
from desktop.storage.database import Database
from desktop.storage.rows import DatabaseRow

_COLUMNS = """
    f.id, f.topic, f.content, f.importance, f.origin, f.term, f.valid_from, f.valid_to, f.about,
    f.message_id, m.session_id, m.number AS message_number, f.weight, f.used_at, f.pinned_at,
    f.replaced_by
"""
_FROM = "FROM facts f LEFT JOIN messages m ON m.id = f.message_id"
SEEN = """
    f.deleted_at IS NULL AND (
        NOT EXISTS (SELECT 1 FROM fact_sources fs WHERE fs.fact_id = f.id)
        OR EXISTS (SELECT 1 FROM fact_sources fs JOIN messages sm ON sm.id = fs.message_id
                   JOIN sessions ss ON ss.id = sm.session_id
                   WHERE fs.fact_id = f.id AND ss.deleted_at IS NULL))
"""
_ORDER = "f.pinned_at IS NULL, f.importance DESC, f.valid_from DESC, f.key DESC"


@dataclass(frozen=True, slots=True)
class FactFilter:
    """Which facts are wanted; what is None does not matter."""

    term: Term | None = None
    topic: str | None = None
    least_importance: int = 1
    since: datetime | None = None
    until: datetime | None = None
    """Exclusive; both of when they were learned."""
    session_id: SessionId | None = None
    is_valid: bool | None = True


@dataclass(frozen=True, slots=True)
class NewFact:
    """A fact with the words that support it."""

    fact: Fact
    supports: Sequence[Support] = ()


class FactStore:
    """Repository of facts. Every method may raise StorageError."""

    def __init__(self, database: Database, *, now: Clock = utc_now) -> None:
        self._database = database
        self._now = now

    def fact(self, fact_id: FactId) -> Fact:
        """Raises FactUnknownError."""
        with self._database.reading() as db:
            return _fact(db, fact_id)

    def facts(
        self, wanted: FactFilter | None = None, *, limit: int | None = None, offset: int = 0
    ) -> list[Fact]:
        """Pinned ones first, then the more important, then the newer."""
        with self._database.reading() as db:
            where, values = fact_conditions(wanted or FactFilter())
            rows = db.execute(
                text(
                    f"SELECT {_COLUMNS} {_FROM} WHERE {where} ORDER BY {_ORDER} "
                    "LIMIT :limit OFFSET :offset"
                ),
                {**values, "limit": -1 if limit is None else limit, "offset": offset},
            )
            return [_fact_of(row) for row in rows]

    def some(self, fact_ids: Iterable[FactId]) -> list[Fact]:
        """Those of them that are there, in the order asked for."""
        ids = list(fact_ids)
        with self._database.reading() as db:
            rows = db.execute(
                text(
                    f"SELECT {_COLUMNS} {_FROM} WHERE {SEEN} "
                    "AND f.id IN (SELECT value FROM json_each(:ids))"
                ),
                {"ids": json.dumps(ids)},
            )
            found = {FactId(row.id): _fact_of(row) for row in rows}
        return [found[one] for one in ids if one in found]

    def matching(
        self, expression: str, wanted: FactFilter | None = None, *, limit: int = 20
    ) -> list[tuple[Fact, float]]:
        """Facts whose topic or words match an FTS5 expression over folded words, best first.

        With each a score; higher is better.
        """
        where, values = fact_conditions(wanted or FactFilter())
        with self._database.reading() as db:
            rows = db.execute(
                text(
                    f"SELECT {_COLUMNS}, -i.rank AS score FROM fact_index i "
                    "JOIN facts f ON f.key = i.rowid LEFT JOIN messages m ON m.id = f.message_id "
                    f"WHERE fact_index MATCH :expression AND {where} ORDER BY i.rank LIMIT :limit"
                ),
                {**values, "expression": expression, "limit": limit},
            )
            return [(_fact_of(row), float(row.score)) for row in rows]

    def same(self, content: str) -> Fact | None:
        """The fact that holds and says the very same, however it is written."""
        with self._database.reading() as db:
            return same_fact(db, content)

    def about(self, what: str) -> list[Fact]:
        """Facts that hold and answer one thing, named as `Fact.about` names it."""
        with self._database.reading() as db:
            rows = db.execute(
                text(
                    f"SELECT {_COLUMNS} {_FROM} WHERE {SEEN} AND f.valid_to IS NULL "
                    "AND f.about = :about"
                ),
                {"about": folded_key(what)},
            )
            return [_fact_of(row) for row in rows]

    def supports(self, fact_id: FactId) -> list[Support]:
        """The words it rests on."""
        with self._database.reading() as db:
            rows = db.execute(
                text(
                    "SELECT message_id, start, length FROM fact_sources WHERE fact_id = :id "
                    "ORDER BY message_id, start"
                ),
                {"id": fact_id},
            )
            return [Support(MessageId(row[0]), row[1], row[2]) for row in rows]

    def history(self, fact_id: FactId) -> list[Fact]:
        """What this fact took the place of, the newest first; raises FactUnknownError."""
        with self._database.reading() as db:
            _fact(db, fact_id)
            rows = db.execute(
                text(
                    "WITH RECURSIVE older (id, depth) AS (SELECT id, 1 FROM facts "
                    "WHERE replaced_by = :id UNION SELECT f.id, depth + 1 FROM facts f "
                    f"JOIN older o ON f.replaced_by = o.id) SELECT {_COLUMNS} {_FROM} "
                    f"JOIN older ON older.id = f.id WHERE {SEEN} "
                    "ORDER BY older.depth, f.valid_to DESC"
                ),
                {"id": fact_id},
            )
            return [_fact_of(row) for row in rows]

    def sources(self, fact_id: FactId) -> list[FactSource]:
        """Where it was said, the first time first."""
        with self._database.reading() as db:
            rows = db.execute(
                text(
                    "SELECT m.id, m.session_id, m.number, coalesce(s.title, s.opening) AS title, "
                    "m.created_at, substr(m.content, fs.start + 1, fs.length) AS quote "
                    "FROM fact_sources fs JOIN messages m ON m.id = fs.message_id "
                    "JOIN sessions s ON s.id = m.session_id WHERE fs.fact_id = :id "
                    "AND s.deleted_at IS NULL ORDER BY m.id, fs.start"
                ),
                {"id": fact_id},
            )
            return [
                FactSource(
                    MessageId(row.id),
                    SessionId(row.session_id),
                    row.number,
                    row.title,
                    parse_utc(row.created_at),
                    row.quote,
                )
                for row in rows
            ]

    def topics(self) -> list[tuple[str, int]]:
        """Topics of facts that hold, with how many there are, the largest first."""
        with self._database.reading() as db:
            rows = db.exec_driver_sql(
                f"SELECT min(f.topic), count(*) AS n FROM facts f WHERE {SEEN} "
                "AND f.valid_to IS NULL GROUP BY f.topic_folded ORDER BY n DESC, min(f.topic)"
            )
            return [(row[0], int(row[1])) for row in rows]

    def add(self, facts: Sequence[NewFact]) -> list[Fact]:
        """Remember them; what is known in the very same words is strengthened.

        Returns the facts that stand for them, in order.
        """
        kept: list[Fact] = []
        with self._database.writing() as db:
            for new in facts:
                known = same_fact(db, new.fact.content)
                if known is None:
                    insert_fact(db, new)
                else:
                    _strengthen(db, known.id, new.supports, new.fact.importance)
                kept.append(_fact(db, known.id if known else new.fact.id))
        return kept

    def strengthen(
        self, fact_id: FactId, supports: Sequence[Support], *, importance: int | None = None
    ) -> None:
        """It was said again: it weighs more, and rests on these words, too."""
        with self._database.writing() as db:
            _strengthen(db, fact_id, supports, importance)

    def replace(self, older: FactId, newer: NewFact) -> None:
        """A newer fact takes an older one's place; the older keeps the time in which it held."""
        with self._database.writing() as db:
            _end(db, older, newer.fact)
            insert_fact(db, newer)
            db.execute(
                text("UPDATE facts SET replaced_by = :newer WHERE id = :older"),
                {"older": older, "newer": newer.fact.id},
            )

    def undo_replace(self, newer: FactId) -> None:
        """Delete a newer fact, and let what it replaced hold again."""
        with self._database.writing() as db:
            db.execute(
                text("UPDATE facts SET deleted_at = :at WHERE id = :id"),
                {"id": newer, "at": utc_text(self._now())},
            )
            db.execute(
                text(
                    "UPDATE facts SET valid_to = NULL, replaced_by = NULL WHERE replaced_by = :id"
                ),
                {"id": newer},
            )

    def pin(self, fact_id: FactId, *, is_pinned: bool) -> None:
        """Pinned facts are short term again, and stay so."""
        with self._database.writing() as db:
            db.execute(
                text(
                    "UPDATE facts SET pinned_at = :at, "
                    "term = CASE WHEN :at IS NULL THEN term ELSE 'short' END WHERE id = :id"
                ),
                {"id": fact_id, "at": utc_text(self._now()) if is_pinned else None},
            )

    def move(self, facts: Iterable[FactId], term: Term) -> None:
        with self._database.writing() as db:
            for fact_id in facts:
                db.execute(
                    text("UPDATE facts SET term = :term WHERE id = :id"),
                    {"id": fact_id, "term": term.value},
                )

    def use(self, facts: Iterable[FactId]) -> None:
        """They bore on a question just now."""
        with self._database.writing() as db:
            for fact_id in facts:
                db.execute(
                    text("UPDATE facts SET used_at = :at WHERE id = :id"),
                    {"id": fact_id, "at": utc_text(self._now())},
                )

    def keep_sent(self, message_id: MessageId, facts: Sequence[FactId]) -> None:
        """Which facts went with the request that an answer is the answer to."""
        with self._database.writing() as db:
            db.execute(text("DELETE FROM facts_sent WHERE message_id = :id"), {"id": message_id})
            for place, fact_id in enumerate(facts, start=1):
                db.execute(
                    text(
                        "INSERT INTO facts_sent SELECT :message_id, :place, id FROM facts "
                        "WHERE id = :fact_id "
                        "AND EXISTS (SELECT 1 FROM messages WHERE id = :message_id)"
                    ),
                    {"message_id": message_id, "place": place, "fact_id": fact_id},
                )

    def sent(self, session_id: SessionId) -> dict[MessageId, list[FactId]]:
        """By answer: the facts that went with its request."""
        with self._database.reading() as db:
            rows = db.execute(
                text(
                    "SELECT sent.message_id, sent.fact_id FROM facts_sent sent "
                    "JOIN messages m ON m.id = sent.message_id WHERE m.session_id = :id "
                    "ORDER BY sent.message_id, sent.place"
                ),
                {"id": session_id},
            )
            found: dict[MessageId, list[FactId]] = {}
            for row in rows:
                found.setdefault(MessageId(row[0]), []).append(FactId(row[1]))
            return found

    def delete(self, facts: Iterable[FactId]) -> None:
        """Take them out of sight; `undelete` brings them back, a purge makes it final."""
        with self._database.writing() as db:
            for fact_id in facts:
                db.execute(
                    text("UPDATE facts SET deleted_at = :at WHERE id = :id"),
                    {"id": fact_id, "at": utc_text(self._now())},
                )

    def undelete(self, facts: Iterable[FactId]) -> None:
        """One that another says in the same words by now stays away."""
        with self._database.writing() as db:
            for fact_id in facts:
                db.execute(
                    text(
                        "UPDATE facts SET deleted_at = NULL WHERE id = :id AND (valid_to IS NOT "
                        "NULL OR NOT EXISTS (SELECT 1 FROM facts o WHERE o.folded = facts.folded "
                        "AND o.id != :id AND o.valid_to IS NULL AND o.deleted_at IS NULL))"
                    ),
                    {"id": fact_id},
                )

    def is_forgotten(self, support: Support) -> bool:
        """Whether what was learned from these words was deleted."""
        with self._database.reading() as db:
            return bool(
                db.execute(
                    text(
                        "SELECT EXISTS (SELECT 1 FROM forgotten_words WHERE message_id = :id "
                        "AND start < :end AND start + length > :start) OR EXISTS "
                        "(SELECT 1 FROM fact_sources fs JOIN facts f ON f.id = fs.fact_id "
                        "WHERE fs.message_id = :id AND f.deleted_at IS NOT NULL "
                        "AND fs.start < :end AND fs.start + fs.length > :start)"
                    ),
                    {
                        "id": support.message_id,
                        "start": support.start,
                        "end": support.start + support.length,
                    },
                ).scalar_one()
            )

    def forgotten(self, messages: Iterable[MessageId]) -> list[Support]:
        """Words of these messages from which something was learned that was deleted."""
        with self._database.reading() as db:
            rows = db.execute(
                text(
                    "WITH asked (id) AS (SELECT value FROM json_each(:ids)) "
                    "SELECT message_id, start, length FROM forgotten_words "
                    "WHERE message_id IN (SELECT id FROM asked) UNION "
                    "SELECT fs.message_id, fs.start, fs.length FROM fact_sources fs "
                    "JOIN facts f ON f.id = fs.fact_id WHERE f.deleted_at IS NOT NULL "
                    "AND fs.message_id IN (SELECT id FROM asked)"
                ),
                {"ids": json.dumps(list(messages))},
            )
            return [Support(MessageId(row[0]), row[1], row[2]) for row in rows]


def purge_facts(db: Connection, until: str) -> int:
    """Remove what was deleted before a moment, and what only deleted sessions support.

    Before the rows of those sessions go. Returns how many there were.
    """
    rows = db.execute(
        text(
            "SELECT f.id FROM facts f WHERE f.deleted_at < :until OR (EXISTS "
            "(SELECT 1 FROM fact_sources fs WHERE fs.fact_id = f.id) AND NOT EXISTS "
            "(SELECT 1 FROM fact_sources fs JOIN messages m ON m.id = fs.message_id "
            "JOIN sessions s ON s.id = m.session_id WHERE fs.fact_id = f.id "
            "AND (s.deleted_at IS NULL OR s.deleted_at >= :until)))"
        ),
        {"until": until},
    )
    gone = [FactId(row[0]) for row in rows]
    _mark_and_drop(db, gone)
    # What other sessions support as well stays, and points to one of them.
    db.execute(text(_POINT_ELSEWHERE), {"until": until})
    return len(gone)


_POINT_ELSEWHERE = """
    UPDATE facts SET message_id = (
        SELECT min(fs.message_id) FROM fact_sources fs JOIN messages m ON m.id = fs.message_id
        JOIN sessions s ON s.id = m.session_id WHERE fs.fact_id = facts.id
        AND (s.deleted_at IS NULL OR s.deleted_at >= :until))
    WHERE message_id IN (SELECT m.id FROM messages m JOIN sessions s ON s.id = m.session_id
        WHERE s.deleted_at < :until)
"""


def index_facts(db: Connection) -> None:
    """Make the whole index anew from the rows."""
    db.exec_driver_sql("DELETE FROM fact_index")
    for row in db.exec_driver_sql("SELECT key, topic, content FROM facts").all():
        _index(db, row.key, row.topic, row.content)


def optimise_facts(db: Connection) -> None:
    """Merge the index so that deleted words are no longer in the file."""
    db.exec_driver_sql("INSERT INTO fact_index(fact_index) VALUES ('optimize')")


def _key(content: str) -> str:
    return " ".join(folded_key(content).split()).strip(" .!")


def insert_fact(db: Connection, new: NewFact) -> None:
    fact = new.fact
    content = whole_letters(" ".join(fact.content.split()))
    topic = whole_letters(" ".join(fact.topic.split()))
    added = db.execute(
        text(
            "INSERT INTO facts (id, topic, topic_folded, content, folded, about, importance, "
            "origin, term, valid_from, valid_to, message_id, weight, used_at, pinned_at, "
            "replaced_by) VALUES (:id, :topic, :topic_folded, :content, :folded, :about, "
            ":importance, :origin, :term, :valid_from, :valid_to, "
            "(SELECT id FROM messages WHERE id = :message_id), :weight, :used_at, "
            ":pinned_at, :replaced_by)"
        ),
        {
            "id": fact.id,
            "topic": topic,
            "topic_folded": _key(topic),
            "content": content,
            "folded": _key(content),
            "about": folded_key(fact.about),
            "importance": fact.importance,
            "origin": fact.origin.value,
            "term": fact.term.value,
            "valid_from": utc_text(fact.valid_from),
            "valid_to": utc_text(fact.valid_to) if fact.valid_to else None,
            "message_id": fact.message_id
            or min((s.message_id for s in new.supports), default=None),
            "weight": fact.weight,
            "used_at": utc_text(fact.used_at) if fact.used_at else None,
            "pinned_at": utc_text(fact.valid_from) if fact.is_pinned else None,
            "replaced_by": fact.replaced_by,
        },
    )
    _index(db, added.lastrowid, topic, content)
    _support(db, fact.id, new.supports)


def _index(db: Connection, key: int, topic: str, content: str) -> None:
    db.execute(
        text("INSERT INTO fact_index (rowid, topic, content) VALUES (:key, :topic, :content)"),
        {"key": key, "topic": folded_key(topic), "content": folded_key(content)},
    )


def _support(db: Connection, fact_id: FactId, supports: Sequence[Support]) -> None:
    for one in supports:
        db.execute(
            text(
                "INSERT OR IGNORE INTO fact_sources SELECT :fact_id, :message_id, :start, :length "
                "WHERE EXISTS (SELECT 1 FROM messages WHERE id = :message_id)"
            ),
            {
                "fact_id": fact_id,
                "message_id": one.message_id,
                "start": one.start,
                "length": one.length,
            },
        )


def _strengthen(
    db: Connection, fact_id: FactId, supports: Sequence[Support], importance: int | None
) -> None:
    _support(db, fact_id, supports)
    db.execute(
        text(
            "UPDATE facts SET weight = weight + 1, "
            "importance = max(importance, coalesce(:importance, 0)) WHERE id = :id"
        ),
        {"id": fact_id, "importance": importance},
    )


def same_fact(db: Connection, content: str) -> Fact | None:
    row = db.execute(
        text(
            f"SELECT {_COLUMNS} {_FROM} WHERE {SEEN} AND f.valid_to IS NULL "
            "AND f.folded = :folded LIMIT 1"
        ),
        {"folded": _key(content)},
    ).one_or_none()
    return _fact_of(row) if row else None


def _end(db: Connection, older: FactId, newer: Fact) -> None:
    ended = db.execute(
        text("UPDATE facts SET valid_to = :at WHERE id = :id AND valid_to IS NULL"),
        {"id": older, "at": utc_text(newer.valid_from)},
    )
    if ended.rowcount == 0:
        raise FactUnknownError(fact=older)


def _mark_and_drop(db: Connection, facts: Sequence[FactId]) -> None:
    values = {"ids": json.dumps(list(facts))}
    among = "(SELECT value FROM json_each(:ids))"
    db.execute(
        text(
            "INSERT OR IGNORE INTO forgotten_words SELECT message_id, start, length "
            f"FROM fact_sources WHERE fact_id IN {among}"
        ),
        values,
    )
    db.execute(
        text(f"DELETE FROM fact_index WHERE rowid IN (SELECT key FROM facts WHERE id IN {among})"),
        values,
    )
    db.execute(text(f"DELETE FROM facts WHERE id IN {among}"), values)


def _fact(db: Connection, fact_id: FactId) -> Fact:
    row = db.execute(
        text(f"SELECT {_COLUMNS} {_FROM} WHERE f.id = :id AND {SEEN}"), {"id": fact_id}
    ).one_or_none()
    if row is None:
        raise FactUnknownError(fact=fact_id)
    return _fact_of(row)


def fact_conditions(wanted: FactFilter) -> tuple[str, Mapping[str, str | int | None]]:
    conditions = [SEEN, "f.importance >= :least"]
    if wanted.is_valid is not None:
        conditions.append(f"f.valid_to IS {'' if wanted.is_valid else 'NOT '}NULL")
    if wanted.term is not None:
        conditions.append("f.term = :term")
    if wanted.topic is not None:
        conditions.append("f.topic_folded = :topic")
    if wanted.session_id is not None:
        conditions.append(
            "EXISTS (SELECT 1 FROM fact_sources os JOIN messages om ON om.id = os.message_id "
            "WHERE os.fact_id = f.id AND om.session_id = :session_id)"
        )
    conditions.append("f.valid_from >= :since AND f.valid_from < :until")
    return " AND ".join(conditions), {
        "least": wanted.least_importance,
        "term": wanted.term.value if wanted.term else None,
        "topic": _key(wanted.topic) if wanted.topic else None,
        "session_id": wanted.session_id,
        "since": utc_text(wanted.since) if wanted.since else "",
        "until": utc_text(wanted.until) if wanted.until else "9999",
    }


def _fact_of(row: DatabaseRow) -> Fact:
    return Fact(
        id=FactId(row.id),
        topic=row.topic,
        content=row.content,
        importance=row.importance,
        origin=Origin(row.origin),
        term=Term(row.term),
        valid_from=parse_utc(row.valid_from),
        valid_to=parse_utc(row.valid_to) if row.valid_to else None,
        about=row.about,
        message_id=MessageId(row.message_id) if row.message_id else None,
        session_id=SessionId(row.session_id) if row.session_id else None,
        message_number=row.message_number,
        weight=row.weight,
        used_at=parse_utc(row.used_at) if row.used_at else None,
        is_pinned=row.pinned_at is not None,
        replaced_by=FactId(row.replaced_by) if row.replaced_by else None,
    )
