"""The results of a search as a Qt model: sessions, and under each its hits."""

from collections.abc import Callable, Sequence
from datetime import date
from enum import IntEnum

from PySide6.QtCore import (
    QAbstractListModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    Qt,
)

from desktop.domain.ids import SessionId
from desktop.domain.search import Hit
from desktop.ui.formatting import clock_time, day_and_month
from desktop.ui.results.rows import Found, More, Row, rows_of
from desktop.ui.sidebar.entries import owner_of
from desktop.ui.widgets.plain_text import tip

Index = QModelIndex | QPersistentModelIndex
_NOWHERE = QModelIndex()


class Role(IntEnum):
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
        self._found: Sequence[Found] = ()
        self._rows: Sequence[Row] = ()

    @property
    def found(self) -> Sequence[Found]:
        return self._found

    def show(self, found: Sequence[Found], *, has_more: bool) -> None:
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
        return row.session_id if isinstance(row, Found) else None

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
        return row if role == Role.ROW else self._said_of(row, role)

    def _said_of(self, row: Row, role: int) -> str | None:
        detail = self._detail(row) if isinstance(row, Found) else ""
        match role:
            case Role.DETAIL:
                return detail
            case Qt.ItemDataRole.DisplayRole:
                return self._words(row)
            case Qt.ItemDataRole.AccessibleTextRole:
                return ", ".join(filter(None, (self._words(row), detail)))
            case Qt.ItemDataRole.ToolTipRole if isinstance(row, Found):
                return tip(row.title)
            case _:
                return None

    def say_again(self) -> None:
        if self._rows:
            self.dataChanged.emit(self.index(0), self.index(len(self._rows) - 1))

    def _words(self, row: Row) -> str:
        if isinstance(row, Found):
            return row.title
        return row.snippet if isinstance(row, Hit) else self.tr("Show more")

    def _detail(self, found: Found) -> str:
        hits = self.tr("%n hit(s)", "", found.count) if found.count else ""
        kind = self.tr("source") if found.is_source else ""
        return " · ".join(filter(None, (kind, hits, self._when(found))))

    def _when(self, found: Found) -> str:
        local = found.at.astimezone()
        if local.date() == self._today():
            return clock_time(found.at)
        day = day_and_month(local.date())
        return day if local.year == self._today().year else f"{day} {local.year}"


def _key(row: Row | None) -> object:
    match row:
        case Found(session_id=session_id):
            return session_id
        case Hit():
            return (owner_of(row), row.message_id, row.passage_id)
        case More():
            return More
        case _:
            return None
