"""The web for research: search, and pages that are read and stored as sources.

Off until the user turns it on; nothing here connects before that.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Event, Lock, Timer
from typing import TypeVar

from desktop.domain import errors
from desktop.domain.diary import FeedUnreadableError
from desktop.domain.ids import SessionId
from desktop.domain.language import Language
from desktop.domain.projects import COMMON, Wall
from desktop.domain.references import Reference
from desktop.domain.sources import NewPassage, Source
from desktop.domain.web import (
    Contact,
    PageEmptyError,
    PageTooLargeError,
    PageTooSlowError,
    WebHit,
    WebStoppedError,
)
from desktop.language.keywords_and_stems import guess_language
from desktop.research.child_process import ReadingStopped
from desktop.research.documents.reader import (
    FEED,
    FETCHED,
    Document,
    DocumentReader,
    ReadingLimits,
)
from desktop.research.documents.text_files import decode_text
from desktop.research.web.endpoint_web import EndpointWeb, new_web_source
from desktop.research.web.fetch import PAGES, PDF, TEXTS, Fetched, Fetcher
from desktop.research.web.rate_limiting import Stop, never
from desktop.research.web.safe_urls import AccessRules, parse_address
from desktop.research.web.search import PROVIDERS, SearchRequest
from desktop.settings.settings import Settings
from desktop.storage.archive import Archive
from desktop.storage.repositories.references import ReferenceStore
from desktop.storage.repositories.sources import SourceStore

T = TypeVar("T")

_LIMITS = ReadingLimits(megabytes=768, seconds=30, letters=4 << 20)
_LONGEST_IDLE_S = 60.0
_ENDINGS = {PDF: ".pdf", TEXTS[0]: ".txt", **dict.fromkeys(TEXTS[1:], ".md")}
_FRESH = timedelta(hours=1)  # A page read within it is not fetched again


class NoContactLog:
    """For temporary sessions, which store nothing."""

    def add(self, contact: Contact) -> None:
        pass


class PageReader:
    """Thread-safe, one page at a time. Its process (80 MB) ends with `close` or when idle."""

    def __init__(self, limits: ReadingLimits = _LIMITS) -> None:
        self._reader = DocumentReader(limits)
        self._lock = Lock()
        self._is_closing = Event()
        self._idling = Timer(_LONGEST_IDLE_S, self._rest)

    def read(self, fetched: Fetched, *, stop: Stop = never) -> Document:
        """Read a page. Raises WebError, DocumentError."""
        body = fetched.body
        if fetched.kind != PDF and fetched.charset:
            # The charset that the site declares overrides the one in the page.
            body = f"\ufeff{decode_text(body, fetched.charset)}".encode()
        ending = _ENDINGS.get(fetched.kind, FETCHED)
        return self._read(
            fetched,
            body,
            ending,
            lambda file, should_stop: self._reader.read(file, should_stop=should_stop),
            stop,
        )

    def read_feed(self, fetched: Fetched, *, stop: Stop = never) -> Sequence[Reference]:
        """Return the entries of a feed. Raises WebError, DocumentError, FeedUnreadableError."""
        read = self._reader.read_references
        try:
            return self._read(fetched, fetched.body, FEED, read, stop)
        except (errors.DocumentKindError, PageEmptyError) as exc:
            raise FeedUnreadableError(host=fetched.address.host) from exc

    def _read(
        self,
        fetched: Fetched,
        body: bytes,
        ending: str,
        read: Callable[[Path, Stop], T],
        stop: Stop,
    ) -> T:
        host = fetched.address.host
        # A process that was just killed may still lock its file on some systems.
        with (
            self._lock,
            TemporaryDirectory(prefix="bellek-", ignore_cleanup_errors=True) as folder,
        ):
            file = Path(folder, f"page{ending}")
            file.write_bytes(body)
            try:
                return read(file, lambda: self._is_closing.is_set() or stop())
            except ReadingStopped as exc:
                raise WebStoppedError from exc
            except (errors.DocumentEmptyError, errors.DocumentDamagedError) as exc:
                raise PageEmptyError(host=host) from exc
            except errors.DocumentTooSlowError as exc:
                raise PageTooSlowError(host=host, seconds=round(_LIMITS.seconds)) from exc
            except (errors.DocumentTooLargeError, errors.DocumentUnfoldsError) as exc:
                raise PageTooLargeError(host=host, limit=_LIMITS.letters >> 20) from exc
            finally:
                self._idling.cancel()
                self._idling = Timer(_LONGEST_IDLE_S, self._rest)
                self._idling.daemon = True
                self._idling.start()

    def close(self) -> None:
        """Stop the current read; the next page starts a new process."""
        self._is_closing.set()
        with self._lock:
            self._is_closing.clear()
            self._idling.cancel()
            self._reader.close()

    def _rest(self) -> None:
        """Do nothing while a page is being read: a new timer starts after it."""
        if self._lock.acquire(blocking=False):
            self._reader.close()
            self._lock.release()


@dataclass(frozen=True, slots=True)
class Web:
    """Any thread may call; each call may take half a minute, unless its `stop` returns True.

    Methods may raise WebError and StorageError.
    """

    settings_in: Callable[[Wall], Settings]
    wall: Wall
    fetcher: Fetcher
    _sources: SourceStore
    _references: ReferenceStore
    default_language: Callable[[], Language]
    reader: PageReader = field(default_factory=PageReader)

    def for_session(self, wall: Wall, *, is_temporary: bool = False) -> "Web":
        """Return the web for a session; a temporary session logs no contacts."""
        rules = self.fetcher.rules
        fetcher = replace(
            self.fetcher,
            rules=lambda: replace(rules(), is_on=self.settings_in(wall).uses_web),
        )
        if is_temporary:
            fetcher = replace(fetcher, contacts=NoContactLog())
        sources = self._sources.of(wall.project)
        return replace(self, wall=wall, fetcher=fetcher, _sources=sources)

    def settings(self) -> Settings:
        return self.settings_in(self.wall)

    @property
    def is_on(self) -> bool:
        return self.settings().uses_web

    def served(self, session_id: SessionId | None) -> EndpointWeb | None:
        """Return the web by the tools of a model's endpoint; None if the user switched it off."""
        if not self.settings().uses_endpoint_web:
            return None
        web = self.fetcher
        return EndpointWeb(web.rules, web.contacts, self._sources, web.now, session_id)

    def search(
        self,
        words: str,
        limit: int = 8,
        *,
        session_id: SessionId | None = None,
        stop: Stop = never,
    ) -> list[WebHit]:
        """Return the best hits first. A hit cannot be cited: fetch its page."""
        rules, settings = self.fetcher.rules(), self.settings()
        rules.check_on()
        language = guess_language(words, self.default_language())
        sought = SearchRequest(words, limit, language, session_id, stop)
        provider = PROVIDERS[settings.web_search]
        need = getattr(settings, provider.needs) if provider.needs else ""
        hits = provider.search(self.fetcher, need.strip(), sought)
        return [hit for hit in hits if rules.takes(parse_address(hit.address))]

    def fetch(
        self, address: str, *, session_id: SessionId | None = None, stop: Stop = never
    ) -> Source:
        """Read and store a page, unless it was read in the last hour."""
        web_address = parse_address(address)
        self.fetcher.rules().check(web_address)
        source = self._sources.at_address(str(web_address))
        if source is not None and self.fetcher.now() - source.read_at < _FRESH:
            return source
        source, document = self._read(address, session_id, stop)
        return self._store(source, document)

    def keep(self, address: str, html: str, *, mark: str = "") -> Source:
        """Store a page that a browser has loaded; connects to nobody.

        `mark`: tells a part of the page from the whole. Raises WebError, DocumentError.
        """
        page = Fetched(parse_address(address, is_seen=True), PAGES[0], "utf-8", html.encode())
        document = self.reader.read(page)
        place = f"{page.address}#{mark}" if mark else str(page.address)
        return self._store(new_web_source(document, place, self.fetcher.now()), document)

    def _store(self, source: Source, document: Document) -> Source:
        stored = self._sources.add(source, document.passages)
        return self._references.fill(stored.id, document.reference).source

    def read(
        self, address: str, *, session_id: SessionId | None = None, stop: Stop = never
    ) -> tuple[Source, Sequence[NewPassage]]:
        """Read a page without storing it. Raises DocumentError for a PDF."""
        source, document = self._read(address, session_id, stop)
        return source, document.passages

    def _read(
        self, address: str, session_id: SessionId | None, stop: Stop
    ) -> tuple[Source, Document]:
        fetched = self.fetcher.fetch(address, session_id=session_id, stop=stop)
        document = self.reader.read(fetched, stop=stop)
        return new_web_source(document, str(fetched.address), self.fetcher.now()), document

    def close(self) -> None:
        self.reader.close()


def web_of(
    archive: Archive,
    settings_in: Callable[[Wall], Settings],
    default_language: Callable[[], Language],
) -> Web:
    """Return the web of a profile, which holds the rate limits of each site."""
    fetcher = Fetcher(lambda: AccessRules.of(settings_in(COMMON)), archive.contacts)
    return Web(
        settings_in=settings_in,
        wall=COMMON,
        fetcher=fetcher,
        _sources=archive.sources,
        _references=archive.references,
        default_language=default_language,
    )
