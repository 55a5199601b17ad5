"""Connects only to addresses that were resolved and checked before (DNS pinning).

Heavy to import: imported when something is fetched.
"""

from collections.abc import Iterable
from typing import TYPE_CHECKING

import httpcore2

from desktop.research.web.rate_limiting import Deadline
from desktop.research.web.safe_urls import LookUp, checked_addresses

if TYPE_CHECKING:
    import ssl

_MOST_TRIED = 3
_LONGEST_TRY_S = 6.0


class PinnedBackend(httpcore2.NetworkBackend):
    """For one request. Raises WebError beside the errors of httpcore2."""

    def __init__(self, at_home: tuple[str, ...], look_up: LookUp, deadline: Deadline) -> None:
        self._at_home = at_home
        self._look_up = look_up
        self._patience = deadline
        self._plain = httpcore2.SyncBackend()

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,  # noqa: ARG002  one patience for all of it
        local_address: str | None = None,
        socket_options: Iterable[httpcore2.SOCKET_OPTION] | None = None,
    ) -> httpcore2.NetworkStream:
        found = checked_addresses(host, port, at_home=self._at_home, look_up=self._look_up)
        failed: Exception = httpcore2.ConnectError(host)
        for address in found[:_MOST_TRIED]:
            wait_s = min(_LONGEST_TRY_S, self._patience.left_s(host))
            try:
                line = self._plain.connect_tcp(
                    address, port, wait_s, local_address, socket_options
                )
            except (httpcore2.ConnectError, httpcore2.ConnectTimeout) as exc:
                failed = exc
            else:
                return TimedSocket(line, host, self._patience)
        raise failed


class TimedSocket(httpcore2.NetworkStream):
    """A connection that ends at the deadline, however slowly bytes arrive, or when stopped."""

    def __init__(self, line: httpcore2.NetworkStream, host: str, deadline: Deadline) -> None:
        self._line = line
        self._host = host
        self._patience = deadline

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:  # noqa: ARG002  as above
        while True:
            try:
                return self._line.read(max_bytes, self._patience.slice_s(self._host))
            except httpcore2.ReadTimeout:
                continue

    def write(self, buffer: bytes, timeout: float | None = None) -> None:  # noqa: ARG002  as above
        self._line.write(buffer, self._patience.left_s(self._host))

    def close(self) -> None:
        self._line.close()

    def start_tls(
        self,
        ssl_context: "ssl.SSLContext",
        server_hostname: str | None = None,
        timeout: float | None = None,  # noqa: ARG002  as above
    ) -> httpcore2.NetworkStream:
        """The certificate is checked for the host name, not for the address."""
        left_s = self._patience.left_s(self._host)
        line = self._line.start_tls(ssl_context, server_hostname, left_s)
        return TimedSocket(line, self._host, self._patience)

    def get_extra_info(self, info: str) -> object:
        return self._line.get_extra_info(info)
