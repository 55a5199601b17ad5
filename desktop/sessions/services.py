"""The one object of services that window, command line and any other front end share.

It stands in this room, and not in `app`, because everything it builds stands here or below, and
all front ends stand above. Every part imports its modules on first use: a command that lists
sessions imports neither the router nor the SDK.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from functools import cache, cached_property, partial
from math import inf
from typing import TYPE_CHECKING

from desktop.domain.errors import StorageError
from desktop.domain.language import Language
from desktop.domain.projects import COMMON, Wall
from desktop.sessions.library_services import LibraryServices
from desktop.sessions.use_cases import Facts, Projects, Prompts, Proposals, SessionArchive, Tags

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from desktop.domain.endpoints import ConnectionStatus, Endpoint, ModelRole
    from desktop.domain.ids import SessionId
    from desktop.domain.model import Model
    from desktop.domain.search import Embedder, EmbeddingProgress
    from desktop.domain.sources import Source
    from desktop.language.intents import PhraseLists
    from desktop.memory.memory import Memory
    from desktop.recall.embedding_client import EmbeddingProcess
    from desktop.recall.related_sessions import RelatedSessions
    from desktop.recall.search import Search
    from desktop.recall.semantic_index import SemanticIndex
    from desktop.research.scans import PictureReading
    from desktop.sessions.answering.claim_check import ClaimChecker
    from desktop.sessions.assistant import Assistant
    from desktop.sessions.conversation.assistant_context import AssistantContext
    from desktop.sessions.conversation.session_description import SessionPages
    from desktop.sessions.exporting.contents import PrintPdf
    from desktop.sessions.exporting.exporter import Exporter
    from desktop.sessions.importing.importer import Importer
    from desktop.sessions.keeping.diary import Diary
    from desktop.sessions.keeping.housekeeping import Housekeeping, SpaceFreer
    from desktop.sessions.keeping.insight import InsightService
    from desktop.sessions.keeping.notes_folder import NotesFolderWriter
    from desktop.sessions.keeping.suggested_questions import SuggestedQuestions
    from desktop.sessions.keeping.watches import Watches
    from desktop.sessions.sharing.sharing import Sharing
    from desktop.sessions.syncing.syncing import Syncing
    from desktop.settings.keys import KeyStore
    from desktop.settings.store import SettingsStore
    from desktop.storage.archive import Archive

_WINDOW_WAITS_S, _COMMAND_WAITS_S = 0.15, 4.0
"""How long a question waits for the embedding model, which the window wakes beforehand."""


class Services(LibraryServices):
    """Built once for one profile. Any thread may use its parts.

    A part is built on first use, which imports modules and so may wait; after `build` it never
    waits. What is said below holds for the methods of a part.
    """

    def __init__(  # noqa: PLR0913 (by name)
        self,
        archive: Archive,
        settings_store: SettingsStore,
        language: Language | None = None,
        *,
        spoken: Callable[[], Language] | None = None,
        kept_keys: KeyStore | None = None,
        embedding: EmbeddingProcess | None = None,
        print_pdf: PrintPdf | None = None,
    ) -> None:
        """`embedding`: the process of the embedding models, if it is not this one.

        `print_pdf`: how the front end lays out pages.
        """
        super().__init__(archive, settings_store, language, spoken=spoken, kept_keys=kept_keys)
        self._embedding = embedding
        self._print_pdf = print_pdf

    def build(self) -> None:
        """Build every part, so that none has to be imported later; may wait.

        A profile that does not synchronise does without what only that needs.
        """
        left_out = set() if self.is_synchronised else {"syncing"}
        for kind in reversed(type(self).__mro__):
            for name, part in vars(kind).items():
                if isinstance(part, cached_property) and name not in left_out:
                    getattr(self, name)

    def close(self) -> None:
        """Store the figures, close the connections of what was built; the archive stays open."""
        with suppress(StorageError):  # for instance opened for reading only
            self._archive.keep_figures(self.figures)
        parts = ("browser", "web", "models", "document_pages", "outside_tools", "syncing")
        for part in parts:
            if part in vars(self):
                getattr(self, part).close()

    def personas(self) -> Mapping[str, str]:
        """Return the personas by name, in the language of the front end; never waits."""
        return self.context.own_wording().personas

    def connection(self) -> ConnectionStatus:
        """Return the model that answers the shown session; contacts no remote server, may wait."""
        return self.models.status(self._settings_in(self.assistant.wall()))

    def embed(self, should_stop: Callable[[], bool], quiet_s: float = inf) -> EmbeddingProgress:
        """Compute missing embeddings until stopped; may wait.

        `quiet_s`: the seconds since the last key press, which decide how many threads work.
        """
        if self._embedding:
            from desktop.recall.embedding_client import background_threads

            self._embedding.threads = background_threads(quiet_s)
        made = self.meanings.embed_due(should_stop)
        return replace(self.meanings.progress(), made=made)

    @cached_property
    def syncing(self) -> Syncing:
        """The other devices of the profile; may wait."""
        from desktop.sessions.syncing.syncing import Syncing

        return Syncing(
            self._archive, self.keys, is_local_only=lambda: self.settings().is_local_only
        )

    @cached_property
    def sharing(self) -> Sharing:
        """Projects that are shared with a group; may wait for the folder or server."""
        from desktop.sessions.sharing.sharing import Sharing

        return Sharing(
            self._archive, self.keys, is_local_only=lambda: self.settings().is_local_only
        )

    @cached_property
    def sessions(self) -> SessionArchive:
        """Deleting, naming, pinning, splitting and merging past sessions; may wait."""
        return SessionArchive(
            self._archive, self._built_assistant, self.care.backups_since, self._stop_checks
        )

    @cached_property
    def projects(self) -> Projects:
        """Changes of projects, and moves between them; may wait."""
        return Projects(
            self._archive,
            self._built_assistant,
            lambda *what: self.is_sharing and self.sharing.leave_if_shared(*what),
        )

    @cached_property
    def tags(self) -> Tags[SessionId]:
        """The tags of sessions; may wait."""
        return Tags(self._archive.tags)

    @cached_property
    def prompts(self) -> Prompts:
        """The user's own prompts; may wait."""
        return Prompts(self._archive)

    @cached_property
    def facts(self) -> Facts:
        """Forgetting, pinning and sharing facts and preferences; may wait."""
        return Facts(self._archive, self.care.backups_since)

    @cached_property
    def exporter(self) -> Exporter:
        """Sessions as text and files; may wait."""
        from desktop.sessions.exporting.exporter import Exporter

        def printed_page(source: Source, page: int) -> str:
            return self.printed_pages.of(source, page)

        return Exporter(self.archive, self.texts, self._print_pdf, printed_page)

    @cached_property
    def notes_folders(self) -> NotesFolderWriter:
        """Writing answers and notes into watched folders; may wait."""
        from desktop.sessions.keeping.notes_folder import NotesFolderWriter

        return NotesFolderWriter(self.exporter, self.watched_folders)

    @cached_property
    def meanings(self) -> SemanticIndex:
        """The index of meanings; may wait for the embedding model."""
        from desktop.recall.embedders import best_embedder, fast_part
        from desktop.recall.semantic_index import SemanticIndex
        from desktop.sessions.embedding_models import EmbeddingModels
        from desktop.storage.repositories.facts import FactVectorStore
        from desktop.storage.repositories.notes import NoteVectorStore

        best = best_embedder()
        return SemanticIndex(
            self._archive.vectors,
            self._embedding.embedder if self._embedding else best,
            fast=self._embedding.fast if self._embedding else fast_part(best),
            is_on=self._searches_by_meaning,
            facts=FactVectorStore(self._archive.database),
            notes=NoteVectorStore(self._archive.database),
            sources=self._archive.source_vectors,
            served=EmbeddingModels(
                lambda: self.models, self._checked_settings, self._settings_in, self.background
            ),
        )

    @cached_property
    def search(self) -> Search:
        """Search by words and by meaning; may wait."""
        from desktop.recall.finding_search import FindingSearch
        from desktop.recall.other_kinds import (
            DiarySearch,
            FactSearch,
            NoteSearch,
            PictureSearch,
            SourceSearch,
        )
        from desktop.recall.search import Search

        settings = self._checked_settings
        return Search(
            self._archive.index,
            self.meanings,
            FactSearch(self._archive.facts, self.meanings),
            SourceSearch(self._archive.source_index, self.meanings),
            self.figures,
            diary=DiarySearch(self._archive.diary, lambda: settings().recalls_whole_diary),
            notes=NoteSearch(self._archive.notes, self.meanings),
            pictures=PictureSearch(self._archive.pictures),
            findings=FindingSearch(self._archive.watches),
        )

    @cached_property
    def memory(self) -> Memory:
        """The facts and preferences of the user; may wait."""
        from desktop.sessions.conversation.assistant_context import open_memory

        return open_memory(
            self._archive,
            self.context,
            lambda *args: self.search.near_facts(*args),  # noqa: PLW0108 - builds it later
            lambda *args: self.search.near_messages(*args),  # noqa: PLW0108 - the same
        )

    @cached_property
    def context(self) -> AssistantContext:
        """What the assistant works with; never waits, except for a model."""
        from desktop.sessions.conversation import assistant_context

        return assistant_context.AssistantContext(
            settings=self._checked_settings,
            wording=cache(assistant_context.wording),
            language=self.language,
            phrases=lambda: assistant_context.heard_phrases(
                assistant_context.shipped_phrases(), self.settings_store.current
            ),
            settings_in=self._settings_in,
            model=self._model_behind,
            chosen_model=lambda: self.models.chosen,
            metered=lambda *args: self.background.metered(*args),  # noqa: PLW0108 - builds it later
            embedder=self._live_embedder,
            meaning_waits_s=_WINDOW_WAITS_S if self._embedding else _COMMAND_WAITS_S,
            make_room=self._stop_checks,
            can_search=self._can_search,
            figures=self.figures,
        )

    @cached_property
    def assistant(self) -> Assistant:
        """The active session; `active`, `answer_tool`, `stop` never wait, the rest may."""
        return self._new_assistant()

    @cached_property
    def aside(self) -> Assistant:
        """The quick window's assistant, with temporary sessions of its own; may wait."""
        return self._new_assistant()

    @cached_property
    def space(self) -> SpaceFreer:
        """Moves the messages of archived sessions into a file; may wait."""
        from desktop.sessions.keeping.housekeeping import SpaceFreer, make_reserve

        summarise = partial(make_reserve, self._archive, self.context)
        return SpaceFreer(self._archive, self.exporter, summarise)

    @cached_property
    def housekeeping(self) -> Housekeeping:
        """The daily tasks; may wait."""
        from desktop.sessions.keeping import housekeeping

        store, preferences = self._archive.housekeeping, self.memory.preferences
        task, literature = housekeeping.HousekeepingTask, self.literature(COMMON)
        # In the order in which they run; each task has its texts under `housekeeping`.
        tasks = (
            task("preferences", preferences.consolidate, lambda: len(preferences.near_equal())),
            self.suggested.task(),
            task("diary", self.diary.write_due, lambda: len(self.diary.due())),
            housekeeping.archive_task(store),
            housekeeping.compacts_task(self._archive, self.context),
            task(
                "scans",
                self.scans.read_due,
                lambda: len(self.scans.readable()),
                is_daily=False,
            ),
            task(
                "pictures",
                self.pictures.read_due,
                lambda: len(self.pictures.readable()),
                is_daily=False,
            ),
            literature.task(self.background),
            self.watches.task(),
            self.automatic_backups.task(),
        )
        return housekeeping.Housekeeping(store, self._checked_settings, tasks)

    @cached_property
    def watches(self) -> Watches:
        """What is looked at again and again for what is new; waits for the network."""
        from desktop.sessions.keeping.watches import Watches

        return Watches(
            self._archive,
            self.context,
            lambda: self.web,
            lambda wall: self.literature(wall).find,
            self.background,
        )

    @cached_property
    def claims(self) -> ClaimChecker:
        """The check of what answers claim; waits for the model."""
        from desktop.sessions.answering.claim_check import ClaimChecker

        return ClaimChecker(self._archive, self.context)

    @cached_property
    def related(self) -> RelatedSessions:
        """Past sessions about the same subject; may wait."""
        from desktop.recall.related_sessions import RelatedSessions

        return RelatedSessions(self.search, lambda: self.context.phrases().stop_words)

    @cached_property
    def pages(self) -> SessionPages:
        """What is known about one session; may wait."""
        from desktop.sessions.conversation.session_description import SessionPages

        return SessionPages(self._archive, self.related)

    @cached_property
    def suggested(self) -> SuggestedQuestions:
        """Questions that the user may want to ask; may wait."""
        from desktop.memory.patterns import PatternFinder
        from desktop.sessions.keeping.suggested_questions import SuggestedQuestions

        store, context = self._archive.patterns, self.context
        finder = PatternFinder(store, context.phrases, self.figures)
        return SuggestedQuestions(store, finder, context, self._archive.projects.every_place)

    @cached_property
    def diary(self) -> Diary:
        """The diary; `today` never waits, the rest may."""
        from desktop.sessions.keeping.diary import Diary

        return Diary(self._archive, self.context)

    @cached_property
    def proposals(self) -> Proposals:
        """What other assistants remember, to be confirmed; may wait."""
        return Proposals(self._archive, self.memory)

    @cached_property
    def importer(self) -> Importer:
        """Import of sessions from files; may wait."""
        from desktop.sessions.conversation.assistant_context import shipped_phrases
        from desktop.sessions.importing.importer import Importer

        return Importer(self._archive, shipped_phrases, self.language)

    @cached_property
    def insight(self) -> InsightService:
        """Figures about sessions and memory; may wait."""
        from desktop.sessions.keeping.insight import InsightService

        return InsightService(self._archive, self.figures, self.background)

    @cached_property
    def pictures(self) -> PictureReading:
        """The words in pictures of messages; may wait."""
        from desktop.research.scans import PictureReading

        stored, settings = self._archive, self._checked_settings
        return PictureReading(stored.pictures, stored.files, lambda: settings().reads_pictures)

    @cached_property
    def shipped_phrases(self) -> Sequence[PhraseLists]:
        """The phrases of each language, those of the front end's first; never waits."""
        from desktop.sessions.conversation.assistant_context import language_phrases

        first = self.language()
        return list(map(language_phrases, sorted(Language, key=lambda each: each is not first)))

    def _new_assistant(self) -> Assistant:
        from desktop.sessions.assistant import Assistant

        return Assistant(
            self._archive,
            self.search,
            self.context,
            web=self.web,
            memory=self.memory,
            literature=self.literature,
            outside=self.outside_tools,
        )

    def _built_assistant(self) -> Assistant | None:
        """Return None for a command that needs none: then no session is active in memory."""
        return vars(self).get("assistant")

    def _stop_checks(self, session_ids: Sequence[SessionId] | None = None) -> None:
        if "claims" in vars(self):
            self.claims.stop(session_ids)

    def _live_embedder(self) -> Embedder | None:
        """Return the program's own model, to which the weights of topic changes are fitted.

        A command loads it only for a profile that has vectors.
        """
        from desktop.recall.embedders import best_embedder

        if self._embedding:
            return self._embedding.embedder if self._searches_by_meaning() else None
        return best_embedder() if self.meanings.has_vectors() else None

    def _vector_renewal(self) -> tuple[int, int] | None:
        made = self.meanings.progress()
        return None if made.renewed is None else (made.renewed, made.renewals)

    def _searches_by_meaning(self) -> bool:
        return self._checked_settings().searches_by_meaning

    def _model_behind(self, role: ModelRole, wall: Wall) -> Model | None:
        """Return the model of a role; what is kept on this computer meanwhile it gets no more."""
        from desktop.domain.endpoints import is_on_this_computer
        from desktop.domain.errors import LocalOnlyError, LocalProjectError

        def check(endpoint: Endpoint) -> None:
            if is_on_this_computer(endpoint):
                return
            if self.settings().is_local_only:
                raise LocalOnlyError(where=endpoint.name)
            if self._settings_in(wall).is_local_only:
                raise LocalProjectError(where=endpoint.name)

        model = self.models.for_role(role, self._settings_in(wall))
        return replace(model, check=check) if model else None

    def _can_search(self, wall: Wall) -> bool:
        return self._settings_in(wall).uses_web or self._archive.sources.count(wall) > 0
