"""Pages of the main window that take the place of the conversation, and keys of their own.

A page is built when it is first opened. A change of language builds it anew, at the same place.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

from PySide6.QtCore import QEvent, QLocale, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent, QKeySequence
from PySide6.QtWidgets import QAbstractScrollArea, QScrollBar, QSizePolicy, QWidget

from desktop.ui.widgets.bars import MessageBar
from desktop.ui.widgets.fields import EnumComboBox
from desktop.ui.widgets.search_fields import SearchField

W = TypeVar("W", bound=QWidget)
V = TypeVar("V", bound="View")
Acts = Sequence[tuple[QKeySequence, Callable[[], object]]]


class OwnKeys:
    """Mix-in for widgets, before Qt's class: takes keys that the main window's actions have, too.

    Two shortcuts of one window with the same keys would both do nothing.
    """

    def own_keys(self) -> Acts:
        raise NotImplementedError

    def event(self, event: QEvent) -> bool:
        is_offered = event.type() == QEvent.Type.ShortcutOverride
        if is_offered and isinstance(event, QKeyEvent) and self._act_of(event) is not None:
            event.accept()
            return True
        return bool(super().event(event))  # type: ignore[misc]  # of the widget

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if (act := self._act_of(event)) is not None:
            act()
        else:
            super().keyPressEvent(event)  # type: ignore[misc]  # of the widget

    def _act_of(self, event: QKeyEvent) -> Callable[[], object] | None:
        pressed = QKeySequence(event.keyCombination())
        return next((act for keys, act in self.own_keys() if keys == pressed), None)


class View(OwnKeys, QWidget):
    """Sets its texts once: a change of language builds a new page in its place."""

    act = ""  # The action that opens it
    wanted = Signal()  # It is to be shown
    left = Signal()  # The conversation is to be shown again

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        # The window keeps the locale of the language that it began in.
        self.setLocale(QLocale())
        # The window decides how large a page is, not what is on it.
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Ignored)
        self._acts: list[tuple[QKeySequence, Callable[[], object]]] = [
            (QKeySequence("Esc"), self.step_back),
            (QKeySequence(QKeySequence.StandardKey.Close), self.left.emit),
        ]

    def own_keys(self) -> Acts:
        return self._acts

    def add_key(self, keys: QKeySequence.StandardKey, act: Callable[[], object]) -> None:
        self._acts.append((QKeySequence(keys), act))

    def begin_search(self) -> None:
        """Do what the key of a search does on this page, if anything."""
        keys = QKeySequence(QKeySequence.StandardKey.Find)
        for own, act in self.own_keys():
            if own == keys:
                act()

    def step_back(self) -> None:
        """Do what Esc does: leave the page, unless something on it ends first."""
        self.left.emit()

    def setWindowTitle(self, title: str) -> None:
        """Name the page, for a screen reader too."""
        super().setWindowTitle(title)
        self.setAccessibleName(title)

    def come(self) -> None:
        self.wanted.emit()
        self.window().activateWindow()

    @property
    def scrolled(self) -> Sequence[QAbstractScrollArea]:
        """Return what a new page scrolls to the same place."""
        return ()

    @property
    def holds_work(self) -> bool:
        """Return whether it stays as it is, because something on it is not finished."""
        return False


def renew(old: V, open_again: Callable[[], V]) -> None:
    """Build a page in the current language if it is shown, but not while it holds work."""
    if old.isVisible() and old.holds_work:
        return
    if old.isVisible():
        focus: QWidget | None = old.window().focusWidget()
        new = open_again()
        for field, before in _pairs(SearchField, new, old):
            field.setText(before.text())
        for choice, earlier in _pairs(EnumComboBox, new, old):
            choice.setCurrentIndex(earlier.currentIndex())
            choice.activated.emit(earlier.currentIndex())
        for area, place in zip(new.scrolled, old.scrolled, strict=True):
            _scroll_once_filled(area.verticalScrollBar(), place.verticalScrollBar().value())
        for bar, earlier_bar in _pairs(MessageBar, new, old):
            bar.take_undo(earlier_bar)
        if focus is not None and not old.isAncestorOf(focus):
            focus.setFocus(Qt.FocusReason.OtherFocusReason)
    old.deleteLater()


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
