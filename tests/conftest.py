"""Every test: no network beyond loopback, no real keys or folders, no unexpected log records."""

import gc
import logging
import os
import subprocess
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import sqlcipher3.dbapi2
from argon2.low_level import hash_secret_raw
from hypothesis import settings
from sqlalchemy import Engine, create_engine

from desktop.settings import encryption
from desktop.settings.encryption import Derivation
from tests.forked_children import STARTS, forked_children
from tests.guards import LogWatch, guard_connections
from tests.sharing import scheduler_of

# Before numpy is loaded: two processes that each have a thread for every core take three times as
# long as two that have one.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

# The time of one example depends on the machine. The examples are the same at every run, so
# that a failure comes from a change; `--hypothesis-profile=wide` tries others.
settings.register_profile("bellek", deadline=None, derandomize=True)
settings.register_profile("wide", deadline=None, max_examples=1_000)
settings.load_profile("bellek")

pytest_xdist_make_scheduler = scheduler_of

_FULL_AFTER = 10


def pytest_collection_finish() -> None:
    gc.freeze()  # imported objects stay: no collection needs to look at them again


@pytest.fixture(scope="session", autouse=True)
def _statements_compiled_once() -> Iterator[None]:
    """Each archive has its own engine, and compiling a statement costs more than running it."""
    with pytest.MonkeyPatch.context() as patch:
        first = create_engine("sqlite://", module=sqlcipher3.dbapi2, query_cache_size=5_000)
        first.connect().close()  # the dialect asks a first connection what SQLite can do

        def make(*given: Any, **named: Any) -> Engine:
            engine = create_engine(*given, **named)
            engine.dialect, engine._compiled_cache = first.dialect, first._compiled_cache
            return engine

        patch.setattr("desktop.storage.schema.database.create_engine", make)
        yield
        first.dispose()


@pytest.fixture(scope="session")
def usual_calibration() -> Callable[[float], Derivation]:
    """What the program does, and tests do not."""
    return Derivation.calibrated


@pytest.fixture(scope="session", autouse=True)
def _quick_keys(usual_calibration: object) -> Iterator[None]:
    """Derive keys in one pass, and the same one once: a passphrase takes half a second."""
    with pytest.MonkeyPatch.context() as patch:
        made = Derivation("00" * 16, passes=1)
        patch.setattr(Derivation, "calibrated", staticmethod(lambda _: made))
        patch.setattr(encryption, "hash_secret_raw", cache(hash_secret_raw))
        yield


@pytest.fixture(scope="session")
def children_share_imports(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    with forked_children(tmp_path_factory.mktemp("children")):
        yield


@pytest.fixture
def usual_children(monkeypatch: pytest.MonkeyPatch) -> None:
    """Start children as the program does, where these are what is tested."""
    monkeypatch.setattr(STARTS, subprocess)


@pytest.fixture(autouse=True)
def _no_collection_by_workers(request: pytest.FixtureRequest) -> Iterator[None]:
    """With a window, garbage is collected between two tests, on the GUI thread.

    WORKAROUND PySide6 6.11: a signal connected to a method of a plain object, as pytest-qt's waits
    are, is disconnected when the object is collected. On a worker this holds a lock of Qt and
    waits for the interpreter, while the GUI thread holds the interpreter and waits for the lock.
    No class of the window is connected like this.
    """
    if "qtbot" not in request.fixturenames:
        yield
        return
    gc.disable()
    yield
    gc.collect(1)
    if gc.get_count()[2] > _FULL_AFTER:
        gc.collect()
    gc.enable()


@pytest.fixture(autouse=True)
def _no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    guard_connections(monkeypatch)


@pytest.fixture(autouse=True)
def _own_environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in list(os.environ):
        if name.startswith(("ANTHROPIC_", "BELLEK_")):
            monkeypatch.delenv(name)
    # These reach child processes too, on every system.
    monkeypatch.setenv("BELLEK_DATA_DIR", str(tmp_path / "bellek"))
    monkeypatch.setenv("PYTHON_KEYRING_BACKEND", "keyring.backends.null.Keyring")


@pytest.fixture(autouse=True)
def log_watch() -> Iterator[LogWatch]:
    """Fails the test for every record of WARNING or more that it did not `expect`."""
    watch = LogWatch()
    root = logging.getLogger()
    root.addHandler(watch)
    yield watch
    root.removeHandler(watch)
    watch.check()
