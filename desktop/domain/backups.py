"""Backups of an archive: what one holds, and what became of the archive it replaced."""

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Contents:
    """What an archive shows."""

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
    """Where the archive that was there before lies."""
    was_version: int
    """The schema of the backup."""
