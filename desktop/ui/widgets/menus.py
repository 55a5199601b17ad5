"""Menus: shortcuts at the right edge, a menu bar that never hides a menu, mnemonics."""

from PySide6.QtCore import QCoreApplication, QEvent, Qt
from PySide6.QtGui import (
    QAction,
    QActionEvent,
    QKeySequence,
    QPainter,
    QPaintEvent,
    QPalette,
    QResizeEvent,
)
from PySide6.QtWidgets import QMenu, QMenuBar, QStyleOptionMenuItem, QWidget

from desktop.ui.theme.tokens import Space

_SIDE = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter


class PopupMenu(QMenu):
    """Paints the shortcuts at the right edge; a stylesheet can only left-align them."""

    def initStyleOption(self, option: QStyleOptionMenuItem, action: QAction) -> None:
        super().initStyleOption(option, action)
        option.text = option.text.partition("\t")[0]

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        painter = QPainter(self)
        for action in self.actions():
            keys = action.shortcut().toString(QKeySequence.SequenceFormat.NativeText)
            if not keys or not action.isVisible():
                continue
            group = QPalette.ColorGroup.Active
            if not action.isEnabled():
                group = QPalette.ColorGroup.Disabled
            painter.setPen(self.palette().color(group, QPalette.ColorRole.PlaceholderText))
            place = self.actionGeometry(action).adjusted(0, 0, -Space.MEDIUM, 0)
            painter.drawText(place, int(_SIDE), keys)
        painter.end()


_BESIDE = 2 * Space.MEDIUM + Space.TIGHT
"""Around each name where there is room, with what lies between two."""
_CHANGES = {QEvent.Type.FontChange, QEvent.Type.StyleChange, QEvent.Type.LanguageChange}


class MenuBar(QMenuBar):
    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._is_tight = False
        self._set_name()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in _CHANGES:
            self._fit()
        if event.type() == QEvent.Type.LanguageChange:
            self._set_name()

    def actionEvent(self, event: QActionEvent) -> None:
        super().actionEvent(event)
        self._fit()

    def _set_name(self) -> None:
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


def mark_mnemonics(menu: QMenu) -> None:
    """Give each entry a letter of its own, so that no translator has to see to it."""
    taken: set[str] = set()
    # Those that have few letters to choose from come first.
    for action in sorted(menu.actions(), key=lambda one: len(set(one.text().lower()))):
        words = action.text().replace("&", "")
        at = next((at for at in _letters(words) if words[at].lower() not in taken), None)
        if at is not None:
            taken.add(words[at].lower())
            words = f"{words[:at]}&{words[at:]}"
        action.setText(words)


def _letters(words: str) -> list[int]:
    """Where letters stand that every keyboard has: those that begin a word first."""
    usable = [at for at, letter in enumerate(words) if letter.isascii() and letter.isalpha()]
    return sorted(usable, key=lambda at: at > 0 and words[at - 1].isalpha())
