"""What the window costs: finding, stalls while an answer streams, opening, memory."""

import os
from collections.abc import Callable, Iterator, Mapping
from multiprocessing import get_context
from multiprocessing.connection import Connection as Pipe
from pathlib import Path
from time import perf_counter

from PySide6.QtCore import QEvent, QObject, Qt, QTimer

from desktop.app.bench.measurement import Sizes, percentile, report, resident_mb
from desktop.app.bench.search import typed_words
from desktop.app.fake_messages_server import loopback_server
from desktop.app.window import Program, make_application
from desktop.domain.endpoints import Endpoint, EndpointId, EndpointKind, ModelChoice, ModelRole
from desktop.domain.ids import SessionId
from desktop.settings.paths import DEFAULT_PROFILE, Paths
from desktop.settings.settings import Settings
from desktop.settings.store import SettingsStore
from desktop.ui.services import NavigationTarget

_SESSION = SessionId("bench-0")
_WORDS_PER_SECOND = 200
_WORDS_A_PARAGRAPH = 80
_TICK_MS = 1
_BETWEEN_KEYS_MS = 150
"""As a fast typist; before typing counts as resting."""
_PATIENCE_MS = 2_000
_ROOM_FOR_ALL = 10_000_000
"""Tokens; the session is measured whole, not summarised."""


class Scene(QObject):
    """A real window on a real archive, with a server of its own process behind it."""

    def __init__(self, folder: Path, runs: int, sizes: Sizes) -> None:
        super().__init__()
        self.runs = runs
        self.sizes = sizes
        self.app = make_application()
        paths = Paths.under(folder)
        self.program = Program(self.app, paths, paths.profile(DEFAULT_PROFILE), None)
        self.program.finished.connect(lambda _: self.app.quit())
        self.window = self.program.window

    def open_session(self) -> None:
        self.window.sessions.open(NavigationTarget(_SESSION))

    def leave(self) -> None:
        self.window.close()


def run_in_window(name: str, folder: Path, runs: int, sizes: Sizes) -> int:
    """Print what is measured, in one line for the process that asked for it."""
    ours, childs = get_context("spawn").Pipe()
    server = get_context("spawn").Process(
        target=_serve, args=(childs, sizes.streamed_words), daemon=True
    )
    server.start()
    url, key = ours.recv()
    os.environ["ANTHROPIC_API_KEY"] = key
    endpoint = Endpoint(
        EndpointId("bench"),
        "Bench",
        EndpointKind.SERVER,
        base_url=url,
        context_tokens=_ROOM_FOR_ALL,
    )
    os.environ["ANTHROPIC_BASE_URL"] = url
    roles = {ModelRole.ANSWERING: ModelChoice(endpoint.id, "loopback")}
    store = SettingsStore(Paths.under(folder).settings_file)
    store.save(Settings(welcomed=True, endpoints=(endpoint,), roles=roles))
    scene = Scene(folder, runs, sizes)
    start = _SCENES[name]
    scene.program.attached.connect(
        lambda: QTimer.singleShot(sizes.settle_ms, scene, lambda: start(scene))
    )
    scene.program.show()
    code = scene.app.exec()
    ours.send("done")
    server.join(1)
    return code


def _serve(pipe: Pipe, streamed_words: int) -> None:
    ends = {_WORDS_A_PARAGRAPH - 1: "\n\n"}
    words = [
        f"kelime{number % 97} {ends.get(number % _WORDS_A_PARAGRAPH, '')}"
        for number in range(streamed_words)
    ]
    with loopback_server(words, words_per_second=_WORDS_PER_SECOND) as server:
        pipe.send((server.url, server.key))
        pipe.recv()


class _Heartbeat(QObject):
    """Gaps between turns of the event loop beyond the timer's own period."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.stalls_ms: list[float] = []
        self._last = perf_counter()
        self._timer = QTimer(self, interval=_TICK_MS)
        self._timer.setTimerType(Qt.TimerType.PreciseTimer)
        self._timer.timeout.connect(self._beat)

    def start(self) -> None:
        self._last = perf_counter()
        self._timer.start()

    def stop(self) -> None:
        self._timer.stop()

    def _beat(self) -> None:
        now = perf_counter()
        self.stalls_ms.append(max(0.0, (now - self._last) * 1000 - _TICK_MS))
        self._last = now


def _stream(scene: Scene) -> None:
    """Go on with a long session and be answered at 200 words a second."""
    heart = _Heartbeat(scene)
    sessions = scene.window.sessions

    def ask() -> None:
        heart.start()
        sessions.asking.send("Bellek ne yapar?")

    def ended(_: object) -> None:
        heart.stop()
        report(
            "stream",
            {
                "words_per_second": _WORDS_PER_SECOND,
                "stall_p99_ms": round(percentile(heart.stalls_ms, 0.99), 2),
                "stall_max_ms": round(max(heart.stalls_ms), 2),
            },
        )
        scene.leave()

    sessions.answered.connect(ended)
    sessions.resume(_SESSION)
    QTimer.singleShot(scene.sizes.settle_ms // 2, scene, ask)


class _FirstPaint(QObject):
    """Tells when the transcript is painted for the first time after a session was opened."""

    def __init__(self, scene: Scene, done: Callable[[], None]) -> None:
        super().__init__(scene)
        self._done = done
        self._viewport = scene.window.parts.transcript.viewport()
        scene.window.sessions.session_opened.connect(self._watch)

    def _watch(self, _: object) -> None:
        self._viewport.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Paint:
            watched.removeEventFilter(self)
            QTimer.singleShot(0, self, self._done)
        return super().eventFilter(watched, event)


def _open(scene: Scene) -> None:
    """From the wish to see a long session to its first paint."""
    times: list[float] = []
    began = perf_counter()

    def again() -> None:
        scene.window.sessions.begin_new()
        QTimer.singleShot(300, scene, wish)

    def wish() -> None:
        nonlocal began
        began = perf_counter()
        scene.open_session()

    def painted() -> None:
        if scene.window.sessions.shown is None:
            return
        times.append((perf_counter() - began) * 1000)
        if len(times) < scene.runs:
            again()
            return
        report("open", {"times_ms": times})
        scene.leave()

    _FirstPaint(scene, painted)
    wish()


def _memory(scene: Scene) -> None:
    """Resident size idle with an endpoint connected, and with a long session open."""
    idle = resident_mb(os.getpid())

    def painted() -> None:
        QTimer.singleShot(1_000, scene, finish)

    def finish() -> None:
        report("memory", {"idle_mb": idle, "open_mb": resident_mb(os.getpid())})
        scene.leave()

    _FirstPaint(scene, painted)
    scene.open_session()


class _Typing(QObject):
    """Types one text after another and takes the time until the list is painted with its hits."""

    def __init__(self, scene: Scene, texts: Iterator[str]) -> None:
        super().__init__(scene)
        self._scene = scene
        self._texts = texts
        self._sidebar = scene.window.parts.sidebar
        self._times_ms: list[float] = []
        self._began = 0.0
        self._has_hits = False
        model = self._sidebar.model
        for changed in (model.rowsInserted, model.rowsRemoved, model.dataChanged):
            changed.connect(self._note)
        self._sidebar.list.viewport().installEventFilter(self)
        # Two texts may have the same hits: nothing is painted then, and nothing measured.
        self._patience = QTimer(self, interval=_PATIENCE_MS, singleShot=True)
        self._patience.timeout.connect(self.next)

    def next(self) -> None:
        text = next(self._texts, None)
        if text is None:
            report("search", {"times_ms": self._times_ms})
            self._scene.leave()
            return
        self._has_hits = False
        self._patience.start()
        self._began = perf_counter()
        self._sidebar.search.setText(text)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Paint and self._has_hits:
            self._has_hits = False
            QTimer.singleShot(0, self, self._painted)
        return super().eventFilter(watched, event)

    def _note(self) -> None:
        self._has_hits = True

    def _painted(self) -> None:
        self._times_ms.append((perf_counter() - self._began) * 1000)
        self._patience.stop()
        QTimer.singleShot(_BETWEEN_KEYS_MS, self, self.next)


def _search(scene: Scene) -> None:
    """From a keystroke in the sidebar's field to its painted results."""
    words = typed_words() * scene.runs
    typing = _Typing(scene, iter([text for word in words for text in (word[:3], word)]))
    typing.next()


_SCENES: Mapping[str, Callable[[Scene], None]] = {
    "search": _search,
    "stream": _stream,
    "open": _open,
    "memory": _memory,
}
