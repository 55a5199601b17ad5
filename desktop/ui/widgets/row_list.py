"""The base of all lists of rows: model, view, delegate, and text with highlighted matches."""

from collections.abc import Hashable, Sequence
from itertools import compress, groupby
from typing import TYPE_CHECKING, Any, ClassVar, Generic, TypeVar

from PySide6.QtCore import (
    QAbstractItemModel,
    QAbstractListModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QPointF,
    QRect,
    QRectF,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import (
    QColor,
    QCursor,
    QFont,
    QFontMetrics,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPen,
    QResizeEvent,
    QTextCharFormat,
    QTextLayout,
    QTextLine,
    QTextOption,
)
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QLineEdit,
    QListView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from desktop.ui.theme.theme import ThemeController
from desktop.ui.theme.tokens import LINE_HEIGHT, Radius, Space, Tokens

Marks = Sequence[tuple[int, int]]
_ALL = 1_000
_MOST_SIZES = 100_000
_ROOM_ENOUGH = 100_000
_MORE_THAN_FITS = 4  # Times letters of average width, so that narrow ones fill the lines too


class HighlightedText:
    def __init__(self, font: QFont, line_height: int, most_lines: int = _ALL) -> None:
        """The last of `most_lines` is elided."""
        self._font = font
        self._metrics = QFontMetrics(font)
        self._line_height = line_height
        self._most_lines = most_lines

    def height(self, text: str, width: int) -> int:
        return max(len(self._break(self._layout(text), max(width, 1))), 1) * self._line_height

    def paint(
        self, painter: QPainter, place: QRect, text: str, marks: Marks, tokens: Tokens
    ) -> int:
        room = max(place.width(), 1)
        letter = max(self._metrics.averageCharWidth(), 1)
        # Laying out the rest of a long text would cost as much, and it is never seen.
        most = round(self._most_lines * room / letter * _MORE_THAN_FITS)
        layout = self._layout(text[:most], _marks(marks, tokens, 0, most))
        lines = self._break(layout, room)
        is_cut = bool(lines) and lines[-1].textStart() + lines[-1].textLength() < len(text)
        top = place.y()
        for line in lines[:-1] if is_cut else lines:
            line.draw(painter, QPointF(place.x(), top))
            top += self._line_height
        if is_cut:
            start, right = lines[-1].textStart(), Qt.TextElideMode.ElideRight
            words = self._metrics.elidedText(text[start : start + most], right, room)
            last = self._layout(words, _marks(marks, tokens, start, len(words) - 1))
            self._break(last, _ROOM_ENOUGH)
            last.draw(painter, QPointF(place.x(), top))
        return len(lines)

    def _layout(self, text: str, marks: Sequence[QTextLayout.FormatRange] = ()) -> QTextLayout:
        layout = QTextLayout(text, self._font)
        option = QTextOption(Qt.AlignmentFlag.AlignLeft)
        # An address is one word, and often longer than a line.
        option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        layout.setTextOption(option)
        if marks:
            layout.setFormats(marks)
        return layout

    def _break(self, layout: QTextLayout, room: int) -> list[QTextLine]:
        """Return up to `most_lines` lines; the layout has to outlive them."""
        lines: list[QTextLine] = []
        layout.beginLayout()
        while len(lines) < self._most_lines and (line := layout.createLine()).isValid():
            line.setLineWidth(room)
            lines.append(line)
        layout.endLayout()
        return lines


def _marks(marks: Marks, tokens: Tokens, at: int, length: int) -> list[QTextLayout.FormatRange]:
    """Return the marks in a piece of the text, relative to its start."""
    cut = [(max(begin - at, 0), min(end - at, length)) for begin, end in marks]
    return [_mark(begin, end, tokens) for begin, end in cut if begin < end]


def _mark(begin: int, end: int, tokens: Tokens) -> QTextLayout.FormatRange:
    look = QTextCharFormat()
    look.setBackground(QColor(tokens.highlight))
    look.setForeground(QColor(tokens.text))
    made = QTextLayout.FormatRange()
    made.start, made.length = begin, end - begin
    made.format = look
    return made


if TYPE_CHECKING:
    from PySide6.QtCore import QAbstractItemModel as _Model
    from PySide6.QtWidgets import QAbstractItemView as _View
else:

    class _Model:
        """Nothing: a second class of Qt's would be in the way of the widget's own."""

    _View = _Model

Index = QModelIndex | QPersistentModelIndex
_QT_LINE = 1.2
_MOST_GAPS = 8  # of rows that are removed or inserted one after another
_STATE = QStyle.StateFlag
_LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
NOWHERE = QModelIndex()
T = TypeVar("T")


class Rows(_Model, Generic[T]):
    """Mix-in for models, before Qt's class: rows that keep their identity, by a key."""

    _rows: list[T]

    def row(self, index: Index) -> T | None:
        return self._rows[index.row()] if index.isValid() else None

    def index_like(self, row: T | None) -> QModelIndex:
        return QModelIndex() if row is None else self.index_of_key(self._key_of(row))

    def index_of_key(self, key: object) -> QModelIndex:
        places = (at for at, row in enumerate(self._rows) if self._key_of(row) == key)
        return self.index(next(places, -1), 0)

    def rowCount(self, parent: Index = NOWHERE) -> int:
        return 0 if parent.isValid() else len(self._rows)

    def _key_of(self, row: T) -> object:
        raise NotImplementedError


class RowModel(Rows[T], QAbstractListModel):
    keeps_sizes: ClassVar[frozenset[int]] = frozenset()
    """Roles of which a change leaves the size of a row, or comes with another object for it."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._rows = []

    def retranslate_rows(self) -> None:
        if self._rows:
            self.dataChanged.emit(self.index(0), self.index(len(self._rows) - 1))


def staying(old: Sequence[Hashable], new: Sequence[Hashable]) -> tuple[list[bool], list[bool]]:
    """Return which rows stay, from their keys before and after.

    These are all that are in both, or those at the ends if many others go or come in between.
    """
    head = _common(old, new)
    tail = _common(old[head:][::-1], new[head:][::-1])
    inner = [keys[head : len(keys) - tail] for keys in (old, new)]
    both = set(inner[0]) & set(inner[1])
    stays = [[key in both for key in keys] for keys in inner]
    orders = [[*compress(keys, kept)] for keys, kept in zip(inner, stays, strict=True)]
    if orders[0] != orders[1] or sum(len(gaps(kept)) for kept in stays) > _MOST_GAPS:
        stays = [[False] * len(keys) for keys in inner]
    first, second = ([*[True] * head, *kept, *[True] * tail] for kept in stays)
    return first, second


def gaps(stays: Sequence[bool]) -> list[tuple[int, int]]:
    """Return the ranges of rows that do not stay."""
    runs = groupby(range(len(stays)), stays.__getitem__)
    places = [[*run] for is_kept, run in runs if not is_kept]
    return [(run[0], run[-1] + 1) for run in places]


def _common(first: Sequence[Hashable], second: Sequence[Hashable]) -> int:
    """Return how many keys at the start are equal."""
    count = 0
    for key, other in zip(first, second, strict=False):
        if key != other:
            break
        count += 1
    return count


class RowType:
    def __init__(self, theme: ThemeController, *, has_small_text: bool) -> None:
        self.plain = theme.font()
        self.plain_metrics = QFontMetrics(self.plain)
        self.title = theme.font(weight=QFont.Weight.DemiBold)
        self.title_height = QFontMetrics(self.title).height()
        self.heading = theme.font(theme.scale.small, weight=QFont.Weight.DemiBold)
        self.small = theme.font(theme.scale.small)
        self.small_metrics = QFontMetrics(self.small)
        self.small_height = _line_height(self.small_metrics)
        self.text = self.small if has_small_text else theme.font()
        self.text_metrics = QFontMetrics(self.text)
        self.line_height = _line_height(self.text_metrics)


class RowDelegate(QStyledItemDelegate):
    has_small_text: ClassVar[bool] = False

    def __init__(self, theme: ThemeController, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._type = RowType(theme, has_small_text=self.has_small_text)
        self.width = 0  # of the view
        theme.theme_changed.connect(self._measure_again)

    def setEditorData(self, editor: QWidget, index: Index) -> None:
        """What is typed stays when the row changes meanwhile."""
        if not (isinstance(editor, QLineEdit) and editor.isModified()):
            super().setEditorData(editor, index)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self._paint_row(painter, option, index)
        painter.restore()

    def set_width(self, width: int) -> None:
        """Set the width of the view."""
        self.width = width

    def forget(self, first: int, last: int, roles: Sequence[int]) -> None:
        """Note that these rows have changed in these roles; none: in all."""

    def _paint_row(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        raise NotImplementedError

    def _measure_again(self) -> None:
        self._type = RowType(self._theme, has_small_text=self.has_small_text)
        self.sizeHintChanged.emit(QModelIndex())

    def _paint_card(
        self, painter: QPainter, place: QRect, *, ring: str | None, ground: str | None
    ) -> None:
        painter.setPen(QPen(QColor(ring), 1) if ring else Qt.PenStyle.NoPen)
        painter.setBrush(QColor(ground) if ground else Qt.BrushStyle.NoBrush)
        edge = QRectF(place).adjusted(0.5, 0.5, -0.5, -0.5)
        painter.drawRoundedRect(edge, Radius.CONTROL, Radius.CONTROL)

    def _paint_chosen(self, painter: QPainter, place: QRect, option: QStyleOptionViewItem) -> None:
        tokens = self._theme.tokens
        state: QStyle.StateFlag = option.state
        if state & _STATE.State_Selected:
            ring = tokens.accent if state & _STATE.State_HasFocus else tokens.line
            self._paint_card(painter, place, ring=ring, ground=tokens.accent_ground)
        elif state & _STATE.State_MouseOver:
            self._paint_card(painter, place, ring=None, ground=tokens.hover)

    def _paint_pill(self, painter: QPainter, place: QRectF, words: str) -> None:
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(self._theme.tokens.accent_ground))
        painter.drawRoundedRect(place, Space.TIGHT, Space.TIGHT)
        painter.setPen(QColor(self._theme.tokens.accent))
        painter.drawText(place, Qt.AlignmentFlag.AlignCenter, words)

    def _paint_title(self, painter: QPainter, room: QRect, title: str) -> None:
        painter.setFont(self._type.title)
        painter.setPen(QColor(self._theme.tokens.text))
        paint_line(painter, room, title)

    def _paint_detail(self, painter: QPainter, room: QRect, words: str) -> None:
        painter.setFont(self._type.small)
        painter.setPen(QColor(self._theme.tokens.muted))
        paint_line(painter, room, words)


class SizedDelegate(RowDelegate):
    """Measures a row once: Qt asks for the sizes of all rows whenever one has changed."""

    def __init__(self, theme: ThemeController, model: RowModel[Any]) -> None:
        super().__init__(theme)
        self._model = model
        self._sizes: dict[int, tuple[object, QSize]] = {}  # By the identity of the row, with it

    def sizeHint(self, _option: QStyleOptionViewItem, index: Index) -> QSize:
        row = self._model.row(index)
        measured = self._sizes.get(id(row))
        if measured is None or measured[0] is not row:
            if len(self._sizes) > _MOST_SIZES:
                self._sizes.clear()
            self._sizes[id(row)] = measured = row, self._measure(index)
        return measured[1]

    def set_width(self, width: int) -> None:
        if width != self.width:
            self._sizes.clear()
        super().set_width(width)

    def forget(self, first: int, last: int, roles: Sequence[int]) -> None:
        if not roles or not self._model.keeps_sizes.issuperset(roles):
            for place in range(first, last + 1):
                self._sizes.pop(id(self._model.row(self._model.index(place))), None)

    def _measure(self, index: Index) -> QSize:
        raise NotImplementedError

    def _measure_again(self) -> None:
        self._sizes.clear()
        super()._measure_again()


def paint_line(painter: QPainter, room: QRect, words: str, narrower: QFont | None = None) -> None:
    """Paint a text in one line, elided; `narrower`: used where the painter's font has no room."""
    if narrower and painter.fontMetrics().horizontalAdvance(words) > room.width():
        painter.setFont(narrower)
    shown = painter.fontMetrics().elidedText(words, Qt.TextElideMode.ElideRight, room.width())
    painter.drawText(room, _LEFT, shown)


def _line_height(metrics: QFontMetrics) -> int:
    return round(metrics.height() * LINE_HEIGHT / _QT_LINE)


class RowKeys(_View):
    """Mix-in for views of rows, before Qt's class: entering them, and their keys."""

    left_upwards: ClassVar[Signal]  # up was pressed on the first row

    def enter(self) -> None:
        if not self.currentIndex().isValid():
            self.setCurrentIndex(self._first())
        self.setFocus(Qt.FocusReason.TabFocusReason)

    def open_first(self) -> None:
        """Open what Enter would open after `enter`."""
        self.enter()
        self._handle_key(Qt.Key.Key_Return)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if not self._handle_key(event.key()):
            super().keyPressEvent(event)

    def _first(self) -> QModelIndex:
        return self.model().index(0, 0)

    def _handle_key(self, key: int) -> bool:
        """Handle a key of the rows; return whether it was one."""
        current, first = self.currentIndex(), self._first()
        if key != Qt.Key.Key_Up or (current.isValid() and current.row() != first.row()):
            return False
        self.left_upwards.emit()
        return True


class RowList(RowKeys, QListView):
    left_upwards = Signal()
    remove_wanted = Signal()  # Delete was pressed on a row

    def __init__(
        self, model: QAbstractItemModel, rows: RowDelegate, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._rows = rows
        self._is_pointed_at = False
        rows.setParent(self)
        self.setModel(model)
        self.setItemDelegate(rows)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setResizeMode(QListView.ResizeMode.Adjust)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setMouseTracking(True)
        self.viewport().setAutoFillBackground(False)

    def _handle_key(self, key: int) -> bool:
        if key != Qt.Key.Key_Delete or not self.currentIndex().isValid():
            return super()._handle_key(key)
        self.remove_wanted.emit()
        return True

    @property
    def has_several(self) -> bool:
        """Whether several rows are selected; takes no longer for thousands."""
        parts = self.selectionModel().selection()
        return parts.count() > 1 or (parts.count() == 1 and parts.at(0).height() > 1)

    def dataChanged(self, first: Index, last: Index, roles: Sequence[int] = ()) -> None:
        self._rows.forget(first.row(), last.row(), roles)
        super().dataChanged(first, last, roles)

    def held_index(self, *, counts_rest: bool) -> QModelIndex:
        """Return the row with the focus or under the pointer, which must not move.

        `counts_rest`: also one that has been under the pointer since before the last key.
        """
        if self.hasFocus() and self.currentIndex().isValid():
            return self.currentIndex()
        at = self.viewport().mapFromGlobal(QCursor.pos())
        is_pointed_at = self._is_pointed_at or (counts_rest and self.viewport().underMouse())
        is_inside = self.viewport().rect().contains(at)
        return self.indexAt(at) if is_pointed_at and is_inside else QModelIndex()

    def forget_pointer(self) -> None:
        """Ignore the pointer until it moves."""
        self._is_pointed_at = False

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self._is_pointed_at = True
        super().mouseMoveEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._rows.set_width(event.size().width())
        super().resizeEvent(event)
