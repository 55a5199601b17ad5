"""Web search: public engines one after another, or a SearXNG instance of the user.

A failure is an error, never an empty list.
"""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol
from urllib.parse import urlencode

from desktop.domain.ids import SessionId
from desktop.domain.language import Language
from desktop.domain.web import Contact, ContactOutcome, ContactPurpose, WebHit
from desktop.domain.web_errors import (
    SearchBlockedError,
    SearchBusyError,
    SearchUnreachableError,
    SearxngAnswerError,
    SiteBusyError,
    WebError,
    WebStoppedError,
)
from desktop.language.surrogates import whole_letters
from desktop.research.web.fetch import Fetcher, FetchOperation
from desktop.research.web.http_get import MEGABYTE, OK, HttpResponse, RequestOptions
from desktop.research.web.rate_limiting import Deadline, Stop, never
from desktop.research.web.safe_urls import WebAddress, parse_address

_SECONDS = 12.0
_ENGINE_GAP_S = 2.0
_JSON = "application/json"
_LONGEST_TITLE = 300
_LONGEST_ADDRESS = 5_000
"""Longer than any address that is followed: a cut one would lead elsewhere."""
_CONTROLS = dict.fromkeys([*range(0x20), *range(0x7F, 0xA0)], " ")
_LONGEST_SNIPPET = 600


@dataclass(frozen=True, slots=True)
class SearchRequest:
    words: str
    limit: int
    language: Language
    session_id: SessionId | None = None
    stop: Stop = never


class Searcher(Protocol):
    """Any thread may call. Raises WebError, StorageError."""

    def search(self, sought: SearchRequest) -> list[WebHit]: ...


class Engine(Protocol):
    """One engine of ddgs. It returns no results also where it refuses to answer."""

    @property
    def name(self) -> str: ...

    @property
    def address(self) -> str: ...

    def results(self, words: str, region: str, limit: int) -> Sequence[Mapping[str, object]]:
        """Raises EngineError."""
        ...


class EngineError(Exception):
    """An engine could not be asked."""

    def __init__(self, *, is_busy: bool = False) -> None:
        super().__init__("busy" if is_busy else "unreachable")
        self.is_busy = is_busy


_ENGINES = ("duckduckgo", "brave", "mojeek", "startpage")
_REGIONS = {Language.TR: "tr-tr", Language.EN: "us-en"}


def _ask_ddgs(words: str, *, region: str, limit: int, name: str) -> list[dict[str, object]]:
    from ddgs import DDGS  # noqa: PLC0415  nothing at a start needs it

    return DDGS(timeout=int(_SECONDS)).text(words, region=region, max_results=limit, backend=name)


@dataclass(frozen=True, slots=True)
class DdgsEngine:
    """Asked alone, so that the query goes to as few engines as possible."""

    name: str
    ask: Callable[..., list[dict[str, object]]] = _ask_ddgs

    @property
    def address(self) -> str:
        from ddgs.engines import ENGINES  # noqa: PLC0415  nothing at a start needs it

        return str(ENGINES["text"][self.name].search_url)

    def results(self, words: str, region: str, limit: int) -> Sequence[Mapping[str, object]]:
        from ddgs.exceptions import (  # noqa: PLC0415  as above
            DDGSException,
            RatelimitException,
            TimeoutException,
        )

        try:
            return self.ask(words, region=region, limit=limit, name=self.name)
        except RatelimitException as exc:
            raise EngineError(is_busy=True) from exc
        except TimeoutException as exc:
            raise EngineError from exc
        except DDGSException as exc:
            if "no results" in str(exc).lower():  # also where the engine refused to answer
                return []
            raise EngineError from exc


def public_engines() -> list[Engine]:
    return [DdgsEngine(name) for name in _ENGINES]


@dataclass(frozen=True, slots=True)
class PublicSearch:
    """Asks engines one after another until one has results."""

    fetcher: Fetcher
    engines: Sequence[Engine]

    def search(self, sought: SearchRequest) -> list[WebHit]:
        silent: list[str] = []
        busy: list[str] = []
        away: list[str] = []
        for engine in self.engines:
            if sought.stop():
                raise WebStoppedError
            try:
                raw = self._asked(engine, sought)
            except EngineError as exc:
                (busy if exc.is_busy else away).append(engine.name)
                self._note(engine, ContactOutcome.FAILED, sought)
                continue
            self._note(engine, ContactOutcome.OK, sought)
            hits = list(_hits(raw, address="href", snippet="body"))
            if hits:
                return hits[: sought.limit]
            silent.append(engine.name)
        raise _why_nothing(silent, busy, away)

    def _asked(self, engine: Engine, sought: SearchRequest) -> Sequence[Mapping[str, object]]:
        host = parse_address(engine.address).host
        with self.fetcher.rate_limiter.turn(host, Deadline(_SECONDS, sought.stop), _ENGINE_GAP_S):
            return engine.results(sought.words, _REGIONS[sought.language], sought.limit)

    def _note(self, engine: Engine, outcome: ContactOutcome, sought: SearchRequest) -> None:
        address = engine.address.partition("?")[0]
        at = self.fetcher.now()
        self.fetcher.contacts.add(
            Contact(at, ContactPurpose.SEARCH, address, outcome, sought.session_id)
        )


@dataclass(frozen=True, slots=True)
class SearxngSearch:
    """Named by the user: it may have a private address, and its robots.txt is not asked."""

    fetcher: Fetcher
    address: str

    def search(self, sought: SearchRequest) -> list[WebHit]:
        base = parse_address(self.address)
        operation = FetchOperation(
            self.fetcher,
            Deadline(_SECONDS, sought.stop),
            sought.session_id,
            at_home=(f"{base.host}:{base.port}",),
        )
        answer = self._asked(operation, _search_address(base, sought))
        told = _told(answer)
        hits = list(_hits(told.results, address="url", snippet="content"))
        if not hits and told.unresponsive:
            raise SearchBlockedError(engines=", ".join(told.unresponsive))
        return hits[: sought.limit]

    def _asked(self, operation: FetchOperation, address: WebAddress) -> HttpResponse:
        wanted = RequestOptions(_JSON, lambda _: 4 * MEGABYTE)
        try:
            answer = operation.followed(address, ContactPurpose.SEARCH, wanted)
        except SiteBusyError as exc:
            raise SearchBusyError(engines=address.host) from exc
        if answer.status != OK:
            raise SearxngAnswerError(host=address.host)
        return answer


@dataclass(frozen=True, slots=True)
class _Told:
    results: Sequence[Mapping[str, object]]
    unresponsive: Sequence[str]


def _search_address(base: WebAddress, sought: SearchRequest) -> WebAddress:
    asked = {
        "q": sought.words,
        "format": "json",
        "language": sought.language.value,
        "safesearch": "1",
    }
    path = base.target.partition("?")[0].rstrip("/").removesuffix("/search")
    return WebAddress(base.scheme, base.host, base.port, f"{path}/search?{urlencode(asked)}")


def _told(answer: HttpResponse) -> _Told:
    """Raises SearxngAnswerError."""
    try:
        told: object = json.loads(answer.body)
    except (ValueError, RecursionError) as exc:
        raise SearxngAnswerError(host=answer.address.host) from exc
    if not isinstance(told, dict) or not isinstance(told.get("results"), list):
        raise SearxngAnswerError(host=answer.address.host)
    results = [one for one in told["results"] if isinstance(one, dict)]
    silent = told.get("unresponsive_engines")
    return _Told(results, list(_names(silent if isinstance(silent, list) else [])))


def _names(silent: Sequence[object]) -> Iterator[str]:
    for one in silent:
        name = one[0] if isinstance(one, list) and one else one
        if isinstance(name, str):
            yield name


def _hits(results: Sequence[object], *, address: str, snippet: str) -> Iterator[WebHit]:
    """Hits with a valid address, each page once."""
    seen: set[str] = set()
    for one in results:
        if not isinstance(one, Mapping):
            continue
        try:
            where = str(parse_address(_line(one.get(address), _LONGEST_ADDRESS)))
        except WebError:
            continue
        if where not in seen:
            seen.add(where)
            title = _line(one.get("title"), _LONGEST_TITLE) or where
            yield WebHit(title, where, _line(one.get(snippet), _LONGEST_SNIPPET))


def _line(value: object, longest: int) -> str:
    if not isinstance(value, str):
        return ""
    return " ".join(whole_letters(value).translate(_CONTROLS).split())[:longest]


def _why_nothing(silent: Sequence[str], busy: Sequence[str], away: Sequence[str]) -> WebError:
    """The most helpful of the errors."""
    if silent:
        return SearchBlockedError(engines=", ".join(silent))
    if busy:
        return SearchBusyError(engines=", ".join(busy))
    return SearchUnreachableError(engines=", ".join(away))
