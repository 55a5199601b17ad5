"""Files that appear whole or not at all, for this user's eyes only."""

import errno
import os
import stat
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from time import time

from desktop.domain.errors import DiskFullError, FileNotWrittenError, FileUnreadableError
from desktop.settings.paths import ProfilePaths
from desktop.settings.profile import try_lock

PARTIAL = ".partial"  # The ending of an unfinished file's name
_OURS = ".bellek-"  # The beginning of the name of one that is written here
_FILE, _FOLDER = 0o600, 0o700
_DAY_S = 86_400
_LONGEST_NAME = 80
_NOT_IN_NAMES = dict.fromkeys([*map(ord, '<>:"/\\|?*'), *range(0x20)], " ")


@contextmanager
def write_beside(path: Path, *, is_export: bool = False) -> Iterator[Path]:
    """Yield an empty file in the same folder; at the end of the block it is flushed and renamed.

    Until then, and after an exception, an earlier file is unchanged. A link stays a link. A
    pipe or a device is yielded itself. `is_export`: remove what exports killed before today
    left in the folder. Raises OSError.
    """
    target = path.resolve()
    if target.is_dir():
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
    if target.exists() and not target.is_file():
        yield target
        return
    for left in target.parent.glob(f"{_OURS}*{PARTIAL}") if is_export else ():
        with suppress(OSError):
            if left.stat().st_mtime < time() - _DAY_S:
                left.unlink()
    partial = target.with_name(f"{_OURS}{os.urandom(8).hex()}{PARTIAL}")
    try:
        file = os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_EXCL, _FILE)
        try:
            # Locked, so that nobody takes it for an abandoned one.
            with suppress(OSError):  # a file system without locks
                try_lock(file)
            yield partial
            write_through(partial)
        finally:
            os.close(file)  # Windows renames no open file
        partial.replace(target)
        write_through_folder(target.parent)
    finally:
        with suppress(OSError):
            partial.unlink(missing_ok=True)


def remove_abandoned(partials: Iterable[Path]) -> None:
    """Remove those of these unfinished files that no process is writing any more."""
    for partial in partials:
        with suppress(OSError):
            file = os.open(partial, os.O_RDWR)
            try:
                is_abandoned = try_lock(file)
            finally:
                os.close(file)
            for left in partial.parent.glob(f"{partial.name}*") if is_abandoned else ():
                left.unlink()  # of an archive with its journal


@contextmanager
def raising_not_written(target: Path) -> Iterator[None]:
    """Translate OSError into FileNotWrittenError or DiskFullError."""
    try:
        yield
    except OSError as exc:
        if exc.errno in (errno.ENOSPC, errno.EDQUOT):
            raise DiskFullError from exc
        raise FileNotWrittenError(path=str(target), detail=exc.strerror or "") from exc


@contextmanager
def raising_unreadable(file: Path | str) -> Iterator[None]:
    """Translate OSError into FileUnreadableError."""
    try:
        yield
    except OSError as exc:
        raise FileUnreadableError(path=str(file), detail=exc.strerror or "") from exc


def write_through(path: Path) -> None:
    with path.open("rb+") as file:
        os.fsync(file.fileno())


def write_through_folder(folder: Path) -> None:
    """Flush the names in the folder to the disk."""
    with suppress(OSError):  # not every system supports it
        opened = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(opened)
        finally:
            os.close(opened)


def make_private(profile: ProfilePaths) -> None:
    """Close a profile's folder, and everything in it, to other users, whatever the modes were.

    Remove the unfinished files in it that killed processes left.
    """
    for folder, _, names in os.walk(profile.folder.resolve()):
        _close(Path(folder), _FOLDER)
        for name in names:
            _close(Path(folder, name), _FILE)
        ours = (name for name in names if name.startswith(_OURS) and name.endswith(PARTIAL))
        remove_abandoned(Path(folder, name) for name in ours)


def _close(path: Path, mode: int) -> None:
    """Remove the rights of others, not those of the user; the target of a link stays as it is."""
    with suppress(OSError):
        file_mode = path.lstat().st_mode
        if not stat.S_ISLNK(file_mode) and file_mode & 0o077:
            path.chmod(stat.S_IMODE(file_mode) & mode)


def file_name(title: str) -> str:
    """Return a file name for a title, valid on every system; may be empty."""
    name = " ".join(title.translate(_NOT_IN_NAMES).split())
    return name[:_LONGEST_NAME].strip(" .")
