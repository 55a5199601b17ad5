"""Crossref: the records of most DOIs, with what was retracted or corrected.

A notice names in `update-to` what it changes; the paper itself has `updated-by`, to which Crossref
adds the retractions that Retraction Watch knows. Some retracted papers show only there.

Records are asked for whole: what tells a preprint (`subtype`) and where a work stands (`resource`)
cannot be named in `select`, and a name that it does not know ends the whole request.
"""

from collections.abc import Sequence
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
from desktop.domain.references import WorkMark
from desktop.research.literature.client import LIST, RECORD, LiteratureService, ServiceClient
from desktop.research.literature.record_fields import (
    date_of,
    dergipark_id,
    dig,
    doi_of,
    items,
    plain_abstract,
    text,
    title_of,
    whole,
    work_of,
)

_LAST_BEGIN = 10_000  # Crossref refuses a greater offset
_TYPES = {
    "journal-article": "article-journal",
    "book": "book",
    "monograph": "book",
    "edited-book": "book",
    "reference-book": "book",
    "book-chapter": "chapter",
    "book-section": "chapter",
    "book-part": "chapter",
    "reference-entry": "entry-encyclopedia",
    "proceedings-article": "paper-conference",
    "posted-content": "article",
    "dissertation": "thesis",
    "report": "report",
    "dataset": "dataset",
    "peer-review": "review",
}
_MARKS = {
    "retraction": WorkMark.RETRACTED,
    "partial_retraction": WorkMark.RETRACTED,
    "withdrawal": WorkMark.RETRACTED,
    "removal": WorkMark.RETRACTED,
    "expression_of_concern": WorkMark.CONCERN,
    "correction": WorkMark.CORRECTED,
    "corrigendum": WorkMark.CORRECTED,
    "erratum": WorkMark.CORRECTED,
    "addendum": WorkMark.CORRECTED,
    "clarification": WorkMark.CORRECTED,
}


def _search(client: ServiceClient, query: LiteratureQuery, limit: int, begin: str) -> ServicePage:
    filters = {"from-pub-date": query.since, "until-pub-date": query.until}
    words = {
        "query.bibliographic": query.words,
        "query.author": query.author,
        "query.container-title": query.venue,
        "filter": ",".join(f"{name}:{year}" for name, year in filters.items() if year),
    }
    offset = int(begin or 0)
    parameters = {name: value for name, value in words.items() if value}
    page = _list(client, {**parameters, "rows": limit, "offset": offset})
    end = offset + limit
    has_next = page.total is not None and end < min(page.total, _LAST_BEGIN)
    return ServicePage(page.works, page.total, str(end) if has_next else "")


def _list(client: ServiceClient, parameters: dict[str, str | int]) -> ServicePage:
    answer = client.json("/works", parameters)
    if not isinstance(dig(answer, "message", "items"), list):
        raise LiteratureAnswerError(service=client.service.title)
    records = items(answer, "message", "items")
    works = [work for record in records if (work := _work(record))]
    return ServicePage(works, whole(answer, "message", "total-results"))


def _look_up(client: ServiceClient, dois: Sequence[str]) -> Sequence[FoundWork]:
    if len(dois) > 1:
        chosen = ",".join(f"doi:{doi}" for doi in dois)
        return _list(client, {"filter": chosen, "rows": len(dois)}).works
    answer = client.json(f"/works/{quote(dois[0], safe='')}", {}, RECORD)
    if answer is None:
        return []
    work = _work(dig(answer, "message"))
    if work is None:
        raise LiteratureAnswerError(service=client.service.title)
    return [work]


def _work(record: JsonValue) -> FoundWork | None:
    is_preprint = text(record, "subtype") == "preprint"
    csl: dict[str, JsonValue] = {
        "type": _TYPES.get(text(record, "type"), "document"),
        "genre": PREPRINT if is_preprint else "",
        "title": _title(record),
        "author": _names(record, "author"),
        "editor": _names(record, "editor"),
        "issued": date_of(*(whole(part) for part in items(record, "issued", "date-parts", 0))),
        "container-title": title_of(text(record, "container-title", 0)),
        "publisher": text(record, "publisher"),
        "volume": text(record, "volume"),
        "issue": text(record, "issue"),
        "page": text(record, "page") or text(record, "article-number"),
        "ISSN": text(record, "ISSN", 0),
        "ISBN": text(record, "ISBN", 0),
        "language": text(record, "language"),
        "DOI": doi_of(text(record, "DOI")),
        "abstract": plain_abstract(text(record, "abstract", longest=100_000)),
    }
    addresses = [text(record, "resource", "primary", "URL"), text(record, "URL")]
    return work_of(
        ServiceName.CROSSREF,
        csl,
        {IdKind.DERGIPARK: dergipark_id(addresses)},
        marks=frozenset(mark for _, mark in _updates(record, "updated-by")),
        notices=_notices(record),
        preprint_of=_related(record, "is-preprint-of"),
        has_preprint=_related(record, "has-preprint"),
        cited_by=whole(record, "is-referenced-by-count"),
    )


def _title(record: JsonValue) -> str:
    title = title_of(text(record, "title", 0))
    subtitle = title_of(text(record, "subtitle", 0))
    is_there = not subtitle or subtitle.casefold() in title.casefold()
    return title if is_there or not title else f"{title}: {subtitle}"


def _names(record: JsonValue, role: str) -> JsonValue:
    names: list[JsonValue] = []
    for entry in items(record, role):
        parts = {part: text(entry, part) for part in ("family", "given", "suffix")}
        name: dict[str, JsonValue] = {part: words for part, words in parts.items() if words}
        if "family" in name:
            names.append(name)
        elif literal := text(entry, "name") or parts["given"]:
            names.append({"literal": literal})
    return names


def _updates(record: JsonValue, name: str) -> Sequence[tuple[str, WorkMark]]:
    return [
        (doi_of(text(update, "DOI")).lower(), _MARKS[kind])
        for update in items(record, name)
        if (kind := text(update, "type").lower().replace("-", "_").replace(" ", "_")) in _MARKS
    ]


def _notices(record: JsonValue) -> dict[str, WorkMark]:
    """Return what a notice says of other works; the gravest, if it says several things."""
    own = doi_of(text(record, "DOI")).lower()
    notices: dict[str, WorkMark] = {}
    for mark in reversed(WorkMark):
        updates = _updates(record, "update-to")
        notices |= {doi: mark for doi, its in updates if its is mark and doi not in {"", own}}
    return notices


def _related(record: JsonValue, name: str) -> str:
    related = items(record, "relation", name)
    dois = (doi_of(text(relation, "id")) for relation in related)
    return next((doi.lower() for doi in dois if doi), "")


CROSSREF = LiteratureService(
    name=ServiceName.CROSSREF,
    title="Crossref",
    address="https://api.crossref.org",
    gaps_s={LIST: 1.0, RECORD: 0.2},
    takes_mail=True,
    batch=50,
    search=_search,
    look_up=_look_up,
)
