"""Starts the window: paints it first, then builds the rest of the program behind it.

Slow imports (SQLAlchemy, the SDK) run on a worker behind the painted window.
"""

import gc
import logging
import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QLocale, QObject, QTimer, Signal
from PySide6.QtWidgets import QApplication, QWidget

from desktop.app.process import (
    SignalWatch,
    log_uncaught,
    make_application,
    set_autostart,
    show_why,
    start_again,
)
from desktop.domain.endpoints import ModelRole
from desktop.domain.errors import (
    AppError,
    DatabaseDamagedError,
    ProfileInUseError,
)
from desktop.domain.frozen import dataclass
from desktop.domain.language import Language
from desktop.domain.times import utc_now
from desktop.settings.file_writing import make_private
from desktop.settings.messages import Texts, system_language
from desktop.settings.paths import Paths, ProfilePaths
from desktop.settings.profile import WAITS_S, ProfileLock
from desktop.settings.settings import Settings
from desktop.settings.store import SettingsStore
from desktop.ui.i18n import LanguageController
from desktop.ui.main_window import MainWindow
from desktop.ui.profile.locking import LockWatch, Unlocking
from desktop.ui.services import LOCKED
from desktop.ui.settings_controller import SettingsController
from desktop.ui.theme.theme import ThemeController
from desktop.ui.timers import make_timer
from desktop.ui.transcript.message_body import warm_up
from desktop.ui.turn_bridge import TurnBridge
from desktop.ui.widgets.layouts import keep_on_screen
from desktop.ui.widgets.plain_text import MessageBox
from desktop.ui.window.lifetime import WindowRequest
from desktop.ui.window_state import WindowState

if TYPE_CHECKING:
    from desktop.app.single_instance import SingleInstance
    from desktop.domain.backups import RepairNeed, Restored
    from desktop.recall.embedding_client import EmbeddingProcess
    from desktop.sessions.services import Services
    from desktop.settings.encryption import ProfileKey
    from desktop.storage.archive import Archive

log = logging.getLogger(__name__)

_THREADS = {"bellek": 8, "turn": 64}
"""Turns have threads of their own: many of them, in line, leave room for all other work."""
_LOAD_AFTER_MS = 400  # If the window has not been painted by then, because nobody sees it
_TIDY_AFTER_MS = 1_500
_LONGEST_QUIT_MS = 400
_LOOK_MS = 5


def open_window(
    paths: Paths,
    profile_name: str,
    language: Language | None,
    *,
    restoring: Path | None = None,
    request: WindowRequest,
) -> int:
    """Run until the window is closed, return the exit code; raises AppError if it cannot open.

    `restoring`: a backup that replaces the archive first. `request`: what is shown, by this
    process or by the one that has the profile.
    """
    profile = paths.profile(profile_name)
    lock = ProfileLock(profile.lock, waits_s=WAITS_S)
    try:
        lock.acquire()
    except AppError as exc:
        from desktop.app.single_instance import ask_first_window  # noqa: PLC0415 - needs QtNetwork

        if isinstance(exc, ProfileInUseError) and ask_first_window(profile.folder, request):
            return 0
        show_why(exc, language)
        raise
    try:
        app = make_application(language)
        program = Program(app, paths, profile, language, restoring=restoring)
        program.finished.connect(lambda has_ended: app.quit() if has_ended else _go(program, lock))
        program.is_hidden = request.is_hidden and program.changes.settings.has_tray
        program.is_locked = request.is_locked
        program.is_repair = request.is_repair
        program.show()
        if request.is_quick or request.files:
            program.answer_request(request)
        with log_uncaught(program.bridge.broke.emit):
            code = app.exec() or int(program.has_failed)
        _come_back(program, lock)
    finally:
        lock.release()
    return code


def _go(program: "Program", lock: ProfileLock) -> None:
    """Exit without waiting for workers that hang."""
    _come_back(program, lock)
    os._exit(0)


def _come_back(program: "Program", lock: ProfileLock) -> None:
    if (restart := program.window.restart) is not None:
        lock.release()
        arguments = restart.arguments
        try:
            restart.before()
        except AppError:
            log.exception("the profile stays as it was")
            arguments = ()
        start_again(*arguments)


@dataclass(frozen=True, slots=True)
class Loaded:
    """What the worker has built."""

    archive: "Archive"
    services: "Services"
    restored: "Restored | None"
    repaired: "RepairNeed | None"
    failures: Sequence[AppError]
    """Errors that did not prevent opening: settings, a backup, a database that was salvaged."""


class FirstPaint(QObject):
    """Waits until a widget is painted: work that begins earlier would delay that."""

    over = Signal()

    def __init__(self, widget: QWidget, longest_ms: int) -> None:
        super().__init__(widget)
        self._longest = make_timer(self, longest_ms, is_single=True)
        self._longest.timeout.connect(self._end)
        self._longest.start()
        widget.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Paint:
            watched.removeEventFilter(self)
            self._longest.start(0)  # the widgets in it are painted first
        return super().eventFilter(watched, event)

    def _end(self) -> None:
        self.over.emit()
        self.deleteLater()


class Program(QObject):
    """The window with everything behind it, from first paint to last byte."""

    _converting = Signal(float)  # the share that is done, from a worker
    is_repair = False  # Whether the archive is checked and repaired before it is opened
    _source_key: "ProfileKey | None" = None  # of a backup with a passphrase of its own
    finished = Signal(bool)
    """Everything is on the disk. False if a worker hangs, for instance in the network: it has
    nothing to save, so the program does not wait."""

    def __init__(
        self,
        app: QApplication,
        paths: Paths,
        profile: ProfilePaths,
        language: Language | None,
        *,
        restoring: Path | None = None,
    ) -> None:
        """`restoring`: a backup that replaces the archive before it is opened."""
        super().__init__()
        self._app = app
        self._paths = paths
        self._profile = profile
        self._restoring = restoring
        self._loaded: Loaded | None = None
        self._embedding: EmbeddingProcess | None = None
        self._key: ProfileKey | None = None
        self._unlocking: Unlocking | None = None
        self._held: WindowRequest | None = None  # until the profile is unlocked
        self._stop_logging: Callable[[], None] = lambda: None
        self._opened_at = utc_now()
        self.is_hidden = False  # Whether it starts without its window, in the tray
        self.is_locked = False
        """Whether a key in the system's keyring must not open an encrypted profile."""
        self.has_failed = False
        """Whether the profile could not be opened; the window showed the reason."""
        self.store = SettingsStore(paths, profile.folder.name)
        self._broken_settings = self._load_settings()
        self._pool, self._turns = (
            ThreadPoolExecutor(most, thread_name_prefix=name) for name, most in _THREADS.items()
        )
        self.bridge = TurnBridge(self._pool, self, turns=self._turns)
        self._theme = ThemeController(app, self)
        system = system_language(os.environ, QLocale.system().uiLanguages())
        self._languages = LanguageController(system, parent=self, override=language)
        settings = self.store.current
        self.changes = SettingsController(
            settings,
            self.store.change,
            self.bridge,
            self,
            language=lambda: self._languages.language,
        )
        self._state = WindowState(profile.folder / "window.ini")
        self._autostarts = settings.starts_with_system
        self.changes.changed.connect(self._set_autostart)
        with self._theme.building():
            self._theme.apply_settings(settings, is_first=True)
            self.window = MainWindow(
                self._theme, self._languages, self.changes, self.bridge, self._state
            )
        self.window.allow_locking(profile.is_encrypted)
        self.window.closed.connect(self._quit)
        app.applicationStateChanged.connect(self.changes.refresh)  # back from the command line
        self._look = make_timer(self, _LOOK_MS)
        self._first: SingleInstance | None = None
        self._signals: SignalWatch | None = None
        app.commitDataRequest.connect(self.window.leave_at_once)

    def show(self) -> None:
        """Ask for the passphrase if there is one, then show the window and open the profile."""
        if self._profile.is_encrypted:
            self._unlocking = self._asking(self._profile.folder, self._unlock)
            self._unlocking.begin(asks=self.is_locked)
        else:
            self._look_at_backup()

    def _asking(
        self, locked: Path, then: Callable[["ProfileKey"], None], *, is_backup: bool = False
    ) -> Unlocking:
        self._listen()
        texts = Texts(self._languages.language)
        asking = Unlocking(locked, self._theme, self.bridge, texts, is_backup=is_backup)
        asking.unlocked.connect(then)
        asking.left.connect(self._quit)
        return asking

    def _look_at_backup(self) -> None:
        """Ask for the passphrase of the backup to be restored, if it has one of its own."""
        if (backup := self._restoring) is None:
            self._begin()
            return

        def is_opened() -> bool:  # worker thread
            from desktop.settings.encryption import KeyFile  # noqa: PLC0415 - rarely needed

            return KeyFile.of_backup(backup).is_opened_by(self._key)

        def go_on(is_opened: bool) -> None:  # noqa: FBT001 - a result
            if is_opened:
                self._begin()
            else:
                self._unlocking = self._asking(backup, self._take_source_key, is_backup=True)
                self._unlocking.ask()

        # Where the key file is damaged, restoring says so.
        self.bridge.run(is_opened, go_on, lambda _: self._begin())

    def _take_source_key(self, key: "ProfileKey") -> None:
        self._source_key, self._unlocking = key, None
        self._begin()

    def answer_request(self, request: WindowRequest) -> None:
        """Show what another start of Bellek asked for, or wait until the profile is unlocked."""
        if self._unlocking is not None:
            self._held = None if request.is_locked else request
            self._unlocking.ask()
        elif not request.is_locked or self._key is not None:
            self.window.answer_request(request)

    def _unlock(self, key: "ProfileKey") -> None:
        self._key, self._unlocking = key, None
        try:
            self.changes.take(self.store.unlock(key))
        except AppError as exc:
            self._broken_settings = exc
        self._state.seal(key)
        self._converting.connect(self.window.dialogs.show_converting)
        watch = LockWatch(self._app, self)
        watch.lock_wanted.connect(lambda: self.window.start_again_at_once(LOCKED))
        watch.apply(self.changes.settings.lock_minutes)
        self.changes.changed.connect(lambda settings: watch.apply(settings.lock_minutes))
        self._look_at_backup()

    def _begin(self) -> None:
        if self._restoring is not None:
            self.window.dialogs.show_restoring()
        if self.is_repair:
            self.window.dialogs.show_repairing()
        keep_on_screen(self.window)
        if self.is_hidden:
            self._start_loading()
        else:
            painted = FirstPaint(self.window.parts.shell, _LOAD_AFTER_MS)
            painted.over.connect(self._start_loading)
            self.window.show()
        if self._held is not None:
            self.window.answer_request(self._held)

    def _listen(self) -> None:
        """Hear later starts and signals; behind the first paint, because sockets load slowly."""
        from desktop.app.single_instance import SingleInstance  # noqa: PLC0415 - not for the start

        if self._first is None:
            self._first = SingleInstance(self._profile.folder, self)
            self._first.window_requested.connect(self.answer_request)
            self._signals = SignalWatch(self.window.leave_at_once, self)

    def _start_loading(self) -> None:
        self._listen()
        self.bridge.run(self._load, self._attach, self._give_up)

    def _set_autostart(self, settings: Settings) -> None:
        is_on = settings.starts_with_system and settings.has_tray
        if is_on != self._autostarts:
            self._autostarts = is_on
            failed = self.window.notices.show_failed
            self.bridge.run(lambda: set_autostart(is_on=is_on), failed=failed)

    def _load_settings(self) -> AppError | None:
        try:
            self.store.load()
        except AppError as exc:
            return exc
        return None

    def _load(self) -> Loaded:  # worker thread
        from desktop.recall.embedding_client import EmbeddingProcess  # noqa: PLC0415 - half a second, behind the window
        from desktop.sessions.archive_care import convert, repair, restore_backup  # noqa: PLC0415 - the same
        from desktop.sessions.services import Services  # noqa: PLC0415 - the same
        from desktop.settings.log import start_logging  # noqa: PLC0415 - the same
        from desktop.storage.archive import open_archive  # noqa: PLC0415 - the same
        from desktop.ui.transcript.printing import print_pdf  # noqa: PLC0415 - the same

        database, backups = self._profile.database, self._profile.backups
        self._stop_logging = start_logging(self._profile.logs)
        make_private(self._profile)
        restored, repaired, failures = None, None, [self._broken_settings]
        if (key := self._key) is not None:
            try:
                self._key = key = convert(self._profile, key, self._converting.emit)
            except AppError as exc:  # the next start goes on; each piece can be read as it is
                failures.append(exc)
            self.store.unlock(key)
        try:
            if self._restoring is not None:
                restored = restore_backup(
                    self._restoring,
                    database=database,
                    backups=backups,
                    key=key,
                    key_of_source=self._source_key or key,
                )
            if self.is_repair:
                need, error = repair(database, backups=backups, key=key)
                repaired = None if error else need
                failures.append(error)
        except AppError as exc:
            failures.append(exc)
        try:
            archive = open_archive(database, backups=backups, key=key)
        except DatabaseDamagedError as exc:
            failures.append(exc)
            archive = open_archive(
                database, backups=backups, key=self._key
            )  # what could be salvaged
        self._embedding = EmbeddingProcess()
        services = Services(
            archive,
            self.store,
            spoken=lambda: self._languages.language,
            embedding=self._embedding,
            print_pdf=print_pdf,
        )
        services.build()
        return Loaded(
            archive, services, restored, repaired, [failure for failure in failures if failure]
        )

    def _attach(self, loaded: Loaded) -> None:
        self._loaded = loaded
        self.window.dialogs.show_converting(1.0)
        self.window.allow_locking(self._key is not None)
        self.window.worker.attach(loaded.services)
        self.window.dialogs.show_restored(loaded.restored)
        self.window.dialogs.show_repaired(loaded.repaired)
        for error in loaded.failures:
            self.window.notices.show_failed(error)
        QTimer.singleShot(_TIDY_AFTER_MS, self, self._tidy)

    def _tidy(self) -> None:
        if (loaded := self._loaded) is not None:
            self.bridge.run(lambda: _warm_up(loaded.services), settled=_collect_again)
            # What was deleted before this start can no longer be undone: make it final.
            self.bridge.run(lambda: loaded.archive.purge_deleted(before=self._opened_at))

    def _give_up(self, error: AppError) -> None:
        """Show why the profile cannot be opened, and change nothing."""
        self.has_failed = True
        words = Texts(self._languages.language).error(error)
        box = MessageBox(MessageBox.Icon.Critical, words, parent=self.window)
        box.finished.connect(self.window.close)
        box.open()

    def _quit(self) -> None:
        """Wait for the workers on another thread, for a limited time."""
        self.bridge.close()
        ending = Thread(target=self._end, name="quit", daemon=True)
        ending.start()

        def look() -> None:
            if not ending.is_alive():
                self._leave(has_ended=True)

        self._look.timeout.connect(look)
        self._look.start()
        QTimer.singleShot(_LONGEST_QUIT_MS, self, lambda: self._leave(has_ended=False))

    def _end(self) -> None:  # thread of its own
        if self._loaded is not None:
            self._loaded.services.close()
        self.window.devices.join()
        if self._embedding is not None:
            self._embedding.close()
        for pool in (self._turns, self._pool):
            pool.shutdown(wait=True, cancel_futures=True)
        if self._loaded is not None:
            self._loaded.archive.close()

    def _leave(self, *, has_ended: bool) -> None:
        if self._look.isActive():
            self._look.stop()
            self._stop_logging()
            if self._signals is not None:
                self._signals.release()
            self.finished.emit(has_ended)


def _warm_up(services: "Services") -> None:  # worker thread
    from desktop.language.dates.date_grammar import forms as date_forms  # noqa: PLC0415 - not for the start

    date_forms()  # for the first search
    warm_up()
    if services.models.for_role(ModelRole.ANSWERING, services.settings()) is not None:
        services.models.warm_up()


def _collect_again() -> None:
    """Turn collection back on; what is loaded by now is never visited again."""
    gc.freeze()
    gc.enable()
