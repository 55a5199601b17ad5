"""The results of a search: the filters, the search state they describe, and the list."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import date, datetime
from enum import IntEnum, StrEnum

from PySide6.QtCore import QObject, QRect, QSignalBlocker, QSize, Qt, Signal
from PySide6.QtGui import QColor, QPainter
from PySide6.QtWidgets import QCompleter, QLineEdit, QListView, QStyleOptionViewItem, QWidget

from desktop.domain.frozen import dataclass
from desktop.domain.ids import SessionId
from desktop.domain.projects import Wall
from desktop.domain.search import (
    Hit,
    HitKind,
    Query,
    Scope,
    SearchMode,
    SearchOrder,
)
from desktop.domain.times import Period
from desktop.ui.formatting import when_alone
from desktop.ui.i18n import TranslatedWidget
from desktop.ui.search.hits import FoundSession, owner_of, snippet_line
from desktop.ui.theme.theme import ThemeController
from desktop.ui.theme.tokens import Space
from desktop.ui.widgets.buttons import Button
from desktop.ui.widgets.fields import ComboBox, EnumComboBox
from desktop.ui.widgets.layouts import FlowLayout
from desktop.ui.widgets.plain_text import set_tip, tip
from desktop.ui.widgets.row_list import HighlightedText, Index, RowDelegate, RowList, RowModel


class ResultKind(StrEnum):
    ALL = "all"
    MESSAGES = "messages"
    SESSIONS = "sessions"
    SOURCES = "sources"
    DIARY = "diary"
    NOTES = "notes"


class Order(StrEnum):
    BEST = "best"
    NEWEST = "newest"


_KINDS = {
    ResultKind.ALL: frozenset(HitKind) - {HitKind.FACT},
    ResultKind.MESSAGES: frozenset({HitKind.MESSAGE, HitKind.PICTURE}),
    ResultKind.SESSIONS: frozenset({HitKind.SESSION}),
    ResultKind.SOURCES: frozenset({HitKind.SOURCE}),
    ResultKind.DIARY: frozenset({HitKind.DIARY, HitKind.FINDING}),
    ResultKind.NOTES: frozenset({HitKind.NOTE}),
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


class _WrittenChoice(ComboBox):
    """Offers choices and accepts any text; the first choice means no filter."""

    def __init__(self, characters: int, parent: QWidget) -> None:
        super().__init__(parent)
        self.line = QLineEdit()
        self.setEditable(True)
        self.setLineEdit(self.line)
        self.setInsertPolicy(ComboBox.InsertPolicy.NoInsert)
        self.setMinimumContentsLength(characters)
        self.setSizeAdjustPolicy(ComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)

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

    def put_into(self, state: SearchState) -> SearchState:
        """Return the search with these filters; a date in the field wins over one in the words."""
        return replace(
            state,
            period=self._period() or state.period,
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
                self.tr("Any time"),
                self.tr("Today"),
                self.tr("Yesterday"),
                self.tr("This week"),
                self.tr("Last week"),
                self.tr("This month"),
                self.tr("Last month"),
                self.tr("This year"),
            ]
        )
        self.topic.offer([self.tr("Any topic"), *self._topics])
        self.kind.set_texts(
            self.tr("All types"),
            self.tr("Messages"),
            self.tr("Sessions"),
            self.tr("Documents and pages"),
            self.tr("Diary"),
            self.tr("Notes"),
        )
        self.order.set_texts(self.tr("Best match first"), self.tr("Newest first"))
        self.pinned.setText(self.tr("Pinned"))
        for field, name in (
            (self.when, self.tr("Date, in numbers or words")),
            (self.topic, self.tr("Topic")),
            (self.kind, self.tr("Type")),
            (self.order, self.tr("Sort")),
            (self.pinned, self.tr("Pinned sessions only")),
        ):
            field.setAccessibleName(name)
            set_tip(field, name)
        for written in (self.when, self.topic):
            # The line edit inside has the focus.
            written.line.setAccessibleName(written.accessibleName())

    def _period(self) -> Period | None:
        if not self.when.written:
            return None
        from desktop.language.dates.date_parser import read_period  # noqa: PLC0415 - not for the start

        return read_period(self.when.written, self._now())


_SHOWN_HITS = 4  # per session; the others can be reached once it is open


@dataclass(frozen=True, slots=True)
class More:
    """The last row, if there are more results."""


Row = FoundSession | Hit | More


class ResultRole(IntEnum):
    ROW = Qt.ItemDataRole.UserRole + 1  # FoundSession, Hit or More
    DETAIL = Qt.ItemDataRole.UserRole + 2  # of a session: how many hits, and when


class ResultsModel(RowModel[Row]):
    def __init__(self, today: Callable[[], date], parent: QObject) -> None:
        super().__init__(parent)
        self._today = today
        self.sessions: Sequence[FoundSession] = ()

    def show(self, sessions: Sequence[FoundSession], *, has_more: bool) -> None:
        self.beginResetModel()
        self.sessions = sessions
        self._rows = []
        for session in sessions:
            self._rows += [session, *session.hits[:_SHOWN_HITS]]
        if has_more:
            self._rows.append(More())
        self.endResetModel()

    def session_at(self, index: Index) -> SessionId | None:
        row = self.row(index)
        if isinstance(row, Hit):
            return owner_of(row)
        return row.session_id if isinstance(row, FoundSession) else None

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        row = self.row(index)
        if row is None or role == ResultRole.ROW:
            return row
        detail = self._detail(row) if isinstance(row, FoundSession) else ""
        match role:
            case ResultRole.DETAIL:
                return detail
            case Qt.ItemDataRole.DisplayRole:
                return self._words(row)
            case Qt.ItemDataRole.AccessibleTextRole:
                return ", ".join(filter(None, (self._words(row), detail)))
            case Qt.ItemDataRole.ToolTipRole if isinstance(row, FoundSession):
                return tip(row.title)
            case _:
                return None

    def _words(self, row: Row) -> str:
        if isinstance(row, FoundSession):
            return row.title
        return row.snippet if isinstance(row, Hit) else self.tr("Show more")

    def _detail(self, session: FoundSession) -> str:
        hits = self.tr("%n match(es)", "", session.count) if session.count else ""
        kind = self.tr("source") if session.is_source else ""
        kind = self.tr("diary") if session.is_day else kind
        is_near = not session.has_words and any(session.has_words for session in self.sessions)
        near = self.tr("similar in meaning only") if is_near else ""
        when = when_alone(session.first.created_at, self._today())
        return " · ".join(filter(None, (kind, hits, near, when)))

    def _key_of(self, row: Row) -> object:
        match row:
            case FoundSession():
                return row.session_id
            case Hit():
                return owner_of(row), row.message_id, row.passage_id, row.note_id
            case More():
                return More


_SIDE = Space.MEDIUM


class ResultsDelegate(RowDelegate):
    def sizeHint(self, _option: QStyleOptionViewItem, index: Index) -> QSize:
        row = index.data(ResultRole.ROW)
        if isinstance(row, Hit):
            height = self._words().height(snippet_line(row), self.width - 2 * _SIDE)
            return QSize(0, height + Space.SMALL)
        above = Space.MEDIUM if index.row() else 0
        return QSize(0, above + self._type.title_height + Space.SMALL)

    def _paint_row(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        row: Row = index.data(ResultRole.ROW)
        above = Space.MEDIUM if not isinstance(row, Hit) and index.row() else 0
        rect: QRect = option.rect.adjusted(0, above, 0, 0)
        self._paint_chosen(painter, rect, option)
        inside = rect.adjusted(_SIDE, Space.TIGHT, -_SIDE, -Space.TIGHT)
        match row:
            case FoundSession():
                width = self._paint_aside(painter, inside, str(index.data(ResultRole.DETAIL)))
                room = inside.adjusted(0, 0, -width - Space.LARGE, 0)
                self._paint_title(painter, room, row.title)
            case Hit():
                painter.setPen(QColor(self._theme.tokens.muted))
                tokens = self._theme.tokens
                self._words().paint(painter, inside, snippet_line(row), row.marks, tokens)
            case More():
                painter.setFont(self._type.title)
                painter.setPen(QColor(self._theme.tokens.accent))
                painter.drawText(inside, Qt.AlignmentFlag.AlignCenter, str(index.data()))

    def _paint_aside(self, painter: QPainter, place: QRect, detail: str) -> int:
        painter.setFont(self._type.small)
        painter.setPen(QColor(self._theme.tokens.muted))
        right = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        painter.drawText(place, right, detail)
        return painter.fontMetrics().horizontalAdvance(detail)

    def _words(self) -> HighlightedText:
        return HighlightedText(self._type.text, self._type.line_height)


class ResultsView(RowList):
    opened = Signal(object)  # FoundSession or Hit
    more_wanted = Signal()

    def __init__(self, model: ResultsModel, theme: ThemeController, parent: QWidget) -> None:
        super().__init__(model, ResultsDelegate(theme), parent)
        self._results = model
        self.clicked.connect(self._open)

    def held(self) -> SessionId | None:
        """Return the session with the focus or the pointer; it must not move."""
        return self._results.session_at(self.held_index(counts_rest=True))

    def show_rows(self, sessions: Sequence[FoundSession], *, has_more: bool, is_new: bool) -> None:
        """Show the results; unless `is_new`, keep the selection and the scroll position."""
        place, current = self.currentIndex().row(), self._results.row(self.currentIndex())
        at = 0 if is_new else self.verticalScrollBar().value()
        self._results.show(sessions, has_more=has_more)
        if isinstance(current, More):  # the first of the added rows has its place now
            index = self._results.index(place)
        else:
            index = self._results.index_like(current)
        if index.isValid() and not is_new:
            self.setCurrentIndex(index)
        self.verticalScrollBar().setValue(at)

    def _handle_key(self, key: int) -> bool:
        if key not in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            return super()._handle_key(key)
        self._open(self.currentIndex())
        return True

    def _open(self, index: Index) -> None:
        row = self._results.row(index)
        if isinstance(row, More):
            self.more_wanted.emit()
        elif row is not None:
            self.opened.emit(row)
