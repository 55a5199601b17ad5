"""The log of a session's phases: how long each took and what it cost, without contents."""

from collections.abc import Iterable

from sqlalchemy import text

from desktop.domain.ids import SessionId, TurnId
from desktop.domain.times import utc_text
from desktop.domain.turn_phases import Phase, PhaseOutcome, PhaseRecord
from desktop.domain.usage import Usage
from desktop.storage.damaged_values import read_choice, read_time
from desktop.storage.database import Database

_ADD = """
INSERT INTO phases (session_id, turn_id, phase, started_at, duration_ms, outcome, input_tokens,
    output_tokens, cache_read_tokens, cache_write_tokens, cost_usd, items, detail)
VALUES (:session_id, :turn_id, :phase, :started_at, :duration_ms, :outcome, :input, :output,
    :read, :write, :cost, :items, :detail)
"""
_LIST = """
SELECT turn_id, phase, started_at, duration_ms, outcome, input_tokens, output_tokens,
    cache_read_tokens, cache_write_tokens, cost_usd, items, detail
FROM phases WHERE session_id = :session_id ORDER BY id
"""


class PhaseStore:
    """Every method may raise StorageError."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def keep(self, session_id: SessionId, records: Iterable[PhaseRecord]) -> None:
        rows = [_row(session_id, one) for one in records]
        if not rows:
            return
        with self._database.writing() as db:
            db.execute(text(_ADD), rows)

    def phases(self, session_id: SessionId) -> list[PhaseRecord]:
        """In the order in which they were gone through."""
        with self._database.reading() as db:
            rows = db.execute(text(_LIST), {"session_id": session_id})
            return [
                PhaseRecord(
                    turn_id=TurnId(row.turn_id),
                    phase=read_choice(row.phase, Phase.EXECUTION),
                    started_at=read_time(row.started_at),
                    duration_ms=row.duration_ms,
                    outcome=read_choice(row.outcome, PhaseOutcome.FAILED),
                    usage=Usage(*row[5:10]),
                    count=row.items,
                    detail=row.detail,
                )
                for row in rows
            ]


def _row(session_id: SessionId, one: PhaseRecord) -> dict[str, str | int | float | None]:
    return {
        "session_id": session_id,
        "turn_id": one.turn_id,
        "phase": one.phase.value,
        "started_at": utc_text(one.started_at),
        "duration_ms": one.duration_ms,
        "outcome": one.outcome.value,
        "input": one.usage.input_tokens,
        "output": one.usage.output_tokens,
        "read": one.usage.cache_read_tokens,
        "write": one.usage.cache_write_tokens,
        "cost": one.usage.cost_usd,
        "items": one.count,
        "detail": one.detail,
    }
