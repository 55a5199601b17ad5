"""The menu bar: where the window is narrow and the letters large, its names move together.

Qt would put the last of them behind a mark of twelve pixels, and Help would seem to be gone.
"""

from PySide6.QtCore import QCoreApplication, QEvent
from PySide6.QtGui import QActionEvent, QResizeEvent
from PySide6.QtWidgets import QMenuBar, QWidget

from desktop.ui.theme.tokens import Space

_BESIDE = 2 * Space.MEDIUM + Space.TIGHT
"""Around each name where there is room, with what lies between two."""
_CHANGES = {QEvent.Type.FontChange, QEvent.Type.StyleChange, QEvent.Type.LanguageChange}


class MenuBar(QMenuBar):
    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._is_tight = False
        self._say()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in _CHANGES:
            self._fit()
        if event.type() == QEvent.Type.LanguageChange:
            self._say()

    def actionEvent(self, event: QActionEvent) -> None:
        super().actionEvent(event)
        self._fit()

    def _say(self) -> None:
        self.setAccessibleName(self.tr("Menus"))

    def _fit(self) -> None:
        measured = self.fontMetrics()
        names = [action.text().replace("&", "") for action in self.actions()]
        wanted = sum(measured.horizontalAdvance(name) + _BESIDE for name in names)
        is_tight = wanted + Space.WIDE > self.width()
        if is_tight != self._is_tight:
            self._is_tight = is_tight
            self.setProperty("tight", is_tight)
            self.style().unpolish(self)
            self.style().polish(self)
            # Polishing alone leaves the names where they stood.
            QCoreApplication.sendEvent(self, QEvent(QEvent.Type.StyleChange))
