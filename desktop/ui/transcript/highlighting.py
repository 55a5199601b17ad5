"""Highlights search terms in the transcript and steps through the matches."""

from collections.abc import Iterator, Sequence

from PySide6.QtCore import QObject, QTimer

from desktop.language.normalization import fold
from desktop.ui.theme.tokens import Space
from desktop.ui.transcript.entries import Entry, MessageEntry
from desktop.ui.transcript.highlight_terms import (
    NO_MARKS,
    HighlightTerms,
    TextFinder,
    TextMatch,
    places,
)
from desktop.ui.transcript.notice_card import SaidCard
from desktop.ui.transcript.virtual_list import VirtualList

_THIRD = 3
_FOLDED_AT_ONCE = 200
"""Messages: a few milliseconds."""
_MOST_LOOKS = 100
_LOOKED_THROUGH = 2_000
_LONGEST_WORD = 100


class Highlighter(QObject):
    def __init__(self, flow: VirtualList) -> None:
        super().__init__(flow)
        self._flow = flow
        self._finder = TextFinder()
        self._marks = NO_MARKS
        self._to_fold: list[MessageEntry] = []
        self._fold_soon = QTimer(self, interval=0)
        self._fold_soon.timeout.connect(self._fold_some)

    def forget(self) -> None:
        """The entries are others: nothing is marked in them."""
        self._marks, self._finder = NO_MARKS, TextFinder()

    def clear(self) -> None:
        self._finder = TextFinder()
        self._mark(NO_MARKS)

    def mark_new(self, card: SaidCard) -> None:
        """A card that has just come alive is marked like the others."""
        if self._marks:
            card.mark(self._marks)

    def show_words(self, entry: MessageEntry, terms: Sequence[str]) -> None:
        """Mark the words of a search everywhere, and show the first of them in an entry."""
        self._mark(HighlightTerms(terms=tuple(terms)))
        self._reach(entry, _first_words(entry, self._marks))
        self._flow.scroll_to_entry(entry, Space.SMALL)
        card = self._flow.live.get(entry)
        if isinstance(card, SaidCard) and (y := _first_mark(card)) is not None:
            self._show_y(entry, y)

    def prepare_to_find(self) -> None:
        """Fold what is not folded yet, a little at a time: the first letter finds at once then."""
        self._to_fold = [e for e in reversed(self._flow.entries) if isinstance(e, MessageEntry)]
        self._fold_soon.start()

    def find(self, text: str) -> int:
        """Mark every place of a text and go to the next one from here; how many there are."""
        at_top = self._flow.entry_at_top()
        words = ((e.index, e.folded) for e in self._flow.entries if isinstance(e, MessageEntry))
        count = self._finder.find(text, words, near=at_top[0].index if at_top else 0)
        self._mark(HighlightTerms(text=self._finder.text))
        self._go_to(self._finder.place())
        return count

    @property
    def place(self) -> int:
        """Number of the place that is led to, from 1; 0 where there is none."""
        return self._finder.current + 1 if len(self._finder) else 0

    def go_to_next(self) -> int:
        """Number of the place it goes to, from 1; 0 where there is none."""
        self._go_to(self._finder.step(1))
        return self.place

    def go_to_previous(self) -> int:
        self._go_to(self._finder.step(-1))
        return self.place

    def _cards(self) -> Iterator[SaidCard]:
        return (card for card in self._flow.live.values() if isinstance(card, SaidCard))

    def _mark(self, marks: HighlightTerms) -> None:
        self._marks = marks
        for card in self._cards():
            card.mark(marks)

    def _go_to(self, place: TextMatch | None) -> None:
        for card in self._cards():
            _lead_to(card, None)
        if place is None:
            return
        entry = self._flow.entries[place.entry]
        nth = place.nth
        if isinstance(entry, MessageEntry):
            self._reach(entry, (place.at, place.at + len(self._finder.text)))
            nth = _nth_shown(entry, place, self._finder.text)
        if entry not in self._flow.live:
            self._flow.scroll_to_entry(entry, Space.SMALL)
        found = self._flow.live[entry]
        if isinstance(found, SaidCard) and (y := _lead_to(found, nth)) is not None:
            self._show_y(entry, y)

    def _reach(self, entry: MessageEntry, span: tuple[int, int] | None) -> None:
        """Have a place laid out that stands in the part of a long paste that is not."""
        if span is None or not entry.reach(*span):
            return
        if isinstance(card := self._flow.live.get(entry), SaidCard):
            card.refresh()
        self._flow.remeasure(entry)

    def _show_y(self, entry: Entry, y: int) -> None:
        """Bring a place of an entry into sight, a third down the window, if it is not there."""
        high = self._flow.viewport().height()
        at = self._flow.live[entry].y() + y
        if not Space.WIDE <= at <= high - 2 * Space.WIDE:
            self._flow.scroll_to_entry(entry, high // _THIRD - y)

    def _fold_some(self) -> None:
        for _ in range(min(_FOLDED_AT_ONCE, len(self._to_fold))):
            self._to_fold.pop().folded  # noqa: B018 (it is kept)
        if not self._to_fold:
            self._fold_soon.stop()


def _nth_shown(entry: MessageEntry, place: TextMatch, text: str) -> int:
    """Which of the places that are laid out it is."""
    if not entry.is_user:
        return place.nth
    shown = places(fold(entry.shown), fold(text))
    return sum(entry.shown_from + at < place.at for at, _ in shown)


def _first_words(entry: MessageEntry, marks: HighlightTerms) -> tuple[int, int] | None:
    """Where the words of a search first stand in what is not laid out; None where others are."""
    if len(entry.shown) == len(entry.text) or marks.spans(entry.shown):
        return None
    # Only where their letters stand: the search for words in millions of letters takes seconds.
    after = 0
    for _ in range(_MOST_LOOKS):
        found = [entry.folded.find(fold(term), after) for term in marks.terms]
        at = min((one for one in found if one >= 0), default=-1)
        if at < 0:
            return None
        start, after = max(at - _LONGEST_WORD, 0), at + _LOOKED_THROUGH
        for first, last in marks.spans(entry.text[start:after]):
            if first + start >= at:
                return first + start, last + start
    return None


def _lead_to(card: SaidCard, place: int | None) -> int | None:
    """Make one marked place the current one; its distance from the card's top."""
    found: int | None = None
    left = place
    for pane in card.panes():
        area = pane.lead_to(left)
        if not area.isNull():
            found = pane.mapTo(card, area.topLeft().toPoint()).y()
        if left is not None:
            left = left - pane.marked if left >= pane.marked else None
    return found


def _first_mark(card: SaidCard) -> int | None:
    """The first marked place's distance from the card's top."""
    for pane in card.panes():
        if (area := pane.area_of_mark(0)) is not None:
            return pane.mapTo(card, area.topLeft().toPoint()).y()
    return None
