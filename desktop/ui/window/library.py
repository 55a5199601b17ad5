"""The library in the window: opening it, adding documents and pages, reading sources."""

# ruff: noqa: PLC0415 (see above)

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QWidget

from desktop.domain.messages import Citation
from desktop.ui.dialogs.settings.settings_controller import SettingsController
from desktop.ui.library.library_actions import DroppedFiles, LibraryActions, sort_dropped_files
from desktop.ui.reader.reader_content import ReaderActions, ReaderPlace
from desktop.ui.services import WindowServices
from desktop.ui.theme.theme import ThemeController
from desktop.ui.turn_bridge import TurnBridge
from desktop.ui.widgets.plain_text import MessageBox

if TYPE_CHECKING:
    from desktop.research.library import LibraryReport
    from desktop.ui.dialogs.files import FileDialog
    from desktop.ui.library.window import LibraryWindow
    from desktop.ui.reader.window import ReaderWindow


class WindowLibrary(QObject):
    import_wanted = Signal(object, object)
    """Paths of conversations that were dropped; what is called when they are done with"""
    panel_wanted = Signal(object, int)
    """Citations of an answer, and the number that was pressed"""
    session_wanted = Signal(object)
    """Citation of what was said in a past session"""

    def __init__(
        self,
        window: QWidget,
        theme: ThemeController,
        bridge: TurnBridge,
        changes: SettingsController,
    ) -> None:
        super().__init__(window)
        self._owner = window
        self._theme = theme
        self._changes = changes
        self.desk = LibraryActions(bridge, self)
        self.reading = ReaderActions(bridge, self)
        self.reading.failed.connect(self.desk.failed)
        self.window: LibraryWindow | None = None
        self.reader: ReaderWindow | None = None
        self._services: WindowServices | None = None

    def attach(self, services: WindowServices) -> None:
        self._services = services
        self.desk.attach(services)
        self.reading.attach(services)

    def open(self) -> None:
        if self._services is not None:
            self._made().open_at()

    def read(self, place: ReaderPlace) -> None:
        """Open a source in the reader."""
        from desktop.ui.reader.window import ReaderWindow

        if self._services is None:
            return
        if self.reader is None:
            self.reader = ReaderWindow(self.reading, self._theme, self._owner)
        self.reader.open_at(place)

    def show_citations(self, citations: Sequence[Citation], number: int) -> None:
        """A number was pressed in an answer: its source opens at its words.

        What past sessions said is shown beside the answer first, and so is what is gone.
        """
        pressed = next((one for one in citations if one.number == number), None)

        def found(place: ReaderPlace | None) -> None:
            if place is None:
                self.panel_wanted.emit(citations, number)
            else:
                self.read(place)

        if pressed is not None:
            self.reading.resolve(pressed, found)

    def open_citation(self, citation: Citation) -> None:
        """In the reader, or where it was said."""

        def found(place: ReaderPlace | None) -> None:
            if place is None:
                self.session_wanted.emit(citation)
            else:
                self.read(place)

        self.reading.resolve(citation, found)

    def take_dropped(self, paths: Sequence[Path]) -> None:
        """Documents to the library, conversations to the archive; asked where either may be."""
        self.desk.look_at(lambda: sort_dropped_files(paths), self._send)

    def choose_files(self) -> None:
        from desktop.ui.dialogs.files import DocumentsDialog

        self._choose(DocumentsDialog(self._owner))

    def choose_folder(self) -> None:
        from desktop.ui.dialogs.files import FolderDialog

        self._choose(FolderDialog(self._owner))

    def _choose(self, dialog: "FileDialog") -> None:
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.filesSelected.connect(lambda names: self.add([Path(name) for name in names]))
        dialog.open()

    def add(self, paths: Sequence[Path]) -> None:
        from desktop.ui.library.add_documents_dialog import AddDocumentsDialog

        services = self._services
        if services is None or not paths:
            return
        is_shown = self.window is not None and self.window.isVisible()
        owner = self.window if is_shown else self._owner
        dialog = AddDocumentsDialog(
            paths, services.library, services.texts, self.desk.bridge, owner
        )
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.added.connect(self._take_added)
        dialog.open()

    def add_page(self) -> None:
        """Ask for the address of a web page, and read it."""
        from desktop.ui.library.add_web_page_dialog import AddWebPageDialog

        if (services := self._services) is None:
            return
        owner = self.window or self._owner
        dialog = AddWebPageDialog(
            services.add_page, services.texts, self.desk.bridge, self._changes, owner
        )
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.added.connect(self.desk.changed)
        dialog.open()

    def _take_added(self, _report: "LibraryReport") -> None:
        self.desk.changed.emit()

    def _send(self, dropped: DroppedFiles) -> None:
        if dropped.unclear:
            self._ask(dropped)
            return
        if dropped.conversations:
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
        box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        sessions = box.addButton(self.tr("Import as sessions"), MessageBox.ButtonRole.AcceptRole)
        library = box.addButton(self.tr("Add to the library"), MessageBox.ButtonRole.AcceptRole)
        stay = box.addButton(self.tr("Cancel"), MessageBox.ButtonRole.RejectRole)
        box.setDefaultButton(sessions)
        box.setEscapeButton(stay)
        sessions.clicked.connect(lambda: self._send(dropped.as_conversations()))
        library.clicked.connect(lambda: self._send(dropped.as_documents()))
        box.open()

    def _made(self) -> "LibraryWindow":
        from desktop.ui.library.window import LibraryWindow

        if self.window is None:
            self.window = LibraryWindow(self.desk, self._theme, self._owner)
            self.window.add_wanted.connect(self.add)
            self.window.page_wanted.connect(self.add_page)
            self.window.place_wanted.connect(self.read)
            self.window.original_wanted.connect(self.reading.open_original)
        return self.window
