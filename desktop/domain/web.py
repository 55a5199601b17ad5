"""The web as the core speaks of it: what a search found, and which addresses were contacted."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from desktop.domain.ids import SessionId


@dataclass(frozen=True, slots=True)
class WebHit:
    """One result of a web search; nothing of it can be cited before its page was read."""

    title: str
    address: str
    snippet: str


class ContactPurpose(StrEnum):
    SEARCH = "search"
    ROBOTS = "robots"
    """Asking a site what it allows programs to read."""
    PAGE = "page"


class ContactOutcome(StrEnum):
    OK = "ok"
    REDIRECTED = "redirected"
    REFUSED_BY_SITE = "refused_by_site"
    """By its robots.txt or with a status that says no."""
    REFUSED_HERE = "refused_here"
    """Nothing was sent: the address is private, or the user has shut it out."""
    FAILED = "failed"
    THERE = "there"
    """Contacted by the model's endpoint, with tools of its own, and not by this computer."""
    FAILED_THERE = "failed_there"


@dataclass(frozen=True, slots=True)
class Contact:
    """An address that was contacted, or would have been.

    Of a search, the address is the engine's alone: the words that were looked for are not in it.
    """

    at: datetime
    purpose: ContactPurpose
    address: str
    outcome: ContactOutcome
    session_id: SessionId | None = None
