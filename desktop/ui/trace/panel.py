"""The trace panel (steps, sources, budget, stop button), and the card of a plan to approve."""

from collections.abc import Callable, Sequence
from dataclasses import replace

from PySide6.QtCore import QElapsedTimer, Qt, Signal
from PySide6.QtGui import QGuiApplication, QKeyEvent
from PySide6.QtWidgets import QFrame, QGridLayout, QProgressBar, QSizePolicy, QWidget

from desktop.domain.events import PlanProposed, SourceFound, TurnEvent
from desktop.domain.ids import MessageId
from desktop.domain.research import (
    MOST_PARTS,
    Estimate,
    LimitKind,
    Plan,
    ResearchLimits,
    Spent,
    SubQuestion,
)
from desktop.domain.routing import Decision, DecisionLabel, label_decision
from desktop.ui.formatting import duration
from desktop.ui.i18n import TranslatedWidget
from desktop.ui.panels.tabs import SidePage
from desktop.ui.theme.theme import ThemeController
from desktop.ui.theme.tokens import Space
from desktop.ui.timers import make_timer
from desktop.ui.trace.trace_model import UNLIMITED, LineState, TraceLabels, TraceLine, TraceModel
from desktop.ui.widgets.buttons import Button, PopupMenu
from desktop.ui.widgets.fields import TextArea
from desktop.ui.widgets.layouts import (
    STRETCH,
    LegendGrid,
    at_left,
    column,
    row,
    text_width,
    widget_with,
)
from desktop.ui.widgets.plain_text import BodyLabel, HintLabel, Label, SectionLabel, set_tip

_WHOLE = 1000


class BudgetProgress(TranslatedWidget, QWidget):
    def __init__(self) -> None:
        super().__init__()
        self._words = TraceLabels(self)
        self._rows = {kind: (Label(), QProgressBar(), Label(role="small")) for kind in LimitKind}
        self.stop, self._about = Button(), HintLabel()
        grid = QGridLayout()
        grid.setHorizontalSpacing(Space.SMALL)
        grid.setVerticalSpacing(Space.TIGHT)
        grid.setColumnStretch(1, 1)
        for line, (name, bar, amount) in enumerate(self._rows.values()):
            bar.setTextVisible(False)
            bar.setMinimumWidth(2 * Space.WIDE)
            bar.setRange(0, _WHOLE)
            for place, widget in enumerate((name, bar, amount)):
                grid.addWidget(widget, line, place)
        self.setLayout(column(grid, self.stop, self._about))
        self.retranslate()

    def retranslate(self) -> None:
        self.stop.setText(self.tr("Stop and write the report"))
        self._about.setText(self.tr("Writes the report from the results so far."))

    def show_spent(self, spent: Spent, limits: ResearchLimits, *, is_running: bool) -> None:
        self.stop.setVisible(is_running)
        self._about.setVisible(is_running)
        cost = spent.usage.cost_usd
        if not spent.usage.total_tokens:
            cost = cost or 0.0
        self._show(LimitKind.TOKENS, spent.usage.total_tokens, limits.tokens)
        self._show(LimitKind.MONEY, cost, limits.cost_usd)
        self._show(LimitKind.SEARCHES, spent.searches, limits.searches)
        self._show(LimitKind.FETCHES, spent.fetches, limits.fetches)
        self._show(LimitKind.TIME, spent.seconds, limits.seconds)

    def _show(self, kind: LimitKind, taken: float | None, most: float | None) -> None:
        """Show a row; `taken`: None if the price is unknown, and no money limit applies."""
        name, bar, amount = self._rows[kind]
        limit = most if most is not None and most < UNLIMITED else None
        for widget in (name, amount):
            widget.setVisible(limit is not None or bool(taken))
        bar.setVisible(limit is not None)
        text, share = self._words.amount(kind, taken), 0.0
        if taken is not None and limit is not None:
            share = min(taken / limit, 1.0) if limit else 1.0
            text = self.tr("{taken} of {most}").format(
                taken=text, most=self._words.amount(kind, limit)
            )
        bar.setValue(round(share * _WHOLE))
        bar.setEnabled(taken is not None and limit is not None)
        name.setText(self._words.limit(kind))
        amount.setText(text)
        bar.setAccessibleName(f"{name.text()}: {text}")


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
        planned = {part.question: part for part in self._proposed.plan.parts}
        lines = [line.strip() for line in self._parts.text().splitlines() if line.strip()]
        parts = [planned.get(line, SubQuestion(line)) for line in lines[:MOST_PARTS]]
        return replace(self._proposed.plan, parts=parts).cleaned()

    def propose(self, proposed: PlanProposed) -> None:
        self._proposed = proposed
        self._question.setText(proposed.plan.question)
        self._parts.setText("\n".join(part.question for part in proposed.plan.parts))
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
        amounts = [
            self.tr("about {tokens} tokens").format(
                tokens=words.amount(LimitKind.TOKENS, estimate.tokens)
            ),
            words.amount(LimitKind.MONEY, estimate.cost_usd) if estimate.cost_usd else "",
            self.tr("%n search(es)", "", estimate.searches) if estimate.searches else "",
            self.tr("%n page(s)", "", estimate.fetches) if estimate.fetches else "",
        ]
        return self.tr("Estimate: {amounts}").format(amounts=", ".join(filter(None, amounts)))

    def _limited(self, limits: ResearchLimits, expected: Estimate) -> str:
        words = self._words
        amounts = [
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
        return self.tr("Upper limit: {amounts}").format(amounts=", ".join(filter(None, amounts)))


_TICK_MS = 1000
_WIDEST_SOURCE = 40  # Characters
_SIGNS = {
    LineState.RUNNING: "●",
    LineState.ASKING: "?",
    LineState.DONE: "✓",
    LineState.KEPT: "✓",
    LineState.SKIPPED: "–",
    LineState.STOPPED: "–",
    LineState.FAILED: "✗",
    LineState.REFUSED: "!",
    LineState.RETRIED: "↻",
    LineState.COMPLETED: "✓",
    LineState.FELL_BACK: "!",
}
_TROUBLED = {LineState.FAILED, LineState.ASKING, LineState.RETRIED, LineState.FELL_BACK}


class TracePanel(SidePage):
    source_chosen = Signal(object)  # SourceFound that is to be opened

    def __init__(self, theme: ThemeController) -> None:
        super().__init__(theme)
        self._trace = TraceModel()
        self._past: TraceModel | None = None  # of an earlier answer
        self._words = TraceLabels(self)
        self.say_decision: Callable[[DecisionLabel], str] = lambda _: ""
        self._is_running = False
        self._clock, self._ran_ms = QElapsedTimer(), 0
        self._before_ms = 0  # How long the turn had run when it was shown
        self._tick = make_timer(self, _TICK_MS, self._show_time)
        self._question, self._nothing = BodyLabel(role="muted"), BodyLabel(role="muted")
        self._decided = BodyLabel()
        self._whole, self.progress = HintLabel(), BudgetProgress()
        self._work = QWidget()  # The steps and the sources
        self._copy, self._newest = Button("choice"), Button("quiet", press=self.show_newest)
        self._menu = PopupMenu(self)
        self._copy.setMenu(self._menu)
        shown = (
            self._question,
            self._nothing,
            self._decided,
            self._whole,
            self.progress,
            self._work,
        )
        self._column = column(*shown, at_left(self._copy), at_left(self._newest))
        self._add_scrolled(self._column)
        theme.theme_changed.connect(self._soon.start)
        self.retranslate()

    @property
    def trace(self) -> TraceModel:
        return self._past or self._trace

    def has(self, answer: MessageId) -> bool:
        return self._trace.answer == answer

    def show_past(self, trace: TraceModel) -> None:
        self._past = trace
        self._soon.start()

    def show_newest(self) -> None:
        self._past = None
        self._soon.start()

    def forget(self) -> None:
        self._trace, self._past = TraceModel(), None
        self._soon.start()

    def leave_session(self) -> None:
        """Forget the answers of the session shown before, but not the one being written."""
        if self._is_running:
            self.show_newest()
        else:
            self.forget()

    def show_running(self, is_running: bool, lasted_ms: int = 0) -> None:  # noqa: FBT001 (comes from a signal)
        """`lasted_ms`: how long the turn runs already."""
        if is_running:
            self._trace, self._past, self._before_ms = TraceModel(), None, lasted_ms
            self._clock.start()
            self._tick.start()
        elif self._is_running:
            self._ran_ms = self._before_ms + self._clock.elapsed()
            self._tick.stop()
        self._is_running = is_running
        self._soon.start()

    def take(self, event: TurnEvent) -> None:
        self._trace.take(event)
        self._soon.start()

    def decide(self, decision: Decision | None) -> None:
        self._trace.decision = label_decision(decision) if decision else None
        self._soon.start()

    def log(self, *, with_words: bool) -> str:
        """Return a log for a bug report; it contains the question only if wanted."""
        trace = self.trace
        lines = [f"question: {trace.question}"] if with_words and trace.question else []
        lines += [f"outcome: {trace.outcome or 'running'}", f"ms: {self._elapsed()}"]
        if trace.decision is not None:
            lines.append(f"decision: {trace.decision.stored}")
        for line in trace.lines:
            parts = [str(line.what), line.going.value, f"{line.duration_ms} ms"]
            parts += [f"{line.usage.total_tokens} tokens", f"found {line.count}", line.trouble]
            parts += [line.about] if with_words else []
            lines.append("  ".join(filter(None, parts)))
        lines.append(f"sources: {len(trace.sources)}")
        if with_words:
            lines += [f"  {source.title}  {source.address}" for source in trace.sources]
        return "\n".join(lines)

    def retranslate(self) -> None:
        self._set_name(self.tr("Trace"))
        self._copy.setText(self.tr("Copy log"))
        self._newest.setText(self.tr("Show the newest answer"))
        self._menu.clear()
        bare, whole = self.tr("Without content"), self.tr("With questions, titles and addresses")
        copy = QGuiApplication.clipboard().setText
        self._menu.addAction(bare, lambda: copy(self.log(with_words=False)))
        self._menu.addAction(whole, lambda: copy(self.log(with_words=True)))
        self._soon.start()

    def _fill(self) -> None:
        trace, is_past = self.trace, self._past is not None
        is_anything = trace.is_anything or (self._is_running and not is_past)
        heading = self.tr("Answer to “{question}”").format(question=trace.question)
        self._question.set_text(heading if is_past and trace.question else "")
        nothing = self.tr(
            "After your next question, this panel shows how Bellek made the answer: each "
            "decision and its reason, the time and cost of each step, and every source read."
        )
        if is_past:
            nothing = self.tr("No trace was saved for this answer.")
        self._nothing.set_text("" if is_anything else nothing)
        self._decided.set_text(self.say_decision(trace.decision) if trace.decision else "")
        self._newest.setVisible(is_past and self._trace.is_anything)
        self._whole.setVisible(is_anything)
        self._copy.setVisible(is_anything)
        self._show_time()
        self._show_work(trace)

    def _show_time(self) -> None:
        trace = self.trace
        spent_ms = self._elapsed()
        if self._is_running:
            spent_ms -= spent_ms % _TICK_MS  # It is shown again at each tick.
        parts = [duration(spent_ms)]
        self._whole.setText(" · ".join([*parts, *self._words.paid(trace.usage)]))
        self.progress.setVisible(trace.spent is not None and trace.limits is not None)
        if trace.spent is not None and trace.limits is not None:
            self.progress.show_spent(trace.spent, trace.limits, is_running=self._is_running)

    def _elapsed(self) -> int:
        if self._past is not None:
            return self._past.duration_ms
        return self._before_ms + self._clock.elapsed() if self._is_running else self._ran_ms

    def _show_work(self, trace: TraceModel) -> None:
        parts: list[QWidget] = []
        if trace.lines:
            parts += [SectionLabel(self.tr("Steps")), self._steps(trace.lines)]
        if trace.sources:
            links = column(*map(self._link, trace.sources), spacing=0)
            parts += [SectionLabel(self.tr("Sources read")), widget_with(links)]
        old, self._work = self._work, widget_with(column(*parts))
        self._column.replaceWidget(old, self._work)
        self._work.setVisible(bool(parts))
        old.hide()
        old.deleteLater()

    def _steps(self, lines: Sequence[TraceLine]) -> LegendGrid:
        made, tokens = LegendGrid(self), self._theme.tokens
        for line in lines:
            role = "heading" if line.is_phase else "body"
            sign, name = Label(_SIGNS[line.going]), BodyLabel(self._words.name(line), role=role)
            colour = tokens.notice_text if line.going in _TROUBLED else tokens.accent
            colour = tokens.muted if _SIGNS[line.going] == "–" else colour
            sign.setStyleSheet(f"color: {colour};")
            spent = self._words.took(line)
            parts = (line.about, self._words.outcome(line), *self._words.paid(line.usage))
            below = " · ".join(filter(None, parts))
            going = self.tr("running") if line.going is LineState.RUNNING else ""
            name.setAccessibleName(", ".join(filter(None, (name.text(), below, spent, going))))
            made.add(sign, name, spent, *([HintLabel(below)] if below else []))
        return made

    def _link(self, source: SourceFound) -> Button:
        made = Button("link", press=lambda: self.source_chosen.emit(source))
        made.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        shown, warning = source.title, ""
        if source.is_suspicious:
            shown = self.tr("⚠ {title}").format(title=source.title)
            warning = self.tr("Contains instructions aimed at a model; they were ignored.")
        shown = made.fontMetrics().elidedText(
            shown, Qt.TextElideMode.ElideRight, text_width(self, _WIDEST_SOURCE)
        )
        parts = list(filter(None, (source.title, source.address, warning)))
        made.setText(shown.replace("&", "&&"))
        set_tip(made, "\n".join(parts))
        made.setAccessibleName(", ".join(parts))
        return made
