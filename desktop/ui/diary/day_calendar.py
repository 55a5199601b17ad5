"""A month as a grid: days with an entry stand out, and the keyboard moves through all of them."""

from collections.abc import Collection
from datetime import date

from PySide6.QtCore import QDate, QRect, Qt, Signal
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QPen, QTextCharFormat
from PySide6.QtWidgets import QCalendarWidget, QTableView, QToolButton, QWidget

from desktop.ui.theme.icons import Glyph
from desktop.ui.theme.theme import ThemeController
from desktop.ui.theme.tokens import Radius

_STEPS = (
    ("qt_calendar_prevmonth", Glyph.CHEVRON_LEFT),
    ("qt_calendar_nextmonth", Glyph.CHEVRON_RIGHT),
)
_LINES = 15
_WEEKEND = (Qt.DayOfWeek.Saturday, Qt.DayOfWeek.Sunday)


class DayCalendar(QCalendarWidget):
    chosen = Signal(object)  # date

    def __init__(self, theme: ThemeController, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._days: Collection[date] = ()
        self.setVerticalHeaderFormat(QCalendarWidget.VerticalHeaderFormat.NoVerticalHeader)
        self.setAccessibleName(self.tr("Calendar"))
        for view in self.findChildren(QTableView):
            view.setAccessibleName(self.tr("Days of the month"))
        names = (self.tr("Previous month"), self.tr("Next month"))
        self._steps: list[tuple[QToolButton, Glyph]] = []
        for (name, glyph), told in zip(_STEPS, names, strict=True):
            for button in self.findChildren(QToolButton, name):
                button.setAccessibleName(told)
                self._steps.append((button, glyph))
        self.selectionChanged.connect(lambda: self.chosen.emit(self.day))
        theme.theme_changed.connect(self._colour)
        self._colour()

    @property
    def day(self) -> date:
        chosen = self.selectedDate()
        return date(chosen.year(), chosen.month(), chosen.day())

    def choose(self, day: date) -> None:
        self.setSelectedDate(QDate(day.year, day.month, day.day))

    def mark(self, days: Collection[date]) -> None:
        """Mark the days that have an entry."""
        self._days = days
        self.updateCells()

    def paintCell(self, painter: QPainter, rect: QRect, at: QDate | date) -> None:
        day = at if isinstance(at, date) else date(at.year(), at.month(), at.day())
        tokens, has_entry = self._theme.tokens, day in self._days
        is_other = (day.year, day.month) != (self.yearShown(), self.monthShown())
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.fillRect(rect, QColor(tokens.ground))
        edge = tokens.accent if day == self.day else tokens.accent_ground
        painter.setPen(QPen(QColor(edge), 2) if day == self.day else Qt.PenStyle.NoPen)
        painter.setBrush(QColor(tokens.accent_ground if has_entry else tokens.ground))
        if has_entry or day == self.day:
            painter.drawRoundedRect(rect.adjusted(2, 2, -2, -2), Radius.CONTROL, Radius.CONTROL)
        font = painter.font()
        font.setBold(has_entry)
        painter.setFont(font)
        plain = tokens.muted if is_other else tokens.text
        painter.setPen(QColor(tokens.accent if has_entry else plain))
        painter.drawText(rect, Qt.AlignmentFlag.AlignCenter, str(day.day))
        painter.restore()

    def _colour(self) -> None:
        head = QTextCharFormat()
        head.setForeground(QColor(self._theme.tokens.muted))
        head.setBackground(QColor(self._theme.tokens.ground))
        self.setHeaderTextFormat(head)
        for day in _WEEKEND:
            self.setWeekdayTextFormat(day, head)
        self.setMinimumHeight(_LINES * QFontMetrics(self._theme.font()).lineSpacing())
        for button, glyph in self._steps:
            button.setIcon(self._theme.icon(glyph))
            button.setIconSize(self._theme.icon_size)
        self.updateCells()
