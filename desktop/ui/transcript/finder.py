"""Find-in-session: where in the messages a text stands, and which place is the current one."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from desktop.language.normalization import fold
from desktop.ui.transcript.highlight_terms import places


class Place(NamedTuple):
    entry: int
    nth: int
    """Which of the entry's places it is, from 0."""
    at: int
    """The letter of the entry's text that it begins with."""


class Finder:
    def __init__(self) -> None:
        self._places: Sequence[Place] = ()
        self.current = -1
        self.text = ""

    def __len__(self) -> int:
        return len(self._places)

    def find(self, text: str, entries: Iterable[tuple[int, str]], *, near: int) -> int:
        """Look through (index, text) pairs; the current place is the first from `near` on."""
        wanted = fold(text.strip())
        self.text = text.strip()
        self._places = [
            Place(index, nth, at)
            for index, words in (entries if wanted else ())
            for nth, (at, _) in enumerate(places(fold(words), wanted))
        ]
        self.current = next((n for n, p in enumerate(self._places) if p.entry >= near), 0)
        return len(self._places)

    def place(self) -> Place | None:
        return self._places[self.current] if self._places else None

    def step(self, by: int) -> Place | None:
        if self._places:
            self.current = (self.current + by) % len(self._places)
        return self.place()
