"""The window of an encrypted profile: locked until the passphrase is given, and locked again."""

import shutil
from collections.abc import Callable, Iterator
from ctypes import addressof
from ctypes.wintypes import MSG
from pathlib import Path

import pytest
from jeepney import DBusAddress, new_signal
from jeepney.io.blocking import open_dbus_connection
from PySide6.QtCore import Qt
from PySide6.QtDBus import QDBusConnection
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit
from pytestqt.qtbot import QtBot

from desktop.app.window import Program
from desktop.domain.ids import SessionId
from desktop.domain.language import Language
from desktop.domain.projects import EVERYTHING
from desktop.settings.encryption import KeyFile
from desktop.settings.paths import DEFAULT_PROFILE, Paths, ProfilePaths
from desktop.storage.archive import open_archive
from desktop.storage.care.backup import write_backup
from desktop.storage.schema.database import is_plain
from desktop.ui.profile.locking import LockWatch, UnlockWindow, WindowsLocks
from desktop.ui.profile.passphrase import PassphraseDialog
from desktop.ui.services import LOCKED
from desktop.ui.window.lifetime import WindowRequest
from desktop.ui.window_state import SEARCHES
from tests.archives import SettableClock, finished
from tests.e2e.conftest import destroy
from tests.e2e.desktop_session import session_bus
from tests.e2e.person import PATIENCE_MS
from tests.guards import LogWatch
from tests.narrowing import present

WORDS = "dört kelime bir parola"
MARK = "kestanefener"


@pytest.fixture
def locked(tmp_path: Path) -> ProfilePaths:
    profile = Paths.under(tmp_path).profile(DEFAULT_PROFILE)
    profile.folder.mkdir(parents=True)
    key, _ = KeyFile.of_profile(profile.folder).create(WORDS, seconds=0.01)
    archive = open_archive(profile.database, backups=profile.backups, key=key)
    archive.imports.add([finished("s1", f"{MARK} nerede?", f"{MARK} burada.")])
    archive.index.index_session(SessionId("s1"))
    archive.close()
    return profile


@pytest.fixture
def opens(
    qtbot: QtBot, qapp: QApplication, tmp_path: Path
) -> Iterator[Callable[[ProfilePaths], Program]]:
    programs: list[Program] = []

    def open_window(profile: ProfilePaths, restoring: Path | None = None) -> Program:
        paths = Paths.under(tmp_path)
        program = Program(qapp, paths, profile, Language.TR, restoring=restoring)
        programs.append(program)
        program.show()
        return program

    yield open_window
    for one in programs:
        unlocking = one._unlocking
        with qtbot.waitSignal(one.finished, timeout=PATIENCE_MS):
            if unlocking is not None:
                unlocking.window.close()
            else:
                one.window.close()
        destroy(one, qtbot)


def asking(program: Program) -> UnlockWindow:
    assert program._unlocking is not None
    return program._unlocking.window


def has_quick_window(program: Program) -> bool:
    window = program.window.quick.window
    return window is not None and window.isVisible()


def unlock(program: Program, qtbot: QtBot, words: str = WORDS) -> None:
    window = asking(program)
    qtbot.waitUntil(window.isVisible, timeout=PATIENCE_MS)
    window.field.line.setText(words)
    with qtbot.waitSignal(program.window.archive.loaded, timeout=PATIENCE_MS):
        window.unlock.click()


def test_a_locked_profile_shows_nothing_until_its_passphrase_is_given(
    opens: Callable[[ProfilePaths], Program], locked: ProfilePaths, qtbot: QtBot
) -> None:
    program = opens(locked)
    window = asking(program)
    qtbot.waitUntil(window.isVisible, timeout=PATIENCE_MS)
    assert not program.window.isVisible()
    window.field.line.setText("yanlış parola")
    window.unlock.click()
    qtbot.waitUntil(lambda: bool(window._problem.text()), timeout=PATIENCE_MS)
    assert not program.window.isVisible()
    assert window.field.line.text() == ""
    QTest.keyClicks(window.field.line, "y")
    assert window._problem.isHidden()
    unlock(program, qtbot)
    assert program.window.isVisible()
    assert not window.isVisible()
    assert program._loaded is not None
    assert [one.id for one in program._loaded.archive.sessions.sessions(EVERYTHING)] == ["s1"]


def test_a_quick_question_to_a_locked_profile_waits_for_the_passphrase(
    opens: Callable[[ProfilePaths], Program], locked: ProfilePaths, qtbot: QtBot
) -> None:
    program = opens(locked)
    program.answer_request(WindowRequest(is_quick=True))
    assert not has_quick_window(program)
    unlock(program, qtbot)
    assert has_quick_window(program)


def test_a_backup_with_another_passphrase_is_restored_once_that_is_given(
    opens: Callable[..., Program], locked: ProfilePaths, tmp_path: Path, qtbot: QtBot
) -> None:
    other = Paths.under(tmp_path).profile("other")
    other.folder.mkdir()
    key, _ = KeyFile.of_profile(other.folder).create("o günkü parola", seconds=0.01)
    archive = open_archive(other.database, backups=other.backups, key=key)
    archive.imports.add([finished("o1", "Eski soru", "Eski yanıt")])
    backup = write_backup(archive.database, tmp_path / "b.db").path
    archive.close()

    program = opens(locked, restoring=backup)
    unlocking = asking(program)
    qtbot.waitUntil(unlocking.isVisible, timeout=PATIENCE_MS)
    unlocking.field.line.setText(WORDS)
    unlocking.unlock.click()
    qtbot.waitUntil(lambda: program._unlocking is not None and asking(program) is not unlocking)
    assert not program.window.isVisible()
    unlock(program, qtbot, "o günkü parola")
    assert program._loaded is not None
    assert [one.id for one in program._loaded.archive.sessions.sessions(EVERYTHING)] == ["o1"]
    assert not is_plain(locked.database)


def test_locking_quits_and_starts_again_without_the_key(
    opens: Callable[[ProfilePaths], Program], locked: ProfilePaths, qtbot: QtBot
) -> None:
    program = opens(locked)
    unlock(program, qtbot)
    program.window.lock()
    assert program.window.restart == LOCKED
    assert not program.window.isVisible()


def test_recent_searches_are_sealed(
    opens: Callable[[ProfilePaths], Program], locked: ProfilePaths, qtbot: QtBot
) -> None:
    (locked.folder / "window.ini").write_text(f"[search]\nrecent={MARK}\n", "utf-8")
    program = opens(locked)
    unlock(program, qtbot)
    assert program._state.lines(SEARCHES) == [MARK]
    program._state.keep_lines(SEARCHES, [MARK, "ikinci"])
    assert program._state.lines(SEARCHES) == [MARK, "ikinci"]
    assert MARK not in (locked.folder / "window.ini").read_text("utf-8")


def test_a_passphrase_is_set_with_a_recovery_sheet_once_nothing_is_open(
    opens: Callable[[ProfilePaths], Program], tmp_path: Path, qtbot: QtBot
) -> None:
    profile = Paths.under(tmp_path).profile(DEFAULT_PROFILE)
    program = Program(QApplication.instance(), Paths.under(tmp_path), profile, Language.TR)  # type: ignore[arg-type]
    with qtbot.waitSignal(program.window.archive.loaded, timeout=PATIENCE_MS):
        program.show()
    program.window.dialogs.show_passphrase()
    dialog = present(program.window.findChild(PassphraseDialog))
    for field in (dialog.new, dialog.again):
        field.line.setText(WORDS)
    dialog._create()
    qtbot.waitUntil(lambda: dialog.pages.currentIndex() == 1, timeout=PATIENCE_MS)
    recovery = dialog.recovery.text()
    assert not profile.is_encrypted
    with qtbot.waitSignal(program.finished, timeout=PATIENCE_MS):
        dialog._end_sheet()
    restart = present(program.window.restart)
    restart.before()
    file = KeyFile.of_profile(profile.folder)
    assert file.unlock(WORDS) == file.unlock(recovery)


def test_it_locks_when_the_user_is_idle_and_not_during_work(
    qapp: QApplication, qtbot: QtBot
) -> None:
    field = QLineEdit()
    qtbot.addWidget(field)
    watch, wanted = LockWatch(qapp, field), list[bool]()
    watch.lock_wanted.connect(lambda: wanted.append(True))
    watch.apply(3)
    for minute in range(6):
        watch.count_minute()
        if minute < 3:
            QTest.keyClick(field, Qt.Key.Key_A)
    assert not wanted
    watch.count_minute()
    assert wanted


def test_it_locks_when_it_wakes_from_a_sleep_that_nothing_announced(
    qapp: QApplication, qtbot: QtBot
) -> None:
    field, clock = QLineEdit(), SettableClock()
    qtbot.addWidget(field)
    watch = LockWatch(qapp, field, now=lambda: clock().timestamp())
    for seconds in (5, 8, -3600, 5):  # a late look and a clock that is set back are no sleep
        clock.pass_by(seconds=seconds)
        with qtbot.assertNotEmitted(watch.lock_wanted):
            watch.look()
    clock.pass_by(minutes=10)
    with qtbot.waitSignal(watch.lock_wanted):
        watch.look()
    with qtbot.assertNotEmitted(watch.lock_wanted):
        watch.look()


@pytest.mark.parametrize(
    ("message", "why", "locks"),
    [(0x2B1, 7, True), (0x2B1, 8, False), (0x218, 4, True), (0x218, 18, False)],
)
def test_a_windows_message_of_a_lock_or_sleep_locks_the_profile(
    qapp: QApplication, message: int, why: int, *, locks: bool
) -> None:
    heard = list[bool]()
    listener = WindowsLocks(lambda: heard.append(True))
    sent = MSG(message=message, wParam=why)
    assert listener.nativeEventFilter(b"windows_generic_MSG", addressof(sent)) == (False, 0)
    assert not heard
    qapp.processEvents()
    assert heard == [True] * locks


@pytest.mark.parametrize("system", ["win32", "darwin"])
def test_an_unavailable_lock_signal_is_logged_and_the_window_opens(
    qapp: QApplication,
    qtbot: QtBot,
    monkeypatch: pytest.MonkeyPatch,
    log_watch: LogWatch,
    system: str,
) -> None:
    field = QLineEdit()
    qtbot.addWidget(field)
    with monkeypatch.context() as patch:
        patch.setattr("sys.platform", system)
        LockWatch(qapp, field).look()
    log_watch.expect("desktop.ui.profile.locking", "the locks of the system are not heard")


@pytest.mark.skipif(not shutil.which("dbus-daemon"), reason="there is no D-Bus here")
@pytest.mark.parametrize(
    ("interface", "name", "body"),
    [
        ("org.freedesktop.login1.Manager", "PrepareForSleep", (True,)),
        ("org.freedesktop.login1.Session", "Lock", ()),
        ("org.freedesktop.ScreenSaver", "ActiveChanged", (True,)),
        ("org.gnome.ScreenSaver", "ActiveChanged", (True,)),
    ],
)
def test_it_locks_when_the_system_sleeps_or_locks_and_not_when_it_wakes(
    qapp: QApplication,
    qtbot: QtBot,
    monkeypatch: pytest.MonkeyPatch,
    interface: str,
    name: str,
    body: tuple[bool, ...],
) -> None:
    field = QLineEdit()
    qtbot.addWidget(field)
    with session_bus() as address, open_dbus_connection(address) as system:
        bus = QDBusConnection.connectToBus(address, f"lock {interface}")
        for kind in ("systemBus", "sessionBus"):
            monkeypatch.setattr(QDBusConnection, kind, lambda: bus)
        watch, wanted = LockWatch(qapp, field), list[bool]()
        watch.lock_wanted.connect(lambda: wanted.append(True))
        bus.interface().isServiceRegistered("org.freedesktop.DBus")  # it has heard what is wanted
        source = DBusAddress("/any/path", interface=interface)
        if body:
            system.send(new_signal(source, name, "b", (False,)))
        system.send(new_signal(source, name, "b" * len(body) or None, body))
        qtbot.waitUntil(lambda: bool(wanted), timeout=PATIENCE_MS)
        assert wanted == [True]
        QDBusConnection.disconnectFromBus(f"lock {interface}")
