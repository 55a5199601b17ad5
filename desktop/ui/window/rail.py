"""The narrow rail at the left edge: leads to the conversation and to the pages of the window."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent, QKeySequence
from PySide6.QtWidgets import QFrame, QWidget

from desktop.ui.actions import WindowActions, plain
from desktop.ui.theme.theme import Glyph, ThemeController
from desktop.ui.theme.tokens import Space
from desktop.ui.views import View
from desktop.ui.widgets.buttons import IconButton
from desktop.ui.widgets.layouts import STRETCH, column

_PAGES = {
    "library": Glyph.BOOKS,
    "memory": Glyph.MEMORY,
    "diary": Glyph.CALENDAR,
    "insight": Glyph.CHART,
    "prompts": Glyph.BRACES,
    "settings": Glyph.SLIDERS,
}
"""By the action that opens each; the last is at the foot."""
_WITHIN = {"literature": "library"}  # Pages that another one leads to
_NATIVE = QKeySequence.SequenceFormat.NativeText
_STEPS = {Qt.Key.Key_Down: 1, Qt.Key.Key_Up: -1}


class Rail(QFrame):
    conversation_wanted = Signal()

    def __init__(self, theme: ThemeController, actions: WindowActions) -> None:
        super().__init__()
        self._actions = actions
        self._conversation = IconButton(theme, Glyph.CHAT, self)
        self._pages = {act: IconButton(theme, glyph, self) for act, glyph in _PAGES.items()}
        self._buttons = (self._conversation, *self._pages.values())
        self.setProperty("role", "rail")
        for button in self._buttons:
            button.setCheckable(True)
        self._conversation.clicked.connect(self.conversation_wanted)
        for act, button in self._pages.items():
            button.clicked.connect(lambda _, act=act: actions.trigger(act))
        margin = (Space.TIGHT, Space.SMALL, Space.TIGHT, Space.SMALL)
        pages = column(*self._buttons[:-1], STRETCH, self._buttons[-1], spacing=Space.TIGHT)
        pages.setContentsMargins(*margin)
        self.setLayout(pages)
        self.show_current(None)

    def show_current(self, view: QWidget | None) -> None:
        """Check the button of the page that is shown; None: the conversation."""
        self._conversation.setChecked(view is None)
        shown = _WITHIN.get(view.act, view.act) if isinstance(view, View) else ""
        for act, button in self._pages.items():
            button.setChecked(act == shown)

    def refresh(self) -> None:
        """Offer what is possible now, with its keys."""
        self._conversation.set_name(self.tr("Conversation"))
        for act, button in self._pages.items():
            action = self._actions[act]
            button.setEnabled(action.isEnabled())
            button.set_name(plain(action.text()), self._actions.keys(act).toString(_NATIVE))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Move between the buttons with the arrow keys."""
        step = _STEPS.get(Qt.Key(event.key()))
        buttons = [button for button in self._buttons if button.isEnabled()]
        focused = [place for place, button in enumerate(buttons) if button.hasFocus()]
        if step and focused:
            place = (focused[0] + step) % len(buttons)
            buttons[place].setFocus(Qt.FocusReason.TabFocusReason)
        else:
            super().keyPressEvent(event)
