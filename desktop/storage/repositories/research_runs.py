"""Unfinished deep research: the result of each finished step, until the answer is stored."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from sqlalchemy import Select, delete, func, literal, or_, select
from sqlalchemy.dialects.sqlite import insert

from desktop.domain.ids import MessageId, RunId, SessionId, new_run_id
from desktop.domain.json_values import JsonValue
from desktop.domain.research import Spent, UnfinishedRun
from desktop.domain.times import utc_text
from desktop.domain.usage import Purpose
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
from desktop.storage.schema.tables import messages, research_runs, research_steps, sessions, usage


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
