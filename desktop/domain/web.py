"""The web in the core's terms: search results, the addresses that were contacted, what can fail.

The errors are as in `desktop.domain.errors`: no text, a key and its values.
"""

from datetime import datetime
from enum import StrEnum

from desktop.domain.errors import AppError
from desktop.domain.frozen import dataclass
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
    LITERATURE = "literature"


class ContactOutcome(StrEnum):
    OK = "ok"
    REDIRECTED = "redirected"
    REFUSED_BY_SITE = "refused_by_site"  # By its robots.txt or an HTTP status that refuses
    REFUSED_HERE = "refused_here"
    """Nothing was sent: the address is private, or the user has blocked it."""
    FAILED = "failed"
    THERE = "there"  # Contacted by the model's endpoint with its own tools, not by this computer
    FAILED_THERE = "failed_there"


@dataclass(frozen=True, slots=True)
class Contact:
    """An address that was contacted, or would have been.

    Of a search engine or a service of literature without its query: the words are not in it.
    """

    at: datetime
    purpose: ContactPurpose
    address: str
    outcome: ContactOutcome
    session_id: SessionId | None = None


class WebError(AppError):
    """Something on the web could not be fetched."""


class WebOffError(WebError):
    """The user has not turned the web on."""


class WebKeptHereError(WebOffError):
    """The project or the profile is on this computer only, whatever is turned on."""


class WebStoppedError(WebError):
    """The caller asked to stop."""


class AddressRefusedError(WebError):
    """`address`: it is not the address of a web page."""


class AddressPrivateError(WebError):
    """`host`: it resolves to this computer or its own network."""


class HostShutOutError(WebError):
    """`host`: blocked by the user's own settings."""


class RobotsRefuseError(WebError):
    """`host`: its robots.txt does not allow programs to read the page."""


class SiteUnreachableError(WebError):
    """`host`."""


class SiteUntrustedError(WebError):
    """`host`: its certificate is not valid."""


class SiteRefusedError(WebError):
    """`host`, `status`: an HTTP status that refuses the request."""


class SiteBusyError(WebError):
    """`host`, `seconds`: how long to wait, 0 if unknown."""


class PageGoneError(WebError):
    """`host`: there is no such page."""


class PageTooLargeError(WebError):
    """`host`, `limit`: in megabytes."""


class PageTooSlowError(WebError):
    """`host`, `seconds`: the time limit."""


class PageKindError(WebError):
    """`host`, `kind`: a content type that is not supported."""


class PageEmptyError(WebError):
    """`host`: the page has no text of its own."""


class RedirectedTooOftenError(WebError):
    """`host`."""


class SearchBlockedError(WebError):
    """`engines`: none returned results or reported that there are none."""


class SearchUnreachableError(WebError):
    """`engines`: none of them could be reached."""


class SearchBusyError(WebError):
    """`engines`: they limit the rate of requests."""


class SearxngMissingError(WebError):
    """SearXNG is chosen, and its address is not set."""


class SearxngAnswerError(WebError):
    """`host`: its answer is not the JSON of a SearXNG."""


class EndpointWebError(WebError):
    """`where` and `code`: the error that an endpoint reports for its own tools."""
