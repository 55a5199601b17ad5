"""The messages of a session in memory, saved at every change.

Memory is authoritative while the program runs. What could not be written stays here as unsaved
and is part of the next save, so that a locked or full disk only causes a delay.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from threading import RLock

from desktop.domain.ids import MessageId, MessageIds, SessionId, new_session_id
from desktop.domain.language import Language
from desktop.domain.messages import Message, MessageFile, MessageState, Role, Versions
from desktop.domain.sessions import OPENING_LENGTH, EndReason, Session, SessionStatus
from desktop.domain.times import Clock
from desktop.domain.usage import NO_USAGE, Figure, Figures
from desktop.language.normalization import fix_surrogates
from desktop.storage.repositories.answer_records import AnswerRecord
from desktop.storage.repositories.sessions import SessionStore, StoredMessage

_DESCRIPTION = ("title", "summary", "topics", "described_by", "is_pinned", "project")


def new_session(language: Language, at: datetime) -> Session:
    status = SessionStatus.ACTIVE
    return Session(new_session_id(), status, created_at=at, updated_at=at, language=language)


@dataclass(slots=True)
class _HeldSession:
    """What the session is now, and as it was saved last."""

    session: Session
    saved: Session


class ActiveSession:
    """Any thread may read; changes are made one at a time, by the turn that is running."""

    def __init__(
        self,
        session: Session,
        stored: Iterable[StoredMessage],
        store: SessionStore | None,
        now: Clock,
        *,
        ids: MessageIds | None = None,
        figures: Figures | None = None,
    ) -> None:
        """`store`: None for a temporary session, which is never written to the disk.

        `ids`: those of all sessions; message ids are unique across sessions.
        """
        self._held = _HeldSession(session, session)
        self._store = store
        self._now = now
        self._figures = figures or Figures()
        self.is_aside = False  # Whether it reads the memory although it is temporary
        self._lock = RLock()
        self._saving = RLock()  # an older state never overwrites a later one
        self._on_disk = {row.message.id: row for row in stored}
        self._all = {message_id: row.message for message_id, row in self._on_disk.items()}
        self._path = [row.message for row in self._on_disk.values() if row.is_current]
        self._line = self._path  # The messages that this turn sees; those of a branch differ
        self._unsaved = set(self._all)  # whose row may differ from the one on the disk
        self._records: list[AnswerRecord] = []
        self._last_shown: dict[MessageId | None, MessageId] = {}
        """By parent: the child that was shown when the path was last left."""
        self._received: set[MessageId] = set()  # Added by other devices while it is here
        self._ids = ids or MessageIds()
        self._ids.note(self._all)

    @property
    def id(self) -> SessionId:
        return self._held.session.id

    @property
    def session(self) -> Session:
        return self._held.session

    @property
    def messages(self) -> tuple[Message, ...]:
        """Return the current path, in order."""
        with self._lock:
            return tuple(self._line)

    @property
    def is_branch(self) -> bool:
        """Whether it writes an answer beside the one on the path; the rest is shared."""
        return self._line is not self._path

    def branch(self, question: MessageId) -> "ActiveSession":
        """Return the session as it is seen by another answer that is written at the same time.

        That answer becomes a version of the one on the path, which stays there.
        """
        with self._lock:
            made = copy(self)
            made._line = [self._all[question]]  # noqa: SLF001 (of the same class)
            while (parent := made._line[0].parent_id) is not None:  # noqa: SLF001 (as above)
                made._line.insert(0, self._all[parent])  # noqa: SLF001 (as above)
            return made

    @property
    def all_versions(self) -> list[StoredMessage]:
        with self._lock:
            return list(map(self._as_row, self._all.values()))

    @property
    def files(self) -> set[MessageFile]:
        """Return the files of all its messages, including versions that were left."""
        with self._lock:
            return {file for message in self._all.values() for file in message.files}

    @property
    def is_temporary(self) -> bool:
        """Whether the session is stored nowhere, and nothing may be derived from it."""
        return self._store is None

    @property
    def reads_memory(self) -> bool:
        return self.is_aside or not self.is_temporary

    @property
    def records(self) -> Mapping[MessageId, AnswerRecord]:
        """Return the citations and usage of its answers that are not on the disk yet."""
        with self._lock:
            unsaved = self._records if self.is_temporary else ()
            return {record.message_id: record for record in unsaved}

    @property
    def is_unsaved(self) -> bool:
        """Whether the disk lacks something of a session that is stored."""
        with self._lock:
            if self._store is None:
                return False
            is_same = self._held.session is self._held.saved
            return not is_same or bool(self._changed_rows() or self._records)

    @property
    def has_exchange(self) -> bool:
        return any(message.role is Role.ASSISTANT for message in self.messages)

    def message(self, message_id: MessageId) -> Message:
        return self._all[message_id]

    def has(self, message_id: MessageId) -> bool:
        return message_id in self._all

    def versions(self, message_id: MessageId) -> Versions:
        """Return the versions of a message, oldest first, and which of them this is."""
        with self._lock:
            message = self._all[message_id]
            place = message.parent_id, message.number
            there = self._all.values()
            ids = sorted(
                message.id for message in there if (message.parent_id, message.number) == place
            )
        return Versions(ids.index(message_id) + 1, tuple(ids))

    def add(
        self,
        role: Role,
        content: str,
        *,
        state: MessageState = MessageState.COMPLETE,
        model: str | None = None,
        error: str | None = None,
        files: Sequence[MessageFile] = (),
    ) -> Message:
        """Append a message to the path, in memory; `save` writes it to the disk."""
        with self._lock:
            at = self._now()
            parent = self._line[-1] if self._line else None
            number, after = (parent.number + 1, parent.id) if parent else (1, None)
            draft = Message(
                id=self._ids.next(at),
                session_id=self.id,
                number=number,
                role=role,
                content=fix_surrogates(content),
                state=state,
                created_at=at,
            )
            message = replace(draft, parent_id=after, model=model, error=error, files=tuple(files))
            self._line.append(message)
            self._put(message)
            self._touch(at)
            return message

    def take_back(self, message: Message) -> None:
        """Undo adding the newest message, which was never written to the disk."""
        with self._lock:
            del self._all[message.id]
            del self._line[message.number - 1 :]
            self._touch(self._now())

    def replace(self, message: Message) -> None:
        with self._lock:
            self._put(message)
            self._touch(self._now())

    def leave(self, message_id: MessageId) -> None:
        """Remove a message and all later ones from the current path; they remain as versions."""
        with self._lock:
            place = self._all[message_id].number - 1
            if not self.is_branch:
                self._last_shown.update((left.parent_id, left.id) for left in self._path[place:])
            del self._line[place:]
            self._unsaved.update(self._all)
            self._touch(self._now())

    def show_version(self, message_id: MessageId) -> None:
        """Show a version, and what followed it when it was last shown, else the newest.

        It may lie on another branch.
        """
        with self._lock:
            lineage = [self._all[message_id]]
            while (parent := lineage[-1].parent_id) and not self._is_on_path(self._all[parent]):
                lineage.append(self._all[parent])
            self.leave(self._path[lineage[-1].number - 1].id)
            self._path += lineage[:0:-1]
            newest_after = {self._all[later].parent_id: later for later in sorted(self._all)}
            follows = {**newest_after, **self._last_shown}
            next_id: MessageId | None = message_id
            while next_id is not None:
                self._path.append(self._all[next_id])
                next_id = follows.get(next_id)
            self._touch(self._now())

    def take_received(
        self, stored: Iterable[StoredMessage], *, extends: bool
    ) -> frozenset[MessageId]:
        """Take messages that another device has added.

        Return those of the path that are new, or have another version now. `extends`: whether
        what follows the end of the path becomes part of it, as it must not while a turn writes
        there; the others are versions that can be shown.
        """
        with self._lock:
            rows = {row.message.id: row for row in stored if row.message.id not in self._all}
            self._on_disk.update(rows)
            self._all.update((message_id, row.message) for message_id, row in rows.items())
            self._received.update(rows)
            self._ids.note(rows)
            if extends:
                self._follow(self._received)
            places = {(row.message.parent_id, row.message.number) for row in rows.values()}
            path = self._path
            return frozenset(m.id for m in path if (m.parent_id, m.number) in places)

    def follow_answer(self) -> None:
        """Take what follows the last answer into the path, after the session was loaded.

        Another device has added it while the session was active, but in no memory.
        """
        with self._lock:
            if self._path and self._path[-1].role is Role.ASSISTANT:
                self._follow(self._all.keys())

    def _follow(self, candidates: Collection[MessageId]) -> None:
        """Go on from the end of the path, to the newest message each time."""
        length = len(self._path)
        while newer := [each for each in self._after_end() if each.id in candidates]:
            self._path.append(max(newer, key=lambda message: (message.created_at, message.id)))
        if len(self._path) > length:
            self._unsaved.update(message.id for message in self._path[length:])
            written_at = min(self._path[-1].created_at, self._now())  # a clock may be ahead
            self._touch(max(self._held.session.updated_at, written_at))

    def _after_end(self) -> list[Message]:
        if not self._path:
            return []
        place = self._path[-1].id, self._path[-1].number + 1
        there = self._all.values()
        return [message for message in there if (message.parent_id, message.number) == place]

    def record(self, record: AnswerRecord) -> None:
        with self._lock:
            self._records.append(record)

    def charge(self, rejected: Collection[MessageId], message_id: MessageId) -> None:
        """Count the usage of rejected answers, as far as it is here, with the final one."""
        with self._lock:
            spent = (record.usage for record in self._records if record.message_id in rejected)
            more = sum(spent, NO_USAGE)
            for place, record in enumerate(self._records):
                if record.message_id in rejected:
                    self._records[place] = replace(record, usage=NO_USAGE)
                elif record.message_id == message_id:
                    self._records[place] = replace(record, usage=record.usage + more)

    def set_description(self, stored: Session) -> None:
        with self._lock:
            was_saved = self._held.session is self._held.saved
            taken = {name: getattr(stored, name) for name in _DESCRIPTION}
            self._held.session = replace(self._held.session, **taken)
            if was_saved:
                self._held.saved = self._held.session

    def keep_in(self, store: SessionStore) -> None:
        with self._lock:
            self._store = store
            self._on_disk.clear()
            self._unsaved.update(self._all)
            self._held.session = replace(self._held.session, is_temporary=False)

    def save(self) -> None:
        """Save everything unsaved; if that raises StorageError, the next save includes it."""
        with self._saving:
            with self._lock:
                has_changed = self._held.session is not self._held.saved or self._changed_rows()
                records = [*self._records]
            if has_changed:
                self._write(lambda session: session)
            elif records and self._store is not None:
                # They arrived after their answer; the session may be another one by then.
                self._store.keep_records(self.id, records)
                with self._lock:
                    del self._records[: len(records)]

    def save_partial(self, message: Message, record: AnswerRecord | None = None) -> None:
        """Save the text so far of an answer that is still open; raises StorageError.

        `record`: its citations, if they are others than at the last save.
        """
        with self._saving:
            with self._lock:
                if self._all[message.id].state is not MessageState.STREAMING:
                    return
                arrived = self._put(message)
                if record is not None and message.id not in self._on_disk:
                    self._records.append(record)
            if message.id not in self._on_disk:
                self.save()
            elif self._store is not None:
                self._store.keep_arrived(message, record)
                self._on_disk[message.id] = arrived

    def complete(self, why: EndReason) -> Session:
        """End the session, on disk too; after a StorageError it stays active."""
        status, at = SessionStatus.COMPLETE, self._now()
        return self._write(
            lambda session: replace(session, status=status, ended_at=at, end_reason=why)
        )

    def reopen(self) -> None:
        """Make an ended session active again, on disk too; raises StorageError."""
        active = partial(replace, status=SessionStatus.ACTIVE, archived_at=None)
        self._write(lambda session: active(session, ended_at=None, end_reason=None))

    def _write(self, changed: Callable[[Session], Session]) -> Session:
        """Write all to the disk, then change memory; what others add meanwhile stays unsaved."""
        with self._saving:
            with self._lock:
                session, rows, records = self._held.session, self._changed_rows(), [*self._records]
            if self._store is not None:
                with self._figures.timed(Figure.STORE_MS):
                    self._store.save(changed(session), rows, records)
            with self._lock:
                was_same = self._held.session is session
                self._held.session = changed(self._held.session)
                if was_same:
                    self._held.saved = self._held.session
                if self._store is not None:
                    del self._records[: len(records)]
                self._on_disk.update((row.message.id, row) for row in rows)
                self._unsaved.intersection_update([row.message.id for row in self._changed_rows()])
                return self._held.session

    def _put(self, message: Message) -> StoredMessage:
        self._all[message.id] = message
        self._unsaved.add(message.id)
        for line in (self._path, self._line):
            if _is_on(line, message):
                line[message.number - 1] = message
        return self._as_row(message)

    def _changed_rows(self) -> list[StoredMessage]:
        mine = (self._all[message_id] for message_id in self._unsaved if message_id in self._all)
        rows = map(self._as_row, mine)
        changed = [row for row in rows if self._on_disk.get(row.message.id) != row]
        # Rows that leave the path free their numbers for those that need them.
        return sorted(changed, key=lambda row: (row.is_current, row.message.number))

    def _as_row(self, message: Message) -> StoredMessage:
        return StoredMessage(message, self._is_on_path(message))

    def _is_on_path(self, message: Message) -> bool:
        return _is_on(self._path, message)

    def _touch(self, at: datetime) -> None:
        first = self._path[0].content if self._path else ""
        self._held.session = replace(
            self._held.session,
            updated_at=at,
            messages=len(self._path),
            opening=first[:OPENING_LENGTH],
        )


def _is_on(line: Sequence[Message], message: Message) -> bool:
    place = message.number - 1
    return place < len(line) and line[place].id == message.id
