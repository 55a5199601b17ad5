"""Layouts and sizes: rows, columns, legend grids, scroll areas, widths that follow the text."""

from itertools import pairwise
from typing import NamedTuple, TypeVar

from PySide6.QtCore import QEvent, QObject, QRect, QSize, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QAbstractScrollArea,
    QApplication,
    QBoxLayout,
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QLayout,
    QLayoutItem,
    QScrollArea,
    QSizePolicy,
    QStyle,
    QVBoxLayout,
    QWidget,
    QWidgetItem,
)

from desktop.ui.theme.tokens import Space
from desktop.ui.widgets.plain_text import Label


class LayoutItem(NamedTuple):
    item: QWidget | QLayout | None  # None for empty room
    stretch: int = 0
    side: Qt.AlignmentFlag = Qt.AlignmentFlag(0)


STRETCH = LayoutItem(None, 1)  # takes all spare room
Margin = int | tuple[int, int, int, int]  # The same at all sides, or left, above, right and below
BoxT = TypeVar("BoxT", bound=QBoxLayout)


def growing(item: QWidget | QLayout, stretch: int = 1) -> LayoutItem:
    return LayoutItem(item, stretch)


def set_tab_order(*stops: QWidget) -> None:
    for stop, following in pairwise(stops):
        QWidget.setTabOrder(stop, following)


def holds_focus(widget: QWidget) -> bool:
    """Return whether it or a part of it has the focus of the application."""
    focus = QApplication.focusWidget()
    return focus is not None and (focus is widget or widget.isAncestorOf(focus))


def at_left(widget: QWidget) -> LayoutItem:
    """Return a part at the left, no wider than necessary."""
    # Absolute: a filter chip itself is laid out from right to left, for its cross.
    return LayoutItem(widget, side=Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignAbsolute)


def at_top(widget: QWidget) -> LayoutItem:
    return LayoutItem(widget, side=Qt.AlignmentFlag.AlignTop)


def row(
    *parts: QWidget | QLayout | LayoutItem, spacing: int = Space.SMALL, margin: Margin = 0
) -> QHBoxLayout:
    return _filled(QHBoxLayout(), parts, spacing, margin)


def column(
    *parts: QWidget | QLayout | LayoutItem, spacing: int = Space.SMALL, margin: Margin = 0
) -> QVBoxLayout:
    return _filled(QVBoxLayout(), parts, spacing, margin)


def flowing(*widgets: QWidget) -> "FlowLayout":
    """Return the widgets in as many lines as they need."""
    flow = FlowLayout()
    for widget in widgets:
        flow.addWidget(widget)
    return flow


def clear_layout(layout: QLayout) -> None:
    while item := layout.takeAt(0):
        if widget := item.widget():
            widget.hide()
            widget.deleteLater()


def height_at(layout: QLayout, width: int) -> int:
    """Return the height that a layout needs; Qt says -1 where nothing in it wraps."""
    if layout.hasHeightForWidth():
        return layout.totalHeightForWidth(width)
    return layout.totalSizeHint().height()


def widget_with(layout: QLayout) -> QWidget:
    widget = QWidget()
    widget.setLayout(layout)
    return widget


def frame_with(role: str, layout: QLayout | None = None) -> QFrame:
    """Return a frame; the stylesheet finds it by `role`, such as "line" or "rule"."""
    frame = QFrame()
    frame.setProperty("role", role)
    if layout is not None:
        frame.setLayout(layout)
    return frame


def _filled(
    box: BoxT, parts: tuple[QWidget | QLayout | LayoutItem, ...], spacing: int, margin: Margin
) -> BoxT:
    box.setSpacing(spacing)
    box.setContentsMargins(*(margin if isinstance(margin, tuple) else (margin,) * 4))
    for part in parts:
        item, stretch, side = part if isinstance(part, LayoutItem) else LayoutItem(part)
        if isinstance(item, QWidget):
            box.addWidget(item, stretch, side or _own_side(box, item))
        elif item is not None:
            box.addLayout(item, stretch)
        else:
            box.addStretch(stretch)
    return box


def _own_side(box: QBoxLayout, widget: QWidget) -> Qt.AlignmentFlag:
    """Return where a widget stands that is never wider than its text.

    Else Qt takes its width for the most that the column can have, but measures the height of
    what wraps above and below it at the full width, and cuts it off.
    """
    is_column = isinstance(box, QVBoxLayout)
    is_narrow = widget.sizePolicy().horizontalPolicy() == QSizePolicy.Policy.Maximum
    return Qt.AlignmentFlag.AlignLeft if is_column and is_narrow else Qt.AlignmentFlag(0)


class FlowLayout(QLayout):
    def __init__(self, parent: QWidget | None = None, *, fills: bool = False) -> None:
        """`fills`: whether the items of a line share its whole width."""
        super().__init__(parent)
        self._items: list[QLayoutItem] = []
        self._fills = fills
        self.setSpacing(Space.SMALL)
        self.setContentsMargins(0, 0, 0, 0)

    def addWidget(self, widget: QWidget) -> None:
        # PySide gives an item made by Qt the layout's owner as a parent, and takes it for
        # deleted once it has forgotten the owner's Python object. One made here stays valid.
        self.addChildWidget(widget)
        self.addItem(QWidgetItem(widget))

    def addItem(self, item: QLayoutItem) -> None:
        self._items.append(item)

    def count(self) -> int:
        return len(self._items)

    def itemAt(self, index: int) -> QLayoutItem | None:
        return self._items[index] if 0 <= index < len(self._items) else None

    def takeAt(self, index: int) -> QLayoutItem | None:
        return self._items.pop(index) if 0 <= index < len(self._items) else None

    def expandingDirections(self) -> Qt.Orientation:
        return Qt.Orientation(0)

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        return self._arrange(QRect(0, 0, width, 0), moves=False)

    def setGeometry(self, rect: QRect) -> None:
        super().setGeometry(rect)
        self._arrange(rect, moves=True)

    def sizeHint(self) -> QSize:
        return self.minimumSize()

    def minimumSize(self) -> QSize:
        size = QSize()
        for item in self._items:
            size = size.expandedTo(item.minimumSize())
        return size

    def _arrange(self, rect: QRect, *, moves: bool) -> int:
        y = rect.y()
        for line in self._lines(rect.width()):
            x = rect.x()
            high = max(size.height() for _, size in line)
            taken = sum(size.width() + self.spacing() for _, size in line) - self.spacing()
            spare = (rect.width() - taken) // len(line) if self._fills else 0
            for item, size in line:
                width = size.width() + spare
                if moves:
                    middle = y + (high - size.height()) // 2
                    item.setGeometry(QRect(x, middle, width, size.height()))
                x += width + self.spacing()
            y += high + self.spacing()
        return max(y - self.spacing() - rect.y(), 0)

    def _lines(self, width: int) -> list[list[tuple[QLayoutItem, QSize]]]:
        lines: list[list[tuple[QLayoutItem, QSize]]] = []
        taken = 0
        for item in self._items:
            if item.isEmpty():
                continue
            size = item.minimumSize() if self._fills else item.sizeHint()
            if not lines or taken + size.width() > width:
                lines.append([])
                taken = 0
            lines[-1].append((item, size))
            taken += size.width() + self.spacing()
        return lines


def text_width(widget: QWidget, characters: int) -> int:
    """Return the width of that many average characters in the font of the widget."""
    return characters * widget.fontMetrics().averageCharWidth()


def resize_within_screen(dialog: QWidget, width: int, height: int) -> None:
    dialog.resize(QSize(width, height).boundedTo(_room(dialog)))


def resize_to_text(dialog: QWidget, characters: int, lines: int) -> None:
    height = lines * dialog.fontMetrics().lineSpacing()
    resize_within_screen(dialog, text_width(dialog, characters), height)


def keep_on_screen(window: QWidget) -> None:
    """Shrink the window to the screen, which may be smaller than last time."""
    if window.isMaximized() or window.isFullScreen():
        return
    window.resize(window.size().boundedTo(_room(window)))


def _room(window: QWidget) -> QSize:
    """Return the size of the screen without a title bar, which some desktops draw high."""
    title = window.style().pixelMetric(QStyle.PixelMetric.PM_TitleBarHeight)
    return window.screen().availableSize() - QSize(0, 2 * title)


class GrowthFilter(QObject):
    """Makes a window larger when its texts need it: Qt cuts what wraps and does not fit."""

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self._window = window
        window.installEventFilter(self)
        for area in window.findChildren(_WordsArea):
            area.verticalScrollBar().rangeChanged.connect(self._grow_by)

    def eventFilter(self, window: QObject, event: QEvent) -> bool:
        is_due = event.type() in (QEvent.Type.Show, QEvent.Type.LayoutRequest)
        if is_due and isinstance(window, QWidget) and (layout := window.layout()):
            width = max(layout.totalMinimumSize().width(), window.width())
            needed = QSize(width, height_at(layout, width)).boundedTo(_room(window))
            window.resize(window.size().expandedTo(needed))
        return False

    def _grow_by(self, _low: int, hidden: int) -> None:
        """Show what an area would have to scroll, as far as the screen has room."""
        needed = self._window.size() + QSize(0, hidden)
        self._window.resize(needed.boundedTo(_room(self._window)).expandedTo(self._window.size()))


class VerticalScrollArea(QScrollArea):
    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)


class _WordsArea(VerticalScrollArea):
    """Its dialog grows before it scrolls."""


def scrolling(content: QLayout | QWidget) -> VerticalScrollArea:
    """Return an area for words that may need more room than there is."""
    area = _WordsArea()
    area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    area.setWidget(content if isinstance(content, QWidget) else widget_with(content))
    return area


def reserve_scrollbar(area: QAbstractScrollArea) -> None:
    """Always reserve room for the scroll bar; it is invisible when nothing can scroll."""
    area.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)
    _Room(area)


class _Room(QObject):
    """A child of its area: a closure with the bar would outlive it."""

    def __init__(self, area: QAbstractScrollArea) -> None:
        super().__init__(area)
        self._area = area
        bar = area.verticalScrollBar()
        bar.rangeChanged.connect(self._fit)
        self._fit(bar.minimum(), bar.maximum())

    def _fit(self, low: int, high: int) -> None:
        self._area.verticalScrollBar().setEnabled(high > low)


class LegendGrid(QWidget):
    def __init__(self, parent: QWidget, *, top: int = 0) -> None:
        super().__init__(parent)
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, top, 0, 0)
        self._grid.setHorizontalSpacing(Space.SMALL)
        self._grid.setVerticalSpacing(Space.TIGHT)
        self._grid.setColumnStretch(1, 1)

    def add(self, sign: QWidget, name: Label, amount: str, *below: QWidget) -> None:
        top = Qt.AlignmentFlag.AlignTop
        row = self._grid.rowCount()
        spent = Label(amount, self, role="small")
        # Aligned with the name, whose letters are larger.
        spent.setContentsMargins(0, Space.TIGHT // 2, 0, 0)
        self._grid.addWidget(sign, row, 0, top)
        self._grid.addWidget(name, row, 1)
        self._grid.addWidget(spent, row, 2, top | Qt.AlignmentFlag.AlignRight)
        for place, widget in enumerate(below, row + 1):
            self._grid.addWidget(widget, place, 1, 1, 2)


class Columns(QWidget):
    """Two parts side by side, or one below the other where there is no room for both."""

    def __init__(self, *parts: LayoutItem, letters: int, spacing: int = Space.SMALL) -> None:
        """`letters`: of the narrowest width at which they stand side by side."""
        super().__init__()
        self._letters = letters
        self._box = _filled(QBoxLayout(QBoxLayout.Direction.LeftToRight), parts, spacing, 0)
        self.setLayout(self._box)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        is_wide = self.width() >= text_width(self, self._letters)
        direction = QBoxLayout.Direction
        self._box.setDirection(direction.LeftToRight if is_wide else direction.TopToBottom)
