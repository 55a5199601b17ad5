"""Maps rows to domain values and back; an unreadable value gets a stand-in.

One damaged value hides nothing else: an unreadable time becomes `UNREADABLE_TIME`, an unreadable
choice the most careful one, and the value of the row is marked (`is_damaged`). Salvage writes the
same stand-ins into the new file, whose checks would otherwise refuse the row.

The text fragments are for the modules whose queries are text (full-text index, vectors).
"""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict
from datetime import UTC, datetime
from enum import StrEnum
from functools import cache, lru_cache, partial
from typing import Any, TypeVar, get_args, get_type_hints

from sqlalchemy import Column, ColumnElement, Row, Select, Table, func, select, true
from sqlalchemy.dialects.sqlite import Insert, insert

from desktop.domain.diary import DiaryItemKind
from desktop.domain.facts import Origin, Term
from desktop.domain.language import Language
from desktop.domain.learned_preferences import PreferenceKind, PreferenceSource
from desktop.domain.messages import CitationState, Message, MessageFile, MessageState, Role
from desktop.domain.projects import NO_PROJECT, Wall
from desktop.domain.search import HitKind
from desktop.domain.sessions import DescribedBy, EndReason, Session, SessionStatus
from desktop.domain.sources import SourceKind, SourceState
from desktop.domain.times import parse_utc, utc_text
from desktop.domain.usage import Phase, PhaseOutcome, Usage
from desktop.domain.web import ContactOutcome, ContactPurpose
from desktop.storage.schema.learned_tables import shared_items
from desktop.storage.schema.tables import messages, session_topics, sessions, topics

EVER = "9999"  # Later than every stored time
UNREADABLE_TIME = datetime(1970, 1, 1, tzinfo=UTC)
_MISREAD = (KeyError, TypeError, ValueError)
TOPIC_SEPARATOR = "\x1f"

# A database row has no static type; the functions below give it one.
DatabaseRow = Row[*tuple[Any, ...]]
StoredValue = str | int | float | bytes | None
Choice = TypeVar("Choice", bound=StrEnum)
Value = TypeVar("Value")

_names = (
    select(topics.c.name)
    .join(session_topics, session_topics.c.topic_id == topics.c.id)
    .where(session_topics.c.session_id == sessions.c.id)
    .order_by(session_topics.c.place)
    .correlate(sessions)
    .subquery("names")
)
_topics_of_session = (
    select(func.group_concat(_names.c.name, TOPIC_SEPARATOR)).scalar_subquery().label("topics")
)
# In the order of the fields of `Session` and `Message`.
_SESSION_NAMES = (
    "id", "status", "created_at", "updated_at", "title", "summary", "topics", "described_by",
    "language", "ended_at", "end_reason", "pinned_at", "archived_at", "message_count", "opening",
    "project",
)  # fmt: skip
_MESSAGE_FIELDS = (
    "id", "session_id", "number", "role", "content", "state", "created_at", "parent_id", "ref",
    "model", "error", "duration_ms",
)  # fmt: skip
_MESSAGE_NAMES = (*_MESSAGE_FIELDS, "is_current")
_SESSION_FIELDS = (
    "id", "status", "language", "created_at", "updated_at", "ended_at", "end_reason", "opening",
    "project",
)  # fmt: skip
USAGE_NAMES = (
    "input_tokens", "output_tokens", "cache_read_tokens", "cache_write_tokens", "cost_usd",
)  # fmt: skip
SESSION: tuple[ColumnElement[Any], ...] = tuple(
    _topics_of_session if name == "topics" else sessions.c[name] for name in _SESSION_NAMES
)
MESSAGE: tuple[ColumnElement[Any], ...] = tuple(messages.c[name] for name in _MESSAGE_NAMES)
_TOPICS = (
    f"(SELECT group_concat(name, '{TOPIC_SEPARATOR}') FROM (SELECT t.name FROM session_topics st "
    "JOIN topics t ON t.id = st.topic_id WHERE st.session_id = s.id ORDER BY st.place)) AS topics"
)
SESSION_COLUMNS = ", ".join(
    _TOPICS if name == "topics" else f"s.{name}" for name in _SESSION_NAMES
)
MESSAGE_COLUMNS = ", ".join(f"m.{name}" for name in _MESSAGE_NAMES)

PAST = (sessions.c.status == SessionStatus.COMPLETE.value) & sessions.c.deleted_at.is_(None)
"""Of a complete session that is not deleted."""
IS_OWN = sessions.c.id.not_in(select(shared_items.c.id).where(shared_items.c.is_own == 0))
"""Of a session that no other member of a shared project led: only the user's teach the memory."""


def _optional(read: Callable[[Any], Any]) -> Callable[[Any], Any]:
    return lambda stored: read(stored) if stored else None


_FIELD_READERS: Mapping[str, Callable[[Any], Any]] = {
    "status": {status.value: status for status in SessionStatus}.__getitem__,
    "role": {role.value: role for role in Role}.__getitem__,
    "state": {state.value: state for state in MessageState}.__getitem__,
    "created_at": parse_utc,
    "updated_at": parse_utc,
    "ended_at": _optional(parse_utc),
    "archived_at": _optional(parse_utc),
    "pinned_at": lambda stored: stored is not None,
    "topics": lambda names: tuple(names.split(TOPIC_SEPARATOR)) if names else (),
    "described_by": _optional(DescribedBy),
    "language": _optional(Language),
    "end_reason": _optional(EndReason),
}

# A value that cannot be read is not assumed to be the user's own words or a whole answer.
_CHOICES: dict[tuple[str, str], StrEnum] = {
    ("sessions", "status"): SessionStatus.COMPLETE,
    ("messages", "role"): Role.ASSISTANT,
    ("messages", "state"): MessageState.INTERRUPTED,
    ("diary_items", "kind"): DiaryItemKind.ASKED,
    ("preferences", "kind"): PreferenceKind.SUBJECT,
    ("preference_evidence", "source"): PreferenceSource.HABIT,
    ("citations", "state"): CitationState.UNCHECKED,
    ("recalled_items", "kind"): HitKind.SESSION,
    ("facts", "origin"): Origin.SESSION,
    ("facts", "term"): Term.LONG,
    ("sources", "kind"): SourceKind.DOCUMENT,
    ("sources", "state"): SourceState.PARTIAL,
    ("contacted_addresses", "purpose"): ContactPurpose.PAGE,
    ("contacted_addresses", "outcome"): ContactOutcome.FAILED,
    ("phases", "phase"): Phase.EXECUTION,
    ("phases", "outcome"): PhaseOutcome.FAILED,
}
_OPTIONAL_CHOICES: dict[tuple[str, str], type[StrEnum]] = {
    ("sessions", "described_by"): DescribedBy,
    ("sessions", "end_reason"): EndReason,
    ("sessions", "language"): Language,
    ("sources", "language"): Language,
}
_STAND_INS = {type(choice): choice for choice in _CHOICES.values()}
_TIMES = frozenset({"at", "valid_from", "valid_to"})


def listed(values: Iterable[str | int]) -> Select[Any]:
    """Return the values as rows, however many: a statement takes 32,766 parameters."""
    return select(func.json_each(json.dumps(list(values))).table_valued("value").c.value)


def within(column: ColumnElement[str], wall: Wall) -> ColumnElement[bool]:
    """Return the condition that a row is behind a wall: in its project alone."""
    return true() if wall.is_open else column == wall.project


def within_or_common(column: ColumnElement[str], wall: Wall) -> ColumnElement[bool]:
    """Return the same, for a column where common rows have no project."""
    return true() if wall.is_open else column.in_((NO_PROJECT, wall.project))


def read_time(stored: str) -> datetime:
    try:
        return parse_utc(stored)
    except (TypeError, ValueError):
        return UNREADABLE_TIME


def read_time_or_none(stored: str | None) -> datetime | None:
    return read_time(stored) if stored else None


def time_or_none(moment: datetime | None) -> str | None:
    return utc_text(moment) if moment else None


def read_choice(stored: str, fallback: Choice) -> Choice:
    return read_choice_or_none(stored, type(fallback)) or fallback


def read_choice_or_none(stored: str | None, kind: type[Choice]) -> Choice | None:
    try:
        return kind(stored) if stored else None
    except ValueError:
        return None


def read_value(
    kind: Callable[..., Value],
    row: DatabaseRow,
    /,
    **overrides: Any,  # mypy cannot check the fields of any class
) -> Value:
    """Read a dataclass from the columns named like its fields; other fields are given."""
    read: dict[str, Any] = {}
    is_damaged = False
    for place, name, reader, stand_in in _columns_read(kind, row._fields):
        if name not in overrides:
            try:
                read[name] = reader(row[place])
            except _MISREAD:
                read[name] = stand_in(row[place])
                is_damaged = True
    if is_damaged and "is_damaged" in _readers(kind):
        read["is_damaged"] = True
    return kind(**read, **overrides)


_Reader = Callable[[Any], Any]


@lru_cache(maxsize=256)
def _columns_read(
    kind: Callable[..., Any], columns: tuple[str, ...]
) -> Sequence[tuple[int, str, _Reader, _Reader]]:
    """Return the columns of a query that a class has fields for: places, names and readers."""
    readers = _readers(kind)
    return [(at, name, *readers[name]) for at, name in enumerate(columns) if name in readers]


@cache
def _readers(kind: Callable[..., Any]) -> Mapping[str, tuple[_Reader, _Reader]]:
    """Return for each field its reader, and what gives a stand-in if that fails."""
    return {name: _reader(hint) for name, hint in get_type_hints(kind).items()}


def _reader(hint: Any) -> tuple[_Reader, _Reader]:
    """Return the reader of a field's type: times and choices are stored as texts."""
    is_optional = type(None) in get_args(hint)
    kind = get_args(hint)[0] if is_optional else hint
    kind = getattr(kind, "__supertype__", kind)  # of an id
    strict, stand_in = _by_kind(kind)
    if not is_optional:
        return strict, stand_in
    is_choice = isinstance(kind, type) and issubclass(kind, StrEnum)
    empty = (None,) if kind in (str, int, float) else (None, "")
    return (
        lambda stored: None if stored in empty else strict(stored),
        (lambda _: None) if is_choice else stand_in,
    )


def _by_kind(kind: Any) -> tuple[_Reader, _Reader]:
    if kind is datetime:
        return parse_utc, lambda _: UNREADABLE_TIME
    if kind is bool:
        return bool, bool
    if isinstance(kind, type) and issubclass(kind, StrEnum):
        members = {member.value: member for member in kind}
        return members.__getitem__, lambda _: _STAND_INS[kind]
    if kind in (str, int, float):
        return partial(_exactly, kind), lambda stored: str(stored) if kind is str else kind()
    return (lambda stored: stored), lambda stored: stored


def _exactly(kind: type, stored: Any) -> Any:
    if type(stored) is kind or (kind is float and type(stored) is int):
        return stored
    raise TypeError


def read_json(stored: str) -> Any:
    """Return the parsed JSON; None if it is invalid."""
    try:
        return json.loads(stored)
    except (TypeError, ValueError, RecursionError):
        return None


def read_ids(stored: str) -> list[str]:
    """Return a list of ids that is stored as JSON."""
    ids = read_json(stored)
    return [entry for entry in ids if isinstance(entry, str)] if isinstance(ids, list) else []


class UnreadableText(str):
    """Text that is not UTF-8 in the file; its invalid characters are visible."""

    __slots__ = ()


def decode_text(stored: bytes) -> str:
    """Decode text as the driver returns it."""
    try:
        return stored.decode()
    except UnicodeDecodeError:
        return UnreadableText(stored.decode("utf-8", "replace"))


def repair_row(table: Table, values: Iterable[Any]) -> tuple[Any, ...]:
    """Return the values of the table's first columns; unreadable ones have a stand-in."""
    return tuple(map(_repair, table.c, values))


def is_readable(table: Table, values: Sequence[Any]) -> bool:
    return is_same(values, repair_row(table, values))


def is_same(values: Sequence[Any], repaired: Sequence[Any]) -> bool:
    # A text that is not UTF-8 equals its plain stand-in: only their types differ.
    return all(
        type(value) is type(other) and value == other
        for value, other in zip(values, repaired, strict=False)
    )


@cache
def _kind_of(column: Column[Any]) -> tuple[type, bool, bool]:
    """Return the type of a column's values, whether it is a key, and whether it takes them all."""
    place = (column.table.description, column.name)
    is_free = not (_is_time(column) or place in _CHOICES or place in _OPTIONAL_CHOICES)
    return column.type.python_type, bool(column.primary_key or column.foreign_keys), is_free


def _repair(column: Column[Any], value: Any) -> Any:
    kind, is_key, is_free = _kind_of(column)
    if is_free and type(value) is kind:
        return value
    if value is None:
        return value if column.nullable or is_key else kind()
    if kind is str:
        return _repair_text(column, decode_text(value) if isinstance(value, bytes) else str(value))
    if kind in (int, float) and not isinstance(value, (int, kind)):
        return value if is_key else None if column.nullable else kind()
    return value


def _is_time(column: Column[Any]) -> bool:
    return column.name.endswith("_at") or column.name in _TIMES


def _repair_text(column: Column[Any], value: str) -> str | None:
    place = (column.table.description, column.name)
    if (fallback := _CHOICES.get(place)) is not None:
        return read_choice(value, fallback).value
    if (kind := _OPTIONAL_CHOICES.get(place)) is not None:
        return value if read_choice_or_none(value, kind) else None
    if _is_time(column) and value and read_time(value) == UNREADABLE_TIME:
        return utc_text(UNREADABLE_TIME)
    return value


@cache
def _fits(table: Table, kinds: tuple[type, ...]) -> bool:
    """Whether values of these types can belong to the columns that are read."""
    columns = SESSION if table is sessions else MESSAGE
    return (
        all(
            kind is column.type.python_type or (kind is type(None) and column.nullable)
            for column, kind in zip(columns, kinds, strict=False)
            if isinstance(column, Column)
        )
        and UnreadableText not in kinds
    )


def session_of(row: DatabaseRow) -> Session:
    return _mapped(Session, sessions, SESSION, row)


def message_of(row: DatabaseRow) -> Message:
    return _mapped(Message, messages, MESSAGE, row)


def _mapped(
    kind: Callable[..., Value],
    table: Table,
    columns: Sequence[ColumnElement[Any]],
    row: DatabaseRow,
) -> Value:
    values = row[: len(columns)]
    if _fits(table, tuple(map(type, values))):
        try:
            return kind(*_fields(table, values))
        except _MISREAD:
            pass
    readable = [
        _repair(column, value) if isinstance(column, Column) else value
        for column, value in zip(columns, values, strict=True)
    ]
    return kind(*_fields(table, readable), is_damaged=True)


@cache
def _readers_at(table: Table) -> Sequence[tuple[int, Callable[[Any], Any]]]:
    names = _SESSION_NAMES if table is sessions else _MESSAGE_FIELDS
    return [(at, _FIELD_READERS[name]) for at, name in enumerate(names) if name in _FIELD_READERS]


def _fields(table: Table, values: Sequence[Any]) -> Sequence[Any]:
    # By position: the sidebar lists thousands; 5,000 messages of a session are read in one go.
    fields = list(values[: len(_SESSION_NAMES if table is sessions else _MESSAGE_FIELDS)])
    for at, read in _readers_at(table):
        fields[at] = read(fields[at])
    return fields


def file_rows(message: Message) -> list[dict[str, StoredValue]]:
    return [
        {"message_id": message.id, "place": place, **asdict(file)}
        for place, file in enumerate(message.files)
    ]


def files_text(files: Iterable[MessageFile]) -> str:
    return json.dumps([asdict(file) for file in files])


def read_files(stored: str) -> tuple[MessageFile, ...]:
    """Parse files from JSON text; invalid ones are skipped."""
    entries = read_json(stored)
    return tuple(filter(None, map(_file_of, entries if isinstance(entries, list) else ())))


def _file_of(stored: Any) -> MessageFile | None:
    match stored:
        case {
            "sha256": str(sha256),
            "name": str(name),
            "media_type": str(kind),
            "size": int(size),
        }:
            return MessageFile(sha256, name, kind, size)
        case _:
            return None


def upsert(table: Table, key: Mapping[str, str], values: Mapping[str, str]) -> Insert:
    """Return the statement that stores values under a key, in a new row or an existing one."""
    new = insert(table).values(**key, **values)
    return new.on_conflict_do_update(index_elements=list(key), set_=values)


def values_of(value: object, columns: Iterable[str]) -> dict[str, StoredValue]:
    """Return the fields of a value that have the names of columns, as they are stored."""
    values: dict[str, StoredValue] = {}
    for name in columns:
        field = getattr(value, name)
        values[name] = utc_text(field) if isinstance(field, datetime) else field
    return values


def message_values(message: Message, *, is_current: bool) -> dict[str, StoredValue]:
    return {**values_of(message, _MESSAGE_FIELDS), "is_current": int(is_current)}


def session_values(session: Session) -> dict[str, StoredValue]:
    """Return the columns that the active session writes; titles and pins have other writers."""
    return {**values_of(session, _SESSION_FIELDS), "message_count": session.messages}


def usage_values(usage: Usage) -> dict[str, StoredValue]:
    return values_of(usage, USAGE_NAMES)


def usage_of(row: DatabaseRow) -> Usage:
    """A sum over no rows is NULL, and counts as nothing."""
    return Usage(
        row.input_tokens or 0,
        row.output_tokens or 0,
        row.cache_read_tokens or 0,
        row.cache_write_tokens or 0,
        row.cost_usd,
    )
