"""The facts of the memory window as a Qt model: headings, and under each its facts."""

from collections.abc import Callable, Sequence
from datetime import date
from enum import IntEnum

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from desktop.domain.facts import Fact
from desktop.domain.ids import FactId
from desktop.language.folding import find_words
from desktop.ui.amounts import day
from desktop.ui.memory.known import Findable, Grouping, Heading, Row, matching, rows_of
from desktop.ui.memory.telling import FactWords

Index = QModelIndex | QPersistentModelIndex
_NOWHERE = QModelIndex()


class Role(IntEnum):
    ROW = Qt.ItemDataRole.UserRole + 1
    """Heading or Fact"""
    DETAIL = Qt.ItemDataRole.UserRole + 2
    """What stands below a fact's words"""
    MARKS = Qt.ItemDataRole.UserRole + 3
    """Spans of a fact's words that were searched for"""


class FactListModel(QAbstractListModel):
    def __init__(
        self, today: Callable[[], date] = date.today, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._today = today
        self._words = FactWords(self)
        self._known: Sequence[Findable] = ()
        self._rows: Sequence[Row] = ()
        self._query = ""
        self._grouping = Grouping.TOPIC

    @property
    def grouping(self) -> Grouping:
        return self._grouping

    @property
    def count(self) -> int:
        """Facts that are there, found or not."""
        return len(self._known)

    @property
    def found(self) -> int:
        return sum(isinstance(row, Fact) for row in self._rows)

    def show_facts(self, known: Sequence[Findable]) -> None:
        self._known = known
        self._fill()

    def find(self, query: str) -> None:
        if query.split() != self._query.split():
            self._query = query
            self._fill()

    def group(self, grouping: Grouping) -> None:
        self._grouping = grouping
        self._fill()

    def fact(self, index: Index) -> Fact | None:
        row = self._row(index)
        return row if isinstance(row, Fact) else None

    def index_of(self, fact_id: FactId | None) -> QModelIndex:
        for place, row in enumerate(self._rows):
            if isinstance(row, Fact) and row.id == fact_id:
                return self.index(place)
        return QModelIndex()

    def nearest(self, place: int) -> QModelIndex:
        """The fact at a place, or the one that is nearest to it."""
        places = [at for at, row in enumerate(self._rows) if isinstance(row, Fact)]
        if not places:
            return QModelIndex()
        return self.index(min(places, key=lambda at: abs(at - place)))

    def rowCount(self, parent: Index = _NOWHERE) -> int:
        return 0 if parent.isValid() else len(self._rows)

    def flags(self, index: Index) -> Qt.ItemFlag:
        if isinstance(self._row(index), Heading):
            return Qt.ItemFlag.NoItemFlags
        return super().flags(index)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        row = self._row(index)
        if row is None:
            return None
        if role == Role.ROW:
            return row
        return self._of_heading(row, role) if isinstance(row, Heading) else self._of(row, role)

    def say_again(self) -> None:
        if self._rows:
            self.dataChanged.emit(self.index(0), self.index(len(self._rows) - 1))

    def _fill(self) -> None:
        self.beginResetModel()
        found = matching(self._known, self._query)
        self._rows = rows_of(found, self._grouping, self._today())
        self.endResetModel()

    def _row(self, index: Index) -> Row | None:
        return self._rows[index.row()] if index.isValid() else None

    def _of_heading(self, heading: Heading, role: int) -> object:
        match role:
            case Qt.ItemDataRole.DisplayRole | Qt.ItemDataRole.AccessibleTextRole:
                return self._words.group(heading.group)
            case Role.DETAIL:
                return str(heading.count)
            case _:
                return None

    def _of(self, fact: Fact, role: int) -> object:
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return fact.content
            case Role.DETAIL:
                return self._detail(fact)
            case Role.MARKS:
                return find_words(fact.content, [self._query]) if self._query else []
            case Qt.ItemDataRole.AccessibleTextRole:
                return self._words.whole(fact)
            case _:
                return None

    def _detail(self, fact: Fact) -> str:
        topic = "" if self._grouping is Grouping.TOPIC else fact.topic
        term = "" if self._grouping is Grouping.TERM else self._words.term(fact.term)
        return " · ".join(filter(None, (topic, term, day(fact.valid_from))))
