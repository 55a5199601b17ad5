"""How commands print: JSON alone on stdout where it was asked for, sentences otherwise."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import fields, is_dataclass
from datetime import datetime
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

from desktop.cli.services import CommandEnvironment, CommandServices
from desktop.domain.errors import AppError, FileNotWrittenError, UsageError
from desktop.domain.model import JsonValue
from desktop.domain.times import parse_utc, utc_now, utc_text

if TYPE_CHECKING:
    from _typeshed import DataclassInstance


_OWN_LINK = r"\[(?P<title>[^\]]*)\]\(bellek://session/(?P<id>[^?)]+)[^)]*\)"


def to_json(value: object) -> JsonValue:
    """A domain value as JSON: moments as stored, choices by their value, errors by their key."""
    plain_value: JsonValue
    match value:
        case Enum():
            plain_value = to_json(value.value)
        case None | bool() | int() | float() | str():
            plain_value = value
        case datetime():
            plain_value = utc_text(value)
        case AppError():
            plain_value = {"key": value.key, **fields_json(value.values)}
        case Mapping():
            plain_value = fields_json(value)
        case Sequence():
            plain_value = [to_json(one) for one in value]
        case _:
            plain_value = object_json(value)
    return plain_value


def fields_json(values: Mapping[str, object]) -> dict[str, JsonValue]:
    return {str(name): to_json(one) for name, one in values.items()}


def object_json(value: object) -> dict[str, JsonValue]:
    """A dataclass as a JSON object."""
    of = _dataclass(value)
    return fields_json({field.name: getattr(of, field.name) for field in fields(of)})


def _dataclass(value: object) -> "DataclassInstance":
    if is_dataclass(value) and not isinstance(value, type):
        return value
    raise TypeError(f"no JSON form for {type(value).__name__}")


def snake(name: str) -> str:
    """TurnEnded as turn_ended."""
    return "".join(f"_{one}" if one.isupper() else one for one in name).strip("_").lower()


def print_json(services: CommandEnvironment, value: Mapping[str, JsonValue]) -> None:
    print(json.dumps(value, ensure_ascii=False), file=services.stdout, flush=True)


def say(services: CommandEnvironment, key: str, **values: str | float) -> None:
    """A sentence for a person, on stderr."""
    print(services.texts.say(key, **values), file=services.stderr, flush=True)


def plain(markdown: str) -> str:
    """An answer for a terminal: links of our own become the title and the session's id."""
    return re.sub(_OWN_LINK, r"\g<title> (\g<id>)", markdown)


def describe_ended(services: CommandServices, *, as_json: bool) -> None:
    """Derive what ended sessions are owed before the command returns."""
    for described in services.core.assistant.describe_pending(lambda: False):
        if as_json:
            continue
        if session := described.session:
            say(services, "session.described", title=session.title or session.opening)
        for fact in described.learned.new if described.learned else ():
            say(services, "memory.remembered", fact=fact.content)


@contextmanager
def written_to(services: CommandServices, path: str | None) -> Iterator[TextIO]:
    """A file to write, or stdout."""
    if path is None:
        yield services.stdout
        return
    try:
        with Path(path).open("w", encoding="utf-8") as file:
            yield file
    except OSError as exc:
        raise FileNotWrittenError(path=path, detail=exc.strerror or "") from exc


def since_and_until(
    values: Mapping[str, JsonValue],
) -> tuple[datetime | None, datetime | None]:
    """From `since` on and before `until`, where they are given; raises UsageError."""
    since, until = _moment(values, "since"), _moment(values, "until", is_end=True)
    if since and until and since >= until:
        raise UsageError(detail=f"--since {values['since']} --until {values['until']}")
    return since, until


def _moment(
    values: Mapping[str, JsonValue], name: str, *, is_end: bool = False
) -> datetime | None:
    """A moment as it is stored, or a date in words ("geçen hafta"): its beginning, or its end."""
    value = values.get(name)
    if value is None:
        return None
    try:
        return parse_utc(str(value))
    except ValueError as exc:
        from desktop.language.dates.date_parser import read_period  # noqa: PLC0415 - seldom wanted

        period = read_period(str(value), local_now())
        if period is None:
            raise UsageError(detail=f"--{name} {value}".rstrip()) from exc
        return period.until if is_end else period.since


def local_now() -> datetime:
    return utc_now().astimezone().replace(tzinfo=None)
