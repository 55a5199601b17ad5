"""Paints the list of sources: what each is, its title, and a line about it."""

from PySide6.QtCore import QObject, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter
from PySide6.QtWidgets import QStyleOptionViewItem

from desktop.ui.library.model import Role, Shown
from desktop.ui.source_labels import SourceWords
from desktop.ui.theme.theme import ThemeController
from desktop.ui.theme.tokens import Space
from desktop.ui.widgets.highlighted_text import HighlightedText
from desktop.ui.widgets.row_list import Index, RowDelegate


class SourceDelegate(RowDelegate):
    def __init__(self, theme: ThemeController, parent: QObject | None = None) -> None:
        super().__init__(theme, has_small_text=True, parent=parent)
        self._words = SourceWords(self)
        self._widest = 0
        """Name of a form; measured when it is first wanted."""

    def sizeHint(self, _option: QStyleOptionViewItem, _index: Index) -> QSize:
        height = self._title_line() + self._type.line_height + 2 * Space.SMALL
        return QSize(0, height)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        rect: QRect = option.rect
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self._paint_chosen(painter, rect, option)
        inside = rect.adjusted(Space.MEDIUM, Space.SMALL, -Space.MEDIUM, -Space.SMALL)
        shown = index.data(Role.SHOWN)
        if isinstance(shown, Shown):
            taken = self._paint_form(painter, inside, shown.form)
            self._paint_words(painter, inside.adjusted(taken + Space.MEDIUM, 0, 0, 0), shown)
        painter.restore()

    def forget_widths(self) -> None:
        """The forms have other names, or another type."""
        self._widest = 0

    def _measure_again(self) -> None:
        self.forget_widths()
        super()._measure_again()

    def _title_line(self) -> int:
        return self._type.title_height + Space.TIGHT

    def _paint_form(self, painter: QPainter, inside: QRect, form: str) -> int:
        """What it is, on a quiet ground; how wide the column of these labels is."""
        metrics = self._type.small_metrics
        if not self._widest:
            self._widest = max(metrics.horizontalAdvance(name) for name in self._words.forms())
        column = self._widest + 2 * Space.SMALL
        pill = QRect(inside.x(), inside.y(), column, metrics.height() + Space.TIGHT)
        pill.moveTop(inside.y() + (self._title_line() - pill.height()) // 2)
        painter.setFont(self._type.small)
        self._paint_pill(painter, QRectF(pill), form)
        return column

    def _paint_words(self, painter: QPainter, room: QRect, shown: Shown) -> None:
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
