"""The base of the main window: its controllers, and the action behind each command."""

from collections.abc import Callable, Mapping
from functools import partial

from PySide6.QtWidgets import QMainWindow

from desktop.domain.ids import SessionId
from desktop.domain.sessions import Session
from desktop.settings.settings import Settings
from desktop.ui.actions import TIERS, ActionId, WindowActions
from desktop.ui.composer.suggestions_controller import QuestionSuggester, SuggestionsController
from desktop.ui.dialogs.settings.settings_controller import SettingsController
from desktop.ui.i18n import LanguageController
from desktop.ui.palette.palette import PaletteItem
from desktop.ui.palette.palette_controller import PaletteController, PaletteItems, WindowPrompts
from desktop.ui.quick_access.global_key import GlobalKey
from desktop.ui.quick_access.quick_window import QuickQuestions
from desktop.ui.quick_access.tray import Tray
from desktop.ui.search.results_page import ResultsController
from desktop.ui.services import LOCKED, NavigationTarget, Restart, Worker
from desktop.ui.session.controller import SessionController
from desktop.ui.session.message_actions import MessageActions
from desktop.ui.session.session_page import SessionPageController
from desktop.ui.sidebar.archive_controller import ArchiveController
from desktop.ui.sidebar.project_controller import ProjectsController
from desktop.ui.sidebar.search_controller import SidebarSearchController
from desktop.ui.theme.theme import ZOOM_STEP, ThemeController
from desktop.ui.trace.research_controller import ResearchController
from desktop.ui.turn_bridge import TurnBridge
from desktop.ui.window.background_scheduler import BackgroundScheduler
from desktop.ui.window.commands import WindowCommands
from desktop.ui.window.dialogs import WindowDialogs
from desktop.ui.window.history import NavigationHistory
from desktop.ui.window.housekeeping import WindowHousekeeping
from desktop.ui.window.lifetime import ShutdownController
from desktop.ui.window.notices import ToolPermissionPrompt, WebPermissionPrompt, WindowNotices
from desktop.ui.window.other_windows import (
    WindowDiary,
    WindowGuide,
    WindowInsight,
    WindowLibrary,
    WindowMemory,
)
from desktop.ui.window.window_presenter import SidePanelController, WindowPresenter, WindowWidgets
from desktop.ui.window_state import WindowState


class WindowControllers(QMainWindow):
    _is_quitting = False
    restart: Restart | None = None  # How the program starts again when it has quit

    def __init__(
        self,
        theme: ThemeController,
        languages: LanguageController,
        changes: SettingsController,
        bridge: TurnBridge,
        state: WindowState,
    ) -> None:
        super().__init__()
        self._theme, self._languages = theme, languages
        self.changes = changes
        self._state = state
        self.worker = worker = Worker(bridge, self)
        self.parts = parts = WindowWidgets(theme, self)
        self.actions_by_name = WindowActions(self)
        self.sessions = SessionController(
            parts.transcript, parts.strip, parts.composer.tiers.take, worker, self
        )
        self.archive = ArchiveController(parts.sidebar, parts.strip, worker, self)
        SidebarSearchController(parts.sidebar, worker, self)
        self.results = ResultsController(parts.results, worker, self)
        self.recall = SuggestionsController(
            parts.composer, parts.suggestions, parts.context_chips, parts.beside, self.sessions
        )
        self.desk = MessageActions(parts.transcript, self.sessions, worker)
        self.background = BackgroundScheduler(
            worker, self.sessions, parts.composer, parts.transcript
        )
        self.shutdown = ShutdownController(self.sessions, self.background, worker)
        self.view = WindowPresenter(self, parts, self.actions_by_name, self.sessions, worker)
        self.memory = WindowMemory(self, parts, theme, self.sessions, worker)
        self.library = WindowLibrary(self, theme, worker, changes)
        self.diary = WindowDiary(self, theme, worker)
        self.insight = WindowInsight(self, theme, worker)
        self.research = ResearchController(
            parts.trace, parts.plan, parts.transcript, parts.strip, self.sessions, worker
        )
        self.web = WebPermissionPrompt(parts.strip, self.sessions, changes, state)
        self.dialogs = WindowDialogs(
            self, changes, self.actions_by_name.shortcuts, parts.strip, worker
        )
        self.notices = WindowNotices(parts.strip, self.sessions, worker, languages)
        self.notices.restart_wanted.connect(self.dialogs.restart)
        ToolPermissionPrompt(parts.strip, self.sessions.turns, worker)
        self.commands = WindowCommands(parts, changes, self.sessions, self.archive, self)
        self.housekeeping = WindowHousekeeping(
            parts.strip, worker, changes, self.sessions, self.archive, self.background
        )
        self.suggester = QuestionSuggester(parts.transcript, self.sessions, worker)
        self._side = SidePanelController(parts, self.desk)
        self.guide = WindowGuide(self, self._theme, self._languages)
        self.page = SessionPageController(parts.page, self.sessions, parts.strip, self.worker)
        self.quick = QuickQuestions(self._theme, self.worker, self)
        self.quick_key = GlobalKey(self)
        self.tray = Tray(self.actions_by_name, self)
        self.command_palette = self._filled_palette()
        self.prompts = WindowPrompts(
            parts.composer.field,
            parts.strip,
            self.command_palette,
            self.recall.add,
            self.sessions,
            self.worker,
        )
        self.history = NavigationHistory(
            parts, self.sessions, self.library, self.actions_by_name, self
        )
        self.projects = ProjectsController(
            parts.sidebar, parts.strip, self.sessions, self.archive, self.worker
        )
        self._connect_actions()

    def leave_at_once(self) -> None:
        """Close without asking, because log-out and signals do not wait."""
        if not self.shutdown.is_leaving:
            self._state.keep(self, self.parts.shell)
            self.hide()
            self.quick.close()
            self.shutdown.begin()

    def quit(self) -> None:
        """Close the window, not into the tray."""
        self._is_quitting = True
        self.close()

    def start_again(self, restart: Restart) -> None:
        """Quit, unless the user wants to keep a temporary session, and start once more."""
        self.sessions.ask_before_losing(lambda: self.start_again_at_once(restart))

    def start_again_at_once(self, restart: Restart) -> None:
        self.restart = restart
        self.leave_at_once()

    def lock(self) -> None:
        self.start_again(LOCKED)

    def _connect_actions(self) -> None:
        self.dialogs.restart_wanted.connect(self.start_again)
        actions = self.actions_by_name
        for act, do in self._commands().items():
            actions[act].triggered.connect(lambda _=False, do=do: do())
        for act, tier in TIERS.items():
            actions[act].triggered.connect(
                lambda _=False, tier=tier: self.parts.composer.tiers.choose(tier)
            )
        for theme, action in actions.themes.items():
            action.triggered.connect(lambda _=False, theme=theme: self.changes.choose_theme(theme))
        for language, action in actions.languages.items():
            action.triggered.connect(
                lambda _=False, language=language: self.changes.choose_language(language)
            )

    def _commands(self) -> Mapping[ActionId, Callable[[], object]]:
        parts, commands, dialogs = self.parts, self.commands, self.dialogs
        sessions, archive, search = self.sessions, self.archive, self.commands.search
        return {
            ActionId.NEW_SESSION: commands.begin_new,
            ActionId.TEMPORARY: commands.begin_temporary,
            ActionId.QUICK: self.quick.open,
            ActionId.NEW_PROJECT: self.projects.create,
            ActionId.CONTINUE: lambda: commands.with_shown(commands.continue_session),
            ActionId.IMPORT: dialogs.ask_what_to_import,
            ActionId.EXPORT: lambda: commands.with_chosen(commands.export, "export"),
            ActionId.PRINT: lambda: commands.with_shown(commands.print),
            ActionId.EXPORT_ALL: archive.ask_where_to_export_all,
            ActionId.BACK_UP: dialogs.ask_where_to_back_up,
            ActionId.RESTORE: dialogs.ask_what_to_restore,
            ActionId.REPAIR: dialogs.ask_to_repair,
            ActionId.FREE_SPACE: self.housekeeping.ask_to_free_space,
            ActionId.PASSPHRASE: dialogs.show_passphrase,
            ActionId.LOCK: self.lock,
            ActionId.QUIT: self.quit,
            ActionId.FIND: search.find,
            ActionId.FIND_NEXT: lambda: search.step(1),
            ActionId.FIND_PREVIOUS: lambda: search.step(-1),
            ActionId.SEARCH: commands.search_all,
            ActionId.RESULTS: lambda: search.show_results(parts.sidebar.query.text),
            ActionId.PALETTE: self.command_palette.open,
            ActionId.SIDEBAR: commands.toggle_sidebar,
            ActionId.SOURCES: lambda: self._side.toggle(parts.panel),
            ActionId.CONTEXT: lambda: self._side.toggle(parts.context),
            ActionId.TRACE: lambda: self._side.toggle(parts.trace),
            ActionId.ZOOM_IN: lambda: commands.zoom_by(ZOOM_STEP),
            ActionId.ZOOM_OUT: lambda: commands.zoom_by(-ZOOM_STEP),
            ActionId.ZOOM_RESET: lambda: commands.zoom_to(Settings().zoom_percent),
            ActionId.FULL_SCREEN: commands.toggle_full_screen,
            ActionId.SEND: parts.composer.send,
            ActionId.STOP: sessions.asking.stop,
            ActionId.WRITE: commands.go_to_field,
            ActionId.READ_BESIDE: self._read_beside,
            ActionId.ADD_BESIDE: self._add_beside,
            ActionId.END_SESSION: sessions.end,
            ActionId.BACK: self.history.back,
            ActionId.FORWARD: self.history.forward,
            ActionId.NEXT_SESSION: lambda: parts.sidebar.step(1),
            ActionId.PREVIOUS_SESSION: lambda: parts.sidebar.step(-1),
            ActionId.ACTIVE_SESSION: sessions.show_active,
            ActionId.RENAME: lambda: commands.with_shown(commands.rename),
            ActionId.PIN: lambda: commands.with_chosen(commands.pin, "pin"),
            ActionId.COPY_SESSION: lambda: commands.with_shown(archive.copy),
            ActionId.SESSION_PAGE: self.page.toggle,
            ActionId.SUMMARIES: lambda: commands.with_shown(self.memory.read_compacts),
            ActionId.LEARN: lambda: commands.with_shown(archive.learn),
            ActionId.MERGE: lambda: commands.with_chosen(archive.ask_to_merge, "merge"),
            ActionId.MOVE: lambda: commands.with_chosen(
                lambda *several: self.projects.ask_where_to_move(several)
            ),
            ActionId.TAGS: lambda: commands.with_chosen(
                lambda *several: self.projects.ask_for_tags(several)
            ),
            ActionId.DELETE: lambda: commands.with_chosen(commands.delete),
            ActionId.LIBRARY: self.library.open,
            ActionId.MEMORY: self.memory.open,
            ActionId.DIARY: self.diary.open,
            ActionId.INSIGHT: self.insight.open,
            ActionId.PROMPTS: self.prompts.open,
            ActionId.MODELS: dialogs.show_models,
            ActionId.EXAMPLES: archive.add_example_library,
            ActionId.SETTINGS: dialogs.show_settings,
            ActionId.GUIDE: self.guide.open,
            ActionId.SHORTCUTS: dialogs.show_shortcuts,
            ActionId.WELCOME: lambda: dialogs.show_welcome(offers_examples=True),
            ActionId.ABOUT: dialogs.show_about,
        }

    def _read_beside(self) -> None:
        """Show a past session beside the message: the one that is read, suggested, or chosen."""
        past = self._past()

        def read(item: PaletteItem) -> None:
            place = NavigationTarget(SessionId(item.key.partition(" ")[2]))
            self.recall.read_place(place)

        if past is not None:
            self.recall.read_place(NavigationTarget(past.id))
            self.commands.back()
        elif not self.recall.open_beside():
            self.command_palette.open(("session",), read)

    def _add_beside(self) -> None:
        """Add a past session to the context: the one that is read, suggested, or chosen."""
        past = self._past()
        if past is not None:
            self.commands.back()
            self.recall.add(past.id, past.shown_title)
        elif not self.recall.add_current():
            self.command_palette.open(("session",), self.prompts.attach)

    def _past(self) -> Session | None:
        return self.sessions.shown if self.sessions.is_past_shown else None

    def _filled_palette(self) -> PaletteController:
        palette = PaletteController(self._theme, self.worker, self._state, self)
        items, go = PaletteItems(self._languages, self), self.commands.open
        palette.offer("actions", partial(items.actions, self.actions_by_name))
        palette.offer("settings", partial(items.settings, self.dialogs.show_settings))
        palette.offer("sessions", lambda: items.sessions(self.parts.sidebar.model.sessions, go))
        palette.offer_loaded("documents", partial(items.documents, self.library.read))
        palette.offer(
            "projects", lambda: items.projects(self.projects.known, self.projects.choose)
        )
        palette.offer("tags", lambda: items.tags(self.projects.tags, self.projects.choose_tag))
        palette.search_with(partial(items.found_sessions, go))
        return palette
