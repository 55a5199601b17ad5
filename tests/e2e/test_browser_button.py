"""The browser's button in a real Chromium: paired by a code, it sends what the browser shows."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest

from desktop.domain.language import Language
from desktop.domain.projects import EVERYTHING, NO_PROJECT
from desktop.domain.sources import Source
from desktop.sessions.services import Services
from desktop.settings.keys import MemoryKeys
from desktop.settings.paths import Paths
from desktop.settings.store import SettingsStore
from desktop.storage.archive import Archive
from tests.archives import archive_in
from tests.chromium import PROGRAM, Chromium
from tests.e2e.kill.waiting import wait_until

sys.path.insert(0, str(Path(__file__).parents[2] / "packaging"))
from browser import contents  # type: ignore[import-not-found]

pytestmark = pytest.mark.skipif(PROGRAM is None, reason="needs Debian's chromium")

_ARTICLE = """<html><head><title>Barley</title>
<meta name="citation_title" content="Arpa ve bira">
<meta name="citation_author" content="Yılmaz, Ayşe">
<meta name="citation_publication_date" content="2021/05/03">
<meta name="citation_doi" content="10.5555/arpa.1">
</head><body><article><p id="first">Barley was grown on the members' field, and its yield was
measured in every year since the field was bought by the village.</p>
<p id="second">Oats were grown on the other side of the road, where the soil is wet and heavy.</p>
<input value="a typed secret"></article></body></html>"""


class _Site(BaseHTTPRequestHandler):
    """A page that only a browser with its cookie sees."""

    def do_GET(self) -> None:
        if self.path == "/login":
            self._send("<p>Welcome", cookie="member=yes")
        elif "member=yes" in self.headers.get("Cookie", ""):
            self._send(_ARTICLE)
        else:
            self._send("<p>Log in first")

    def _send(self, page: str, cookie: str = "") -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        if cookie:
            self.send_header("Set-Cookie", cookie)
        self.end_headers()
        self.wfile.write(page.encode())

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - of the base class
        pass


@contextmanager
def served_site() -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Site)
    Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


@pytest.fixture
def site() -> Iterator[str]:
    with served_site() as address:
        yield address


@pytest.fixture
def archive(tmp_path: Path) -> Iterator[Archive]:
    made = archive_in(tmp_path / "profile")
    yield made
    made.close()


@pytest.fixture
def services(archive: Archive, tmp_path: Path) -> Iterator[Services]:
    store = SettingsStore(Paths.under(tmp_path))
    made = Services(archive, store, Language.EN, kept_keys=MemoryKeys())
    yield made
    made.close()


@pytest.fixture
def chromium(tmp_path: Path) -> Iterator[Chromium]:
    with Chromium(tmp_path / "chromium") as made:
        yield made


def opened(services: Services) -> Thread:
    """Open the port as the window does."""
    thread = Thread(target=lambda: list(services.browser.pages(lambda: NO_PROJECT)), daemon=True)
    thread.start()
    wait_until(lambda: services.browser.port is not None, "an open port")
    return thread


class Button:
    """The extension in a browser that shows a page."""

    def __init__(self, chromium: Chromium, folder: Path) -> None:
        for name, content in contents("chromium").items():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_bytes(content)
        self.chromium = chromium
        self.id = chromium.call("Extensions.loadUnpacked", path=str(folder))["id"]
        (self._tab,) = chromium.targets("tab")
        self.page = chromium.attached("page")

    def press(self) -> None:
        tab = self._tab["targetId"]
        self.chromium.call("Target.activateTarget", targetId=tab)
        self.chromium.call("Extensions.triggerAction", id=self.id, targetId=tab)

    @property
    def worker(self) -> str:
        return self.chromium.attached("service_worker", lambda url: self.id in url)

    def badge(self) -> str:
        return str(self.chromium.run(self.worker, "chrome.action.getBadgeText({})"))

    def pair(self, code: str) -> None:
        """Enter a code on the page that the first press opened."""
        pairing = self.chromium.attached("page", lambda url: url.endswith("/pair.html"))
        is_loaded = "document.readyState === 'complete' && document.forms.length === 1"
        wait_until(lambda: bool(self.chromium.run(pairing, is_loaded)), "the field of the code")
        enter = "document.querySelector('#code').value = '{}'; document.forms[0].requestSubmit()"
        self.chromium.run(pairing, enter.format(f"{code[:4]} {code[4:]}"))


@pytest.fixture
def button(chromium: Chromium, site: str, tmp_path: Path) -> Button:
    """The button beside a page that needs a log-in; a press before it listens would be lost."""
    made = Button(chromium, tmp_path / "extension")
    listens = "globalThis.chrome?.action?.onClicked.hasListeners() ?? false"
    wait_until(lambda: bool(chromium.run(made.worker, listens)), "a button that listens")
    chromium.go(made.page, f"{site}/login")
    chromium.go(made.page, f"{site}/article")
    return made


def library(archive: Archive) -> list[Source]:
    return list(archive.sources.sources(EVERYTHING))


def words(archive: Archive, source: Source) -> str:
    return "\n".join(each.text for each in archive.sources.passages(source.id))


@pytest.fixture
def paired(archive: Archive, services: Services, button: Button) -> Callable[[], None]:
    """Deliver the shown page as the first one."""

    def pair() -> None:
        opened(services)
        button.press()
        button.pair(services.browser.new_code())
        wait_until(lambda: button.badge() == "✓", "the mark of success")

    return pair


def test_a_page_behind_a_log_in_arrives_with_its_author_date_and_doi(
    archive: Archive, services: Services, button: Button, site: str, paired: Callable[[], None]
) -> None:
    paired()
    (source,) = library(archive)
    assert source.address == f"{site}/article"
    text = words(archive, source)
    assert "its yield was measured" in " ".join(text.split())
    assert "secret" not in text
    csl = archive.references.work(source.id).reference.csl
    assert csl["title"] == "Arpa ve bira"
    assert csl["DOI"] == "10.5555/arpa.1"
    assert csl["author"] == [{"family": "Yılmaz", "given": "Ayşe"}]
    assert csl["issued"] == {"date-parts": [[2021, 5, 3]]}


def test_only_selected_words_are_sent_and_stand_beside_the_page(
    archive: Archive, services: Services, button: Button, paired: Callable[[], None]
) -> None:
    paired()
    select = "getSelection().selectAllChildren(document.querySelector('#second'))"
    button.chromium.run(button.page, select)
    button.press()
    wait_until(lambda: len(library(archive)) == 2, "the selection in the library")
    (selection,) = (source for source in library(archive) if "#" in source.address)
    text = words(archive, selection)
    assert "Oats were grown" in text
    assert "Barley" not in text


def test_what_is_sent_while_bellek_is_closed_is_delivered_later(
    archive: Archive, services: Services, button: Button, site: str, paired: Callable[[], None]
) -> None:
    paired()
    services.browser.close()
    wait_until(lambda: services.browser.port is None, "a closed port")
    button.chromium.go(button.page, f"{site}/other")
    button.press()
    wait_until(lambda: button.badge() == "1", "a page that waits")
    worker = button.worker
    assert button.chromium.run(worker, "chrome.alarms.getAll().then((all) => all.length)") == 1
    opened(services)
    button.chromium.run(worker, "chrome.alarms.onAlarm.dispatch({name: 'next try'})")
    wait_until(lambda: len(library(archive)) == 2, "the page in the library")
    wait_until(lambda: button.badge() == "✓", "the mark of success")
