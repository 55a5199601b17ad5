"""The column of the transcript's entries: where each is, and moving through them by key.

Changing a height costs as much as there are entries after it, which for the last one is nothing.
"""

from bisect import bisect_right
from collections.abc import Callable, Container, Iterator, Mapping
from operator import attrgetter
from typing import NamedTuple

from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QAbstractScrollArea, QWidget

from desktop.ui.theme.tokens import USER_SHARE, Space
from desktop.ui.transcript.card import MARGIN, Card, CardStyle
from desktop.ui.transcript.entries import Entry, NoticeEntry

_LETTER_EM = 0.53
_SHORT_LINE = 0.45  # share of a line that is lost at a manual break
_FEWEST_LETTERS = 8
_NOTICE_HEIGHT = 3 * Space.LARGE

Estimate = Callable[[Entry], int]


def estimates(look: CardStyle, width: int) -> Estimate:
    """Estimate heights for one card width; long sessions need thousands at once."""
    line = look.style.line_height(look.style.scale.body)
    room = width - 2 * MARGIN
    letter = line / look.style.theme.line_height * _LETTER_EM
    answers = max(room / letter, _FEWEST_LETTERS)
    questions = max(room * USER_SHARE / letter, _FEWEST_LETTERS)
    frame_height = look.line_of_actions() + look.line_of_small() + Space.WIDE

    def estimate(entry: Entry) -> int:
        if isinstance(entry, NoticeEntry):
            return _NOTICE_HEIGHT
        text = entry.shown
        letters = questions if entry.is_user else answers
        lines = len(text) / letters + 1 + text.count("\n") * _SHORT_LINE
        return round(lines * line) + frame_height

    return estimate


ABOVE = Space.LARGE - 4
_BELOW = Space.WIDE


class ScrollAnchor(NamedTuple):
    """An entry that must not move, and the distance of its top from the window's."""

    entry: Entry
    y: int


class ListLayout:
    def __init__(self, estimates: Callable[[], Estimate]) -> None:
        """`estimates` guesses heights that were never laid out, for the width at that time."""
        self._estimates = estimates
        self._placed = 0  # The number of entries from the first whose tops are up to date
        self.entries: list[Entry] = []

    def __contains__(self, entry: Entry) -> bool:
        return entry.index < len(self.entries) and self.entries[entry.index] is entry

    def fill(self, entries: list[Entry]) -> None:
        self.entries = entries
        estimate = self._estimates()
        for entry in entries:
            entry.height = estimate(entry)
        self._number_from(0)

    def insert(self, index: int, entry: Entry) -> None:
        entry.height = self._estimates()(entry)
        self.entries.insert(index, entry)
        self._number_from(index)

    def remove(self, first: int, last: int) -> None:
        del self.entries[first:last]
        self._number_from(first)

    def measure(self, entry: Entry, height: int) -> None:
        entry.is_measured = True
        self._set_height(entry, height)

    def estimate(self, entry: Entry) -> None:
        entry.is_measured = False
        self._set_height(entry, self._estimates()(entry))

    def estimate_all_but(self, alive: Container[Entry]) -> None:
        """Forget all heights but those of live cards, which stay until they are measured."""
        estimate = self._estimates()
        for entry in self.entries:
            entry.is_measured = False
            if entry not in alive:
                entry.height = estimate(entry)
        self._placed = 0

    @property
    def extent(self) -> int:
        return self._place() + _BELOW

    def top(self, entry: Entry) -> int:
        self._place()
        return entry.top

    def at(self, y: int) -> int:
        """Return the entry that covers `y`, else the nearest one. Needs at least one entry."""
        self._place()
        return max(bisect_right(self.entries, y, key=attrgetter("top")) - 1, 0)

    def span(self, y: int, high: int, *, beyond: float = 0) -> tuple[int, int]:
        """Return the entries in a window at `y`, and in `beyond` windows around it."""
        if not self.entries:
            return 0, 0
        start = y - round(beyond * high)
        return self.at(start), self.at(start + round(high * (1 + 2 * beyond))) + 1

    def _number_from(self, start: int) -> None:
        for index in range(start, len(self.entries)):
            self.entries[index].index = index
        self._placed = min(self._placed, start)

    def _set_height(self, entry: Entry, height: int) -> None:
        if entry.height != height:
            entry.height = height
            self._placed = min(self._placed, entry.index + 1)

    def _place(self) -> int:
        """Set the tops of the entries below a changed one; return the end of the last."""
        last = self.entries[self._placed - 1] if self._placed else None
        top = last.top + last.height if last else ABOVE
        for index in range(self._placed, len(self.entries)):
            self.entries[index].top = top
            top += self.entries[index].height
        self._placed = len(self.entries)
        return top


def next_outside(widget: QWidget, *, forward: bool) -> QWidget | None:
    """Return where Tab leads to, without cards: Qt puts them last."""
    at = _neighbour(widget, forward=forward)
    while at is not None and at is not widget:
        takes_tab = bool(at.focusPolicy().value & Qt.FocusPolicy.TabFocus.value)
        is_shown = at.window() is widget.window() and at.isVisible() and at.isEnabled()
        if takes_tab and is_shown and at.focusProxy() is None and not _is_in_card(at):
            return at
        at = _neighbour(at, forward=forward)
    return None


def _is_in_card(widget: QWidget | None) -> bool:
    while widget is not None and not isinstance(widget, Card):
        widget = widget.parentWidget()
    return widget is not None


def _neighbour(widget: QWidget, *, forward: bool) -> QWidget | None:
    return widget.nextInFocusChain() if forward else widget.previousInFocusChain()


class Keyboard:
    def __init__(
        self,
        area: QAbstractScrollArea,
        column: ListLayout,
        live: Mapping[Entry, Card],
        bring: Callable[[Entry], None],
    ) -> None:
        """`live`: the existing cards; `bring` creates the card of another entry."""
        self._area = area
        self._column = column
        self._live = live
        self._bring = bring

    def enter_backwards(self) -> None:
        stops = self._stops()
        if len(stops) > 1:
            self._take(stops[-1], Qt.FocusReason.BacktabFocusReason)

    def go_on(self, *, forward: bool) -> bool:
        """Move Tab through one message, then out, so that a long session is no focus trap."""
        stops = self._stops()
        focus = self._area.window().focusWidget()
        if focus in stops:
            at = stops.index(focus) + (1 if forward else -1)
            if 0 <= at < len(stops):
                # Only once from behind: it would send the keyboard back.
                is_backwards = not forward and stops[at] is not self._area
                self._take(stops[at], _reason(forward=not is_backwards))
                return True
        if (target := next_outside(self._area, forward=forward)) is not None:
            target.setFocus(_reason(forward=forward))
            return True
        return False

    def step(self, entry: Entry, step: int, *, most: int) -> None:
        """Go to the entry below (1) or above (-1), `most` pixels at a time if one is taller."""
        card, high = self._live[entry], self._area.viewport().height()
        bar = self._area.verticalScrollBar()
        hidden = card.geometry().bottom() - high if step > 0 else -card.y()
        index = entry.index + step
        if hidden > 0:
            bar.setValue(bar.value() + step * min(hidden, most))
        elif 0 <= index < len(self._column.entries):
            target = self._column.entries[index]
            if target not in self._live:
                self._bring(target)
            target_card = self._live[target]
            target_card.setFocus(Qt.FocusReason.TabFocusReason)
            self._reveal(target_card)

    def _stops(self) -> list[QWidget]:
        stops: list[QWidget] = [self._area]
        for card in self._current_group():
            stops.extend(card.tab_stops())
        return stops

    def _current_group(self) -> Iterator[Card]:
        entries = self._column.entries
        if (at := self._current_index()) is None:
            return
        first, last = at, at + 1
        while first and isinstance(entries[first], NoticeEntry):
            first -= 1
        while last < len(entries) and isinstance(entries[last], NoticeEntry):
            last += 1
        yield from (self._live[entry] for entry in entries[first:last] if entry in self._live)

    def _current_index(self) -> int | None:
        """Return the card with the focus; else the last one whose top is visible."""
        high = self._area.viewport().height()
        cards = sorted(self._live.items(), key=lambda pair: pair[0].index)
        in_use = [entry for entry, card in cards if card.is_in_use()]
        begun = [entry for entry, card in cards if 0 <= card.y() < high]
        seen = [entry for entry, card in cards if card.geometry().bottom() > 0]
        return next((group[-1].index for group in (in_use, begun, seen) if group), None)

    def _take(self, stop: QWidget, reason: Qt.FocusReason) -> None:
        """Focus a widget and scroll to it; a message that is partly visible stays in place."""
        stop.setFocus(reason)
        if stop is not self._area and stop not in self._live.values():
            self._reveal(stop)

    def _reveal(self, widget: QWidget) -> None:
        bar, high = self._area.verticalScrollBar(), self._area.viewport().height()
        top = widget.mapTo(self._area.viewport(), QPoint()).y()
        bottom = top + widget.height()
        if top < 0:
            bar.setValue(bar.value() + top - Space.SMALL)
        elif bottom > high:
            bar.setValue(bar.value() + min(bottom - high, top) + Space.SMALL)


def _reason(*, forward: bool) -> Qt.FocusReason:
    return Qt.FocusReason.TabFocusReason if forward else Qt.FocusReason.BacktabFocusReason
