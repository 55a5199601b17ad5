"""The table of the library: its works, their columns with their words, model and view."""

from collections.abc import Callable, Mapping, Sequence
from enum import StrEnum
from typing import NamedTuple

from PySide6.QtCore import QEvent, QLocale, QMimeData, QModelIndex, QObject, QRect, Qt, Signal
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

from desktop.domain.frozen import dataclass
from desktop.domain.ids import SourceId
from desktop.domain.language import Language
from desktop.domain.references import MADE_ADDRESS, Work
from desktop.domain.sources import Source, SourceKind
from desktop.language.normalization import sort_key
from desktop.references.fields import marked_title
from desktop.ui.formatting import SourceLabels, day, kind_of
from desktop.ui.i18n import core_texts
from desktop.ui.searchable_list import ChosenRows, SearchableTableModel
from desktop.ui.theme.theme import ThemeController
from desktop.ui.theme.tokens import Space
from desktop.ui.timers import make_timer
from desktop.ui.widgets.plain_text import tip
from desktop.ui.widgets.row_list import HighlightedText, Index, RowDelegate, paint_line

_DRAGGED = "application/x-bellek-sources"
_STATE = QStyle.StateFlag
_READ_MARK, _NOTHING = "✓", "–"


class Column(StrEnum):
    """In their order; also the orders that can be chosen."""

    TITLE = "title"
    AUTHORS = "authors"
    YEAR = "year"
    KIND = "kind"
    PLACE = "place"  # Project and tags
    ADDED = "added"
    READ = "read"


COLUMNS = tuple(Column)
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
_NEWEST_FIRST = frozenset({Column.YEAR, Column.ADDED})


@dataclass(frozen=True, slots=True)
class ListedWork:
    work: Work
    size: int | None = None  # Bytes of its file; None if there is none
    tags: Sequence[str] = ()
    project: str = ""  # Its name
    owner: str = ""  # The member of a shared project that it comes from

    @property
    def source(self) -> Source:
        return self.work.source

    @property
    def is_read(self) -> bool:
        return self.work.finished_at is not None


def searched_text(listed: ListedWork) -> str:
    source = listed.source
    address = "" if source.address.startswith(MADE_ADDRESS) else source.address
    return " ".join((source.title, address, listed.work.words, *listed.tags))


def dragged_sources(mime_data: QMimeData) -> list[SourceId]:
    return [SourceId(line) for line in mime_data.data(_DRAGGED).toStdString().split("\n") if line]


@dataclass(frozen=True, slots=True)
class WorkFilter:
    """What the listed works have; an empty field: any."""

    tag: str = ""
    kind: str = ""
    is_read: bool | None = None

    def __contains__(self, listed: ListedWork) -> bool:
        return (
            (not self.tag or self.tag in listed.tags)
            and self.is_read in {None, listed.is_read}
            and (not self.kind or self.kind == kind_of(listed.work))
        )


class WorkAct(NamedTuple):
    """What can be done with the selected works."""

    words: str
    act: Callable[[], object]
    is_possible: bool = True
    begins_group: bool = False  # In a menu


class WorkLabels(QObject):
    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.of_source = SourceLabels(self)
        self._kinds = {**self.of_source.types(), **self.of_source.forms()}
        self._cells: Mapping[Column, Callable[[ListedWork], str]] = {
            Column.TITLE: lambda listed: marked_title(
                listed.source.title, listed.work.reference.marks, core_texts()
            ),
            Column.AUTHORS: lambda listed: self.of_source.authors(listed.work.reference.authors),
            Column.YEAR: lambda listed: str(listed.work.reference.year or ""),
            Column.KIND: lambda listed: self.kind(kind_of(listed.work)),
            Column.PLACE: self._place,
            Column.ADDED: lambda listed: day(listed.source.added_at),
            Column.READ: lambda listed: _READ_MARK if listed.is_read else "",
        }

    def kind(self, kind: str) -> str:
        return self._kinds.get(kind, kind)

    def columns(self) -> Sequence[str]:
        return (
            self.tr("Title"),
            self.tr("Authors"),
            self.tr("Year"),
            self.tr("Type"),
            self.tr("Project, tags"),
            self.tr("Added"),
            self.tr("Read"),
        )

    def cell(self, listed: ListedWork, column: Column) -> str:
        return self._cells[column](listed)

    def _place(self, listed: ListedWork) -> str:
        tags = [f"# {tag}" for tag in listed.tags]
        return " · ".join(filter(None, (listed.project, listed.owner, *tags)))

    def trouble(self, listed: ListedWork) -> str:
        is_gone = listed.source.kind is SourceKind.DOCUMENT and listed.size is None
        gone = self.tr("file not found") if is_gone else ""
        return " · ".join(filter(None, (self.of_source.trouble(listed.source), gone)))

    def detail(self, listed: ListedWork) -> str:
        source, form = listed.source, QLocale.DataSizeFormat.DataSizeTraditionalFormat
        is_made = source.address.startswith(MADE_ADDRESS)
        lines = (
            source.title,
            "; ".join(listed.work.reference.authors),
            " · ".join(
                filter(
                    None,
                    (
                        self.of_source.pages(source)
                        or self.tr("%Ln passage(s)", "", source.passages),
                        QLocale().formattedDataSize(listed.size, 1, form) if listed.size else "",
                        self.tr("copy saved") if source.copy else "",
                        self.trouble(listed),
                    ),
                )
            ),
            "" if is_made else source.address,
        )
        return "\n".join(filter(None, lines))

    def whole(self, listed: ListedWork) -> str:
        """Return the row as a screen reader says it."""
        cells = [self.cell(listed, column) for column in COLUMNS[:-1]]
        read = self.tr("read") if listed.is_read else self.tr("unread")
        return ", ".join(filter(None, (*cells, read, self.trouble(listed))))


class WorkTableModel(SearchableTableModel):
    columns = COLUMNS

    def __init__(self) -> None:
        super().__init__(Column.ADDED)
        self.words = WorkLabels(self)
        self.filter = WorkFilter()
        self.is_descending = True
        self._names = self.words.columns()
        self._language: Language = core_texts().language

    def flags(self, index: Index) -> Qt.ItemFlag:
        flags = super().flags(index)
        return flags | Qt.ItemFlag.ItemIsDragEnabled if index.isValid() else flags

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        row: ListedWork | None = self.row(index)
        if row is None:
            return None
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return self.words.cell(row, COLUMNS[index.column()])
            case Qt.ItemDataRole.AccessibleTextRole if index.column() == 0:
                return self.words.whole(row)
            case Qt.ItemDataRole.AccessibleTextRole:
                words = self.words.cell(row, COLUMNS[index.column()])
                return f"{self._names[index.column()]}: {words or _NOTHING}"
            case Qt.ItemDataRole.ToolTipRole:
                return tip(self.words.detail(row))
            case _:
                return None

    def headerData(
        self, section: int, side: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> object:
        is_ours = side is Qt.Orientation.Horizontal and role == Qt.ItemDataRole.DisplayRole
        return self._names[section] if is_ours else None

    def mimeData(self, indexes: Sequence[Index]) -> QMimeData:
        mime_data = QMimeData()
        ids = dict.fromkeys(str(self.id_at(index)) for index in indexes)
        mime_data.setData(_DRAGGED, "\n".join(ids).encode())
        return mime_data

    def sort_by(self, column: Column, *, is_descending: bool | None = None) -> None:
        """Sort by a column; None: as it is usual for it."""
        usual = column in _NEWEST_FIRST
        self.is_descending = usual if is_descending is None else is_descending
        self.order_by(column)

    def has_places(self) -> bool:
        return any(entry.item.tags or entry.item.project for entry in self._items)

    def kinds(self) -> Mapping[str, str]:
        """Return the kinds of the works that are listed, with their names in their order."""
        kinds = {kind_of(entry.item.work) for entry in self._items}
        names = {kind: self.words.kind(kind) for kind in kinds}
        return dict(sorted(names.items(), key=lambda item: sort_key(item[1], self._language)))

    def _key_of(self, row: object) -> SourceId | None:
        return row.source.id if isinstance(row, ListedWork) else None

    def _arranged(self, items: Sequence[ListedWork]) -> list[ListedWork]:
        """Sort what the filter has; works without the value of the column are always last."""
        column = Column(self.order)
        shown = [listed for listed in items if listed in self.filter]
        keyed = [(self._sort_key(listed, column), listed) for listed in shown]
        full = [entry for entry in keyed if entry[0] not in {"", 0}]
        full.sort(key=lambda entry: entry[0], reverse=self.is_descending)
        return [listed for key, listed in full] + [entry for key, entry in keyed if key in {"", 0}]

    def _sort_key(self, listed: ListedWork, column: Column) -> str | float:
        reference = listed.work.reference
        match column:
            case Column.AUTHORS:
                return sort_key(" ".join(reference.authors), self._language)
            case Column.YEAR:
                return reference.year or 0
            case Column.ADDED:
                return listed.source.added_at.timestamp()
            case Column.READ:
                return listed.work.finished_at.timestamp() if listed.work.finished_at else 0
            case _:
                return sort_key(self.words.cell(listed, column), self._language)


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
