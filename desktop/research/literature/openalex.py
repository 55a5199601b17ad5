"""OpenAlex: works of all subjects. A look-up of one work is free, a search costs of a daily sum.

Its key can only be sent in the query.
"""

from collections.abc import Mapping, Sequence
from urllib.parse import quote

from desktop.domain.json_values import JsonValue
from desktop.domain.literature import (
    PREPRINT,
    FoundWork,
    IdKind,
    LiteratureAnswerError,
    LiteratureQuery,
    LiteratureWorkUnknownError,
    ServiceName,
    ServicePage,
)
from desktop.domain.references import WorkMark
from desktop.research.literature.client import (
    LIST,
    RECORD,
    LiteratureService,
    Parameters,
    ServiceClient,
)
from desktop.research.literature.record_fields import (
    date_of,
    dergipark_id,
    dig,
    doi_of,
    inverted_abstract,
    iso_date,
    items,
    names_of,
    text,
    title_of,
    whole,
    work_of,
)

_PAGE = 100
_SELECTED = (
    "id,doi,title,authorships,publication_year,publication_date,primary_location,biblio,type,"
    "abstract_inverted_index,best_oa_location,open_access,is_retracted,language,ids,cited_by_count"
)
_TYPES = {
    "article": "article-journal",
    "review": "article-journal",
    "letter": "article-journal",
    "editorial": "article-journal",
    "erratum": "article-journal",
    "retraction": "article-journal",
    "book": "book",
    "book-chapter": "chapter",
    "dissertation": "thesis",
    "preprint": "article",
    "report": "report",
    "dataset": "dataset",
}
_SEPARATORS = str.maketrans(dict.fromkeys(",|:!<>", " "))


def _search(client: ServiceClient, query: LiteratureQuery, limit: int, begin: str) -> ServicePage:
    filters = {
        "from_publication_date": f"{query.since}-01-01" if query.since else "",
        "to_publication_date": f"{query.until}-12-31" if query.until else "",
        "raw_author_name.search": query.author.translate(_SEPARATORS),
        "language": query.language,
        "open_access.is_oa": "true" if query.open_only else "",
    }
    words = {"search": query.words} if query.words else {}
    order = {"sort": "publication_date:desc"} if query.newest_first else {}
    return _list(client, filters, limit, begin, {**words, **order})


def _list(
    client: ServiceClient,
    filters: Mapping[str, str],
    limit: int,
    begin: str = "",
    more: Parameters | None = None,
) -> ServicePage:
    number = int(begin or 1)
    chosen = ",".join(f"{name}:{value}" for name, value in filters.items() if value)
    parameters: dict[str, str | int] = {
        **(more or {}),
        **({"filter": chosen} if chosen else {}),
        "per_page": min(limit, _PAGE),
        "page": number,
        "select": _SELECTED,
    }
    answer = client.json("/works", {**parameters, **_key(client)})
    if not isinstance(dig(answer, "results"), list):
        raise LiteratureAnswerError(service=client.service.title)
    works = [work for record in items(answer, "results") if (work := _work(record))]
    total = whole(answer, "meta", "count")
    has_next = total is not None and number * min(limit, _PAGE) < total
    return ServicePage(works, total, str(number + 1) if has_next else "")


def _look_up(client: ServiceClient, dois: Sequence[str]) -> Sequence[FoundWork]:
    if len(dois) > 1:
        return _list(client, {"doi": "|".join(dois)}, _PAGE).works
    path = f"/works/doi:{quote(dois[0], safe='/')}"
    record = client.json(path, {"select": _SELECTED, **_key(client)}, RECORD)
    work = _work(record)
    return [work] if work else []


def _citing(client: ServiceClient, work: FoundWork, limit: int, begin: str) -> ServicePage:
    return _list(client, {"cites": _own_id(client, work)}, limit, begin)


def _references(client: ServiceClient, work: FoundWork, limit: int, begin: str) -> ServicePage:
    return _list(client, {"cited_by": _own_id(client, work)}, limit, begin)


def _own_id(client: ServiceClient, work: FoundWork) -> str:
    """Return the id of OpenAlex. Raises LiteratureWorkUnknownError."""
    if number := work.ids.get(IdKind.OPENALEX):
        return number
    records = _look_up(client, [work.doi]) if work.doi else ()
    if not records:
        raise LiteratureWorkUnknownError(doi=work.doi or work.reference.title)
    return records[0].ids[IdKind.OPENALEX]


def _key(client: ServiceClient) -> Parameters:
    return {"api_key": client.key} if client.key else {}


def _work(record: JsonValue) -> FoundWork | None:
    kind = text(record, "type")
    is_preprint = kind == "preprint"
    source = dig(record, "primary_location", "source")
    is_paper = text(source, "type") == "conference" and kind == "article"
    pages = [text(record, "biblio", name) for name in ("first_page", "last_page")]
    csl: dict[str, JsonValue] = {
        "type": "paper-conference" if is_paper else _TYPES.get(kind, "document"),
        "genre": PREPRINT if is_preprint else "",
        "title": title_of(text(record, "title") or text(record, "display_name")),
        "author": names_of(
            text(entry, "author", "display_name") for entry in items(record, "authorships")
        ),
        "issued": iso_date(text(record, "publication_date"))
        or date_of(whole(record, "publication_year")),
        "container-title": text(source, "display_name"),
        "ISSN": text(source, "issn_l"),
        "volume": text(record, "biblio", "volume"),
        "issue": text(record, "biblio", "issue"),
        "page": "-".join(dict.fromkeys(filter(None, pages))),
        "language": text(record, "language"),
        "DOI": doi_of(text(record, "doi")),
        "abstract": inverted_abstract(dig(record, "abstract_inverted_index")),
    }
    ids = {
        IdKind.OPENALEX: text(record, "id").rpartition("/")[2],
        IdKind.PMID: _last(text(record, "ids", "pmid")),
        IdKind.PMCID: _pmcid(text(record, "ids", "pmcid")),
        IdKind.DERGIPARK: dergipark_id([text(record, "primary_location", "landing_page_url")]),
    }
    return work_of(
        ServiceName.OPENALEX,
        csl,
        ids,
        open_copy=_open_copy(record),
        marks=frozenset({WorkMark.RETRACTED} if dig(record, "is_retracted") is True else ()),
        cited_by=whole(record, "cited_by_count"),
    )


def _open_copy(record: JsonValue) -> str:
    """Return the address of the PDF, or else of the page with the free text."""
    copy = dig(record, "best_oa_location")
    return (
        text(copy, "pdf_url")
        or text(record, "open_access", "oa_url")
        or text(copy, "landing_page_url")
    )


def _last(address: str) -> str:
    return address.rstrip("/").rpartition("/")[2]


def _pmcid(address: str) -> str:
    number = _last(address).upper().removeprefix("PMC")
    return f"PMC{number}" if number.isdecimal() else ""


OPENALEX = LiteratureService(
    name=ServiceName.OPENALEX,
    title="OpenAlex",
    address="https://api.openalex.org",
    gaps_s={LIST: 0.1, RECORD: 0.1},
    takes_key=True,
    batch=50,
    search=_search,
    look_up=_look_up,
    citing=_citing,
    references=_references,
)
