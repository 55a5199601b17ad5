"""A user at work: an assistant over a real file, with or without a model."""

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path
from time import monotonic
from typing import Any, TypeVar

from desktop.domain.endpoints import ModelRole
from desktop.domain.errors import AppError
from desktop.domain.events import ToolCalled, ToolState, TurnEnded, TurnEvent
from desktop.domain.ids import SessionId
from desktop.domain.language import Language
from desktop.domain.messages import Message
from desktop.domain.model import Model
from desktop.domain.projects import COMMON, EVERYTHING, Wall
from desktop.domain.routing import TurnOptions
from desktop.domain.search import Embedder
from desktop.domain.sessions import Session
from desktop.domain.usage import Figures
from desktop.language.intents import PhraseLists
from desktop.recall.finding_search import FindingSearch
from desktop.recall.other_kinds import (
    DiarySearch,
    FactSearch,
    NoteSearch,
    PictureSearch,
    SourceSearch,
)
from desktop.recall.search import Search
from desktop.recall.semantic_index import SemanticIndex
from desktop.research.tools.outside_tools import OutsideTools
from desktop.research.web.web import Web
from desktop.sessions.answering.claim_check import ClaimChecker
from desktop.sessions.assistant import Assistant
from desktop.sessions.conversation.active_session import ActiveSession
from desktop.sessions.conversation.assistant_context import (
    AssistantContext,
    heard_phrases,
    shipped_phrases,
    wording,
)
from desktop.sessions.conversation.turn import Turn
from desktop.sessions.keeping.background_requests import BackgroundRequests
from desktop.sessions.literature import Literature
from desktop.sessions.use_cases import Facts, SessionArchive
from desktop.settings.settings import Settings, local_only
from desktop.storage.archive import Archive
from desktop.storage.repositories.facts import FactVectorStore
from desktop.storage.schema.database import Database
from tests.archives import SettableClock, finished, write_empty_archive
from tests.models import ScriptedModel
from tests.narrowing import instance, present

Event = TypeVar("Event", bound=TurnEvent)

phrases = cache(shipped_phrases)
words_of = cache(wording)


ANOTHER_SUBJECT = (
    "Roma İmparatorluğu hangi yüzyılda Doğu ve Batı diye ikiye bölündü ve hangi imparatorlar "
    "tahta çıktı?"
)
"""Words alone are sure of it."""
ANSWERS = (
    """Sabaha karşı büyüme hormonu ve kortizol salgısı artar, karaciğer glukoz üretir.
    Uyanmaya hazırlanan beden enerji ister; kas ve yağ dokusu glukozu güç alır.""",
    """İnsülin bu artışı dengeler; diyabette dengelenmez ve açlık şekeri yüksek ölçülür.
    Pompa kullanan hastalar bazal hızı saat dörtten sonra yükseltebilir.""",
)


def talk(study: "Study") -> SessionId:
    """Two exchanges about one subject."""
    study.script.steps.extend(ANSWERS)
    study.ask("Şafak olayı nedir, kan şekeri neden yükselir?")
    study.ask("Peki bunun insülinle ilgisi ne?")
    return study.active.id


class Study:
    """Settings, model and clock can be changed at any time; `events` are the last turn's."""

    def __init__(
        self,
        folder: Path,
        model: Model | None = None,
        *,
        clock: SettableClock | None = None,
        language: Language = Language.TR,
        busy_timeout_s: float = 5,
    ) -> None:
        self.folder = folder
        self.model = model
        self.script = model if isinstance(model, ScriptedModel) else ScriptedModel()
        """What the model says and was asked, where it is a scripted one."""
        self.summariser: Model | None = None
        """None: the model itself."""
        self.deep: Model | None = None
        """None: the model itself."""
        self.settings = Settings()
        self.settings_trouble: AppError | None = None
        self.clock = clock or SettableClock()
        self.language = language
        self.events: list[TurnEvent] = []
        if not self.database.exists():
            write_empty_archive(self.database)
        self._busy_timeout_s = busy_timeout_s
        database = Database(self.database, busy_timeout_s=busy_timeout_s)
        self.archive: Archive = Archive(database, self.clock)
        self.background = BackgroundRequests(self.archive, self.settings_of, self.clock)
        self.search = Search(
            self.archive.index,
            facts=FactSearch(self.archive.facts),
            sources=SourceSearch(self.archive.source_index),
            notes=NoteSearch(self.archive.notes),
            pictures=PictureSearch(self.archive.pictures),
            diary=DiarySearch(self.archive.diary, lambda: False),
            findings=FindingSearch(self.archive.watches),
        )
        self.allows_tools = False
        """What is answered where a tool needs permission."""
        self.ticks: Callable[[], float] = monotonic
        """How time passes for what has a limit of it."""
        self.figures = Figures()
        self.outside: OutsideTools | None = None
        self.assistant = self._assistant(None)
        self._later: Study | None = None

    def _assistant(
        self, web: Web | None, literature: Callable[[Wall], Literature] | None = None
    ) -> Assistant:
        self.context = around = AssistantContext(
            settings=self.settings_of,
            wording=words_of,
            language=lambda: self.language,
            phrases=self.heard,
            settings_in=self.settings_in,
            model=self.model_of,
            metered=self.background.metered,
            make_room=lambda: self.claims.stop(),  # noqa: PLW0108 - made below
            now=self.clock,
            ticks=self.passed,
            figures=self.figures,
            can_search=lambda wall: self.archive.sources.count(wall) > 0,
        )
        self.claims = ClaimChecker(self.archive, around)
        return Assistant(
            self.archive,
            self.search,
            around,
            web=web,
            literature=literature,
            outside=self.outside,
        )

    def passed(self) -> float:
        return self.ticks()

    def use_web(self, web: Web, literature: Callable[[Wall], Literature] | None = None) -> None:
        """Call it before the first question."""
        self.assistant = self._assistant(web, literature)

    def use_outside(self, outside: OutsideTools) -> None:
        """Call it before the first question."""
        self.outside = outside
        self.assistant = self._assistant(None)

    def use_meanings(self, embedder: Embedder) -> SemanticIndex:
        """Call it before the first question; only facts are found by the vectors."""
        vectors = FactVectorStore(self.archive.database)
        meanings = SemanticIndex(self.archive.vectors, embedder, facts=vectors)
        facts = FactSearch(self.archive.facts, meanings)
        sources = SourceSearch(self.archive.source_index)
        self.search = Search(self.archive.index, facts=facts, sources=sources)
        self.assistant = self._assistant(None)
        return meanings

    @property
    def database(self) -> Path:
        return self.folder / "bellek.db"

    def heard(self) -> PhraseLists:
        return heard_phrases(phrases(), self.settings)

    def settings_of(self) -> Settings:
        if self.settings_trouble is not None:
            raise self.settings_trouble
        return self.settings

    def settings_in(self, wall: Wall) -> Settings:
        settings = self.settings_of()
        return local_only(settings) if self.archive.projects.is_local_only(wall) else settings

    def model_of(self, role: ModelRole, _wall: Wall = COMMON) -> Model | None:
        if role is ModelRole.SUMMARISING and self.summariser is not None:
            return self.summariser
        if role is ModelRole.DEEP and self.deep is not None:
            return self.deep
        return self.model

    def set(self, **changes: object) -> None:
        self.settings = replace(self.settings, **changes)  # type: ignore[arg-type]  # as given

    def ask(self, text: str, **options: Any) -> TurnEnded:
        return self.run(self.assistant.ask(text, TurnOptions(**options)))

    def run(
        self, turn: Turn, at_each: Callable[[TurnEvent], object] = lambda _: None
    ) -> TurnEnded:
        """`at_each`: called with each event while the turn waits."""
        self.events = []

        def listen(event: TurnEvent) -> None:
            self.events.append(event)
            at_each(event)
            if isinstance(event, ToolCalled) and event.state is ToolState.ASKING:
                turn.replies.allow(event.call_id, is_allowed=self.allows_tools)

        turn.run(listen)
        return instance(self.events[-1], TurnEnded)

    def retry(self, failed: TurnEnded) -> TurnEnded:
        assert failed.message_id is not None
        return self.run(self.assistant.retry(failed.message_id))

    def happened(self, kind: type[Event]) -> list[Event]:
        return [event for event in self.events if isinstance(event, kind)]

    @property
    def past(self) -> SessionArchive:
        return SessionArchive(self.archive, lambda: self.assistant)

    @property
    def facts(self) -> Facts:
        return Facts(self.archive)

    @property
    def active(self) -> ActiveSession:
        return present(self.assistant.active)

    @property
    def said(self) -> list[str]:
        """The messages of the active session's current path."""
        return [message.content for message in self.active.messages]

    @property
    def changing(self) -> str:
        """The changing block of the last request."""
        return self.script.requests[-1].changing or ""

    def on_disk(self, session_id: SessionId | None = None) -> list[Message]:
        return self.archive.sessions.messages(session_id or self.active.id)

    def describe(self) -> list[Session]:
        """Return each session that got a description, with its last one."""
        done = self.assistant.describe_pending(lambda: False)
        return [*{one.session.id: one.session for one in done if one.session}.values()]

    def add_past(self, name: str, *said: str, **more: Any) -> None:
        """Import a session of these words; `more` as for `finished`."""
        self.archive.imports.add([finished(name, *said, **more)])

    def sessions(self) -> list[Session]:
        return self.archive.sessions.sessions(EVERYTHING)

    def after_a_crash(self) -> "Study":
        """A new process over the same file; this one did not close."""
        self.archive.close()
        self._later = Study(
            self.folder,
            self.model,
            clock=self.clock,
            language=self.language,
            busy_timeout_s=self._busy_timeout_s,
        )
        return self._later

    def close(self) -> None:
        """Close this process and the one after it."""
        if self._later is not None:
            self._later.close()
        self.archive.close()
