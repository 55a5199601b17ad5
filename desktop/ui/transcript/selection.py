"""Text selection across blocks and messages; all of it is copied as one text."""

from collections.abc import Callable, Iterator
from functools import partial

from PySide6.QtCore import QObject, QPoint, Signal
from PySide6.QtGui import QTextCursor

from desktop.ui.transcript.text_block import TextPane

_BETWEEN = "\n\n"


class TextSelection(QObject):
    dragged = Signal(object)  # QPoint on the screen that a selection is drawn to

    def __init__(self, panes: Callable[[], Iterator[TextPane]], parent: QObject) -> None:
        """`panes`: those there are now, from above; of several messages where they are shown."""
        super().__init__(parent)
        self._panes = panes

    def watch(self, pane: TextPane, beside: Callable[[], Iterator[TextPane]]) -> None:
        """`beside`: the blocks of its message, all of which are selected at once by a key."""
        pane.left_others.connect(partial(self._leave_all_but, pane))
        pane.dragged.connect(partial(self._extend, pane))
        pane.dragged.connect(self.dragged)
        pane.all_wanted.connect(partial(self._take_all, beside))
        pane.share(self.text)

    def text(self) -> str:
        """What is selected in all of them."""
        return _BETWEEN.join(filter(None, (pane.selected_text() for pane in self._panes())))

    def _extend(self, origin: TextPane, at: QPoint) -> None:
        """From where the drag began to where the pointer is, in whichever block that may be."""
        panes = list(self._panes())
        first, last = panes.index(origin), _place_at(panes, at)
        if first == last:  # the block itself has seen to it
            self._leave_all_but(origin)
            return
        is_down = last > first
        between = range(min(first, last) + 1, max(first, last))
        for place, pane in enumerate(panes):
            start, end = _ends(pane, from_start=is_down)
            if pane is origin:
                _select(pane, pane.textCursor().anchor(), end)
            elif place == last:
                _select(pane, start, pane.position_at(at))
            elif place in between:
                _select(pane, start, end)
            else:
                pane.clear_selection()

    def _take_all(self, beside: Callable[[], Iterator[TextPane]]) -> None:
        for pane in beside():
            _select(pane, *_ends(pane, from_start=True))

    def _leave_all_but(self, kept: TextPane) -> None:
        for pane in self._panes():
            if pane is not kept:
                pane.clear_selection()


def _place_at(panes: list[TextPane], at: QPoint) -> int:
    """The last block that begins above the pointer; the first where none does."""
    above = [n for n, pane in enumerate(panes) if pane.mapToGlobal(QPoint()).y() <= at.y()]
    return above[-1] if above else 0


def _ends(pane: TextPane, *, from_start: bool) -> tuple[int, int]:
    first, last = pane.whole_span()
    return (first, last) if from_start else (last, first)


def _select(pane: TextPane, anchor: int, position: int) -> None:
    cursor = pane.textCursor()
    if (cursor.anchor(), cursor.position()) == (anchor, position):
        return  # painting a long message again for nothing would hold up the pointer
    cursor.setPosition(anchor)
    cursor.setPosition(position, QTextCursor.MoveMode.KeepAnchor)
    pane.setTextCursor(cursor)
