"""Loads the session list and carries out what the sidebar asks for, always on a worker."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from desktop.domain.errors import AppError, SessionUnknownError
from desktop.domain.ids import MessageId, SessionId
from desktop.domain.sessions import Session
from desktop.ui.services import WindowServices, Worker
from desktop.ui.sidebar.sidebar import Sidebar
from desktop.ui.turn_bridge import TurnBridge

if TYPE_CHECKING:
    from desktop.sessions.archive_service import DeletedSession, SessionMerge, SessionSplit
    from desktop.sessions.importing.import_report import ImportReport

_FIRST_PAGE = 200
_NEXT_PAGE = 500


class ArchiveController(QObject):
    failed = Signal(object)
    """AppError"""
    loaded = Signal(int)
    """The first page is shown; how many sessions it has."""
    changed = Signal(object)
    """Session that was renamed or pinned"""
    deleted = Signal(object)
    """DeletedSession"""
    parted = Signal(object)
    """SessionSplit or SessionMerge, which can be undone"""
    part_undone = Signal(object)
    """The same"""
    learning_due = Signal(bool)
    """A session is to be read for facts; whether there is a model that could."""
    nothing_before = Signal()
    """A session was to be put to the one before it, and there is none."""
    text_copied = Signal(str)
    """Markdown of a session"""
    exported = Signal(object)
    """Path"""
    exporting = Signal(object)
    """ExportProgress: how far the writing of all sessions has come"""
    export_failed = Signal()
    """That writing has come to nothing."""
    imported = Signal(object)
    """An ImportReport for each file"""
    examples_added = Signal(object)
    """As `imported`"""

    def __init__(
        self, sidebar: Sidebar, bridge: TurnBridge, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._sidebar = sidebar
        self._bridge = bridge
        self._worker = Worker(bridge, self)
        self._worker.failed.connect(self.failed)
        self._do, self._in_turn = self._worker.do, self._worker.do_in_turn
        self._services: WindowServices | None = None
        self._shown = 0
        sidebar.more_wanted.connect(self._load_more)
        sidebar.renamed.connect(self.rename)
        sidebar.pin_requested.connect(self.pin)
        sidebar.copy_requested.connect(self.copy)
        sidebar.merge_requested.connect(self.merge)
        sidebar.learn_requested.connect(self.learn)

    def attach(self, services: WindowServices) -> None:
        self._services = services
        self._worker.attach(services)
        self.load()

    def load(self) -> None:
        """Show the archive from its beginning, as much of it as was shown."""
        limit = max(_FIRST_PAGE, self._shown)

        def show(sessions: Sequence[Session]) -> None:
            self._shown = len(sessions)
            self._sidebar.show_sessions(sessions, has_more=len(sessions) == limit)
            self.loaded.emit(len(sessions))

        self._in_turn(lambda services: services.archive.sessions.sessions(limit=limit), show)

    def rename(self, session_id: str, title: str) -> None:
        one = SessionId(session_id)
        self._in_turn(lambda services: services.assistant.rename(one, title), self._put)

    def pin(self, session_id: str, is_pinned: bool) -> None:  # noqa: FBT001 (comes from a signal)
        one = SessionId(session_id)
        self._in_turn(lambda services: services.assistant.pin(one, is_pinned=is_pinned), self._put)

    def delete(self, session_id: str) -> None:
        one = SessionId(session_id)

        def show(deleted: "DeletedSession") -> None:
            self._sidebar.remove(one)
            self.deleted.emit(deleted)

        self._in_turn(lambda services: services.archive.delete_session(one), show)

    def undelete(self, session_id: SessionId) -> None:
        self._in_turn(lambda services: services.archive.restore_session(session_id), self._put)

    def merge(self, session_id: str) -> None:
        """Put a past session behind the one that began before it."""
        one = SessionId(session_id)
        self._do(lambda services: services.assistant.split_merge.merge(one), self._show_parted)

    def learn(self, session_id: str) -> None:
        """Have a past session read for facts, whatever came of it before."""

        def work(services: WindowServices) -> bool:
            return services.assistant.describer.read_for_facts(SessionId(session_id))

        self._do(work, self.learning_due.emit)

    def split(self, session_id: SessionId, at: MessageId) -> None:
        """Begin a session of its own at a message of a past one."""
        self._do(
            lambda services: services.assistant.split_merge.split(session_id, at),
            self._show_parted,
        )

    def undo_parting(self, done: "SessionSplit | SessionMerge") -> None:
        def show(_: None) -> None:
            self.load()
            self.part_undone.emit(done)

        self._do(lambda services: services.assistant.split_merge.undo(done), show)

    def _show_parted(self, done: "SessionSplit | SessionMerge | None") -> None:
        if done is None:
            self.nothing_before.emit()
            return
        self.load()
        self.parted.emit(done)

    def refresh(self, session_id: SessionId) -> None:
        """Show a session as it is now; one that is there no more leaves the list."""

        def work(services: WindowServices) -> Session | None:
            try:
                return services.archive.sessions.session(session_id)
            except SessionUnknownError:
                return None

        def show(session: Session | None) -> None:
            if session is None:
                self._sidebar.remove(session_id)
            else:
                self._put(session)

        self._in_turn(work, show)

    def copy(self, session_id: str) -> None:
        one = SessionId(session_id)
        self._do(lambda services: services.exporter.export_session(one), self.text_copied.emit)

    def export(self, session_id: SessionId, path: Path, answer: MessageId | None = None) -> None:
        """The whole session, or one answer of it with its question; the name says which format."""
        self._do(
            lambda services: services.exporter.write_session(session_id, path, answer),
            lambda _: self.exported.emit(path),
        )

    def export_all(self, path: Path) -> None:
        """Every session that has ended, in Bellek's own format; one at a time."""
        services = self._services
        if services is not None:
            steps = services.exporter.write_all(path, self._bridge.closing.is_set)
            self._bridge.run_each(lambda: steps, self.exporting.emit, self._say_not_exported)

    def _say_not_exported(self, error: AppError) -> None:
        self.export_failed.emit()
        self.failed.emit(error)

    def import_files(self, paths: Sequence[Path]) -> None:
        self._import(paths, self.imported.emit)

    def _import(
        self, paths: Sequence[Path], tell: "Callable[[Sequence[ImportReport]], None]"
    ) -> None:
        stops = self._bridge.closing.is_set

        def work(services: WindowServices) -> "Sequence[ImportReport]":
            return [services.importer.import_file(path, should_stop=stops) for path in paths]

        def show(reports: "Sequence[ImportReport]") -> None:
            self.load()
            tell(reports)

        self._do(work, show)

    def add_example_library(self) -> None:
        if self._services:
            self._import(self._services.examples, self.examples_added.emit)

    def _put(self, session: Session) -> None:
        self._sidebar.put(session)
        self.changed.emit(session)

    def _load_more(self) -> None:
        if self._sidebar.model.is_searching:
            return
        offset = self._shown

        def show(sessions: Sequence[Session]) -> None:
            self._shown = offset + len(sessions)
            self._sidebar.append_sessions(sessions, has_more=len(sessions) == _NEXT_PAGE)

        def work(services: WindowServices) -> Sequence[Session]:
            return services.archive.sessions.sessions(limit=_NEXT_PAGE, offset=offset)

        self._do(work, show)
