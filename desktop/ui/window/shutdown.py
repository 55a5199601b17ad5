"""Closes the window: hidden at once, the program ends when everything is saved."""

from collections.abc import Callable
from dataclasses import replace

from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtWidgets import QWidget

from desktop.domain.sessions import Draft
from desktop.ui.services import WindowServices
from desktop.ui.session.background_jobs import BackgroundScheduler
from desktop.ui.session.controller import SessionController
from desktop.ui.turn_bridge import TurnBridge
from desktop.ui.widgets.plain_text import MessageBox

_LONGEST_MS = 1_500


class ShutdownController(QObject):
    said = Signal()
    """All that could be kept is kept, or took too long."""

    def __init__(
        self, sessions: SessionController, chores: BackgroundScheduler, bridge: TurnBridge
    ) -> None:
        super().__init__(sessions)
        self._sessions = sessions
        self._background = chores
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
        self._background.stop()
        self._sessions.asking.give_back()
        if self._services is not None:
            self._keep(self._services)
        elif not self._background.draft().text:
            self._leave()
            return
        # Else there are words for a disk that is about to be there.
        QTimer.singleShot(_LONGEST_MS, self, self._leave)

    def _keep(self, services: WindowServices) -> None:
        """A worker ends the session."""
        draft, has_kept = self._background.last_draft(), self._background.has_kept_draft
        self._bridge.cancel_all()

        def work() -> None:
            ended = services.assistant.active
            services.assistant.close()
            # Behind the end: at the next start there is a new session to write it for.
            kept = Draft() if has_kept else services.assistant.draft()
            whole = draft.behind(kept)
            if ended is not None and ended.has_exchange and not whole.text:
                whole = replace(whole, beside=())  # they went along with what was asked
            with self._background.keeping:
                services.assistant.keep_draft(whole)
                if ended is not None and services.assistant.active is None:
                    services.archive.clear_draft(ended.id)

        self._bridge.run(work, settled=self._leave)

    def _leave(self) -> None:
        if self.is_leaving:
            self.is_leaving = False
            self.said.emit()


class TemporarySessionGuard(QObject):
    def __init__(self, sessions: SessionController, window: QWidget) -> None:
        super().__init__(window)
        self._sessions = sessions
        self._window = window
        self._box: MessageBox | None = None
        sessions.leaving.before_losing = self.ask

    @property
    def loses_something(self) -> bool:
        """Whether something was said that would be gone."""
        active = self._sessions.active
        return active is not None and active.is_temporary and active.messages > 0

    def ask(self, go_on: Callable[[], None]) -> None:
        """Go on at once where nothing is lost, or when the user says so."""
        if not self.loses_something:
            go_on()
            return
        if self._box is not None:
            return  # it is asked already
        box = MessageBox(
            MessageBox.Icon.Warning,
            self.tr("End the temporary session?"),
            self.tr("It was not saved anywhere. Once it ends, you cannot get it back."),
            self._window,
        )
        end = box.addButton(self.tr("End it"), MessageBox.ButtonRole.DestructiveRole)
        stay = box.addButton(self.tr("Keep it"), MessageBox.ButtonRole.RejectRole)
        box.setDefaultButton(stay)
        box.setEscapeButton(stay)
        end.clicked.connect(go_on)
        box.finished.connect(self._forget)
        self._box = box
        box.open()

    def _forget(self) -> None:
        box, self._box = self._box, None
        if box is not None:
            box.deleteLater()
