"""Keys that are meant for the composer, wherever they are pressed.

So they are when a dialog opens by itself in the middle of a word. Until there was a pause in the
typing the dialog itself has the keyboard and none of its fields, and what is typed goes where it
was going; then the first field takes over.
"""

from collections.abc import Callable

from PySide6.QtCore import QEvent, QObject, Qt, QTimer
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QDialog

_PAUSE_MS = 1_500
_MOVES = {Qt.Key.Key_Tab, Qt.Key.Key_Backtab, Qt.Key.Key_Escape}
"""What nobody types into a text: it is meant for the dialog."""
_ENDS = {Qt.Key.Key_Return, Qt.Key.Key_Enter}
_COMMANDS = (
    Qt.KeyboardModifier.ControlModifier
    | Qt.KeyboardModifier.AltModifier
    | Qt.KeyboardModifier.MetaModifier
)
_ALT_GR = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.AltModifier
"""As some systems report it"""


def is_word(event: QKeyEvent) -> bool:
    """Whether a key writes something; a space alone is for scrolling and pressing buttons."""
    commands = event.modifiers() & _COMMANDS
    writes = event.text().strip().isprintable() and bool(event.text().strip())
    return writes and commands in {Qt.KeyboardModifier.NoModifier, _ALT_GR}


class TypedAhead(QObject):
    def __init__(self, dialog: QDialog, pass_on: Callable[[QKeyEvent], object]) -> None:
        """Before the dialog is shown. `pass_on` takes a key to where the typing was going."""
        super().__init__(dialog)
        self._dialog = dialog
        self._pass_on = pass_on
        self.pause = QTimer(self, singleShot=True, interval=_PAUSE_MS)
        self.pause.timeout.connect(self._hand_over)
        dialog.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        dialog.setFocus(Qt.FocusReason.OtherFocusReason)
        dialog.installEventFilter(self)
        self.pause.start()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent):
            return self._take(event)
        return super().eventFilter(watched, event)

    def _take(self, event: QKeyEvent) -> bool:
        """Whether the dialog hears nothing of it."""
        if event.key() in _MOVES:
            return False
        self.pause.start()
        # Sent from behind a dialog, and that dialog answered at once, nobody wants either.
        if event.key() not in _ENDS:
            self._pass_on(event)
        return True

    def _hand_over(self) -> None:
        dialog = self._dialog
        dialog.removeEventFilter(self)
        had_keyboard = dialog.hasFocus()
        dialog.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        if had_keyboard:
            dialog.focusNextChild()
