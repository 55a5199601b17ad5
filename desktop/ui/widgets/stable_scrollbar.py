"""Keeps the room of a scroll bar, so that nothing moves aside when one is needed."""

from PySide6.QtCore import QObject, Qt
from PySide6.QtWidgets import QAbstractScrollArea


def keep_scroll_room(area: QAbstractScrollArea) -> None:
    """The bar is always there; disabled, with nothing to scroll, it is not to be seen."""
    area.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)
    _Room(area)


class _Room(QObject):
    """Lives and ends with its area: what held the bar itself would outlive it."""

    def __init__(self, area: QAbstractScrollArea) -> None:
        super().__init__(area)
        self._area = area
        bar = area.verticalScrollBar()
        bar.rangeChanged.connect(self._fit)
        self._fit(bar.minimum(), bar.maximum())

    def _fit(self, low: int, high: int) -> None:
        self._area.verticalScrollBar().setEnabled(high > low)
