"""A menu whose keys stand at its right edge."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QKeySequence, QPainter, QPaintEvent, QPalette
from PySide6.QtWidgets import QMenu, QStyleOptionMenuItem

from desktop.ui.theme.tokens import Space

_SIDE = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter


class Menu(QMenu):
    """A stylesheet puts them at the left of their column, and knows no other place."""

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
