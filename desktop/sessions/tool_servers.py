"""What the user does with servers of tools from elsewhere, in every front end.

A front end shows the whole command or address, and calls `add` or `confirm` once the user agrees.
"""

import shutil
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from urllib.parse import urlsplit

from desktop.domain.endpoints import is_loopback
from desktop.domain.errors import (
    OutsideToolUnknownError,
    ToolServerAddressError,
    ToolServerCommandError,
    ToolServerExistsError,
    ToolServerNameError,
    ToolServerUnknownError,
)
from desktop.domain.outside_tools import (
    OutsideTool,
    ToolConsent,
    ToolPin,
    ToolServer,
    is_server_name,
    server_named,
    with_consent,
    with_server,
)
from desktop.research.security.prompt_injection import is_suspicious
from desktop.research.tools.outside_tools import OutsideTools
from desktop.research.web.rate_limiting import Stop, never
from desktop.settings.keys import KeyStore
from desktop.settings.store import SettingsStore


class ToolServers:
    """Any thread may call; what starts a server waits for it, the rest for the disk."""

    def __init__(self, store: SettingsStore, keys: KeyStore, outside: OutsideTools) -> None:
        self._store, self._keys, self._outside = store, keys, outside

    def servers(self) -> tuple[ToolServer, ...]:
        return self._store.current.tool_servers

    def server(self, name: str) -> ToolServer:
        """Raise ToolServerUnknownError if there is none."""
        server = server_named(self.servers(), name)
        if server is None:
            raise ToolServerUnknownError(name=name)
        return server

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
        self._keep(server)
        return tools

    def confirm(self, name: str) -> None:
        """Let a server run that the user has seen; its file may have been changed by hand."""
        server = self.server(name)
        self._keep(replace(server, confirmed=server.mark))

    def look(self, name: str, stop: Stop = never) -> Sequence[OutsideTool]:
        """Return the tools of a confirmed server as it describes them now. Raises as `add`."""
        return self._outside.look(self.server(name), stop)

    def accept(self, name: str) -> None:
        """Offer the tools of a server as they are now, after the user has read about them."""
        server = self.server(name)
        for tool in self._outside.known(name):
            if tool.consent((server,)) is None:
                is_off = server.tools.get(tool.name, ToolPin()).consent is ToolConsent.OFF
                consent = ToolConsent.OFF if is_off else _usual_consent(tool)
                server = with_consent(server, tool, consent)
        self._keep(server)

    def decide(self, name: str, consent: ToolConsent, tool: str | None = None) -> None:
        """Set what is decided on a tool, or on all tools of a server.

        Raises OutsideToolUnknownError for one that the user has not accepted yet.
        """
        server = self.server(name)
        names = [*server.tools] if tool is None else [tool]
        for each in names:
            if each not in server.tools:
                raise OutsideToolUnknownError(name=name, tool=each)
        pins = {each: replace(server.tools[each], consent=consent) for each in names}
        self._keep(replace(server, tools={**server.tools, **pins}))

    def switch(self, name: str, *, is_on: bool) -> None:
        """Turn a server on or off; one that is off is ended."""
        self._keep(replace(self.server(name), is_on=is_on))
        if not is_on:
            self._outside.end(name)

    def remove(self, name: str) -> None:
        """Remove a server with its secrets, and end it."""
        server = self.server(name)
        servers = tuple(each for each in self.servers() if each.name != name)
        self._store.change(tool_servers=servers)
        self._forget(server)

    def _forget(self, server: ToolServer) -> None:
        self._outside.end(server.name)
        for name in server.secrets:
            self._keys.delete(server.secret_id(name))

    def _keep(self, server: ToolServer) -> None:
        self._store.change(tool_servers=with_server(self.servers(), server))


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
