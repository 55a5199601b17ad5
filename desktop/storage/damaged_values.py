"""Stand-ins for stored values that cannot be read, so that one bad value hides nothing else.

Reading never fails for one value: an unreadable time becomes `UNREADABLE_TIME`, an unreadable
choice the most careful one. Salvage writes the same stand-ins into the new file, whose checks
would otherwise refuse the row.
"""

import json
from datetime import UTC, datetime
from enum import StrEnum
from typing import Any, TypeVar

from desktop.domain.facts import Origin, Term
from desktop.domain.messages import MessageState, Role
from desktop.domain.sessions import SessionStatus
from desktop.domain.sources import SourceKind, SourceState
from desktop.domain.times import parse_utc, utc_text
from desktop.domain.web import ContactPurpose

UNREADABLE_TIME = datetime(1970, 1, 1, tzinfo=UTC)

Choice = TypeVar("Choice", bound=StrEnum)

# What nobody can tell apart is not taken for the user's own words, nor for a whole answer.
_CHOICES: dict[tuple[str, str], StrEnum] = {
    ("sessions", "status"): SessionStatus.COMPLETE,
    ("messages", "role"): Role.ASSISTANT,
    ("messages", "state"): MessageState.INTERRUPTED,
    ("facts", "origin"): Origin.SESSION,
    ("facts", "term"): Term.LONG,
    ("sources", "kind"): SourceKind.DOCUMENT,
    ("sources", "state"): SourceState.PARTIAL,
    ("contacted_addresses", "purpose"): ContactPurpose.PAGE,
}
_TIMES = frozenset({"at", "valid_from", "valid_to"})


def read_time(stored: str) -> datetime:
    try:
        return parse_utc(stored)
    except (TypeError, ValueError):
        return UNREADABLE_TIME


def read_time_or_none(stored: str | None) -> datetime | None:
    return read_time(stored) if stored else None


def read_choice(stored: str, fallback: Choice) -> Choice:
    return read_choice_or_none(stored, type(fallback)) or fallback


def read_choice_or_none(stored: str | None, kind: type[Choice]) -> Choice | None:
    try:
        return kind(stored) if stored else None
    except ValueError:
        return None


def read_ids(stored: str) -> list[str]:
    """A list of ids that is stored as JSON."""
    try:
        found = json.loads(stored)
    except (TypeError, ValueError):
        return []
    return [one for one in found if isinstance(one, str)] if isinstance(found, list) else []


def decode_text(stored: bytes) -> str:
    """As the driver hands over text: letters that are damaged are shown as such."""
    return stored.decode("utf-8", "replace")


def repair_value(table: str, column: str, kind: str, value: Any) -> Any:
    """What can be stored in a column of a kind ("TEXT", "INTEGER" …); what is whole stays."""
    if value is None:
        return None
    if kind == "TEXT":
        value = decode_text(value) if isinstance(value, bytes) else str(value)
    if (fallback := _CHOICES.get((table, column))) is not None:
        return read_choice(value, fallback).value
    if column.endswith("_at") or column in _TIMES:
        read = read_time(value)
        return utc_text(read) if read == UNREADABLE_TIME else value
    return value
