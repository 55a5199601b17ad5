"""The pages of a PDF under each other, drawn when they are seen, with marks and selectable words.

The process that reads hostile files draws the pages and locates their letters; what is not there
yet is white paper. One request runs at a time, and the visible pages go first.
"""

from bisect import bisect_right
from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from PySide6.QtCore import QEvent, QPointF, QRectF, QSizeF, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QContextMenuEvent,
    QGuiApplication,
    QHelpEvent,
    QImage,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QAbstractScrollArea, QFrame, QWidget

from desktop.domain.errors import AppError
from desktop.domain.messages import Pixels
from desktop.domain.notes import Note
from desktop.research.documents.page_reader import PageLetters, PageMark, PdfDescription, Place
from desktop.ui.reader.page_selection import Move, PageMarks, PageSelection, area_of, move_of
from desktop.ui.reader.source_notes import PageNote, Selection
from desktop.ui.services import Worker
from desktop.ui.theme.theme import ThemeController
from desktop.ui.theme.tokens import Space
from desktop.ui.widgets.plain_text import show_tip_at

_MOST_BYTES = 96 << 20  # Of pictures that are kept
_BYTES_A_PIXEL = 4
_ZOOMS = (0.5, 0.67, 0.8, 1.0, 1.25, 1.5, 2.0, 3.0, 4.0)
"""Times the width that fits."""
_FITS = _ZOOMS.index(1.0)
_WIDEST_FIT = 2.0  # Pixels a point: a small page is not blown up to the width
_ROUNDED = 2  # Pixels by which a drawn page may be wider or narrower
_CARET = 1  # Half of its width in pixels
_ABOVE = 3  # A mark is shown at this part of the height
_PAGE_KEYS = {
    Qt.Key.Key_PageDown: "SliderPageStepAdd",
    Qt.Key.Key_PageUp: "SliderPageStepSub",
    Qt.Key.Key_Down: "SliderSingleStepAdd",
    Qt.Key.Key_Up: "SliderSingleStepSub",
    Qt.Key.Key_Home: "SliderToMinimum",
    Qt.Key.Key_End: "SliderToMaximum",
}


class PageView(QAbstractScrollArea):
    place_changed = Signal(int)  # Index of the page that is read
    failed = Signal(object)  # AppError: the file cannot be drawn
    menu_wanted = Signal(object, object, object)  # Where; the Selection, and the Note, if any
    note_pressed = Signal(object)  # Note

    def __init__(
        self, worker: Worker, theme: ThemeController, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._worker = worker
        self._theme = theme
        self._file: Path | None = None
        self._sizes: Sequence[tuple[float, float]] = ()
        self._tops: list[float] = []  # Of each page, in pixels of the whole
        self._zoom = _FITS
        self._scale = 1.0  # Pixels a point
        self._pictures: OrderedDict[int, QImage] = OrderedDict()
        self._selection = PageSelection()
        self._marks = PageMarks(self._selection)
        self._has_caret = False  # Keys move it
        self._awaited: list[Callable[[], None]] = []  # Keys that wait for a page's letters
        self._wanted = -1  # That page
        self._is_busy = False
        self._broken: set[int] = set()
        self._shown = -1
        self._gone_to: tuple[int, int] | None = None  # A page, and where it put the scroll bar
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)
        self.viewport().setCursor(Qt.CursorShape.IBeamCursor)
        self.verticalScrollBar().valueChanged.connect(self._scrolled)
        theme.theme_changed.connect(self.viewport().update)
        self.setAccessibleName(self.tr("Pages of the document"))
        self.setAccessibleDescription(
            self.tr("Shift and the arrow keys select words; F7 shows a caret that the keys move.")
        )

    @property
    def selected(self) -> str:
        """Return the selected words as one text."""
        return self._selection.words

    @property
    def selection(self) -> Selection | None:
        """Return the selected words and where they begin."""
        return self._selection.selection

    @property
    def current(self) -> int:
        """Return the index of the page that was gone to, or else of the one that is read."""
        bar = self.verticalScrollBar()
        if self._gone_to is not None and self._gone_to[1] == bar.value():
            return self._gone_to[0]
        if bar.maximum() and bar.value() == bar.maximum():
            return len(self._tops) - 1
        first = max(bisect_right(self._tops, bar.value()) - 1, 0)
        if first + 1 < len(self._tops):
            # More than half of it is gone: the next one is read.
            middle = (self._tops[first] + self._tops[first + 1]) / 2
            first += bar.value() > middle
        return first

    def show_document(self, file: Path, description: PdfDescription) -> None:
        if file != self._file:
            self._pictures.clear()
            self._selection.letters.clear()
            self._broken.clear()
        self._file, self._sizes = file, description.sizes
        self._marks.clear()
        self._selection.ends = None
        self._awaited, self._wanted, self._shown = [], -1, -1
        self._arrange()

    def show_mark(self, mark: PageMark) -> None:
        self._marks.cite(mark)
        self._show_place(mark.index, mark.places[0])

    def show_hits(self, hits: Mapping[int, Sequence[Sequence[Place]]]) -> None:
        """Show what was found, page by page, as the places of each."""
        self._marks.set_hits(hits)
        self.viewport().update()

    def show_notes(self, notes: Mapping[int, Sequence[PageNote]]) -> None:
        self._marks.notes = notes
        self.viewport().update()

    def go_to_hit(self, index: int, number: int) -> None:
        self._show_place(index, self._marks.go_to_hit(index, number))

    def go_to(self, index: int) -> None:
        if self._sizes:
            at = min(max(index, 0), len(self._tops) - 1)
            self.verticalScrollBar().setValue(round(self._tops[at]) - Space.SMALL)
            self._gone_to = (at, self.verticalScrollBar().value())
            self._scrolled()

    def zoom(self, steps: int) -> None:
        """Draw the pages larger or smaller; 0 fits them to the width."""
        self._zoom = min(max(self._zoom + steps, 0), len(_ZOOMS) - 1) if steps else _FITS
        self.zoom_again()

    def copy(self) -> None:
        if self.selected:
            QGuiApplication.clipboard().setText(self.selected)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.zoom_again()

    def zoom_again(self) -> None:
        """Keep the place while the width or the zoom changes."""
        if self._sizes:
            index, before = self.current, self._scale
            inside = self.verticalScrollBar().value() - self._tops[index]
            self._arrange()
            at = self._tops[index] + inside * self._scale / before
            self.verticalScrollBar().setValue(round(at))

    def wheelEvent(self, event: QWheelEvent) -> None:
        if event.modifiers() & Qt.KeyboardModifier.ControlModifier and event.angleDelta().y():
            self.zoom(1 if event.angleDelta().y() > 0 else -1)
        else:
            super().wheelEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        bar, back = self.verticalScrollBar(), Qt.KeyboardModifier.ShiftModifier
        key = Qt.Key(event.key())
        if event.matches(QKeySequence.StandardKey.Copy):
            self.copy()
        elif event.matches(QKeySequence.StandardKey.SelectAll):
            self._selection.select_page(self.current)
            self.viewport().update()
        elif key == Qt.Key.Key_F7:
            self._has_caret = not self._has_caret
            if self._has_caret:
                self._with_caret(lambda: None)
            self.viewport().update()
        elif (move := move_of(event)) and (self._has_caret or move.extends):
            self._with_caret(partial(self._move, move))
        elif key == Qt.Key.Key_Space:
            step = "Sub" if event.modifiers() & back else "Add"
            bar.triggerAction(getattr(bar.SliderAction, f"SliderPageStep{step}"))
        elif key in _PAGE_KEYS and not event.modifiers():
            bar.triggerAction(getattr(bar.SliderAction, _PAGE_KEYS[key]))
        else:
            super().keyPressEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            self._selection.press(self._letter_at(event.position()))
            self.viewport().update()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        letter = self._letter_at(event.position(), far=True)
        if event.buttons() & Qt.MouseButton.LeftButton and letter:
            self._selection.drag(letter)
            self.viewport().update()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        is_click = event.button() == Qt.MouseButton.LeftButton and not self.selected
        if is_click and (note := self._note_at(event.position())):
            self.note_pressed.emit(note)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        if letter := self._letter_at(event.position()):
            self._selection.select_word(letter)
            self.viewport().update()

    def inputMethodQuery(self, query: Qt.InputMethodQuery) -> Any:
        """Return where a menu that is opened by keys belongs."""
        caret = self._caret() if query == Qt.InputMethodQuery.ImCursorRectangle else None
        return super().inputMethodQuery(query) if caret is None else caret

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        note = self._note_at(QPointF(event.pos()))
        self.menu_wanted.emit(event.globalPos(), self.selection, note)

    def paintEvent(self, _event: QPaintEvent) -> None:
        tokens = self._theme.tokens
        with QPainter(self.viewport()) as painter:
            painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
            for index in self._visible():
                paper = self._paper(index)
                painter.fillRect(paper, Qt.GlobalColor.white)
                picture = self._pictures.get(index)
                if picture is not None:
                    painter.drawImage(paper, picture)
                self._marks.paint(painter, index, paper, self._scale)
                painter.setPen(QColor(tokens.line))
                painter.drawRect(paper)
            if self._has_caret and self.hasFocus() and (caret := self._caret()):
                painter.fillRect(caret, Qt.GlobalColor.black)  # Paper is white in every theme
        self._ask_for_next()

    def _with_caret(self, act: Callable[[], None]) -> None:
        """Do something to the caret, which is put where the eye is if it is nowhere."""
        if self._awaited:
            self._awaited.append(act)
            return
        ends, visible = self._selection.ends, list(self._visible())
        if ends is None or (not self._selection.words and ends[1][0] not in visible):
            marked = self._marks.led_to
            if not marked.keys() & set(visible):
                marked = {self.current: ()}
            unread = [page for page in marked if page not in self._selection.letters]
            if unread:
                self._await(unread[0], act)
                return
            self._selection.begin(marked, -self._paper(min(marked)).top() / self._scale)
        act()
        self.viewport().update()

    def _move(self, move: Move) -> None:
        if (page := self._selection.move(move, len(self._sizes))) is not None:
            self._await(page, partial(self._move, move))
            return
        view, caret, spot = self.viewport().rect(), self._caret(), self._selection.caret
        if caret and spot and not view.top() <= caret.top() <= caret.bottom() <= view.bottom():
            self._show_place(*spot)

    def _await(self, page: int, act: Callable[[], None]) -> None:
        self._wanted = page
        self._awaited.append(act)
        self._ask_for_next()

    def _caret(self) -> QRectF | None:
        """Return where the caret is in the view."""
        if (spot := self._selection.caret) is None:
            return None
        page, place = spot
        rectangle = area_of(place, self._paper(page), self._scale)
        return rectangle.adjusted(-_CARET, 0, _CARET, 0)

    def viewportEvent(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            word = self._uncertain_word(QPointF(event.pos()))
            words = self.tr("Read by OCR as “{word}”, perhaps wrongly").format(word=word)
            show_tip_at(self, event.globalPos(), words if word else "")
            return True
        return super().viewportEvent(event)

    def _uncertain_word(self, position: QPointF) -> str:
        words = (
            word
            for index in self._visible()
            for word, area in self._marks.uncertain(index, self._paper(index), self._scale)
            if area.contains(position)
        )
        return next(words, "")

    def _note_at(self, position: QPointF) -> Note | None:
        notes = (
            self._marks.note_at(position, index, self._paper(index), self._scale)
            for index in self._visible()
        )
        return next(filter(None, notes), None)

    def _arrange(self) -> None:
        """Compute the scale and where each page begins."""
        if not self._sizes:
            return
        room = self.viewport().width() - 2 * Space.MEDIUM
        widest = max(width for width, _ in self._sizes)
        self._scale = max(min(room / widest, _WIDEST_FIT), 0.1) * _ZOOMS[self._zoom]
        top, self._tops = float(Space.MEDIUM), []
        for _, height in self._sizes:
            self._tops.append(top)
            top += height * self._scale + Space.MEDIUM
        view = self.viewport()
        bar, across = self.verticalScrollBar(), self.horizontalScrollBar()
        bar.setPageStep(view.height())
        bar.setSingleStep(Space.WIDE * 2)
        bar.setRange(0, max(round(top) - view.height(), 0))
        wide = widest * self._scale + 2 * Space.MEDIUM
        across.setPageStep(view.width())
        across.setRange(0, max(round(wide) - view.width(), 0))
        view.update()

    def _paper(self, index: int) -> QRectF:
        """Return where a page is in the view."""
        size = QSizeF(*self._sizes[index]) * self._scale
        across = self.horizontalScrollBar()
        left = max((self.viewport().width() - size.width()) / 2, Space.MEDIUM) - across.value()
        top = self._tops[index] - self.verticalScrollBar().value()
        return QRectF(QPointF(left, top), size)

    def _visible(self) -> Iterator[int]:
        if not self._sizes:
            return
        top = self.verticalScrollBar().value()
        index = max(bisect_right(self._tops, top) - 1, 0)
        while index < len(self._tops) and self._tops[index] < top + self.viewport().height():
            yield index
            index += 1

    def _scrolled(self) -> None:
        self.viewport().update()
        if self.current != self._shown:
            self._shown = self.current
            self.place_changed.emit(self._shown)

    def _show_place(self, index: int, place: Place) -> None:
        at = self._tops[index] + place[1] * self._scale - self.viewport().height() / _ABOVE
        self.verticalScrollBar().setValue(round(at))
        across = self.horizontalScrollBar()
        across.setValue(round(place[0] * self._scale - Space.WIDE) if across.maximum() else 0)
        self._scrolled()

    def _ask_for_next(self) -> None:
        """Ask for the first visible page that is not drawn at this size, else for letters."""
        if self._is_busy or self._file is None:
            return
        pages = [index for index in self._visible() if index not in self._broken]
        undrawn = (index for index in pages if not self._is_drawn(index))
        wanted = [self._wanted] if self._wanted >= 0 else []
        letters = self._selection.letters
        unread = (index for index in (*wanted, *pages) if index not in letters)
        if (index := next(undrawn, None)) is not None:
            self._draw(self._file, index)
        elif (index := next(unread, None)) is not None:
            self._read(self._file, index)

    def _is_drawn(self, index: int) -> bool:
        picture = self._pictures.get(index)
        wide = self._sizes[index][0] * self._scale * self.devicePixelRatioF()
        return picture is not None and abs(picture.width() - wide) <= _ROUNDED

    def _draw(self, file: Path, index: int) -> None:
        self._is_busy = True
        pixels = self._scale * self.devicePixelRatioF()
        self._worker.do(
            lambda services: services.document_pages.picture(file, index, pixels),
            lambda drawn: self._take_picture(file, index, drawn),
            self._settle,
            lambda error: self._refuse(file, index, error),
        )

    def _read(self, file: Path, index: int) -> None:
        self._is_busy = True
        self._worker.do(
            lambda services: services.document_pages.letters(file, index),
            lambda letters: self._take_letters(file, index, letters),
            self._settle,
            lambda error: self._refuse(file, index, error),
        )

    def _settle(self) -> None:
        self._is_busy = False
        self._ask_for_next()

    def _refuse(self, file: Path, index: int, error: AppError) -> None:
        if file == self._file:
            self._broken.add(index)
            self._awaited, self._wanted = [], -1
            self.failed.emit(error)

    def _take_picture(self, file: Path, index: int, drawn: Pixels) -> None:
        if file != self._file:
            return
        stride = drawn.width * _BYTES_A_PIXEL
        form = QImage.Format.Format_RGBX8888
        picture = QImage(drawn.data, drawn.width, drawn.height, stride, form).copy()
        self._pictures[index] = picture
        self._pictures.move_to_end(index)
        while sum(kept.sizeInBytes() for kept in self._pictures.values()) > _MOST_BYTES:
            if len(self._pictures) == 1:
                break
            self._pictures.popitem(last=False)
        self.viewport().update()

    def _take_letters(self, file: Path, index: int, letters: PageLetters) -> None:
        if file != self._file:
            return
        self._selection.add(index, letters)
        if index == self._wanted:
            awaited, self._awaited, self._wanted = self._awaited, [], -1
            for act in awaited:
                self._with_caret(act)

    def _letter_at(self, position: QPointF, *, far: bool = False) -> tuple[int, int] | None:
        """Return page and letter below a position; with `far` the nearest one of the page."""
        for index in self._visible():
            paper = self._paper(index)
            is_there = (far or paper.contains(position)) and index in self._selection.letters
            if is_there and position.y() <= paper.bottom() + Space.MEDIUM:
                point = (position - paper.topLeft()) / self._scale
                return self._selection.letter_near(index, point, far=far)
        return None
