"""The open network connections of a client, so that another thread's read can be ended at once.

Closing a socket does not wake the thread that reads from it; shutting it down does.
"""

import socket
import weakref
from collections.abc import Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import httpx2

_NEW_LINE = (".connect_tcp.complete", ".start_tls.complete")


class Lines:
    """Sees every connection that a client opens; any thread may cut them."""

    def __init__(self) -> None:
        self._open: weakref.WeakSet[object] = weakref.WeakSet()
        self._is_cut = False

    def watch(self, request: "httpx2.Request") -> None:
        """A request hook of the client."""
        request.extensions["trace"] = self._trace

    def cut(self) -> None:
        """All that are open, and whichever a request that is under way still opens.

        Nobody would close that one: its client has been closed by then.
        """
        self._is_cut = True
        for line in list(self._open):
            _shut_down(line)

    def _trace(self, name: str, info: Mapping[str, object]) -> None:
        if name.endswith(_NEW_LINE):
            self._open.add(info["return_value"])
            if self._is_cut:
                _shut_down(info["return_value"])


def cut_line_of(response: "httpx2.Response") -> None:
    """End the reading of one response."""
    _shut_down(response.extensions.get("network_stream"))


def _shut_down(line: object) -> None:
    find = getattr(line, "get_extra_info", None)
    found = find("socket") if callable(find) else None
    if not isinstance(found, socket.socket):
        return
    try:
        # Past SSLSocket.shutdown, which would pull the TLS object from under the reading thread.
        socket.socket.shutdown(found, socket.SHUT_RDWR)
    except OSError:  # gone already
        return
