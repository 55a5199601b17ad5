"""The table of the library: how its rows and columns are drawn, sized, chosen and sorted."""

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from PySide6.QtCore import QEvent, QModelIndex, QRect, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFontMetrics,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
    QPainter,
    QResizeEvent,
)
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QHeaderView,
    QStyle,
    QStyleOptionViewItem,
    QTableView,
)

from desktop.ui.library.table_model import COLUMNS, Column, ListedWork, WorkTableModel
from desktop.ui.searchable_list import ChosenRows
from desktop.ui.theme.theme import ThemeController
from desktop.ui.theme.tokens import Space
from desktop.ui.timers import make_timer
from desktop.ui.widgets.row_list import HighlightedText, Index, RowDelegate, paint_line

_STATE = QStyle.StateFlag
_LETTERS = {
    Column.AUTHORS: 24,
    Column.YEAR: 9,
    Column.KIND: 17,
    Column.PLACE: 24,
    Column.ADDED: 14,
    Column.READ: 11,
}
"""The width of each column at first; the title has the rest."""
_LEAST, _LEAST_TITLE, _MOST = 5, 40, 80  # Letters
_STAY = (Column.AUTHORS, Column.YEAR, Column.READ, Column.ADDED, Column.KIND, Column.PLACE)
"""The columns beside the title; the last of them go first where there is no room."""


class WorkAct(NamedTuple):
    """What can be done with the selected works."""

    words: str
    act: Callable[[], object]
    is_possible: bool = True
    begins_group: bool = False  # In a menu


class _CellDelegate(RowDelegate):
    def __init__(self, theme: ThemeController, table: "WorkTable") -> None:
        super().__init__(theme, table)
        self._table = table
        self.hovered_row = -1

    @property
    def row_height(self) -> int:
        return self._type.line_height + 2 * Space.SMALL

    @property
    def metrics(self) -> QFontMetrics:
        return self._type.small_metrics

    def _paint_row(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        tokens, place = self._theme.tokens, QRect(option.rect)
        painter.setClipRect(place)
        whole = QRect(0, place.y(), self._table.viewport().width(), place.height())
        painter.fillRect(
            QRect(whole.left(), whole.bottom(), whole.width(), 1), QColor(tokens.line)
        )
        state = QStyleOptionViewItem(option)
        if index.row() == self.hovered_row:
            state.state |= _STATE.State_MouseOver
        if index.row() == self._table.currentIndex().row() and self._table.hasFocus():
            state.state |= _STATE.State_HasFocus
        self._paint_chosen(painter, whole, state)
        room = place.adjusted(Space.SMALL, 0, -Space.SMALL, 0)
        if index.column() == 0:
            self._paint_first(painter, room, index)
        else:
            self._paint_cell(painter, room, str(index.data()), COLUMNS[index.column()])

    def _paint_first(self, painter: QPainter, room: QRect, index: Index) -> None:
        tokens, model = self._theme.tokens, self._table.works
        listed: ListedWork | None = model.row(index)
        trouble = model.words.trouble(listed) if listed else ""
        if trouble:
            painter.setFont(self._type.small)
            painter.setPen(QColor(tokens.notice_text))
            width = min(self.metrics.horizontalAdvance(trouble) + 1, room.width() // 2)
            aside = QRect(room)
            aside.setLeft(room.right() - width)
            paint_line(painter, aside, trouble)
            room.setRight(aside.left() - Space.SMALL)
        painter.setPen(QColor(tokens.text))
        title = str(index.data())
        room.setTop(room.y() + (room.height() - self._type.text_metrics.height()) // 2)
        # A long title gives way to its mark: nobody is to overlook that a work was retracted.
        mark = title.removeprefix(listed.source.title) if listed else ""
        title = title.removesuffix(mark)
        metrics = self._type.text_metrics
        beside = metrics.horizontalAdvance(mark)
        words = HighlightedText(self._type.text, self._type.line_height, 1)
        left = QRect(room)
        left.setWidth(min(metrics.horizontalAdvance(title) + 1, room.width() - beside))
        words.paint(painter, left, title, model.marks(title), tokens)
        if mark:
            painter.setFont(self._type.text)
            painter.setPen(QColor(tokens.syntax.wrong))
            painter.drawText(left.right() + 1, room.y() + metrics.ascent(), mark)

    def _paint_cell(self, painter: QPainter, room: QRect, words: str, column: Column) -> None:
        if column is Column.READ:
            painter.setFont(self._type.text)
            painter.setPen(QColor(self._theme.tokens.accent))
            paint_line(painter, room, words)
        else:
            self._paint_detail(painter, room, words)


class WorkTable(ChosenRows, QTableView):
    chosen = Signal()
    left_upwards = Signal()
    open_wanted = Signal()
    remove_wanted = Signal()
    sort_wanted = Signal(object)  # Column that was clicked
    widths_changed = Signal()  # by the user

    def __init__(self, model: WorkTableModel, theme: ThemeController) -> None:
        super().__init__()
        self._model = self.works = model
        self._widths = dict(_LETTERS)  # Letters
        self._is_fitting = False
        self._cells = _CellDelegate(theme, self)
        self._store = make_timer(self, 300, self.widths_changed.emit, is_single=True)
        self.setModel(model)
        self.setItemDelegate(self._cells)
        self.setProperty("role", "table")
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.setTabKeyNavigation(False)
        self.setMouseTracking(True)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setDragDropMode(QAbstractItemView.DragDropMode.DragOnly)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.viewport().setAutoFillBackground(False)
        self.verticalHeader().hide()
        header = self.horizontalHeader()
        header.setStretchLastSection(False)
        header.setHighlightSections(False)
        header.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        header.setSectionsClickable(True)
        header.setSortIndicatorShown(True)
        header.setSectionResizeMode(QHeaderView.ResizeMode.Interactive)
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        header.sectionClicked.connect(lambda at: self.sort_wanted.emit(COLUMNS[at]))
        header.sectionResized.connect(self._note_width)
        self.doubleClicked.connect(lambda _: self.open_wanted.emit())
        theme.theme_changed.connect(self.fit)
        model.modelReset.connect(self.fit)
        self.fit()

    @property
    def current(self) -> ListedWork | None:
        return self.works.row(self.currentIndex())

    @property
    def selected(self) -> list[ListedWork]:
        places = sorted(self.selectionModel().selectedRows(), key=lambda index: index.row())
        return [listed for place in places if (listed := self.works.row(place)) is not None]

    def widths(self) -> Sequence[str]:
        """Return the widths that the user gave the columns, to be stored."""
        return [f"{column.value} {letters}" for column, letters in self._widths.items()]

    def set_widths(self, lines: Sequence[str]) -> None:
        for name, _, letters in (line.partition(" ") for line in lines):
            if name in _LETTERS and letters.isdecimal():
                self._widths[Column(name)] = max(_LEAST, min(int(letters), _MOST))
        self.fit()

    def show_order(self) -> None:
        order = Qt.SortOrder
        side = order.DescendingOrder if self.works.is_descending else order.AscendingOrder
        self.horizontalHeader().setSortIndicator(COLUMNS.index(Column(self.works.order)), side)

    def fit(self) -> None:
        """Show the columns that fit beside the title, and those of them that say anything."""
        self._is_fitting = True
        letter = self._cells.metrics.averageCharWidth()
        self.verticalHeader().setDefaultSectionSize(self._cells.row_height)
        self.verticalHeader().setMinimumSectionSize(self._cells.row_height)
        self.horizontalHeader().setMinimumSectionSize(_LEAST * letter)
        room = self.viewport().width() - _LEAST_TITLE * letter
        has_places = self.works.has_places()
        for column in _STAY:
            width = self._widths[column] * letter
            is_shown = width <= room and (column is not Column.PLACE or has_places)
            room -= width if is_shown else 0
            place = COLUMNS.index(column)
            self.setColumnHidden(place, not is_shown)
            if is_shown:
                self.setColumnWidth(place, width)
        self._is_fitting = False

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.fit()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self._point_at(self.rowAt(event.position().toPoint().y()))
        super().mouseMoveEvent(event)

    def leaveEvent(self, event: QEvent) -> None:
        self._point_at(-1)
        super().leaveEvent(event)

    def _point_at(self, row: int) -> None:
        if row != self._cells.hovered_row:
            self._cells.hovered_row = row
            self.viewport().update()

    def _note_width(self, place: int, _before: int, width: int) -> None:
        column = COLUMNS[place]
        if self._is_fitting or column not in self._widths or not width:
            return
        self._widths[column] = max(round(width / self._cells.metrics.averageCharWidth()), _LEAST)
        self._store.start()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.matches(QKeySequence.StandardKey.Copy):
            event.ignore()  # else Qt copies the words of a cell
        else:
            super().keyPressEvent(event)

    def _handle_key(self, key: int) -> bool:
        last = QModelIndex(self.works.nearest(self.works.match_count))
        acts: Mapping[int, Callable[[], object]] = {
            Qt.Key.Key_Return: self.open_wanted.emit,
            Qt.Key.Key_Enter: self.open_wanted.emit,
            Qt.Key.Key_Delete: self.remove_wanted.emit,
            Qt.Key.Key_Left: lambda: None,
            Qt.Key.Key_Right: lambda: None,
            Qt.Key.Key_Home: lambda: self.setCurrentIndex(self._first()),
            Qt.Key.Key_End: lambda: self.setCurrentIndex(last),
        }
        if key in acts:
            acts[key]()
            return True
        return super()._handle_key(key)
