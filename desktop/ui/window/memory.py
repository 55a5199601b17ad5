"""The memory in the window: opening it, learned facts, summaries."""

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from desktop.domain.events import ContextAssembled, FactRemembered, ForgetAsked, TurnEvent
from desktop.domain.ids import FactId, SessionId
from desktop.settings.settings import Settings
from desktop.ui.dialogs.form import open_dialog
from desktop.ui.memory.memory_actions import MemoryActions, MemoryNotices
from desktop.ui.services import NavigationTarget, Worker
from desktop.ui.session.controller import SessionController
from desktop.ui.theme.theme import ThemeController
from desktop.ui.transcript.entries import MessageAction, MessageRequest
from desktop.ui.window.window_presenter import WindowWidgets

if TYPE_CHECKING:
    from desktop.ui.memory.window import MemoryWindow


class WindowMemory(QObject):
    place_wanted = Signal(object)  # Place where a fact was said, or where a compact begins

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
        self._asked_in: SessionId | None = None  # The session of the last request
        self._is_on = True
        self.notices.edit_wanted.connect(lambda fact_id: self._made().edit_at(fact_id))
        self.notices.memory_wanted.connect(self.open)
        sessions.turns.running_changed.connect(self._leave_notices)
        sessions.turns.happened.connect(self._note)
        sessions.shown_changed.connect(self._offer)
        sessions.notices.compacts_wanted.connect(self.read_compacts)
        parts.transcript.action_chosen.connect(self._act)
        parts.context.compacts_wanted.connect(self._read_last)

    def apply(self, settings: Settings) -> None:
        self._is_on = settings.uses_memory
        self._offer()

    def open(self, fact_id: FactId | None = None) -> None:
        """Show the memory, at a fact where one is meant."""
        self._made().open_at(fact_id)

    def retranslate(self) -> None:
        """An open window is built anew, in the language of now."""
        if (old := self.window) is not None:
            self.window = None
            if old.isVisible():
                fact = old.list.current
                self.open(fact.id if fact else None)
            old.deleteLater()

    def read_compacts(self, session_id: SessionId) -> None:
        """Show what stands for the older messages of a session."""
        from desktop.ui.dialogs.information_dialogs import (  # noqa: PLC0415 - rarely wanted
            SummariesDialog,
            load_active_summaries,
        )

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
            case FactRemembered(fact=fact):
                self.notices.show_kept(fact)
            case ContextAssembled() if self._sessions.active:
                self._asked_in = self._sessions.active.id
            case ForgetAsked(facts=facts):
                self.notices.ask_to_forget(facts)
            case _:
                pass

    def _offer(self) -> None:
        """To remember a message, where that can be done."""
        shown = self._sessions.shown
        is_temporary = shown is not None and shown.is_temporary
        self._parts.transcript.set_remembers(self._is_on and not is_temporary)

    def _leave_notices(self, is_running: bool) -> None:  # noqa: FBT001 (comes from a signal)
        if is_running:
            self.notices.leave()

    def _made(self) -> "MemoryWindow":
        from desktop.ui.memory.window import MemoryWindow  # noqa: PLC0415 - when it is opened

        if self.window is None:
            composer = self._parts.composer
            self.window = MemoryWindow(self.desk, self._theme, lambda: composer.text, self._owner)
            self.window.place_wanted.connect(self.place_wanted)
        return self.window
