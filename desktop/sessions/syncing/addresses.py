"""Addresses of servers: what may be stored and shown of one, and how libpq connects to it."""

import os
import ssl
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from urllib.parse import SplitResult, parse_qsl, unquote, urlsplit

from desktop.domain.frozen import dataclass
from desktop.domain.sync import SyncAddressError

SCHEMES = ("postgresql", "postgres")

_SOCKET_FOLDERS = ("/var/run/postgresql", "/tmp")  # noqa: S108  # where servers listen
_CERTIFICATES = {"sslrootcert", "sslcert", "sslkey"}
_CONNECT_S = 10
_NO_FILE = f"{os.devnull}/none"


@dataclass(frozen=True, slots=True)
class ServerAddress:
    """Where a server is; nothing in it is secret."""

    where: str
    """For the user: the host, or the folder of the socket."""
    options: Mapping[str, str]
    """Of libpq: host, port, dbname, user, and files of certificates."""
    space: str
    """Empty: that of the role's own devices, which has its name."""

    def parameters(self, password: str | None) -> dict[str, str | int]:
        """Return what libpq needs to connect.

        What is said here is not taken from the environment, which could lead elsewhere or weaken
        the connection. For a local socket, libpq leaves TLS out.
        """
        return {
            "password": password or "",
            "connect_timeout": _CONNECT_S,
            "application_name": "bellek",
            "client_encoding": "UTF8",
            "hostaddr": "",
            "passfile": _NO_FILE,  # without a password, libpq would look for one there
            "options": "",
            "gssencmode": "disable",
            "sslmode": "verify-full",
            "sslrootcert": self.options.get("sslrootcert") or _root_certificates(),
            **self.options,
        }


def is_server(place: str) -> bool:
    """Whether it is meant as the address of a server, and not as a folder."""
    scheme, separator, _ = place.strip().partition("://")
    return bool(separator) and scheme.isalpha() and len(scheme) > 1  # no drive of Windows


def split_password(address: str) -> tuple[str, str | None]:
    """Return the address as it may be stored and shown, and the password that was in it."""
    url = _split(address)
    user, at, host = url.netloc.rpartition("@")
    name, _, password = user.partition(":")
    return url._replace(netloc=f"{name}{at}{host}").geturl(), unquote(password) or None


def parse_address(address: str) -> ServerAddress:
    """Raise SyncAddressError unless the address names a server and a database.

    Only parameters that cannot weaken the connection are accepted: `space`, the certificates, and
    the folder of a socket (`host`).
    """
    url = _split(address)
    options = dict(parse_qsl(url.query, keep_blank_values=True))
    database = unquote(url.path.strip("/"))
    space = options.pop("space", "")
    host = options.pop("host", "") or unquote(url.hostname or "") or _socket_folder()
    if not database or "/" in database or "," in host or not options.keys() <= _CERTIFICATES:
        raise SyncAddressError
    if url.hostname and host.startswith("/"):
        raise SyncAddressError
    parameters = {"host": host, "dbname": database, **options}
    if url.username:
        parameters["user"] = unquote(url.username)
    with suppress(ValueError):
        parameters |= {"port": str(url.port)} if url.port else {}
    return ServerAddress(host, parameters, space)


def _split(address: str) -> SplitResult:
    try:
        url = urlsplit(address.strip())
        url.port  # noqa: B018  # raises where it is no number
    except ValueError:
        raise SyncAddressError from None
    if url.scheme not in SCHEMES or url.fragment:
        raise SyncAddressError
    return url


def _socket_folder() -> str:
    return next((folder for folder in _SOCKET_FOLDERS if Path(folder).is_dir()), "/tmp")  # noqa: S108


def _root_certificates() -> str:
    """Return the system's authorities: libpq's own OpenSSL looks for them where there are none."""
    import certifi  # noqa: PLC0415  # seldom needed

    return ssl.get_default_verify_paths().cafile or certifi.where()
