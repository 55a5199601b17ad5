"""The main window: creates its parts and connects them.

It is shown empty and takes keys at once. `attach` brings the services when they are loaded.
"""

from collections.abc import Callable

from PySide6.QtCore import QEvent, Qt, QTimer, Signal
from PySide6.QtGui import QCloseEvent, QKeyEvent
from PySide6.QtWidgets import QMainWindow

from desktop.domain.errors import AppError
from desktop.domain.ids import SessionId
from desktop.domain.sessions import Session
from desktop.domain.times import utc_now
from desktop.settings.settings import Settings, UiLanguage
from desktop.ui.dialogs.settings.settings_controller import SettingsController
from desktop.ui.i18n import LanguageController
from desktop.ui.search.results_page import ResultsController
from desktop.ui.services import ConnectionStatus, WindowServices
from desktop.ui.session.background_jobs import BackgroundScheduler
from desktop.ui.session.controller import SessionController
from desktop.ui.session.crash_recovery import CrashRecovery
from desktop.ui.session.message_actions import MessageActions
from desktop.ui.sidebar.search_controller import SidebarSearchController
from desktop.ui.theme.theme import ThemeController
from desktop.ui.turn_bridge import TurnBridge
from desktop.ui.widgets.menus import MenuBar
from desktop.ui.window.actions import ActionId, WindowActions
from desktop.ui.window.backups import WindowBackups
from desktop.ui.window.commands import WindowCommands
from desktop.ui.window.dialogs import WindowDialogs
from desktop.ui.window.keyboard_input import ShortcutOverride, is_word
from desktop.ui.window.library import WindowLibrary
from desktop.ui.window.memory import WindowMemory
from desktop.ui.window.notices import WindowNotices
from desktop.ui.window.permission_prompts import ToolPermissionPrompt
from desktop.ui.window.research import WindowResearch
from desktop.ui.window.shutdown import ShutdownController, TemporarySessionGuard
from desktop.ui.window.sidebar_controller import ArchiveController
from desktop.ui.window.state import WindowState
from desktop.ui.window.suggestions_controller import SuggestionsController
from desktop.ui.window.window_presenter import WindowPresenter
from desktop.ui.window.window_widgets import WindowWidgets

_STILL_MS = 1_000
"""Whoever writes has paused by then."""


class MainWindow(QMainWindow):
    closed = Signal()
    """All that could be kept is kept, or took too long: the program may go."""

    def __init__(
        self,
        theme: ThemeController,
        languages: LanguageController,
        changes: SettingsController,
        bridge: TurnBridge,
        state: WindowState,
    ) -> None:
        super().__init__()
        self._theme = theme
        self._languages = languages
        self._changes = changes
        self._bridge = bridge
        self._state = state
        self._services: WindowServices | None = None
        self._connection: ConnectionStatus | None = None
        self.parts = WindowWidgets(theme, self)
        self.actions_by_name = WindowActions(self)
        self.sessions = SessionController(self.parts.transcript, bridge, self)
        self.temporary_guard = TemporarySessionGuard(self.sessions, self)
        self.archive = ArchiveController(self.parts.sidebar, bridge, self)
        self.sidebar_search = SidebarSearchController(self.parts.sidebar, bridge, self)
        self.results = ResultsController(self.parts.results, bridge, self)
        self.recall = SuggestionsController(
            self.parts.composer,
            self.parts.suggestions,
            self.parts.context_chips,
            self.parts.beside,
            self.sessions,
        )
        self.desk = MessageActions(self.parts.transcript, self.sessions, self)
        self.background = BackgroundScheduler(
            bridge, self.sessions, self.parts.composer, self.parts.transcript
        )
        self.shutdown = ShutdownController(self.sessions, self.background, bridge)
        self.view = WindowPresenter(self, self.parts, self.actions_by_name, self.sessions)
        self.crash_recovery = CrashRecovery(
            self.sessions, self.background, self.parts.strip, self.parts.transcript
        )
        self.memory = WindowMemory(self, self.parts, theme, bridge)
        self.library = WindowLibrary(self, theme, bridge, changes)
        self.research = WindowResearch(self, self.parts, self.sessions, changes, state)
        self.dialogs = WindowDialogs(self, changes, self.actions_by_name.shortcuts)
        self.notices = WindowNotices(self.parts.strip, self.sessions, self.archive)
        self.backups = WindowBackups(self, self.parts.strip, bridge, self._leave_for_good)
        self.leave = ToolPermissionPrompt(self.parts.strip, self.sessions.turns)
        self.commands = WindowCommands(
            self, self.parts, self.actions_by_name, changes, self.dialogs
        )
        self._build()
        self._connect()
        self._apply(changes.settings)
        self.retranslate()
        self.view.show_shown()

    def attach(self, services: WindowServices) -> None:
        """The program is ready; what was typed or sent meanwhile is still there."""
        self._services = services
        self.shutdown.attach(services)
        if self.shutdown.is_leaving:
            return
        self.sessions.attach(services)
        self.archive.attach(services)
        self.sidebar_search.attach(services)
        self.results.attach(services)
        self.background.attach(services)
        self.memory.attach(services)
        self.library.attach(services)
        self.research.attach(services)
        self.dialogs.attach(services)
        self.notices.attach(services)
        self.leave.attach(services)
        self.backups.attach(services)
        self.crash_recovery.look()
        self._look_at_connection()
        self.view.attach()

    def retranslate(self) -> None:
        self.actions_by_name.retranslate()
        self.view.retranslate()

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange:
            self.retranslate()
            self.parts.strip.retranslate()
            self.sessions.notices.retranslate()
            self.desk.retranslate()
            self.parts.status.show_language(self._languages.language)
        super().changeEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Words that nothing else takes are meant for the composer."""
        field = self.parts.composer.field
        # A session that is being continued is written in before its composer is there.
        is_written_in = field.isVisible() or self.sessions.leaving.is_resuming
        if is_word(event) and is_written_in:
            field.setFocus(Qt.FocusReason.OtherFocusReason)
            field.keyPressEvent(event)
        else:
            super().keyPressEvent(event)

    def closeEvent(self, event: QCloseEvent) -> None:
        """Gone from the screen at once, unless a temporary session would be lost with it."""
        if self.temporary_guard.loses_something and not self.shutdown.is_leaving:
            event.ignore()
            self.temporary_guard.ask(self.leave_at_once)
            return
        event.accept()
        self.leave_at_once()

    def _leave_for_good(self, first: Callable[[], None]) -> None:
        def leave() -> None:
            first()
            self.leave_at_once()

        self.temporary_guard.ask(leave)

    def leave_at_once(self) -> None:
        """Without asking: log-out and signals wait for nobody."""
        if not self.shutdown.is_leaving:
            self._state.keep(self, self.parts.shell)
            self.hide()
            self.shutdown.say()

    def _build(self) -> None:
        self.setCentralWidget(self.parts.shell)
        self.setStatusBar(self.parts.status)
        menus = MenuBar(self)
        self.setMenuBar(menus)
        self.actions_by_name.fill(menus)
        self.parts.header.set_more_menu(self.actions_by_name.menu_of_session())
        self._guard = ShortcutOverride(self.actions_by_name.owns, self)
        self._guard.watch(
            self.parts.composer.field,
            self.parts.sidebar.search,
            self.parts.find_bar.field,
            self.parts.results.field,
        )
        self._state.restore(self, self.parts.shell)
        self.parts.status.show_language(self._languages.language)
        self.parts.composer.setFocus(Qt.FocusReason.OtherFocusReason)

    def _connect(self) -> None:
        parts, sessions, archive = self.parts, self.sessions, self.archive
        self.commands.connect_to(sessions, archive, self.desk)
        self._connect_recall()
        self._connect_memory()
        self._connect_backups()
        self._changes.changed.connect(self._apply)
        self._changes.language_chosen.connect(self._speak)
        parts.composer.sent.connect(self._send)
        self.shutdown.said.connect(self.closed)
        sessions.asking.tier = parts.composer.tiers.take
        sessions.leaving.before_resuming = self.crash_recovery.answer_for
        sessions.asking.given_back.connect(self._take_back)
        sessions.asking.unsaved_changed.connect(
            lambda: parts.status.show_taking(bool(sessions.asking.unsaved))
        )
        self.crash_recovery.settled.connect(sessions.asking.open)
        self.crash_recovery.settled.connect(self.research.offer_unfinished)
        self.crash_recovery.offered.connect(sessions.asking.give_back)
        sessions.session_changed.connect(lambda one: archive.refresh(SessionId(one)))
        sessions.session_removed.connect(lambda one: parts.sidebar.remove(SessionId(one)))
        sessions.description_due.connect(self.background.describe)
        sessions.saved.connect(self._show_saved)
        sessions.unsaved.connect(self._show_unsaved)
        sessions.turns.status_changed.connect(parts.status.show_status)
        sessions.turns.happened.connect(parts.status.show_event)
        sessions.turns.decided.connect(parts.status.show_decision)
        sessions.turns.tool_called.connect(parts.status.show_call)
        sessions.turns.ended.connect(parts.status.show_ended)
        sessions.temporary_ended.connect(self._take_temporary_end)
        self.desk.usage_known.connect(parts.status.show_usage)
        self.desk.context_known.connect(self.view.show_context)
        archive.changed.connect(sessions.take_changed)
        archive.learning_due.connect(self.background.describe)
        archive.deleted.connect(lambda deleted: sessions.forget(deleted.session.id))
        archive.loaded.connect(self._show_archive)
        self.background.described.connect(self._take_described)
        self.background.embedding_progressed.connect(parts.status.show_embedding)
        self.background.day_changed.connect(parts.sidebar.model.say_again)
        self.background.draft_failed.connect(self.notices.say_failed)
        self._changes.save_failed.connect(self.notices.say_failed)
        self._bridge.broke.connect(self.notices.say_broke)

    def _connect_recall(self) -> None:
        actions = self.actions_by_name
        actions[ActionId.READ_BESIDE].triggered.connect(self.recall.open_beside)
        actions[ActionId.ADD_BESIDE].triggered.connect(self.recall.add_current)
        self.recall.beside_shown.connect(self.parts.show_beside)
        self.commands.search.results_shown.connect(self.results.offer_topics)
        self.results.failed.connect(self.notices.say_failed)
        self.sidebar_search.failed.connect(self.notices.say_failed)
        self.parts.sidebar.results_wanted.connect(self.commands.search.show_results)
        self.parts.sidebar.searches_changed.connect(self._keep_searches)
        self.archive.deleted.connect(lambda deleted: self.recall.drop(deleted.session.id))
        self.commands.parting.led.connect(self.recall.follow)

    def _connect_memory(self) -> None:
        memory = self.memory
        memory.connect_to(self.sessions, self.background)
        self.actions_by_name[ActionId.MEMORY].triggered.connect(lambda _=False: memory.open())
        self.actions_by_name[ActionId.SUMMARIES].triggered.connect(memory.read_shown)
        self.dialogs.memory_wanted.connect(memory.open)
        memory.place_wanted.connect(self.commands.search.open)
        memory.desk.failed.connect(self.notices.say_failed)
        self.sessions.turns.happened.connect(self.parts.context.take)
        self.actions_by_name[ActionId.LIBRARY].triggered.connect(
            lambda _=False: self.library.open()
        )
        self.library.desk.failed.connect(self.notices.say_failed)
        self.commands.connect_library(self.library)
        self.research.source_wanted.connect(self.library.open_citation)

    def _connect_backups(self) -> None:
        self.actions_by_name[ActionId.BACK_UP].triggered.connect(self.backups.ask_where_to_write)
        self.actions_by_name[ActionId.RESTORE].triggered.connect(self.backups.ask_what_to_restore)
        self.backups.failed.connect(self.notices.say_failed)

    def _keep_searches(self) -> None:
        self._state.keep_searches(self.parts.sidebar.recent.queries)

    def _send(self, text: str) -> None:
        """What cannot be asked yet stays where it is written, once something waits already."""
        if self.sessions.asking.has_waiting:
            return
        self.parts.composer.clear()
        self.sessions.asking.send(text)
        if self._services is not None:
            self.crash_recovery.answer_for(None)

    def _take_back(self, text: str) -> None:
        """A question that came into no session is written once more, before what was since."""
        composer = self.parts.composer
        composer.set_text("\n\n".join(part for part in (text, composer.text) if part))
        composer.draft_changed.emit()

    def _apply(self, settings: Settings) -> None:
        """Put settings in force: at the start, and at each change."""
        theme = self._theme
        if (settings.theme, settings.zoom_percent) != (theme.choice, theme.zoom_percent):
            theme.apply(settings.theme, zoom_percent=settings.zoom_percent)
        self._languages.apply(settings.language)
        self._tick_language()
        self.actions_by_name.apply_keys(settings.shortcuts)
        self.actions_by_name.themes[settings.theme].setChecked(True)
        self.view.show_hints()
        self.recall.apply(settings)
        self.memory.apply(settings)
        self.background.apply(settings)
        if not settings.keeps_searches:
            self._state.keep_searches(())
        self.parts.sidebar.set_searches(self._state.searches(), are_kept=settings.keeps_searches)
        self.parts.sidebar.set_language(self._languages.language)
        self.parts.results.set_language(self._languages.language)
        self._look_at_connection()

    def _speak(self, choice: UiLanguage) -> None:
        self._languages.choose(choice)
        self._tick_language()

    def _tick_language(self) -> None:
        self.actions_by_name.languages[self._languages.shown_choice].setChecked(True)

    def _look_at_connection(self) -> None:
        if self._services is not None:
            self._bridge.run(
                self._services.connection, self._show_connection, self._say_no_connection
            )

    def _show_connection(self, connection: ConnectionStatus) -> None:
        had_none = self._connection is not None and self._connection.model is None
        if had_none and connection.model is not None:
            self.notices.offer_rewriting()
        self._connection = connection
        self.view.show_connection(connection)

    def _say_no_connection(self, error: AppError) -> None:
        self.parts.status.show_connection(ConnectionStatus())
        self.notices.say_failed(error)

    def _show_archive(self, count: int) -> None:
        self.parts.empty_page.show_archive_empty(count == 0)
        if not self._changes.settings.welcomed:
            self._welcome(offers_examples=count == 0)

    def _welcome(self, *, offers_examples: bool) -> None:
        """Not into the middle of a word: keys that are pressed while a dialog opens are lost."""
        composer, written = self.parts.composer, self.parts.composer.text

        def look() -> None:
            if composer.text != written:
                self._welcome(offers_examples=offers_examples)
            elif not self._changes.settings.welcomed:
                self.dialogs.show_welcome(
                    offers_examples=offers_examples, typed=composer.field.keyPressEvent
                )

        if written:
            QTimer.singleShot(_STILL_MS, self, look)
        else:
            look()

    def _take_temporary_end(self) -> None:
        """What was being written in it belonged to it, and so did what tells of its answers."""
        self.parts.composer.clear()
        self.parts.trace.forget()
        self.parts.context.forget()
        self.parts.panel.show_citations(())
        self.notices.say_temporary_ended()

    def _take_described(self, session: Session) -> None:
        self.parts.sidebar.put(session)
        self.sessions.take_changed(session)

    def _show_saved(self) -> None:
        self.parts.status.show_saved(utc_now())
        self.notices.take_unsaved()

    def _show_unsaved(self) -> None:
        self.parts.status.show_unsaved()
        self.notices.say_unsaved()
        self.background.save_again()
