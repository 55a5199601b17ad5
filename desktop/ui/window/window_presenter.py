"""The widgets of the main window, and showing the state of the sessions in them."""

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtWidgets import QApplication, QSizePolicy, QStackedWidget, QWidget
from shiboken6 import isValid

from desktop.domain.endpoints import ConnectionStatus
from desktop.domain.errors import AppError
from desktop.domain.ids import SessionId
from desktop.domain.messages import Citation
from desktop.domain.sessions import Session
from desktop.ui.actions import QT_TR_NOOP, Action, Situation, WindowActions
from desktop.ui.composer.composer import Composer
from desktop.ui.composer.controls import TIERS, ModelChooser
from desktop.ui.composer.suggestions import ContextChips, Suggestions
from desktop.ui.library.library_controller import LibraryController
from desktop.ui.panels.pages import ContextPanel, SourcesPanel
from desktop.ui.panels.tabs import SideBySidePanel, SideTabs
from desktop.ui.search.results_page import ResultsPage
from desktop.ui.services import Worker
from desktop.ui.session.controller import SessionController
from desktop.ui.session.message_actions import MessageActions
from desktop.ui.sidebar.entries import AnswerMarks
from desktop.ui.sidebar.sidebar import Sidebar
from desktop.ui.theme.theme import Glyph, ThemeController
from desktop.ui.theme.tokens import Space
from desktop.ui.trace.panel import PlanCard, TracePanel
from desktop.ui.transcript.entries import MessageAction, MessageRequest
from desktop.ui.transcript.view import TranscriptView
from desktop.ui.views import View
from desktop.ui.widgets.bars import MessageBar, NoticeBell
from desktop.ui.widgets.layouts import (
    STRETCH,
    column,
    growing,
    holds_focus,
    row,
    scrolling,
    widget_with,
)
from desktop.ui.widgets.search_fields import FindBar
from desktop.ui.widgets.splitter_layout import Side, SplitterLayout
from desktop.ui.window.header import ContinueBar, EmptyPage, Header
from desktop.ui.window.status_bar import StatusBar

_UNTRIED = {"is_reached": True, "is_refused": False, "lacks_key": False}
"""Of a connection that no answer has tried yet."""


class WindowWidgets(QObject):
    view_changed = Signal()  # Another page, or the session, is in the middle

    def __init__(self, theme: ThemeController, window: QWidget) -> None:
        super().__init__(window)
        self._theme = theme
        self.sidebar = Sidebar(theme)
        self.header = Header(theme)
        self.find_bar = FindBar(theme)
        self.results = ResultsPage(theme)
        self.suggestions = Suggestions(theme)
        self.context_chips = ContextChips(theme)
        self.side_panel = SideBySidePanel(theme)
        self.transcript = TranscriptView(theme)
        self.empty_page = EmptyPage(theme)
        self.strip = MessageBar(theme)
        self.composer = Composer(theme)
        self.reading_bar = ContinueBar()
        self.panel = SourcesPanel(theme)
        self.context = ContextPanel(theme)
        self.trace = TracePanel(theme)
        self.plan = PlanCard()
        self.status = StatusBar(NoticeBell(theme, self.strip))
        self.side = SideTabs(theme, (self.panel, self.trace, self.context), self.side_panel)
        self._is_empty = True
        self._view: QWidget | None = None  # what is shown in the place of the session
        self.shell = SplitterLayout(theme, (self.sidebar, self._page(), self.side), window)
        self.side.shown_changed.connect(self.shell.shown_changed)
        theme.theme_changed.connect(self._measure)
        self.transcript.verticalScrollBar().installEventFilter(self)
        self.strip.changed.connect(self._show_foot)
        self.sidebar.model.rowsInserted.connect(lambda: self.empty_page.show_archive_empty(False))
        self.show_reading(is_reading=False)
        self.show_empty(is_empty=True)
        self._measure()

    def show_empty(self, *, is_empty: bool) -> None:
        self._is_empty = is_empty
        self._show_page()

    @property
    def view(self) -> QWidget | None:
        """Return what is shown in the place of the session: the results, or a page."""
        return self._view

    @property
    def are_results_shown(self) -> bool:
        return self._view is self.results

    def add_view(self, view: View) -> None:
        """Give a page its place; it asks to be shown and to be left."""
        self._pages.addWidget(view)
        view.wanted.connect(partial(self.show_view, view))
        view.left.connect(lambda: self.show_view(None))

    def show_view(self, view: QWidget | None) -> None:
        """Show a page or the search results in the place of the session; None: the session."""
        before, self._view = self._view, view
        is_left = view is None and before is not None and holds_focus(before)
        self._head.setHidden(view is not None)
        self._writing.setHidden(view is not None)
        self._show_foot()
        self._show_page()
        if view is not None:
            self.shell.uncover()
        if is_left:  # else Qt hands the focus on to whatever comes next, such as the status bar
            is_reading = before is self.results or self.composer.isHidden()
            successor = self.transcript if is_reading else self.composer
            successor.setFocus(Qt.FocusReason.OtherFocusReason)
        if view is not before:
            self.view_changed.emit()

    def give_focus_back(self, before: QWidget | None) -> None:
        """Focus what had the focus before, or else what is in the middle; nothing hidden."""
        if before is None or not isValid(before) or not before.isVisible():
            before = self._view or (self.composer if self.composer.isVisible() else None)
        (before or self.transcript).setFocus(Qt.FocusReason.OtherFocusReason)

    def _show_foot(self) -> None:
        """Show notices above a page, too, because they are shown nowhere else."""
        self._foot.setHidden(self._view is not None and self.strip.isHidden())

    def show_panel(self, panel: QWidget, *, is_wide: bool = False) -> None:
        """Show a panel at the right side; a wide one may take half of the room."""
        self.side.show_page(panel)
        self.shell.widen(is_wide=is_wide)
        self.shell.show_side(Side.RIGHT, True)

    def is_panel_shown(self, panel: QWidget) -> bool:
        return self.side.current is panel and self.shell.is_shown(Side.RIGHT)

    def show_reading(self, *, is_reading: bool) -> None:
        is_left = holds_focus(self.composer if is_reading else self.reading_bar)
        self.reading_bar.setVisible(is_reading)
        self.composer.setVisible(not is_reading)
        self._about_draft.setVisible(not is_reading)
        if is_left:
            successor = self.transcript if is_reading else self.composer
            successor.setFocus(Qt.FocusReason.OtherFocusReason)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in {QEvent.Type.Show, QEvent.Type.Hide}:
            self._measure()
        return super().eventFilter(watched, event)

    def _page(self) -> QWidget:
        self._pages = QStackedWidget()
        self._empty_area = scrolling(self.empty_page)
        for page in (self.transcript, self._empty_area, self.results):
            self._pages.addWidget(page)
        # They scroll, and leave all needed room to what is below.
        self._pages.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Ignored)
        self._pages.setMinimumHeight(2 * Space.WIDE)
        self._head = widget_with(column(self.header, self.find_bar, spacing=0))
        self._about_draft = widget_with(
            column(self.suggestions, self.context_chips, spacing=Space.TIGHT)
        )
        self._writing = widget_with(
            column(self.plan, self._about_draft, self.composer, self.reading_bar)
        )
        """The widgets in the text column below the notices."""
        self._column = widget_with(column(self.strip, self._writing))
        self._foot_row = row(STRETCH, growing(self._column, 1000), STRETCH)
        self._foot = widget_with(self._foot_row)
        return widget_with(column(self._head, growing(self._pages), self._foot, spacing=0))

    def _show_page(self) -> None:
        page = self._empty_area if self._is_empty else self.transcript
        self._pages.setCurrentWidget(self._view or page)

    def _measure(self) -> None:
        """Align the composer with the text column, without its scroll bar."""
        taken = self.transcript.verticalScrollBar().sizeHint().width()
        side = self._theme.column_margin
        self._foot_row.setContentsMargins(side, Space.SMALL, side + taken, Space.LARGE)
        self._column.setMaximumWidth(self._theme.column_width)


class SidePanelController(QObject):
    def __init__(
        self,
        parts: WindowWidgets,
        sessions: SessionController,
        desk: MessageActions,
        library: LibraryController,
    ) -> None:
        super().__init__(parts)
        self._parts = parts
        self._desk, self._library = desk, library
        self._before: QWidget | None = None  # What had the focus before a source was opened
        self._is_chosen = False  # Whether the sources are those of an answer that the user chose
        self._held: str | None = None  # the cited session that is being opened
        parts.side.close_button.clicked.connect(self._close)
        parts.side.page_chosen.connect(self._fill)
        parts.composer.meter.clicked.connect(lambda: self.toggle(parts.context))
        desk.citations_changed.connect(self._follow)
        sessions.session_opened.connect(self._begin)
        sessions.session_opened.connect(parts.context.show_session)
        sessions.turns.happened.connect(
            lambda event: parts.context.take(event, sessions.turns.session_id)
        )
        panel = parts.panel
        panel.source_chosen.connect(library.open_citation)
        panel.places_wanted.connect(
            lambda citations: library.load_places(citations, panel.show_places)
        )
        panel.places_wanted.connect(
            lambda citations: library.load_session_times(citations, panel.show_session_times)
        )
        desk.citations_wanted.connect(library.show_citations)
        desk.citation_wanted.connect(library.open_citation)
        library.panel_wanted.connect(self._show_citations)
        library.reader_wanted.connect(self._read)
        library.reader_closed.connect(self._close)
        library.session_wanted.connect(self._hold)

    def records(self) -> Sequence[Action]:
        parts, shell, title = self._parts, self._parts.shell, QT_TR_NOOP("Sidebar")

        def toggle_sidebar() -> None:
            shell.show_side(Side.LEFT, not shell.is_shown(Side.LEFT))

        def is_shown(_: Situation) -> bool:
            return shell.is_shown(Side.LEFT)

        def of_panel(act: str, title: str, keys: str, panel: QWidget) -> Action:
            toggle = partial(self.toggle, panel)
            is_checked = lambda _: parts.is_panel_shown(panel)  # noqa: E731
            return Action(act, title, keys, toggle, is_checked=is_checked)

        return (
            Action("sidebar", title, "Ctrl+B", toggle_sidebar, is_checked=is_shown),
            of_panel("sources", QT_TR_NOOP("Sources"), "Ctrl+Shift+B", parts.panel),
            of_panel("trace", QT_TR_NOOP("Trace"), "Ctrl+Shift+T", parts.trace),
            of_panel("context", QT_TR_NOOP("Last request"), "Ctrl+Shift+I", parts.context),
        )

    def toggle(self, page: QWidget) -> None:
        if self._parts.is_panel_shown(page):
            self._close()
            return
        self._is_chosen = False
        self._parts.show_panel(page)
        self._fill(page)

    def _show_citations(self, citations: Sequence[Citation], number: int) -> None:
        self._is_chosen = True
        self._parts.show_panel(self._parts.panel)
        claims = self._desk.claims_of(citations)
        self._parts.panel.show_citations(citations, claims, number=number)

    def _read(self, reader: QWidget) -> None:
        focus: QWidget | None = QApplication.focusWidget()
        if focus is not None and not reader.isAncestorOf(focus):
            self._before = focus
        self._parts.show_panel(reader, is_wide=True)
        reader.window().activateWindow()
        reader.setFocus(Qt.FocusReason.OtherFocusReason)

    def _hold(self, citation: Citation) -> None:
        """Keep the shown sources while a session cited by them is opened."""
        self._held = citation.source_id

    def _begin(self, session_id: SessionId | None = None) -> None:
        held, self._held = self._held, None
        self._parts.trace.leave_session()
        if held is not None and held == session_id and self._parts.panel.citations:
            self._is_chosen = True
            return
        self._is_chosen = False
        self._parts.panel.show_citations(())

    def _fill(self, page: QWidget) -> None:
        """Fill the panels with the newest answer's data, unless another one was chosen."""
        parts, answer = self._parts, self._parts.transcript.newest_answer()
        if page is parts.panel and not self._is_chosen:
            newest = self._desk.newest_citations()
            parts.panel.show_citations(newest, self._desk.claims_of(newest))
        elif page is parts.trace and not parts.trace.trace.is_anything and answer is not None:
            parts.transcript.action_chosen.emit(MessageRequest(MessageAction.SHOW_TRACE, answer))

    def _follow(self) -> None:
        newest = self._desk.newest_citations()
        if newest:
            self._library.prepare()
        is_shown = self._parts.is_panel_shown(self._parts.panel)
        if is_shown and not self._is_chosen and newest != self._parts.panel.citations:
            self._parts.panel.show_citations(newest, self._desk.claims_of(newest))
        if self._parts.is_panel_shown(self._parts.trace):
            self._fill(self._parts.trace)

    def _close(self) -> None:
        parts = self._parts
        is_left = holds_focus(parts.side)
        parts.shell.show_side(Side.RIGHT, False)
        if is_left:
            parts.give_focus_back(self._before)


class WindowPresenter(QObject):
    model_connected = Signal()  # There was none since the start

    def __init__(
        self,
        window: QWidget,
        parts: WindowWidgets,
        actions: WindowActions,
        sessions: SessionController,
        worker: Worker,
    ) -> None:
        super().__init__(window)
        self._profile = ""
        self._window = window
        self._parts = parts
        self._actions = actions
        self._sessions = sessions
        self._worker = worker
        self._context_tokens = 0
        self._most_tokens: int | None = None
        self._connection: ConnectionStatus | None = None
        self.models = ModelChooser(parts.composer.model, sessions, worker)
        self.models.changed.connect(self.show_connection)
        for changed in (parts.composer.state_changed, parts.composer.tiers.changed):
            changed.connect(actions.refresh)
        parts.shell.shown_changed.connect(self._show_sides)
        sessions.shown_changed.connect(self.show_shown)
        parts.sidebar.list.selectionModel().selectionChanged.connect(actions.refresh)
        sessions.active_changed.connect(self._show_active)
        sessions.others.changed.connect(self._show_marks)
        sessions.turns.running_changed.connect(parts.composer.set_streaming)
        sessions.turns.running_changed.connect(actions.refresh)
        sessions.turns.sessions_changed.connect(actions.refresh)
        worker.ready.connect(self.show_shown)
        worker.ready.connect(self._name_profile)

    def retranslate(self) -> None:
        self.models.retranslate()
        self.show_hints()
        self._show_title()

    def show_shown(self) -> None:
        shown, sessions = self._sessions.shown, self._sessions
        is_reading = sessions.is_past_shown and not sessions.was_just_ended
        is_blank = shown is None or (shown.is_temporary and not shown.messages)
        self._parts.show_empty(is_empty=is_blank)
        self._parts.show_reading(is_reading=is_reading)
        self._parts.transcript.set_past(sessions.is_past_shown)
        self._parts.composer.set_begins_anew(sessions.was_just_ended)
        self._show_is_temporary()
        self._parts.sidebar.select(shown.id if shown else None)
        self._parts.header.show_session(shown)
        self._show_title()
        self.show_context(self._context_tokens)
        is_kept = shown is not None and not shown.is_temporary
        self._parts.transcript.is_kept = is_kept
        has_page = is_kept and sessions.is_past_shown
        self._parts.header.buttons[Glyph.INFO].setVisible(has_page)
        self._actions.refresh()

    def show_hints(self) -> None:
        keys, parts = self._actions.keys, self._parts
        parts.sidebar.set_hints(keys("search"), keys("new_session"))
        parts.composer.set_hints(keys("send"), keys("stop"))
        parts.composer.tiers.set_hints({tier: keys(act) for act, tier in TIERS.items()})
        parts.find_bar.set_hints(keys("find_next"), keys("find_previous"))
        parts.suggestions.set_hints(keys("read_beside"), keys("add_beside"))

    def ask_for_connection(self) -> None:
        self._worker.do_latest(
            "model",
            lambda services: services.connection(),
            self._take_connection,
            self._show_no_connection,
        )

    def _take_connection(self, connection: ConnectionStatus) -> None:
        had_none = self._connection is not None and self._connection.model is None
        if had_none and connection.model is not None:
            self.model_connected.emit()
        self._connection = connection
        self._parts.status.tell(**_UNTRIED)
        self.show_connection(connection)

    def _show_no_connection(self, error: AppError) -> None:
        self._parts.status.tell(connection=ConnectionStatus(), is_reached=True)
        self._worker.failed.emit(error)

    def show_connection(self, connection: ConnectionStatus) -> None:
        """Show the model that answers; what its last answer showed of it holds until another."""
        self._most_tokens = connection.limit_tokens
        is_same = self._parts.status.shows(connection)
        self._parts.status.tell(connection=connection, **({} if is_same else _UNTRIED))
        self.models.show_status(connection)
        self._parts.composer.set_local_only(connection.is_local_only)
        self._parts.empty_page.show_has_model(connection.model is not None)
        self.show_context(self._context_tokens)

    def show_context(self, tokens: int) -> None:
        self._context_tokens = tokens
        # The next message begins a new session.
        taken = 0 if self._sessions.was_just_ended else tokens
        last = self._parts.context.report
        limit = (last.limit_tokens if last else 0) or self._most_tokens
        self._parts.composer.set_context(taken, limit)

    def _show_active(self, session: Session | None) -> None:
        is_temporary = self._sessions.is_temporary
        self._parts.sidebar.model.set_active(session)
        self._parts.composer.set_temporary(is_temporary)
        self._parts.empty_page.show_temporary(is_temporary)
        self._parts.reading_bar.show_has_active(session is not None)
        self._show_is_temporary()  # the empty page is shown before the active session has ended

    def _show_marks(self) -> None:
        turns, unseen = self._sessions.turns, self._sessions.others.unseen
        marks = AnswerMarks(turns.answered, turns.waiting, turns.queued, unseen)
        self._parts.sidebar.model.set_marks(marks)

    def _show_is_temporary(self) -> None:
        shown = self._sessions.shown
        is_temporary = shown.is_temporary if shown else self._sessions.is_temporary
        self._parts.status.tell(is_temporary=is_temporary)

    def _show_sides(self) -> None:
        self._actions.refresh()
        is_hidden = not self._parts.shell.is_shown(Side.LEFT)
        self._parts.header.buttons[Glyph.SIDEBAR].setVisible(is_hidden)

    def _name_profile(self) -> None:
        services = self._worker.services
        if len(services.profiles.names()) > 1:
            self._profile = services.profile.folder.name
            self._show_title()

    def _show_title(self) -> None:
        shown = self._sessions.shown
        title = " ".join((shown.title or shown.opening).split()) if shown else ""
        named = self.tr("{title} – Bellek").format(title=title) if title else "Bellek"
        self._window.setWindowTitle(f"{named} – {self._profile}" if self._profile else named)
