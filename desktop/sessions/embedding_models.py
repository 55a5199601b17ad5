"""Which embedding model the settings choose for the search by meaning, and what it may read."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from desktop.domain.endpoints import Endpoint, EndpointKind, ModelRole, is_on_this_computer
from desktop.domain.errors import LocalOnlyError
from desktop.domain.usage import Purpose

if TYPE_CHECKING:
    from collections.abc import Callable

    from desktop.domain.projects import Wall
    from desktop.domain.search import VectorSource
    from desktop.llm.embeddings import EndpointVectors
    from desktop.llm.model_registry import Models
    from desktop.sessions.keeping.background_requests import BackgroundRequests
    from desktop.settings.settings import Settings


@dataclass(frozen=True, slots=True)
class EmbeddingModels:
    """Implements VectorSources. Texts leave this computer only if the settings say so."""

    _models: Callable[[], Models]
    _settings: Callable[[], Settings]
    _settings_in: Callable[[Wall], Settings]
    _ledger: BackgroundRequests

    def chosen(self) -> VectorSource | None:
        settings = self._settings()
        endpoint = _chosen(settings)
        if endpoint is None or not _may_read(settings, endpoint):
            return None
        choice = settings.roles[ModelRole.EMBEDDING]
        model = choice.model
        if endpoint.kind is EndpointKind.GGUF:
            model = Path(endpoint.gguf_path or "").stem
        if not model:
            return None
        source = self._served(endpoint, model)
        if is_on_this_computer(endpoint):
            return source
        # Who pays for the requests wants to see them, and to limit them.
        note = partial(self._ledger.record, Purpose.VECTORS)
        return replace(source, check=self._check_metered, note=note)

    def named(self, name: str, wall: Wall) -> VectorSource | None:
        settings, (place, _, model) = self._settings_in(wall), name.partition("/")
        for endpoint in settings.endpoints:
            if endpoint.id != place:
                continue
            if is_on_this_computer(endpoint):
                return self._served(endpoint, model)
            is_chosen = endpoint == _chosen(settings)
            if is_chosen and not wall.is_temporary and _may_read(settings, endpoint):
                return self._served(endpoint, model)
        return None

    def _served(self, endpoint: Endpoint, model: str) -> EndpointVectors:
        return replace(self._models().vectors(endpoint, model), check=self._check)

    def _check(self, endpoint: Endpoint) -> None:
        """Raise LocalOnlyError if what was allowed was withdrawn meanwhile."""
        if not _may_read(self._settings(), endpoint):
            raise LocalOnlyError(where=endpoint.name)

    def _check_metered(self, endpoint: Endpoint) -> None:
        self._check(endpoint)
        self._ledger.check()


def _chosen(settings: Settings) -> Endpoint | None:
    choice = settings.roles.get(ModelRole.EMBEDDING)
    of_choice = (each for each in settings.endpoints if choice and each.id == choice.endpoint_id)
    return next(of_choice, None)


def _may_read(settings: Settings, endpoint: Endpoint) -> bool:
    if is_on_this_computer(endpoint):
        return True
    return settings.embeds_elsewhere and not settings.is_local_only
