"""Converts settings from and to the table of their file.

Whatever a newer program added to the file (fields, roles, capabilities) survives writing.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import asdict, fields
from enum import StrEnum
from typing import Any

from desktop.domain.endpoints import (
    USUAL_PARAMETERS,
    WITH_ADDRESS,
    Capabilities,
    Endpoint,
    EndpointId,
    EndpointKind,
    ModelChoice,
    ModelRole,
    RoleParameters,
    clean_base_url,
)
from desktop.domain.facts import AGES_AFTER_HOURS, Retention
from desktop.domain.outside_tools import (
    ToolConsent,
    ToolPin,
    ToolServer,
    is_server_name,
)
from desktop.settings.settings import (
    SETTINGS,
    Number,
    Setting,
    Settings,
    StandingInstruction,
    ToolSwitch,
    number_of,
)
from desktop.settings.toml_fields import FieldInvalidError, Fields

Table = dict[str, object]

RETENTION_HOURS = range(100 * 366 * 24)
ANSWER_TOKENS = Number(least=500, most=128_000, step=500)
TEMPERATURE = Number(least=0.0, most=2.0, step=0.1)
TOP_P = Number(least=0.05, most=1.0, step=0.05)
MOST_INSTRUCTIONS = 30
LONGEST_INSTRUCTION = 1_000
MOST_VARIABLES = 20
LONGEST_VARIABLE = 200  # Characters of its name, and of its value: they go with every request

STEPS: tuple[Callable[[Table], Table], ...] = ()
"""Append only. Step n makes a table of version n + 1 from one of version n."""

_CONTEXT_TOKENS = range(256, 100_000_001)
AT_ONCE = Number(least=1, most=100)
_VERSIONS = range(1, 1_000_000)
_DEFAULT = Settings()
_FORMER = {former: name for name, about in SETTINGS.items() for former in about.former}


def migrated(
    table: Table,
    steps: tuple[Callable[[Table], Table], ...] = STEPS,
    former: Mapping[str, str] = _FORMER,
) -> Table:
    """Return the table in the newest layout; that of a newer program stays as it is.

    `former`: the names of settings by earlier ones.
    """
    renamed = {former[name]: value for name, value in table.items() if name in former}
    table = {**renamed, **{name: value for name, value in table.items() if name not in former}}
    version = Fields(table).whole("version", _VERSIONS) or 1
    for step in steps[version - 1 :]:
        table = step(dict(table))
    return {**table, "version": max(version, len(steps) + 1)}


def settings_of(table: Table) -> Settings:
    """Return the settings; raises FieldInvalidError, naming the first invalid field."""
    top = Fields(table)
    return Settings(**{name: _value(top, name) for name in SETTINGS})


def _value(top: Fields, name: str) -> Any:
    """Return a setting, read by the type of its default if it is no table."""
    if name in _TABLES:
        return _TABLES[name](top)
    about, usual = SETTINGS[name], getattr(_DEFAULT, name)
    match usual:
        case bool():
            return top.flag(name, otherwise=usual)
        case StrEnum():
            return top.choice(name, usual)
        case str():
            text = (top.text_or_none(name) or usual) if usual else top.text_or_empty(name)
            if not has_form(about, text) or (about.longest and len(text) > about.longest):
                raise FieldInvalidError(top.place(name))
            return text
        case tuple():
            return top.texts(name)
        case _:
            number = top.number(name, number_of(name))
            return usual if number is None else number


def has_form(about: Setting, text: str) -> bool:
    """Return whether a text matches the pattern of its setting, or is empty."""
    return not (about.pattern and text) or re.fullmatch(about.pattern, text) is not None


def allowed_values(name: str) -> str:
    """Return the allowed values: "true | false", "50–300"; empty for others."""
    match SETTINGS.get(name), getattr(_DEFAULT, name, None):
        case Number() as about, _:
            return f"{'0 | ' if about.has_zero else ''}{about.least}–{about.most}"
        case _, bool():
            return "true | false"
        case _, StrEnum() as usual:
            return " | ".join(type(usual))
        case _:
            return "health*=8760, travel=24" if name == "retention" else ""


def written_into(table: Table, settings: Settings) -> Table:
    values = {field.name: getattr(settings, field.name) for field in fields(settings)}
    written: Table = {
        name: list(value) if isinstance(value, tuple) else value for name, value in values.items()
    }
    written["endpoints"] = [
        merged(_with_id(table, endpoint.id), asdict(endpoint)) for endpoint in settings.endpoints
    ]
    written["instructions"] = [asdict(values) for values in settings.instructions]
    written["tool_servers"] = [_server_table(server) for server in settings.tool_servers]
    written["retention"] = [retention._asdict() for retention in settings.retention]
    for name, by_role in (("roles", settings.roles), ("parameters", settings.parameters)):
        values = {role.value: by_role.get(role) for role in ModelRole}
        written[name] = {role: value and asdict(value) for role, value in values.items()}
    # Names that the user chose: a removed one must not come back from the file.
    owned = {
        "shortcuts": dict(settings.shortcuts),
        "variables": dict(settings.variables),
        "tools": {name: asdict(switch) for name, switch in settings.tools.items()},
    }
    return {**merged(migrated(table), {**written, **dict.fromkeys(owned)}), **owned}


def _endpoints(tables: list[Fields]) -> tuple[Endpoint, ...]:
    endpoints: dict[EndpointId, Endpoint] = {}
    for table in tables:
        endpoint = _endpoint(table)
        if endpoint.id in endpoints:
            raise FieldInvalidError(table.place("id"))
        endpoints[endpoint.id] = endpoint
    return tuple(endpoints.values())


def _endpoint(table: Fields) -> Endpoint:
    table.text("kind")
    kind = table.choice("kind", EndpointKind.SERVER)
    base_url, gguf_path = table.text_or_none("base_url"), table.text_or_none("gguf_path")
    # Without an address the requests of a server would go to the cloud.
    if (kind in WITH_ADDRESS) is (base_url is None):
        raise FieldInvalidError(table.place("base_url"))
    if (kind is EndpointKind.GGUF) is (gguf_path is None):
        raise FieldInvalidError(table.place("gguf_path"))
    if base_url is not None:
        try:
            base_url = clean_base_url(base_url, kind)
        except ValueError as exc:
            raise FieldInvalidError(table.place("base_url")) from exc
    capabilities = table.table("capabilities")
    return Endpoint(
        id=EndpointId(table.text("id")),
        name=table.text("name"),
        kind=kind,
        base_url=base_url,
        gguf_path=gguf_path,
        capabilities=Capabilities(
            **{
                field.name: capabilities.flag(field.name, otherwise=False)
                for field in fields(Capabilities)
            }
        ),
        context_tokens=table.whole("context_tokens", _CONTEXT_TOKENS),
        at_once=table.whole("at_once", AT_ONCE.whole),
    )


def _roles(table: Fields) -> Mapping[ModelRole, ModelChoice]:
    # An endpoint may be connected before a model is chosen.
    return {
        role: ModelChoice(EndpointId(choice.text("endpoint_id")), choice.text_or_empty("model"))
        for role, choice in _by_role(table)
    }


def _parameters(table: Fields) -> Mapping[ModelRole, RoleParameters]:
    parameters = {
        role: RoleParameters(
            values.whole("most_output_tokens", ANSWER_TOKENS.whole),
            values.number("temperature", TEMPERATURE),
            values.number("top_p", TOP_P),
        )
        for role, values in _by_role(table)
    }
    return {role: table for role, table in parameters.items() if table != USUAL_PARAMETERS}


def _by_role(table: Fields) -> list[tuple[ModelRole, Fields]]:
    return [(role, table.table(role)) for role in ModelRole if role in table.names()]


def _retention(tables: list[Fields]) -> tuple[Retention, ...]:
    hours = [table.whole("hours", RETENTION_HOURS) for table in tables]
    return tuple(
        Retention(table.text("pattern"), AGES_AFTER_HOURS if hours is None else hours)
        for table, hours in zip(tables, hours, strict=True)
    )


def _instructions(tables: list[Fields]) -> tuple[StandingInstruction, ...]:
    instructions = [
        StandingInstruction(table.text("text"), table.flag("is_on", otherwise=True))
        for table in tables
    ]
    for number, (table, instruction) in enumerate(zip(tables, instructions, strict=True)):
        if number == MOST_INSTRUCTIONS or len(instruction.text) > LONGEST_INSTRUCTION:
            raise table.invalid("text")
    return tuple(instructions)


def _tools(table: Fields) -> Mapping[str, ToolSwitch]:
    switches = {name: table.table(name) for name in table.names()}
    return {
        name: ToolSwitch(
            is_on=switch.flag("is_on", otherwise=True),
            asks_first=switch.flag("asks_first", otherwise=False),
        )
        for name, switch in switches.items()
    }


def _server_table(server: ToolServer) -> Table:
    return {
        **asdict(server),
        "command": [*server.command],
        "secrets": [*server.secrets],
        "tools": {name: asdict(pin) for name, pin in server.tools.items()},
    }


def _tool_servers(tables: list[Fields]) -> tuple[ToolServer, ...]:
    servers = tuple(map(_tool_server, tables))
    names = [server.name for server in servers]
    for table, name in zip(tables, names, strict=True):
        if names.count(name) > 1:
            raise table.invalid("name")
    return servers


def _tool_server(table: Fields) -> ToolServer:
    name, pins = table.text("name"), table.table("tools")
    command, address = table.texts_or_blank("command"), table.text_or_empty("address")
    if not is_server_name(name):
        raise table.invalid("name")
    if bool(command) is bool(address):
        raise table.invalid("command")
    return ToolServer(
        name=name,
        command=command,
        address=address,
        variables=_texts(table.table("variables")),
        secrets=table.texts("secrets"),
        is_on=table.flag("is_on", otherwise=True),
        confirmed=table.text_or_empty("confirmed"),
        tools={name: _tool_pin(pins.table(name)) for name in pins.names()},
    )


def _tool_pin(table: Fields) -> ToolPin:
    return ToolPin(table.choice("consent", ToolConsent.ASK), table.text_or_empty("mark"))


def _variables(table: Fields) -> Mapping[str, str]:
    variables = {name: table.text(name) for name in table.names()}
    for number, (name, value) in enumerate(variables.items()):
        is_long = len(name) > LONGEST_VARIABLE or len(value) > LONGEST_VARIABLE
        if is_long or not name.strip() or number == MOST_VARIABLES:
            raise FieldInvalidError(table.place(name))
    return variables


def _texts(table: Fields) -> Mapping[str, str]:
    return {name: table.text_or_empty(name) for name in table.names()}


_TABLES: Mapping[str, Callable[[Fields], object]] = {
    "endpoints": lambda top: _endpoints(top.tables("endpoints")),
    "roles": lambda top: _roles(top.table("roles")),
    "parameters": lambda top: _parameters(top.table("parameters")),
    "variables": lambda top: _variables(top.table("variables")),
    "instructions": lambda top: _instructions(top.tables("instructions")),
    "retention": lambda top: _retention(top.tables("retention")),
    "tools": lambda top: _tools(top.table("tools")),
    "tool_servers": lambda top: _tool_servers(top.tables("tool_servers")),
    # An empty key sequence is valid too: the action has no key.
    "shortcuts": lambda top: _texts(top.table("shortcuts")),
}


def _with_id(table: Table, endpoint_id: EndpointId) -> Table:
    """Return the endpoint with this id; its capabilities may include ones unknown here."""
    endpoints = table.get("endpoints")
    for endpoint in endpoints if isinstance(endpoints, list) else ():
        if isinstance(endpoint, dict) and endpoint.get("id") == endpoint_id:
            return endpoint
    return {}


def merged(old: Table, new: Mapping[str, object]) -> Table:
    """Merge `new` into `old`, table by table; None in `new` deletes, keys only in `old` stay."""
    whole = dict(old)
    for name, value in new.items():
        before = whole.pop(name, None)
        if isinstance(value, dict):
            whole[name] = merged(before if isinstance(before, dict) else {}, value)
        elif value is not None:
            whole[name] = value
    return whole
