"""What a command works with: the profile, the streams, and the parts of the core it asks for."""

from dataclasses import dataclass
from enum import Enum, auto
from typing import TYPE_CHECKING, Protocol, TextIO

from desktop.settings.messages import Texts
from desktop.settings.paths import ProfilePaths
from desktop.settings.store import SettingsStore

if TYPE_CHECKING:
    from desktop.llm.model_registry import Models
    from desktop.memory.memory import Memory
    from desktop.recall.search import Search
    from desktop.recall.semantic_index import SemanticIndex
    from desktop.research.library import Library
    from desktop.research.web.web import Web
    from desktop.sessions.archive_service import ArchiveService
    from desktop.sessions.assistant import Assistant
    from desktop.sessions.exporting import Exporter
    from desktop.sessions.importing.importer import Importer
    from desktop.settings.environment import EnvironmentKeys


class Access(Enum):
    """What a command needs of the profile."""

    READ = auto()
    """Works beside a window that owns the profile."""
    WRITE = auto()
    """Has to own the profile; a window that has it is named in the error."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CommandEnvironment:
    """Where a command runs, and in which language it prints."""

    profile: ProfilePaths
    texts: Texts
    stdin: TextIO
    stdout: TextIO
    stderr: TextIO


class CoreServices(Protocol):
    """The parts of the core; each is imported and built when it is first asked for."""

    settings_store: SettingsStore

    @property
    def archive_service(self) -> "ArchiveService": ...
    @property
    def exporter(self) -> "Exporter": ...
    @property
    def assistant(self) -> "Assistant": ...
    @property
    def search(self) -> "Search": ...
    @property
    def meanings(self) -> "SemanticIndex": ...
    @property
    def memory(self) -> "Memory": ...
    @property
    def importer(self) -> "Importer": ...
    @property
    def library(self) -> "Library": ...
    @property
    def web(self) -> "Web": ...
    @property
    def models(self) -> "Models": ...
    @property
    def keys(self) -> "EnvironmentKeys": ...


@dataclass(frozen=True, slots=True, kw_only=True)
class CommandServices(CommandEnvironment):
    core: CoreServices
    archive: "ArchiveService"
