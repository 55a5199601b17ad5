"""The services behind the window, and a worker that calls them off the interface thread.

The window is painted and takes keys before the database and the SDK are imported, so their rooms
are imported here for the type checker only.
"""

from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from PySide6.QtCore import QObject, Signal

from desktop.domain.embedding import EmbeddingProgress
from desktop.domain.errors import AppError
from desktop.domain.ids import MessageId, SessionId
from desktop.domain.search import Hit, Query, Suggestion
from desktop.settings.messages import Texts
from desktop.settings.settings import Settings
from desktop.ui.turn_bridge import TurnBridge, ignore

if TYPE_CHECKING:
    from desktop.memory.memory import Memory
    from desktop.recall.search import Search
    from desktop.research.library import AddPage, Library
    from desktop.sessions.archive_service import ArchiveService
    from desktop.sessions.assistant import Assistant
    from desktop.sessions.exporting import Exporter
    from desktop.sessions.importing.importer import Importer
    from desktop.ui.dialogs.endpoint_setup import ModelServices
    from desktop.ui.dialogs.form import Folders
    from desktop.ui.dialogs.settings.phrases_page import ShippedPhrases


@dataclass(frozen=True, slots=True)
class ConnectionStatus:
    """Which model answers; None for the model where none is connected."""

    model: str | None = None
    endpoint: str = ""
    context_tokens: int | None = None


@dataclass(frozen=True, slots=True)
class BackedUp:
    path: Path
    said: str
    """What is in it, in the interface's language."""


@dataclass(frozen=True, slots=True)
class WindowServices:
    """What waits for disk, network or a model is called through the bridge only."""

    assistant: "Assistant"
    archive: "ArchiveService"
    search: "Search"
    memory: "Memory"
    embed: Callable[[Callable[[], bool], float], EmbeddingProgress]
    """Makes missing vectors until it is told to stop; given the seconds since the last key."""
    find: Callable[[Query], Sequence[Hit]]
    """A list that can be read to its end, however it is ordered; may wait."""
    suggest: Callable[[str, Sequence[SessionId]], Sequence[Suggestion]]
    """Past sessions that bear on a draft, without those that are there already; may wait."""
    importer: "Importer"
    library: "Library"
    add_page: "AddPage"
    """A web page into the library, by its address; waits for the web."""
    exporter: "Exporter"
    spent_on_imports: Callable[[], int]
    """Tokens that describing imported sessions has cost; waits for the disk."""
    connection: Callable[[], ConnectionStatus]
    """What answers now; may wait."""
    settings: Callable[[], Settings]
    """In force now, the environment's say included; never waits."""
    texts: Callable[[], Texts]
    """The core's own words in the interface's language; never waits."""
    desk: "ModelServices"
    folders: "Folders"
    phrases: "ShippedPhrases"
    personas: Callable[[], Mapping[str, str]]
    """Whom the assistant can be, by name, in the interface's language; never waits."""
    back_up: Callable[[Path], BackedUp]
    """A checked copy of the archive at this path; waits for the disk."""
    refuse_backup: Callable[[Path], None]
    """Raises AppError where a file is no backup to restore; waits for the disk."""
    examples: Sequence[Path]
    """Files of the example library."""


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


@dataclass(frozen=True, slots=True)
class NavigationTarget:
    """A session, and the message in it that is meant, if one is."""

    session_id: SessionId
    message_id: MessageId | None = None
    terms: Sequence[str] = ()
    """What was searched for."""
    query: str = ""
    """The whole of it, where the other hits in the session are of interest."""
