"""A piece of read-only text as tall as its words, which leaves scrolling to the transcript.

It shows where the notes of a message stand, and which of its words are selected.
"""

from collections.abc import Callable, Iterator, Sequence
from itertools import takewhile
from math import ceil
from operator import eq
from typing import NamedTuple
from weakref import WeakMethod

from PySide6.QtCore import QMimeData, QPoint, QRectF, QSize, Qt, QUrl, Signal
from PySide6.QtGui import (
    QContextMenuEvent,
    QFocusEvent,
    QGuiApplication,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QTextCursor,
    QTextOption,
    QWheelEvent,
)
from PySide6.QtWidgets import QFrame, QTextBrowser, QWidget

from desktop.domain.notes import Note
from desktop.language.links import OWN_LINK, host_of, names_another_place
from desktop.ui.transcript.document_writer import (
    CITATION_SCHEME,
    Drawn,
    Ornament,
    TextStyle,
    write_runs,
)
from desktop.ui.transcript.markdown import Paragraph, ParagraphKind, Style
from desktop.ui.transcript.text_decorations import DecorationPainter, HighlightTerms, stretches
from desktop.ui.widgets.plain_text import MessageBox, show_tip

_KEEPS_SELECTION = (
    Qt.FocusReason.PopupFocusReason,
    Qt.FocusReason.ActiveWindowFocusReason,
    Qt.FocusReason.MenuBarFocusReason,
)
_OPENS = (Qt.Key.Key_Return, Qt.Key.Key_Enter)
_ASIDE = (Qt.Key.Key_Left, Qt.Key.Key_Right)
_FIRST_WIDTH = 640


class NotePlace(NamedTuple):
    note: Note
    start: int
    end: int


class TextPane(QTextBrowser):
    link_activated = Signal(str)  # address of a citation, with its scheme
    left_others = Signal()  # What was selected in other panes is deselected
    dragged = Signal(object)
    """QPoint on the screen that a selection is dragged to, perhaps far outside"""
    all_wanted = Signal()

    def __init__(self, style: TextStyle, parent: QWidget) -> None:
        super().__init__(parent)
        self.style_of_text = style
        self.ornaments: list[Ornament] = []
        self.marks: list[tuple[int, int]] = []
        self.current_mark: int | None = None
        self._gathers: WeakMethod[Callable[[], str]] | None = None
        self._is_selecting = False
        self.notes: Sequence[NotePlace] = ()
        self.has_waiting = False  # a formula that is still being drawn
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setOpenLinks(False)
        self.setUndoRedoEnabled(False)
        self.viewport().setAutoFillBackground(False)
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self.setTextInteractionFlags(Qt.TextInteractionFlag.TextBrowserInteraction)
        self.setFont(self.style_of_text.font)
        self.document().setDocumentMargin(0)
        self.document().setDefaultFont(self.style_of_text.font)
        option = self.document().defaultTextOption()
        option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        self.document().setDefaultTextOption(option)
        self.setLineWrapMode(QTextBrowser.LineWrapMode.FixedPixelWidth)
        # A width of 0 would put each letter on a line of its own until the first layout.
        self.setLineWrapColumnOrWidth(_FIRST_WIDTH)
        self.anchorClicked.connect(self._open)

    @property
    def pane(self) -> "TextPane":
        return self

    def fit(self, width: int) -> int:
        """Lay the text out and return the height that it needs."""
        self.lay_out(width)
        height = max(ceil(self.document().size().height()), 1)
        self.resize(width, height)
        return height

    def lay_out(self, width: int) -> None:
        """Lay out for a text width; a widget that is not shown yet has none."""
        self.setLineWrapColumnOrWidth(width)
        # Writing moves the cursor, and the pane would scroll to it.
        cursor = self.textCursor()
        if cursor.position() and not cursor.hasSelection() and not self.hasFocus():
            self.setTextCursor(QTextCursor(self.document()))

    def mark(self, terms: HighlightTerms) -> None:
        self.marks = terms.spans_in_document(self.toPlainText()) if terms else []
        self.lead_to(None)

    def show_notes(self, notes: Sequence[NotePlace]) -> None:
        self.notes = notes
        self.viewport().update()

    def lead_to(self, mark: int | None) -> None:
        self.current_mark = mark
        self.viewport().update()

    def y_of_mark(self, mark: int) -> int:
        lines = stretches(self.document(), *self.marks[mark])
        return round(next((line.rect.y() for line in lines), 0))

    def has_links(self) -> bool:
        block = self.document().firstBlock()
        while block.isValid():
            if any(form.format.isAnchor() for form in block.textFormats()):
                return True
            block = block.next()
        return False

    def loadResource(self, _kind: int, _url: QUrl | str) -> None:
        """Load no resource."""

    def sizeHint(self) -> QSize:
        return self.size()

    def paintEvent(self, event: QPaintEvent) -> None:
        if self.ornaments or self.marks or self.notes:
            painter = QPainter(self.viewport())
            shift = self.horizontalScrollBar().value()
            painter.translate(-shift, 0)
            visible = QRectF(event.rect().translated(shift, 0))
            beneath = DecorationPainter(painter, self.document(), self.style_of_text, visible)
            for ornament in self.ornaments:
                beneath.paint(ornament)
            for note, start, end in self.notes:
                beneath.paint_note(start, end, has_text=bool(note.text))
            for number, (start, end) in enumerate(self.marks):
                beneath.paint_mark(start, end, is_current=number == self.current_mark)
            painter.end()
        super().paintEvent(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Leave the menu to the transcript, which knows the message and the whole selection."""
        event.ignore()

    def link_at(self, at: QPoint) -> str:
        """Return the link at a point of the screen; empty on a citation."""
        link = self.anchorAt(self.viewport().mapFromGlobal(at))
        return "" if QUrl(link).scheme() == CITATION_SCHEME else link

    def wheelEvent(self, event: QWheelEvent) -> None:
        sideways = abs(event.angleDelta().x()) > abs(event.angleDelta().y())
        shifted = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        if (sideways or shifted) and self.horizontalScrollBar().maximum() > 0:
            super().wheelEvent(event)
        else:
            event.ignore()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Leave vertical scroll keys to the transcript."""
        scrolls_aside = event.key() in _ASIDE and self.horizontalScrollBar().maximum() > 0
        if event.matches(QKeySequence.StandardKey.Copy):
            self.copy()
        elif event.matches(QKeySequence.StandardKey.SelectAll):
            self.selectAll()
        elif event.key() in _OPENS or scrolls_aside:
            super().keyPressEvent(event)
        else:
            event.ignore()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        if event.reason() not in _KEEPS_SELECTION:
            self.clear_selection()
            self.left_others.emit()

    def clear_selection(self) -> None:
        cursor = self.textCursor()
        if cursor.hasSelection():
            cursor.clearSelection()
            self.setTextCursor(cursor)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() is Qt.MouseButton.LeftButton:
            # Pressing on a selection begins to drag it.
            cursor, at = self.textCursor(), self.position_at(event.globalPosition().toPoint())
            self._is_selecting = not cursor.selectionStart() <= at < cursor.selectionEnd()
            if self._is_selecting:
                self.left_others.emit()
        super().mousePressEvent(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        super().mouseMoveEvent(event)
        if self._is_selecting and event.buttons() & Qt.MouseButton.LeftButton:
            self.dragged.emit(event.globalPosition().toPoint())

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        super().mouseReleaseEvent(event)
        if not self._is_selecting and not self.textCursor().hasSelection():
            self.left_others.emit()  # a click on a selection clears it
        self._is_selecting = False

    def position_at(self, at: QPoint) -> int:
        return self.cursorForPosition(self.viewport().mapFromGlobal(at)).position()

    def whole_span(self) -> tuple[int, int]:
        return 0, self.document().characterCount() - 1

    def share(self, gather: Callable[[], str]) -> None:
        """Copy the text that `gather` returns, from all panes. Does not keep its owner alive."""
        self._gathers = WeakMethod(gather)

    def _gathered(self) -> str:
        gather = self._gathers() if self._gathers else None
        return gather() if gather else self.selected_text()

    def copy(self) -> None:
        if text := self._gathered():
            QGuiApplication.clipboard().setText(text)

    def selectAll(self) -> None:
        super().selectAll()
        self.all_wanted.emit()

    def createMimeDataFromSelection(self) -> QMimeData:
        made = QMimeData()
        made.setText(self._gathered())
        return made

    def selected_text(self) -> str:
        """Return plain text: citations in brackets, list markers, formulas as written."""
        cursor = self.textCursor()
        return self._plain(cursor.selectionStart(), cursor.selectionEnd())

    def _plain(self, start: int, end: int) -> str:
        pieces, at = [], start
        for ornament in sorted(
            self.ornaments, key=lambda o: (o.start, o.drawn is not Drawn.MARKER)
        ):
            if not start <= ornament.start < end:
                continue
            match ornament.drawn:
                case Drawn.MARKER:
                    pieces += [self._between(at, ornament.start), f"{ornament.text} "]
                    at = ornament.start
                case Drawn.CITATION | Drawn.UNCHECKED:
                    pieces += [self._between(at, ornament.start).rstrip(), f" [{ornament.text}]"]
                    at = ornament.end
                case Drawn.FORMULA if ornament.end <= end:
                    pieces += [self._between(at, ornament.start), ornament.text]
                    at = ornament.end
                case Drawn.CODE | Drawn.QUOTE | Drawn.RULE | Drawn.FORMULA:
                    continue
        pieces.append(self._between(at, end))
        return "".join(pieces)

    def _between(self, start: int, end: int) -> str:
        if end <= start:
            return ""
        cursor = QTextCursor(self.document())
        cursor.setPosition(start)
        cursor.setPosition(end, QTextCursor.MoveMode.KeepAnchor)
        return cursor.selectedText().replace("\u2029", "\n").replace("\u2028", "\n")

    def focusNextPrevChild(self, is_next: bool) -> bool:  # noqa: FBT001 (a Qt method)
        """Show the target of the link that has the focus now."""
        moved = super().focusNextPrevChild(is_next)
        target = self.textCursor().charFormat().anchorHref() if moved else ""
        if target and not target.startswith((CITATION_SCHEME, OWN_LINK)):
            show_tip(self, self.cursorRect().bottomLeft(), target)
        return moved

    def _open(self, url: QUrl) -> None:
        """Open a link; ask first if its words name a host other than its target."""
        link = url.toString()
        if not any(names_another_place(shown, link) for shown in self._shown_for(url)):
            self.link_activated.emit(link)
            return
        question = self.tr("This link leads to {host}. Open it?").format(host=host_of(link))
        about = self.tr("Its text looks like another address. It leads to:\n{target}")
        box = MessageBox(
            MessageBox.Icon.Warning, question, about.format(target=link), self.window()
        )
        choice = (self.tr("Open"), lambda: self.link_activated.emit(link))
        box.offer(choice, stay=self.tr("Cancel"))

    def _shown_for(self, url: QUrl) -> list[str]:
        """Return the words of each link to an address."""
        lines, block = [""], self.document().firstBlock()
        while block.isValid():
            for piece in block.textFormats():
                is_part = QUrl(piece.format.anchorHref()) == url
                words = block.text()[piece.start : piece.start + piece.length]
                lines[-1:] = [lines[-1] + words] if is_part else [lines[-1], ""]
            lines.append("")
            block = block.next()
        return [line for line in lines if line]


class ProseBlock(TextPane):
    def __init__(self, style: TextStyle, parent: QWidget) -> None:
        super().__init__(style, parent)
        self._paragraphs: Sequence[Paragraph] = ()
        self._before: list[tuple[int, int]] = []
        """Where each paragraph begins, and how many ornaments stand before it."""
        self.setAccessibleName(self.tr("Text"))

    def set_paragraphs(self, paragraphs: Sequence[Paragraph]) -> None:
        same = count_same(self._paragraphs, paragraphs)
        if same == len(self._paragraphs) == len(paragraphs):
            return
        cursor = QTextCursor(self.document())
        cursor.beginEditBlock()
        cursor.movePosition(QTextCursor.MoveOperation.End)
        if same < len(self._before):
            position, ornaments = self._before[same]
            cursor.setPosition(position, QTextCursor.MoveMode.KeepAnchor)
            cursor.removeSelectedText()
            del self._before[same:], self.ornaments[ornaments:]
        for paragraph in paragraphs[same:]:
            self._write(cursor, paragraph)
        cursor.endEditBlock()
        self._paragraphs = paragraphs

    def write_again(self) -> None:
        """Write everything again, with the formulas drawn since."""
        paragraphs, self._paragraphs, self.has_waiting = self._paragraphs, (), False
        self.set_paragraphs(paragraphs)

    def _write(self, cursor: QTextCursor, paragraph: Paragraph) -> None:
        is_first = not self._before
        self._before.append((cursor.position(), len(self.ornaments)))
        style = self.style_of_text
        form = style.block(paragraph, is_first=is_first)
        plain = style.characters(Style.PLAIN, "", paragraph.level)
        if is_first:
            cursor.setBlockFormat(form)
            cursor.setBlockCharFormat(plain)
        else:
            cursor.insertBlock(form, plain)
        start = cursor.position()
        self.has_waiting |= write_runs(
            cursor,
            paragraph.runs,
            style,
            self.ornaments,
            heading=paragraph.level,
            is_alone=paragraph.kind is ParagraphKind.FORMULA,
        )
        end = cursor.position()
        if paragraph.kind is ParagraphKind.RULE:
            self.ornaments.append(Ornament(Drawn.RULE, start, end))
        if paragraph.marker:
            self.ornaments.append(Ornament(Drawn.MARKER, start, end, paragraph.marker))
        if paragraph.quotes:
            self.ornaments.append(Ornament(Drawn.QUOTE, start, end))


def count_same(old: Sequence[object], new: Sequence[object]) -> int:
    return sum(takewhile(bool, map(eq, old, new)))


_APART = " … "  # Between the words of several panes


def selected_in(panes: Sequence[TextPane]) -> tuple[str, int]:
    """Return the words selected in a message, and which of the places with them it is."""
    parts = [" ".join(pane.textCursor().selection().toPlainText().split()) for pane in panes]
    words = _APART.join(filter(None, parts))
    before = 0
    for pane, part in zip(panes, parts, strict=True):
        spans = _spans(next(filter(None, parts)), pane) if words else []
        if part:
            start = pane.textCursor().selectionStart()
            return words, before + sum(span[0] < start for span in spans)
        before += len(spans)
    return words, 0


def show_notes(notes: Sequence[Note], panes: Sequence[TextPane]) -> None:
    """Mark the words of the notes in the panes of their message."""
    for pane in panes:
        pane.show_notes(())
    for note in notes:
        first, *others = note.quote.split(_APART)
        places = [(pane, span) for pane in panes for span in _spans(first, pane)]
        chosen = places[note.occurrence : note.occurrence + 1] or places[:1]
        for part in others:
            chosen += [(pane, span) for pane in panes for span in _spans(part, pane)[:1]][:1]
        for pane, span in chosen:
            pane.show_notes((*pane.notes, NotePlace(note, *span)))


def notes_at(panes: Sequence[TextPane], at: QPoint) -> Iterator[Note]:
    """Yield the notes at a point of the screen."""
    for pane in panes:
        position = pane.position_at(at)
        yield from (place.note for place in pane.notes if place.start <= position < place.end)


def _spans(words: str, pane: TextPane) -> list[tuple[int, int]]:
    text = pane.toPlainText()
    terms = HighlightTerms(terms=(words,)) if " " in words else HighlightTerms(text=words)
    return terms.spans_in_document(text) if words else []
