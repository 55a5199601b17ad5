"""The page with a searchable list that the library and the memory share: model, list, page."""

from collections.abc import Callable, Iterable, Sequence
from enum import IntEnum, StrEnum
from typing import Any, ClassVar, Generic, TypeVar

from PySide6.QtCore import (
    QAbstractTableModel,
    QItemSelection,
    QLocale,
    QModelIndex,
    QRect,
    QRectF,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import QColor, QKeySequence, QPainter
from PySide6.QtWidgets import (
    QAbstractScrollArea,
    QLayout,
    QStackedWidget,
    QStyleOptionViewItem,
    QWidget,
)

from desktop.domain.frozen import dataclass
from desktop.language.normalization import find_words, softened, word_texts, words_of_each
from desktop.ui.theme.theme import Glyph, ThemeController
from desktop.ui.theme.tokens import Space
from desktop.ui.views import View
from desktop.ui.widgets.bars import MessageBar, UndoKey
from desktop.ui.widgets.buttons import Button
from desktop.ui.widgets.layouts import (
    STRETCH,
    LayoutItem,
    column,
    growing,
    reserve_scrollbar,
    row,
    scrolling,
    widget_with,
)
from desktop.ui.widgets.plain_text import BodyLabel, HintLabel, TitleLabel, tip
from desktop.ui.widgets.row_list import (
    NOWHERE,
    HighlightedText,
    Index,
    Marks,
    RowDelegate,
    RowKeys,
    RowList,
    RowModel,
    Rows,
)
from desktop.ui.widgets.search_fields import SearchField

T = TypeVar("T")
_SIDE = Space.MEDIUM


@dataclass(frozen=True, slots=True)
class SearchableItem(Generic[T]):
    item: T
    words: str
    """Each with a blank before it, so that one substring test finds the beginning of a word."""

    @classmethod
    def of_all(cls, items: Sequence[T], texts: Iterable[str]) -> "list[SearchableItem[T]]":
        """Return the items, each with the words of its text."""
        pairs = zip(items, words_of_each(texts), strict=False)  # No text is a line
        return [cls(item, " " + " ".join(words)) for item, words in pairs]


def find_items(items: Sequence[SearchableItem[T]], query: str) -> list[T]:
    """Return the items that contain, for each word of the query, a word that begins with it."""
    terms = [[f" {form}" for form in softened(word)] for word in word_texts(query)]
    return [
        entry.item
        for entry in items
        if all(any(form in entry.words for form in forms) for forms in terms)
    ]


@dataclass(frozen=True, slots=True)
class ListedText:
    title: str
    detail: str  # below it
    whole: str  # for a screen reader
    pill: str  # a few letters at the right
    trouble: str = ""  # below the pill
    tip: str = ""
    is_pinned: bool = False


class ListedRole(IntEnum):
    TEXT = Qt.ItemDataRole.UserRole + 1  # ListedText
    MARKS = Qt.ItemDataRole.UserRole + 2  # spans to highlight in the title


class SearchableRows(Rows[Any]):
    """Mix-in for models, before Qt's class: rows that match a query, in a chosen order."""

    order: StrEnum
    _items: Sequence[SearchableItem[Any]]
    _query: str

    @property
    def count(self) -> int:
        return len(self._items)

    def show_items(self, items: Sequence[SearchableItem[Any]]) -> None:
        self._items = items
        self._fill()

    def order_by(self, order: StrEnum) -> None:
        self.order = order
        self._fill()

    @property
    def match_count(self) -> int:
        return len(self._rows)

    def find(self, query: str) -> None:
        self._query = query
        self._fill()

    def id_at(self, index: Index) -> str | None:
        return self._key_of(self.row(index))

    def nearest(self, place: int) -> QModelIndex:
        return self.index(min(place, len(self._rows) - 1), 0)

    def _key_of(self, row: object) -> str | None:
        raise NotImplementedError

    def _arranged(self, items: Sequence[Any]) -> list[Any]:
        raise NotImplementedError

    def _fill(self) -> None:
        self.beginResetModel()
        self._rows = self._arranged(find_items(self._items, self._query))
        self.endResetModel()


class SearchableListModel(SearchableRows, RowModel[Any]):
    def __init__(self, order: StrEnum) -> None:
        """`order` is the first of the orders that can be chosen."""
        super().__init__()
        self._items = ()
        self._query = ""
        self.order = order

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if (row := self.row(index)) is None:
            return None
        shown = self._text_of(row)
        if role == ListedRole.MARKS:
            return find_words(shown.title, [self._query]) if self._query else []
        texts: dict[int, object] = {
            ListedRole.TEXT: shown,
            Qt.ItemDataRole.DisplayRole: shown.title,
            Qt.ItemDataRole.AccessibleTextRole: shown.whole,
            Qt.ItemDataRole.ToolTipRole: tip(shown.tip),
        }
        return texts.get(role)

    def _text_of(self, row: Any) -> ListedText:
        raise NotImplementedError


class SearchableTableModel(SearchableRows, QAbstractTableModel):
    """Its first column has the title."""

    columns: Sequence[StrEnum] = ()

    def __init__(self, order: StrEnum) -> None:
        super().__init__()
        self._rows = []
        self._items = ()
        self._query = ""
        self.order = order
        self.is_descending = False

    def columnCount(self, parent: Index = NOWHERE) -> int:
        return 0 if parent.isValid() else len(self.columns)

    def marks(self, text: str) -> Marks:
        return find_words(text, [self._query]) if self._query else []


class ListedDelegate(RowDelegate):
    """Paints a title of some lines, a pill at its right, and a detail below."""

    def __init__(self, theme: ThemeController, most_lines: int) -> None:
        super().__init__(theme)
        self._most_lines = most_lines

    def sizeHint(self, _option: QStyleOptionViewItem, index: Index) -> QSize:
        shown: ListedText = index.data(ListedRole.TEXT)
        room = self.width - 2 * _SIDE - self._aside(shown.pill)
        words = self._words().height(shown.title, room)
        return QSize(0, words + self._type.small_height + 2 * Space.SMALL)

    def _paint_row(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        shown, tokens = index.data(ListedRole.TEXT), self._theme.tokens
        self._paint_chosen(painter, option.rect, option)
        inside = option.rect.adjusted(_SIDE, Space.SMALL, -_SIDE, -Space.SMALL)
        room = inside.adjusted(0, 0, -self._aside(shown.pill), 0)
        painter.setPen(QColor(tokens.text))
        self._words().paint(painter, room, shown.title, index.data(ListedRole.MARKS), tokens)
        painter.setFont(self._type.small)
        height = self._type.small_metrics.height()
        pill = QRect(room.right() + Space.SMALL, inside.y() + 1, 0, height)
        pill.setRight(inside.right())
        self._paint_pill(painter, QRectF(pill), shown.pill)
        below = QRect(inside)
        below.setTop(below.bottom() - self._type.small_height + 1)
        painter.setPen(QColor(tokens.notice_text))
        painter.drawText(below, Qt.AlignmentFlag.AlignRight, shown.trouble)
        if shown.is_pinned:
            pin = QRect(below.right() - height, below.y(), height, height)
            self._theme.icon(Glyph.STAR_FULL, tokens.accent).paint(painter, pin)
        taken = self._type.small_metrics.horizontalAdvance(shown.trouble) + 2 * height
        self._paint_detail(painter, below.adjusted(0, 0, -taken, 0), shown.detail)

    def _words(self) -> HighlightedText:
        return HighlightedText(self._type.text, self._type.line_height, self._most_lines)

    def _aside(self, pill: str) -> int:
        return self._type.small_metrics.horizontalAdvance(pill) + 2 * Space.SMALL


class ChosenRows(RowKeys):
    """Mix-in for views, before Qt's class: choosing a row by its key."""

    chosen: ClassVar[Signal]  # the selection has changed
    _model: SearchableRows

    @property
    def current_id(self) -> str | None:
        return self._model.id_at(self.currentIndex())

    def choose(self, key: str | None) -> bool:
        index = self._model.index_of_key(key) if key is not None else QModelIndex()
        if index.isValid():
            self.setCurrentIndex(index)
            self.scrollTo(index)
        return index.isValid()

    def selectionChanged(self, selected: QItemSelection, deselected: QItemSelection) -> None:
        super().selectionChanged(selected, deselected)
        self.chosen.emit()

    def _first(self) -> QModelIndex:
        return self._model.nearest(0)


class SearchableListView(ChosenRows, RowList):
    chosen = Signal()

    def __init__(
        self, model: SearchableListModel, theme: ThemeController, *, most_lines: int
    ) -> None:
        super().__init__(model, ListedDelegate(theme, most_lines))
        self._model = model
        self.setUniformItemSizes(most_lines == 1)
        # Rows are measured for one width.
        reserve_scrollbar(self)


class SearchableListPage(View):
    model: SearchableRows
    list: ChosenRows

    def __init__(
        self,
        model: SearchableRows,
        rows: ChosenRows,
        theme: ThemeController,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        model.setParent(self)
        rows.setParent(self)
        self.model, self.list = model, rows
        self.is_loaded = False
        self._pending_key: str | None = None  # selected once the list has it
        self.search = SearchField(theme, self)
        self._count, self._nothing = HintLabel(), BodyLabel(role="muted")
        self.strip = MessageBar(theme)
        UndoKey(self.strip, self).listen()
        self.add_key(QKeySequence.StandardKey.Undo, self.strip.undo_last)
        self._pages = QStackedWidget(self)
        # No shortcut leads here.
        self.search.set_hint(QKeySequence())
        theme.theme_changed.connect(rows.doItemsLayout)
        self.search.textChanged.connect(self._find)
        self.search.left_downwards.connect(rows.enter)
        self.search.entered.connect(rows.open_first)
        self.search.left.connect(self.left)
        rows.left_upwards.connect(self._focus_search)
        self.add_key(QKeySequence.StandardKey.Find, self._go_to_search)

    @property
    def scrolled(self) -> Sequence[QAbstractScrollArea]:
        return (self.list,)

    def load(self) -> None:
        raise NotImplementedError

    def step_back(self) -> None:
        """Clear the search, or else leave."""
        if self.search.text():
            self.search.clear()
            self._focus_search()
        else:
            super().step_back()

    def _count_text(self, count: int) -> str:
        raise NotImplementedError

    def _not_found_text(self, query: str) -> str:
        raise NotImplementedError

    def _is_empty(self) -> bool:
        return self.is_loaded and not self.model.count

    def _lay_out(
        self,
        full: QLayout,
        empty: Sequence[QWidget | QLayout],
        foot: QLayout,
        head: QLayout | None = None,
    ) -> None:
        """`head`: what stands above both."""
        parts = (STRETCH, *empty, LayoutItem(None, 2))
        self._pages.addWidget(widget_with(full))
        self._pages.addWidget(
            scrolling(column(*parts, spacing=Space.LARGE, margin=2 * Space.WIDE))
        )
        above = () if head is None else (head,)
        whole = (*above, growing(self._pages), self.strip, foot)
        self.setLayout(column(*whole, spacing=Space.MEDIUM, margin=Space.WIDE))

    def _head(self, title: str, *buttons: Button) -> QLayout:
        label = TitleLabel(title)
        label.setWordWrap(False)
        return row(label, growing(self._count), *buttons)

    def show_at(self, key: str | None = None) -> None:
        self._pending_key = key
        self.come()
        self.load()
        self._focus_search()

    def _focus_search(self) -> None:
        self.search.setFocus(Qt.FocusReason.OtherFocusReason)

    def _go_to_search(self) -> None:
        self.search.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.search.selectAll()

    def _look_again(self) -> None:
        if self.isVisible():
            self.load()

    def _refill(self, fill: Callable[[], None]) -> None:
        self.is_loaded = True
        place = self.list.currentIndex().row()
        key, self._pending_key = self._pending_key or self.list.current_id, None
        at = self.list.verticalScrollBar().value()
        fill()
        self.list.verticalScrollBar().setValue(at)
        if not self.list.choose(key):
            self.list.setCurrentIndex(self.model.nearest(max(place, 0)))
        self._show_state()

    def _find(self, query: str) -> None:
        self._keep_chosen(lambda: self.model.find(query))
        self._show_state()

    def _keep_chosen(self, change: Callable[[], None]) -> None:
        chosen = self.list.current_id
        change()
        if not self.list.choose(chosen):
            self.list.setCurrentIndex(self.model.nearest(0))

    def _show_state(self) -> None:
        count = self.model.count
        self._pages.setCurrentIndex(1 if self._is_empty() else 0)
        words = self._count_text(count) if count else ""
        if self.model.match_count < count:
            words = f"{QLocale().toString(self.model.match_count)} / {words}"
        self._count.setText(words)
        query = " ".join(self.search.text().split())
        self._nothing.setVisible(bool(query) and not self.model.match_count and count > 0)
        self._nothing.setText(self._not_found_text(query))
