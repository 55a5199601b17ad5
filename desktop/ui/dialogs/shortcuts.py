"""Shortcuts: the keys of actions, clashes between them, and an overview of all."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence, QShowEvent
from PySide6.QtWidgets import QGridLayout, QLayout, QWidget

from desktop.ui.dialogs.form import CloseButtons, RebuiltDialog
from desktop.ui.theme.tokens import Space
from desktop.ui.widgets.labels import HintLabel, SectionLabel
from desktop.ui.widgets.layouts import (
    VerticalScrollArea,
    column,
    growing,
    resize_to_text,
    row,
    widget_with,
)
from desktop.ui.widgets.plain_text import Label


@dataclass(frozen=True, slots=True)
class Shortcut:
    """An action of the menus, named in the window's language."""

    name: str
    text: str
    group: str  # its menu
    shipped: str  # default keys as portable text; empty if none


Shortcuts = Callable[[], Sequence[Shortcut]]  # called again after a change of language


def keys_of(shortcut: Shortcut, chosen: Mapping[str, str]) -> str:
    """Return the keys in use, as portable text."""
    return chosen.get(shortcut.name, shortcut.shipped)


def shown_keys(portable: str) -> str:
    sequence = QKeySequence.fromString(portable, QKeySequence.SequenceFormat.PortableText)
    return sequence.toString(QKeySequence.SequenceFormat.NativeText)


def clash(
    keys: str, name: str, shortcuts: Sequence[Shortcut], chosen: Mapping[str, str]
) -> Shortcut | None:
    """Return another action with the same keys or the same first keys, which would block both."""
    wanted = QKeySequence(keys)
    for other in shortcuts:
        taken = QKeySequence(keys_of(other, chosen))
        if other.name == name or taken.isEmpty() or wanted.isEmpty():
            continue
        no_match = QKeySequence.SequenceMatch.NoMatch
        if wanted.matches(taken) != no_match or taken.matches(wanted) != no_match:
            return other
    return None


def with_keys(
    chosen: Mapping[str, str], shortcuts: Sequence[Shortcut], name: str, keys: str
) -> Mapping[str, str]:
    """Return the choices with new keys for one action; default keys are not stored."""
    others = {each: at for each, at in chosen.items() if each != name}
    shipped = next((each.shipped for each in shortcuts if each.name == name), "")
    return others if QKeySequence(keys) == QKeySequence(shipped) else {**others, name: keys}


_COLUMNS = 2
_CHARACTERS = 100
_LINES = 40


class ShortcutsOverview(RebuiltDialog):
    def __init__(
        self, shortcuts: Shortcuts, chosen: Mapping[str, str], parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._shortcuts = shortcuts
        self._chosen = chosen
        self.rebuild()
        resize_to_text(self, _CHARACTERS, _LINES)

    def _build(self) -> QLayout:
        title = self.tr("Keyboard shortcuts")
        self._area = VerticalScrollArea()
        self._area.setAccessibleName(title)
        self._keys = widget_with(self._table())
        self._area.setWidget(self._keys)
        self._make_room()
        hint = HintLabel(self.tr("You can change the shortcuts in Settings > Shortcuts."))
        return self._titled(title, growing(self._area), hint, CloseButtons(self.reject))

    def showEvent(self, event: QShowEvent) -> None:
        self._make_room()  # the labels have their final fonts only now
        super().showEvent(event)

    def _make_room(self) -> None:
        """Widen the dialog so that the keys at the right are not cut off."""
        bar = self._area.verticalScrollBar().sizeHint().width()
        needed = self._keys.sizeHint().width() + bar
        most = self.screen().availableGeometry().width() - 2 * Space.WIDE
        self._area.setMinimumWidth(min(needed, most))

    def _table(self) -> QLayout:
        with_keys = [each for each in self._shortcuts() if keys_of(each, self._chosen)]
        columns = [column(spacing=Space.WIDE) for _ in range(_COLUMNS)]
        heights = [0] * _COLUMNS
        for title, shortcuts in groupby(with_keys, key=lambda each: each.group):
            grid = self._group(title, list(shortcuts))
            shortest = heights.index(min(heights))
            columns[shortest].addLayout(grid)
            heights[shortest] += grid.rowCount() + 1
        for each in columns:
            each.addStretch()
        return row(*map(growing, columns), spacing=2 * Space.WIDE, margin=(0, 0, Space.SMALL, 0))

    def _group(self, title: str, shortcuts: Sequence[Shortcut]) -> QGridLayout:
        grid = QGridLayout()
        grid.setVerticalSpacing(Space.TIGHT)
        grid.setColumnStretch(0, 1)
        grid.addWidget(SectionLabel(title), 0, 0, 1, 2)
        for place, shortcut in enumerate(shortcuts, start=1):
            keys = Label(shown_keys(keys_of(shortcut, self._chosen)), role="muted")
            grid.addWidget(Label(shortcut.text), place, 0)
            grid.addWidget(keys, place, 1, Qt.AlignmentFlag.AlignRight)
        return grid
