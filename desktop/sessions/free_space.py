"""Frees space: exports archived sessions into a file, and removes their messages from the archive.

The file is read back and compared before anything is removed. Title, summary, topics, facts and
compacts stay; importing the file brings the messages back. What has neither summary nor compact
is not removed.
"""

import errno
import json
import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path

from desktop.domain.errors import FileNotWrittenError, FileUnreadableError
from desktop.domain.ids import SessionId
from desktop.domain.sessions import Session
from desktop.sessions.exporting import Exporter, ExportProgress
from desktop.sessions.importing import bellek
from desktop.sessions.importing.import_types import UnreadableConversationError
from desktop.storage.archive import Archive

ShouldStop = Callable[[], bool]


@dataclass(frozen=True, slots=True)
class SpaceUse:
    sessions: int
    their_bytes: int
    """About how much these messages take."""
    whole_bytes: int


@dataclass(frozen=True, slots=True)
class FreedSpace:
    path: Path
    sessions: Sequence[SessionId] = field(repr=False)
    before_bytes: int
    after_bytes: int
    """The size of the archive's file; about, until the removal is final."""


@dataclass(frozen=True, slots=True)
class SpaceFreer:
    """Any thread may call, one at a time. Every method may raise StorageError."""

    archive: Archive
    exporter: Exporter
    summarise: Callable[[SessionId], object]
    """Makes the compact of a session, if it is long enough for one."""

    def use(self) -> SpaceUse:
        originals = self.archive.originals
        return SpaceUse(len(originals.removable()), originals.size(), self._size())

    def free(
        self, path: Path, should_stop: ShouldStop, *, is_final: bool = False
    ) -> Iterator[ExportProgress | FreedSpace]:
        """Export, compare, remove; yield the progress, and then what was freed, if anything.

        Until the next purge `undo` brings the messages back, unless `is_final`. A file at the
        path is never replaced: it may be the only copy of other messages. Raises
        FileNotWrittenError, FileUnreadableError.
        """
        if path.exists():
            raise FileNotWrittenError(path=str(path), detail=os.strerror(errno.EEXIST))
        use, sessions = self.use(), self.archive.originals.removable()
        if not sessions:
            return
        for progress in self.exporter.write_all(path, should_stop, sessions):
            if not progress.is_done:
                yield progress
        if not path.exists():  # it was stopped
            return
        self._compare(path, sessions)
        removed = self._remove(sessions, str(path.absolute()))
        if is_final:
            self.archive.purge_deleted()
        freed = use.their_bytes - self.archive.originals.size()
        after = self._size() if is_final else max(0, use.whole_bytes - freed)
        yield FreedSpace(path, removed, use.whole_bytes, after)

    def undo(self, freed: FreedSpace) -> None:
        """Bring the messages back; the file stays."""
        self.archive.originals.bring_back(freed.sessions)

    def _remove(self, sessions: Sequence[Session], where: str) -> list[SessionId]:
        """Leave a compact in the place of the messages, or of few messages the summary.

        A session that has neither keeps its messages.
        """
        removed: list[SessionId] = []
        for session in sessions:
            if not self._is_covered(session):
                self.summarise(session.id)
            has_place = bool(session.summary) or self._is_covered(session)
            if has_place and self.archive.originals.remove(session, where):
                removed.append(session.id)
        return removed

    def _is_covered(self, session: Session) -> bool:
        store = self.archive.compacts
        every = *store.compacts(session.id), *store.reserve(session.id)
        return any(one.to_number >= session.messages for one in every)

    def _compare(self, path: Path, sessions: Sequence[Session]) -> None:
        """Raise FileUnreadableError unless the file holds every message of these sessions."""
        try:
            with path.open(encoding="utf-8") as file:
                for session, line in zip(sessions, file, strict=True):
                    read = bellek.read(json.loads(line))
                    said = [(one.role, one.content) for one in read.said]
                    kept = self.archive.sessions.messages(session.id)
                    held = {sha256(data).hexdigest() for one in read.said for _, data in one.files}
                    files = {file for one in kept for file in one.files}
                    if any(
                        self.archive.files.has(one) and one.sha256 not in held for one in files
                    ):
                        raise FileUnreadableError(path=str(path), detail=session.id)
                    if read.id != session.id or said != [(one.role, one.content) for one in kept]:
                        raise FileUnreadableError(path=str(path), detail=session.id)
        except (OSError, ValueError, UnreadableConversationError) as exc:
            raise FileUnreadableError(path=str(path), detail=type(exc).__name__) from exc

    def _size(self) -> int:
        return self.archive.database.path.stat().st_size
