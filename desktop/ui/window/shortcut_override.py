"""Gives the window its keys where a field would keep them for itself.

On some systems a text field takes Ctrl+K, Ctrl+E or Ctrl+D for editing. What the menus promise
comes first; copying, pasting and undoing stay the field's.
"""

from collections.abc import Callable

from PySide6.QtCore import QEvent, QObject
from PySide6.QtGui import QKeyEvent, QKeySequence
from PySide6.QtWidgets import QWidget


class KeyGuard(QObject):
    def __init__(self, owns: Callable[[QKeySequence], bool], parent: QObject) -> None:
        super().__init__(parent)
        self._owns = owns

    def watch(self, *fields: QWidget) -> None:
        for field in fields:
            field.installEventFilter(self)

    def eventFilter(self, _watched: QObject, event: QEvent) -> bool:
        if event.type() != QEvent.Type.ShortcutOverride or not isinstance(event, QKeyEvent):
            return False
        if not self._owns(QKeySequence(event.keyCombination())):
            return False
        event.ignore()
        return True
