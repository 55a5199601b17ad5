"""The collector while the program starts."""

import gc
from collections.abc import Iterator

import pytest

from desktop.app.gc_tuning import FullCollections


@pytest.fixture
def full() -> Iterator[list[int]]:
    """Grows by each full collection."""
    met: list[int] = []

    def note(phase: str, info: dict[str, int]) -> None:
        if phase == "start" and info["generation"] == 2:
            met.append(info["generation"])

    usual = gc.get_threshold()
    gc.collect()
    gc.callbacks.append(note)
    try:
        yield met
    finally:
        gc.callbacks.remove(note)
        gc.set_threshold(*usual)
        gc.unfreeze()


def load() -> list[list[int]]:
    """As many objects as a library of some size makes, which stay."""
    return [[number] for number in range(400_000)]


def test_nothing_is_walked_through_while_it_is_held(full: list[int]) -> None:
    collections = FullCollections()
    collections.hold()
    loaded = load()
    assert full == []
    collections.release()
    assert full == []
    again = load()
    assert full
    assert len(loaded) == len(again)


def test_what_was_loaded_is_not_looked_at_again(full: list[int]) -> None:
    collections, usual = FullCollections(), gc.get_threshold()
    collections.hold()
    loaded = load()
    collections.release()
    assert gc.get_threshold() == usual
    assert gc.get_freeze_count() > len(loaded)
