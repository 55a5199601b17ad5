"""The library window: lists documents and web pages; adds, opens, copies and removes them."""

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from desktop.domain.ids import SourceId
from desktop.domain.sources import SourceKind
from desktop.ui.dialogs.files import DocumentsDialog, FileDialog, FolderDialog
from desktop.ui.library.library_actions import FileDrop, LibraryActions
from desktop.ui.library.source_list import Sorting, SourceListModel, SourceListView
from desktop.ui.reader.reader_content import ReaderPlace
from desktop.ui.searchable_list import SearchableListWindow
from desktop.ui.theme.theme import ThemeController
from desktop.ui.widgets.buttons import Button, DangerButton
from desktop.ui.widgets.fields import EnumComboBox
from desktop.ui.widgets.menus import PopupMenu
from desktop.ui.widgets.message_bar import BarAction, BarMessage

_CHARACTERS, _LINES = 140, 44
_REMOVED = "removed"


class LibraryWindow(SearchableListWindow):
    model: SourceListModel
    list: SourceListView

    add_wanted = Signal(object)
    """Paths of files and folders"""
    page_wanted = Signal()
    """A web page is to be added by its address"""
    place_wanted = Signal(object)
    """ReaderPlace of a source that is to be read"""
    original_wanted = Signal(object)
    """Source whose own file or page is to be opened"""

    def __init__(
        self, actions: LibraryActions, theme: ThemeController, parent: QWidget | None = None
    ) -> None:
        model = SourceListModel()
        super().__init__(model, SourceListView(model, theme), theme, parent)
        self._actions = actions
        self._sorting = EnumComboBox(tuple(Sorting), self)
        self._files, self._folder, self._address = Button(), Button(), Button()
        self._first_files, self._first_folder = Button("primary"), Button()
        self._first_address = Button()
        self._open, self._original, self._copy = Button(), Button(), Button()
        self._remove = DangerButton()
        self._build()
        self._connect()
        self.retranslate()

    def open_at(self, source_id: SourceId | None = None) -> None:
        """Show it, at a source where one is meant."""
        self._show_at(source_id)
        self._focus_search()

    def load(self) -> None:
        self._actions.load(lambda known: self._refill(lambda: self.model.show_sources(known)))

    def retranslate(self) -> None:
        self.setWindowTitle(self.tr("Library"))
        self._title.setText(self.tr("Library"))
        self._set_search_text(self.tr("Search titles and addresses"))
        self._sorting.set_texts(
            self.tr("Newest first"), self.tr("By title"), self.tr("By kind"), self.tr("By size")
        )
        self._sorting.setAccessibleName(self.tr("Sort the sources"))
        self.list.setAccessibleName(self.tr("Sources"))
        self._files.setText(self.tr("Add &files…"))
        self._folder.setText(self.tr("Add f&older…"))
        self._address.setText(self.tr("Add &address…"))
        self._first_address.setText(self.tr("Add &address…"))
        self._first_files.setText(self.tr("Add &files…"))
        self._first_folder.setText(self.tr("Add f&older…"))
        self._open.setText(self.tr("&Read"))
        self._copy.setText(self.tr("&Keep a copy"))
        self._remove.setText(self.tr("Re&move"))
        self._close.setText(self.tr("C&lose"))
        self._empty_title.setText(self.tr("Nothing in the library yet"))
        self._empty.setText(
            self.tr(
                "Add the documents your answers should draw on: PDF, Word, EPUB, web "
                "pages saved as HTML, Markdown and plain text. Bellek reads them on this "
                "computer, searches them together with your sessions, and shows the exact "
                "words and page for every citation.\n\nYou can also drop files or folders "
                "on this window or the main window. Your files stay where they are. Web "
                "pages that Bellek reads for you are kept here too."
            )
        )
        self.model.retranslate_rows()
        self._show_state()

    def _build(self) -> None:
        full = QVBoxLayout()
        full.addLayout(self._head(self._address, self._folder, self._files))
        full.addLayout(self._search_row(self._sorting))
        full.addWidget(self._nothing)
        full.addWidget(self.list, 1)
        first, foot = QHBoxLayout(), QHBoxLayout()
        for button in (self._first_files, self._first_folder, self._first_address):
            first.addWidget(button)
        first.addStretch(1)
        for button in (self._open, self._original, self._copy, self._remove):
            foot.addWidget(button)
        foot.addStretch(1)
        self._lay_out(full, first, foot, characters=_CHARACTERS, lines=_LINES)

    def _connect(self) -> None:
        self._actions.changed.connect(self._look_again)
        self._actions.removed.connect(self._show_removed)
        self._sorting.chosen.connect(self._sort)
        self.list.chosen.connect(self._show_state)
        self.list.open_wanted.connect(self._read)
        self.list.remove_wanted.connect(self._remove_selected)
        self.list.customContextMenuRequested.connect(self._show_menu)
        for files in (self._files, self._first_files):
            files.clicked.connect(self._ask_for_files)
        for folder in (self._folder, self._first_folder):
            folder.clicked.connect(self._ask_for_folder)
        for address in (self._address, self._first_address):
            address.clicked.connect(self.page_wanted)
        self._open.clicked.connect(self._read)
        self._original.clicked.connect(self._open_original)
        self._copy.clicked.connect(self._keep_copies)
        self._remove.clicked.connect(self._remove_selected)
        FileDrop(self).dropped.connect(self.add_wanted)
        self._add_shortcut(QKeySequence.StandardKey.Open, self._ask_for_files)

    def _sort(self, sorting: Sorting) -> None:
        self._keep_chosen(lambda: self.model.sort_by(sorting))

    def _ask_for_files(self) -> None:
        self._ask(DocumentsDialog(self))

    def _ask_for_folder(self) -> None:
        self._ask(FolderDialog(self))

    def _ask(self, dialog: FileDialog) -> None:
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.filesSelected.connect(self._want)
        dialog.open()

    def _want(self, names: Sequence[str]) -> None:
        self.add_wanted.emit([Path(name) for name in names])

    def _read(self) -> None:
        if (shelved := self.list.current) is not None:
            self.place_wanted.emit(ReaderPlace(shelved.source.id))

    def _open_original(self) -> None:
        if (shelved := self.list.current) is not None:
            self.original_wanted.emit(shelved.source)

    def _keep_copies(self) -> None:
        self._actions.keep_copies([one.source for one in self.list.selected])

    def _remove_selected(self) -> None:
        if chosen := [one.source.id for one in self.list.selected]:
            self._actions.remove(chosen)

    def _show_menu(self, at: QPoint) -> None:
        if not self.list.selected:
            return
        menu = PopupMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        for button in (self._open, self._original, self._copy, self._remove):
            action = menu.addAction(button.text())
            action.setEnabled(button.isEnabled())
            action.triggered.connect(button.click)
        menu.popup(self.list.viewport().mapToGlobal(at))

    def _show_removed(self, sources: Sequence[SourceId]) -> None:
        def words() -> str:
            return self.tr(
                "%n source(s) removed from the library. Permanent after Bellek restarts.",
                "",
                len(sources),
            )

        def choices() -> Sequence[BarAction]:
            return (BarAction(self.tr("Undo"), lambda: self._restore(sources)),)

        self.strip.show_message(_REMOVED, BarMessage(words, choices))

    def _restore(self, sources: Sequence[SourceId]) -> None:
        self._wanted = next(iter(sources), None)
        self._actions.restore(sources)

    def _count_text(self, count: int) -> str:
        return self.tr("%Ln source(s)", "", count)

    def _not_found_text(self, query: str) -> str:
        return self.tr(
            "No title or address contains “{query}”. To search inside documents, use the "
            "search in the main window."
        ).format(query=query)

    def _show_state(self) -> None:
        super()._show_state()
        chosen = self.list.selected
        alone = chosen[0] if len(chosen) == 1 else None
        only = alone.source if alone is not None else None
        is_page = only is not None and only.kind is SourceKind.WEB
        is_there = is_page or (alone is not None and alone.size is not None)
        self._original.setText(self.tr("&Open in browser") if is_page else self.tr("&Open file"))
        for button in (self._open, self._original, self._copy, self._remove):
            button.setHidden(self._is_empty())
        self._open.setEnabled(only is not None)
        self._original.setEnabled(is_there)
        uncopied = [one for one in chosen if one.size is not None and not one.source.copy]
        self._copy.setEnabled(bool(uncopied))
        self._remove.setEnabled(bool(chosen))
