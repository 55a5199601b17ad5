"""Windows beside the main one that a change of language opens again, where and as they were."""

from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QAbstractScrollArea, QApplication, QDialog, QScrollBar, QWidget

from desktop.ui.widgets.fields import EnumComboBox, SearchField

W = TypeVar("W", bound=QWidget)
R = TypeVar("R", bound="ReopenedWindow")


class ReopenedWindow(QDialog):
    """Sets its texts once: a change of language opens a new window in its place."""

    @property
    def scrolled(self) -> Sequence[QAbstractScrollArea]:
        """Return what a new window scrolls to the same place."""
        return ()

    @property
    def holds_work(self) -> bool:
        """Return whether it stays as it is, because something in it is not finished."""
        return False


def retire(window: QWidget, *, stays: bool) -> None:
    """Delete a window; one that is visible and `stays` lives on until the program ends."""
    if not (stays and window.isVisible()):
        window.deleteLater()


def renew(old: R, open_again: Callable[[], R]) -> None:
    """Open a window in the current language, where and as it was, but not while it holds work."""
    if old.isVisible() and not old.holds_work:
        active = QApplication.activeWindow()
        new = open_again()
        new.restoreGeometry(old.saveGeometry())
        for field, before in _pairs(SearchField, new, old):
            field.setText(before.text())
        for choice, earlier in _pairs(EnumComboBox, new, old):
            choice.setCurrentIndex(earlier.currentIndex())
            choice.activated.emit(earlier.currentIndex())
        for area, place in zip(new.scrolled, old.scrolled, strict=True):
            _scroll_once_filled(area.verticalScrollBar(), place.verticalScrollBar().value())
        if active is not None and active is not old:
            active.activateWindow()
    retire(old, stays=old.holds_work)


def _pairs(kind: type[W], new: QWidget, old: QWidget) -> Iterator[tuple[W, W]]:
    return zip(new.findChildren(kind), old.findChildren(kind), strict=False)


def _scroll_once_filled(bar: QScrollBar, value: int) -> None:
    """Scroll when there is so much: a worker loads what the window shows."""

    def scroll(_least: int, most: int) -> None:
        if most >= value:
            bar.rangeChanged.disconnect(scroll)
            QTimer.singleShot(0, bar, lambda: bar.setValue(value))  # after a row is chosen

    if value:
        bar.rangeChanged.connect(scroll)
