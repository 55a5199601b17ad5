"""The notes of the shown source: where they stand, how they are written, changed and deleted."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QObject, QRectF, QSizeF, Qt, Signal
from PySide6.QtGui import QColor, QKeyEvent, QPainter
from PySide6.QtWidgets import QDialog, QMenu, QWidget

from desktop.domain.changes import Change
from desktop.domain.errors import DocumentError, FileUnreadableError
from desktop.domain.frozen import dataclass
from desktop.domain.ids import NoteId
from desktop.domain.notes import Note
from desktop.language.authored_text import quoted_spans
from desktop.research.documents.page_reader import Place
from desktop.ui.reader.reader_content import PassageHit, PassageSearch, ReaderContent
from desktop.ui.services import Worker
from desktop.ui.theme.theme import ThemeController
from desktop.ui.theme.tokens import Space, Tokens
from desktop.ui.widgets.bars import MessageBar
from desktop.ui.widgets.buttons import Button
from desktop.ui.widgets.fields import TextArea
from desktop.ui.widgets.layouts import STRETCH, column, row, text_width
from desktop.ui.widgets.plain_text import HintLabel, TitleLabel

if TYPE_CHECKING:
    from desktop.sessions.services import Services

_MOST_SHOWN = 2_000
_LINES, _CHARACTERS = 6, 48
_SENDS = {Qt.Key.Key_Return, Qt.Key.Key_Enter}
_CHANGED = "note"


class PageNote(NamedTuple):
    note: Note
    places: Sequence[Place]  # Empty if the words were not found on the page


class TextNote(NamedTuple):
    note: Note
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Selection:
    """Words that were selected in a source, and where."""

    words: str
    page: int | None = None  # From 1
    place: Place | None = None  # Of the first letter on the page
    passage: int | None = None  # Index of the passage
    start: int = 0  # Of the words in the passage


@dataclass(frozen=True, slots=True)
class ShownNotes:
    on_pages: Mapping[int, Sequence[PageNote]]  # By index of the page
    in_text: Mapping[int, Sequence[TextNote]]  # By index of the passage


def load_notes(services: "Services", reading: ReaderContent) -> ShownNotes:
    """On a worker: the notes of a source at their places, on its pages and in its text."""
    on_pages: defaultdict[int, list[PageNote]] = defaultdict(list)
    in_text: defaultdict[int, list[TextNote]] = defaultdict(list)
    search = PassageSearch(reading.passages)
    for note in services.archive.notes_of_source(reading.source.id)[:_MOST_SHOWN]:
        hits = _in_text(note, search)
        if hits:
            passage, start, end = hits[min(note.occurrence, len(hits) - 1)]
            in_text[passage].append(TextNote(note, start, end))
        if reading.pdf is not None:
            index, places = _on_page(services, reading, note)
            on_pages[index].append(PageNote(note, places))
    return ShownNotes(on_pages, in_text)


def _in_text(note: Note, search: PassageSearch) -> Sequence[PassageHit]:
    """Return the places of a note's words on its page, or in its passage."""
    if not note.quote:
        return ()
    passages = search.passages
    hits = [
        hit
        for hit in search.find(note.quote)
        if note.page is None or passages[hit.passage].page == note.page
    ]
    own = (at for at, passage in enumerate(passages) if passage.id == note.passage_id)
    if hits or (at := next(own, None)) is None:
        return hits
    return [PassageHit(at, *span) for span in quoted_spans(note.quote, passages[at].text)[:1]]


def _on_page(
    services: "Services", reading: ReaderContent, note: Note
) -> tuple[int, Sequence[Place]]:
    """Return the page of a note and its words' place on it, or on the page after it."""
    index = (note.page or 1) - 1
    if reading.pdf is not None and note.quote:
        with suppress(DocumentError, FileUnreadableError):
            hits = services.document_pages.find(reading.pdf, note.quote, index, index + 1)
            if hits:
                return hits[min(note.occurrence, len(hits) - 1)]
    return index, ()


def _occurrence(services: "Services", reading: ReaderContent, selection: Selection) -> int:
    """Return which of the places with these words the selected one is."""
    if selection.place is not None and reading.pdf is not None and selection.page is not None:
        index = selection.page - 1
        left, top, _, _ = selection.place
        with suppress(DocumentError, FileUnreadableError):
            hits = services.document_pages.find(reading.pdf, selection.words, index, index)
            away = [abs(places[0][0] - left) + abs(places[0][1] - top) for _, places in hits]
            return away.index(min(away)) if away else 0
    if selection.passage is not None:
        hits_in_text = PassageSearch(reading.passages).find(selection.words)
        before = [
            hit
            for hit in hits_in_text
            if (hit.passage, hit.start) < (selection.passage, selection.start)
            and reading.passages[hit.passage].page == selection.page
        ]
        return len(before)
    return 0


NOTE_MARK = QSizeF(10, 9)
"""Size of the sign in the margin beside words with a note."""


def paint_note_mark(painter: QPainter, area: QRectF, tokens: Tokens) -> None:
    """Paint a small sheet with two lines."""
    painter.fillRect(area, QColor(tokens.accent))
    for share in (0.3, 0.6):
        line = QRectF(area.left() + 2, area.top() + share * area.height(), area.width() - 4, 1)
        painter.fillRect(line, QColor(tokens.on_accent))


class SourceNotes(QObject):
    """Keeps the views' notes as they are in the archive; every change can be undone."""

    changed = Signal(object)  # ShownNotes

    def __init__(self, worker: Worker, theme: ThemeController, owner: QWidget) -> None:
        super().__init__(owner)
        self._worker, self._owner = worker, owner
        self._reading: ReaderContent | None = None
        self.strip = MessageBar(theme)

    def show(self, reading: ReaderContent) -> None:
        self._reading = reading
        self.changed.emit(ShownNotes({}, {}))
        self._load()

    def offer(self, menu: QMenu, selection: Selection | None, note: Note | None) -> None:
        """Add to a menu what can be done with selected words, or with a note."""
        is_there = selection is not None and bool(selection.words)
        highlight = menu.addAction(self.tr("Highlight"), partial(self.add, selection))
        write = menu.addAction(self.tr("Note…"), partial(self._write, selection))
        for action in (highlight, write):
            action.setEnabled(is_there)
        if note is not None:
            menu.addAction(self.tr("Edit note…"), partial(self.edit, note))
            menu.addAction(self.tr("Delete note"), partial(self.delete, note))

    def add(self, selection: Selection | None, text: str = "") -> None:
        reading = self._reading
        if selection is None or reading is None:
            return

        def work(services: "Services") -> Change[Note]:
            return services.notes.add(
                reading.source.id,
                selection.words,
                text,
                page=selection.page,
                occurrence=_occurrence(services, reading, selection),
            )

        self._worker.do_in_turn(work, partial(self._show_change, self.tr("Highlighted.")))

    def edit(self, note: Note) -> None:
        """Show a note, to be changed or deleted."""
        form = NoteForm(note.quote, note.text, self._owner.window(), is_new=False)
        form.written.connect(partial(self._change, note.id))
        form.deleted.connect(partial(self.delete, note))
        form.open()

    def delete(self, note: Note) -> None:
        self._worker.do_in_turn(
            lambda services: services.notes.delete([note.id]),
            partial(self._show_change, self.tr("Note deleted.")),
        )

    def _write(self, selection: Selection | None) -> None:
        if selection is not None:
            form = NoteForm(selection.words, "", self._owner.window(), is_new=True)
            form.written.connect(partial(self.add, selection))
            form.open()

    def _change(self, note_id: NoteId, text: str) -> None:
        self._worker.do_in_turn(
            lambda services: services.notes.edit(note_id, text),
            partial(self._show_change, self.tr("Note saved.")),
        )

    def _show_change(self, words: str, change: Change[object]) -> None:
        self._load()
        undo = self._worker.undoes(change, lambda _: self._load())
        self.strip.show_message(_CHANGED, words, undo=undo)

    def _load(self) -> None:
        reading = self._reading
        if reading is not None:
            self._worker.do_latest(
                "notes", lambda services: load_notes(services, reading), self.changed.emit
            )


class NoteForm(QDialog):
    written = Signal(str)
    deleted = Signal()

    def __init__(self, quote: str, text: str, parent: QWidget, *, is_new: bool) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        title = self.tr("New note") if is_new else self.tr("Note")
        self.setWindowTitle(title)
        self._text = TextArea(text, lines=_LINES)
        self._text.setAccessibleName(self.tr("Your note"))
        self._text.setPlaceholderText(self._text.accessibleName())
        save = Button("primary", text=self.tr("&Save"), press=self.save)
        cancel = Button(text=self.tr("&Cancel"), press=self.reject)
        delete = Button(text=self.tr("&Delete"), press=self._delete)
        delete.setHidden(is_new)
        words = HintLabel(self.tr("“{words}”").format(words=quote) if quote else "")
        parts = (TitleLabel(title), words, self._text, row(delete, STRETCH, cancel, save))
        self.setLayout(column(*parts, spacing=Space.MEDIUM, margin=Space.WIDE))
        self.setMinimumWidth(text_width(self, _CHARACTERS))
        self._text.setFocus(Qt.FocusReason.OtherFocusReason)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in _SENDS and event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self.save()
        else:
            super().keyPressEvent(event)

    def save(self) -> None:
        self.accept()
        self.written.emit(self._text.text())

    def _delete(self) -> None:
        self.reject()
        self.deleted.emit()
