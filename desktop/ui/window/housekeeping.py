"""Housekeeping in the window: the plan and its consent, what was done, freeing space."""

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from desktop.domain.sessions import Session
from desktop.settings.settings import Consent
from desktop.ui.dialogs.form import open_dialog
from desktop.ui.dialogs.settings.settings_controller import SettingsController
from desktop.ui.services import Worker
from desktop.ui.session.background_scheduler import BackgroundScheduler
from desktop.ui.widgets.bars import MessageBar
from desktop.ui.window.sidebar_controller import ArchiveController

if TYPE_CHECKING:
    from desktop.sessions.housekeeping import TaskCount

_OFFERED, _DONE = "housekeeping", "housekept"
_ARCHIVE = "archive"  # the task whose plan is shown


class WindowHousekeeping(QObject):
    def __init__(
        self,
        strip: MessageBar,
        worker: Worker,
        changes: SettingsController,
        archive: ArchiveController,
        background: BackgroundScheduler,
    ) -> None:
        super().__init__(strip)
        self._strip = strip
        self._worker = worker
        self._changes = changes
        self._archive = archive
        self._background = background
        background.house_kept.connect(self.offer)
        background.housekept.connect(self.show_done)

    def offer(self) -> None:
        """Show what would be done for the first time; nothing is done without consent."""
        self._worker.do(lambda services: services.housekeeping.offer(), self._show_offer)

    def show_done(self, done: "TaskCount") -> None:
        if done.name != _ARCHIVE or not done.count:
            return
        self._archive.load()
        self._strip.show_message(
            _DONE,
            self.tr("%n session(s) untouched for 90 days were archived.", "", done.count),
            (self.tr("Show"), self._archive.show_archived),
        )

    def _show_offer(self, plan: "Sequence[TaskCount]") -> None:
        counts = {one.name: one.count for one in plan}
        if not (count := counts.get(_ARCHIVE, 0)):
            return
        self._strip.show_message(
            _OFFERED,
            self.tr(
                "Bellek would archive %n session(s) untouched for 90 days. They leave this list "
                "and are found as before.",
                "",
                count,
            ),
            (self.tr("Show"), self._show_plan),
            (self.tr("Do it"), self._agree),
            (self.tr("Not now"), self._decline),
        )

    def _show_plan(self) -> None:
        from desktop.ui.dialogs.housekeeping import PlanDialog  # noqa: PLC0415 (rarely opened)

        def show(sessions: Sequence[Session]) -> None:
            dialog = PlanDialog(sessions, self._strip.window())
            dialog.accepted.connect(self._agree)
            dialog.rejected.connect(self._decline)
            open_dialog(dialog)

        self._worker.do(lambda services: services.housekeeping.store.untouched(), show)

    def _agree(self) -> None:
        """Allow it from now on, and begin."""
        self._changes.apply(replace(self._changes.settings, housekeeping=Consent.ON))
        self._background.keep_house(at_once=True)

    def _decline(self) -> None:
        self._worker.do(lambda services: services.housekeeping.decline())
