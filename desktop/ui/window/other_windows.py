"""The windows beside the main one: memory, library, reader; and offers to remember and add."""

# ruff: noqa: PLC0415 (windows and dialogs are imported when they are first opened)

from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import date, datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtWidgets import QApplication, QScrollBar, QWidget

from desktop.domain.events import (
    ContextAssembled,
    FactRemembered,
    ForgetAsked,
    PreferencesStated,
    TurnEvent,
)
from desktop.domain.ids import FactId, SessionId, SourceId
from desktop.domain.messages import Citation
from desktop.settings.settings import Settings
from desktop.ui.actions import QT_TR_NOOP, Action, always, possible, when_one, when_open
from desktop.ui.dialogs.files import DocumentsDialog, FolderDialog
from desktop.ui.dialogs.form import open_dialog
from desktop.ui.dialogs.information_dialogs import (
    GuideDialog,
    SummariesDialog,
    load_active_summaries,
)
from desktop.ui.dialogs.settings.settings_controller import SettingsController
from desktop.ui.i18n import LanguageController
from desktop.ui.library.library_actions import DroppedFiles, LibraryActions, sort_dropped_files
from desktop.ui.memory.memory_actions import MemoryActions, MemoryNotices
from desktop.ui.reader.reader_content import (
    CitedPlace,
    ReaderPlace,
    load_cited_places,
    open_original,
    resolve_citation,
)
from desktop.ui.services import NavigationTarget, Worker
from desktop.ui.session.controller import SessionController
from desktop.ui.theme.theme import ThemeController
from desktop.ui.transcript.entries import MessageAction, MessageRequest
from desktop.ui.widgets.fields import EnumComboBox, SearchField
from desktop.ui.widgets.plain_text import MessageBox
from desktop.ui.window.window_presenter import WindowWidgets

if TYPE_CHECKING:
    from desktop.sessions.services import Services
    from desktop.ui.diary.window import DiaryWindow
    from desktop.ui.insight.window import InsightPeriod, InsightWindow
    from desktop.ui.library.window import LibraryWindow
    from desktop.ui.memory.window import MemoryWindow
    from desktop.ui.reader.window import ReaderWindow

W = TypeVar("W", bound=QWidget)
R = TypeVar("R", bound="MemoryWindow | LibraryWindow | DiaryWindow | InsightWindow")


def _retire(window: QWidget, *, stays: bool) -> None:
    """Delete a window; one that is visible and `stays` lives on until the program ends."""
    if not (stays and window.isVisible()):
        window.deleteLater()


def _renew(old: R, open_again: Callable[[], R], *, holds_work: bool = False) -> None:
    """Open a window in the current language, where and as it was, but not while it holds work."""
    if old.isVisible() and not holds_work:
        active = QApplication.activeWindow()
        new = open_again()
        new.restoreGeometry(old.saveGeometry())
        for field, before in _pairs(SearchField, new, old):
            field.setText(before.text())
        for choice, earlier in _pairs(EnumComboBox, new, old):
            choice.setCurrentIndex(earlier.currentIndex())
            choice.activated.emit(earlier.currentIndex())
        for area, place in zip(new.scrolled, old.scrolled, strict=True):
            _scroll_once_filled(area.verticalScrollBar(), place.verticalScrollBar().value())
        if active is not None and active is not old:
            active.activateWindow()
    _retire(old, stays=holds_work)


def _pairs(kind: type[W], new: QWidget, old: QWidget) -> Iterator[tuple[W, W]]:
    return zip(new.findChildren(kind), old.findChildren(kind), strict=False)


def _scroll_once_filled(bar: QScrollBar, value: int) -> None:
    """Scroll when there is so much: a worker loads what the window shows."""

    def scroll(_least: int, most: int) -> None:
        if most >= value:
            bar.rangeChanged.disconnect(scroll)
            QTimer.singleShot(0, bar, lambda: bar.setValue(value))  # after a row is chosen

    if value:
        bar.rangeChanged.connect(scroll)


class WindowMemory(QObject):
    place_wanted = Signal(object)  # Place of a fact's source, or of a summary's beginning

    def __init__(
        self,
        window: QWidget,
        parts: WindowWidgets,
        theme: ThemeController,
        sessions: SessionController,
        worker: Worker,
    ) -> None:
        super().__init__(window)
        self._owner = window
        self._parts = parts
        self._theme = theme
        self._sessions = sessions
        self._worker = worker
        self.desk = MemoryActions(worker, self)
        self.notices = MemoryNotices(parts.strip, self.desk)
        self.window: MemoryWindow | None = None
        self._asked_in: SessionId | None = None  # the session of the last request
        self._is_on = True
        self.notices.edit_wanted.connect(lambda fact_id: self._made().edit_at(fact_id))
        self.notices.memory_wanted.connect(self.open)
        self.notices.preferences_wanted.connect(self.open_preferences)
        sessions.turns.running_changed.connect(self._leave_notices)
        sessions.turns.happened.connect(self._note)
        sessions.shown_changed.connect(self._offer)
        sessions.notices.compacts_wanted.connect(self.read_compacts)
        parts.transcript.action_chosen.connect(self._act)
        parts.context.compacts_wanted.connect(self._read_last)

    def records(self) -> Sequence[Action]:
        title = QT_TR_NOOP("Summaries of older messages…")
        return (
            Action(
                "memory",
                QT_TR_NOOP("Memory…"),
                "Ctrl+Shift+M",
                self.open,
                when_open,
                is_everywhere=True,
            ),
            Action("summaries", title, "", self._read_shown, when_one),
        )

    def apply(self, settings: Settings) -> None:
        self._is_on = settings.uses_memory
        self._offer()

    def open(self, fact_id: FactId | None = None) -> None:
        self._made().open_at(fact_id)

    def open_preferences(self) -> None:
        self._made().open_preferences()

    def retranslate(self) -> None:
        """Rebuild an open window in the current language, but not while it holds work."""
        if (old := self.window) is not None:
            self.window = None
            _renew(old, lambda: self._open_as(old), holds_work=old.holds_work)

    def _open_as(self, old: "MemoryWindow") -> "MemoryWindow":
        fact = old.list.current
        self.open(fact.id if fact else None)
        self._made().show_tab(old.tab)
        return self._made()

    def read_compacts(self, session_id: SessionId) -> None:
        services = self._worker.services
        dialog = SummariesDialog(
            lambda: load_active_summaries(services.archive, session_id),
            self._worker.bridge,
            services.texts,
            self._theme,
            self._owner,
        )
        dialog.message_wanted.connect(
            lambda message_id: self.place_wanted.emit(NavigationTarget(session_id, message_id))
        )
        open_dialog(dialog)

    def _read_shown(self) -> None:
        if (shown := self._sessions.shown) is not None:
            self.read_compacts(shown.id)

    def _read_last(self) -> None:
        if self._asked_in is not None:
            self.read_compacts(self._asked_in)

    def _act(self, request: MessageRequest) -> None:
        message = request.message
        if request.action is MessageAction.REMEMBER and message is not None:
            self.desk.remember(message, self._parts.transcript.text_of(message))
        elif request.action is MessageAction.SHOW_MEMORY:
            self.open(request.fact)

    def _note(self, event: TurnEvent) -> None:
        match event:
            case PreferencesStated(preferences=several):
                self.notices.show_preferences(several)
            case FactRemembered(fact=fact):
                self.notices.show_kept(fact)
            case ContextAssembled() if self._sessions.active:
                self._asked_in = self._sessions.active.id
            case ForgetAsked(facts=facts):
                self.notices.ask_to_forget(facts)
            case _:
                pass

    def _offer(self) -> None:
        """Offer to remember a message, if that is possible."""
        shown = self._sessions.shown
        is_temporary = shown is not None and shown.is_temporary
        self._parts.transcript.set_remembers(self._is_on and not is_temporary)

    def _leave_notices(self, is_running: bool) -> None:  # noqa: FBT001 (comes from a signal)
        if is_running:
            self.notices.leave()

    def _made(self) -> "MemoryWindow":
        from desktop.ui.memory.window import MemoryWindow

        if self.window is None:
            composer = self._parts.composer
            self.window = MemoryWindow(self.desk, self._theme, lambda: composer.text, self._owner)
            self.window.place_wanted.connect(self.place_wanted)
        return self.window


class WindowDiary(QObject):
    place_wanted = Signal(object)  # NavigationTarget of a line's message

    def __init__(self, window: QWidget, theme: ThemeController, worker: Worker) -> None:
        super().__init__(window)
        self._owner = window
        self._theme = theme
        self._worker = worker
        self.window: DiaryWindow | None = None

    def records(self) -> Sequence[Action]:
        return possible(
            when_open,
            ("diary", QT_TR_NOOP("Diary…"), "Ctrl+Shift+D", self.open),
            is_everywhere=True,
        )

    def open(self, day: date | None = None) -> "DiaryWindow":
        from desktop.ui.diary.window import DiaryWindow

        if self.window is None:
            self.window = DiaryWindow(self._worker, self._theme, self._owner)
            self.window.place_wanted.connect(self.place_wanted)
        self.window.open_at(day)
        return self.window

    def look_again(self) -> None:
        if self.window is not None and self.window.isVisible():
            self.window.load()

    def retranslate(self) -> None:
        """Rebuild an open window in the current language, but not while it holds work."""
        if (old := self.window) is not None:
            self.window = None
            _renew(old, lambda: self.open(old.calendar.day), holds_work=old.holds_work)


class WindowInsight(QObject):
    def __init__(self, window: QWidget, theme: ThemeController, worker: Worker) -> None:
        super().__init__(window)
        self._owner, self._theme, self._worker = window, theme, worker
        self.window: InsightWindow | None = None

    def records(self) -> Sequence[Action]:
        return possible(
            always,
            ("insight", QT_TR_NOOP("Overview…"), "Ctrl+Shift+G", self.open),
            is_everywhere=True,
        )

    def open(self, span: "InsightPeriod | None" = None) -> "InsightWindow":
        from desktop.ui.insight.window import InsightPeriod, InsightWindow

        if self.window is None:
            self.window = InsightWindow(
                self._worker, self._theme, span or InsightPeriod.YEAR, self._owner
            )
        self.window.show_at()
        return self.window

    def retranslate(self) -> None:
        """Rebuild an open window in the current language."""
        if (old := self.window) is not None:
            self.window = None
            _renew(old, lambda: self.open(old.span))


class WindowLibrary(QObject):
    import_wanted = Signal(object, object)
    """Paths of dropped conversations, and a callback after their import"""
    panel_wanted = Signal(object, int)  # Citations of an answer, and the number that was pressed
    session_wanted = Signal(object)  # Citation of a past session
    wall_wanted = Signal(object)  # Wall of a project that is chosen in the library
    reading = Signal(object)  # ReaderPlace of a source that is opened
    back_wanted = Signal()
    forward_wanted = Signal()

    def __init__(
        self, window: QWidget, theme: ThemeController, worker: Worker, changes: SettingsController
    ) -> None:
        super().__init__(window)
        self._owner = window
        self._theme = theme
        self._worker = worker
        self._changes = changes
        self.desk = LibraryActions(worker, self)
        self.window: LibraryWindow | None = None
        self.reader: ReaderWindow | None = None

    def records(self) -> Sequence[Action]:
        return possible(
            when_open,
            ("library", QT_TR_NOOP("Library…"), "Ctrl+Shift+L", self.open),
            is_everywhere=True,
        )

    def open(self, tag: str = "") -> "LibraryWindow":
        from desktop.ui.library.window import LibraryWindow

        if self.window is None:
            self.window = LibraryWindow(self.desk, self._theme, self._owner)
            self.window.add_wanted.connect(self.add)
            self.window.files_wanted.connect(self.choose_files)
            self.window.folder_wanted.connect(self.choose_folder)
            self.window.page_wanted.connect(self.add_page)
            self.window.place_wanted.connect(self.read)
            self.window.original_wanted.connect(partial(open_original, self._worker))
            self.window.wall_wanted.connect(self.wall_wanted)
            self.window.model.tag = tag
        self.window.show_at()
        return self.window

    def retranslate(self) -> None:
        """Rebuild the library in the current language; a reader keeps its place and language."""
        old, reader = self.window, self.reader
        self.window = self.reader = None
        if old is not None:
            _renew(old, lambda: self.open(old.model.tag), holds_work=old.holds_work)
        if reader is not None:
            _retire(reader, stays=True)

    def ask_where_to_move(self, sources: Sequence[SourceId]) -> None:
        """Offer the projects for sources that were dragged from the library's window."""
        if self.window is not None:
            self.window.ask_where_to_move(sources)

    def read(self, place: ReaderPlace) -> None:
        from desktop.ui.reader.window import ReaderWindow

        if self.reader is None:
            self.reader = ReaderWindow(self._worker, self._theme, self._owner)
            self.reader.back_wanted.connect(self.back_wanted)
            self.reader.forward_wanted.connect(self.forward_wanted)
        self.reader.open_at(place)
        self.reading.emit(place)

    def close_reader(self) -> None:
        if self.reader is not None:
            self.reader.close()

    def show_citations(self, citations: Sequence[Citation], number: int) -> None:
        """Open the source of a citation at its quotation.

        Citations of past sessions, and of sources that are gone, are shown in the panel first.
        """
        pressed = next((one for one in citations if one.number == number), None)
        if pressed is not None:
            self._read_cited(pressed, lambda: self.panel_wanted.emit(citations, number))

    def open_citation(self, citation: Citation) -> None:
        self._read_cited(citation, lambda: self.session_wanted.emit(citation))

    def load_places(
        self, citations: Sequence[Citation], done: Callable[[Mapping[int, CitedPlace]], None]
    ) -> None:
        self._worker.do(lambda services: load_cited_places(services, citations), done)

    def load_session_times(
        self, citations: Sequence[Citation], done: Callable[[Mapping[SessionId, datetime]], None]
    ) -> None:
        ids = [SessionId(one.source_id) for one in citations]

        def work(services: "Services") -> Mapping[SessionId, datetime]:
            return {one.id: one.created_at for one in services.archive.some_sessions(ids)}

        self._worker.do(work, done)

    def _read_cited(self, citation: Citation, no_source: Callable[[], object]) -> None:
        """Open a cited source; `no_source` is called if it cites a session or is gone."""

        def found(place: ReaderPlace | None) -> None:
            if place is None:
                no_source()
            else:
                self.read(place)

        self._worker.do(lambda services: resolve_citation(services, citation), found)

    def take_dropped(self, paths: Sequence[Path]) -> None:
        """Add dropped documents to the library, conversations to the archive; ask if unclear."""
        self._worker.do(lambda _: sort_dropped_files(paths), self._send)

    def choose_files(self) -> None:
        DocumentsDialog(self._shown_owner()).ask_for_files(self.add)

    def choose_folder(self) -> None:
        title = self.tr("Add a folder to the library")
        FolderDialog(title, self._shown_owner()).ask_for_files(self.add)

    def add(self, paths: Sequence[Path]) -> None:
        from desktop.ui.library.add_dialogs import AddDocumentsDialog

        if not paths:
            return
        services = self._worker.services
        library = services.library.of(services.assistant.project)
        dialog = AddDocumentsDialog(
            paths, library, services.texts, self._worker.bridge, self._shown_owner()
        )
        dialog.added.connect(self.desk.changed)
        open_dialog(dialog)

    def add_page(self) -> None:
        from desktop.ui.library.add_dialogs import AddWebPageDialog

        services, owner = self._worker.services, self.window or self._owner
        dialog = AddWebPageDialog(
            lambda address, stop: services.add_page(address, services.assistant.project, stop),
            *(services.texts, self._worker.bridge, self._changes, owner),
        )
        dialog.added.connect(self.desk.changed)
        open_dialog(dialog)

    def _shown_owner(self) -> QWidget:
        return self.window if self.window and self.window.isVisible() else self._owner

    def _send(self, dropped: DroppedFiles) -> None:
        if dropped.unclear:
            self._ask(dropped)
        elif dropped.conversations:
            # One dialog after the other, or they would overlap.
            self.import_wanted.emit(dropped.conversations, lambda: self.add(dropped.documents))
        else:
            self.add(dropped.documents)

    def _ask(self, dropped: DroppedFiles) -> None:
        names = ", ".join(path.name for path in dropped.unclear)
        box = MessageBox(
            MessageBox.Icon.NoIcon,
            self.tr("%n file(s) look like conversations", "", len(dropped.unclear))
            + f"\n\n{names}",
            self.tr(
                "Sessions appear in the list and can be continued. Documents in the library "
                "can be cited in answers."
            ),
            self._owner,
        )
        box.offer(
            (self.tr("Import as sessions"), lambda: self._send(dropped.as_conversations())),
            (self.tr("Add to the library"), lambda: self._send(dropped.as_documents())),
            stay=self.tr("Cancel"),
        )


class WindowGuide(QObject):
    shortcuts_wanted = Signal()

    def __init__(
        self, window: QWidget, theme: ThemeController, languages: LanguageController
    ) -> None:
        super().__init__(window)
        self._window, self._theme, self._languages = window, theme, languages
        self.dialog: GuideDialog | None = None

    def records(self) -> Sequence[Action]:
        return possible(
            always,
            ("guide", QT_TR_NOOP("User’s guide"), "F1", self.open),
            is_everywhere=True,
        )

    def open(self) -> None:
        if self.dialog is None:
            self.dialog = GuideDialog(lambda: self._languages.language, self._theme, self._window)
            self.dialog.shortcuts_wanted.connect(self.shortcuts_wanted)
        self.dialog.show()
        self.dialog.raise_()
        self.dialog.activateWindow()
