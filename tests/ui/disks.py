"""A disk that fails while the test says so: SQLite itself refuses, at once."""

from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy import event
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.pool import Pool

_READING, _ALLOWED, _DENIED = 20, 0, 1
"""SQLite's own numbers for what it asks before a statement, and for the answers."""


class Disk:
    def __init__(self) -> None:
        self.refuses = False
        self.hides = False
        self._has_failed = False

    def look(self, connection: DBAPIConnection, *_: object) -> None:
        if not self._has_failed:
            return
        connection.cursor().execute(f"PRAGMA query_only = {int(self.refuses)}")
        connection.set_authorizer(self._allow if self.hides else _allow_all)

    @contextmanager
    def refusing(self) -> Iterator[None]:
        self.refuses = self._has_failed = True
        yield
        self.refuses = False

    @contextmanager
    def unreadable(self) -> Iterator[None]:
        self.hides = self._has_failed = True
        yield
        self.hides = False

    @staticmethod
    def _allow(action: int, *_: object) -> int:
        return _DENIED if action == _READING else _ALLOWED


def _allow_all(*_: object) -> int:
    return _ALLOWED


@contextmanager
def watched_disk() -> Iterator[Disk]:
    """Listeners are added before workers start and removed after they end."""
    made = Disk()
    event.listen(Pool, "checkout", made.look)
    yield made
    event.remove(Pool, "checkout", made.look)
