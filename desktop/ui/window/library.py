"""The library in the window: opening it, adding documents and pages, reading sources."""

# ruff: noqa: PLC0415 (windows and dialogs are imported when they are first opened)

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from desktop.domain.messages import Citation
from desktop.ui.dialogs.form import open_dialog
from desktop.ui.dialogs.settings.settings_controller import SettingsController
from desktop.ui.library.library_actions import DroppedFiles, LibraryActions, sort_dropped_files
from desktop.ui.reader.reader_content import (
    CitedPlace,
    ReaderPlace,
    load_cited_places,
    open_original,
    resolve_citation,
)
from desktop.ui.services import Worker
from desktop.ui.theme.theme import ThemeController
from desktop.ui.widgets.plain_text import MessageBox

if TYPE_CHECKING:
    from desktop.ui.library.window import LibraryWindow
    from desktop.ui.reader.window import ReaderWindow


class WindowLibrary(QObject):
    import_wanted = Signal(object, object)
    """Paths of conversations that were dropped; what is called when they are done with"""
    panel_wanted = Signal(object, int)  # Citations of an answer, and the number that was pressed
    session_wanted = Signal(object)  # Citation of what was said in a past session

    def __init__(
        self, window: QWidget, theme: ThemeController, worker: Worker, changes: SettingsController
    ) -> None:
        super().__init__(window)
        self._owner = window
        self._theme = theme
        self._worker = worker
        self._changes = changes
        self.desk = LibraryActions(worker, self)
        self.window: LibraryWindow | None = None
        self.reader: ReaderWindow | None = None

    def open(self) -> None:
        from desktop.ui.library.window import LibraryWindow

        if self.window is None:
            self.window = LibraryWindow(self.desk, self._theme, self._owner)
            self.window.add_wanted.connect(self.add)
            self.window.files_wanted.connect(self.choose_files)
            self.window.folder_wanted.connect(self.choose_folder)
            self.window.page_wanted.connect(self.add_page)
            self.window.place_wanted.connect(self.read)
            self.window.original_wanted.connect(partial(open_original, self._worker))
        self.window.show_at()

    def retranslate(self) -> None:
        """Open windows are built anew, in the language of now."""
        old, reader = self.window, self.reader
        self.window = self.reader = None
        if old is not None:
            if old.isVisible():
                self.open()
            old.deleteLater()
        if reader is not None:
            if reader.isVisible() and reader.wanted is not None:
                self.read(reader.wanted)
            reader.deleteLater()

    def read(self, place: ReaderPlace) -> None:
        """Open a source in the reader."""
        from desktop.ui.reader.window import ReaderWindow

        if self.reader is None:
            self.reader = ReaderWindow(self._worker, self._theme, self._owner)
        self.reader.open_at(place)

    def show_citations(self, citations: Sequence[Citation], number: int) -> None:
        """A number was pressed in an answer: its source opens at its words.

        What past sessions said is shown beside the answer first, and so is what is gone.
        """
        pressed = next((one for one in citations if one.number == number), None)
        if pressed is not None:
            self._read_cited(pressed, lambda: self.panel_wanted.emit(citations, number))

    def open_citation(self, citation: Citation) -> None:
        """In the reader, or where it was said."""
        self._read_cited(citation, lambda: self.session_wanted.emit(citation))

    def load_places(
        self, citations: Sequence[Citation], done: Callable[[Mapping[int, CitedPlace]], None]
    ) -> None:
        self._worker.do(lambda services: load_cited_places(services, citations), done)

    def _read_cited(self, citation: Citation, no_source: Callable[[], object]) -> None:
        """`no_source`: called where it cites a session, or what is gone."""

        def found(place: ReaderPlace | None) -> None:
            if place is None:
                no_source()
            else:
                self.read(place)

        self._worker.do(lambda services: resolve_citation(services, citation), found)

    def take_dropped(self, paths: Sequence[Path]) -> None:
        """Documents to the library, conversations to the archive; asked where either may be."""
        self._worker.do(lambda _: sort_dropped_files(paths), self._send)

    def choose_files(self) -> None:
        from desktop.ui.dialogs.files import DocumentsDialog

        DocumentsDialog(self._shown_owner()).ask_for_files(self.add)

    def choose_folder(self) -> None:
        from desktop.ui.dialogs.files import FolderDialog

        FolderDialog(self._shown_owner()).ask_for_files(self.add)

    def add(self, paths: Sequence[Path]) -> None:
        from desktop.ui.library.add_documents_dialog import AddDocumentsDialog

        if not paths:
            return
        services = self._worker.services
        dialog = AddDocumentsDialog(
            paths, services.library, services.texts, self._worker.bridge, self._shown_owner()
        )
        dialog.added.connect(self.desk.changed)
        open_dialog(dialog)

    def add_page(self) -> None:
        """Ask for the address of a web page, and read it."""
        from desktop.ui.library.add_web_page_dialog import AddWebPageDialog

        services, owner = self._worker.services, self.window or self._owner
        dialog = AddWebPageDialog(
            services.add_page, services.texts, self._worker.bridge, self._changes, owner
        )
        dialog.added.connect(self.desk.changed)
        open_dialog(dialog)

    def _shown_owner(self) -> QWidget:
        """The library window, where it is open."""
        return self.window if self.window and self.window.isVisible() else self._owner

    def _send(self, dropped: DroppedFiles) -> None:
        if dropped.unclear:
            self._ask(dropped)
        elif dropped.conversations:
            # One dialog after the other: together they lie over each other.
            self.import_wanted.emit(dropped.conversations, lambda: self.add(dropped.documents))
        else:
            self.add(dropped.documents)

    def _ask(self, dropped: DroppedFiles) -> None:
        names = ", ".join(path.name for path in dropped.unclear)
        box = MessageBox(
            MessageBox.Icon.Question,
            self.tr("%n file(s) look like conversations", "", len(dropped.unclear))
            + f"\n\n{names}",
            self.tr(
                "As sessions they appear in the list and can be continued. In the library "
                "they are documents that answers can cite."
            ),
            self._owner,
        )
        box.offer(
            (self.tr("Import as sessions"), lambda: self._send(dropped.as_conversations())),
            (self.tr("Add to the library"), lambda: self._send(dropped.as_documents())),
            stay=self.tr("Cancel"),
        )
