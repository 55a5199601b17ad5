"""The list of sources: search, order, labels, model, delegate and view."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum, StrEnum

from PySide6.QtCore import QLocale, QObject, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QPainter
from PySide6.QtWidgets import QAbstractItemView, QStyleOptionViewItem

from desktop.domain.ids import SourceId
from desktop.domain.sources import Source, SourceKind
from desktop.language.normalization import folded_key
from desktop.ui.formatting import day
from desktop.ui.searchable_list import (
    SearchableItem,
    SearchableListModel,
    SearchableListView,
)
from desktop.ui.source_labels import SourceLabels, form_rank
from desktop.ui.theme.theme import ThemeController
from desktop.ui.theme.tokens import Space
from desktop.ui.widgets.highlighted_text import HighlightedText, Marks
from desktop.ui.widgets.plain_text import tip
from desktop.ui.widgets.row_list import Index, RowDelegate


class Sorting(StrEnum):
    NEWEST = "newest"
    TITLE = "title"
    KIND = "kind"
    SIZE = "size"


@dataclass(frozen=True, slots=True)
class ListedSource:
    source: Source
    size: int | None = None  # bytes of its file; None if there is none


def searchable_source(source: Source, size: int | None = None) -> SearchableItem[ListedSource]:
    return SearchableItem.of(ListedSource(source, size), f"{source.title} {source.address}")


def sort_sources(found: Sequence[ListedSource], sorting: StrEnum) -> list[ListedSource]:
    """`found` has the newest first; the sort is stable."""
    match sorting:
        case Sorting.TITLE:
            return sorted(found, key=lambda one: folded_key(one.source.title))
        case Sorting.KIND:
            return sorted(found, key=lambda one: form_rank(one.source))
        case Sorting.SIZE:
            return sorted(found, key=lambda one: one.size or 0, reverse=True)
        case _:
            return list(found)


class SourceListLabels(QObject):
    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.of_source = SourceLabels(self)

    def detail(self, listed: ListedSource) -> str:
        """The line below the title in a list."""
        source = listed.source
        parts = (
            self.of_source.pages(source) or self.tr("%Ln passage(s)", "", source.passages),
            format_size(listed.size),
            self.tr("added {day}").format(day=day(source.added_at)),
            self.tr("copy saved") if source.copy else "",
        )
        return " · ".join(filter(None, parts))

    def trouble(self, listed: ListedSource) -> str:
        is_gone = listed.source.kind is SourceKind.DOCUMENT and listed.size is None
        gone = self.tr("the file is no longer where it was") if is_gone else ""
        return " · ".join(filter(None, (self.of_source.trouble(listed.source), gone)))

    def whole(self, listed: ListedSource) -> str:
        """The text of a source for a screen reader."""
        source = listed.source
        form, detail = self.of_source.form(source), self.detail(listed)
        return ", ".join(filter(None, (source.title, form, detail, self.trouble(listed))))


def format_size(size: int | None) -> str:
    if size is None:
        return ""
    form = QLocale.DataSizeFormat.DataSizeTraditionalFormat
    return QLocale().formattedDataSize(size, 1, form)


class SourceRole(IntEnum):
    ROW = Qt.ItemDataRole.UserRole + 1  # ListedSource
    MARKS = Qt.ItemDataRole.UserRole + 2  # spans to highlight in the title


class SourceListModel(SearchableListModel):
    def __init__(self) -> None:
        super().__init__(Sorting.NEWEST)
        self.words = SourceListLabels(self)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        row: ListedSource | None = self.row(index)
        if row is None or role == SourceRole.ROW:
            return row
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return row.source.title
            case Qt.ItemDataRole.AccessibleTextRole:
                return self.words.whole(row)
            case Qt.ItemDataRole.ToolTipRole:
                return tip(row.source.address)
            case SourceRole.MARKS:
                return self._marks(row.source.title)
            case _:
                return None

    def _key_of(self, row: object) -> SourceId | None:
        return row.source.id if isinstance(row, ListedSource) else None

    def _arranged(self, found: Sequence[ListedSource]) -> list[ListedSource]:
        return sort_sources(found, self.order)


class SourceDelegate(RowDelegate):
    def __init__(self, theme: ThemeController, words: SourceListLabels) -> None:
        super().__init__(theme, has_small_text=True)
        self._words = words

    def sizeHint(self, _option: QStyleOptionViewItem, _index: Index) -> QSize:
        height = self._title_line() + self._type.line_height + 2 * Space.SMALL
        return QSize(0, height)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        rect: QRect = option.rect
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self._paint_chosen(painter, rect, option)
        inside = rect.adjusted(Space.MEDIUM, Space.SMALL, -Space.MEDIUM, -Space.SMALL)
        listed: ListedSource = index.data(SourceRole.ROW)
        marks = index.data(SourceRole.MARKS)
        taken = self._paint_form(painter, inside, self._words.of_source.form(listed.source))
        self._paint_words(painter, inside.adjusted(taken + Space.MEDIUM, 0, 0, 0), listed, marks)
        painter.restore()

    def _title_line(self) -> int:
        return self._type.title_height + Space.TIGHT

    def _paint_form(self, painter: QPainter, inside: QRect, form: str) -> int:
        """Paint the kind of source as a pill; returns the width of the column."""
        metrics = self._type.small_metrics
        forms = self._words.of_source.forms()
        column = max(map(metrics.horizontalAdvance, forms)) + 2 * Space.SMALL
        pill = QRect(inside.x(), inside.y(), column, metrics.height() + Space.TIGHT)
        pill.moveTop(inside.y() + (self._title_line() - pill.height()) // 2)
        painter.setFont(self._type.small)
        self._paint_pill(painter, QRectF(pill), form)
        return column

    def _paint_words(
        self, painter: QPainter, room: QRect, listed: ListedSource, marks: Marks
    ) -> None:
        tokens = self._theme.tokens
        if marks:
            title = HighlightedText(self._type.title, self._title_line(), 1)
            painter.setPen(QColor(tokens.text))
            title.paint(painter, room, listed.source.title, marks, tokens)
        else:
            above = QRect(room)
            above.setHeight(self._type.title_height)
            self._paint_title(painter, above, listed.source.title)
        below = QRect(room)
        below.setTop(room.bottom() - self._type.line_height + 1)
        if trouble := self._words.trouble(listed):
            painter.setFont(self._type.small)
            painter.setPen(QColor(tokens.notice_text))
            width = self._type.small_metrics.horizontalAdvance(trouble)
            painter.drawText(below, Qt.AlignmentFlag.AlignRight, trouble)
            below.setRight(below.right() - width - Space.MEDIUM)
        self._paint_detail(painter, below, self._words.detail(listed))


class SourceListView(SearchableListView):
    open_wanted = Signal()
    remove_wanted = Signal()

    def __init__(self, model: SourceListModel, theme: ThemeController) -> None:
        super().__init__(model, SourceDelegate(theme, model.words))
        self._sources = model
        self.setUniformItemSizes(True)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.doubleClicked.connect(lambda _: self.open_wanted.emit())

    @property
    def current(self) -> ListedSource | None:
        return self._sources.row(self.currentIndex())

    @property
    def selected(self) -> list[ListedSource]:
        places = sorted(self.selectedIndexes(), key=lambda index: index.row())
        return [one for place in places if (one := self._sources.row(place)) is not None]

    def _handle_key(self, key: int) -> bool:
        match key:
            case Qt.Key.Key_Return | Qt.Key.Key_Enter:
                self.open_wanted.emit()
            case Qt.Key.Key_Delete:
                self.remove_wanted.emit()
            case _:
                return super()._handle_key(key)
        return True
