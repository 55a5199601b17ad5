"""One process owns a profile at a time, by a lock that the system releases when the process dies.

The file only says who holds the lock, so a file that a dead owner left behind means nothing. It is
never deleted: another process may just have opened it.
"""

import contextlib
import errno
import os
import sys
import threading
from pathlib import Path
from time import monotonic

from desktop.domain.errors import (
    DatabaseReadOnlyError,
    DiskFullError,
    ProfileInUseByCommandError,
    ProfileInUseError,
    StorageError,
)
from desktop.settings.paths import make_private_folder, obstacle_before

if sys.platform == "win32":
    import msvcrt

    # Windows prevents others from reading a locked byte, so it is one far after the text.
    _LOCKED_BYTE = 1 << 30

    def try_lock(file: int) -> bool:
        os.lseek(file, _LOCKED_BYTE, os.SEEK_SET)
        try:
            msvcrt.locking(file, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True

    def unlock(file: int) -> None:
        os.lseek(file, _LOCKED_BYTE, os.SEEK_SET)
        msvcrt.locking(file, msvcrt.LK_UNLCK, 1)

else:
    import fcntl

    def try_lock(file: int) -> bool:
        """Whether the lock was free. Raises OSError on a file system without locks."""
        # Not lockf: its lock is released when this process closes any other handle of the file.
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True

    def unlock(file: int) -> None:
        fcntl.flock(file, fcntl.LOCK_UN)


_BINARY = getattr(os, "O_BINARY", 0)
_COMMAND = " command"  # Follows the id of an owner that has no window
WAITS_S = 2.5
"""How long to wait for another command: most end soon."""
_LOOK_S = 0.1
_BETWEEN_ATTEMPTS_S = 0.02


class ProfileLock:
    """A lock on the profile; a second one in the same process is refused as well."""

    def __init__(self, path: Path, *, for_command: bool = False, waits_s: float = 0) -> None:
        """`for_command`: a command holds it, not a window; `waits_s`: for another command."""
        self._path = path
        self._for_command = for_command
        self._waits_s = waits_s
        self._file: int | None = None

    def acquire(self) -> None:
        """Acquire the lock; raises ProfileInUseError (`pid` if known) or StorageError."""
        if self._file is not None:
            return
        try:
            make_private_folder(self._path.parent)
            file = os.open(self._path, os.O_RDWR | os.O_CREAT | _BINARY, 0o600)
        except OSError as exc:
            if exc.errno in (errno.ENOSPC, errno.EDQUOT):
                raise DiskFullError from exc
            raise obstacle_before(self._path) or DatabaseReadOnlyError() from exc
        try:
            _lock_or_refuse(file, self._waits_s)
        except OSError as exc:  # a file system without locks
            os.close(file)
            raise StorageError from exc
        except ProfileInUseError:
            os.close(file)
            raise
        self._file = file
        # A full disk cannot store the process id; the lock holds without it.
        with contextlib.suppress(OSError):
            os.ftruncate(file, 0)
            os.lseek(file, 0, os.SEEK_SET)
            text = f"{os.getpid()}{_COMMAND if self._for_command else ''}"
            os.write(file, text.encode("ascii"))

    def release(self) -> None:
        if self._file is None:
            return
        file, self._file = self._file, None
        with contextlib.suppress(OSError):
            os.ftruncate(file, 0)
        unlock(file)
        os.close(file)


def owner(path: Path) -> int | None:
    """Return the process that owns the profile now; None if there is none."""
    try:
        file = os.open(path, os.O_RDWR | _BINARY)
    except OSError:
        return None
    try:
        pid, _ = _written(file)
        if pid is None:
            return None
        if try_lock(file):
            unlock(file)
            return None
        return pid
    finally:
        os.close(file)


def _lock_or_refuse(file: int, waits_s: float) -> None:
    pause, began = threading.Event(), monotonic()
    while not try_lock(file):
        pid, is_command = _written(file)
        # `owner` holds the lock briefly to see whether another process does; an owner that has
        # just come has not written who it is.
        is_short = is_command or pid is None
        if monotonic() - began > (max(waits_s, _LOOK_S) if is_short else _LOOK_S):
            kind = ProfileInUseByCommandError if is_command else ProfileInUseError
            raise kind(**({} if pid is None else {"pid": pid}))
        pause.wait(_BETWEEN_ATTEMPTS_S)


def _written(file: int) -> tuple[int | None, bool]:
    """Return the owner's process, if known, and whether it is a command."""
    os.lseek(file, 0, os.SEEK_SET)
    written = os.read(file, 32).decode("ascii", "replace")
    pid = written.removesuffix(_COMMAND)
    return (int(pid) if pid.isdecimal() else None), written.endswith(_COMMAND)
