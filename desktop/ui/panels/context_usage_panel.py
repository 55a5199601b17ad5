"""The context panel: what fills the context window of the model."""

from collections.abc import Mapping, Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QProgressBar, QSizePolicy, QWidget

from desktop.domain.annotations import ContextType, SessionContext
from desktop.domain.events import ContextAssembled, TurnEvent
from desktop.domain.ids import SessionId
from desktop.domain.usage import ContextReport, Omission, Part, PartKind
from desktop.ui.formatting import clock_time, token_count
from desktop.ui.panels.tabs import SidePage
from desktop.ui.theme.theme import ThemeController
from desktop.ui.theme.tokens import Space
from desktop.ui.widgets.buttons import Button
from desktop.ui.widgets.layouts import LegendGrid, clear_layout, column
from desktop.ui.widgets.plain_text import BodyLabel, HintLabel, Label, SectionLabel, set_tip

_WHOLE = 100


class ContextPanel(SidePage):
    compacts_wanted = Signal()  # the user wants to read the summaries that were sent

    def __init__(self, theme: ThemeController) -> None:
        super().__init__(theme)
        self._reports: dict[SessionId | None, ContextReport] = {}
        self._shown: SessionId | None = None
        self._column = column()
        self._add_scrolled(self._column)
        theme.theme_changed.connect(self._soon.start)
        self.retranslate()

    @property
    def report(self) -> ContextReport | None:
        """Return what the last request of the shown session contained."""
        return self._reports.get(self._shown)

    def take(self, event: TurnEvent, session_id: SessionId | None) -> None:
        if isinstance(event, ContextAssembled):
            self._reports[session_id] = event.report
            self._soon.start()

    def show_session(self, session_id: SessionId | None) -> None:
        self._shown = session_id
        self._soon.start()

    def forget(self) -> None:
        self._reports.clear()
        self._soon.start()

    def retranslate(self) -> None:
        self._set_name(self.tr("Last request"))
        self._soon.start()

    def _fill(self) -> None:
        clear_layout(self._column)
        for widget in (
            self._nothing() if self.report is None else self._report_widgets(self.report)
        ):
            self._column.addWidget(widget)
            widget.show()

    def _nothing(self) -> Sequence[QWidget]:
        words = self.tr(
            "Nothing of this session has been sent to a model since Bellek started. After your "
            "next question, this panel shows what was sent and how many tokens each part used."
        )
        return (BodyLabel(words, self, role="muted"),)

    def _report_widgets(self, report: ContextReport) -> Sequence[QWidget]:
        # Parts that used tokens, or that were left out in whole or in part.
        parts = [part for part in report.parts if part.tokens or part.left_out or part.reason]
        whole, reused = SectionLabel(self._amount(report), self), self._reused(report)
        legend = LegendGrid(self, top=Space.SMALL)
        for part in parts:
            name, amount = Label(self._name(part), legend), self._share(part, report.tokens)
            name.setWordWrap(True)
            name.setAccessibleName(f"{name.text()}, {amount}")
            below: list[QWidget] = [_bar(part.tokens, report.tokens, name.accessibleName())]
            if part.left_out or part.reason:
                below.append(HintLabel(self._why(part), legend))
            if part.kind is PartKind.COMPACTS:
                below.append(self._reader())
            legend.add(QWidget(legend), name, amount, *below)
        hints = [HintLabel(reused, self)] if reused else []
        limit = report.limit_tokens
        filled = [_bar(report.tokens, limit, whole.text())] if limit else []
        return (whole, *filled, *hints, legend, *self._contexts(report.contexts))

    def _contexts(self, contexts: Sequence[SessionContext]) -> Sequence[QWidget]:
        """Return what the session keeps for follow-ups, each with the time when it expires."""
        if not contexts:
            return ()
        head = SectionLabel(self.tr("Kept for follow-up questions"), self)
        form = self.tr("{detail} · until {time}")
        lines = [
            HintLabel(
                form.format(detail=_detail(context), time=clock_time(context.expires_at)), self
            )
            for context in contexts
        ]
        return (head, *lines)

    def _reader(self) -> QWidget:
        name = self.tr("Read the summaries of older messages")
        made = Button("chip", text=self.tr("Read"), name=name, press=self.compacts_wanted.emit)
        set_tip(made, name)
        made.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        return made

    def _amount(self, report: ContextReport) -> str:
        tokens = token_count(report.tokens)
        if not report.limit_tokens:
            return self.tr("{tokens} tokens").format(tokens=tokens)
        form = self.tr("{tokens} / {limit} tokens")
        return form.format(tokens=tokens, limit=token_count(report.limit_tokens))

    def _reused(self, report: ContextReport) -> str:
        if report.cached_tokens is None:
            return ""
        if not report.cached_tokens:
            return self.tr("Nothing was read from the cache.")
        percent = round(_WHOLE * report.cached_tokens / max(report.tokens, 1))
        form = self.tr("{tokens} tokens ({percent}%) were read from the cache.")
        return form.format(tokens=token_count(report.cached_tokens), percent=percent)

    def _share(self, part: Part, tokens: int) -> str:
        percent = round(_WHOLE * part.tokens / max(tokens, 1))
        form = self.tr("{tokens} · {percent}%")
        return form.format(tokens=token_count(part.tokens), percent=percent)

    def _name(self, part: Part) -> str:
        count = part.items
        names: Mapping[PartKind, str] = {
            PartKind.TOOLS: self.tr("%n tool(s)", "", count),
            PartKind.INSTRUCTIONS: self.tr("Instructions"),
            PartKind.VARIABLES: self.tr("About you"),
            PartKind.COMPACTS: self.tr("%n summary(ies) of older messages", "", count),
            PartKind.MESSAGES: self.tr("%n message(s), word for word", "", count),
            PartKind.QUESTION: self.tr("Your question"),
            PartKind.MEMORY: self.tr("%n fact(s) from memory", "", count),
            PartKind.PREFERENCES: self.tr("%n preference(s)", "", count),
            PartKind.RECALLED: self.tr("%n retrieved passage(s)", "", count),
            PartKind.CONTEXTS: self.tr("%n earlier detail(s) you may be referring to", "", count),
        }
        if part.kind is PartKind.RECALLED and not count:
            if part.tokens:
                return self.tr("A note that nothing was found")
            return self.tr("Retrieved passages")
        return names[part.kind]

    def _why(self, part: Part) -> str:
        count = part.left_out
        reasons = {
            None: self.tr("%n left out", "", count),
            Omission.SUMMARISED: self.tr("%n more were sent as a summary", "", count),
            Omission.NO_ROOM: self.tr("%n left out because there was not enough space", "", count),
            Omission.ENOUGH: self.tr(
                "%n more left out because only the most important facts are sent", "", count
            ),
            Omission.CHOSEN: self.tr(
                "%n left out because of your setting for long sessions", "", count
            ),
            Omission.SWITCHED_OFF: self.tr(
                "Not sent because this part is turned off or the session is temporary"
            ),
        }
        return reasons[part.reason]


def _bar(value: int, whole: int, name: str) -> QProgressBar:
    made = QProgressBar()
    made.setTextVisible(False)
    made.setFixedHeight(Space.SMALL)
    made.setRange(0, max(whole, 1))
    made.setValue(min(value, whole))
    made.setAccessibleName(name)
    return made


def _detail(context: SessionContext) -> str:
    """Return a date with what it means, or an amount or a name alone."""
    is_explained = context.type is ContextType.TIME and context.name not in context.value
    return f"{context.name} ({context.value})" if is_explained else context.name
