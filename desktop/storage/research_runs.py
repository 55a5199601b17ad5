"""Deep research that goes on: each step's result as it is finished, until the answer is there."""

import json
from collections.abc import Mapping
from dataclasses import dataclass

from sqlalchemy import text

from desktop.domain.ids import MessageId, RunId, SessionId, new_run_id
from desktop.domain.model import JsonValue
from desktop.domain.research import Spent, UnfinishedRun
from desktop.domain.times import Clock, utc_now, utc_text
from desktop.domain.usage import Purpose, Usage
from desktop.storage.damaged_values import read_time
from desktop.storage.database import Database
from desktop.storage.row_mapping import DatabaseRow

_SUMS = """
    sum(s.input_tokens) AS input_tokens, sum(s.output_tokens) AS output_tokens,
    sum(s.cache_read_tokens) AS cache_read_tokens, sum(s.cache_write_tokens) AS cache_write_tokens,
    sum(s.cost_usd) AS cost_usd, sum(s.searches) AS searches, sum(s.fetches) AS fetches,
    sum(s.seconds) AS seconds
"""
_UNFINISHED = f"""
SELECT r.id, r.session_id, r.message_id, r.started_at, m.content, count(s.place) AS steps, {_SUMS}
FROM research_runs r
JOIN messages m ON m.id = r.message_id AND m.is_current = 1
JOIN sessions o ON o.id = r.session_id AND o.deleted_at IS NULL
LEFT JOIN research_steps s ON s.run_id = r.id
WHERE NOT EXISTS (
    SELECT 1 FROM messages l WHERE l.session_id = r.session_id AND l.is_current = 1
    AND l.number > m.number AND (l.role = 'user' OR l.state = 'complete')
)
GROUP BY r.id ORDER BY r.started_at DESC, r.id
"""
_KEEP = """
INSERT OR REPLACE INTO research_steps VALUES (
    :run_id, (SELECT count(*) FROM research_steps WHERE run_id = :run_id), :name, :result, :model,
    :input, :output, :read, :write, :cost, :searches, :fetches, :seconds
)
"""
_COUNT_WHAT_WAS_SPENT = """
INSERT INTO usage (session_id, message_id, purpose, model, input_tokens, output_tokens,
    cache_read_tokens, cache_write_tokens, cost_usd, created_at)
SELECT r.session_id, r.message_id, :purpose, s.model, s.input_tokens, s.output_tokens,
    s.cache_read_tokens, s.cache_write_tokens, s.cost_usd, :at
FROM research_steps s JOIN research_runs r ON r.id = s.run_id
WHERE s.run_id = :id AND s.input_tokens + s.output_tokens > 0
"""


@dataclass(frozen=True, slots=True)
class KeptStep:
    result: JsonValue
    spent: Spent


class RunStore:
    """Repository of research that goes on. Every method may raise StorageError."""

    def __init__(self, database: Database, *, now: Clock = utc_now) -> None:
        self._database = database
        self._now = now

    def begin(self, session_id: SessionId, message_id: MessageId) -> RunId:
        """The run that answers this message: the one that was begun, or a new one."""
        with self._database.writing() as db:
            begun = db.execute(
                text("SELECT id FROM research_runs WHERE message_id = :id"), {"id": message_id}
            ).scalar()
            if begun is not None:
                return RunId(begun)
            run_id = new_run_id()
            db.execute(
                text("INSERT INTO research_runs VALUES (:id, :session_id, :message_id, :at)"),
                {
                    "id": run_id,
                    "session_id": session_id,
                    "message_id": message_id,
                    "at": utc_text(self._now()),
                },
            )
            return run_id

    def has_begun(self, message_id: MessageId) -> bool:
        """Whether there is a run that answers this message and is not finished."""
        with self._database.reading() as db:
            found = db.execute(
                text("SELECT 1 FROM research_runs WHERE message_id = :id"), {"id": message_id}
            )
            return found.first() is not None

    def keep_step(
        self, run_id: RunId, name: str, result: JsonValue, spent: Spent, *, model: str = ""
    ) -> None:
        with self._database.writing() as db:
            db.execute(
                text(_KEEP),
                {
                    "run_id": run_id,
                    "name": name,
                    "result": json.dumps(result, ensure_ascii=False),
                    "model": model,
                    "input": spent.usage.input_tokens,
                    "output": spent.usage.output_tokens,
                    "read": spent.usage.cache_read_tokens,
                    "write": spent.usage.cache_write_tokens,
                    "cost": spent.usage.cost_usd,
                    "searches": spent.searches,
                    "fetches": spent.fetches,
                    "seconds": spent.seconds,
                },
            )

    def steps(self, run_id: RunId) -> Mapping[str, KeptStep]:
        """By name, in the order in which they were finished."""
        with self._database.reading() as db:
            rows = db.execute(
                text("SELECT * FROM research_steps WHERE run_id = :id ORDER BY place"),
                {"id": run_id},
            )
            return {row.name: KeptStep(json.loads(row.result), _spent(row)) for row in rows}

    def unfinished(self) -> list[UnfinishedRun]:
        """Those whose question still waits for its answer, the newest first."""
        with self._database.reading() as db:
            return [
                UnfinishedRun(
                    RunId(row.id),
                    SessionId(row.session_id),
                    MessageId(row.message_id),
                    row.content,
                    read_time(row.started_at),
                    row.steps,
                    _spent(row),
                )
                for row in db.exec_driver_sql(_UNFINISHED)
            ]

    def finish(self, run_id: RunId) -> None:
        """The answer is there: what led to it goes."""
        with self._database.writing() as db:
            db.execute(text("DELETE FROM research_runs WHERE id = :id"), {"id": run_id})

    def drop(self, run_id: RunId) -> None:
        """Nobody wants it any more; what it cost stays counted."""
        with self._database.writing() as db:
            values = {"id": run_id, "purpose": Purpose.RESEARCH.value, "at": utc_text(self._now())}
            db.execute(text(_COUNT_WHAT_WAS_SPENT), values)
            db.execute(text("DELETE FROM research_runs WHERE id = :id"), {"id": run_id})


def _spent(row: DatabaseRow) -> Spent:
    usage = Usage(
        row.input_tokens or 0,
        row.output_tokens or 0,
        row.cache_read_tokens or 0,
        row.cache_write_tokens or 0,
        row.cost_usd,
    )
    return Spent(usage, row.searches or 0, row.fetches or 0, row.seconds or 0.0)
