"""Finds works of scholarly literature: asks the services that are on, and merges what they return.

Off until the user turns it on; `literature_rules` is the one place that decides about contacting.
"""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import asdict, dataclass, field, replace
from datetime import timedelta
from functools import partial
from threading import Event, Lock
from typing import ParamSpec, TypeVar

from desktop.domain.endpoints import EndpointId
from desktop.domain.errors import AppError, StorageError
from desktop.domain.ids import SessionId
from desktop.domain.literature import (
    FoundWork,
    IdKind,
    LiteratureKeptHereError,
    LiteratureKeyMissingError,
    LiteratureNoneOnError,
    LiteratureOffError,
    LiteratureQuery,
    LiteratureResults,
    LiteratureServiceOffError,
    LiteratureWordsMissingError,
    LiteratureWorkUnknownError,
    LiteratureYearsError,
    ServiceFailure,
    ServiceName,
    ServicePage,
    ServiceState,
)
from desktop.domain.references import DoiInvalidError, FieldOrigin, Reference, WorkMark
from desktop.domain.web import ContactPurpose, WebStoppedError
from desktop.references.fields import bare_doi, is_doi
from desktop.research.literature.client import (
    SECONDS,
    LiteratureService,
    RelatedWorks,
    ServiceClient,
)
from desktop.research.literature.record_fields import arxiv_id, whole
from desktop.research.literature.result_merging import matches, merge_works
from desktop.research.literature.service_list import SERVICES
from desktop.research.web.fetch import Fetcher
from desktop.research.web.rate_limiting import Stop, never
from desktop.research.web.safe_urls import AccessRules, parse_address
from desktop.settings.keys import KeyStore
from desktop.settings.settings import Settings
from desktop.storage.repositories.references import LiteratureCache
from desktop.storage.repositories.session_log import ContactStore

P = ParamSpec("P")
T = TypeVar("T")

PAGE, MOST = 20, 100  # Works of each service
KNOWN_FOR, _UNKNOWN_FOR = timedelta(days=30), timedelta(days=3)
_RECENT = timedelta(seconds=20)  # Longer than any service asks to wait between two requests
_ABSTRACTS = ServiceName.EUROPE_PMC  # It has more of them than any other
_ARXIV = ("arxiv:", "https://arxiv.org/", "http://arxiv.org/")
_SEPARATORS = frozenset(",|")  # A DOI with one of them is asked for alone


def literature_rules(settings: Settings) -> AccessRules:
    """Return whether services, and the open copies of works, may be contacted now.

    Every request for literature asks here first.
    """
    web = AccessRules.of(settings)
    off = LiteratureKeptHereError if settings.is_local_only else LiteratureOffError
    return replace(web, is_on=settings.uses_literature, off=off)


def key_id(name: ServiceName) -> EndpointId:
    """Return by what the store of keys has the key of a service."""
    return EndpointId(f"literature {name}")


@dataclass(frozen=True, slots=True, kw_only=True)
class LiteratureFinder:
    """Any thread may call; methods wait for the network, unless their `stop` returns True.

    Methods raise WebError, StorageError. A service that fails alone is a ServiceFailure.
    """

    settings: Callable[[], Settings]
    fetcher: Fetcher  # With `literature_rules`
    keys: Callable[[], KeyStore]
    _cache: LiteratureCache
    _contacts: ContactStore
    seconds: float = SECONDS  # For one request
    session_id: SessionId | None = None  # With which contacted addresses are listed, and go
    _paced: set[ServiceName] = field(default_factory=set)
    _lock: Lock = field(default_factory=Lock)

    def states(self) -> Sequence[ServiceState]:
        """Return the services with their switches; waits for the keyring alone."""
        settings, keys = self.settings(), self.keys()
        return [
            ServiceState(
                name=service.name,
                title=service.title,
                is_on=settings.uses_literature and getattr(settings, service.switch),
                address=getattr(settings, service.address_setting),
                takes_key=service.takes_key,
                needs_key=service.needs_key,
                has_key=service.takes_key and bool(keys.get(key_id(service.name))),
                searches=service.search is not None,
            )
            for service in SERVICES.values()
        ]

    def search(
        self,
        query: LiteratureQuery,
        only: Sequence[ServiceName] = (),
        limit: int = PAGE,
        *,
        before: LiteratureResults | None = None,
        stop: Stop = never,
    ) -> Iterator[LiteratureResults]:
        """Yield what has arrived, after each service that answers; the last is complete.

        `only`: these services. `before`: earlier results of the query, whose next pages follow.
        Raises LiteratureOffError, LiteratureServiceOffError, LiteratureKeyMissingError,
        LiteratureNoneOnError, LiteratureWordsMissingError, LiteratureYearsError.
        """
        if not any(map(str.isalnum, f"{query.words}{query.author}{query.venue}")):
            raise LiteratureWordsMissingError
        if query.since and query.until and query.since > query.until:
            raise LiteratureYearsError(since=query.since, until=query.until)
        closed = Event()
        asking = self._clients(only, lambda service: service.search, _either(stop, closed.is_set))
        clients, limit = asking, max(1, min(limit, MOST))
        begins = {client.service.name: "" for client in clients}
        if before is not None:
            begins = {name: page.next for name, page in before.pages.items() if page.next}
            clients = [client for client in clients if client.service.name in begins]
        results = before or LiteratureResults(query)
        results = replace(results, pending=frozenset(begins), failures=())
        calls = {
            client.service.name: partial(
                _existing(client.service.search),
                client,
                query,
                limit,
                begins[client.service.name],
            )
            for client in clients
        }
        for name, page in _in_parallel(calls, closed):
            results = _with(results, name, page)
            if isinstance(page, ServicePage):
                self._remember(SERVICES[name], page.works)
            yield results
        closed.clear()
        if not stop():
            yield self._completed(results, asking)

    def get(self, doi: str, *, max_age: timedelta = KNOWN_FOR, stop: Stop = never) -> FoundWork:
        """Return a work, merged from all services that know it.

        Raises DoiInvalidError, LiteratureWorkUnknownError, and what a service raised if none
        answered.
        """
        bare = checked_doi(doi)
        clients = self._clients((), lambda service: service.look_up, stop)
        works, failures = self._ask_all(clients, [bare], max_age)
        if not works:
            if failures:
                raise failures[0].error
            raise LiteratureWorkUnknownError(doi=doi)
        return self._from_complete(merge_works([[work] for work in works]), stop)

    def article(self, number: str, *, stop: Stop = never) -> FoundWork:
        """Return an article by its number at DergiPark. Raises LiteratureWorkUnknownError."""
        (client,) = self._clients((), lambda service: service.complete, stop)
        bare = FoundWork(Reference(), {IdKind.DERGIPARK: number})
        work = _existing(client.service.complete)(client, bare)
        if work is None:
            raise LiteratureWorkUnknownError(doi=number)
        return work

    def marks(
        self, dois: Sequence[str], *, max_age: timedelta, stop: Stop = never
    ) -> tuple[Mapping[str, frozenset[WorkMark]], Sequence[ServiceFailure]]:
        """Return by DOI what became of works, and the services that failed.

        `dois`: bare and in lower case.
        """
        clients = self._clients((), lambda service: service.look_up, stop)
        quick = [client for client in clients if client.service.batch > 1]
        works, failures = self._ask_all(quick, dois, max_age)
        merged = merge_works([[work] for work in works])
        return {work.doi: work.marks for work in merged if work.doi}, failures

    def related(
        self,
        work: FoundWork,
        limit: int = PAGE,
        *,
        is_citing: bool,
        begin: str = "",
        only: Sequence[ServiceName] = (),
        stop: Stop = never,
    ) -> ServicePage:
        """Return works that cite a work, or those that it cites.

        `only`, `begin`: the service and `next` of the page before.
        """

        def ability(service: LiteratureService) -> RelatedWorks | None:
            return service.citing if is_citing else service.references

        client = self._clients(only, ability, stop)[0]
        return _existing(ability(client.service))(client, work, max(1, min(limit, MOST)), begin)

    def forget_old(self) -> None:
        """Remove what the cache no longer answers with."""
        self._cache.remove_before(self.fetcher.now() - KNOWN_FOR)

    def _clients(
        self,
        only: Sequence[ServiceName],
        ability: Callable[[LiteratureService], object],
        stop: Stop,
    ) -> list[ServiceClient]:
        """Return the clients of the services that are on and can do something."""
        settings = self.settings()
        literature_rules(settings).check_on()
        clients = [
            client
            for service in SERVICES.values()
            if ability(service) is not None
            and (not only or service.name in only)
            and (client := self._client(service, settings, stop, is_named=bool(only)))
        ]
        if not clients:
            raise LiteratureNoneOnError
        return clients

    def _client(
        self, service: LiteratureService, settings: Settings, stop: Stop, *, is_named: bool
    ) -> ServiceClient | None:
        """Return None for a service that cannot be used and was not named."""
        is_on = getattr(settings, service.switch)
        key = self.keys().get(key_id(service.name)) if is_on and service.takes_key else None
        if not is_on and is_named:
            raise LiteratureServiceOffError(service=service.title, setting=service.switch)
        if is_on and service.needs_key and key is None and is_named:
            raise LiteratureKeyMissingError(service=service.title, name=service.name)
        if not is_on or (service.needs_key and key is None):
            return None
        address = getattr(settings, service.address_setting) or service.address
        client = ServiceClient(
            service=service,
            fetcher=self.fetcher,
            address=address,
            key=key,
            mail=settings.literature_mail if service.takes_mail else "",
            stop=stop,
            seconds=self.seconds,
            session_id=self.session_id,
        )
        self._continue_pace(client)
        return client

    def _continue_pace(self, client: ServiceClient) -> None:
        """Wait as a process before this one would have waited after its last request."""
        service, now = client.service, self.fetcher.now()
        with self._lock:
            if service.name in self._paced:
                return
            self._paced.add(service.name)
        origin = parse_address(client.address).origin
        for contact in self._contacts.contacts(since=now - _RECENT):
            is_of = contact.purpose is ContactPurpose.LITERATURE
            if is_of and contact.address.startswith(f"{origin}/"):
                gap_s = max(service.gaps_s.values()) * self.fetcher.rate_limiter.stretch
                left_s = gap_s - (now - contact.at).total_seconds()
                self.fetcher.rate_limiter.pause(service.name, left_s)
                return

    def _completed(
        self, results: LiteratureResults, clients: Sequence[ServiceClient]
    ) -> LiteratureResults:
        """Add the marks that Crossref knows, and abstracts that are missing."""
        missing: dict[ServiceName, list[str]] = {
            ServiceName.CROSSREF: [
                work.doi for work in results.works if ServiceName.CROSSREF not in work.services
            ],
            _ABSTRACTS: [work.doi for work in results.works if not work.abstract],
        }
        more, failures = list[FoundWork](), list(results.failures)
        failed = {failure.service for failure in failures}
        for client in clients:
            dois = list(filter(None, missing.get(client.service.name, ())))
            if not dois or client.service.name in failed:
                continue
            records, new_failures = self._ask_all([client], dois, KNOWN_FOR)
            failures += new_failures
            more += records
        rankings = [page.works for page in results.pages.values()]
        works = _matching(merge_works(rankings, more), results.query)
        return replace(results, works=works, failures=tuple(failures))

    def _from_complete(self, works: Sequence[FoundWork], stop: Stop) -> FoundWork:
        """Return the first work, with what services say that only complete known ones."""
        settings, work = self.settings(), works[0]
        for service in SERVICES.values():
            client = service.complete and self._client(service, settings, stop, is_named=False)
            if client is None or service.complete is None:
                continue
            try:
                more = service.complete(client, work)
            except StorageError:
                raise
            except AppError:
                continue  # it would only have added something
            work = merge_works([[work], [more]])[0] if more else work
        return work

    def _ask_all(
        self, clients: Sequence[ServiceClient], dois: Sequence[str], max_age: timedelta
    ) -> tuple[list[FoundWork], list[ServiceFailure]]:
        works, failures = list[FoundWork](), list[ServiceFailure]()
        calls = {
            client.service.name: partial(self._look_up, client, dois, max_age)
            for client in clients
        }
        for _, answer in _in_parallel(calls, Event()):
            if isinstance(answer, ServiceFailure):
                failures.append(answer)
            elif answer is not None:
                works += answer
        return works, failures

    def _look_up(
        self, client: ServiceClient, dois: Sequence[str], max_age: timedelta
    ) -> list[FoundWork]:
        """Return the works of DOIs, from the cache if it was asked lately."""
        service, now = client.service, self.fetcher.now()
        oldest, unknown = now - max_age, now - min(max_age, _UNKNOWN_FOR)
        stored = self._cache.works(service.name, dois, since=oldest, unknown_since=unknown)
        works = [work for text in stored.values() if text and (work := _read(text))]
        missing = [doi for doi in dict.fromkeys(dois) if doi not in stored]
        alone = [doi for doi in missing if not _SEPARATORS.isdisjoint(doi)]
        rest = [doi for doi in missing if doi not in alone]
        parts = [rest[at : at + service.batch] for at in range(0, len(rest), service.batch)]
        for part in (*parts, *([doi] for doi in alone)):
            records = list(_existing(service.look_up)(client, part))
            self._cache.store(service.name, dict.fromkeys(part, "") | _written(records))
            works += records
        return works

    def _remember(self, service: LiteratureService, works: Sequence[FoundWork]) -> None:
        if service.look_up is not None:
            self._cache.store(service.name, _written(works))


def checked_doi(text: str) -> str:
    """Return a bare DOI in lower case, also that of an id at arXiv. Raises DoiInvalidError."""
    doi = bare_doi(text).lower()
    if not is_doi(doi) and doi.startswith(_ARXIV):
        doi = f"10.48550/arxiv.{arxiv_id(doi)}"
    if not is_doi(doi) or doi.endswith("."):
        raise DoiInvalidError(value=text)
    return doi


def _existing(function: Callable[P, T] | None) -> Callable[P, T]:
    """Return what a service was chosen for."""
    if function is None:
        raise TypeError("the service cannot do this")
    return function


def _either(stop: Stop, other: Stop) -> Stop:
    return lambda: stop() or other()


def _in_parallel(
    calls: Mapping[ServiceName, Callable[[], T]], closed: Event
) -> Iterator[tuple[ServiceName, T | ServiceFailure | None]]:
    """Yield what each service answers, as soon as it does; None if it was stopped.

    `closed` is set when nobody waits any more, so that requests under way can end.
    """
    with ThreadPoolExecutor(max(1, len(calls)), "literature") as pool:
        names = {pool.submit(_answer, name, call): name for name, call in calls.items()}
        try:
            for future in as_completed(names):
                yield names[future], future.result()
        finally:
            closed.set()


def _answer(name: ServiceName, call: Callable[[], T]) -> T | ServiceFailure | None:
    try:
        return call()
    except StorageError:
        raise
    except WebStoppedError:
        return None
    except AppError as exc:
        return ServiceFailure(name, exc)


def _with(
    results: LiteratureResults, name: ServiceName, answer: ServicePage | ServiceFailure | None
) -> LiteratureResults:
    results = replace(results, pending=results.pending - {name})
    match answer:
        case ServiceFailure():
            return replace(results, failures=(*results.failures, answer))
        case ServicePage():
            earlier = results.pages[name].works if name in results.pages else ()
            page = replace(answer, works=(*earlier, *answer.works))
            pages = {**results.pages, name: page}
            # In an order that does not depend on who was quicker.
            pages = {service: pages[service] for service in SERVICES if service in pages}
            works = merge_works([each.works for each in pages.values()])
            return replace(results, pages=pages, works=_matching(works, results.query))
        case _:
            return results


def _matching(works: Sequence[FoundWork], query: LiteratureQuery) -> Sequence[FoundWork]:
    return [work for work in works if matches(work, query)]


def _written(works: Sequence[FoundWork]) -> dict[str, str]:
    """Return works as the cache has them, by DOI."""
    return {
        work.doi: json.dumps(asdict(work), ensure_ascii=False, default=sorted)
        for work in works
        if work.doi
    }


def _read(text: str) -> FoundWork | None:
    """Return a work of the cache; None if it cannot be read."""
    try:
        record = json.loads(text)
        csl = record["reference"]["csl"]
        return FoundWork(
            Reference(csl, dict.fromkeys(csl, FieldOrigin.LITERATURE)),
            ids={IdKind(kind): str(value) for kind, value in record["ids"].items()},
            services=tuple(map(ServiceName, record["services"])),
            open_copy=record["open_copy"],
            marks=frozenset(map(WorkMark, record["marks"])),
            preprint_of=record["preprint_of"],
            has_preprint=record["has_preprint"],
            cited_by=whole(record, "cited_by"),
            notices={doi: WorkMark(mark) for doi, mark in record["notices"].items()},
        )
    except (ValueError, KeyError, TypeError, AttributeError):
        return None
