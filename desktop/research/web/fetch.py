"""Fetches web pages politely and safely: robots.txt, rate limits, size limits, SSRF protection.

Private addresses are refused, after every redirect again.
"""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Protocol

from desktop.domain.ids import SessionId
from desktop.domain.times import Clock, utc_now
from desktop.domain.web import Contact, ContactOutcome, ContactPurpose
from desktop.domain.web_errors import (
    AddressPrivateError,
    PageGoneError,
    PageKindError,
    RedirectedTooOftenError,
    RobotsRefuseError,
    SiteBusyError,
    SiteRefusedError,
    WebError,
)
from desktop.research.web.http_get import (
    MEGABYTE,
    OK,
    ROBOT,
    HttpClient,
    HttpResponse,
    RequestOptions,
)
from desktop.research.web.rate_limiting import Deadline, RateLimiter, Stop, never
from desktop.research.web.safe_urls import AccessRules, WebAddress, parse_address

if TYPE_CHECKING:
    from protego import Protego

PDF = "application/pdf"
PAGES = ("text/html", "application/xhtml+xml")
TEXTS = ("text/plain", "text/markdown", "text/x-markdown")

_REDIRECTS = frozenset({301, 302, 303, 307, 308})
_GONE = frozenset({404, 410})
_BUSY = frozenset({429, 503})
_CLIENT_ERRORS = range(400, 500)
_MOST_REDIRECTS = 5
_USUAL_PAUSE_S = 60
_LONGEST_PAUSE_S = 3600
_UNSAID = ("", "application/octet-stream", "binary/octet-stream")
_ACCEPTED = ", ".join((*PAGES, PDF, f"{TEXTS[1]};q=0.9", f"{TEXTS[0]};q=0.8"))
_ROBOTS_KEPT = timedelta(hours=1)
_ROBOTS = RequestOptions("text/plain", lambda _: 512 * 1024, is_cut=True)


class ContactLog(Protocol):
    def add(self, contact: Contact) -> None: ...


@dataclass(frozen=True, slots=True)
class FetchLimits:
    seconds: float = 30.0
    """For one page with its redirects, its robots.txt and the wait for a turn."""
    page_bytes: int = 6 * MEGABYTE
    pdf_bytes: int = 40 * MEGABYTE


@dataclass(frozen=True, slots=True)
class Fetched:
    address: WebAddress
    """After redirects."""
    kind: str
    """Its content type: one of PAGES or TEXTS, or PDF."""
    charset: str
    """As the site says it; empty where it does not."""
    body: bytes


@dataclass(slots=True)
class Fetcher:
    """Thread-safe."""

    rules: Callable[[], AccessRules]
    contacts: ContactLog
    client: HttpClient = field(default_factory=HttpClient)
    rate_limiter: RateLimiter = field(default_factory=RateLimiter)
    limits: FetchLimits = field(default_factory=FetchLimits)
    now: Clock = utc_now
    robots: "dict[str, tuple[datetime, Protego]]" = field(default_factory=dict)
    """The robots.txt of sites, and when it was read; at worst one is read twice."""

    def fetch(
        self, address: str, *, session_id: SessionId | None = None, stop: Stop = never
    ) -> Fetched:
        """Raises WebError, StorageError."""
        operation = FetchOperation(self, Deadline(self.limits.seconds, stop), session_id)
        return operation.page(parse_address(address))


@dataclass(frozen=True, slots=True)
class FetchOperation:
    """One page or search with its redirects and its robots.txt."""

    fetcher: Fetcher
    deadline: Deadline
    session_id: SessionId | None
    at_home: tuple[str, ...] = ()
    """Hosts that may have private addresses, beside those of the rules."""

    def page(self, address: WebAddress) -> Fetched:
        wanted = RequestOptions(_ACCEPTED, self._room)
        answer = self.followed(address, ContactPurpose.PAGE, wanted)
        if answer.status in _GONE:
            raise PageGoneError(host=answer.address.host)
        if answer.status != OK:
            raise SiteRefusedError(host=answer.address.host, status=answer.status)
        kind = _kind(answer)
        if kind not in (*PAGES, *TEXTS, PDF):
            raise PageKindError(host=answer.address.host, kind=kind or "?")
        charset = answer.headers.get_content_charset("")
        return Fetched(answer.address, kind, charset, answer.body)

    def followed(
        self, address: WebAddress, purpose: ContactPurpose, wanted: RequestOptions
    ) -> HttpResponse:
        """The response after all redirects; every address on the way is checked."""
        for _ in range(_MOST_REDIRECTS + 1):
            answer = self._asked(address, purpose, wanted)
            location = answer.headers.get("location", "").strip()
            if answer.status not in _REDIRECTS or not location:
                return answer
            address = answer.address.joined(location)
        raise RedirectedTooOftenError(host=address.host)

    def _asked(
        self, address: WebAddress, purpose: ContactPurpose, wanted: RequestOptions
    ) -> HttpResponse:
        rules = self.fetcher.rules()
        if purpose is ContactPurpose.SEARCH:
            rules.check_on()  # the lists say which pages are read
        else:
            rules.check(address)
        gap_s = self._permitted(address) if purpose is ContactPurpose.PAGE else None
        with self.fetcher.rate_limiter.turn(address.host, self.deadline, gap_s):
            at_home = (*rules.at_home, *self.at_home)
            try:
                answer = self.fetcher.client.get(address, wanted, self.deadline, at_home)
            except WebError as exc:
                is_ours = isinstance(exc, AddressPrivateError)
                outcome = ContactOutcome.REFUSED_HERE if is_ours else ContactOutcome.FAILED
                self._log(address, purpose, outcome)
                raise
        self._log(address, purpose, _outcome(answer.status))
        if answer.status in _BUSY:
            said = answer.headers.get("retry-after", "").strip()
            seconds = int(said[:9]) if said.isdecimal() else _USUAL_PAUSE_S
            seconds = min(seconds, _LONGEST_PAUSE_S)
            self.fetcher.rate_limiter.pause(address.host, seconds)
            raise SiteBusyError(host=address.host, seconds=seconds)
        return answer

    def _permitted(self, address: WebAddress) -> float | None:
        """The crawl delay of the site in seconds. Raises RobotsRefuseError."""
        from protego import Protego  # noqa: PLC0415  nothing at a start needs it

        now = self.fetcher.now()
        read_at, rules = self.fetcher.robots.get(address.origin, (now, None))
        if rules is None or now - read_at > _ROBOTS_KEPT:
            rules = Protego.parse(self._robots(replace(address, target="/robots.txt")))
            self.fetcher.robots[address.origin] = now, rules
        if not rules.can_fetch(str(address), ROBOT):
            raise RobotsRefuseError(host=address.host)
        return rules.crawl_delay(ROBOT)

    def _robots(self, address: WebAddress) -> str:
        """A missing robots.txt, or one behind too many redirects, allows everything (RFC 9309)."""
        try:
            answer = self.followed(address, ContactPurpose.ROBOTS, _ROBOTS)
        except RedirectedTooOftenError:
            return ""
        if answer.status == OK:
            return answer.body.decode("utf-8-sig", "replace")
        if answer.status in _CLIENT_ERRORS or answer.status in _REDIRECTS:
            return ""
        raise SiteRefusedError(host=address.host, status=answer.status)

    def _room(self, answer: HttpResponse) -> int:
        """The size limit by content type. Raises PageKindError for what cannot be read."""
        limits = self.fetcher.limits
        if answer.kind == PDF or answer.kind in _UNSAID:
            return limits.pdf_bytes
        if answer.kind not in (*PAGES, *TEXTS):
            raise PageKindError(host=answer.address.host, kind=answer.kind[:60])
        return limits.page_bytes

    def _log(self, address: WebAddress, purpose: ContactPurpose, outcome: ContactOutcome) -> None:
        written = str(address)
        if purpose is ContactPurpose.SEARCH:
            written = written.partition("?")[0]  # behind it stand the user's words
        now = self.fetcher.now()
        self.fetcher.contacts.add(Contact(now, purpose, written, outcome, self.session_id))


def _kind(answer: HttpResponse) -> str:
    """The content type, guessed from the first bytes if the site does not say it."""
    if answer.kind not in _UNSAID:
        return answer.kind
    start = answer.body[:512].lstrip().lower()
    if start.startswith(b"%pdf-"):
        return PDF
    if start.startswith((b"<!doctype html", b"<html")):
        return PAGES[0]
    return answer.kind


def _outcome(status: int) -> ContactOutcome:
    if status == OK:
        return ContactOutcome.OK
    if status in _REDIRECTS:
        return ContactOutcome.REDIRECTED
    is_refused = (status in _CLIENT_ERRORS or status in _BUSY) and status not in _GONE
    return ContactOutcome.REFUSED_BY_SITE if is_refused else ContactOutcome.FAILED
