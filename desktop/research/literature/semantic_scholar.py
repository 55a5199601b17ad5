"""Semantic Scholar: works of all subjects, and who cites them. Only with a key of the user's."""

from collections.abc import Sequence
from functools import partial
from urllib.parse import quote

from desktop.domain.json_values import JsonValue
from desktop.domain.literature import (
    PREPRINT,
    FoundWork,
    IdKind,
    LiteratureAnswerError,
    LiteratureQuery,
    ServiceName,
    ServicePage,
)
from desktop.research.literature.client import (
    LIST,
    RECORD,
    LiteratureService,
    Parameters,
    ServiceClient,
)
from desktop.research.literature.record_fields import (
    arxiv_id,
    date_of,
    dig,
    doi_of,
    iso_date,
    items,
    names_of,
    plain_abstract,
    text,
    title_of,
    whole,
    work_of,
)

_FIELDS = (
    "title,abstract,authors,year,publicationDate,venue,journal,externalIds,openAccessPdf,"
    "publicationTypes,citationCount"
)
_LAST_BEGIN = 1_000
_TYPES = {"Book": "book", "BookSection": "chapter", "Conference": "paper-conference"}


def _search(client: ServiceClient, query: LiteratureQuery, limit: int, begin: str) -> ServicePage:
    parameters: dict[str, str | int] = {
        "query": f"{query.words} {query.author}".strip(),
        "offset": int(begin or 0),
        "limit": limit,
        "fields": _FIELDS,
    }
    if query.since or query.until:
        parameters["year"] = f"{query.since or ''}-{query.until or ''}"
    if query.venue:
        parameters["venue"] = query.venue
    page = _list(client, "/paper/search", parameters)
    following = int(begin or 0) + limit
    has_next = page.total is not None and following < min(page.total, _LAST_BEGIN)
    return ServicePage(page.works, page.total, str(following) if has_next else "")


def _list(
    client: ServiceClient, path: str, parameters: Parameters, inside: str = ""
) -> ServicePage:
    answer = client.json(path, parameters)
    if answer is None and inside:
        return ServicePage([], 0)  # it does not know the work
    if not isinstance(dig(answer, "data"), list):
        raise LiteratureAnswerError(service=client.service.title)
    entries = items(answer, "data")
    records = [dig(entry, inside) for entry in entries] if inside else entries
    works = [work for record in records if (work := _work(record))]
    following = "" if (place := whole(answer, "next")) is None else str(place)
    return ServicePage(works, whole(answer, "total"), following)


def _look_up(client: ServiceClient, dois: Sequence[str]) -> Sequence[FoundWork]:
    path = f"/paper/DOI:{quote(dois[0], safe='/')}"
    work = _work(client.json(path, {"fields": _FIELDS}, RECORD))
    return [work] if work else []


def _cited(
    client: ServiceClient, work: FoundWork, limit: int, begin: str, *, path: str, inside: str
) -> ServicePage:
    number = work.ids.get(IdKind.SEMANTIC_SCHOLAR) or f"DOI:{quote(work.doi, safe='/')}"
    parameters: dict[str, str | int] = {
        "fields": _FIELDS,
        "offset": int(begin or 0),
        "limit": limit,
    }
    return _list(client, f"/paper/{number}/{path}", parameters, inside)


def _work(record: JsonValue) -> FoundWork | None:
    kinds = items(record, "publicationTypes")
    types = [_TYPES[kind] for kind in kinds if isinstance(kind, str) and kind in _TYPES]
    doi, preprint = (
        doi_of(text(record, "externalIds", "DOI")),
        arxiv_id(text(record, "externalIds", "ArXiv")),
    )
    is_preprint = bool(preprint) and not doi
    csl: dict[str, JsonValue] = {
        "type": "article" if is_preprint else next(iter(types), "article-journal"),
        "genre": PREPRINT if is_preprint else "",
        "title": title_of(text(record, "title")),
        "author": names_of(text(author, "name") for author in items(record, "authors")),
        "issued": iso_date(text(record, "publicationDate")) or date_of(whole(record, "year")),
        "container-title": text(record, "journal", "name") or text(record, "venue"),
        "volume": text(record, "journal", "volume"),
        "page": text(record, "journal", "pages"),
        "DOI": doi,
        "abstract": plain_abstract(text(record, "abstract", longest=100_000)),
    }
    pmcid = text(record, "externalIds", "PubMedCentral")
    ids = {
        IdKind.SEMANTIC_SCHOLAR: text(record, "paperId"),
        IdKind.PMID: text(record, "externalIds", "PubMed"),
        IdKind.PMCID: f"PMC{pmcid}" if pmcid.isdecimal() else "",
        # Of a published work it is that of its preprint, which is another work.
        IdKind.ARXIV: preprint if is_preprint else "",
    }
    return work_of(
        ServiceName.SEMANTIC_SCHOLAR,
        csl,
        {kind: value for kind, value in ids.items() if value},
        open_copy=text(record, "openAccessPdf", "url"),
        has_preprint=f"10.48550/arxiv.{preprint}" if preprint and doi else "",
        cited_by=whole(record, "citationCount"),
    )


SEMANTIC_SCHOLAR = LiteratureService(
    name=ServiceName.SEMANTIC_SCHOLAR,
    title="Semantic Scholar",
    address="https://api.semanticscholar.org/graph/v1",
    gaps_s={LIST: 1.0, RECORD: 1.0},
    takes_key=True,
    needs_key=True,
    key_header="x-api-key",
    search=_search,
    look_up=_look_up,
    citing=partial(_cited, path="citations", inside="citingPaper"),
    references=partial(_cited, path="references", inside="citedPaper"),
)
