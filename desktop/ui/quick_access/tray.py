"""The tray icon, and the system's notifications while another program is in front."""

import os
from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QAction, QGuiApplication, QIcon
from PySide6.QtWidgets import QMenu, QSystemTrayIcon, QWidget

from desktop.domain import events
from desktop.domain.ids import SessionId
from desktop.settings.paths import asset
from desktop.settings.settings import Settings
from desktop.ui.actions import WindowActions
from desktop.ui.quick_access.quick_window import QuickQuestions
from desktop.ui.services import NavigationTarget
from desktop.ui.session.controller import SessionController
from desktop.ui.session.turn_display import TurnDisplay
from desktop.ui.session_bus import BusObject, SessionBus
from desktop.ui.timers import make_timer
from desktop.ui.widgets.plain_text import tip

_LONG_S = 8.0  # Shorter answers are not worth a notification
_SHOWN_MS = 30_000
_DAEMON = BusObject(
    "org.freedesktop.Notifications",
    "/org/freedesktop/Notifications",
    "org.freedesktop.Notifications",
)


class Tray(QObject):
    """Without the icon in the settings, the tray shows it only during a notification."""

    show_wanted = Signal()  # the main window

    def __init__(
        self,
        actions: WindowActions,
        sessions: SessionController,
        quick: QuickQuestions,
        window: QWidget,
    ) -> None:
        super().__init__(window)
        self._sessions = sessions
        self._icon = QSystemTrayIcon(QIcon(str(asset("resources", "icons", "bellek.svg"))), self)
        self._icon.setToolTip(tip("Bellek"))
        self._show = QAction(self)
        self._menu = QMenu(window)
        self._menu.addAction(self._show)
        self._menu.addActions([actions[act] for act in ("quick", "lock", "quit")])
        self._icon.setContextMenu(self._menu)
        self._settings = Settings()
        self._bus: SessionBus | None = None
        self._leads: dict[int, Callable[[], object]] = {}  # by the daemon's number
        self._lead: Callable[[], object] = self.show_wanted.emit
        self._rest = make_timer(self, _SHOWN_MS, self._show_icon, is_single=True)
        self._show.triggered.connect(self.show_wanted)
        self._icon.activated.connect(self._press)
        self._icon.messageClicked.connect(self._go)
        self._follow(sessions.turns, self._lead_to)
        quick.made.connect(lambda turns: self._follow(turns, lambda _: quick.open()))

    @property
    def takes_close(self) -> bool:
        """Whether closing the window leaves the program in the tray."""
        is_wanted = self._settings.has_tray and self._settings.closes_to_tray
        return is_wanted and QSystemTrayIcon.isSystemTrayAvailable()

    def apply(self, settings: Settings) -> None:
        self._settings = settings
        self._show.setText(self.tr("Show Bellek"))
        self._show_icon()

    def _follow(self, turns: TurnDisplay, lead: Callable[[SessionId | None], object]) -> None:
        """Notify when a turn ends or waits; a click calls `lead` with its session."""

        def hear(event: events.TurnEvent) -> None:
            words = self._words(event, turns.lasted_s(event.turn_id))
            if words:
                ended = event if isinstance(event, events.TurnEnded) else None
                at = ended.session_id if ended else turns.session_of(event.turn_id)
                self.notify(words, lambda: lead(at))

        turns.front_happened.connect(hear)
        turns.left_happened.connect(hear)

    def notify_in_window(self, words: str, lead: Callable[[], object]) -> None:
        """Notify; a click shows the main window and then calls `lead`."""

        def show() -> None:
            self.show_wanted.emit()
            lead()

        self.notify(words, show)

    def notify(self, words: str, lead: Callable[[], object]) -> None:
        """Notify, unless one of our windows is in front; a click calls `lead`."""
        is_in_front = QGuiApplication.applicationState() is Qt.ApplicationState.ApplicationActive
        if is_in_front or not self._settings.notifies:
            return
        if self._bus is None and (bus := SessionBus.open(self)):
            self._bus = bus
            bus.signalled.connect(self._hear)
            bus.follow(_DAEMON)
        if self._bus is None:
            self._show_message(words, lead)
        else:
            self._ask_daemon(self._bus, words, lead)

    def _ask_daemon(self, bus: SessionBus, words: str, lead: Callable[[], object]) -> None:
        """Qt's own message has no action, so daemons do not report a click on it."""

        def answered(result: tuple[Any, ...] | None) -> None:
            if result is None:
                self._show_message(words, lead)
            else:
                self._leads[result[0]] = lead

        icon = asset("resources", "icons", "bellek.svg").as_uri()
        hints = {"desktop-entry": ("s", QGuiApplication.desktopFileName())}
        actions = ["default", self.tr("Open")]
        shown = ("Bellek", 0, icon, "Bellek", words, actions, hints, _SHOWN_MS)
        bus.call(_DAEMON, "Notify", "susssasa{sv}i", shown, answered)

    def _hear(self, member: str, arguments: tuple[Any, ...]) -> None:
        lead = self._leads.get(arguments[0])
        if lead is None:
            return
        if member == "ActivationToken":
            # Qt passes it to Wayland, which would otherwise keep the window behind the others.
            os.environ["XDG_ACTIVATION_TOKEN"] = arguments[1]
        elif member == "ActionInvoked":
            lead()

    def _show_message(self, words: str, lead: Callable[[], object]) -> None:
        self._lead = lead
        self._icon.show()
        self._icon.showMessage("Bellek", words, self._icon.icon(), _SHOWN_MS)
        self._rest.start()

    def _lead_to(self, session_id: SessionId | None) -> None:
        """Show the main window at the session that was answered, or waits."""
        self.show_wanted.emit()
        if session_id is not None:
            self._sessions.open(NavigationTarget(session_id))

    def _words(self, event: events.TurnEvent, lasted_s: float) -> str:
        """Return the notification's text, without words of the conversation: others may see it."""
        match event:
            case events.TurnEnded(outcome=events.Outcome.COMPLETE) if lasted_s >= _LONG_S:
                return self.tr("The answer is ready.")
            case events.TurnEnded(outcome=events.Outcome.FAILED) if lasted_s >= _LONG_S:
                return self.tr("The answer could not be finished.")
            case events.PlanProposed():
                return self.tr("A research plan is waiting for you.")
            case events.ToolCalled(state=events.ToolState.ASKING):
                return self.tr("An answer is waiting for your permission.")
            case _:
                return ""

    def _go(self) -> None:
        self._lead()

    def _show_icon(self) -> None:
        self._icon.setVisible(self._settings.has_tray)

    def _press(self, reason: QSystemTrayIcon.ActivationReason) -> None:
        if reason is QSystemTrayIcon.ActivationReason.Trigger:
            self.show_wanted.emit()
