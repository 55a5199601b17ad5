"""Keeps tests isolated: the network's guard and the check of the log."""

import ipaddress
import logging
import socket

import pytest


class NetworkForbiddenError(AssertionError):
    """A test tried to reach the network; not an OSError, which would count as an outage."""


class LogWatch(logging.Handler):
    """Holds the records of WARNING or more, to compare with what the test expects."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self._records: list[logging.LogRecord] = []
        self._expected: list[tuple[str, str]] = []

    def expect(self, logger: str, words: str = "") -> None:
        """Expect at least one record of this logger or a child of it that contains these words."""
        self._expected.append((logger, words))

    def emit(self, record: logging.LogRecord) -> None:
        self._records.append(record)

    def check(self) -> None:
        unexpected = [
            f"{record.levelname} {record.name}: {record.getMessage()}"
            for record in self._records
            if not any(_fits(record, *expected) for expected in self._expected)
        ]
        missing = [
            expected
            for expected in self._expected
            if not any(_fits(record, *expected) for record in self._records)
        ]
        assert not unexpected, f"unexpected in the log: {unexpected}"
        assert not missing, f"expected in the log, and never came: {missing}"


def guard_connections(monkeypatch: pytest.MonkeyPatch) -> None:
    """Sockets reach only this machine; resolving a name counts as network access."""
    connect, connect_ex = socket.socket.connect, socket.socket.connect_ex
    look_up = socket.getaddrinfo

    def guarded_connect(self: socket.socket, address: object) -> None:
        _check(self.family, address)
        connect(self, address)  # type: ignore[arg-type]  # any family's own form

    def guarded_connect_ex(self: socket.socket, address: object) -> int:
        _check(self.family, address)
        return connect_ex(self, address)  # type: ignore[arg-type]  # as above

    def guarded_look_up(host: object, *rest: object, **more: object) -> object:
        if not _is_here(host):
            raise NetworkForbiddenError(f"a test looked up {host!r}")
        return look_up(host, *rest, **more)  # type: ignore[arg-type]  # passed on as it came

    monkeypatch.setattr(socket.socket, "connect", guarded_connect)
    monkeypatch.setattr(socket.socket, "connect_ex", guarded_connect_ex)
    monkeypatch.setattr(socket, "getaddrinfo", guarded_look_up)


def _check(family: int, address: object) -> None:
    if family not in (socket.AF_INET, socket.AF_INET6):
        return
    host = address[0] if isinstance(address, tuple) else address
    if not _is_here(host):
        raise NetworkForbiddenError(f"a test reached for {host!r}")


def _is_here(host: object) -> bool:
    if isinstance(host, bytes):
        host = host.decode("ascii", "replace")
    if host in (None, "", "localhost", socket.gethostname()):
        return True
    try:
        return ipaddress.ip_address(str(host)).is_loopback
    except ValueError:
        return False


def _fits(record: logging.LogRecord, logger: str, words: str) -> bool:
    is_of_it = record.name == logger or record.name.startswith(f"{logger}.")
    return is_of_it and words in record.getMessage()
