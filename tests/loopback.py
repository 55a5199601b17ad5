"""A server that says the same words to every client and requires a key of its own.

Commands, benchmarks and attacks reach it through the real client and a real socket.
"""

import secrets
from pathlib import Path

from desktop.domain.endpoints import Endpoint, EndpointId, EndpointKind, ModelChoice, ModelRole
from desktop.domain.language import Language
from desktop.domain.usage import Usage
from desktop.sessions.services import Services
from desktop.settings.keys import MemoryKeys
from desktop.settings.paths import Paths
from desktop.settings.settings import Settings
from desktop.settings.store import SettingsStore
from desktop.storage.archive import open_archive
from tests.fakes import Says, ScriptedServer

LOOPBACK = EndpointId("loopback")


class LoopbackServer(ScriptedServer):
    """Streams `words`, one event each."""

    def __init__(self, words: list[str], *, words_per_second: float | None = None) -> None:
        usage = Usage(input_tokens=1, output_tokens=len(words))
        says = Says(chunks=words, usage=usage, tokens_per_second=words_per_second)
        super().__init__(default=says)
        self.words = words
        self.key: str = secrets.token_urlsafe()
        self.models = ["loopback"]

    def settings(self, *, context_tokens: int | None = None) -> Settings:
        """Return settings that use this server."""
        endpoint = Endpoint(
            LOOPBACK,
            "Loopback",
            EndpointKind.SERVER,
            base_url=self.url,
            context_tokens=context_tokens,
        )
        roles = {ModelRole.ANSWERING: ModelChoice(LOOPBACK, "loopback")}
        return Settings(welcomed=True, endpoints=(endpoint,), roles=roles)

    def core(self, folder: Path) -> Services:
        """Return a new profile in this folder that uses this server."""
        store = SettingsStore(Paths.under(folder))
        store.save(self.settings())
        keys = MemoryKeys()
        keys.put(LOOPBACK, self.key)
        archive = open_archive(folder / "bellek.db", backups=folder / "backups")
        return Services(archive, store, Language.TR, kept_keys=keys)
