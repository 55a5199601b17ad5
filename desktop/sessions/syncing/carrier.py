"""What carries files between devices: a folder that another program copies, or a server.

A device writes below its own id alone, and a file is written once. Its name says the kind, what it
is, its length and its hash, so that nobody takes half a file, or somebody else's, for a whole one.
The client of a server is an extra that may not be installed.
"""

import re
from collections.abc import Callable
from hashlib import sha256
from typing import TYPE_CHECKING, Protocol, Self

from desktop.domain.frozen import dataclass
from desktop.domain.sync import DeviceId, SyncClientMissingError

if TYPE_CHECKING:
    from desktop.sessions.syncing.postgresql import PostgresqlCarrier


PACK, SNAPSHOT, FILE, STATE, KEY = "p", "b", "f", "s", "k"

_DIGITS, _HASH = 12, 32  # A device is named by as many hexadecimal digits as a hash
_NAME = re.compile(
    r"([pbsk])-(\d{12})-(\d{1,15})-([0-9a-f]{32})|(f)-([0-9a-f]{32})-(\d{1,15})-([0-9a-f]{32})"
)
_HEX_DIGITS = frozenset("0123456789abcdef")


class Carrier(Protocol):
    """Not for the window's thread: everything may wait.

    Raises CarrierGoneError, CarrierFullError, CarrierReadOnlyError and other SyncErrors.
    """

    def devices(self) -> list[DeviceId]:
        """Return the ids of all devices that have written something."""
        ...

    def names(self, device: DeviceId) -> list[str]:
        """Return the names of the files of a device that are complete, in order."""
        ...

    def read(self, device: DeviceId, name: str) -> bytes:
        """Return the bytes of a file; raises FileNotFoundError if it is not there (any more)."""
        ...

    def write(self, device: DeviceId, name: str, data: bytes) -> None:
        """Store a file, complete on return."""
        ...

    def remove(self, device: DeviceId, name: str) -> None:
        """Remove a file; one that is not there is removed."""
        ...

    def may_remove(self, device: DeviceId) -> bool:
        """Whether files that another device wrote can be removed here."""
        ...

    def wait(self, timeout_s: float) -> bool:
        """Wait for something new, as long as the time at most; return whether to look."""
        ...

    def close(self) -> None:
        """End a wait, too."""
        ...


@dataclass(frozen=True, slots=True)
class FileName:
    """The name of a file in a carrier."""

    kind: str
    what: str
    """A number of 12 digits, or for FILE a keyed hash of the content."""
    length: int
    hash: str

    def __str__(self) -> str:
        return f"{self.kind}-{self.what}-{self.length}-{self.hash}"

    @property
    def number(self) -> int:
        return int(self.what)

    @property
    def label(self) -> str:
        """What the file is, whatever it contains."""
        return f"{self.kind}-{self.what}"

    @classmethod
    def of(cls, kind: str, what: int | str, data: bytes) -> Self:
        text = what if isinstance(what, str) else f"{what:0{_DIGITS}}"
        return cls(kind, text, len(data), sha256(data).hexdigest()[:_HASH])

    @classmethod
    def parse(cls, name: str) -> Self | None:
        """Return None for a name that no device writes, such as a copy made of a conflict."""
        if not (match := _NAME.fullmatch(name)):
            return None
        kind, what, length, digest = (part for part in match.groups() if part is not None)
        return cls(kind, what, int(length), digest)

    def fits(self, data: bytes) -> bool:
        """Whether these bytes are the whole file of this name."""
        return len(data) == self.length and sha256(data).hexdigest()[:_HASH] == self.hash


def is_device(name: str) -> bool:
    return len(name) == _HASH and _HEX_DIGITS.issuperset(name)


def open_server(
    address: str, password: Callable[[], str | None], *, patience_s: float | None = None
) -> "PostgresqlCarrier":
    """Return the carrier in a server; `password` is asked at each connection.

    `patience_s`: after which a statement is given up, if not after that for large files.

    Raises SyncAddressError, and SyncClientMissingError without the extra `sync`.
    """
    try:
        from desktop.sessions.syncing.postgresql import PostgresqlCarrier  # noqa: PLC0415
    except ImportError:
        raise SyncClientMissingError from None
    if patience_s is None:
        return PostgresqlCarrier(address, password)
    return PostgresqlCarrier(address, password, statement_s=patience_s)
