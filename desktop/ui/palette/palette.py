"""The palette: a field above a list of everything that can be done or opened, by name."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import field, replace
from datetime import datetime
from itertools import chain

from PySide6.QtCore import QEvent, QObject, QRect, QSize, Qt, QTimer, Signal
from PySide6.QtGui import (
    QAccessible,
    QAccessibleEvent,
    QColor,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
)
from PySide6.QtWidgets import (
    QApplication,
    QFrame,
    QLineEdit,
    QStyle,
    QStyleOptionViewItem,
    QWidget,
)

from desktop.domain.frozen import dataclass
from desktop.language.fuzzy_matching import foldable, fuzzy_match, has_all_words
from desktop.ui.formatting import day
from desktop.ui.theme.theme import ThemeController
from desktop.ui.theme.tokens import Space
from desktop.ui.widgets.layouts import column
from desktop.ui.widgets.plain_text import Label
from desktop.ui.widgets.row_list import (
    HighlightedText,
    Index,
    Marks,
    RowDelegate,
    RowList,
    RowModel,
    paint_line,
)

_WIDTH = 640
_LINES = 12
_MOST_ROWS = 200
_OTHER_NAME = 0.8
_BY_WORDS = 0.7
_RECENT = 0.15
_UNMATCHED = 0.05
_ROOM_BETWEEN = 3


@dataclass(frozen=True, slots=True)
class PaletteItem:
    key: str  # The key under which its use is remembered; contains no words of the user
    text: str
    kind: str  # Its kind, or its place
    run: Callable[[], object] = field(compare=False)
    shortcut: str = ""
    other_names: Sequence[str] = ()  # Further names by which it is found, in the other language
    words: Sequence[str] = ()  # Texts with all its words for a query, each in one language
    is_enabled: bool = True
    is_found: bool = False  # Whether a search found it, so that its name need not match
    at: datetime | None = None

    @property
    def detail(self) -> str:
        return f"{self.kind} · {day(self.at)}" if self.at else self.kind


@dataclass(frozen=True, slots=True)
class PaletteRow:
    item: PaletteItem
    marks: Marks = ()
    heading: str = ""  # Of the group that begins with this row


class PaletteModel(RowModel[PaletteRow]):
    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._groups: dict[str, Sequence[PaletteItem]] = {}
        self._folded: dict[str, str] = {}
        self._used: Mapping[str, int] = {}
        self._query = ""
        self._headings: Mapping[str, str] = {}
        self._most_in_group = 0

    def begin(
        self, used: Sequence[str], headings: Mapping[str, str], most_in_group: int = 0
    ) -> None:
        """Forget all items; `used`: keys of items, the last used first.

        `headings`: of the groups, by the first words of the keys; empty for one list by rank.
        """
        self._headings, self._most_in_group = headings, most_in_group
        self._groups.clear()
        self._folded.clear()
        self._used = {key: place for place, key in enumerate(used)}
        self._query = ""

    def put(self, group: str, items: Iterable[PaletteItem]) -> None:
        """Replace the items of a group; they are shown by `fill`."""
        self._groups[group] = list(items)

    def find(self, query: str) -> None:
        self._query = foldable(query).strip()
        self.fill()

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        row = self.row(index)
        if row is None or role == Qt.ItemDataRole.UserRole:
            return row
        item = row.item
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return item.text
            case Qt.ItemDataRole.AccessibleTextRole:
                state = "" if item.is_enabled else self.tr("unavailable now")
                return ", ".join(filter(None, (item.text, item.detail, item.shortcut, state)))
            case _:
                return None

    def fill(self) -> None:
        ranked = sorted(self._matches(), key=lambda match: match[0], reverse=True)
        rows: dict[str, PaletteRow] = {}
        for _, row in ranked:
            rows.setdefault(row.item.key, row)
        self.beginResetModel()
        self._rows = self._grouped(rows.values()) if self._headings else [*rows.values()]
        del self._rows[_MOST_ROWS:]
        self.endResetModel()

    def _grouped(self, rows: Iterable[PaletteRow]) -> list[PaletteRow]:
        """Return what can be chosen; the group of the best row is first once a query is typed."""
        headings = () if self._query else self._headings.values()
        groups: dict[str, list[PaletteRow]] = {heading: [] for heading in headings}
        for row in rows:
            if row.item.is_enabled:
                groups.setdefault(self._headings[row.item.key.partition(" ")[0]], []).append(row)
        return [
            replace(row, heading="" if place else heading)
            for heading, group in groups.items()
            for place, row in enumerate(group[: self._most_in_group])
        ]

    def _matches(self) -> Iterable[tuple[tuple[bool, float], PaletteRow]]:
        for item in chain.from_iterable(self._groups.values()):
            place = self._used.get(item.key)
            recent = 0.0 if place is None else 1 - place / (len(self._used) + 1)
            if not self._query:
                if not item.is_found:
                    yield (item.is_enabled, recent), PaletteRow(item)
                continue
            score, marks = self._score(item)
            if score:
                yield (item.is_enabled, score + _RECENT * recent), PaletteRow(item, marks)

    def _score(self, item: PaletteItem) -> tuple[float, Marks]:
        """Return the best match of a name; only the first one is shown, and has marks."""
        # In a message, what follows a space may be its next words: only names count then.
        is_found = item.is_found and not (self._headings and " " in self._query)
        best = _UNMATCHED if is_found else 0.0
        marks: Marks = ()
        for place, name in enumerate((item.text, *item.other_names)):
            match = fuzzy_match(self._query, self._fold(name))
            share = _OTHER_NAME if place else 1.0
            if match is not None and match.score * share > best:
                best, marks = match.score * share, () if place else match.marks
        words = item.words if best < _BY_WORDS else ()
        if any(has_all_words(self._query, self._fold(text)) for text in words):
            return _BY_WORDS, ()
        return best, marks

    def _fold(self, name: str) -> str:
        if name not in self._folded:
            self._folded[name] = foldable(name)
        return self._folded[name]

    def _key_of(self, row: PaletteRow) -> object:
        return row.item.key


class PaletteDelegate(RowDelegate):
    def sizeHint(self, _option: QStyleOptionViewItem, index: Index) -> QSize:
        row: PaletteRow = index.data(Qt.ItemDataRole.UserRole)
        return QSize(0, self.height + bool(row.heading) * self._heading_height)

    @property
    def height(self) -> int:
        return self._type.line_height + 2 * Space.TIGHT

    @property
    def _heading_height(self) -> int:
        return self._type.small_height + Space.TIGHT

    def _paint_row(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        rect: QRect = option.rect
        row: PaletteRow = index.data(Qt.ItemDataRole.UserRole)
        item, kind, tokens = row.item, self._type, self._theme.tokens
        if row.heading:
            heading = rect.adjusted(Space.MEDIUM, 0, -Space.MEDIUM, -self.height)
            self._paint_detail(painter, heading, row.heading)
            rect = rect.adjusted(0, heading.height(), 0, 0)
        if option.state & QStyle.StateFlag.State_Selected:
            self._paint_card(painter, rect, ring=tokens.accent, ground=tokens.accent_ground)
        else:
            self._paint_chosen(painter, rect, option)
        inside = rect.adjusted(Space.MEDIUM, Space.TIGHT, -Space.MEDIUM, -Space.TIGHT)
        aside = " · ".join(filter(None, (item.detail, item.shortcut)))
        width = min(kind.small_metrics.horizontalAdvance(aside) + 1, inside.width() // 2)
        painter.setPen(QColor(tokens.text if item.is_enabled else tokens.faint))
        above = (kind.line_height - kind.text_metrics.height()) // 2
        room = inside.adjusted(0, above, -width - Space.LARGE, 0)
        if row.marks:
            line = HighlightedText(kind.text, kind.line_height, 1)
            line.paint(painter, room, item.text, row.marks, tokens)
        else:
            room.setHeight(kind.text_metrics.height())
            painter.setFont(kind.text)
            paint_line(painter, room, item.text)
        self._paint_detail(painter, inside.adjusted(inside.width() - width, 0, 0, 0), aside)


class PaletteFrame(QFrame):
    """A list over the window that is filtered by a field, in which the focus stays."""

    typed = Signal(str)
    chosen = Signal(object)  # PaletteItem, after the list was closed

    def __init__(self, theme: ThemeController, window: QWidget) -> None:
        super().__init__(window)
        self._window = window
        self._theme = theme
        self.model = PaletteModel(self)
        self._rows = PaletteDelegate(theme)
        self.list = RowList(self.model, self._rows)
        self.setProperty("role", "card")
        self.setAutoFillBackground(True)
        self.list.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.list.clicked.connect(self._choose)
        window.installEventFilter(self)  # its size
        self.hide()

    def close_palette(self) -> None:
        """Hide the list; it may give the focus back."""
        self._watch_presses(is_on=False)
        self.hide()

    def put(self, group: str, items: Iterable[PaletteItem]) -> None:
        """Replace the items of a group, and keep the current row."""
        current = self.model.row(self.list.currentIndex())
        moved = self.list.currentIndex().row() > 0
        self.model.put(group, items)
        self.model.fill()
        index = self.model.index_like(current) if moved else self.model.index(0)
        self._show_found(index if index.isValid() else self.model.index(0))

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.MouseButtonPress and isinstance(event, QMouseEvent):
            if not self.rect().contains(self.mapFromGlobal(event.globalPosition().toPoint())):
                self.close_palette()
        elif event.type() == QEvent.Type.Resize and watched is self._window and self.isVisible():
            self._place()
        return False

    def _watch_presses(self, *, is_on: bool) -> None:
        """Close at a press of the mouse elsewhere in the window."""
        if (handle := self._window.windowHandle()) is not None:
            (handle.installEventFilter if is_on else handle.removeEventFilter)(self)

    def _place(self) -> None:
        raise NotImplementedError

    def _find(self, query: str) -> None:
        self.model.find(query)
        self._show_found(self.model.index(0))

    def _show_found(self, current: Index) -> None:
        self.list.setCurrentIndex(current)
        self._announce()

    def _announce(self) -> None:
        """Tell screen readers the current row, as the focus stays in the field."""
        row = self.list.currentIndex().row()
        if row >= 0 and self.isVisible() and QAccessible.isActive():
            event = QAccessibleEvent(self.list, QAccessible.Event.Focus)
            event.setChild(row)
            QAccessible.updateAccessibility(event)

    def _handle_key(self, event: QKeyEvent) -> bool:
        """Handle a key of the list; return whether it was one."""
        match event.key():
            case Qt.Key.Key_Escape:
                self.close_palette()
            case Qt.Key.Key_Return | Qt.Key.Key_Enter:
                self._choose(self.list.currentIndex())
            case Qt.Key.Key_Up | Qt.Key.Key_Down | Qt.Key.Key_PageUp | Qt.Key.Key_PageDown:
                QApplication.sendEvent(self.list, event)
                self._announce()
            case _:
                return False
        return True

    def _choose(self, index: Index) -> None:
        row = self.model.row(index)
        if row is not None and row.item.is_enabled:
            self.close_palette()
            self.chosen.emit(row.item)


class Palette(PaletteFrame):
    """Lies over the window; the focus stays in its field and returns when it closes."""

    painted = Signal()  # emitted once after each opening

    def __init__(self, theme: ThemeController, window: QWidget) -> None:
        super().__init__(theme, window)
        self._before: QWidget | None = None
        self._is_opening = False
        self.field = QLineEdit()
        self._nothing = Label(role="muted")
        self.list.setUniformItemSizes(True)
        self._nothing.setContentsMargins(Space.MEDIUM, Space.SMALL, Space.MEDIUM, Space.SMALL)
        parts = (self.field, self._nothing, self.list)
        self.setLayout(column(*parts, spacing=Space.SMALL, margin=Space.SMALL))
        self.field.installEventFilter(self)
        self.field.textEdited.connect(self._find)
        self.field.textEdited.connect(self.typed)

    def open(self, kinds: Sequence[str] = ()) -> None:
        """`kinds`: those that are offered, empty for all."""
        focus: QWidget | None = self._window.focusWidget()
        self._before = None if focus and self.isAncestorOf(focus) else focus
        self._set_up(kinds)
        self._is_opening = True
        self.show()
        self.raise_()
        self.field.setFocus(Qt.FocusReason.PopupFocusReason)
        self._watch_presses(is_on=True)

    def draw_hidden(self) -> None:
        """Load styles, fonts and letters ahead, so that the first opening need not wait."""
        self._set_up(())
        self.grab()

    def _set_up(self, kinds: Sequence[str]) -> None:
        words = self.tr("Type the name of an action, setting, session or document")
        if kinds:
            words = self.tr("Search for a session")
        self.field.setPlaceholderText(words)
        self.field.setAccessibleName(self.tr("Command palette"))
        self.list.setAccessibleName(self.tr("Results"))
        self._nothing.setText(self.tr("Nothing found."))
        self.field.clear()
        self._find("")
        self._place()

    def close_palette(self) -> None:
        if self.isVisible():
            super().close_palette()
            (self._before or self._window).setFocus(Qt.FocusReason.PopupFocusReason)

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if self._is_opening:
            self._is_opening = False
            QTimer.singleShot(0, self, self.painted.emit)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self.field and isinstance(event, QKeyEvent):
            return event.type() == QEvent.Type.KeyPress and self._handle_key(event)
        return super().eventFilter(watched, event)

    def _place(self) -> None:
        width = round(_WIDTH * self._theme.scale.zoom)
        width = min(width, self._window.width() - 2 * Space.WIDE)
        self.setFixedWidth(width)
        self._fit_rows()
        top = self._window.height() // (2 * _ROOM_BETWEEN)
        self.move((self._window.width() - width) // 2, top)

    def _fit_rows(self) -> None:
        """Be as high as what was found, up to half of the window."""
        most = min(_LINES, self._window.height() // (2 * self._rows.height))
        self.list.setFixedHeight(min(most, self.model.rowCount()) * self._rows.height)
        self.list.setHidden(not self.model.rowCount())
        self.adjustSize()

    def _show_found(self, current: Index) -> None:
        super()._show_found(current)
        self._nothing.setVisible(not current.isValid())
        self._fit_rows()

    def _handle_key(self, event: QKeyEvent) -> bool:
        return super()._handle_key(event) or event.key() in {Qt.Key.Key_Tab, Qt.Key.Key_Backtab}
