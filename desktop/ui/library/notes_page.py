"""The page of all notes, of documents and of answers: found, opened, edited, deleted, exported."""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QRect, QSize, Qt, Signal
from PySide6.QtGui import QKeySequence, QPainter
from PySide6.QtWidgets import QLayout, QStyleOptionViewItem, QWidget

from desktop.domain.frozen import dataclass
from desktop.domain.ids import NoteId, SourceId
from desktop.domain.notes import Note, notes_markdown
from desktop.domain.projects import COMMON, EVERYTHING, Project, Wall
from desktop.language.fuzzy_matching import foldable, has_all_words
from desktop.settings.file_writing import raising_not_written, write_beside
from desktop.ui.dialogs.files import NotesDialog
from desktop.ui.dialogs.form import RebuiltView
from desktop.ui.dialogs.note_editor import NoteEditor
from desktop.ui.reader.reader_content import place_of_note
from desktop.ui.services import Worker
from desktop.ui.theme.theme import ThemeController
from desktop.ui.theme.tokens import Space
from desktop.ui.widgets.bars import MessageBar
from desktop.ui.widgets.buttons import Button
from desktop.ui.widgets.fields import ComboBox
from desktop.ui.widgets.layouts import STRETCH, column, flowing, growing, holds_focus, scrolling
from desktop.ui.widgets.plain_text import BodyLabel, TitleLabel
from desktop.ui.widgets.row_list import Index, RowDelegate, RowList, RowModel
from desktop.ui.widgets.search_fields import SearchField

if TYPE_CHECKING:
    from desktop.sessions.services import Services

_ALL = ""


@dataclass(frozen=True, slots=True)
class _Listing:
    notes: Sequence[Note] = ()  # Behind the wall
    projects: Sequence[Project] = ()
    wall: Wall = EVERYTHING


def _owner_of(note: Note) -> str:
    return note.source_id or note.session_id


def _words_of(note: Note) -> str:
    """Return what a row shows first: the user's own words, or else those that they marked."""
    return " ".join((note.text or f"“{note.quote}”").split())


class NotesModel(RowModel[Note]):
    def show(self, notes: Iterable[Note]) -> None:
        self.beginResetModel()
        self._rows = list(notes)
        self.endResetModel()

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        note = self.row(index)
        if note is None or role == Qt.ItemDataRole.UserRole:
            return note
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return _words_of(note)
            case Qt.ItemDataRole.AccessibleTextRole:
                return f"{_words_of(note)}, {self.place(note)}"
            case _:
                return None

    def place(self, note: Note) -> str:
        """Return where a note stands, with the words it was written about."""
        page = self.tr("p. {page}").format(page=note.page) if note.page else ""
        quote = f"“{note.quote}”" if note.quote and note.text else ""
        title = " ".join(note.title.split())
        return " · ".join(filter(None, (title, page, quote)))

    def _key_of(self, row: Note) -> object:
        return row.id


class _NotesDelegate(RowDelegate):
    has_small_text = True

    def sizeHint(self, _option: QStyleOptionViewItem, _index: Index) -> QSize:
        return QSize(0, self._type.title_height + self._type.small_height + 2 * Space.SMALL)

    def _paint_row(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        rect: QRect = option.rect
        note: Note = index.data(Qt.ItemDataRole.UserRole)
        model = index.model()
        self._paint_chosen(painter, rect, option)
        inside = rect.adjusted(Space.MEDIUM, Space.SMALL, -Space.MEDIUM, -Space.SMALL)
        title = inside.adjusted(0, 0, 0, -self._type.small_height)
        self._paint_title(painter, title, _words_of(note))
        below = inside.adjusted(0, self._type.title_height, 0, 0)
        place = model.place(note) if isinstance(model, NotesModel) else ""
        self._paint_detail(painter, below, place)


class _Choice(ComboBox):
    """A filter; the data of each item is what is chosen."""

    def offer(self, names: Mapping[Any, str], chosen: object) -> None:
        self.clear()
        for value, name in names.items():
            self.addItem(name, value)
        self.setCurrentIndex(list(names).index(chosen) if chosen in names else 0)


class NotesPage(RebuiltView):
    act = "notes"
    place_wanted = Signal(object)  # ReaderPlace or NavigationTarget
    write_wanted = Signal(object)  # NoteId that is to be written into a folder of notes

    def __init__(
        self, worker: Worker, theme: ThemeController, strip: MessageBar, parent: QWidget
    ) -> None:
        super().__init__(parent)
        self._worker, self._theme = worker, theme
        self._listing = _Listing()
        self._owner: str = _ALL  # Of the notes that are shown
        self._current: NoteId | None = None  # The row to be current while it is listed
        self._wall: Wall | None = None  # None: that of the window
        self._strip = strip
        self._editor = NoteEditor(worker, strip, self)
        self._editor.changed.connect(self._load_changed)
        self.rebuild()
        self.add_key(QKeySequence.StandardKey.Find, self._go_to_search)

    def open_at(self, source_id: SourceId | None = None) -> None:
        """Show the notes of the window's project, or those of a source of it."""
        self._owner, self._wall = source_id or _ALL, None
        self.search.clear()
        self.come()
        self.load()
        self._go_to_search()

    def load(self) -> None:
        chosen = self._wall

        def read(services: "Services") -> _Listing:
            wall = services.assistant.shown if chosen is None else chosen
            archive = services.archive
            return _Listing(archive.notes(wall), archive.projects(), wall)

        self._worker.do_latest("notes", read, self._show)

    def _load_changed(self, note: Note) -> None:
        self._current = note.id
        self.load()

    def _build(self) -> QLayout:
        self.setWindowTitle(self.tr("Notes"))
        self.search = SearchField(self._theme)
        self.search.set_name(self.tr("Search notes"))
        self.search.set_hint(QKeySequence())
        self.model = NotesModel(self)
        self.list = RowList(self.model, _NotesDelegate(self._theme))
        self.list.setAccessibleName(self.tr("Notes"))
        self.projects, self.owners = _Choice(), _Choice()
        self.projects.setAccessibleName(self.tr("Project"))
        self.owners.setAccessibleName(self.tr("Document or session"))
        self._nothing = BodyLabel("", role="muted")
        self._empty = scrolling(column(self._nothing, STRETCH))
        self._open = Button("primary", text=self.tr("&Open"), press=self.open_note)
        self._edit = Button(text=self.tr("&Edit…"), press=self.edit)
        self._delete = Button(text=self.tr("&Delete"), press=self.delete)
        write = self.tr("&Write into a notes folder…")
        self._write = Button(text=write, press=self.write)
        self._export = Button(text=self.tr("E&xport…"), press=self.ask_where_to_export)
        self._connect()
        return column(
            TitleLabel(self.tr("Notes")),
            self.search,
            flowing(self.projects, self.owners),
            growing(self._empty),
            growing(self.list),
            flowing(self._open, self._edit, self._delete, self._write, self._export),
            spacing=Space.MEDIUM,
            margin=Space.WIDE,
        )

    def _connect(self) -> None:
        self.search.textChanged.connect(lambda _: self._find())
        self.search.left_downwards.connect(self.list.enter)
        self.search.entered.connect(self.list.enter)
        self.search.left.connect(self.step_back)
        self.list.left_upwards.connect(self._go_to_search)
        self.owners.activated.connect(lambda _: self._choose_owner(self.owners.currentData()))
        self.projects.activated.connect(lambda _: self._choose_wall(self.projects.currentData()))
        self.list.activated.connect(lambda _: self.open_note())
        self.list.remove_wanted.connect(self.delete)
        self.list.selectionModel().currentChanged.connect(lambda *_: self._enable())

    def _show(self, listing: _Listing) -> None:
        self._listing = listing
        self._fill()

    def _fill(self) -> None:
        """Show the filters and the notes that are behind them."""
        owners = {_owner_of(note): " ".join(note.title.split()) for note in self._listing.notes}
        if self._owner not in owners:
            self._owner = _ALL
        everything = self.tr("All documents and answers")
        self.owners.offer({_ALL: everything} | owners, self._owner)
        walls = {EVERYTHING: self.tr("All projects"), COMMON: self.tr("No project")}
        walls |= {Wall(project.id): project.name for project in self._listing.projects}
        self.projects.offer(walls, self._listing.wall)
        self.projects.setVisible(bool(self._listing.projects))
        self._find()

    def _choose_owner(self, owner: str) -> None:
        self._owner = owner
        self._find()

    def _choose_wall(self, wall: Wall) -> None:
        self._wall, self._owner = wall, _ALL
        self.load()

    def _find(self) -> None:
        query = foldable(self.search.text()).strip()
        notes = [
            note
            for note in self._listing.notes
            if self._owner in (_ALL, _owner_of(note))
            and has_all_words(query, foldable(f"{note.text} {note.quote} {note.title}"))
        ]
        place = max(self.list.currentIndex().row(), 0)
        self.model.show(notes)
        index = self.model.index_of_key(self._current)
        if self._current is not None and not index.isValid():
            index = self.model.index(min(place, len(notes) - 1), 0)
        self.list.setCurrentIndex(index)
        nothing = self.tr("No note matches.")
        if not self._listing.notes:
            nothing = self.tr(
                "There are no notes yet. Select words in a document or an answer, and choose "
                "Highlight or Note in their menu."
            )
        self._nothing.setText(nothing)
        if not notes and (holds_focus(self.list) or holds_focus(self._delete)):
            self._go_to_search()
        self._empty.setHidden(bool(notes))
        self.list.setVisible(bool(notes))
        self._enable()

    def _enable(self) -> None:
        chosen = self.model.row(self.list.currentIndex())
        self._current = chosen.id if chosen is not None else self._current
        for button in (self._open, self._edit, self._delete, self._write):
            button.setEnabled(chosen is not None)
        self._export.setEnabled(self.model.rowCount() > 0)

    def _go_to_search(self) -> None:
        self.search.setFocus(Qt.FocusReason.OtherFocusReason)

    def open_note(self) -> None:
        """Show the chosen note where it stands."""
        note = self.model.row(self.list.currentIndex())
        if note is None:
            return
        self.left.emit()
        self.place_wanted.emit(place_of_note(note))

    def edit(self) -> None:
        if (note := self.model.row(self.list.currentIndex())) is not None:
            self._editor.edit(note)

    def delete(self) -> None:
        if (note := self.model.row(self.list.currentIndex())) is not None:
            self._editor.delete(note)

    def write(self) -> None:
        """Write the chosen note into a folder of notes."""
        if (note := self.model.row(self.list.currentIndex())) is not None:
            self.write_wanted.emit(note.id)

    def ask_where_to_export(self) -> None:
        profile = self._worker.services.profile.folder
        NotesDialog(self.window()).ask_for_export(profile, self.export)

    def export(self, path: Path) -> None:
        """Write the notes that are listed as Markdown."""
        notes = [self.model.row(self.model.index(place)) for place in range(self.model.rowCount())]
        page = self.tr("p. {page}")
        text = notes_markdown(
            [note for note in notes if note is not None], lambda at: page.format(page=at)
        )

        def write(_: "Services") -> Path:
            with raising_not_written(path), write_beside(path, is_export=True) as partial:
                partial.write_text(text, encoding="utf-8")
            return path

        def show(written: Path) -> None:
            words = self.tr("The notes were saved to {path}").format(path=written)
            self._strip.show_message("notes", words)

        self._worker.do(write, show)
