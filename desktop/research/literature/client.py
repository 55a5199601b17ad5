"""The record of a service of literature, and the client that asks it.

Every request goes through the guarded fetcher, at the pace that the service states. Keys are sent
in headers where a service allows it; a key in a query reaches no log, no error and no list.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING
from urllib.parse import urlencode

from desktop.domain.ids import SessionId
from desktop.domain.json_values import JsonValue
from desktop.domain.literature import (
    FoundWork,
    LiteratureAnswerError,
    LiteratureKeyRejectedError,
    LiteratureQuery,
    LiteratureRefusedError,
    ServiceName,
    ServicePage,
)
from desktop.domain.web import (
    AddressRefusedError,
    ContactPurpose,
    SiteBusyError,
)
from desktop.research.literature.record_fields import parsed_xml
from desktop.research.web.fetch import OK, Fetcher, FetchOperation
from desktop.research.web.rate_limiting import Deadline, Stop, never
from desktop.research.web.safe_urls import parse_address
from desktop.settings.paths import program_version

if TYPE_CHECKING:
    from lxml import etree

    from desktop.research.web.http_get import HttpResponse

LIST, RECORD = "list", "record"
"""Kinds of requests, for which a service may have different limits."""
SECONDS = 30.0
_SHORT_PAUSE_S = 5  # A service that asks for no more is asked once more
_MISSING = frozenset({404, 410})
_REFUSED = frozenset({401, 403})

Parameters = Mapping[str, str | int]


@dataclass(frozen=True, slots=True, kw_only=True)
class LiteratureService:
    """A service; its switch, address and what is sent to it stand in the settings by its name.

    Its functions raise WebError, StorageError.
    """

    name: ServiceName
    title: str
    address: str
    gaps_s: Mapping[str, float]  # By kind of request, until an answer states another
    takes_key: bool = False
    needs_key: bool = False
    key_header: str = ""  # In which it takes its key; empty: in a parameter of the query
    takes_mail: bool = False  # Whether it is quicker for those who leave an address
    batch: int = 1  # How many DOIs `look_up` takes
    search: "Callable[[ServiceClient, LiteratureQuery, int, str], ServicePage] | None" = None
    """Gets the number of works, and where to begin: `next` of the page before, or nothing."""
    look_up: "Callable[[ServiceClient, Sequence[str]], Sequence[FoundWork]] | None" = None
    """Gets DOIs; returns the works that the service knows."""
    complete: "Callable[[ServiceClient, FoundWork], FoundWork | None] | None" = None
    """Returns what the service knows of a work that another found."""
    citing: "RelatedWorks | None" = None
    references: "RelatedWorks | None" = None
    """Both get the number of works, and where to begin, as `search`."""

    @property
    def switch(self) -> str:
        """Return the name of the setting that turns it on."""
        return f"uses_{self.name}"

    @property
    def address_setting(self) -> str:
        return f"{self.name}_address"


@dataclass(frozen=True, slots=True, kw_only=True)
class ServiceClient:
    """Asks one service. Methods raise WebError, StorageError."""

    service: LiteratureService
    fetcher: Fetcher
    address: str
    key: str | None = field(default=None, repr=False)
    mail: str = ""
    stop: Stop = never
    seconds: float = SECONDS  # For one request, with the wait for its turn
    session_id: SessionId | None = None

    def json(self, path: str, parameters: Parameters, kind: str = LIST) -> JsonValue:
        """Return the object of an answer; None if there is no such thing."""
        body = self._get(path, parameters, kind)
        if body is None:
            return None
        try:
            value: JsonValue = json.loads(body)
        except (ValueError, RecursionError):
            value = None
        if not isinstance(value, Mapping):
            raise LiteratureAnswerError(service=self.service.title)
        return value

    def xml(self, path: str, parameters: Parameters) -> "etree._Element":
        body = self._get(path, parameters, LIST)
        root = parsed_xml(body) if body is not None else None
        if root is None:
            raise LiteratureAnswerError(service=self.service.title)
        return root

    def _get(self, path: str, parameters: Parameters, kind: str) -> bytes | None:
        """Return a body; None if there is no such thing."""
        base = parse_address(self.address)
        target = base.target.partition("?")[0].rstrip("/") + path
        query = urlencode(parameters)
        address = replace(base, target=f"{target}?{query}" if query else target)
        # A mirror or a stand-in that the user named may be in a private network.
        is_own = self.address.rstrip("/") != self.service.address
        pace = self.fetcher.rate_limiter.pace(self.service.name, kind, self.service.gaps_s[kind])
        operation = FetchOperation(
            fetcher=self.fetcher,
            deadline=Deadline(self.seconds, self.stop),
            session_id=self.session_id,
            at_home=(f"{base.host}:{base.port}",) if is_own else (),
            headers=self._headers(),
            pace=pace,
        )
        try:
            answer = operation.get(address, ContactPurpose.LITERATURE)
        except SiteBusyError as exc:
            if float(exc.values["seconds"]) > _SHORT_PAUSE_S:
                raise
            answer = operation.get(address, ContactPurpose.LITERATURE)
        except AddressRefusedError:
            # It leads to an address that is none, which may repeat a key: without its words.
            raise LiteratureAnswerError(service=self.service.title) from None
        return self._body(answer)

    def _body(self, answer: "HttpResponse") -> bytes | None:
        if answer.status in _MISSING:
            return None
        if answer.status in _REFUSED and self.key:
            raise LiteratureKeyRejectedError(service=self.service.title)
        if answer.status != OK:
            raise LiteratureRefusedError(service=self.service.title, code=f"HTTP {answer.status}")
        return answer.body

    def _headers(self) -> Mapping[str, str]:
        headers: dict[str, str] = {}
        if self.mail:
            headers["User-Agent"] = f"Bellek/{program_version()} (mailto:{self.mail})"
        if self.key and self.service.key_header:
            headers[self.service.key_header] = self.key
        return headers


RelatedWorks = Callable[[ServiceClient, FoundWork, int, str], ServicePage]
