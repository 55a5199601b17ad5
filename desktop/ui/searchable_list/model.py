"""What is kept, as a Qt model: all of it or what was searched for, under headings perhaps."""

from collections.abc import Sequence

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, QPersistentModelIndex

from desktop.language.normalization import find_words

Index = QModelIndex | QPersistentModelIndex
_NOWHERE = QModelIndex()


class ShelfModel(QAbstractListModel):
    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._rows: Sequence[object] = ()
        self._query = ""

    @property
    def count(self) -> int:
        """Of what is there, found or not."""
        raise NotImplementedError

    @property
    def found(self) -> int:
        return sum(self._id_of(row) is not None for row in self._rows)

    def find(self, query: str) -> None:
        if query.split() != self._query.split():
            self._query = query
            self._fill()

    def id_at(self, index: Index) -> str | None:
        return self._id_of(self._row(index))

    def index_of(self, wanted: str | None) -> QModelIndex:
        for place, row in enumerate(self._rows):
            if wanted is not None and self._id_of(row) == wanted:
                return self.index(place)
        return QModelIndex()

    def nearest(self, place: int) -> QModelIndex:
        """What is at a place, or what is nearest to it."""
        places = [at for at, row in enumerate(self._rows) if self._id_of(row) is not None]
        if not places:
            return QModelIndex()
        return self.index(min(places, key=lambda at: abs(at - place)))

    def rowCount(self, parent: Index = _NOWHERE) -> int:
        return 0 if parent.isValid() else len(self._rows)

    def say_again(self) -> None:
        if self._rows:
            self.dataChanged.emit(self.index(0), self.index(len(self._rows) - 1))

    def _id_of(self, row: object) -> str | None:
        """None: a heading, or nothing."""
        raise NotImplementedError

    def _arranged(self) -> Sequence[object]:
        """The rows for the query, in their order."""
        raise NotImplementedError

    def _fill(self) -> None:
        self.beginResetModel()
        self._rows = self._arranged()
        self.endResetModel()

    def _row(self, index: Index) -> object:
        return self._rows[index.row()] if index.isValid() else None

    def _marks(self, words: str) -> Sequence[tuple[int, int]]:
        """Spans of words that were searched for."""
        return find_words(words, [self._query]) if self._query else []
