"""Opens the overview."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QWidget

from desktop.ui.actions import QT_TR_NOOP, Action, everywhere
from desktop.ui.reopened_window import renew
from desktop.ui.services import Worker
from desktop.ui.theme.theme import ThemeController

if TYPE_CHECKING:
    from desktop.ui.insight.window import InsightPeriod, InsightWindow


class InsightController(QObject):
    def __init__(self, window: QWidget, theme: ThemeController, worker: Worker) -> None:
        super().__init__(window)
        self._owner, self._theme, self._worker = window, theme, worker
        self.window: InsightWindow | None = None

    def records(self) -> Sequence[Action]:
        return (everywhere("insight", QT_TR_NOOP("Overview…"), "Ctrl+Shift+G", self.open),)

    def open(self, span: "InsightPeriod | None" = None) -> "InsightWindow":
        from desktop.ui.insight.window import InsightPeriod, InsightWindow  # noqa: PLC0415

        if self.window is None:
            self.window = InsightWindow(
                self._worker, self._theme, span or InsightPeriod.YEAR, self._owner
            )
        self.window.show_at()
        return self.window

    def retranslate(self) -> None:
        """Rebuild an open window in the current language."""
        if (old := self.window) is not None:
            self.window = None
            renew(old, lambda: self.open(old.span))
