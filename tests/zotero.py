"""A stand-in for Zotero on loopback: its local API and its connector, as Zotero 8 answers them.

Like Zotero it speaks HTTP/1.0 without a length, sends the CSL of an item as text with a list in
it, knows no item of the trash, and hangs up on whatever looks like a page of the web.
"""

import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

from tests.serving import Serving

Json = dict[str, Any]  # Any: what a server of JSON sends


@dataclass(slots=True)
class Record:
    """An item, or the file of one."""

    key: str
    kind: str = "journalArticle"
    csl: Json = field(default_factory=dict)
    version: int = 1
    modified: str = "2026-01-01T00:00:00Z"
    parent: str = ""
    collections: Sequence[str] = ()
    path: Path | None = None
    content_type: str = "application/pdf"
    about: Json = field(default_factory=dict)  # More of its data

    def as_json(self, *, with_csl: bool) -> Json:
        data: Json = {
            "key": self.key,
            "version": self.version,
            "itemType": self.kind,
            "dateAdded": "2026-01-01T00:00:00Z",
            "dateModified": self.modified,
        }
        if self.parent:
            data["parentItem"] = self.parent
        if self.kind == "attachment":
            data |= {"contentType": self.content_type, "linkMode": "imported_file"}
        data |= self.about
        record: Json = {"key": self.key, "version": self.version, "data": data}
        if with_csl:
            address = f"http://zotero.org/users/local/abc/items/{self.key}"
            items = [{"id": address, **self.csl}] if self.csl else []
            record["csljson"] = json.dumps(items, ensure_ascii=False)
        return record


class StandInZotero(Serving):
    """A Zotero with records; `read`: the keys of the items whose CSL was sent."""

    def __init__(self) -> None:
        self.records: dict[str, Record] = {}
        self.collections: dict[str, tuple[str, str]] = {}  # Name and parent, by key
        self.is_api_on = True
        self.is_editable = True
        self.answer: tuple[int, str] | None = None  # Instead of every other answer
        self.read: list[str] = []
        self.requests: list[str] = []
        self.imported: list[Json] = []
        self.stalls = False
        http = _Http(("127.0.0.1", 0), _Handler)
        http.zotero = self
        super().__init__(http, "stand-in-zotero")

    @property
    def address(self) -> str:
        return f"http://localhost:{self.port}"

    def put(self, *records: Record) -> None:
        self.records |= {record.key: record for record in records}

    def edit(self, key: str, *, version: int | None = None, **csl: object) -> None:
        """Edit an item; it has a new version only once Zotero has synchronised."""
        record = self.records[key]
        record.csl |= csl
        record.modified = "2026-02-01T00:00:00Z"
        record.version = record.version if version is None else version

    def get(self, path: str, query: dict[str, list[str]]) -> tuple[int, str]:
        if path == "/connector/ping":
            return 200, "<!DOCTYPE html><html><body>Zotero is running</body></html>"
        if not self.is_api_on:
            return 403, "Local API is not enabled"
        match path.removeprefix("/api/users/0/").split("/"):
            case ["collections"]:
                answer = 200, json.dumps(list(map(self._collection, self.collections)))
            case ["collections", key, "items"]:
                answer = self._items(query, lambda record: key in self._top(record).collections)
            case ["items"]:
                answer = self._items(query, lambda _: True)
            case ["items", key, "children"]:
                answer = self._items(query, lambda record: record.parent == key)
            case ["items", key, "file", "view", "url"] if file := self.records[key].path:
                answer = 200, file.as_uri()
            case _:
                answer = 404, "Not found"
        return answer

    def post(self, path: str, query: dict[str, list[str]], body: str) -> tuple[int, str]:
        if path != "/connector/import" or not query.get("session"):
            return 404, "No endpoint found"
        if not self.is_editable:
            return 500, json.dumps({"libraryEditable": False})
        try:
            items = json.loads(body)
        except ValueError:
            return 400, ""
        self.imported += items
        return 201, json.dumps([{"itemType": "journalArticle"} for _ in items])

    def _top(self, record: Record) -> Record:
        return self.records.get(record.parent, record)

    def _collection(self, key: str) -> Json:
        name, parent = self.collections[key]
        items = sum(key in record.collections for record in self.records.values())
        data = {"key": key, "name": name, "parentCollection": parent or False}
        return {"key": key, "version": 1, "data": data, "meta": {"numItems": items}}

    def _items(
        self, query: dict[str, list[str]], is_in: Callable[[Record], bool]
    ) -> tuple[int, str]:
        records = list(filter(is_in, self.records.values()))
        for kind in query.get("itemType", []):
            records = [record for record in records if record.kind != kind.removeprefix("-")]
        if keys := query.get("itemKey"):
            records = [record for record in records if record.key in keys[0].split(",")]
        if query.get("format") == ["versions"]:
            return 200, json.dumps({record.key: record.version for record in records}, indent=4)
        records.sort(key=lambda record: record.modified, reverse=True)
        start, limit = (int(query.get(name, ["0"])[0]) for name in ("start", "limit"))
        records = records[start : start + limit] if limit else records[start:]
        with_csl = "csljson" in query.get("include", [""])[0]
        if with_csl:
            self.read += [record.key for record in records if record.csl]
        return 200, json.dumps([record.as_json(with_csl=with_csl) for record in records], indent=4)


class _Http(ThreadingHTTPServer):
    daemon_threads = True
    zotero: StandInZotero

    def handle_error(self, request: Any, client_address: Any) -> None:  # Any: as inherited
        """Clients that hang up are part of the tests."""


class _Handler(BaseHTTPRequestHandler):
    server: _Http

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002  as inherited
        """Stay silent: stderr belongs to the test."""

    def do_GET(self) -> None:
        self._answer(lambda zotero, path, query: zotero.get(path, query))

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"])).decode()
        self._answer(lambda zotero, path, query: zotero.post(path, query, body))

    def _answer(
        self, answer: Callable[[StandInZotero, str, dict[str, list[str]]], tuple[int, str]]
    ) -> None:
        zotero, parts = self.server.zotero, urlsplit(self.path)
        zotero.requests.append(self.path)
        if self.headers.get("User-Agent", "").startswith("Mozilla/") or "Origin" in self.headers:
            return
        if zotero.stalls:
            zotero.closing.wait()
            return
        status, text = zotero.answer or answer(zotero, parts.path, parse_qs(parts.query))
        self.wfile.write(f"HTTP/1.0 {status} -\r\nX-Zotero-Version: 8.0.1\r\n\r\n{text}".encode())


@contextmanager
def closed_address() -> Iterator[str]:
    """Yield an address at which nothing answers."""
    with StandInZotero() as zotero:
        address = zotero.address
    yield address
