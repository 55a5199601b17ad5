"""The window with a searchable list that the library and the memory share: model, view, window."""

from collections.abc import Callable, Sequence

from PySide6.QtCore import (
    QAbstractListModel,
    QEvent,
    QItemSelection,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    Qt,
    Signal,
)
from PySide6.QtGui import QKeyEvent, QKeySequence, QShortcut
from PySide6.QtWidgets import (
    QDialog,
    QHBoxLayout,
    QLayout,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from desktop.language.normalization import find_words
from desktop.ui.theme.theme import ThemeController
from desktop.ui.theme.tokens import Space
from desktop.ui.widgets.buttons import Button
from desktop.ui.widgets.fields import SearchField
from desktop.ui.widgets.labels import BodyLabel, HintLabel, TitleLabel
from desktop.ui.widgets.layouts import resize_within_screen, text_width
from desktop.ui.widgets.message_bar import MessageBar
from desktop.ui.widgets.row_list import RowDelegate, RowList

Index = QModelIndex | QPersistentModelIndex
_NOWHERE = QModelIndex()


class SearchableListModel(QAbstractListModel):
    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._rows: Sequence[object] = ()
        self._query = ""

    @property
    def count(self) -> int:
        """The number of all items, found or not."""
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
        """The row at a place, or the nearest one."""
        places = [at for at, row in enumerate(self._rows) if self._id_of(row) is not None]
        if not places:
            return QModelIndex()
        return self.index(min(places, key=lambda at: abs(at - place)))

    def rowCount(self, parent: Index = _NOWHERE) -> int:
        return 0 if parent.isValid() else len(self._rows)

    def retranslate_rows(self) -> None:
        if self._rows:
            self.dataChanged.emit(self.index(0), self.index(len(self._rows) - 1))

    def _id_of(self, row: object) -> str | None:
        """None for a heading."""
        raise NotImplementedError

    def _arranged(self) -> Sequence[object]:
        """The rows that match the query, in their order."""
        raise NotImplementedError

    def _fill(self) -> None:
        self.beginResetModel()
        self._rows = self._arranged()
        self.endResetModel()

    def _row(self, index: Index) -> object:
        return self._rows[index.row()] if index.isValid() else None

    def _marks(self, words: str) -> Sequence[tuple[int, int]]:
        """Spans to highlight."""
        return find_words(words, [self._query]) if self._query else []


class SearchableListView(RowList):
    chosen = Signal()
    """The selection has changed."""

    def __init__(
        self, model: SearchableListModel, rows: RowDelegate, parent: QWidget | None = None
    ) -> None:
        super().__init__(model, rows, parent)
        self._shelf = model

    @property
    def current_id(self) -> str | None:
        return self._shelf.id_at(self.currentIndex())

    def choose(self, wanted: str | None) -> bool:
        """Select it; False if it is not in the list."""
        index = self._shelf.index_of(wanted)
        if index.isValid():
            self.setCurrentIndex(index)
            self.scrollTo(index)
        return index.isValid()

    def selectionChanged(self, selected: QItemSelection, deselected: QItemSelection) -> None:
        super().selectionChanged(selected, deselected)
        self.chosen.emit()

    def _first(self) -> QModelIndex:
        return self._shelf.nearest(0)


class SearchableListWindow(QDialog):
    model: SearchableListModel
    list: SearchableListView

    def __init__(
        self,
        model: SearchableListModel,
        rows: SearchableListView,
        theme: ThemeController,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        model.setParent(self)
        rows.setParent(self)
        self.model, self.list = model, rows
        self.is_loaded = False
        self._wanted: str | None = None
        """Selected once the list has it."""
        self.search = SearchField(theme, self)
        self._title, self._count = TitleLabel(parent=self), HintLabel(parent=self)
        self._nothing = BodyLabel(parent=self)
        self._empty_title, self._empty = TitleLabel(parent=self), BodyLabel(parent=self)
        self._close = Button()
        self.strip = MessageBar(theme)
        self._pages = QStackedWidget(self)
        self._title.setWordWrap(False)
        # No key leads here from elsewhere.
        self.search.set_hint(QKeySequence())
        for label in (self._nothing, self._empty):
            label.setProperty("role", "muted")
        theme.theme_changed.connect(rows.doItemsLayout)
        self.search.textChanged.connect(self._find)
        self.search.left_downwards.connect(rows.enter)
        self.search.left.connect(self.reject)
        rows.left_upwards.connect(self._focus_search)
        self._close.clicked.connect(self.reject)
        self._add_shortcut(QKeySequence.StandardKey.Find, self._go_to_search)
        self._add_shortcut(QKeySequence.StandardKey.Close, self.reject)

    def load(self) -> None:
        """Read the items from the disk again."""
        raise NotImplementedError

    def retranslate(self) -> None:
        raise NotImplementedError

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange:
            self.retranslate()
            self.strip.retranslate()
        super().changeEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        # The list goes back to the search before the window closes.
        if event.key() == Qt.Key.Key_Escape and self.list.hasFocus():
            self._focus_search()
            event.accept()
        else:
            super().keyPressEvent(event)

    def _count_text(self, count: int) -> str:
        raise NotImplementedError

    def _not_found_text(self, query: str) -> str:
        """The text for a query without results."""
        raise NotImplementedError

    def _is_empty(self) -> bool:
        return self.is_loaded and not self.model.count

    def _add_shortcut(self, keys: QKeySequence.StandardKey, act: Callable[[], object]) -> None:
        QShortcut(QKeySequence(keys), self).activated.connect(act)

    def _lay_out(
        self, full: QLayout, first: QLayout, foot: QLayout, *, characters: int, lines: int
    ) -> None:
        """`full`: shown while there are items; `first`: the buttons while there are none."""
        foot.setSpacing(Space.SMALL)
        foot.addWidget(self._close)
        page = QWidget(self)
        page.setLayout(full)
        full.setContentsMargins(0, 0, 0, 0)
        full.setSpacing(Space.MEDIUM)
        self._pages.addWidget(page)
        self._pages.addWidget(self._first_page(first))
        column = QVBoxLayout(self)
        column.setContentsMargins(*(Space.WIDE,) * 4)
        column.setSpacing(Space.MEDIUM)
        column.addWidget(self._pages, 1)
        column.addWidget(self.strip)
        column.addLayout(foot)
        self.setTabOrder(self.search, self._order)
        self.setTabOrder(self._order, self.list)
        resize_within_screen(
            self, text_width(self, characters), lines * self.fontMetrics().lineSpacing()
        )

    def _head(self, *buttons: Button) -> QHBoxLayout:
        head = QHBoxLayout()
        head.setSpacing(Space.SMALL)
        head.addWidget(self._title)
        head.addWidget(self._count, 1)
        for button in buttons:
            head.addWidget(button)
        return head

    def _search_row(self, order: QWidget) -> QHBoxLayout:
        """`order`: the choice of the order."""
        row = QHBoxLayout()
        row.setSpacing(Space.SMALL)
        row.addWidget(self.search, 1)
        row.addWidget(order)
        self._order = order
        return row

    def _first_page(self, buttons: QLayout) -> QWidget:
        page = QWidget(self)
        buttons.setSpacing(Space.SMALL)
        column = QVBoxLayout(page)
        column.setContentsMargins(*(2 * Space.WIDE,) * 4)
        column.setSpacing(Space.LARGE)
        column.addStretch(1)
        column.addWidget(self._empty_title)
        column.addWidget(self._empty)
        column.addLayout(buttons)
        column.addStretch(2)
        return page

    def _show_at(self, wanted: str | None) -> None:
        self._wanted = wanted
        self.show()
        self.raise_()
        self.activateWindow()
        self.load()

    def _set_search_text(self, words: str) -> None:
        self.search.retranslate()
        self.search.setPlaceholderText(words)
        self.search.setAccessibleName(words)

    def _focus_search(self) -> None:
        self.search.setFocus(Qt.FocusReason.OtherFocusReason)

    def _go_to_search(self) -> None:
        self.search.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.search.selectAll()

    def _look_again(self) -> None:
        if self.isVisible():
            self.load()

    def _refill(self, fill: Callable[[], None]) -> None:
        """Show new items and keep selection and scroll position."""
        self.is_loaded = True
        place = self.list.currentIndex().row()
        wanted, self._wanted = self._wanted or self.list.current_id, None
        at = self.list.verticalScrollBar().value()
        fill()
        self.list.verticalScrollBar().setValue(at)
        if not self.list.choose(wanted):
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
        self._count.setText(self._count_text(count) if count else "")
        query = " ".join(self.search.text().split())
        self._nothing.setVisible(bool(query) and not self.model.found and count > 0)
        self._nothing.setText(self._not_found_text(query))
