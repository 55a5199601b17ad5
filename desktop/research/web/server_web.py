"""Web search and fetch by the model's endpoint: within the user's rules, stored like our own.

This computer does not contact those sites; the log of contacts says that the endpoint did.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from hashlib import sha256
from typing import Protocol

from desktop.domain.endpoints import Endpoint
from desktop.domain.ids import SessionId, SourceId, new_passage_id, new_source_id
from desktop.domain.language import Language
from desktop.domain.model import TOO_OFTEN, WEB_SEARCH, FoundPage, ServerWeb, WebCall
from desktop.domain.sources import NewPassage, Source, SourceKind, SourcePassage, SourceState
from desktop.domain.times import Clock, utc_now
from desktop.domain.web import Contact, ContactOutcome, ContactPurpose
from desktop.domain.web_errors import AddressRefusedError
from desktop.language.language_detection import guess_language
from desktop.language.surrogates import whole_letters
from desktop.llm.connection import CLOUD_URL
from desktop.research.citations.quote_matching import stands_in
from desktop.research.documents.blocks import Block, chunk_blocks
from desktop.research.web.fetch import ContactLog
from desktop.research.web.safe_urls import (
    AccessRules,
    WebAddress,
    covers,
    parse_address,
    plain_host,
)

_HTTPS = 443


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


_LONGEST_TITLE = 300


class SourceRepository(Protocol):
    """Sources of the archive."""

    def at_address(self, address: str) -> Source | None: ...
    def passages(self, source_id: SourceId) -> list[SourcePassage]: ...
    def add(self, source: Source, passages: Sequence[NewPassage]) -> Source: ...


@dataclass(frozen=True, slots=True)
class WebPageStore:
    """Methods may raise StorageError."""

    shelf: SourceRepository
    default_language: Callable[[], Language]
    now: Clock = field(default=utc_now)

    def keep(self, page: FoundPage) -> tuple[Source, list[SourcePassage]] | None:
        """The page with its passages; None for what has no address of a page.

        Of one that was only searched, the words that were cited are all that is known: they join
        what is kept of it, and never take the place of more.
        """
        address = _address(page)
        if address is None:
            return None
        there = self.shelf.at_address(address)
        old = self.shelf.passages(there.id) if there else []
        new = _passages(page, () if page.is_whole else old)
        if there is not None and not new:
            return there, old
        if not new:
            return None
        if not page.is_whole:
            new = [*(NewPassage(one.text, one.page, one.heading) for one in old), *new]
        kept = self.shelf.add(self._source(page, address, new, there), new)
        return kept, self.shelf.passages(kept.id)

    def read(self, page: FoundPage) -> tuple[Source, list[SourcePassage]] | None:
        """The same without storing it."""
        address, new = _address(page), _passages(page, ())
        if address is None or not new:
            return None
        source = self._source(page, address, new, None)
        return source, number_source_passages(source, new)

    def _source(
        self, page: FoundPage, address: str, passages: Sequence[NewPassage], there: Source | None
    ) -> Source:
        now = self.now()
        is_partial = not page.is_whole and (there is None or there.state is SourceState.PARTIAL)
        digest = sha256("\0".join([address, *(one.text for one in passages)]).encode())
        return Source(
            id=new_source_id(),
            kind=SourceKind.WEB,
            title=whole_letters(page.title[:_LONGEST_TITLE]),
            address=address,
            added_at=now,
            read_at=now,
            sha256=digest.hexdigest(),
            language=guess_language(page.text[:2000], self.default_language()),
            state=SourceState.PARTIAL if is_partial else SourceState.COMPLETE,
        )


def number_source_passages(source: Source, passages: Sequence[NewPassage]) -> list[SourcePassage]:
    """Passages of a source that is not stored."""
    return [
        SourcePassage(new_passage_id(), source.id, number, one.page, one.heading, one.text)
        for number, one in enumerate(passages, start=1)
    ]


def _address(page: FoundPage) -> str | None:
    try:
        return str(parse_address(page.address))
    except AddressRefusedError:
        return None


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
    """Any thread may call."""

    rules: Callable[[], AccessRules]
    contacts: ContactLog
    found: WebPageStore
    now: Clock

    def asking(
        self, searches: int, fetches: int, *, first_number: int = 1, page_tokens: int = 20_000
    ) -> ServerWeb | None:
        """The tools a request offers; None where the endpoint cannot be told the user's rules."""
        rules = self.rules()
        only = [host for host in map(_told, rules.only) if host and not _shut_out(host, rules)]
        if not rules.is_on or (rules.only and not only):
            return None
        never = tuple(filter(None, map(_told, rules.never)))
        return ServerWeb(
            searches, fetches, first_number, tuple(dict.fromkeys(only)), never, page_tokens
        )

    def keep(self, page: FoundPage) -> tuple[Source, Sequence[SourcePassage]] | None:
        """None of what the user shut out, or what is no page. Raises StorageError."""
        return self.found.keep(page) if self._takes(page.address) else None

    def read(self, page: FoundPage) -> tuple[Source, Sequence[SourcePassage]] | None:
        """The same without storing it."""
        return self.found.read(page) if self._takes(page.address) else None

    def note(
        self,
        calls: Sequence[WebCall],
        pages: Sequence[FoundPage],
        endpoint: Endpoint,
        session_id: SessionId | None,
    ) -> None:
        """Log whom the endpoint contacted, and the endpoint itself for searches. StorageError."""
        tried: dict[str, ContactOutcome] = {one.address: ContactOutcome.THERE for one in pages}
        for call in calls:
            if call.failure == TOO_OFTEN:
                continue
            outcome = ContactOutcome.FAILED_THERE if call.failure else ContactOutcome.THERE
            if call.name == WEB_SEARCH:
                where = endpoint.base_url or CLOUD_URL
                self._add(ContactPurpose.SEARCH, where, outcome, session_id)
            elif call.about:
                tried[call.about] = outcome
        for address, outcome in tried.items():
            if known := _parsed(address):
                self._add(ContactPurpose.PAGE, str(known), outcome, session_id)

    def _add(
        self,
        purpose: ContactPurpose,
        address: str,
        outcome: ContactOutcome,
        session_id: SessionId | None,
    ) -> None:
        self.contacts.add(Contact(self.now(), purpose, address, outcome, session_id))

    def _takes(self, address: str) -> bool:
        known = _parsed(address)
        return known is not None and self.rules().takes(known)


def _parsed(address: str) -> WebAddress | None:
    try:
        return parse_address(address)
    except AddressRefusedError:
        return None


def _told(host: str) -> str:
    """A host as endpoints accept it: a public name without a port."""
    name = plain_host(host).partition(":")[0]
    last = name.rpartition(".")[2]
    return name if "." in name and last.isalpha() else ""


def _shut_out(host: str, rules: AccessRules) -> bool:
    return covers(rules.never, host, _HTTPS)
