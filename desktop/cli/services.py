"""What a command works with; `app.py` builds it once, as the command's access asks."""

from dataclasses import dataclass
from enum import Enum, auto
from typing import TextIO

from desktop.llm.model_registry import Models
from desktop.memory.memory import Memory
from desktop.recall.search import Search
from desktop.recall.semantic_index import Meanings
from desktop.research.library import Library
from desktop.research.web.web import Web
from desktop.sessions.assistant import Assistant
from desktop.sessions.importing.importer import Importer
from desktop.settings.keys import KeyStore
from desktop.settings.messages import Texts
from desktop.settings.paths import ProfilePaths
from desktop.settings.store import SettingsStore
from desktop.storage.archive import Archive


class Access(Enum):
    """What a command needs of the profile."""

    READ = auto()
    """Works beside a window that owns the profile."""
    WRITE = auto()
    """Has to own the profile; a window that has it is named in the error."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Where a command runs, and how it speaks."""

    profile: ProfilePaths
    texts: Texts
    stdin: TextIO
    stdout: TextIO
    stderr: TextIO


@dataclass(frozen=True, slots=True, kw_only=True)
class CommandServices(Place):
    archive: Archive
    assistant: Assistant
    search: Search
    meanings: Meanings
    memory: Memory
    importer: Importer
    library: Library
    web: Web
    models: Models
    keys: KeyStore
    settings_store: SettingsStore
