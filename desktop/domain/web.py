"""The web in the core's terms: search results, and the addresses that were contacted."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from desktop.domain.ids import SessionId


@dataclass(frozen=True, slots=True)
class WebHit:
    """One result of a web search; it cannot be cited before its page is read."""

    title: str
    address: str
    snippet: str


class ContactPurpose(StrEnum):
    SEARCH = "search"
    ROBOTS = "robots"
    PAGE = "page"


class ContactOutcome(StrEnum):
    OK = "ok"
    REDIRECTED = "redirected"
    REFUSED_BY_SITE = "refused_by_site"
    """By its robots.txt or an HTTP status that refuses."""
    REFUSED_HERE = "refused_here"
    """Nothing was sent: the address is private, or the user has blocked it."""
    FAILED = "failed"
    THERE = "there"
    """Contacted by the model's endpoint with its own tools, not by this computer."""
    FAILED_THERE = "failed_there"


@dataclass(frozen=True, slots=True)
class Contact:
    """An address that was contacted, or would have been.

    For a search it is only the engine's address: the search words are not in it.
    """

    at: datetime
    purpose: ContactPurpose
    address: str
    outcome: ContactOutcome
    session_id: SessionId | None = None
