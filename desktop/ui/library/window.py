"""The library window: every document and web page that can be cited, and what is done with them.

It stays beside the main window; nothing in it waits for the disk.
"""

from collections.abc import Callable, Sequence
from pathlib import Path

from PySide6.QtCore import QEvent, QPoint, Qt, Signal
from PySide6.QtGui import QKeyEvent, QKeySequence, QShortcut
from PySide6.QtWidgets import (
    QDialog,
    QFileDialog,
    QHBoxLayout,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from desktop.domain.ids import SourceId
from desktop.domain.sources import SourceKind
from desktop.ui.dialogs.choices import DropDown
from desktop.ui.dialogs.form import Button, Hint, Title, Words, fit, width_of
from desktop.ui.file_drop import FileDrop
from desktop.ui.library.desk import LibraryDesk
from desktop.ui.library.known import Shelved, Sorting
from desktop.ui.library.model import SourceListModel
from desktop.ui.library.view import SourceListView
from desktop.ui.notice_strip import Choice, Notice, NoticeStrip
from desktop.ui.reader.reading import ReaderPlace
from desktop.ui.theme.theme import ThemeController
from desktop.ui.theme.tokens import Space
from desktop.ui.widgets.menu import Menu
from desktop.ui.widgets.search_field import SearchField

_CHARACTERS, _LINES = 140, 44
_REMOVED = "removed"


class LibraryWindow(QDialog):
    add_wanted = Signal(object)
    """Paths of files and folders"""
    page_wanted = Signal()
    """A web page is to be added by its address"""
    place_wanted = Signal(object)
    """ReaderPlace of a source that is to be read"""
    original_wanted = Signal(object)
    """Source whose own file or page is to be opened"""

    def __init__(
        self, desk: LibraryDesk, theme: ThemeController, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._desk = desk
        self._wanted: SourceId | None = None
        self.is_loaded = False
        self.model = SourceListModel(parent=self)
        self.search = SearchField(theme, self)
        self._sorting = DropDown(tuple(Sorting), self)
        self.list = SourceListView(self.model, theme, self)
        self._title, self._count = Title(self), Hint(self)
        self._nothing = Words(self)
        self._empty_title, self._empty = Title(self), Words(self)
        self._files, self._folder, self._address = Button(), Button(), Button()
        self._first_files, self._first_folder = Button("primary"), Button()
        self._first_address = Button()
        self._open, self._original, self._copy = Button(), Button(), Button()
        self._remove, self._close = Button("danger"), Button()
        self.strip = NoticeStrip(theme, self)
        self._pages = QStackedWidget(self)
        self._build(theme)
        self._connect()
        self.retranslate()

    def open_at(self, source_id: SourceId | None = None) -> None:
        """Show it, at a source where one is meant."""
        self._wanted = source_id
        self.show()
        self.raise_()
        self.activateWindow()
        self.load()
        self.search.setFocus(Qt.FocusReason.OtherFocusReason)

    def load(self) -> None:
        self._desk.load(self._show_sources)

    def retranslate(self) -> None:
        self.setWindowTitle(self.tr("Library"))
        self._title.setText(self.tr("Library"))
        self.search.setPlaceholderText(self.tr("Search titles and addresses"))
        self.search.setAccessibleName(self.tr("Search titles and addresses"))
        self._sorting.say(
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
                "Put in what your answers are to rest on: PDF, Word, EPUB, web pages saved as "
                "HTML, markdown and plain text. Bellek reads them here, on this computer, finds "
                "them beside your sessions, and shows for every citation the very words and the "
                "page they stand on.\n\n"
                "You can also drop files or a folder on this window or on the main window. Your "
                "files stay where they are. Pages that Bellek reads on the web for you are kept "
                "here as well."
            )
        )
        self.model.say_again()
        self._say()

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange:
            self.retranslate()
            self.strip.retranslate()
        super().changeEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        # The list goes back to the search before the window closes.
        if event.key() == Qt.Key.Key_Escape and self.list.hasFocus():
            self.search.setFocus(Qt.FocusReason.OtherFocusReason)
            event.accept()
        else:
            super().keyPressEvent(event)

    def _build(self, theme: ThemeController) -> None:
        self._title.setWordWrap(False)
        # No key leads here from elsewhere.
        self.search.set_hint(QKeySequence())
        for label in (self._nothing, self._empty):
            label.setProperty("role", "muted")
        self._pages.addWidget(self._shelf())
        self._pages.addWidget(self._first())
        foot = QHBoxLayout()
        foot.setSpacing(Space.SMALL)
        for button in (self._open, self._original, self._copy, self._remove):
            foot.addWidget(button)
        foot.addStretch(1)
        foot.addWidget(self._close)
        column = QVBoxLayout(self)
        column.setContentsMargins(*(Space.WIDE,) * 4)
        column.setSpacing(Space.MEDIUM)
        column.addWidget(self._pages, 1)
        column.addWidget(self.strip)
        column.addLayout(foot)
        theme.theme_changed.connect(self.list.doItemsLayout)
        height = _LINES * self.fontMetrics().lineSpacing()
        fit(self, width_of(self, _CHARACTERS), height)

    def _shelf(self) -> QWidget:
        page = QWidget(self)
        head = QHBoxLayout()
        head.setSpacing(Space.SMALL)
        head.addWidget(self._title)
        head.addWidget(self._count, 1)
        head.addWidget(self._address)
        head.addWidget(self._folder)
        head.addWidget(self._files)
        search = QHBoxLayout()
        search.setSpacing(Space.SMALL)
        search.addWidget(self.search, 1)
        search.addWidget(self._sorting)
        inside = QVBoxLayout(page)
        inside.setContentsMargins(0, 0, 0, 0)
        inside.setSpacing(Space.MEDIUM)
        inside.addLayout(head)
        inside.addLayout(search)
        inside.addWidget(self._nothing)
        inside.addWidget(self.list, 1)
        return page

    def _first(self) -> QWidget:
        """While there is nothing."""
        page = QWidget(self)
        column = QVBoxLayout(page)
        column.setContentsMargins(*(2 * Space.WIDE,) * 4)
        column.setSpacing(Space.LARGE)
        column.addStretch(1)
        column.addWidget(self._empty_title)
        column.addWidget(self._empty)
        buttons = QHBoxLayout()
        buttons.setSpacing(Space.SMALL)
        buttons.addWidget(self._first_files)
        buttons.addWidget(self._first_folder)
        buttons.addWidget(self._first_address)
        buttons.addStretch(1)
        column.addLayout(buttons)
        column.addStretch(2)
        return page

    def _connect(self) -> None:
        self._desk.changed.connect(self._look_again)
        self._desk.removed.connect(self._say_removed)
        self.search.textChanged.connect(self._find)
        self.search.left_downwards.connect(self.list.enter)
        self.search.left.connect(self.reject)
        self._sorting.chosen.connect(self._sort)
        self.list.chosen.connect(self._say)
        self.list.open_wanted.connect(self._read)
        self.list.remove_wanted.connect(self._take_out)
        self.list.left_upwards.connect(
            lambda: self.search.setFocus(Qt.FocusReason.OtherFocusReason)
        )
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
        self._remove.clicked.connect(self._take_out)
        self._close.clicked.connect(self.reject)
        FileDrop(self).dropped.connect(self.add_wanted)
        for keys, act in (
            (QKeySequence.StandardKey.Find, self._go_to_search),
            (QKeySequence.StandardKey.Open, self._ask_for_files),
            (QKeySequence.StandardKey.Close, self.reject),
        ):
            QShortcut(QKeySequence(keys), self).activated.connect(act)

    def _go_to_search(self) -> None:
        self.search.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.search.selectAll()

    def _look_again(self) -> None:
        if self.isVisible():
            self.load()

    def _show_sources(self, known: Sequence[Shelved]) -> None:
        self.is_loaded = True
        current, place = self.list.current, self.list.currentIndex().row()
        wanted = self._wanted or (current.source.id if current else None)
        self._wanted = None
        at = self.list.verticalScrollBar().value()
        self.model.show_sources(known)
        self.list.verticalScrollBar().setValue(at)
        if not self.list.choose(wanted):
            self.list.setCurrentIndex(self.model.nearest(max(place, 0)))
        self._say()

    def _find(self, query: str) -> None:
        self._keep_chosen(lambda: self.model.find(query))
        self._say()

    def _sort(self, sorting: Sorting) -> None:
        self._keep_chosen(lambda: self.model.sort_by(sorting))

    def _keep_chosen(self, change: Callable[[], None]) -> None:
        chosen = self.list.current
        change()
        if not self.list.choose(chosen.source.id if chosen else None):
            self.list.setCurrentIndex(self.model.nearest(0))

    def _ask_for_files(self) -> None:
        dialog = QFileDialog(self, self.tr("Add to the library"))
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.setFileMode(QFileDialog.FileMode.ExistingFiles)
        kinds = self.tr(
            "Documents (*.pdf *.docx *.docm *.epub *.html *.htm *.xhtml *.md *.markdown *.txt)"
        )
        dialog.setNameFilters([kinds, self.tr("All files (*)")])
        dialog.filesSelected.connect(self._want)
        dialog.open()

    def _ask_for_folder(self) -> None:
        dialog = QFileDialog(self, self.tr("Add a folder to the library"))
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.setFileMode(QFileDialog.FileMode.Directory)
        dialog.setOption(QFileDialog.Option.ShowDirsOnly)
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
        self._desk.keep_copies([one.source for one in self.list.selected])

    def _take_out(self) -> None:
        if chosen := [one.source.id for one in self.list.selected]:
            self._desk.remove(chosen)

    def _show_menu(self, at: QPoint) -> None:
        if not self.list.selected:
            return
        menu = Menu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        for button in (self._open, self._original, self._copy, self._remove):
            action = menu.addAction(button.text())
            action.setEnabled(button.isEnabled())
            action.triggered.connect(button.click)
        menu.popup(self.list.viewport().mapToGlobal(at))

    def _say_removed(self, sources: Sequence[SourceId]) -> None:
        def words() -> str:
            return self.tr(
                "%n source(s) removed from the library. For good once Bellek is started again.",
                "",
                len(sources),
            )

        def choices() -> Sequence[Choice]:
            return (Choice(self.tr("Undo"), lambda: self._bring_back(sources)),)

        self.strip.put(_REMOVED, Notice(words, choices))

    def _bring_back(self, sources: Sequence[SourceId]) -> None:
        self._wanted = next(iter(sources), None)
        self._desk.restore(sources)

    def _say(self) -> None:
        count, found = self.model.count, self.model.found
        is_empty = self.is_loaded and not count
        self._pages.setCurrentIndex(1 if is_empty else 0)
        self._count.setText(self.tr("%Ln source(s)", "", count) if count else "")
        query = " ".join(self.search.text().split())
        self._nothing.setVisible(bool(query) and not found and count > 0)
        self._nothing.setText(
            self.tr(
                "No title or address has “{query}”. The words inside are found by the search of "
                "the main window."
            ).format(query=query)
        )
        self._say_buttons(is_empty=is_empty)

    def _say_buttons(self, *, is_empty: bool) -> None:
        chosen = self.list.selected
        only = chosen[0].source if len(chosen) == 1 else None
        is_page = only is not None and only.kind is SourceKind.WEB
        self._original.setText(self.tr("&Open in browser") if is_page else self.tr("&Open file"))
        for button in (self._open, self._original, self._copy, self._remove):
            button.setHidden(is_empty)
        self._open.setEnabled(only is not None)
        self._original.setEnabled(only is not None)
        uncopied = [one for one in chosen if one.size is not None and not one.source.copy]
        self._copy.setEnabled(bool(uncopied))
        self._remove.setEnabled(bool(chosen))
