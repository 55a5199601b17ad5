"""Menus: shortcuts at the right edge, a menu bar that never hides a menu, mnemonics."""

from collections.abc import Mapping, Sequence

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
    """Whatever the language of its words, so that no translator has to see to it."""
    actions = menu.actions()
    texts = [action.text().replace("&", "") for action in actions]
    places = _places(texts)
    for number, (action, words) in enumerate(zip(actions, texts, strict=True)):
        at = places.get(number)
        action.setText(words if at is None else f"{words[:at]}&{words[at:]}")


def _places(texts: Sequence[str]) -> Mapping[int, int]:
    """Where each entry's letter stands, for as many entries as there are letters for."""
    wanted = [_wanted(words) for words in texts]
    owners: dict[str, int] = {}

    def give(number: int, asked: set[str]) -> bool:
        """A free letter, or one whose owner can do with another: Kuhn's matching."""
        for letter in wanted[number]:
            if letter not in owners:
                owners[letter] = number
                return True
        for letter in wanted[number]:
            if letter not in asked:
                asked.add(letter)
                if give(owners[letter], asked):
                    owners[letter] = number
                    return True
        return False

    for number in range(len(texts)):
        give(number, set())
    return {number: wanted[number][letter] for letter, number in owners.items()}


def _wanted(words: str) -> Mapping[str, int]:
    """Letters that every keyboard has, by where they stand: those that begin a word first."""
    usable = [at for at, letter in enumerate(words) if letter.isascii() and letter.isalpha()]
    usable.sort(key=lambda at: at > 0 and words[at - 1].isalpha())
    found: dict[str, int] = {}
    for at in usable:
        found.setdefault(words[at].lower(), at)
    return found
