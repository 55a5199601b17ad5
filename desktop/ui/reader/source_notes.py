"""The notes of the shown source: where they stand, how they are written, changed and deleted."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QObject, QRectF, QSizeF, Qt, Signal
from PySide6.QtGui import QAction, QColor, QKeySequence, QPainter
from PySide6.QtWidgets import QMenu, QWidget

from desktop.domain.changes import Change
from desktop.domain.errors import DocumentError, FileUnreadableError
from desktop.domain.frozen import dataclass
from desktop.domain.notes import Note
from desktop.research.documents.page_reader import Place
from desktop.ui.dialogs.files import AnnotatedCopyDialog
from desktop.ui.dialogs.note_editor import AddNote, NoteEditor
from desktop.ui.reader.reader_content import (
    PassageSearch,
    ReaderContent,
    note_in_text,
    note_on_pages,
)
from desktop.ui.services import Worker
from desktop.ui.theme.theme import ThemeController
from desktop.ui.theme.tokens import Tokens
from desktop.ui.widgets.bars import MessageBar

if TYPE_CHECKING:
    from desktop.sessions.services import Services

HIGHLIGHT_KEYS, NOTE_KEYS = "Ctrl+Shift+H", "Ctrl+Shift+E"
_MOST_SHOWN = 2_000


def show_keys(action: QAction, keys: str | QKeySequence.StandardKey) -> None:
    """Show keys in a menu that another widget acts on, too."""
    action.setShortcut(QKeySequence(keys))
    action.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)


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
        for passage, start, end in note_in_text(note, search):
            in_text[passage].append(TextNote(note, start, end))
        if reading.pdf is not None:
            for index, places in note_on_pages(services, reading.pdf, note):
                on_pages[index].append(PageNote(note, places))
    return ShownNotes(on_pages, in_text)


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
        self._worker = worker
        self._reading: ReaderContent | None = None
        self.strip = MessageBar(theme)
        self.editor = NoteEditor(worker, self.strip, owner)
        self.editor.changed.connect(self._load)

    def show(self, reading: ReaderContent) -> None:
        self._reading = reading
        self.changed.emit(ShownNotes({}, {}))
        self._load()

    def highlight(self, selection: Selection | None) -> None:
        if (add := self._adds(selection)) is not None:
            self.editor.highlight(add)

    def write(self, selection: Selection | None) -> None:
        """Ask for a note on selected words."""
        if (add := self._adds(selection)) is not None:
            self.editor.write(selection.words if selection else "", add)

    def offer(self, menu: QMenu, selection: Selection | None, note: Note | None) -> None:
        """Add to a menu what can be done with selected words, or with a note."""
        for text, act, keys in (
            (self.tr("Highlight"), self.highlight, HIGHLIGHT_KEYS),
            (self.tr("Note…"), self.write, NOTE_KEYS),
        ):
            action = menu.addAction(text, partial(act, selection))
            action.setEnabled(selection is not None)
            show_keys(action, keys)
        if note is not None:
            menu.addAction(self.tr("Edit note…"), partial(self.editor.edit, note))
            menu.addAction(self.tr("Delete note"), partial(self.editor.delete, note))

    def offer_copy(self, menu: QMenu) -> None:
        """Add to a menu the saving of a copy of a PDF with its notes."""
        if self._reading is not None and self._reading.pdf is not None:
            menu.addAction(self.tr("Save a copy with notes…"), self._save_copy)

    def _save_copy(self) -> None:
        if (reading := self._reading) is None:
            return
        source = reading.source

        def save(target: Path) -> None:
            def show(count: int) -> None:
                words = self.tr("The copy was saved. Notes in it: {count}")
                self.strip.show_message("copy", words.format(count=count))

            self._worker.do(
                lambda services: services.library.write_annotated(
                    source, services.document_pages, target
                ),
                show,
            )

        profile = self._worker.services.profile.folder
        dialog = AnnotatedCopyDialog(source.title, self.strip.window())
        dialog.ask_for_export(profile, save)

    def _adds(self, selection: Selection | None) -> AddNote | None:
        reading = self._reading
        if selection is None or reading is None:
            words = self.tr("Select words first: Shift and the arrow keys do it without a mouse.")
            self.strip.show_message("select", words)
            return None

        def add(services: "Services", text: str) -> Change[Note]:
            return services.notes.add(
                reading.source.id,
                selection.words,
                text,
                page=selection.page,
                occurrence=_occurrence(services, reading, selection),
            )

        return add

    def _load(self) -> None:
        reading = self._reading
        if reading is not None:
            self._worker.do_latest(
                "notes", lambda services: load_notes(services, reading), self._show_loaded
            )

    def _show_loaded(self, notes: ShownNotes) -> None:
        self.changed.emit(notes)  # Not its emit as a slot, which outlives this object
