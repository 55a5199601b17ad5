"""The sources panel: the citations of an answer with their quotations."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from itertools import groupby

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QLayout, QWidget

from desktop.domain.ids import MessageId, SessionId, moment_of
from desktop.domain.messages import Citation, CitationState
from desktop.ui.formatting import clock_time, day
from desktop.ui.panels.tabs import SidePage
from desktop.ui.reader.reader_content import CitedPlace
from desktop.ui.source_labels import SourceLabels
from desktop.ui.theme.theme import ThemeController
from desktop.ui.theme.tokens import Space
from desktop.ui.transcript.document_writer import unchecked_reason
from desktop.ui.transcript.markdown import plain
from desktop.ui.widgets.buttons import PassageButton
from desktop.ui.widgets.layouts import (
    STRETCH,
    VerticalScrollArea,
    at_top,
    column,
    frame_with,
    growing,
    row,
    widget_with,
)
from desktop.ui.widgets.plain_text import BodyLabel, HintLabel, Label, SectionLabel

_PASSAGE_LETTERS = 14


class _SourceCard(PassageButton):
    """One passage; a click anywhere or Enter opens it."""

    def __init__(self, citation: Citation, accent: str) -> None:
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
        if citation.state is CitationState.UNCHECKED:
            words.append(HintLabel(unchecked_reason(has_quote=bool(citation.quote))))
        parts = (at_top(number), growing(column(*words, spacing=Space.TIGHT)))
        margin = (Space.LARGE, Space.SMALL, Space.LARGE, Space.SMALL)
        self.fill(row(*parts, margin=margin))

    def show_place(self, words: str) -> None:
        self._place.set_text(words)


class SourcesPanel(SidePage):
    places_wanted = Signal(object)  # Citations whose places in their sources are needed
    source_chosen = Signal(object)  # Citation

    def __init__(self, theme: ThemeController) -> None:
        super().__init__(theme)
        self._words = SourceLabels(self)
        self.citations: Sequence[Citation] = ()
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

    def show_citations(self, citations: Sequence[Citation], *, number: int | None = None) -> None:
        self.citations, self._places = citations, {}
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
        card = _SourceCard(citation, self._theme.tokens.accent)
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
            parts.append(self._words.place(place.passage))
        where = " · ".join(filter(None, parts))
        if not place.gives_orders:
            return where
        warned = self.tr("⚠ Contains instructions aimed at a model; they were ignored.")
        return f"{where}\n{warned}"


def _is_message(citation: Citation) -> bool:
    """Return whether it is the id of a message: decimal, and longer than a passage's id."""
    return citation.passage_id.isdecimal() and len(citation.passage_id) > _PASSAGE_LETTERS


def _by_session(citations: Sequence[Citation]) -> Iterator[tuple[str, Sequence[Citation]]]:
    first = {citation.source_id: place for place, citation in reversed(list(enumerate(citations)))}
    ordered = sorted(citations, key=lambda citation: (first[citation.source_id], citation.number))
    for _, group in groupby(ordered, key=lambda citation: citation.source_id):
        members = list(group)
        yield members[0].title, members
