"""The text view of the reader.

Laying out a whole book would take too long, so the passages before and after are written when the
user scrolls to them.
"""

from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from itertools import islice
from typing import NamedTuple

from PySide6.QtCore import QEvent, QPoint, QPointF, QRectF, Qt, QUrl, Signal
from PySide6.QtGui import (
    QColor,
    QHelpEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
)
from PySide6.QtWidgets import QFrame, QMenu, QTextBrowser, QTextEdit, QWidget

from desktop.domain.notes import Note
from desktop.domain.sources import SourcePassage
from desktop.sessions.library_links import NoteLink, note_links
from desktop.ui.reader.reader_content import Spans
from desktop.ui.reader.source_notes import NOTE_MARK, Selection, TextNote, paint_note_mark
from desktop.ui.theme.theme import ThemeController
from desktop.ui.theme.tokens import Space
from desktop.ui.transcript.document_writer import TextStyle
from desktop.ui.transcript.markdown import Style
from desktop.ui.widgets.buttons import PopupMenu
from desktop.ui.widgets.plain_text import show_tip_at

_AT_ONCE = 24_000  # letters: laid out in some ten milliseconds
_MOST_LINKS = 60  # In a menu
_RULE = 3
_THIRD = 3
_FIXED = QTextBlockFormat.LineHeightTypes.FixedHeight.value


class _Written(NamedTuple):
    start: int
    end: int


class ReaderText(QTextBrowser):
    place_changed = Signal(int)  # index of the passage at the top
    note_pressed = Signal(object)  # Note
    link_wanted = Signal(str)  # The target of a link to another note

    def __init__(self, theme: ThemeController, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._passages: Sequence[SourcePassage] = ()
        self._written: list[_Written] = []
        self._first = 0  # index of the first written passage
        self.current = 0
        self._marks: Spans = ()
        self._spans: Mapping[int, Spans] = {}
        self._led_to: tuple[int, int, int] | None = None
        self._suspicious: Mapping[int, Spans] = {}
        self._uncertain: Mapping[int, Spans] = {}  # Words that OCR may have misread
        self._notes: Mapping[int, Sequence[TextNote]] = {}
        self._links: Mapping[int, Sequence[NoteLink]] = {}
        self.setAccessibleName(self.tr("Text of the source"))
        self._shown = -1
        self._is_writing = False  # Writing moves the scroll bar, which must not count as scrolling
        self._style = TextStyle(theme)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)
        self.setOpenLinks(False)
        self.setUndoRedoEnabled(False)
        self.viewport().setAutoFillBackground(False)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse
            | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        self.document().setDocumentMargin(0)
        self.verticalScrollBar().valueChanged.connect(self._scrolled)
        theme.theme_changed.connect(self._restyle)

    @property
    def marked(self) -> list[str]:
        text = self._passages[self.current].text if self._passages else ""
        return [text[start:end] for start, end in self._marks]

    @property
    def selected(self) -> str:
        return self.textCursor().selection().toPlainText()

    @property
    def selection(self) -> Selection | None:
        """Return the selected words, and the passage in which they begin."""
        words, start = self.selected, self.textCursor().selectionStart()
        if not words or not self._written:
            return None
        at = self._passage_of(start)
        before = start - self._written[at - self._first].start
        passage = self._passages[at]
        return Selection(words, passage.page, passage=at, start=_letters(passage.text, before))

    def note_at(self, point: QPoint) -> Note | None:
        """Return the note of the words at a point, or of the sign beside it."""
        position = self.cursorForPosition(point).position()
        for at, note in self._written_notes():
            start, end = self._positions(at, (note.start, note.end))
            is_beside = self._mark_of(start).contains(QPointF(point)) and note.note.text
            if start <= position < end or is_beside:
                return note.note
        return None

    def show_passages(
        self,
        passages: Sequence[SourcePassage],
        at: int,
        marks: Spans,
    ) -> None:
        self._passages, self._spans, self._led_to = passages, {}, None
        each = ((at, list(note_links(passage.text))) for at, passage in enumerate(passages))
        self._links = {at: links for at, links in each if links}
        self._suspicious, self._uncertain = {}, {}
        self._marks, self.current, self._shown = marks, at, -1
        self._write_around(at)
        self.go_to(at)

    def go_to(self, passage: int, span: tuple[int, int] | None = None) -> None:
        if not self._passages:
            return
        if passage != self.current:
            self._marks = ()
        self.current = passage
        self._led_to = (passage, *span) if span else None
        if not self._is_written(passage):
            self._write_around(passage)
        marks = [span] if span else self._marks
        start, _ = self._positions(passage, marks[0] if marks else (0, 0))
        cursor = self.textCursor()
        cursor.setPosition(start)
        self.setTextCursor(cursor)
        self._show_position(start, is_passage=not marks)
        self._mark()
        self._emit_place()

    def show_warned(self, suspicious: Mapping[int, Spans], uncertain: Mapping[int, Spans]) -> None:
        self._suspicious, self._uncertain = suspicious, uncertain
        self._mark()

    def show_found(self, spans: Mapping[int, Spans]) -> None:
        self._spans, self._led_to = spans, None
        self._mark()

    def show_notes(self, notes: Mapping[int, Sequence[TextNote]]) -> None:
        self._notes = notes
        self._mark()

    def loadResource(self, _kind: int, _url: QUrl | str) -> None:
        """Load nothing."""

    def resizeEvent(self, event: QResizeEvent) -> None:
        at = self._passage_at_top()
        side = max(int(Space.WIDE), (self.width() - self._theme.column_width) // 2)
        self.setViewportMargins(side, Space.MEDIUM, max(side - Space.MEDIUM, 0), 0)
        super().resizeEvent(event)
        if at is not None and self._written:
            self._show_position(self._written[at - self._first].start, is_passage=True)

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if not self._is_written(self.current):
            return
        # A line marks the current passage, as it marks a quotation.
        block = self._written[self.current - self._first]
        top, bottom = self._rect(block.start), self._rect(max(block.end - 1, block.start))
        area = QRectF(0, top.top(), _RULE, bottom.bottom() - top.top())
        painter = QPainter(self.viewport())
        painter.fillRect(area, QColor(self._theme.tokens.accent))
        for at, note in self._written_notes():
            if note.note.text:
                sign = self._mark_of(self._positions(at, (note.start, note.end))[0])
                paint_note_mark(painter, sign, self._theme.tokens)
        painter.end()

    def viewportEvent(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            word = self._uncertain_word(self.cursorForPosition(event.pos()).position())
            words = self.tr("Read by OCR as “{word}”, perhaps wrongly").format(word=word)
            show_tip_at(self, event.globalPos(), words if word else "")
            return True
        return super().viewportEvent(event)

    def _uncertain_word(self, position: int) -> str:
        for passage, spans in self._uncertain.items():
            for span in spans if self._is_written(passage) else ():
                start, end = self._positions(passage, span)
                if start <= position <= end:
                    return self._passages[passage].text[slice(*span)]
        return ""

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        super().mouseReleaseEvent(event)
        if event.button() != Qt.MouseButton.LeftButton or self.selected:
            return
        point = event.position().toPoint()
        if note := self.note_at(point):
            self.note_pressed.emit(note)
        elif link := self._link_at(self.cursorForPosition(point).position()):
            self.link_wanted.emit(link.target)

    def offer_links(self, menu: QMenu) -> None:
        """Add the links of the source to other notes, each once."""
        links = {link.target: link for several in self._links.values() for link in several}
        if links:
            several = PopupMenu(menu)
            several.setTitle(self.tr("Links"))
            for target, link in islice(links.items(), _MOST_LINKS):
                wanted = partial(self.link_wanted.emit, target)
                several.addAction(link.label.replace("&", "&&"), wanted)
            menu.addMenu(several)

    def _link_at(self, position: int) -> NoteLink | None:
        for passage, links in self._links.items():
            for link in links if self._is_written(passage) else ():
                start, end = self._positions(passage, (link.start, link.end))
                if start <= position < end:
                    return link
        return None

    def keyPressEvent(self, event: QKeyEvent) -> None:
        link = self._link_at(self.textCursor().position())
        if event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter} and link:
            self.link_wanted.emit(link.target)
        elif event.key() == Qt.Key.Key_Space:
            bar = self.verticalScrollBar()
            bar.triggerAction(bar.SliderAction.SliderPageStepAdd)
        else:
            if event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
                self._select_mark()
            super().keyPressEvent(event)

    def _select_mark(self) -> None:
        """Select the marked words at the caret: keys with Shift go on from there."""
        spans = [self._led_to[1:]] if self._led_to else self._marks
        cursor = self.textCursor()
        if spans and not cursor.hasSelection() and self._is_written(self.current):
            start, end = self._positions(self.current, spans[0])
            if cursor.position() == start:
                cursor.setPosition(end, QTextCursor.MoveMode.KeepAnchor)
                self.setTextCursor(cursor)

    def _restyle(self) -> None:
        self._style = TextStyle(self._theme)
        if self._passages:
            at = self._passage_at_top()
            self._write_around(self.current if at is None else at)
            self.go_to(self.current, self._led_to[1:] if self._led_to else None)

    def _write_around(self, passage: int) -> None:
        self._written, letters = [], 0
        self._is_writing = True
        self.setExtraSelections([])
        self.clear()
        self.document().setDefaultFont(self._style.font)
        self._first = passage
        while self._first > 0 and letters < _AT_ONCE // 2:
            self._first -= 1
            letters += len(self._passages[self._first].text)
        self._append()
        self._mark()

    def _append(self) -> None:
        self._is_writing = True
        letters, place = 0, self._first + len(self._written)
        cursor = QTextCursor(self.document())
        cursor.movePosition(QTextCursor.MoveOperation.End)
        cursor.beginEditBlock()
        while place < len(self._passages) and letters < _AT_ONCE:
            self._written.append(self._write(cursor, place))
            letters += len(self._passages[place].text)
            place += 1
        cursor.endEditBlock()
        self._is_writing = False

    def _prepend(self) -> None:
        """Write earlier passages without moving the visible ones."""
        at = self._passage_at_top()
        if at is None or not self._first:
            return
        above = self._rect(self._written[at - self._first].start).top()
        self._write_around(at)
        bar = self.verticalScrollBar()
        shift = self._rect(self._written[at - self._first].start).top() - above
        bar.setValue(bar.value() + round(shift))

    def _write(self, cursor: QTextCursor, place: int) -> _Written:
        passage = self._passages[place]
        before = self._passages[place - 1] if place else None
        style = self._style
        if passage.page and (before is None or before.page != passage.page):
            small = QTextCharFormat()
            small.setFont(style.small)
            small.setForeground(QColor(style.tokens.muted))
            self._begin_block(cursor, Space.WIDE)
            cursor.insertText(self.tr("Page {number}").format(number=passage.page), small)
        headings = set(filter(None, passage.heading.split(" › ")))
        start = -1
        for number, line in enumerate(passage.text.split("\n")):
            is_heading = " ".join(line.split()) in headings
            above = Space.SMALL if number else Space.MEDIUM
            self._begin_block(cursor, Space.LARGE if is_heading else above)
            start = cursor.position() if start < 0 else start
            form = style.characters(Style.BOLD if is_heading else Style.PLAIN, "", 0)
            cursor.insertText(line, form)
        return _Written(start, cursor.position())

    def _begin_block(self, cursor: QTextCursor, above: int) -> None:
        form = QTextBlockFormat()
        form.setLineHeight(self._style.line_height(self._style.scale.body), _FIXED)
        form.setTopMargin(above)
        form.setLeftMargin(Space.LARGE)
        if self.document().isEmpty():
            cursor.setBlockFormat(form)
        else:
            cursor.insertBlock(form)

    def _scrolled(self) -> None:
        if self._is_writing:
            return
        bar = self.verticalScrollBar()
        if self._written and bar.value() >= bar.maximum() - bar.pageStep():
            if self._first + len(self._written) < len(self._passages):
                self._append()
                self._mark()
        elif bar.value() < bar.pageStep() // 2 and self._first:
            self._prepend()
        self._emit_place()

    def _emit_place(self) -> None:
        at = self._passage_at_top()
        if at is not None and at != self._shown:
            self._shown = at
            self.place_changed.emit(at)

    def _passage_at_top(self) -> int | None:
        if not self._written:
            return None
        top = self.viewport().rect().topLeft()
        return self._passage_of(self.cursorForPosition(top).position())

    def _passage_of(self, position: int) -> int:
        starts = [block.start for block in self._written]
        return self._first + max(bisect_right(starts, position) - 1, 0)

    def _written_notes(self) -> Iterator[tuple[int, TextNote]]:
        for at, notes in self._notes.items():
            if self._is_written(at):
                yield from ((at, note) for note in notes)

    def _mark_of(self, position: int) -> QRectF:
        """Return where the sign of a note is painted, beside the line of a position."""
        line = self._rect(position)
        top = line.center().y() - NOTE_MARK.height() / 2
        return QRectF(QPointF(_RULE + 1, top), NOTE_MARK)

    def _rect(self, position: int) -> QRectF:
        cursor = QTextCursor(self.document())
        cursor.setPosition(min(position, self.document().characterCount() - 1))
        return QRectF(self.cursorRect(cursor))

    def _show_position(self, position: int, *, is_passage: bool) -> None:
        bar = self.verticalScrollBar()
        above = Space.LARGE if is_passage else self.viewport().height() // _THIRD
        # Lay out to the end first, or the scroll bar could not reach the place.
        self.document().documentLayout().documentSize()
        bar.setValue(bar.value() + round(self._rect(position).top()) - above)
        self.viewport().update()

    def _positions(self, passage: int, span: tuple[int, int]) -> tuple[int, int]:
        text, at = self._passages[passage].text, self._written[passage - self._first].start
        return at + _units(text[: span[0]]), at + _units(text[: span[1]])

    def _mark(self) -> None:
        tokens = self._theme.tokens
        marks: list[QTextEdit.ExtraSelection] = []
        for at, note in self._written_notes():
            span = [(note.start, note.end)]
            marks += self._marked(at, span, tokens.note, tokens.text)
        marks += self._underlined()
        for passage, spans in self._suspicious.items():
            marks += self._marked(passage, spans, tokens.notice_ground, tokens.notice_text)
        for passage, spans in self._spans.items():
            marks += self._marked(passage, spans, tokens.highlight, tokens.text)
        marks += self._marked(self.current, self._marks, tokens.highlight, tokens.text)
        if self._led_to is not None:
            passage, *place = self._led_to
            marks += self._marked(
                passage, [(place[0], place[1])], tokens.current_highlight, tokens.text
            )
        self.setExtraSelections(marks)
        self.viewport().update()

    def _underlined(self) -> Iterator[QTextEdit.ExtraSelection]:
        """Yield the marks of links, and of words that OCR may have misread."""
        tokens = self._theme.tokens
        for passage, links in self._links.items():
            spans = [(link.start, link.end) for link in links]
            for mark in self._marked(passage, spans, "transparent", tokens.accent):
                mark.format.setFontUnderline(True)
                yield mark
        for passage, uncertain in self._uncertain.items():
            for mark in self._marked(passage, uncertain, "transparent", tokens.text):
                mark.format.setUnderlineStyle(QTextCharFormat.UnderlineStyle.DotLine)
                mark.format.setUnderlineColor(QColor(tokens.notice_text))
                yield mark

    def _marked(
        self, passage: int, spans: Spans, ground: str, text: str
    ) -> Iterator[QTextEdit.ExtraSelection]:
        if not self._is_written(passage):
            return
        look = QTextCharFormat()
        look.setBackground(QColor(ground))
        look.setForeground(QColor(text))
        for span in spans:
            start, end = self._positions(passage, span)
            made = QTextEdit.ExtraSelection()
            cursor = QTextCursor(self.document())
            cursor.setPosition(start)
            cursor.setPosition(end, QTextCursor.MoveMode.KeepAnchor)
            # WORKAROUND PySide6 stubs: both are fields of a C++ struct, declared read-only.
            made.cursor, made.format = cursor, look
            yield made

    def _is_written(self, passage: int) -> bool:
        return 0 <= passage - self._first < len(self._written)


def _units(text: str) -> int:
    return len(text) if text.isascii() else len(text.encode("utf-16-le")) // 2


def _letters(text: str, units: int) -> int:
    """Return how many characters a number of Qt's units are."""
    return len(text.encode("utf-16-le")[: 2 * units].decode("utf-16-le", "ignore"))
