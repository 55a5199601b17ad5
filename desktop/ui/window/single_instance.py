"""A second start raises the window of the first one."""

from hashlib import sha256
from pathlib import Path

from PySide6.QtCore import QObject, Signal
from PySide6.QtNetwork import QLocalServer, QLocalSocket

_WAIT_MS = 1_000
_RAISE = b"raise\n"


def _name(profile: Path) -> str:
    return f"bellek-{sha256(str(profile.resolve()).encode()).hexdigest()[:16]}"


def raise_first_window(profile: Path) -> bool:
    """Ask the process that has the profile to show its window; whether one heard it."""
    socket = QLocalSocket()
    socket.connectToServer(_name(profile))
    if not socket.waitForConnected(_WAIT_MS):
        return False
    socket.write(_RAISE)
    heard = socket.waitForBytesWritten(_WAIT_MS)
    socket.disconnectFromServer()
    return heard


class SingleInstance(QObject):
    """Listens for later starts; only the profile's owner makes one."""

    raise_asked = Signal()

    def __init__(self, profile: Path, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._server = QLocalServer(self)
        self._server.setSocketOptions(QLocalServer.SocketOption.UserAccessOption)
        # What a killed process left behind would keep the name taken.
        QLocalServer.removeServer(_name(profile))
        self._server.newConnection.connect(self._hear)
        self._server.listen(_name(profile))

    def _hear(self) -> None:
        # That somebody called is all there is to say; the words are not read.
        caller = self._server.nextPendingConnection()
        caller.disconnected.connect(caller.deleteLater)
        self.raise_asked.emit()
