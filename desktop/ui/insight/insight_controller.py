"""Opens the overview."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from desktop.ui.actions import QT_TR_NOOP, Action, everywhere
from desktop.ui.services import Worker
from desktop.ui.theme.theme import ThemeController
from desktop.ui.views import renew

if TYPE_CHECKING:
    from desktop.ui.insight.insight_page import InsightPage, InsightPeriod


class InsightController(QObject):
    page_made = Signal(object)  # View that needs its place in the window

    def __init__(self, window: QWidget, theme: ThemeController, worker: Worker) -> None:
        super().__init__(window)
        self._owner, self._theme, self._worker = window, theme, worker
        self.page: InsightPage | None = None

    def records(self) -> Sequence[Action]:
        return (everywhere("insight", QT_TR_NOOP("Overview…"), "Ctrl+Shift+G", self.open),)

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
