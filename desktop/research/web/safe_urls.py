"""Normalises web addresses and refuses unsafe ones: SSRF protection and the user's lists."""

import ipaddress
import re
import socket
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from urllib.parse import quote, urljoin, urlsplit

from desktop.domain.web import (
    AddressPrivateError,
    AddressRefusedError,
    HostShutOutError,
    SiteUnreachableError,
    WebError,
    WebKeptHereError,
    WebOffError,
)
from desktop.settings.settings import Settings

_PORTS = {"http": 80, "https": 443}
_OTHER_PORTS = range(1024, 65536)
_LONGEST = 4000
_NAME = re.compile(r"(?!-)[a-z0-9_-]{1,63}(?<!-)(?:\.(?!-)[a-z0-9_-]{1,63}(?<!-))*")
_NUMBER = re.compile(r"\d+|0x[0-9a-f]*")
_KEPT_IN_PATH = "%/:@!$&'()*+,;=~-._"

_NOT_PUBLIC = tuple(
    map(
        ipaddress.ip_network,
        # Azure's host, which hands out its guests' secrets; Teredo (2001::) and 6to4 (2002::),
        # which carry an IPv4 address; and reserved ones.
        (
            "168.63.129.16/32",
            "192.0.0.0/24",
            "192.88.99.0/24",
            "2001::/23",
            "2001:db8::/32",
            "2002::/16",
            "3fff::/20",
        ),
    )
)
"""Networks that not every Python version of `ipaddress` treats as private."""
_PUBLIC_6 = ipaddress.IPv6Network("2000::/3")
_TRANSLATED = ipaddress.IPv6Network("64:ff9b::/96")
"""How an IPv6-only network reaches IPv4 (NAT64); the last 32 bits are the address."""
_INTERFACE_OF_IPV4 = (0x00005EFE, 0x02005EFE)
"""ISATAP: an interface identifier that contains an IPv4 address."""
_WORD = 0xFFFFFFFF


@dataclass(frozen=True, slots=True)
class WebAddress:
    scheme: str
    host: str  # In lower case and ASCII; an IPv6 address without its brackets
    port: int
    target: str

    @property
    def origin(self) -> str:
        return f"{self.scheme}://{self.authority}"

    @property
    def authority(self) -> str:
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.port == _PORTS[self.scheme] else f"{host}:{self.port}"

    def __str__(self) -> str:
        return f"{self.origin}{self.target}"


def parse_address(text: str, base: WebAddress | str = "", *, is_seen: bool = False) -> WebAddress:
    """Parse; `base`: the source of a redirect. Raises AddressRefusedError if not plain web.

    `is_seen`: a browser has loaded it, so any port will do.
    """
    try:
        return _parse(urljoin(str(base), text.strip()), takes_any_port=is_seen)
    except (ValueError, OSError) as exc:
        shown = "".join(letter if letter.isprintable() else "?" for letter in text[:120])
        raise AddressRefusedError(address=shown) from exc


def address_or_none(text: str) -> WebAddress | None:
    try:
        return parse_address(text)
    except AddressRefusedError:
        return None


def _parse(text: str, *, takes_any_port: bool) -> WebAddress:
    """Parse an address. Raises ValueError, OSError."""
    parts = urlsplit(text)
    usual_port = _PORTS.get(parts.scheme, 0)
    port = usual_port if parts.port is None else parts.port
    is_plain = (
        len(text) <= _LONGEST
        and "@" not in parts.netloc
        and not any(letter <= " " or letter in "\x7f\\" for letter in parts.netloc)
        and usual_port > 0
        and (takes_any_port or port in _PORTS.values() or port in _OTHER_PORTS)
    )
    if not is_plain:
        raise ValueError("no plain address")
    path = quote(parts.path or "/", safe=_KEPT_IN_PATH)
    query = quote(parts.query, safe=f"{_KEPT_IN_PATH}?")
    target = f"{path}?{query}" if query else path
    return WebAddress(parts.scheme, _host(parts.hostname or ""), port, target)


def _host(host: str) -> str:
    """Return the usual spelling of a host. Raises ValueError, OSError."""
    host = _in_ascii(host.rstrip("."))
    if ":" in host:
        if ipaddress.IPv6Address(host).scope_id:
            raise ValueError("an interface of this computer")
        return host
    if _NUMBER.fullmatch(host.rpartition(".")[2]):
        return socket.inet_ntoa(socket.inet_aton(host))  # also octal, hexadecimal or short
    if not _NAME.fullmatch(host):
        raise ValueError("no host name")
    return host


def _in_ascii(host: str) -> str:
    """Return a host in ASCII. Raises UnicodeError."""
    if host.isascii():
        return host
    import idna  # noqa: PLC0415  its tables take a while, and most names need none

    return idna.encode(host, uts46=True).decode("ascii")


def is_public(address: str) -> bool:
    """Whether a numeric address is public, even if embedded in an IPv6 address."""
    try:
        ip = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return False
    if ip in _TRANSLATED:
        return is_public(str(ipaddress.IPv4Address(int(ip) & _WORD)))
    if isinstance(ip, ipaddress.IPv6Address):
        is_tunnel = int(ip) >> 32 & _WORD in _INTERFACE_OF_IPV4
        is_listed = ip in _PUBLIC_6 and not is_tunnel
    else:
        is_listed = ip.is_global and not ip.is_multicast
    return is_listed and not any(ip in network for network in _NOT_PUBLIC)


def covers(hosts: Iterable[str], host: str, port: int, *, is_exact: bool = False) -> bool:
    """Whether a host is listed.

    `example.org` covers its subdomains unless `is_exact`; `host:port` only that port of the host.
    """
    for name, its_port in map(_host_and_port, hosts):
        if host == name and its_port in (None, port):
            return True
        if not is_exact and its_port is None and host.endswith(f".{name}"):
            return True
    return False


def _host_and_port(written: str) -> tuple[str, int | None]:
    host = plain_host(written)
    name, colon, port = host.rpartition(":")
    if colon and port.isdecimal() and (":" not in name or name.endswith("]")):
        return name.strip("[]"), int(port)
    return host.strip("[]"), None


def plain_host(written: str) -> str:
    """Return the host of a typed text: a whole address, or a name with a wildcard."""
    bare = written.strip().lower().partition("://")[2] or written.strip().lower()
    bare = bare.partition("/")[0].removeprefix("*.").rstrip(".")
    try:
        return _in_ascii(bare)
    except UnicodeError:
        return bare


@dataclass(frozen=True, slots=True)
class AccessRules:
    is_on: bool
    only: tuple[str, ...] = ()  # The allowed hosts; empty allows all hosts
    never: tuple[str, ...] = ()
    at_home: tuple[str, ...] = ()  # Hosts that may have private addresses, named by the user
    off: type[WebError] = WebOffError  # What is raised if it is off

    @classmethod
    def of(cls, settings: Settings) -> "AccessRules":
        lists = settings.web_only, settings.web_never, settings.web_at_home
        off = WebKeptHereError if settings.is_local_only else WebOffError
        return cls(settings.uses_web, *lists, off)

    def check_on(self) -> None:
        """Check that the web is on. Raises WebOffError, or what stands for it."""
        if not self.is_on:
            raise self.off

    def check(self, address: WebAddress) -> None:
        """Check an address. Raises WebOffError, HostShutOutError."""
        self.check_on()
        if not self.takes(address):
            raise HostShutOutError(host=address.host)

    def takes(self, address: WebAddress) -> bool:
        host, port = address.host, address.port
        is_listed = not self.only or covers(self.only, host, port)
        return is_listed and not covers(self.never, host, port)


LookUp = Callable[[str, int], Sequence[str]]
"""Resolves a host to numeric addresses. Raises OSError."""


def look_up(host: str, port: int) -> list[str]:
    entries = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(address[0]) for *_, address in entries))


def checked_addresses(
    host: str, port: int, *, at_home: tuple[str, ...], look_up: LookUp
) -> Sequence[str]:
    """Return the addresses to connect to; a second lookup could return others.

    If one is private, all are refused. Raises AddressPrivateError, SiteUnreachableError.
    """
    try:
        addresses = look_up(host, port)
    except (OSError, UnicodeError) as exc:
        raise SiteUnreachableError(host=host) from exc
    if not covers(at_home, host, port, is_exact=True) and not all(map(is_public, addresses)):
        raise AddressPrivateError(host=host)
    return addresses
