"""Measures the window: search, stalls while an answer streams, opening, memory.

Each scene is a generator over a real window: it yields the signal that it waits for.
"""

import gc
import os
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from time import perf_counter

from PySide6.QtCore import QEvent, QObject, Qt, QTimer, Signal, SignalInstance
from PySide6.QtNetwork import QLocalServer, QLocalSocket
from PySide6.QtWidgets import QWidget

from desktop.app.process import make_application
from desktop.app.window import Program
from desktop.domain.ids import SessionId
from desktop.settings.paths import DEFAULT_PROFILE, Paths
from desktop.ui.main_window import MainWindow
from desktop.ui.services import NavigationTarget
from desktop.ui.timers import make_timer
from desktop.ui.window.lifetime import WindowRequest
from tests.bench.encrypted import unlock_silently
from tests.bench.measurement import FULL, SMALL, Sizes, percentile, report, resident_mb
from tests.bench.synthetic_archive import Words

_SESSION = NavigationTarget(SessionId("bench-0"))
_TICK_MS = 1
_BETWEEN_KEYS_MS = 150
"""As a fast typist; before typing counts as resting."""
_PATIENCE_MS = 2_000
"""Two texts may have the same hits: nothing is painted then, and nothing measured."""


def main(name: str, runs: str, folder: str, size: str) -> int:
    """Print the measurements in one line for the calling process."""
    sizes = SMALL if size == "small" else FULL
    app, paths = make_application(), Paths.under(Path(folder))
    unlock_silently()
    program = Program(app, paths, paths.profile(DEFAULT_PROFILE), None)
    program.finished.connect(lambda _: app.quit())
    scene = _SCENES[name](program.window, int(runs), sizes)

    def go_on() -> None:
        wanted = next(scene, None)
        if wanted is None:
            program.window.close()
        else:
            wanted.connect(go_on, Qt.ConnectionType.SingleShotConnection)

    def settle(_: object) -> None:
        QTimer.singleShot(sizes.settle_ms, program, go_on)

    listed = program.window.archive.loaded
    listed.connect(settle, Qt.ConnectionType.SingleShotConnection)
    program.show()
    return app.exec()


def _pause(window: MainWindow, milliseconds: int) -> SignalInstance:
    timer = make_timer(window, milliseconds, is_single=True)
    timer.start()
    return timer.timeout


class _PaintWatch(QObject):
    """Times a widget's first paint after a change."""

    over = Signal()

    def __init__(self, viewport: QWidget, *changes: SignalInstance) -> None:
        super().__init__(viewport)
        self.times_ms: list[float] = []
        self._began = 0.0
        self._is_changed = False
        self._patience = make_timer(self, _PATIENCE_MS, is_single=True)
        self._patience.timeout.connect(self.over)
        for changed in changes:
            changed.connect(self._note_change)
        viewport.installEventFilter(self)

    def begin(self, began: float | None = None) -> None:
        """Wait for a paint; one whose change is done already tells when it `began`."""
        self._began = began or perf_counter()
        self._is_changed = self._is_changed or began is not None
        self._patience.start()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Paint and self._is_changed:
            self._is_changed = False
            QTimer.singleShot(0, self, self._note_paint)
        return super().eventFilter(watched, event)

    def _note_change(self) -> None:
        self._is_changed = True

    def _note_paint(self) -> None:
        if self._patience.isActive():
            self._patience.stop()
            self.times_ms.append((perf_counter() - self._began) * 1000)
            self.over.emit()


def _stream(window: MainWindow, _runs: int, sizes: Sizes) -> Iterator[SignalInstance]:
    """Measure stalls: gaps between turns of the event loop beyond the timer's own period."""
    beats: list[float] = []
    heart = make_timer(window, _TICK_MS)
    heart.setTimerType(Qt.TimerType.PreciseTimer)
    heart.timeout.connect(lambda: beats.append(perf_counter()))
    window.sessions.resume(_SESSION.session_id)
    yield _pause(window, sizes.settle_ms // 2)
    heart.start()
    window.sessions.asking.send("Bellek ne yapar?")
    yield window.sessions.answered
    heart.stop()
    stalls = [max(0.0, (after - before) * 1000 - _TICK_MS) for before, after in pairwise(beats)]
    figures = {"stall_p99_ms": percentile(stalls, 0.99), "stall_max_ms": max(stalls)}
    report("stream", **{name: round(figure, 2) for name, figure in figures.items()})


def _open(window: MainWindow, runs: int, _sizes: Sizes) -> Iterator[SignalInstance]:
    """Measure from the request to show a long session to its first paint."""
    watch = _PaintWatch(window.parts.transcript.viewport(), window.sessions.session_opened)
    for _ in range(runs):
        watch.begin()
        window.sessions.open(_SESSION)
        yield watch.over
        window.sessions.begin_new()
        yield _pause(window, 300)
    report("open", times_ms=watch.times_ms)


def _memory(window: MainWindow, _runs: int, _sizes: Sizes) -> Iterator[SignalInstance]:
    """Measure resident memory, idle with an endpoint connected, and with a long session open."""
    idle_mb = resident_mb(os.getpid())
    window.sessions.open(_SESSION)
    yield window.sessions.session_opened
    yield _pause(window, 1_000)
    report("memory", idle_mb=idle_mb, open_mb=resident_mb(os.getpid()))


def _search(window: MainWindow, runs: int, _sizes: Sizes) -> Iterator[SignalInstance]:
    """Measure from a keystroke in the sidebar's field to the painted list with its hits."""
    sidebar, model = window.parts.sidebar, window.parts.sidebar.model
    changes = (model.rowsInserted, model.rowsRemoved, model.dataChanged)
    watch = _PaintWatch(sidebar.list.viewport(), *changes)
    for word in Words().usual * runs:
        for text in (word[:3], word):
            watch.begin()
            sidebar.search.setText(text)
            yield watch.over
            yield _pause(window, _BETWEEN_KEYS_MS)
    report("search", times_ms=watch.times_ms)


def _palette(window: MainWindow, runs: int, _sizes: Sizes) -> Iterator[SignalInstance]:
    """Measure from the key to the painted palette, the first time including its creation."""
    watch: _PaintWatch | None = None
    for _ in range(runs):
        began = perf_counter()
        window.actions_by_name["palette"].trigger()
        palette = window.command_palette.palette
        assert palette is not None
        watch = watch or _PaintWatch(palette.list.viewport())
        watch.begin(began)
        yield watch.over
        yield _pause(window, _BETWEEN_KEYS_MS)
        palette.close_palette()
        yield _pause(window, _BETWEEN_KEYS_MS)
    report("palette", times_ms=watch.times_ms if watch else [])


def _quick(window: MainWindow, runs: int, sizes: Sizes) -> Iterator[SignalInstance]:
    """Measure from the request of another process to the painted quick window."""
    watch: _PaintWatch | None = None
    gc.unfreeze()  # By now the program may have frozen it, and frozen objects are not listed
    server = next(one for one in gc.get_objects() if isinstance(one, QLocalServer))
    for _ in range(runs):
        caller = QLocalSocket()
        caller.connectToServer(server.serverName())
        caller.write(WindowRequest(is_quick=True).line())
        caller.flush()
        began = perf_counter()
        yield server.newConnection
        while window.quick.window is None or window.quick.window.isHidden():
            yield _pause(window, 0)
        watch = watch or _PaintWatch(window.quick.window.editor.field.viewport())
        watch.begin(began)
        yield watch.over
        yield _pause(window, sizes.settle_ms // 4)
        window.quick.close()
        yield _pause(window, _BETWEEN_KEYS_MS)
    report("quick", times_ms=watch.times_ms if watch else [])


_SCENES = {
    "quick": _quick,
    "palette": _palette,
    "search": _search,
    "stream": _stream,
    "open": _open,
    "memory": _memory,
}
