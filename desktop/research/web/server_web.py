"""The web as the model's endpoint uses it for us: within the user's rules, and kept like ours.

What the endpoint contacts is not contacted by this computer; it is noted as such.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from desktop.domain.endpoints import Endpoint
from desktop.domain.ids import SessionId
from desktop.domain.model import TOO_OFTEN, WEB_SEARCH, FoundPage, ServerWeb, WebCall
from desktop.domain.sources import Source, SourcePassage
from desktop.domain.times import Clock
from desktop.domain.web import Contact, ContactOutcome, ContactPurpose
from desktop.domain.web_errors import AddressRefusedError
from desktop.llm.connection import CLOUD_URL
from desktop.research.web.access_policy import Rules
from desktop.research.web.safe_urls import WebAddress, covers, parse_address, plain_host
from desktop.research.web.server_web_pages import FoundShelf

_HTTPS = 443


class Contacts(Protocol):
    """May raise StorageError."""

    def add(self, contact: Contact) -> None: ...


@dataclass(frozen=True, slots=True)
class ServedWeb:
    """Any thread may call."""

    rules: Callable[[], Rules]
    contacts: Contacts
    found: FoundShelf
    now: Clock

    def asking(
        self, searches: int, fetches: int, *, first_number: int = 1, page_tokens: int = 20_000
    ) -> ServerWeb | None:
        """How an endpoint is asked to use it; None where the user's rules cannot be told."""
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
        """The same, kept nowhere."""
        return self.found.read(page) if self._takes(page.address) else None

    def note(
        self,
        calls: Sequence[WebCall],
        pages: Sequence[FoundPage],
        endpoint: Endpoint,
        session_id: SessionId | None,
    ) -> None:
        """Whom the endpoint has contacted, and the endpoint for its searches. StorageError."""
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
    """A host as endpoints take it: no port, no number, nothing of the user's own network."""
    name = plain_host(host).partition(":")[0]
    last = name.rpartition(".")[2]
    return name if "." in name and last.isalpha() else ""


def _shut_out(host: str, rules: Rules) -> bool:
    return covers(rules.never, host, _HTTPS)
