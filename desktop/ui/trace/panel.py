"""The trace panel: steps, sources, the budget, and the button that stops a run."""

from collections.abc import Callable, Sequence

from PySide6.QtCore import QElapsedTimer, QEvent, Qt, QTimer, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import (
    QGridLayout,
    QProgressBar,
    QVBoxLayout,
    QWidget,
)

from desktop.domain.events import SourceFound, ToolCalled, TurnEvent
from desktop.domain.ids import MessageId
from desktop.domain.research import LimitKind, ResearchLimits, Spent
from desktop.domain.routing import Decision
from desktop.research.turn_trace import format_decision
from desktop.ui.theme.theme import ThemeController
from desktop.ui.theme.tokens import Space
from desktop.ui.trace.trace_model import LineState, TraceLabels, TraceLine, TraceModel, shares
from desktop.ui.widgets.buttons import Button, PushButton
from desktop.ui.widgets.labels import BodyLabel, HintLabel, SectionLabel
from desktop.ui.widgets.layouts import LegendGrid
from desktop.ui.widgets.menus import PopupMenu
from desktop.ui.widgets.plain_text import Label, tip
from desktop.ui.widgets.side_panel import SidePage

_WHOLE = 1000
_UNLIMITED = 100_000_000
"""Tokens from which on a limit is none."""


class BudgetProgress(QWidget):
    stop_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._words = TraceLabels(self)
        self._spent = Spent()
        self._limits: ResearchLimits | None = None
        self._names = {kind: Label(parent=self) for kind in LimitKind}
        self._bars = {kind: QProgressBar(self) for kind in LimitKind}
        self._amounts = {kind: Label(parent=self) for kind in LimitKind}
        self._stop, self._about = Button(), HintLabel(parent=self)
        self._build()
        self._stop.clicked.connect(self.stop_wanted)
        self.retranslate()

    def show_spent(self, spent: Spent, limits: ResearchLimits, *, is_running: bool) -> None:
        self._spent, self._limits = spent, limits
        self._stop.setVisible(is_running)
        self._about.setVisible(is_running)
        self._say()

    def retranslate(self) -> None:
        self._stop.setText(self.tr("Stop and write what you have"))
        self._about.setText(self.tr("What has been found so far becomes the report."))
        for kind, name in self._names.items():
            name.setText(self._words.limit(kind))
        self._say()

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange:
            self.retranslate()
        super().changeEvent(event)

    def _build(self) -> None:
        grid = QGridLayout()
        grid.setHorizontalSpacing(Space.SMALL)
        grid.setVerticalSpacing(Space.TIGHT)
        grid.setColumnStretch(1, 1)
        for row, kind in enumerate(LimitKind):
            bar, amount = self._bars[kind], self._amounts[kind]
            bar.setTextVisible(False)
            bar.setMinimumWidth(2 * Space.WIDE)
            bar.setRange(0, _WHOLE)
            amount.setProperty("role", "small")
            grid.addWidget(self._names[kind], row, 0)
            grid.addWidget(bar, row, 1)
            grid.addWidget(amount, row, 2)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(Space.SMALL)
        column.addLayout(grid)
        column.addWidget(self._stop)
        column.addWidget(self._about)

    def _say(self) -> None:
        if self._limits is None:
            return
        for kind, taken, most in shares(self._spent, self._limits):
            is_limited = most is not None and most < _UNLIMITED
            is_seen = is_limited or bool(taken)
            bar, amount = self._bars[kind], self._amounts[kind]
            for widget in (self._names[kind], bar, amount):
                widget.setVisible(is_seen)
            said = self._words.amount(kind, taken)
            if taken is None:
                # A limit of money holds nothing where no price is known.
                is_limited = False
                bar.setValue(0)
            elif is_limited and most is not None:
                bar.setValue(round(min(taken / most, 1.0) * _WHOLE) if most else _WHOLE)
                said = self.tr("{taken} of {most}").format(
                    taken=said, most=self._words.amount(kind, most)
                )
            bar.setEnabled(is_limited)
            amount.setText(said)
            bar.setAccessibleName(f"{self._words.limit(kind)}: {said}")


_TICK_MS = 1000
_SIGNS = {
    LineState.RUNNING: "●",
    LineState.WAITING: "?",
    LineState.DONE: "✓",
    LineState.KEPT: "✓",
    LineState.SKIPPED: "–",
    LineState.FAILED: "✗",
    LineState.REFUSED: "!",
    LineState.AGAIN: "↻",
    LineState.COMPLETED: "✓",
    LineState.FELL_BACK: "!",
}


class TracePanel(SidePage):
    stop_wanted = Signal()
    source_chosen = Signal(object)
    """SourceFound that is to be opened"""

    def __init__(self, theme: ThemeController, parent: QWidget | None = None) -> None:
        super().__init__(theme, parent)
        self._trace = TraceModel()
        self._past: tuple[TraceModel, str] | None = None
        """Of an earlier answer, and the question it answers."""
        self._words = TraceLabels(self)
        self._say_decision: Callable[[Decision], str] = lambda _: ""
        self._is_running = False
        self._clock, self._ran_ms = QElapsedTimer(), 0
        self._tick = QTimer(self, interval=_TICK_MS)
        self._soon = QTimer(self, singleShot=True, interval=0)
        self._nothing, self._decided, self._asked = (
            BodyLabel(parent=self),
            BodyLabel(parent=self),
            BodyLabel(parent=self),
        )
        self._whole, self.progress = HintLabel(parent=self), BudgetProgress(self)
        self._steps, self._found = SectionLabel(parent=self), SectionLabel(parent=self)
        self._lines, self._sources = QWidget(self), QWidget(self)
        self._copy, self._newest = PushButton(self), PushButton(self)
        self._menu = PopupMenu(self)
        self._column = QVBoxLayout()
        self._build()
        self._connect()
        self.retranslate()

    @property
    def trace(self) -> TraceModel:
        """That which is shown: the newest turn's, or that of the answer that was chosen."""
        return self._past[0] if self._past else self._trace

    def has(self, answer: MessageId) -> bool:
        """Whether the newest turn came to this answer."""
        return self._trace.answer == answer

    def show_past(self, trace: TraceModel, question: str) -> None:
        self._past = (trace, question)
        self._soon.start()

    def show_newest(self) -> None:
        self._past = None
        self._soon.start()

    def forget(self) -> None:
        """Nothing may be left of what it was of."""
        self._trace, self._past = TraceModel(), None
        self._soon.start()

    def set_decision_words(self, say: Callable[[Decision], str]) -> None:
        """How a decision is told, once the core is there to tell it."""
        self._say_decision = say
        self._soon.start()

    def show_running(self, is_running: bool) -> None:  # noqa: FBT001 (comes from a signal)
        """A turn begins, with a trace of its own, or has ended."""
        if is_running:
            self._trace, self._past = TraceModel(), None
            self._clock.start()
            self._tick.start()
        elif self._is_running:
            self._ran_ms = self._clock.elapsed()
            self._tick.stop()
        self._is_running = is_running
        self._soon.start()

    def take(self, event: TurnEvent) -> None:
        self._trace.take(event)
        self._soon.start()

    def decide(self, decision: Decision | None) -> None:
        self._trace.decide(decision)
        self._soon.start()

    def call(self, called: ToolCalled) -> None:
        self._trace.call(called)
        self._soon.start()

    def log(self, *, with_words: bool) -> str:
        """For a bug report: what was done, and only where it is wanted the words it was about."""
        trace = self.trace
        question = self._past[1] if self._past else trace.question
        lines = [f"question: {question}"] if with_words and question else []
        lines += [f"outcome: {trace.outcome or 'running'}", f"ms: {self._elapsed()}"]
        if trace.decision is not None:
            lines.append(f"decision: {format_decision(trace.decision)}")
        for line in trace.lines:
            told = [str(line.what), line.going.value, f"{line.duration_ms} ms"]
            told += [f"{line.usage.total_tokens} tokens", f"found {line.found}", line.trouble]
            told += [line.about] if with_words else []
            lines.append("  ".join(filter(None, told)))
        lines.append(f"sources: {len(trace.sources)}")
        if with_words:
            lines += [f"  {one.title}  {one.address}" for one in trace.sources]
        return "\n".join(lines)

    def retranslate(self) -> None:
        self._set_name(self.tr("Trace"))
        self._steps.setText(self.tr("Steps"))
        self._found.setText(self.tr("Sources read"))
        self._copy.setText(self.tr("Copy log"))
        self._newest.setText(self.tr("Show the newest answer"))
        self._menu.clear()
        for words, with_words in (
            (self.tr("Without content"), False),
            (self.tr("With questions, titles and addresses"), True),
        ):
            action = self._menu.addAction(words)
            action.triggered.connect(
                lambda _=False, with_words=with_words: self._copy_log(with_words=with_words)
            )
        self._fill()

    def _build(self) -> None:
        self._nothing.setProperty("role", "muted")
        self._copy.setProperty("kind", "choice")
        self._newest.setProperty("kind", "quiet")
        self._asked.setProperty("role", "muted")
        self._copy.setMenu(self._menu)
        column = self._column
        for widget in (
            *(self._asked, self._nothing, self._decided, self._whole, self.progress),
            *(self._steps, self._lines, self._found, self._sources),
        ):
            column.addWidget(widget)
        for button in (self._copy, self._newest):
            column.addWidget(button, 0, Qt.AlignmentFlag.AlignLeft)
        self._add_scrolled(column)

    def _connect(self) -> None:
        self.progress.stop_wanted.connect(self.stop_wanted)
        self._newest.clicked.connect(self.show_newest)
        self._tick.timeout.connect(self._say_time)
        self._soon.timeout.connect(self._fill)
        self._theme.theme_changed.connect(self._fill)

    def _fill(self) -> None:
        trace = self.trace
        is_anything = trace.is_anything or (self._is_running and self._past is None)
        self._say_which()
        self._nothing.setVisible(not is_anything)
        self._decided.setText(self._say_decision(trace.decision) if trace.decision else "")
        self._decided.setVisible(bool(self._decided.text()))
        self._say_time()
        lines, sources = trace.lines, trace.sources
        self._lines = self._put(self._lines, self._list(lines))
        self._sources = self._put(self._sources, self._source_list(sources))
        for shown, widgets in (
            (bool(lines), (self._steps, self._lines)),
            (bool(sources), (self._found, self._sources)),
            (is_anything, (self._whole, self._copy)),
        ):
            for widget in widgets:
                widget.setVisible(shown)

    def _say_which(self) -> None:
        question = self._past[1] if self._past else ""
        self._asked.setText(self.tr("Answer to “{question}”").format(question=question))
        self._asked.setVisible(bool(question))
        self._newest.setVisible(self._past is not None and self._trace.is_anything)
        self._nothing.setText(
            self.tr("No trace was saved for this answer.")
            if self._past
            else self.tr(
                "After your next question this shows how Bellek made the answer: what it "
                "decided and why, the time and cost of each step, and every source it "
                "read."
            )
        )

    def _say_time(self) -> None:
        trace = self.trace
        told = [self._words.duration(self._elapsed() // _TICK_MS * _TICK_MS)]
        self._whole.setText(" · ".join([*told, *self._words.paid(trace.usage)]))
        self.progress.setVisible(trace.spent is not None and trace.limits is not None)
        if trace.spent is not None and trace.limits is not None:
            self.progress.show_spent(trace.spent, trace.limits, is_running=self._is_running)

    def _elapsed(self) -> int:
        if self._past is not None:
            return self.trace.duration_ms
        return self._clock.elapsed() if self._is_running else self._ran_ms

    def _put(self, old: QWidget, new: QWidget) -> QWidget:
        self._column.replaceWidget(old, new)
        old.hide()
        old.deleteLater()
        return new

    def _list(self, lines: Sequence[TraceLine]) -> QWidget:
        made = LegendGrid(self)
        for line in lines:
            sign, name = Label(_SIGNS[line.going], made), BodyLabel(parent=made)
            spent = self._words.took(line)
            sign.setStyleSheet(f"color: {self._sign_colour(line.going)};")
            name.setText(self._words.name(line))
            name.setProperty("role", "heading" if line.is_phase else "body")
            told = (line.about, self._words.outcome(line), *self._words.paid(line.usage))
            below = " · ".join(filter(None, told))
            name.setAccessibleName(
                ", ".join(filter(None, (name.text(), below, spent, line.going.value)))
            )
            hints = [_hint(below, made)] if below else []
            made.add(sign, name, spent, *hints)
        return made

    def _sign_colour(self, going: LineState) -> str:
        tokens = self._theme.tokens
        if going in {LineState.FAILED, LineState.WAITING, LineState.AGAIN, LineState.FELL_BACK}:
            return tokens.notice_text
        return tokens.muted if going is LineState.SKIPPED else tokens.accent

    def _source_list(self, sources: Sequence[SourceFound]) -> QWidget:
        made = QWidget(self)
        column = QVBoxLayout(made)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        for one in sources:
            button = PushButton(made)
            button.setProperty("kind", "link")
            button.setCursor(Qt.CursorShape.PointingHandCursor)
            warned = self.tr("⚠ {title}").format(title=one.title) if one.is_suspicious else ""
            shown = warned or one.title
            room = self.fontMetrics().averageCharWidth() * 40
            button.setText(
                button.fontMetrics()
                .elidedText(shown, Qt.TextElideMode.ElideRight, room)
                .replace("&", "&&")
            )
            warning = self.tr("Contains instructions aimed at a model; they were ignored.")
            told = (one.title, one.address, warning if one.is_suspicious else "")
            button.setToolTip(tip("\n".join(filter(None, told))))
            button.setAccessibleName(", ".join(filter(None, told)))
            button.clicked.connect(lambda _=False, one=one: self.source_chosen.emit(one))
            column.addWidget(button, 0, Qt.AlignmentFlag.AlignLeft)
        return made

    def _copy_log(self, *, with_words: bool) -> None:
        QGuiApplication.clipboard().setText(self.log(with_words=with_words))


def _hint(words: str, parent: QWidget) -> HintLabel:
    made = HintLabel(parent=parent)
    made.setText(words)
    return made
