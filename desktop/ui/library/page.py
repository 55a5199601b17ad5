"""The library window: lists documents and web pages; adds, opens, copies and removes them."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtGui import QCursor, QKeySequence
from PySide6.QtWidgets import QMenu, QWidget

from desktop.domain.changes import Change
from desktop.domain.ids import SourceId
from desktop.domain.projects import COMMON, EVERYTHING, ProjectId, Wall
from desktop.domain.sources import Source, SourceKind
from desktop.language.links import is_web_address
from desktop.language.normalization import folded_key
from desktop.ui.dialogs.form import TagMenu
from desktop.ui.library.library_actions import (
    LibraryActions,
    LibraryListing,
    SourceListModel,
    SourceListView,
    dragged_sources,
)
from desktop.ui.reader.reader_content import ReaderPlace
from desktop.ui.searchable_list import SearchableListPage
from desktop.ui.theme.theme import ThemeController
from desktop.ui.theme.tokens import Space
from desktop.ui.widgets.buttons import Button, DangerButton, PopupMenu
from desktop.ui.widgets.layouts import column, flowing, growing, row
from desktop.ui.widgets.message_editor import DropTarget
from desktop.ui.widgets.plain_text import BodyLabel, TitleLabel

_REMOVED, _MOVED, _TAGGED, _SENT = "removed", "moved", "tagged", "sent"


class LibraryPage(SearchableListPage):
    act = "library"
    model: SourceListModel
    list: SourceListView

    add_wanted = Signal(object)  # paths of files and folders
    files_wanted = Signal()  # The user wants to pick files and add them
    folder_wanted = Signal()
    page_wanted = Signal()  # The user wants to add a web page by its address
    zotero_wanted = Signal()  # The user wants to add works from Zotero
    place_wanted = Signal(object)  # ReaderPlace of a source to read
    original_wanted = Signal(object)  # Source whose original is to be opened
    wall_wanted = Signal(object)  # Wall of a project that is chosen

    def __init__(
        self, actions: LibraryActions, theme: ThemeController, parent: QWidget | None = None
    ) -> None:
        model = SourceListModel()
        super().__init__(model, SourceListView(model, theme), theme, parent)
        self._actions = actions
        self._read_button = Button(text=self.tr("&Read"), press=self._read)
        self.filter_button = Button("choice")
        self.tags: Mapping[str, frozenset[SourceId]] = {}
        self._listing = LibraryListing()
        self._original = Button(press=self._open_original)
        self._copy = Button(
            text=self.tr("&Keep a copy"),
            press=lambda: actions.keep_copies(
                [listed_source.source for listed_source in self.list.selected]
            ),
        )
        self._remove = DangerButton(text=self.tr("Re&move"), press=self._remove_selected)
        self._buttons = (self._read_button, self._original, self._copy, self._remove)
        """The actions for the selected sources."""
        self._build()
        self._actions.changed.connect(self._look_again)
        self._actions.removed.connect(self._show_removed)
        self.list.chosen.connect(self._show_state)
        self.list.open_wanted.connect(self._read)
        self.list.remove_wanted.connect(self._remove_selected)
        self.list.customContextMenuRequested.connect(self._show_menu)
        DropTarget(self).dropped.connect(self.add_wanted)
        dropped = DropTarget(self.filter_button, dragged_sources).dropped
        dropped.connect(self.ask_where_to_move, Qt.ConnectionType.QueuedConnection)
        self.add_key(QKeySequence.StandardKey.Open, self.files_wanted.emit)
        self._show_state()

    def _build(self) -> None:
        self.setWindowTitle(self.tr("Library"))
        self.list.setAccessibleName(self.tr("Sources"))
        orders = (
            self.tr("Newest first"),
            self.tr("By title"),
            self.tr("By type"),
            self.tr("By size"),
        )
        search = self._search_row(
            self.tr("Search titles and addresses"), orders, self.tr("Sort the sources")
        )
        add = Button(text=self.tr("&Add"))
        add.setMenu(self._add_menu(add))
        head = self._head(self.tr("Library"), add)
        menu = QMenu(self.filter_button)
        menu.aboutToShow.connect(lambda: self._fill_filter(menu))
        self.filter_button.setMenu(menu)
        search = row(growing(search), self.filter_button)
        full = column(head, search, self._nothing, growing(self.list), spacing=Space.MEDIUM)
        nothing = self.tr(
            "Add documents for Bellek to use in answers: PDF, Word, EPUB, "
            "saved web pages (HTML), "
            "Markdown and plain text. Bellek reads them on this computer, searches them together "
            "with your sessions, and shows the exact words and page for every citation.\n\nYou "
            "can also drag files or folders to this window or the main window. Your files stay "
            "where they are. The library also contains the web pages that Bellek reads for you."
        )
        empty = (
            TitleLabel(self.tr("The library is empty")),
            BodyLabel(nothing, role="muted"),
            flowing(*self._add_buttons()),
        )
        self._lay_out(full, empty, flowing(*self._buttons))

    def _ways_to_add(self) -> Sequence[tuple[str, Callable[[], object]]]:
        return (
            (self.tr("Add &files…"), self.files_wanted.emit),
            (self.tr("Add f&older…"), self.folder_wanted.emit),
            (self.tr("Add &address…"), self.page_wanted.emit),
            (self.tr("From &Zotero…"), self.zotero_wanted.emit),
        )

    def _add_buttons(self) -> Sequence[Button]:
        kinds = ("primary", "", "", "")
        ways = zip(kinds, self._ways_to_add(), strict=True)
        return [Button(kind, text=words, press=add) for kind, (words, add) in ways]

    def _add_menu(self, parent: QWidget) -> PopupMenu:
        menu = PopupMenu(parent)
        for words, add in self._ways_to_add():
            menu.addAction(words, add)
        return menu

    def load(self) -> None:
        self._actions.load(lambda listing: self._refill(lambda: self._show_items(listing)))

    def _show_items(self, listing: LibraryListing) -> None:
        self._listing, items = listing, listing.items
        self.tags = {
            name: frozenset(entry.item.source.id for entry in items if name in entry.item.tags)
            for name in sorted(
                {name for entry in items for name in entry.item.tags}, key=folded_key
            )
        }
        if self.model.tag not in self.tags:
            self.model.tag = ""
        self.model.show_items(items)

    def _walls(self) -> Mapping[Wall, str]:
        """Return the walls that can be chosen, with their names."""
        if not self._listing.projects:
            return {}
        common = {EVERYTHING: self.tr("All projects"), COMMON: self.tr("No project")}
        return common | {Wall(project.id): project.name for project in self._listing.projects}

    def _fill_filter(self, menu: QMenu) -> None:
        menu.clear()
        for wall, name in self._walls().items():
            choose = partial(self.wall_wanted.emit, wall)
            self._add_choice(menu, name, choose, is_chosen=wall == self._listing.wall)
        menu.addSeparator()
        choices = [(self.tr("All sources"), ""), *((f"# {name}", name) for name in self.tags)]
        for label, name in choices if self.tags else ():
            choose = partial(self._choose_tag, name)
            self._add_choice(menu, label, choose, is_chosen=name == self.model.tag)

    def _add_choice(
        self, menu: QMenu, label: str, choose: Callable[[], object], *, is_chosen: bool
    ) -> None:
        action = menu.addAction(label.replace("&", "&&"), choose)
        action.setCheckable(True)
        action.setChecked(is_chosen)

    def _choose_tag(self, name: str) -> None:
        self.model.tag = name
        self.load()

    def _read(self) -> None:
        if (current := self.list.current) is not None:
            self.place_wanted.emit(ReaderPlace(current.source.id))

    def _open_original(self) -> None:
        if (current := self.list.current) is not None:
            self.original_wanted.emit(current.source)

    def _remove_selected(self) -> None:
        if chosen := [listed_source.source.id for listed_source in self.list.selected]:
            self._actions.remove(chosen)

    def _show_menu(self, at: QPoint) -> None:
        if self.list.selected:
            self.menu_of_selected().popup(self.list.viewport().mapToGlobal(at))

    def menu_of_selected(self) -> PopupMenu:
        """Return the menu of the selected sources, which can be moved if there are projects."""
        menu = PopupMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        for button in self._buttons:
            action = menu.addAction(button.text())
            action.setEnabled(button.isEnabled())
            action.triggered.connect(button.click)
        ids = [listed_source.source.id for listed_source in self.list.selected]
        menu.addMenu(TagMenu(self.tags, ids, partial(self._tag, ids), menu))
        menu.addAction(self.tr("Send to Zotero"), partial(self._send_to_zotero, ids))
        if self._listing.projects:
            self._add_places(menu.addMenu(self.tr("Move to project")), ids)
        return menu

    def _send_to_zotero(self, sent: Sequence[SourceId]) -> None:
        def show(count: int) -> None:
            sentence = self.tr("%n work(s) sent to the collection selected in Zotero.", "", count)
            self.strip.show_message(_SENT, sentence)

        self._actions.send_to_zotero(sent, show)

    def ask_where_to_move(self, sources: Sequence[SourceId]) -> None:
        """Offer the projects when sources are dropped."""
        menu = PopupMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._add_places(menu, sources)
        menu.popup(QCursor.pos())

    def _add_places(self, menu: QMenu, sources: Sequence[SourceId]) -> None:
        for wall, name in self._walls().items():
            if not wall.is_open:
                menu.addAction(name.replace("&", "&&"), partial(self._move, sources, wall.project))

    def _move(self, moved: Sequence[SourceId], project: ProjectId) -> None:
        def show(change: Change[Any]) -> None:
            sentence = self.tr("%n source(s) moved.", "", len(moved))
            self.strip.show_message(_MOVED, sentence, undo=self._actions.undoes(change))

        self._actions.move(moved, project, show)

    def _tag(self, among: Sequence[SourceId], name: str, is_on: bool) -> None:  # noqa: FBT001 (a slot)
        def show(change: Change[Sequence[SourceId]]) -> None:
            added = self.tr("%n source(s) tagged “{name}”.", "", len(change.value))
            removed = self.tr("Tag “{name}” removed from %n source(s).", "", len(change.value))
            sentence = (added if is_on else removed).format(name=name)
            self.strip.show_message(_TAGGED, sentence, undo=self._actions.undoes(change))

        self._actions.tag(name, among, is_on, show)

    def _show_removed(self, change: Change[Sequence[Source]]) -> None:
        def undo() -> None:
            self._pending_key = change.value[0].id
            self._actions.undoes(change)()

        words = self.tr(
            "%n source(s) removed. The removal becomes permanent when Bellek restarts.",
            "",
            len(change.value),
        )
        self.strip.show_message(_REMOVED, words, undo=undo)

    @property
    def holds_work(self) -> bool:
        return _REMOVED in self.strip

    def _is_empty(self) -> bool:
        return super()._is_empty() and (self._listing.wall.is_open or not self._listing.projects)

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
        only = chosen[0] if len(chosen) == 1 else None
        is_page = only is not None and only.source.kind is SourceKind.WEB
        is_there = only is not None and only.size is not None
        if only is not None and is_page:
            is_there = is_web_address(only.source.address)
        self._original.setText(self.tr("&Open in browser") if is_page else self.tr("&Open file"))
        named, tag = self._walls().get(self._listing.wall, ""), self.model.tag
        shown = " · ".join(filter(None, (named, f"# {tag}" if tag else "")))
        self.filter_button.setText((shown or self.tr("All sources")).replace("&", "&&"))
        self.filter_button.setVisible(bool(self.tags or self._listing.projects))
        if not self.model.count:
            self._nothing.setText(self.tr("This project has no sources."))
            self._nothing.show()
        for button in self._buttons:
            button.setHidden(self._is_empty())
        self._read_button.setEnabled(only is not None)
        self._original.setEnabled(is_there)
        uncopied = [
            listed_source
            for listed_source in chosen
            if listed_source.size is not None and not listed_source.source.copy
        ]
        self._copy.setEnabled(bool(uncopied))
        self._remove.setEnabled(bool(chosen))
