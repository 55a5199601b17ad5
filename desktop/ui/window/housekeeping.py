"""Housekeeping in the window: the plan and its consent, what was done, freeing space."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from desktop.domain.changes import Change
from desktop.domain.errors import AppError
from desktop.domain.sessions import Session
from desktop.settings.settings import Consent
from desktop.ui.actions import QT_TR_NOOP, Action, possible, when_open
from desktop.ui.dialogs.files import FreeSpaceDialog
from desktop.ui.formatting import day
from desktop.ui.services import Worker
from desktop.ui.session.controller import SessionController
from desktop.ui.settings_controller import SettingsController
from desktop.ui.sidebar.archive_controller import ArchiveController
from desktop.ui.turn_bridge import ignore
from desktop.ui.widgets.bars import MessageBar, Rank
from desktop.ui.widgets.plain_text import MessageBox
from desktop.ui.window.background_scheduler import BackgroundScheduler

if TYPE_CHECKING:
    from desktop.sessions.exporting.exporter import ExportProgress
    from desktop.sessions.keeping.housekeeping import FreedSpace, SpaceUse, TaskCount

_OFFERED, _DONE, _FREEING = "housekeeping", "housekept", "freeing"
_CAP = "background_cap"
_ARCHIVE = "archive"  # the task whose plan is shown
_SCANS, _MARKS = "scans", "marks"


class WindowHousekeeping(QObject):
    def __init__(
        self,
        strip: MessageBar,
        worker: Worker,
        changes: SettingsController,
        sessions: SessionController,
        archive: ArchiveController,
        background: BackgroundScheduler,
    ) -> None:
        super().__init__(strip)
        self._strip = strip
        self._worker = worker
        self._changes = changes
        self._sessions = sessions
        self._archive = archive
        self._background = background
        background.house_kept.connect(self.offer)
        background.housekept.connect(self.show_done)
        background.house_kept.connect(self._look_at_cap)
        background.describing_ended.connect(self._look_at_cap)

    def records(self) -> Sequence[Action]:
        free = ("free_space", QT_TR_NOOP("Free space…"), "", self.ask_to_free_space)
        return possible(when_open, free)

    def offer(self) -> None:
        """Show the plan before the first run; nothing is done without consent."""
        self._worker.do(lambda services: services.housekeeping.offer(), self._show_offer)

    def show_done(self, done: "TaskCount") -> None:
        if done.name == _SCANS and done.count:
            read = self.tr("%n scanned document(s) were read; search finds them.", "", done.count)
            self._strip.show_message(_SCANS, read)
        if done.name == _MARKS and done.count:
            marked = self.tr(
                "%n work(s) in your library or your answers were retracted or corrected; "
                "their titles say so.",
                "",
                done.count,
            )
            self._strip.show_message(_MARKS, marked)
        if done.name != _ARCHIVE or not done.count:
            return
        self._archive.load()
        self._strip.show_message(
            _DONE,
            self.tr("%n session(s) not used for 90 days were archived.", "", done.count),
            (self.tr("Show"), self._archive.show_archived),
        )

    def _look_at_cap(self) -> None:
        """Show once a day that work waits for tomorrow."""

        def show(is_new: bool) -> None:  # noqa: FBT001 (what the service returns)
            if is_new:
                words = self._worker.services.texts().say("errors.daily_cap")
                self._strip.show_message(_CAP, words)

        self._worker.do(lambda services: services.background.take_notice(), show, failed=ignore)

    def _show_offer(self, plan: "Sequence[TaskCount]") -> None:
        counts = {task_count.name: task_count.count for task_count in plan}
        if not (count := counts.get(_ARCHIVE, 0)):
            return
        self._strip.show_message(
            _OFFERED,
            self.tr(
                "Archive %n session(s) not used for 90 days? They will leave this list, but you "
                "can still find them.",
                "",
                count,
            ),
            (self.tr("Show"), self._show_plan),
            (self.tr("Archive"), self._agree),
            (self.tr("Not now"), self._decline),
            rank=Rank.QUESTION,
        )

    def _show_plan(self) -> None:
        def show(sessions: Sequence[Session]) -> None:
            words = self.tr(
                "%n session(s) have not been used for 90 days. They will leave the list, but you "
                "can open them from its last line and find them with search. Continuing a session "
                "brings it back. Bellek will then archive old sessions once a day until you turn "
                "off archiving in Settings.",
                "",
                len(sessions),
            )
            title, icon = self.tr("Archive old sessions"), MessageBox.Icon.NoIcon
            box = MessageBox(icon, title, words, self._strip.window())
            names = (f"{day(session.updated_at)}  {session.shown_title}" for session in sessions)
            box.setDetailedText("\n".join(" ".join(name.split()) for name in names))
            box.rejected.connect(self._decline)
            box.offer((self.tr("Archive"), self._agree), stay=self.tr("Not now"))

        self._worker.do(lambda services: services.archive.untouched_sessions(), show)

    def _agree(self) -> None:
        """Store the consent, and begin."""
        self._changes.apply(replace(self._changes.settings, housekeeping=Consent.ON))
        self._background.keep_house(at_once=True)

    def _decline(self) -> None:
        self._worker.do(lambda services: services.housekeeping.decline())

    def ask_to_free_space(self) -> None:
        self._worker.do(lambda services: services.space.use(), self._show_use)

    def _show_use(self, use: "SpaceUse") -> None:
        texts, window = self._worker.services.texts(), self._strip.window()
        words = self.tr(
            "The messages in %n archived session(s) take up about {size} of the archive’s {whole} "
            "MB.",
            "",
            use.sessions,
        ).format(size=texts.megabytes(use.their_bytes), whole=texts.megabytes(use.whole_bytes))
        about = self.tr(
            "Bellek can export them to a file, check the file, and then remove them from the "
            "archive. Titles, summaries, topics and facts stay and can still be found. Importing "
            "the file brings the messages back."
        )
        if not use.sessions:
            words = self.tr("No archived session has messages to remove.")
            about = ""
        box = MessageBox(MessageBox.Icon.NoIcon, words, about, window)
        free = (self.tr("Export and remove…"), self._choose_file)
        stay = self.tr("Cancel") if use.sessions else self.tr("Close")
        box.offer(*([free] if use.sessions else []), stay=stay)

    def _choose_file(self) -> None:
        profile = self._worker.services.profile.folder
        FreeSpaceDialog(self._strip.window()).ask_for_export(profile, self.free_space)

    def free_space(self, path: Path) -> None:
        is_closing = self._worker.bridge.closing.is_set

        def fail(error: AppError) -> None:
            self._strip.remove(_FREEING)
            self._worker.failed.emit(error)

        self._worker.do_each(
            lambda services: services.space.free(path, is_closing), self._show_freeing, failed=fail
        )

    def _show_freeing(self, step: "ExportProgress | Change[FreedSpace]") -> None:
        if not isinstance(step, Change):
            percent = step.written * 100 // max(step.whole, 1)
            words = self.tr("Exporting %n session(s): {percent}% done.", "", step.whole)
            self._strip.show_message(_FREEING, words.format(percent=percent), can_be_closed=False)
            return
        texts, freed = self._worker.services.texts(), step.value
        words = self.tr(
            "The messages of %n session(s) were exported to {file} and removed. The archive will "
            "shrink from {before} to about {after} MB the next time Bellek starts.",
            "",
            len(freed.sessions),
        ).format(
            file=freed.path.name,
            before=texts.megabytes(freed.before_bytes),
            after=texts.megabytes(freed.after_bytes),
        )
        undo = self._worker.undoes(step, self._show_again)
        self._strip.show_message(_FREEING, words, undo=undo)
        self._show_again()

    def _show_again(self, _: object = None) -> None:
        self._archive.load()
        self._archive.description_due.emit()  # indexes what came back
        if (shown := self._sessions.shown) is not None:
            self._sessions.follow(shown.id, shown.id)
