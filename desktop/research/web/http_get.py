"""One HTTP GET over a pinned connection, with limits of time and size; follows no redirects."""

import ssl
import zlib
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from email.message import Message

from desktop.domain.web_errors import PageKindError, PageTooLargeError
from desktop.research.web.rate_limiting import Deadline
from desktop.research.web.safe_urls import LookUp, WebAddress, look_up
from desktop.settings.paths import program_version

ROBOT = "Bellek"
"""The user agent that robots.txt may name."""
OK = 200
MEGABYTE = 1024 * 1024
_GZIP_OR_ZLIB = 32 + zlib.MAX_WBITS


@dataclass(frozen=True, slots=True)
class HttpResponse:
    address: WebAddress
    status: int
    headers: Message
    body: bytes = b""

    @property
    def kind(self) -> str:
        """The content type without parameters; empty if there is none."""
        return self.headers.get_content_type() if "content-type" in self.headers else ""


@dataclass(frozen=True, slots=True)
class RequestOptions:
    """What a request asks for."""

    accept: str
    room: Callable[[HttpResponse], int]
    """The size limit of the decoded body, by the headers; may raise."""
    is_cut: bool = False
    """Cut a longer body instead of refusing it."""


@dataclass(frozen=True, slots=True)
class HttpClient:
    look_up: LookUp = look_up
    trust: ssl.SSLContext | None = None
    """Trusted certificates; None: those of the system."""

    def get(
        self,
        address: WebAddress,
        wanted: RequestOptions,
        deadline: Deadline,
        at_home: tuple[str, ...] = (),
    ) -> HttpResponse:
        """The body only of an answer with status 200. Raises WebError."""
        # Loads httpcore2, which nothing else at a start needs.
        from desktop.research.web.pinned_connections import (  # noqa: PLC0415
            PinnedBackend,
            open_response,
        )

        headers = {
            "Host": address.authority,
            "User-Agent": f"{ROBOT}/{program_version()}",
            "Accept": wanted.accept,
            "Accept-Encoding": "gzip, deflate",
            "Connection": "close",
        }
        backend = PinnedBackend(at_home, self.look_up, deadline)
        with open_response(address, headers, backend, self.trust) as opened:
            response = HttpResponse(address, opened.status, Message())
            for name, value in opened.headers:
                response.headers[name.decode("ascii", "replace")] = value.decode("latin-1")
            if response.status != OK:
                return response
            return replace(response, body=_body(opened.iter_stream(), response, wanted))


def _body(arriving: Iterable[bytes], response: HttpResponse, wanted: RequestOptions) -> bytes:
    """The decoded body. Raises PageTooLargeError, PageKindError."""
    room = wanted.room(response)
    too_large = PageTooLargeError(host=response.address.host, limit=room // MEGABYTE)
    length = response.headers.get("content-length", "")
    if length.isdecimal() and int(length) > room and not wanted.is_cut:
        raise too_large
    packing = response.headers.get("content-encoding", "").strip().lower()
    is_packed = packing in ("gzip", "x-gzip", "deflate")
    if not is_packed and packing not in ("", "identity"):
        raise PageKindError(host=response.address.host, kind=packing[:40])
    unpacker = zlib.decompressobj(_GZIP_OR_ZLIB)
    body, arrived = bytearray(), 0
    for piece in arriving:
        arrived += len(piece)
        try:
            # At most one byte over the limit, however much the data expands to.
            body += unpacker.decompress(piece, room - len(body) + 1) if is_packed else piece
        except zlib.error as exc:
            raise PageKindError(host=response.address.host, kind=packing) from exc
        if max(len(body), arrived) > room:
            if wanted.is_cut:
                break
            raise too_large
    return bytes(body[:room])
