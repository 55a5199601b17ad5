"""Backups of an archive: what one contains, and where the replaced archive is kept."""

from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Contents:
    """What an archive contains, as counts for the user."""

    sessions: int
    messages: int


@dataclass(frozen=True, slots=True)
class Backup:
    path: Path
    contents: Contents
    size_bytes: int


@dataclass(frozen=True, slots=True)
class Restored:
    contents: Contents
    kept: Path | None
    was_version: int


class RepairNeed(StrEnum):
    """What a repair had to do."""

    NOTHING = "nothing"
    INDEXES = "indexes"
    """Search indexes were made again; nothing is lost."""
    RESCUE = "rescue"
    """What could be read was copied into a new file."""
