"""The pages of a PDF under each other, drawn when they are seen, with marks and selectable words.

The process that reads hostile files draws the pages and locates their letters; what is not there
yet is white paper. One request runs at a time, and the visible pages go first.
"""

from bisect import bisect_right
from collections import OrderedDict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from PySide6.QtCore import QPointF, QRectF, QSizeF, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QContextMenuEvent,
    QGuiApplication,
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
from desktop.ui.reader.notes import NOTE_MARK, PageNote, Selection, paint_note_mark
from desktop.ui.services import Worker
from desktop.ui.theme.theme import ThemeController
from desktop.ui.theme.tokens import LIGHT, Space

_MOST_BYTES = 96 << 20  # Of pictures that are kept
_MOST_LETTERS = 30  # Pages whose letters are kept
_BYTES_A_PIXEL = 4
_ZOOMS = (0.5, 0.67, 0.8, 1.0, 1.25, 1.5, 2.0, 3.0, 4.0)
"""Times the width that fits."""
_FITS = _ZOOMS.index(1.0)
_WIDEST_FIT = 2.0  # Pixels a point: a small page is not blown up to the width
_ROUNDED = 2  # Pixels by which a drawn page may be wider or narrower
_ABOVE = 3  # A mark is shown at this part of the height
_FAR = 6.0  # Points from a letter within which it is meant
_LINE_END = "\ufffe"
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
        self._letters: OrderedDict[int, PageLetters] = OrderedDict()
        self._is_busy = False
        self._broken: set[int] = set()
        self._marks: Mapping[int, Sequence[Place]] = {}
        self._hits: Mapping[int, Sequence[Sequence[Place]]] = {}
        self._hit: tuple[int, int] | None = None
        self._notes: Mapping[int, Sequence[PageNote]] = {}
        self._ends: tuple[tuple[int, int], tuple[int, int]] | None = None
        """Page and letter at which the selection began, and where it is now."""
        self._shown = -1
        self._gone_to: tuple[int, int] | None = None  # A page, and where it put the scroll bar
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)
        self.viewport().setCursor(Qt.CursorShape.IBeamCursor)
        self.verticalScrollBar().valueChanged.connect(self._scrolled)
        theme.theme_changed.connect(self.viewport().update)
        self.setAccessibleName(self.tr("Pages of the document"))

    @property
    def selected(self) -> str:
        """Return the selected words as one text."""
        pieces = []
        for page, first, last in self._selected_spans():
            letters = self._letters.get(page)
            pieces.append(letters.text[first:last] if letters else "")
        return " ".join("".join(pieces).replace(_LINE_END, "").split())

    @property
    def selection(self) -> Selection | None:
        """Return the selected words and where they begin."""
        for page, first, last in self._selected_spans():
            places = self._letters[page].places[first:last]
            inked = next((place for place in places if place[0] < place[2]), None)
            return Selection(self.selected, page + 1, inked)
        return None

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
            self._letters.clear()
            self._broken.clear()
        self._file, self._sizes = file, description.sizes
        self._marks, self._hits, self._hit, self._ends = {}, {}, None, None
        self._shown = -1
        self._arrange()

    def show_mark(self, mark: PageMark) -> None:
        self._marks = {mark.index: mark.places}
        self._show_place(mark.index, mark.places[0])

    def show_hits(self, hits: Mapping[int, Sequence[Sequence[Place]]]) -> None:
        """Show what was found, page by page, as the places of each."""
        self._hits = hits
        if not hits:
            self._hit = None
        self.viewport().update()

    def show_notes(self, notes: Mapping[int, Sequence[PageNote]]) -> None:
        self._notes = notes
        self.viewport().update()

    def go_to_hit(self, index: int, number: int) -> None:
        self._hit = (index, number)
        self._show_place(index, self._hits[index][number][0])

    def go_to(self, index: int) -> None:
        if self._sizes:
            top = self._tops[min(max(index, 0), len(self._tops) - 1)]
            self.verticalScrollBar().setValue(round(top) - Space.SMALL)
            at = min(max(index, 0), len(self._tops) - 1)
            self._gone_to = (at, self.verticalScrollBar().value())
            self._scrolled()

    def zoom(self, steps: int) -> None:
        """Draw the pages larger or smaller; 0 fits them to the width."""
        index, before = self.current, self._scale
        inside = self.verticalScrollBar().value() - (self._tops[index] if self._tops else 0)
        self._zoom = min(max(self._zoom + steps, 0), len(_ZOOMS) - 1) if steps else _FITS
        self._arrange()
        if self._tops:
            at = self._tops[index] + inside * self._scale / before
            self.verticalScrollBar().setValue(round(at))

    def copy(self) -> None:
        if self.selected:
            QGuiApplication.clipboard().setText(self.selected)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.zoom_again()

    def zoom_again(self) -> None:
        """Keep the place while the width changes."""
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
            self._select_page()
        elif key == Qt.Key.Key_Space:
            step = "Sub" if event.modifiers() & back else "Add"
            bar.triggerAction(getattr(bar.SliderAction, f"SliderPageStep{step}"))
        elif key in _PAGE_KEYS and not event.modifiers():
            bar.triggerAction(getattr(bar.SliderAction, _PAGE_KEYS[key]))
        else:
            super().keyPressEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            place = self._letter_at(event.position())
            self._ends = (place, place) if place else None
            self.viewport().update()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        place = self._letter_at(event.position(), far=True)
        if event.buttons() & Qt.MouseButton.LeftButton and self._ends and place:
            self._ends = (self._ends[0], place)
            self.viewport().update()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        is_click = event.button() == Qt.MouseButton.LeftButton and not self.selected
        if is_click and (note := self._note_at(event.position())):
            self.note_pressed.emit(note)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        place = self._letter_at(event.position())
        if place is not None:
            page, at = place
            text = self._letters[page].text
            first, last = at, at
            while first > 0 and text[first - 1].isalnum():
                first -= 1
            while last + 1 < len(text) and text[last + 1].isalnum():
                last += 1
            self._ends = ((page, first), (page, last))
            self.viewport().update()

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
                self._paint_marks(painter, index, paper)
                painter.setPen(QColor(tokens.line))
                painter.drawRect(paper)
        self._ask_for_next()

    def _paint_marks(self, painter: QPainter, index: int, paper: QRectF) -> None:
        # Paper is white in every theme. As a highlighter pen does: what is dark stays dark.
        painter.setCompositionMode(QPainter.CompositionMode.CompositionMode_Multiply)
        for place, colour in self._marked_places(index):
            painter.fillRect(self._rect(place, paper), QColor(colour))
        painter.setCompositionMode(QPainter.CompositionMode.CompositionMode_SourceOver)
        for _, area in self._margin_marks(index, paper):
            paint_note_mark(painter, area, LIGHT)

    def _marked_places(self, index: int) -> Iterator[tuple[Place, str]]:
        """Yield the marked places of a page and their colours, the lowest first."""
        for note in self._notes.get(index, ()):
            yield from ((place, LIGHT.note) for place in note.places)
        for number, places in enumerate(self._hits.get(index, ())):
            is_led = self._hit == (index, number)
            colour = LIGHT.current_highlight if is_led else LIGHT.highlight
            yield from ((place, colour) for place in places)
        yield from ((place, LIGHT.current_highlight) for place in self._marks.get(index, ()))
        for page, first, last in self._selected_spans():
            if page == index and index in self._letters:
                selected = self._letters[index].places[first:last]
                yield from ((place, LIGHT.selection) for place in selected)

    def _margin_marks(self, index: int, paper: QRectF) -> Iterator[tuple[Note, QRectF]]:
        """Yield the notes of a page that say something, each with the place of its sign."""
        left = paper.right() - NOTE_MARK.width() - Space.SMALL
        top = paper.top() + Space.SMALL
        for note, places in self._notes.get(index, ()):
            if note.text or not places:
                top = self._rect(places[0], paper).top() if places else top
                yield note, QRectF(QPointF(left, top), NOTE_MARK)
                top += NOTE_MARK.height() + Space.TIGHT

    def _note_at(self, position: QPointF) -> Note | None:
        for index in self._visible():
            paper = self._paper(index)
            for note, area in self._margin_marks(index, paper):
                if area.contains(position):
                    return note
            for note, places in self._notes.get(index, ()):
                if any(self._rect(place, paper).contains(position) for place in places):
                    return note
        return None

    def _rect(self, place: Place, paper: QRectF) -> QRectF:
        left, top, right, bottom = (number * self._scale for number in place)
        return QRectF(paper.left() + left, paper.top() + top, right - left, bottom - top)

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
        unread = (index for index in pages if index not in self._letters)
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
        self._letters[index] = letters
        self._letters.move_to_end(index)
        while len(self._letters) > _MOST_LETTERS:
            self._letters.popitem(last=False)

    def _select_page(self) -> None:
        letters = self._letters.get(self.current)
        if letters is not None and letters.text:
            self._ends = ((self.current, 0), (self.current, len(letters.text) - 1))
            self.viewport().update()

    def _letter_at(self, position: QPointF, *, far: bool = False) -> tuple[int, int] | None:
        """Return page and letter below a position; with `far` the nearest one of the page."""
        for index in self._visible():
            paper = self._paper(index)
            letters = self._letters.get(index)
            inside = far or paper.contains(position)
            if not inside or letters is None or position.y() > paper.bottom() + Space.MEDIUM:
                continue
            x, y = ((position - paper.topLeft()) / self._scale).toTuple()
            best, least = None, float("inf") if far else _FAR
            for at, (left, top, right, bottom) in enumerate(letters.places):
                if left == right:
                    continue
                # Another line is farther than another column of the same line.
                away = max(left - x, x - right, 0.0) + 4 * max(top - y, y - bottom, 0.0)
                if away < least:
                    best, least = at, away
            return None if best is None else (index, best)
        return None

    def _selected_spans(self) -> Iterator[tuple[int, int, int]]:
        """Yield page, first and past-last letter of what is selected."""
        if self._ends is None or self._ends[0] == self._ends[1]:
            return
        (first_page, first), (last_page, last) = sorted(self._ends)
        for page in range(first_page, last_page + 1):
            letters = self._letters.get(page)
            if letters is not None:
                begin = first if page == first_page else 0
                end = last + 1 if page == last_page else len(letters.text)
                yield page, begin, end
