"""The port on loopback to which the extension of a browser delivers pages for the library.

A page on the web can make its visitor's browser send anything here, too. So a request counts only
if it names this port as its host (a name that was bound to loopback does not), comes from an
extension and not from a page, and has the token that this extension got for a code that is shown
in the settings. Whoever has none of it learns nothing, not even that this is Bellek.
"""

import json
import logging
import os
import secrets
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from hmac import compare_digest
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from queue import SimpleQueue
from socket import create_connection, socket
from threading import BoundedSemaphore, Lock, Thread
from time import monotonic

from desktop.domain.endpoints import EndpointId
from desktop.domain.errors import AppError, BrowserPortTakenError
from desktop.domain.frozen import dataclass
from desktop.domain.projects import NO_PROJECT, ProjectId
from desktop.language.normalization import fix_surrogates
from desktop.research.library import ImportedPage
from desktop.settings.keys import KeyStore

log = logging.getLogger(__name__)

PORTS = (41573, 41574, 41575)
"""The first that is free is taken, so that the windows of a few profiles get along; the extension
tries them in this order."""
LONGEST_PAGE = 16 << 20
"""Bytes of a request; a longer one is refused."""
CODE_SECONDS = 300.0
"""For how long a code can be used."""
_CODE_DIGITS = 8
_MOST_TRIES = 5  # Wrong codes, after which the right one is void
_MOST_AT_ONCE = 8  # Connections
_PATIENCE_S = 10.0  # Without a byte
_TOKENS = EndpointId("browser-button")
_PAIR, _PAGES = "/pair", "/pages"
_EXTENSIONS = ("chrome-extension://", "moz-extension://")


@dataclass(frozen=True, slots=True)
class SeenPage:
    """A page as a browser shows it, or the part of it that was selected."""

    address: str
    html: str
    is_selection: bool = False


@dataclass(frozen=True, slots=True)
class _Reply:
    status: int
    fields: Mapping[str, str] | None = None
    page: ImportedPage | None = None


class BrowserPort:
    """Any thread may call. A keyring may wait until the user unlocks it."""

    def __init__(
        self,
        keys: KeyStore,
        take: Callable[[SeenPage, ProjectId], ImportedPage],
        words: Callable[[AppError], str],
        *,
        ports: tuple[int, ...] = PORTS,
        clock: Callable[[], float] = monotonic,
    ) -> None:
        """`take` stores a page and may raise AppError, of which `words` tells the browser."""
        self._keys, self._take, self._words = keys, take, words
        self._ports, self._clock = ports, clock
        self._lock = Lock()
        self._code, self._code_ends, self._tries = "", 0.0, 0
        self._server: _Server | None = None
        self._project: Callable[[], ProjectId] = lambda: NO_PROJECT

    @property
    def port(self) -> int | None:
        """The port that is open; None if none is."""
        server = self._server
        return server.server_port if server else None

    def new_code(self) -> str:
        """Return the digits that pair the next browser; an earlier code is void."""
        with self._lock:
            self._code = f"{secrets.randbelow(10**_CODE_DIGITS):0{_CODE_DIGITS}}"
            self._code_ends, self._tries = self._clock() + CODE_SECONDS, 0
            return self._code

    def browsers(self) -> int:
        """Return how many are paired."""
        return len(self._tokens())

    def unpair(self) -> None:
        """Refuse all browsers from now on."""
        with self._lock:
            self._code = ""
            self._keys.delete(_TOKENS)

    @property
    def waits_for_browser(self) -> bool:
        """Whether a code can still be used."""
        return bool(self._code) and self._clock() < self._code_ends

    def pages(
        self, project: Callable[[], ProjectId], is_wanted: Callable[[], bool] = lambda: True
    ) -> Iterator[ImportedPage]:
        """Open the port; yield each page that was stored, until `close`.

        `project`: the one whose library gets a page, asked at its arrival. `is_wanted`: False if
        `close` was called before the port was open. Raises BrowserPortTakenError.
        """
        self._project = project
        self._server = server = self._open()
        Thread(target=server.run, name="browser", daemon=True).start()
        if not is_wanted():
            self.close()
        yield from iter(server.pages.get, None)

    def close(self) -> None:
        """Close the port; pages that are being stored still are."""
        server, self._server = self._server, None
        if server is not None:
            server.end()

    def _open(self) -> "_Server":
        for port in self._ports:
            with suppress(OSError):
                return _Server(port, self)
        raise BrowserPortTakenError(ports=", ".join(map(str, self._ports)))

    def answer(self, path: str, origin: str, authorization: str, body: bytes) -> _Reply:
        """Answer a request of an extension, on a thread of its own."""
        is_paired = path == _PAIR or self._is_paired(authorization, origin)
        if not is_paired:
            return _Reply(401)
        try:
            fields = json.loads(body)
            if path == _PAIR:
                return self._pair(str(fields["code"]), origin)
            is_selection = fields["selection"] is True
            address, html = (fix_surrogates(str(fields[name])) for name in ("address", "html"))
            page = SeenPage(address, html, is_selection)
        except (ValueError, TypeError, KeyError, RecursionError):
            return _Reply(400)
        return self._add(page)

    def _pair(self, code: str, origin: str) -> _Reply:
        with self._lock:
            if not self.waits_for_browser or not compare_digest(
                code.encode(), self._code.encode()
            ):
                self._tries += 1
                if self._tries >= _MOST_TRIES:
                    self._code = ""
                return _Reply(403)
            self._code = ""
            token = secrets.token_urlsafe(32)
            self._keys.put(_TOKENS, json.dumps(self._tokens() | {token: origin}))
        return _Reply(200, {"token": token})

    def _add(self, page: SeenPage) -> _Reply:
        try:
            stored = self._take(page, self._project())
        except AppError as exc:
            return _Reply(422, {"error": self._words(exc)})
        except Exception as exc:  # noqa: BLE001 - a bug of ours: the page waits in the browser
            log.error("a page of a browser was not stored: %s", type(exc).__name__)  # noqa: TRY400 - no words of it
            return _Reply(500)
        fields = {"outcome": stored.outcome.value, "title": stored.source.title}
        return _Reply(200, fields, stored)

    def _is_paired(self, authorization: str, origin: str) -> bool:
        given = authorization.removeprefix("Bearer ").encode()
        return any(
            compare_digest(token.encode(), given) and paired == origin
            for token, paired in self._tokens().items()
        )

    def _tokens(self) -> dict[str, str]:
        with suppress(ValueError, TypeError):
            return dict(json.loads(self._keys.get(_TOKENS) or "{}"))
        return {}


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    # Elsewhere a port can be taken again at once; on Windows it would be shared with others.
    allow_reuse_address = os.name == "posix"

    def __init__(self, port: int, browser: BrowserPort) -> None:
        self.browser = browser
        self.pages: SimpleQueue[ImportedPage | None] = SimpleQueue()
        self._is_ended = False
        self._rooms = BoundedSemaphore(_MOST_AT_ONCE)
        super().__init__(("127.0.0.1", port), _Handler)

    def run(self) -> None:
        """Answer until `end`; unlike `serve_forever`, it never wakes without a request."""
        while not self._is_ended:
            self.handle_request()
        self.server_close()
        self.pages.put(None)

    def end(self) -> None:
        self._is_ended = True
        with suppress(OSError):
            create_connection(("127.0.0.1", self.server_port), _PATIENCE_S).close()

    def process_request(
        self, request: socket | tuple[bytes, socket], client_address: object
    ) -> None:
        if self._rooms.acquire(blocking=False):
            super().process_request(request, client_address)
        else:
            self.shutdown_request(request)

    def process_request_thread(
        self, request: socket | tuple[bytes, socket], client_address: object
    ) -> None:
        try:
            super().process_request_thread(request, client_address)
        finally:
            self._rooms.release()

    def handle_error(self, request: socket | tuple[bytes, socket], client_address: object) -> None:
        """Say nothing: a browser that left in the middle sends the page again."""


class _Handler(BaseHTTPRequestHandler):
    server: _Server
    timeout = _PATIENCE_S
    server_version, sys_version = "", ""
    error_message_format = ""

    def do_OPTIONS(self) -> None:
        """Allow what an extension is about to send."""
        if self._is_of_extension():
            self._send(_Reply(204))
        else:
            self._send(_Reply(404))

    def do_POST(self) -> None:
        length = self.headers.get("Content-Length", "")
        if not self._is_of_extension() or self.path not in {_PAIR, _PAGES}:
            self._send(_Reply(404))
        elif not (length.isascii() and length.isdigit()):
            self._send(_Reply(411))
        elif len(length) > len(str(LONGEST_PAGE)) or int(length) > LONGEST_PAGE:
            self._send(_Reply(413))
        else:
            body = self.rfile.read(int(length))
            authorization = self.headers.get("Authorization", "")
            origin = self.headers["Origin"]
            reply = self.server.browser.answer(self.path, origin, authorization, body)
            if reply.page is not None:
                self.server.pages.put(reply.page)
            self._send(reply)

    def _is_of_extension(self) -> bool:
        hosts = self.headers.get_all("Host", [])
        origins = self.headers.get_all("Origin", [])
        own = {f"{name}:{self.server.server_port}" for name in ("127.0.0.1", "localhost")}
        return len(hosts) == len(origins) == 1 and (
            hosts[0] in own and origins[0].startswith(_EXTENSIONS)
        )

    def _send(self, reply: _Reply) -> None:
        body = json.dumps(reply.fields).encode() if reply.fields else b""
        self.close_connection = True
        self.send_response_only(reply.status)
        if self._is_of_extension():
            self.send_header("Access-Control-Allow-Origin", self.headers["Origin"])
            self.send_header("Access-Control-Allow-Headers", "authorization, content-type")
            self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - of the base class
        """Log nothing: an address may be private."""
