"""Full-text indexes: of the passages of sources, and of words that OCR read in pictures.

Text SQL: MATCH and bm25 of FTS5, and the filters that messages have.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import NewType

from sqlalchemy import Connection, delete, select, text
from sqlalchemy.dialects.sqlite import insert

from desktop.domain.ids import MessageId, PassageId, SessionId, SourceId
from desktop.domain.messages import MessageFile
from desktop.domain.search import Query
from desktop.domain.times import utc_text
from desktop.language.normalization import fix_surrogates, index_text
from desktop.storage.schema.database import Repository
from desktop.storage.schema.row_mapping import read_value
from desktop.storage.schema.tables import message_files, picture_texts
from desktop.storage.search.message_index import SEARCHABLE, IndexedMessage, bounds

PassageKey = NewType("PassageKey", int)
"""A passage's row in the index; ids are for references that are stored."""


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
        key = self._value("SELECT max(key) FROM source_passages")
        return None if key is None else int(key)

    def count_messages(self) -> int:
        sql = (
            "SELECT sum(passage_count) FROM sources "
            "WHERE deleted_at IS NULL AND session_id IS NULL"
        )
        return int(self._value(sql) or 0)

    def surroundings(self, passages: Sequence[PassageKey], reach: int) -> list[IndexedMessage]:
        """Return these passages and their neighbours as messages, in the order of their sources.

        They are numbered below zero: the first of a source wins a tie. A document is also found
        by its name.
        """
        sql = (
            "SELECT DISTINCT p.key, p.source_id, p.number, s.title, "
            f"trim(p.heading || ' ' || coalesce(r.words, '')) AS heading, p.text {_FROM} "
            "LEFT JOIN source_references r ON r.source_id = s.id AND p.number = 1 "
            "JOIN source_passages c ON c.source_id = p.source_id "
            "AND p.number BETWEEN c.number - :reach AND c.number + :reach "
            "WHERE c.key IN (SELECT value FROM json_each(:keys)) AND c.replaced_at IS NULL "
            "AND p.replaced_at IS NULL ORDER BY p.source_id, p.number"
        )
        rows = self._rows(sql, {"keys": json.dumps(list(passages)), "reach": reach})
        return [
            IndexedMessage(
                id=MessageId(-row.key),
                session_id=SessionId(row.source_id),
                number=row.number,
                content="\n".join(filter(None, (row.title, row.heading, row.text))),
                role="",
                model=None,
            )
            for row in rows
        ]

    def read(self, passages: Sequence[PassageKey]) -> dict[PassageKey, PassageMatch]:
        sql = f"SELECT {_COLUMNS} {_FROM} WHERE p.key IN (SELECT value FROM json_each(:keys))"
        rows = self._rows(sql, {"keys": json.dumps(list(passages))})
        return {PassageKey(row[0]): read_value(PassageMatch, row) for row in rows}


_ADD_WORDS = text("INSERT INTO picture_index (rowid, words) VALUES (:key, :words)")
_REMOVE_WORDS = text("DELETE FROM picture_index WHERE rowid = :key")
_PUT_OFF = ""  # When a picture was read that took too long once


@dataclass(frozen=True, slots=True)
class PictureMatch:
    message_id: MessageId
    number: int  # Of the message
    session_id: SessionId
    session_title: str
    created_at: datetime
    name: str  # Of the picture
    text: str
    score: float  # Higher is better


class PictureIndex(Repository):
    """Every method may raise StorageError."""

    def unread(self) -> list[MessageFile]:
        """Return the pictures of messages that were not read, or put off, the newest first."""
        sql = (
            "SELECT f.sha256, f.name, f.media_type, f.size FROM message_files f "
            "JOIN messages m ON m.id = f.message_id JOIN sessions s ON s.id = m.session_id "
            "WHERE f.media_type LIKE 'image/%' AND s.deleted_at IS NULL "
            "AND f.sha256 NOT IN (SELECT sha256 FROM picture_texts WHERE read_at <> '') "
            "GROUP BY f.sha256 ORDER BY max(m.id) DESC"
        )
        return [read_value(MessageFile, row) for row in self._rows(sql)]

    def add(self, sha256: str, words: str) -> None:
        """Store what a picture says, empty if it says nothing, while a message has it."""
        self._add(sha256, fix_surrogates(words), utc_text(self._now()))

    def put_off(self, sha256: str) -> None:
        """Record that a picture took too long: it is due once more, then it says nothing."""
        self._add(sha256, "", _PUT_OFF)

    def _add(self, sha256: str, words: str, at: str) -> None:
        has_picture = select(message_files.c.sha256).where(message_files.c.sha256 == sha256)
        new = insert(picture_texts).values(sha256=sha256, text=words, read_at=at)
        new = new.on_conflict_do_update(
            index_elements=["sha256"],
            set_={"text": words, "read_at": at or utc_text(self._now())},
            where=picture_texts.c.read_at == _PUT_OFF,
        )
        with self._database.writing() as db:
            if db.execute(has_picture.limit(1)).first() is None:
                return
            for key in db.execute(new.returning(picture_texts.c.key)).scalars().all():
                db.execute(_REMOVE_WORDS, {"key": key})
                db.execute(_ADD_WORDS, {"key": key, "words": index_text(words)})

    def matching(self, expression: str, query: Query) -> list[PictureMatch]:
        """Return pictures of complete sessions that match an FTS5 expression, the best first."""
        sql = (
            "SELECT m.id AS message_id, m.number, m.session_id, m.created_at, f.name, p.text, "
            "coalesce(s.title, s.opening) AS session_title, -i.rank AS score "
            "FROM picture_index i JOIN picture_texts p ON p.key = i.rowid "
            "JOIN message_files f ON f.sha256 = p.sha256 JOIN messages m ON m.id = f.message_id "
            "JOIN sessions s ON s.id = m.session_id WHERE picture_index MATCH :expression "
            f"AND m.is_current = 1 AND m.id >= :since AND m.id < :until {SEARCHABLE} "
            "ORDER BY i.rank, m.id DESC LIMIT :limit"
        )
        rows = self._rows(sql, {**bounds(query), "expression": expression})
        return [read_value(PictureMatch, row) for row in rows]


def index_pictures(db: Connection) -> None:
    for row in db.execute(select(picture_texts.c.key, picture_texts.c.text)).all():
        db.execute(_ADD_WORDS, {"key": row.key, "words": index_text(row.text)})


def purge_pictures(db: Connection) -> int:
    """Remove the words of pictures that no message has; return of how many."""
    kept = select(message_files.c.sha256)
    gone = delete(picture_texts).where(picture_texts.c.sha256.not_in(kept))
    keys: Sequence[int] = db.execute(gone.returning(picture_texts.c.key)).scalars().all()
    for key in keys:
        db.execute(_REMOVE_WORDS, {"key": key})
    return len(keys)
