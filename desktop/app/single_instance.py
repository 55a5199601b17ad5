"""The single window of a profile: a later start asks the first one to show what it wants.

It needs QtNetwork, which a window loads behind its first paint.
"""

from hashlib import sha256
from pathlib import Path

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtNetwork import QLocalServer, QLocalSocket

from desktop.ui.window.lifetime import LONGEST_LINE, WindowRequest

_WAIT_MS = 1_000


def ask_first_window(profile: Path, request: WindowRequest) -> bool:
    """Ask the process with this profile to show a window; return whether it heard."""
    socket = QLocalSocket()
    socket.connectToServer(_server_name(profile))
    if not socket.waitForConnected(_WAIT_MS):
        return False
    socket.write(request.line())
    while socket.bytesToWrite() and socket.waitForBytesWritten(_WAIT_MS):
        pass
    is_sent = not socket.bytesToWrite()
    socket.disconnectFromServer()
    return is_sent


class SingleInstance(QObject):
    """Receives requests from later starts of Bellek; only the profile's owner creates it."""

    window_requested = Signal(object)  # WindowRequest

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
            if caller.canReadLine():
                line = bytes(caller.readLine().data())
                self.window_requested.emit(WindowRequest.of_line(line))
            elif caller.bytesAvailable() > LONGEST_LINE:
                caller.abort()
            else:
                caller.readyRead.connect(read, Qt.ConnectionType.SingleShotConnection)

        read()


def _server_name(profile: Path) -> str:
    return f"bellek-{sha256(str(profile.resolve()).encode()).hexdigest()[:16]}"
