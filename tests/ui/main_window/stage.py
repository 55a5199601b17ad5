"""The window over the real core, with a scripted model in its own process."""

from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Event
from typing import TypeVar

from PySide6.QtCore import QMimeData
from PySide6.QtWidgets import QApplication, QMenu, QWidget
from pytestqt.qtbot import QtBot

from desktop.domain.endpoints import (
    NO_CAPABILITIES,
    Capabilities,
    ConnectionStatus,
    Endpoint,
    EndpointId,
    EndpointKind,
)
from desktop.domain.errors import LlmError, ReplyInvalidError
from desktop.domain.json_values import JsonValue
from desktop.domain.language import Language
from desktop.domain.model import Hold, ModelRequest, Reply
from desktop.domain.projects import EVERYTHING
from desktop.domain.usage import Usage
from desktop.language.intents import PhraseLists
from desktop.sessions.assistant import Assistant
from desktop.sessions.conversation.assistant_context import (
    AssistantContext,
    shipped_phrases,
    wording,
)
from desktop.sessions.importing.import_process import read_in_process
from desktop.sessions.services import Services
from desktop.settings.paths import Paths, asset
from desktop.settings.settings import Settings, UiLanguage
from desktop.settings.store import SettingsStore
from desktop.storage.archive import Archive, open_archive
from desktop.ui.i18n import LanguageController
from desktop.ui.main_window import MainWindow
from desktop.ui.services import NavigationTarget
from desktop.ui.settings_controller import SettingsController
from desktop.ui.sidebar.search_controller import SidebarSearchController
from desktop.ui.theme.theme import ThemeController
from desktop.ui.transcript.entries import MessageEntry, NoticeEntry
from desktop.ui.transcript.printing import print_pdf
from desktop.ui.turn_bridge import TurnBridge
from desktop.ui.window_state import WindowState
from tests.archives import write_empty_archive
from tests.narrowing import instance, present
from tests.ui.gestures import drop

W = TypeVar("W", bound=QWidget)

_wording = cache(wording)  # as the program does
WAIT_MS = 20_000  # The first start in a process imports for seconds on a busy machine
LEFT = "Dawn fenomeni nedir?"
"""What was asked before a crash"""
USAGE = Usage(input_tokens=100, output_tokens=20, cost_usd=0.01)


@dataclass
class Answer:
    """Words as they arrive; a held answer stops after its first word until it is let go."""

    words: Sequence[str]
    fails: LlmError | None = None
    go: Event = field(default_factory=Event)
    is_held: bool = False
    is_deaf: bool = False
    """Hanging up does not reach it: it goes on when the test lets it."""


class _Stream:
    def __init__(self, answer: Answer) -> None:
        self._answer = answer
        self._hung_up = Event()
        self.usage = USAGE
        self.pages = ()
        self.web_calls = ()

    def __iter__(self) -> Iterator[str]:
        for place, word in enumerate(self._answer.words):
            if place == 1 and self._answer.is_held:
                self._answer.go.wait(WAIT_MS / 1000)
            if self._hung_up.is_set():
                return
            yield word
        if self._answer.fails is not None:
            raise self._answer.fails

    def reply(self) -> Reply:
        return Reply("".join(self._answer.words), "end_turn", self.usage)

    def stop(self) -> None:
        self._hung_up.set()
        if not self._answer.is_deaf:
            self._answer.go.set()


class ScriptedModel:
    """Answers in order; after the last one it says "Tamam."."""

    endpoint = Endpoint(EndpointId("test"), "Test", EndpointKind.SERVER)
    name = "scripted"
    capabilities: Capabilities = NO_CAPABILITIES

    def __init__(self) -> None:
        self.answers: deque[Answer] = deque()
        self.held: list[Answer] = []
        self.requests: list[ModelRequest] = []

    def says(self, *words: str) -> None:
        self.answers.append(Answer(words))

    def holds(self, *words: str, is_deaf: bool = False) -> Answer:
        answer = Answer(words, is_held=True, is_deaf=is_deaf)
        self.answers.append(answer)
        self.held.append(answer)
        return answer

    def fails(self, error: LlmError, *words: str) -> None:
        self.answers.append(Answer(words, fails=error))

    def context_tokens(self) -> int:
        return 200_000

    @contextmanager
    def stream(self, request: ModelRequest) -> Iterator[_Stream]:
        self.requests.append(request)
        yield _Stream(self.answers.popleft() if self.answers else Answer(("Tamam.",)))

    def ask_json(
        self, _request: ModelRequest, _schema: Mapping[str, JsonValue], _hold: Hold | None = None
    ) -> tuple[JsonValue, Usage]:
        raise ReplyInvalidError

    def count_tokens(self, request: ModelRequest) -> int:
        return sum(len(message.text) for message in request.messages) // 4


@cache
def _example_archive() -> bytes:
    """Return the bytes of a file that holds the example library, indexed and annotated."""
    with TemporaryDirectory() as folder:
        paths = Paths.under(Path(folder))
        file = paths.profile("default").database
        write_empty_archive(file)
        archive = open_archive(file, backups=file.parent)
        core = Services(archive, SettingsStore(paths), Language.EN)
        _add_examples(core)
        around = AssistantContext(
            settings=Settings,
            wording=_wording,
            language=lambda: Language.EN,
            phrases=shipped_phrases,
            settings_in=lambda _: Settings(),
            model=lambda *_: None,
        )
        for _ in Assistant(archive, core.search, around).describe_pending(lambda: False):
            pass
        archive.close()
        return file.read_bytes()


def write_examples(folder: Path) -> None:
    """Write a profile that holds the example library, before the start."""
    file = Paths.under(folder).profile("default").database
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(_example_archive())


def _add_examples(core: Services) -> None:
    in_process = replace(core.importer, read=read_in_process)
    in_process.import_file(asset("resources", "examples", "library.jsonl"))


class _StageServices(Services):
    """The services over what a stage connects and sets."""

    def __init__(self, stage: "Stage", store: SettingsStore) -> None:
        super().__init__(
            stage.archive,
            store,
            spoken=lambda: stage.languages.language,
            print_pdf=print_pdf,
        )
        self._stage = stage

    def connection(self) -> ConnectionStatus:
        return self._stage.connection()

    def settings(self) -> Settings:
        return self._stage.changes.settings


class Stage:
    """One start of the program on a profile."""

    def __init__(
        self,
        qtbot: QtBot,
        app: QApplication,
        folder: Path,
        settings: Settings,
        asked: Language | None = None,
    ) -> None:
        """`asked`: the command line's language."""
        self.qtbot = qtbot
        self.model = ScriptedModel()
        self.has_model = True
        self.connects: Callable[[], None] = lambda: None
        """Raises where nobody can tell what is connected."""
        self._paths = Paths.under(folder)
        profile = self._paths.profile("default")
        self.settings_file = self._paths.settings_file
        store = SettingsStore(self._paths)
        self.pool = ThreadPoolExecutor(6)
        self.bridge = TurnBridge(self.pool)
        self.changes = SettingsController(
            settings, store.change, self.bridge, language=lambda: self.languages.language
        )
        self.theme = ThemeController(app)
        self.languages = LanguageController(Language.EN, override=asked)
        self.window = MainWindow(
            self.theme,
            self.languages,
            self.changes,
            self.bridge,
            WindowState(profile.folder / "window.ini"),
        )
        if not profile.database.exists():
            write_empty_archive(profile.database)
        self.archive: Archive = open_archive(profile.database, backups=profile.backups)
        self.services = _StageServices(self, store)
        phrases: Callable[[], PhraseLists] = shipped_phrases
        around = AssistantContext(
            settings=lambda: self.changes.settings,
            wording=_wording,
            language=lambda: self.languages.language,
            phrases=phrases,
            settings_in=lambda _: self.changes.settings,
            model=lambda *_: self.model if self.has_model else None,
        )
        assistant = Assistant(self.archive, self.services.search, around)
        self.services.assistant = assistant
        self.services.aside = Assistant(self.archive, self.services.search, around)
        self.services.build()

    def connection(self) -> ConnectionStatus:  # worker thread
        self.connects()
        is_kept_here = self.archive.projects.is_local_only(self.services.assistant.wall())
        status = ConnectionStatus(is_local_only=is_kept_here)
        if not self.has_model:
            return status
        sees, test = self.model.capabilities.images, EndpointId("test")
        return replace(
            status,
            model="scripted",
            endpoint="Test",
            limit_tokens=200_000,
            endpoint_id=test,
            sees=sees,
        )

    def stand_in(self, **parts: object) -> None:
        """Replace parts of the services."""
        vars(self.services).update(parts)

    def attach(self) -> None:
        with self.qtbot.waitSignal(self.window.archive.loaded, timeout=WAIT_MS):
            self.window.worker.attach(self.services)

    def is_finding(self) -> bool:
        """Whether the results of the sidebar may still change."""
        finds = present(self.window.findChild(SidebarSearchController))
        return finds.is_busy

    def add_examples(self) -> None:
        _add_examples(self.services)

    def write(self, text: str) -> None:
        self.window.parts.composer.field.setPlainText(text)

    def send(self, text: str) -> None:
        self.write(text)
        self.window.parts.composer.send()

    def ask(self, text: str) -> None:
        """Send, and wait until the answer has ended and is saved."""
        with self.qtbot.waitSignal(self.window.sessions.answered, timeout=WAIT_MS):
            self.send(text)
        # Its worker ends a moment after its last event; until then nothing ends the session.
        turn = present(self.services.assistant._turn)
        assert turn.has_ended.wait(WAIT_MS / 1_000)

    def drop(self, given: QMimeData, target: QWidget) -> QMenu:
        """Drop something on a widget; return the menu that opens there."""
        drop(target, given)
        self.until(lambda: isinstance(QApplication.activePopupWidget(), QMenu))
        return instance(QApplication.activePopupWidget(), QMenu)

    def opened(self, kind: type[W]) -> W:
        """Wait until a window of this kind belongs to the main one; return the newest."""

        def visible() -> list[W]:
            return [one for one in self.window.findChildren(kind) if one.isVisible()]

        self.until(lambda: bool(visible()))
        return visible()[-1]

    def sends_held(self, *words: str) -> Answer:
        """Send a question; its answer stops after the first of these words."""
        answer = self.model.holds(*(words or ("Bir ", "iki")))
        self.send("Say")
        self.until(lambda: self.shown()[-1:] == [(words or ("Bir ",))[0]])
        return answer

    def read_past(self) -> NavigationTarget:
        """Open a past session of the example library."""
        sessions = self.archive.sessions.sessions(EVERYTHING)
        past = NavigationTarget(next(one.id for one in sessions if one.messages > 2))
        self.window.sessions.open(past)
        self.until(self.window.parts.reading_bar.isVisible)
        return past

    def settle(self) -> "Stage":
        """Attach, and wait until no question about a crash is open."""
        with self.qtbot.waitSignal(self.window.sessions.recovery.settled):
            self.attach()
        return self

    def until(self, is_so: Callable[[], bool]) -> None:
        self.qtbot.waitUntil(is_so, timeout=WAIT_MS)

    def shown(self) -> list[str]:
        """The messages in the transcript."""
        return [entry.text for entry in self.messages()]

    def messages(self) -> list[MessageEntry]:
        entries = self.window.parts.transcript.entries
        return [entry for entry in entries if isinstance(entry, MessageEntry)]

    def notices(self) -> list[str]:
        """The texts of the transcript's notices."""
        return [
            entry.notice.text
            for entry in self.window.parts.transcript.entries
            if isinstance(entry, NoticeEntry)
        ]

    def rows(self) -> list[str]:
        model = self.window.parts.sidebar.model
        return [str(model.index(place).data()) for place in range(model.rowCount())]

    def leave(self) -> None:
        """Close the window without a question."""
        with self.qtbot.waitSignal(self.window.closed, timeout=WAIT_MS):
            self.window.leave_at_once()
        self._end()

    def die(self) -> None:
        """Crash: nothing is ended."""
        self.window.background.stop()
        self.window.hide()
        self._end()

    def _end(self) -> None:
        self.bridge.close()
        for held in self.model.held:
            held.go.set()
        self.window.devices.join()
        self.pool.shutdown(wait=True)
        # Their processes would run on: one draws pages, the other reads those of the web.
        self.services.document_pages.close()
        self.services.web.close()
        self.archive.close()
        self.window.deleteLater()


def english() -> Settings:
    return Settings(language=UiLanguage.EN, welcomed=True, describes_with_model=False)
