"""The sidebar: search field, filters, the session list and its actions."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import date

from PySide6.QtCore import QEvent, QPoint, Qt, Signal
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QMenu,
    QVBoxLayout,
    QWidget,
)

from desktop.domain.ids import SessionId
from desktop.domain.language import Language
from desktop.domain.search import Hit
from desktop.domain.sessions import Session
from desktop.recall.find_in_session import marked_words, words_to_find
from desktop.recall.query_dates import TypedQuery
from desktop.ui.reader.reader_content import place_of_hit
from desktop.ui.search.query import Filter, FilterChips, RecentSearches, SidebarQuery
from desktop.ui.services import NavigationTarget
from desktop.ui.sidebar.entries import Entry
from desktop.ui.sidebar.model import SessionListModel
from desktop.ui.sidebar.view import SessionListView
from desktop.ui.theme.icons import Glyph
from desktop.ui.theme.theme import ThemeController
from desktop.ui.theme.tokens import Space
from desktop.ui.widgets.buttons import FilterChip, IconButton, PushButton
from desktop.ui.widgets.fields import SearchField
from desktop.ui.widgets.plain_text import tip


class Sidebar(QFrame):
    query_changed = Signal(str)
    results_wanted = Signal(str)
    """All that was found for a query, in the middle of the window"""
    searches_changed = Signal()
    """What is remembered of past searches"""
    place_chosen = Signal(object)
    """Place"""
    source_chosen = Signal(object)
    """ReaderPlace of a hit in a source"""
    left = Signal()
    """The reader is done here: the composer gets the focus."""
    new_session_requested = Signal()
    more_wanted = Signal()
    continue_requested = Signal(str)
    renamed = Signal(str, str)
    """Session id, title"""
    pin_requested = Signal(str, bool)
    copy_requested = Signal(str)
    export_requested = Signal(str)
    page_export_requested = Signal(str)
    merge_requested = Signal(str)
    learn_requested = Signal(str)
    """With the session that began before it."""
    delete_requested = Signal(str)

    def __init__(
        self,
        theme: ThemeController,
        today: Callable[[], date] = date.today,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.model = SessionListModel(today, self)
        self.search = SearchField(theme, self)
        self.date_chip = FilterChip(theme, self)
        self.chips = FilterChips(self)
        self.all_results = PushButton(self)
        self.recent = RecentSearches(self)
        self._query = SidebarQuery(self.search, self.date_chip, self.recent, self)
        self.list = SessionListView(self.model, theme, self)
        self._add = IconButton(theme, Glyph.PLUS, self)
        self._before_search = Filter.ALL
        self._is_ready = False
        self._build()
        self._connect()
        self.retranslate()

    @property
    def query(self) -> str:
        return self._query.text

    @property
    def typed(self) -> TypedQuery:
        """The query, with its words for a date read as a filter."""
        return self._query.typed

    def set_searches(self, recent: Sequence[str], *, are_kept: bool = True) -> None:
        """What was searched for last; not `are_kept`: nothing is remembered nor offered."""
        self._query.set_searches(recent, are_kept=are_kept)

    def set_language(self, language: Language) -> None:
        self._query.set_language(language)

    def set_hints(self, search: QKeySequence, new_session: QKeySequence) -> None:
        self.search.set_hint(search)
        keys = new_session.toString(QKeySequence.SequenceFormat.NativeText)
        self._add.setToolTip(tip(f"{self.tr('New session')} ({keys})" if keys else ""))

    def focus_search(self) -> None:
        self._query.focus()

    def show_sessions(self, sessions: Iterable[Session], *, has_more: bool) -> None:
        self._is_ready = True
        self.model.show_sessions(sessions, has_more=has_more)
        self._say_nothing()

    def append_sessions(self, sessions: Iterable[Session], *, has_more: bool) -> None:
        self.model.append_sessions(sessions, has_more=has_more)
        self._say_nothing()

    def show_hits(
        self,
        hits: Sequence[Hit],
        *,
        sessions: Iterable[Session] = (),
        has_more: bool = False,
        counts: Mapping[SessionId, int] | None = None,
        is_ranked: bool = False,
        is_longer: bool = False,
    ) -> None:
        """The answer to the query; `is_longer` where it goes on with the one that is shown.

        An order that comes later (`is_ranked`) moves nothing that somebody is at.
        """
        if not self.query:
            return
        if not self.model.is_searching:
            self._before_search = self.model.chosen_filter
            if self._before_search is Filter.PINNED:
                self._choose(Filter.ALL)
        held = self.list.held(counts_rest=is_longer) if is_ranked else None
        current = self.list.current_entry()
        self.model.show_hits(
            hits,
            sessions=sessions,
            has_more=has_more,
            counts=counts,
            is_ranked=is_ranked,
            held=held,
        )
        if current is not None and self.list.current_entry() is None:
            self.list.setCurrentIndex(self.model.index_of_key(current.key))
        self._count()
        self.all_results.setVisible(bool(hits))
        if not is_longer and held is None:
            self.list.scrollToTop()
        self._say_nothing()

    def set_active(self, session: Session | None) -> None:
        self.model.set_active(session)
        self._say_nothing()

    def put(self, session: Session) -> None:
        self.model.put(session)
        self._say_nothing()

    def remove(self, session_id: SessionId) -> None:
        self.model.remove(session_id)
        self._say_nothing()

    def select(self, session_id: SessionId | None) -> None:
        """Show which session is open."""
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
        """Open the title for writing."""
        index = self.model.index_of(session_id)
        if index.isValid():
            self.list.setCurrentIndex(index)
            self.list.edit(index)

    def retranslate(self) -> None:
        self.setAccessibleName(self.tr("Sessions"))
        self.list.setAccessibleName(self.tr("Sessions"))
        self._add.setAccessibleName(self.tr("New session"))
        self.all_results.setText(self.tr("All results…"))
        self.search.retranslate()
        self.chips.retranslate()
        self._query.show_date()
        self.model.say_again()
        self._count()
        self._say_nothing()

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange:
            self.retranslate()
        super().changeEvent(event)

    def _build(self) -> None:
        self.setProperty("role", "side")
        self.all_results.setCursor(Qt.CursorShape.PointingHandCursor)
        self.all_results.setProperty("kind", "link")
        self.all_results.hide()
        top = QHBoxLayout()
        top.setSpacing(Space.TIGHT)
        top.addWidget(self.search, 1)
        top.addWidget(self._add)
        head = QVBoxLayout()
        head.setContentsMargins(Space.MEDIUM, Space.MEDIUM, Space.SMALL, Space.SMALL)
        head.setSpacing(Space.MEDIUM)
        head.addLayout(top)
        # Absolute: the chip itself is written from the right, for its cross.
        left = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignAbsolute
        head.addWidget(self.date_chip, 0, left)
        head.addWidget(self.recent)
        head.addWidget(self.chips)
        head.addWidget(self.all_results, 0, Qt.AlignmentFlag.AlignLeft)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addLayout(head)
        layout.addWidget(self.list, 1)

    def _connect(self) -> None:
        self._add.clicked.connect(self.new_session_requested)
        self._query.changed.connect(self._ask)
        self._query.remembered_changed.connect(self.searches_changed)
        self.search.left_downwards.connect(self._go_down)
        self.search.left.connect(self.left)
        self.all_results.clicked.connect(self._want_results)
        self.recent.left_downwards.connect(self.list.enter)
        self.list.left_upwards.connect(self.focus_search)
        self.list.opened.connect(self._open)
        self.list.menu_requested.connect(self._show_menu)
        self.list.delete_pressed.connect(self._delete)
        self.chips.chosen.connect(self._choose)
        self.model.renamed.connect(self.renamed)
        self.model.more_wanted.connect(self.more_wanted)

    def _delete(self, entry: Entry) -> None:
        if not entry.is_source:  # the library removes those
            self.delete_requested.emit(entry.session_id)

    def _go_down(self) -> None:
        if self.recent.isHidden():
            self.list.enter()
        else:
            self.recent.enter()

    def _want_results(self) -> None:
        self._query.remember()
        self.results_wanted.emit(self.query)

    def _ask(self) -> None:
        self.list.forget_pointer()
        if not self.query:
            self.all_results.hide()
        if not self.query and self.model.is_searching:
            self._choose(self._before_search)
            self.model.show_hits(None)
            self._count()
            self._say_nothing()
        self.query_changed.emit(self.query)

    def _choose(self, chosen: Filter) -> None:
        self.chips.choose(chosen)
        self.model.choose(chosen)
        self._say_nothing()

    def _count(self) -> None:
        count = self.model.message_hits
        more = "+" if self.model.has_more_hits else ""
        # Of nothing but titles so far, "0+" would say that messages have none of it.
        said = f"{count}{more}" if count or not more else ""
        self.chips.show_searching(said if self.model.is_searching else None)

    def _open(self, entry: Entry) -> None:
        if entry.is_source:
            self._open_source(entry)
            return
        message_id = entry.hit.message_id if entry.hit else None
        self.model.set_open(entry.session_id, message_id)
        words = words_to_find(self.typed.words, entry.hit) if entry.hit else ""
        if entry.hit:
            self._query.remember()
        place = NavigationTarget(entry.session_id, message_id, marked_words(words), words)
        self.place_chosen.emit(place)

    def _open_source(self, entry: Entry) -> None:
        self._query.remember()
        if place := place_of_hit(entry.hit, self.typed.words):
            self.source_chosen.emit(place)

    def _say_nothing(self) -> None:
        is_empty = not self.model.has_past_sessions
        self.list.say_nothing_found(self._nothing() if is_empty and self._is_ready else "")

    def _nothing(self) -> str:
        if self.model.is_searching:
            return self.tr(
                "Nothing found for “{query}”.\nTry fewer words or the beginning of a word."
            ).format(query=self.query)
        match self.model.chosen_filter:
            case Filter.PINNED:
                return self.tr("Pinned sessions appear here.")
            case Filter.THIS_WEEK:
                return self.tr("No other sessions this week.")
            case _:
                return self.tr("Your sessions appear here. Find them again by any word in them.")

    def _show_menu(self, entry: Entry, at: QPoint) -> None:
        menu = self.menu_of(entry)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.popup(at)

    def menu_of(self, entry: Entry) -> QMenu:
        menu = QMenu(self)
        one = entry.session_id
        menu.addAction(self.tr("Open"), lambda: self._open(entry))
        if entry.is_source:
            return menu
        if entry.is_temporary:
            menu.addAction(self.tr("End session"), lambda: self.delete_requested.emit(one))
            return menu
        if not entry.is_active:
            menu.addAction(
                self.tr("Continue this session"), lambda: self.continue_requested.emit(one)
            )
        menu.addSeparator()
        menu.addAction(self.tr("Rename"), lambda: self.rename(one))
        pin = self.tr("Unpin") if entry.is_pinned else self.tr("Pin")
        menu.addAction(pin, lambda: self.pin_requested.emit(one, not entry.is_pinned))
        menu.addSeparator()
        menu.addAction(self.tr("Copy"), lambda: self.copy_requested.emit(one))
        menu.addAction(self.tr("Export as Markdown…"), lambda: self.export_requested.emit(one))
        menu.addAction(
            self.tr("Export as a web page…"), lambda: self.page_export_requested.emit(one)
        )
        menu.addSeparator()
        if not entry.is_active:
            menu.addAction(self.tr("Learn facts from it"), lambda: self.learn_requested.emit(one))
            menu.addAction(
                self.tr("Merge with the previous session"), lambda: self.merge_requested.emit(one)
            )
        menu.addAction(self.tr("Delete"), lambda: self.delete_requested.emit(one))
        return menu
