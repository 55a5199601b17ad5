"""A research plan to approve, change or discard."""

from collections.abc import Sequence
from dataclasses import replace

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLineEdit,
    QVBoxLayout,
    QWidget,
)

from desktop.domain.events import PlanProposed
from desktop.domain.research import (
    MOST_PARTS,
    Estimate,
    LimitKind,
    Plan,
    ResearchLimits,
    SubQuestion,
)
from desktop.ui.theme.icons import Glyph
from desktop.ui.theme.theme import ThemeController
from desktop.ui.theme.tokens import Space
from desktop.ui.trace.trace_model import TraceLabels
from desktop.ui.widgets.buttons import Button, ToolButton
from desktop.ui.widgets.labels import BodyLabel, HintLabel, SectionLabel
from desktop.ui.widgets.layouts import VerticalScrollArea
from desktop.ui.widgets.plain_text import Label, tip

_SHOWN_ROWS = 6
_UNLIMITED = 100_000_000


class _Row(QWidget):
    moved = Signal(int)
    dropped = Signal()
    entered = Signal()

    def __init__(self, part: SubQuestion, theme: ThemeController, parent: QWidget) -> None:
        super().__init__(parent)
        self._part = part
        self.number = Label(parent=self)
        self.field = QLineEdit(part.question, self)
        self.up, self.down, self.drop = (ToolButton(self) for _ in range(3))
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(Space.TIGHT)
        self.number.setProperty("role", "small")
        row.addWidget(self.number)
        row.addWidget(self.field, 1)
        for button, glyph in (
            (self.up, Glyph.CHEVRON_UP),
            (self.down, Glyph.CHEVRON_DOWN),
            (self.drop, Glyph.CLOSE),
        ):
            button.setIcon(theme.icon(glyph))
            button.setIconSize(theme.icon_size)
            row.addWidget(button)
        self.field.setCursorPosition(0)
        self.up.clicked.connect(lambda: self.moved.emit(-1))
        self.down.clicked.connect(lambda: self.moved.emit(1))
        self.drop.clicked.connect(self.dropped)
        self.field.returnPressed.connect(self.entered)

    @property
    def part(self) -> SubQuestion:
        """What was planned to be looked for belongs to the question as it was planned."""
        written = self.field.text().strip()
        if written == self._part.question:
            return self._part
        return SubQuestion(written)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        steps = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1}
        key = Qt.Key(event.key())
        if event.modifiers() & Qt.KeyboardModifier.AltModifier and key in steps:
            self.moved.emit(steps[key])
            event.accept()
        else:
            super().keyPressEvent(event)


class PlanCard(QFrame):
    answered = Signal(object)
    """Plan as the user wants it, or None where it is given up"""

    def __init__(self, theme: ThemeController, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._words = TraceLabels(self)
        self._proposed: PlanProposed | None = None
        self._rows: list[_Row] = []
        self._title, self._question = SectionLabel(parent=self), BodyLabel(parent=self)
        self._estimate, self._limits = HintLabel(parent=self), HintLabel(parent=self)
        self._area, self._list = VerticalScrollArea(self), QVBoxLayout()
        self._add, self._cancel, self._start = Button("quiet"), Button(), Button("primary")
        self._build()
        self._connect()
        self.retranslate()
        self.hide()

    @property
    def plan(self) -> Plan:
        assert self._proposed is not None  # noqa: S101 (it is shown)
        parts = [row.part for row in self._rows]
        return replace(self._proposed.plan, parts=parts).cleaned()

    def propose(self, proposed: PlanProposed) -> None:
        self._proposed = proposed
        self._show_parts(proposed.plan.parts)
        self.retranslate()
        self.show()
        self._start.setFocus(Qt.FocusReason.OtherFocusReason)

    def leave(self) -> None:
        """The turn has ended: there is nothing to answer any more."""
        self._proposed = None
        self.hide()

    def retranslate(self) -> None:
        self._title.setText(self.tr("Plan for a deep answer"))
        self.setAccessibleName(self._title.text())
        self._area.setAccessibleName(self._title.text())
        self._add.setText(self.tr("&Add a question"))
        self._cancel.setText(self.tr("&Cancel"))
        self._start.setText(self.tr("&Start"))
        for row in self._rows:
            self._name(row)
        if self._proposed is None:
            return
        self._question.setText(self._proposed.plan.question)
        self._say_amounts(self._proposed)

    def _say_amounts(self, proposed: PlanProposed) -> None:
        expected = proposed.forecast_cost.of(self.plan, proposed.limits)
        self._estimate.setText(self._estimated(expected))
        self._limits.setText(self._limited(proposed.limits, expected))

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange:
            self.retranslate()
        super().changeEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self._give_up()
            event.accept()
        else:
            super().keyPressEvent(event)

    def _build(self) -> None:
        self.setProperty("role", "card")
        inside = QWidget(self._area)
        self._list.setContentsMargins(0, 0, Space.SMALL, 0)
        self._list.setSpacing(Space.TIGHT)
        around = QVBoxLayout(inside)
        around.setContentsMargins(0, 0, 0, 0)
        around.addLayout(self._list)
        around.addStretch(1)
        self._area.setWidget(inside)
        # The card is the ground.
        inside.setAutoFillBackground(False)
        self._area.viewport().setAutoFillBackground(False)
        foot = QHBoxLayout()
        foot.setSpacing(Space.SMALL)
        foot.addWidget(self._add)
        foot.addStretch(1)
        foot.addWidget(self._cancel)
        foot.addWidget(self._start)
        column = QVBoxLayout(self)
        column.setContentsMargins(*(Space.LARGE,) * 4)
        column.setSpacing(Space.SMALL)
        for widget in (self._title, self._question, self._area, self._estimate, self._limits):
            column.addWidget(widget)
        column.addLayout(foot)

    def _connect(self) -> None:
        self._add.clicked.connect(self._add_one)
        self._cancel.clicked.connect(self._give_up)
        self._start.clicked.connect(self._begin)

    def _begin(self) -> None:
        plan = self.plan
        if plan.parts:
            self.leave()
            self.answered.emit(plan)

    def _give_up(self) -> None:
        self.leave()
        self.answered.emit(None)

    def _add_one(self) -> None:
        self._show_parts([*(row.part for row in self._rows), SubQuestion("")])
        self._rows[-1].field.setFocus(Qt.FocusReason.OtherFocusReason)

    def _drop(self, row: _Row) -> None:
        at = self._rows.index(row)
        self._show_parts([one.part for one in self._rows if one is not row])
        nearest = self._rows[min(at, len(self._rows) - 1)].field if self._rows else self._add
        nearest.setFocus(Qt.FocusReason.OtherFocusReason)

    def _move(self, row: _Row, by: int) -> None:
        at = self._rows.index(row)
        to = at + by
        if not 0 <= to < len(self._rows):
            return
        parts = [one.part for one in self._rows]
        parts[at], parts[to] = parts[to], parts[at]
        self._show_parts(parts)
        self._rows[to].field.setFocus(Qt.FocusReason.OtherFocusReason)

    def _show_parts(self, parts: Sequence[SubQuestion]) -> None:
        for row in self._rows:
            self._list.removeWidget(row)
            row.hide()
            row.deleteLater()
        self._rows = [_Row(part, self._theme, self) for part in parts]
        for row in self._rows:
            self._list.addWidget(row)
            row.moved.connect(lambda by, row=row: self._move(row, by))
            row.dropped.connect(lambda row=row: self._drop(row))
            row.entered.connect(self._begin)
            row.field.textChanged.connect(self._take_change)
            self._name(row)
        self._take_change()
        height = max((row.sizeHint().height() for row in self._rows), default=0) + Space.TIGHT
        # In a window too low for all of them the rest is scrolled to.
        self._area.setMinimumHeight(height)
        self._area.setMaximumHeight(height * min(max(len(self._rows), 1), _SHOWN_ROWS))

    def _take_change(self) -> None:
        self._allow()
        if self._proposed is not None:
            self._say_amounts(self._proposed)

    def _allow(self) -> None:
        self._start.setEnabled(any(row.field.text().strip() for row in self._rows))
        self._add.setEnabled(len(self._rows) < MOST_PARTS)
        for place, row in enumerate(self._rows):
            row.up.setEnabled(place > 0)
            row.down.setEnabled(place < len(self._rows) - 1)

    def _name(self, row: _Row) -> None:
        number = self._rows.index(row) + 1
        row.number.setText(f"{number}.")
        row.field.setAccessibleName(self.tr("Sub-question {number}").format(number=number))
        row.field.setPlaceholderText(self.tr("What should be found out?"))
        for button, name in (
            (row.up, self.tr("Move up")),
            (row.down, self.tr("Move down")),
            (row.drop, self.tr("Remove")),
        ):
            button.setToolTip(tip(name))
            button.setAccessibleName(f"{name}: {number}")

    def _estimated(self, estimate: Estimate) -> str:
        words = self._words
        told = [
            self.tr("about {tokens} tokens").format(
                tokens=words.amount(LimitKind.TOKENS, estimate.tokens)
            ),
            words.amount(LimitKind.MONEY, estimate.cost_usd) if estimate.cost_usd else "",
            self.tr("%n search(es)", "", estimate.searches) if estimate.searches else "",
            self.tr("%n page(s)", "", estimate.fetches) if estimate.fetches else "",
        ]
        return self.tr("Estimate: {amounts}").format(amounts=", ".join(filter(None, told)))

    def _limited(self, limits: ResearchLimits, expected: Estimate) -> str:
        words = self._words
        told = [
            self.tr("{tokens} tokens").format(tokens=words.amount(LimitKind.TOKENS, limits.tokens))
            if limits.tokens < _UNLIMITED
            else "",
            words.amount(LimitKind.MONEY, limits.cost_usd)
            if limits.cost_usd is not None and expected.cost_usd is not None
            else "",
            self.tr("%n search(es)", "", limits.searches) if expected.searches else "",
            self.tr("%n page(s)", "", limits.fetches) if expected.fetches else "",
            words.amount(LimitKind.TIME, limits.seconds),
        ]
        return self.tr("Upper limit: {amounts}").format(amounts=", ".join(filter(None, told)))
