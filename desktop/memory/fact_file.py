"""Facts and preferences as lines of a file: one JSON object each, read back unchanged.

The words that support them are named by message and position; they are not in the file.
"""

import json
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, replace
from datetime import datetime

from desktop.domain.facts import (
    LEAST_IMPORTANCE,
    MOST_IMPORTANCE,
    Fact,
    FactSupport,
    NewFact,
    Origin,
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
from desktop.domain.projects import NO_PROJECT, ProjectId
from desktop.domain.times import parse_utc, utc_text
from desktop.language.normalization import fix_surrogates
from desktop.language.secrets import has_secret
from desktop.settings.toml_fields import FieldInvalidError, Fields

_LONGEST_ID = 200
_LONGEST_TEXT = 2_000
"""Longer than any fact: a longer text is refused, as it would be sent with every request."""
_IMPORTANCE = range(LEAST_IMPORTANCE, MOST_IMPORTANCE + 1)
_WEIGHTS, _NUMBERS = range(1, 1 << 62), range(1 << 62)
_OF_FACT = (
    "id", "topic", "content", "about", "importance", "origin", "term", "valid_from", "valid_to",
    "replaced_by", "weight", "used_at", "is_pinned", "message_id",
)  # fmt: skip
_OF_PREFERENCE = ("kind", "words", "is_on", "is_edited", "created_at")
_OF_EVIDENCE = ("message_id", "source", "is_against", "at")


@dataclass(frozen=True, slots=True)
class BrokenLine:
    number: int
    why: str  # The invalid field, or "JSON"
    is_secret: bool = False  # It is valid, but holds a secret


class _SecretError(FieldInvalidError):
    """The field holds a key, a password or a card number."""


def fact_line(fact: Fact, supports: Iterable[FactSupport], project: str = "") -> str:
    """`project`: the name of its project, by which `read_facts` gives it back."""
    values = {name: getattr(fact, name) for name in _OF_FACT}
    values["sources"] = [asdict(support) for support in supports]
    values |= {"project": project} if project else {}
    return json.dumps(values, ensure_ascii=False, default=utc_text)


def preference_line(
    preference: Preference, evidence: Iterable[PreferenceEvidence], project: str = ""
) -> str:
    values = {
        "preference": preference.value,
        **{name: getattr(preference, name) for name in _OF_PREFERENCE},
    }
    values["evidence"] = [
        {name: getattr(entry, name) for name in _OF_EVIDENCE} for entry in evidence
    ]
    values |= {"project": project} if project else {}
    return json.dumps(values, ensure_ascii=False, default=utc_text)


def read_facts(lines: Iterable[str]) -> Iterator[NewFact | KnownPreference | BrokenLine]:
    """Yield the fact or preference of each valid line, in order, or what is wrong with the line.

    A line that holds a secret is refused, as it is from any other source. What belongs to a
    project has its name in place of its id.
    """
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            values = json.loads(line)
            # What a line leaves empty is missing.
            fields = Fields({name: value for name, value in values.items() if value is not None})
            yield _preference(fields) if "preference" in values else _fact(fields)
        except FieldInvalidError as exc:
            yield BrokenLine(number, exc.place, isinstance(exc, _SecretError))
        except (ValueError, AttributeError, RecursionError):
            yield BrokenLine(number, "JSON")


def _fact(fields: Fields) -> NewFact:
    replaced_by = fields.text_or_none("replaced_by")
    fact = Fact(
        id=FactId(_text(fields, "id", most=_LONGEST_ID)),
        topic=_told(fields, "topic"),
        content=_told(fields, "content"),
        importance=_whole(fields, "importance", _IMPORTANCE),
        origin=fields.choice("origin", Origin.USER),
        term=fields.choice("term", Term.LONG),
        valid_from=_moment(fields, "valid_from"),
        valid_to=_moment_or_none(fields, "valid_to"),
        about=_told(fields, "about") if fields.text_or_empty("about") else "",
        message_id=_message(fields) if fields.whole("message_id", _NUMBERS) else None,
        weight=fields.whole("weight", _WEIGHTS) or 1,
        used_at=_moment_or_none(fields, "used_at"),
        is_pinned=fields.flag("is_pinned", otherwise=False),
        replaced_by=FactId(replaced_by) if replaced_by else None,
        project=_project(fields),
    )
    supports = (
        FactSupport(
            _message(table), _whole(table, "start", _NUMBERS), _whole(table, "length", _NUMBERS)
        )
        for table in fields.tables("sources")
    )
    return NewFact(fact, tuple(supports))


def _preference(fields: Fields) -> KnownPreference:
    value, kind = _told(fields, "preference"), fields.choice("kind", PreferenceKind.SUBJECT)
    if PREFERENCE_VALUES.get(value, PreferenceKind.SUBJECT) is not kind:
        raise FieldInvalidError("kind")
    words = _told(fields, "words") if fields.text_or_empty("words") else ""
    made = _moment(fields, "created_at")
    preference = Preference(
        id=PreferenceId(""),
        kind=kind,
        value=value,
        confidence=0,
        count=0,
        created_at=made,
        seen_at=made,
        words=words[:LONGEST_PREFERENCE],
    )
    preference = replace(
        preference,
        is_on=fields.flag("is_on", otherwise=True),
        is_edited=fields.flag("is_edited", otherwise=False),
        project=_project(fields),
    )
    evidence = (
        PreferenceEvidence(
            _message(table),
            NO_SESSION,
            table.choice("source", PreferenceSource.HABIT),
            table.flag("is_against", otherwise=False),
            _moment(table, "at"),
        )
        for table in fields.tables("evidence")
    )
    return KnownPreference(preference, tuple(evidence))


def _text(fields: Fields, name: str, *, most: int = _LONGEST_TEXT) -> str:
    text = fields.text(name)
    if len(text) > most:
        raise FieldInvalidError(fields.place(name))
    return fix_surrogates(text)


def _told(fields: Fields, name: str) -> str:
    text = _text(fields, name)
    if has_secret(text):
        raise _SecretError(fields.place(name))
    return text


def _project(fields: Fields) -> ProjectId:
    return ProjectId(_told(fields, "project") if fields.text_or_empty("project") else NO_PROJECT)


def _whole(fields: Fields, name: str, within: range) -> int:
    number = fields.whole(name, within)
    if number is None:
        raise FieldInvalidError(fields.place(name))
    return number


def _message(fields: Fields) -> MessageId:
    return MessageId(_whole(fields, "message_id", _NUMBERS))


def _moment(fields: Fields, name: str) -> datetime:
    try:
        return parse_utc(fields.text(name))
    except ValueError as exc:
        raise FieldInvalidError(fields.place(name)) from exc


def _moment_or_none(fields: Fields, name: str) -> datetime | None:
    return _moment(fields, name) if fields.text_or_none(name) else None
