"""Finds in the source that is read; a worker looks, the newest wish wins."""

from collections.abc import Sequence

from PySide6.QtCore import QObject, Signal

from desktop.domain.sources import SourcePassage
from desktop.ui.reader.reader_content import Finding, Place
from desktop.ui.turn_bridge import TurnBridge


class Finder(QObject):
    found = Signal(object)
    """Mapping of passages to the spans that were found in them"""
    moved = Signal(object)
    """Place that is led to"""

    def __init__(self, bridge: TurnBridge, parent: QObject) -> None:
        super().__init__(parent)
        self._bridge = bridge
        self._finding = Finding(())
        self._places: Sequence[Place] = ()
        self._at = 0
        self._text = ""

    @property
    def count(self) -> int:
        return len(self._places)

    @property
    def place(self) -> int:
        """From 1; 0 where there is none."""
        return self._at + 1 if self._places else 0

    def look_in(self, passages: Sequence[SourcePassage]) -> None:
        self._finding = Finding(passages)
        self.end()

    def end(self) -> None:
        self._text, self._places = "", ()
        self.found.emit({})

    def find(self, text: str) -> None:
        self._text = text
        finding = self._finding

        def told(places: list[Place]) -> None:
            if (finding, text) == (self._finding, self._text):
                self._take(places)

        if text.strip():
            self._bridge.run(lambda: finding.find(text), told)
        else:
            self.end()

    def step(self, by: int) -> None:
        if self._places:
            self._at = (self._at + by) % len(self._places)
            self.moved.emit(self._places[self._at])

    def _take(self, places: Sequence[Place]) -> None:
        self._places, self._at = places, 0
        spans: dict[int, list[tuple[int, int]]] = {}
        for one in places:
            spans.setdefault(one.passage, []).append((one.start, one.end))
        self.found.emit(spans)
        self.step(0)
