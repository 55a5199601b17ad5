"""Builds everything below window and command line once, for one profile."""

import os
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

from desktop.domain.language import Language
from desktop.llm.model_registry import Models
from desktop.memory.memory import Memory
from desktop.recall.embedders import best_embedder
from desktop.recall.embedding_client import EmbeddingProcess
from desktop.recall.facts import FactSearch
from desktop.recall.search import Search
from desktop.recall.semantic_index import Meanings
from desktop.recall.sources import SourceSearch
from desktop.research.library import Library
from desktop.research.web.web import Web, web_of
from desktop.sessions.assistant import Assistant, Surroundings
from desktop.sessions.importing.importer import Importer
from desktop.sessions.prompts_and_phrases import heard_phrases, shipped_phrases, wording
from desktop.settings.environment import EnvironmentKeys, overridden
from desktop.settings.keys import KeyringKeys, KeyStore
from desktop.settings.messages import Texts, chosen_language, system_language
from desktop.settings.settings import Settings
from desktop.settings.store import SettingsStore
from desktop.storage.archive import Archive
from desktop.storage.facts.vectors import FactVectorStore


@dataclass(frozen=True, slots=True)
class Core:
    """Everything below window and command line, built once for one profile."""

    archive: Archive
    assistant: Assistant
    search: Search
    meanings: Meanings
    memory: Memory
    importer: Importer
    library: Library
    web: Web
    models: Models
    keys: EnvironmentKeys
    settings_store: SettingsStore
    language: Callable[[], Language]
    texts: Callable[[], Texts]


def build_core(
    archive: Archive,
    store: SettingsStore,
    asked: Language | None = None,
    *,
    spoken: Callable[[], Language] | None = None,
    kept_keys: KeyStore | None = None,
    embedding: EmbeddingProcess | None = None,
) -> Core:
    """`asked`: the language of --lang; `spoken`: the window's, which changes while it is open.

    `kept_keys`: where keys are kept, if not in the system's keyring; `embedding`: where the
    models of meanings run, if not in this process.
    """
    wording_in = cache(wording)
    shipped = cache(shipped_phrases)
    system = system_language(os.environ)

    def settings() -> Settings:
        return overridden(store.current, os.environ)

    def language() -> Language:
        if spoken is not None:
            return spoken()
        return asked or chosen_language(store.current.language, system)

    keys = EnvironmentKeys(kept_keys or KeyringKeys(), os.environ, settings)
    models = Models(settings, keys)

    def by_meaning() -> bool:
        return settings().searches_by_meaning

    meanings = Meanings(
        archive.vectors,
        embedding.embedder if embedding else best_embedder(),
        is_on=by_meaning,
        facts=FactVectorStore(archive.database),
        sources=archive.source_vectors,
    )
    search = Search(
        archive.index,
        meanings,
        FactSearch(archive.facts, meanings),
        SourceSearch(archive.source_index, meanings),
    )
    around = Surroundings(
        settings=settings,
        wording=wording_in,
        language=language,
        phrases=lambda: heard_phrases(shipped(), store.current),
        model=models.for_role,
        embedder=lambda: embedding.embedder if embedding and by_meaning() else None,
        can_search=lambda: settings().uses_web or archive.sources.count() > 0,
    )
    web = web_of(archive, settings, language)
    assistant = Assistant(archive, search, around, web)
    return Core(
        archive=archive,
        assistant=assistant,
        search=search,
        meanings=meanings,
        memory=assistant.memory,
        importer=Importer(archive.imports, shipped, language),
        library=Library(archive.sources, archive.copies, language),
        web=web,
        models=models,
        keys=keys,
        settings_store=store,
        language=language,
        texts=lambda: wording_in(language()).texts,
    )
