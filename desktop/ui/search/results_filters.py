"""The filters of the results page, and the search state they describe."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum

from PySide6.QtCore import QEvent, QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import QComboBox, QCompleter, QWidget

from desktop.domain.search import CONVERSATIONS, HitKind, Query, SearchMode, SearchOrder
from desktop.domain.times import Period
from desktop.language.dates.date_parser import read_period
from desktop.ui.widgets.buttons import PushButton
from desktop.ui.widgets.fields import ComboBox, EnumComboBox
from desktop.ui.widgets.layouts import FlowLayout
from desktop.ui.widgets.plain_text import tip


class ResultKind(StrEnum):
    ALL = "all"
    MESSAGES = "messages"
    SESSIONS = "sessions"
    SOURCES = "sources"


class Order(StrEnum):
    BEST = "best"
    NEWEST = "newest"


_KINDS = {
    ResultKind.ALL: CONVERSATIONS | {HitKind.SOURCE},
    ResultKind.MESSAGES: frozenset({HitKind.MESSAGE}),
    ResultKind.SESSIONS: frozenset({HitKind.SESSION}),
    ResultKind.SOURCES: frozenset({HitKind.SOURCE}),
}


@dataclass(frozen=True, slots=True)
class SearchState:
    words: str = ""
    """Without the words for a date."""
    period: Period | None = None
    topic: str = ""
    is_pinned: bool = False
    kind: ResultKind = ResultKind.ALL
    order: Order = Order.BEST

    @property
    def is_anything(self) -> bool:
        """Whether there is something to look for; a kind or an order alone is nothing."""
        return bool(self.words or self.period or self.topic or self.is_pinned)

    @property
    def is_filtered(self) -> bool:
        return bool(self.period or self.topic or self.is_pinned or self.kind is not ResultKind.ALL)

    def query(self, mode: SearchMode, limit: int) -> Query:
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
        )


def period_of(written: str, now: datetime) -> Period | None:
    """What a field for dates says; None where it says nothing that is a date."""
    return read_period(written, now) if written.strip() else None


_WHEN_CHARACTERS = 11
_TOPIC_CHARACTERS = 13


class ResultFilters(QWidget):
    changed = Signal()

    def __init__(self, now: Callable[[], datetime], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._now = now
        self.when = ComboBox(self)
        self.topic = ComboBox(self)
        self.kind = EnumComboBox(tuple(ResultKind), self)
        self.order = EnumComboBox(tuple(Order), self)
        self.pinned = PushButton(self)
        self._kind, self._order = ResultKind.ALL, Order.BEST
        self._build()
        self._connect()
        self.retranslate()

    @property
    def is_when_understood(self) -> bool:
        return not self.written_when or self._period() is not None

    @property
    def written_when(self) -> str:
        """Empty for any time."""
        written = self.when.currentText().strip()
        return "" if written == self.when.itemText(0) else written

    def put_into(self, asked: SearchState) -> SearchState:
        """The question with these filters; a date in the field goes before one in the words."""
        return replace(
            asked,
            period=self._period() or asked.period,
            topic=self._topic(),
            is_pinned=self.pinned.isChecked(),
            kind=self._kind,
            order=self._order,
        )

    def offer_topics(self, names: Sequence[str]) -> None:
        """The archive's own, the most used first; what is chosen stays."""
        chosen = self._topic()
        with QSignalBlocker(self.topic):
            while self.topic.count() > 1:
                self.topic.removeItem(1)
            self.topic.addItems(list(names))
            self.topic.setCurrentText(chosen or self.topic.itemText(0))

    def reset(self) -> None:
        with QSignalBlocker(self.when), QSignalBlocker(self.topic):
            self.when.setCurrentIndex(0)
            self.when.setEditText(self.when.itemText(0))
            self.topic.setCurrentIndex(0)
            self.topic.setEditText(self.topic.itemText(0))
        self.pinned.setChecked(False)
        self._kind, self._order = ResultKind.ALL, Order.BEST
        self.kind.show_value(self._kind)
        self.order.show_value(self._order)
        self.changed.emit()

    def retranslate(self) -> None:
        self._say_when()
        every, topic = self.tr("Any topic"), self._topic()
        with QSignalBlocker(self.topic):
            self.topic.setItemText(0, every)
            if not topic:
                self.topic.setEditText(every)
        self.kind.set_texts(
            *(self.tr("Everything"), self.tr("Messages"), self.tr("Sessions")),
            self.tr("Documents and pages"),
        )
        self.order.set_texts(self.tr("Best match first"), self.tr("Newest first"))
        self.pinned.setText(self.tr("Pinned"))
        for field, name in (
            (self.when, self.tr("When: a date, in figures or words")),
            (self.topic, self.tr("Topic")),
            (self.kind, self.tr("Kind")),
            (self.order, self.tr("Order")),
            (self.pinned, self.tr("Pinned sessions only")),
        ):
            field.setAccessibleName(name)
            field.setToolTip(tip(name))
        self.when.name_line_edit()
        self.topic.name_line_edit()

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange:
            self.retranslate()
        super().changeEvent(event)

    def _say_when(self) -> None:
        """These are words for dates themselves: what is chosen is read like what is typed."""
        written = self.written_when
        names = (
            self.tr("Any time"),
            self.tr("Today"),
            self.tr("Yesterday"),
            self.tr("This week"),
            self.tr("Last week"),
            self.tr("This month"),
            self.tr("Last month"),
            self.tr("This year"),
        )
        with QSignalBlocker(self.when):
            chosen = max(self.when.currentIndex(), 0)
            was_offered = not written or written == self.when.itemText(chosen)
            self.when.clear()
            self.when.addItems(names)
            self.when.setCurrentIndex(chosen if was_offered else 0)
            if not was_offered:
                self.when.setEditText(written)

    def _build(self) -> None:
        layout = FlowLayout(self)
        for field, characters in (
            (self.when, _WHEN_CHARACTERS),
            (self.topic, _TOPIC_CHARACTERS),
        ):
            field.setEditable(True)
            field.setInsertPolicy(QComboBox.InsertPolicy.NoInsert)
            field.setMinimumContentsLength(characters)
            field.setSizeAdjustPolicy(
                QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon
            )
        self.when.setCompleter(None)
        self.topic.addItem("")
        completer = QCompleter(self.topic.model(), self.topic)
        completer.setCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        completer.setFilterMode(Qt.MatchFlag.MatchContains)
        self.topic.setCompleter(completer)
        self.pinned.setProperty("kind", "chip")
        self.pinned.setCheckable(True)
        self.pinned.setCursor(Qt.CursorShape.PointingHandCursor)
        for each in (self.when, self.topic, self.kind, self.order, self.pinned):
            layout.addWidget(each)

    def _connect(self) -> None:
        for field in (self.when, self.topic):
            field.editTextChanged.connect(self.changed)
        self.kind.chosen.connect(self._choose_kind)
        self.order.chosen.connect(self._choose_order)
        self.pinned.toggled.connect(self.changed)

    def _choose_kind(self, kind: ResultKind) -> None:
        self._kind = kind
        self.changed.emit()

    def _choose_order(self, order: Order) -> None:
        self._order = order
        self.changed.emit()

    def _period(self) -> Period | None:
        return period_of(self.written_when, self._now())

    def _topic(self) -> str:
        written = self.topic.currentText().strip()
        return "" if written == self.topic.itemText(0) else written
