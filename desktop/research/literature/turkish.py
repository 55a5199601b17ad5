"""Turkish scholarship: TR Dizin, which is searched, and DergiPark, which completes articles.

TR Dizin names the file of an article by an id that has no address, so the free copy is its page:
what has no article on it leaves the abstract. DergiPark's own search is behind a bot check and is
never tried: only OAI-PMH is.
"""

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from desktop.domain.json_values import JsonValue
from desktop.domain.literature import (
    FoundWork,
    IdKind,
    LiteratureAnswerError,
    LiteratureQuery,
    LiteratureRefusedError,
    ServiceName,
    ServicePage,
)
from desktop.research.literature.client import LIST, LiteratureService, ServiceClient
from desktop.research.literature.record_fields import (
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

if TYPE_CHECKING:
    from lxml import etree

_REFUSED_SIGNS = re.compile(r"[^\w\s./()-]")  # A colon is refused, a bare asterisk breaks it
_LANGUAGES = {"tur": "tr", "eng": "en", "tr": "tr", "en": "en"}
_OAI = "{http://www.openarchives.org/OAI/2.0/}"
_MODS = "{http://www.loc.gov/mods/v3}"
_LANG = "{http://www.w3.org/XML/1998/namespace}lang"
_UNKNOWN = {"idDoesNotExist", "noRecordsMatch"}


def _search(client: ServiceClient, query: LiteratureQuery, limit: int, begin: str) -> ServicePage:
    return _list(client, f"{query.words} {query.author} {query.venue}", limit, int(begin or 1))


def _list(client: ServiceClient, words: str, limit: int, number: int) -> ServicePage:
    parameters: dict[str, str | int] = {
        "q": " ".join(_REFUSED_SIGNS.sub(" ", words).split()),
        "order": "relevance-DESC",
        "page": number,
        "limit": limit,
    }
    answer = client.json("/defaultSearch/publication/", parameters)
    if not isinstance(dig(answer, "hits", "hits"), list):
        raise LiteratureAnswerError(service=client.service.title)
    records = [dig(hit, "_source") for hit in items(answer, "hits", "hits")]
    works = [work for record in records if (work := _work(record))]
    total = whole(answer, "hits", "total", "value")
    total = whole(answer, "hits", "total") if total is None else total
    has_next = total is not None and number * limit < total
    return ServicePage(works, total, str(number + 1) if has_next else "")


def _look_up(client: ServiceClient, dois: Sequence[str]) -> Sequence[FoundWork]:
    works = _list(client, dois[0], limit=5, number=1).works
    return [work for work in works if work.doi == dois[0]]


def _work(record: JsonValue) -> FoundWork | None:
    number = text(record, "id")
    about = dig(record, "abstracts", 0)
    pages = [text(record, name) for name in ("startPage", "endPage")]
    page = f"https://search.trdizin.gov.tr/tr/yayin/detay/{number}"
    language = text(about, "language").lower()
    csl: dict[str, JsonValue] = {
        "type": "article-journal",
        "title": title_of(text(about, "title")),
        "author": names_of(text(author, "name") for author in items(record, "authors")),
        "issued": date_of(whole(record, "publicationYear")),
        "container-title": text(record, "journal", "name") or text(record, "journal"),
        "volume": text(record, "volume"),
        "page": "-".join(dict.fromkeys(filter(None, pages))),
        "language": _LANGUAGES.get(language, language),
        "DOI": doi_of(text(record, "doi")),
        "URL": page if number else "",
        "abstract": plain_abstract(text(about, "abstract", longest=100_000)),
    }
    is_open = text(record, "accessType") == "OPEN"
    return work_of(
        ServiceName.TRDIZIN,
        csl,
        {IdKind.TRDIZIN: number},
        open_copy=page if is_open and number else "",
    )


def _complete(client: ServiceClient, work: FoundWork) -> FoundWork | None:
    """Return an article by its number at DergiPark; None if it has none, or is another work."""
    number = work.ids.get(IdKind.DERGIPARK)
    if not number:
        return None
    parameters = {
        "verb": "GetRecord",
        "metadataPrefix": "oai_mods",
        "identifier": f"oai:dergipark.org.tr:article/{number}",
    }
    root = client.xml("/", parameters)
    error = root.find(f"{_OAI}error")
    if error is not None and error.get("code") in _UNKNOWN:
        return None
    if error is not None:
        code = error.get("code", "")
        raise LiteratureRefusedError(service=client.service.title, code=code)
    mods = root.find(f".//{_MODS}mods")
    if mods is None:
        raise LiteratureAnswerError(service=client.service.title)
    article = _article(mods, number)
    is_other = article is not None and work.doi and article.doi and article.doi != work.doi
    return None if is_other else article


def _article(mods: "etree._Element", number: str) -> FoundWork | None:
    code = _text(mods, "language/languageTerm").lower()
    language = _LANGUAGES.get(code, code)
    host = mods.find(_path("relatedItem[@type='host']"))
    part = mods.find(_path(".//part"))
    pages = [_text(part, f"extent/{name}") for name in ("start", "end")]
    csl: dict[str, JsonValue] = {
        "type": "article-journal",
        "title": title_of(_in_language(mods, "titleInfo", "title", language)),
        "author": _authors(mods),
        "issued": iso_date(_text(mods, ".//dateIssued")),
        "container-title": _text(host, "titleInfo/title"),
        "volume": _text(part, "detail[@type='volume']/number"),
        "issue": _text(part, "detail[@type='issue']/number"),
        "page": "-".join(dict.fromkeys(filter(None, pages))),
        "language": language,
        "DOI": doi_of(_text(mods, "identifier[@type='doi']")),
        "abstract": plain_abstract(_in_language(mods, "abstract", "", language)),
    }
    return work_of(ServiceName.DERGIPARK, csl, {IdKind.DERGIPARK: number})


def _in_language(mods: "etree._Element", name: str, child: str, language: str) -> str:
    """Return the words of the elements with a name in a language, or else of the first."""
    elements = mods.findall(_path(name))
    own = [
        element
        for element in elements
        if (element.get("lang") or element.get(_LANG) or "")[:2].lower() == language[:2]
    ]
    words = (
        _text(element, child) if child else "".join(element.itertext())
        for element in (*own, *elements)
    )
    return next((word for word in words if word.strip()), "")


def _authors(mods: "etree._Element") -> JsonValue:
    names: list[JsonValue] = []
    for name in mods.findall(_path("name")):
        family = _text(name, "namePart[@type='family']")
        given = _text(name, "namePart[@type='given']")
        if family:
            names.append({"family": family, **({"given": given} if given else {})})
        elif literal := _text(name, "namePart"):
            names.append({"literal": literal})
    return names


def _text(element: "etree._Element | None", path: str) -> str:
    words = element.findtext(_path(path)) if element is not None else ""
    return " ".join((words or "").split())


def _path(path: str) -> str:
    """Return a path whose names are of MODS."""
    return "/".join(f"{_MODS}{part}" if part[:1].isalpha() else part for part in path.split("/"))


TRDIZIN = LiteratureService(
    name=ServiceName.TRDIZIN,
    title="TR Dizin",
    address="https://search.trdizin.gov.tr/api",
    gaps_s={LIST: 1.0},
    search=_search,
    look_up=_look_up,
)

DERGIPARK = LiteratureService(
    name=ServiceName.DERGIPARK,
    title="DergiPark",
    address="https://dergipark.org.tr/api/public/oai",
    gaps_s={LIST: 1.0},
    complete=_complete,
)
