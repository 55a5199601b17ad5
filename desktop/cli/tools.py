"""`bellek tools`: servers of tools from elsewhere, and what the assistant may do with them."""

from argparse import Namespace
from collections.abc import Sequence
from getpass import getpass

from desktop.cli.commands import Command, CommandServices
from desktop.domain.errors import UsageError
from desktop.domain.json_values import JsonValue
from desktop.domain.outside_tools import OutsideTool, ToolConsent, ToolServer
from desktop.research.security import one_line
from desktop.settings.programs import CallOutcome

_SHOWN_CALLS = 20


def _list(services: CommandServices, _options: Namespace) -> None:
    servers = services.core.tool_servers.servers()
    for server in servers:
        if services.as_json:
            services.print_json(_server_json(server))
            continue
        state = _state(server)
        services.print_line(f"{server.name}  {services.texts.say(f'outside.{state}')}")
        for line in _described(server):
            services.print_line(f"    {line}")
        for name, pin in server.tools.items():
            services.print_line(f"  {name}  {services.texts.say(f'outside.{pin.consent}')}")
    if not servers and not services.as_json:
        services.say("outside.empty")


def _state(server: ToolServer) -> str:
    if not server.is_confirmed:
        return "unconfirmed"
    return "is_on" if server.is_on else "is_off"


def _server_json(server: ToolServer) -> dict[str, JsonValue]:
    return {
        "name": server.name,
        "command": [*server.command],
        "address": server.address,
        "state": _state(server),
        "variables": [*server.variables],
        "secrets": [*server.secrets],
        "tools": {name: pin.consent.value for name, pin in server.tools.items()},
    }


def _described(server: ToolServer) -> list[str]:
    """Return the whole command, a word a line, or the address; and the names of what it gets."""
    lines = [server.address] if server.address else [*map(_quoted, server.command)]
    variables = [f"{name}={value}" for name, value in server.variables.items()]
    return [*lines, *variables, *(f"{name}=…" for name in server.secrets)]


def _quoted(word: str) -> str:
    return word if word and word.isprintable() and " " not in word else repr(word)


def _add(services: CommandServices, options: Namespace) -> int:
    """Show the whole command or address, ask, run it, and show its tools."""
    core = services.core.tool_servers
    if bool(options.url) == bool(options.program):
        raise UsageError(detail="tools add NAME --url URL | tools add NAME --run COMMAND")
    pairs = [each.partition("=") for each in options.variables]
    server = core.check(
        ToolServer(
            name=options.name,
            command=tuple(options.program or ()),
            address=options.url or "",
            variables={name: value for name, _, value in pairs},
            secrets=tuple(options.secrets),
        )
    )
    services.say("outside.will_contact" if server.address else "outside.will_run")
    for line in _described(server):
        services.note(f"    {line}")
    if not _is_confirmed(services, options):
        services.say("outside.not_added")
        return 1
    secrets = {name: _secret(services, name) for name in server.secrets}
    tools = core.add(server, secrets)
    if services.as_json:
        services.print_json(_server_json(core.server(server.name)))
    else:
        services.say_count("outside.added", len(tools), name=server.name)
        _print_tools(services, tools)
    return 0


def _is_confirmed(services: CommandServices, options: Namespace) -> bool:
    return options.yes or (services.can_ask() and services.confirm("outside.may_it"))


def _secret(services: CommandServices, name: str) -> str:
    if not services.stdin.isatty():
        return services.stdin.readline().strip()
    return getpass(services.texts.say("outside.secret", name=name), services.stderr).strip()


def _print_tools(services: CommandServices, tools: Sequence[OutsideTool]) -> None:
    for tool in tools:
        services.print_line(f"  {tool.name}  {one_line(tool.description)}")


def _look(services: CommandServices, options: Namespace) -> int:
    """Show the tools that are new or have changed, and ask whether they may be offered."""
    core = services.core.tool_servers
    server = core.server(options.name)
    if not server.is_confirmed:
        services.say("outside.will_contact" if server.address else "outside.will_run")
        for line in _described(server):
            services.note(f"    {line}")
        if not _is_confirmed(services, options):
            return 1
        core.confirm(server.name)
    unseen = [tool for tool in core.look(server.name) if tool.consent(core.servers()) is None]
    if not unseen:
        services.report({"changed": []}, "outside.unchanged", name=server.name)
        return 0
    services.say_count("outside.changed", len(unseen), name=server.name)
    if services.as_json:
        services.print_json({"changed": [tool.name for tool in unseen]})
    else:
        _print_tools(services, unseen)
    if not (options.yes or (services.can_ask() and services.confirm("outside.may_offer"))):
        return 1
    core.accept(server.name)
    return 0


def _remove(services: CommandServices, options: Namespace) -> None:
    services.core.tool_servers.remove(options.name)
    record: dict[str, JsonValue] = {"name": options.name, "removed": True}
    services.report(record, "outside.removed", name=options.name)


def _decide(services: CommandServices, options: Namespace) -> None:
    consent = ToolConsent(_CONSENTS[options.action])
    services.core.tool_servers.decide(options.name, consent, options.tool)
    services.report(
        _server_json(services.core.tool_servers.server(options.name)),
        f"outside.set_{consent}",
        name=options.tool or options.name,
    )


def _calls(services: CommandServices, _options: Namespace) -> None:
    calls = services.core.outside_calls.calls()[:_SHOWN_CALLS]
    for call in calls:
        if services.as_json:
            services.print_json(
                {"at": call.at.isoformat(), "server": call.program, "tool": call.tool}
                | {"outcome": call.outcome.value}
            )
        else:
            done = call.outcome is CallOutcome.DONE
            outcome = services.texts.say("outside.done" if done else "outside.failed")
            when = call.at.astimezone().isoformat(" ", "minutes")
            services.print_line(f"{when}  {call.program}  {call.tool}  {outcome}")
    if not calls and not services.as_json:
        services.say("outside.no_calls")


_CONSENTS = {"allow": "allowed", "ask": "ask", "off": "off"}

COMMANDS = {
    "list": Command(_list),
    "add": Command(_add),
    "look": Command(_look),
    "remove": Command(_remove),
    "calls": Command(_calls),
    **dict.fromkeys(_CONSENTS, Command(_decide)),
}
