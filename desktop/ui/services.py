"""What the window needs from the rest of the program, given to it once that is ready.

The window is painted and takes keys before the database and the SDK are imported, so their rooms
are imported here for the type checker only.
"""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from desktop.domain.ids import SessionId
from desktop.settings.texts import Texts

if TYPE_CHECKING:
    from desktop.recall.search import Search
    from desktop.sessions.assistant import Assistant
    from desktop.storage.archive import Archive
    from desktop.ui.dialogs.desk import ModelDesk


class Exchanging(Protocol):
    """Sessions into and out of files; every method is called on a worker."""

    def markdown(self, session_id: SessionId) -> str: ...

    def write_markdown(self, session_id: SessionId, path: Path) -> None: ...

    def read_file(self, path: Path) -> int:
        """How many sessions were added."""
        ...

    def add_example_library(self) -> int:
        """How many sessions were added."""
        ...


@dataclass(frozen=True, slots=True)
class Connection:
    """Which model answers; None for the model where none is connected."""

    model: str | None = None
    endpoint: str = ""
    context_tokens: int | None = None


@dataclass(frozen=True, slots=True)
class WindowServices:
    """What is slow in them is called through the bridge, never on the GUI thread."""

    assistant: "Assistant"
    archive: "Archive"
    search: "Search"
    exchange: Exchanging
    desk: "ModelDesk"
    connection: Callable[[], Connection]
    """What answers now; slow."""
    texts: Callable[[], Texts]
    """The core's own words in the interface's language; never waits."""
