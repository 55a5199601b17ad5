"""What the user allows on the web, and the numeric addresses that a name may lead to."""

import socket
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from desktop.domain.web_errors import (
    AddressPrivateError,
    HostShutOutError,
    SiteUnreachableError,
    WebOffError,
)
from desktop.research.web.safe_urls import WebAddress, covers, is_public, names
from desktop.settings.settings import Settings

LookUp = Callable[[str, int], Sequence[str]]
"""The numeric addresses of a host. Raises OSError."""


@dataclass(frozen=True, slots=True)
class Rules:
    is_on: bool
    only: tuple[str, ...] = ()
    """Hosts; empty: all of them."""
    never: tuple[str, ...] = ()
    at_home: tuple[str, ...] = ()
    """Hosts that may be private ones: the user, or a test, has named them."""

    @classmethod
    def of(cls, settings: Settings) -> "Rules":
        return cls(settings.uses_web, settings.web_only, settings.web_never, settings.web_at_home)

    def check_on(self) -> None:
        """Raises WebOffError."""
        if not self.is_on:
            raise WebOffError

    def check(self, address: WebAddress) -> None:
        """Raises WebOffError, HostShutOutError."""
        self.check_on()
        if not self.takes(address):
            raise HostShutOutError(host=address.host)

    def takes(self, address: WebAddress) -> bool:
        """Whether the user's lists let it be read."""
        host, port = address.host, address.port
        if covers(self.never, host, port):
            return False
        return not self.only or covers(self.only, host, port)


def look_up(host: str, port: int) -> list[str]:
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(address[0]) for *_, address in found))


def checked_addresses(
    host: str, port: int, *, at_home: tuple[str, ...], look_up: LookUp
) -> Sequence[str]:
    """Where to connect to: only these, for another look may find others.

    One private address among them is enough to refuse them all. Raises AddressPrivateError,
    SiteUnreachableError.
    """
    try:
        found = look_up(host, port)
    except (OSError, UnicodeError) as exc:
        raise SiteUnreachableError(host=host) from exc
    if not found:
        raise SiteUnreachableError(host=host)
    if not names(at_home, host, port) and not all(map(is_public, found)):
        raise AddressPrivateError(host=host)
    return found
