"""The sidebar: search field, filters, the session list and its actions."""

from collections.abc import Callable, Iterable, Sequence
from datetime import date
from functools import partial

from PySide6.QtCore import QLocale, QPoint, Qt, Signal
from PySide6.QtGui import QKeyEvent, QKeySequence
from PySide6.QtWidgets import QFrame, QMenu, QWidget

from desktop.domain.ids import SessionId
from desktop.domain.sessions import Session
from desktop.domain.times import spoken_period
from desktop.ui.i18n import TranslatedWidget
from desktop.ui.search.hits import FoundHits, place_to_open
from desktop.ui.search.query import Filter, FilterChips, RecentSearches, SidebarQuery
from desktop.ui.services import NavigationTarget
from desktop.ui.sidebar.entries import Entry
from desktop.ui.sidebar.model import SessionListModel
from desktop.ui.sidebar.view import SessionListView
from desktop.ui.theme.theme import Glyph, ThemeController
from desktop.ui.theme.tokens import Space
from desktop.ui.widgets.buttons import Button, FilterChip, IconButton
from desktop.ui.widgets.layouts import (
    at_left,
    column,
    flowing,
    frame_with,
    growing,
    holds_focus,
    row,
    widget_with,
)
from desktop.ui.widgets.plain_text import Label, announce
from desktop.ui.widgets.search_fields import SearchField

_SEVERAL = 2
_OF_SEVERAL = ("tags", "move", "export", "merge", "delete")


class SelectionBar(TranslatedWidget, QWidget):
    """Says how many sessions are selected, and offers what can be done with all of them."""

    def __init__(self, theme: ThemeController, parent: QWidget) -> None:
        super().__init__(parent)
        self._count = 0
        self._number = Label(role="heading")
        self.clear = IconButton(theme, Glyph.CLOSE)
        self.buttons = {what: Button("entry") for what in _OF_SEVERAL}
        inside = column(
            row(growing(self._number), self.clear),
            flowing(*self.buttons.values()),
            spacing=Space.TIGHT,
            margin=(Space.SMALL, Space.TIGHT, Space.TIGHT, Space.SMALL),
        )
        self.setLayout(column(frame_with("selection", inside), margin=Space.SMALL))
        self.retranslate()
        self.hide()

    def show_selected(self, count: int, *, can_merge: bool) -> None:
        """Show the number of selected sessions; nothing for fewer than two."""
        is_new, self._count = count != self._count, count
        are_several = count >= _SEVERAL
        self.buttons["merge"].setVisible(can_merge)
        self.setVisible(are_several)
        self.retranslate()
        if is_new and are_several:
            announce(self, self._number.text())

    def retranslate(self) -> None:
        self._number.setText(self.tr("%n selected", "", self._count))
        self.setAccessibleName(self._number.text())
        self.clear.set_name(self.tr("Clear the selection"), self.tr("Esc"))
        titles = (
            self.tr("Tags…"),
            self.tr("Move to project…"),
            self.tr("Export…"),
            self.tr("Merge"),
            self.tr("Delete"),
        )
        for button, title in zip(self.buttons.values(), titles, strict=True):
            button.setText(title)


class Sidebar(TranslatedWidget, QFrame):
    query_changed = Signal(str)
    results_wanted = Signal(str)  # The user wants to see all results in the middle of the window
    place_chosen = Signal(object)  # NavigationTarget, ReaderPlace or date, as `place_to_open`
    archive_toggled = Signal()  # The list has to be loaded again
    act_wanted = Signal(str, object)  # What to do (pin, unpin, …), SessionIds

    def __init__(self, theme: ThemeController, today: Callable[[], date] = date.today) -> None:
        super().__init__()
        self.model = SessionListModel(today, self)
        self.projects = Button("choice", self)
        self.submenus: Callable[[Sequence[SessionId], QMenu], Sequence[QMenu]] = lambda *_: ()
        """Returns the menus for moving and tagging sessions"""
        self.search = SearchField(theme, self)
        self.date_chip = FilterChip(theme, self)
        self.chips = FilterChips(self)
        self.all_results = Button("link", self, press=self._want_results)
        self.recent = RecentSearches(self)
        self.query = SidebarQuery(self.search, self.date_chip, self.recent, self)
        self.list = SessionListView(self.model, theme, self)
        self.selection = SelectionBar(theme, self)
        self.archived = Button("link", self, press=self.toggle_archive)
        self._archived_count = 0
        self.add = IconButton(theme, Glyph.PLUS, self)
        self._before_search = Filter.ALL
        self._is_ready = False
        self._is_searched = False  # Whether no search is running that may find more
        self._build()
        self._connect()
        self.retranslate()

    def set_hints(self, search: QKeySequence, new_session: QKeySequence) -> None:
        self.search.set_hint(search)
        keys = new_session.toString(QKeySequence.SequenceFormat.NativeText)
        self.add.set_name(self.tr("New session"), keys)

    def show_sessions(self, sessions: Iterable[Session], *, has_more: bool) -> None:
        self._is_ready = True
        self.model.show_sessions(sessions, has_more=has_more)
        self._show_what_is_missing()

    def show_archived_count(self, count: int) -> None:
        self._archived_count = count
        self._show_archive_line()

    def toggle_archive(self) -> None:
        self.model.shows_archive = not self.model.shows_archive
        self._choose(Filter.ALL)
        self._show_archive_line()
        self.archive_toggled.emit()

    def show_hits(
        self,
        results: FoundHits,
        *,
        is_ranked: bool = False,
        is_longer: bool = False,
        is_last: bool = True,
    ) -> None:
        """Show results of the query; `is_longer`: they extend the results that are shown.

        `is_last`: whether no other search of the query may find more.
        A later ranking (`is_ranked`) does not move the row with the focus or the pointer.
        """
        if not self.query.text:
            return
        self._is_searched = is_last
        if not self.model.is_searching:
            self._before_search = self.model.chosen_filter
            if self._before_search is Filter.PINNED:
                self._choose(Filter.ALL)
        held = self.list.held(counts_rest=is_longer) if is_ranked else None
        current = self.list.current_entry()
        self.model.show_hits(results, is_ranked=is_ranked, held=held)
        if current is not None and self.list.current_entry() is None:
            self.list.setCurrentIndex(self.model.index_like(current))
        self._show_counts()
        self.all_results.setVisible(bool(results.hits))
        if not is_longer and held is None:
            self.list.scrollToTop()
        self._show_what_is_missing()

    def select(self, session_id: SessionId | None) -> None:
        if session_id == self.model.open_session:
            return
        self.model.set_open(session_id)
        current = self.list.current_entry()
        if session_id is None:
            self.list.clearSelection()
        elif current is None or current.session_id != session_id:
            self.list.setCurrentIndex(self.model.index_of(session_id))

    def step(self, step: int) -> None:
        """Open the session below (1) or above (-1) the one that is open."""
        opened, current = self.model.open_session, self.list.current_entry()
        start = self.list.currentIndex()
        if opened is not None and (current is None or current.session_id != opened):
            start = self.model.index_of(opened)
        index = self.model.next_entry(start, step)
        if entry := self.list.entry(index):
            self.list.setCurrentIndex(index)
            self._open(entry)

    def rename(self, session_id: SessionId) -> None:
        index = self.model.index_of(session_id)
        if index.isValid():
            self.list.setCurrentIndex(index)
            self.list.edit(index)

    def retranslate(self) -> None:
        self.setAccessibleName(self.tr("Sessions"))
        self.list.setAccessibleName(self.tr("Sessions"))
        self.add.setAccessibleName(self.tr("New session"))
        self.all_results.setText(self.tr("All results…"))
        self.query.show_date()
        self.model.say_again()
        self._show_counts()
        self._show_what_is_missing()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape and self.chosen():
            self.clear_selection()
        # From the hits, too, Esc leads back to an empty search.
        elif event.key() == Qt.Key.Key_Escape and self.search.text():
            self.search.clear()
            self.query.focus()
        else:
            super().keyPressEvent(event)

    def _build(self) -> None:
        self.setProperty("role", "side")
        self.all_results.hide()
        self.projects.hide()
        head = column(
            at_left(self.projects),
            row(growing(self.search), self.add, spacing=Space.TIGHT),
            at_left(self.date_chip),
            self.recent,
            self.chips,
            at_left(self.all_results),
            spacing=Space.MEDIUM,
            margin=(Space.MEDIUM, Space.MEDIUM, Space.SMALL, Space.SMALL),
        )
        foot = row(
            at_left(self.archived), margin=(Space.MEDIUM, Space.TIGHT, Space.SMALL, Space.SMALL)
        )
        self._foot = widget_with(foot)
        self.setLayout(column(head, growing(self.list), self.selection, self._foot, spacing=0))

    def _connect(self) -> None:
        self.query.changed.connect(self._ask)
        self.search.left_downwards.connect(self._go_down)
        self.recent.left_downwards.connect(self.list.enter)
        self.list.left_upwards.connect(self.query.focus)
        self.list.opened.connect(self._open)
        self.list.menu_requested.connect(self._show_menu)
        self.list.delete_pressed.connect(self._delete)
        self.list.selectionModel().selectionChanged.connect(self._show_selected)
        self.selection.clear.clicked.connect(self.clear_selection)
        for what in ("export", "merge", "delete"):
            self.selection.buttons[what].clicked.connect(
                lambda _, what=what: self.act_wanted.emit(what, self.chosen())
            )
        self.chips.chosen.connect(self._choose)
        for changed in (self.model.rowsInserted, self.model.rowsRemoved, self.model.dataChanged):
            changed.connect(self._show_what_is_missing)

    def chosen(self) -> list[SessionId]:
        """Return the sessions that are selected together; none if it is only the shown one."""
        ids = [entry.session_id for entry in self.list.selected()]
        return ids if len(ids) >= _SEVERAL else []

    def clear_selection(self) -> None:
        """Select no more than the row with the keyboard."""
        self.list.setFocus(Qt.FocusReason.OtherFocusReason)
        self.list.select_current()

    def search_again(self) -> None:
        """Search once more for what the field has, because the archive has changed."""
        self.query_changed.emit(self.query.text)

    def _show_selected(self) -> None:
        several = self.list.selected()
        if len(several) < _SEVERAL and holds_focus(self.selection):
            self.list.setFocus(Qt.FocusReason.OtherFocusReason)
        can_merge = not any(entry.is_active for entry in several)
        self.selection.show_selected(len(several), can_merge=can_merge)

    def _delete(self, entry: Entry) -> None:
        if several := self.chosen():
            self.act_wanted.emit("delete", several)
        elif not entry.is_source:  # the library removes sources
            self.act_wanted.emit("delete", [entry.session_id])

    def _go_down(self) -> None:
        if self.recent.isHidden():
            self.list.enter()
        else:
            self.recent.enter()

    def _want_results(self) -> None:
        self.query.remember()
        self.results_wanted.emit(self.query.text)

    def _ask(self) -> None:
        self.list.forget_pointer()
        self._is_searched = False
        if not self.query.text:
            self.all_results.hide()
            if self.model.is_searching:
                self._choose(self._before_search)
                self.model.show_hits(None)
        self._show_counts()
        self._show_what_is_missing()
        self.query_changed.emit(self.query.text)

    def _choose(self, chosen: Filter) -> None:
        self.chips.choose(chosen)
        self.model.choose(chosen)
        self._show_what_is_missing()

    def _show_counts(self) -> None:
        count = self.model.message_hits
        more = "+" if self.model.has_more_hits else ""
        # While only titles are known, "0+" would say that no message matches.
        is_known = self._is_searched and (count or not more)
        text = f"{count}{more}" if is_known else ""
        self.chips.show_searching(text if self.model.is_searching else None)
        self._show_archive_line()

    def _show_archive_line(self) -> None:
        is_open, count = self.model.shows_archive, QLocale().toString(self._archived_count)
        text = self.tr("Archived ({count})").format(count=count)
        self.archived.setText("‹ " + self.tr("Back to other sessions") if is_open else text)
        self._foot.setVisible(is_open or self._archived_count > 0)
        self.chips.setHidden(is_open and not self.model.is_searching)

    def _open(self, entry: Entry) -> None:
        words = self.query.typed.words if entry.hit else ""
        place = place_to_open(entry.session_id, entry.hit, words)
        if entry.hit:
            self.query.remember()
        if isinstance(place, NavigationTarget):
            self.model.set_open(place.session_id, place.message_id)
        self.place_chosen.emit(place)

    def _show_what_is_missing(self) -> None:
        is_known = self._is_searched or not self.model.is_searching
        is_empty = self._is_ready and is_known and not self.model.has_past_sessions
        self.list.show_nothing_found(self._nothing_words() if is_empty else "")

    def _nothing_words(self) -> str:
        if self.model.is_searching:
            typed = self.query.typed
            if typed.period is not None and not typed.words:
                days = spoken_period(typed.period, self.query.language)
                return self.tr("No sessions in this period: {days}.").format(days=days)
            return self.tr(
                "Nothing found for “{query}”.\nTry fewer words or the beginning of a word."
            ).format(query=self.query.text)
        if self.model.shows_archive:
            return self.tr("No archived sessions.")
        match self.model.chosen_filter:
            case Filter.PINNED:
                return self.tr("Pinned sessions appear here.")
            case Filter.THIS_WEEK:
                return self.tr("No other sessions this week.")
            case _:
                return self._empty_words()

    def _empty_words(self) -> str:
        if tag := self.model.tag:
            return self.tr("No sessions with the tag “{tag}” here.").format(tag=tag)
        if self.model.wall.project:
            return self.tr("No sessions in this project yet.")
        if not self.model.wall.is_open:
            return self.tr("All sessions belong to a project.")
        return self.tr("Your sessions appear here. You can find a session by any word in it.")

    def _show_menu(self, entry: Entry | None, at: QPoint) -> None:
        several = self.list.selected()
        if entry is None:  # of the list itself, beside its rows
            menu = QMenu(self)
            menu.addActions(self.list.actions())
        elif len(several) > 1 and entry in several:
            menu = self.menu_of_several(several)
        else:
            menu = self.menu_of(entry)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.popup(at)

    def menu_of(self, entry: Entry) -> QMenu:
        menu = QMenu(self)
        ids = [entry.session_id]
        menu.addAction(self.tr("Open"), lambda: self._open(entry))
        if entry.is_source:
            return menu
        if entry.is_temporary:
            menu.addAction(self.tr("End session"), partial(self.act_wanted.emit, "delete", ids))
            return menu
        for label, what in self._actions(entry):
            if what:
                menu.addAction(label, partial(self.act_wanted.emit, what, ids))
            else:
                menu.addSeparator()
        for submenu in self.submenus(ids, menu):
            menu.insertMenu(menu.actions()[-1], submenu)
        return menu

    def menu_of_several(self, several: Sequence[Entry]) -> QMenu:
        menu, ids = QMenu(self), [entry.session_id for entry in several]
        is_pinned = all(entry.is_pinned for entry in several)
        label, what = (self.tr("Unpin"), "unpin") if is_pinned else (self.tr("Pin"), "pin")
        menu.addAction(label, lambda: self.act_wanted.emit(what, ids))
        for submenu in self.submenus(ids, menu):
            menu.addMenu(submenu)
        if not any(entry.is_active for entry in several):
            menu.addAction(self.tr("Merge"), lambda: self.act_wanted.emit("merge", ids))
        menu.addAction(self.tr("Export…"), lambda: self.act_wanted.emit("export", ids))
        menu.addAction(self.tr("Delete"), lambda: self.act_wanted.emit("delete", ids))
        return menu

    def _actions(self, entry: Entry) -> list[tuple[str, str]]:
        """Return labels with what they do; a separator does nothing."""
        pin = (self.tr("Unpin"), "unpin") if entry.is_pinned else (self.tr("Pin"), "pin")
        past = [
            (self.tr("Learn facts from session"), "learn"),
            (self.tr("Merge with the previous session…"), "merge"),
        ]
        go_on = [(self.tr("Continue this session"), "continue")]
        if entry.is_archived:
            go_on.append((self.tr("Unarchive"), "unarchive"))
        return [
            *([] if entry.is_active else go_on),
            ("", ""),
            (self.tr("Rename"), "rename"),
            pin,
            ("", ""),
            (self.tr("Copy as text"), "copy"),
            (self.tr("Export…"), "export"),
            ("", ""),
            *([] if entry.is_active else past),
            (self.tr("Delete"), "delete"),
        ]
