"""A lock on an open file that the system lets go of when its process dies, however it dies."""

import os
import sys

if sys.platform == "win32":
    import msvcrt

    # Windows forbids others to read a locked byte, so it is one far behind what is written.
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
        """Raises OSError on a file system without locks."""
        # flock and not lockf, whose lock goes when this process closes any other file on it.
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True

    def unlock(file: int) -> None:
        fcntl.flock(file, fcntl.LOCK_UN)
