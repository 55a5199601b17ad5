"""The page of the library: a table of its works; adds, reads, edits, copies and removes them."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtGui import QCursor, QKeySequence
from PySide6.QtWidgets import QMenu, QWidget

from desktop.domain.changes import Change
from desktop.domain.ids import SourceId
from desktop.domain.projects import ProjectId
from desktop.domain.references import Work
from desktop.domain.sources import Source, SourceKind
from desktop.language.links import is_web_address
from desktop.language.normalization import sort_key
from desktop.ui.dialogs.form import TagMenu, TextQuestion, open_dialog, open_folder
from desktop.ui.formatting import kind_of
from desktop.ui.i18n import core_texts
from desktop.ui.library.filter_button import FilterButton
from desktop.ui.library.library_actions import CopiedReferences, LibraryActions, LibraryListing
from desktop.ui.library.reference_form import DuplicatesDialog, ReferenceForm
from desktop.ui.library.table import WorkAct, WorkTable
from desktop.ui.library.table_model import (
    Column,
    ListedWork,
    WorkFilter,
    WorkTableModel,
    dragged_sources,
)
from desktop.ui.reader.reader_content import ReaderPlace
from desktop.ui.searchable_list import SearchableListPage
from desktop.ui.theme.theme import ThemeController
from desktop.ui.theme.tokens import Space
from desktop.ui.widgets.buttons import Button, PopupMenu, clear_menu
from desktop.ui.widgets.fields import PageTabs
from desktop.ui.widgets.layouts import STRETCH, column, flowing, growing, row, set_tab_order
from desktop.ui.widgets.message_editor import DropTarget
from desktop.ui.widgets.plain_text import BodyLabel, TitleLabel

_REMOVED, _MOVED, _TAGGED, _EDITED = "removed", "moved", "tagged", "edited"
_MARKED, _COPIED, _SENT, _MERGED = "marked", "copied", "sent", "merged"
_SHOWN = 4  # Acts that have a button of their own


class LibraryPage(SearchableListPage):
    act = "library"
    model: WorkTableModel
    list: WorkTable

    add_wanted = Signal(object)  # paths of files and folders
    files_wanted = Signal()  # The user wants to pick files and add them
    folder_wanted = Signal()
    page_wanted = Signal()  # The user wants to add a web page by its address
    zotero_wanted = Signal()  # The user wants to add works from Zotero
    watched_wanted = Signal()  # The user wants to watch a folder
    literature_wanted = Signal()
    related_wanted = Signal(object, bool)
    """Work, and whether those that cite it are wanted, or else those that it cites"""
    place_wanted = Signal(object)  # ReaderPlace of a source to read
    notes_wanted = Signal(object)  # SourceId
    original_wanted = Signal(object)  # Source whose original is to be opened
    wall_wanted = Signal(object)  # Wall of a project that is chosen
    ask_wanted = Signal(object, str)  # SourceId and title of what a question is about
    inside_wanted = Signal(str)  # words to be searched in the documents

    def __init__(
        self, actions: LibraryActions, theme: ThemeController, parent: QWidget | None = None
    ) -> None:
        model = WorkTableModel()
        super().__init__(model, WorkTable(model, theme), theme, parent)
        self._actions = actions
        self.filter_button = FilterButton(model)
        self.tags: Mapping[str, frozenset[SourceId]] = {}
        self._listing = LibraryListing()
        self._inside = Button(
            text=self.tr("Search &inside documents"),
            press=lambda: self.inside_wanted.emit(self._query()),
        )
        self._duplicates: Sequence[Sequence[ListedWork]] = ()
        self._same = Button("link", press=self._show_duplicates)
        self._same.hide()
        self._buttons = [Button(press=partial(self._press, place)) for place in range(_SHOWN)]
        self._more = Button(text="⋯", name=self.tr("More"))
        self._build()
        self._actions.changed.connect(self._look_again)
        self._actions.removed.connect(self._show_removed)
        self.list.chosen.connect(self._show_state)
        self.list.open_wanted.connect(lambda: self._press(0))
        self.list.remove_wanted.connect(self._remove_selected)
        self.list.customContextMenuRequested.connect(self._show_menu)
        self.list.sort_wanted.connect(self._sort_again)
        self.filter_button.wall_wanted.connect(self.wall_wanted)
        self.filter_button.filter_wanted.connect(self._filter)
        self.filter_button.sort_wanted.connect(
            lambda column, is_descending: self.sort(column, is_descending=is_descending)
        )
        DropTarget(self).dropped.connect(self.add_wanted)
        dropped = DropTarget(self.filter_button, dragged_sources).dropped
        dropped.connect(self.ask_where_to_move, Qt.ConnectionType.QueuedConnection)
        self.add_key(QKeySequence.StandardKey.Open, self.files_wanted.emit)
        self.add_key(QKeySequence.StandardKey.Copy, self._copy_by_key)
        self.list.show_order()
        self._show_state()

    def _build(self) -> None:
        self.setWindowTitle(self.tr("Library"))
        self.list.setAccessibleName(self.tr("Sources"))
        self.search.set_name(self.tr("Search title, author, year, DOI, tag"))
        add = Button(text=self.tr("&Add"))
        add.setMenu(self._add_menu(add))
        names = (self.tr("My library"), self.tr("Literature"))
        tabs = PageTabs(self.tr("Library and literature"), names, 0)
        tabs.wanted.connect(lambda _: self.literature_wanted.emit())
        more = PopupMenu(self._more)
        more.aboutToShow.connect(lambda: self._fill_menu(more, self.acts()[_SHOWN:]))
        self._more.setMenu(more)
        search = row(growing(self.search), self.filter_button)
        nothing_row = row(growing(self._nothing), self._inside)
        parts = (search, row(self._same, STRETCH), nothing_row, growing(self.list))
        full = column(*parts, spacing=Space.MEDIUM)
        nothing = self.tr(
            "Add documents for Bellek to use in answers: PDF, Word, EPUB, "
            "saved web pages (HTML), "
            "Markdown and plain text. Bellek reads them on this computer, searches them together "
            "with your sessions, and shows the exact words and page for every citation.\n\nYou "
            "can also drag files or folders to this window. Your files stay "
            "where they are. The library also contains the web pages that Bellek reads for you."
        )
        empty = (
            TitleLabel(self.tr("The library is empty")),
            BodyLabel(nothing, role="muted"),
            flowing(*self._add_buttons()),
        )
        head = row(tabs, growing(self._count), add, spacing=Space.LARGE)
        self._lay_out(full, empty, flowing(*self._buttons, self._more), head)
        set_tab_order(
            tabs, add, self.search, self.filter_button, self._same, self._inside, self.list
        )

    def _ways_to_add(self) -> Sequence[tuple[str, Callable[[], object]]]:
        return (
            (self.tr("Add &files…"), self.files_wanted.emit),
            (self.tr("Add f&older…"), self.folder_wanted.emit),
            (self.tr("Add &web page…"), self.page_wanted.emit),
            (self.tr("From &Zotero…"), self.zotero_wanted.emit),
            (self.tr("&Watch folder…"), self.watched_wanted.emit),
        )

    def _add_buttons(self) -> Sequence[Button]:
        kinds = ("primary", "", "", "", "")
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
                {name for entry in items for name in entry.item.tags},
                key=lambda name: sort_key(name, core_texts().language),
            )
        }
        self.filter_button.set_choices(listing, self.tags)
        filtered = self.model.filter
        if filtered.tag not in self.tags:
            filtered = replace(filtered, tag="")
        kinds = {kind_of(entry.item.work) for entry in items}
        if filtered.kind not in kinds:
            filtered = replace(filtered, kind="")
        self.model.filter = filtered
        self.model.show_items(items)
        self._actions.find_duplicates(items, self._offer_duplicates)

    def _offer_duplicates(self, groups: Sequence[Sequence[ListedWork]]) -> None:
        self._duplicates = groups
        self._same.setText(self.tr("%n possible duplicate(s)", "", len(groups)))
        self._same.setHidden(not groups)

    def _show_duplicates(self) -> None:
        dialog = DuplicatesDialog(self._duplicates, self.model.words, self)
        dialog.merge_wanted.connect(self._merge)
        open_dialog(dialog)

    def _merge(self, ids: Sequence[SourceId], stays: SourceId) -> None:
        def show(change: Change[Work]) -> None:
            words = self.tr("Merged into “{title}”.").format(title=change.value.source.title)
            self.strip.show_message(_MERGED, words, undo=self._actions.undoes(change))

        self._actions.merge(ids, stays, show)

    def _filter(self, wanted: WorkFilter) -> None:
        self.model.filter = wanted
        self._refill(lambda: self.model.find(self.search.text()))

    def _sort_again(self, clicked: Column) -> None:
        """Sort by a column, or turn its order around."""
        turns = clicked == self.model.order
        self.sort(clicked, is_descending=not self.model.is_descending if turns else None)

    def sort(self, column: Column, *, is_descending: bool | None = None) -> None:
        """Sort by a column; None: as it is usual for it."""
        self._keep_chosen(lambda: self.model.sort_by(column, is_descending=is_descending))
        self.list.show_order()

    def acts(self) -> Sequence[WorkAct]:
        """Return what can be done with the selected works, the most used first."""
        works = self.list.selected
        ids = [listed.source.id for listed in works]
        only = works[0] if len(works) == 1 else None
        is_page = only is not None and only.source.kind is SourceKind.WEB
        is_read = bool(works) and all(listed.is_read for listed in works)
        has_file = only is not None and only.size is not None
        uncopied = [
            listed.source for listed in works if listed.size is not None and not listed.source.copy
        ]
        is_original_there = has_file or (
            only is not None and is_page and is_web_address(only.source.address)
        )
        ask = self.tr("A&sk about these") if len(works) > 1 else self.tr("A&sk about this")
        mark = self.tr("Mark as &unread") if is_read else self.tr("Mark as rea&d")
        keep_copies = partial(self._actions.keep_copies, uncopied)
        has_scans = any(listed.source.needs_ocr for listed in works)
        has_doi = bool(only and only.work.reference.doi)
        related = partial(self.related_wanted.emit, only and only.work)
        original = self.tr("&Open in browser") if is_page else self.tr("&Open file")
        return (
            WorkAct(self.tr("&Read"), self._read, only is not None),
            WorkAct(ask, self._ask, bool(works)),
            WorkAct(self.tr("&Edit reference…"), self._edit, only is not None, begins_group=True),
            WorkAct(self.tr("&Copy reference"), partial(self._copy, ids), bool(works)),
            WorkAct(
                self.tr("Copy as &BibTeX"), partial(self._copy, ids, as_bibtex=True), bool(works)
            ),
            WorkAct(self.tr("Re&name…"), self._rename, only is not None),
            WorkAct(self.tr("No&tes"), self._show_notes, only is not None),
            WorkAct(mark, partial(self._mark, ids, not is_read), bool(works)),
            WorkAct(self.tr("Com&plete by DOI"), self._complete, has_doi, begins_group=True),
            WorkAct(self.tr("Works that c&ite it"), partial(related, True), has_doi),
            WorkAct(self.tr("Works that it cites"), partial(related, False), has_doi),
            WorkAct(original, self._open_original, is_original_there, begins_group=True),
            WorkAct(self.tr("Show in &folder"), self._show_folder, has_file and not is_page),
            WorkAct(self.tr("&Keep a copy"), keep_copies, bool(uncopied)),
            WorkAct(self.tr("Read scanned pa&ges"), self._actions.read_scans, has_scans),
            WorkAct(self.tr("Re&move"), self._remove_selected, bool(works)),
        )

    def _press(self, place: int) -> None:
        act = self.acts()[place]
        if act.is_possible:
            act.act()

    def _read(self) -> None:
        if (current := self.list.current) is not None:
            self.place_wanted.emit(ReaderPlace(current.source.id))

    def _show_notes(self) -> None:
        if (current := self.list.current) is not None:
            self.notes_wanted.emit(current.source.id)

    def _ask(self) -> None:
        works = self.list.selected
        self.left.emit()
        for listed in works:
            self.ask_wanted.emit(listed.source.id, listed.source.title)

    def _open_original(self) -> None:
        if (current := self.list.current) is not None:
            self.original_wanted.emit(current.source)

    def _show_folder(self) -> None:
        if (current := self.list.current) is not None:
            open_folder(Path(current.source.address).parent)

    def _edit(self) -> None:
        if (current := self.list.current) is not None:
            form = ReferenceForm(
                current.work, self.model.words.of_source.types(), core_texts(), self
            )
            form.written.connect(partial(self._store, current.source.id))
            open_dialog(form)

    def _complete(self) -> None:
        if (current := self.list.current) is not None:
            before, title = current.work.reference, current.source.title
            nothing = self.tr("Nothing was missing in the reference of “{title}”.")

            def show(change: Change[Work]) -> None:
                if change.value.reference.csl == before.csl:
                    self.strip.show_message(_EDITED, nothing.format(title=title))
                else:
                    self._show_stored(change)

            self._actions.complete(current.source.id, show)

    def _rename(self) -> None:
        if (current := self.list.current) is not None:
            source = current.source

            def store(title: str) -> None:
                if (title := " ".join(title.split())) and title != source.title:
                    self._store(source.id, {"title": title})

            title = self.tr("Rename")
            TextQuestion(self, title, self.tr("Title"), store, text=source.title)

    def _store(self, source_id: SourceId, fields: Mapping[str, Any]) -> None:
        self._actions.edit(source_id, fields, self._show_stored)

    def _show_stored(self, change: Change[Work]) -> None:
        words = self.tr("Reference of “{title}” saved.").format(title=change.value.source.title)
        self.strip.show_message(_EDITED, words, undo=self._actions.undoes(change))

    def _mark(self, ids: Sequence[SourceId], is_read: bool) -> None:  # noqa: FBT001 (a slot)
        def show(change: Change[Sequence[Work]]) -> None:
            count = len(change.value)
            read = self.tr("%n source(s) marked as read.", "", count)
            unread = self.tr("%n source(s) marked as unread.", "", count)
            words = read if is_read else unread
            self.strip.show_message(_MARKED, words, undo=self._actions.undoes(change))

        self._actions.mark_read(ids, is_read, show)

    def _copy_by_key(self) -> None:
        if ids := [listed.source.id for listed in self.list.selected]:
            self._copy(ids)

    def _copy(self, ids: Sequence[SourceId], *, as_bibtex: bool = False) -> None:
        def show(copied: CopiedReferences) -> None:
            copied.put_on_clipboard()
            words = self.tr("%n reference(s) copied.", "", len(ids))
            if as_bibtex or not copied.html:
                words = self.tr("%n reference(s) copied as BibTeX.", "", len(ids))
            self.strip.show_message(_COPIED, words)

        self._actions.copy_references(ids, as_bibtex=as_bibtex, done=show)

    def _remove_selected(self) -> None:
        if chosen := [listed.source.id for listed in self.list.selected]:
            self._actions.remove(chosen)

    def _show_menu(self, at: QPoint) -> None:
        if self.list.selected:
            self.menu_of_selected().popup(self.list.viewport().mapToGlobal(at))

    def menu_of_selected(self) -> PopupMenu:
        """Return the menu of the selected works, which can be moved if there are projects."""
        menu = PopupMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._fill_menu(menu, self.acts())
        return menu

    def _fill_menu(self, menu: QMenu, acts: Sequence[WorkAct]) -> None:
        clear_menu(menu)
        *before, remove = acts
        for act in before:
            if act.begins_group and not menu.isEmpty():
                menu.addSeparator()
            menu.addAction(act.words, act.act).setEnabled(act.is_possible)
        menu.addSeparator()
        ids = [listed.source.id for listed in self.list.selected]
        menu.addMenu(TagMenu(self.tags, ids, partial(self._tag, ids), menu))
        menu.addAction(self.tr("Send to Zotero"), partial(self._send_to_zotero, ids))
        if self._listing.projects:
            self._add_places(menu.addMenu(self.tr("Move to project")), ids)
        menu.addSeparator()
        menu.addAction(remove.words, remove.act).setEnabled(remove.is_possible)

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
        for wall, name in self.filter_button.walls().items():
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

    def _is_empty(self) -> bool:
        return super()._is_empty() and (self._listing.wall.is_open or not self._listing.projects)

    def _count_text(self, count: int) -> str:
        return self.tr("%Ln source(s)", "", count)

    def _not_found_text(self, query: str) -> str:
        return self.tr("No title, author, year, DOI or tag contains “{query}”.").format(
            query=query
        )

    def _query(self) -> str:
        return " ".join(self.search.text().split())

    def _show_state(self) -> None:
        super()._show_state()
        is_not_found = not self._nothing.isHidden()
        self._inside.setVisible(is_not_found)
        self.filter_button.show_filter()
        if not self.model.match_count and not is_not_found:
            is_filtered = bool(self.model.count)
            none = self.tr("No source matches the filter.")
            self._nothing.setText(none if is_filtered else self.tr("This project has no sources."))
            self._nothing.show()
        acts = self.acts()
        for button, act in zip(self._buttons, acts, strict=False):
            button.setText(act.words)
            button.setEnabled(act.is_possible)
        self._more.setEnabled(bool(self.list.selected))
        for button in (*self._buttons, self._more):
            button.setHidden(self._is_empty())
