"""`bellek config`: list, get and set the settings by the names of their file."""

import json
import tomllib
from argparse import Namespace
from collections.abc import Iterator, Mapping
from contextlib import suppress

from desktop.cli.commands import Command, CommandServices
from desktop.cli.parser import meant
from desktop.domain.errors import UsageError
from desktop.domain.json_values import JsonValue
from desktop.settings import settings_schema
from desktop.settings.settings import Settings
from desktop.settings.toml_fields import FieldInvalidError

_ELSEWHERE = ("endpoints", "roles", "tool_servers", "version", "welcomed")
"""`bellek models` has the first two, `bellek tools` the next; the rest are no choices."""

_SWITCH = {"on": True, "off": False}


def _list(services: CommandServices, _options: Namespace) -> None:
    _print(services, _values(services.core.settings_store.current))


def _get(services: CommandServices, options: Namespace) -> None:
    values, key = _values(services.core.settings_store.current), options.key
    matches = {name: value for name, value in values.items() if f"{name}.".startswith(f"{key}.")}
    if not matches:
        raise _unknown(services, key, values)
    if services.as_json or key not in matches:
        _print(services, matches)
        return
    services.print_line(_shown(matches[key]))


def _set(services: CommandServices, options: Namespace) -> None:
    """Set a setting to the first allowed reading of the value. Raises UsageError."""
    key, store, texts = options.key, services.core.settings_store, services.texts
    name, *parts = key.split(".")
    table = _table(store.current)
    if name not in table:
        raise _unknown(services, key, _values(store.current))
    for value in _readings(options.value):
        for part in reversed(parts):
            value = {part: value}  # noqa: PLW2901 - from inside out
        with suppress(FieldInvalidError):
            changed = settings_schema.settings_of(settings_schema.merged(table, {name: value}))
            if (reading := _values(changed).get(key)) is None:
                raise _unknown(services, key, _values(store.current))
            store.change(**{name: getattr(changed, name)})
            _print(services, {key: reading})
            return
    detail = texts.say("config.invalid", value=options.value, name=key)
    if allowed := settings_schema.allowed_values(key):
        detail = f"{detail} {texts.say('config.allowed', allowed=allowed)}"
    raise UsageError(detail=detail, command="bellek config")


def _readings(text: str) -> Iterator[object]:
    """Yield what a value may mean: as the file would have it, as it is, as a list.

    At last as the lines of `instructions`, and as the `retention` of topics: "health*=8760".
    """
    with suppress(tomllib.TOMLDecodeError):
        yield tomllib.loads(f"value = {text}")["value"]
    yield text
    if text in _SWITCH:
        yield _SWITCH[text]
    several = [part.strip() for part in text.split(",") if part.strip()]
    yield several
    yield [{"text": line.strip()} for line in text.splitlines() if line.strip()]
    with suppress(ValueError):
        pairs = (part.rpartition("=") for part in several)
        yield [{"pattern": name.strip(), "hours": int(hours)} for name, _, hours in pairs]


def _table(settings: Settings) -> settings_schema.Table:
    table = settings_schema.written_into({}, settings)
    return {name: value for name, value in table.items() if name not in _ELSEWHERE}


def _values(settings: Settings) -> dict[str, JsonValue]:
    """Return each setting by its name, within tables as "tools.calculator.is_on"."""

    def flat(table: Mapping[str, object], before: str = "") -> Iterator[tuple[str, JsonValue]]:
        for name, value in table.items():
            if isinstance(value, dict):
                yield from flat(value, f"{before}{name}.")
            else:
                yield f"{before}{name}", json.loads(json.dumps(value))

    return dict(flat(_table(settings)))


def _print(services: CommandServices, values: Mapping[str, JsonValue]) -> None:
    if services.as_json:
        services.print_json(values)
        return
    for key, value in values.items():
        services.print_line(f"{key} = {_shown(value)}")


def _shown(value: JsonValue) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _unknown(services: CommandServices, key: str, values: Mapping[str, JsonValue]) -> UsageError:
    return UsageError(detail=meant(services.texts, key, values), command="bellek config")


COMMANDS = {"list": Command(_list), "get": Command(_get), "set": Command(_set)}
