"""What the user does with servers of tools from elsewhere, in every front end.

A front end shows the whole command or address, and calls `add` or `confirm` once the user agrees.
"""

import json
import os
import shlex
import shutil
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from urllib.parse import urlsplit

from desktop.domain.endpoints import is_loopback
from desktop.domain.errors import AppError
from desktop.domain.outside_tools import (
    LONGEST_SERVER_NAME,
    OutsideTool,
    OutsideToolUnknownError,
    ToolConsent,
    ToolPin,
    ToolServer,
    ToolServerAddressError,
    ToolServerCommandError,
    ToolServerExistsError,
    ToolServerNameError,
    ToolServerUnknownError,
    is_server_name,
    server_named,
    with_consent,
    with_server,
)
from desktop.research.security import is_suspicious
from desktop.research.tools.outside_tools import OutsideTools
from desktop.research.web.rate_limiting import Stop, never
from desktop.settings.keys import KeyStore
from desktop.settings.programs import ProgramCalls
from desktop.settings.store import SettingsStore

_SHOWN = 40  # Characters of what could not be read


class ToolServers:
    """Any thread may call; what starts a server waits for it, the rest for the disk."""

    def __init__(
        self, store: SettingsStore, keys: KeyStore, outside: OutsideTools, calls: ProgramCalls
    ) -> None:
        self._store, self._keys, self._outside = store, keys, outside
        self.calls = calls  # The list of what was called
        self._changing = threading.Lock()

    def servers(self) -> tuple[ToolServer, ...]:
        return self._store.current.tool_servers

    def server(self, name: str) -> ToolServer:
        """Raise ToolServerUnknownError if there is none."""
        server = server_named(self.servers(), name)
        if server is None:
            raise ToolServerUnknownError(name=name)
        return server

    def known(self, name: str) -> Sequence[OutsideTool]:
        """Return the tools of a server as it described them when it started; never waits."""
        return self._outside.known(name)

    def problem(self, name: str) -> AppError | None:
        """Return why a server could not be used when it was needed; never waits."""
        return self._outside.problem(name)

    def problems(self) -> Sequence[AppError]:
        """Return why servers that are on could not be used; never waits."""
        problems = (self.problem(server.name) for server in self.servers() if server.is_on)
        return [problem for problem in problems if problem is not None]

    def unseen(self) -> Sequence[OutsideTool]:
        """Return the tools that are not offered, because they are new or changed; never waits."""
        return self._outside.unseen(self.servers())

    def check(self, server: ToolServer) -> ToolServer:
        """Return a new server with the path of its program; nothing is run or contacted.

        Raises ToolServerNameError, ToolServerExistsError, ToolServerCommandError,
        ToolServerAddressError.
        """
        if not is_server_name(server.name):
            raise ToolServerNameError(name=server.name)
        if server_named(self.servers(), server.name) is not None:
            raise ToolServerExistsError(name=server.name)
        if server.address:
            return replace(server, address=_checked_address(server.address))
        program = shutil.which(server.command[0]) if server.command else None
        if program is None:
            raise ToolServerCommandError(program=" ".join(server.command[:1]))
        whole = str(Path(program).absolute())  # Not resolved: a link may say what it is to do
        return replace(server, command=(whole, *server.command[1:]))

    def add(
        self, server: ToolServer, secrets: Mapping[str, str], stop: Stop = never
    ) -> Sequence[OutsideTool]:
        """Run or contact a server that was checked and confirmed, and return its tools.

        Each is asked about from now on; one whose description reads like an order is off. A
        server that cannot be used is not kept. Raises ToolServerError, ProtocolMissingError.
        """
        server = replace(server, secrets=tuple(secrets))
        server = replace(server, confirmed=server.mark)
        for name, value in secrets.items():
            self._keys.put(server.secret_id(name), value)
        try:
            tools = self._outside.look(server, stop)
        except BaseException:
            self._forget(server)
            raise
        for tool in tools:
            server = with_consent(server, tool, _usual_consent(tool))
        with self._changing:
            self._store.change(tool_servers=with_server(self.servers(), server))
        return tools

    def confirm(self, name: str) -> None:
        """Let a server run that the user has seen; its file may have been changed by hand."""
        self._change(name, lambda server: replace(server, confirmed=server.mark))

    def look(self, name: str, stop: Stop = never) -> Sequence[OutsideTool]:
        """Return the tools of a confirmed server as it describes them now. Raises as `add`."""
        return self._outside.look(self.server(name), stop)

    def accept(self, name: str) -> None:
        """Offer the tools of a server as they are now, after the user has read about them."""

        def accepted(server: ToolServer) -> ToolServer:
            for tool in self._outside.known(name):
                if tool.consent((server,)) is None:
                    is_off = server.tools.get(tool.name, ToolPin()).consent is ToolConsent.OFF
                    consent = ToolConsent.OFF if is_off else _usual_consent(tool)
                    server = with_consent(server, tool, consent)
            return server

        self._change(name, accepted)

    def decide(self, name: str, consent: ToolConsent, tool: str | None = None) -> None:
        """Set what is decided on a tool, or on all tools of a server.

        Raises OutsideToolUnknownError for one that the user has not accepted yet.
        """

        def decided(server: ToolServer) -> ToolServer:
            names = [*server.tools] if tool is None else [tool]
            for each in names:
                if each not in server.tools:
                    raise OutsideToolUnknownError(name=name, tool=each)
            pins = {each: replace(server.tools[each], consent=consent) for each in names}
            return replace(server, tools={**server.tools, **pins})

        self._change(name, decided)

    def switch(self, name: str, *, is_on: bool) -> None:
        """Turn a server on or off; one that is off is ended."""
        self._change(name, lambda server: replace(server, is_on=is_on))
        if not is_on:
            self._outside.end(name)

    def remove(self, name: str) -> None:
        """Remove a server with its secrets, and end it."""
        with self._changing:
            server = self.server(name)
            servers = tuple(each for each in self.servers() if each is not server)
            self._store.change(tool_servers=servers)
        self._forget(server)

    def _forget(self, server: ToolServer) -> None:
        self._outside.end(server.name)
        for name in server.secrets:
            self._keys.delete(server.secret_id(name))

    def _change(self, name: str, change: Callable[[ToolServer], ToolServer]) -> None:
        with self._changing:
            server = change(self.server(name))
            self._store.change(tool_servers=with_server(self.servers(), server))


def entered_server(text: str) -> ToolServer:
    """Return the server that was typed or pasted: a command, an address, or a host's JSON.

    JSON is that which other programs take ("mcpServers"); the first of its servers counts. The
    name is empty if the text has none. Raises ToolServerCommandError.
    """
    text = text.strip()
    if text.startswith("{"):
        return _server_of_json(text)
    if text.startswith(("http://", "https://")):
        return ToolServer(name="", address=text)
    try:
        words = shlex.split(text, posix=os.name != "nt")
    except ValueError as exc:  # a quotation mark that nothing closes
        raise ToolServerCommandError(program=text) from exc
    return ToolServer(name="", command=tuple(words))


def _server_of_json(text: str) -> ToolServer:
    try:
        table = json.loads(text)
        ((name, entry), *_) = table.get("mcpServers", table).items()
        command = (entry["command"], *entry.get("args", ())) if "command" in entry else ()
        variables = {**entry.get("env", {}), **entry.get("headers", {})}
        server = ToolServer(
            name=server_name(name),
            command=tuple(map(str, command)),
            address=str(entry.get("url", "")),
            variables={str(key): str(value) for key, value in variables.items()},
        )
    except (ValueError, TypeError, AttributeError, KeyError, RecursionError) as exc:
        raise ToolServerCommandError(program=text[:_SHOWN]) from exc
    return server


def server_name(words: str) -> str:
    """Return a name that a server can have, made of other words; empty if they have no letter."""
    known = (letter if is_server_name(letter) else "-" for letter in words.lower())
    return "".join(known)[:LONGEST_SERVER_NAME].strip("-")


def _usual_consent(tool: OutsideTool) -> ToolConsent:
    return ToolConsent.OFF if is_suspicious(tool.description) else ToolConsent.ASK


def _checked_address(text: str) -> str:
    """Return an address of tools; what is sent to it is not sent in the open."""
    address = text.strip()
    try:
        parts = urlsplit(address)
        is_address = parts.scheme in ("http", "https") and parts.hostname and parts.port != 0
    except ValueError:
        is_address = False
    else:
        is_address = is_address and not (parts.username or parts.password or parts.query)
        is_address = is_address and (parts.scheme == "https" or is_loopback(address))
    if not is_address or not address.isprintable():
        raise ToolServerAddressError(address=address)
    return address
