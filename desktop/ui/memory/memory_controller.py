"""The memory in the window: its own window, its notices, and the offer to remember a message."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from desktop.domain.events import (
    ContextAssembled,
    FactRemembered,
    ForgetAsked,
    PreferencesStated,
    TurnEvent,
)
from desktop.domain.ids import FactId, SessionId
from desktop.settings.settings import Settings
from desktop.ui.actions import QT_TR_NOOP, Action, everywhere, when_one, when_open
from desktop.ui.composer.composer import Composer
from desktop.ui.dialogs.form import open_dialog
from desktop.ui.dialogs.information_dialogs import SummariesDialog, load_active_summaries
from desktop.ui.memory.memory_actions import MemoryActions, MemoryNotices
from desktop.ui.services import NavigationTarget, Worker
from desktop.ui.session.controller import SessionController
from desktop.ui.theme.theme import ThemeController
from desktop.ui.transcript.entries import MessageAction, MessageRequest
from desktop.ui.transcript.view import TranscriptView
from desktop.ui.views import renew
from desktop.ui.widgets.bars import MessageBar

if TYPE_CHECKING:
    from desktop.ui.memory.memory_page import FactsPage


class MemoryController(QObject):
    page_made = Signal(object)  # View that needs its place in the window
    place_wanted = Signal(object)  # Place of a fact's source, or of a summary's beginning

    def __init__(
        self,
        theme: ThemeController,
        composer: Composer,
        transcript: TranscriptView,
        strip: MessageBar,
        sessions: SessionController,
        worker: Worker,
    ) -> None:
        super().__init__(sessions)
        self._owner = strip.window()
        self._composer, self._transcript = composer, transcript
        self._theme = theme
        self._sessions = sessions
        self._worker = worker
        self.desk = MemoryActions(worker, self)
        self.notices = MemoryNotices(strip, self.desk)
        self.page: FactsPage | None = None
        self._asked_in: SessionId | None = None  # the session of the last request
        self._is_on = True
        self.notices.edit_wanted.connect(lambda fact_id: self._made().edit_at(fact_id))
        self.notices.memory_wanted.connect(self.open)
        self.notices.preferences_wanted.connect(self.open_preferences)
        sessions.asking.begun.connect(self.notices.leave)
        sessions.turns.happened.connect(self._note)
        sessions.shown_changed.connect(self._offer)
        sessions.notices.compacts_wanted.connect(self.read_compacts)
        transcript.action_chosen.connect(self._act)

    def records(self) -> Sequence[Action]:
        title = QT_TR_NOOP("Summaries of older messages…")
        return (
            everywhere("memory", QT_TR_NOOP("Memory"), "Ctrl+Shift+M", self.open, when_open),
            everywhere(
                "proposals",
                QT_TR_NOOP("Memory of another assistant…"),
                "",
                self.open_proposals,
                when_open,
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

    def open_proposals(self) -> None:
        """Show what another assistant remembers and waits for the user."""
        from desktop.ui.dialogs.importing import MemoryProposalsDialog  # noqa: PLC0415 - not at the start

        dialog = MemoryProposalsDialog(self._worker, self._owner)
        dialog.decided.connect(self.desk.changed)
        open_dialog(dialog)

    def retranslate(self) -> None:
        """Rebuild an open window in the current language, but not while it holds work."""
        if (old := self.page) is not None:
            self.page = None
            renew(old, lambda: self._open_as(old))

    def _open_as(self, old: "FactsPage") -> "FactsPage":
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

    def read_last(self) -> None:
        if self._asked_in is not None:
            self.read_compacts(self._asked_in)

    def _act(self, request: MessageRequest) -> None:
        message = request.message
        if request.action is MessageAction.REMEMBER and message is not None:
            self.desk.remember(message, self._transcript.text_of(message))
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
        self._transcript.set_remembers(self._is_on and not is_temporary)

    def _made(self) -> "FactsPage":
        from desktop.ui.memory.memory_page import FactsPage  # noqa: PLC0415 - not at the start

        if self.page is None:
            composer = self._composer
            self.page = FactsPage(self.desk, self._theme, lambda: composer.text, self._owner)
            self.page_made.emit(self.page)
            self.page.place_wanted.connect(self.place_wanted)
            self.page.proposals_wanted.connect(self.open_proposals)
        return self.page
