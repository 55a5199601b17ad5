"""Fetches web pages politely and safely: robots.txt, rate limits, size limits, SSRF protection.

Private addresses are refused, also after every redirect.
"""

import ssl
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Protocol

from desktop.domain.ids import SessionId
from desktop.domain.times import Clock, utc_now
from desktop.domain.web import (
    AddressPrivateError,
    Contact,
    ContactOutcome,
    ContactPurpose,
    PageGoneError,
    PageKindError,
    RedirectedTooOftenError,
    RobotsRefuseError,
    SiteBusyError,
    SiteRefusedError,
    WebError,
)
from desktop.research.web.rate_limiting import (
    Deadline,
    Pace,
    RateLimiter,
    Stop,
    busy_pause_s,
    never,
    pause_s,
)
from desktop.research.web.safe_urls import AccessRules, LookUp, WebAddress, look_up, parse_address
from desktop.settings.paths import program_version

if TYPE_CHECKING:
    from protego import Protego

    from desktop.research.web.http_get import HttpResponse

PDF = "application/pdf"
PAGES = ("text/html", "application/xhtml+xml")
TEXTS = ("text/plain", "text/markdown", "text/x-markdown")
FEEDS = tuple(
    f"{kind}/{form}xml"
    for kind in ("application", "text")
    for form in ("rss+", "atom+", "rdf+", "")
)
OK = 200

_ROBOT = "Bellek"  # The user agent that robots.txt may name
_REDIRECTS = frozenset({301, 302, 303, 307, 308})
_GONE = frozenset({404, 410})
_BUSY = frozenset({429, 503})
_CLIENT_ERRORS = range(400, 500)
_MOST_REDIRECTS = 5
_UNSAID = ("", "application/octet-stream", "binary/octet-stream")
_ACCEPTED = {
    ContactPurpose.PAGE: ", ".join((*PAGES, PDF, f"{TEXTS[1]};q=0.9", f"{TEXTS[0]};q=0.8")),
    ContactPurpose.ROBOTS: TEXTS[0],
    ContactPurpose.SEARCH: "application/json",
    ContactPurpose.LITERATURE: "application/json, application/atom+xml, text/xml;q=0.9",
}
_MOST_BYTES = {
    ContactPurpose.ROBOTS: 512 << 10,
    ContactPurpose.SEARCH: 4 << 20,
    ContactPurpose.LITERATURE: 16 << 20,
}
_CHOSEN = (ContactPurpose.SEARCH, ContactPurpose.LITERATURE)
"""Services that the user switched on. Their queries are not logged."""
_PAGE_BYTES = 6 << 20
_PDF_BYTES = 40 << 20
_ROBOTS_KEPT = timedelta(hours=1)


class ContactLog(Protocol):
    def add(self, contact: Contact) -> None: ...


@dataclass(frozen=True, slots=True)
class Fetched:
    address: WebAddress  # After redirects
    kind: str  # Its content type: one of PAGES or TEXTS, or PDF
    charset: str  # As the site declares it; else empty
    body: bytes


@dataclass(slots=True)
class Fetcher:
    """Fetches pages. Thread-safe."""

    rules: Callable[[], AccessRules]
    contacts: ContactLog
    look_up: LookUp = look_up
    trust: ssl.SSLContext | None = None  # Trusted certificates; None: those of the system
    rate_limiter: RateLimiter = field(default_factory=RateLimiter)
    seconds: float = 30.0
    """For one page with its redirects, its robots.txt and the wait for a turn."""
    now: Clock = utc_now
    robots: "dict[str, tuple[datetime, Protego]]" = field(default_factory=dict)
    """The robots.txt of sites, and when it was read; at worst one is read twice."""

    def fetch(
        self, address: str, *, session_id: SessionId | None = None, stop: Stop = never
    ) -> Fetched:
        """Return a page. Raises WebError, StorageError."""
        answer = self._get(address, session_id, stop, {})
        kind = _kind(answer)
        if kind not in (*PAGES, *TEXTS, PDF):
            raise PageKindError(host=answer.address.host, kind=kind or "?")
        return _fetched(answer, kind)

    def fetch_feed(self, address: str, *, stop: Stop = never) -> Fetched:
        """Return a feed, whatever type its site declares. Raises WebError, StorageError."""
        accepted = {"Accept": ", ".join((*FEEDS, f"{PAGES[0]};q=0.1"))}
        return _fetched(self._get(address, None, stop, accepted), FEEDS[0])

    def _get(
        self, address: str, session_id: SessionId | None, stop: Stop, headers: Mapping[str, str]
    ) -> "HttpResponse":
        deadline = Deadline(self.seconds, stop)
        operation = FetchOperation(self, deadline, session_id, headers=headers)
        answer = operation.get(parse_address(address), ContactPurpose.PAGE)
        host = answer.address.host
        if answer.status in _GONE:
            raise PageGoneError(host=host)
        if answer.status != OK:
            raise SiteRefusedError(host=host, status=answer.status)
        return answer


@dataclass(frozen=True, slots=True)
class FetchOperation:
    """One page or search with its redirects and its robots.txt."""

    fetcher: Fetcher
    deadline: Deadline
    session_id: SessionId | None
    at_home: tuple[str, ...] = ()
    """Hosts that may have private addresses, besides those of the rules."""
    headers: Mapping[str, str] = field(default_factory=dict, repr=False)
    """Sent besides the usual ones, also keys; to the host of the first address alone."""
    pace: Pace | None = None  # Of a service that states its own limits

    def get(self, address: WebAddress, purpose: ContactPurpose) -> "HttpResponse":
        """Return the response after all redirects; every address on the way is checked."""
        origin, operation = address.origin, self
        for _ in range(_MOST_REDIRECTS + 1):
            answer = operation._get_once(address, purpose)
            location = answer.headers.get("location", "").strip()
            if answer.status not in _REDIRECTS or not location:
                return answer
            address = parse_address(location, answer.address)
            if address.origin != origin:
                operation = replace(self, headers={})
        raise RedirectedTooOftenError(host=address.host)

    def _get_once(self, address: WebAddress, purpose: ContactPurpose) -> "HttpResponse":
        rules, limiter = self.fetcher.rules(), self.fetcher.rate_limiter
        if purpose in _CHOSEN:
            rules.check_on()  # the user's host lists decide about pages
        else:
            rules.check(address)
        gap_s = self._permitted(address) if purpose is ContactPurpose.PAGE else None
        with limiter.turn(address.host, self.deadline, gap_s, self.pace):
            try:
                answer = self._request(address, purpose, (*rules.at_home, *self.at_home))
                if self.pace:
                    self.pace.learn(answer.headers)
            except WebError as exc:
                is_ours = isinstance(exc, AddressPrivateError)
                outcome = ContactOutcome.REFUSED_HERE if is_ours else ContactOutcome.FAILED
                self.log(str(address), purpose, outcome)
                raise
        self.log(str(address), purpose, _outcome(answer.status))
        if answer.status in _BUSY:
            seconds = busy_pause_s(answer.headers)
            limiter.pause(self.pace.site if self.pace else address.host, seconds)
            raise SiteBusyError(host=address.host, seconds=seconds)
        if self.pace and (seconds := pause_s(answer.headers) or 0):
            limiter.pause(self.pace.site, seconds)
        return answer

    def _request(
        self, address: WebAddress, purpose: ContactPurpose, at_home: tuple[str, ...]
    ) -> "HttpResponse":
        """Return the response, with a body only for status 200. Raises WebError."""
        # Loads httpcore2, which nothing else at a start needs.
        from desktop.research.web.http_get import PinnedBackend, open_response  # noqa: PLC0415

        headers = {
            "User-Agent": f"{_ROBOT}/{program_version()}",
            "Accept": _ACCEPTED[purpose],
            **self.headers,
        }
        backend = PinnedBackend(at_home, self.fetcher.look_up, self.deadline)
        with open_response(address, headers, backend, self.fetcher.trust) as response:
            if response.status == OK:
                limit = _MOST_BYTES.get(purpose) or _page_limit(response)
                response.read(limit, is_cut=purpose is ContactPurpose.ROBOTS)
            return response

    def _permitted(self, address: WebAddress) -> float | None:
        """Return the site's crawl delay in seconds. Raises RobotsRefuseError."""
        from protego import Protego  # noqa: PLC0415  nothing at a start needs it

        now = self.fetcher.now()
        read_at, rules = self.fetcher.robots.get(address.origin, (now, None))
        if rules is None or now - read_at > _ROBOTS_KEPT:
            rules = Protego.parse(self._robots(replace(address, target="/robots.txt")))
            self.fetcher.robots[address.origin] = now, rules
        if not rules.can_fetch(str(address), _ROBOT):
            raise RobotsRefuseError(host=address.host)
        return rules.crawl_delay(_ROBOT)

    def _robots(self, address: WebAddress) -> str:
        """Return robots.txt; a missing one, or too many redirects, allows all (RFC 9309)."""
        try:
            answer = self.get(address, ContactPurpose.ROBOTS)
        except RedirectedTooOftenError:
            return ""
        if answer.status == OK:
            return answer.body.decode("utf-8-sig", "replace")
        if answer.status in _CLIENT_ERRORS or answer.status in _REDIRECTS:
            return ""
        raise SiteRefusedError(host=address.host, status=answer.status)

    def log(self, address: str, purpose: ContactPurpose, outcome: ContactOutcome) -> None:
        if purpose in _CHOSEN:
            address = address.partition("?")[0]  # the query contains the user's words, or a key
        now = self.fetcher.now()
        self.fetcher.contacts.add(Contact(now, purpose, address, outcome, self.session_id))


def _fetched(answer: "HttpResponse", kind: str) -> Fetched:
    return Fetched(answer.address, kind, answer.headers.get_content_charset(""), answer.body)


def _page_limit(answer: "HttpResponse") -> int:
    """Return the size limit by content type. Raises PageKindError if it is unreadable."""
    if answer.kind == PDF or answer.kind in _UNSAID:
        return _PDF_BYTES
    if answer.kind not in (*PAGES, *TEXTS, *FEEDS):
        raise PageKindError(host=answer.address.host, kind=answer.kind[:60])
    return _PAGE_BYTES


def _kind(answer: "HttpResponse") -> str:
    """Return the content type, guessed from the first bytes if the site declares none."""
    if answer.kind in _UNSAID:
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
