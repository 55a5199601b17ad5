"""The form in which an item of a shared project travels: rows of named parts.

A row is a list in the order of the columns of its part. A message is named by its place in the
session's path, from 1, and never by the number of its row. What a version adds is a part of its
own, so that older ones know that they do not know it.
"""

import base64
from binascii import Error as NotBase64
from collections.abc import Iterable, Mapping, Sequence
from pathlib import PurePath
from typing import Any

from sqlalchemy import Column, LargeBinary, Table, Text

from desktop.domain.claims import Support
from desktop.domain.frozen import dataclass
from desktop.domain.json_values import JsonValue
from desktop.domain.messages import CitationState, MessageState, Role
from desktop.domain.sharing import ItemKind
from desktop.domain.sources import SourceKind, SourceState
from desktop.domain.times import parse_utc
from desktop.language.normalization import fix_surrogates
from desktop.storage.schema.learned_tables import claim_checks, claims
from desktop.storage.schema.tables import (
    citations,
    message_files,
    messages,
    notes,
    scanned_pages,
    sessions,
    source_passages,
    source_references,
    sources,
)

ItemContent = Mapping[str, Sequence[Sequence[Any]]]
"""The rows of each part, with the values of SQLite."""

PLACE = "place_in_path"
_CHOICES: Mapping[str, Sequence[str]] = {
    "messages.role": list(Role),
    "messages.state": [state for state in MessageState if state is not MessageState.STREAMING],
    "citations.state": list(CitationState),
    "claims.support": list(Support),
    "sources.kind": list(SourceKind),
    "sources.state": list(SourceState),
}
_MOST_ROWS = 1_000_000
_LARGEST = 1 << 53  # What JSON holds everywhere
_HEXADECIMAL = frozenset("0123456789abcdef")
_HASH_DIGITS = 64


class NewerItemError(ValueError):
    """An item with a part that only a newer version of this program knows."""


@dataclass(frozen=True, slots=True)
class ItemPart:
    """Rows of one table that belong to an item."""

    table: Table
    columns: tuple[str, ...]
    """Of the table, or PLACE for a message."""
    least: int = 0
    most: int = _MOST_ROWS

    @property
    def own_columns(self) -> list[str]:
        return [column for column in self.columns if column != PLACE]


PARTS: Mapping[ItemKind, Mapping[str, ItemPart]] = {
    ItemKind.SESSION: {
        "session": ItemPart(
            sessions,
            ("title", "summary", "language", "created_at", "updated_at", "ended_at"),
            least=1,
            most=1,
        ),
        "topics": ItemPart(sessions, ("title",), most=100),
        "messages": ItemPart(
            messages, ("id", "role", "content", "state", "created_at", "model"), least=1
        ),
        "citations": ItemPart(
            citations, (PLACE, "number", "state", "quote", "source_id", "passage_id", "title")
        ),
        "files": ItemPart(message_files, (PLACE, "place", "sha256", "name", "media_type", "size")),
        "claims": ItemPart(
            claims,
            (PLACE, "place", "number", "start", "stop", "support", "words", "warnings"),
        ),
        "checks": ItemPart(claim_checks, (PLACE, "model", "judged_at")),
    },
    ItemKind.SOURCE: {
        "source": ItemPart(
            sources,
            (
                "kind",
                "title",
                "author",
                "published",
                "address",
                "added_at",
                "read_at",
                "sha256",
                "language",
                "pages",
                "state",
                "copy",
                "session_id",
            ),
            least=1,
            most=1,
        ),
        "passages": ItemPart(source_passages, ("id", "number", "page", "heading", "text")),
        "reference": ItemPart(
            source_references,
            (
                "csl",
                "origins",
                "kind",
                "title",
                "first_author",
                "doi",
                "words",
                "year",
                "updated_at",
            ),
            most=1,
        ),
        "scan": ItemPart(scanned_pages, ("page", "words")),
    },
    ItemKind.NOTE: {
        "note": ItemPart(
            notes,
            (
                "source_id",
                "passage_id",
                "page",
                "occurrence",
                "quote",
                "text",
                "created_at",
                "changed_at",
                "is_of_file",
            ),
            least=1,
            most=1,
        ),
        "message": ItemPart(messages, ("session_id", PLACE), most=1),
    },
}


def portable(content: ItemContent) -> JsonValue:
    """Return the content as JSON."""
    return {
        name: [[_portable(value) for value in row] for row in rows]
        for name, rows in content.items()
    }


def _portable(value: Any) -> JsonValue:
    return {"base64": base64.b64encode(value).decode()} if isinstance(value, bytes) else value


def parse_content(kind: ItemKind, value: JsonValue) -> ItemContent:
    """Return the content that `portable` made; raises ValueError if it has another form."""
    parts = PARTS[kind]
    if not isinstance(value, Mapping):
        raise ValueError("parts")  # noqa: TRY004 - as for any other form
    if value.keys() - parts.keys():
        raise NewerItemError("parts")
    content = {name: _rows(part, value.get(name, [])) for name, part in parts.items()}
    _check_files(content)
    return content


def _rows(part: ItemPart, value: JsonValue) -> list[list[Any]]:
    if not isinstance(value, list) or not part.least <= len(value) <= part.most:
        raise ValueError(part.table.name)
    return [_row(part, row) for row in value]


def _row(part: ItemPart, value: JsonValue) -> list[Any]:
    if not isinstance(value, list) or len(value) != len(part.columns):
        raise ValueError(part.table.name)
    return [
        _place(cell) if name == PLACE else _cell(part.table.c[name], cell)
        for name, cell in zip(part.columns, value, strict=True)
    ]


def _place(value: JsonValue) -> int:
    if type(value) is not int or not 1 <= value <= _MOST_ROWS:
        raise ValueError(PLACE)
    return value


def _cell(column: Column[Any], value: JsonValue) -> Any:
    name = f"{column.table.name}.{column.name}"
    if value is None and column.nullable:
        return None
    if isinstance(column.type, LargeBinary):
        return _bytes(value)
    if isinstance(column.type, Text):
        return _text(name, value)
    if type(value) is not int or abs(value) > _LARGEST:
        raise ValueError(name)
    return value


def _text(name: str, value: JsonValue) -> str:
    if not isinstance(value, str) or value not in _CHOICES.get(name, [value]):
        raise ValueError(name)
    if name.endswith("_at"):
        parse_utc(value)
    return fix_surrogates(value)


def _bytes(value: JsonValue) -> bytes:
    match value:
        case {"base64": str(text)}:
            try:
                return base64.b64decode(text, validate=True)
            except NotBase64 as exc:
                raise ValueError("base64") from exc
        case _:
            raise ValueError("base64")


def stored_files(content: ItemContent) -> dict[str, str]:
    """Return the files that an item needs: the hash, and the name under which each is stored."""
    names = [row[2] + PurePath(row[3]).suffix.lower() for row in content.get("files", ())]
    names += [row[11] for row in content.get("source", ()) if row[11]]
    return {name.partition(".")[0]: name for name in names}


def _check_files(content: ItemContent) -> None:
    for digest, name in stored_files(content).items():
        is_hash = len(digest) == _HASH_DIGITS and _HEXADECIMAL.issuperset(digest)
        if not is_hash or PurePath(name).name != name:
            raise ValueError("files")


def of_place(rows: Iterable[Sequence[Any]]) -> dict[int, list[Sequence[Any]]]:
    """Return rows whose first value is a place, without it, by place."""
    by_place: dict[int, list[Sequence[Any]]] = {}
    for place, *rest in rows:
        by_place.setdefault(place, []).append(rest)
    return by_place
