"""Leads from one part of the main window to another, and takes what is dropped."""

from datetime import date
from typing import Protocol

from PySide6.QtCore import QObject, Qt

from desktop.ui.actions import WindowActions
from desktop.ui.composer.suggestions_controller import QuestionSuggester, SuggestionsController
from desktop.ui.devices.devices_controller import DevicesController
from desktop.ui.diary.diary_controller import DiaryController
from desktop.ui.insight.insight_controller import InsightController
from desktop.ui.library.library_controller import LibraryController
from desktop.ui.library.table import dragged_sources
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
from desktop.ui.widgets.message_editor import DropTarget, dropped_text
from desktop.ui.widgets.splitter_layout import Side
from desktop.ui.window.background_scheduler import BackgroundScheduler
from desktop.ui.window.commands import WindowCommands
from desktop.ui.window.comparing import AnswerComparison
from desktop.ui.window.dialogs import WindowDialogs
from desktop.ui.window.guide import GuideController
from desktop.ui.window.notices import WindowNotices
from desktop.ui.window.rail import Rail
from desktop.ui.window.window_presenter import WindowWidgets


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
        window.sessions.extended.connect(window.desk.reload)

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
