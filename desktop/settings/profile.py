"""One process owns a profile at a time, by a lock that the system lets go of when it dies.

The lock is the system's; the file only says who holds it, so a file that a dead owner left behind
means nothing. It is never deleted: another process may just have opened it.
"""

import contextlib
import errno
import os
import sys
import threading
from pathlib import Path

from desktop.domain.errors import (
    DatabaseReadOnlyError,
    DiskFullError,
    ProfileInUseError,
    StorageError,
)
from desktop.settings.obstacles import obstacle_before
from desktop.settings.paths import make_private_folder

if sys.platform == "win32":
    import msvcrt

    # Windows forbids others to read a locked byte, so it is one far behind the owner's id.
    _LOCKED_BYTE = 1 << 30

    def _lock(file: int) -> bool:
        os.lseek(file, _LOCKED_BYTE, os.SEEK_SET)
        try:
            msvcrt.locking(file, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True

    def _unlock(file: int) -> None:
        os.lseek(file, _LOCKED_BYTE, os.SEEK_SET)
        msvcrt.locking(file, msvcrt.LK_UNLCK, 1)

else:
    import fcntl

    def _lock(file: int) -> bool:
        # flock and not lockf, whose lock goes when this process closes any other file on it.
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True

    def _unlock(file: int) -> None:
        fcntl.flock(file, fcntl.LOCK_UN)


_BINARY = getattr(os, "O_BINARY", 0)
_ATTEMPTS = 5
_BETWEEN_ATTEMPTS_S = 0.02


class ProfileLock:
    """A real lock on the profile; also a second one in the same process is kept out."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._file: int | None = None

    @property
    def is_held(self) -> bool:
        return self._file is not None

    def acquire(self) -> None:
        """Raises ProfileInUseError, with the owner's `pid` where it is known, or StorageError."""
        if self._file is not None:
            return
        try:
            make_private_folder(self._path.parent)
            file = os.open(self._path, os.O_RDWR | os.O_CREAT | _BINARY, 0o600)
        except OSError as exc:
            raise _not_writable(exc, self._path) from exc
        try:
            _lock_or_refuse(file)
        except OSError as exc:  # a file system without locks
            os.close(file)
            raise StorageError from exc
        except ProfileInUseError:
            os.close(file)
            raise
        self._file = file
        # A full disk takes no process id; the lock holds without it.
        with contextlib.suppress(OSError):
            os.ftruncate(file, 0)
            os.lseek(file, 0, os.SEEK_SET)
            os.write(file, str(os.getpid()).encode("ascii"))

    def release(self) -> None:
        if self._file is None:
            return
        file, self._file = self._file, None
        with contextlib.suppress(OSError):
            os.ftruncate(file, 0)
        _unlock(file)
        os.close(file)


def owner(path: Path) -> int | None:
    """The process that owns the profile now; None where nobody does."""
    try:
        file = os.open(path, os.O_RDWR | _BINARY)
    except OSError:
        return None
    try:
        pid = _written_pid(file)
        if pid is None:
            return None
        if _lock(file):
            _unlock(file)
            return None
        return pid
    finally:
        os.close(file)


def _lock_or_refuse(file: int) -> None:
    # `owner` holds the lock for an instant to see whether anybody else does.
    pause = threading.Event()
    for _ in range(_ATTEMPTS):
        if _lock(file):
            return
        pause.wait(_BETWEEN_ATTEMPTS_S)
    pid = _written_pid(file)
    raise ProfileInUseError(**({} if pid is None else {"pid": pid}))


def _written_pid(file: int) -> int | None:
    os.lseek(file, 0, os.SEEK_SET)
    written = os.read(file, 32)
    return int(written) if written.isdigit() else None


def _not_writable(exc: OSError, path: Path) -> StorageError:
    if exc.errno in (errno.ENOSPC, errno.EDQUOT):
        return DiskFullError()
    return obstacle_before(path) or DatabaseReadOnlyError()
