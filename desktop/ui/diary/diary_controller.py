"""Opens the diary."""

from collections.abc import Sequence
from datetime import date
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from desktop.ui.actions import QT_TR_NOOP, Action, everywhere, when_open
from desktop.ui.services import Worker
from desktop.ui.theme.theme import ThemeController
from desktop.ui.views import renew
from desktop.ui.widgets.bars import MessageBar

if TYPE_CHECKING:
    from desktop.sessions.keeping.housekeeping import TaskCount
    from desktop.ui.diary.diary_page import DiaryPage


_WATCHES = "watches"  # The task of housekeeping, and its message


class DiaryController(QObject):
    page_made = Signal(object)  # View that needs its place in the window
    place_wanted = Signal(object)  # NavigationTarget of a line's message

    found = Signal(str)  # A sentence for a notification

    def __init__(
        self, window: QWidget, theme: ThemeController, worker: Worker, strip: MessageBar
    ) -> None:
        super().__init__(window)
        self._strip = strip
        self._owner = window
        self._theme = theme
        self._worker = worker
        self.page: DiaryPage | None = None

    def records(self) -> Sequence[Action]:
        return (everywhere("diary", QT_TR_NOOP("Diary…"), "Ctrl+Shift+D", self.open, when_open),)

    def open(self, day: date | None = None) -> "DiaryPage":
        from desktop.ui.diary.diary_page import DiaryPage  # noqa: PLC0415 - not at the start

        if self.page is None:
            self.page = DiaryPage(self._worker, self._theme, self._owner)
            self.page_made.emit(self.page)
            self.page.place_wanted.connect(self.place_wanted)
        self.page.open_at(day)
        return self.page

    def show_found(self, done: "TaskCount") -> None:
        """Show that watches have found something, without its words."""
        if done.name != _WATCHES or not done.count:
            return
        self.look_again()
        words = self.tr("Watches found %n new thing(s).", "", done.count)
        self._strip.show_message(_WATCHES, words, (self.tr("Show"), self.open_today))
        self.found.emit(words)

    def open_today(self) -> None:
        self.open(self._worker.services.diary.today())

    def look_again(self) -> None:
        if self.page is not None and self.page.isVisible():
            self.page.load()

    def retranslate(self) -> None:
        """Rebuild an open window in the current language, but not while it holds work."""
        if (old := self.page) is not None:
            self.page = None
            renew(old, lambda: self.open(old.calendar.day))
