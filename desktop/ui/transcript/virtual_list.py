"""A column of entries of which only those in or near the window are alive.

Entries elsewhere have an estimated height, or the one that was measured when they were last seen.
Visible text does not move when heights change: every change is laid out around a reference, a
visible entry and its distance from the top of the window.
"""

from collections.abc import Callable

from PySide6.QtCore import QPoint, QSize, Qt
from PySide6.QtGui import QFocusEvent, QKeyEvent, QPalette, QResizeEvent
from PySide6.QtWidgets import QAbstractScrollArea, QAbstractSlider, QApplication, QFrame, QWidget

from desktop.ui.i18n import TranslatedWidget
from desktop.ui.theme.theme import Glyph, ThemeController
from desktop.ui.theme.tokens import Space
from desktop.ui.timers import make_timer
from desktop.ui.transcript.card import MARGIN, Card
from desktop.ui.transcript.column import ABOVE, Estimate, Keyboard, ListLayout, ScrollAnchor
from desktop.ui.transcript.entries import Entry
from desktop.ui.widgets.buttons import IconButton
from desktop.ui.widgets.layouts import reserve_scrollbar

_AHEAD = 0.75  # Windows beyond the edges that are prepared when there is time
_KEPT = 1.5  # Windows beyond the edges that stay alive
_SINGLE_STEP = 40
_NEAR_END = 4
_MOST_ROUNDS = 64


class VirtualList(TranslatedWidget, QAbstractScrollArea):
    def __init__(
        self,
        theme: ThemeController,
        cards: Callable[[Entry], Card],
        estimates: Callable[[], Estimate],
        parent: QWidget | None = None,
    ) -> None:
        """`cards` creates a card; `estimates` estimates heights that were never measured."""
        super().__init__(parent)
        self._cards_for = cards
        self.theme = theme
        self.column = ListLayout(estimates)
        self.live: dict[Entry, Card] = {}
        self._keyboard = Keyboard(self, self.column, self.live, self._bring_now)
        self._follows = True
        self._is_settling = False
        self._width = 0
        self._ahead = make_timer(self, 0, self._make_one_ahead, is_single=True)
        app = QApplication.instance()
        if isinstance(app, QApplication):
            app.focusChanged.connect(self._focus_moved)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        reserve_scrollbar(self)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.viewport().setBackgroundRole(QPalette.ColorRole.Window)
        self.verticalScrollBar().setSingleStep(_SINGLE_STEP)

    @property
    def entries(self) -> list[Entry]:
        return self.column.entries

    @property
    def is_at_end(self) -> bool:
        bar = self.verticalScrollBar()
        return bar.value() >= bar.maximum() - _NEAR_END

    @property
    def column_width(self) -> int:
        room = self.viewport().width() - 2 * self.theme.column_margin
        return max(min(self.theme.column_width, room), 160) + 2 * MARGIN

    def show_entries(self, entries: list[Entry]) -> None:
        self._retire_all()
        self.column.fill(entries)
        self._follows = True
        self.settle()

    def insert_entry(self, index: int, entry: Entry) -> None:
        reference = self._reference()
        self.column.insert(index, entry)
        self.settle(reference)

    def remove_entries(self, first: int, last: int) -> None:
        reference = self._reference()
        for entry in self.entries[first:last]:
            self._retire(entry)
        self.column.remove(first, last)
        self.settle(reference)

    def remeasure(self, entry: Entry) -> None:
        reference = self._reference()
        if entry in self.live:
            entry.is_measured = False
        else:
            self.column.estimate(entry)
        self.settle(reference)

    def retranslate(self) -> None:
        self.rebuild()

    def rebuild(self) -> None:
        reference = self._reference()
        self._retire_all()
        self.column.estimate_all_but(self.live)
        self.settle(reference)

    def scroll_to_entry(self, entry: Entry, y: int) -> None:
        self._follows = False
        self.settle(ScrollAnchor(entry, y))
        self._follows = self.is_at_end

    def go_to_end(self) -> None:
        self._follows = True
        self.settle()

    def scroll_towards(self, at: QPoint) -> None:
        """Scroll by the distance of a point beyond the window, where a selection is dragged to."""
        y, high = self.viewport().mapFromGlobal(at).y(), self.viewport().height()
        beyond = y if y < 0 else max(y - high, 0)
        if beyond:
            bar = self.verticalScrollBar()
            bar.setValue(bar.value() + max(min(beyond, _SINGLE_STEP), -_SINGLE_STEP))

    def place_of(self, entry: Entry) -> int:
        """Return how far its top is below the window's; 0 if it begins above."""
        return max(self.column.top(entry) - self.verticalScrollBar().value(), 0)

    def entry_at_top(self) -> tuple[Entry, int] | None:
        if not self.entries:
            return None
        y = max(self.verticalScrollBar().value(), ABOVE)
        entry = self.entries[self.column.at(y)]
        return entry, y - self.column.top(entry)

    def settle(self, reference: ScrollAnchor | None = None) -> None:
        """Create and lay out the visible cards without moving the reference."""
        if self._is_settling:
            return
        self._is_settling = True
        try:
            self._settle(reference or self._reference())
        finally:
            self._is_settling = False

    def _settle(self, reference: ScrollAnchor | None) -> None:
        for entry in [e for e in self.live if not e.is_measured]:
            self._measure(entry)
        top = self._top_for(reference)
        for _ in range(_MOST_ROUNDS):
            first, last = self._span(top)
            fresh = [e for e in self.entries[first:last] if e not in self.live]
            if not fresh:
                break
            for entry in fresh:
                self._bring(entry)
            top = self._top_for(reference)
        bar, high = self.verticalScrollBar(), self.viewport().height()
        bar.setPageStep(max(high - _SINGLE_STEP, _SINGLE_STEP))
        bar.setRange(0, max(self.column.extent - high, 0))
        bar.setValue(top)
        self._place(top)
        self.settled()
        self._ahead.start()

    def settled(self) -> None:
        """All entries are laid out."""

    def _top_for(self, reference: ScrollAnchor | None) -> int:
        most = max(self.column.extent - self.viewport().height(), 0)
        if self._follows:
            return most
        if reference is None or reference.entry not in self.column:
            return min(self.verticalScrollBar().value(), most)
        return min(max(self.column.top(reference.entry) - reference.y, 0), most)

    def _reference(self) -> ScrollAnchor | None:
        """Return the first visible entry with a card; else the first visible one."""
        top = self.verticalScrollBar().value()
        first, last = self._span(top)
        seen = self.entries[first:last]
        entry = next(
            (candidate for candidate in seen if candidate in self.live), seen[0] if seen else None
        )
        return ScrollAnchor(entry, self.column.top(entry) - top) if entry else None

    def _span(self, top: int, *, beyond: float = 0) -> tuple[int, int]:
        return self.column.span(top, self.viewport().height(), beyond=beyond)

    def _bring(self, entry: Entry) -> None:
        self.live[entry] = self._cards_for(entry)
        self._measure(entry)

    def _bring_now(self, entry: Entry) -> None:
        self._bring(entry)
        self.settle()

    def _measure(self, entry: Entry) -> None:
        self.column.measure(entry, self.live[entry].fit(self.column_width))

    def _place(self, top: int) -> None:
        first, last = self._span(top, beyond=_KEPT)
        left = (self.viewport().width() - self.column_width) // 2
        for entry, card in list(self.live.items()):
            if first <= entry.index < last or card.is_in_use() or card.is_selected():
                card.move(left, self.column.top(entry) - top)
                card.show()
            else:
                self._retire(entry)

    def _make_one_ahead(self) -> None:
        first, last = self._span(self.verticalScrollBar().value(), beyond=_AHEAD)
        fresh = next((e for e in self.entries[first:last] if e not in self.live), None)
        if fresh is None:
            return
        reference = self._reference()
        self._bring(fresh)
        self.settle(reference)

    def _retire(self, entry: Entry) -> None:
        if (card := self.live.pop(entry, None)) is not None:
            card.hide()
            card.deleteLater()

    def _retire_all(self) -> None:
        for entry in list(self.live):
            self._retire(entry)

    def scrollContentsBy(self, _dx: int, dy: int) -> None:
        # Visible cards move as they are; the visible entry stays the reference.
        self.viewport().scroll(0, dy)
        if not self._is_settling:
            self._follows = self.is_at_end
            self.settle()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        # Also if it was hidden until now, because it may have been scrolled while hidden.
        reference = self._reference()
        if self.column_width != self._width:
            self._width = self.column_width
            self.column.estimate_all_but(self.live)
        self.settle(reference)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        bar, actions = self.verticalScrollBar(), QAbstractSlider.SliderAction
        shifted = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        focused = next((entry for entry, card in self.live.items() if card.hasFocus()), None)
        match event.key():
            case (Qt.Key.Key_Up | Qt.Key.Key_Down) as key if focused is not None:
                step = 1 if key == Qt.Key.Key_Down else -1
                self._keyboard.step(focused, step, most=2 * _SINGLE_STEP)
            case Qt.Key.Key_Space:
                page = actions.SliderPageStepSub if shifted else actions.SliderPageStepAdd
                bar.triggerAction(page)
            case Qt.Key.Key_Home if self.entries:
                self.scroll_to_entry(self.entries[0], ABOVE)
            case Qt.Key.Key_End:
                self.go_to_end()
            case _:
                super().keyPressEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        if event.reason() is Qt.FocusReason.BacktabFocusReason:
            self._keyboard.enter_backwards()

    def focusNextPrevChild(self, next: bool) -> bool:  # noqa: A002, FBT001 - Qt's signature
        return self._keyboard.go_on(forward=next) or super().focusNextPrevChild(next)

    def _focus_moved(self) -> None:
        for card in self.live.values():
            card.focus_moved()


class ScrollToEndButton(IconButton):
    def __init__(self, theme: ThemeController, viewport: QWidget) -> None:
        # Outside the viewport, because scrolling would repaint the whole area otherwise.
        super().__init__(theme, Glyph.ARROW_DOWN, viewport)
        self.setProperty("kind", "floating")
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.hide()

    def place(self, viewport: QSize, column_end: int) -> None:
        """Place the button; `column_end`: the right edge of the text column."""
        side = min(self.sizeHint().width(), viewport.width() - column_end)
        x = min(column_end + Space.MEDIUM, viewport.width() - side)
        self.setGeometry(x, viewport.height() - 1 - side - Space.MEDIUM, side, side)
        self.raise_()
