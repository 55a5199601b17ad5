"""Web search and fetch by the model's endpoint: within the user's rules, stored like our own.

This computer does not contact those sites; the log of contacts says that the endpoint did.
"""

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from hashlib import sha256
from typing import Protocol

from desktop.domain.endpoints import Endpoint
from desktop.domain.errors import StorageError
from desktop.domain.ids import SessionId, SourceId, new_passage_id
from desktop.domain.language import Language
from desktop.domain.model import TOO_OFTEN, WEB_SEARCH, FoundPage, ServerWeb, WebCall
from desktop.domain.sources import NewPassage, Source, SourceKind, SourcePassage, SourceState
from desktop.domain.times import Clock
from desktop.domain.web import Contact, ContactOutcome, ContactPurpose
from desktop.language.surrogates import whole_letters
from desktop.llm.connection import CLOUD_URL
from desktop.research.citations.quote_matching import stands_in
from desktop.research.documents.blocks import Block, chunk_blocks
from desktop.research.documents.reader import Document
from desktop.research.web.fetch import ContactLog
from desktop.research.web.safe_urls import (
    AccessRules,
    address_or_none,
    covers,
    plain_host,
)

log = logging.getLogger(__name__)

_HTTPS = 443

StoredPage = tuple[Source, Sequence[SourcePassage]]


@dataclass(slots=True)
class WebCallTracker:
    """Reports each web call of one stream once it changes; used on the thread of the stream."""

    tell: Callable[[WebCall], None]
    _told: dict[str, WebCall] = field(default_factory=dict)

    def look(self, calls: Sequence[WebCall]) -> None:
        """A call is reported once its query or address is known."""
        for call in calls:
            if (call.about or call.is_over) and self._told.get(call.id) != call:
                self._told[call.id] = call
                self.tell(call)

    def finish(self, calls: Sequence[WebCall]) -> None:
        """Report what was still open when the stream ended."""
        self.look([one if one.is_over else replace(one, has_come=True) for one in calls])


class SourceRepository(Protocol):
    """Sources of the archive."""

    def at_address(self, address: str) -> Source | None: ...
    def passages(self, source_id: SourceId) -> list[SourcePassage]: ...
    def add(self, source: Source, passages: Sequence[NewPassage]) -> Source: ...


def new_web_source(document: Document, address: str, language: Language, now: datetime) -> Source:
    """`language`: where the text does not tell which one it is in."""
    texts = [address, *(one.text for one in document.passages)]
    digest = sha256("\0".join(texts).encode("utf-8", "surrogatepass")).hexdigest()
    document.title = document.title or address
    return document.to_source(SourceKind.WEB, address, digest, language, now)


def number_source_passages(source: Source, passages: Sequence[NewPassage]) -> list[SourcePassage]:
    """Passages of a source that is not stored."""
    return [
        SourcePassage(new_passage_id(), source.id, number, one.page, one.heading, one.text)
        for number, one in enumerate(passages, start=1)
    ]


def _passages(page: FoundPage, old: Sequence[SourcePassage]) -> list[NewPassage]:
    """One passage for each quotation, as the text between them is unknown."""
    parts = [whole_letters(part.strip()) for part in page.text.split("\n\n")]
    blocks = [Block(part) for part in parts if part]
    if page.is_whole:
        return list(chunk_blocks(blocks))
    new = [one for one in blocks if not any(stands_in(one.text, two.text) for two in old)]
    return [passage for block in new for passage in chunk_blocks([block])]


@dataclass(frozen=True, slots=True)
class EndpointWeb:
    """Any thread may call. `keep` and `read` may raise StorageError."""

    rules: Callable[[], AccessRules]
    contacts: ContactLog
    sources: SourceRepository
    default_language: Callable[[], Language]
    now: Clock

    def asking(
        self, searches: int, fetches: int, *, first_number: int = 1, page_tokens: int = 20_000
    ) -> ServerWeb | None:
        """The tools a request offers; None where the endpoint cannot be told the user's rules."""
        rules = self.rules()
        hosts = filter(None, map(_public_host, rules.only))
        only = [host for host in hosts if not covers(rules.never, host, _HTTPS)]
        if not rules.is_on or (rules.only and not only):
            return None
        never = tuple(filter(None, map(_public_host, rules.never)))
        return ServerWeb(
            searches, fetches, first_number, tuple(dict.fromkeys(only)), never, page_tokens
        )

    def keep(self, page: FoundPage) -> StoredPage | None:
        """The page with its passages; None if it is shut out, or has no words.

        Of one that was only searched, the words that were cited are all that is known: they join
        what is kept of it, and never replace more.
        """
        address = self._allowed(page)
        if not address:
            return None
        there = self.sources.at_address(address)
        old = self.sources.passages(there.id) if there else []
        new = _passages(page, () if page.is_whole else old)
        if not new:
            return (there, old) if there is not None else None
        if not page.is_whole:
            new = [*(NewPassage(one.text, one.page, one.heading) for one in old), *new]
        is_whole = page.is_whole or (there is not None and there.state is SourceState.COMPLETE)
        kept = self.sources.add(self._source(page, address, new, is_whole=is_whole), new)
        return kept, self.sources.passages(kept.id)

    def read(self, page: FoundPage) -> StoredPage | None:
        """The same without storing it."""
        address = self._allowed(page)
        new = _passages(page, ()) if address else []
        if not new:
            return None
        source = self._source(page, address, new, is_whole=page.is_whole)
        return source, number_source_passages(source, new)

    def note(
        self,
        calls: Sequence[WebCall],
        pages: Sequence[FoundPage],
        endpoint: Endpoint,
        session_id: SessionId | None,
    ) -> None:
        """Log whom the endpoint contacted, and the endpoint itself for searches."""
        visited: dict[str, ContactOutcome] = {one.address: ContactOutcome.THERE for one in pages}
        for call in calls:
            if call.failure == TOO_OFTEN:
                continue
            outcome = ContactOutcome.FAILED_THERE if call.failure else ContactOutcome.THERE
            if call.name == WEB_SEARCH:
                where = endpoint.base_url or CLOUD_URL
                self._log_contact(ContactPurpose.SEARCH, where, outcome, session_id)
            elif call.about:
                visited[call.about] = outcome
        for address, outcome in visited.items():
            if known := address_or_none(address):
                self._log_contact(ContactPurpose.PAGE, str(known), outcome, session_id)

    def _log_contact(
        self,
        purpose: ContactPurpose,
        address: str,
        outcome: ContactOutcome,
        session_id: SessionId | None,
    ) -> None:
        try:
            self.contacts.add(Contact(self.now(), purpose, address, outcome, session_id))
        except StorageError as exc:
            log.warning("what the endpoint contacted is not noted: %s", exc.key)

    def _allowed(self, page: FoundPage) -> str:
        address = address_or_none(page.address)
        return str(address) if address and self.rules().takes(address) else ""

    def _source(
        self, page: FoundPage, address: str, passages: Sequence[NewPassage], *, is_whole: bool
    ) -> Source:
        document = Document(
            page.title, passages=list(passages), unreadable_pages=int(not is_whole)
        )
        return new_web_source(document, address, self.default_language(), self.now())


def _public_host(host: str) -> str:
    """A host as endpoints accept it: a public name without a port; else empty."""
    name = plain_host(host).partition(":")[0]
    return name if "." in name and name.rpartition(".")[2].isalpha() else ""
