"""Daily housekeeping: a list of tasks, run at most once a day, off the turn.

A task does its work in short steps that the rows themselves tell apart from what is still due:
wherever it is stopped or killed, the next run goes on from there. Tasks that change what the user
sees in lists wait for consent.
"""

import logging
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from time import thread_time

from desktop.domain.figures import Figure
from desktop.domain.ids import SessionId
from desktop.domain.messages import covered
from desktop.domain.times import Clock, utc_now
from desktop.memory.extractive_compact import extract_compact
from desktop.sessions.assistant_context import AssistantContext
from desktop.settings.settings import Consent, Settings
from desktop.storage.archive import Archive
from desktop.storage.compacts import NO_RESERVE
from desktop.storage.housekeeping import HousekeepingStore

log = logging.getLogger(__name__)

ShouldStop = Callable[[], bool]
_SUMMARISED_AFTER = timedelta(days=30)
_SHORT = 10
"""Messages of a session that needs no compact."""
_SECONDS_A_TASK = 1.5
"""Of processor time on one day; what is left is due on the next."""
_OFFER = "offer"
_ASKED_AGAIN_AFTER = timedelta(days=14)


@dataclass(frozen=True, slots=True)
class HousekeepingTask:
    name: str
    """The key of its texts, under `housekeeping`."""
    run: Callable[[ShouldStop], int]
    """Does what is due, step by step, until it is done or should stop; returns how much."""
    count: Callable[[], int]
    """Returns how much is due, without doing any of it."""
    needs_consent: bool = False


@dataclass(frozen=True, slots=True)
class TaskCount:
    """A task, and how much it has done or would do."""

    name: str
    count: int


@dataclass(frozen=True, slots=True)
class Housekeeping:
    """Any thread may call, one at a time. Every method may raise StorageError."""

    store: HousekeepingStore
    settings: Callable[[], Settings]
    tasks: Sequence[HousekeepingTask] = ()
    now: Clock = field(default=utc_now)

    def plan(self) -> list[TaskCount]:
        """Return what would be done, and change nothing."""
        return [TaskCount(task.name, task.count()) for task in self.tasks]

    def run(
        self, should_stop: ShouldStop, *, has_consent: bool = False, only_due: bool = False
    ) -> Iterator[TaskCount]:
        """Run the tasks; yield what each has done.

        `has_consent`: the user has seen the plan and wants it. `only_due`: without those that
        were finished today.
        """
        today, chosen = self.now().astimezone().date(), self.settings().housekeeping
        may_archive = chosen is Consent.ON or (has_consent and chosen is not Consent.OFF)
        for task in self.tasks:
            if should_stop():
                return
            if only_due and self.store.done_on(task.name) == today:
                continue
            if may_archive or not task.needs_consent:
                yield self._run(task, should_stop)

    def waiting(self) -> list[TaskCount]:
        """Return what is due and waits for the user's consent, where that is to be asked for."""
        if self.settings().housekeeping is not Consent.ASK:
            return []
        waiting = (TaskCount(task.name, task.count()) for task in self.tasks if task.needs_consent)
        return [one for one in waiting if one.count]

    def offer(self) -> list[TaskCount]:
        """Return the same, or nothing if the user was asked in the last days."""
        asked, today = self.store.done_on(_OFFER), self.now().astimezone().date()
        return [] if asked and today - asked < _ASKED_AGAIN_AFTER else self.waiting()

    def decline(self) -> None:
        self.store.finish(_OFFER)

    def _run(self, task: HousekeepingTask, should_stop: ShouldStop) -> TaskCount:
        begun = thread_time()
        done = task.run(lambda: should_stop() or thread_time() - begun > _SECONDS_A_TASK)
        if not should_stop():
            self.store.finish(task.name)
        log.info("housekeeping: %s, %d", task.name, done)
        return TaskCount(task.name, done)


def archive_task(store: HousekeepingStore) -> HousekeepingTask:
    return HousekeepingTask(
        "archive", lambda _: store.archive_untouched(), store.count_untouched, needs_consent=True
    )


def compacts_task(archive: Archive, around: AssistantContext) -> HousekeepingTask:
    """Return the task that makes compacts of old sessions, some of them each day."""

    def due() -> list[SessionId]:
        if around.settings().housekeeping is Consent.OFF:
            return []
        return archive.compacts.without_reserve(around.now() - _SUMMARISED_AFTER, _SHORT)

    def summarise(should_stop: ShouldStop) -> int:
        count = 0
        for session_id in due():
            if should_stop():
                break
            count += make_reserve(archive, around, session_id)
        return count

    return HousekeepingTask("compacts", summarise, lambda: len(due()))


def make_reserve(archive: Archive, around: AssistantContext, session_id: SessionId) -> bool:
    """Make the compact that stands for a session where it does not fit whole."""
    session = archive.sessions.session(session_id)
    said = archive.sessions.messages(session_id)
    start = covered(archive.compacts.compacts(session_id))
    texts = around.wording(session.language or around.language()).texts
    rest = said[start:]
    made = extract_compact(session, rest, texts, around.phrases().stop_words) if rest else None
    if made is None:
        archive.compacts.note_failure(session_id, covered=NO_RESERVE, messages=len(said))
        return False
    length, replaced = len(made.summary), sum(len(one.content) for one in rest)
    around.figures.record(Figure.COMPRESSION, length / max(replaced, 1))
    archive.compacts.keep_reserve(made)
    return True
