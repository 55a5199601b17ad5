"""A column of entries of which only those in or near the window are alive.

Entries elsewhere have an estimated height, or the one that was measured when they were last seen.
Whatever becomes known about heights, what the reader sees stays where it is: every change is laid
out around a reference, an entry in sight and its distance from the top of the window.
"""

from collections.abc import Callable, Iterator
from typing import NamedTuple

from PySide6.QtCore import QEvent, Qt, QTimer
from PySide6.QtGui import QFocusEvent, QKeyEvent, QPalette, QResizeEvent
from PySide6.QtWidgets import QAbstractScrollArea, QApplication, QFrame, QWidget

from desktop.ui.theme.theme import ThemeController
from desktop.ui.theme.tokens import COLUMN_WIDTH, Space
from desktop.ui.transcript.card import MARGIN, Card
from desktop.ui.transcript.entries import Entry, NoticeEntry
from desktop.ui.transcript.estimate import Estimate
from desktop.ui.transcript.focus import next_outside
from desktop.ui.transcript.heights import Heights
from desktop.ui.widgets.scroll_room import keep_scroll_room

_ABOVE = Space.LARGE - 4
_BELOW = Space.WIDE
_AHEAD = 0.75
"""So many windows beyond the edges are made ready when there is time."""
_KEPT = 1.5
"""So many windows beyond the edges stay alive."""
_SINGLE_STEP = 40
_NEAR_END = 4
_MOST_ROUNDS = 64


class _Reference(NamedTuple):
    """What must not move."""

    place: int
    y: int


class Flow(QAbstractScrollArea):
    def __init__(
        self,
        theme: ThemeController,
        cards: Callable[[Entry], Card],
        estimates: Callable[[], Estimate],
        parent: QWidget | None = None,
    ) -> None:
        """`cards` makes one come alive; `estimates` guesses at heights never laid out so far."""
        super().__init__(parent)
        self._cards_for = cards
        self._estimates = estimates
        self.theme = theme
        self.entries: list[Entry] = []
        self.heights = Heights()
        self.live: dict[Entry, Card] = {}
        self._follows = True
        self._is_settling = False
        self._column = 0
        self._ahead = QTimer(self, singleShot=True, interval=0)
        self._ahead.timeout.connect(self._make_one_ahead)
        app = QApplication.instance()
        if isinstance(app, QApplication):
            app.focusChanged.connect(self._focus_moved)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        keep_scroll_room(self)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.viewport().setBackgroundRole(QPalette.ColorRole.Window)
        self.verticalScrollBar().setSingleStep(_SINGLE_STEP)

    @property
    def is_at_end(self) -> bool:
        bar = self.verticalScrollBar()
        return bar.value() >= bar.maximum() - _NEAR_END

    @property
    def column_width(self) -> int:
        """Of a card, its margins included."""
        widest = round(COLUMN_WIDTH * max(self.theme.scale.zoom, 1.0))
        return max(min(widest, self.viewport().width() - 2 * Space.WIDE), 160) + 2 * MARGIN

    def show_entries(self, entries: list[Entry]) -> None:
        """Replaces everything; the end is shown until something else is asked for."""
        self._retire_all()
        self.entries = entries
        self._number_from(0)
        self.heights = Heights(map(self._estimates(), entries))
        self._follows = True
        self.settle()

    def insert_entry(self, index: int, entry: Entry) -> None:
        reference = self._reference()
        if reference and reference.place >= index:
            reference = _Reference(reference.place + 1, reference.y)
        self.entries.insert(index, entry)
        self._number_from(index)
        self.heights.insert(index, self._estimates()(entry))
        self.settle(reference)

    def remove_entries(self, first: int, last: int) -> None:
        """Takes out the entries from `first` up to, not including, `last`."""
        reference = self._reference()
        for index in reversed(range(first, last)):
            self._retire(self.entries[index])
            self.heights.remove(index)
        del self.entries[first:last]
        self._number_from(first)
        if reference and reference.place >= last:
            reference = _Reference(reference.place - (last - first), reference.y)
        elif reference and reference.place >= first:
            reference = None
        self.settle(reference)

    def remeasure(self, entry: Entry) -> None:
        """An entry is not as tall as it was."""
        reference = self._reference()
        entry.is_measured = False
        if entry not in self.live:
            self.heights.set(entry.index, self._estimates()(entry))
        self.settle(reference)

    def rebuild(self) -> None:
        """Everything looks different: theme, zoom or language."""
        reference = self._reference()
        self._retire_all()
        self._forget_heights()
        self.settle(reference)

    def scroll_to_entry(self, entry: Entry, y: int) -> None:
        """Put the top of an entry `y` below the top of the window."""
        self._follows = False
        self.settle(_Reference(entry.index, y))
        self._follows = self.is_at_end

    def go_to_end(self) -> None:
        self._follows = True
        self.settle()

    def place_of(self, entry: Entry) -> int:
        """How far its top is below the window's; none where it begins above."""
        top = _ABOVE + self.heights.top(entry.index) - self.verticalScrollBar().value()
        return max(top, 0)

    def entry_at_top(self) -> tuple[Entry, int] | None:
        """The first entry in sight and how much of it lies above the window."""
        if not self.entries:
            return None
        y = max(self.verticalScrollBar().value() - _ABOVE, 0)
        index = self.heights.at(y)
        return self.entries[index], y - self.heights.top(index)

    def settle(self, reference: _Reference | None = None) -> None:
        """Make alive and lay out what is in sight, and leave the reference where it is."""
        if self._is_settling:
            return
        self._is_settling = True
        try:
            self._settle(reference or self._reference())
        finally:
            self._is_settling = False

    def _settle(self, reference: _Reference | None) -> None:
        for entry in [e for e in self.live if not e.is_measured]:
            self._measure(entry)
        top = self._top_for(reference)
        for _ in range(_MOST_ROUNDS):
            first, last = self._span(top, 0)
            fresh = [e for e in self.entries[first:last] if e not in self.live]
            if not fresh:
                break
            for entry in fresh:
                self._bring(entry)
            top = self._top_for(reference)
        self._scroll_silently(top)
        self._place(top)
        self.settled()
        self._ahead.start()

    def settled(self) -> None:
        """Everything stands where it belongs."""

    def _top_for(self, reference: _Reference | None) -> int:
        most = max(self._extent() - self.viewport().height(), 0)
        if self._follows:
            return most
        if reference is None or reference.place >= len(self.entries):
            return min(self.verticalScrollBar().value(), most)
        return min(max(_ABOVE + self.heights.top(reference.place) - reference.y, 0), most)

    def _extent(self) -> int:
        return _ABOVE + self.heights.total + _BELOW

    def _reference(self) -> _Reference | None:
        """The first entry in sight that is alive; else the first in sight."""
        if not self.entries:
            return None
        top = self.verticalScrollBar().value()
        first, last = self._span(top, 0)
        for index in range(first, last):
            if self.entries[index] in self.live:
                return _Reference(index, _ABOVE + self.heights.top(index) - top)
        return _Reference(first, _ABOVE + self.heights.top(first) - top)

    def _span(self, top: int, beyond: float) -> tuple[int, int]:
        """Indices of the entries in sight and `beyond` so many windows around."""
        if not self.entries:
            return 0, 0
        high = self.viewport().height()
        start = top - _ABOVE - round(beyond * high)
        return self.heights.at(start), self.heights.at(start + round(high * (1 + 2 * beyond))) + 1

    def _bring(self, entry: Entry) -> None:
        card = self._cards_for(entry)
        card.step_asked.connect(lambda step: self._step_from(entry, step))
        self.live[entry] = card
        self._measure(entry)

    def _measure(self, entry: Entry) -> None:
        self.heights.set(entry.index, self.live[entry].fit(self.column_width))
        entry.is_measured = True

    def _place(self, top: int) -> None:
        first, last = self._span(top, _KEPT)
        left = (self.viewport().width() - self.column_width) // 2
        for entry, card in list(self.live.items()):
            if first <= entry.index < last or card.is_in_use():
                card.move(left, _ABOVE + self.heights.top(entry.index) - top)
                if card.isHidden():
                    card.show()
            else:
                self._retire(entry)

    def _make_one_ahead(self) -> None:
        top = self.verticalScrollBar().value()
        first, last = self._span(top, _AHEAD)
        fresh = next((e for e in self.entries[first:last] if e not in self.live), None)
        if fresh is None:
            return
        reference = self._reference()
        self._bring(fresh)
        self.settle(reference)

    def _scroll_silently(self, top: int) -> None:
        bar = self.verticalScrollBar()
        high = self.viewport().height()
        bar.setPageStep(high)
        bar.setRange(0, max(self._extent() - high, 0))
        bar.setValue(top)

    def _retire(self, entry: Entry) -> None:
        if (card := self.live.pop(entry, None)) is not None:
            card.hide()
            card.deleteLater()

    def _retire_all(self) -> None:
        for entry in list(self.live):
            self._retire(entry)

    def _forget_heights(self) -> None:
        for entry in self.entries:
            entry.is_measured = False
        estimate = self._estimates()
        self.heights = Heights(
            self.heights[e.index] if e in self.live else estimate(e) for e in self.entries
        )

    def _number_from(self, start: int) -> None:
        for index in range(start, len(self.entries)):
            self.entries[index].index = index

    def scrollContentsBy(self, _dx: int, dy: int) -> None:
        # What is painted and alive moves as it is; what was in sight stays the reference.
        self.viewport().scroll(0, dy)
        if not self._is_settling:
            self._follows = self.is_at_end
            self.settle()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        # Also where it was hidden until here: a place may have been gone to behind another page.
        reference = self._reference()
        if self.column_width != self._column:
            self._column = self.column_width
            self._forget_heights()
        self.settle(reference)

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange:
            self.retranslate()
        super().changeEvent(event)

    def retranslate(self) -> None:
        self.rebuild()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        bar = self.verticalScrollBar()
        page = max(bar.pageStep() - _SINGLE_STEP, _SINGLE_STEP)
        shifted = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        moves = {
            Qt.Key.Key_Up: -_SINGLE_STEP,
            Qt.Key.Key_Down: _SINGLE_STEP,
            Qt.Key.Key_PageUp: -page,
            Qt.Key.Key_PageDown: page,
            Qt.Key.Key_Space: -page if shifted else page,
        }
        key = Qt.Key(event.key())
        if key in moves:
            bar.setValue(bar.value() + moves[key])
        elif key == Qt.Key.Key_Home and self.entries:
            self.scroll_to_entry(self.entries[0], _ABOVE)
        elif key == Qt.Key.Key_End:
            self.go_to_end()
        else:
            event.ignore()

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Backwards, the last thing in it comes first."""
        super().focusInEvent(event)
        stops = self._stops()
        if event.reason() is Qt.FocusReason.BacktabFocusReason and len(stops) > 1:
            stops[-1].setFocus(Qt.FocusReason.BacktabFocusReason)

    def focusNextPrevChild(self, next: bool) -> bool:  # noqa: A002, FBT001 - Qt's signature
        """Tab goes through one message, then out: a long session is no trap for the keyboard."""
        stops = self._stops()
        focus = self.window().focusWidget()
        if focus in stops:
            at = stops.index(focus) + (1 if next else -1)
            if 0 <= at < len(stops):
                # Itself it is come to from behind only once: it would send the keyboard back.
                is_backwards = not next and stops[at] is not self
                reason = Qt.FocusReason.TabFocusReason
                stops[at].setFocus(Qt.FocusReason.BacktabFocusReason if is_backwards else reason)
                return True
        if (target := next_outside(self, forward=next)) is not None:
            reason = Qt.FocusReason.TabFocusReason
            target.setFocus(reason if next else Qt.FocusReason.BacktabFocusReason)
            return True
        return super().focusNextPrevChild(next)

    def _focus_moved(self) -> None:
        for card in self.live.values():
            card.focus_moved()

    def _stops(self) -> list[QWidget]:
        stops: list[QWidget] = [self]
        for card in self._current_group():
            stops.extend(card.tab_stops())
        return stops

    def _current_group(self) -> Iterator[Card]:
        """The message that the keyboard is at, and the notices that follow it."""
        card = self._current_card()
        at = next((entry.index for entry, one in self.live.items() if one is card), None)
        if at is None:
            return
        first, last = at, at + 1
        while first and isinstance(self.entries[first], NoticeEntry):
            first -= 1
        while last < len(self.entries) and isinstance(self.entries[last], NoticeEntry):
            last += 1
        yield from (self.live[one] for one in self.entries[first:last] if one in self.live)

    def _current_card(self) -> Card | None:
        """The card that the keyboard is in; else the last one whose beginning is in sight."""
        for card in self.live.values():
            if card.is_in_use():
                return card
        seen = [c for c in self._cards() if 0 <= c.y() < self.viewport().height()]
        if not seen:
            seen = [c for c in self._cards() if c.geometry().bottom() > 0]
        return seen[-1] if seen else None

    def _cards(self) -> Iterator[Card]:
        for entry in sorted(self.live, key=lambda entry: entry.index):
            yield self.live[entry]

    def _step_from(self, entry: Entry, step: int) -> None:
        card, high = self.live[entry], self.viewport().height()
        bar = self.verticalScrollBar()
        hidden = card.geometry().bottom() - high if step > 0 else -card.y()
        if hidden > 0:
            bar.setValue(bar.value() + step * min(hidden, _SINGLE_STEP * 2))
            return
        index = entry.index + step
        if not 0 <= index < len(self.entries):
            return
        target = self.entries[index]
        if target not in self.live:
            self._bring(target)
            self.settle()
        found = self.live[target]
        found.setFocus(Qt.FocusReason.TabFocusReason)
        self._reveal(found)

    def _reveal(self, card: Card) -> None:
        bar, high = self.verticalScrollBar(), self.viewport().height()
        if card.y() < 0:
            bar.setValue(bar.value() + card.y() - Space.SMALL)
        elif card.geometry().bottom() > high:
            beyond = min(card.geometry().bottom() - high, card.y())
            bar.setValue(bar.value() + beyond + Space.SMALL)
