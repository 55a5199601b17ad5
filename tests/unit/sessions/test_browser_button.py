"""The port for browsers as pages, programs and extensions meet it: over real sockets."""

import json
import socket
from collections.abc import Iterator
from contextlib import closing, suppress
from http.client import HTTPConnection, HTTPException
from threading import Thread

import pytest

from desktop.domain.errors import AppError, BrowserPortTakenError, DocumentEmptyError
from desktop.domain.ids import SourceId
from desktop.domain.projects import NO_PROJECT, ProjectId
from desktop.domain.sources import Source, SourceKind
from desktop.domain.times import utc_now
from desktop.research.library import AddOutcome, ImportedPage
from desktop.sessions.browser_button import CODE_SECONDS, LONGEST_PAGE, BrowserPort, SeenPage
from desktop.settings.keys import MemoryKeys
from tests.e2e.kill.waiting import wait_until

ORIGIN = "chrome-extension://abc"
PAGE = {"address": "https://example.org/", "html": "<p>Barley</p>", "selection": False}


class Bellek:
    """A port with what it delivered."""

    def __init__(self) -> None:
        self.taken: list[SeenPage] = []
        self.shown: list[ImportedPage] = []
        self.error: AppError | None = None
        self.now = 0.0
        self.keys = MemoryKeys()
        self.browser = BrowserPort(
            self.keys, self._take, lambda error: error.key, ports=(0,), clock=lambda: self.now
        )

    def open(self) -> None:
        Thread(
            target=lambda: self.shown.extend(self.browser.pages(lambda: NO_PROJECT)), daemon=True
        ).start()
        wait_until(lambda: self.browser.port is not None, "an open port")

    def _take(self, page: SeenPage, _project: ProjectId) -> ImportedPage:
        if self.error:
            raise self.error
        self.taken.append(page)
        source = Source(
            id=SourceId("1"),
            kind=SourceKind.WEB,
            title="Barley",
            address=page.address,
            added_at=utc_now(),
            read_at=utc_now(),
            sha256="0",
        )
        return ImportedPage(AddOutcome.ADDED, source)

    def post(
        self, path: str, fields: object, *, method: str = "POST", **headers: str
    ) -> tuple[int, dict[str, str]]:
        """Send what an extension sends; `headers` change its own; empty ones are left out."""
        port = self.browser.port or 0
        body = fields if isinstance(fields, bytes) else json.dumps(fields).encode()
        own = {"Origin": ORIGIN, "Host": f"127.0.0.1:{port}", "Content-Length": str(len(body))}
        own |= {name.replace("_", "-"): value for name, value in headers.items()}
        with closing(HTTPConnection("127.0.0.1", port, timeout=10)) as connection:
            connection.putrequest(method, path, skip_host=True, skip_accept_encoding=True)
            for name, value in own.items():
                if value:
                    connection.putheader(name, value)
            connection.endheaders(body)
            answer = connection.getresponse()
            content = answer.read()
        return answer.status, json.loads(content) if content else {}

    def paired(self) -> str:
        status, fields = self.post("/pair", {"code": self.browser.new_code()})
        assert status == 200
        return f"Bearer {fields['token']}"


@pytest.fixture
def bellek() -> Iterator[Bellek]:
    made = Bellek()
    made.open()
    yield made
    made.browser.close()


def test_a_paired_browser_delivers_a_page(bellek: Bellek) -> None:
    status, fields = bellek.post("/pages", PAGE, Authorization=bellek.paired())
    assert (status, fields) == (200, {"outcome": "added", "title": "Barley"})
    assert bellek.taken == [SeenPage("https://example.org/", "<p>Barley</p>")]
    bellek.browser.close()
    wait_until(lambda: len(bellek.shown) == 1, "the page is shown")


def test_half_an_emoji_that_a_page_cut_does_not_keep_it_away(bellek: Bellek) -> None:
    page = {**PAGE, "html": "<p>Barley \ud83c</p>"}
    assert bellek.post("/pages", page, Authorization=bellek.paired())[0] == 200
    assert bellek.taken == [SeenPage("https://example.org/", "<p>Barley �</p>")]


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "https://example.org"},
        {"Origin": "null"},
        {"Origin": ""},
        {"Origin": "https://chrome-extension.example.org"},
        {"Origin": "http://127.0.0.1:41573"},
        {"Origin": "chrome-extension://other"},
        {"Host": "rebound.example.org"},
        {"Host": "rebound.example.org:41573"},
        {"Host": "127.0.0.1.example.org"},
        {"Host": "127.0.0.1:1"},
        {"Host": ""},
        {"Authorization": ""},
        {"Authorization": "Bearer "},
        {"Authorization": "Bearer wrong"},
        {"Authorization": "Basic YTpi"},
        {"Content_Length": "-1"},
        {"Content_Length": "ten"},
        {"Content_Length": ""},
        {"Content_Length": str(LONGEST_PAGE + 1)},
        {"Content_Length": "9" * 5000},
    ],
)
def test_a_request_that_is_not_of_the_paired_browser_is_refused(
    bellek: Bellek, headers: dict[str, str]
) -> None:
    status, fields = bellek.post("/pages", PAGE, **{"Authorization": bellek.paired()} | headers)
    assert 400 <= status < 500
    assert (fields, bellek.taken) == ({}, [])


@pytest.mark.parametrize("method", ["GET", "HEAD", "PUT", "DELETE", "OPTIONS"])
def test_a_page_on_the_web_learns_nothing(bellek: Bellek, method: str) -> None:
    status, fields = bellek.post("/pages", b"", method=method, Origin="https://example.org")
    assert status in {404, 501}
    assert fields == {} or "error" not in fields


@pytest.mark.parametrize(
    "body", [b"", b"{", b"[]", b"1", b'{"address": 1}', b"\xff", b"[" * 100_000]
)
def test_a_request_that_cannot_be_understood_is_refused(bellek: Bellek, body: bytes) -> None:
    assert bellek.post("/pages", body, Authorization=bellek.paired())[0] == 400
    assert bellek.post("/pair", body)[0] == 400


def test_a_code_is_good_once_for_a_while_and_not_after_five_guesses(bellek: Bellek) -> None:
    code = bellek.browser.new_code()
    assert bellek.post("/pair", {"code": code})[0] == 200
    assert bellek.post("/pair", {"code": code})[0] == 403
    code = bellek.browser.new_code()
    bellek.now += CODE_SECONDS
    assert bellek.post("/pair", {"code": code})[0] == 403
    code = bellek.browser.new_code()
    for _ in range(5):
        assert bellek.post("/pair", {"code": "wrong"})[0] == 403
    assert bellek.post("/pair", {"code": code})[0] == 403
    assert bellek.browser.browsers() == 1


def test_without_a_code_the_empty_code_pairs_nobody(bellek: Bellek) -> None:
    assert bellek.post("/pair", {"code": ""})[0] == 403


def test_a_browser_that_was_forgotten_is_refused(bellek: Bellek) -> None:
    token = bellek.paired()
    bellek.browser.unpair()
    assert bellek.post("/pages", PAGE, Authorization=token)[0] == 401


def test_a_page_that_cannot_be_read_is_refused_in_words(bellek: Bellek) -> None:
    bellek.error = DocumentEmptyError()
    status, fields = bellek.post("/pages", PAGE, Authorization=bellek.paired())
    assert (status, fields) == (422, {"error": DocumentEmptyError.key})


def test_clients_that_say_nothing_hold_a_few_connections_at_most(bellek: Bellek) -> None:
    def is_answered() -> bool:
        with suppress(HTTPException, OSError):
            return bellek.post("/pair", {"code": "wrong"})[0] == 403
        return False

    silent = [socket.create_connection(("127.0.0.1", bellek.browser.port or 0)) for _ in range(20)]
    wait_until(lambda: not is_answered(), "a refused connection")
    for connection in silent:
        connection.close()
    wait_until(is_answered, "an answer")


def no_page(page: SeenPage, _project: ProjectId) -> ImportedPage:
    raise AssertionError(page)


def test_a_port_that_others_have_is_named() -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        browser = BrowserPort(MemoryKeys(), no_page, str, ports=(port,))
        with pytest.raises(BrowserPortTakenError, match=str(port)):
            next(browser.pages(lambda: NO_PROJECT))


def test_a_port_that_is_no_longer_wanted_is_closed_at_once() -> None:
    made = Bellek()
    assert list(made.browser.pages(lambda: NO_PROJECT, lambda: False)) == []
    assert made.browser.port is None
