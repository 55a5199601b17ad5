"""Finds out what is in the way of a profile's files: the wrong kind of file, or a shut folder."""

import stat
from pathlib import Path

from desktop.domain.errors import (
    DatabaseIsFolderError,
    DataFolderIsFileError,
    DataUnreadableError,
    StorageError,
)


def obstacle(file: Path) -> StorageError | None:
    """Why a file cannot be opened, or made; None where nothing on the way to it tells."""
    return obstacle_before(file) or _obstacle_itself(file)


def obstacle_before(file: Path) -> StorageError | None:
    """The same of the folders that lead to it, whatever the file itself is."""
    for folder in reversed(file.parents):
        try:
            mode = folder.stat().st_mode
        except PermissionError:
            return DataUnreadableError(path=str(folder.parent))
        except OSError:
            return None
        if not stat.S_ISDIR(mode):
            return DataFolderIsFileError(path=str(folder))
    return None


def _obstacle_itself(file: Path) -> StorageError | None:
    try:
        if stat.S_ISDIR(file.stat().st_mode):
            return DatabaseIsFolderError(path=str(file))
    except PermissionError:
        return DataUnreadableError(path=str(file.parent))
    except OSError:
        return None
    try:
        file.open("rb").close()
    except PermissionError:
        return DataUnreadableError(path=str(file))
    except OSError:
        return None
    return None
