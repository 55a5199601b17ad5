"""The list of facts: its groups, the labels of facts, the model, the delegate and the view."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from enum import IntEnum, StrEnum

from PySide6.QtCore import QObject, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QPainter
from PySide6.QtWidgets import QStyleOptionViewItem

from desktop.domain.facts import Fact, Origin, Refusal, Term
from desktop.domain.ids import FactId
from desktop.language.normalization import folded_key
from desktop.ui.formatting import day
from desktop.ui.searchable_list import SearchableListModel, SearchableListView
from desktop.ui.theme.icons import Glyph
from desktop.ui.theme.theme import ThemeController
from desktop.ui.theme.tokens import Space
from desktop.ui.widgets.layouts import reserve_scrollbar
from desktop.ui.widgets.row_list import HighlightedText, Index, RowDelegate, paint_line


class Grouping(StrEnum):
    TOPIC = "topic"
    TERM = "term"
    IMPORTANCE = "importance"
    AGE = "age"


@dataclass(frozen=True, slots=True)
class FactHeading:
    text: str
    count: int


FactRow = FactHeading | Fact


class FactLabels(QObject):
    def grouped(self, facts: Sequence[Fact], grouping: StrEnum, today: date) -> list[FactRow]:
        """Return the groups in their order, each as a heading and its facts in the given order."""
        groups: dict[str, list[Fact]] = {}
        texts: dict[str, str] = {}
        for fact in facts:
            key, text = self._group(fact, grouping, today)
            # Topics may differ in their spelling; the heading shows the first.
            texts.setdefault(key, text)
            groups.setdefault(key, []).append(fact)
        rows: list[FactRow] = []
        for key in sorted(groups):
            rows += [FactHeading(texts[key], len(groups[key])), *groups[key]]
        return rows

    def _group(self, fact: Fact, grouping: StrEnum, today: date) -> tuple[str, str]:
        """Return a key that sorts the groups, and the text of the heading."""
        match grouping:
            case Grouping.TERM if fact.term is Term.SHORT:
                return "1", self.tr("Short term")
            case Grouping.TERM:
                return "2", self.tr("Long term")
            case Grouping.IMPORTANCE:
                return self._weight(fact.importance)
            case Grouping.AGE:
                return self._age(today - fact.valid_from.astimezone().date())
            case _:
                return folded_key(fact.topic), fact.topic

    def _weight(self, importance: int) -> tuple[str, str]:
        groups = (
            (8, self.tr("Very important (8–10)")),
            (5, self.tr("Important (5–7)")),
            (0, self.tr("Less important (1–4)")),
        )
        return next((str(9 - least), text) for least, text in groups if importance >= least)

    def _age(self, age: timedelta) -> tuple[str, str]:
        groups = (
            (1, self.tr("Today")),
            (7, self.tr("In the last week")),
            (30, self.tr("In the last month")),
        )
        older = ("99", self.tr("Older"))
        return next(((f"{days:02}", text) for days, text in groups if age.days < days), older)

    def term(self, term: Term) -> str:
        return self.tr("short term") if term is Term.SHORT else self.tr("long term")

    def origin(self, origin: Origin) -> str:
        names = {
            Origin.SESSION: self.tr("learned from a session"),
            Origin.USER: self.tr("remembered at your request"),
            Origin.DIRECTIVE: self.tr("answer preference"),
        }
        return names[origin]

    def importance(self, fact: Fact) -> str:
        return self.tr("importance {number} out of 10").format(number=fact.importance)

    def said(self, fact: Fact) -> str:
        """Return how often the fact was mentioned, if more than once."""
        return self.tr("mentioned %n time(s)", "", fact.weight) if fact.weight > 1 else ""

    def span(self, fact: Fact) -> str:
        """Return the time for which the fact is or was true."""
        since = day(fact.valid_from)
        if fact.valid_to is None:
            return self.tr("since {day}").format(day=since)
        until = day(fact.valid_to)
        if since == until:
            return since
        return self.tr("{first} – {last}").format(first=since, last=until)

    def whole(self, fact: Fact) -> str:
        """Return the text of a fact for a screen reader."""
        pinned = self.tr("pinned") if fact.is_pinned else ""
        parts = (fact.content, fact.topic, self.importance(fact), self.term(fact.term), pinned)
        return ", ".join(filter(None, parts))

    def refused(self, refused: Mapping[Refusal, int]) -> str:
        """Return how many suggestions were rejected, with reasons; may be empty."""
        whole = sum(refused.values())
        if not whole:
            return ""
        reasons = [self._reason(why, count) for why, count in refused.items() if count]
        counted = self.tr("%n suggestion(s) not saved", "", whole)
        return self.tr("{counted}: {reasons}").format(counted=counted, reasons=", ".join(reasons))

    def _reason(self, why: Refusal, count: int) -> str:
        reasons = {
            Refusal.UNSUPPORTED: self.tr("%n not in your own words", "", count),
            Refusal.FORGOTTEN: self.tr("%n previously deleted by you", "", count),
            Refusal.OUTDATED: self.tr("%n no longer true", "", count),
            Refusal.EMPTY: self.tr("%n not of lasting value", "", count),
            Refusal.UNIMPORTANT: self.tr("%n not important enough", "", count),
            Refusal.FAILED: self.tr("%n from a failed answer", "", count),
            Refusal.SECRET: self.tr("%n with a key, a password or a card number", "", count),
            Refusal.RECALLED: self.tr("%n already remembered", "", count),
        }
        return reasons[why]


class FactAction(StrEnum):
    EDIT = "edit"
    PIN = "pin"
    REPLACE = "replace"
    DELETE = "delete"
    KEEP_BOTH = "keep_both"  # ids of the fact and one that may conflict
    KEEP_NEWER = "keep_newer"


class FactRole(IntEnum):
    ROW = Qt.ItemDataRole.UserRole + 1  # heading or Fact
    DETAIL = Qt.ItemDataRole.UserRole + 2  # the line below a fact
    MARKS = Qt.ItemDataRole.UserRole + 3  # spans to highlight


_TEXT_ROLES = (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole)


class FactListModel(SearchableListModel):
    def __init__(self, today: Callable[[], date] = date.today) -> None:
        super().__init__(Grouping.TOPIC)
        self._today = today
        self._words = FactLabels(self)

    def flags(self, index: Index) -> Qt.ItemFlag:
        if isinstance(self.row(index), FactHeading):
            return Qt.ItemFlag.NoItemFlags
        return super().flags(index)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        row = self.row(index)
        if row is None or role == FactRole.ROW:
            return row
        if isinstance(row, FactHeading):
            return row.text if role in _TEXT_ROLES else None
        told: object = None
        match role:
            case Qt.ItemDataRole.DisplayRole:
                told = row.content
            case FactRole.DETAIL:
                told = self._detail(row)
            case FactRole.MARKS:
                told = self._marks(row.content)
            case Qt.ItemDataRole.AccessibleTextRole:
                told = self._words.whole(row)
            case _:
                pass
        return told

    def _key_of(self, row: object) -> FactId | None:
        return row.id if isinstance(row, Fact) else None

    def _arranged(self, found: Sequence[Fact]) -> list[FactRow]:
        return self._words.grouped(found, self.order, self._today())

    def _detail(self, fact: Fact) -> str:
        topic = "" if self.order is Grouping.TOPIC else fact.topic
        term = "" if self.order is Grouping.TERM else self._words.term(fact.term)
        return " · ".join(filter(None, (topic, term, day(fact.valid_from))))


_MOST_LINES = 2
_SIDE = Space.MEDIUM
_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter


class FactDelegate(RowDelegate):
    def sizeHint(self, _option: QStyleOptionViewItem, index: Index) -> QSize:
        row = index.data(FactRole.ROW)
        if isinstance(row, FactHeading):
            above = Space.MEDIUM if index.row() else 0
            return QSize(0, above + self._type.small_height + Space.SMALL)
        room = self._width - 2 * _SIDE - self._aside()
        words = self._words().height(str(index.data()), room)
        return QSize(0, words + self._type.small_height + 2 * Space.SMALL)

    def _paint_row(
        self, painter: QPainter, rect: QRect, option: QStyleOptionViewItem, index: Index
    ) -> None:
        row: object = index.data(FactRole.ROW)
        if isinstance(row, FactHeading):
            self._paint_heading(painter, rect, row)
        elif isinstance(row, Fact):
            self._paint_chosen(painter, rect, option)
            inside = rect.adjusted(_SIDE, Space.SMALL, -_SIDE, -Space.SMALL)
            self._paint_fact(painter, inside, row, index)

    def _words(self) -> HighlightedText:
        return HighlightedText(self._type.text, self._type.line_height, _MOST_LINES)

    def _importance_width(self) -> int:
        return self._type.small_metrics.horizontalAdvance("10") + 2 * Space.TIGHT

    def _aside(self) -> int:
        """Return the width of importance and pin at the right."""
        return self._importance_width() + Space.SMALL

    def _paint_heading(self, painter: QPainter, rect: QRect, heading: FactHeading) -> None:
        painter.setFont(self._type.heading)
        painter.setPen(QColor(self._theme.tokens.muted))
        place = rect.adjusted(_SIDE, 0, -_SIDE, -Space.TIGHT)
        place.setTop(place.bottom() - self._type.small_height)
        count = str(heading.count)
        painter.drawText(place, _RIGHT, count)
        taken = painter.fontMetrics().horizontalAdvance(count) + Space.SMALL
        paint_line(painter, place.adjusted(0, 0, -taken, 0), heading.text)

    def _paint_fact(self, painter: QPainter, place: QRect, fact: Fact, index: Index) -> None:
        tokens = self._theme.tokens
        room = place.adjusted(0, 0, -self._aside(), 0)
        painter.setPen(QColor(tokens.text))
        self._words().paint(painter, room, fact.content, index.data(FactRole.MARKS), tokens)
        below = QRect(place)
        below.setTop(below.bottom() - self._type.small_height + 1)
        self._paint_detail(painter, below, str(index.data(FactRole.DETAIL)))
        self._paint_aside(painter, place, fact)

    def _paint_aside(self, painter: QPainter, place: QRect, fact: Fact) -> None:
        """Paint the importance as a pill, and the pin below it."""
        width, height = self._importance_width(), painter.fontMetrics().height()
        pill = QRect(place.right() - width, place.y() + 1, width, height)
        self._paint_pill(painter, QRectF(pill), str(fact.importance))
        if fact.is_pinned:
            pin = QRect(0, 0, height, height)
            pin.moveCenter(pill.center())
            pin.moveBottom(place.bottom())
            self._theme.icon(Glyph.PIN, self._theme.tokens.accent).paint(painter, pin)


class FactListView(SearchableListView):
    action_chosen = Signal(object, object)  # FactAction, and the current Fact

    def __init__(self, model: FactListModel, theme: ThemeController) -> None:
        super().__init__(model, FactDelegate(theme))
        # Rows are measured for one width.
        reserve_scrollbar(self)

    @property
    def current(self) -> Fact | None:
        row = self.model().data(self.currentIndex(), FactRole.ROW)
        return row if isinstance(row, Fact) else None

    def _handle_key(self, key: int) -> bool:
        match key:
            case Qt.Key.Key_Return | Qt.Key.Key_Enter | Qt.Key.Key_F2:
                action = FactAction.EDIT
            case Qt.Key.Key_Delete:
                action = FactAction.DELETE
            case _:
                return super()._handle_key(key)
        if (fact := self.current) is not None:
            self.action_chosen.emit(action, fact)
        return True
