"""Daily housekeeping: a list of tasks, run at most once a day, off the turn.

A task works in short steps, and the rows show what is still due: wherever it is stopped or killed,
the next run continues there. Tasks that change what the user sees in lists wait for consent.
An automatic backup is written once a day, soon after the start, in the folder of the settings.
"""

import errno
import json
import logging
import os
import platform
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from hashlib import sha256
from pathlib import Path
from threading import Lock
from time import thread_time

from desktop.domain import errors
from desktop.domain.backups import AutomaticBackup, BackupFolderMissingError, BackupRotation
from desktop.domain.changes import Change
from desktop.domain.ids import SessionId
from desktop.domain.messages import covered
from desktop.domain.sessions import Session
from desktop.domain.times import Clock, utc_now
from desktop.domain.usage import Figure
from desktop.memory.compaction import extract_compact
from desktop.sessions.conversation.assistant_context import AssistantContext
from desktop.sessions.exporting.exporter import Exporter, ExportProgress
from desktop.sessions.exporting.formats import BELLEK
from desktop.sessions.importing import bellek
from desktop.sessions.importing.import_types import Conversation, UnreadableConversationError
from desktop.settings.settings import Consent, Settings
from desktop.storage.archive import Archive
from desktop.storage.care.backup import automatic_backups, contents_of, write_automatic
from desktop.storage.repositories.removed_originals import HousekeepingStore
from desktop.storage.repositories.session_context import NO_RESERVE

log = logging.getLogger(__name__)

ShouldStop = Callable[[], bool]
_SUMMARISED_AFTER = timedelta(days=30)
_SHORT = 10  # Messages of a session that needs no compact
_SECONDS_A_TASK = 1.5  # Of processor time a day; the rest is due on the next
_OFFER = "offer"
_ASKED_AGAIN_AFTER = timedelta(days=14)


@dataclass(frozen=True, slots=True)
class HousekeepingTask:
    name: str  # The key of its texts, under `housekeeping`
    run: Callable[[ShouldStop], int]
    """Does what is due, step by step, until it is finished or should stop; returns how much."""
    count: Callable[[], int]  # Returns how much is due, without doing any of it
    needs_consent: bool = False
    is_daily: bool = True  # Else it is run whenever something is due


@dataclass(frozen=True, slots=True)
class TaskCount:
    """A task, and how much it has done or would do."""

    name: str
    count: int


@dataclass(frozen=True, slots=True)
class Housekeeping:
    """Any thread may call, one at a time. Every method may raise StorageError."""

    _store: HousekeepingStore
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

        `has_consent`: the user has agreed to the plan. `only_due`: skip tasks that were
        finished today.
        """
        today, chosen = self.now().astimezone().date(), self.settings().housekeeping
        may_archive = chosen is Consent.ON or (has_consent and chosen is not Consent.OFF)
        for task in self.tasks:
            if should_stop():
                return
            if only_due and task.is_daily and self._store.done_on(task.name) == today:
                continue
            if may_archive or not task.needs_consent:
                yield self._run(task, should_stop)

    def waiting(self) -> list[TaskCount]:
        """Return the due tasks that wait for the user's consent, if consent is to be asked for."""
        if self.settings().housekeeping is not Consent.ASK:
            return []
        waiting = (TaskCount(task.name, task.count()) for task in self.tasks if task.needs_consent)
        return [task_count for task_count in waiting if task_count.count]

    def offer(self) -> list[TaskCount]:
        """Return the same, or nothing if the user was asked in the last days."""
        last_offer, today = self._store.done_on(_OFFER), self.now().astimezone().date()
        return [] if last_offer and today - last_offer < _ASKED_AGAIN_AFTER else self.waiting()

    def decline(self) -> None:
        self._store.finish(_OFFER)

    def _run(self, task: HousekeepingTask, should_stop: ShouldStop) -> TaskCount:
        begun = thread_time()
        done = task.run(lambda: should_stop() or thread_time() - begun > _SECONDS_A_TASK)
        if not should_stop():
            self._store.finish(task.name)
        log.info("housekeeping: %s, %d", task.name, done)
        return TaskCount(task.name, done)


def archive_task(store: HousekeepingStore) -> HousekeepingTask:
    return HousekeepingTask(
        "archive", lambda _: store.archive_untouched(), store.count_untouched, needs_consent=True
    )


def compacts_task(archive: Archive, context: AssistantContext) -> HousekeepingTask:
    """Return the task that makes compacts of old sessions, some of them each day."""

    def due() -> list[SessionId]:
        if context.settings().housekeeping is Consent.OFF:
            return []
        return archive.compacts.without_reserve(context.now() - _SUMMARISED_AFTER, _SHORT)

    def summarise(should_stop: ShouldStop) -> int:
        count = 0
        for session_id in due():
            if should_stop():
                break
            count += make_reserve(archive, context, session_id)
        return count

    return HousekeepingTask("compacts", summarise, lambda: len(due()))


def make_reserve(archive: Archive, context: AssistantContext, session_id: SessionId) -> bool:
    """Make the compact that replaces a session's messages if they do not fit whole."""
    session = archive.sessions.session(session_id)
    messages = archive.sessions.messages(session_id)
    start = covered(archive.compacts.compacts(session_id))
    texts = context.wording(session.language or context.language()).texts
    rest = messages[start:]
    made = extract_compact(session, rest, texts, context.phrases().stop_words) if rest else None
    if made is None:
        archive.compacts.note_failure(session_id, covered=NO_RESERVE, messages=len(messages))
        return False
    length, replaced = len(made.summary), sum(len(message.content) for message in rest)
    context.figures.record(Figure.COMPRESSION, length / max(replaced, 1))
    archive.compacts.keep_reserve(made)
    return True


@dataclass(frozen=True, slots=True)
class SpaceUse:
    sessions: int
    their_bytes: int  # About how many bytes these messages take
    whole_bytes: int


@dataclass(frozen=True, slots=True)
class FreedSpace:
    path: Path
    sessions: Sequence[SessionId] = field(repr=False)
    before_bytes: int
    after_bytes: int  # The size of the archive's file; approximate until the removal is final


@dataclass(frozen=True, slots=True)
class SpaceFreer:
    """Any thread may call, one at a time. Every method may raise StorageError."""

    _archive: Archive
    exporter: Exporter
    summarise: Callable[[SessionId], object]
    """Makes the compact of a session, if it is long enough for one."""

    def use(self) -> SpaceUse:
        originals = self._archive.originals
        return SpaceUse(len(originals.removable()), originals.size(), self._size())

    def free(
        self, path: Path, should_stop: ShouldStop, *, is_final: bool = False
    ) -> Iterator[ExportProgress | Change[FreedSpace]]:
        """Export, compare, remove; yield the progress, and at the end what was freed, if anything.

        Until the next purge the messages can be brought back, unless `is_final`; the file
        stays then. A file at the path is never replaced: it may be the only copy of other
        messages. Raises FileNotWrittenError, FileUnreadableError.
        """
        if path.exists():
            raise errors.FileNotWrittenError(path=str(path), detail=os.strerror(errno.EEXIST))
        use, sessions = self.use(), self._archive.originals.removable()
        if not sessions:
            return
        for progress in self.exporter.write_all(path, should_stop, sessions, BELLEK):
            if not progress.is_done:
                yield progress
        if not path.exists():  # it was stopped
            return
        self._compare(path, sessions)
        removed = self._remove(sessions, str(path.absolute()))
        if is_final:
            self._archive.purge_deleted()
        freed = use.their_bytes - self._archive.originals.size()
        after = self._size() if is_final else max(0, use.whole_bytes - freed)
        space = FreedSpace(path, removed, use.whole_bytes, after)

        def undo() -> FreedSpace:
            self._archive.originals.bring_back(removed)
            return space

        yield Change(space, undo)

    def _remove(self, sessions: Sequence[Session], where: str) -> list[SessionId]:
        """Replace the messages with a compact, or, if they are few, with the summary.

        A session that has neither keeps its messages.
        """
        removed: list[SessionId] = []
        for session in sessions:
            if not self._is_covered(session):
                self.summarise(session.id)
            has_place = bool(session.summary) or self._is_covered(session)
            if has_place and self._archive.originals.remove(session, where):
                removed.append(session.id)
        return removed

    def _is_covered(self, session: Session) -> bool:
        store = self._archive.compacts
        every = *store.compacts(session.id), *store.reserve(session.id)
        return any(compact.to_number >= session.messages for compact in every)

    def _compare(self, path: Path, sessions: Sequence[Session]) -> None:
        """Raise FileUnreadableError unless the file holds every message of these sessions."""
        try:
            with path.open(encoding="utf-8") as file:
                for session, line in zip(sessions, file, strict=True):
                    if not self._holds(bellek.read(json.loads(line)), session):
                        raise errors.FileUnreadableError(path=str(path), detail=session.id)
        except (OSError, ValueError, UnreadableConversationError) as exc:
            raise errors.FileUnreadableError(path=str(path), detail=type(exc).__name__) from exc

    def _holds(self, read: Conversation, session: Session) -> bool:
        messages = self._archive.sessions.messages(session.id)
        files = {file for message in messages for file in message.files}
        held = {sha256(data).hexdigest() for each in read.messages for _, data in each.files}
        return (
            read.id == session.id
            and [(each.role, each.content) for each in read.messages]
            == [(message.role, message.content) for message in messages]
            and {file.sha256 for file in files if self._archive.files.has(file)} <= held
        )

    def _size(self) -> int:
        return self._archive.database.path.stat().st_size


_FAILED, _WRITTEN = "backup_failed", "backup_written"
_IS_LATE_AFTER = timedelta(days=3)


@dataclass(frozen=True, slots=True)
class BackupStatus:
    is_on: bool
    folder: Path
    last: AutomaticBackup | None
    is_late: bool  # Whether today's should have been written already


@dataclass(frozen=True, slots=True)
class AutomaticBackups:
    """Any thread may call. Methods may raise StorageError."""

    _archive: Archive
    own: Path  # The profile's own folder of backups
    settings: Callable[[], Settings]
    now: Clock = field(default=utc_now)
    _writing: Lock = field(default_factory=Lock)

    @property
    def folder(self) -> Path:
        """Return their folder: one a profile and computer, if the user chose where."""
        if not (chosen := self.settings().backup_folder):
            return self.own
        profile, computer = self.own.parent.name, platform.node()
        letters = "".join(letter if letter.isalnum() else "-" for letter in computer)
        return Path(chosen) / f"bellek-{profile}-{letters}"

    def status(self) -> BackupStatus:
        is_on, last = self.settings().backs_up, self._last()
        is_late = last is None or self.now() - last.written_at > _IS_LATE_AFTER
        has_any = contents_of(self._archive.database).sessions > 0
        return BackupStatus(is_on, self.folder, last, is_on and is_late and has_any)

    def is_due(self) -> bool:
        if not self.settings().backs_up or not contents_of(self._archive.database).sessions:
            return False
        last, today = self._last(), self.now().astimezone().date()
        return last is None or last.written_at.astimezone().date() != today

    def write_due(self) -> AutomaticBackup | None:
        """Write today's backup if there is none yet, and thin out the older ones.

        Only the first failure of a series is raised, as AppError.
        """
        with self._writing:
            if not self.is_due():
                return None
            settings = self.settings()
            rotation = BackupRotation(
                settings.backup_days, settings.backup_weeks, settings.backup_months
            )
            try:
                if settings.backup_folder and not Path(settings.backup_folder).is_dir():
                    raise BackupFolderMissingError(path=settings.backup_folder)
                done = write_automatic(
                    self._archive.database, self.folder, now=self.now(), rotation=rotation
                )
            except errors.AppError as exc:
                log.info("no automatic backup: %s", exc)
                if self._is_told():
                    return None
                self._archive.housekeeping.finish(_FAILED)
                raise
            if self._archive.housekeeping.done_on(_FAILED):
                self._archive.housekeeping.finish(_WRITTEN)
            return done

    def task(self) -> HousekeepingTask:
        return HousekeepingTask(
            "backup", lambda _: int(self.write_due() is not None), lambda: int(self.is_due())
        )

    def _is_told(self) -> bool:
        failure_day, written = map(self._archive.housekeeping.done_on, (_FAILED, _WRITTEN))
        return failure_day is not None and (written is None or written <= failure_day)

    def _last(self) -> AutomaticBackup | None:
        return next(reversed(automatic_backups(self.folder)), None)
