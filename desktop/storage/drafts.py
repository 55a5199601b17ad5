"""What is being written, by the session it is written in, and when somebody was last at it."""

import json
from datetime import datetime

from sqlalchemy import Connection, text

from desktop.domain.ids import SessionId
from desktop.domain.messages import Message
from desktop.domain.sessions import Draft
from desktop.domain.times import Clock, utc_now, utc_text
from desktop.storage.damaged_values import read_ids, read_time_or_none
from desktop.storage.database import Database
from desktop.storage.session_redirects import now_in

NEW_SESSION = SessionId("")
"""Stands for the session that has no message yet, where a draft can already be."""

_TAKE_SENT = text(
    "UPDATE drafts SET text = '' WHERE session_id IN (:new, :id) AND updated_at <= :at "
    "AND trim(text, char(9, 10, 13, 32)) = :content"
)


def take_sent(db: Connection, question: Message) -> None:
    """What the disk now has as a question is no draft any more, whatever kills the program."""
    values = {"new": NEW_SESSION, "id": question.session_id, "content": question.content}
    db.execute(_TAKE_SENT, {**values, "at": utc_text(question.created_at)})


class DraftStore:
    """Every method may raise StorageError."""

    def __init__(self, database: Database, *, now: Clock = utc_now) -> None:
        self._database = database
        self._now = now

    def keep(self, session_id: SessionId, draft: Draft) -> None:
        with self._database.writing() as db:
            db.execute(
                text(
                    "INSERT INTO drafts (session_id, text, anchor_number, anchor_offset, "
                    "updated_at, beside) VALUES (:id, :text, :number, :offset, :at, :beside) "
                    "ON CONFLICT (session_id) DO UPDATE SET text = excluded.text, "
                    "beside = excluded.beside, "
                    "anchor_number = excluded.anchor_number, "
                    "anchor_offset = excluded.anchor_offset, updated_at = excluded.updated_at"
                ),
                {
                    "id": session_id,
                    "text": draft.text,
                    "number": draft.anchor_number,
                    "offset": draft.anchor_offset,
                    "beside": json.dumps(draft.beside),
                    "at": utc_text(self._now()),
                },
            )

    def draft(self, session_id: SessionId) -> Draft:
        """What went along of sessions that were merged since is where their messages are now."""
        with self._database.reading() as db:
            row = db.execute(
                text(
                    "SELECT text, anchor_number, anchor_offset, beside FROM drafts "
                    "WHERE session_id = :id"
                ),
                {"id": session_id},
            ).one_or_none()
            beside = tuple(now_in(db, map(SessionId, read_ids(row.beside)))) if row else ()
        if row is None:
            return Draft()
        return Draft(row.text, row.anchor_number, row.anchor_offset, beside)

    def attend(self, session_id: SessionId) -> None:
        """Note that somebody has come back to it: what is written or looked at, too, says so."""
        with self._database.writing() as db:
            db.execute(
                text(
                    "INSERT INTO drafts (session_id, text, anchor_offset, updated_at) "
                    "VALUES (:id, '', 0, :at) "
                    "ON CONFLICT (session_id) DO UPDATE SET updated_at = excluded.updated_at"
                ),
                {"id": session_id, "at": utc_text(self._now())},
            )

    def attended_at(self, session_id: SessionId) -> datetime | None:
        """When somebody was last at it, apart from what was said in it."""
        with self._database.reading() as db:
            at = db.execute(
                text("SELECT updated_at FROM drafts WHERE session_id = :id"), {"id": session_id}
            ).scalar_one_or_none()
        return read_time_or_none(at)
