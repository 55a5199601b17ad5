"""What a session's turns leave beside its messages: contacted addresses, unfinished research.

Contacted addresses are deleted with their session, as they show what it was about. A merged
session keeps its log until the merge is final, so that undoing the merge needs no repair; then the
log moves to where the messages are. Of deep research the result of each finished step is stored
until the answer is.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from typing import Any

from sqlalchemy import Connection, Select, case, delete, func, literal, or_, select, update
from sqlalchemy.dialects.sqlite import insert

from desktop.domain.ids import MessageId, RunId, SessionId, new_run_id
from desktop.domain.json_values import JsonValue
from desktop.domain.research import Spent, UnfinishedRun
from desktop.domain.times import utc_text
from desktop.domain.usage import Purpose
from desktop.domain.web import Contact
from desktop.storage.repositories.descriptions import add_refused
from desktop.storage.schema.database import Repository
from desktop.storage.schema.row_mapping import (
    USAGE_NAMES,
    DatabaseRow,
    read_json,
    read_value,
    usage_of,
    usage_values,
    values_of,
)
from desktop.storage.schema.tables import (
    citations,
    contacted_addresses,
    drafts,
    messages,
    moved_sessions,
    phases,
    refused_facts,
    research_runs,
    research_steps,
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


@dataclass(frozen=True, slots=True)
class KeptStep:
    result: JsonValue
    spent: Spent


class RunStore(Repository):
    def begin(self, session_id: SessionId, message_id: MessageId) -> RunId:
        """Return the run that answers this message: the unfinished one, or a new one."""
        with self._database.writing() as db:
            begun = db.execute(_run_for(message_id)).scalar()
            if begun is not None:
                return RunId(begun)
            run_id = new_run_id()
            row = {"id": run_id, "session_id": session_id, "message_id": message_id}
            db.execute(insert(research_runs).values(**row, started_at=utc_text(self._now())))
            return run_id

    def has_begun(self, message_id: MessageId) -> bool:
        return self._row(_run_for(message_id)) is not None

    def keep_step(
        self, run_id: RunId, name: str, result: JsonValue, spent: Spent, model: str = ""
    ) -> None:
        done = select(func.count()).where(research_steps.c.run_id == run_id)
        self._change(
            insert(research_steps)
            .prefix_with("OR REPLACE")
            .values(
                run_id=run_id,
                place=done.scalar_subquery(),
                name=name,
                result=json.dumps(result, ensure_ascii=False),
                model=model,
                **usage_values(spent.usage),
                **values_of(spent, ("searches", "fetches", "seconds")),
            )
        )

    def steps(self, run_id: RunId) -> Mapping[str, KeptStep]:
        """Return the finished steps by name, in order."""
        of_run = select(research_steps).where(research_steps.c.run_id == run_id)
        rows = self._rows(of_run.order_by(research_steps.c.place))
        return {row.name: KeptStep(read_json(row.result), _spent(row)) for row in rows}

    def unfinished(self) -> list[UnfinishedRun]:
        """Return the runs whose question has no answer yet, newest first."""
        return [
            read_value(UnfinishedRun, row, question=row.content, spent=_spent(row))
            for row in self._rows(_unfinished())
        ]

    def finish(self, run_id: RunId) -> None:
        self._change(delete(research_runs).where(research_runs.c.id == run_id))

    def drop(self, run_id: RunId) -> None:
        """Abandon the run; its cost stays counted."""
        usage_columns = [research_steps.c[name] for name in USAGE_NAMES]
        spent = (
            select(
                research_runs.c.session_id,
                research_runs.c.message_id,
                literal(Purpose.RESEARCH.value),
                research_steps.c.model,
                *usage_columns,
                literal(utc_text(self._now())),
            )
            .join(research_runs, research_runs.c.id == research_steps.c.run_id)
            .where(
                research_steps.c.run_id == run_id,
                research_steps.c.input_tokens + research_steps.c.output_tokens > 0,
            )
        )
        columns = ["session_id", "message_id", "purpose", "model", *USAGE_NAMES, "created_at"]
        with self._database.writing() as db:
            db.execute(insert(usage).from_select(columns, spent))
            db.execute(delete(research_runs).where(research_runs.c.id == run_id))


def _run_for(message_id: MessageId) -> Select[Any]:
    return select(research_runs.c.id).where(research_runs.c.message_id == message_id)


@cache  # a statement is built once
def _unfinished() -> Select[Any]:
    later = messages.alias("later")
    answered = select(later.c.id).where(
        later.c.session_id == research_runs.c.session_id,
        later.c.is_current == 1,
        later.c.number > messages.c.number,
        or_(later.c.role == "user", later.c.state == "complete"),
    )
    summed = (*USAGE_NAMES, "searches", "fetches", "seconds")
    sums = [func.sum(research_steps.c[name]).label(name) for name in summed]
    return (
        select(
            research_runs,
            messages.c.content,
            func.count(research_steps.c.place).label("steps"),
            *sums,
        )
        .join(
            messages, (messages.c.id == research_runs.c.message_id) & (messages.c.is_current == 1)
        )
        .join(
            sessions,
            (sessions.c.id == research_runs.c.session_id) & sessions.c.deleted_at.is_(None),
        )
        .outerjoin(research_steps, research_steps.c.run_id == research_runs.c.id)
        .where(~answered.exists())
        .group_by(research_runs.c.id)
        .order_by(research_runs.c.started_at.desc(), research_runs.c.id)
    )


def _spent(row: DatabaseRow) -> Spent:
    return Spent(usage_of(row), row.searches or 0, row.fetches or 0, row.seconds or 0.0)
