"""The handle of the child process that speaks with one server of tools.

The program imports neither the SDK nor anything that a server sends but the texts below, which
are limited in number and size.
"""

import os
import subprocess
from collections.abc import Callable, Mapping
from contextlib import suppress
from importlib.util import find_spec
from typing import Any, NoReturn

from desktop.domain import outside_tools
from desktop.domain.errors import ProtocolMissingError
from desktop.domain.outside_tools import Failure, OutsideTool, ToolServer
from desktop.research.child_process import TOOK_TOO_MUCH_MEMORY, ChildEnded, ChildProcess
from desktop.research.security import one_line
from desktop.research.web.rate_limiting import Stop

STARTS_S, CALL_S = 20.0, 60.0

_MEGABYTES = 400
_LONGEST_LINE = 16 << 20
_LEAVES_S = 4.0
_IN_AN_ENVIRONMENT = ("PATH", "HOME", "USER", "LOGNAME", "LANG", "LANGUAGE", "TZ", "TMPDIR")
_ON_WINDOWS = ("SYSTEMROOT", "SYSTEMDRIVE", "WINDIR", "PATHEXT", "APPDATA", "LOCALAPPDATA", "TEMP")


class OutsideProcess(ChildProcess):
    """Started at once. One thread at a time may ask it; any may `kill` it."""

    def __init__(self, server: ToolServer, secret: Callable[[ToolServer, str], str]) -> None:
        """Raise ProtocolMissingError. `secret` returns the value of a secret, by its name."""
        if find_spec("mcp") is None:
            raise ProtocolMissingError
        self._server = server
        super().__init__("--ask-tools", _MEGABYTES, _LONGEST_LINE)
        secrets = {name: secret(server, name) for name in server.secrets}
        self._opening: dict[str, Any] = {
            "command": server.command,
            "environment": {**_environment(), **server.variables, **secrets},
            "address": server.address,
            "headers": {**server.variables, **secrets} if server.address else {},
        }

    def kill(self) -> None:
        """End it, once it has ended the server."""
        self.let_go()
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(_LEAVES_S)
        super().kill()

    def let_go(self) -> None:
        """Have it end the server and itself; does not wait for that."""
        with suppress(OSError, ValueError):
            self._requests.close()

    def open(self, stop: Stop) -> list[OutsideTool]:
        """Connect, and return the tools as the server describes them.

        Raises ToolServerError.
        """
        (tools,) = self._ask("tools", STARTS_S, stop, **self._opening)
        name = self._server.name
        return [OutsideTool(name, each["name"], each["about"], each["schema"]) for each in tools]

    def call(self, name: str, arguments: Mapping[str, object], stop: Stop) -> tuple[str, bool]:
        """Return the text of a result, and whether it is an error. Raises ToolServerError."""
        text, is_error = self._ask("result", CALL_S, stop, name=name, arguments=arguments)
        return str(text), bool(is_error)

    def _ask(
        self,
        kind: str,
        seconds: float,
        stop: Stop,
        **request: Any,  # as `send` takes it
    ) -> list[Any]:
        with self.limited(seconds, stop):
            try:
                self.send(seconds=seconds, **request)
                answer, *values = self.receive()
            except (ChildEnded, ValueError):
                self._raise_ended()
        if answer != kind:
            failure, detail = values
            raise self._error(Failure(failure), detail)
        return values

    def _raise_ended(self) -> NoReturn:
        if self.exit_code() == TOOK_TOO_MUCH_MEMORY:
            raise self._error(Failure.TOO_MUCH)
        is_late = self.was_too_long or self.was_stopped
        raise self._error(Failure.TOO_SLOW if is_late else Failure.ENDED)

    def _error(self, failure: Failure, detail: str = "") -> outside_tools.ToolServerError:
        return _ERRORS[failure](name=self._server.name, detail=one_line(detail))


_ERRORS: Mapping[Failure, type[outside_tools.ToolServerError]] = {
    Failure.UNREACHABLE: outside_tools.ToolServerUnreachableError,
    Failure.ENDED: outside_tools.ToolServerEndedError,
    Failure.REFUSED: outside_tools.ToolServerRefusesError,
    Failure.SIGN_IN: outside_tools.ToolServerSignInError,
    Failure.TOO_SLOW: outside_tools.ToolServerSlowError,
    Failure.TOO_MUCH: outside_tools.ToolServerExcessError,
    Failure.UNREADABLE: outside_tools.ToolServerUnreadableError,
}


def _environment() -> dict[str, str]:
    """Return what any program needs to start; nothing else of this one's is handed on."""
    names = _ON_WINDOWS if os.name == "nt" else ()
    return {
        name: value
        for name, value in os.environ.items()
        if name in {*_IN_AN_ENVIRONMENT, *names} or name.startswith("LC_")
    }
