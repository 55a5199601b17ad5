"""A stand-in for the services of literature on loopback, with bodies made here in their forms.

It enforces the limits of each service, `scale` times as fast, and answers 429 to a request over a
limit (`over`). Any service can be told to answer oddly (`odd`).
"""

import json
import re
import threading
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from html import escape
from time import monotonic
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

from desktop.domain.literature import ServiceName
from tests.web import Served, Web, cut_short, silent

Json = dict[str, Any]  # Any: what a server of JSON sends
JSON = "application/json"
XML = "application/xml"
S = ServiceName
_INTERVALS_S = {
    (S.CROSSREF, "list"): 1.0,
    (S.CROSSREF, "record"): 0.2,
    (S.EUROPE_PMC, "list"): 0.5,
    (S.ARXIV, "list"): 3.0,
    (S.TRDIZIN, "list"): 1.0,
    (S.SEMANTIC_SCHOLAR, "list"): 1.0,
    (S.SEMANTIC_SCHOLAR, "record"): 1.0,
    (S.OPENALEX, "list"): 0.01,
    (S.OPENALEX, "record"): 0.01,
    (S.DERGIPARK, "list"): 1.0,
}
_AT_ONCE = {S.CROSSREF: 1, S.ARXIV: 1}
_STOP = {"and", "the", "of", "in", "on", "for", "a", "ve", "ile"}


@dataclass(frozen=True, slots=True)
class Paper:
    """A work, which the services in `at` know."""

    title: str
    authors: Sequence[tuple[str, str]] = (("Yılmaz", "Ayşe"),)  # Family and given names
    year: int | None = 2020
    venue: str = "Journal of Tests"
    doi: str = ""
    pmid: str = ""
    pmcid: str = ""
    arxiv: str = ""
    trdizin: str = ""
    dergipark: str = ""
    abstract: str = ""
    jats: str = ""  # Its abstract as Crossref has it, if that differs
    language: str = "en"
    kind: str = "journal-article"  # As Crossref names it
    is_preprint: bool = False
    pdf: str = ""
    is_retracted: bool = False  # As OpenAlex says
    updated_by: Sequence[tuple[str, str]] = ()  # Type and DOI of a notice
    update_to: Sequence[tuple[str, str]] = ()
    published_as: str = ""  # The DOI of the later version of a preprint
    cited_by: int = 3
    cites: Sequence[str] = ()  # DOIs
    at: frozenset[ServiceName] = frozenset({S.OPENALEX, S.CROSSREF})
    titles: Mapping[ServiceName, str] = field(default_factory=dict)
    years: Mapping[ServiceName, int] = field(default_factory=dict)
    without_doi: frozenset[ServiceName] = frozenset()

    def seen_by(self, service: ServiceName) -> "Paper":
        """Return the work as a service describes it."""
        return replace(
            self,
            title=self.titles.get(service, self.title),
            year=self.years.get(service, self.year),
            doi="" if service in self.without_doi else self.doi,
        )

    @property
    def number(self) -> str:
        return str(sum(map(ord, self.title + self.doi)) * 7919 % 10_000_000 + 1_000)


def busy(status: int = 429, retry_after: str = "30") -> Served:
    return Served(b"Too many requests", "text/plain", status, {"Retry-After": retry_after})


ODD: Mapping[str, Callable[[], Served]] = {
    "429": busy,
    "503 as plain text": lambda: Served(b"Service Unavailable", "text/plain", 503),
    "errCode": lambda: Served(json.dumps({"errCode": 400, "errMsg": "bad query"}).encode(), JSON),
    "empty 404": lambda: Served(b"", None, 404),
    "cut": lambda: replace(cut_short(), kind=JSON),
    "slow": silent,
    "wrong JSON": lambda: Served(b'{"results": [', JSON),
    "other JSON": lambda: Served(b'{"message": "ok", "results": 3}', JSON),
    "HTML": lambda: Served(b"<html><body>Just a moment</body></html>"),
    "500": lambda: Served(b"oops", "text/plain", 500),
    "nothing": lambda: Served(b"", JSON),
}
"""Answers that a service should not give, by what they are."""


class StandInServices(Web):
    """All services, each below its own path; `over`: the requests that broke a limit."""

    def __init__(self, *papers: Paper, scale: float = 0.01, key: str = "") -> None:
        """`key`: the only key that OpenAlex and Semantic Scholar accept."""
        self.papers = list(papers)
        self.scale = scale
        self.key = key
        self.odd: dict[ServiceName, Served] = {}
        self.over: list[str] = []
        self.requests: list[tuple[ServiceName, str]] = []
        self.totals: dict[ServiceName, int] = {}  # Instead of the number of hits
        self._arrived: dict[ServiceName, tuple[float, str]] = {}
        self._active: defaultdict[ServiceName, int] = defaultdict(int)
        self._counting = threading.Lock()
        super().__init__()

    def base(self, service: ServiceName) -> str:
        return self.url(f"/{service}")

    @property
    def settings(self) -> Json:
        """Return the settings with which the program finds all services here."""
        return {f"{service}_address": self.base(service) for service in ServiceName}

    def of(self, service: ServiceName) -> list[str]:
        """Return the paths with queries that a service was asked for, in order."""
        return [path for name, path in self.requests if name is service]

    def served(self, host: str, path: str) -> Served:
        parts = urlsplit(path)
        _, first, *rest = parts.path.split("/")
        if first not in set(ServiceName):
            return super().served(host, path)
        service, place = ServiceName(first), unquote("/".join(rest))
        query = {name: values[0] for name, values in parse_qs(parts.query).items()}
        with self._counting:
            self.requests.append((service, path))
            is_over = self._is_over(service, place)
            self._active[service] += 1
        if is_over:
            self.over.append(path)
            answer = busy()
        else:
            answer = self.odd.get(service) or getattr(self, f"_{service}")(place, query)
        return self._counted(service, answer)

    def _is_over(self, service: ServiceName, place: str) -> bool:
        kind = "record" if re.search(r"10\.\d|doi:", place, re.IGNORECASE) else "list"
        now, interval_s = monotonic(), _INTERVALS_S.get((service, kind), 0.0) * self.scale
        before, before_kind = self._arrived.get(service, (float("-inf"), kind))
        self._arrived[service] = now, kind
        is_early = kind == before_kind and now - before < interval_s
        return is_early or self._active[service] >= _AT_ONCE.get(service, 10)

    def _counted(self, service: ServiceName, answer: Served) -> Served:
        """Count a request as under way until its answer was sent."""
        send = answer.chunks or answer.head_chunks or (lambda _: iter([answer.body]))

        def chunks(closing: threading.Event) -> Iterator[bytes]:
            try:
                yield from send(closing)
            finally:
                with self._counting:
                    self._active[service] -= 1

        if answer.head_chunks is not None:
            return replace(answer, head_chunks=chunks)
        return replace(answer, chunks=chunks)

    def _hits(self, service: ServiceName, words: str) -> list[Paper]:
        known = [paper.seen_by(service) for paper in self.papers if service in paper.at]
        asked = {word for word in re.findall(r"\w+", words.casefold()) if word not in _STOP}
        return [
            paper
            for paper in known
            if asked & set(re.findall(r"\w+", f"{paper.title} {paper.abstract}".casefold()))
        ]

    def _with_doi(self, service: ServiceName, dois: Sequence[str]) -> list[Paper]:
        wanted = {doi.lower() for doi in dois}
        known = (paper.seen_by(service) for paper in self.papers if service in paper.at)
        return [paper for paper in known if paper.doi.lower() in wanted - {""}]

    def _openalex(self, place: str, query: Mapping[str, str]) -> Served:
        if self.key and query.get("api_key", self.key) != self.key:
            return Served(b'{"error": "Invalid API key"}', JSON, 401)
        if place.startswith("works/doi:"):
            found = self._with_doi(S.OPENALEX, [place.removeprefix("works/doi:")])
            return _json(_openalex(found[0])) if found else Served(b"<!doctype html>", status=404)
        filters = dict(
            part.split(":", 1) for part in query.get("filter", "").split(",") if ":" in part
        )
        if "doi" in filters:
            hits = self._with_doi(S.OPENALEX, filters["doi"].split("|"))
        elif "cites" in filters or "cited_by" in filters:
            hits = self._cited(filters)
        else:
            hits = self._hits(S.OPENALEX, query.get("search", ""))
        hits = [
            paper
            for paper in hits
            if (paper.year or 0) >= int(filters.get("from_publication_date", "0")[:4])
        ]
        size = int(query["per_page"])
        begin = (int(query["page"]) - 1) * size
        total = self.totals.get(S.OPENALEX, len(hits))
        records = [_openalex(paper) for paper in hits[begin : begin + size]]
        answer = _json({"meta": {"count": total, "page": 1}, "results": records})
        return replace(answer, headers={"X-RateLimit-Limit": "1000", "X-RateLimit-Remaining": "9"})

    def _cited(self, filters: Mapping[str, str]) -> list[Paper]:
        papers = {f"W{paper.number}": paper for paper in self.papers if S.OPENALEX in paper.at}
        if "cited_by" in filters:
            cited = papers[filters["cited_by"]].cites
            return self._with_doi(S.OPENALEX, cited)
        doi = papers[filters["cites"]].doi
        return [paper for paper in papers.values() if doi in paper.cites]

    def _crossref(self, place: str, query: Mapping[str, str]) -> Served:
        limits = {
            "x-rate-limit-limit": "1" if place == "works" else "5",
            "x-rate-limit-interval": "1s",
            "x-concurrency-limit": "1",
            "x-api-pool": "public",
        }
        if place.startswith("works/"):
            found = self._with_doi(S.CROSSREF, [place.removeprefix("works/")])
            if not found:
                return Served(b"Resource not found.", "text/plain", 404, limits)
            return replace(_json({"status": "ok", "message": _crossref(found[0])}), headers=limits)
        dois = re.findall(r"(?:^|,)doi:([^,]+)", query.get("filter", ""))
        hits = (
            self._with_doi(S.CROSSREF, dois)
            if dois
            else self._hits(S.CROSSREF, query.get("query.bibliographic", ""))
        )
        begin, rows = int(query.get("offset", "0")), int(query["rows"])
        total = self.totals.get(S.CROSSREF, len(hits))
        records = [_crossref(paper) for paper in hits[begin : begin + rows]]
        message = {"total-results": total, "items": records}
        return replace(_json({"status": "ok", "message": message}), headers=limits)


def _json(value: Json) -> Served:
    return Served(json.dumps(value, ensure_ascii=False).encode(), JSON)


def inverted(text: str) -> dict[str, list[int]] | None:
    """Return the places of each word of an abstract, as OpenAlex sends it."""
    index: dict[str, list[int]] = {}
    for place, word in enumerate(text.split(" ")):
        index.setdefault(word, []).append(place)
    return index if text else None


def _openalex(paper: Paper) -> Json:
    kind = {"posted-content": "preprint", "book-chapter": "book-chapter"}.get(
        paper.kind, "article"
    )
    names = [f"{given} {family}" for family, given in paper.authors]
    page = f"https://dergipark.org.tr/tr/pub/x/issue/1/{paper.dergipark}"
    copy = {"pdf_url": paper.pdf, "landing_page_url": paper.pdf} if paper.pdf else None
    return {
        "id": f"https://openalex.org/W{paper.number}",
        "doi": f"https://doi.org/{paper.doi}" if paper.doi else None,
        "title": paper.title,
        "authorships": [{"author": {"display_name": name}} for name in names],
        "publication_year": paper.year,
        "publication_date": f"{paper.year}-03-01" if paper.year else None,
        "primary_location": {
            "source": {"display_name": paper.venue, "type": "journal", "issn_l": "1234-5678"},
            "landing_page_url": page if paper.dergipark else None,
        },
        "biblio": {"volume": "7", "issue": "2", "first_page": "11", "last_page": "19"},
        "abstract_inverted_index": inverted(paper.abstract),
        "best_oa_location": copy,
        "open_access": {
            "is_oa": bool(paper.pdf),
            "oa_status": "gold",
            "oa_url": paper.pdf or None,
        },
        "is_retracted": paper.is_retracted,
        "type": kind,
        "language": paper.language,
        "ids": {"pmid": f"https://pubmed.ncbi.nlm.nih.gov/{paper.pmid}"} if paper.pmid else {},
        "cited_by_count": paper.cited_by,
    }


def _crossref(paper: Paper) -> Json:
    record: Json = {
        "DOI": paper.doi.upper() if len(paper.doi) % 2 else paper.doi,
        "title": [escape(paper.title, quote=False)],
        "author": [{"family": family, "given": given} for family, given in paper.authors],
        "issued": {"date-parts": [[paper.year, 3] if paper.year else [None]]},
        "container-title": [paper.venue],
        "volume": "7",
        "issue": "2",
        "page": "11-19",
        "type": paper.kind,
        "ISSN": ["1234-5678"],
        "is-referenced-by-count": paper.cited_by,
    }
    if paper.is_preprint:
        record |= {"type": "posted-content", "subtype": "preprint"}
    if paper.jats or paper.abstract:
        record["abstract"] = paper.jats or f"<jats:p>{escape(paper.abstract)}</jats:p>"
    for name, updates in (("update-to", paper.update_to), ("updated-by", paper.updated_by)):
        if updates:
            record[name] = [
                {"DOI": doi, "type": kind, "label": kind.title(), "source": "retraction-watch"}
                for kind, doi in updates
            ]
    if paper.published_as:
        related = {"id-type": "doi", "id": paper.published_as, "asserted-by": "subject"}
        record["relation"] = {"is-preprint-of": [related]}
    return record
