"""What a use case changed, with the one way to undo it; a text that changed meanwhile."""

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


def with_received(text: str, *, begun: str | None, stored: str) -> str:
    """Return a text that was being written, and below it what another device stored meanwhile.

    `begun`: the text as it was when the user began to write; None if that is not known.
    """
    is_other = begun is not None and stored.strip() not in ("", begun.strip(), text.strip())
    return f"{text.strip()}\n\n{stored}".strip() if is_other else text
