"""Converts settings from and to the table of their file.

Whatever a newer program added to the file (fields, roles, capabilities) survives writing.
"""

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
from desktop.settings.settings import Settings, StandingInstruction, ToolSwitch
from desktop.settings.toml_fields import FieldInvalidError, Fields

Table = dict[str, object]

ZOOM_PERCENT = range(50, 301)
IDLE_MINUTES = range(1, 7 * 24 * 60 + 1)
LOCK_MINUTES = range(1_441)
IMPORT_TOKENS = range(1_000_000_001)
RETENTION_HOURS = range(100 * 366 * 24)
OVERFLOW_SHARE = (0.1, 0.95)
HISTORY_ITEMS = range(4, 201)
RECALLED_ITEMS = range(7)
COMPACT_AFTER = range(30, 81)
BACKUP_DAYS = range(1, 91)
BACKUP_WEEKS = range(53)
BACKUP_MONTHS = range(121)
DEEP_TOKENS = range(2_000, 10_000_001)
DEEP_CENTS = range(100_001)
DEEP_SEARCHES = range(201)
DEEP_FETCHES = range(201)
DEEP_MINUTES = range(1, 241)
ANSWER_TOKENS = range(500, 128_001)
TEMPERATURE, TOP_P = (0.0, 2.0), (0.05, 1.0)
MOST_INSTRUCTIONS = 30
LONGEST_INSTRUCTION = 1_000
LONGEST_PERSONA = 4_000
MOST_VARIABLES = 20
LONGEST_VARIABLE = 200  # Characters of its name, and of its value: they go with every request

STEPS: tuple[Callable[[Table], Table], ...] = ()
"""Append only. Step n makes a table of version n + 1 from one of version n."""

_CONTEXT_TOKENS = range(256, 100_000_001)
_VERSIONS = range(1, 1_000_000)
_DEFAULT = Settings()
_RANGES = {
    "zoom_percent": ZOOM_PERCENT,
    "idle_minutes": IDLE_MINUTES,
    "lock_minutes": LOCK_MINUTES,
    "import_tokens": IMPORT_TOKENS,
    "history_items": HISTORY_ITEMS,
    "recalled_items": RECALLED_ITEMS,
    "backup_days": BACKUP_DAYS,
    "backup_weeks": BACKUP_WEEKS,
    "backup_months": BACKUP_MONTHS,
    "deep_tokens": DEEP_TOKENS,
    "deep_cents": DEEP_CENTS,
    "deep_searches": DEEP_SEARCHES,
    "deep_fetches": DEEP_FETCHES,
    "deep_minutes": DEEP_MINUTES,
}
_READ_ALONE = {"endpoints", "instructions", "retention", "persona", "own_persona"}


def migrated(table: Table, steps: tuple[Callable[[Table], Table], ...] = STEPS) -> Table:
    """Return the table in the newest layout; that of a newer program stays as it is."""
    version = Fields(table).whole("version", _VERSIONS) or 1
    for step in steps[version - 1 :]:
        table = step(dict(table))
    return {**table, "version": max(version, len(steps) + 1)}


def settings_of(table: Table) -> Settings:
    """Return the settings; raises FieldInvalidError, naming the first invalid field."""
    top = Fields(table)
    shortcuts = top.table("shortcuts")
    # Flags, choices, texts, lists of them and whole numbers are read by the type of their default.
    simple: dict[str, Any] = {}
    for field in fields(Settings):
        usual = getattr(_DEFAULT, field.name)
        if isinstance(usual, bool):
            simple[field.name] = top.flag(field.name, otherwise=usual)
        elif isinstance(usual, StrEnum):
            simple[field.name] = top.choice(field.name, usual)
        elif field.name in _RANGES:
            found = top.whole(field.name, _RANGES[field.name])
            simple[field.name] = usual if found is None else found
        elif isinstance(usual, tuple) and field.name not in _READ_ALONE:
            simple[field.name] = top.texts(field.name)
        elif isinstance(usual, str) and field.name not in _READ_ALONE:
            simple[field.name] = top.text_or_empty(field.name)
    return Settings(
        **simple,
        endpoints=_endpoints(top.tables("endpoints")),
        roles=_roles(top.table("roles")),
        parameters=_parameters(top.table("parameters")),
        overflow_share=top.number("overflow_share", *OVERFLOW_SHARE) or _DEFAULT.overflow_share,
        compact_after=_compact_after(top),
        variables=_variables(top.table("variables")),
        instructions=_instructions(top.tables("instructions")),
        persona=top.text_or_none("persona") or _DEFAULT.persona,
        own_persona=_short_text(top, "own_persona", LONGEST_PERSONA),
        retention=_retention(top.tables("retention")),
        tools=_tools(top.table("tools")),
        # An empty key sequence is valid too: the action has no key.
        shortcuts={name: shortcuts.text_or_empty(name) for name in shortcuts.names()},
    )


def allowed_values(name: str) -> str:
    """Return the allowed values: "true | false", "50–300"; empty for others."""
    usual = getattr(_DEFAULT, name, None)
    if isinstance(usual, bool):
        return "true | false"
    if isinstance(usual, StrEnum):
        return " | ".join(type(usual))
    if name in _RANGES:
        return f"{_RANGES[name].start}–{_RANGES[name].stop - 1}"
    forms = {
        "retention": "health*=8760, travel=24",
        "overflow_share": "{}–{}".format(*OVERFLOW_SHARE),
        "compact_after": f"0 | {COMPACT_AFTER.start}–{COMPACT_AFTER.stop - 1}",
    }
    return forms.get(name, "")


def written_into(table: Table, settings: Settings) -> Table:
    written: Table = {field.name: getattr(settings, field.name) for field in fields(settings)}
    for name, value in written.items():
        if isinstance(value, tuple):
            written[name] = list(value)
    written["endpoints"] = [
        merged(_with_id(table, endpoint.id), asdict(endpoint)) for endpoint in settings.endpoints
    ]
    written["instructions"] = [asdict(one) for one in settings.instructions]
    written["retention"] = [one._asdict() for one in settings.retention]
    choices = {role.value: settings.roles.get(role) for role in ModelRole}
    written["roles"] = {role: choice and asdict(choice) for role, choice in choices.items()}
    several = {role.value: settings.parameters.get(role) for role in ModelRole}
    written["parameters"] = {role: asdict(one) if one else None for role, one in several.items()}
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
    known = table.table("capabilities")
    return Endpoint(
        id=EndpointId(table.text("id")),
        name=table.text("name"),
        kind=kind,
        base_url=base_url,
        gguf_path=gguf_path,
        capabilities=Capabilities(
            **{
                field.name: known.flag(field.name, otherwise=False)
                for field in fields(Capabilities)
            }
        ),
        context_tokens=table.whole("context_tokens", _CONTEXT_TOKENS),
    )


def _roles(table: Fields) -> Mapping[ModelRole, ModelChoice]:
    choices = {role: table.table(role) for role in ModelRole if role in table.names()}
    return {
        role: ModelChoice(
            EndpointId(choice.text("endpoint_id")),
            choice.text_or_empty("model"),  # an endpoint may be connected before a model is chosen
        )
        for role, choice in choices.items()
    }


def _parameters(table: Fields) -> Mapping[ModelRole, RoleParameters]:
    several = {role: table.table(role) for role in ModelRole if role in table.names()}
    found = {
        role: RoleParameters(
            one.whole("most_output_tokens", ANSWER_TOKENS),
            one.number("temperature", *TEMPERATURE),
            one.number("top_p", *TOP_P),
        )
        for role, one in several.items()
    }
    return {role: one for role, one in found.items() if one != USUAL_PARAMETERS}


def _retention(tables: list[Fields]) -> tuple[Retention, ...]:
    hours = [table.whole("hours", RETENTION_HOURS) for table in tables]
    return tuple(
        Retention(table.text("pattern"), AGES_AFTER_HOURS if kept is None else kept)
        for table, kept in zip(tables, hours, strict=True)
    )


def _instructions(tables: list[Fields]) -> tuple[StandingInstruction, ...]:
    found = [
        StandingInstruction(table.text("text"), table.flag("is_on", otherwise=True))
        for table in tables
    ]
    for number, (table, one) in enumerate(zip(tables, found, strict=True)):
        if number == MOST_INSTRUCTIONS or len(one.text) > LONGEST_INSTRUCTION:
            raise FieldInvalidError(table.place("text"))
    return tuple(found)


def _short_text(table: Fields, name: str, longest: int) -> str:
    value = table.text_or_empty(name)
    if len(value) > longest:
        raise FieldInvalidError(table.place(name))
    return value


def _tools(table: Fields) -> Mapping[str, ToolSwitch]:
    switches = {name: table.table(name) for name in table.names()}
    return {
        name: ToolSwitch(
            is_on=switch.flag("is_on", otherwise=True),
            asks_first=switch.flag("asks_first", otherwise=False),
        )
        for name, switch in switches.items()
    }


def _compact_after(table: Fields) -> int:
    suggested = table.whole("compact_after", range(COMPACT_AFTER.stop)) or 0
    if suggested and suggested not in COMPACT_AFTER:
        raise FieldInvalidError(table.place("compact_after"))
    return suggested


def _variables(table: Fields) -> Mapping[str, str]:
    found = {name: table.text(name) for name in table.names()}
    for number, (name, value) in enumerate(found.items()):
        is_long = len(name) > LONGEST_VARIABLE or len(value) > LONGEST_VARIABLE
        if is_long or not name.strip() or number == MOST_VARIABLES:
            raise FieldInvalidError(table.place(name))
    return found


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
