"""Web search and fetch by the model's endpoint: within the user's rules, stored like our own.

This computer does not contact those sites; the log of contacts records the endpoint.
"""

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from hashlib import sha256

from desktop.domain.endpoints import Endpoint
from desktop.domain.errors import StorageError
from desktop.domain.ids import SessionId, new_passage_id
from desktop.domain.model import TOO_OFTEN, WEB_SEARCH, FoundPage, ServerWeb, WebCall
from desktop.domain.sources import NewPassage, Source, SourceKind, SourcePassage, SourceState
from desktop.domain.times import Clock
from desktop.domain.web import Contact, ContactOutcome, ContactPurpose
from desktop.language.normalization import fix_surrogates
from desktop.llm.connection import CLOUD_URL
from desktop.research.citations.quote_matching import stands_in
from desktop.research.documents.blocks import Block, chunk_blocks
from desktop.research.documents.reader import Document
from desktop.research.web.fetch import ContactLog
from desktop.research.web.safe_urls import AccessRules, address_or_none, covers, plain_host
from desktop.storage.repositories.sources import SourceStore

log = logging.getLogger(__name__)

_HTTPS = 443

StoredPage = tuple[Source, Sequence[SourcePassage]]


@dataclass(slots=True)
class WebCallTracker:
    """Reports each web call of one stream once it changes; used on the thread of the stream."""

    tell: Callable[[WebCall], None]
    _reported_calls: dict[str, WebCall] = field(default_factory=dict)

    def look(self, calls: Sequence[WebCall]) -> None:
        for call in calls:
            if (call.about or call.is_over) and self._reported_calls.get(call.id) != call:
                self._reported_calls[call.id] = call
                self.tell(call)

    def finish(self, calls: Sequence[WebCall]) -> None:
        self.look([call if call.is_over else replace(call, has_come=True) for call in calls])


def new_web_source(document: Document, address: str, now: datetime) -> Source:
    texts = [address, *(passage.text for passage in document.passages)]
    digest = sha256("\0".join(texts).encode("utf-8", "surrogatepass")).hexdigest()
    document.title = document.title or address
    return document.to_source(SourceKind.WEB, address, digest, now)


def number_source_passages(source: Source, passages: Sequence[NewPassage]) -> list[SourcePassage]:
    """Return passages of a source that is not stored."""
    return [
        SourcePassage(
            id=new_passage_id(),
            source_id=source.id,
            number=number,
            page=passage.page,
            heading=passage.heading,
            text=passage.text,
        )
        for number, passage in enumerate(passages, start=1)
    ]


def _passages(page: FoundPage, old: Sequence[SourcePassage]) -> list[NewPassage]:
    """Return one passage for each quotation, as the text between them is unknown."""
    parts = [fix_surrogates(part.strip()) for part in page.text.split("\n\n")]
    blocks = [Block(part) for part in parts if part]
    if page.is_whole:
        return list(chunk_blocks(blocks))
    new = [block for block in blocks if not any(stands_in(block.text, two.text) for two in old)]
    return [passage for block in new for passage in chunk_blocks([block])]


@dataclass(frozen=True, slots=True)
class EndpointWeb:
    """For one session; any thread may call."""

    rules: Callable[[], AccessRules]
    contacts: ContactLog
    _sources: SourceStore
    now: Clock
    session_id: SessionId | None  # None for a temporary session: its pages are not stored

    def asking(
        self, searches: int, fetches: int, *, first_number: int = 1, page_tokens: int = 20_000
    ) -> ServerWeb | None:
        """Return a request's web tools; None if the endpoint cannot apply the user's rules."""
        rules = self.rules()
        hosts = filter(None, map(_public_host, rules.only))
        only = [host for host in hosts if not covers(rules.never, host, _HTTPS)]
        if not rules.is_on or (rules.only and not only):
            return None
        return ServerWeb(
            searches=searches,
            fetches=fetches,
            first_number=first_number,
            only=tuple(dict.fromkeys(only)),
            never=tuple(filter(None, map(_public_host, rules.never))),
            page_tokens=page_tokens,
        )

    def keep(self, page: FoundPage) -> StoredPage | None:
        """Return the page with its passages; None if it is blocked, or has no words.

        If it was only found, just the cited words are known: they are added to the stored
        text, and never replace a longer one. Raises StorageError.
        """
        address = address_or_none(page.address)
        if address is None or not self.rules().takes(address):
            return None
        there = self._sources.at_address(str(address)) if self.session_id else None
        old = self._sources.passages(there.id) if there else []
        new = _passages(page, () if page.is_whole else old)
        if not new:
            return (there, old) if there is not None else None
        if not page.is_whole:
            longer = [NewPassage(passage.text, passage.page, passage.heading) for passage in old]
            new = longer + list(new)
        is_whole = page.is_whole or (there is not None and there.state is SourceState.COMPLETE)
        document = Document(page.title, passages=new, unreadable_pages=int(not is_whole))
        source = new_web_source(document, str(address), self.now())
        if self.session_id is None:
            return source, number_source_passages(source, new)
        stored_source = self._sources.add(source, new)
        return stored_source, self._sources.passages(stored_source.id)

    def note(
        self, calls: Sequence[WebCall], pages: Sequence[FoundPage], endpoint: Endpoint
    ) -> None:
        """Log the sites that the endpoint contacted, and the endpoint itself for searches."""
        contacts: list[tuple[ContactPurpose, str, ContactOutcome]] = []
        visited = {page.address: ContactOutcome.THERE for page in pages}
        for call in (call for call in calls if call.failure != TOO_OFTEN):
            outcome = ContactOutcome.FAILED_THERE if call.failure else ContactOutcome.THERE
            if call.name == WEB_SEARCH:
                contacts.append((ContactPurpose.SEARCH, endpoint.base_url or CLOUD_URL, outcome))
            elif call.about:
                visited[call.about] = outcome
        pages_visited = ((address_or_none(url), outcome) for url, outcome in visited.items())
        contacts += [
            (ContactPurpose.PAGE, str(at), outcome) for at, outcome in pages_visited if at
        ]
        try:
            for contact in contacts:
                self.contacts.add(Contact(self.now(), *contact, self.session_id))
        except StorageError as exc:
            log.warning("what the endpoint contacted is not noted: %s", exc.key)


def _public_host(host: str) -> str:
    """Return a host as endpoints accept it: a public name without a port; else empty."""
    name = plain_host(host).partition(":")[0]
    return name if "." in name and name.rpartition(".")[2].isalpha() else ""
