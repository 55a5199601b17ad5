"""The full-text index of what sessions are called: their titles, summaries and topics."""

from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import text

from desktop.domain.search import Query, SearchOrder
from desktop.domain.sessions import Session
from desktop.language.normalization import folded_key
from desktop.storage.database import Database
from desktop.storage.row_mapping import SESSION_COLUMNS, session_of
from desktop.storage.search_filters import SEARCHABLE, bounds

_LONGEST_BREAK = 10
"""Characters between two words of a name."""


@dataclass(frozen=True, slots=True)
class SessionMatch:
    session: Session
    score: float


class SessionIndex:
    """Asking the index. Every method may raise StorageError."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def matching(self, expression: str, query: Query) -> list[SessionMatch]:
        """Sessions whose title (weighing most), topics or summary match."""
        if query.order is SearchOrder.NEWEST:
            # Read from the newest on until there are enough: many sessions can match.
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
        with self._database.reading() as db:
            rows = db.execute(text(sql), {**bounds(query), "expression": expression})
            return [SessionMatch(session_of(row), row.score) for row in rows]

    def named(self, words: Sequence[str], query: Query) -> list[Session]:
        """Sessions that are called so, word by word, the newest first."""
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
        with self._database.reading() as db:
            found = [session_of(row) for row in db.execute(text(sql), values)]
        return [one for one in found if name_words(one.title or "") == tuple(words)]

    def left_by(self, query: Query) -> list[Session]:
        """Those that the filters of a query leave, the newest first; its words do not count."""
        sql = (
            f"SELECT {SESSION_COLUMNS} FROM sessions s WHERE s.updated_at >= :since_text "
            f"AND s.updated_at < :until_text {SEARCHABLE} ORDER BY s.updated_at DESC LIMIT :limit"
        )
        with self._database.reading() as db:
            return [session_of(row) for row in db.execute(text(sql), bounds(query))]

    def has(self, expression: str) -> bool:
        """Whether a title, a summary or a topic has it."""
        sql = "SELECT 1 FROM session_index WHERE session_index MATCH :expression LIMIT 1"
        with self._database.reading() as db:
            return db.execute(text(sql), {"expression": expression}).scalar() is not None


def name_words(name: str) -> tuple[str, ...]:
    """The words of a title, as the index has them."""
    folded = folded_key(name)
    return tuple("".join(one if one.isalnum() else " " for one in folded).split())
