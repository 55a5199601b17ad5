"""Records what a turn did: its phases for a bug report, and the work behind its answer.

A disk that refuses loses the record of this turn only. Temporary sessions are not recorded.
"""

import logging
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace

from desktop.domain.errors import StorageError
from desktop.domain.events import (
    AnswerRejected,
    PhaseStarted,
    SourceFound,
    StepEnded,
    StepStarted,
    ToolCalled,
    ToolState,
    TurnEvent,
)
from desktop.domain.ids import MessageId
from desktop.domain.turn_activity import WorkDone
from desktop.domain.turn_phases import PhaseRecord
from desktop.sessions.active_session import ActiveSession
from desktop.sessions.turn import Turn
from desktop.storage.archive import Archive

log = logging.getLogger(__name__)


@dataclass(slots=True)
class TurnRecord:
    """What has happened so far, in the order in which it was begun."""

    phases: int = 0
    answer: MessageId | None = None
    """The message that the turn ended with."""
    _begun: dict[tuple[str, str], WorkDone | None] = field(default_factory=dict)
    _steps: dict[str, tuple[int, str]] = field(default_factory=dict)

    def add(self, event: TurnEvent) -> None:
        match event:
            case PhaseStarted():
                self.phases += 1
            case StepStarted(step=step, about=about):
                self._steps[step] = (self.phases, about)
                self._begun["step", step] = None
            case StepEnded(step=step):
                phase, about = self._steps.get(step, (self.phases, ""))
                self._begun["step", step] = WorkDone(phase, event, about)
            case ToolCalled(call_id=call_id, state=state):
                is_over = state not in {ToolState.ASKING, ToolState.RUNNING}
                self._begun["tool", call_id] = WorkDone(self.phases, event) if is_over else None
            case SourceFound(source_id=source_id):
                self._begun.setdefault(("source", source_id), WorkDone(self.phases, event))
            case _:
                pass

    def done(self, private: Collection[str]) -> list[WorkDone]:
        """`private`: tools whose arguments are not recorded."""
        several = [one for one in self._begun.values() if one is not None]
        return [_discreet(one, private) for one in several]


@dataclass(frozen=True, slots=True)
class TurnLog:
    archive: Archive
    private: Callable[[], Collection[str]]
    """The names of memory tools: forgotten facts must not stay in the record."""

    @contextmanager
    def recording(self, turn: Turn, active: ActiveSession) -> Iterator[TurnRecord]:
        """Record the events of the block, and save the record at its end."""
        work = TurnRecord()

        def listen(event: TurnEvent) -> None:
            work.add(event)
            if isinstance(event, AnswerRejected):
                self._keep(active, [], work.done(self.private()), event.message_id)

        try:
            with turn.listening(listen):
                yield work
        finally:
            turn.trace.break_off(is_stopped=turn.cancelled.is_set())
            records = [*turn.trace.records]
            turn.trace.records.clear()
            self._keep(active, records, work.done(self.private()), work.answer)

    def _keep(
        self,
        active: ActiveSession,
        records: Sequence[PhaseRecord],
        work: Sequence[WorkDone],
        answer: MessageId | None,
    ) -> None:
        if active.is_temporary:
            return
        try:
            self.archive.phases.keep(active.id, records)
            if answer is not None:
                self.archive.work_done.keep(answer, work)
        except StorageError as exc:
            log.info("what a turn did is not kept: %s", exc.key)


def _discreet(one: WorkDone, private: Collection[str]) -> WorkDone:
    if isinstance(one.done, ToolCalled) and one.done.name in private:
        return replace(one, done=replace(one.done, summary=""))
    return one
