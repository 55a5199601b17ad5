"""The sidebar, text and panel of the window: side by side, or one over the other.

If the window is too narrow, panel and sidebar cover the text until it is clicked.
"""

from enum import Enum, auto

from PySide6.QtCore import QPoint, QRect, Qt, Signal
from PySide6.QtGui import QColor, QMouseEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QWidget

from desktop.ui.theme.theme import ThemeController
from desktop.ui.theme.tokens import (
    NARROWEST_PANEL,
    NARROWEST_SIDE,
    NARROWEST_TEXT,
    PANEL_COVERS_BELOW,
    PANEL_WIDTH,
    SCRIM_ALPHA,
    SIDEBAR_COVERS_BELOW,
    SIDEBAR_COVERS_BESIDE_PAGE,
    SIDEBAR_WIDTH,
    WIDEST_SIDE,
    Space,
)
from desktop.ui.widgets.layouts import holds_focus


class Side(Enum):
    LEFT = auto()
    RIGHT = auto()


_NARROWEST = {Side.LEFT: NARROWEST_SIDE, Side.RIGHT: NARROWEST_PANEL}
_USUAL = {Side.LEFT: SIDEBAR_WIDTH, Side.RIGHT: PANEL_WIDTH}
_SHARE = 0.19  # The sidebar's share of a wide window, so that fewer titles are elided


class _Grip(QWidget):
    dragged = Signal(int)  # how far to the right, in pixels

    def __init__(self, theme: ThemeController, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme
        self._from: QPoint | None = None
        self.setCursor(Qt.CursorShape.SplitHCursor)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self._from = event.globalPosition().toPoint()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        at = event.globalPosition().toPoint()
        if self._from is not None:
            self.dragged.emit(at.x() - self._from.x())
            self._from = at

    def mouseReleaseEvent(self, _event: QMouseEvent) -> None:
        self._from = None

    def paintEvent(self, _event: QPaintEvent) -> None:
        middle = self.width() // 2
        with QPainter(self) as painter:
            painter.fillRect(QRect(middle, 0, 1, self.height()), QColor(self._theme.tokens.line))


class _Scrim(QWidget):
    clicked = Signal()

    def mousePressEvent(self, _event: QMouseEvent) -> None:
        self.clicked.emit()

    def paintEvent(self, _event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            painter.fillRect(self.rect(), QColor(0, 0, 0, SCRIM_ALPHA))


class SplitterLayout(QWidget):
    shown_changed = Signal()  # Which parts are visible, or whether they cover the text

    def __init__(
        self,
        theme: ThemeController,
        parts: tuple[QWidget, QWidget, QWidget],
        parent: QWidget | None = None,
    ) -> None:
        """`parts`: sidebar, text and panel, in this order."""
        super().__init__(parent)
        self._theme = theme
        left, self._centre, right = parts
        self._sides = {Side.LEFT: left, Side.RIGHT: right}
        self._widths = dict(_USUAL)
        self._visibility = {Side.LEFT: True, Side.RIGHT: False}
        self._covering: Side | None = None
        self._is_wide = False
        self._wide = 0  # The width chosen for a wide panel; 0: half of the room
        self._grips = {side: _Grip(theme, self) for side in Side}
        self._scrim = _Scrim(self)
        for part in parts:
            part.setParent(self)
        self._scrim.hide()
        self._scrim.clicked.connect(self.uncover)
        self._theme.theme_changed.connect(self._arrange)
        self._grips[Side.LEFT].dragged.connect(lambda by: self._drag(Side.LEFT, by))
        self._grips[Side.RIGHT].dragged.connect(lambda by: self._drag(Side.RIGHT, -by))

    def is_shown(self, side: Side) -> bool:
        if self.covers(side):
            return self._covering is side
        return self._visibility[side]

    def is_wanted(self, side: Side) -> bool:
        """Whether it is open if there is room for it."""
        return self._visibility[side]

    def covers(self, side: Side) -> bool:
        below = PANEL_COVERS_BELOW
        if side is Side.LEFT:
            is_beside_page = self._has_page_beside()
            below = SIDEBAR_COVERS_BESIDE_PAGE if is_beside_page else SIDEBAR_COVERS_BELOW
        return self.width() < below * self._theme.scale.zoom

    def widen(self, *, is_wide: bool) -> None:
        """Give the right side half of the room, or the usual width again."""
        if is_wide != self._is_wide:
            self._is_wide = is_wide
            self._arrange()

    def show_side(self, side: Side, is_shown: bool) -> None:  # noqa: FBT001 (a Qt setter)
        if self.covers(side):
            self._covering = side if is_shown else None
            if side is Side.RIGHT:  # what the user closed stays closed when there is room
                self._visibility[side] = is_shown
        else:
            self._visibility[side] = is_shown
            if side is Side.RIGHT and is_shown:
                self._covering = None
        self._arrange()

    def uncover(self) -> None:
        if self._covering is not None:
            self._covering = None
            self._arrange()

    def side_width(self, side: Side) -> int:
        """Return the width at a zoom of 100 percent."""
        return self._widths[side]

    def restore(self, widths: tuple[int, int], visibility: tuple[bool, bool]) -> None:
        for side, width, is_wanted in zip(Side, widths, visibility, strict=True):
            self._widths[side] = min(max(width, _NARROWEST[side]), WIDEST_SIDE)
            self._visibility[side] = is_wanted
        self._arrange()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange()

    def _drag(self, side: Side, by: int) -> None:
        wide = self._width_of(side) + round(by / self._theme.scale.zoom)
        if side is Side.RIGHT and self._is_wide:
            self._wide = max(wide, NARROWEST_PANEL)
        else:
            self._widths[side] = min(max(wide, _NARROWEST[side]), WIDEST_SIDE)
        self._arrange()

    def _arrange(self) -> None:
        before = [(part.isHidden(), self._scrim.isHidden()) for part in self._sides.values()]
        if self._covering is not None and not self.covers(self._covering):
            self._covering = None
        for side, grip in self._grips.items():
            # A part that stood beside the text until now, and is used, must not vanish.
            # A document that takes its room is read, and has the focus next.
            is_lost = not grip.isHidden() and self.covers(side) and not self._has_page_beside()
            if is_lost and holds_focus(self._sides[side]):
                self._covering = side
        room = self.rect()
        for side in Side:
            if self.is_shown(side) and not self.covers(side):
                room = self._place_side(side, room)
            else:
                self._sides[side].setVisible(side is self._covering)
                self._grips[side].hide()
        self._centre.setGeometry(room)
        self._cover()
        if before != [(part.isHidden(), self._scrim.isHidden()) for part in self._sides.values()]:
            self.shown_changed.emit()

    def _has_page_beside(self) -> bool:
        is_shown = self._is_wide and self._visibility[Side.RIGHT]
        return is_shown and not self.covers(Side.RIGHT)

    def _width_of(self, side: Side) -> int:
        """Return the user's width, else one that grows with the window."""
        if side is Side.RIGHT and self._is_wide:
            return self._wide_width()
        chosen = self._widths[side]
        if chosen != _USUAL[side]:
            return chosen
        return min(max(chosen, round(self.width() / self._theme.scale.zoom * _SHARE)), WIDEST_SIDE)

    def _wide_width(self) -> int:
        """Return the width of a wide panel, which leaves the text a readable column."""
        room = round(self.width() / self._theme.scale.zoom)
        if self.covers(Side.RIGHT):
            return room - Space.WIDE * 2
        if self.is_shown(Side.LEFT) and not self.covers(Side.LEFT):
            room -= self._width_of(Side.LEFT)
        return max(min(self._wide or room // 2, room - NARROWEST_TEXT), NARROWEST_PANEL)

    def _place(self, side: Side) -> QRect:
        width = min(round(self._width_of(side) * self._theme.scale.zoom), self.width())
        return QRect(0 if side is Side.LEFT else self.width() - width, 0, width, self.height())

    def _place_side(self, side: Side, room: QRect) -> QRect:
        place = self._place(side)
        self._sides[side].setGeometry(place)
        self._sides[side].show()
        edge = place.right() if side is Side.LEFT else place.left()
        grip = self._grips[side]
        grip.setGeometry(QRect(edge - Space.TIGHT, 0, 2 * Space.TIGHT + 1, self.height()))
        grip.show()
        grip.raise_()
        if side is Side.LEFT:
            return room.adjusted(place.width(), 0, 0, 0)
        return room.adjusted(0, 0, -place.width(), 0)

    def _cover(self) -> None:
        self._scrim.setVisible(self._covering is not None)
        if self._covering is None:
            return
        part = self._sides[self._covering]
        self._scrim.setGeometry(self.rect())
        self._scrim.raise_()
        part.setGeometry(self._place(self._covering))
        part.show()
        part.raise_()
