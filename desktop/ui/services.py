"""The services behind the window, and a worker that calls them off the interface thread.

The window is painted and takes keys before the database and the SDK are imported, so their rooms
are imported here for the type checker only.
"""

from collections import deque
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import TYPE_CHECKING, TypeVar

from PySide6.QtCore import QObject, Signal

from desktop.domain.endpoints import Endpoint
from desktop.domain.errors import AppError
from desktop.domain.frozen import dataclass
from desktop.domain.ids import MessageId, SessionId
from desktop.settings.messages import Texts
from desktop.settings.settings import Settings
from desktop.ui.turn_bridge import TurnBridge, has_receiver, ignore

if TYPE_CHECKING:
    from desktop.domain.changes import Change
    from desktop.domain.search import EmbeddingProgress
    from desktop.llm.model_files import ModelFiles
    from desktop.llm.model_registry import ModelAccess
    from desktop.sessions.services import Services
    from desktop.settings.keys import KeyStore


@dataclass(frozen=True, slots=True)
class ModelServices:
    """What the dialogs need to connect endpoints."""

    bridge: TurnBridge
    models: "ModelAccess"
    keys: "KeyStore"
    look_for_servers: Callable[[], Sequence[Endpoint]]
    texts: Callable[[], Texts]
    """The core's own words in the interface's language; any thread, never waits."""
    in_force: Callable[[Settings], Settings] = lambda settings: settings
    """The settings as the environment changes them; any thread, never waits."""
    files: "ModelFiles | None" = None  # None: no model can be fetched
    embedding: "Callable[[], EmbeddingProgress] | None" = None
    """Returns how far the vectors of the search by meaning are made; any thread, may wait."""


@dataclass(frozen=True, slots=True)
class ShippedPhrases:
    """The phrases of both languages, those of the window's language first."""

    ends: Sequence[str] = ()
    new_topics: Sequence[str] = ()


T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Restart:
    """Why the program quits in order to start again, and with which arguments."""

    arguments: Sequence[str]
    before: Callable[[], object] = lambda: None
    """Called between the two, when nothing of the profile is open, not even its lock. If it raises
    AppError, the program restarts unchanged.
    """


REPAIR = Restart(("--repairing",))
LOCKED = Restart(("--keep-locked",))  # Locks the profile: the key leaves with the process


class Worker(QObject):
    """Calls the services off the interface thread; queues calls until they are attached."""

    ready = Signal()  # the services are attached
    failed = Signal(object)  # AppError of work without a `failed` callback

    def __init__(self, bridge: TurnBridge, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.bridge = bridge
        self._services: Services | None = None
        self._waiting: list[Callable[[], None]] = []
        self._asked: dict[str, int] = {}
        self._in_turn: deque[Callable[[], None]] = deque()
        self._is_in_turn_running = False

    @property
    def services(self) -> "Services":
        """Return the services, for calls that never wait; raise RuntimeError before `attach`."""
        if self._services is None:
            raise RuntimeError("the services are not there yet")
        return self._services

    def attach(self, services: "Services") -> None:
        self._services = services
        self.ready.emit()
        waiting, self._waiting = self._waiting, []
        for start in waiting:
            start()

    @property
    def is_ready(self) -> bool:
        return self._services is not None

    def drop_waiting(self) -> None:
        """Drop calls that were queued before the services were attached."""
        if self._services is None:
            self._waiting.clear()
            self._in_turn.clear()
            self._is_in_turn_running = False

    def do(
        self,
        work: "Callable[[Services], T]",
        done: Callable[[T], None] = ignore,
        settled: Callable[[], None] | None = None,
        failed: Callable[[AppError], None] | None = None,
    ) -> None:
        def start() -> None:
            call = partial(work, self.services)
            self.bridge.run(call, done, failed or self.failed.emit, settled)

        self._when_ready(start)

    def undoes(
        self, change: "Change[T]", done: Callable[[T], None] = ignore
    ) -> Callable[[], None]:
        """Return what undoes a change, after all earlier ones; `done` gets the value as it is."""
        return lambda: self.do_in_turn(lambda _: change.undo(), done)

    def do_each(
        self,
        work: "Callable[[Services], Iterable[T]]",
        done: Callable[[T], None],
        settled: Callable[[], None] | None = None,
        failed: Callable[[AppError], None] | None = None,
    ) -> None:
        """Like `do`; `done` gets each result as it comes."""

        def start() -> None:
            call = partial(work, self.services)
            self.bridge.run_each(call, done, failed or self.failed.emit, settled)

        self._when_ready(start)

    def do_latest(
        self,
        kind: str,
        work: "Callable[[Services], T]",
        done: Callable[[T], None],
        failed: Callable[[AppError], None] | None = None,
    ) -> None:
        """Like `do`, but `done` gets only the result of the last call of its kind."""
        number = self._asked[kind] = self._asked.get(kind, 0) + 1

        def tell(result: T) -> None:
            if number == self._asked[kind] and has_receiver(done):
                done(result)

        self.do(work, tell, failed=failed)

    def do_in_turn(
        self,
        work: "Callable[[Services], T]",
        done: Callable[[T], None] = ignore,
        settled: Callable[[], None] | None = None,
        failed: Callable[[AppError], None] | None = None,
    ) -> None:
        """Like `do`, after all earlier calls of this method, so that the last change wins."""

        def end() -> None:
            if settled is not None and has_receiver(settled):
                settled()
            self._do_next()

        self._in_turn.append(lambda: self.do(work, done, end, failed))
        if not self._is_in_turn_running:
            self._do_next()

    def _do_next(self) -> None:
        self._is_in_turn_running = bool(self._in_turn)
        if self._in_turn:
            self._in_turn.popleft()()

    def _when_ready(self, start: Callable[[], None]) -> None:
        if self._services is None:
            self._waiting.append(start)
        else:
            start()


@dataclass(frozen=True, slots=True)
class NavigationTarget:
    """A session to open, and optionally a message in it."""

    session_id: SessionId
    message_id: MessageId | None = None
    terms: Sequence[str] = ()  # the text that was searched for
    query: str = ""  # the whole query, if the session's other hits are wanted
