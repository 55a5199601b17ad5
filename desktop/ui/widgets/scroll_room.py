"""Keeps the room of a scroll bar, so that nothing moves aside when one is needed."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractScrollArea


def keep_scroll_room(area: QAbstractScrollArea) -> None:
    """The bar is always there; disabled, with nothing to scroll, it is not to be seen."""
    bar = area.verticalScrollBar()
    area.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)
    bar.rangeChanged.connect(lambda low, high: bar.setEnabled(high > low))
    bar.setEnabled(bar.maximum() > bar.minimum())
