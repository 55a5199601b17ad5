"""Composition root: builds the parts below window and command line, each on first use.

Every part imports its modules on first use: a command that lists sessions imports neither the
router nor the SDK.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache, cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING

from desktop.domain.errors import StorageError
from desktop.domain.figures import Figures
from desktop.domain.language import Language
from desktop.sessions.archive_service import ArchiveService
from desktop.settings.messages import Texts, chosen_language, system_language
from desktop.settings.settings import Settings
from desktop.settings.store import SettingsStore
from desktop.storage.archive import Archive

if TYPE_CHECKING:
    from collections.abc import Sequence

    from desktop.domain.embedding import Embedder
    from desktop.domain.endpoints import ModelRole
    from desktop.domain.facts import Fact, FactFilter
    from desktop.domain.model import Model
    from desktop.llm.model_registry import Models
    from desktop.memory.memory import Memory
    from desktop.recall.embedding_client import EmbeddingProcess
    from desktop.recall.search import Search
    from desktop.recall.semantic_index import SemanticIndex
    from desktop.research.library import Library
    from desktop.research.web.web import Web
    from desktop.sessions.assistant import Assistant
    from desktop.sessions.conversation.assistant_context import AssistantContext
    from desktop.sessions.conversation.session_description import SessionPages
    from desktop.sessions.exporting import Exporter
    from desktop.sessions.importing.importer import Importer
    from desktop.sessions.keeping.automatic_backups import AutomaticBackups
    from desktop.sessions.keeping.diary import Diary
    from desktop.sessions.keeping.housekeeping import Housekeeping, SpaceFreer
    from desktop.sessions.keeping.insight import InsightService
    from desktop.sessions.keeping.suggested_questions import SuggestedQuestions
    from desktop.settings.keys import EnvironmentKeys, KeyStore

_WINDOW_WAITS_S, _COMMAND_WAITS_S = 0.15, 4.0
"""How long a question waits for the embedding model, which the window wakes beforehand."""


@dataclass
class Core:
    """Built once for one profile. Any thread may use its parts."""

    archive: Archive
    settings_store: SettingsStore
    asked: Language | None = None
    backups: Path | None = None  # The folder of the profile's backups, if not beside the database
    spoken: Callable[[], Language] | None = None
    kept_keys: KeyStore | None = None  # Where keys are stored, if not in the system's keyring
    embedding: EmbeddingProcess | None = None
    """The process of the embedding models, if it is not this one."""
    figures: Figures = field(default_factory=Figures)
    _overridden: tuple[Settings, Settings] | None = field(default=None, init=False)
    """The stored settings, and the same with the environment applied."""

    def settings(self) -> Settings:
        """Return the stored settings with the environment's overrides."""
        from desktop.settings.environment import with_environment

        stored = self.settings_store.current
        if self._overridden is None or self._overridden[0] is not stored:
            self._overridden = stored, with_environment(stored, os.environ)
        return self._overridden[1]

    def language(self) -> Language:
        if self.spoken is not None:
            return self.spoken()
        chosen = self.settings_store.current.language
        return self.asked or chosen_language(chosen, self._system_language)

    def texts(self) -> Texts:
        return self._texts_in(self.language())

    def close(self) -> None:
        """Store the figures, close the connections of what was built; the archive stays open."""
        with suppress(StorageError):  # for instance opened for reading only
            self.archive.keep_figures(self.figures)
        for part in ("web", "models"):
            if part in vars(self):
                getattr(self, part).close()

    @cached_property
    def archive_service(self) -> ArchiveService:
        return ArchiveService(
            self.archive,
            self._backups,
            lambda: self.memory,
            automatic=lambda: self.automatic_backups.folder,
        )

    @cached_property
    def exporter(self) -> Exporter:
        from desktop.sessions.exporting import Exporter

        return Exporter(self.archive_service, self.texts)

    @cached_property
    def keys(self) -> EnvironmentKeys:
        from desktop.settings.keys import EnvironmentKeys, KeyringKeys

        kept = self.kept_keys or KeyringKeys(profile=self.settings_store.profile)
        return EnvironmentKeys(kept, os.environ, self.settings)

    @cached_property
    def models(self) -> Models:
        from desktop.llm.model_registry import Models

        return Models(self.settings, self.keys)

    @cached_property
    def meanings(self) -> SemanticIndex:
        from desktop.recall.embedders import best_embedder, fast_part
        from desktop.recall.semantic_index import SemanticIndex
        from desktop.storage.repositories.facts import FactVectorStore

        best = best_embedder()
        return SemanticIndex(
            self.archive.vectors,
            self.embedding.embedder if self.embedding else best,
            fast=self.embedding.fast if self.embedding else fast_part(best),
            is_on=self._searches_by_meaning,
            facts=FactVectorStore(self.archive.database),
            sources=self.archive.source_vectors,
        )

    @cached_property
    def search(self) -> Search:
        from desktop.recall.other_kinds import DiarySearch, FactSearch, SourceSearch
        from desktop.recall.search import Search

        return Search(
            self.archive.index,
            self.meanings,
            FactSearch(self.archive.facts, self.meanings),
            SourceSearch(self.archive.source_index, self.meanings),
            self.figures,
            diary=DiarySearch(self.archive.diary, lambda: self.settings().recalls_whole_diary),
        )

    @cached_property
    def memory(self) -> Memory:
        from desktop.sessions.conversation.assistant_context import open_memory

        def find_near(
            words: str, wanted: FactFilter, limit: int, waits_s: float | None
        ) -> Sequence[Fact]:
            return self.search.near_facts(words, wanted, limit, waits_s)

        return open_memory(self.archive, self.context, find_near)

    @cached_property
    def context(self) -> AssistantContext:
        from desktop.sessions.conversation.assistant_context import (
            AssistantContext,
            heard_phrases,
            shipped_phrases,
            wording,
        )

        shipped, wording_in = cache(shipped_phrases), cache(wording)
        embedding, archive = self.embedding, self.archive

        def model(role: ModelRole) -> Model | None:
            return self.models.for_role(role)

        return AssistantContext(
            settings=self.settings,
            wording=wording_in,
            language=self.language,
            phrases=lambda: heard_phrases(shipped(), self.settings_store.current),
            model=model,
            embedder=self._live_embedder,
            meaning_waits_s=_WINDOW_WAITS_S if embedding else _COMMAND_WAITS_S,
            can_search=lambda wall: self.settings().uses_web or archive.sources.count(wall) > 0,
            figures=self.figures,
        )

    @cached_property
    def web(self) -> Web:
        from desktop.research.web.web import web_of

        return web_of(self.archive, self.settings, self.language)

    @cached_property
    def assistant(self) -> Assistant:
        from desktop.sessions.assistant import Assistant

        return Assistant(self.archive, self.search, self.context, self.web, self.memory)

    @cached_property
    def aside(self) -> Assistant:
        """Return the quick window's assistant, with temporary sessions of its own."""
        from desktop.sessions.assistant import Assistant

        return Assistant(self.archive, self.search, self.context, self.web, self.memory)

    @cached_property
    def space(self) -> SpaceFreer:
        from desktop.sessions.keeping.housekeeping import SpaceFreer, make_reserve

        summarise = partial(make_reserve, self.archive, self.context)
        return SpaceFreer(self.archive, self.exporter, summarise)

    @cached_property
    def housekeeping(self) -> Housekeeping:
        from desktop.sessions.keeping.housekeeping import (
            Housekeeping,
            HousekeepingTask,
            archive_task,
            compacts_task,
        )

        store = self.archive.housekeeping
        diary = HousekeepingTask("diary", self.diary.write_due, lambda: len(self.diary.due()))
        preferences = HousekeepingTask(
            "preferences",
            self.memory.preferences.consolidate,
            lambda: len(self.memory.preferences.near_equal()),
        )
        # In the order in which they run; each task has its texts under `housekeeping`.
        patterns = self.suggested_questions.task()
        compacts = compacts_task(self.archive, self.context)
        backup = self.automatic_backups.task()
        tasks = (preferences, patterns, diary, archive_task(store), compacts, backup)
        return Housekeeping(store, self.settings, tasks)

    @cached_property
    def automatic_backups(self) -> AutomaticBackups:
        from desktop.sessions.keeping.automatic_backups import AutomaticBackups

        return AutomaticBackups(self.archive, self._backups, self.settings)

    @cached_property
    def session_pages(self) -> SessionPages:
        from desktop.recall.related_sessions import RelatedSessions
        from desktop.sessions.conversation.session_description import SessionPages

        related = RelatedSessions(self.search, lambda: self.context.phrases().stop_words)
        return SessionPages(self.archive, related)

    @cached_property
    def suggested_questions(self) -> SuggestedQuestions:
        from desktop.memory.patterns import PatternFinder
        from desktop.sessions.keeping.suggested_questions import SuggestedQuestions

        store, context = self.archive.patterns, self.context
        finder = PatternFinder(store, context.phrases, self.figures)
        return SuggestedQuestions(store, finder, context, self.archive.projects.every_place)

    @cached_property
    def diary(self) -> Diary:
        from desktop.sessions.keeping.diary import Diary

        return Diary(self.archive, self.context)

    @cached_property
    def importer(self) -> Importer:
        from desktop.sessions.conversation.assistant_context import shipped_phrases
        from desktop.sessions.importing.importer import Importer

        return Importer(
            self.archive.imports,
            cache(shipped_phrases),
            self.language,
            files=self.archive.files,
            prompts=self.archive.prompts,
        )

    @cached_property
    def insight(self) -> InsightService:
        from desktop.sessions.keeping.insight import InsightService

        return InsightService(self.archive, self.figures)

    @cached_property
    def library(self) -> Library:
        from desktop.research.library import Library

        return Library(self.archive.sources, self.archive.files)

    @property
    def _backups(self) -> Path:
        return self.backups or self.archive.database.path.parent / "backups"

    @cached_property
    def _system_language(self) -> Language:
        return system_language(os.environ)

    @cached_property
    def _texts_in(self) -> Callable[[Language], Texts]:
        return cache(Texts)

    def _live_embedder(self) -> Embedder | None:
        """A command loads the model only for a profile that has vectors of it."""
        from desktop.recall.embedders import best_embedder

        if self.embedding:
            return self.embedding.embedder if self._searches_by_meaning() else None
        return best_embedder() if self.meanings.is_ready() else None

    def _searches_by_meaning(self) -> bool:
        return self.settings().searches_by_meaning
