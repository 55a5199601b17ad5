"""What was done for an answer besides writing it: steps, calls, and sources that were read."""

from collections.abc import Sequence

from sqlalchemy import Connection, text

from desktop.domain.events import SourceFound, StepEnded, ToolCalled, ToolState
from desktop.domain.ids import MessageId, TurnId
from desktop.domain.research import StepKind, StepState
from desktop.domain.sources import SourceKind
from desktop.domain.turn_activity import WorkDone
from desktop.domain.usage import NO_USAGE, Usage
from desktop.storage.damaged_values import read_choice, read_choice_or_none
from desktop.storage.database import Database
from desktop.storage.row_mapping import DatabaseRow

_ADD = """
INSERT INTO work_done SELECT :message_id, :place, :phase, :sort, :name, :about, :state, :found,
    :input, :output, :read, :write, :cost, :duration_ms, :trouble, :source_id, :address,
    :is_suspicious
WHERE EXISTS (SELECT 1 FROM messages WHERE id = :message_id)
"""
_LIST = "SELECT * FROM work_done WHERE message_id = :id ORDER BY place"
_STEP, _TOOL, _SOURCE = "step", "tool", "source"
_NO_TURN = TurnId("")

Value = str | int | float | None


class WorkDoneStore:
    """Every method may raise StorageError."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def keep(self, message_id: MessageId, several: Sequence[WorkDone]) -> None:
        if not several:
            return
        with self._database.writing() as db:
            db.execute(text("DELETE FROM work_done WHERE message_id = :id"), {"id": message_id})
            for place, one in enumerate(several, start=1):
                row = {"message_id": message_id, "place": place, "phase": one.phase}
                db.execute(text(_ADD), {**row, **_values(one)})

    def of_answer(self, message_id: MessageId) -> list[WorkDone]:
        """In the order in which it was begun."""
        with self._database.reading() as db:
            rows = db.execute(text(_LIST), {"id": message_id}).all()
        return [_work(row) for row in rows]


def forget_sources(db: Connection, gone: str, values: dict[str, str]) -> None:
    """Nothing tells any more of sources, or sessions, that are deleted for good."""
    db.execute(
        text(f"DELETE FROM work_done WHERE sort = '{_SOURCE}' AND source_id IN ({gone})"), values
    )


def _values(one: WorkDone) -> dict[str, Value]:
    done, usage = one.done, NO_USAGE
    row: dict[str, Value] = dict.fromkeys(
        ("name", "about", "state", "trouble", "source_id", "address"), ""
    )
    row |= dict.fromkeys(("found", "duration_ms", "is_suspicious"), 0)
    match done:
        case StepEnded():
            usage = done.usage
            row |= {"sort": _STEP, "name": f"{done.kind.value} {done.step}", "about": one.about}
            row |= {"state": done.state.value, "found": done.found, "trouble": done.trouble}
            row["duration_ms"] = done.duration_ms
        case ToolCalled():
            row |= {"sort": _TOOL, "name": done.name, "about": done.summary}
            row |= {"state": done.state.value, "duration_ms": done.duration_ms}
        case SourceFound():
            row |= {"sort": _SOURCE, "name": done.kind.value if done.kind else ""}
            row |= {"about": done.title, "source_id": done.source_id, "address": done.address}
            row["is_suspicious"] = int(done.is_suspicious)
    row |= {"input": usage.input_tokens, "output": usage.output_tokens}
    row |= {"read": usage.cache_read_tokens, "write": usage.cache_write_tokens}
    return {**row, "cost": usage.cost_usd}


def _work(row: DatabaseRow) -> WorkDone:
    match row.sort:
        case "step":
            kind, _, step = row.name.partition(" ")
            usage = Usage(
                row.input_tokens,
                row.output_tokens,
                row.cache_read_tokens,
                row.cache_write_tokens,
                row.cost_usd,
            )
            ended = StepEnded(
                _NO_TURN,
                step,
                read_choice(kind, StepKind.FIND),
                read_choice(row.state, StepState.FAILED),
                row.found,
                usage,
                row.duration_ms,
                row.trouble,
            )
            return WorkDone(row.phase, ended, row.about)
        case "tool":
            called = ToolCalled(
                _NO_TURN,
                str(row.place),
                row.name,
                row.about,
                read_choice(row.state, ToolState.FAILED),
                row.duration_ms,
            )
            return WorkDone(row.phase, called)
        case _:
            found = SourceFound(
                _NO_TURN,
                read_choice_or_none(row.name, SourceKind),
                row.source_id,
                row.about,
                row.address,
                bool(row.is_suspicious),
            )
            return WorkDone(row.phase, found)
