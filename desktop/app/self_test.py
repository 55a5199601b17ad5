"""`bellek --self-test`: tests whether a build has everything it needs.

A frozen build can lack a catalog, a backend or an extension that the source has; each step below
uses one for real.
"""

import sys
import traceback
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QApplication

from desktop.domain.endpoints import Endpoint, EndpointId, EndpointKind, ModelChoice, ModelRole
from desktop.domain.errors import ConnectionLostError
from desktop.domain.events import TurnEnded, TurnEvent
from desktop.domain.language import Language
from desktop.domain.search import EVERYWHERE, Query
from desktop.recall.embedding_client import EmbeddingProcess
from desktop.recall.semantic_index import SemanticIndex
from desktop.research.web.fetch import PAGES, Fetched
from desktop.research.web.safe_urls import parse_address
from desktop.research.web.search import public_engines
from desktop.sessions.services import Services
from desktop.settings.keys import KeyringKeys, MemoryKeys
from desktop.settings.paths import Paths, asset
from desktop.settings.settings import Settings, Theme, UiLanguage
from desktop.settings.store import SettingsStore
from desktop.storage.archive import Archive, open_archive
from desktop.ui.i18n import LanguageController
from desktop.ui.theme.theme import ThemeController

_NOBODY = EndpointId("nobody")


class SelfTestError(Exception):
    """A step found something missing."""


def self_test() -> int:
    """Run the steps, print a line for each, and return 0 if all of them passed."""
    app = QApplication.instance() or QApplication(sys.argv[:1])
    assert isinstance(app, QApplication)  # noqa: S101 - no other kind is ever made here
    with TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        archive = open_archive(Path(folder) / "bellek.db", backups=Path(folder) / "backups")
        core = _services(archive, Path(folder))
        steps: dict[str, Callable[[], str]] = {
            "request": lambda: _request(core),
            # Of that request alone: it takes longest.
            "search by meaning": lambda: _meaning(archive),
            "full-text search": lambda: _search(core),
            "web page": lambda: _page(core),
            "search engines": _engines,
            "keyring": _keyring,
            "catalogs": _catalogs,
            "theme": lambda: _theme(app),
        }
        failed = sum(not _passes(name, step) for name, step in steps.items())
        core.close()
        archive.close()
    return min(failed, 1)


def _services(archive: Archive, folder: Path) -> Services:
    nobody = Endpoint(_NOBODY, "Nobody", EndpointKind.SERVER, base_url="http://127.0.0.1:9")
    roles = {ModelRole.ANSWERING: ModelChoice(_NOBODY, "nobody")}
    store, keys = SettingsStore(Paths.under(folder)), MemoryKeys()
    store.save(Settings(endpoints=(nobody,), roles=roles))
    keys.put(_NOBODY, "none")
    return Services(archive, store, Language.TR, kept_keys=keys)


def _passes(name: str, step: Callable[[], str]) -> bool:
    try:
        print(f"ok      {name}: {step()}", flush=True)
    except Exception:  # noqa: BLE001 - process boundary: every failure of a build is reported
        print(f"FAILED  {name}\n{traceback.format_exc()}", flush=True)
        return False
    return True


def _search(core: Services) -> str:
    report = core.importer.import_file(asset("resources", "examples", "library.jsonl"))
    hits = core.search.find(Query("somogyı", scope=EVERYWHERE))
    if not hits:
        raise SelfTestError("the example library holds the word, and it was not found")
    return f"{len(hits)} hits in {report.messages} messages"


def _meaning(archive: Archive) -> str:
    process = EmbeddingProcess()
    try:
        meanings = SemanticIndex(archive.vectors, process.embedder)
        done = meanings.embed_due(lambda: False)
        hits = meanings.nearest("deniz", Query("deniz", scope=EVERYWHERE), 3)
    finally:
        process.close()
    if not hits:
        raise SelfTestError("no message was found by its meaning")
    return f"{process.embedder.name}, {done} messages"


def _request(core: Services) -> str:
    events: list[TurnEvent] = []
    core.assistant.ask("Gelgit neden olur?").run(events.append)
    core.assistant.end()
    ended = events[-1]
    if not isinstance(ended, TurnEnded) or not isinstance(ended.error, ConnectionLostError):
        raise SelfTestError(f"the turn ended as {ended}")
    return "refused, as there is no server"


def _page(core: Services) -> str:
    """Read a page from memory, and describe it: nothing is contacted."""
    text = (
        "<html><body><article><h1>Ekmek</h1><p>Un, su, tuz ve zaman.</p></article></body></html>"
    )
    fetched = Fetched(parse_address("http://localhost/"), PAGES[0], "utf-8", text.encode())
    passages = core.web.reader.read(fetched).passages
    if not any("Un, su, tuz ve zaman." in passage.text for passage in passages):
        raise SelfTestError("the article was not found in its page")
    return f"{len(passages)} passages"


def _engines() -> str:
    return ", ".join(parse_address(engine.address).host for engine in public_engines())


def _keyring() -> str:
    return "usable" if KeyringKeys().is_lasting else "none here; keys are held for the session"


def _catalogs() -> str:
    languages = LanguageController(Language.EN)
    for choice in (UiLanguage.EN, UiLanguage.TR):
        languages.apply(choice)
    text = QCoreApplication.translate("QPlatformTheme", "Cancel")
    if text == "Cancel":
        raise SelfTestError("Qt's own Turkish texts are not there")
    return f"Cancel is {text}"


def _theme(app: QApplication) -> str:
    theme = ThemeController(app)
    for choice in (Theme.LIGHT, Theme.DARK):
        theme.apply(choice)
        if not app.styleSheet():
            raise SelfTestError("no style sheet was applied")
    return f"{app.platformName()}, {len(app.styleSheet())} characters"
