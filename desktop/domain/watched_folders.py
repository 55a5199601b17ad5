"""Watched folders: folders of notes whose files are in the library as they are on the disk."""

from datetime import datetime
from pathlib import Path
from typing import NewType

from desktop.domain.errors import AppError
from desktop.domain.frozen import dataclass
from desktop.domain.projects import NO_PROJECT, ProjectId

WatchedFolderId = NewType("WatchedFolderId", str)


@dataclass(frozen=True, slots=True)
class WatchedFolder:
    id: WatchedFolderId
    path: str  # Absolute, without links
    added_at: datetime
    project: ProjectId = NO_PROJECT  # To which its documents belong
    takes_notes: bool = False  # Whether answers and notes may be written into it
    is_paused: bool = False
    looked_at: datetime | None = None
    trouble: str = ""  # The key of the error of the last look; empty if it went well

    @property
    def name(self) -> str:
        return Path(self.path).name or self.path


@dataclass(frozen=True, slots=True)
class WatchedFile:
    path: str
    stamp: str  # What changes when the file does
    is_gone: bool = False  # Whether the user is asked what becomes of its document


class FolderWatchedError(AppError):
    """`path`: it, a folder above it or a folder in it is watched already."""


class FolderUnknownError(AppError):
    """`folder`: the id asked for."""


class FolderMissingError(AppError):
    """`path`: it is not there or not readable, such as on a disk that is not connected."""


class FolderTakesNoNotesError(AppError):
    """`path`: its setting does not allow writing into it."""
