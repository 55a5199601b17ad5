"""What a use case changed, with the one way to undo it."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Generic, TypeVar

from desktop.domain.frozen import dataclass

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Change(Generic[T]):
    value: T
    """What was changed, as it is now; of a deletion, as it was."""
    undo: Callable[[], T]
    """Takes the change back and returns the value as it is then. May wait, raise StorageError."""
    backups: Sequence[Path] = ()
    """The profile's own backups that may still contain what was deleted."""
