"""arXiv: preprints, each with a free copy. Answers are Atom."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from desktop.domain.json_values import JsonValue
from desktop.domain.literature import (
    PREPRINT,
    FoundWork,
    IdKind,
    LiteratureAnswerError,
    LiteratureQuery,
    LiteratureRefusedError,
    ServiceName,
    ServicePage,
)
from desktop.research.literature.client import (
    LIST,
    LiteratureService,
    Parameters,
    ServiceClient,
)
from desktop.research.literature.record_fields import (
    arxiv_id,
    arxiv_of_doi,
    doi_of,
    iso_date,
    names_of,
    plain_abstract,
    title_of,
    work_of,
)
from desktop.research.literature.result_merging import WORD

if TYPE_CHECKING:
    from lxml import etree

_ATOM = "{http://www.w3.org/2005/Atom}"
_ARXIV = "{http://arxiv.org/schemas/atom}"
_SEARCH = "{http://a9.com/-/spec/opensearch/1.1/}"


def _search(client: ServiceClient, query: LiteratureQuery, limit: int, begin: str) -> ServicePage:
    if query.language not in {"", "en"}:
        return ServicePage([], 0)  # it has nearly nothing in other languages
    years = f"{query.since or 1990}01010000 TO {query.until or 2200}12312359"
    terms = [
        *(f"all:{word}" for word in WORD.findall(query.words)),
        *(f"au:{word}" for word in WORD.findall(query.author)),
        *(f"jr:{word}" for word in WORD.findall(query.venue)),
        *([f"submittedDate:[{years}]"] if query.since or query.until else []),
    ]
    offset = int(begin or 0)
    page = _list(
        client,
        {
            "search_query": " AND ".join(terms),
            "start": offset,
            "max_results": limit,
            "sortBy": "submittedDate" if query.newest_first else "relevance",
        },
    )
    end = offset + limit
    has_next = page.total is not None and end < page.total
    return ServicePage(page.works, page.total, str(end) if has_next else "")


def _list(client: ServiceClient, parameters: Parameters) -> ServicePage:
    feed = client.xml("/query", parameters)
    if feed.tag != f"{_ATOM}feed":
        raise LiteratureAnswerError(service=client.service.title)
    works: list[FoundWork] = []
    for entry in feed.iterfind(f"{_ATOM}entry"):
        if "/api/errors" in _text(entry, f"{_ATOM}id"):
            raise LiteratureRefusedError(
                service=client.service.title, code=_text(entry, f"{_ATOM}summary")[:80]
            )
        if work := _work(entry):
            works.append(work)
    total = _text(feed, f"{_SEARCH}totalResults")
    return ServicePage(works, int(total) if total.isdecimal() else None)


def _look_up(client: ServiceClient, dois: Sequence[str]) -> Sequence[FoundWork]:
    ids = list(filter(None, map(arxiv_of_doi, dois)))
    if not ids:
        return []  # it finds no work by the DOI of its journal
    return _list(client, {"id_list": ",".join(ids), "max_results": len(ids)}).works


def _work(entry: "etree._Element") -> FoundWork | None:
    number = arxiv_id(_text(entry, f"{_ATOM}id"))
    if not number:
        return None
    csl: dict[str, JsonValue] = {
        "type": "article",
        "genre": PREPRINT,
        "title": title_of(_text(entry, f"{_ATOM}title")),
        "author": names_of(_names(entry)),
        "issued": iso_date(_text(entry, f"{_ATOM}published")),
        "publisher": "arXiv",
        "number": f"arXiv:{number}",
        "language": "en",
        "DOI": f"10.48550/arxiv.{number}",
        "URL": f"https://arxiv.org/abs/{number}",
        "abstract": plain_abstract(_text(entry, f"{_ATOM}summary")),
    }
    return work_of(
        ServiceName.ARXIV,
        csl,
        {IdKind.ARXIV: number},
        open_copy=f"https://arxiv.org/pdf/{number}",
        preprint_of=doi_of(_text(entry, f"{_ARXIV}doi")).lower(),
    )


def _names(entry: "etree._Element") -> Iterator[str]:
    for author in entry.iterfind(f"{_ATOM}author"):
        yield _text(author, f"{_ATOM}name")


def _text(element: "etree._Element", name: str) -> str:
    return " ".join((element.findtext(name) or "").split())


ARXIV = LiteratureService(
    name=ServiceName.ARXIV,
    title="arXiv",
    address="https://export.arxiv.org/api",
    gaps_s={LIST: 3.0},
    batch=50,
    search=_search,
    look_up=_look_up,
)
