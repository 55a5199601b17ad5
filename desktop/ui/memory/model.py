"""The facts of the memory window as a Qt model: headings, and under each its facts."""

from collections.abc import Callable, Sequence
from datetime import date
from enum import IntEnum

from PySide6.QtCore import QObject, Qt

from desktop.domain.facts import Fact
from desktop.domain.ids import FactId
from desktop.ui.formatting import day
from desktop.ui.memory.fact_filter import Findable, Grouping, Heading, Row, matching, rows_of
from desktop.ui.memory.fact_labels import FactWords
from desktop.ui.searchable_list.model import Index, ShelfModel


class Role(IntEnum):
    ROW = Qt.ItemDataRole.UserRole + 1
    """Heading or Fact"""
    DETAIL = Qt.ItemDataRole.UserRole + 2
    """What stands below a fact's words"""
    MARKS = Qt.ItemDataRole.UserRole + 3
    """Spans of a fact's words that were searched for"""


class FactListModel(ShelfModel):
    def __init__(
        self, today: Callable[[], date] = date.today, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._today = today
        self._words = FactWords(self)
        self._known: Sequence[Findable] = ()
        self._grouping = Grouping.TOPIC

    @property
    def grouping(self) -> Grouping:
        return self._grouping

    @property
    def count(self) -> int:
        return len(self._known)

    def show_facts(self, known: Sequence[Findable]) -> None:
        self._known = known
        self._fill()

    def group(self, grouping: Grouping) -> None:
        self._grouping = grouping
        self._fill()

    def fact(self, index: Index) -> Fact | None:
        row = self._row(index)
        return row if isinstance(row, Fact) else None

    def flags(self, index: Index) -> Qt.ItemFlag:
        if isinstance(self._row(index), Heading):
            return Qt.ItemFlag.NoItemFlags
        return super().flags(index)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        row = self._row(index)
        if role == Role.ROW:
            return row
        match row:
            case Heading():
                return self._of_heading(row, role)
            case Fact():
                return self._of(row, role)
            case _:
                return None

    def _id_of(self, row: object) -> FactId | None:
        return row.id if isinstance(row, Fact) else None

    def _arranged(self) -> Sequence[Row]:
        return rows_of(matching(self._known, self._query), self._grouping, self._today())

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
                return self._marks(fact.content)
            case Qt.ItemDataRole.AccessibleTextRole:
                return self._words.whole(fact)
            case _:
                return None

    def _detail(self, fact: Fact) -> str:
        topic = "" if self._grouping is Grouping.TOPIC else fact.topic
        term = "" if self._grouping is Grouping.TERM else self._words.term(fact.term)
        return " · ".join(filter(None, (topic, term, day(fact.valid_from))))
