"""One HTTP request over a connection that goes only to checked addresses (DNS pinning).

Heavy to import: imported when something is fetched. Follows no redirects.
"""

import ssl
import zlib
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from email.message import Message
from functools import cache

import httpcore2

from desktop.domain.model import number_in
from desktop.domain.web import (
    PageKindError,
    PageTooLargeError,
    SiteUnreachableError,
    SiteUntrustedError,
)
from desktop.research.web.rate_limiting import Deadline
from desktop.research.web.safe_urls import LookUp, WebAddress, checked_addresses

_MEGABYTE = 1 << 20
_GZIP_OR_ZLIB = 32 + zlib.MAX_WBITS
_MOST_TRIED = 3
_LONGEST_TRY_S = 6.0
_system_trust = cache(httpcore2.default_ssl_context)


@dataclass(slots=True)
class HttpResponse:
    address: WebAddress
    status: int
    headers: Message
    chunks: Iterable[bytes]
    body: bytes = b""

    @property
    def kind(self) -> str:
        """Return the content type without parameters; empty if there is none."""
        return self.headers.get_content_type() if "content-type" in self.headers else ""

    def read(self, limit: int, *, is_cut: bool) -> None:
        """Read a body up to a size limit. Raises PageTooLargeError, PageKindError.

        `is_cut`: whether a longer one is cut instead of refused.
        """
        host = self.address.host
        too_large = PageTooLargeError(host=host, limit=limit // _MEGABYTE)
        length = self.headers.get("content-length", "")
        if number_in(limit + 1, length) is not None and not is_cut:
            raise too_large
        packing = self.headers.get("content-encoding", "").strip().lower()
        is_packed = packing in ("gzip", "x-gzip", "deflate")
        if not is_packed and packing not in ("", "identity"):
            raise PageKindError(host=host, kind=packing[:40])
        unpacker = zlib.decompressobj(_GZIP_OR_ZLIB)
        body, arrived = bytearray(), 0
        for piece in self.chunks:
            arrived += len(piece)
            try:
                # At most one byte over the limit, however much the data expands to.
                body += unpacker.decompress(piece, limit - len(body) + 1) if is_packed else piece
            except zlib.error as exc:
                raise PageKindError(host=host, kind=packing) from exc
            if max(len(body), arrived) > limit:
                if not is_cut:
                    raise too_large
                break
        self.body = bytes(body[:limit])


@contextmanager
def open_response(
    address: WebAddress,
    headers: Mapping[str, str],
    backend: "PinnedBackend",
    trust: ssl.SSLContext | None,
    body: bytes | None = None,
) -> Iterator[HttpResponse]:
    """Yield the response of a GET, or with a body of a POST.

    Raises WebError, also while the body is read.
    """
    method = "GET" if body is None else "POST"
    url = httpcore2.URL(
        scheme=address.scheme.encode(),
        host=address.host.encode(),
        port=address.port,
        target=address.target.encode(),
    )
    sent = {
        "Host": address.authority,
        "Accept-Encoding": "gzip, deflate",
        "Connection": "close",
        **headers,
    }
    try:
        with (
            httpcore2.ConnectionPool(trust or _system_trust(), network_backend=backend) as pool,
            pool.stream(method, url, headers=list(sent.items()), content=body) as opened,
        ):
            response_headers = Message()
            for name, value in opened.headers:
                response_headers[name.decode("ascii", "replace")] = value.decode("latin-1")
            yield HttpResponse(address, opened.status, response_headers, opened.iter_stream())
    except (httpcore2.NetworkError, httpcore2.TimeoutException, httpcore2.ProtocolError) as exc:
        cause: BaseException | None = exc
        while cause is not None:
            if isinstance(cause, ssl.SSLCertVerificationError):
                raise SiteUntrustedError(host=address.host) from exc
            cause = cause.__cause__ or cause.__context__
        raise SiteUnreachableError(host=address.host) from exc


class PinnedBackend(httpcore2.NetworkBackend):
    """For one request. Raises WebError besides the errors of httpcore2."""

    def __init__(self, at_home: tuple[str, ...], look_up: LookUp, deadline: Deadline) -> None:
        self._at_home = at_home
        self._look_up = look_up
        self._deadline = deadline
        self._plain = httpcore2.SyncBackend()

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,  # noqa: ARG002  one deadline for all of it
        local_address: str | None = None,
        socket_options: Iterable[httpcore2.SOCKET_OPTION] | None = None,
    ) -> httpcore2.NetworkStream:
        addresses = checked_addresses(host, port, at_home=self._at_home, look_up=self._look_up)
        failed: Exception = httpcore2.ConnectError(host)
        for address in addresses[:_MOST_TRIED]:
            wait_s = min(_LONGEST_TRY_S, self._deadline.left_s(host))
            try:
                stream = self._plain.connect_tcp(
                    address, port, wait_s, local_address, socket_options
                )
            except (httpcore2.ConnectError, httpcore2.ConnectTimeout) as exc:
                failed = exc
            else:
                return TimedSocket(stream, host, self._deadline)
        raise failed


class TimedSocket(httpcore2.NetworkStream):
    """A connection that ends at the deadline, however slowly bytes arrive, or when stopped."""

    def __init__(self, stream: httpcore2.NetworkStream, host: str, deadline: Deadline) -> None:
        self._stream = stream
        self._host = host
        self._deadline = deadline

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:  # noqa: ARG002  as above
        while True:
            try:
                return self._stream.read(max_bytes, self._deadline.slice_s(self._host))
            except httpcore2.ReadTimeout:
                continue

    def write(self, buffer: bytes, timeout: float | None = None) -> None:  # noqa: ARG002  as above
        self._stream.write(buffer, self._deadline.left_s(self._host))

    def close(self) -> None:
        self._stream.close()

    def start_tls(
        self,
        ssl_context: ssl.SSLContext,
        server_hostname: str | None = None,
        timeout: float | None = None,  # noqa: ARG002  as above
    ) -> httpcore2.NetworkStream:
        """Start TLS; the certificate is checked for the host name, not for the address."""
        left_s = self._deadline.left_s(self._host)
        stream = self._stream.start_tls(ssl_context, server_hostname, left_s)
        return TimedSocket(stream, self._host, self._deadline)

    def get_extra_info(self, info: str) -> object:
        return self._stream.get_extra_info(info)
