"""Opens the carrier in a server, whose client is an extra that may not be installed."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from desktop.domain.sync import SyncClientMissingError

if TYPE_CHECKING:
    from desktop.sessions.syncing.postgresql import PostgresqlCarrier


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
