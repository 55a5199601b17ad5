"""The filters of the results page, and the search state they describe."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import QComboBox, QCompleter, QLineEdit, QListView, QWidget

from desktop.domain.projects import Wall
from desktop.domain.search import CONVERSATIONS, HitKind, Query, Scope, SearchMode, SearchOrder
from desktop.domain.times import Period
from desktop.language.dates.date_parser import read_period
from desktop.ui.i18n import TranslatedWidget
from desktop.ui.widgets.buttons import Button
from desktop.ui.widgets.fields import EnumComboBox
from desktop.ui.widgets.layouts import FlowLayout
from desktop.ui.widgets.plain_text import set_tip


class ResultKind(StrEnum):
    ALL = "all"
    MESSAGES = "messages"
    SESSIONS = "sessions"
    SOURCES = "sources"
    DIARY = "diary"


class Order(StrEnum):
    BEST = "best"
    NEWEST = "newest"


_KINDS = {
    ResultKind.ALL: CONVERSATIONS | {HitKind.SOURCE, HitKind.DIARY},
    ResultKind.MESSAGES: frozenset({HitKind.MESSAGE}),
    ResultKind.SESSIONS: frozenset({HitKind.SESSION}),
    ResultKind.SOURCES: frozenset({HitKind.SOURCE}),
    ResultKind.DIARY: frozenset({HitKind.DIARY}),
}


@dataclass(frozen=True, slots=True)
class SearchState:
    words: str = ""  # without the words for a date
    period: Period | None = None
    topic: str = ""
    is_pinned: bool = False
    kind: ResultKind = ResultKind.ALL
    order: Order = Order.BEST

    @property
    def is_anything(self) -> bool:
        """Whether there is something to search for; a kind or an order is not enough."""
        return bool(self.words or self.period or self.topic or self.is_pinned)

    @property
    def is_filtered(self) -> bool:
        return bool(self.period or self.topic or self.is_pinned or self.kind is not ResultKind.ALL)

    def query(self, mode: SearchMode, limit: int, wall: Wall) -> Query:
        period = self.period or Period()
        return Query(
            self.words,
            kinds=_KINDS[self.kind],
            since=period.since,
            until=period.until,
            topic=self.topic or None,
            is_pinned=True if self.is_pinned else None,
            mode=mode,
            limit=limit,
            order=SearchOrder.NEWEST if self.order is Order.NEWEST else SearchOrder.RANKED,
            scope=Scope(wall),
        )


class _WrittenChoice(QComboBox):
    """Offers choices and accepts any text; the first choice means no filter."""

    def __init__(self, characters: int, parent: QWidget) -> None:
        super().__init__(parent)
        self.line = QLineEdit()
        self.setEditable(True)
        self.setLineEdit(self.line)
        self.setInsertPolicy(QComboBox.InsertPolicy.NoInsert)
        self.setMinimumContentsLength(characters)
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)

    @property
    def written(self) -> str:
        """Return the text; empty for no filter."""
        written = self.currentText().strip()
        return "" if written == self.itemText(0) else written

    def offer(self, choices: Sequence[str]) -> None:
        """Replace the choices; keep the text."""
        text = self.written or choices[0]
        with QSignalBlocker(self):
            self.clear()
            self.addItems(choices)
            self.setCurrentIndex(max(self.findText(text), 0))
            self.setEditText(text)

    def reset(self) -> None:
        with QSignalBlocker(self):
            self.setCurrentIndex(0)
            self.setEditText(self.itemText(0))


_WHEN_CHARACTERS = 11
_TOPIC_CHARACTERS = 13


class ResultFilters(TranslatedWidget, QWidget):
    changed = Signal()

    def __init__(self, now: Callable[[], datetime], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._now = now
        self.when = _WrittenChoice(_WHEN_CHARACTERS, self)
        self.topic = _WrittenChoice(_TOPIC_CHARACTERS, self)
        self.kind = EnumComboBox(tuple(ResultKind), self)
        self.order = EnumComboBox(tuple(Order), self)
        self.pinned = Button("chip", self)
        self._topics: Sequence[str] = ()
        self.when.line.setCompleter(None)  # type: ignore[arg-type]  # Qt accepts None
        completer = QCompleter(self.topic.model(), self.topic)
        completer.setCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        completer.setFilterMode(Qt.MatchFlag.MatchContains)
        offered = QListView()
        offered.setProperty("role", "offered")
        completer.setPopup(offered)
        self.topic.setCompleter(completer)
        self.pinned.setCheckable(True)
        layout = FlowLayout(self)
        for each in (self.when, self.topic, self.kind, self.order, self.pinned):
            layout.addWidget(each)
        for changed in (
            self.when.editTextChanged,
            self.topic.editTextChanged,
            self.kind.chosen,
            self.order.chosen,
            self.pinned.toggled,
        ):
            changed.connect(self.changed)
        self.retranslate()

    @property
    def is_when_understood(self) -> bool:
        return not self.when.written or self._period() is not None

    def put_into(self, asked: SearchState) -> SearchState:
        """Return the search with these filters; a date in the field wins over one in the words."""
        return replace(
            asked,
            period=self._period() or asked.period,
            topic=self.topic.written,
            is_pinned=self.pinned.isChecked(),
            kind=ResultKind(self.kind.value),
            order=Order(self.order.value),
        )

    def offer_topics(self, names: Sequence[str]) -> None:
        """Offer the archive's topics, the most used first; keep the chosen one."""
        self._topics = names
        self.topic.offer([self.tr("Any topic"), *names])

    def reset(self) -> None:
        self.when.reset()
        self.topic.reset()
        self.pinned.setChecked(False)
        self.kind.show_value(ResultKind.ALL)
        self.order.show_value(Order.BEST)
        self.changed.emit()

    def retranslate(self) -> None:
        # These texts are parsed like typed dates.
        self.when.offer(
            [
                *(self.tr("Any time"), self.tr("Today"), self.tr("Yesterday")),
                *(self.tr("This week"), self.tr("Last week"), self.tr("This month")),
                *(self.tr("Last month"), self.tr("This year")),
            ]
        )
        self.topic.offer([self.tr("Any topic"), *self._topics])
        self.kind.set_texts(
            *(self.tr("Everything"), self.tr("Messages"), self.tr("Sessions")),
            *(self.tr("Documents and pages"), self.tr("Diary")),
        )
        self.order.set_texts(self.tr("Best match first"), self.tr("Newest first"))
        self.pinned.setText(self.tr("Pinned"))
        for field, name in (
            (self.when, self.tr("Date, in numbers or words")),
            (self.topic, self.tr("Topic")),
            (self.kind, self.tr("Type")),
            (self.order, self.tr("Order")),
            (self.pinned, self.tr("Pinned sessions only")),
        ):
            field.setAccessibleName(name)
            set_tip(field, name)
        for written in (self.when, self.topic):
            # The line edit inside has the focus.
            written.line.setAccessibleName(written.accessibleName())

    def _period(self) -> Period | None:
        return read_period(self.when.written, self._now()) if self.when.written else None
