"""A piece of read-only text as tall as its words, which leaves scrolling to the transcript."""

from collections.abc import Callable
from math import ceil
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

from desktop.ui.transcript.document_writer import CITATION_SCHEME, Drawn, Ornament, TextStyle
from desktop.ui.transcript.highlight_terms import HighlightTerms
from desktop.ui.transcript.text_decorations import DecorationPainter, Mark

_KEEPS_SELECTION = (
    Qt.FocusReason.PopupFocusReason,
    Qt.FocusReason.ActiveWindowFocusReason,
    Qt.FocusReason.MenuBarFocusReason,
)
_OPENS = (Qt.Key.Key_Return, Qt.Key.Key_Enter)
_ASIDE = (Qt.Key.Key_Left, Qt.Key.Key_Right)


class TextPane(QTextBrowser):
    link_activated = Signal(str)
    citation_activated = Signal(int)
    pressed = Signal()
    """What was selected elsewhere is so no more."""
    dragged = Signal(object)
    """QPoint on the screen that a selection is drawn to, perhaps far outside"""
    all_wanted = Signal()
    left = Signal()
    """The keyboard is elsewhere, and nothing is selected any more."""

    def __init__(self, style: TextStyle, parent: QWidget) -> None:
        super().__init__(parent)
        self.style_of_text = style
        self.ornaments: list[Ornament] = []
        self._marks: list[Mark] = []
        self._gathers: WeakMethod[Callable[[], str]] | None = None
        self._is_selecting = False
        self._build()
        self._ground = DecorationPainter(self.document(), style)
        self.anchorClicked.connect(self._open)

    def _build(self) -> None:
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

    def fit(self, width: int) -> int:
        """Lay the text out and return the height that it needs."""
        self.lay_out(width)
        height = max(ceil(self.document().size().height()), 1)
        self.resize(width, height)
        return height

    def lay_out(self, width: int) -> None:
        """For a width of the text, whatever the widget's own is: until it is shown it has none."""
        self.setLineWrapColumnOrWidth(width)
        self._begin_at_start()

    def _begin_at_start(self) -> None:
        """What is written moves the cursor along, and the pane would scroll to it."""
        cursor = self.textCursor()
        if cursor.position() and not cursor.hasSelection() and not self.hasFocus():
            self.setTextCursor(QTextCursor(self.document()))

    def mark(self, marks: HighlightTerms) -> int:
        """Returns how many places it marks."""
        self._marks = [
            Mark(start, end)
            for start, end in (marks.spans_in_document(self.toPlainText()) if marks else ())
        ]
        self.viewport().update()
        return len(self._marks)

    @property
    def marked(self) -> int:
        return len(self._marks)

    def lead_to(self, place: int | None) -> QRectF:
        """Make one mark the current one; where it stands within the pane."""
        self._marks = [
            Mark(mark.start, mark.end, number == place) for number, mark in enumerate(self._marks)
        ]
        self.viewport().update()
        area = None if place is None else self.area_of_mark(place)
        return area or QRectF()

    def area_of_mark(self, place: int) -> QRectF | None:
        if place >= len(self._marks):
            return None
        mark = self._marks[place]
        return self._ground.rect_of(mark.start, mark.end)

    def has_links(self) -> bool:
        block = self.document().firstBlock()
        while block.isValid():
            if any(form.format.isAnchor() for form in block.textFormats()):
                return True
            block = block.next()
        return False

    def loadResource(self, _kind: int, _url: QUrl | str) -> None:
        """Nothing is loaded from anywhere."""

    def sizeHint(self) -> QSize:
        return self.size()

    def paintEvent(self, event: QPaintEvent) -> None:
        if self.ornaments or self._marks:
            painter = QPainter(self.viewport())
            shift = self.horizontalScrollBar().value()
            painter.translate(-shift, 0)
            visible = QRectF(event.rect().translated(shift, 0))
            self._ground.paint(painter, visible, self.ornaments, self._marks)
            painter.end()
        super().paintEvent(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """The transcript has a menu: of the message, and of what is selected in all of them."""
        event.ignore()

    def link_at(self, at: QPoint) -> str:
        """The address that a point of the screen stands on, empty on a citation."""
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
        """Keys that scroll belong to the transcript, but for those that scroll aside."""
        if event.matches(QKeySequence.StandardKey.Copy):
            self.copy()
            return
        if event.matches(QKeySequence.StandardKey.SelectAll):
            self.selectAll()
            return
        is_own = event.key() in _OPENS
        if self.horizontalScrollBar().maximum() > 0 and event.key() in _ASIDE:
            is_own = True
        if is_own:
            super().keyPressEvent(event)
        else:
            event.ignore()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        if event.reason() not in _KEEPS_SELECTION and self.textCursor().hasSelection():
            cursor = self.textCursor()
            cursor.clearSelection()
            self.setTextCursor(cursor)
        if event.reason() not in _KEEPS_SELECTION:
            self.left.emit()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() is Qt.MouseButton.LeftButton:
            # Pressing on what is selected begins to drag it away.
            cursor, at = self.textCursor(), self.position_at(event.globalPosition().toPoint())
            is_on = cursor.selectionStart() <= at < cursor.selectionEnd()
            self._is_selecting = not is_on
            if self._is_selecting:
                self.pressed.emit()
        super().mousePressEvent(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        super().mouseMoveEvent(event)
        if self._is_selecting and event.buttons() & Qt.MouseButton.LeftButton:
            self.dragged.emit(event.globalPosition().toPoint())

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        super().mouseReleaseEvent(event)
        if not self._is_selecting and not self.textCursor().hasSelection():
            self.pressed.emit()  # a click on what is selected takes that back
        self._is_selecting = False

    def position_at(self, at: QPoint) -> int:
        """The letter's place that is nearest to a point of the screen."""
        return self.cursorForPosition(self.viewport().mapFromGlobal(at)).position()

    def whole_span(self) -> tuple[int, int]:
        """Where its words begin and end."""
        return 0, self.document().characterCount() - 1

    def share(self, gather: Callable[[], str]) -> None:
        """What is copied: others beside it may be selected too. Its owner is not kept alive."""
        self._gathers = WeakMethod(gather)

    def _gathered(self) -> str:
        gather = self._gathers() if self._gathers else None
        return gather() if gather else self.selected_text()

    def copy(self) -> None:
        """Also where all that is selected stands in other blocks."""
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
        """Plain text: citations in brackets, list markers in their places, formulas as written."""
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

    def _open(self, url: QUrl) -> None:
        text = url.toString()
        if text.startswith(CITATION_SCHEME):
            self.citation_activated.emit(int(text.removeprefix(CITATION_SCHEME)))
        else:
            self.link_activated.emit(text)
