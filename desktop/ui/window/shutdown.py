"""How the window goes: out of sight at once, and the program behind it once all is kept."""

from dataclasses import replace

from PySide6.QtCore import QObject, QTimer, Signal

from desktop.domain.sessions import Draft
from desktop.ui.services import WindowServices
from desktop.ui.session.background_jobs import Chores
from desktop.ui.session.controller import SessionController
from desktop.ui.turn_bridge import TurnBridge

_LONGEST_MS = 1_500


class WindowFarewell(QObject):
    said = Signal()
    """All that could be kept is kept, or took too long."""

    def __init__(self, sessions: SessionController, chores: Chores, bridge: TurnBridge) -> None:
        super().__init__(sessions)
        self._sessions = sessions
        self._chores = chores
        self._bridge = bridge
        self._services: WindowServices | None = None
        self.is_leaving = False

    def attach(self, services: WindowServices) -> None:
        """Whoever left before the program was ready wrote something that is kept now."""
        self._services = services
        if self.is_leaving:
            self._keep(services)

    def say(self) -> None:
        self.is_leaving = True
        self._chores.stop()
        self._sessions.asking.give_back()
        if self._services is not None:
            self._keep(self._services)
        elif not self._chores.draft().text:
            self._leave()
            return
        # Else there are words for a disk that is about to be there.
        QTimer.singleShot(_LONGEST_MS, self, self._leave)

    def _keep(self, services: WindowServices) -> None:
        """A worker ends the session."""
        draft, has_kept = self._chores.last_draft(), self._chores.has_kept_draft
        self._bridge.cancel_all()

        def work() -> None:
            ended = services.assistant.active
            services.assistant.close()
            # Behind the end: at the next start there is a new session to write it for.
            kept = Draft() if has_kept else services.assistant.draft()
            whole = draft.behind(kept)
            if ended is not None and ended.has_exchange and not whole.text:
                whole = replace(whole, beside=())  # they went along with what was asked
            with self._chores.keeping:
                services.assistant.keep_draft(whole)
                if ended is not None and services.assistant.active is None:
                    services.archive.clear_draft(ended.id)

        self._bridge.run(work, settled=self._leave)

    def _leave(self) -> None:
        if self.is_leaving:
            self.is_leaving = False
            self.said.emit()
