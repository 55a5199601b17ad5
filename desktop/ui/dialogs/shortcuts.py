"""Shortcuts: the keys of actions, clashes between them, and an overview of all."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence, QShowEvent
from PySide6.QtWidgets import (
    QDialog,
    QGridLayout,
    QHBoxLayout,
    QVBoxLayout,
    QWidget,
)

from desktop.ui.dialogs.form import CloseButtons
from desktop.ui.i18n import TranslatedWidget
from desktop.ui.theme.tokens import Space
from desktop.ui.widgets.labels import HintLabel, SectionLabel, TitleLabel
from desktop.ui.widgets.layouts import VerticalScrollArea, resize_within_screen, text_width
from desktop.ui.widgets.plain_text import Label


@dataclass(frozen=True, slots=True)
class Shortcut:
    """An action of the menus, named in the window's language."""

    name: str
    text: str
    group: str
    """Its menu."""
    shipped: str
    """Portable text of the default keys; empty for none."""


Shortcuts = Callable[[], Sequence[Shortcut]]
"""Asked again after a change of language."""


def keys_of(shortcut: Shortcut, chosen: Mapping[str, str]) -> str:
    """The keys in use, as portable text."""
    return chosen.get(shortcut.name, shortcut.shipped)


def shown_keys(portable: str) -> str:
    sequence = QKeySequence.fromString(portable, QKeySequence.SequenceFormat.PortableText)
    return sequence.toString(QKeySequence.SequenceFormat.NativeText)


def clash(
    keys: str, name: str, shortcuts: Sequence[Shortcut], chosen: Mapping[str, str]
) -> Shortcut | None:
    """Another action that has the keys, or keys that begin alike, so that neither would work."""
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
    """The choices with another set of keys for one action; shipped keys are not written down."""
    others = {each: at for each, at in chosen.items() if each != name}
    shipped = next((each.shipped for each in shortcuts if each.name == name), "")
    return others if QKeySequence(keys) == QKeySequence(shipped) else {**others, name: keys}


_COLUMNS = 2
_CHARACTERS = 100
_LINES = 40


class ShortcutsOverview(TranslatedWidget, QDialog):
    def __init__(
        self, shortcuts: Shortcuts, chosen: Mapping[str, str], parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._shortcuts = shortcuts
        self._chosen = chosen
        self._build()
        self.retranslate()

    def _build(self) -> None:
        self._title, self._hint = TitleLabel(), HintLabel()
        self._area = VerticalScrollArea()
        buttons = CloseButtons(self.reject)
        column = QVBoxLayout(self)
        column.setContentsMargins(*(Space.WIDE,) * 4)
        column.setSpacing(Space.LARGE)
        for widget in (self._title, self._area, self._hint, buttons):
            column.addWidget(widget)
        column.setStretchFactor(self._area, 1)
        resize_within_screen(
            self, text_width(self, _CHARACTERS), _LINES * self.fontMetrics().lineSpacing()
        )

    def retranslate(self) -> None:
        self.setWindowTitle(self.tr("Keyboard shortcuts"))
        self._title.setText(self.tr("Keyboard shortcuts"))
        self._area.setAccessibleName(self.tr("Keyboard shortcuts"))
        self._hint.setText(self.tr("You can change them in Settings, Shortcuts."))
        self._keys = self._table()
        self._area.setWidget(self._keys)
        self._make_room()

    def showEvent(self, event: QShowEvent) -> None:
        self._make_room()  # the labels have their fonts only now
        super().showEvent(event)

    def _make_room(self) -> None:
        """The keys stand at the right of it all: cut off there, nothing would be told."""
        bar = self._area.verticalScrollBar().sizeHint().width()
        needed = self._keys.sizeHint().width() + bar
        most = self.screen().availableGeometry().width() - 2 * Space.WIDE
        self._area.setMinimumWidth(min(needed, most))

    def _table(self) -> QWidget:
        with_keys = [each for each in self._shortcuts() if keys_of(each, self._chosen)]
        groups = [list(group) for _, group in groupby(with_keys, key=lambda each: each.group)]
        table = QWidget()
        row = QHBoxLayout(table)
        row.setContentsMargins(0, 0, Space.SMALL, 0)
        row.setSpacing(2 * Space.WIDE)
        columns = [QVBoxLayout() for _ in range(_COLUMNS)]
        heights = [0] * _COLUMNS
        for column in columns:
            column.setSpacing(Space.WIDE)
            row.addLayout(column, 1)
        for group in groups:
            shortest = heights.index(min(heights))
            columns[shortest].addLayout(self._group(group))
            heights[shortest] += len(group) + 2
        for column in columns:
            column.addStretch()
        return table

    def _group(self, shortcuts: list[Shortcut]) -> QGridLayout:
        grid = QGridLayout()
        grid.setVerticalSpacing(Space.TIGHT)
        grid.setColumnStretch(0, 1)
        title = SectionLabel()
        title.setText(shortcuts[0].group)
        grid.addWidget(title, 0, 0, 1, 2)
        for place, shortcut in enumerate(shortcuts, start=1):
            name, keys = Label(shortcut.text), Label(shown_keys(keys_of(shortcut, self._chosen)))
            keys.setProperty("role", "muted")
            grid.addWidget(name, place, 0)
            grid.addWidget(keys, place, 1, Qt.AlignmentFlag.AlignRight)
        return grid
