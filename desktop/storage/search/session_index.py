"""The full-text index of sessions, and the conditions that bound every search.

Text SQL: MATCH and bm25 of FTS5.
"""

import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from desktop.domain.ids import SessionId, first_message_id_at
from desktop.domain.messages import NO_MODEL
from desktop.domain.projects import Wall
from desktop.domain.search import Query, SearchOrder
from desktop.domain.sessions import Session
from desktop.domain.times import utc_text
from desktop.language.normalization import fix_surrogates, folded_key
from desktop.storage.schema.database import Repository
from desktop.storage.schema.row_mapping import EVER, SESSION_COLUMNS, session_of

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


_LONGEST_BREAK = 10  # Characters between two words of a name


@dataclass(frozen=True, slots=True)
class SessionMatch:
    session: Session
    score: float


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
