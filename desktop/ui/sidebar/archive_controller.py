"""Loads the session list and carries out what the sidebar asks for, always on a worker."""

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QGuiApplication, QPagedPaintDevice

from desktop.domain.changes import Change
from desktop.domain.errors import AppError
from desktop.domain.ids import MessageId, SessionId
from desktop.domain.sessions import Session
from desktop.settings.paths import asset
from desktop.ui.actions import QT_TR_NOOP, Action, possible, when_open
from desktop.ui.dialogs.files import ExportAllDialog, ExportDialog
from desktop.ui.dialogs.form import open_folder
from desktop.ui.formatting import day_and_time, short_title
from desktop.ui.services import Worker
from desktop.ui.session.controller import SessionController
from desktop.ui.sidebar.sidebar import Sidebar
from desktop.ui.widgets.bars import Choice, MessageBar
from desktop.ui.widgets.plain_text import MessageBox

if TYPE_CHECKING:
    from desktop.sessions.exporting.exporter import ExportProgress
    from desktop.sessions.importing.import_reports import ImportReport
    from desktop.sessions.services import Services
    from desktop.sessions.use_cases import SessionMerge, SessionSplit

_FIRST_PAGE = 200
_NEXT_PAGE = 500
_DELETED, _RENAMED, _SEVERAL = "deleted", "renamed", "several"


class ArchiveController(QObject):
    loaded = Signal(int)  # The first page is shown; how many sessions it has
    changed = Signal(object)  # Session that was renamed or pinned
    deleted = Signal(object)  # SessionId
    parted = Signal(object, object)
    """SessionIds after a split or a merge or its undo: of the session that stays, and of the
    other, which was split from it or merged into it"""
    description_due = Signal()
    exported = Signal(object)  # Path

    def __init__(
        self, sidebar: Sidebar, strip: MessageBar, sessions: SessionController, worker: Worker
    ) -> None:
        super().__init__(sessions)
        self._sidebar = sidebar
        self._strip = strip
        self._worker = worker
        self._shown = 0
        sidebar.model.more_wanted.connect(self._load_more)
        sidebar.model.renamed.connect(self.rename)
        sidebar.archive_toggled.connect(self._load_other)
        sessions.session_changed.connect(self.refresh)
        sessions.session_removed.connect(sidebar.model.remove)
        sessions.active_changed.connect(self.count_archived)
        self.changed.connect(sessions.take_changed)
        self.description_due.connect(sessions.description_due)
        self.deleted.connect(sessions.forget)
        self.parted.connect(sessions.follow)
        self.load()

    def records(self) -> Sequence[Action]:
        title = QT_TR_NOOP("Export everything in Bellek’s format…")
        return possible(
            when_open,
            ("export_all", title, "", self.ask_where_to_export_all),
            ("examples", QT_TR_NOOP("Add the sample sessions"), "", self.add_example_library),
        )

    def load(self) -> None:
        """Load the archive from its beginning, as much of it as was shown."""
        limit, is_archived = max(_FIRST_PAGE, self._shown), self._sidebar.model.shows_archive
        wall, tag = self._sidebar.model.wall, self._sidebar.model.tag

        def work(services: "Services") -> tuple[Sequence[Session], int]:
            archive = services.archive
            sessions = archive.sessions(wall, limit=limit, is_archived=is_archived, tag=tag)
            return sessions, archive.count_archived(wall)

        def show(result: tuple[Sequence[Session], int]) -> None:
            sessions, archived = result
            model = self._sidebar.model
            if (wall, tag, is_archived) != (model.wall, model.tag, model.shows_archive):
                return  # the user went on to the other list meanwhile
            self._shown = len(sessions)
            self._sidebar.show_sessions(sessions, has_more=len(sessions) == limit)
            self._sidebar.show_archived_count(archived)
            self.loaded.emit(len(sessions) + archived)

        self._worker.do_in_turn(work, show)

    def _load_other(self) -> None:
        self._shown = 0
        self.load()

    def show_archived(self) -> None:
        if not self._sidebar.model.shows_archive:
            self._sidebar.toggle_archive()

    def rename(self, session_id: SessionId, title: str) -> None:
        """Rename, and offer to restore the previous title, if there was one."""
        previous = self._sidebar.model.session(session_id)
        before = previous.title if previous is not None else None

        def show(change: Change[Session]) -> None:
            self._put(session := change.value)
            if before and before != session.title:
                message = self.tr("Renamed to “{title}”.").format(title=short_title(session))
                undo = self._worker.undoes(change, self._put)
                self._strip.show_message(_RENAMED, message, undo=undo)

        self._worker.do_in_turn(lambda services: services.sessions.rename(session_id, title), show)

    def pin(self, ids: Sequence[SessionId], *, is_pinned: bool) -> None:
        """Pin or unpin; only for several it is shown how many, with a way back."""

        def show(change: Change[Sequence[Session]]) -> None:
            self._put_all(change.value)
            if len(ids) > 1:
                pinned = self.tr("%n session(s) pinned.", "", len(change.value))
                unpinned = self.tr("%n session(s) unpinned.", "", len(change.value))
                undo = self._worker.undoes(change, self._put_all)
                self._strip.show_message(_SEVERAL, pinned if is_pinned else unpinned, undo=undo)

        self._worker.do_in_turn(
            lambda services: services.sessions.pin(ids, is_pinned=is_pinned), show
        )

    def unarchive(self, session_id: SessionId) -> None:

        def show(session: Session) -> None:
            self._put(session)
            self.count_archived()

        self._worker.do_in_turn(lambda services: services.sessions.unarchive(session_id), show)

    def count_archived(self) -> None:
        wall = self._sidebar.model.wall
        self._worker.do(
            lambda services: services.archive.count_archived(wall),
            self._sidebar.show_archived_count,
        )

    def delete(self, *several: SessionId, undone: Callable[[], None] = lambda: None) -> None:
        def show(change: Change[Sequence[Session]]) -> None:
            self._sidebar.model.remove(*several)
            message = self.tr("“{title}” was deleted.").format(title=short_title(change.value[0]))
            if len(several) > 1:
                message = self.tr("%n session(s) deleted.", "", len(several))
            backups: list[Choice] = []
            if count := len(change.backups):
                message += " " + self.tr(
                    "%n backup(s) may still contain what was deleted.", "", count
                )
                folder = partial(open_folder, change.backups[0].parent)
                backups = [(self.tr("Show backups"), folder)]
            undo = self._worker.undoes(change, restore)
            self._strip.show_message(_DELETED, message, *backups, undo=undo)
            for session_id in several:
                self.deleted.emit(session_id)

        def restore(sessions: Sequence[Session]) -> None:
            self._put_all(sessions)
            self._sidebar.search_again()
            undone()

        self._worker.do_in_turn(lambda services: services.sessions.delete(several), show)

    def act(self, what: str, ids: Sequence[SessionId]) -> None:
        """Do what the menu of the list offers for one session, or for several."""
        match what:
            case "pin" | "unpin":
                self.pin(ids, is_pinned=what == "pin")
            case "merge" if len(ids) > 1:
                self._merge_several(ids)
            case "merge":
                self.ask_to_merge(*ids)
            case "copy":
                self.copy(*ids)
            case "learn":
                self.learn(*ids)
            case "unarchive":
                self.unarchive(*ids)
            case _:
                self.ask_where_to_export_all(ids)

    def ask_where_to_export_all(self, several: Sequence[SessionId] | None = None) -> None:
        title = self.tr("Export everything") if several is None else self.tr("Export selected")
        ExportAllDialog(title, self._sidebar.window()).ask_for_export(
            self._worker.services.profile.folder, lambda path: self.export_all(path, several)
        )

    def _merge_several(self, several: Sequence[SessionId]) -> None:
        def show(change: "Change[Sequence[SessionMerge]] | None") -> None:
            if change is None:
                message = self.tr("Sessions of different projects cannot be merged.")
                self._strip.show_message("parted", message)
                return
            message = self.tr("%n session(s) merged into “{first}”.", "", len(change.value))
            self._show_merged(change, message)

        self._worker.do_in_turn(lambda services: services.sessions.merge(several), show)

    def ask_to_merge(self, session_id: SessionId) -> None:
        """Show which session began before a past one, and ask whether to append it to that."""

        def ask(first: Session | None) -> None:
            if first is None:
                self._strip.show_message("parted", self.tr("There is no session before this one."))
                return
            question = self.tr("Append this session to “{title}”?").format(
                title=short_title(first)
            )
            about = self.tr(
                "That session began earlier ({day}), so its messages come first."
            ).format(day=day_and_time(first.created_at))
            box = MessageBox(MessageBox.Icon.NoIcon, question, about, self._sidebar.window())
            box.offer((self.tr("Merge"), lambda: self.merge(session_id)), stay=self.tr("Cancel"))

        self._worker.do(lambda services: services.archive.session_before(session_id), ask)

    def merge(self, session_id: SessionId) -> None:

        def show(change: "Change[Sequence[SessionMerge]] | None") -> None:
            if change is None:
                self._strip.show_message("parted", self.tr("There is no session before this one."))
                return
            self._show_merged(change, self.tr("“{second}” was merged into “{first}”."))

        self._worker.do_in_turn(
            lambda services: services.sessions.merge_with_previous(session_id), show
        )

    def split(self, session_id: SessionId, at: MessageId) -> None:

        def show(change: "Change[SessionSplit]") -> None:
            message = self.tr("“{title}” was split into two sessions.")
            message = message.format(title=short_title(change.value.whole))
            self._show_parted(change, change.value.whole.id, [change.value.part], message)

        self._worker.do_in_turn(lambda services: services.sessions.split(session_id, at), show)

    def learn(self, session_id: SessionId) -> None:
        """Extract facts from a past session, even if it was done before."""

        def show(has_model: bool) -> None:  # noqa: FBT001 (from a signal)
            looks = self.tr("Searching this session for facts to remember.")
            waits = self.tr("Bellek will search this session for facts once a model is connected.")
            self._strip.show_message("learning", looks if has_model else waits)
            self.description_due.emit()

        self._worker.do(lambda services: services.assistant.learn_from(session_id), show)

    def refresh(self, session_id: SessionId) -> None:
        def show(sessions: Sequence[Session]) -> None:
            for session in sessions:
                self._put(session)
            if not sessions:
                self._sidebar.model.remove(session_id)
            self.count_archived()

        self._worker.do_in_turn(
            lambda services: services.archive.some_sessions([session_id]), show
        )

    def copy(self, session_id: SessionId) -> None:
        self._worker.do(
            lambda services: services.exporter.export_session(session_id),
            lambda text: QGuiApplication.clipboard().setText(text),
        )

    def ask_where_to_export(
        self, session_id: SessionId, title: str, answer: MessageId | None = None
    ) -> None:
        ExportDialog(title, self._sidebar.window(), is_answer=answer is not None).ask_for_export(
            self._worker.services.profile.folder,
            lambda path: self.export(session_id, path, answer),
        )

    def export(self, session_id: SessionId, path: Path, answer: MessageId | None = None) -> None:
        """Export a session, or one answer with its question; the file name selects the format."""

        def show(_: object) -> None:
            message = self.tr("Saved to {file}.").format(file=path.name)
            go = (self.tr("Show in folder"), lambda: open_folder(path.parent))
            self._strip.show_message("exported", message, go)
            self.exported.emit(path)

        self._worker.do(
            lambda services: services.exporter.write_session(session_id, path, answer), show
        )

    def print_on(
        self, device: QPagedPaintDevice, session_id: SessionId, answer: MessageId | None = None
    ) -> None:
        from desktop.ui.transcript.printing import print_on  # noqa: PLC0415 - not at the start

        self._worker.do(
            lambda services: print_on(
                device, lambda draw: services.exporter.export_for_print(session_id, draw, answer)
            )
        )

    def export_all(self, path: Path, several: Sequence[SessionId] | None = None) -> None:
        """Export every session, or several; the file name selects the format."""
        is_closing = self._worker.bridge.closing.is_set

        def fail(error: AppError) -> None:
            self._strip.remove("exporting")
            self._worker.failed.emit(error)

        self._worker.do_each(
            lambda services: services.exporter.write_all(
                path,
                is_closing,
                None if several is None else services.archive.some_sessions(several),
            ),
            self._show_exporting,
            failed=fail,
        )

    def add_example_library(self) -> None:
        is_closing = self._worker.bridge.closing.is_set

        file = asset("resources", "examples", "library.jsonl")

        def show(report: "ImportReport") -> None:
            loaded = self.tr("%n sample session(s) added.", "", report.added)
            message = self.tr("The sample sessions have already been added.")
            self.load()
            self._strip.show_message("imported", loaded if report.added else message)

        self._worker.do(
            lambda services: services.importer.import_file(file, should_stop=is_closing), show
        )

    def _put(self, session: Session) -> None:
        self._put_all([session])

    def _put_all(self, sessions: Sequence[Session]) -> None:
        self._sidebar.model.put(*sessions)
        for session in sessions:
            self.changed.emit(session)

    def _show_merged(self, change: "Change[Sequence[SessionMerge]]", words: str) -> None:
        first, second = change.value[0].first, change.value[0].second
        sentence = words.format(first=short_title(first), second=short_title(second))
        self._show_parted(
            change, first.id, [session_merge.second.id for session_merge in change.value], sentence
        )

    def _show_parted(
        self,
        change: Change[Any],  # of a split or a merge
        stays: SessionId,
        others: Sequence[SessionId],
        words: str,
    ) -> None:
        def undone(_: object) -> None:
            self._strip.remove("parted")
            self._tell_parted(stays, others)

        undo = self._worker.undoes(change, undone)
        self._strip.show_message("parted", words, undo=undo)
        self._tell_parted(stays, others)

    def _tell_parted(self, stays: SessionId, others: Sequence[SessionId]) -> None:
        self.load()
        self._sidebar.search_again()
        for other in others:
            self.parted.emit(stays, other)
        self.description_due.emit()

    def _show_exporting(self, at: "ExportProgress") -> None:
        words = self.tr("Exporting %n session(s): {percent}% done.", "", at.whole)
        words = words.format(percent=at.written * 100 // max(at.whole, 1))
        if at.is_done:
            count = self.tr("%n session(s) were exported.", "", at.written)
            words = f"{count} {self.tr('Saved to {file}.').format(file=at.path)}"
        self._strip.show_message("exporting", words, can_be_closed=at.is_done)

    def _load_more(self) -> None:
        if self._sidebar.model.is_searching:
            return
        offset, is_archived = self._shown, self._sidebar.model.shows_archive
        wall, tag = self._sidebar.model.wall, self._sidebar.model.tag

        def show(sessions: Sequence[Session]) -> None:
            self._shown = offset + len(sessions)
            self._sidebar.model.append_sessions(sessions, has_more=len(sessions) == _NEXT_PAGE)

        self._worker.do(
            lambda services: services.archive.sessions(
                wall, limit=_NEXT_PAGE, offset=offset, is_archived=is_archived, tag=tag
            ),
            show,
        )
