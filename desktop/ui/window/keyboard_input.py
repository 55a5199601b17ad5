"""Keyboard input of the window: edit actions, shortcuts before fields, typing into the composer.

On some systems a text field takes Ctrl+K, Ctrl+E or Ctrl+D for editing. The shortcuts of the menus
come first; copy, paste and undo stay with the field.
"""

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import QEvent, QObject, QRectF, Qt, Signal
from PySide6.QtGui import QContextMenuEvent, QKeyEvent, QKeySequence, QShortcut
from PySide6.QtWidgets import QApplication, QPlainTextEdit, QWidget
from shiboken6 import isValid

from desktop.ui.actions import QT_TR_NOOP, Action, Situation, WindowActions
from desktop.ui.widgets.bars import Field, MessageBar, UndoKey

_COMMANDS = (
    Qt.KeyboardModifier.ControlModifier
    | Qt.KeyboardModifier.AltModifier
    | Qt.KeyboardModifier.MetaModifier
)
# As some systems report it
_ALT_GR = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.AltModifier


def is_word(event: QKeyEvent) -> bool:
    """Whether a key types something; a space alone scrolls or presses a button."""
    commands = event.modifiers() & _COMMANDS
    writes = event.text().strip().isprintable() and bool(event.text().strip())
    return writes and commands in {Qt.KeyboardModifier.NoModifier, _ALT_GR}


def open_context_menu() -> None:
    if focus := QApplication.focusWidget():
        caret = focus.inputMethodQuery(Qt.InputMethodQuery.ImCursorRectangle)
        # Fields of several lines answer with a QRectF, a chart with None.
        at = QRectF(focus.rect() if caret is None else caret).center().toPoint()
        by_key = QContextMenuEvent.Reason.Keyboard
        QApplication.sendEvent(focus, QContextMenuEvent(by_key, at, focus.mapToGlobal(at)))


EDITING = {
    "undo": "undo",
    "redo": "redo",
    "cut": "cut",
    "copy": "copy",
    "paste": "paste",
    "select_all": "selectAll",
}
"""Actions of the focused field, by the method that all fields have for it."""
_READING = {"copy", "select_all"}
_OF_FIELDS = (*EDITING, "stop")  # A field handles these keys itself


class EditActions(QObject):
    changed = Signal()  # What is possible

    def __init__(
        self, actions: WindowActions, strip: MessageBar, writing: QPlainTextEdit, window: QWidget
    ) -> None:
        """`writing`: the field that gets what is pasted where nothing can be written."""
        super().__init__(window)
        self._writing = writing
        self._actions = actions
        self._strip = strip
        self._undo_key = UndoKey(strip, window)
        self._possible: dict[str, bool] = {}
        strip.changed.connect(self._allow)
        app = QApplication.instance()
        if isinstance(app, QApplication):
            app.focusChanged.connect(self._allow)
        # Qt itself knows only the Menu key, which many keyboards lack.
        keys = QShortcut(QKeySequence("Shift+F10"), window, open_context_menu)
        keys.setContext(Qt.ShortcutContext.ApplicationShortcut)
        self._allow()

    def records(self) -> Sequence[Action]:
        return [
            Action(act, title, keys, partial(self._edit, act), partial(self._is_possible, act))
            for act, title, keys in (
                ("undo", QT_TR_NOOP("Undo"), "Ctrl+Z"),
                ("redo", QT_TR_NOOP("Redo"), "Ctrl+Shift+Z"),
                ("cut", QT_TR_NOOP("Cut"), "Ctrl+X"),
                ("copy", QT_TR_NOOP("Copy"), "Ctrl+C"),
                ("paste", QT_TR_NOOP("Paste"), "Ctrl+V"),
                ("select_all", QT_TR_NOOP("Select all"), "Ctrl+A"),
            )
        ]

    def watch(self, *fields: QWidget) -> None:
        for field in fields:
            field.installEventFilter(self)

    def eventFilter(self, _watched: QObject, event: QEvent) -> bool:
        if event.type() != QEvent.Type.ShortcutOverride or not isinstance(event, QKeyEvent):
            return False
        is_ours = self._actions.owns(QKeySequence(event.keyCombination()), without=_OF_FIELDS)
        # A field keeps the undo keys for itself, even with nothing to undo.
        if event.matches(QKeySequence.StandardKey.Undo):
            is_ours = self._undo_key.undoes_change()
        if is_ours:
            event.ignore()
        return is_ours

    def _edit(self, act: str) -> None:
        if act == "undo" and self._undo_key.undoes_change():
            self._strip.undo_last()
        elif (field := self._target(act)) is not None:
            field.setFocus(Qt.FocusReason.ShortcutFocusReason)
            getattr(field, EDITING[act])()

    def _allow(self) -> None:
        # A deleted window loses the focus after its parts are gone.
        if not (isValid(self._actions) and isValid(self._writing)):
            return
        # Another program has the focus, or a menu is open: the field gets it back.
        if QApplication.focusWidget() is None and QApplication.activeWindow() is None:
            return
        for act in EDITING:
            is_possible = self._target(act) is not None
            if act == "undo":
                is_possible = is_possible or self._undo_key.undoes_change()
            self._possible[act] = is_possible
        self.changed.emit()

    def _is_possible(self, act: str, _: Situation) -> bool:
        return self._possible.get(act, False)

    def _target(self, act: str) -> Field | None:
        if (field := self._undo_key.field()) is not None and _can(act, field):
            return field
        is_for_writing = act == "paste" and self._writing.isVisible()
        return self._writing if is_for_writing else None


def _can(act: str, field: Field) -> bool:
    return act in _READING or not field.isReadOnly()
