"""The list of results: hits grouped by session, their model and their painting."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from enum import IntEnum

from PySide6.QtCore import (
    QAbstractListModel,
    QModelIndex,
    QObject,
    QRect,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import QColor, QCursor, QPainter
from PySide6.QtWidgets import QStyleOptionViewItem, QWidget

from desktop.domain.ids import SessionId
from desktop.domain.search import Hit, HitKind
from desktop.ui.formatting import clock_time, day_and_month
from desktop.ui.search.query import owner_of
from desktop.ui.theme.theme import ThemeController
from desktop.ui.theme.tokens import Space
from desktop.ui.widgets.highlighted_text import HighlightedText
from desktop.ui.widgets.plain_text import tip
from desktop.ui.widgets.row_list import Index, RowDelegate, RowList

_SHOWN_HITS = 4
"""Of one session; the others are a key away once it is open."""


@dataclass(frozen=True, slots=True)
class FoundSession:
    """A session with what was found in it."""

    session_id: SessionId
    title: str
    at: datetime
    """Of its best hit."""
    hits: Sequence[Hit]
    count: int
    """Messages in it that have the words; 0 where only title, summary or filters led here."""

    @property
    def is_source(self) -> bool:
        """A document or a page, under whose own id it stands in the place of a session."""
        return any(hit.kind is HitKind.SOURCE for hit in self.hits)

    @property
    def has_words(self) -> bool:
        """Whether what was asked stands in it; elsewhere only the meaning is near."""
        return not self.hits or any(hit.marks or hit.kind is HitKind.SESSION for hit in self.hits)


@dataclass(frozen=True, slots=True)
class More:
    """Below everything: there is more."""


Row = FoundSession | Hit | More


def by_session(hits: Sequence[Hit], counts: Mapping[SessionId, int]) -> list[FoundSession]:
    """In the order in which each was first met."""
    of_session: dict[SessionId, list[Hit]] = {}
    for hit in hits:
        of_session.setdefault(owner_of(hit), []).append(hit)
    return [_found(several, counts.get(one, 0)) for one, several in of_session.items()]


def steady(
    old: Sequence[FoundSession], new: Sequence[FoundSession], held: SessionId | None
) -> list[FoundSession]:
    """The new order, below the session that somebody is at: up to that one nothing moves."""
    places = [place for place, one in enumerate(old) if one.session_id == held]
    if not places:
        return list(new)
    kept = old[: places[0] + 1]
    ids = {one.session_id for one in kept}
    return [*kept, *(one for one in new if one.session_id not in ids)]


def rows_of(found: Sequence[FoundSession], *, has_more: bool) -> list[Row]:
    rows: list[Row] = []
    for one in found:
        rows += [one, *one.hits]
    return [*rows, More()] if has_more else rows


def _found(hits: Sequence[Hit], count: int) -> FoundSession:
    messages = [hit for hit in hits if hit.kind in {HitKind.MESSAGE, HitKind.SOURCE}]
    # Beside those that have a word, the ones around them say nothing of what was asked.
    worded = [hit for hit in messages if hit.marks]
    told = worded or messages or [hit for hit in hits if hit.snippet]
    return FoundSession(
        session_id=owner_of(hits[0]),
        title=" ".join(hits[0].title.split()),
        at=hits[0].created_at,
        hits=told[:_SHOWN_HITS],
        count=max(count, len(worded)),
    )


_NOWHERE = QModelIndex()


class ResultRole(IntEnum):
    ROW = Qt.ItemDataRole.UserRole + 1
    """Found, Hit or More"""
    DETAIL = Qt.ItemDataRole.UserRole + 2
    """Of a session: how many hits, and when"""


class ResultsModel(QAbstractListModel):
    def __init__(
        self, today: Callable[[], date] = date.today, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._today = today
        self._found: Sequence[FoundSession] = ()
        self._rows: Sequence[Row] = ()

    @property
    def found(self) -> Sequence[FoundSession]:
        return self._found

    def show(self, found: Sequence[FoundSession], *, has_more: bool) -> None:
        self.beginResetModel()
        self._found = found
        self._rows = rows_of(found, has_more=has_more)
        self.endResetModel()

    def row(self, index: Index) -> Row | None:
        return self._rows[index.row()] if index.isValid() else None

    def session_at(self, index: Index) -> SessionId | None:
        row = self.row(index)
        if isinstance(row, Hit):
            return owner_of(row)
        return row.session_id if isinstance(row, FoundSession) else None

    def index_of(self, row: Row | None) -> QModelIndex:
        """Where a row stands, or one that stands for the same place."""
        wanted = _key(row)
        for place, one in enumerate(self._rows):
            if _key(one) == wanted:
                return self.index(place)
        return QModelIndex()

    def rowCount(self, parent: Index = _NOWHERE) -> int:
        return 0 if parent.isValid() else len(self._rows)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        row = self.row(index)
        if row is None:
            return None
        return row if role == ResultRole.ROW else self._said_of(row, role)

    def _said_of(self, row: Row, role: int) -> str | None:
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

    def say_again(self) -> None:
        if self._rows:
            self.dataChanged.emit(self.index(0), self.index(len(self._rows) - 1))

    def _words(self, row: Row) -> str:
        if isinstance(row, FoundSession):
            return row.title
        return row.snippet if isinstance(row, Hit) else self.tr("Show more")

    def _detail(self, found: FoundSession) -> str:
        hits = self.tr("%n hit(s)", "", found.count) if found.count else ""
        kind = self.tr("source") if found.is_source else ""
        return " · ".join(filter(None, (kind, hits, self._when(found))))

    def _when(self, found: FoundSession) -> str:
        local = found.at.astimezone()
        if local.date() == self._today():
            return clock_time(found.at)
        day = day_and_month(local.date())
        return day if local.year == self._today().year else f"{day} {local.year}"


def _key(row: Row | None) -> object:
    match row:
        case FoundSession(session_id=session_id):
            return session_id
        case Hit():
            return (owner_of(row), row.message_id, row.passage_id)
        case More():
            return More
        case _:
            return None


_SIDE = Space.MEDIUM


class ResultsDelegate(RowDelegate):
    def __init__(self, theme: ThemeController, parent: QObject | None = None) -> None:
        super().__init__(theme, has_small_text=False, parent=parent)

    def sizeHint(self, _option: QStyleOptionViewItem, index: Index) -> QSize:
        row = index.data(ResultRole.ROW)
        if isinstance(row, Hit):
            words = self._words().height(_line(row), self._width - 2 * _SIDE)
            return QSize(0, words + Space.SMALL)
        above = Space.MEDIUM if index.row() else 0
        return QSize(0, above + self._type.title_height + Space.SMALL)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        row: Row = index.data(ResultRole.ROW)
        rect: QRect = option.rect
        above = Space.MEDIUM if not isinstance(row, Hit) and index.row() else 0
        rect = rect.adjusted(0, above, 0, 0)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self._paint_chosen(painter, rect, option)
        inside = rect.adjusted(_SIDE, Space.TIGHT, -_SIDE, -Space.TIGHT)
        match row:
            case FoundSession():
                self._paint_session(painter, inside, row, str(index.data(ResultRole.DETAIL)))
            case Hit():
                self._paint_hit(painter, inside, row)
            case More():
                painter.setFont(self._type.title)
                painter.setPen(QColor(self._theme.tokens.accent))
                painter.drawText(inside, Qt.AlignmentFlag.AlignCenter, str(index.data()))
        painter.restore()

    def _paint_session(
        self, painter: QPainter, place: QRect, found: FoundSession, detail: str
    ) -> None:
        painter.setFont(self._type.small)
        width = painter.fontMetrics().horizontalAdvance(detail)
        painter.setPen(QColor(self._theme.tokens.muted))
        right = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        painter.drawText(place, right, detail)
        self._paint_title(painter, place.adjusted(0, 0, -width - Space.LARGE, 0), found.title)

    def _paint_hit(self, painter: QPainter, place: QRect, hit: Hit) -> None:
        painter.setPen(QColor(self._theme.tokens.muted))
        self._words().paint(painter, place, _line(hit), hit.marks, self._theme.tokens)

    def _words(self) -> HighlightedText:
        return HighlightedText(self._type.text, self._type.line_height)


def _line(hit: Hit) -> str:
    # Spans must keep their places, so each break becomes exactly one space.
    return hit.snippet.replace("\n", " ").replace("\t", " ")


class ResultsView(RowList):
    opened = Signal(object)
    """Found or Hit"""
    more_wanted = Signal()

    def __init__(
        self, model: ResultsModel, theme: ThemeController, parent: QWidget | None = None
    ) -> None:
        super().__init__(model, ResultsDelegate(theme), parent)
        self._results = model
        self.clicked.connect(self._open)

    def held(self) -> SessionId | None:
        """The session that somebody is at, by key or by pointer: it must not move."""
        if self.hasFocus() and self.currentIndex().isValid():
            return self._results.session_at(self.currentIndex())
        at = self.viewport().mapFromGlobal(QCursor.pos())
        if self.viewport().underMouse() and self.viewport().rect().contains(at):
            return self._results.session_at(self.indexAt(at))
        return None

    def show_rows(self, found: list[FoundSession], *, has_more: bool, is_new: bool) -> None:
        """`is_new`: another question was asked; otherwise the reader stays where they are."""
        current = self._results.row(self.currentIndex())
        if isinstance(current, More):  # what it stood for begins where it stood
            current = None
            place = self.currentIndex().row()
        else:
            place = -1
        at = 0 if is_new else self.verticalScrollBar().value()
        self._results.show(found, has_more=has_more)
        index = self._results.index(place) if place >= 0 else self._results.index_of(current)
        if index.isValid() and not is_new:
            self.setCurrentIndex(index)
        self.verticalScrollBar().setValue(at)

    def _handle_key(self, key: int) -> bool:
        if key not in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            return super()._handle_key(key)
        self._open(self.currentIndex())
        return True

    def _open(self, index: QModelIndex) -> None:
        row: Row | None = self._results.row(index)
        if isinstance(row, More):
            self.more_wanted.emit()
        elif row is not None:
            self.opened.emit(row)
