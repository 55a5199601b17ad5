"""What of the synchronisation needs the user, for the status bar."""

from collections.abc import Callable
from datetime import datetime, timedelta

from PySide6.QtCore import QObject

from desktop.domain.sync import CarrierGoneError, SyncServerFailedError
from desktop.domain.times import utc_now
from desktop.ui.devices.sync_runner import SyncRunner

_PASSING = (CarrierGoneError, SyncServerFailedError)
"""Errors that mostly pass by themselves."""
_PASSING_PROBLEMS = {"slow", "waiting"}
_PASSES_WITHIN = timedelta(minutes=10)
_ARRIVES_WITHIN = timedelta(hours=1)


class Attention(QObject):
    """Tells what passes by itself from what does not, by how long it has been so."""

    def __init__(self, parent: QObject, now: Callable[[], datetime] = utc_now) -> None:
        super().__init__(parent)
        self._now = now
        self._since: dict[str, datetime] = {}

    def words(self, runner: SyncRunner) -> str:
        """Return what needs the user; empty if nothing does."""
        if runner.place is None:
            return ""
        if self._has_failed(runner):
            return self.tr("Devices: not synchronised")
        if count := len(runner.place.conflicts):
            return self.tr("Devices: %n choice(s)", "", count)
        if self._has_problem(runner):
            return self.tr("Devices: something has not arrived")
        return ""

    def _has_failed(self, runner: SyncRunner) -> bool:
        error = runner.error
        lasts = self._lasts("error", _PASSES_WITHIN, is_so=error is not None)
        return error is not None and (lasts or not isinstance(error, _PASSING))

    def _has_problem(self, runner: SyncRunner) -> bool:
        problems = set(runner.report.problems) if runner.report else set()
        is_waiting = bool(problems & _PASSING_PROBLEMS)
        lasts = self._lasts("waiting", _ARRIVES_WITHIN, is_so=is_waiting)
        return lasts or bool(problems - _PASSING_PROBLEMS)

    def _lasts(self, what: str, time: timedelta, *, is_so: bool) -> bool:
        """Return whether it has been so for that time."""
        if not is_so:
            self._since.pop(what, None)
            return False
        return self._now() - self._since.setdefault(what, self._now()) >= time
