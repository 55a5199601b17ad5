"""What outlasts a window: its stored state, the single instance of a profile, and the shutdown."""

import json
from base64 import b64decode, b64encode
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QByteArray, QObject, QSettings, Qt, QTimer, Signal
from PySide6.QtNetwork import QLocalServer, QLocalSocket
from PySide6.QtWidgets import QWidget

from desktop.domain.sessions import Draft
from desktop.ui.services import Worker
from desktop.ui.session.background_scheduler import BackgroundScheduler
from desktop.ui.session.controller import SessionController
from desktop.ui.window.splitter_layout import Side, SplitterLayout

if TYPE_CHECKING:
    from desktop.sessions.services import Services
    from desktop.settings.encryption import ProfileKey

_FIRST_SIZE = (1180, 780)
_LONGEST_SHUTDOWN_MS = 1_500
_WAIT_MS = 1_000
_SEALED = "sealed:"
SEARCHES = "search/recent"
PALETTE_USED = "palette/used"
"""The stored history of each, newest first: recent searches, keys of chosen palette items."""


@dataclass(frozen=True, slots=True)
class WindowRequest:
    """What a start of Bellek wants to see: its main window, by default."""

    is_quick: bool = False  # the small window for a question
    files: Sequence[Path] = ()  # to be added, as if they had been dropped on the window
    is_hidden: bool = False  # only the icon in the tray, if the settings have one
    is_repair: bool = False  # a new window checks and repairs its archive first
    is_locked: bool = False  # a running window locks its profile, a new one asks in any case

    def line(self) -> bytes:
        """Return the request as the line that another process receives."""
        files = [str(one.resolve()) for one in self.files]
        said = {"quick": self.is_quick, "files": files, "lock": self.is_locked}
        return json.dumps(said).encode() + b"\n"


@dataclass(slots=True)
class WindowState:
    """A separate small file, because it changes with every resize and is no setting."""

    file: Path | None
    sealing: "ProfileKey | None" = None  # Of an encrypted profile: it seals what is kept

    def restore(self, window: QWidget, shell: SplitterLayout) -> None:
        window.resize(*_FIRST_SIZE)
        if isinstance(geometry := self._value("window/geometry"), QByteArray):
            window.restoreGeometry(geometry)
        shell.restore(
            (
                self._number("sidebar/width", shell.side_width(Side.LEFT)),
                self._number("panel/width", shell.side_width(Side.RIGHT)),
            ),
            (self._number("sidebar/open", 1) != 0, False),
        )

    def keep(self, window: QWidget, shell: SplitterLayout) -> None:
        self._keep("window/geometry", window.saveGeometry())
        self._keep("sidebar/width", shell.side_width(Side.LEFT))
        self._keep("panel/width", shell.side_width(Side.RIGHT))
        self._keep("sidebar/open", int(shell.is_wanted(Side.LEFT)))

    def seal(self, sealing: "ProfileKey", *, is_on: bool = True) -> None:
        """Encrypt what was stored plainly; or decrypt it if encryption is off now."""
        self.sealing = sealing
        kept = {key: self.lines(key) for key in (SEARCHES, PALETTE_USED)}
        self.sealing = sealing if is_on else None
        for key, lines in kept.items():
            self.keep_lines(key, lines)

    def web_is_lent(self) -> bool:
        """Whether the web was on for only one question when the program last ended."""
        return self._number("web/lent", 0) != 0

    def keep_web_lent(self, is_lent: bool) -> None:  # noqa: FBT001 (one word says it)
        self._keep("web/lent", int(is_lent))

    def web_is_refused(self) -> bool:
        return self._number("web/refused", 0) != 0

    def keep_web_refused(self, is_refused: bool) -> None:  # noqa: FBT001 (one word says it)
        self._keep("web/refused", int(is_refused))

    def lines(self, key: str) -> list[str]:
        kept = str(self._value(key) or "")
        if kept.startswith(_SEALED):
            data, kept = b64decode(kept.removeprefix(_SEALED)), ""
            with suppress(ValueError):
                kept = self.sealing.unseal(data, key).decode() if self.sealing else ""
        return [one for one in kept.split("\n") if one]

    def keep_lines(self, key: str, lines: Sequence[str]) -> None:
        kept = "\n".join(lines)
        if self.sealing is not None:
            kept = _SEALED + b64encode(self.sealing.seal(kept.encode(), key)).decode()
        self._keep(key, kept)

    def _number(self, key: str, otherwise: int) -> int:
        # The file has it as text; this process wrote it as a number.
        return int(text) if (text := str(self._value(key))).isdecimal() else otherwise

    def _value(self, key: str) -> object:
        return self._open().value(key) if self.file else None

    def _keep(self, key: str, value: object) -> None:
        if self.file:
            kept = self._open()
            kept.setValue(key, value)
            kept.sync()

    def _open(self) -> QSettings:
        return QSettings(str(self.file), QSettings.Format.IniFormat)


def ask_first_window(profile: Path, asked: WindowRequest) -> bool:
    """Ask the process with this profile to show a window; return whether it heard."""
    socket = QLocalSocket()
    socket.connectToServer(_server_name(profile))
    if not socket.waitForConnected(_WAIT_MS):
        return False
    socket.write(asked.line())
    heard = socket.waitForBytesWritten(_WAIT_MS)
    socket.disconnectFromServer()
    return heard


class SingleInstance(QObject):
    """Receives requests from later starts of Bellek; only the profile's owner creates it."""

    asked = Signal(object)  # WindowRequest

    def __init__(self, profile: Path, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._server = QLocalServer(self)
        self._server.setSocketOptions(QLocalServer.SocketOption.UserAccessOption)
        # A killed process leaves a socket behind that would block the name.
        QLocalServer.removeServer(_server_name(profile))
        self._server.newConnection.connect(self._hear)
        self._server.listen(_server_name(profile))

    def _hear(self) -> None:
        caller = self._server.nextPendingConnection()
        caller.disconnected.connect(caller.deleteLater)

        def read() -> None:
            # A line of some hundred bytes, which a local socket delivers at once.
            said = json.loads(bytes(caller.readLine().data()))
            files = tuple(Path(one) for one in said["files"])
            request = WindowRequest(bool(said["quick"]), files, is_locked=bool(said["lock"]))
            self.asked.emit(request)

        if caller.bytesAvailable():
            read()
        else:
            caller.readyRead.connect(read, Qt.ConnectionType.SingleShotConnection)


def _server_name(profile: Path) -> str:
    return f"bellek-{sha256(str(profile.resolve()).encode()).hexdigest()[:16]}"


class ShutdownController(QObject):
    """Closes the window: hidden at once, the program ends when everything is saved."""

    ended = Signal()  # Everything is saved, or took too long

    def __init__(
        self, sessions: SessionController, background: BackgroundScheduler, worker: Worker
    ) -> None:
        super().__init__(sessions)
        self._sessions = sessions
        self._background = background
        self._worker = worker
        self.is_leaving = False

    def begin(self) -> None:
        """Start closing; a draft is saved once the services are attached."""
        self.is_leaving = True
        self._background.stop()
        self._sessions.asking.give_back()
        draft = self._background.draft()
        if not self._worker.is_ready and not draft.text:
            self._end()
            return
        self._worker.bridge.cancel_all()
        self._worker.drop_waiting()
        has_kept = self._background.has_kept_draft
        self._worker.do_in_turn(
            lambda services: _close(services, draft, has_kept=has_kept), settled=self._end
        )
        QTimer.singleShot(_LONGEST_SHUTDOWN_MS, self, self._end)

    def _end(self) -> None:
        if self.is_leaving:
            self.is_leaving = False
            self.ended.emit()


def _close(services: "Services", draft: Draft, *, has_kept: bool) -> None:  # worker thread
    """End the session and keep the draft. `has_kept`: the draft contains the kept one."""
    ended = services.assistant.active
    services.assistant.close()
    # After the end: the next start has a new session for the draft.
    has_whole = has_kept and not services.assistant.has_waiting_draft
    whole = draft.behind(Draft() if has_whole else services.assistant.draft())
    if ended is not None and ended.has_exchange and not whole.text:
        whole = replace(whole, attachments=())  # they were sent with the question
    services.assistant.keep_draft(whole)
    if ended is not None and services.assistant.active is None:
        services.archive.clear_draft(ended.id)
