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


def fact_line(fact: Fact, supports: Iterable[Support], project: str = "") -> str:
    """`project`: the name of its project, by which `read_facts` gives it back."""
    values = {name: getattr(fact, name) for name in _OF_FACT}
    values["sources"] = [asdict(one) for one in supports]
    values |= {"project": project} if project else {}
    return json.dumps(values, ensure_ascii=False, default=utc_text)


def preference_line(
    one: Preference, evidence: Iterable[PreferenceEvidence], project: str = ""
) -> str:
    values = {"preference": one.value, **{name: getattr(one, name) for name in _OF_PREFERENCE}}
    values["evidence"] = [
        {name: getattr(said, name) for name in _OF_EVIDENCE} for said in evidence
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
            given = Fields({name: one for name, one in values.items() if one is not None})
            yield _preference(given) if "preference" in values else _fact(given)
        except FieldInvalidError as exc:
            yield BrokenLine(number, exc.place, isinstance(exc, _SecretError))
        except (ValueError, AttributeError, RecursionError):
            yield BrokenLine(number, "JSON")


def _fact(given: Fields) -> NewFact:
    replaced_by = given.text_or_none("replaced_by")
    fact = Fact(
        id=FactId(_text(given, "id", most=_LONGEST_ID)),
        topic=_told(given, "topic"),
        content=_told(given, "content"),
        importance=_whole(given, "importance", _IMPORTANCE),
        origin=given.choice("origin", Origin.USER),
        term=given.choice("term", Term.LONG),
        valid_from=_moment(given, "valid_from"),
        valid_to=_moment_or_none(given, "valid_to"),
        about=_told(given, "about") if given.text_or_empty("about") else "",
        message_id=_message(given) if given.whole("message_id", _NUMBERS) else None,
        weight=given.whole("weight", _WEIGHTS) or 1,
        used_at=_moment_or_none(given, "used_at"),
        is_pinned=given.flag("is_pinned", otherwise=False),
        replaced_by=FactId(replaced_by) if replaced_by else None,
        project=_project(given),
    )
    supports = (
        Support(_message(one), _whole(one, "start", _NUMBERS), _whole(one, "length", _NUMBERS))
        for one in given.tables("sources")
    )
    return NewFact(fact, tuple(supports))


def _preference(given: Fields) -> KnownPreference:
    value, kind = _told(given, "preference"), given.choice("kind", PreferenceKind.SUBJECT)
    if PREFERENCE_VALUES.get(value, PreferenceKind.SUBJECT) is not kind:
        raise FieldInvalidError("kind")
    words = _told(given, "words") if given.text_or_empty("words") else ""
    made = _moment(given, "created_at")
    one = Preference(
        id=PreferenceId(""),
        kind=kind,
        value=value,
        confidence=0,
        count=0,
        created_at=made,
        seen_at=made,
        words=words[:LONGEST_PREFERENCE],
    )
    one = replace(
        one,
        is_on=given.flag("is_on", otherwise=True),
        is_edited=given.flag("is_edited", otherwise=False),
        project=_project(given),
    )
    evidence = (
        PreferenceEvidence(
            _message(said),
            NO_SESSION,
            said.choice("source", PreferenceSource.HABIT),
            said.flag("is_against", otherwise=False),
            _moment(said, "at"),
        )
        for said in given.tables("evidence")
    )
    return KnownPreference(one, tuple(evidence))


def _text(given: Fields, name: str, *, most: int = _LONGEST_TEXT) -> str:
    found = given.text(name)
    if len(found) > most:
        raise FieldInvalidError(given.place(name))
    return fix_surrogates(found)


def _told(given: Fields, name: str) -> str:
    found = _text(given, name)
    if has_secret(found):
        raise _SecretError(given.place(name))
    return found


def _project(given: Fields) -> ProjectId:
    return ProjectId(_told(given, "project") if given.text_or_empty("project") else NO_PROJECT)


def _whole(given: Fields, name: str, within: range) -> int:
    found = given.whole(name, within)
    if found is None:
        raise FieldInvalidError(given.place(name))
    return found


def _message(given: Fields) -> MessageId:
    return MessageId(_whole(given, "message_id", _NUMBERS))


def _moment(given: Fields, name: str) -> datetime:
    try:
        return parse_utc(given.text(name))
    except ValueError as exc:
        raise FieldInvalidError(given.place(name)) from exc


def _moment_or_none(given: Fields, name: str) -> datetime | None:
    return _moment(given, name) if given.text_or_none(name) else None
