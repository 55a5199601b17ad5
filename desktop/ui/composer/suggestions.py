"""Chips above the composer: suggested sessions, and sessions added to the context.

On a suggestion, Enter opens its session beside the current one and Plus adds it to the context.
"""

from collections.abc import Mapping, Sequence

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QKeySequence, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QToolButton, QWidget

from desktop.domain.ids import AttachedId
from desktop.domain.search import Suggestion
from desktop.ui.formatting import day_and_time
from desktop.ui.i18n import TranslatedWidget
from desktop.ui.theme.theme import Glyph, ThemeController
from desktop.ui.theme.tokens import ICON_SIZE, Space
from desktop.ui.widgets.buttons import Button, FilterChip, ToolButton
from desktop.ui.widgets.layouts import (
    STRETCH,
    FlowLayout,
    clear_layout,
    holds_focus,
    row,
    text_width,
)
from desktop.ui.widgets.plain_text import Label, set_tip

_SIGN = 0.75
_NARROWEST = 72
_LONGEST = 24  # characters of a title
_ADDING = {Qt.Key.Key_Plus, Qt.Key.Key_Insert}
_STEPS = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}


class _Chip(Button):
    """A title, elided so that three chips fit on a line."""

    added = Signal()
    left = Signal()
    stepped = Signal(int)

    def __init__(self, suggestion: Suggestion, parent: QWidget) -> None:
        super().__init__("chip", parent)
        self.suggestion = suggestion
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        metrics, room = self.fontMetrics(), text_width(self, _LONGEST)
        cut = metrics.elidedText(suggestion.title, Qt.TextElideMode.ElideRight, room)
        self.setText(cut.replace("&", "&&"))

    def minimumSizeHint(self) -> QSize:
        return QSize(min(_NARROWEST, self.sizeHint().width()), self.sizeHint().height())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = Qt.Key(event.key())
        if key in _ADDING:
            self.added.emit()
        elif key in {Qt.Key.Key_Escape, Qt.Key.Key_Down}:
            self.left.emit()
        elif key in _STEPS:
            self.stepped.emit(_STEPS[key])
        else:
            super().keyPressEvent(event)


class Suggestions(TranslatedWidget, QWidget):
    open_wanted = Signal(object)  # Suggestion
    add_wanted = Signal(object)  # Suggestion
    left = Signal()

    def __init__(self, theme: ThemeController) -> None:
        super().__init__()
        self._theme = theme
        self.suggestions: Sequence[Suggestion] = ()
        self._keys = ("", "")
        self._lead = Label(parent=self, role="small")
        self._row = row(spacing=Space.TIGHT)
        self._chips: list[_Chip] = []
        self._adds: list[QToolButton] = []
        self._lead.setContentsMargins(0, 0, Space.TIGHT, 0)
        parts = (self._lead, self._row, STRETCH)
        line = row(*parts, spacing=Space.TIGHT, margin=(Space.TIGHT, 0, 0, 0))
        line.setSizeConstraint(QHBoxLayout.SizeConstraint.SetNoConstraint)
        self.setLayout(line)
        theme.theme_changed.connect(self._fill)
        self.retranslate()
        self.hide()

    def show_suggestions(self, suggestions: Sequence[Suggestion]) -> None:
        """Show the suggestions; if they are the same, nothing is rebuilt, so nothing flickers."""
        if list(suggestions) == list(self.suggestions):
            return
        was_in_use = holds_focus(self)
        self.suggestions = tuple(suggestions)
        self._fill()
        if was_in_use and not self.suggestions:
            self.left.emit()

    def set_hints(self, opens: QKeySequence, adds: QKeySequence) -> None:
        form = QKeySequence.SequenceFormat.NativeText
        self._keys = (opens.toString(form), adds.toString(form))
        self._show_names()

    def current(self) -> Suggestion | None:
        """Return the suggestion that has the focus, else the most related one."""
        focused = [chip.suggestion for chip in self._chips if chip.hasFocus()]
        return next(iter([*focused, *self.suggestions]), None)

    def enter(self) -> None:
        if self._chips:
            self._chips[0].setFocus(Qt.FocusReason.TabFocusReason)

    def retranslate(self) -> None:
        self._lead.setText(self.tr("Earlier:"))
        self.setAccessibleName(self.tr("Past sessions related to what you are writing"))
        self._show_names()

    def _fill(self) -> None:
        clear_layout(self._row)
        self._chips, self._adds = [], []
        for place, suggestion in enumerate(self.suggestions):
            self._add(place, suggestion)
        self._show_names()
        self._fit()
        self.setVisible(bool(self.suggestions))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def minimumSizeHint(self) -> QSize:
        # Chips are hidden if there is no room, so they never widen the window.
        return QSize(0, super().minimumSizeHint().height())

    def _fit(self) -> None:
        """Hide the last chips instead of eliding all; the first is always visible."""
        room = self.width() - self._lead.sizeHint().width() - 3 * Space.TIGHT
        for place, (chip, add) in enumerate(zip(self._chips, self._adds, strict=True)):
            room -= chip.sizeHint().width() + add.sizeHint().width() + 2 * Space.TIGHT
            for part in (chip, add):
                part.setVisible(place == 0 or room >= 0)

    def _add(self, place: int, suggestion: Suggestion) -> None:
        chip, add = _Chip(suggestion, self), ToolButton(self)
        add.setCursor(Qt.CursorShape.PointingHandCursor)
        add.setIcon(self._theme.icon(Glyph.PLUS))
        side = round(ICON_SIZE * _SIGN * self._theme.scale.zoom)
        add.setIconSize(QSize(side, side))
        chip.clicked.connect(lambda: self.open_wanted.emit(suggestion))
        chip.added.connect(lambda: self.add_wanted.emit(suggestion))
        chip.left.connect(self.left)
        chip.stepped.connect(lambda step: self._step(place + step))
        add.clicked.connect(lambda: self.add_wanted.emit(suggestion))
        self._row.addWidget(chip)
        self._row.addWidget(add)
        self._chips.append(chip)
        self._adds.append(add)

    def _step(self, place: int) -> None:
        if 0 <= place < len(self._chips):
            self._chips[place].setFocus(Qt.FocusReason.TabFocusReason)

    def _show_names(self) -> None:
        opens, adds = self._keys
        for chip, add in zip(self._chips, self._adds, strict=True):
            title, when = chip.suggestion.title, day_and_time(chip.suggestion.at)
            label = self.tr("Open in a side panel: {title}").format(title=title)
            set_tip(chip, _with_keys(f"{label} · {when}", opens), described=opens)
            chip.setAccessibleName(f"{label}, {when}")
            label = self.tr("Attach to the question: {title}").format(title=title)
            set_tip(add, _with_keys(label, adds), described=adds)
            add.setAccessibleName(label)


def _with_keys(label: str, keys: str) -> str:
    return f"{label} ({keys})" if keys else label


_LONGEST_TITLE = 40


class ContextChips(TranslatedWidget, QWidget):
    removed = Signal(object)  # AttachedId

    def __init__(self, theme: ThemeController) -> None:
        super().__init__()
        self._theme = theme
        self._lead = Label(parent=self, role="small")
        self._lead.setContentsMargins(Space.TIGHT, 0, 0, 0)
        self._row = FlowLayout(self)
        self._row.addWidget(self._lead)
        self._chips: list[FilterChip] = []
        self.retranslate()
        self.hide()

    def show_attached(self, titles: Mapping[AttachedId, str]) -> None:
        for old in self._chips:
            self._row.removeWidget(old)
            old.hide()
            old.deleteLater()
        self._chips = [self._chip(attachment, title) for attachment, title in titles.items()]
        self.setVisible(bool(self._chips))
        self.updateGeometry()

    def retranslate(self) -> None:
        self._lead.setText(self.tr("Attached:"))
        self.setAccessibleName(self.tr("Attached to the question"))

    def _chip(self, attached: AttachedId, title: str) -> FilterChip:
        chip = FilterChip(self._theme, self)
        metrics = chip.fontMetrics()
        room = metrics.averageCharWidth() * _LONGEST_TITLE
        chip.set_text(metrics.elidedText(title, Qt.TextElideMode.ElideRight, room), title)
        chip.clicked.connect(lambda: self.removed.emit(attached))
        self._row.addWidget(chip)
        self._lead.setMinimumHeight(chip.sizeHint().height())
        chip.show()
        return chip
