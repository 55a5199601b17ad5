"""Connects menus, buttons and message actions to what they do."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication, QWidget

from desktop.domain.ids import MessageId, SessionId
from desktop.domain.language import Language
from desktop.domain.messages import Citation, Message
from desktop.settings.settings import UiLanguage
from desktop.ui.dialogs.settings.settings_controller import PageId, SettingsController
from desktop.ui.library.library_actions import FileDrop
from desktop.ui.services import NavigationTarget
from desktop.ui.session.controller import SessionController
from desktop.ui.session.message_actions import MessageActions
from desktop.ui.theme.theme import MAX_ZOOM, MIN_ZOOM, ZOOM_STEP
from desktop.ui.transcript.entries import MessageAction, MessageRequest
from desktop.ui.transcript.view import TranscriptView
from desktop.ui.window.actions import TIERS, ActionId, WindowActions
from desktop.ui.window.dialogs import WindowDialogs
from desktop.ui.window.keyboard_input import EditActions
from desktop.ui.window.library import WindowLibrary
from desktop.ui.window.notices import SplitMergeNotices
from desktop.ui.window.search_navigation import SearchNavigation
from desktop.ui.window.sidebar_controller import ArchiveController
from desktop.ui.window.splitter_layout import Side
from desktop.ui.window.window_presenter import SidePanelController
from desktop.ui.window.window_widgets import WindowWidgets

_ORIGINAL_ZOOM = 100


class WindowCommands(QObject):
    def __init__(
        self,
        window: QWidget,
        parts: WindowWidgets,
        actions: WindowActions,
        changes: SettingsController,
        dialogs: WindowDialogs,
    ) -> None:
        super().__init__(window)
        self._window = window
        self._parts = parts
        self._actions = actions
        self._changes = changes
        self._dialogs = dialogs

    def connect_to(
        self, sessions: SessionController, archive: ArchiveController, desk: MessageActions
    ) -> None:
        self._sessions = sessions
        self._archive = archive
        self.search = SearchNavigation(self._parts, sessions)
        self._desk = desk
        self._side = SidePanelController(self._parts, desk)
        self.parting = SplitMergeNotices(archive, sessions, self._parts.transcript)
        for act, do in self._deeds().items():
            self._actions[act].triggered.connect(lambda _=False, do=do: do())
        self._editing = EditActions(self._actions, self._parts.strip, self._window)
        self._editing.watch(self._parts.composer.field, self._parts.sidebar.search)
        for act, tier in TIERS.items():
            self._actions[act].triggered.connect(
                lambda _=False, tier=tier: self._parts.composer.tiers.choose(tier)
            )
        self._parts.composer.tiers.changed.connect(self._show_tier)
        for theme, action in self._actions.themes.items():
            action.triggered.connect(
                lambda _=False, theme=theme: self._changes.choose_theme(theme)
            )
        for language, action in self._actions.languages.items():
            action.triggered.connect(
                lambda _=False, language=language: self._changes.choose_language(language)
            )
        self._connect_parts(desk)

    def connect_library(self, library: WindowLibrary) -> None:
        self._parts.panel.source_chosen.connect(library.open_citation)
        self._desk.citations_wanted.connect(library.show_citations)
        library.panel_wanted.connect(self._side.show_citations)
        self._parts.panel.places_wanted.connect(
            lambda wanted: library.reading.place(wanted, self._parts.panel.show_places)
        )
        self._parts.sidebar.source_chosen.connect(library.read)
        self._parts.results.source_chosen.connect(library.read)
        library.session_wanted.connect(self._open_source)
        library.import_wanted.connect(self._dialogs.show_importing)
        FileDrop(self._window).dropped.connect(library.take_dropped)
        offered = self._parts.composer.add
        offered.files_wanted.connect(library.choose_files)
        offered.folder_wanted.connect(library.choose_folder)
        offered.page_wanted.connect(library.add_page)

    def write(self) -> None:
        """To where a question is written, wherever that now is."""
        self._parts.shell.uncover()
        self._parts.show_results(is_shown=False)
        if self._parts.composer.isVisible():
            self._parts.composer.setFocus(Qt.FocusReason.ShortcutFocusReason)
        else:
            self._parts.reading_bar.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def _go_to_field(self) -> None:
        """A past session has none: what is active has, or the page of a new session."""
        self._parts.show_results(is_shown=False)
        if self._parts.composer.isHidden():
            self._back()
        else:
            self.write()

    def delete(self, session_id: str) -> None:
        """The active session ends first: what is deleted can be brought back as it was."""
        active = self._sessions.active
        if active is None or active.id != session_id:
            self._archive.delete(session_id)
            return
        if active.is_temporary:
            self._sessions.end()
            return
        self._sessions.asking.stop()
        self._sessions.do(
            lambda services: services.assistant.end(),
            lambda _: self._archive.delete(session_id),
        )

    def _deeds(self) -> Mapping[ActionId, Callable[[], object]]:
        sessions, archive, dialogs, parts = (
            *(self._sessions, self._archive, self._dialogs, self._parts),
        )
        return {
            ActionId.NEW_SESSION: self._new_session,
            ActionId.TEMPORARY: self._new_temporary,
            ActionId.CONTINUE: self._continue,
            ActionId.IMPORT: dialogs.ask_what_to_import,
            ActionId.EXPORT: self._export_shown,
            ActionId.EXPORT_PAGE: lambda: self._with_shown(
                lambda one: self._export(SessionId(one), as_page=True)
            ),
            ActionId.EXPORT_ALL: lambda: dialogs.ask_where_to_export_all(archive.export_all),
            ActionId.QUIT: self._window.close,
            ActionId.FIND: self.search.find,
            ActionId.FIND_NEXT: self.search.next,
            ActionId.FIND_PREVIOUS: self.search.previous,
            ActionId.SEARCH: self._search,
            ActionId.RESULTS: lambda: self.search.show_results(parts.sidebar.query),
            ActionId.SIDEBAR: lambda: self._toggle(Side.LEFT),
            ActionId.SOURCES: lambda: self._side.toggle(parts.panel),
            ActionId.CONTEXT: lambda: self._side.toggle(parts.context),
            ActionId.TRACE: lambda: self._side.toggle(parts.trace),
            ActionId.ZOOM_IN: lambda: self._zoom(self._changes.settings.zoom_percent + ZOOM_STEP),
            ActionId.ZOOM_OUT: lambda: self._zoom(self._changes.settings.zoom_percent - ZOOM_STEP),
            ActionId.ZOOM_RESET: lambda: self._zoom(_ORIGINAL_ZOOM),
            ActionId.FULL_SCREEN: self._toggle_full_screen,
            ActionId.SEND: parts.composer.send,
            ActionId.STOP: sessions.asking.stop,
            ActionId.WRITE: self._go_to_field,
            ActionId.END_SESSION: sessions.end,
            ActionId.NEXT_SESSION: lambda: parts.sidebar.step(1),
            ActionId.PREVIOUS_SESSION: lambda: parts.sidebar.step(-1),
            ActionId.ACTIVE_SESSION: sessions.show_active,
            ActionId.RENAME: lambda: self._with_shown(self._rename),
            ActionId.PIN: self._pin_shown,
            ActionId.COPY_SESSION: lambda: self._with_shown(archive.copy),
            ActionId.LEARN: lambda: self._with_shown(archive.learn),
            ActionId.MERGE: lambda: self._with_shown(archive.merge),
            ActionId.DELETE: lambda: self._with_shown(self.delete),
            ActionId.MODELS: lambda: dialogs.show_settings(PageId.MODELS),
            ActionId.EXAMPLES: archive.add_example_library,
            ActionId.SETTINGS: dialogs.show_settings,
            ActionId.SHORTCUTS: dialogs.show_shortcuts,
            ActionId.WELCOME: lambda: dialogs.show_welcome(offers_examples=True),
            ActionId.ABOUT: dialogs.show_about,
        }

    def _connect_parts(self, desk: MessageActions) -> None:
        parts, sessions = self._parts, self._sessions
        sidebar, header = parts.sidebar, parts.header
        sidebar.place_chosen.connect(self._open)
        sidebar.left.connect(self.write)
        sidebar.new_session_requested.connect(self._new_session)
        sidebar.continue_requested.connect(lambda one: self._continue_one(SessionId(one)))
        sidebar.export_requested.connect(lambda one: self._export(SessionId(one)))
        sidebar.page_export_requested.connect(
            lambda one: self._export(SessionId(one), as_page=True)
        )
        sidebar.delete_requested.connect(self.delete)
        header.sidebar_requested.connect(lambda: parts.shell.show_side(Side.LEFT, True))
        header.find_requested.connect(self.search.find)
        header.pin_requested.connect(self._pin_shown)
        header.export_requested.connect(self._export_shown)
        self.search.left.connect(self.write)
        parts.results.place_chosen.connect(self._open)
        parts.beside.open_wanted.connect(self._open)
        parts.beside.closed.connect(self._close_beside)
        parts.reading_bar.continue_wanted.connect(self._continue)
        parts.reading_bar.back_wanted.connect(self._back)
        parts.empty_page.examples_wanted.connect(self._archive.add_example_library)
        parts.empty_page.models_wanted.connect(lambda: self._dialogs.show_settings(PageId.MODELS))
        parts.status.connection_pressed.connect(lambda: self._dialogs.show_settings(PageId.MODELS))
        parts.status.language_chosen.connect(self._switch_language)
        parts.composer.stop_requested.connect(sessions.asking.stop)
        parts.composer.left.connect(self._leave_composer)
        parts.strip.left.connect(self._take_keyboard)
        desk.place_wanted.connect(sessions.open)
        for read in (parts.transcript, parts.beside.transcript):
            read.action_chosen.connect(partial(self._act_on_message, read))
        sessions.session_opened.connect(self._begin_page)
        self._dialogs.examples_wanted.connect(self._archive.add_example_library)
        self._dialogs.imported.connect(self._archive.load)
        self._archive.text_copied.connect(lambda text: QGuiApplication.clipboard().setText(text))

    def _show_tier(self) -> None:
        for act, tier in TIERS.items():
            self._actions[act].setChecked(tier is self._parts.composer.tiers.tier)

    def _begin_page(self, session_id: SessionId | None) -> None:
        """What was looked for, or shown beside, in another session."""
        self.search.begin_page(session_id)
        self._side.begin()

    def _with_shown(self, do: Callable[[str], object]) -> None:
        if (shown := self._sessions.shown) is not None:
            do(shown.id)

    def _open(self, place: NavigationTarget) -> None:
        self._parts.shell.uncover()
        self.search.open(place)

    def _close_beside(self) -> None:
        self._parts.shell.show_side(Side.RIGHT, False)
        self.write()

    def _new_session(self) -> None:
        self._sessions.begin_new()
        self._parts.show_reading(is_reading=False)
        self.write()

    def _new_temporary(self) -> None:
        self._sessions.begin_temporary()
        self._parts.show_reading(is_reading=False)
        self.write()

    def _continue(self) -> None:
        self._with_shown(lambda one: self._continue_one(SessionId(one)))

    def _continue_one(self, session_id: SessionId) -> None:
        self._sessions.resume(session_id, lambda: self._go_on(session_id))

    def _go_on(self, session_id: SessionId) -> None:
        self._sessions.open(NavigationTarget(session_id))
        self.write()

    def _back(self) -> None:
        self._sessions.show_active()
        self._parts.show_reading(is_reading=False)
        self.write()

    def _rename(self, session_id: str) -> None:
        self._parts.shell.show_side(Side.LEFT, True)
        self._parts.sidebar.rename(SessionId(session_id))

    def _pin_shown(self) -> None:
        if (shown := self._sessions.shown) is not None:
            self._archive.pin(shown.id, not shown.is_pinned)

    def _export_shown(self) -> None:
        self._with_shown(lambda one: self._export(SessionId(one)))

    def _export(self, session_id: SessionId, *, as_page: bool = False) -> None:
        def chosen(path: Path) -> None:
            self._archive.export(session_id, path)

        self._dialogs.ask_where_to_export(self._title_of(session_id), chosen, as_page=as_page)

    def _export_answer(self, answer: Message) -> None:
        def chosen(path: Path) -> None:
            self._archive.export(answer.session_id, path, answer.id)

        self._dialogs.ask_where_to_export_answer(self._title_of(answer.session_id), chosen)

    def _title_of(self, session_id: SessionId) -> str:
        session = self._parts.sidebar.model.session(session_id) or self._sessions.shown
        return (session.title or session.opening) if session else ""

    def _act_on_message(self, read: TranscriptView, request: MessageRequest) -> None:
        match request.action:
            case MessageAction.QUOTE:
                self._quote(request.text)
            case MessageAction.SEARCH:
                self._search_for(request.text)
            case MessageAction.EXPORT if request.message is not None:
                if (answer := read.said(request.message)) is not None:
                    self._export_answer(answer)
            case _:
                pass  # what is not of the whole window

    def _quote(self, text: str) -> None:
        self._go_to_field()
        self._parts.composer.quote(text)

    def _search_for(self, words: str) -> None:
        self._search()
        self._parts.sidebar.search.setText(words)

    def _search(self) -> None:
        self._parts.shell.show_side(Side.LEFT, True)
        self._parts.sidebar.focus_search()

    def _toggle(self, side: Side) -> None:
        shell = self._parts.shell
        shell.show_side(side, not shell.is_shown(side))

    def _zoom(self, percent: int) -> None:
        allowed = min(max(percent, MIN_ZOOM), MAX_ZOOM)
        self._changes.apply(replace(self._changes.settings, zoom_percent=allowed))

    def _switch_language(self, language: Language) -> None:
        self._changes.choose_language(UiLanguage(language.value))

    def _toggle_full_screen(self) -> None:
        if self._window.isFullScreen():
            self._window.showNormal()
        else:
            self._window.showFullScreen()

    def _leave_composer(self) -> None:
        self.search.leave()
        self._parts.shell.uncover()

    def _take_keyboard(self) -> None:
        """What was done with a notice is done; a dialog that it opened has the keyboard."""
        if QApplication.activeModalWidget() is None:
            self.write()

    def _open_source(self, citation: Citation) -> None:
        passage = citation.passage_id
        message_id = MessageId(int(passage)) if passage.isdecimal() else None
        self._open(
            NavigationTarget(SessionId(citation.source_id), message_id, citation.quote.split())
        )
