"""A server of a test: runs on loopback in a thread of its own, until the test ends."""

import threading
from http.server import ThreadingHTTPServer
from typing import Self


class Serving:
    """Handlers that stall wait for `closing`."""

    def __init__(self, http: ThreadingHTTPServer, name: str) -> None:
        self.closing = threading.Event()
        self._http = http
        # A short poll, because shutdown() waits for the next one.
        self._thread = threading.Thread(
            target=http.serve_forever, args=(0.02,), name=name, daemon=True
        )
        self._thread.start()

    @property
    def port(self) -> int:
        return int(self._http.server_address[1])

    def close(self) -> None:
        self.closing.set()
        self._http.shutdown()
        self._hang_up()
        self._http.server_close()
        self._thread.join()

    def _hang_up(self) -> None:
        """Leave the clients that are still connected, if the server does not end by itself."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
