"""Europe PMC: life sciences and medicine with more abstracts than any other, and preprints.

It reports its errors inside answers of status 200.
"""

import re
from collections.abc import Mapping, Sequence
from types import MappingProxyType

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
from desktop.domain.references import WorkMark
from desktop.research.literature.client import LIST, LiteratureService, ServiceClient
from desktop.research.literature.record_fields import (
    date_of,
    dig,
    doi_of,
    items,
    plain_abstract,
    text,
    title_of,
    whole,
    work_of,
)

_MOST = 100
_FIRST_CURSOR = "*"
_SIGNS = re.compile(r"[^\w\s.,'’-]")  # Its query language gives a meaning to all others
_LANGUAGES = {"en": "eng", "tr": "tur", "de": "ger", "fr": "fre", "es": "spa"}
_CODES = {code: language for language, code in _LANGUAGES.items()}
_MARKS = {
    "retraction in": WorkMark.RETRACTED,
    "expression of concern in": WorkMark.CONCERN,
    "erratum in": WorkMark.CORRECTED,
    "corrected and republished in": WorkMark.CORRECTED,
}


def _search(client: ServiceClient, query: LiteratureQuery, limit: int, begin: str) -> ServicePage:
    first, last = query.since or 1500, query.until or 2200
    language = _LANGUAGES.get(query.language, query.language)
    parts = {
        "{}": _plain(query.words),
        'AUTH:"{}"': _plain(query.author),
        'JOURNAL:"{}"': _plain(query.venue),
        "LANG:{}": language if language.isalpha() else "",
        "PUB_YEAR:[{}]": f"{first} TO {last}" if query.since or query.until else "",
        "OPEN_ACCESS:{}": "y" if query.open_only else "",
    }
    terms = [f"({form.format(value)})" for form, value in parts.items() if value]
    order = {"sort": "P_PDATE_D desc"} if query.newest_first else {}
    return _list(client, " AND ".join(terms), limit, begin or _FIRST_CURSOR, order)


def _list(
    client: ServiceClient,
    query: str,
    limit: int,
    cursor: str,
    order: Mapping[str, str] = MappingProxyType({}),
) -> ServicePage:
    parameters: dict[str, str | int] = {
        "query": query,
        "resultType": "core",
        "format": "json",
        "pageSize": min(limit, _MOST),
        "cursorMark": cursor,
        **order,
    }
    answer = client.json("/search", parameters)
    if code := text(answer, "errCode"):
        raise LiteratureRefusedError(service=client.service.title, code=code)
    if not isinstance(dig(answer, "resultList", "result"), list):
        raise LiteratureAnswerError(service=client.service.title)
    records = items(answer, "resultList", "result")
    works = [work for record in records if (work := _work(record))]
    following = text(answer, "nextCursorMark")
    has_next = len(records) >= min(limit, _MOST) and following != cursor
    return ServicePage(works, whole(answer, "hitCount"), following if has_next else "")


def _look_up(client: ServiceClient, dois: Sequence[str]) -> Sequence[FoundWork]:
    terms = " OR ".join(f'DOI:"{doi}"' for doi in dois if '"' not in doi)
    return _list(client, terms, _MOST, _FIRST_CURSOR).works if terms else []


def _plain(words: str) -> str:
    return " ".join(_SIGNS.sub(" ", words).split())


def _work(record: JsonValue) -> FoundWork | None:
    kinds = {str(kind).lower() for kind in items(record, "pubTypeList", "pubType")}
    is_preprint = text(record, "source") == "PPR" or "preprint" in kinds
    code = text(record, "language")
    csl: dict[str, JsonValue] = {
        "type": "article" if is_preprint else "article-journal",
        "genre": PREPRINT if is_preprint else "",
        "title": title_of(text(record, "title")),
        "author": _names(record),
        "issued": date_of(whole(record, "pubYear")),
        "container-title": title_of(text(record, "journalInfo", "journal", "title")),
        "ISSN": text(record, "journalInfo", "journal", "issn"),
        "volume": text(record, "journalInfo", "volume"),
        "issue": text(record, "journalInfo", "issue"),
        "page": text(record, "pageInfo"),
        "language": _CODES.get(code, code),
        "DOI": doi_of(text(record, "doi")),
        "PMID": text(record, "pmid"),
        "PMCID": text(record, "pmcid"),
        "abstract": plain_abstract(text(record, "abstractText", longest=100_000)),
    }
    ids = {IdKind.PMID: text(record, "pmid"), IdKind.PMCID: text(record, "pmcid").upper()}
    corrections = items(record, "commentCorrectionList", "commentCorrection")
    marks = {_MARKS.get(text(correction, "type").lower()) for correction in corrections}
    if "retracted publication" in kinds:
        marks.add(WorkMark.RETRACTED)
    return work_of(
        ServiceName.EUROPE_PMC,
        csl,
        ids,
        open_copy=_open_copy(record),
        marks=frozenset(mark for mark in marks if mark is not None),
        cited_by=whole(record, "citedByCount"),
    )


def _names(record: JsonValue) -> JsonValue:
    names: list[JsonValue] = []
    for author in items(record, "authorList", "author"):
        family, given = text(author, "lastName"), text(author, "firstName")
        literal = text(author, "collectiveName") or text(author, "fullName")
        if family:
            name: dict[str, JsonValue] = {"family": family}
            names.append(name | ({"given": given} if given else {}))
        elif literal:
            names.append({"literal": literal})
    return names


def _open_copy(record: JsonValue) -> str:
    """Return the address of the PDF; a full text that is not free answers with an empty 404."""
    if text(record, "isOpenAccess") != "Y":
        return ""
    copies = [
        copy
        for copy in items(record, "fullTextUrlList", "fullTextUrl")
        if text(copy, "availabilityCode") in {"OA", "F"}
    ]
    copies.sort(key=lambda copy: text(copy, "documentStyle") != "pdf")
    return next((address for copy in copies if (address := text(copy, "url"))), "")


EUROPE_PMC = LiteratureService(
    name=ServiceName.EUROPE_PMC,
    title="Europe PMC",
    address="https://www.ebi.ac.uk/europepmc/webservices/rest",
    gaps_s={LIST: 0.5},
    batch=20,
    search=_search,
    look_up=_look_up,
)
