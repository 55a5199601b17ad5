"""The web for research: search, and pages that are read and stored as sources.

Off until the user turns it on; nothing here connects before that.
"""

from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import timedelta

from desktop.domain.ids import SessionId
from desktop.domain.language import Language
from desktop.domain.sources import NewPassage, Source
from desktop.domain.web import Contact, WebHit
from desktop.domain.web_errors import SearxngMissingError
from desktop.language.language_detection import guess_language
from desktop.research.web.endpoint_web import (
    EndpointWeb,
    SourceRepository,
    new_web_source,
)
from desktop.research.web.fetch import Fetcher
from desktop.research.web.page_text import PageReader
from desktop.research.web.rate_limiting import Stop, never
from desktop.research.web.safe_urls import AccessRules, parse_address
from desktop.research.web.search import (
    Engine,
    SearchRequest,
    public_engines,
    search_engines,
    search_searxng,
)
from desktop.settings.settings import Settings, WebSearch
from desktop.storage.archive import Archive

_FRESH = timedelta(hours=1)
"""A page read within it is not fetched again."""
_MOST_CONTACTS = 1000


@dataclass(frozen=True, slots=True)
class TemporaryContactLog:
    """Any thread may use it."""

    _contacts: deque[Contact] = field(default_factory=lambda: deque(maxlen=_MOST_CONTACTS))

    def add(self, contact: Contact) -> None:
        self._contacts.append(contact)

    def contacts(self) -> list[Contact]:
        """The newest first."""
        return list(self._contacts)[::-1]


@dataclass(frozen=True, slots=True)
class Web:
    """Any thread may call; every call may take half a minute, unless it is told to stop.

    Methods may raise WebError and StorageError.
    """

    settings: Callable[[], Settings]
    fetcher: Fetcher
    sources: SourceRepository
    default_language: Callable[[], Language]
    engines: Sequence[Engine] = field(default_factory=public_engines)
    reader: PageReader = field(default_factory=PageReader)
    passing: TemporaryContactLog = field(default_factory=TemporaryContactLog)
    """What temporary sessions contacted, as long as the program runs."""

    def for_session(self, *, is_temporary: bool) -> "Web":
        """A temporary session logs its contacts in memory only."""
        if not is_temporary:
            return self
        return replace(self, fetcher=replace(self.fetcher, contacts=self.passing))

    @property
    def is_on(self) -> bool:
        return self.settings().uses_web

    @property
    def served(self) -> EndpointWeb | None:
        """The web by the tools of a model's endpoint; None if the user switched it off."""
        if not self.settings().uses_endpoint_web:
            return None
        web = self.fetcher
        return EndpointWeb(web.rules, web.contacts, self.sources, self.default_language, web.now)

    def search(
        self,
        words: str,
        limit: int = 8,
        *,
        session_id: SessionId | None = None,
        stop: Stop = never,
    ) -> list[WebHit]:
        """The best first. Nothing of a hit can be cited: fetch its page."""
        rules, settings = self.fetcher.rules(), self.settings()
        rules.check_on()
        language = guess_language(words, self.default_language())
        sought = SearchRequest(words, limit, language, session_id, stop)
        if settings.web_search is WebSearch.DDGS:
            hits = search_engines(self.fetcher, self.engines, sought)
        elif settings.searxng_address.strip():
            hits = search_searxng(self.fetcher, settings.searxng_address, sought)
        else:
            raise SearxngMissingError
        return [hit for hit in hits if rules.takes(parse_address(hit.address))]

    def fetch(
        self, address: str, *, session_id: SessionId | None = None, stop: Stop = never
    ) -> Source:
        """Read and store a page, unless it was read within the hour."""
        wanted = parse_address(address)
        self.fetcher.rules().check(wanted)
        kept = self.sources.at_address(str(wanted))
        if kept is not None and self.fetcher.now() - kept.read_at < _FRESH:
            return kept
        return self.sources.add(*self.read(address, session_id=session_id, stop=stop))

    def read(
        self, address: str, *, session_id: SessionId | None = None, stop: Stop = never
    ) -> tuple[Source, Sequence[NewPassage]]:
        """Read a page without storing it. Raises DocumentError for a PDF."""
        fetched = self.fetcher.fetch(address, session_id=session_id, stop=stop)
        document = self.reader.read(fetched, stop=stop)
        source = new_web_source(
            document, str(fetched.address), self.default_language(), self.fetcher.now()
        )
        return source, document.passages

    def close(self) -> None:
        self.reader.close()


def web_of(
    archive: Archive, settings: Callable[[], Settings], default_language: Callable[[], Language]
) -> Web:
    """One for each profile, as the rate limits are per site."""
    fetcher = Fetcher(lambda: AccessRules.of(settings()), archive.contacts)
    return Web(settings, fetcher, archive.sources, default_language)
