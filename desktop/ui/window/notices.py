"""Messages in the message bar: errors, deletions, imports, splits and merges, unsaved text."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, Signal

from desktop.domain.errors import AppError
from desktop.domain.ids import SessionId
from desktop.domain.sessions import Session
from desktop.ui.dialogs.form import open_folder
from desktop.ui.services import NavigationTarget, WindowServices
from desktop.ui.session.controller import SessionController
from desktop.ui.transcript.entries import MessageAction, MessageRequest
from desktop.ui.transcript.view import TranscriptView
from desktop.ui.widgets.message_bar import BarAction, BarMessage, MessageBar
from desktop.ui.window.sidebar_controller import ArchiveController

if TYPE_CHECKING:
    from desktop.sessions.archive_service import DeletedSession, SessionMerge, SessionSplit
    from desktop.sessions.exporting import ExportProgress
    from desktop.sessions.importing.import_report import ImportReport


_LONGEST_NAME = 80
DELETED = "deleted"
"""Key of the notice whose first choice takes a deletion back."""


class WindowNotices(QObject):
    def __init__(
        self, strip: MessageBar, sessions: SessionController, archive: ArchiveController
    ) -> None:
        super().__init__(strip)
        self._strip = strip
        self._sessions = sessions
        self._archive = archive
        self._services: WindowServices | None = None
        sessions.failed.connect(self.say_failed)
        sessions.broke.connect(self.say_broke)
        sessions.left_behind.connect(self._say_ended)
        sessions.session_opened.connect(lambda: strip.remove("failed"))
        sessions.turns.running_changed.connect(self._forget_past)
        archive.failed.connect(self.say_failed)
        archive.deleted.connect(self._say_deleted)
        archive.parted.connect(self._say_parted)
        archive.part_undone.connect(lambda _: strip.remove("parted"))
        archive.nothing_before.connect(self._say_nothing_before)
        archive.learning_due.connect(self._say_learning)
        archive.exported.connect(self._say_exported)
        archive.exporting.connect(self._say_exporting)
        archive.export_failed.connect(lambda: strip.remove("exporting"))
        archive.imported.connect(self._say_imported)
        archive.examples_added.connect(self._say_examples)

    def attach(self, services: WindowServices) -> None:
        self._services = services

    def say_failed(self, error: AppError) -> None:
        if (services := self._services) is not None:
            self._strip.show_message("failed", BarMessage(lambda: services.texts().error(error)))

    def say_broke(self, bug: str) -> None:
        self._strip.show_message(
            "broke",
            BarMessage(
                lambda: self.tr(
                    "Something went wrong inside Bellek ({bug}). The log has the details."
                ).format(bug=bug),
                lambda: (BarAction(self.tr("Details…"), lambda: self._show_report(bug)),),
            ),
        )

    def _show_report(self, bug: str) -> None:
        from desktop.ui.dialogs.about import (  # noqa: PLC0415 - rarely wanted
            ErrorReportDialog,
        )

        if (services := self._services) is not None:
            dialog = ErrorReportDialog(bug, services.folders.logs, self._strip.window())
            dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
            dialog.open()

    def say_unsaved(self) -> None:
        def words() -> str:
            return self.tr(
                "The last message could not be saved. It is kept while Bellek is open, "
                "and saving is retried until it succeeds."
            )

        self._strip.show_message("unsaved", BarMessage(words, can_be_closed=False))

    def take_unsaved(self) -> None:
        self._strip.remove("unsaved")

    def offer_rewriting(self) -> None:
        """A model was connected: it could describe what was only extracted so far."""
        self._sessions.do(
            lambda services: services.archive.descriptions.count_extracted(), self._offer
        )

    def _offer(self, count: int) -> None:
        if not count:
            return
        self._strip.show_message(
            "rewriting",
            BarMessage(
                lambda: self.tr(
                    "The titles and summaries of %n session(s) were extracted from their "
                    "text. Should the connected model rewrite them?",
                    "",
                    count,
                ),
                lambda: (
                    BarAction(self.tr("Rewrite them"), self._rewrite),
                    BarAction(self.tr("Not now"), lambda: self._strip.remove("rewriting")),
                ),
            ),
        )

    def _rewrite(self) -> None:
        self._strip.remove("rewriting")
        self._sessions.do(
            lambda services: services.archive.descriptions.make_extracted_due(),
            lambda _: self._sessions.description_due.emit(),
        )

    def _say_ended(self, session: Session) -> None:
        self._strip.show_message(
            "ended",
            BarMessage(
                lambda: self.tr("“{title}” has ended.").format(title=_name(session)),
                lambda: (BarAction(self.tr("Undo"), lambda: self._sessions.undo_end(session.id)),),
            ),
        )

    def say_temporary_ended(self) -> None:
        self._strip.show_message(
            "ended",
            BarMessage(lambda: self.tr("The temporary session has ended. Nothing was kept.")),
        )

    def _say_deleted(self, deleted: "DeletedSession") -> None:
        session, backups = deleted.session, deleted.backups

        def words() -> str:
            said = self.tr("“{title}” was deleted.").format(title=_name(session))
            if backups:
                said += " " + self.tr("%n backup(s) may still contain it.", "", len(backups))
            return said

        def choices() -> Sequence[BarAction]:
            undo = BarAction(self.tr("Undo"), lambda: self._archive.undelete(session.id))
            if not backups:
                return (undo,)
            return (
                undo,
                BarAction(self.tr("Show backups"), lambda: open_folder(backups[0].parent)),
            )

        self._strip.show_message(DELETED, BarMessage(words, choices))

    def _say_parted(self, done: "SessionSplit | SessionMerge") -> None:
        # Behind the painted window: it brings the database with it.
        from desktop.sessions.archive_service import SessionSplit  # noqa: PLC0415

        def words() -> str:
            if isinstance(done, SessionSplit):
                return self.tr("“{title}” was split in two.").format(title=_name(done.whole))
            return self.tr("“{second}” was merged into “{first}”.").format(
                second=_name(done.second), first=_name(done.first)
            )

        self._strip.show_message(
            "parted",
            BarMessage(
                words,
                lambda: (BarAction(self.tr("Undo"), lambda: self._archive.undo_parting(done)),),
            ),
        )

    def _say_nothing_before(self) -> None:
        self._strip.show_message(
            "parted", BarMessage(lambda: self.tr("There is no session before this one."))
        )

    def _say_learning(self, has_model: bool) -> None:  # noqa: FBT001 (from a signal)
        def words() -> str:
            if has_model:
                return self.tr("Looking for facts to remember in this session.")
            return self.tr("Bellek will look for facts in it once a model is connected.")

        self._strip.show_message("learning", BarMessage(words))

    def _say_exported(self, path: Path) -> None:
        self._strip.show_message(
            "exported",
            BarMessage(lambda: self.tr("Saved to {file}.").format(file=path.name)),
        )

    def _say_exporting(self, at: "ExportProgress") -> None:
        def words() -> str:
            if at.is_done:
                count = self.tr("%n session(s) were exported.", "", at.written)
                where = self.tr("Saved to {file}.").format(file=at.path)
                return f"{count} {where}"
            return self.tr("Exporting %n session(s): {percent}% done.", "", at.whole).format(
                percent=at.written * 100 // max(at.whole, 1)
            )

        self._strip.show_message("exporting", BarMessage(words, can_be_closed=at.is_done))

    def _say_imported(self, reports: "Sequence[ImportReport]") -> None:
        self._strip.show_message("imported", BarMessage(lambda: self._imported(reports)))

    def _say_examples(self, reports: "Sequence[ImportReport]") -> None:
        self._strip.show_message("imported", BarMessage(lambda: self._examples(reports)))

    def _examples(self, reports: "Sequence[ImportReport]") -> str:
        added = sum(report.added for report in reports)
        if not added:
            return self.tr("The sample sessions are already loaded.")
        return self.tr("Sample sessions loaded: %n session(s).", "", added)

    def _imported(self, reports: "Sequence[ImportReport]") -> str:
        added = sum(report.added for report in reports)
        there = sum(report.already_there for report in reports)
        broken = [problem.number for report in reports for problem in report.problems]
        said = [self.tr("%n session(s) imported.", "", added)]
        if there:
            said.append(self.tr("%n session(s) were already in the archive.", "", there))
        if broken:
            lines = self.tr(
                "%n line(s) could not be read; the first is line {line}.", "", len(broken)
            )
            said.append(lines.format(line=broken[0]))
        return " ".join(said)

    def _forget_past(self, is_running: bool) -> None:  # noqa: FBT001 (comes from a signal)
        """Who asks the next question has seen what there was to see."""
        if is_running:
            for key in ("failed", "broke", "ended", DELETED, "parted", "exported", "imported"):
                self._strip.remove(key)


def _name(session: Session) -> str:
    name = " ".join((session.title or session.opening).split())
    return name if len(name) <= _LONGEST_NAME else f"{name[:_LONGEST_NAME]}…"


class SplitMergeNotices(QObject):
    led = Signal(object, object)
    """SessionIds: of the session that stays, and of the one whose messages are now in it"""

    def __init__(
        self, archive: ArchiveController, sessions: SessionController, shown: TranscriptView
    ) -> None:
        super().__init__(sessions)
        self._archive = archive
        self._sessions = sessions
        shown.action_chosen.connect(self._act)
        archive.parted.connect(self._follow)
        archive.part_undone.connect(self._follow)

    def _act(self, request: MessageRequest) -> None:
        shown, at = self._sessions.shown, request.message
        if request.action is not MessageAction.SPLIT or shown is None or at is None:
            return
        if self._sessions.is_past_shown:
            self._archive.split(shown.id, at)

    def _follow(self, done: "SessionSplit | SessionMerge") -> None:
        """The session that stays is read again; who read the one that went is led to it."""
        # Behind the painted window: it brings the database with it.
        from desktop.sessions.archive_service import SessionSplit  # noqa: PLC0415

        stays, goes = (
            (done.whole.id, done.part)
            if isinstance(done, SessionSplit)
            else (done.first.id, done.second.id)
        )
        self._show(stays, goes)
        self.led.emit(stays, goes)
        self._sessions.description_due.emit()

    def _show(self, stays: SessionId, goes: SessionId) -> None:
        shown = self._sessions.shown
        if shown is None:
            return
        if shown.id == stays:
            self._sessions.read_again()
        elif shown.id == goes:
            self._sessions.open(NavigationTarget(stays))
