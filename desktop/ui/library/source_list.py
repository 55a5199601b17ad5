"""The list of sources: search, order, labels, model, delegate and view."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum, StrEnum

from PySide6.QtCore import QLocale, QObject, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QPainter
from PySide6.QtWidgets import QAbstractItemView, QStyleOptionViewItem, QWidget

from desktop.domain.ids import SourceId
from desktop.domain.sources import Source, SourceKind
from desktop.language.normalization import folded_key, softened, word_texts
from desktop.ui.formatting import day
from desktop.ui.searchable_list import Index, SearchableListModel, SearchableListView
from desktop.ui.source_labels import SourceLabels, form_of
from desktop.ui.theme.theme import ThemeController
from desktop.ui.theme.tokens import Space
from desktop.ui.widgets.highlighted_text import HighlightedText
from desktop.ui.widgets.plain_text import tip
from desktop.ui.widgets.row_list import RowDelegate


class Sorting(StrEnum):
    NEWEST = "newest"
    TITLE = "title"
    KIND = "kind"
    SIZE = "size"


@dataclass(frozen=True, slots=True)
class ListedSource:
    """A source with its folded words for the search."""

    source: Source
    words: str
    """Each with a blank before it, so that one substring test finds the beginning of a word."""
    size: int | None = None
    """Bytes of its file; None if there is none."""

    @classmethod
    def of(cls, source: Source, size: int | None = None) -> "ListedSource":
        words = dict.fromkeys(word_texts(f"{source.title} {source.address}"))
        return cls(source, "".join(f" {word}" for word in words), size)


def find_sources(known: Sequence[ListedSource], query: str) -> list[ListedSource]:
    """The ones that contain, for each word of the query, a word that begins with it."""
    asked = [[f" {form}" for form in softened(word)] for word in word_texts(query)]
    return [
        one for one in known if all(any(form in one.words for form in forms) for forms in asked)
    ]


def sort_sources(found: Sequence[ListedSource], sorting: Sorting) -> list[ListedSource]:
    """`found` has the newest first; the sort is stable."""
    match sorting:
        case Sorting.NEWEST:
            return list(found)
        case Sorting.TITLE:
            return sorted(found, key=lambda one: folded_key(one.source.title))
        case Sorting.KIND:
            return sorted(found, key=lambda one: form_of(one.source).value)
        case Sorting.SIZE:
            return sorted(found, key=lambda one: one.size or 0, reverse=True)


class SourceListLabels(QObject):
    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.of_source = SourceLabels(self)

    def detail(self, shelved: ListedSource) -> str:
        """The line below the title in a list."""
        source = shelved.source
        told = [
            self.of_source.pages(source) or self.tr("%Ln passage(s)", "", source.passages),
            format_size(shelved.size),
            self.tr("added {day}").format(day=day(source.added_at)),
            self.tr("copy saved") if source.copy else "",
        ]
        return " · ".join(filter(None, told))

    def trouble(self, shelved: ListedSource) -> str:
        is_gone = shelved.source.kind is SourceKind.DOCUMENT and shelved.size is None
        gone = self.tr("the file is no longer where it was") if is_gone else ""
        return " · ".join(filter(None, (self.of_source.trouble(shelved.source), gone)))

    def whole(self, shelved: ListedSource) -> str:
        """The text of a source for a screen reader."""
        source = shelved.source
        told = (
            source.title,
            self.of_source.form(source),
            self.detail(shelved),
            self.trouble(shelved),
        )
        return ", ".join(filter(None, told))


def format_size(size: int | None) -> str:
    if size is None:
        return ""
    form = QLocale.DataSizeFormat.DataSizeTraditionalFormat
    return QLocale().formattedDataSize(size, 1, form)


class SourceRole(IntEnum):
    SHELVED = Qt.ItemDataRole.UserRole + 1
    SHOWN = Qt.ItemDataRole.UserRole + 2


@dataclass(frozen=True, slots=True)
class SourceRow:
    """The texts of a row, made once because rows are painted often."""

    title: str
    form: str
    detail: str
    """The line below the title"""
    trouble: str
    """What is wrong with it; may be empty"""
    marks: Sequence[tuple[int, int]]
    """Spans to highlight in the title"""


class SourceListModel(SearchableListModel):
    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.words = SourceListLabels(self)
        self._known: Sequence[ListedSource] = ()
        self._sorting = Sorting.NEWEST
        self._shown: dict[SourceId, SourceRow] = {}

    @property
    def count(self) -> int:
        return len(self._known)

    def show_sources(self, known: Sequence[ListedSource]) -> None:
        self._known = known
        self._fill()

    def sort_by(self, sorting: Sorting) -> None:
        self._sorting = sorting
        self._fill()

    def shelved(self, index: Index) -> ListedSource | None:
        row = self._row(index)
        return row if isinstance(row, ListedSource) else None

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        row = self.shelved(index)
        return self._of(row, role) if row is not None else None

    def retranslate_rows(self) -> None:
        self._shown.clear()
        super().retranslate_rows()

    def _id_of(self, row: object) -> SourceId | None:
        return row.source.id if isinstance(row, ListedSource) else None

    def _arranged(self) -> Sequence[ListedSource]:
        self._shown.clear()
        return sort_sources(find_sources(self._known, self._query), self._sorting)

    def _of(self, row: ListedSource, role: int) -> object:
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return row.source.title
            case Qt.ItemDataRole.AccessibleTextRole:
                return self.words.whole(row)
            case Qt.ItemDataRole.ToolTipRole:
                return tip(row.source.address)
            case SourceRole.SHELVED:
                return row
            case SourceRole.SHOWN:
                return self._shown_of(row)
            case _:
                return None

    def _shown_of(self, row: ListedSource) -> SourceRow:
        source = row.source
        if (known := self._shown.get(source.id)) is not None:
            return known
        shown = self._shown[source.id] = SourceRow(
            source.title,
            self.words.of_source.form(source),
            self.words.detail(row),
            self.words.trouble(row),
            self._marks(source.title),
        )
        return shown


class SourceDelegate(RowDelegate):
    def __init__(self, theme: ThemeController, parent: QObject | None = None) -> None:
        super().__init__(theme, has_small_text=True, parent=parent)
        self._words = SourceLabels(self)
        self._widest = 0
        """Width of the widest kind of source; 0 until it is measured."""

    def sizeHint(self, _option: QStyleOptionViewItem, _index: Index) -> QSize:
        height = self._title_line() + self._type.line_height + 2 * Space.SMALL
        return QSize(0, height)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        rect: QRect = option.rect
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self._paint_chosen(painter, rect, option)
        inside = rect.adjusted(Space.MEDIUM, Space.SMALL, -Space.MEDIUM, -Space.SMALL)
        shown = index.data(SourceRole.SHOWN)
        if isinstance(shown, SourceRow):
            taken = self._paint_form(painter, inside, shown.form)
            self._paint_words(painter, inside.adjusted(taken + Space.MEDIUM, 0, 0, 0), shown)
        painter.restore()

    def forget_widths(self) -> None:
        """Measure again after a change of language or font."""
        self._widest = 0

    def _measure_again(self) -> None:
        self.forget_widths()
        super()._measure_again()

    def _title_line(self) -> int:
        return self._type.title_height + Space.TIGHT

    def _paint_form(self, painter: QPainter, inside: QRect, form: str) -> int:
        """Paint the kind of source as a pill; returns the width of the column."""
        metrics = self._type.small_metrics
        if not self._widest:
            self._widest = max(metrics.horizontalAdvance(name) for name in self._words.forms())
        column = self._widest + 2 * Space.SMALL
        pill = QRect(inside.x(), inside.y(), column, metrics.height() + Space.TIGHT)
        pill.moveTop(inside.y() + (self._title_line() - pill.height()) // 2)
        painter.setFont(self._type.small)
        self._paint_pill(painter, QRectF(pill), form)
        return column

    def _paint_words(self, painter: QPainter, room: QRect, shown: SourceRow) -> None:
        tokens = self._theme.tokens
        if shown.marks:
            title = HighlightedText(self._type.title, self._title_line(), 1)
            painter.setPen(QColor(tokens.text))
            title.paint(painter, room, shown.title, shown.marks, tokens)
        else:
            above = QRect(room)
            above.setHeight(self._type.title_height)
            self._paint_title(painter, above, shown.title)
        below = QRect(room)
        below.setTop(room.bottom() - self._type.line_height + 1)
        if shown.trouble:
            painter.setFont(self._type.small)
            painter.setPen(QColor(tokens.notice_text))
            width = self._type.small_metrics.horizontalAdvance(shown.trouble)
            painter.drawText(below, Qt.AlignmentFlag.AlignRight, shown.trouble)
            below.setRight(below.right() - width - Space.MEDIUM)
        self._paint_detail(painter, below, shown.detail)


class SourceListView(SearchableListView):
    open_wanted = Signal()
    remove_wanted = Signal()

    def __init__(
        self, model: SourceListModel, theme: ThemeController, parent: QWidget | None = None
    ) -> None:
        rows = SourceDelegate(theme)
        super().__init__(model, rows, parent)
        self._sources = model
        model.dataChanged.connect(rows.forget_widths)
        self.setUniformItemSizes(True)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.doubleClicked.connect(lambda _: self.open_wanted.emit())

    @property
    def current(self) -> ListedSource | None:
        return self._sources.shelved(self.currentIndex())

    @property
    def selected(self) -> list[ListedSource]:
        places = sorted(self.selectedIndexes(), key=lambda index: index.row())
        return [one for place in places if (one := self._sources.shelved(place)) is not None]

    def _handle_key(self, key: int) -> bool:
        match key:
            case Qt.Key.Key_Return | Qt.Key.Key_Enter:
                self.open_wanted.emit()
            case Qt.Key.Key_Delete:
                self.remove_wanted.emit()
            case _:
                return super()._handle_key(key)
        return True
