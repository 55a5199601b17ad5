"""A research plan to approve, change or discard."""

from dataclasses import replace

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFrame

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
from desktop.ui.theme.tokens import Space
from desktop.ui.trace.trace_model import UNLIMITED, TraceLabels
from desktop.ui.widgets.buttons import Button
from desktop.ui.widgets.fields import TextArea
from desktop.ui.widgets.labels import BodyLabel, HintLabel, SectionLabel
from desktop.ui.widgets.layouts import STRETCH, column, row

_LINES = 5


class PlanCard(TranslatedWidget, QFrame):
    answered = Signal(object)  # Plan as edited by the user, or None if it was discarded

    def __init__(self) -> None:
        super().__init__()
        self._words = TraceLabels(self)
        self._proposed: PlanProposed | None = None
        self._title, self._question = SectionLabel(), BodyLabel()
        self._parts, self._about = TextArea(lines=_LINES), HintLabel()
        self._estimate, self._limits = HintLabel(), HintLabel()
        self._cancel = Button(press=self._give_up)
        self._start = Button("primary", press=self._begin)
        self.setProperty("role", "card")
        shown = (self._title, self._question, self._parts, self._about)
        foot = row(STRETCH, self._cancel, self._start)
        self.setLayout(column(*shown, self._estimate, self._limits, foot, margin=Space.LARGE))
        self._parts.textChanged.connect(self._show_amounts)
        self.retranslate()
        self.hide()

    @property
    def plan(self) -> Plan:
        """Return the plan as edited; an unchanged sub-question keeps its planned searches."""
        assert self._proposed is not None  # noqa: S101 (it is shown)
        planned = {one.question: one for one in self._proposed.plan.parts}
        lines = [line.strip() for line in self._parts.text().splitlines() if line.strip()]
        parts = [planned.get(line, SubQuestion(line)) for line in lines[:MOST_PARTS]]
        return replace(self._proposed.plan, parts=parts).cleaned()

    def propose(self, proposed: PlanProposed) -> None:
        self._proposed = proposed
        self._question.setText(proposed.plan.question)
        self._parts.setText("\n".join(one.question for one in proposed.plan.parts))
        self.show()
        self._start.setFocus(Qt.FocusReason.OtherFocusReason)

    def leave(self) -> None:
        self._proposed = None
        self.hide()

    def retranslate(self) -> None:
        self._title.setText(self.tr("Plan for a deep answer"))
        self.setAccessibleName(self._title.text())
        self._parts.setAccessibleName(self.tr("Sub-questions"))
        about = self.tr("One sub-question per line, {count} at most.")
        self._about.setText(about.format(count=MOST_PARTS))
        self._cancel.setText(self.tr("&Cancel"))
        self._start.setText(self.tr("&Start"))
        self._show_amounts()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self._give_up()
        else:
            super().keyPressEvent(event)

    def _begin(self) -> None:
        plan = self.plan
        self.leave()
        self.answered.emit(plan)

    def _give_up(self) -> None:
        self.leave()
        self.answered.emit(None)

    def _show_amounts(self) -> None:
        if (proposed := self._proposed) is not None:
            plan = self.plan
            self._start.setEnabled(bool(plan.parts))
            expected = proposed.forecast_cost.of(plan, proposed.limits)
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
