"""Builds the services of the window from the core; imported behind the painted window."""

import os
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from functools import cache, partial
from pathlib import Path

from desktop.app.composition import Core
from desktop.domain.backups import BackupPreview
from desktop.domain.embedding import EmbeddingProgress
from desktop.domain.endpoints import EndpointKind, ModelRole
from desktop.domain.errors import AppError, BaseUrlInvalidError
from desktop.domain.language import Language
from desktop.domain.usage import Purpose
from desktop.llm.endpoints import known_model, look_for_local_servers
from desktop.llm.model_registry import Models
from desktop.recall.embedding_client import background_threads
from desktop.recall.related_sessions import RelatedSessions
from desktop.research.library import ImportedPage, import_page
from desktop.research.web.rate_limiting import Stop
from desktop.sessions.archive_service import look_into_backup
from desktop.sessions.conversation.assistant_context import (
    language_phrases,
    shipped_phrases,
    wording,
)
from desktop.settings.environment import with_environment
from desktop.settings.paths import Paths, ProfilePaths, asset
from desktop.settings.profiles import Profiles
from desktop.settings.settings import Settings
from desktop.ui.services import (
    BackedUp,
    ConnectionStatus,
    Folders,
    ModelServices,
    ShippedPhrases,
    WindowServices,
)
from desktop.ui.turn_bridge import TurnBridge


def window_services(
    core: Core, paths: Paths, profile: ProfilePaths, bridge: TurnBridge
) -> WindowServices:
    cached_wording, shipped = cache(wording), cache(shipped_phrases)
    related = RelatedSessions(core.search, lambda: shipped().stop_words)
    return WindowServices(
        assistant=core.assistant,
        aside=core.aside,
        archive=core.archive_service,
        search=core.search,
        memory=core.memory,
        embed=partial(_embed, core),
        find=core.search.find,
        suggest=lambda draft, besides: related.suggest(
            draft, core.assistant.wall(), besides=besides
        ),
        wake=core.meanings.wake,
        housekeeping=core.housekeeping,
        automatic_backups=core.automatic_backups,
        space=core.space,
        diary=core.diary,
        suggested=core.suggested_questions,
        pages=core.session_pages,
        importer=core.importer,
        library=core.library,
        add_page=partial(_add_page, core),
        exporter=core.exporter,
        insight=core.insight,
        spent_on_imports=partial(core.archive.answers.spent_tokens, Purpose.DESCRIBE_IMPORT),
        connection=lambda: connection(core.models, _in_force(core.settings_store.current)),
        choose_model=core.models.choose,
        settings=lambda: _in_force(core.settings_store.current),
        texts=core.texts,
        desk=ModelServices(
            bridge, core.models, core.keys, look_for_local_servers, core.texts, _in_force
        ),
        folders=Folders(profile.folder, paths.settings_file, profile.logs, profile.backups),
        personas=lambda: cached_wording(core.language()).personas,
        phrases=_phrases(core.language()),
        back_up=partial(_back_up, core),
        preview_backup=partial(_preview, core),
        profiles=Profiles(paths),
        examples=(asset("resources", "examples", "library.jsonl"),),
    )


def _back_up(core: Core, path: Path) -> BackedUp:
    from desktop.settings.encryption import KeyFile  # noqa: PLC0415 - rarely needed

    texts, done = core.texts(), core.archive_service.write_backup(path)
    said = texts.say(
        "backup.written",
        sessions=texts.number(done.contents.sessions),
        messages=texts.number(done.contents.messages),
        size=texts.megabytes(done.size_bytes),
    )
    if (key := KeyFile.beside(done.path)).exists():
        said = f"{said} {texts.say('backup.needs_key', name=key.places[0].name)}"
    return BackedUp(done.path, said)


def _preview(core: Core, backup: Path) -> BackupPreview | None:
    from desktop.settings.encryption import KeyFile  # noqa: PLC0415 - rarely needed

    key = core.archive.database.key
    return look_into_backup(backup, key) if KeyFile.beside(backup).is_opened_by(key) else None


def _add_page(core: Core, address: str, should_stop: Stop) -> ImportedPage:
    web = core.web.for_session(core.assistant.project)
    return import_page(web, core.archive.sources, address, stop=should_stop)


def _embed(core: Core, should_stop: Callable[[], bool], quiet_s: float) -> EmbeddingProgress:
    if core.embedding:
        core.embedding.threads = background_threads(quiet_s)
    made = core.meanings.embed_due(should_stop)
    return replace(core.meanings.progress(), made=made)


def _in_force(settings: Settings) -> Settings:
    try:
        return with_environment(settings, os.environ)
    except BaseUrlInvalidError:  # reported when a model is requested
        return settings


def _phrases(first: Language) -> ShippedPhrases:
    languages = sorted(Language, key=lambda language: language is not first)
    lists = [language_phrases(language) for language in languages]
    return ShippedPhrases(
        ends=[phrase for one in lists for phrase in one.end],
        new_topics=[phrase for one in lists for phrase in one.new_topic],
    )


def connection(models: Models, settings: Settings) -> ConnectionStatus:
    """Return the status; may wait for a local server, and does not contact remote ones."""
    model = models.for_role(ModelRole.ANSWERING)
    if model is None:
        return ConnectionStatus()
    endpoint = model.endpoint
    known = known_model(model.name)
    tokens = endpoint.context_tokens or (known.context_tokens if known else None)
    if tokens is None and endpoint.kind is EndpointKind.GGUF:
        with suppress(AppError):
            tokens = model.context_tokens()
    limit = settings.request_limit(tokens) if tokens else None
    sees = model.capabilities.images
    return ConnectionStatus(model.name, endpoint.name, limit, endpoint.id, sees)
