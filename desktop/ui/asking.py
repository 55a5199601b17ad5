"""Asks one question at a time: what is sent before the last one has settled waits for it."""

from PySide6.QtCore import QObject, Signal

from desktop.ui.services import WindowServices
from desktop.ui.turn_bridge import RunningTurn, TurnBridge
from desktop.ui.turn_display import TurnDisplay


class Asking(QObject):
    begun = Signal()
    kept = Signal()
    """The disk has what arrived of a stopped answer."""
    failed = Signal(object)
    """AppError"""

    def __init__(self, turns: TurnDisplay, bridge: TurnBridge, parent: QObject) -> None:
        super().__init__(parent)
        self._turns = turns
        self._bridge = bridge
        self._services: WindowServices | None = None
        self._waiting: str | None = None
        self._is_settling = False
        turns.settled.connect(self._settle)

    def attach(self, services: WindowServices) -> None:
        self._services = services
        self._send_what_waits()

    def send(self, text: str) -> None:
        """Ask, or, before the program is ready or settled, ask as soon as it is."""
        if self._services is None or self._is_settling:
            self._waiting = text
        else:
            self.begin(self._services.assistant.ask(text))

    def begin(self, turn: RunningTurn) -> None:
        self.begun.emit()
        self._turns.start(turn)

    def stop(self) -> None:
        """Free the window at once; the core keeps what has arrived."""
        services = self._services
        if services is not None and self._turns.is_running:
            self._is_settling = True
            self._turns.stop()
            self._bridge.run(
                services.assistant.stop,
                lambda _: self.kept.emit(),
                self.failed.emit,
                self._settle,
            )

    def _settle(self) -> None:
        self._is_settling = False
        self._send_what_waits()

    def _send_what_waits(self) -> None:
        if text := self._waiting:
            self._waiting = None
            self.send(text)
