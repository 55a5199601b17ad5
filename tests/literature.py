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
from desktop.research.literature.finder import LiteratureFinder, key_id, literature_rules
from desktop.research.web.fetch import Fetcher
from desktop.research.web.rate_limiting import RateLimiter
from desktop.settings.keys import MemoryKeys
from desktop.settings.settings import Settings
from desktop.storage.archive import Archive
from tests.archives import SettableClock
from tests.web import LOOPBACK, Served, Web, cut_short, silent

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

    def finder(
        self,
        archive: Archive,
        clock: SettableClock | None = None,
        *,
        seconds: float = 20.0,
        **settings: Any,  # Any: as the settings have it
    ) -> LiteratureFinder:
        """Return what asks these services; with the key, if they have one."""
        chosen = {"uses_literature": True, "web_at_home": (f"{LOOPBACK}:{self.port}",)}
        current = Settings(**{**chosen, **self.settings, **settings})
        keys = MemoryKeys()
        if self.key:
            keys.put(key_id(S.OPENALEX), self.key)
            keys.put(key_id(S.SEMANTIC_SCHOLAR), self.key)
        fetcher = Fetcher(
            rules=lambda: literature_rules(current),
            contacts=archive.contacts,
            rate_limiter=RateLimiter(gap_s=0, stretch=self.scale),
            now=clock or SettableClock(),
        )
        return LiteratureFinder(
            settings=lambda: current,
            fetcher=fetcher,
            keys=lambda: keys,
            _cache=archive.literature,
            _contacts=archive.contacts,
            seconds=seconds,
        )

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

    def _europe_pmc(self, place: str, query: Mapping[str, str]) -> Served:
        if place != "search" or query.get("format") != "json":
            return Served(b"", None, 404)
        terms = query["query"]
        dois = re.findall(r'DOI:"([^"]+)"', terms)
        words = re.sub(r"[A-Z_]+:(\[[^]]*\]|\"[^\"]*\"|\w+)", "", terms).replace("AND", "")
        hits = self._with_doi(S.EUROPE_PMC, dois) if dois else self._hits(S.EUROPE_PMC, words)
        cursor, size = query.get("cursorMark", "*"), int(query["pageSize"])
        begin = 0 if cursor == "*" else int(cursor)
        page = hits[begin : begin + size]
        return _json(
            {
                "version": "6.9",
                "hitCount": self.totals.get(S.EUROPE_PMC, len(hits)),
                "nextCursorMark": str(begin + len(page)) if page else cursor,
                "resultList": {"result": [_europe_pmc(paper) for paper in page]},
            }
        )

    def _arxiv(self, place: str, query: Mapping[str, str]) -> Served:
        if place != "query":
            return Served(b"", None, 404)
        ids = [number for number in query.get("id_list", "").split(",") if number]
        words = " ".join(re.findall(r"all:(\w+)", query.get("search_query", "")))
        known = [paper.seen_by(S.ARXIV) for paper in self.papers if S.ARXIV in paper.at]
        hits = (
            [paper for paper in known if paper.arxiv in ids] if ids else self._hits(S.ARXIV, words)
        )
        begin, size = int(query.get("start", "0")), int(query["max_results"])
        total = self.totals.get(S.ARXIV, len(hits))
        entries = "".join(map(_arxiv, hits[begin : begin + size]))
        feed = f"""<?xml version="1.0" encoding="UTF-8"?>
<feed xmlns="http://www.w3.org/2005/Atom"
 xmlns:opensearch="http://a9.com/-/spec/opensearch/1.1/"><title>arXiv Query</title>
<opensearch:totalResults>{total}</opensearch:totalResults>{entries}</feed>"""
        return Served(feed.encode(), "application/atom+xml; charset=UTF-8")

    def _trdizin(self, place: str, query: Mapping[str, str]) -> Served:
        if place != "defaultSearch/publication/" or query.get("order") != "relevance-DESC":
            return Served(b"", None, 404)
        words = query["q"]
        if ":" in words or "*" in words:
            return Served(b"Bad Request", "text/plain", 400)
        hits = self._with_doi(S.TRDIZIN, [words]) or self._hits(S.TRDIZIN, words)
        size = int(query["limit"])
        begin = (int(query["page"]) - 1) * size
        total = self.totals.get(S.TRDIZIN, len(hits))
        records = [{"_source": _trdizin(paper)} for paper in hits[begin : begin + size]]
        return _json({"hits": {"total": {"value": total}, "hits": records}})

    def _dergipark(self, place: str, query: Mapping[str, str]) -> Served:
        if place or query.get("metadataPrefix") != "oai_mods":
            return Served(b"<html>Checking your browser</html>", status=403)
        number = query["identifier"].removeprefix("oai:dergipark.org.tr:article/")
        found = [paper for paper in self.papers if paper.dergipark == number]
        inner = (
            f"<GetRecord><record><metadata>{_mods(found[0])}</metadata></record></GetRecord>"
            if found
            else '<error code="idDoesNotExist">unknown</error>'
        )
        oai = f'<OAI-PMH xmlns="http://www.openarchives.org/OAI/2.0/">{inner}</OAI-PMH>'
        return Served(oai.encode(), "text/xml;charset=UTF-8")

    def _semantic_scholar(self, place: str, query: Mapping[str, str]) -> Served:
        asked = next(asked for asked in reversed(self.asked) if place in unquote(asked.path))
        key = asked.headers.get("x-api-key", "")
        if not key:
            return busy()
        if key != self.key:
            return Served(b'{"message": "Forbidden"}', JSON, 403)
        if place == "paper/search":
            hits = self._hits(S.SEMANTIC_SCHOLAR, query["query"])
            begin, size = int(query["offset"]), int(query["limit"])
            page = [_semantic_scholar(paper) for paper in hits[begin : begin + size]]
            return _json({"total": len(hits), "offset": begin, "data": page})
        found = self._with_doi(S.SEMANTIC_SCHOLAR, [place.removeprefix("paper/DOI:")])
        return _json(_semantic_scholar(found[0])) if found else Served(b"{}", JSON, 404)


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


def _europe_pmc(paper: Paper) -> Json:
    kinds = ["Preprint"] if paper.is_preprint else ["Journal Article"]
    record: Json = {
        "id": paper.pmid or "PPR1",
        "source": "PPR" if paper.is_preprint else "MED",
        "doi": paper.doi,
        "title": f"{escape(paper.title, quote=False)}.",
        "authorList": {
            "author": [
                {"fullName": f"{family} {given[:1]}", "firstName": given, "lastName": family}
                for family, given in paper.authors
            ]
        },
        "journalInfo": {
            "volume": "7",
            "issue": "2",
            "journal": {"title": paper.venue, "issn": "1234-5678"},
        },
        "pubYear": str(paper.year) if paper.year else "",
        "pageInfo": "11-19",
        "abstractText": escape(paper.abstract, quote=False),
        "language": {"en": "eng", "tr": "tur"}[paper.language],
        "pubTypeList": {"pubType": kinds},
        "isOpenAccess": "Y" if paper.pdf else "N",
        "citedByCount": paper.cited_by,
    }
    record |= {"pmid": paper.pmid} if paper.pmid else {}
    record |= {"pmcid": paper.pmcid} if paper.pmcid else {}
    if paper.pdf:
        copy = {"availabilityCode": "OA", "documentStyle": "pdf", "url": paper.pdf}
        record["fullTextUrlList"] = {"fullTextUrl": [copy]}
    return record


def _arxiv(paper: Paper) -> str:
    names = "".join(
        f"<author><name>{given} {family}</name></author>" for family, given in paper.authors
    )
    journal = (
        f'<arxiv:doi xmlns:arxiv="http://arxiv.org/schemas/atom">{paper.published_as}</arxiv:doi>'
        if paper.published_as
        else ""
    )
    return f"""<entry><id>http://arxiv.org/abs/{paper.arxiv}v2</id>
<published>{paper.year}-01-05T00:00:00Z</published><updated>{paper.year}-02-05T00:00:00Z</updated>
<title>{escape(paper.title)}</title><summary>  {escape(paper.abstract)}
</summary>{names}{journal}
<link title="pdf" href="http://arxiv.org/pdf/{paper.arxiv}v2" rel="related"/></entry>"""


def _trdizin(paper: Paper) -> Json:
    about = {"title": paper.title, "abstract": paper.abstract, "language": "TUR", "keywords": []}
    return {
        "id": int(paper.trdizin or paper.number),
        "abstracts": [about],
        "authors": [{"name": f"{given} {family.upper()}"} for family, given in paper.authors],
        "journal": {"name": paper.venue},
        "publicationYear": paper.year,
        "doi": paper.doi or None,
        "startPage": "11",
        "endPage": "19",
        "accessType": "OPEN" if paper.pdf else "CLOSED",
        "pdf": "0b6f2c0e-0000-4000-8000-000000000000",
        "references": [],
    }


def _mods(paper: Paper) -> str:
    names = "".join(
        f'<name type="personal"><namePart type="given">{given}</namePart>'
        f'<namePart type="family">{family}</namePart></name>'
        for family, given in paper.authors
    )
    doi = f'<identifier type="doi">{paper.doi}</identifier>' if paper.doi else ""
    return f"""<mods xmlns="http://www.loc.gov/mods/v3">
<titleInfo lang="en"><title>English of {escape(paper.title)}</title></titleInfo>
<titleInfo lang="tr"><title>{escape(paper.title)}</title></titleInfo>{names}
<abstract lang="tr">{escape(paper.abstract)}</abstract>
<language><languageTerm>tr</languageTerm></language>
<originInfo><dateIssued>{paper.year}-06-30</dateIssued></originInfo>{doi}
<relatedItem type="host"><titleInfo><title>{escape(paper.venue)}</title></titleInfo>
<part><detail type="volume"><number>12</number></detail>
<detail type="issue"><number>3</number></detail>
<extent unit="page"><start>101</start><end>120</end></extent></part></relatedItem></mods>"""


def _semantic_scholar(paper: Paper) -> Json:
    ids = {"DOI": paper.doi, "ArXiv": paper.arxiv, "PubMed": paper.pmid}
    return {
        "paperId": f"s2{paper.number}",
        "title": paper.title,
        "abstract": paper.abstract or None,
        "authors": [{"name": f"{given} {family}"} for family, given in paper.authors],
        "year": paper.year,
        "publicationDate": None,
        "venue": paper.venue,
        "journal": {"name": paper.venue, "volume": "7", "pages": "11-19"},
        "externalIds": {name: value for name, value in ids.items() if value},
        "openAccessPdf": {"url": paper.pdf} if paper.pdf else None,
        "publicationTypes": ["JournalArticle"],
        "citationCount": paper.cited_by,
    }
