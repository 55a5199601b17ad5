"""What a command works with: the profile, the terminal, and the parts of the core it uses."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, TextIO

from desktop.cli.terminal import cleaned, cleaned_json
from desktop.domain.model import JsonValue
from desktop.settings.messages import Texts
from desktop.settings.paths import Paths, ProfilePaths
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
    from desktop.sessions.automatic_backups import AutomaticBackups
    from desktop.sessions.diary import Diary
    from desktop.sessions.exporting import Exporter
    from desktop.sessions.free_space import SpaceFreer
    from desktop.sessions.housekeeping import Housekeeping
    from desktop.sessions.importing.importer import Importer
    from desktop.sessions.insight import InsightService
    from desktop.sessions.session_page import SessionPages
    from desktop.settings.encryption import ProfileKey
    from desktop.settings.environment import EnvironmentKeys

_ANSWERS = {
    **dict.fromkeys(("e", "evet", "y", "yes"), True),
    **dict.fromkeys(("h", "hayır", "hayir", "n", "no"), False),
}


def yes_or_no(line: str) -> bool | None:
    """Return what was answered; None for other words."""
    return _ANSWERS.get(line.strip().lower())


@dataclass(frozen=True, slots=True, kw_only=True)
class CommandEnvironment:
    """Where a command runs: results go to stdout, all else to stderr, both cleaned."""

    paths: Paths
    profile: ProfilePaths
    texts: Texts
    as_json: bool
    stdin: TextIO
    stdout: TextIO
    stderr: TextIO
    key: "ProfileKey | None" = None
    """Of an encrypted profile."""

    def print_text(self, text: str) -> None:
        print(cleaned(text, self.stdout), end="", file=self.stdout, flush=True)

    def print_line(self, line: str = "") -> None:
        self.print_text(f"{line}\n")

    def print_json(self, value: Mapping[str, JsonValue]) -> None:
        self.print_line(cleaned_json(json.dumps(value, ensure_ascii=False)))

    def note(self, line: str) -> None:
        """Print a line for a person, on stderr."""
        print(cleaned(line, self.stderr), file=self.stderr, flush=True)

    def say(self, key: str, **values: str | float) -> None:
        self.note(self.texts.say(key, **values))

    def say_count(self, key: str, n: int, **values: str) -> None:
        self.note(self.texts.count(key, n, **values))

    def report(self, value: Mapping[str, JsonValue], key: str, **values: str | float) -> None:
        """Print what was done: as JSON, or as a sentence."""
        if self.as_json:
            self.print_json(value)
        else:
            self.say(key, **values)

    def read_line(self, prompt: str = "> ") -> str | None:
        """Return the next line of the input, or None at its end."""
        print(cleaned(prompt, self.stderr), end="", file=self.stderr, flush=True)
        try:
            line = self.stdin.readline()
        except KeyboardInterrupt:
            return None
        return line.strip() if line else None

    def confirm(self, prompt_key: str, **values: str) -> bool:
        """Ask a yes-or-no question; whatever is not a yes is a no."""
        return bool(yes_or_no(self.read_line(self.texts.say(prompt_key, **values)) or ""))


class CoreServices(Protocol):
    """The parts of the core; each is imported and built on first use."""

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
    def session_pages(self) -> "SessionPages": ...
    @property
    def meanings(self) -> "SemanticIndex": ...
    @property
    def memory(self) -> "Memory": ...
    @property
    def space(self) -> "SpaceFreer": ...
    @property
    def housekeeping(self) -> "Housekeeping": ...
    @property
    def automatic_backups(self) -> "AutomaticBackups": ...
    @property
    def diary(self) -> "Diary": ...
    @property
    def importer(self) -> "Importer": ...
    @property
    def insight(self) -> "InsightService": ...
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

    def can_ask(self) -> bool:
        return not self.as_json and self.stdin.isatty()
