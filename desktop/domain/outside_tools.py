"""Tools from elsewhere: servers of the Model Context Protocol that the user added.

What a server says of its tools is not trusted. A tool is offered only as it was when the user saw
it, by the mark of what it said then.
"""

import json
from collections.abc import Iterable, Mapping
from dataclasses import field, replace
from enum import StrEnum
from string import ascii_letters, ascii_lowercase, digits

from desktop.domain.endpoints import EndpointId, is_loopback
from desktop.domain.errors import AppError
from desktop.domain.frozen import dataclass
from desktop.domain.json_values import JsonValue

BETWEEN = "__"
"""Between the names of the server and the tool; no tool of the program's own has it."""
LONGEST_NAME = 64  # Characters of a tool's name in a request, as the protocols of models allow
LONGEST_SERVER_NAME = 20
MOST_TOOLS = 64  # Of one server
LONGEST_DESCRIPTION = 4_000  # Characters
LONGEST_RESULT = 200_000  # Characters
LARGEST_SCHEMA = 16_000  # Characters of its JSON
_IN_A_NAME = frozenset(f"{ascii_lowercase}{digits}-")
_IN_A_TOOLS_NAME = frozenset(f"{ascii_letters}{digits}-_.")


class ToolConsent(StrEnum):
    OFF = "off"
    ASK = "ask"
    ALLOWED = "allowed"


@dataclass(frozen=True, slots=True)
class ToolPin:
    """What the user decided on a tool, and the mark of the tool that they saw."""

    consent: ToolConsent = ToolConsent.ASK
    mark: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolServer:
    """A program, or an address. It is run or contacted only while `is_confirmed`."""

    name: str
    command: tuple[str, ...] = ()  # The program and its arguments; no shell reads them
    address: str = ""
    variables: Mapping[str, str] = field(default_factory=dict)  # Of its environment
    secrets: tuple[str, ...] = ()
    """The names of variables, or of headers, whose values are in the keyring."""
    is_on: bool = True
    confirmed: str = ""  # The mark of what the user confirmed
    tools: Mapping[str, ToolPin] = field(default_factory=dict)

    @property
    def mark(self) -> str:
        """Return the mark of what is run or contacted."""
        parts = [*self.command], self.address, dict(self.variables), [*self.secrets]
        return _mark(*parts)

    @property
    def is_confirmed(self) -> bool:
        return self.confirmed == self.mark

    @property
    def is_on_this_computer(self) -> bool:
        """Whether calls stay here: a program may contact whom it likes, so it counts as away."""
        return not self.command and is_loopback(self.address)

    def secret_id(self, name: str) -> EndpointId:
        """Return where the keyring has a secret."""
        return EndpointId(f"tools {self.name} {name}")


@dataclass(frozen=True, slots=True)
class OutsideTool:
    """A tool as its server describes it: untrusted."""

    server: str
    name: str
    description: str
    parameters: Mapping[str, JsonValue]  # A JSON schema

    @property
    def mark(self) -> str:
        return _mark(self.name, self.description, dict(self.parameters))

    @property
    def full_name(self) -> str:
        """Return its name in requests, by which it cannot be taken for another tool."""
        return f"{self.server}{BETWEEN}{self.name.replace('.', '_')}"

    @property
    def size(self) -> int:
        """Return the characters of what is said of it."""
        return len(self.description) + len(json.dumps(self.parameters))

    def consent(self, servers: "tuple[ToolServer, ...]") -> ToolConsent | None:
        """Return what the user decided; None if they have not seen it as it is now."""
        server = server_named(servers, self.server)
        pin = server.tools.get(self.name) if server is not None else None
        if server is None or pin is None or pin.mark != self.mark:
            return None
        return pin.consent if server.is_on and server.is_confirmed else ToolConsent.OFF


def usable(tools: Iterable[OutsideTool]) -> list[OutsideTool]:
    """Return those that can be offered: in bounds, as many as fit, each name once."""
    first: dict[str, OutsideTool] = {}
    for tool in tools:
        if _is_in_bounds(tool):
            first.setdefault(tool.full_name, tool)
    return list(first.values())[:MOST_TOOLS]


def is_shallow(value: JsonValue, levels: int = 40) -> bool:
    """Whether JSON has no more levels than this; what has many could break whoever walks it."""
    match value:
        case Mapping():
            return levels > 0 and all(is_shallow(each, levels - 1) for each in value.values())
        case list():
            return levels > 0 and all(is_shallow(each, levels - 1) for each in value)
        case _:
            return True


def _is_in_bounds(tool: OutsideTool) -> bool:
    return (
        bool(tool.name)
        and all(map(_IN_A_TOOLS_NAME.__contains__, tool.name))
        and len(tool.full_name) <= LONGEST_NAME
        and len(tool.description) <= LONGEST_DESCRIPTION
        and tool.parameters.get("type") == "object"
        and tool.size <= LARGEST_SCHEMA + LONGEST_DESCRIPTION
    )


def is_server_name(name: str) -> bool:
    """Whether it is of a to z, digits and hyphens, and short enough."""
    is_short = 0 < len(name) <= LONGEST_SERVER_NAME
    return is_short and all(map(_IN_A_NAME.__contains__, name))


def server_named(servers: "tuple[ToolServer, ...]", name: str) -> ToolServer | None:
    return next((server for server in servers if server.name == name), None)


def with_server(servers: "tuple[ToolServer, ...]", server: ToolServer) -> "tuple[ToolServer, ...]":
    """Return the servers with this one, instead of the one of its name if there is one."""
    if server_named(servers, server.name) is None:
        return (*servers, server)
    return tuple(server if each.name == server.name else each for each in servers)


def with_consent(server: ToolServer, tool: OutsideTool, consent: ToolConsent) -> ToolServer:
    """Return the server with what the user decided on a tool as it is now."""
    return replace(server, tools={**server.tools, tool.name: ToolPin(consent, tool.mark)})


def _mark(*parts: JsonValue) -> str:
    from hashlib import sha256  # noqa: PLC0415 - not for the start of the window

    written = json.dumps(parts, ensure_ascii=True, sort_keys=True)
    return sha256(written.encode()).hexdigest()


class Failure(StrEnum):
    """Why a server cannot be used, or a call has no result."""

    UNREACHABLE = "unreachable"  # It cannot be started or contacted
    ENDED = "ended"
    REFUSED = "refused"
    SIGN_IN = "sign_in"
    TOO_SLOW = "too_slow"
    TOO_MUCH = "too_much"
    UNREADABLE = "unreadable"


class ToolServerError(AppError):
    """A server of tools from elsewhere cannot be used; `name`: the user's name of it."""


class ToolServerUnreachableError(ToolServerError):
    """It cannot be started or contacted; `detail`: the system's words."""


class ToolServerEndedError(ToolServerError):
    """It ended, or closed the connection."""


class ToolServerRefusesError(ToolServerError):
    """It answers with an error; `detail`: its words."""


class ToolServerSignInError(ToolServerError):
    """It wants a sign-in, or does not accept the token that it was given."""


class ToolServerSlowError(ToolServerError):
    """It does not answer in time."""


class ToolServerExcessError(ToolServerError):
    """It sends more, or needs more memory, than it may."""


class ToolServerUnreadableError(ToolServerError):
    """What it sends cannot be understood."""


class ToolServerUnknownError(AppError):
    """No server has this name; `name`."""


class ToolServerExistsError(AppError):
    """A server has this name already; `name`."""


class ToolServerNameError(AppError):
    """A server cannot have this name; `name`."""


class ToolServerCommandError(AppError):
    """A command cannot be run: there is no such program; `program`."""


class ToolServerAddressError(AppError):
    """An address is none for tools: https, or http on this computer; `address`."""


class OutsideToolUnknownError(AppError):
    """`name`: the server's; `tool`: what it does not offer."""
