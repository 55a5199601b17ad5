"""The finished steps of a run: on the disk of a deep one, in memory of the others."""

from threading import Lock
from typing import Protocol

from desktop.domain.ids import RunId
from desktop.domain.model import JsonValue
from desktop.domain.research import Spent
from desktop.storage.research_runs import RunStore


class Journal(Protocol):
    """Any thread may use it; both methods may raise StorageError."""

    def kept(self, name: str) -> tuple[JsonValue] | None:
        """The result of a step that was finished; None of one that was not."""
        ...

    def keep(self, name: str, result: JsonValue, spent: Spent, model: str) -> None: ...


class MemoryJournal:
    def __init__(self) -> None:
        self._results: dict[str, JsonValue] = {}

    def kept(self, name: str) -> tuple[JsonValue] | None:
        return (self._results[name],) if name in self._results else None

    def keep(self, name: str, result: JsonValue, spent: Spent, model: str) -> None:  # noqa: ARG002 (nobody resumes it)
        self._results[name] = result


class RunJournal:
    def __init__(self, store: RunStore, run_id: RunId) -> None:
        self._store = store
        self._run_id = run_id
        self._lock = Lock()
        steps = store.steps(run_id)
        self._results = {name: step.result for name, step in steps.items()}
        self._before = sum((step.spent for step in steps.values()), start=Spent())

    @property
    def before(self) -> Spent:
        """What was spent until this process took the run up."""
        return self._before

    def kept(self, name: str) -> tuple[JsonValue] | None:
        with self._lock:
            return (self._results[name],) if name in self._results else None

    def keep(self, name: str, result: JsonValue, spent: Spent, model: str) -> None:
        self._store.keep_step(self._run_id, name, result, spent, model=model)
        with self._lock:
            self._results[name] = result

    def finish(self) -> None:
        self._store.finish(self._run_id)
