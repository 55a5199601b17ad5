"""Open the diary, the overview and the user's guide as pages of the window."""

from collections.abc import Sequence
from datetime import date
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QLayout, QWidget

from desktop.settings.paths import asset
from desktop.ui.actions import QT_TR_NOOP, Action, everywhere, when_open
from desktop.ui.dialogs.form import RebuiltView
from desktop.ui.dialogs.information_dialogs import BodyArea
from desktop.ui.i18n import LanguageController
from desktop.ui.services import Worker
from desktop.ui.theme.theme import ThemeController
from desktop.ui.theme.tokens import Space
from desktop.ui.views import renew
from desktop.ui.widgets.bars import MessageBar
from desktop.ui.widgets.buttons import Button
from desktop.ui.widgets.layouts import STRETCH, column, growing, row

if TYPE_CHECKING:
    from desktop.sessions.keeping.housekeeping import TaskCount
    from desktop.ui.diary.diary_page import DiaryPage
    from desktop.ui.insight.insight_page import InsightPage, InsightPeriod


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
        return (everywhere("diary", QT_TR_NOOP("Diary"), "Ctrl+Shift+D", self.open, when_open),)

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


class InsightController(QObject):
    page_made = Signal(object)  # View that needs its place in the window

    def __init__(self, window: QWidget, theme: ThemeController, worker: Worker) -> None:
        super().__init__(window)
        self._owner, self._theme, self._worker = window, theme, worker
        self.page: InsightPage | None = None

    def records(self) -> Sequence[Action]:
        title, keys = QT_TR_NOOP("Overview"), "Ctrl+Shift+G"
        return (everywhere("insight", title, keys, self.open, when_open),)

    def open(self, span: "InsightPeriod | None" = None) -> "InsightPage":
        from desktop.ui.insight.insight_page import InsightPage, InsightPeriod  # noqa: PLC0415

        if self.page is None:
            self.page = InsightPage(
                self._worker, self._theme, span or InsightPeriod.YEAR, self._owner
            )
            self.page_made.emit(self.page)
        self.page.show_at()
        return self.page

    def retranslate(self) -> None:
        """Rebuild an open window in the current language."""
        if (old := self.page) is not None:
            self.page = None
            renew(old, lambda: self.open(old.span))


class GuidePage(RebuiltView):
    act = "guide"
    shortcuts_wanted = Signal()

    def __init__(
        self, languages: LanguageController, theme: ThemeController, parent: QWidget
    ) -> None:
        super().__init__(parent)
        self._languages, self._theme = languages, theme
        self.rebuild()
        theme.theme_changed.connect(self.rebuild)

    def open_at(self) -> None:
        self.come()
        self.area.setFocus(Qt.FocusReason.OtherFocusReason)  # the scroll keys work at once

    def _build(self) -> QLayout:
        self.setWindowTitle(self.tr("User’s guide"))
        guide = asset("resources", "guide", f"{self._languages.language.value}.md")
        self.area = BodyArea(self._theme, guide.read_text("utf-8"), self.windowTitle())
        keys = Button(text=self.tr("Keyboard &shortcuts"), press=self.shortcuts_wanted.emit)
        parts = (growing(self.area), row(keys, STRETCH))
        return column(*parts, spacing=Space.MEDIUM, margin=Space.WIDE)


class GuideController(QObject):
    page_made = Signal(object)  # View that needs its place in the window
    shortcuts_wanted = Signal()

    def __init__(
        self, window: QWidget, theme: ThemeController, languages: LanguageController
    ) -> None:
        super().__init__(window)
        self._window, self._theme, self._languages = window, theme, languages
        self.page: GuidePage | None = None

    def records(self) -> Sequence[Action]:
        return (everywhere("guide", QT_TR_NOOP("User’s guide"), "F1", self.open),)

    def open(self) -> None:
        if self.page is None:
            self.page = GuidePage(self._languages, self._theme, self._window)
            self.page_made.emit(self.page)
            self.page.shortcuts_wanted.connect(self.shortcuts_wanted)
        self.page.open_at()
