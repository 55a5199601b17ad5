"""Keyboard navigation from message to message and out of the transcript."""

from collections.abc import Callable, Iterator, Mapping

from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QAbstractScrollArea, QWidget

from desktop.ui.theme.tokens import Space
from desktop.ui.transcript.card import Card
from desktop.ui.transcript.entries import Entry, NoticeEntry
from desktop.ui.transcript.layout import ListLayout


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
