"""The library in the window: its own window and the reader, cited places, what is added.

Also the notices of pages that a browser delivers to it.
"""

# ruff: noqa: PLC0415 (windows and dialogs are imported when they are first opened)

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from desktop.domain.ids import SessionId, SourceId
from desktop.domain.messages import Citation
from desktop.ui.actions import QT_TR_NOOP, Action, everywhere, when_open
from desktop.ui.dialogs.files import DocumentsDialog, FolderDialog
from desktop.ui.dialogs.form import open_dialog
from desktop.ui.library.library_actions import DroppedFiles, LibraryActions, sort_dropped_files
from desktop.ui.library.table_model import Column
from desktop.ui.reader.reader_content import (
    CitedPlace,
    ReaderPlace,
    load_cited_places,
    open_original,
    resolve_citation,
)
from desktop.ui.services import Worker
from desktop.ui.settings_controller import SettingsController
from desktop.ui.theme.theme import ThemeController
from desktop.ui.views import renew
from desktop.ui.widgets.bars import MessageBar
from desktop.ui.widgets.plain_text import MessageBox
from desktop.ui.window_state import LIBRARY_COLUMNS, WindowState

if TYPE_CHECKING:
    from desktop.domain.changes import Change
    from desktop.domain.references import Work
    from desktop.domain.sources import Source
    from desktop.research.library import ImportedPage
    from desktop.sessions.services import Services
    from desktop.settings.settings import Settings
    from desktop.ui.library.adding import DocumentAdder
    from desktop.ui.library.library_page import LibraryPage
    from desktop.ui.library.literature_page import LiteraturePage
    from desktop.ui.library.notes_page import NotesPage
    from desktop.ui.library.watched_folders import FolderWatcher, WatchedFoldersDialog
    from desktop.ui.reader.panel import ReaderPanel


class BrowserPages(QObject):
    """Keeps the port for browsers open while it is wanted."""

    def __init__(
        self, worker: Worker, strip: MessageBar, added: Callable[[], None], parent: QObject
    ) -> None:
        """`added`: shows the library anew."""
        super().__init__(parent)
        self._worker, self._strip, self._added = worker, strip, added
        self._is_wanted = False

    def follow(self, *, is_wanted: bool) -> None:
        if is_wanted == self._is_wanted:
            return
        self._is_wanted = is_wanted
        if is_wanted:
            self._worker.do_each(
                lambda services: services.browser.pages(
                    lambda: services.assistant.project, lambda: self._is_wanted
                ),
                self._show,
            )
        else:
            self._worker.do(lambda services: services.browser.close())

    def _show(self, page: "ImportedPage") -> None:
        from desktop.research.library import AddOutcome

        self._added()
        source, is_new = page.source, page.outcome is AddOutcome.ADDED
        added = self.tr("Added from the browser: {title}")
        words = added if is_new else self.tr("Updated from the browser: {title}")
        self._strip.show_message(
            f"browser {source.id}",
            words.format(title=source.title),
            undo=partial(self._remove, source.id) if is_new else None,
        )

    def _remove(self, source_id: SourceId) -> None:
        def remove(services: "Services") -> None:
            services.sources.remove([source_id])

        self._worker.do(remove, lambda _: self._added())


class LibraryController(QObject):
    page_made = Signal(object)  # View that needs its place in the window
    added = Signal(object)  # AddedFiles
    import_wanted = Signal(object, object)
    """Paths of dropped conversations, and a callback after their import"""
    panel_wanted = Signal(object, int)  # Citations of an answer, and the number that was pressed
    session_wanted = Signal(object)  # Citation of a past session
    wall_wanted = Signal(object)  # Wall of a project that is chosen in the library
    note_place_wanted = Signal(object)  # ReaderPlace or NavigationTarget of a note
    note_file_wanted = Signal(object)  # NoteId that is to be written into a folder of notes
    reading = Signal(object)  # ReaderPlace of a source that is opened
    reader_wanted = Signal(object)  # ReaderPanel, to be shown beside the conversation
    reader_closed = Signal()
    quote_wanted = Signal(str)  # words of a source for the message
    ask_wanted = Signal(object, str)  # SourceId and title of what a question is about
    inside_wanted = Signal(str)  # words to be searched in the documents
    back_wanted = Signal()
    forward_wanted = Signal()

    def __init__(
        self,
        window: QWidget,
        theme: ThemeController,
        worker: Worker,
        changes: SettingsController,
        *,
        strip: MessageBar,
        state: WindowState,
    ) -> None:
        """`strip`: the window's, for what is added while another page is shown."""
        super().__init__(window)
        self._owner = window
        self._theme = theme
        self._worker = worker
        self._changes = changes
        self.desk = LibraryActions(worker, self)
        self.added.connect(self.desk.changed)
        self._adder: DocumentAdder | None = None
        self._strip, self._state = strip, state
        self.page: LibraryPage | None = None
        self.reader: ReaderPanel | None = None
        self.notes: NotesPage | None = None
        self.literature: LiteraturePage | None = None
        self._is_prepared = False
        self._browser = BrowserPages(worker, strip, self.desk.changed.emit, self)
        changes.changed.connect(self._follow_browser)
        worker.ready.connect(lambda: self._follow_browser(changes.settings))
        self.desk.removed.connect(self._leave_removed)
        self.folders: FolderWatcher | None = None
        worker.ready.connect(self._watch_folders)

    def records(self) -> Sequence[Action]:
        keys = "Ctrl+Shift+L"
        return (
            everywhere("library", QT_TR_NOOP("Library"), keys, self.open, when_open),
            everywhere(
                "literature", QT_TR_NOOP("Literature"), "", self.open_literature, when_open
            ),
            everywhere("notes", QT_TR_NOOP("Notes"), "", self.open_notes, when_open),
            everywhere(
                "watched_folders",
                QT_TR_NOOP("Watched folders…"),
                "",
                self.open_watched_folders,
                when_open,
            ),
        )

    def open(self) -> "LibraryPage":
        from desktop.ui.library.library_page import LibraryPage

        if self.page is None:
            page = self.page = LibraryPage(self.desk, self._theme, self._owner)
            self.page_made.emit(page)
            page.add_wanted.connect(self.add)
            page.files_wanted.connect(self.choose_files)
            page.folder_wanted.connect(self.choose_folder)
            page.page_wanted.connect(self.add_page)
            page.zotero_wanted.connect(self.add_from_zotero)
            page.watched_wanted.connect(self.open_watched_folders)
            page.literature_wanted.connect(self.open_literature)
            page.related_wanted.connect(self._find_related)
            page.place_wanted.connect(self.read)
            page.original_wanted.connect(partial(open_original, self._worker))
            page.wall_wanted.connect(self.wall_wanted)
            page.ask_wanted.connect(self.ask_wanted)
            page.notes_wanted.connect(self.open_notes)
            page.inside_wanted.connect(self.inside_wanted)
            page.list.set_widths(self._state.lines(LIBRARY_COLUMNS))
            page.list.widths_changed.connect(
                lambda: self._state.keep_lines(LIBRARY_COLUMNS, page.list.widths())
            )
        self.page.show_at()
        return self.page

    def open_literature(self) -> "LiteraturePage":
        """Show the search of scholarly literature."""
        from desktop.ui.library.literature_actions import LiteratureActions
        from desktop.ui.library.literature_page import LiteraturePage

        if self.literature is None:
            actions = LiteratureActions(self._worker, self._strip, self.desk.changed.emit)
            page = LiteraturePage(actions, self._theme, self._changes, self._owner)
            self.literature = page
            self.page_made.emit(page)
            page.library_wanted.connect(self.open)
            page.ask_wanted.connect(self.ask_wanted)
            self.desk.changed.connect(page.look_again)
        self.literature.open_at()
        return self.literature

    def _find_related(self, work: "Work", is_citing: bool) -> None:  # noqa: FBT001 (a slot)
        from desktop.domain.literature import FoundWork, IdKind

        ids = {IdKind.DOI: work.reference.doi.lower()}
        found = FoundWork(work.reference, ids)
        self.open_literature().show_related(found, is_citing=is_citing)

    def open_watched_folders(self) -> "WatchedFoldersDialog":
        """Show the folders whose documents follow their files."""
        from desktop.ui.library.watched_folders import WatchedFoldersDialog

        dialog = WatchedFoldersDialog(self._worker, self._theme, self._shown_owner())
        dialog.changed.connect(self.desk.changed)
        if self.folders is not None:
            dialog.gone_wanted.connect(self.folders.ask)
        open_dialog(dialog)
        return dialog

    def open_notes(self, source_id: SourceId | None = None) -> None:
        """Show the notes of all documents and answers, or those of a source."""
        from desktop.ui.library.notes_page import NotesPage

        if self.notes is None:
            self.notes = NotesPage(self._worker, self._theme, self._strip, self._owner)
            self.page_made.emit(self.notes)
            self.notes.place_wanted.connect(self.note_place_wanted)
            self.notes.write_wanted.connect(self.note_file_wanted)
        self.notes.open_at(source_id)

    def retranslate(self) -> None:
        """Rebuild the library and the reader in the current language, at the same place."""
        old, reader = self.page, self.reader
        self.page = self.reader = None
        if old is not None:
            renew(old, lambda: self._open_like(old))
        if reader is not None:
            if reader.isVisible() and reader.place is not None:
                self.read(reader.place).go_where(reader)
            reader.deleteLater()

    def _open_like(self, old: "LibraryPage") -> "LibraryPage":
        """Open a page with the filter and the order of another."""
        page = self.open()
        page.model.filter = old.model.filter
        page.sort(Column(old.model.order), is_descending=old.model.is_descending)
        return page

    def ask_where_to_move(self, sources: Sequence[SourceId]) -> None:
        """Offer the projects for sources that were dragged from the library's window."""
        if self.page is not None:
            self.page.ask_where_to_move(sources)

    def prepare(self) -> None:
        """Make ready what shows pages, because a citation may be pressed soon."""
        if not self._is_prepared:
            self._is_prepared = True
            self._worker.do(_prepare)

    def read(self, place: ReaderPlace) -> "ReaderPanel":
        from desktop.ui.reader.panel import ReaderPanel

        if self.reader is None:
            reader = self.reader = ReaderPanel(self._worker, self._theme, self._owner)
            reader.opening.connect(lambda: self.reader_wanted.emit(reader))
            reader.closed.connect(self.reader_closed)
            reader.quote_wanted.connect(self.quote_wanted)
            reader.ask_wanted.connect(self.ask_wanted)
            reader.back_wanted.connect(self.back_wanted)
            reader.forward_wanted.connect(self.forward_wanted)
            reader.followed.connect(self.read)
            reader.hide()
        self.reader.open_at(place)
        self.reading.emit(place)
        return self.reader

    def _leave_removed(self, change: "Change[Sequence[Source]]") -> None:
        """Close the reader if its source was removed."""
        place = self.reader.place if self.reader is not None else None
        if place is not None and any(place.source_id == gone.id for gone in change.value):
            self.close_reader()

    def close_reader(self) -> None:
        if self.reader is not None and self.reader.isVisible():
            self.reader_closed.emit()

    def show_citations(self, citations: Sequence[Citation], number: int) -> None:
        """Open the source of a citation at its quotation.

        Citations of past sessions, and of sources that are gone, are shown in the panel first.
        """
        pressed = next((citation for citation in citations if citation.number == number), None)
        if pressed is not None:
            self._read_cited(pressed, lambda: self.panel_wanted.emit(citations, number))

    def open_citation(self, citation: Citation) -> None:
        self._read_cited(citation, lambda: self.session_wanted.emit(citation))

    def load_places(
        self, citations: Sequence[Citation], done: Callable[[Mapping[int, CitedPlace]], None]
    ) -> None:
        self._worker.do(lambda services: load_cited_places(services, citations), done)

    def load_session_times(
        self, citations: Sequence[Citation], done: Callable[[Mapping[SessionId, datetime]], None]
    ) -> None:
        ids = [SessionId(citation.source_id) for citation in citations]

        def work(services: "Services") -> Mapping[SessionId, datetime]:
            return {
                session.id: session.created_at for session in services.archive.some_sessions(ids)
            }

        self._worker.do(work, done)

    def _read_cited(self, citation: Citation, no_source: Callable[[], object]) -> None:
        """Open a cited source; `no_source` is called if it cites a session or is gone."""

        def found(place: ReaderPlace | None) -> None:
            if place is None:
                no_source()
            else:
                self.read(place)

        self._worker.do(lambda services: resolve_citation(services, citation), found)

    def take_dropped(self, paths: Sequence[Path]) -> None:
        """Add dropped documents to the library, conversations to the archive; ask if unclear."""
        self._worker.do(lambda _: sort_dropped_files(paths), self._send)

    def choose_files(self) -> None:
        DocumentsDialog(self._shown_owner()).ask_for_files(self.add)

    def choose_folder(self) -> None:
        title = self.tr("Add a folder to the library")
        FolderDialog(title, self._shown_owner()).ask_for_files(self.add)

    def add(self, paths: Sequence[Path]) -> None:
        from desktop.ui.library.adding import DocumentAdder

        if self._adder is None:
            self._adder = DocumentAdder(self._worker, self._strip, self)
            self._adder.added.connect(self.added)
            self._adder.first_added.connect(self.desk.changed)
        if paths:
            page = self.page if self.page and self.page.isVisible() else None
            self._adder.add(
                paths,
                page.strip if page else None,
                with_copies=self._changes.settings.copies_documents,
            )

    def add_page(self) -> None:
        from desktop.ui.library.add_page_dialog import AddWebPageDialog

        services, owner = self._worker.services, self.page or self._owner
        dialog = AddWebPageDialog(
            lambda address, stop: services.add_page(address, services.assistant.project, stop),
            texts=services.texts,
            bridge=self._worker.bridge,
            changes=self._changes,
            parent=owner,
        )
        dialog.added.connect(self.desk.changed)
        open_dialog(dialog)

    def _follow_browser(self, settings: "Settings") -> None:
        """Take pages from a browser while the settings allow it."""
        if self._worker.is_ready:
            self._browser.follow(is_wanted=settings.takes_pages)

    def _watch_folders(self) -> None:
        from desktop.ui.library.watched_folders import FolderWatcher

        self.folders = FolderWatcher(self._worker, self._strip, self)
        self.folders.changed.connect(self.desk.changed)

    def add_from_zotero(self) -> None:
        from desktop.ui.library.zotero_dialog import ZoteroDialog

        services = self._worker.services
        dialog = ZoteroDialog(
            services.zotero,
            services.assistant.project,
            services.texts,
            self._worker.bridge,
            self._shown_owner(),
        )
        dialog.added.connect(self.desk.changed)
        dialog.removal_wanted.connect(self.desk.remove)
        open_dialog(dialog)

    def _shown_owner(self) -> QWidget:
        return self.page if self.page and self.page.isVisible() else self._owner

    def _send(self, dropped: DroppedFiles) -> None:
        if dropped.unclear:
            self._ask(dropped)
        elif dropped.conversations:
            # One dialog after the other, or they would overlap.
            self.import_wanted.emit(dropped.conversations, lambda: self.add(dropped.documents))
        else:
            self.add(dropped.documents)

    def _ask(self, dropped: DroppedFiles) -> None:
        names = ", ".join(path.name for path in dropped.unclear)
        box = MessageBox(
            MessageBox.Icon.NoIcon,
            self.tr("%n file(s) look like conversations", "", len(dropped.unclear))
            + f"\n\n{names}",
            self.tr(
                "Sessions appear in the list and can be continued. Documents in the library "
                "can be cited in answers."
            ),
            self._owner,
        )
        box.offer(
            (self.tr("Import as sessions"), lambda: self._send(dropped.as_conversations())),
            (self.tr("Add to the library"), lambda: self._send(dropped.as_documents())),
            stay=self.tr("Cancel"),
        )


def _prepare(services: "Services") -> None:
    """On a worker: start the process that draws pages, and import the reader."""
    services.document_pages.start()
    import_module("desktop.ui.reader.panel")
