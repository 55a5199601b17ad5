"""The session list: painting its rows, keyboard and context menu.

A long title takes a line of the text: the title says more about a session than the end of its
summary; so do project, tags and branches. A hit keeps both lines, because the user looks for the
words around it, also in the compact list, which else has one line for each session.
"""

from PySide6.QtCore import (
    QEvent,
    QItemSelectionModel,
    QModelIndex,
    QPersistentModelIndex,
    QPoint,
    QRect,
    QRectF,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import (
    QColor,
    QContextMenuEvent,
    QFocusEvent,
    QGuiApplication,
    QPainter,
    QResizeEvent,
)
from PySide6.QtWidgets import QAbstractItemView, QLineEdit, QStyle, QStyleOptionViewItem, QWidget

from desktop.ui.sidebar.entries import Entry, GroupHeading, RowLabels
from desktop.ui.sidebar.model import SessionListModel, SessionRole
from desktop.ui.theme.theme import Glyph, ThemeController
from desktop.ui.theme.tokens import Radius, Space
from desktop.ui.widgets.layouts import reserve_scrollbar
from desktop.ui.widgets.plain_text import Label
from desktop.ui.widgets.row_list import HighlightedText, Index, RowList, SizedDelegate, paint_line

_MOST_LINES = 2
_USUAL_TIME = "00 Mmm"
_DOT = "●"
_LABELS_FROM = 48  # pixels: narrower labels could not be read
_STATE = QStyle.StateFlag


class SessionDelegate(SizedDelegate):
    has_small_text = True

    def __init__(self, theme: ThemeController, model: SessionListModel) -> None:
        super().__init__(theme, model)
        self._advances: dict[tuple[str, bool], int] = {}
        self._is_compact = False

    def set_compact(self, *, is_compact: bool) -> None:
        self._is_compact = is_compact
        self._measure_again()

    def _measure(self, index: Index) -> QSize:
        row = index.data(SessionRole.ROW)
        metrics = self._type
        if isinstance(row, GroupHeading):
            above = Space.LARGE if index.row() else Space.SMALL
            return QSize(0, above + metrics.line_height + Space.TIGHT)
        assert isinstance(row, Entry)  # noqa: S101 (the model holds nothing else)
        if self._is_one_line(row):
            return QSize(0, metrics.line_height + Space.SMALL)
        text, labels = self._text(row), bool(index.data(SessionRole.LABELS))
        # The text uses a line that the title leaves free; without a text it would be empty.
        when = self._state(index) or ("" if text else str(index.data(SessionRole.WHEN)))
        titles = self._title_lines(row, when)
        lines = min(self._lines(text), _MOST_LINES + 1 - titles - labels) + labels
        height = titles * metrics.title_height + lines * metrics.line_height + 2 * Space.SMALL
        return QSize(0, height + (Space.TIGHT if lines else 0))

    def _paint_row(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        row, rect = index.data(SessionRole.ROW), option.rect
        if isinstance(row, GroupHeading):
            painter.setFont(self._type.heading)
            painter.setPen(QColor(self._theme.tokens.muted))
            place = rect.adjusted(Space.LARGE, 0, -Space.LARGE, -Space.TIGHT)
            left = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignBottom
            painter.drawText(place, left, str(index.data()))
        else:
            view, is_selected = self.parent(), bool(option.state & _STATE.State_Selected)
            is_chosen = is_selected and isinstance(view, RowList) and view.has_several
            is_open = bool(index.data(SessionRole.IS_OPEN)) and not is_chosen
            self._paint_ground(painter, option, is_open=is_open, is_chosen=is_chosen)
            upright = Space.TIGHT if self._is_one_line(row) else Space.SMALL
            inside = rect.adjusted(Space.LARGE, upright, -Space.LARGE, -upright)
            painter.setFont(self._type.title if is_open else self._type.plain)
            self._paint_entry(painter, inside, index)

    def createEditor(
        self, parent: QWidget, _option: QStyleOptionViewItem, _index: Index
    ) -> QWidget:
        editor = QLineEdit(parent)
        editor.setProperty("role", "title")
        editor.setFont(self._type.title)
        editor.setAccessibleName(self.tr("Title"))
        return editor

    def updateEditorGeometry(
        self, editor: QWidget, option: QStyleOptionViewItem, index: Index
    ) -> None:
        rect: QRect = option.rect
        entry = index.data(SessionRole.ROW)
        when = self._state(index) or (
            "" if self._text(entry) else str(index.data(SessionRole.WHEN))
        )
        # Covers all of the title, but not the text below.
        lines = self._title_lines(entry, when)
        height = lines * self._type.title_height + Space.TIGHT + Space.TIGHT // 2
        editor.setGeometry(
            rect.x() + Space.SMALL, rect.y() + Space.TIGHT, rect.width() - Space.LARGE, height
        )

    def _measure_again(self) -> None:
        self._advances.clear()
        super()._measure_again()

    def _is_one_line(self, entry: Entry) -> bool:
        return self._is_compact and entry.hit is None

    def _title(self, entry: Entry) -> str:
        return entry.title or self.tr("New session")

    def _text(self, entry: Entry) -> str:
        return self.tr("Writing the title…") if entry.is_undescribed else entry.text

    def _state(self, index: Index) -> str:
        """Return what is said of a session in the place of its time; empty for most."""
        entry: Entry = index.data(SessionRole.ROW)
        if answer := index.data(SessionRole.ANSWER):
            return f"{_DOT} {answer}"
        if entry.is_temporary:
            return self.tr("temporary")
        return self.tr("active") if entry.is_active else ""

    def _lines(self, text: str) -> int:
        if not text:
            return 0
        return 1 if self._advance(text) <= self.width - 2 * Space.LARGE else _MOST_LINES

    def _title_lines(self, entry: Entry, when: str) -> int:
        """Return the lines of the title; `when`: the time, empty for the usual one."""
        if entry.hit is not None or self._is_compact:
            return 1
        taken = self._type.text_metrics.horizontalAdvance(when or _USUAL_TIME) + Space.SMALL
        room = self.width - 2 * Space.LARGE - taken
        if entry.is_pinned:
            room -= self._type.text_metrics.ascent() + Space.TIGHT
        return 1 if self._advance(self._title(entry), is_title=True) <= room else 2

    def _advance(self, text: str, *, is_title: bool = False) -> int:
        """Return the width of a text; cached, because the sidebar has thousands."""
        key = text, is_title
        if key not in self._advances:
            metrics = self._type.plain_metrics if is_title else self._type.text_metrics
            self._advances[key] = metrics.horizontalAdvance(text)
        return self._advances[key]

    def _paint_ground(
        self, painter: QPainter, option: QStyleOptionViewItem, *, is_open: bool, is_chosen: bool
    ) -> None:
        """`is_chosen`: one of several, which an edge tells from the row under the pointer."""
        tokens = self._theme.tokens
        rect: QRect = option.rect
        state: QStyle.StateFlag = option.state
        is_here = bool(state & _STATE.State_HasFocus)
        is_marked = bool(state & (_STATE.State_MouseOver | _STATE.State_Selected))
        if is_open or is_here or is_marked:
            ring = tokens.accent if is_here else tokens.line if is_open else None
            ground = tokens.raised if is_open else tokens.hover if is_marked else None
            place = rect.adjusted(Space.SMALL, 0, -Space.SMALL, 0)
            chosen = tokens.accent_ground if is_chosen else None
            self._paint_card(painter, place, ring=ring, ground=chosen or ground)
        if is_chosen:
            edge = QRectF(
                rect.x() + Space.SMALL,
                rect.y() + Space.TIGHT,
                Radius.MARK,
                rect.height() - 2 * Space.TIGHT,
            )
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(tokens.accent))
            painter.drawRoundedRect(edge, Radius.MARK / 2, Radius.MARK / 2)

    def _paint_entry(self, painter: QPainter, place: QRect, index: Index) -> None:
        """Paint a row; the painter has the font of its title."""
        entry: Entry = index.data(SessionRole.ROW)
        labels: RowLabels = index.data(SessionRole.LABELS)
        kind, tokens, font = self._type, self._theme.tokens, painter.font()
        right = self._paint_when(painter, place, index)
        painter.setFont(font)
        if self._is_one_line(entry):
            self._paint_line(
                painter, place.adjusted(0, 0, right - place.right(), 0), entry, labels
            )
            return
        titles = self._paint_name(painter, place, entry, right - place.x())
        below = place.adjusted(0, titles * kind.title_height + Space.TIGHT, 0, 0)
        marks = () if entry.is_undescribed else entry.marks
        lines = _MOST_LINES + 1 - titles - bool(labels)
        painter.setPen(QColor(tokens.muted))
        if lines and (words := self._text(entry)):
            text = HighlightedText(kind.text, kind.line_height, lines)
            taken = text.paint(painter, below, words, marks, tokens)
            below.adjust(0, taken * kind.line_height, 0, 0)
        if labels:
            below.setHeight(kind.line_height)
            self._paint_labels(painter, below, labels)

    def _paint_line(self, painter: QPainter, room: QRect, entry: Entry, labels: RowLabels) -> None:
        """Paint the title in one line, and the labels behind it where there is room."""
        title, metrics = self._title(entry), painter.fontMetrics()
        beside = room.adjusted(metrics.horizontalAdvance(title) + Space.SMALL, 0, 0, 0)
        painter.setPen(QColor(self._theme.tokens.text))
        paint_line(painter, room, title, self._type.plain)
        if labels and beside.width() >= _LABELS_FROM:
            self._paint_labels(painter, beside, labels)

    def _paint_labels(self, painter: QPainter, line: QRect, labels: RowLabels) -> None:
        """Paint the project in a frame of its own, and the other labels behind it."""
        tokens, metrics = self._theme.tokens, self._type.text_metrics
        painter.setFont(self._type.small)
        if labels.project:
            room = line.width() // 2 if labels.others else line.width()
            wide = min(metrics.horizontalAdvance(labels.project) + 2 * Space.TIGHT + 1, room)
            frame = QRectF(
                line.x(), line.center().y() - metrics.height() / 2 + 1, wide, metrics.height()
            )
            painter.setPen(QColor(tokens.line))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(frame.adjusted(0.5, 0.5, -0.5, -0.5), Radius.MARK, Radius.MARK)
            painter.setPen(QColor(tokens.muted))
            inside = frame.toRect().adjusted(Space.TIGHT, 0, -Space.TIGHT, 0)
            paint_line(painter, inside, labels.project)
            line = line.adjusted(wide + Space.SMALL, 0, 0, 0)
        painter.setPen(QColor(tokens.muted))
        paint_line(painter, line, " · ".join(labels.others))

    def _paint_name(self, painter: QPainter, place: QRect, entry: Entry, width: int) -> int:
        """Paint the title beside the time; return how many lines it took."""
        title, high = self._title(entry), self._type.title_height
        room = QRect(place.x(), place.y(), width, high)
        below = self._type.line_height + Space.TIGHT if self._text(entry) else 0
        has_room = entry.hit is None and place.height() >= _MOST_LINES * high + below
        painter.setPen(QColor(self._theme.tokens.text))
        if has_room and self._advance(title, is_title=True) > width:
            words = HighlightedText(painter.font(), high, _MOST_LINES)
            return words.paint(painter, room, title, (), self._theme.tokens)
        paint_line(painter, room, title, self._type.plain)
        return 1

    def _paint_when(self, painter: QPainter, place: QRect, index: Index) -> int:
        """Paint time, count of hits and star at the right; return the end of the title's room."""
        entry: Entry = index.data(SessionRole.ROW)
        tokens, metrics = self._theme.tokens, self._type.text_metrics
        painter.setFont(self._type.small)
        state = self._state(index)
        label = state or str(index.data(SessionRole.WHEN))
        left = place.right() - metrics.horizontalAdvance(label)
        stands_out = tokens.notice_text if entry.is_temporary else tokens.accent
        painter.setPen(QColor(stands_out if state else tokens.muted))
        high = place.height() if self._is_one_line(entry) else self._type.title_height
        line = QRect(left, place.y(), place.right() - left + 1, high)
        painter.drawText(line, Qt.AlignmentFlag.AlignVCenter, label)
        if entry.hits > 1:
            count = str(entry.hits)
            width = metrics.horizontalAdvance(count) + 2 * Space.TIGHT
            left -= width + Space.SMALL
            top = line.center().y() - metrics.height() / 2 + 1
            self._paint_pill(painter, QRectF(left, top, width, metrics.height()), count)
        if entry.is_pinned:
            side = metrics.ascent()
            left -= side + Space.TIGHT
            top = line.y() + (line.height() - side) // 2
            self._theme.icon(Glyph.STAR_FULL).paint(painter, QRect(left, top, side, side))
        return left - Space.SMALL


_BY_KEY = (
    Qt.FocusReason.TabFocusReason,
    Qt.FocusReason.BacktabFocusReason,
    Qt.FocusReason.ShortcutFocusReason,
)
_Move = QAbstractItemView.CursorAction

_SELECTS = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier
_STEPS = {_Move.MoveUp: -1, _Move.MovePrevious: -1, _Move.MoveDown: 1, _Move.MoveNext: 1}


class SessionListView(RowList):
    opened = Signal(object)  # Entry
    menu_requested = Signal(object, QPoint)  # Entry (None: of the list), place on the screen
    delete_pressed = Signal(object)  # Entry

    def __init__(self, model: SessionListModel, theme: ThemeController, parent: QWidget) -> None:
        self._list = model  # first: Qt asks for the visible rows when it gets the model
        self._sessions = SessionDelegate(theme, model)
        super().__init__(model, self._sessions, parent)
        self._nothing = Label(parent=self.viewport())
        self._start = QPersistentModelIndex()  # Of what Shift selects; Qt's own is never moved
        reserve_scrollbar(self)
        self.setEditTriggers(QAbstractItemView.EditTrigger.EditKeyPressed)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setDragDropMode(QAbstractItemView.DragDropMode.DragOnly)
        self._nothing.setProperty("role", "muted")
        self._nothing.setWordWrap(True)
        self._nothing.setAlignment(Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignTop)
        self._nothing.hide()
        self.clicked.connect(self._open)
        for changed in (self._list.rowsInserted, self._list.rowsRemoved, self._list.modelReset):
            changed.connect(self._place_nothing)

    def set_compact(self, *, is_compact: bool) -> None:
        """Show one line for each session."""
        self._sessions.set_compact(is_compact=is_compact)

    def entry(self, index: Index) -> Entry | None:
        row = self._list.row(index)
        return row if isinstance(row, Entry) else None

    def selected(self) -> list[Entry]:
        """Return the stored sessions that are selected, in the order of the list."""
        rows = sorted(self.selectedIndexes(), key=lambda index: index.row())
        entries = (self.entry(index) for index in rows)
        return [
            entry for entry in entries if entry and not (entry.is_temporary or entry.is_source)
        ]

    def selectionCommand(
        self, index: Index, event: QEvent | None = None
    ) -> QItemSelectionModel.SelectionFlag:
        """Only the user's own click or arrow key selects several."""
        # For Shift and an arrow key Qt asks again, without the event.
        shift = Qt.KeyboardModifier.ShiftModifier
        extends = self.hasFocus() and QGuiApplication.keyboardModifiers() == shift
        if event is None and not extends:
            return QItemSelectionModel.SelectionFlag.ClearAndSelect
        return super().selectionCommand(index, event)

    def select_current(self) -> None:
        """Select only the current row; what Shift selects next begins there."""
        self.setCurrentIndex(self.currentIndex())
        self._start = QPersistentModelIndex(self.currentIndex())

    def currentChanged(self, current: Index, previous: Index) -> None:
        super().currentChanged(current, previous)
        if not QGuiApplication.keyboardModifiers() & Qt.KeyboardModifier.ShiftModifier:
            self._start = QPersistentModelIndex(current)

    def setSelection(self, rect: QRect, command: QItemSelectionModel.SelectionFlag) -> None:
        if command & QItemSelectionModel.SelectionFlag.Current and self._start.isValid():
            begin, end = self.visualRect(self._start), self.visualRect(self.currentIndex())
            rect = QRect(begin.center(), end.center())
        super().setSelection(rect, command)

    def current_entry(self) -> Entry | None:
        return self.entry(self.currentIndex())

    def held(self, *, counts_rest: bool = False) -> object:
        """Return the key of the row with the focus or the pointer; None: no row."""
        entry = self.entry(self.held_index(counts_rest=counts_rest))
        return entry.key if entry else None

    def show_nothing_found(self, words: str) -> None:
        """Show a text below the rows (the active session may be one); empty for none."""
        self._nothing.setText(words)
        self._nothing.setVisible(bool(words))
        self._place_nothing()

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Choose a row if there is none, so that the focus is visible."""
        if self.current_entry() is None and event.reason() in _BY_KEY:
            opened = self._list.open_session
            index = self._list.index_of(opened) if opened is not None else QModelIndex()
            self.setCurrentIndex(index if index.isValid() else self._first())
        super().focusInEvent(event)

    def moveCursor(
        self, action: QAbstractItemView.CursorAction, modifiers: Qt.KeyboardModifier
    ) -> QModelIndex:
        step = _STEPS.get(action)
        if step is None:
            target = super().moveCursor(action, modifiers)
            if self.entry(target):
                return target
            # For a heading, take the next session in the direction of the move.
            back = -1 if action in {_Move.MoveEnd, _Move.MovePageDown} else 1
            index = self._list.next_entry(target, back)
        else:
            index = self._list.next_entry(self.currentIndex(), step)
        return index if index.isValid() else self.currentIndex()

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        is_by_mouse = event.reason() is QContextMenuEvent.Reason.Mouse
        index = self.indexAt(event.pos()) if is_by_mouse else self.currentIndex()
        at = event.pos() if is_by_mouse else self.visualRect(index).center()
        self.menu_requested.emit(self.entry(index), self.viewport().mapToGlobal(at))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place_nothing()

    def scrollTo(
        self,
        index: Index,
        hint: QAbstractItemView.ScrollHint = QAbstractItemView.ScrollHint.EnsureVisible,
    ) -> None:
        """Scroll to a row, with its heading if it is the first of its group."""
        above = self._list.index(index.row() - 1)
        if above.isValid() and self.entry(above) is None:
            super().scrollTo(above, hint)
        super().scrollTo(index, hint)

    def viewportSizeHint(self) -> QSize:
        return QSize(0, 0)

    def enter(self) -> None:
        if self._list.is_searching:
            first = self._first()
            entry = self.entry(first)
            # The active session above the hits is not a hit.
            hit = self._list.next_entry(first, 1) if entry and entry.is_active else first
            self.setCurrentIndex(hit if hit.isValid() else first)
        super().enter()

    def _first(self) -> QModelIndex:
        return self._list.next_entry(QModelIndex(), 1)

    def _handle_key(self, key: int) -> bool:
        entry = self.current_entry()
        is_editing = self.state() is QAbstractItemView.State.EditingState
        match key:
            case Qt.Key.Key_Return | Qt.Key.Key_Enter if entry and not is_editing:
                self.opened.emit(entry)
            case Qt.Key.Key_Delete if entry:
                self.delete_pressed.emit(entry)
            case Qt.Key.Key_F2 if len(self.selected()) > 1:
                pass  # a name is that of one session
            case _:
                return super()._handle_key(key)
        return True

    def _open(self, index: QModelIndex) -> None:
        if (entry := self.entry(index)) and not QGuiApplication.keyboardModifiers() & _SELECTS:
            self.opened.emit(entry)

    def _place_nothing(self) -> None:
        if self._nothing.isHidden():
            return
        last = self.visualRect(self._list.index(self._list.rowCount() - 1))
        top = max(last.bottom(), 0) + Space.WIDE
        width = self.viewport().width() - 2 * Space.WIDE
        self._nothing.setGeometry(
            QRect(Space.WIDE, top, width, self._nothing.heightForWidth(width))
        )
