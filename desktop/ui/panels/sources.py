"""The sources panel: the citations of an answer with their quotations."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from desktop.domain.ids import MessageId, moment_of
from desktop.domain.messages import Citation, CitationState
from desktop.ui.formatting import clock_time, day
from desktop.ui.reader.reader_content import CitedPlace
from desktop.ui.source_labels import SourceLabels
from desktop.ui.theme.theme import ThemeController
from desktop.ui.theme.tokens import Space
from desktop.ui.transcript.markdown import plain
from desktop.ui.widgets.buttons import PushButton
from desktop.ui.widgets.layouts import VerticalScrollArea
from desktop.ui.widgets.plain_text import Label
from desktop.ui.widgets.side_panel import SidePage

_PASSAGE_LETTERS = 14


class _SourceCard(PushButton):
    """One passage; pressed, anywhere or with Enter, it leads to its place."""

    def __init__(self, citation: Citation, accent: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._citation = citation
        self._place = self._small("")
        self._place.hide()
        self._build(accent)

    @property
    def number(self) -> int:
        return self._citation.number

    def say_place(self, words: str) -> None:
        """Where in its source the passage stands."""
        self._place.setText(words)
        self._place.setVisible(bool(words))

    def sizeHint(self) -> QSize:
        return self._inside.sizeHint()

    def minimumSizeHint(self) -> QSize:
        return self._inside.minimumSize()

    def _build(self, accent: str) -> None:
        citation = self._citation
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setProperty("kind", "passage")
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
        self.setAccessibleName(
            self.tr("Open source {number}: {title}").format(
                number=citation.number, title=citation.title
            )
        )
        self.setAccessibleDescription(plain(citation.quote))
        number = Label(str(citation.number), self)
        number.setProperty("role", "heading")
        number.setStyleSheet(f"color: {accent};")
        words = QVBoxLayout()
        words.setSpacing(Space.TIGHT)
        if citation.quote:
            words.addWidget(self._quote())
        words.addWidget(self._place)
        if citation.state is CitationState.UNCHECKED:
            words.addWidget(self._small(self._doubt(citation)))
        self._inside = QHBoxLayout(self)
        self._inside.setContentsMargins(Space.LARGE, Space.SMALL, Space.LARGE, Space.SMALL)
        self._inside.setSpacing(Space.SMALL)
        self._inside.addWidget(number, 0, Qt.AlignmentFlag.AlignTop)
        self._inside.addLayout(words, 1)
        for part in self.findChildren(QWidget):
            part.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)

    def _quote(self) -> QWidget:
        rule = QFrame(self)
        rule.setProperty("role", "rule")
        inside = QVBoxLayout(rule)
        inside.setContentsMargins(Space.SMALL, 0, 0, 0)
        quoted = plain(self._citation.quote)
        inside.addWidget(self._small(self.tr("“{words}”").format(words=quoted)))
        return rule

    def _doubt(self, citation: Citation) -> str:
        if citation.quote:
            return self.tr("These words were not found in the source")
        return self.tr("Not checked against the source")

    def _small(self, text: str) -> Label:
        label = Label(text, self)
        label.setProperty("role", "small")
        label.setWordWrap(True)
        return label


class SourcesPanel(SidePage):
    places_wanted = Signal(object)
    """Citations: where do those that stand in sources do so?"""
    source_chosen = Signal(object)
    """Citation"""

    def __init__(self, theme: ThemeController, parent: QWidget | None = None) -> None:
        super().__init__(theme, parent)
        self._words = SourceLabels(self)
        self._citations: Sequence[Citation] = ()
        self._places: Mapping[int, CitedPlace] = {}
        self._area = VerticalScrollArea(self)
        self._nothing = Label(parent=self)
        self._cards: list[_SourceCard] = []
        self._nothing.setProperty("role", "muted")
        self._nothing.setWordWrap(True)
        self._nothing.setContentsMargins(Space.LARGE, Space.LARGE, Space.LARGE, 0)
        self._inside.addWidget(self._nothing)
        self._inside.addWidget(self._area, 1)
        theme.theme_changed.connect(self._fill)
        self.retranslate()

    @property
    def citations(self) -> Sequence[Citation]:
        return self._citations

    def show_citations(self, citations: Sequence[Citation], *, number: int | None = None) -> None:
        """Those of one answer; the one with `number` gets the focus."""
        self._citations, self._places = citations, {}
        self._fill()
        if citations:
            self.places_wanted.emit(citations)
        for card in self._cards:
            if card.number == number:
                self._area.ensureWidgetVisible(card)
                card.setFocus(Qt.FocusReason.OtherFocusReason)

    def show_places(self, places: Mapping[int, CitedPlace]) -> None:
        """By the citations' numbers; what is asked for meanwhile has its own answer."""
        if places and set(places) <= {one.number for one in self._citations}:
            self._places = places
            for card in self._cards:
                card.say_place(self._place_of(card.number))

    def retranslate(self) -> None:
        self._set_name(self.tr("Sources"))
        self._area.setAccessibleName(self.tr("Sources"))
        self._nothing.setText(self.tr("The sources of an answer appear here."))
        self._fill()

    def _fill(self) -> None:
        inside = QWidget()
        column = QVBoxLayout(inside)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        self._cards = []
        for title, citations in _by_session(self._citations):
            column.addWidget(self._heading(title, inside))
            if (when := self._when(citations)) is not None:
                column.addWidget(when)
            for citation in citations:
                card = _SourceCard(citation, self._theme.tokens.accent, inside)
                card.clicked.connect(lambda _=False, one=citation: self.source_chosen.emit(one))
                card.say_place(self._place_of(citation.number))
                column.addWidget(card)
                self._cards.append(card)
            line = QFrame(inside)
            line.setProperty("role", "line")
            column.addSpacing(Space.SMALL)
            column.addWidget(line)
        column.addStretch(1)
        self._area.setWidget(inside)
        self._nothing.setHidden(bool(self._citations))

    def _place_of(self, number: int) -> str:
        place = self._places.get(number)
        if place is None:
            return ""
        told = [self._words.form(place.source)]
        if place.passage is not None:
            told.append(self._words.place(place.passage))
        where = " · ".join(filter(None, told))
        if not place.gives_orders:
            return where
        warned = self.tr("⚠ Contains instructions aimed at a model; they were ignored.")
        return f"{where}\n{warned}"

    def _when(self, citations: Sequence[Citation]) -> Label | None:
        """When it was said, of what was said in a session."""
        said = [MessageId(int(one.passage_id)) for one in citations if _is_message(one)]
        if not said:
            return None
        moment = moment_of(min(said))
        words = self.tr("Session · {day}, {time}").format(day=day(moment), time=clock_time(moment))
        made = Label(words, self)
        made.setProperty("role", "small")
        made.setContentsMargins(Space.LARGE, 0, Space.LARGE, Space.TIGHT)
        return made

    @staticmethod
    def _heading(title: str, parent: QWidget) -> Label:
        made = Label(title, parent)
        made.setProperty("role", "heading")
        made.setWordWrap(True)
        made.setContentsMargins(Space.LARGE, Space.MEDIUM, Space.LARGE, Space.TIGHT)
        return made


def _is_message(citation: Citation) -> bool:
    """Ids of messages are decimal, and longer than those of a source's passages."""
    return citation.passage_id.isdecimal() and len(citation.passage_id) > _PASSAGE_LETTERS


def _by_session(citations: Sequence[Citation]) -> Iterator[tuple[str, Sequence[Citation]]]:
    """What one session says stands together, in the order of its first number."""
    first = {one.source_id: place for place, one in reversed(list(enumerate(citations)))}
    ordered = sorted(citations, key=lambda one: (first[one.source_id], one.number))
    for _, group in groupby(ordered, key=lambda one: one.source_id):
        found = list(group)
        yield found[0].title, found
