"""Opens the diary."""

from collections.abc import Sequence
from datetime import date
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from desktop.ui.actions import QT_TR_NOOP, Action, everywhere, when_open
from desktop.ui.reopened_window import renew
from desktop.ui.services import Worker
from desktop.ui.theme.theme import ThemeController

if TYPE_CHECKING:
    from desktop.ui.diary.window import DiaryWindow


class DiaryController(QObject):
    place_wanted = Signal(object)  # NavigationTarget of a line's message

    def __init__(self, window: QWidget, theme: ThemeController, worker: Worker) -> None:
        super().__init__(window)
        self._owner = window
        self._theme = theme
        self._worker = worker
        self.window: DiaryWindow | None = None

    def records(self) -> Sequence[Action]:
        return (everywhere("diary", QT_TR_NOOP("Diary…"), "Ctrl+Shift+D", self.open, when_open),)

    def open(self, day: date | None = None) -> "DiaryWindow":
        from desktop.ui.diary.window import DiaryWindow  # noqa: PLC0415 - not at the start

        if self.window is None:
            self.window = DiaryWindow(self._worker, self._theme, self._owner)
            self.window.place_wanted.connect(self.place_wanted)
        self.window.open_at(day)
        return self.window

    def look_again(self) -> None:
        if self.window is not None and self.window.isVisible():
            self.window.load()

    def retranslate(self) -> None:
        """Rebuild an open window in the current language, but not while it holds work."""
        if (old := self.window) is not None:
            self.window = None
            renew(old, lambda: self.open(old.calendar.day))
