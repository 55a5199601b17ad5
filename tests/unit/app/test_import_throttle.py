"""Imports in the background wait for the window, and for nobody else."""

import importlib
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Event

import pytest

from desktop.app.import_throttle import throttled_imports


class Noted(Event):
    """Never quiet; knows how often somebody waited for it."""

    def __init__(self) -> None:
        super().__init__()
        self.waits: list[float] = []

    def wait(self, timeout: float | None = None) -> bool:
        self.waits.append(timeout or 0)
        return self.is_set()


@pytest.fixture(autouse=True)
def modules(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("waited_one", "waited_two"):
        (tmp_path / f"{name}.py").write_text("", encoding="utf-8")
        monkeypatch.delitem(sys.modules, name, raising=False)
    monkeypatch.syspath_prepend(str(tmp_path))


def test_before_each_module_an_import_waits_for_quiet_but_not_for_long() -> None:
    quiet = Noted()
    with throttled_imports(quiet):
        importlib.import_module("waited_one")
        importlib.import_module("waited_two")
    assert len(quiet.waits) == 2
    assert max(quiet.waits) < 0.1


def test_where_it_is_quiet_nothing_waits() -> None:
    quiet = Noted()
    quiet.set()
    with throttled_imports(quiet):
        importlib.import_module("waited_one")
    assert quiet.waits == []


def test_what_another_thread_imports_waits_for_nothing() -> None:
    quiet = Noted()
    with throttled_imports(quiet), ThreadPoolExecutor(1) as pool:
        pool.submit(importlib.import_module, "waited_one").result()
    assert quiet.waits == []


def test_afterwards_imports_are_as_they_were() -> None:
    before = list(sys.meta_path)
    quiet = Noted()
    with throttled_imports(quiet):
        pass
    importlib.import_module("waited_two")
    assert sys.meta_path == before
    assert quiet.waits == []
