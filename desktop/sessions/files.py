"""Sessions into and out of files, as the window asks for it."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from desktop.domain.errors import FileUnreadableError
from desktop.domain.ids import SessionId
from desktop.domain.messages import Role
from desktop.sessions.exchange import Importer, ImportReport, as_markdown
from desktop.settings.paths import asset
from desktop.settings.texts import Texts
from desktop.storage.sessions import SessionStore


@dataclass(frozen=True, slots=True)
class SessionFiles:
    """Every method may raise StorageError and FileUnreadableError."""

    sessions: SessionStore
    importer: Importer
    texts: Callable[[], Texts]

    def markdown(self, session_id: SessionId) -> str:
        session = self.sessions.session(session_id)
        names = {role: self.texts().say(f"cli.{role.value}") for role in Role}
        return as_markdown(session, self.sessions.messages(session_id), names)

    def write_markdown(self, session_id: SessionId, path: Path) -> None:
        try:
            path.write_text(self.markdown(session_id), encoding="utf-8")
        except OSError as exc:
            raise FileUnreadableError(path=str(path), detail=exc.strerror or "") from exc

    def read_file(self, path: Path) -> ImportReport:
        """What was added, and what was not and why."""
        return self.importer.import_file(path)

    def add_example_library(self) -> ImportReport:
        return self.importer.import_file(asset("resources", "examples", "library.jsonl"))
