"""Highlights search terms in the transcript and steps through the matches."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from PySide6.QtCore import QObject

from desktop.language.normalization import fold
from desktop.ui.theme.tokens import Space
from desktop.ui.transcript.card import MessageCard
from desktop.ui.transcript.entries import Entry, MessageEntry
from desktop.ui.transcript.text_decorations import NO_MARKS, HighlightTerms, places
from desktop.ui.transcript.virtual_list import VirtualList

_THIRD = 3
_MOST_LOOKS = 100
_LOOKED_THROUGH = 2_000
_LONGEST_WORD = 100


class _Match(NamedTuple):
    entry: MessageEntry
    nth: int  # Which of the entry's places it is, from 0
    start: int
    end: int


class Highlighter(QObject):
    def __init__(self, flow: VirtualList) -> None:
        super().__init__(flow)
        self._flow = flow
        self._matches: Sequence[_Match] = ()
        self._current = 0
        self._marks = NO_MARKS

    @property
    def place(self) -> int:
        return self._current + 1 if self._matches else 0

    def forget(self) -> None:
        self._marks, self._matches = NO_MARKS, ()

    def clear(self) -> None:
        self._matches = ()
        self._mark(NO_MARKS)

    def mark_new(self, card: MessageCard) -> None:
        if self._marks:
            card.mark(self._marks)

    def show_words(self, entry: MessageEntry, terms: Sequence[str]) -> None:
        """Mark the words of a search everywhere, and show the first match in an entry."""
        self._mark(HighlightTerms(terms=tuple(terms)))
        if (hidden := _first_hidden(entry, self._marks)) is not None:
            self._reach(entry, *hidden)
        self._flow.scroll_to_entry(entry, Space.SMALL)
        self._show_mark(entry, 0)

    def find(self, text: str) -> int:
        """Mark every match of a text and go to the next one; return how many there are."""
        at_top = self._flow.entry_at_top()
        near = at_top[0].index if at_top else 0
        term = text.strip()
        messages = (entry for entry in self._flow.entries if isinstance(entry, MessageEntry))
        self._matches = [
            _Match(entry, nth, start, end)
            for entry in messages
            for nth, (start, end) in enumerate(places(entry.folded, fold(term)))
        ]
        later = (n for n, match in enumerate(self._matches) if match.entry.index >= near)
        self._current = next(later, 0)
        self._mark(HighlightTerms(text=term))
        self._go_to_current()
        return len(self._matches)

    def step(self, by: int) -> int:
        if self._matches:
            self._current = (self._current + by) % len(self._matches)
            self._go_to_current()
        return self.place

    def _cards(self) -> Iterator[MessageCard]:
        return (card for card in self._flow.live.values() if isinstance(card, MessageCard))

    def _mark(self, marks: HighlightTerms) -> None:
        self._marks = marks
        for card in self._cards():
            card.mark(marks)

    def _go_to_current(self) -> None:
        for card in self._cards():
            card.lead_to(None)
        if not self._matches:
            return
        entry, nth, start, end = self._matches[self._current]
        if entry not in self._flow.column:
            return  # the text has changed since
        self._reach(entry, start, end)
        if entry.is_user:  # of a long paste only a part is laid out
            before = places(fold(entry.shown), fold(self._marks.text))
            nth = sum(entry.shown_from + at < start for at, _ in before)
        if entry not in self._flow.live:
            self._flow.scroll_to_entry(entry, Space.SMALL)
        if isinstance(message_card := self._flow.live[entry], MessageCard):
            message_card.lead_to(nth)
        self._show_mark(entry, nth)

    def _reach(self, entry: MessageEntry, start: int, end: int) -> None:
        """Lay out a match in the part of a long paste that is not laid out yet."""
        if entry.reach(start, end):
            if isinstance(card := self._flow.live.get(entry), MessageCard):
                card.refresh()
            self._flow.remeasure(entry)

    def _show_mark(self, entry: Entry, nth: int) -> None:
        """Scroll a match to a third of the window, if it is not visible."""
        card = self._flow.live.get(entry)
        if not isinstance(card, MessageCard) or (y := card.y_of_mark(nth)) is None:
            return
        high = self._flow.viewport().height()
        if not Space.WIDE <= card.y() + y <= high - 2 * Space.WIDE:
            self._flow.scroll_to_entry(entry, high // _THIRD - y)


def _first_hidden(entry: MessageEntry, marks: HighlightTerms) -> tuple[int, int] | None:
    """Return the first match in the text that is not laid out; None if one is visible."""
    if len(entry.shown) == len(entry.text) or marks.spans(entry.shown):
        return None
    # A substring search, because searching for words in millions of letters takes seconds.
    after = 0
    for _ in range(_MOST_LOOKS):
        starts = [entry.folded.find(fold(term), after) for term in marks.terms]
        at = min((start for start in starts if start >= 0), default=-1)
        if at < 0:
            return None
        start, after = max(at - _LONGEST_WORD, 0), at + _LOOKED_THROUGH
        for first, last in marks.spans(entry.text[start:after]):
            if first + start >= at:
                return first + start, last + start
    return None
