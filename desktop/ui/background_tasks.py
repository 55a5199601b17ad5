"""Has a worker do what touches the disk, once the program is ready, and tells of what failed."""

from collections import deque
from collections.abc import Callable
from typing import TypeVar

from PySide6.QtCore import QObject, Signal

from desktop.domain.errors import AppError
from desktop.ui.services import WindowServices
from desktop.ui.turn_bridge import TurnBridge, ignore

T = TypeVar("T")


class Worker(QObject):
    failed = Signal(object)
    """AppError of work that nobody listens to otherwise"""

    def __init__(self, bridge: TurnBridge, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._bridge = bridge
        self._services: WindowServices | None = None
        self._asked: dict[str, int] = {}
        self._in_turn: deque[Callable[[], None]] = deque()
        self._is_at_it = False

    def attach(self, services: WindowServices) -> None:
        self._services = services

    @property
    def is_attached(self) -> bool:
        """Whether what is asked for now is done at all."""
        return self._services is not None

    def do(
        self,
        work: Callable[[WindowServices], T],
        done: Callable[[T], None] = ignore,
        settled: Callable[[], None] | None = None,
        failed: Callable[[AppError], None] | None = None,
    ) -> None:
        services = self._services
        if services is not None:
            self._bridge.run(lambda: work(services), done, failed or self.failed.emit, settled)

    def do_latest(
        self, kind: str, work: Callable[[WindowServices], T], done: Callable[[T], None]
    ) -> None:
        """As `do`, and only the last one asked of its kind is told: an older one may end later."""
        asked = self._asked[kind] = self._asked.get(kind, 0) + 1

        def tell(result: T) -> None:
            if asked == self._asked[kind]:
                done(result)

        self.do(work, tell)

    def do_in_turn(
        self, work: Callable[[WindowServices], T], done: Callable[[T], None] = ignore
    ) -> None:
        """As `do`, once all that was asked for so before is done and told of.

        Of two that change the same thing the second would otherwise be told of first, or done.
        """
        if self._services is not None:
            self._in_turn.append(lambda: self.do(work, done, self._go_on))
            if not self._is_at_it:
                self._go_on()

    def _go_on(self) -> None:
        self._is_at_it = bool(self._in_turn)
        if self._in_turn:
            self._in_turn.popleft()()
