"""The list of results: hits grouped by session, their model and their painting."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date
from enum import IntEnum

from PySide6.QtCore import QObject, QRect, QSize, Qt, Signal
from PySide6.QtGui import QColor, QPainter
from PySide6.QtWidgets import QStyleOptionViewItem, QWidget

from desktop.domain.ids import SessionId
from desktop.domain.search import Hit
from desktop.ui.formatting import when_alone
from desktop.ui.search.hits import FoundSession, owner_of, snippet_line
from desktop.ui.theme.theme import ThemeController
from desktop.ui.theme.tokens import Space
from desktop.ui.widgets.plain_text import tip
from desktop.ui.widgets.row_list import HighlightedText, Index, RowDelegate, RowList, RowModel

_SHOWN_HITS = 4  # per session; the others can be reached once it is open


@dataclass(frozen=True, slots=True)
class More:
    """The last row, if there are more results."""


Row = FoundSession | Hit | More


class ResultRole(IntEnum):
    ROW = Qt.ItemDataRole.UserRole + 1  # FoundSession, Hit or More
    DETAIL = Qt.ItemDataRole.UserRole + 2  # of a session: how many hits, and when


class ResultsModel(RowModel[Row]):
    def __init__(
        self, today: Callable[[], date] = date.today, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._today = today
        self.found: Sequence[FoundSession] = ()

    def show(self, found: Sequence[FoundSession], *, has_more: bool) -> None:
        self.beginResetModel()
        self.found = found
        self._rows = []
        for one in found:
            self._rows += [one, *one.hits[:_SHOWN_HITS]]
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

    def _detail(self, found: FoundSession) -> str:
        hits = self.tr("%n match(es)", "", found.count) if found.count else ""
        kind = self.tr("source") if found.is_source else ""
        kind = self.tr("diary") if found.is_day else kind
        is_near = not found.has_words and any(one.has_words for one in self.found)
        near = self.tr("similar in meaning only") if is_near else ""
        when = when_alone(found.first.created_at, self._today())
        return " · ".join(filter(None, (kind, hits, near, when)))

    def _key_of(self, row: Row) -> object:
        match row:
            case FoundSession():
                return row.session_id
            case Hit():
                return owner_of(row), row.message_id, row.passage_id
            case More():
                return More


_SIDE = Space.MEDIUM


class ResultsDelegate(RowDelegate):
    def sizeHint(self, _option: QStyleOptionViewItem, index: Index) -> QSize:
        row = index.data(ResultRole.ROW)
        if isinstance(row, Hit):
            height = self._words().height(snippet_line(row), self._width - 2 * _SIDE)
            return QSize(0, height + Space.SMALL)
        above = Space.MEDIUM if index.row() else 0
        return QSize(0, above + self._type.title_height + Space.SMALL)

    def _paint_row(
        self, painter: QPainter, rect: QRect, option: QStyleOptionViewItem, index: Index
    ) -> None:
        row: Row = index.data(ResultRole.ROW)
        above = Space.MEDIUM if not isinstance(row, Hit) and index.row() else 0
        rect = rect.adjusted(0, above, 0, 0)
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

    def __init__(
        self, model: ResultsModel, theme: ThemeController, parent: QWidget | None = None
    ) -> None:
        super().__init__(model, ResultsDelegate(theme), parent)
        self._results = model
        self.clicked.connect(self._open)

    def held(self) -> SessionId | None:
        """Return the session with the focus or the pointer; it must not move."""
        return self._results.session_at(self.held_index(counts_rest=True))

    def show_rows(self, found: Sequence[FoundSession], *, has_more: bool, is_new: bool) -> None:
        """Show the results; unless `is_new`, keep the selection and the scroll position."""
        place, current = self.currentIndex().row(), self._results.row(self.currentIndex())
        at = 0 if is_new else self.verticalScrollBar().value()
        self._results.show(found, has_more=has_more)
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
