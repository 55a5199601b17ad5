"""The full-text index of messages and of sessions: folded words, kept beside their rows.

The index holds folded words only (`language.normalization`); what is shown is read from the rows.
It is brought up to date off the turn: a session without `indexed_at` still has to be indexed.

Text SQL: MATCH, bm25, rank and vocabulary tables of FTS5.
"""

import json
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from sqlalchemy import Connection, text

from desktop.domain.ids import MessageId, SessionId, first_message_id_at
from desktop.domain.messages import NO_MODEL, Message
from desktop.domain.projects import Wall
from desktop.domain.search import Query, SearchOrder
from desktop.domain.sessions import Session
from desktop.domain.times import Clock, utc_now, utc_text
from desktop.language.normalization import fix_surrogates, folded_key, index_text
from desktop.storage.schema.database import Database, Repository
from desktop.storage.schema.row_mapping import (
    EVER,
    MESSAGE_COLUMNS,
    SESSION_COLUMNS,
    TOPIC_SEPARATOR,
    DatabaseRow,
    message_of,
    read_time,
    session_of,
)

_BATCH = 500
_LONGEST_BREAK = 10  # Characters between two words of a name
LOWEST_ID, HIGHEST_ID = -(1 << 63), (1 << 63) - 1

# `bounds` binds its parameters.
SEARCHABLE = (
    "AND s.status = 'complete' AND s.deleted_at IS NULL AND (:topic IS NULL OR s.id IN ("
    "SELECT st.session_id FROM session_topics st JOIN topics t ON t.id = st.topic_id "
    "WHERE t.folded = :topic UNION SELECT st.session_id FROM session_tags st "
    "JOIN tags t ON t.id = st.tag_id WHERE t.folded = :topic)) "
    "AND (:pinned IS NULL OR (s.pinned_at IS NOT NULL) = :pinned) "
    "AND (:session IS NULL OR s.id = :session) AND (:project IS NULL OR s.project = :project) "
    "AND s.id NOT IN (SELECT value FROM json_each(:besides))"
)


def bounds(query: Query) -> Mapping[str, str | int | None]:
    return {
        "since": first_message_id_at(query.since) if query.since else LOWEST_ID,
        "until": first_message_id_at(query.until) if query.until else HIGHEST_ID,
        "since_text": utc_text(query.since) if query.since else "",
        "until_text": utc_text(query.until) if query.until else EVER,
        "topic": folded_key(fix_surrogates(query.topic)) if query.topic else None,
        "pinned": query.is_pinned,
        "session": query.scope.session_id,
        "project": None if query.scope.wall.is_open else query.scope.wall.project,
        "besides": json.dumps(list(query.scope.besides)),
        "limit": query.limit,
    }


@dataclass(frozen=True, slots=True)
class SessionMatch:
    session: Session
    score: float


@dataclass(frozen=True, slots=True)
class MessageMatch:
    message: Message
    session_title: str
    score: float  # Higher is better


class IndexedMessage(NamedTuple):
    """The part of a message that ranking needs."""

    id: MessageId
    session_id: SessionId
    number: int
    content: str
    role: str
    model: str | None


class SessionIndex(Repository):
    def matching(self, expression: str, query: Query) -> list[SessionMatch]:
        """Return sessions whose title (highest weight), topics or summary match."""
        if query.order is SearchOrder.NEWEST:
            # Read from the newest until there are enough: many sessions can match.
            clause = (
                "0.0 AS score FROM sessions s INDEXED BY sessions_by_time WHERE +s.key IN "
                "(SELECT rowid FROM session_index WHERE session_index MATCH :expression)"
            )
            order = "s.updated_at DESC"
        else:
            clause = (
                "-bm25(session_index, 4.0, 1.0, 2.0) AS score FROM session_index "
                "JOIN sessions s ON s.key = session_index.rowid "
                "WHERE session_index MATCH :expression"
            )
            order = "score DESC"
        sql = (
            f"SELECT {SESSION_COLUMNS}, {clause} AND s.updated_at >= :since_text "
            f"AND s.updated_at < :until_text {SEARCHABLE} ORDER BY {order} LIMIT :limit"
        )
        rows = self._rows(sql, {**bounds(query), "expression": expression})
        return [SessionMatch(session_of(row), row.score) for row in rows]

    def named(self, words: Sequence[str], query: Query) -> list[Session]:
        """Return sessions whose title is these words, newest first."""
        sql = (
            f"SELECT {SESSION_COLUMNS} FROM session_index JOIN sessions s "
            "ON s.key = session_index.rowid WHERE session_index MATCH :expression "
            "AND length(s.title) < :longest AND s.updated_at >= :since_text "
            f"AND s.updated_at < :until_text {SEARCHABLE} ORDER BY s.updated_at DESC"
        )
        named = " ".join(words)
        values = {
            **bounds(query),
            "expression": f'title : ^"{named}"',
            "longest": len(named) + len(words) * _LONGEST_BREAK,
        }
        sessions = [session_of(row) for row in self._rows(sql, values)]
        return [session for session in sessions if name_words(session.title or "") == tuple(words)]

    def left_by(self, query: Query) -> list[Session]:
        """Return sessions that match the filters of a query, newest first; words are ignored."""
        sql = (
            f"SELECT {SESSION_COLUMNS} FROM sessions s WHERE s.updated_at >= :since_text "
            f"AND s.updated_at < :until_text {SEARCHABLE} ORDER BY s.updated_at DESC LIMIT :limit"
        )
        return [session_of(row) for row in self._rows(sql, bounds(query))]

    def archived(self, among: Collection[SessionId]) -> Collection[SessionId]:
        sql = (
            "SELECT id FROM sessions WHERE archived_at IS NOT NULL "
            "AND id IN (SELECT value FROM json_each(:ids))"
        )
        return frozenset(self._values(sql, {"ids": json.dumps(list(among))}))

    def quoting(self, sessions: Sequence[SessionId]) -> set[SessionId]:
        """Return those of the sessions whose answers only quote other sessions."""
        answer = (
            "SELECT 1 FROM messages m WHERE m.session_id = one.value AND m.is_current = 1 "
            "AND m.role = 'assistant' AND m.model"
        )
        # Ends at the first answer of a model: most sessions begin with one.
        sql = (
            "SELECT one.value FROM json_each(:ids) one WHERE NOT EXISTS "
            f"({answer} IS NOT :quoted) AND EXISTS ({answer} = :quoted)"
        )
        values = {"ids": json.dumps(list(sessions)), "quoted": NO_MODEL}
        return {SessionId(row[0]) for row in self._rows(sql, values)}

    def has(self, expression: str, wall: Wall) -> bool:
        """Whether a title, a summary or a topic behind a wall matches."""
        sql = (
            "SELECT 1 FROM session_index i JOIN sessions s ON s.key = i.rowid WHERE "
            "session_index MATCH :expression AND (:is_open OR s.project = :project) LIMIT 1"
        )
        walled = {"is_open": wall.is_open, "project": wall.project}
        return self._value(sql, {"expression": expression, **walled}) is not None


def name_words(name: str) -> tuple[str, ...]:
    folded = folded_key(name)
    return tuple("".join(letter if letter.isalnum() else " " for letter in folded).split())


class IndexStore(Repository):
    def __init__(self, database: Database, *, now: Clock = utc_now) -> None:
        self._database = database
        self._now = now
        self.sessions = SessionIndex(database)

    def unindexed(self) -> Sequence[SessionId]:
        return self._values(
            "SELECT id FROM sessions WHERE status = 'complete' AND indexed_at IS NULL "
            "AND deleted_at IS NULL ORDER BY updated_at DESC"
        )

    def index_session(self, session_id: SessionId) -> None:
        """Index what is missing and drop what left the path, in short transactions."""
        while True:
            with self._database.writing() as db:
                if _index_some(db, session_id) < _BATCH:
                    break
        self.cached.drop(session_id)
        with self._database.writing() as db:
            _finish(db, session_id, utc_text(self._now()))

    def candidates(
        self, expression: str, query: Query, limit: int, *, after: MessageId | None = None
    ) -> list[MessageId]:
        """Return matching messages of complete sessions, the highest rank of the index first.

        Every match is scored before the first is returned: `after` bounds how many there are.
        """
        sql = (
            "SELECT i.rowid FROM message_index i JOIN messages m ON m.id = i.rowid "
            "JOIN sessions s ON s.id = m.session_id WHERE message_index MATCH :expression "
            f"AND i.rowid >= max(:since, :after) AND i.rowid < :until {SEARCHABLE} "
            "ORDER BY i.rank LIMIT :candidates"
        )
        values = {
            **bounds(query),
            "expression": expression,
            "candidates": limit,
            "after": LOWEST_ID if after is None else after,
        }
        return [MessageId(row[0]) for row in self._rows(sql, values)]

    def count_matches(self, expression: str, at_most: int) -> int:
        sql = (
            "SELECT count(*) FROM (SELECT 1 FROM message_index "
            "WHERE message_index MATCH :expression LIMIT :most)"
        )
        return int(self._value(sql, {"expression": expression, "most": at_most}))

    def words_beginning(self, beginnings: Sequence[str]) -> list[tuple[str, int]]:
        """Return words of messages with these beginnings, and how many messages have each."""
        sql = (
            "SELECT v.term, v.doc FROM json_each(:beginnings) b CROSS JOIN temp.message_words v "
            "ON v.term >= b.value AND v.term < b.value || char(0x10FFFF)"
        )
        with self._database.driver() as cursor:
            # Only for this connection and without content: the file stays unchanged.
            cursor.execute(
                "CREATE VIRTUAL TABLE IF NOT EXISTS temp.message_words "
                "USING fts5vocab('main', 'message_index', 'row')"
            )
            return list(cursor.execute(sql, {"beginnings": json.dumps(list(beginnings))}))

    def texts(
        self, expression: str, limit: int, wall: Wall, *, after: MessageId | None = None
    ) -> list[str]:
        """Return the texts of the newest messages behind a wall that match."""
        sql = (
            "SELECT m.content FROM message_index i JOIN messages m ON m.id = i.rowid "
            "WHERE message_index MATCH :expression AND i.rowid >= :after AND (:is_open OR "
            "m.session_id IN (SELECT id FROM sessions WHERE project = :project)) "
            "ORDER BY i.rowid DESC LIMIT :limit"
        )
        bound = LOWEST_ID if after is None else after
        walled = {"is_open": wall.is_open, "project": wall.project}
        values = {"expression": expression, "limit": limit, "after": bound, **walled}
        return [row[0] for row in self._rows(sql, values)]

    def newest(self) -> MessageId | None:
        """Return the newest message's id."""
        message_id: MessageId | None = self._value("SELECT max(id) FROM messages")
        return message_id

    def newest_since(self, count: int) -> MessageId | None:
        """Return the id after which about that many messages follow; None if there are fewer."""
        sql = (
            "SELECT created_at FROM (SELECT created_at, sum(message_count) OVER "
            "(ORDER BY updated_at DESC ROWS UNBOUNDED PRECEDING) AS seen FROM sessions) "
            "WHERE seen >= :count LIMIT 1"
        )
        created_at = self._value(sql, {"count": count})
        return first_message_id_at(read_time(created_at)) if created_at else None

    def count_messages(self) -> int:
        """Return the approximate number of messages, from the counts kept with sessions."""
        return int(self._value("SELECT sum(message_count) FROM sessions") or 0)

    def surroundings(self, messages: Sequence[MessageId], reach: int) -> list[IndexedMessage]:
        """Return the messages and their neighbours, without duplicates, by session and number."""
        sql = (
            "SELECT DISTINCT m.id, m.session_id, m.number, m.content, m.role, m.model "
            "FROM messages c JOIN messages m ON m.session_id = c.session_id "
            "AND m.is_current = 1 AND m.number BETWEEN c.number - :reach AND c.number + :reach "
            "WHERE c.id IN (SELECT value FROM json_each(:ids)) ORDER BY m.session_id, m.number"
        )
        rows = self._rows(sql, {"ids": json.dumps(list(messages)), "reach": reach})
        return [IndexedMessage(*row) for row in rows]

    def read(self, messages: Sequence[MessageId]) -> dict[MessageId, MessageMatch]:
        """Return the messages with their sessions' titles, without scores."""
        query = f"{_WITH_TITLE} WHERE m.id IN (SELECT value FROM json_each(:ids))"
        rows = self._rows(query, {"ids": json.dumps(list(messages))})
        return {row.id: _match(row) for row in rows}

    def match_messages(self, expression: str, query: Query) -> list[MessageMatch]:
        """Return messages of complete sessions that match an FTS5 expression over folded words."""
        order = "i.rowid DESC" if query.order is SearchOrder.NEWEST else "i.rank"
        score = "0.0" if query.order is SearchOrder.NEWEST else "-i.rank"
        sql = (
            f"SELECT {MESSAGE_COLUMNS}, coalesce(s.title, s.opening) AS session_title, "
            f"{score} AS score FROM message_index i JOIN messages m ON m.id = i.rowid "
            "JOIN sessions s ON s.id = m.session_id "
            "WHERE message_index MATCH :expression AND i.rowid >= :since AND i.rowid < :until "
            f"{SEARCHABLE} ORDER BY {order} LIMIT :limit"
        )
        rows = self._rows(sql, {**bounds(query), "expression": expression})
        return [_match(row, row.score) for row in rows]

    def pointers(self, messages: Sequence[MessageId]) -> set[MessageId]:
        """Return those of the messages that only quote others, or only ask for the quotations."""
        sql = (
            "SELECT m.id FROM messages m WHERE m.id IN (SELECT value FROM json_each(:ids)) AND "
            "(m.model = :quoted OR (m.role = 'user' AND EXISTS (SELECT 1 FROM messages n WHERE "
            "n.session_id = m.session_id AND n.number = m.number + 1 AND n.is_current = 1 "
            "AND n.model = :quoted) AND rtrim(m.content) LIKE '%?'))"
        )
        values = {"ids": json.dumps(list(messages)), "quoted": NO_MODEL}
        return {MessageId(row[0]) for row in self._rows(sql, values)}

    def messages_of(self, query: Query) -> list[MessageMatch]:
        """Return messages that match the filters of a query, newest first."""
        sql = (
            f"{_WITH_TITLE} WHERE m.is_current = 1 AND m.id >= :since AND m.id < :until "
            f"{SEARCHABLE} ORDER BY m.id DESC LIMIT :limit"
        )
        return [_match(row) for row in self._rows(sql, bounds(query))]

    def count_by_session(
        self, expression: str, sessions: Sequence[SessionId], at_most: int
    ) -> dict[SessionId, int]:
        sql = (
            "SELECT count(*) FROM (SELECT 1 FROM message_index i "
            "JOIN messages m ON m.id = i.rowid WHERE message_index MATCH :expression "
            "AND m.session_id = :id AND i.rowid BETWEEN "
            "(SELECT min(id) FROM messages WHERE session_id = :id) AND "
            "(SELECT max(id) FROM messages WHERE session_id = :id) LIMIT :most)"
        )
        counts: dict[SessionId, int] = {}
        with self._database.reading() as db:
            for session_id in sessions:
                values = {"expression": expression, "id": session_id, "most": at_most}
                counts[session_id] = int(db.execute(text(sql), values).scalar_one())
        return counts

    def has_sessions(self) -> bool:
        query = "SELECT 1 FROM sessions WHERE status = 'complete' AND deleted_at IS NULL LIMIT 1"
        return self._value(query) is not None

    def with_neighbours(self, messages: Sequence[MessageId]) -> dict[MessageId, list[Message]]:
        """Return each message between the one before it and the one after it."""
        rows = self._rows(
            f"SELECT {MESSAGE_COLUMNS}, c.id AS middle FROM messages c JOIN messages m "
            "ON m.session_id = c.session_id AND m.is_current = 1 "
            "AND m.number BETWEEN c.number - 1 AND c.number + 1 "
            "WHERE c.id IN (SELECT value FROM json_each(:ids)) ORDER BY m.number",
            {"ids": json.dumps(list(messages))},
        )
        neighbours: defaultdict[MessageId, list[Message]] = defaultdict(list)
        for row in rows:
            neighbours[row.middle].append(message_of(row))
        return neighbours

    def neighbours(self, session_id: SessionId, number: int, reach: int) -> list[Message]:
        """Return the current messages around one, in order."""

        def read() -> list[Message]:
            rows = self._rows(
                f"SELECT {MESSAGE_COLUMNS} FROM messages m WHERE m.session_id = :id "
                "AND m.is_current = 1 AND m.number BETWEEN :low AND :high ORDER BY m.number",
                {"id": session_id, "low": number - reach, "high": number + reach},
            )
            return [message_of(row) for row in rows]

        return self.cached.get(session_id, (number, reach), read)


_WITH_TITLE = (
    f"SELECT {MESSAGE_COLUMNS}, coalesce(s.title, s.opening) AS session_title "
    "FROM messages m JOIN sessions s ON s.id = m.session_id"
)


def _match(row: DatabaseRow, score: float = 0.0) -> MessageMatch:
    return MessageMatch(message_of(row), row.session_title, score)


def index_session_now(db: Connection, session_id: SessionId, at: str) -> None:
    """Index a session within a transaction, unless it is active: then it is indexed later."""
    is_past = text("SELECT 1 FROM sessions WHERE id = :id AND status = 'complete'")
    if db.execute(is_past, {"id": session_id}).first() is not None:
        while _index_some(db, session_id) == _BATCH:
            pass
        _finish(db, session_id, at)


def _finish(db: Connection, session_id: SessionId, at: str) -> None:
    left = "SELECT id FROM messages WHERE session_id = :id AND is_current != 1"
    values = {"at": at, "id": session_id}
    db.execute(text(f"DELETE FROM message_index WHERE rowid IN ({left})"), values)
    index_description(db, session_id)
    done = "UPDATE sessions SET indexed_at = :at, embedded_at = NULL WHERE id = :id"
    db.execute(text(done), values)


def _index_some(db: Connection, session_id: SessionId) -> int:
    rows: Sequence[tuple[MessageId, str]] = [
        (row.id, row.content)
        for row in db.execute(
            text(
                "SELECT m.id, m.content FROM messages m WHERE m.session_id = :id "
                "AND m.is_current = 1 AND m.content != '' AND NOT EXISTS "
                "(SELECT 1 FROM message_index WHERE rowid = m.id) LIMIT :batch"
            ),
            {"id": session_id, "batch": _BATCH},
        )
    ]
    add_words(db, rows)
    return len(rows)


def add_words(db: Connection, rows: Sequence[tuple[MessageId, str]]) -> None:
    if rows:
        db.exec_driver_sql(
            "INSERT INTO message_index (rowid, words) VALUES (?, ?)",
            [(message_id, index_text(content)) for message_id, content in rows],
        )


def index_description(db: Connection, session_id: SessionId) -> None:
    row = db.execute(
        text(f"SELECT {SESSION_COLUMNS}, s.key FROM sessions s WHERE s.id = :id"),
        {"id": session_id},
    ).one()
    db.execute(text("DELETE FROM session_index WHERE rowid = :key"), {"key": row.key})
    topics = (row.topics or "").split(TOPIC_SEPARATOR)
    db.execute(_ADD_DESCRIPTION, {"id": session_id, **_words_of(row.title, row.summary, topics)})


def add_descriptions(db: Connection, sessions: Sequence[Session]) -> None:
    rows = [
        {"id": session.id, **_words_of(session.title, session.summary, session.topics)}
        for session in sessions
    ]
    if rows:
        db.execute(_ADD_DESCRIPTION, rows)


def _words_of(title: str | None, summary: str | None, topics: Iterable[str]) -> Mapping[str, str]:
    return {
        "title": index_text(title or ""),
        "summary": index_text(summary or ""),
        "topics": index_text(" ; ".join(topics)),
    }


_ADD_DESCRIPTION = text(
    "INSERT INTO session_index (rowid, title, summary, topics) "
    "SELECT key, :title, :summary, :topics FROM sessions WHERE id = :id"
)


def unindex_deleted(db: Connection, until: str) -> None:
    """Remove the words of sessions deleted before a moment, before their rows are deleted."""
    gone = "FROM sessions s WHERE s.deleted_at < :until"
    messages = f"SELECT id FROM messages WHERE session_id IN (SELECT s.id {gone})"
    for index, rows in (("message_index", messages), ("session_index", f"SELECT s.key {gone}")):
        db.execute(text(f"DELETE FROM {index} WHERE rowid IN ({rows})"), {"until": until})
