"""Web search: public engines one after another, or a SearXNG instance of the user.

`PROVIDERS` describes each way to search; a failure is an error, never an empty list.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Protocol
from urllib.parse import urlencode

from desktop.domain import web
from desktop.domain.ids import SessionId
from desktop.domain.language import Language
from desktop.language.normalization import WITHOUT_ORDER, fix_surrogates
from desktop.research.web.fetch import OK, Fetcher, FetchOperation
from desktop.research.web.rate_limiting import Deadline, Stop, never
from desktop.research.web.safe_urls import address_or_none, parse_address
from desktop.settings.settings import WebSearch

_SECONDS = 12.0
_ENGINE_GAP_S = 2.0
_LONGEST_TITLE = 300
_LONGEST_ADDRESS = 5_000
"""Longer than any address that is followed: truncation would change its destination."""
_LONGEST_SNIPPET = 600
_CONTROLS = WITHOUT_ORDER | dict.fromkeys([*range(0x20), *range(0x7F, 0xA0)], " ")
_ENGINES = ("duckduckgo", "brave", "mojeek", "startpage")
_REGIONS = {Language.TR: "tr-tr", Language.EN: "us-en"}
# The most helpful first.
_FAILURES = (web.SearchBlockedError, web.SearchBusyError, web.SearchUnreachableError)


@dataclass(frozen=True, slots=True)
class SearchRequest:
    words: str
    limit: int
    language: Language
    session_id: SessionId | None = None
    stop: Stop = never


@dataclass(frozen=True, slots=True)
class SearchProvider:
    """A way to search the web; its words are those of the setting `web_search`."""

    name: WebSearch
    search: Callable[[Fetcher, str, SearchRequest], list[web.WebHit]]
    """Gets the value of what it needs. Raises WebError, StorageError."""
    needs: str = ""  # The setting with the address of its server, if the user has to enter one


class Engine(Protocol):
    @property
    def name(self) -> str: ...

    @property
    def address(self) -> str: ...

    def results(self, words: str, region: str, limit: int) -> Sequence[Mapping[str, object]]:
        """Return results, none also after a refusal. SearchBusyError, SearchUnreachableError."""
        ...


@dataclass(frozen=True, slots=True)
class DdgsEngine:
    """Used alone, so that the query goes to as few engines as possible."""

    name: str

    @property
    def address(self) -> str:
        from ddgs.engines import ENGINES  # noqa: PLC0415  nothing at a start needs it

        return str(ENGINES["text"][self.name].search_url)

    def results(self, words: str, region: str, limit: int) -> Sequence[Mapping[str, object]]:
        from ddgs import DDGS  # noqa: PLC0415  as above
        from ddgs.exceptions import DDGSException, RatelimitException  # noqa: PLC0415  as above

        search = DDGS(timeout=int(_SECONDS))
        try:
            return search.text(words, region=region, max_results=limit, backend=self.name)
        except RatelimitException as exc:
            raise web.SearchBusyError(engines=self.name) from exc
        except DDGSException as exc:
            if "no results" in str(exc).lower():  # also if the engine refused to answer
                return []
            raise web.SearchUnreachableError(engines=self.name) from exc


def public_engines() -> list[Engine]:
    return [DdgsEngine(name) for name in _ENGINES]


def search_engines(
    fetcher: Fetcher, engines: Sequence[Engine], sought: SearchRequest
) -> list[web.WebHit]:
    """Ask engines one after another until one has results. Raises WebError, StorageError."""
    failed: list[tuple[type[web.WebError], str]] = []
    for engine in engines:
        if sought.stop():
            raise web.WebStoppedError
        failure: type[web.WebError] = web.SearchBlockedError
        outcome, hits = web.ContactOutcome.OK, list[web.WebHit]()
        host, deadline = parse_address(engine.address).host, Deadline(_SECONDS, sought.stop)
        operation = FetchOperation(fetcher, deadline, sought.session_id)
        with fetcher.rate_limiter.turn(host, deadline, _ENGINE_GAP_S):
            try:
                raw = engine.results(sought.words, _REGIONS[sought.language], sought.limit)
                hits = _hits(raw, sought.limit, address="href", snippet="body")
            except (web.SearchBusyError, web.SearchUnreachableError) as exc:
                failure, outcome = type(exc), web.ContactOutcome.FAILED
        operation.log(engine.address, web.ContactPurpose.SEARCH, outcome)
        if hits:
            return hits
        failed.append((failure, engine.name))
    worst = min((kind for kind, _ in failed), key=_FAILURES.index)
    raise worst(engines=", ".join(name for kind, name in failed if kind is worst))


def search_searxng(fetcher: Fetcher, instance: str, sought: SearchRequest) -> list[web.WebHit]:
    """Search an instance of the user's. Raises WebError, StorageError.

    It may have a private address, and its robots.txt is not read.
    """
    if not instance:
        raise web.SearxngMissingError
    base = parse_address(instance)
    deadline, at_home = Deadline(_SECONDS, sought.stop), (f"{base.host}:{base.port}",)
    parameters = {
        "q": sought.words,
        "format": "json",
        "language": sought.language.value,
        "safesearch": "1",
    }
    path = base.target.partition("?")[0].rstrip("/").removesuffix("/search")
    address = replace(base, target=f"{path}/search?{urlencode(parameters)}")
    operation = FetchOperation(fetcher, deadline, sought.session_id, at_home)
    try:
        answer = operation.get(address, web.ContactPurpose.SEARCH)
    except web.SiteBusyError as exc:
        raise web.SearchBusyError(engines=base.host) from exc
    try:
        reply: object = json.loads(answer.body) if answer.status == OK else None
    except (ValueError, RecursionError):
        reply = None
    if not isinstance(reply, dict) or not isinstance(reply.get("results"), list):
        raise web.SearxngAnswerError(host=answer.address.host)
    results = [result for result in reply["results"] if isinstance(result, dict)]
    hits = _hits(results, sought.limit, address="url", snippet="content")
    silent = reply.get("unresponsive_engines")
    if not hits and isinstance(silent, list) and silent:
        # Each is a name, or a list of the name and the error.
        names = [
            str(engine[0] if isinstance(engine, list) and engine else engine) for engine in silent
        ]
        raise web.SearchBlockedError(engines=", ".join(names))
    return hits


def _hits(
    results: Sequence[Mapping[str, object]], limit: int, *, address: str, snippet: str
) -> list[web.WebHit]:
    hits: dict[str, web.WebHit] = {}
    for result in results:
        if parsed := address_or_none(_line(result.get(address), _LONGEST_ADDRESS)):
            where = str(parsed)
            title = _line(result.get("title"), _LONGEST_TITLE) or where
            hit = web.WebHit(title, where, _line(result.get(snippet), _LONGEST_SNIPPET))
            hits.setdefault(where, hit)
    return list(hits.values())[:limit]


def _line(value: object, longest: int) -> str:
    if not isinstance(value, str):
        return ""
    return " ".join(fix_surrogates(value).translate(_CONTROLS).split())[:longest]


PROVIDERS: Mapping[WebSearch, SearchProvider] = {
    provider.name: provider
    for provider in (
        SearchProvider(
            WebSearch.DDGS,
            lambda fetcher, _, request: search_engines(fetcher, public_engines(), request),
        ),
        SearchProvider(WebSearch.SEARXNG, search_searxng, needs="searxng_address"),
    )
}
"""In the order in which the user chooses among them."""
