"""Values that a test needs, checked in the line that takes them."""

from typing import TypeVar

T = TypeVar("T")


def present(value: T | None) -> T:
    """Return a value that is not None."""
    assert value is not None
    return value


def instance(value: object, kind: type[T]) -> T:
    """Return a value of this type."""
    assert isinstance(value, kind)
    return value
