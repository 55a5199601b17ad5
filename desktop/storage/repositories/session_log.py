"""The contacted addresses of a session, and how its log moves when sessions split or merge.

Contacted addresses are deleted with their session, as they show what it was about. A merged
session keeps its log until the merge is final, so that undoing the merge needs no repair; then the
log moves to where the messages are.
"""

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import Connection, case, delete, func, literal, select, update
from sqlalchemy.dialects.sqlite import insert

from desktop.domain.ids import MessageId, SessionId
from desktop.domain.times import utc_text
from desktop.domain.web import Contact
from desktop.storage.repositories.descriptions import add_refused
from desktop.storage.schema.database import Repository
from desktop.storage.schema.row_mapping import read_value, values_of
from desktop.storage.schema.tables import (
    citations,
    contacted_addresses,
    drafts,
    messages,
    moved_sessions,
    phases,
    refused_facts,
    sessions,
    usage,
)


class ContactStore(Repository):
    """Every address on the web that was contacted. Methods may raise StorageError."""

    def add(self, *contacts: Contact) -> None:
        with self._database.writing() as db:
            for contact in contacts:
                session = select(sessions.c.id).where(sessions.c.id == contact.session_id)
                row = values_of(contact, ("at", "purpose", "address", "outcome"))
                new = insert(contacted_addresses).values(**row)
                db.execute(new.values(session_id=session.scalar_subquery()))

    def contacts(
        self,
        *,
        session_id: SessionId | None = None,
        since: datetime | None = None,
        limit: int = 1000,
    ) -> list[Contact]:
        """Return the contacted addresses, newest first."""
        newest = (contacted_addresses.c.at.desc(), contacted_addresses.c.id.desc())
        query = select(contacted_addresses).order_by(*newest)
        if session_id is not None:
            query = query.where(contacted_addresses.c.session_id == session_id)
        if since is not None:
            query = query.where(contacted_addresses.c.at >= utc_text(since))
        return [read_value(Contact, row) for row in self._rows(query.limit(limit))]

    def clear(self) -> Sequence[Contact]:
        """Delete all of them, at the user's request; return them for `add`, in any order."""
        with self._database.writing() as db:
            rows = db.execute(delete(contacted_addresses).returning(contacted_addresses)).all()
        return [read_value(Contact, row) for row in rows]


def split_log(db: Connection, whole: SessionId, part: SessionId, since: MessageId) -> None:
    """Move what was logged since a message was written to the new part."""
    written_at = select(messages.c.created_at).where(messages.c.id == since).scalar_subquery()
    # A turn begins before its message is stored.
    turns = phases.alias("turns")
    later = (
        select(turns.c.turn_id)
        .where(turns.c.session_id == whole)
        .group_by(turns.c.turn_id)
        .having(func.max(turns.c.started_at) >= written_at)
    )
    db.execute(
        update(phases)
        .where(phases.c.session_id == whole, phases.c.turn_id.in_(later))
        .values(session_id=part)
    )
    db.execute(
        update(contacted_addresses)
        .where(contacted_addresses.c.session_id == whole, contacted_addresses.c.at >= written_at)
        .values(session_id=part)
    )


def hand_over_log(db: Connection, source: SessionId, target: SessionId) -> None:
    for table in (phases, contacted_addresses, usage):
        db.execute(update(table).where(table.c.session_id == source).values(session_id=target))
    refused = refused_facts.c
    rows = select(literal(target), refused.reason, refused.count)
    add_refused(db, rows.where(refused.session_id == source))
    db.execute(delete(refused_facts).where(refused.session_id == source))
    _hand_over_draft(db, source, target)
    # Citations of its summary: those of its messages have been removed with them.
    db.execute(update(citations).where(citations.c.source_id == source).values(source_id=target))


def _hand_over_draft(db: Connection, source: SessionId, target: SessionId) -> None:
    """Move the draft: it was never sent, and is stored nowhere else."""
    draft = select(
        literal(target), drafts.c.text, literal(0), drafts.c.updated_at, drafts.c.beside
    ).where(drafts.c.session_id == source, drafts.c.text != "")
    added = insert(drafts).from_select(
        ["session_id", "text", "anchor_offset", "updated_at", "beside"], draft
    )
    own = case((drafts.c.text == "", ""), else_=drafts.c.text + "\n\n")
    db.execute(
        added.on_conflict_do_update(
            index_elements=["session_id"], set_={"text": own + added.excluded.text}
        )
    )
    db.execute(delete(drafts).where(drafts.c.session_id == source))


def settle_logs(db: Connection, until: str) -> None:
    """Move the logs of sessions that were merged before a moment to their targets."""
    start = (
        select(sessions.c.id.label("source"), moved_sessions.c.now_in.label("id"))
        .join(moved_sessions, moved_sessions.c.session_id == sessions.c.id)
        .where(sessions.c.deleted_at < until)
        .cte("place", recursive=True)
    )
    place = start.union(
        select(start.c.source, moved_sessions.c.now_in).join(
            moved_sessions, moved_sessions.c.session_id == start.c.id
        )
    )
    settled = (
        select(place.c.source, place.c.id)
        .join(sessions, sessions.c.id == place.c.id)
        .where(place.c.id.not_in(select(moved_sessions.c.session_id)))
    )
    for source, target in db.execute(settled).all():
        hand_over_log(db, source, target)
