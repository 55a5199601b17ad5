"""The parts of the services that each profile has: its settings, keys, models, web and backups.

Like all parts they are built on first use, which imports their modules.
"""

from __future__ import annotations

import os
from contextlib import suppress
from functools import cache, cached_property
from typing import TYPE_CHECKING

from desktop.domain.errors import BaseUrlInvalidError, StorageError
from desktop.domain.usage import Figures, Purpose
from desktop.sessions.archive_reader import ArchiveReader
from desktop.settings.messages import Texts, chosen_language, system_language

if TYPE_CHECKING:
    from collections.abc import Callable

    from desktop.domain.language import Language
    from desktop.domain.outside_tools import ToolServer
    from desktop.domain.projects import Wall
    from desktop.llm.model_files import ModelFiles
    from desktop.llm.model_registry import Models
    from desktop.research.tools.outside_tools import OutsideTools
    from desktop.research.web.web import Web
    from desktop.sessions.archive_care import ArchiveCare
    from desktop.sessions.keeping.background_requests import BackgroundRequests
    from desktop.sessions.keeping.housekeeping import AutomaticBackups
    from desktop.sessions.tool_servers import ToolServers
    from desktop.settings.keys import EnvironmentKeys, KeyStore
    from desktop.settings.paths import ProfilePaths
    from desktop.settings.profiles import Profiles
    from desktop.settings.programs import ProgramCalls
    from desktop.settings.settings import Settings
    from desktop.settings.store import SettingsStore
    from desktop.storage.archive import Archive


class ProfileServices:
    """What `Services` offers about the profile itself; any thread may use its parts."""

    def __init__(
        self,
        archive: Archive,
        settings_store: SettingsStore,
        language: Language | None = None,
        *,
        spoken: Callable[[], Language] | None = None,
        kept_keys: KeyStore | None = None,
    ) -> None:
        """`language`: the command line's; `spoken`: the window's.

        `kept_keys`: where keys are stored, if not in the system's keyring.
        """
        self._archive = archive
        self._asked, self._spoken = language, spoken
        self._backups = archive.database.path.parent / "backups"
        self._kept_keys = kept_keys
        self._texts_in = cache(Texts)
        self._overridden: tuple[Settings, Settings] | None = None
        self.settings_store = settings_store
        self.figures = Figures()

    def in_force(self, settings: Settings) -> Settings:
        """Return settings with the environment's overrides; never waits."""
        from desktop.settings.keys import with_environment
        from desktop.settings.settings import local_only

        with suppress(BaseUrlInvalidError):  # raised when a model is requested
            settings = with_environment(settings, os.environ)
        return local_only(settings) if settings.is_local_only else settings

    def settings(self) -> Settings:
        """Return the stored settings with the environment's overrides; never waits."""
        return self.in_force(self.settings_store.current)

    def language(self) -> Language:
        """Return the language of the front end; never waits."""
        if self._spoken is not None:
            return self._spoken()
        chosen = self.settings_store.current.language
        return self._asked or chosen_language(chosen, system_language(os.environ))

    def texts(self) -> Texts:
        """Return the core's own words in the language of the front end; never waits."""
        return self._texts_in(self.language())

    @cached_property
    def archive(self) -> ArchiveReader:
        """Lists and records of all that is stored, to read only; may wait."""
        return ArchiveReader(self._archive)

    @cached_property
    def care(self) -> ArchiveCare:
        """Backups, final deletions and what salvages lost; may wait."""
        from desktop.sessions.archive_care import ArchiveCare

        return ArchiveCare(self._archive, self._backups, lambda: self.automatic_backups.folder)

    @cached_property
    def automatic_backups(self) -> AutomaticBackups:
        """The daily backup; may wait."""
        from desktop.sessions.keeping.housekeeping import AutomaticBackups

        return AutomaticBackups(self._archive, self._backups, self._checked_settings)

    @cached_property
    def background(self) -> BackgroundRequests:
        """The ledger of requests that nobody asked for by hand, and their cap; may wait."""
        from desktop.sessions.keeping.background_requests import BackgroundRequests

        return BackgroundRequests(
            self._archive, self._checked_settings, renewal=self._vector_renewal
        )

    @cached_property
    def keys(self) -> EnvironmentKeys:
        """The keys of endpoints; may wait for the system's keyring."""
        from desktop.settings.keys import EnvironmentKeys, KeyringKeys

        store = self._kept_keys or KeyringKeys(profile=self.settings_store.profile)
        return EnvironmentKeys(store, os.environ, self._checked_settings)

    @cached_property
    def models(self) -> Models:
        """The connected models; `choose` never waits, the rest may."""
        from desktop.llm.model_registry import Models

        return Models(self._checked_settings, self.keys, self._note_listing)

    @cached_property
    def model_files(self) -> ModelFiles:
        """Models for this computer, fetched at the user's wish; waits for the network."""
        from desktop.llm.model_files import ModelFiles

        folder = self.settings_store.paths.data / "models"
        return ModelFiles(folder, self.settings, self._archive.contacts.add)

    @cached_property
    def web(self) -> Web:
        """Search and pages of the web; waits for the network."""
        from desktop.research.web.web import web_of

        return web_of(self._archive, self._settings_in, self.language)

    @cached_property
    def outside_tools(self) -> OutsideTools:
        """The servers of tools from elsewhere; waits for them."""
        from desktop.domain.times import utc_now
        from desktop.research.tools.outside_tools import OutsideTools

        def secret(server: ToolServer, name: str) -> str:
            return self.keys.get(server.secret_id(name)) or ""

        return OutsideTools(self._settings_in, secret, self.outside_calls, utc_now)

    @cached_property
    def outside_calls(self) -> ProgramCalls:
        """The list of calls of tools from elsewhere; may wait."""
        from desktop.settings.programs import OUTSIDE_CALLS, ProgramCalls

        return ProgramCalls(self.profile.folder, OUTSIDE_CALLS, self._archive.database.key)

    @cached_property
    def program_calls(self) -> ProgramCalls:
        """The list of calls of other programs; may wait."""
        from desktop.settings.programs import ProgramCalls

        return ProgramCalls(self.profile.folder, key=self._archive.database.key)

    @cached_property
    def tool_servers(self) -> ToolServers:
        """Adding, looking at and removing servers of tools; waits for them."""
        from desktop.sessions.tool_servers import ToolServers

        return ToolServers(self.settings_store, self.keys, self.outside_tools, self.outside_calls)

    @cached_property
    def profiles(self) -> Profiles:
        """All profiles; may wait."""
        from desktop.settings.profiles import Profiles

        return Profiles(self.settings_store.paths)

    @property
    def profile(self) -> ProfilePaths:
        """Return the folders and files of this profile; never waits."""
        return self.settings_store.profile_paths

    @property
    def is_synchronised(self) -> bool:
        """Return whether the profile is on several devices; never waits, and imports nothing."""
        return self.profile.sync_place.exists()

    @property
    def is_sharing(self) -> bool:
        """Return whether projects are shared with a group; never waits, and imports nothing."""
        return self.profile.shared_projects.exists()

    def _vector_renewal(self) -> tuple[int, int] | None:
        """Return how much a new embedding model has prepared; None if none takes over."""
        return None

    def _checked_settings(self) -> Settings:
        """Return the settings in force; raises BaseUrlInvalidError."""
        from desktop.settings.keys import with_environment
        from desktop.settings.settings import local_only

        stored = self.settings_store.current
        if self._overridden is None or self._overridden[0] is not stored:
            settings = with_environment(stored, os.environ)
            if settings.is_local_only:
                settings = local_only(settings)
            self._overridden = stored, settings
        return self._overridden[1]

    def _settings_in(self, wall: Wall) -> Settings:
        """Return the settings for what reads behind a wall. Raises StorageError."""
        from desktop.settings.settings import local_only

        settings = self._checked_settings()
        return local_only(settings) if self._archive.projects.is_local_only(wall) else settings

    def _note_listing(self) -> None:
        with suppress(StorageError):  # for instance opened for reading only
            self.background.record(Purpose.MODELS)
