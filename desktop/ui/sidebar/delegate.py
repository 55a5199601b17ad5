"""Paints the sidebar's rows: headings, titles with their time, two lines of marked text.

A long title takes a line of the text's: what a session is called tells more of it than how its
summary ends. Of a hit the words around it are what is looked for, and keep both lines.
"""

from PySide6.QtCore import QObject, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetrics, QPainter
from PySide6.QtWidgets import QLineEdit, QStyle, QStyleOptionViewItem, QWidget

from desktop.ui.sidebar.entries import Entry, Heading
from desktop.ui.sidebar.model import Role
from desktop.ui.theme.icons import Glyph
from desktop.ui.theme.theme import ThemeController
from desktop.ui.theme.tokens import Space
from desktop.ui.widgets.highlighted_text import HighlightedText
from desktop.ui.widgets.row_list import Index, RowDelegate

_MOST_LINES = 2
_USUAL_TIME = "00 Mmm"
_STATE = QStyle.StateFlag


class SessionDelegate(RowDelegate):
    def __init__(self, theme: ThemeController, parent: QObject | None = None) -> None:
        super().__init__(theme, has_small_text=True, parent=parent)
        self._advances: dict[tuple[str, bool], int] = {}
        self._measure_titles()

    def sizeHint(self, _option: QStyleOptionViewItem, index: Index) -> QSize:
        row = index.data(Role.ROW)
        metrics = self._type
        if isinstance(row, Heading):
            above = Space.LARGE if index.row() else Space.SMALL
            return QSize(0, above + metrics.line_height + Space.TIGHT)
        assert isinstance(row, Entry)  # noqa: S101 (the model holds nothing else)
        text = self._text(row)
        # With words below it a line that the title leaves is theirs; without, it would be empty.
        when = self._state(row) or ("" if text else str(index.data(Role.WHEN)))
        titles = self._title_lines(row, when)
        lines = min(self._lines(text), _MOST_LINES + 1 - titles)
        height = titles * metrics.title_height + lines * metrics.line_height + 2 * Space.SMALL
        return QSize(0, height + (Space.TIGHT if lines else 0))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        row = index.data(Role.ROW)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        rect: QRect = option.rect
        if isinstance(row, Heading):
            self._paint_heading(painter, rect, str(index.data()))
        else:
            self._paint_ground(painter, option, is_open=index.data(Role.IS_OPEN))
            self._paint_entry(painter, self._inside(rect), row, str(index.data(Role.WHEN)))
        painter.restore()

    def createEditor(
        self, parent: QWidget, _option: QStyleOptionViewItem, _index: Index
    ) -> QWidget:
        editor = QLineEdit(parent)
        editor.setProperty("role", "title")
        editor.setFont(self._type.title)
        editor.setAccessibleName(self.tr("Title"))
        return editor

    def updateEditorGeometry(
        self, editor: QWidget, option: QStyleOptionViewItem, _index: Index
    ) -> None:
        rect: QRect = option.rect
        # Over the title alone: what is told below it stays to be read.
        height = self._type.title_height + Space.TIGHT + Space.TIGHT // 2
        editor.setGeometry(
            rect.x() + Space.SMALL, rect.y() + Space.TIGHT, rect.width() - Space.LARGE, height
        )

    def _measure_again(self) -> None:
        self._advances.clear()
        super()._measure_again()
        self._measure_titles()

    def _measure_titles(self) -> None:
        self._title_metrics = QFontMetrics(self._type.title)

    @property
    def _star_side(self) -> int:
        return self._type.text_metrics.ascent()

    def _title(self, entry: Entry) -> str:
        return entry.title or self.tr("New session")

    def _text(self, entry: Entry) -> str:
        return self.tr("The title is being written…") if entry.is_undescribed else entry.text

    def _lines(self, text: str) -> int:
        if not text:
            return 0
        advance = self._advance(text, self._type.text_metrics)
        return 1 if advance <= self._width - 2 * Space.LARGE else _MOST_LINES

    def _title_lines(self, entry: Entry, when: str) -> int:
        """`when`: the words for its time; empty for such as most have."""
        if entry.hit is not None:
            return 1
        taken = self._type.text_metrics.horizontalAdvance(when or _USUAL_TIME) + Space.SMALL
        room = self._width - 2 * Space.LARGE - taken
        if entry.is_pinned:
            room -= self._star_side + Space.TIGHT
        return 1 if self._advance(self._title(entry), self._title_metrics) <= room else 2

    def _advance(self, text: str, metrics: QFontMetrics) -> int:
        """Measured once: the sidebar lists thousands."""
        key = text, metrics is self._title_metrics
        advance = self._advances.get(key)
        if advance is None:
            advance = self._advances[key] = metrics.horizontalAdvance(text)
        return advance

    @staticmethod
    def _inside(rect: QRect) -> QRect:
        return rect.adjusted(Space.LARGE, Space.SMALL, -Space.LARGE, -Space.SMALL)

    def _paint_heading(self, painter: QPainter, rect: QRect, label: str) -> None:
        painter.setFont(self._type.heading)
        painter.setPen(QColor(self._theme.tokens.muted))
        place = rect.adjusted(Space.LARGE, 0, -Space.LARGE, -Space.TIGHT)
        painter.drawText(place, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignBottom, label)

    def _paint_ground(
        self, painter: QPainter, option: QStyleOptionViewItem, *, is_open: bool
    ) -> None:
        """What is open stands out; where the keyboard is there is a ring and no more."""
        tokens = self._theme.tokens
        rect: QRect = option.rect
        state: QStyle.StateFlag = option.state
        is_here = bool(state & _STATE.State_HasFocus)
        is_hovered = bool(state & _STATE.State_MouseOver)
        if not (is_open or is_here or is_hovered):
            return
        ring = tokens.accent if is_here else tokens.line if is_open else None
        ground = tokens.raised if is_open else tokens.hover if is_hovered else None
        place = rect.adjusted(Space.SMALL, 0, -Space.SMALL, 0)
        self._paint_card(painter, place, ring=ring, ground=ground)

    def _paint_entry(self, painter: QPainter, place: QRect, entry: Entry, when: str) -> None:
        right = self._paint_when(painter, place, entry, when)
        kind, tokens = self._type, self._theme.tokens
        titles = self._paint_name(painter, place, entry, right - place.x())
        below = place.adjusted(0, titles * kind.title_height + Space.TIGHT, 0, 0)
        marks = () if entry.is_undescribed else entry.marks
        text = HighlightedText(kind.text, kind.line_height, _MOST_LINES + 1 - titles)
        painter.setPen(QColor(tokens.muted))
        text.paint(painter, below, self._text(entry), marks, tokens)

    def _paint_name(self, painter: QPainter, place: QRect, entry: Entry, width: int) -> int:
        """The title beside what tells its time; returns how many lines it took."""
        title, high = self._title(entry), self._type.title_height
        room = QRect(place.x(), place.y(), width, high)
        below = self._type.line_height + Space.TIGHT if self._text(entry) else 0
        has_room = entry.hit is None and place.height() >= _MOST_LINES * high + below
        if has_room and self._advance(title, self._title_metrics) > width:
            painter.setPen(QColor(self._theme.tokens.text))
            words = HighlightedText(self._type.title, high, _MOST_LINES)
            return words.paint(painter, room, title, (), self._theme.tokens)
        self._paint_title(painter, room, title)
        return 1

    def _paint_when(self, painter: QPainter, place: QRect, entry: Entry, when: str) -> int:
        """Time, count of hits and star from the right; returns where the title has to end."""
        tokens, metrics = self._theme.tokens, self._type
        painter.setFont(metrics.small)
        label = self._state(entry) or when
        width = metrics.text_metrics.horizontalAdvance(label)
        left = place.right() - width
        stands_out = tokens.notice_text if entry.is_temporary else tokens.accent
        painter.setPen(QColor(stands_out if entry.is_active else tokens.muted))
        line = QRect(left, place.y(), width + 1, metrics.title_height)
        painter.drawText(line, Qt.AlignmentFlag.AlignVCenter, label)
        if entry.hits > 1:
            left = self._paint_count(painter, left - Space.SMALL, line, entry.hits)
        if entry.is_pinned:
            side = self._star_side
            left -= side + Space.TIGHT
            top = line.y() + (line.height() - side) // 2
            self._theme.icon(Glyph.STAR_FULL).paint(painter, QRect(left, top, side, side))
        return left - Space.SMALL

    def _state(self, entry: Entry) -> str:
        if entry.is_temporary:
            return self.tr("temporary")
        return self.tr("active") if entry.is_active else ""

    def _paint_count(self, painter: QPainter, right: int, line: QRect, hits: int) -> int:
        text = str(hits)
        width = self._type.text_metrics.horizontalAdvance(text) + 2 * Space.TIGHT
        height = self._type.text_metrics.height()
        pill = QRectF(right - width, line.center().y() - height / 2 + 1, width, height)
        self._paint_pill(painter, pill, text)
        return int(pill.x())
