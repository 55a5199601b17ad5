"""The words that OCR read in pictures of messages, and their full-text index.

Text SQL: MATCH of FTS5, and the filters that messages have.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection, delete, select, text
from sqlalchemy.dialects.sqlite import insert

from desktop.domain.ids import MessageId, SessionId
from desktop.domain.messages import MessageFile
from desktop.domain.search import Query
from desktop.domain.times import utc_text
from desktop.language.normalization import fix_surrogates, index_text
from desktop.storage.schema.database import Repository
from desktop.storage.schema.row_mapping import read_value
from desktop.storage.schema.tables import message_files, picture_texts
from desktop.storage.search.message_index import SEARCHABLE, bounds

_ADD_WORDS = text("INSERT INTO picture_index (rowid, words) VALUES (:key, :words)")


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
        """Return the pictures of messages that were not read, the newest first."""
        sql = (
            "SELECT f.sha256, f.name, f.media_type, f.size FROM message_files f "
            "JOIN messages m ON m.id = f.message_id JOIN sessions s ON s.id = m.session_id "
            "WHERE f.media_type LIKE 'image/%' AND s.deleted_at IS NULL "
            "AND f.sha256 NOT IN (SELECT sha256 FROM picture_texts) "
            "GROUP BY f.sha256 ORDER BY max(m.id) DESC"
        )
        return [read_value(MessageFile, row) for row in self._rows(sql)]

    def add(self, sha256: str, words: str) -> None:
        """Store what a picture says, empty if it says nothing, while a message has it."""
        words = fix_surrogates(words)
        values = {"sha256": sha256, "text": words, "read_at": utc_text(self._now())}
        has_picture = select(message_files.c.sha256).where(message_files.c.sha256 == sha256)
        new = insert(picture_texts).values(values).on_conflict_do_nothing()
        with self._database.writing() as db:
            if db.execute(has_picture.limit(1)).first() is None:
                return
            for key in db.execute(new.returning(picture_texts.c.key)).scalars().all():
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
        db.execute(text("DELETE FROM picture_index WHERE rowid = :key"), {"key": key})
    return len(keys)
