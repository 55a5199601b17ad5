"""Menus: shortcuts at the right edge, and mnemonics."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QKeySequence, QPainter, QPaintEvent, QPalette
from PySide6.QtWidgets import QMenu, QStyleOptionMenuItem

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


def mark_mnemonics(menu: QMenu) -> None:
    """Give each entry a unique mnemonic, so that translators need not choose them."""
    taken: dict[str, QAction] = {}

    def give(action: QAction, tried: set[str]) -> bool:
        letters = [letter for letter in _letters(action.text()) if letter not in tried]
        free = next((letter for letter in letters if letter not in taken), None)
        tried.update(letters)
        # Where none is free, an entry that has other letters makes room.
        given = free or next((one for one in letters if give(taken[one], tried)), None)
        if given is not None:
            taken[given] = action
        return given is not None

    # Entries with few letters to choose from come first.
    for action in sorted(menu.actions(), key=lambda one: len(set(one.text().lower()))):
        action.setText(action.text().replace("&", ""))
        give(action, set())
    for letter, action in taken.items():
        words = action.text()
        at = _letters(words)[letter]
        action.setText(f"{words[:at]}&{words[at:]}")


def _letters(words: str) -> dict[str, int]:
    """Return the letters that every keyboard has, and where; the beginnings of words first."""
    usable = [at for at, letter in enumerate(words) if letter.isascii() and letter.isalpha()]
    usable.sort(key=lambda at: at > 0 and words[at - 1].isalpha())
    places: dict[str, int] = {}
    for at in usable:
        places.setdefault(words[at].lower(), at)
    return places
