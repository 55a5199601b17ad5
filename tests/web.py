"""A small web on loopback: search results, pages, redirects, and hostile sites.

Any host may be requested: `Web.look_up` resolves all of them to this server. Nothing leaves the
machine.
"""

import gzip
import ipaddress
import json
import ssl
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlsplit

from desktop.domain.web import Contact
from desktop.research.web.fetch import Fetcher
from desktop.research.web.rate_limiting import RateLimiter
from desktop.research.web.safe_urls import AccessRules
from tests.serving import Serving

HTML = "text/html; charset=utf-8"
LOOPBACK = "127.0.0.1"


@dataclass(frozen=True, slots=True)
class Served:
    """The response of a path."""

    body: bytes = b""
    kind: str | None = HTML
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    chunks: Callable[[threading.Event], Iterator[bytes]] | None = None
    """Instead of a body: sent as they come, without a length, until the event is set."""
    head_chunks: Callable[[threading.Event], Iterator[bytes]] | None = None
    """Instead of all of it, the status line too."""


@dataclass(frozen=True, slots=True)
class Asked:
    host: str
    path: str
    """With its query."""
    headers: Mapping[str, str]
    """Names in lower case."""


def page(title: str, *paragraphs: str, language: str = "en") -> Served:
    """An article as sites write them: a menu, a head, paragraphs, a foot."""
    text = "\n".join(one if one.startswith("<") else f"<p>{one}</p>" for one in paragraphs)
    return Served(
        f"""<!doctype html><html lang="{language}"><head><meta charset="utf-8">
<title>{title}</title></head><body>
<nav><ul><li><a href="/">Home</a></li><li><a href="/about">About us</a></li></ul></nav>
<article><h1>{title}</h1>
{text}
</article><footer><p>Cookies, imprint, all rights reserved.</p></footer></body></html>""".encode()
    )


def redirect(to: str, status: int = 302) -> Served:
    return Served(status=status, headers={"Location": to})


def robots(text: str) -> Served:
    return Served(text.encode(), "text/plain")


def packed(served: Served, *, times: int = 1) -> Served:
    body = served.body
    for _ in range(times):
        body = gzip.compress(body)
    return replace(served, body=body, headers={**served.headers, "Content-Encoding": "gzip"})


@cache
def bomb(megabytes: int = 20) -> Served:
    """A small response that expands to a huge one."""
    squeezed = gzip.compress(b"<p>" + b" " * (megabytes << 20), compresslevel=1)
    return Served(squeezed, headers={"Content-Encoding": "gzip"})


def huge(says_so: bool = True) -> Served:  # noqa: FBT001, FBT002  one switch, and named by all
    """A hundred megabytes, with or without a declared length."""
    piece = b"x" * 65536

    def chunks(closing: threading.Event) -> Iterator[bytes]:
        for _ in range(1600):
            if closing.is_set():
                return
            yield piece

    return Served(chunks=chunks, headers={"Content-Length": str(100 << 20)} if says_so else {})


def dripping(every_s: float = 0.05) -> Served:
    """Sends a little at a time, without end."""

    def chunks(closing: threading.Event) -> Iterator[bytes]:
        while not closing.wait(every_s):
            yield b"."

    return Served(chunks=chunks)


def dripping_head(every_s: float = 0.05) -> Served:
    """Sends the header a little at a time, without end."""

    def chunks(closing: threading.Event) -> Iterator[bytes]:
        yield b"HTTP/1.1 200 OK\r\nX-Long: "
        while not closing.wait(every_s):
            yield b"a"

    return Served(head_chunks=chunks)


def silent() -> Served:
    """Accepts the request and answers nothing."""

    def chunks(closing: threading.Event) -> Iterator[bytes]:
        closing.wait(60)
        yield from ()

    return Served(head_chunks=chunks)


def cut_short() -> Served:
    """Declares more than it sends."""
    return Served(chunks=lambda _: iter([b"<p>half of"]), headers={"Content-Length": str(10_000)})


def searxng(*results: Mapping[str, str], unresponsive: Sequence[str] = ()) -> Served:
    told = {
        "query": "",
        "results": [dict(one) for one in results],
        "unresponsive_engines": [[name, "CAPTCHA"] for name in unresponsive],
    }
    return Served(json.dumps(told, ensure_ascii=False).encode(), "application/json")


def result(title: str, url: str, content: str = "") -> dict[str, str]:
    return {"title": title, "url": url, "content": content}


@dataclass
class ContactList:
    """The contacts, in order."""

    contacts: list[Contact] = field(default_factory=list)

    def add(self, contact: Contact) -> None:
        self.contacts.append(contact)


def fetcher_for(
    web: "Web",
    rules: Callable[[], AccessRules],
    **more: Any,  # of its fields
) -> Fetcher:
    """A fetcher that resolves every name to the loopback web, and never waits."""
    return Fetcher(
        rules=rules,
        **{"contacts": ContactList(), "look_up": web.look_up, **more},
        rate_limiter=RateLimiter(gap_s=0),
    )


class Web(Serving):
    """Serves what the test registers under `host/path`, or under a path for every host.

    Paths are looked up without their query; what is missing answers 404.
    """

    def __init__(
        self, places: Mapping[str, Served] | None = None, *, identity: ssl.SSLContext | None = None
    ) -> None:
        """`identity`: the certificate, if it uses TLS."""
        self.places: dict[str, Served] = dict(places or {})
        self.names: dict[str, list[str]] = {}
        """Where names lead, if not here."""
        self.asked: list[Asked] = []
        self.looked_up: list[str] = []
        http = _Http((LOOPBACK, 0), self)
        if identity is not None:
            http.socket = identity.wrap_socket(
                http.socket, server_side=True, do_handshake_on_connect=False
            )
        super().__init__(http, "loopback-web")

    @property
    def at_home(self) -> tuple[str, ...]:
        """The hosts that the rules may contact although they are loopback."""
        hosts = {key.partition("/")[0] for key in self.places} - {""}
        return tuple(f"{host}:{self.port}" for host in sorted({*hosts, LOOPBACK, "site.example"}))

    def url(self, path: str = "/", host: str = LOOPBACK) -> str:
        scheme = "https" if isinstance(self._http.socket, ssl.SSLSocket) else "http"
        return f"{scheme}://{host}:{self.port}{path}"

    def put(self, place: str, served: Served) -> str:
        """Register a response; return its address."""
        self.places[place] = served
        host, slash, path = place.partition("/")
        return self.url(slash + path, host or LOOPBACK)

    def paths(self, *, robots: bool = False) -> list[str]:
        """The requested paths, in order."""
        return [one.path for one in self.asked if robots or one.path != "/robots.txt"]

    def look_up(self, host: str, _port: int) -> list[str]:
        """Resolve like a name server: numbers to themselves, every name to this server."""
        self.looked_up.append(host)
        try:
            return [str(ipaddress.ip_address(host))]
        except ValueError:
            return self.names.get(host, [LOOPBACK])

    def served(self, host: str, path: str) -> Served:
        bare = urlsplit(path).path
        there = self.places.get(f"{host}{bare}") or self.places.get(bare)
        return there or Served(b"not found", "text/plain", 404)


def words_of(asked: Asked) -> str:
    """The words of a search request."""
    return parse_qs(urlsplit(asked.path).query).get("q", [""])[0]


class _Http(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, address: tuple[str, int], web: Web) -> None:
        self.web = web
        super().__init__(address, _Handler)

    def handle_error(self, request: Any, client_address: Any) -> None:  # Any: as inherited
        """Clients that hang up are part of the tests."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: _Http

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002  as inherited
        """Stay silent: stderr belongs to the test."""

    def do_GET(self) -> None:
        web = self.server.web
        headers = {name.lower(): value for name, value in self.headers.items()}
        host = headers.get("host", "").partition(":")[0]
        web.asked.append(Asked(host, self.path, headers))
        served = web.served(host, self.path)
        self.close_connection = True
        if served.head_chunks is not None:
            self._send(served.head_chunks(web.closing))
            return
        self.send_response(served.status)
        if served.kind is not None:
            self.send_header("Content-Type", served.kind)
        for name, value in served.headers.items():
            self.send_header(name, value)
        if served.chunks is None:
            self.send_header("Content-Length", str(len(served.body)))
        self.end_headers()
        self._send(iter([served.body]) if served.chunks is None else served.chunks(web.closing))

    def _send(self, chunks: Iterator[bytes]) -> None:
        try:
            for chunk in chunks:
                self.wfile.write(chunk)
                self.wfile.flush()
        except OSError:  # the client has hung up
            return
