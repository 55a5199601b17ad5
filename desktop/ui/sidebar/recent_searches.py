"""What was searched for last, offered where nothing is typed yet."""

from collections.abc import Sequence

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from desktop.language.normalization import folded_key
from desktop.ui.theme.tokens import Space
from desktop.ui.widgets.buttons import PushButton
from desktop.ui.widgets.plain_text import Label

_MOST = 6
_LONGEST = 34


def remembered(recent: Sequence[str], query: str) -> list[str]:
    """With a query in front, once; what it only began with gives way to it."""
    query = " ".join(query.split())
    if not query:
        return list(recent)
    folded = folded_key(query)
    others = [one for one in recent if not folded.startswith(folded_key(one))]
    return [query, *others][:_MOST]


class _Row(QPushButton):
    stepped = Signal(int)
    left = Signal()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        match event.key():
            case Qt.Key.Key_Return | Qt.Key.Key_Enter:
                self.click()
            case Qt.Key.Key_Down:
                self.stepped.emit(1)
            case Qt.Key.Key_Up:
                self.stepped.emit(-1)
            case Qt.Key.Key_Escape:
                self.left.emit()
            case _:
                super().keyPressEvent(event)
                return
        event.accept()


class RecentSearches(QFrame):
    chosen = Signal(str)
    cleared = Signal()
    left_upwards = Signal()
    left_downwards = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._queries: Sequence[str] = ()
        self._lead = Label(parent=self)
        self._clear = PushButton(self)
        self._rows: list[_Row] = []
        self._column = QVBoxLayout(self)
        self._build()
        self.retranslate()
        self.hide()

    @property
    def queries(self) -> Sequence[str]:
        return self._queries

    def show_queries(self, queries: Sequence[str]) -> None:
        self._queries = tuple(queries)
        for old in self._rows:
            self._column.removeWidget(old)
            old.hide()
            old.deleteLater()
        self._rows = [self._row(place, query) for place, query in enumerate(self._queries)]

    def enter(self) -> None:
        self._step(0)

    def retranslate(self) -> None:
        self._lead.setText(self.tr("Recent searches"))
        self._clear.setText(self.tr("Clear"))
        self._clear.setAccessibleName(self.tr("Clear recent searches"))
        self.setAccessibleName(self.tr("Recent searches"))

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange:
            self.retranslate()
        super().changeEvent(event)

    def _build(self) -> None:
        self._lead.setProperty("role", "small")
        self._clear.setProperty("kind", "link")
        self._clear.setCursor(Qt.CursorShape.PointingHandCursor)
        self._clear.clicked.connect(self.cleared)
        head = QHBoxLayout()
        head.addWidget(self._lead, 1)
        head.addWidget(self._clear)
        self._column.setContentsMargins(Space.TIGHT, 0, Space.TIGHT, 0)
        self._column.setSpacing(0)
        self._column.addLayout(head)

    def _row(self, place: int, query: str) -> _Row:
        row = _Row(self)
        row.setProperty("kind", "link")
        row.setCursor(Qt.CursorShape.PointingHandCursor)
        metrics = row.fontMetrics()
        room = metrics.averageCharWidth() * _LONGEST
        cut = metrics.elidedText(query, Qt.TextElideMode.ElideRight, room)
        row.setText(cut.replace("&", "&&"))
        row.setAccessibleName(query)
        row.clicked.connect(lambda: self.chosen.emit(query))
        row.stepped.connect(lambda step: self._step(place + step))
        row.left.connect(self.left_upwards)
        self._column.addWidget(row)
        return row

    def _step(self, place: int) -> None:
        if place < 0:
            self.left_upwards.emit()
        elif place < len(self._rows):
            self._rows[place].setFocus(Qt.FocusReason.TabFocusReason)
        else:
            self.left_downwards.emit()
