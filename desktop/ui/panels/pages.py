"""The pages of the panel: the sources of an answer, and what fills the context window."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from itertools import groupby

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QLayout, QProgressBar, QSizePolicy, QWidget

from desktop.domain.annotations import ContextType, SessionContext
from desktop.domain.claims import Support, WarningKind
from desktop.domain.events import ContextAssembled, TurnEvent
from desktop.domain.ids import MessageId, SessionId, moment_of
from desktop.domain.messages import Citation, CitationState
from desktop.domain.usage import ContextReport, Omission, Part, PartKind
from desktop.ui.formatting import SourceLabels, clock_time, day, token_count
from desktop.ui.i18n import core_texts
from desktop.ui.panels.tabs import SidePage
from desktop.ui.reader.reader_content import CitedPlace
from desktop.ui.theme.theme import ThemeController
from desktop.ui.theme.tokens import Space
from desktop.ui.transcript.document_writer import support_label, unchecked_reason
from desktop.ui.transcript.entries import ShownClaim
from desktop.ui.transcript.markdown import plain
from desktop.ui.widgets.buttons import Button, PassageButton
from desktop.ui.widgets.layouts import (
    STRETCH,
    LegendGrid,
    VerticalScrollArea,
    at_top,
    clear_layout,
    column,
    frame_with,
    growing,
    row,
    widget_with,
)
from desktop.ui.widgets.plain_text import BodyLabel, HintLabel, Label, SectionLabel, set_tip

_PASSAGE_LETTERS = 14


class _SourceCard(PassageButton):
    """One passage; a click anywhere or Enter opens it."""

    def __init__(self, citation: Citation, claims: Sequence[ShownClaim], accent: str) -> None:
        super().__init__()
        self.number = citation.number
        self._place = HintLabel()
        self._place.hide()
        name = self.tr("Open source {number}: {title}")
        self.setAccessibleName(name.format(number=citation.number, title=citation.title))
        self.setAccessibleDescription(plain(citation.quote))
        number = Label(str(citation.number), role="heading")
        number.setStyleSheet(f"color: {accent};")
        words: list[QWidget] = [self._place]
        if citation.quote:
            quote = HintLabel(self.tr("“{words}”").format(words=plain(citation.quote)))
            words.insert(0, frame_with("rule", column(quote, margin=(Space.SMALL, 0, 0, 0))))
        is_judged = citation.support is not Support.UNTESTED
        if citation.state is CitationState.UNCHECKED and not (is_judged and not citation.quote):
            words.append(HintLabel(unchecked_reason(has_quote=bool(citation.quote))))
        about = [text for claim in claims for text in self._claim_texts(claim)]
        words += map(HintLabel, about)
        self.setAccessibleDescription("\n".join([plain(citation.quote), *about]))
        parts = (at_top(number), growing(column(*words, spacing=Space.TIGHT)))
        margin = (Space.LARGE, Space.SMALL, Space.LARGE, Space.SMALL)
        self.fill(row(*parts, margin=margin))

    def show_place(self, words: str) -> None:
        self._place.set_text(words)

    def _claim_texts(self, shown: ShownClaim) -> Iterator[str]:
        """Yield the label and the claim, the words that decide, and what the rules miss."""
        cited = next(each for each in shown.claim.cited if each.number == self.number)
        if cited.support is Support.UNTESTED and not shown.claim.warnings:
            return
        claim = plain(shown.text)
        yield self.tr("{label}: {claim}").format(label=support_label(cited.support), claim=claim)
        if cited.words:
            yield self.tr("Decided by: “{words}”").format(words=plain(cited.words))
        names = {
            WarningKind.NUMBER: self.tr("⚠ “{words}” is not in the passage"),
            WarningKind.DATE: self.tr("⚠ The date “{words}” is not in the passage"),
            WarningKind.NAME: self.tr("⚠ The name “{words}” is not in the passage"),
            WarningKind.NEGATION: self.tr("⚠ The passage has no negation like “{words}”"),
        }
        for warning in shown.claim.warnings:
            yield names[warning.kind].format(words=warning.words)


class SourcesPanel(SidePage):
    places_wanted = Signal(object)  # Citations whose places in their sources are needed
    source_chosen = Signal(object)  # Citation

    def __init__(self, theme: ThemeController) -> None:
        super().__init__(theme)
        self._words = SourceLabels(self)
        self.citations: Sequence[Citation] = ()
        self._claims: Sequence[ShownClaim] = ()
        self._places: Mapping[int, CitedPlace] = {}
        self._times: Mapping[SessionId, datetime] = {}
        self._area = VerticalScrollArea(self)
        self._nothing = BodyLabel(role="muted")
        self._cards: list[_SourceCard] = []
        self._nothing.setContentsMargins(Space.LARGE, Space.LARGE, Space.LARGE, 0)
        self._inside.addWidget(self._nothing)
        self._inside.addWidget(self._area, 1)
        theme.theme_changed.connect(self._fill)
        self.retranslate()

    def show_citations(
        self,
        citations: Sequence[Citation],
        claims: Sequence[ShownClaim] = (),
        *,
        number: int | None = None,
    ) -> None:
        self.citations, self._claims, self._places = citations, claims, {}
        self._fill()
        if citations:
            self.places_wanted.emit(citations)
        for card in self._cards:
            if card.number == number:
                self._area.ensureWidgetVisible(card)
                card.setFocus(Qt.FocusReason.OtherFocusReason)

    def show_places(self, places: Mapping[int, CitedPlace]) -> None:
        """Show where citations are, by their numbers; ignore places of another answer."""
        if places and set(places) <= {citation.number for citation in self.citations}:
            self._places = places
            for card in self._cards:
                card.show_place(self._place_of(card.number))

    def show_session_times(self, times: Mapping[SessionId, datetime]) -> None:
        """Show when sessions began of which only the summary is cited."""
        if times != self._times:
            self._times = times
            self._fill()
            self.show_places(self._places)

    def retranslate(self) -> None:
        self._set_name(self.tr("Sources"))
        self._area.setAccessibleName(self.tr("Sources"))
        self._nothing.setText(self.tr("The sources of an answer appear here."))
        self._fill()

    def _fill(self) -> None:
        parts: list[QWidget | QLayout] = []
        self._cards = []
        for title, citations in _by_session(self.citations):
            name = SectionLabel(title)
            name.setContentsMargins(Space.LARGE, Space.MEDIUM, Space.LARGE, Space.TIGHT)
            parts.append(name)
            moments = [
                moment_of(MessageId(int(citation.passage_id)))
                for citation in citations
                if _is_message(citation)
            ]
            if moment := min(moments, default=self._times.get(SessionId(citations[0].source_id))):
                parts.append(self._when(moment))
            cards = [self._card(citation) for citation in citations]
            self._cards += cards
            parts += [*cards, column(frame_with("line"), margin=(0, Space.SMALL, 0, 0))]
        self._area.setWidget(widget_with(column(*parts, STRETCH, spacing=0)))
        self._nothing.setHidden(bool(self.citations))

    def _card(self, citation: Citation) -> _SourceCard:
        claims = [
            shown
            for shown in self._claims
            if any(cited.number == citation.number for cited in shown.claim.cited)
        ]
        card = _SourceCard(citation, claims, self._theme.tokens.accent)
        card.clicked.connect(lambda: self.source_chosen.emit(citation))
        card.show_place(self._place_of(citation.number))
        return card

    def _when(self, moment: datetime) -> QWidget:
        words = self.tr("Session · {day}, {time}").format(day=day(moment), time=clock_time(moment))
        made = HintLabel(words)
        made.setContentsMargins(Space.LARGE, 0, Space.LARGE, Space.TIGHT)
        return made

    def _place_of(self, number: int) -> str:
        place = self._places.get(number)
        if place is None:
            return ""
        parts = [self._words.form(place.source)]
        if place.passage is not None:
            parts.append(self._words.place(place.passage, place.printed_page))
        lines = [" · ".join(filter(None, parts))]
        if place.marks:
            marks = (core_texts().say(f"references.mark_{mark}") for mark in place.marks)
            lines.insert(0, f"⚠ {', '.join(marks)}")
        if place.gives_orders:
            lines.append(self.tr("⚠ Contains instructions aimed at a model; they were ignored."))
        return "\n".join(lines)


def _is_message(citation: Citation) -> bool:
    """Return whether it is the id of a message: decimal, and longer than a passage's id."""
    return citation.passage_id.isdecimal() and len(citation.passage_id) > _PASSAGE_LETTERS


def _by_session(citations: Sequence[Citation]) -> Iterator[tuple[str, Sequence[Citation]]]:
    first = {citation.source_id: place for place, citation in reversed(list(enumerate(citations)))}
    ordered = sorted(citations, key=lambda citation: (first[citation.source_id], citation.number))
    for _, group in groupby(ordered, key=lambda citation: citation.source_id):
        members = list(group)
        yield members[0].title, members


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
