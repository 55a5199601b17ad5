"""Undo, cut, copy, paste and select all: what the field with the focus does itself.

Outside of a text field there is nothing to edit, but a deletion can be undone from anywhere.
"""

from PySide6.QtCore import QEvent, QObject
from PySide6.QtGui import QKeyEvent, QKeySequence
from PySide6.QtWidgets import QApplication, QLineEdit, QPlainTextEdit, QTextEdit, QWidget
from shiboken6 import isValid

from desktop.ui.widgets.message_bar import MessageBar
from desktop.ui.window.actions import EDITING, Act, WindowActions
from desktop.ui.window.notices import DELETED

Field = QLineEdit | QPlainTextEdit | QTextEdit
_READING = {Act.COPY, Act.SELECT_ALL}


class Editing(QObject):
    def __init__(self, actions: WindowActions, strip: MessageBar, window: QWidget) -> None:
        super().__init__(window)
        self._actions = actions
        self._strip = strip
        self._window = window
        for act in EDITING:
            actions[act].triggered.connect(lambda _=False, act=act: self._edit(act))
        strip.changed.connect(self._allow)
        app = QApplication.instance()
        if isinstance(app, QApplication):
            app.focusChanged.connect(self._allow)
        self._allow()

    def watch(self, *fields: QWidget) -> None:
        """Fields that keep the keys of undoing for themselves, even with nothing to undo."""
        for field in fields:
            field.installEventFilter(self)

    def eventFilter(self, _watched: QObject, event: QEvent) -> bool:
        if event.type() != QEvent.Type.ShortcutOverride or not isinstance(event, QKeyEvent):
            return False
        if not event.matches(QKeySequence.StandardKey.Undo):
            return False
        if not self._undoes_deletion(self._field()):
            return False
        event.ignore()
        return True

    def _edit(self, act: Act) -> None:
        field = self._field()
        if act is Act.UNDO and self._undoes_deletion(field):
            self._strip.choose_first(DELETED)
        elif field is not None and _can(act, field):
            _do(act, field)

    def _allow(self) -> None:
        # A window that is deleted loses the keyboard when its actions are gone already.
        if not isValid(self._actions):
            return
        # Another program has the keyboard, or a menu is open: the field gets it back.
        if QApplication.focusWidget() is None and QApplication.activeWindow() is None:
            return
        field = self._field()
        for act in EDITING:
            is_possible = field is not None and _can(act, field)
            if act is Act.UNDO:
                is_possible = is_possible or self._undoes_deletion(field)
            self._actions[act].setEnabled(is_possible)

    def _field(self) -> Field | None:
        focus = QApplication.focusWidget()
        is_here = focus is not None and self._window.isAncestorOf(focus)
        return focus if is_here and isinstance(focus, Field) else None

    def _undoes_deletion(self, field: Field | None) -> bool:
        return DELETED in self._strip and (field is None or not _has_changes(field))


def _can(act: Act, field: Field) -> bool:
    return act in _READING or not field.isReadOnly()


def _has_changes(field: Field) -> bool:
    if isinstance(field, QLineEdit):
        return field.isUndoAvailable()
    return field.document().isUndoAvailable()


def _do(act: Act, field: Field) -> None:
    match act:
        case Act.UNDO:
            field.undo()
        case Act.REDO:
            field.redo()
        case Act.CUT:
            field.cut()
        case Act.COPY:
            field.copy()
        case Act.PASTE:
            field.paste()
        case Act.SELECT_ALL:
            field.selectAll()
        case _:
            pass
