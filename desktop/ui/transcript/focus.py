"""Where the keyboard goes when it leaves a widget and all that is in it."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget


def next_outside(widget: QWidget, *, forward: bool) -> QWidget | None:
    """The next widget of the window, by Tab order, that stands outside of `widget`."""
    at = _neighbour(widget, forward=forward)
    while at is not None and at is not widget:
        takes_tab = bool(at.focusPolicy().value & Qt.FocusPolicy.TabFocus.value)
        is_outside = at.window() is widget.window() and not widget.isAncestorOf(at)
        if takes_tab and is_outside and at.isVisible() and at.isEnabled():
            return at
        at = _neighbour(at, forward=forward)
    return None


def _neighbour(widget: QWidget, *, forward: bool) -> QWidget | None:
    return widget.nextInFocusChain() if forward else widget.previousInFocusChain()
