"""Zotero's local API: reads the library of a Zotero on this computer, and sends works to it.

Only this computer is contacted, whatever the address resolves to. An item that was edited in
Zotero has its old version until Zotero synchronises, and without an account always version 0, so
`since` and `If-Modified-Since-Version` would miss the edit: versions and dates are both compared.
"""

import ipaddress
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlencode, urlsplit
from uuid import uuid4

from desktop.domain.errors import AppError
from desktop.domain.json_values import JsonValue
from desktop.domain.notes import PdfAnnotation
from desktop.domain.web import (
    AddressRefusedError,
    PageKindError,
    PageTooLargeError,
    PageTooSlowError,
    SiteUnreachableError,
)
from desktop.language.normalization import folded_key
from desktop.research.web.rate_limiting import Deadline, Stop, never
from desktop.research.web.safe_urls import WebAddress, look_up, parse_address
from desktop.settings.paths import program_version

if TYPE_CHECKING:
    from desktop.research.web.http_get import HttpResponse

ATTACHMENT, ANNOTATION, _NOTE = "attachment", "annotation", "note"
_OK, _CREATED, _FORBIDDEN, _NOT_FOUND, _FAILED = 200, 201, 403, 404, 500
_MOST_BYTES = 64 << 20
_BATCH = 50  # Items a request: each is translated into CSL, and the address stays short
_PAGE = 100
_NO_NOTES = ("itemType", f"-{_NOTE}")
_WORKS_AND_FILES = (("itemType", f"-{ANNOTATION}"), _NO_NOTES)
_LONGEST = 20_000  # Characters of marked words and of a comment
_LIBRARY = "users/0"
_EVERYWHERE = ("items",)
_PDF = "application/pdf"
_LINKED_URL = "linked_url"


class ZoteroError(AppError):
    """Zotero could not be read, or sent to."""


class ZoteroAddressError(ZoteroError):
    """`address`: not one of this computer."""


class ZoteroClosedError(ZoteroError):
    """No program answers at `address`."""


class ZoteroApiOffError(ZoteroError):
    """The user has not switched on the local API (403)."""


class ZoteroSlowError(ZoteroError):
    """`seconds`: the time limit of a request."""


class ZoteroAnswerError(ZoteroError):
    """The answer is not one of Zotero; `status`: its HTTP status."""


class ZoteroCollectionError(ZoteroError):
    """`name`: of no collection, or of several; `names`: those there are, or those it may mean."""


class ZoteroReadOnlyError(ZoteroError):
    """The library that is selected in Zotero cannot be changed."""


@dataclass(frozen=True, slots=True)
class Stamp:
    """By which a change of an item is noticed."""

    version: int
    modified: str


@dataclass(frozen=True, slots=True)
class ZoteroItem:
    """A work, or the file of one."""

    key: str
    stamp: Stamp
    kind: str
    added: str
    parent: str = ""
    is_pdf: bool = False
    csl: Mapping[str, JsonValue] = field(default_factory=dict)

    @property
    def is_file(self) -> bool:
        return self.kind == ATTACHMENT


@dataclass(frozen=True, slots=True)
class Collection:
    key: str
    name: str  # With the names of those that contain it: "Thesis / Chapter 1"
    items: int
    parent: str = ""


@dataclass(frozen=True, slots=True)
class ZoteroStatus:
    version: str  # Of the program; empty if it does not say
    collections: Sequence[Collection]


@dataclass(frozen=True, slots=True)
class ZoteroApi:
    """Slow: call it on a worker thread. Methods raise ZoteroError."""

    address: Callable[[], str]
    seconds: float = 60.0  # For one request

    def status(self) -> ZoteroStatus:
        answer = self._get(f"/api/{_LIBRARY}/collections")
        version = answer.headers.get("x-zotero-version", "")
        return ZoteroStatus(" ".join(version.split()), _collections(_parsed(answer)))

    def collections(self) -> Sequence[Collection]:
        """Return the collections of the user's own library, by name."""
        return self.status().collections

    def scope(self, name: str | None) -> Sequence[str]:
        """Return where the items of a collection and of those in it are; None: of the library.

        A collection is named by its key, its whole name or its own. Raises ZoteroCollectionError.
        """
        if name is None:
            return _EVERYWHERE
        collections = self.collections()
        folded = folded_key(name.strip())
        chosen = [
            collection
            for collection in collections
            if collection.key == name.strip()
            or folded in {folded_key(collection.name), folded_key(_own_name(collection))}
        ]
        whole = [each for each in chosen if folded_key(each.name) == folded or each.key == name]
        if len(chosen) > 1 and len(whole) == 1:
            chosen = whole
        if len(chosen) != 1:
            names = [f"{each.name} ({each.key})" for each in chosen or collections]
            raise ZoteroCollectionError(name=name, names=", ".join(names) or "–")
        keys = {chosen[0].key}
        for _ in collections:  # as deep as there are collections
            keys |= {collection.key for collection in collections if collection.parent in keys}
        return [f"collections/{each.key}/items" for each in collections if each.key in keys]

    def versions(
        self, scope: Sequence[str] = _EVERYWHERE, stop: Stop = never
    ) -> Mapping[str, int]:
        """Return the version of each work and file that exists."""
        versions: dict[str, int] = {}
        for place in scope:
            query = [("format", "versions"), *_WORKS_AND_FILES]
            table = self._json(f"{_LIBRARY}/{place}", query, stop)
            if not isinstance(table, Mapping):
                raise ZoteroAnswerError(status=_OK)
            versions |= {key: _number(version) for key, version in table.items() if _key(key)}
        return versions

    def modified_since(self, moment: str, stop: Stop = never) -> Iterator[ZoteroItem]:
        """Yield what was edited at or after a moment, without CSL, and annotations too."""
        order = [("sort", "dateModified"), ("direction", "desc"), ("limit", str(_PAGE))]
        for start in count(0, _PAGE):
            query = [("include", "data"), *order, ("start", str(start)), _NO_NOTES]
            page = self._items(query, stop)
            yield from (item for item in page if item.stamp.modified >= moment)
            # A server that knows no pages sends all at once.
            if len(page) != _PAGE or page[-1].stamp.modified < moment:
                return

    def items(self, keys: Iterable[str], stop: Stop = never) -> Iterator[ZoteroItem]:
        """Yield works, with their CSL, and files."""
        for batch in _batches(keys):
            query = [("itemKey", ",".join(batch)), ("include", "data,csljson")]
            items = (item for item in self._items(query, stop) if item.key in batch)
            yield from (item for item in items if item.kind != ANNOTATION)

    def file(self, key: str, stop: Stop = never) -> Path | None:
        """Return where the file of an attachment is on this computer."""
        answer = self._get(f"/api/{_LIBRARY}/items/{key}/file/view/url", stop, (_OK, *_UNSTORED))
        if answer.status != _OK:
            return None
        return _path_of(answer.body.decode("utf-8", "replace").strip())

    def annotations(self, key: str, stop: Stop = never) -> Sequence[PdfAnnotation]:
        """Return what was marked and noted in a file: words, comment and page."""
        answer = self._get(f"/api/{_LIBRARY}/items/{key}/children", stop, (_OK, *_UNSTORED))
        children = _records(_parsed(answer)) if answer.status == _OK else ()
        annotations = (_annotation(_table(record.get("data"))) for record in children)
        return [each for each in annotations if each and (each.quote or each.text)]

    def send(self, csl: str) -> int:
        """Add the works of a CSL-JSON text to the selected collection; return their number."""
        # As text: a server of Zotero 7 parses what is declared as JSON, and then has no text.
        target = f"/connector/import?session={uuid4().hex}"
        answer = self._request(target, never, csl.encode())
        if answer.status == _FAILED and b"libraryEditable" in answer.body:
            raise ZoteroReadOnlyError
        if answer.status != _CREATED:
            raise ZoteroAnswerError(status=answer.status)
        return len(_records(_parsed(answer)))

    def _items(self, query: Sequence[tuple[str, str]], stop: Stop) -> Sequence[ZoteroItem]:
        records = _records(self._json(f"{_LIBRARY}/items", query, stop))
        items = map(_item, records)
        return [item for item in items if item.key and item.kind != _NOTE]

    def _json(
        self, path: str, query: Sequence[tuple[str, str]] = (), stop: Stop = never
    ) -> JsonValue:
        target = f"/api/{path}?{urlencode(query, safe=',')}" if query else f"/api/{path}"
        return _parsed(self._get(target, stop))

    def _get(
        self, target: str, stop: Stop = never, allowed: Sequence[int] = (_OK,)
    ) -> "HttpResponse":
        answer = self._request(target, stop)
        if answer.status == _FORBIDDEN:
            raise ZoteroApiOffError
        if answer.status not in allowed:
            raise ZoteroAnswerError(status=answer.status)
        return answer

    def _request(self, target: str, stop: Stop, body: bytes | None = None) -> "HttpResponse":
        # Loads httpcore2, which nothing else at a start needs.
        from desktop.research.web.http_get import PinnedBackend, open_response  # noqa: PLC0415

        base = self._base()
        headers = {  # No Origin and no Mozilla, which Zotero takes for a page of the web
            "User-Agent": f"Bellek/{program_version()}",
            "Accept": "application/json, text/plain",
            "Zotero-API-Version": "3",
        }
        if body is not None:
            headers |= {"Content-Type": "text/plain", "Content-Length": str(len(body))}
        backend = PinnedBackend((base.authority,), self._here, Deadline(self.seconds, stop))
        address = replace(base, target=target)
        try:
            with open_response(address, headers, backend, None, body) as answer:
                answer.read(_MOST_BYTES, is_cut=False)
                return answer
        except SiteUnreachableError as exc:
            raise ZoteroClosedError(address=base.origin) from exc
        except PageTooSlowError as exc:
            raise ZoteroSlowError(seconds=round(self.seconds)) from exc
        except (PageKindError, PageTooLargeError) as exc:
            raise ZoteroAnswerError(status=_OK) from exc

    def _base(self) -> WebAddress:
        try:
            return parse_address(self.address())
        except AddressRefusedError as exc:
            raise ZoteroAddressError(address=self.address()) from exc

    def _here(self, host: str, port: int) -> Sequence[str]:
        """Resolve localhost, or a number of this computer; others raise ZoteroAddressError."""
        addresses = look_up(host, port) if host == "localhost" else [host]
        if not all(map(_is_here, addresses)):
            raise ZoteroAddressError(address=self.address())
        return addresses


_UNSTORED = (400, _NOT_FOUND, _FAILED)
"""The statuses for a file that is a link to the web, or was never downloaded."""


def _is_here(address: str) -> bool:
    try:
        return ipaddress.ip_address(address).is_loopback
    except ValueError:
        return False


def _batches(keys: Iterable[str]) -> Iterator[Sequence[str]]:
    whole = list(dict.fromkeys(keys))
    yield from (whole[start : start + _BATCH] for start in range(0, len(whole), _BATCH))


def _parsed(answer: "HttpResponse") -> JsonValue:
    try:
        value: JsonValue = json.loads(answer.body)
    except (ValueError, RecursionError) as exc:
        raise ZoteroAnswerError(status=answer.status) from exc
    return value


def _records(value: JsonValue) -> Sequence[Mapping[str, JsonValue]]:
    if not isinstance(value, list):
        raise ZoteroAnswerError(status=_OK)
    return [record for record in value if isinstance(record, Mapping)]


def _table(value: JsonValue) -> Mapping[str, JsonValue]:
    return value if isinstance(value, Mapping) else {}


def _number(value: JsonValue) -> int:
    return value if isinstance(value, int) and not isinstance(value, bool) else 0


def _key(value: JsonValue) -> str:
    """Return a key, which becomes part of an address; empty if it is none."""
    is_key = isinstance(value, str) and value.isascii() and value.isalnum()
    return str(value) if is_key else ""


def _item(record: Mapping[str, JsonValue]) -> ZoteroItem:
    data = _table(record.get("data"))
    return ZoteroItem(
        key=_key(record.get("key")),
        stamp=Stamp(_number(record.get("version")), str(data.get("dateModified", ""))),
        kind=str(data.get("itemType", "")),
        added=str(data.get("dateAdded", "")),
        parent=_key(data.get("parentItem")),
        is_pdf=data.get("contentType") == _PDF and data.get("linkMode") != _LINKED_URL,
        csl=_csl(record.get("csljson")),
    )


def _annotation(data: Mapping[str, JsonValue]) -> PdfAnnotation | None:
    if data.get("itemType") != ANNOTATION:
        return None
    try:
        position = _table(json.loads(str(data.get("annotationPosition"))))
    except (ValueError, RecursionError):
        return None
    page = position.get("pageIndex")
    if not isinstance(page, int) or page < 0:  # of a book without pages
        return None
    quote = " ".join(str(data.get("annotationText") or "").split())
    comment = str(data.get("annotationComment") or "").strip()
    return PdfAnnotation(quote[:_LONGEST], comment[:_LONGEST], page + 1)


def _csl(value: JsonValue) -> Mapping[str, JsonValue]:
    """Return the CSL of an item, which the local API sends as text with a list in it."""
    if isinstance(value, str):
        try:
            value = json.loads(value)
        except (ValueError, RecursionError):
            return {}
    if isinstance(value, list):
        value = value[0] if value else {}
    return _table(value)


def _collections(value: JsonValue) -> Sequence[Collection]:
    own: dict[str, Collection] = {}
    for record in _records(value):
        data, about = _table(record.get("data")), _table(record.get("meta"))
        key = _key(record.get("key"))
        own[key] = Collection(
            key,
            " ".join(str(data.get("name", "")).split()),
            _number(about.get("numItems")),
            _key(data.get("parentCollection")),
        )
    whole = [replace(each, name=" / ".join(_path(key, own))) for key, each in own.items()]
    return sorted(whole, key=lambda collection: folded_key(collection.name))


def _path(key: str, collections: Mapping[str, Collection]) -> Sequence[str]:
    names: list[str] = []
    seen: set[str] = set()
    while key in collections and key not in seen:
        seen.add(key)
        names.insert(0, collections[key].name)
        key = collections[key].parent
    return names


def _own_name(collection: Collection) -> str:
    return collection.name.rpartition(" / ")[2]


def _path_of(url: str) -> Path | None:
    """Return the path of a PDF's file: address; a host in it would be another computer."""
    from urllib.request import url2pathname  # noqa: PLC0415 - rarely needed

    try:
        parts = urlsplit(url)
    except ValueError:
        return None
    if parts.scheme != "file" or parts.netloc not in {"", "localhost"}:
        return None
    path = url2pathname(parts.path)
    is_share = path.startswith(("\\\\", "//"))
    # Whatever answers at the address cannot have other files of the user read.
    is_pdf = path.lower().endswith(".pdf") and "\0" not in path
    return Path(path) if is_pdf and not is_share else None
