"""The full-text indexes of sessions and of sources' passages, and the filters of a search.

Text SQL: MATCH and bm25 of FTS5.
"""

import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple, NewType

from desktop.domain.ids import PassageId, SessionId, SourceId, first_message_id_at
from desktop.domain.messages import NO_MODEL
from desktop.domain.projects import Wall
from desktop.domain.search import Query, SearchOrder
from desktop.domain.sessions import Session
from desktop.domain.times import utc_text
from desktop.language.normalization import fix_surrogates, folded_key
from desktop.storage.database import Repository
from desktop.storage.row_mapping import EVER, SESSION_COLUMNS, read_value, session_of

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
            found = (
                "0.0 AS score FROM sessions s INDEXED BY sessions_by_time WHERE +s.key IN "
                "(SELECT rowid FROM session_index WHERE session_index MATCH :expression)"
            )
            order = "s.updated_at DESC"
        else:
            found = (
                "-bm25(session_index, 4.0, 1.0, 2.0) AS score FROM session_index "
                "JOIN sessions s ON s.key = session_index.rowid "
                "WHERE session_index MATCH :expression"
            )
            order = "score DESC"
        sql = (
            f"SELECT {SESSION_COLUMNS}, {found} AND s.updated_at >= :since_text "
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
        found = [session_of(row) for row in self._rows(sql, values)]
        return [one for one in found if name_words(one.title or "") == tuple(words)]

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
    return tuple("".join(one if one.isalnum() else " " for one in folded).split())


PassageKey = NewType("PassageKey", int)
"""A passage's row in the index; ids are for references that are stored."""


class SourceText(NamedTuple):
    """The part of a passage that ranking needs."""

    key: PassageKey
    source_id: SourceId
    number: int
    title: str
    heading: str
    text: str

    @property
    def content(self) -> str:
        """Return the searched text: a document is also found by its name."""
        return "\n".join(filter(None, (self.title, self.heading, self.text)))


@dataclass(frozen=True, slots=True)
class PassageMatch:
    key: PassageKey
    passage_id: PassageId
    source_id: SourceId
    title: str
    page: int | None
    heading: str
    text: str
    added_at: datetime


# Which passages are searched; `bounds` binds its parameters.
SEARCHABLE_SOURCES = (
    "AND p.replaced_at IS NULL AND s.deleted_at IS NULL "
    "AND s.session_id IS NULL AND :session IS NULL "
    "AND s.added_at >= :since_text AND s.added_at < :until_text "
    "AND (:project IS NULL OR s.project = :project)"
)
_COLUMNS = "p.key, p.id AS passage_id, p.source_id, s.title, p.page, p.heading, p.text, s.added_at"
_FROM = "FROM source_passages p JOIN sources s ON s.id = p.source_id"
_FOUND = (
    "FROM source_index i JOIN source_passages p ON p.key = i.rowid "
    "JOIN sources s ON s.id = p.source_id WHERE source_index MATCH :expression "
)
_RANK = "bm25(source_index, 1.0, 0.5)"


class SourceIndex(Repository):
    def candidates(self, expression: str, query: Query, limit: int) -> list[PassageKey]:
        """Return matching passages, the highest rank of the index first."""
        sql = f"SELECT p.key {_FOUND} {SEARCHABLE_SOURCES} ORDER BY {_RANK} LIMIT :candidates"
        values = {**bounds(query), "expression": expression, "candidates": limit}
        return [PassageKey(row[0]) for row in self._rows(sql, values)]

    def newest_matches(self, expression: str, query: Query) -> list[PassageMatch]:
        sql = f"SELECT {_COLUMNS} {_FOUND} {SEARCHABLE_SOURCES} ORDER BY i.rowid DESC LIMIT :limit"
        rows = self._rows(sql, {**bounds(query), "expression": expression})
        return [read_value(PassageMatch, row) for row in rows]

    def beginnings(self, query: Query) -> list[PassageMatch]:
        """Return the first passage of every source within the dates, newest first."""
        sql = (
            f"SELECT {_COLUMNS} {_FROM} WHERE p.number = 1 {SEARCHABLE_SOURCES} "
            "ORDER BY s.added_at DESC LIMIT :limit"
        )
        return [read_value(PassageMatch, row) for row in self._rows(sql, bounds(query))]

    def count_matches(self, expression: str, at_most: int) -> int:
        sql = (
            "SELECT count(*) FROM (SELECT 1 FROM source_index "
            "WHERE source_index MATCH :expression LIMIT :most)"
        )
        return int(self._value(sql, {"expression": expression, "most": at_most}))

    def newest(self) -> int | None:
        """Return a number that changes whenever a passage is added."""
        found = self._value("SELECT max(key) FROM source_passages")
        return None if found is None else int(found)

    def count_messages(self) -> int:
        sql = (
            "SELECT sum(passage_count) FROM sources "
            "WHERE deleted_at IS NULL AND session_id IS NULL"
        )
        return int(self._value(sql) or 0)

    def surroundings(self, passages: Sequence[PassageKey], reach: int) -> list[SourceText]:
        """Return these passages and their neighbours, in the order of their sources."""
        sql = (
            f"SELECT DISTINCT p.key, p.source_id, p.number, s.title, p.heading, p.text {_FROM} "
            "JOIN source_passages c ON c.source_id = p.source_id "
            "AND p.number BETWEEN c.number - :reach AND c.number + :reach "
            "WHERE c.key IN (SELECT value FROM json_each(:keys)) AND c.replaced_at IS NULL "
            "AND p.replaced_at IS NULL ORDER BY p.source_id, p.number"
        )
        rows = self._rows(sql, {"keys": json.dumps(list(passages)), "reach": reach})
        return [SourceText(*row) for row in rows]

    def read(self, passages: Sequence[PassageKey]) -> dict[PassageKey, PassageMatch]:
        sql = f"SELECT {_COLUMNS} {_FROM} WHERE p.key IN (SELECT value FROM json_each(:keys))"
        rows = self._rows(sql, {"keys": json.dumps(list(passages))})
        return {PassageKey(row[0]): read_value(PassageMatch, row) for row in rows}
