"""The process around the window: Qt's application, signals, uncaught exceptions, restart.

It also says why there is no window, and starts with the system: XDG autostart on Linux, a launch
agent on macOS, the Run key on Windows; the last two are untested.
"""

import logging
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from types import TracebackType

from PySide6.QtCore import (
    QObject,
    QProcess,
    QProcessEnvironment,
    QSocketNotifier,
    QtMsgType,
    qInstallMessageHandler,
)
from PySide6.QtGui import QGuiApplication, QIcon
from PySide6.QtWidgets import QApplication

from desktop.cli.commands import print_error
from desktop.domain.errors import AppError, FileNotWrittenError, WindowUnavailableError
from desktop.domain.language import Language
from desktop.settings.messages import Texts, system_language
from desktop.settings.paths import asset
from desktop.ui.widgets.plain_text import MessageBox


def show_why(error: AppError, language: Language | None) -> None:
    app = make_application(language)
    words = Texts(language or system_language(os.environ)).error(error)
    box = MessageBox(MessageBox.Icon.Critical, words)
    box.setWindowTitle(app.applicationName())
    box.exec()


def make_application(language: Language | None = None) -> QApplication:
    QGuiApplication.setDesktopFileName("app.bellek.Bellek")
    qInstallMessageHandler(partial(_say_why_no_window, language, []))
    app = QApplication(sys.argv[:1])
    qInstallMessageHandler(None)
    app.setApplicationName("Bellek")
    app.setQuitOnLastWindowClosed(False)
    app.setWindowIcon(QIcon(str(asset("resources", "icons", "bellek.svg"))))
    return app


def _say_why_no_window(
    language: Language | None, before: list[str], kind: QtMsgType, _: object, words: str
) -> None:
    """Say why there will be no window; Qt would abort next, with a raw text and a dump."""
    if kind is not QtMsgType.QtFatalMsg:
        before.append(" ".join(words.split()))
        return
    texts = Texts(language or system_language(os.environ))
    print_error(texts, WindowUnavailableError(detail=" ".join(dict.fromkeys(before)) or words))
    sys.stderr.flush()
    os._exit(1)


log = logging.getLogger(__name__)

_OWN = {"--restoring": 2, "--repairing": 1, "--keep-locked": 1, "--in-tray": 1, "--profile": 2}
"""Arguments for one start only, with the number of words of each."""


@contextmanager
def log_uncaught(tell: Callable[[str], object]) -> Iterator[None]:
    """Log uncaught exceptions; `tell` gets their names, on the thread that raised them."""

    def hear(kind: type[BaseException], bug: BaseException, way: TracebackType | None) -> None:
        if issubclass(kind, Exception):
            log.error("something broke", exc_info=(kind, bug, way))
            tell(kind.__name__)
        sys.__excepthook__(kind, bug, way)

    def hear_in_thread(met: threading.ExceptHookArgs) -> None:
        if met.exc_value is not None:
            hear(met.exc_type, met.exc_value, met.exc_traceback)

    before, before_in_threads = sys.excepthook, threading.excepthook
    sys.excepthook, threading.excepthook = hear, hear_in_thread
    try:
        yield
    finally:
        sys.excepthook, threading.excepthook = before, before_in_threads


class SignalWatch(QObject):
    """SIGTERM and SIGINT close the window, without a question.

    Python runs its handlers between its own instructions, and Qt's loop runs none: a socket
    that the interpreter writes to wakes it.
    """

    def __init__(self, close: Callable[[], object], parent: QObject) -> None:
        import socket  # noqa: PLC0415 - not for the start

        super().__init__(parent)
        self._close = close
        self._ours, self._pythons = socket.socketpair()
        for end in (self._ours, self._pythons):
            end.setblocking(False)
        signal.set_wakeup_fd(self._pythons.fileno(), warn_on_full_buffer=False)
        self._before = {
            number: signal.signal(number, lambda *_: None)
            for number in (signal.SIGTERM, signal.SIGINT)
        }
        self._notifier = QSocketNotifier(self._ours.fileno(), QSocketNotifier.Type.Read, self)
        self._notifier.activated.connect(self._hear)

    def release(self) -> None:
        self._notifier.setEnabled(False)
        signal.set_wakeup_fd(-1)
        for number, handler in self._before.items():
            signal.signal(number, handler)
        self._ours.close()
        self._pythons.close()

    def _hear(self) -> None:
        if any(number in self._before for number in self._ours.recv(64)):
            self._close()


def start_again(*options: str) -> None:
    """Start a process with the same arguments plus these; it outlives this one.

    Release the profile's lock first.
    """
    arguments = list(sys.argv[1:] if getattr(sys, "frozen", False) else sys.orig_argv[1:])
    for name, length in _OWN.items():
        if name in arguments and (name in options or name != "--profile"):
            place = arguments.index(name)
            del arguments[place : place + length]
    process = QProcess()
    process.setProgram(sys.executable)
    process.setArguments([*arguments, *options])
    process.setWorkingDirectory(os.getcwd())  # noqa: PTH109 - relative arguments refer to it
    environment = QProcessEnvironment.systemEnvironment()
    # Without it PyInstaller's boot loader treats the new process as a part of this one.
    environment.insert("PYINSTALLER_RESET_ENVIRONMENT", "1")
    process.setProcessEnvironment(environment)
    process.startDetached()


_NAME = "app.bellek.Bellek"
_RUN = r"Software\Microsoft\Windows\CurrentVersion\Run"


def set_autostart(*, is_on: bool) -> None:
    """Register or unregister the program for the user; raises FileNotWrittenError."""
    import shutil  # noqa: PLC0415 - for this alone

    installed = sys.executable if getattr(sys, "frozen", False) else shutil.which("bellek")
    command = [installed] if installed else [sys.executable, "-m", "desktop"]
    command.append("--in-tray")
    if sys.platform == "win32":
        _set_run_key(command, is_on=is_on)
        return
    file, entry = _agent(command) if sys.platform == "darwin" else _desktop_entry(command)
    try:
        if is_on:
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(entry)
        else:
            file.unlink(missing_ok=True)
    except OSError as exc:
        raise FileNotWrittenError(path=str(file), detail=exc.strerror or "") from exc


def _desktop_entry(command: Sequence[str]) -> tuple[Path, bytes]:
    config = os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config"
    quoted = " ".join(f'"{part}"' for part in command)
    entry = f"[Desktop Entry]\nType=Application\nName=Bellek\nExec={quoted}\n"
    return Path(config) / "autostart" / f"{_NAME}.desktop", entry.encode()


def _agent(command: Sequence[str]) -> tuple[Path, bytes]:
    import plistlib  # noqa: PLC0415 - for this alone

    properties = {"Label": _NAME, "ProgramArguments": list(command), "RunAtLoad": True}
    return Path.home() / "Library" / "LaunchAgents" / f"{_NAME}.plist", plistlib.dumps(properties)


if sys.platform == "win32":
    import subprocess
    import winreg

    def _set_run_key(command: Sequence[str], *, is_on: bool) -> None:
        try:
            with winreg.CreateKey(winreg.HKEY_CURRENT_USER, _RUN) as key:
                if is_on:
                    line = subprocess.list2cmdline(command)
                    winreg.SetValueEx(key, _NAME, 0, winreg.REG_SZ, line)
                else:
                    winreg.DeleteValue(key, _NAME)
        except FileNotFoundError:
            return  # it was not registered
        except OSError as exc:
            raise FileNotWrittenError(path=_RUN, detail=exc.strerror or "") from exc
