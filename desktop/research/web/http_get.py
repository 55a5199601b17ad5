"""One HTTP GET over a pinned connection, with limits of time and size; follows no redirects."""

import ssl
import zlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING

from desktop.domain.web_errors import (
    PageKindError,
    PageTooLargeError,
    SiteUnreachableError,
    SiteUntrustedError,
)
from desktop.research.web.rate_limiting import Deadline
from desktop.research.web.safe_urls import LookUp, WebAddress, look_up

if TYPE_CHECKING:
    import httpcore2

ROBOT = "Bellek"
"""The user agent that robots.txt may name."""
OK = 200


@dataclass(frozen=True, slots=True)
class HttpResponse:
    address: WebAddress
    status: int
    headers: Mapping[str, str]
    """Names in lower case; the last of several values."""
    body: bytes = b""

    @property
    def kind(self) -> str:
        """The content type without parameters; empty if there is none."""
        return self.headers.get("content-type", "").partition(";")[0].strip().lower()


@dataclass(frozen=True, slots=True)
class RequestOptions:
    """What a request asks for."""

    accept: str
    room: Callable[[HttpResponse], int]
    """The size limit of the decoded body, by the headers; may raise."""
    is_cut: bool = False
    """Cut a longer body instead of refusing it."""


@dataclass(slots=True)
class HttpClient:
    look_up: LookUp = look_up
    trust: ssl.SSLContext | None = None
    """Trusted certificates; None: those of the system."""
    _robot: str = field(default_factory=lambda: f"{ROBOT}/{_version()}")

    def get(
        self,
        address: WebAddress,
        wanted: RequestOptions,
        deadline: Deadline,
        at_home: tuple[str, ...] = (),
    ) -> HttpResponse:
        """The body only of an answer with status 200. Raises WebError."""
        import httpcore2  # noqa: PLC0415  nothing at a start needs it

        from desktop.research.web.pinned_connections import PinnedBackend  # noqa: PLC0415  as above

        lines = PinnedBackend(at_home, self.look_up, deadline)
        with (
            _translated(address.host),
            httpcore2.ConnectionPool(
                ssl_context=self.trust or _system_trust(), network_backend=lines
            ) as pool,
            pool.stream("GET", _url(address), headers=self._headers(address, wanted)) as response,
        ):
            headers = {
                name.decode("ascii", "replace").lower(): value.decode("latin-1")
                for name, value in response.headers
            }
            answer = HttpResponse(address, response.status, headers)
            if answer.status != OK:
                return answer
            return replace(answer, body=_read(response.iter_stream(), answer, wanted))

    def _headers(
        self, address: WebAddress, wanted: RequestOptions
    ) -> "list[tuple[bytes | str, bytes | str]]":
        return [
            ("Host", address.authority),
            ("User-Agent", self._robot),
            ("Accept", wanted.accept),
            ("Accept-Encoding", PACKINGS),
            ("Connection", "close"),
        ]


def _read(arriving: Iterator[bytes], answer: HttpResponse, wanted: RequestOptions) -> bytes:
    host, room = answer.address.host, wanted.room(answer)
    length = answer.headers.get("content-length", "")
    if length.isdecimal() and int(length) > room and not wanted.is_cut:
        raise PageTooLargeError(host=host, limit=room // MEGABYTE)
    body = DecodedBody(host, answer.headers.get("content-encoding", ""), room)
    try:
        for piece in arriving:
            body.feed(piece)
    except PageTooLargeError:
        if not wanted.is_cut:
            raise
    return body.whole()


@contextmanager
def _translated(host: str) -> Iterator[None]:
    import httpcore2  # noqa: PLC0415  as above

    try:
        yield
    except (httpcore2.NetworkError, httpcore2.TimeoutException, httpcore2.ProtocolError) as exc:
        if any(isinstance(one, ssl.SSLCertVerificationError) for one in _behind(exc)):
            raise SiteUntrustedError(host=host) from exc
        raise SiteUnreachableError(host=host) from exc


def _behind(error: BaseException | None) -> Iterator[BaseException]:
    while error is not None:
        yield error
        error = error.__cause__ or error.__context__


def _url(address: WebAddress) -> "httpcore2.URL":
    import httpcore2  # noqa: PLC0415  as above

    return httpcore2.URL(
        scheme=address.scheme.encode(),
        host=address.host.encode(),
        port=address.port,
        target=address.target.encode(),
    )


@cache
def _system_trust() -> ssl.SSLContext:
    import httpcore2  # noqa: PLC0415  as above

    return httpcore2.default_ssl_context()


def _version() -> str:
    try:
        return version("bellek")
    except PackageNotFoundError:
        return "0"


MEGABYTE = 1024 * 1024
PACKINGS = "gzip, deflate"

_GZIP_OR_ZLIB = 32 + zlib.MAX_WBITS


class DecodedBody:
    """Decodes a compressed body up to a limit. Raises PageTooLargeError, PageKindError."""

    def __init__(self, host: str, packing: str, limit: int) -> None:
        self._host = host
        self._limit = limit
        self._packing = packing.strip().lower()
        self._pieces: list[bytes] = []
        self._arrived = 0
        self._size = 0
        self._unpacker = None
        if self._packing in ("gzip", "x-gzip", "deflate"):
            self._unpacker = zlib.decompressobj(_GZIP_OR_ZLIB)
        elif self._packing not in ("", "identity"):
            raise PageKindError(host=host, kind=self._packing[:40])

    def feed(self, arrived: bytes) -> None:
        self._arrived += len(arrived)
        piece = self._unpacked(arrived) if self._unpacker else arrived
        self._size += len(piece)
        if max(self._size, self._arrived) > self._limit:
            raise PageTooLargeError(host=self._host, limit=self._limit // MEGABYTE)
        self._pieces.append(piece)

    def whole(self) -> bytes:
        return b"".join(self._pieces)

    def _unpacked(self, arrived: bytes) -> bytes:
        """At most one byte over the limit, however much the data expands to."""
        if self._unpacker is None or self._unpacker.eof:
            return b""
        try:
            return self._unpacker.decompress(arrived, self._limit - self._size + 1)
        except zlib.error as exc:
            raise PageKindError(host=self._host, kind=self._packing) from exc
