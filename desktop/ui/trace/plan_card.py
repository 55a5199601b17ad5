"""A research plan to approve, change or discard."""

from collections.abc import Sequence
from dataclasses import replace

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFrame, QLineEdit, QWidget

from desktop.domain.events import PlanProposed
from desktop.domain.research import (
    MOST_PARTS,
    Estimate,
    LimitKind,
    Plan,
    ResearchLimits,
    SubQuestion,
)
from desktop.ui.i18n import TranslatedWidget
from desktop.ui.theme.icons import Glyph
from desktop.ui.theme.theme import ThemeController
from desktop.ui.theme.tokens import Space
from desktop.ui.trace.trace_model import UNLIMITED, TraceLabels
from desktop.ui.widgets.buttons import Button, IconButton
from desktop.ui.widgets.labels import BodyLabel, HintLabel, SectionLabel
from desktop.ui.widgets.layouts import (
    STRETCH,
    VerticalScrollArea,
    clear_layout,
    column,
    growing,
    row,
    widget_with,
)
from desktop.ui.widgets.plain_text import Label

_SHOWN_ROWS = 6


class _Row(QWidget):
    moved = Signal(int)
    dropped = Signal()

    def __init__(self, number: int, part: SubQuestion, theme: ThemeController) -> None:
        super().__init__()
        self._part = part
        place = Label(f"{number}.", role="small")
        self.field = QLineEdit(part.question)
        self.field.setCursorPosition(0)
        self.field.setAccessibleName(self.tr("Sub-question {number}").format(number=number))
        self.field.setPlaceholderText(self.tr("Enter a sub-question"))
        self.up = IconButton(theme, Glyph.CHEVRON_UP)
        self.down = IconButton(theme, Glyph.CHEVRON_DOWN)
        self.drop = IconButton(theme, Glyph.CLOSE)
        for button, name in (
            (self.up, self.tr("Move up")),
            (self.down, self.tr("Move down")),
            (self.drop, self.tr("Remove")),
        ):
            button.set_name(name)
            button.setAccessibleName(f"{name}: {number}")
        buttons = (self.up, self.down, self.drop)
        self.setLayout(row(place, growing(self.field), *buttons, spacing=Space.TIGHT))
        self.up.clicked.connect(lambda: self.moved.emit(-1))
        self.down.clicked.connect(lambda: self.moved.emit(1))
        self.drop.clicked.connect(self.dropped)

    @property
    def part(self) -> SubQuestion:
        """Return the sub-question; its planned searches are kept only while it is unchanged."""
        written = self.field.text().strip()
        return self._part if written == self._part.question else SubQuestion(written)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        steps = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1}
        key = Qt.Key(event.key())
        if event.modifiers() & Qt.KeyboardModifier.AltModifier and key in steps:
            self.moved.emit(steps[key])
        else:
            super().keyPressEvent(event)


class PlanCard(TranslatedWidget, QFrame):
    answered = Signal(object)  # Plan as edited by the user, or None if it was discarded

    def __init__(self, theme: ThemeController, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._words = TraceLabels(self)
        self._proposed: PlanProposed | None = None
        self._rows: list[_Row] = []
        self._title, self._question = SectionLabel(), BodyLabel()
        self._estimate, self._limits = HintLabel(), HintLabel()
        self._area, self._list = VerticalScrollArea(self), column(spacing=Space.TIGHT)
        self._add = Button("quiet", press=self._add_one)
        self._cancel = Button(press=self._give_up)
        self._start = Button("primary", press=self._begin)
        self._build()
        self.retranslate()
        self.hide()

    @property
    def plan(self) -> Plan:
        assert self._proposed is not None  # noqa: S101 (it is shown)
        return replace(self._proposed.plan, parts=self._parts()).cleaned()

    def propose(self, proposed: PlanProposed) -> None:
        self._proposed = proposed
        self._question.setText(proposed.plan.question)
        self._show_parts(proposed.plan.parts)
        self.show()
        self._start.setFocus(Qt.FocusReason.OtherFocusReason)

    def leave(self) -> None:
        """Hide the plan, because the turn has ended."""
        self._proposed = None
        self.hide()

    def retranslate(self) -> None:
        self._title.setText(self.tr("Plan for a deep answer"))
        self.setAccessibleName(self._title.text())
        self._area.setAccessibleName(self._title.text())
        self._add.setText(self.tr("&Add a question"))
        self._cancel.setText(self.tr("&Cancel"))
        self._start.setText(self.tr("&Start"))
        self._show_parts(self._parts())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self._give_up()
        else:
            super().keyPressEvent(event)

    def _build(self) -> None:
        self.setProperty("role", "card")
        self._list.setContentsMargins(0, 0, Space.SMALL, 0)
        inside = widget_with(column(self._list, STRETCH))
        self._area.setWidget(inside)
        # The card is the ground.
        inside.setAutoFillBackground(False)
        self._area.viewport().setAutoFillBackground(False)
        shown = (self._title, self._question, self._area, self._estimate, self._limits)
        foot = row(self._add, STRETCH, self._cancel, self._start)
        self.setLayout(column(*shown, foot, margin=Space.LARGE))

    def _begin(self) -> None:
        plan = self.plan
        if plan.parts:
            self.leave()
            self.answered.emit(plan)

    def _give_up(self) -> None:
        self.leave()
        self.answered.emit(None)

    def _parts(self) -> list[SubQuestion]:
        return [one.part for one in self._rows]

    def _add_one(self) -> None:
        self._show_parts([*self._parts(), SubQuestion("")])
        self._rows[-1].field.setFocus(Qt.FocusReason.OtherFocusReason)

    def _drop(self, at: int) -> None:
        parts = self._parts()
        del parts[at]
        self._show_parts(parts)
        nearest = self._rows[min(at, len(parts) - 1)].field if parts else self._add
        nearest.setFocus(Qt.FocusReason.OtherFocusReason)

    def _move(self, at: int, by: int) -> None:
        parts, to = self._parts(), at + by
        if 0 <= to < len(parts):
            parts[at], parts[to] = parts[to], parts[at]
            self._show_parts(parts)
            self._rows[to].field.setFocus(Qt.FocusReason.OtherFocusReason)

    def _show_parts(self, parts: Sequence[SubQuestion]) -> None:
        clear_layout(self._list)
        self._rows = [_Row(n, part, self._theme) for n, part in enumerate(parts, start=1)]
        for at, line in enumerate(self._rows):
            self._list.addWidget(line)
            line.up.setEnabled(at > 0)
            line.down.setEnabled(at < len(parts) - 1)
            line.moved.connect(lambda by, at=at: self._move(at, by))
            line.dropped.connect(lambda at=at: self._drop(at))
            line.field.returnPressed.connect(self._begin)
            line.field.textChanged.connect(self._show_amounts)
        self._show_amounts()
        height = max((one.sizeHint().height() for one in self._rows), default=0) + Space.TIGHT
        # If the window is too low for all parts, the rest can be scrolled to.
        self._area.setMinimumHeight(height)
        self._area.setMaximumHeight(height * min(max(len(parts), 1), _SHOWN_ROWS))

    def _show_amounts(self) -> None:
        self._start.setEnabled(any(one.field.text().strip() for one in self._rows))
        self._add.setEnabled(len(self._rows) < MOST_PARTS)
        if (proposed := self._proposed) is not None:
            expected = proposed.forecast_cost.of(self.plan, proposed.limits)
            self._estimate.setText(self._estimated(expected))
            self._limits.setText(self._limited(proposed.limits, expected))

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
            if limits.tokens < UNLIMITED
            else "",
            words.amount(LimitKind.MONEY, limits.cost_usd)
            if limits.cost_usd is not None and expected.cost_usd is not None
            else "",
            self.tr("%n search(es)", "", limits.searches) if expected.searches else "",
            self.tr("%n page(s)", "", limits.fetches) if expected.fetches else "",
            words.amount(LimitKind.TIME, limits.seconds),
        ]
        return self.tr("Upper limit: {amounts}").format(amounts=", ".join(filter(None, told)))
