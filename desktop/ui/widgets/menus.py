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
    taken: set[str] = set()
    # Entries with few letters to choose from come first.
    for action in sorted(menu.actions(), key=lambda one: len(set(one.text().lower()))):
        words = action.text().replace("&", "")
        # Of the letters that every keyboard has, those that begin a word are tried first.
        usable = [at for at, letter in enumerate(words) if letter.isascii() and letter.isalpha()]
        usable.sort(key=lambda at: at > 0 and words[at - 1].isalpha())
        at = next((at for at in usable if words[at].lower() not in taken), None)
        if at is not None:
            taken.add(words[at].lower())
            words = f"{words[:at]}&{words[at:]}"
        action.setText(words)
