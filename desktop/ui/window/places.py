"""Leads from one part of the main window to another, and shows in them what comes in.

Back and Forward lead through what was read: sessions, places in them, sources, and pages.
"""

from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from typing import Protocol

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QWidget

from desktop.domain.frozen import dataclass
from desktop.domain.ids import SessionId
from desktop.ui.actions import QT_TR_NOOP, Action, WindowActions
from desktop.ui.composer.suggestions_controller import QuestionSuggester, SuggestionsController
from desktop.ui.devices.devices_controller import DevicesController
from desktop.ui.dialogs.shortcuts import BACK_KEYS, FORWARD_KEYS
from desktop.ui.library.library_controller import LibraryController
from desktop.ui.library.table_model import dragged_sources
from desktop.ui.memory.memory_controller import MemoryController
from desktop.ui.palette.palette_controller import PaletteController
from desktop.ui.palette.prompts_controller import PromptsController
from desktop.ui.quick_access.quick_window import QuickQuestions
from desktop.ui.quick_access.tray import Tray
from desktop.ui.reader.reader_content import ReaderPlace
from desktop.ui.search.results_page import ResultsController
from desktop.ui.services import NavigationTarget, Restart
from desktop.ui.session.controller import SessionController
from desktop.ui.session.message_actions import MessageActions
from desktop.ui.session.session_page import SessionPageController
from desktop.ui.sidebar.archive_controller import ArchiveController
from desktop.ui.sidebar.project_controller import ProjectsController
from desktop.ui.sidebar.project_page import ProjectPageController
from desktop.ui.theme.theme import Glyph
from desktop.ui.trace.research_controller import ResearchController
from desktop.ui.transcript.view import TranscriptView
from desktop.ui.views import View
from desktop.ui.widgets.message_editor import DropTarget, dropped_text
from desktop.ui.widgets.splitter_layout import Side
from desktop.ui.window.background_scheduler import BackgroundScheduler
from desktop.ui.window.commands import WindowCommands
from desktop.ui.window.comparing import AnswerComparison
from desktop.ui.window.dialogs import WindowDialogs
from desktop.ui.window.header import Rail
from desktop.ui.window.notices import WindowNotices
from desktop.ui.window.page_controllers import DiaryController, GuideController, InsightController
from desktop.ui.window.window_presenter import WindowWidgets

_MOST = 100


@dataclass(frozen=True, slots=True)
class Visit:
    session_id: SessionId | None = None  # None for a page without a session, or for a source
    anchor: tuple[int | None, int] = (None, 0)  # The value of `TranscriptView.anchor`
    source: ReaderPlace | None = None
    page: str = ""  # The action that opens a page of the window


class NavigationHistory(QObject):
    changed = Signal()  # Whether there is a way back or forward
    page_wanted = Signal(str)  # The action that opens a page

    def __init__(
        self,
        parts: WindowWidgets,
        sessions: SessionController,
        archive: ArchiveController,
        library: LibraryController,
        window: QWidget,
    ) -> None:
        super().__init__(window)
        self._parts = parts
        self._transcript: TranscriptView = parts.transcript
        self._sessions = sessions
        self._library = library
        self._window = window
        self._past: list[Visit] = []
        self._future: list[Visit] = []
        self._here = Visit()
        self._pending_visit: Visit | None = None
        sessions.leaving.connect(self._note_place)
        sessions.jumped.connect(lambda: self._go_on(replace(self._here, source=None)))
        sessions.session_opened.connect(self._note_session)
        sessions.session_removed.connect(self._forget)
        archive.deleted.connect(self._forget)
        parts.view_changed.connect(self._note_page)
        library.reading.connect(self._note_source)
        library.reader_closed.connect(self._note_closed)
        library.back_wanted.connect(self.back)
        library.forward_wanted.connect(self.forward)
        window.installEventFilter(self)

    def records(self) -> Sequence[Action]:
        back, forward = QT_TR_NOOP("Back"), QT_TR_NOOP("Forward")
        return (
            Action("back", back, BACK_KEYS, self.back, lambda _: bool(self._past)),
            Action("forward", forward, FORWARD_KEYS, self.forward, lambda _: bool(self._future)),
        )

    def back(self) -> None:
        self._move(self._past, self._future)

    def forward(self) -> None:
        self._move(self._future, self._past)

    def _forget(self, session_id: SessionId) -> None:
        for visits in (self._past, self._future):
            visits[:] = [visit for visit in visits if visit.session_id != session_id]
        self.changed.emit()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Handle the mouse's back and forward buttons, wherever in the window the pointer is."""
        if watched is self._window:
            handle = self._window.windowHandle() if event.type() == QEvent.Type.Show else None
            if handle is not None:
                handle.installEventFilter(self)
        elif event.type() == QEvent.Type.MouseButtonPress and isinstance(event, QMouseEvent):
            go = {
                Qt.MouseButton.BackButton: self.back,
                Qt.MouseButton.ForwardButton: self.forward,
            }.get(event.button())
            if go is not None:
                go()
                return True
        return False

    def _note_place(self) -> None:
        """Record the reader's place before something else is shown."""
        if self._here.source is None and not self._here.page:
            self._here = replace(self._here, anchor=self._transcript.anchor())

    def _note_session(self, session_id: SessionId | None) -> None:
        visit, self._pending_visit = self._pending_visit, None
        if visit is not None and visit.session_id in (session_id, None):
            self._here = replace(visit, session_id=session_id)
            return
        active = self._sessions.active
        is_begun = active is not None and active.id == session_id
        here = self._here
        if here.source is None and here.session_id is None and is_begun:
            self._here = Visit(session_id)  # the empty page has become a session
        elif here.source is not None or session_id != here.session_id:
            self._go_on(Visit(session_id))

    def _note_source(self, place: ReaderPlace) -> None:
        visit, self._pending_visit = self._pending_visit, None
        if visit is None or visit.source != place:
            self._note_place()
            self._go_on(Visit(source=place))

    def _note_page(self) -> None:
        """Make a page a step; leaving it for the session that it covered is one, too."""
        here = self._here
        if self._pending_visit is None and self._page() != here.page and here.source is None:
            self._note_place()
            self._go_on(replace(here, page=self._page()))

    def _note_closed(self) -> None:
        """Make what a source covered, or stood beside, a step."""
        if self._pending_visit is None and self._here.source is not None:
            shown = self._sessions.shown
            self._go_on(Visit(shown.id if shown else None, page=self._page()))

    def _page(self) -> str:
        view = self._parts.view
        return view.act if isinstance(view, View) else ""

    def _go_on(self, to: Visit) -> None:
        self._past = [*self._past, self._here][-_MOST:]
        self._future.clear()
        self._here = to
        self.changed.emit()

    def _move(self, source: list[Visit], target: list[Visit]) -> None:
        if not source:
            return
        self._note_place()
        target.append(self._here)
        left, self._here = self._here, source.pop()
        self.changed.emit()
        self._open(self._here, left)

    def _open(self, visit: Visit, left: Visit) -> None:
        shown = self._sessions.shown
        self._pending_visit = visit
        self._parts.show_view(None)
        self._parts.shell.uncover()
        if visit.source is not None:
            self._library.read(visit.source)
            return
        if left.source is not None:
            self._library.close_reader()
            self._window.activateWindow()
        if visit.page:
            self.page_wanted.emit(visit.page)
            self._pending_visit = None
            return
        if (shown.id if shown else None) == visit.session_id:
            self._pending_visit = None
            self._transcript.restore_anchor(*visit.anchor)
        elif visit.session_id is None:
            self._sessions.show_active()
        else:
            self._sessions.open(
                NavigationTarget(visit.session_id),
                lambda: self._transcript.restore_anchor(*visit.anchor),
            )


class Controllers(Protocol):
    """Of the main window: what the places belong to."""

    parts: WindowWidgets
    actions_by_name: WindowActions
    sessions: SessionController
    archive: ArchiveController
    commands: WindowCommands
    results: ResultsController
    desk: MessageActions
    recall: SuggestionsController
    research: ResearchController
    projects: ProjectsController
    project_page: ProjectPageController
    page: SessionPageController
    comparison: AnswerComparison
    memory: MemoryController
    library: LibraryController
    diary: DiaryController
    insight: InsightController
    devices: DevicesController
    suggester: QuestionSuggester
    background: BackgroundScheduler
    guide: GuideController
    dialogs: WindowDialogs
    notices: WindowNotices
    prompts: PromptsController
    command_palette: PaletteController
    quick: QuickQuestions
    tray: Tray
    rail: Rail

    def bring_to_front(self) -> None: ...

    def start_again(self, restart: Restart) -> None: ...


class Places(QObject):
    def __init__(self, window: Controllers) -> None:
        super().__init__(window.parts)
        self._window, self._parts = window, window.parts
        self._connect_pages()
        self._connect_session()
        self._connect_windows()
        self._show_background_work()
        self._load_again()
        self._take_dropped()

    def _connect_pages(self) -> None:
        """Connect what lists and pages name with what shows it."""
        window, parts = self._window, self._parts
        commands, library, memory, diary = (
            window.commands,
            window.library,
            window.memory,
            window.diary,
        )
        for made in (
            memory.page_made,
            library.page_made,
            diary.page_made,
            window.insight.page_made,
            window.page.page_made,
            window.comparison.page_made,
            window.project_page.page_made,
            window.dialogs.page_made,
            window.prompts.page_made,
            window.guide.page_made,
            window.devices.page_made,
        ):
            made.connect(parts.add_view)
        for chosen in (parts.sidebar.place_chosen, parts.results.place_chosen):
            chosen.connect(self._open)
        window.project_page.place_wanted.connect(self._open)
        window.project_page.fact_wanted.connect(memory.open)
        window.project_page.sessions_wanted.connect(self._show_list)
        window.project_page.all_wanted.connect(window.actions_by_name.trigger)
        parts.header.buttons[Glyph.INFO].clicked.connect(window.page.toggle)
        window.page.place_wanted.connect(commands.open)
        window.page.citation_wanted.connect(library.open_citation)
        window.page.fact_wanted.connect(memory.open)
        window.page.memory_wanted.connect(memory.open_preferences)
        window.page.day_wanted.connect(diary.open)
        window.comparison.link_chosen.connect(window.desk.follow)
        memory.place_wanted.connect(commands.search.open)
        diary.place_wanted.connect(commands.open)
        library.session_wanted.connect(commands.open_citation)
        library.note_place_wanted.connect(self._open)
        library.wall_wanted.connect(window.projects.choose)
        library.quote_wanted.connect(commands.quote)
        library.inside_wanted.connect(commands.search.show_in_sources)
        library.import_wanted.connect(window.dialogs.show_importing)
        library.ask_wanted.connect(window.recall.add)
        commands.search.results_shown.connect(window.results.offer_topics)

    def _connect_session(self) -> None:
        """Connect what the session and its panels name with what shows it."""
        window, parts = self._window, self._parts
        window.desk.place_wanted.connect(window.sessions.open)
        window.research.source_wanted.connect(window.library.open_citation)
        window.research.trace_wanted.connect(lambda: parts.show_panel(parts.trace))
        window.recall.beside_shown.connect(lambda: parts.show_panel(parts.side_panel))
        window.rail.conversation_wanted.connect(lambda: parts.show_view(None))
        window.prompts.draft_wanted.connect(window.commands.back)
        parts.context.compacts_wanted.connect(window.memory.read_last)
        for models in (parts.empty_page.models, parts.status.link):
            models.clicked.connect(window.dialogs.show_models)

    def _connect_windows(self) -> None:
        """Connect the dialogs, the quick window and the tray with the main window."""
        window, quick = self._window, self._window.quick
        window.dialogs.memory_wanted.connect(window.memory.open)
        window.dialogs.proposals_wanted.connect(window.memory.open_proposals)
        window.guide.shortcuts_wanted.connect(window.dialogs.show_shortcuts)
        window.dialogs.examples_wanted.connect(window.archive.add_example_library)
        window.dialogs.imported.connect(window.archive.load)
        window.dialogs.imported.connect(lambda _: window.library.desk.changed.emit())
        window.dialogs.restart_wanted.connect(window.start_again)
        window.notices.restart_wanted.connect(window.dialogs.restart)
        window.notices.programs_wanted.connect(window.dialogs.show_programs)
        for wanted in (quick.citation_wanted, quick.fact_wanted):
            wanted.connect(lambda _: window.bring_to_front())
        quick.key.refused.connect(window.notices.show_key_refused)
        quick.citation_wanted.connect(window.library.open_citation)
        quick.fact_wanted.connect(window.memory.open)
        quick.move_wanted.connect(lambda: window.sessions.adopt_aside(self._show_moved))
        window.tray.show_wanted.connect(window.bring_to_front)
        window.command_palette.window_wanted.connect(window.bring_to_front)
        window.diary.found.connect(
            lambda words: window.tray.notify_in_window(words, window.diary.open_today)
        )

    def _show_background_work(self) -> None:
        """Begin the work behind the window when it is due, and show what comes of it."""
        window, parts = self._window, self._parts
        background, notices = window.background, window.memory.notices
        window.library.desk.changed.connect(background.look_for_work)
        window.sessions.description_due.connect(background.look_for_work)
        window.library.desk.scans_wanted.connect(background.work_now)
        background.described.connect(parts.sidebar.model.put)
        background.described.connect(window.sessions.take_changed)
        background.describing_ended.connect(window.desk.recount)
        background.claims_checked.connect(window.desk.take_checked)
        background.housekept.connect(window.library.desk.show_read)
        background.housekept.connect(window.diary.show_found)
        background.learned.connect(notices.show_learned)
        for preferred in (background.preferred, window.desk.preferred):
            preferred.connect(notices.show_preferences)
        background.embedding_progressed.connect(parts.status.tell_embedding)
        background.day_changed.connect(parts.sidebar.model.say_again)
        for failed in (background.draft_failed, background.backup_failed):
            failed.connect(window.notices.show_failed)

    def _load_again(self) -> None:
        """Load lists again when another project is chosen, or another device has sent changes."""
        window, received = self._window, self._window.devices.received
        for load in (
            window.suggester.refresh,
            window.library.desk.changed,
            window.memory.desk.changed,
            window.diary.look_again,
            window.prompts.look_again,
            window.results.look_again,
        ):
            window.projects.chosen.connect(load)
            received.connect(load)
        received.connect(window.archive.load)
        received.connect(window.projects.load)
        received.connect(window.sessions.look_for_received)
        received.connect(self._parts.sidebar.search_again)
        received.connect(window.background.embed)
        window.sessions.received.connect(window.desk.reload)

    def _take_dropped(self) -> None:
        window, library = self._parts.shell.window(), self._window.library
        DropTarget(window, dropped_text).dropped.connect(self._window.commands.write_dropped)
        DropTarget(window).dropped.connect(library.take_dropped)
        dropped = DropTarget(self._parts.sidebar.projects, dragged_sources).dropped
        dropped.connect(library.ask_where_to_move, Qt.ConnectionType.QueuedConnection)

    def _show_list(self) -> None:
        self._parts.show_view(None)
        self._parts.shell.show_side(Side.LEFT, True)

    def _show_moved(self) -> None:
        """Show the conversation that was moved here from the quick window."""
        window = self._window
        window.quick.end()
        window.quick.close()
        window.bring_to_front()
        window.commands.go_to_field()

    def _open(self, place: NavigationTarget | ReaderPlace | date) -> None:
        match place:
            case NavigationTarget():
                self._window.commands.open(place)
            case ReaderPlace():
                self._window.library.read(place)
            case date():
                self._window.diary.open(place)
