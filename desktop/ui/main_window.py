"""The main window: creates its parts and connects them.

It is shown empty and takes keys at once. Calls of the services wait in its worker.
"""

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QCloseEvent, QKeyEvent, QKeySequence
from PySide6.QtWidgets import QMainWindow, QWidget

from desktop.domain.ids import SessionId
from desktop.settings.settings import Settings, UiLanguage
from desktop.ui.actions import QT_TR_NOOP, Action, Situation, WindowActions, everywhere
from desktop.ui.composer.attachments import AttachmentController, UnseenPictures
from desktop.ui.composer.suggestions_controller import QuestionSuggester, SuggestionsController
from desktop.ui.devices.devices_controller import DevicesController
from desktop.ui.i18n import LanguageController
from desktop.ui.library.library_controller import LibraryController
from desktop.ui.memory.memory_controller import MemoryController
from desktop.ui.palette.palette_controller import PaletteController, PaletteItems
from desktop.ui.palette.prompts_controller import PromptsController
from desktop.ui.profile.profile_menu import ProfileMenu
from desktop.ui.quick_access.quick_window import QuickQuestions
from desktop.ui.quick_access.tray import Tray
from desktop.ui.search.results_page import ResultsController
from desktop.ui.services import LOCKED, NavigationTarget, Restart, Worker
from desktop.ui.session.controller import SessionController
from desktop.ui.session.message_actions import MessageActions, MessageNotes
from desktop.ui.session.note_writing import NoteWriting
from desktop.ui.session.session_page import SessionPageController
from desktop.ui.settings_controller import SettingsController
from desktop.ui.sidebar.archive_controller import ArchiveController
from desktop.ui.sidebar.project_controller import ProjectsController
from desktop.ui.sidebar.project_page import ProjectPageController
from desktop.ui.sidebar.publishing import Publishing
from desktop.ui.sidebar.search_controller import SidebarSearchController
from desktop.ui.theme.theme import ThemeController
from desktop.ui.trace.research_controller import ResearchController
from desktop.ui.transcript.column import next_outside
from desktop.ui.turn_bridge import TurnBridge
from desktop.ui.widgets.layouts import growing, row, widget_with
from desktop.ui.window.appearance import Appearance
from desktop.ui.window.background_scheduler import BackgroundScheduler
from desktop.ui.window.commands import WindowCommands
from desktop.ui.window.comparing import AnswerComparison
from desktop.ui.window.dialogs import WindowDialogs
from desktop.ui.window.header import Rail
from desktop.ui.window.housekeeping import WindowHousekeeping
from desktop.ui.window.keyboard_input import EditActions, is_word
from desktop.ui.window.lifetime import ShutdownController, WindowRequest
from desktop.ui.window.notices import ToolPermissionPrompt, WebPermissionPrompt, WindowNotices
from desktop.ui.window.page_controllers import DiaryController, GuideController, InsightController
from desktop.ui.window.places import NavigationHistory, Places
from desktop.ui.window.window_presenter import SidePanelController, WindowPresenter, WindowWidgets
from desktop.ui.window_state import WindowState

if TYPE_CHECKING:
    from desktop.ui.window.program_requests import ProgramRequests


class MainWindow(QMainWindow):
    closed = Signal()  # Everything is saved, or took too long: the program may exit
    restart: Restart | None = None  # How the program starts again when it has quit
    _can_lock = True
    _is_quitting = False
    _programs: "ProgramRequests | None" = None

    def __init__(
        self,
        theme: ThemeController,
        languages: LanguageController,
        changes: SettingsController,
        bridge: TurnBridge,
        state: WindowState,
    ) -> None:
        # First: a catalog that is installed later makes every widget set its texts again.
        languages.apply(changes.settings.language)
        super().__init__()
        self._theme, self._languages = theme, languages
        self.changes, self._state = changes, state
        self.worker = Worker(bridge, self)
        self.parts = WindowWidgets(theme, self)
        self._make_sessions()
        self._make_windows()
        self._make_actions()
        self._build()
        self._connect_widgets()
        self._connect_sessions()
        Places(self)
        self._apply(changes.settings)
        self._apply_to_services(changes.settings)
        pages = (
            self.memory,
            self.library,
            self.diary,
            self.insight,
            self.page,
            self.project_page,
            self.comparison,
        )
        for paged in pages:
            languages.language_changed.connect(paged.retranslate)
        languages.language_changed.connect(self.suggester.refresh)
        self.retranslate()
        self.view.show_shown()

    def retranslate(self) -> None:
        self._profiles.retranslate()  # first: its title needs a letter of its own, too
        self.actions_by_name.retranslate()
        self.rail.refresh()
        self.menuBar().setAccessibleName(self.tr("Menus"))
        self.view.retranslate()

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange:
            self.retranslate()
            self.sessions.notices.retranslate()
            self.desk.retranslate()
            self.projects.show()
            self.parts.status.tell(language=self._languages.language)
        super().changeEvent(event)

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ShortcutOverride and self._is_stop(event):
            event.accept()  # What can be closed by Esc gets the key first; see keyPressEvent.
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Send text that no other widget handles to the composer; Esc stops the answer."""
        field = self.parts.composer.field
        if self._is_stop(event):
            self.actions_by_name["stop"].trigger()
            return
        # While a session is being resumed, the composer is hidden but accepts text.
        if is_word(event) and (field.isVisible() or self.sessions.is_resuming):
            field.setFocus(Qt.FocusReason.OtherFocusReason)
            field.keyPressEvent(event)
        else:
            super().keyPressEvent(event)

    def _is_stop(self, event: QEvent) -> bool:
        if not isinstance(event, QKeyEvent) or event.key() != Qt.Key.Key_Escape:
            return False
        keys = QKeySequence(event.keyCombination())
        return self.actions_by_name.keys("stop") == keys

    def focusNextPrevChild(self, next: bool) -> bool:  # noqa: A002, FBT001 - Qt's signature
        before: QWidget | None = self.focusWidget()
        target = next_outside(before, forward=next) if before else None
        if target is None:
            return super().focusNextPrevChild(next)
        reason = Qt.FocusReason
        target.setFocus(reason.TabFocusReason if next else reason.BacktabFocusReason)
        return True

    def closeEvent(self, event: QCloseEvent) -> None:
        """Hide the window at once, unless something would be lost or stopped unseen."""
        if self.tray.takes_close and not self._is_quitting:
            event.ignore()
            self._state.keep(self, self.parts.shell)
            self.hide()
            return
        self._is_quitting = False
        if self.shutdown.asks_first(self.leave_at_once, self):
            event.ignore()
        else:
            event.accept()
            self.leave_at_once()

    def bring_to_front(self) -> None:
        self.setWindowState(self.windowState() & ~Qt.WindowState.WindowMinimized)
        self.show()
        self.raise_()
        self.activateWindow()

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

    def _make_sessions(self) -> None:
        parts, worker = self.parts, self.worker
        self.actions_by_name = WindowActions(self._situation, self)
        self.sessions = sessions = SessionController(
            parts.transcript, parts.strip, parts.composer.tiers.take, worker, self
        )
        self.archive = ArchiveController(parts.sidebar, parts.strip, sessions, worker)
        self._searching = SidebarSearchController(parts.sidebar, worker, self._state, self)
        self.results = ResultsController(parts.results, worker, self)
        self.recall = SuggestionsController(
            composer=parts.composer,
            suggestions=parts.suggestions,
            chips=parts.context_chips,
            panel=parts.side_panel,
            sessions=sessions,
            archive=self.archive,
        )
        self.suggester = QuestionSuggester(parts.transcript, sessions, self.archive, worker)
        self.desk = MessageActions(parts.transcript, sessions, worker)
        transcripts = parts.transcript, parts.side_panel.transcript
        MessageNotes(*transcripts, strip=parts.strip, worker=worker, desk=self.desk)
        self.background = BackgroundScheduler(worker, sessions, parts.composer, parts.transcript)
        self.shutdown = ShutdownController(sessions, self.background, worker)
        self.view = WindowPresenter(self, parts, self.actions_by_name, sessions, worker)
        self.research = ResearchController(
            parts.trace, parts.plan, parts.transcript, parts.strip, sessions, worker
        )
        self.web = WebPermissionPrompt(parts.strip, sessions, self.changes, self._state)
        ToolPermissionPrompt(parts.strip, sessions.turns, worker)
        self.notices = WindowNotices(parts.strip, sessions, worker, self._languages)
        self.commands = WindowCommands(parts, sessions, self.archive, self)
        self.housekeeping = WindowHousekeeping(
            parts.strip, worker, self.changes, sessions, self.archive, self.background
        )
        self.projects = ProjectsController(
            parts.sidebar, parts.strip, sessions, self.archive, worker
        )
        self.project_page = ProjectPageController(
            self._theme, self.projects, sessions, parts.strip, worker
        )
        self.page = SessionPageController(self._theme, sessions, parts.strip, worker)
        self.comparison = AnswerComparison(self, self._theme, parts, sessions, worker)

    def _make_windows(self) -> None:
        parts, theme, worker = self.parts, self._theme, self.worker
        self.memory = MemoryController(
            theme, parts.composer, parts.transcript, parts.strip, self.sessions, worker
        )
        self.library = LibraryController(
            self, theme, worker, self.changes, strip=parts.strip, state=self._state
        )
        self._side = SidePanelController(parts, self.sessions, self.desk, self.library)
        self._note_writing = NoteWriting(
            parts.transcript,
            parts.side_panel.transcript,
            sessions=self.sessions,
            strip=parts.strip,
            worker=worker,
        )
        self.library.note_file_wanted.connect(self._note_writing.write_note)
        self._note_writing.folders_wanted.connect(self.library.open_watched_folders)
        self.diary = DiaryController(self, theme, worker, parts.strip)
        self.insight = InsightController(self, theme, worker)
        self.guide = GuideController(self, theme, self._languages)
        self.devices = DevicesController(self, worker, self.background.is_idle)
        self._publishing = Publishing(
            parts.sidebar, self.sessions, parts.strip, self.devices, worker
        )
        self.dialogs = WindowDialogs(
            self, theme, self.changes, self.actions_by_name.shortcuts, parts.strip, worker
        )
        self.quick = QuickQuestions(theme, worker, self)
        self.history = NavigationHistory(parts, self.sessions, self.archive, self.library, self)
        palette = self.command_palette = self._filled_palette()
        self.prompts = PromptsController(
            parts.composer.field, parts.strip, palette, self.recall, self.sessions, worker
        )

    def _make_actions(self) -> None:
        """Collect the actions of all parts; each says itself when it is possible."""
        parts, actions = self.parts, self.actions_by_name
        self._editing = EditActions(actions, parts.strip, parts.composer.field, self)
        for part in (
            self._editing,
            self.commands,
            self.commands.search,
            parts.composer.tiers,
            self.archive,
            self.projects,
            self.project_page,
            self.page,
            self.comparison,
            self._side,
            self.housekeeping,
            self.memory,
            self.library,
            self._note_writing,
            self.diary,
            self.insight,
            self.guide,
            self.dialogs,
            self.devices,
            self._publishing,
            self.quick,
            self.history,
            self.command_palette,
            self.prompts,
            Appearance(self.changes, self._languages, self),
            self,
        ):
            actions.add(*part.records())
        actions.fill(self.menuBar())
        self.history.page_wanted.connect(actions.trigger)
        for changed in (self._editing.changed, self.history.changed):
            changed.connect(actions.refresh)
        self.tray = Tray(actions, self.sessions, self.quick, self)

    def records(self) -> Sequence[Action]:
        lock, title = self.lock, QT_TR_NOOP("Lock the profile")
        return (
            everywhere("lock", title, "Ctrl+Alt+L", lock, lambda _: self._can_lock),
            everywhere("quit", QT_TR_NOOP("Quit"), "Ctrl+Q", self.quit),
        )

    def _situation(self) -> Situation:
        sessions = self.sessions
        return Situation(
            self.worker.is_ready,
            sessions.shown,
            sessions.active,
            sessions.is_past_shown,
            bool(self.parts.sidebar.chosen()),
        )

    def allow_locking(self, is_allowed: bool) -> None:  # noqa: FBT001 (a Qt setter)
        self._can_lock = is_allowed
        self.actions_by_name.refresh()

    def _build(self) -> None:
        parts, actions = self.parts, self.actions_by_name
        self.rail = Rail(self._theme, actions)
        self.setCentralWidget(widget_with(row(self.rail, growing(parts.shell), spacing=0)))
        parts.view_changed.connect(lambda: self.rail.show_current(parts.view))
        actions.refreshed.connect(self.rail.refresh)
        self.setStatusBar(parts.status)
        self._profiles = ProfileMenu(self.worker, self.start_again, parts.strip, self)
        actions.add_to_first_menu(self._profiles)
        self.command_palette.offer("profiles", self._profiles.items)
        parts.header.set_more_menu(actions.menu_of_session())
        parts.sidebar.list.addAction(actions["compact_list"])
        self._editing.watch(
            parts.composer.field,
            parts.sidebar.search,
            parts.find_bar.field,
            parts.results.field,
        )
        self._state.restore(self, parts.shell)
        parts.status.tell(language=self._languages.language)
        parts.composer.setFocus(Qt.FocusReason.OtherFocusReason)

    def _connect_widgets(self) -> None:
        parts = self.parts
        for detailed in (self.page, self.project_page):
            detailed.page_made.connect(lambda page: self._editing.watch(*page.fields.values()))
        self.projects.listed.connect(self.actions_by_name.refresh)
        self.projects.listed.connect(self._publishing.load)
        self._publishing.changed.connect(self.actions_by_name.refresh)
        self.projects.reach_changed.connect(self.view.ask_for_connection)
        self.page.changed.connect(self.archive.refresh)
        parts.status.language_chosen.connect(
            lambda language: self.changes.choose_language(UiLanguage(language.value))
        )
        attachments = AttachmentController(
            parts.composer, parts.strip, self.library, self.worker, self
        )
        UnseenPictures(
            attachments, parts.transcript, self.sessions, self.view.models, self.changes
        )
        for read in (parts.transcript, parts.side_panel.transcript):
            attachments.follow(read)

    def answer_request(self, request: WindowRequest) -> None:
        """Show what this start of Bellek, or a later one, asked for."""
        if request.is_locked:
            self.start_again_at_once(LOCKED)
            return
        if request.is_quick:
            self.quick.open()
            return
        if request.asks_user:
            self._ask_for_program(request)
            return
        self.bring_to_front()
        if request.opens:
            self.sessions.open(NavigationTarget(SessionId(request.opens)))
        if request.files:
            self.library.take_dropped(request.files)

    def _ask_for_program(self, request: WindowRequest) -> None:
        if self._programs is None:
            from desktop.ui.window.program_requests import ProgramRequests  # noqa: PLC0415 - not at the start

            changed = self.library.desk.changed
            self._programs = ProgramRequests(self.parts.strip, self.worker, changed.emit)
        self._programs.ask(request)

    def _connect_sessions(self) -> None:
        parts, sessions, archive = self.parts, self.sessions, self.archive
        self.changes.changed.connect(self._apply)
        self.changes.in_force.connect(self._apply_to_services)
        self.changes.language_chosen.connect(self._choose_language)
        self.shutdown.ended.connect(self.devices.finish)
        self.devices.finished.connect(self.closed)
        self.devices.attention_changed.connect(lambda words: parts.status.tell(devices=words))
        parts.status.devices.clicked.connect(self.devices.open)
        self._languages.language_changed.connect(self.devices.show_attention)
        self.changes.save_failed.connect(self.notices.show_failed)
        parts.status.follow(sessions)
        self.desk.usage_known.connect(lambda usage: parts.status.tell(usage=usage))
        self.desk.context_known.connect(self.view.show_context)
        self.view.model_connected.connect(self.notices.offer_rewriting)
        self.research.waits.connect(lambda waits: parts.status.tell(is_asked=waits))
        self.suggester.suggested.connect(parts.empty_page.show_questions)
        archive.loaded.connect(self._show_archive)

    def _apply(self, settings: Settings) -> None:
        """Put settings in force: at the start, and at each change."""
        self._theme.apply_settings(settings)
        self._languages.apply(settings.language)
        self.parts.sidebar.list.set_compact(is_compact=settings.is_list_compact)
        self.actions_by_name.apply_keys(settings.shortcuts)
        self.actions_by_name.refresh()
        self.view.show_hints()
        self.recall.apply(settings)
        self.memory.apply(settings)
        self.tray.apply(settings)
        self.quick.apply(settings)
        self.background.apply(settings)
        self._searching.apply(settings)
        for query in (self.parts.sidebar.query, self.parts.results.query):
            query.set_language(self._languages.language)

    def _apply_to_services(self, settings: Settings) -> None:
        """Ask for what the services read the settings for; before the save they have the old."""
        self.suggester.apply(settings)
        self.background.use_budget()
        self.view.ask_for_connection()

    def _choose_language(self, choice: UiLanguage) -> None:
        self._languages.choose(choice)
        self.actions_by_name.refresh()

    def _show_archive(self, count: int) -> None:
        is_new = count == 0 and self.parts.sidebar.model.wall.is_open
        self.parts.empty_page.show_archive_empty(is_new)
        if not self.changes.settings.welcomed:
            composer = self.parts.composer
            self.dialogs.offer_welcome(lambda: bool(composer.text), offers_examples=is_new)

    def _filled_palette(self) -> PaletteController:
        palette = PaletteController(self._theme, self.worker, self._state, self)
        items, parts = PaletteItems(self._languages, self), self.parts
        palette.offer("actions", partial(items.actions, self.actions_by_name))
        self.dialogs.setting_items = partial(items.settings, self.dialogs.show_settings)
        palette.offer("settings", self.dialogs.setting_items)
        items.offer_places(palette, parts.sidebar, self.projects, self.library, self.commands.open)
        return palette
