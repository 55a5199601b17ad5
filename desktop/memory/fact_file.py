"""Facts and preferences as lines of a file: one JSON object each, read back unchanged.

The words that support them are named by message and position; they are not in the file.
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum
from typing import TypeVar

from desktop.domain.facts import (
    LEAST_IMPORTANCE,
    MOST_IMPORTANCE,
    Fact,
    NewFact,
    Origin,
    Support,
    Term,
)
from desktop.domain.ids import NO_SESSION, FactId, MessageId, PreferenceId
from desktop.domain.learned_preferences import (
    LONGEST_PREFERENCE,
    PREFERENCE_VALUES,
    KnownPreference,
    Preference,
    PreferenceEvidence,
    PreferenceKind,
    PreferenceSource,
)
from desktop.domain.model import JsonValue
from desktop.domain.times import parse_utc, utc_text
from desktop.language.secrets import has_secret
from desktop.language.surrogates import whole_letters

Choice = TypeVar("Choice", bound=StrEnum)
_LONGEST_ID = 200
_LONGEST_TEXT = 2_000
"""More than any fact has; what is longer is none, and would be sent with every request."""


@dataclass(frozen=True, slots=True)
class BrokenLine:
    number: int
    why: str
    """The invalid field, or "JSON"."""
    is_secret: bool = False
    """It is valid, but holds a secret."""


class _BrokenError(ValueError):
    """Its argument names the field."""


class _SecretError(_BrokenError):
    """The field holds a key, a password or a card number."""


def fact_line(fact: Fact, supports: Iterable[Support]) -> str:
    values: dict[str, JsonValue] = {
        "id": fact.id,
        "topic": fact.topic,
        "content": fact.content,
        "about": fact.about,
        "importance": fact.importance,
        "origin": fact.origin.value,
        "term": fact.term.value,
        "valid_from": utc_text(fact.valid_from),
        "valid_to": utc_text(fact.valid_to) if fact.valid_to else None,
        "replaced_by": fact.replaced_by,
        "weight": fact.weight,
        "used_at": utc_text(fact.used_at) if fact.used_at else None,
        "is_pinned": fact.is_pinned,
        "message_id": fact.message_id,
        "sources": [
            {"message_id": one.message_id, "start": one.start, "length": one.length}
            for one in supports
        ],
    }
    return json.dumps(values, ensure_ascii=False)


def preference_line(one: Preference, evidence: Iterable[PreferenceEvidence]) -> str:
    values: dict[str, JsonValue] = {
        "preference": one.value,
        "kind": one.kind.value,
        "words": one.words,
        "is_on": one.is_on,
        "is_edited": one.is_edited,
        "created_at": utc_text(one.created_at),
        "evidence": [
            {
                "message_id": said.message_id,
                "source": said.source.value,
                "is_against": said.is_against,
                "at": utc_text(said.at),
            }
            for said in evidence
        ],
    }
    return json.dumps(values, ensure_ascii=False)


def read_facts(lines: Iterable[str]) -> Iterator[NewFact | KnownPreference | BrokenLine]:
    """Yield the fact or preference of each valid line, in order, or what is wrong with the line.

    A line that holds a secret is refused, as it is from any other source.
    """
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            values = _object(line)
            yield _preference(values) if "preference" in values else _fact(values)
        except _BrokenError as exc:
            yield BrokenLine(number, str(exc), isinstance(exc, _SecretError))


def _object(line: str) -> Mapping[str, JsonValue]:
    try:
        found = json.loads(line)
    except (ValueError, RecursionError) as exc:
        raise _BrokenError("JSON") from exc
    if not isinstance(found, dict):
        raise _BrokenError("JSON")
    return found


def _fact(values: Mapping[str, JsonValue]) -> NewFact:
    fact = Fact(
        id=FactId(_text(values, "id", most=_LONGEST_ID)),
        topic=_told(values, "topic"),
        content=_told(values, "content"),
        importance=_whole(values, "importance", least=LEAST_IMPORTANCE, most=MOST_IMPORTANCE),
        origin=_choice(values, "origin", Origin),
        term=_choice(values, "term", Term),
        valid_from=_moment(_text(values, "valid_from"), "valid_from"),
        valid_to=_moment_or_none(values, "valid_to"),
        about=_told(values, "about") if values.get("about") else "",
        message_id=MessageId(_whole(values, "message_id")) if values.get("message_id") else None,
        weight=_whole(values, "weight", least=1, otherwise=1),
        used_at=_moment_or_none(values, "used_at"),
        is_pinned=values.get("is_pinned") is True,
        replaced_by=FactId(_text(values, "replaced_by")) if values.get("replaced_by") else None,
    )
    return NewFact(fact, tuple(_supports(values.get("sources") or ())))


def _preference(values: Mapping[str, JsonValue]) -> KnownPreference:
    value, kind = _told(values, "preference"), _choice(values, "kind", PreferenceKind)
    if PREFERENCE_VALUES.get(value, PreferenceKind.SUBJECT) is not kind:
        raise _BrokenError("kind")
    words = _told(values, "words") if values.get("words") else ""
    made = _moment(_text(values, "created_at"), "created_at")
    one = Preference(PreferenceId(""), kind, value, 0, 0, made, made, words[:LONGEST_PREFERENCE])
    one = replace(
        one, is_on=values.get("is_on") is not False, is_edited=values.get("is_edited") is True
    )
    return KnownPreference(one, tuple(_said(values.get("evidence") or ())))


def _said(evidence: JsonValue) -> Iterator[PreferenceEvidence]:
    if not isinstance(evidence, list | tuple):
        raise _BrokenError("evidence")
    for said in evidence:
        if not isinstance(said, dict):
            raise _BrokenError("evidence")
        yield PreferenceEvidence(
            MessageId(_whole(said, "message_id")),
            NO_SESSION,
            _choice(said, "source", PreferenceSource),
            said.get("is_against") is True,
            _moment(_text(said, "at"), "at"),
        )


def _supports(sources: JsonValue) -> Iterator[Support]:
    if not isinstance(sources, list | tuple):
        raise _BrokenError("sources")
    for source in sources:
        if not isinstance(source, dict):
            raise _BrokenError("sources")
        yield Support(
            MessageId(_whole(source, "message_id")),
            _whole(source, "start"),
            _whole(source, "length"),
        )


def _text(values: Mapping[str, JsonValue], name: str, *, most: int = _LONGEST_TEXT) -> str:
    found = values.get(name)
    if not isinstance(found, str) or not found.strip() or len(found) > most:
        raise _BrokenError(name)
    return whole_letters(found)


def _told(values: Mapping[str, JsonValue], name: str) -> str:
    found = _text(values, name)
    if has_secret(found):
        raise _SecretError(name)
    return found


def _whole(
    values: Mapping[str, JsonValue],
    name: str,
    *,
    least: int = 0,
    most: int = 1 << 62,
    otherwise: int | None = None,
) -> int:
    found = values.get(name, otherwise)
    if isinstance(found, bool) or not isinstance(found, int) or not least <= found <= most:
        raise _BrokenError(name)
    return found


def _choice(values: Mapping[str, JsonValue], name: str, choices: type[Choice]) -> Choice:
    try:
        return choices(_text(values, name))
    except ValueError as exc:
        raise _BrokenError(name) from exc


def _moment(found: str, name: str) -> datetime:
    try:
        return parse_utc(found)
    except ValueError as exc:
        raise _BrokenError(name) from exc


def _moment_or_none(values: Mapping[str, JsonValue], name: str) -> datetime | None:
    return _moment(_text(values, name), name) if values.get(name) is not None else None
