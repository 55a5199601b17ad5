"""Keys: in a usable keyring, otherwise in memory for the session."""

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from keyring.backends import fail, null
from keyring.backends.chainer import ChainerBackend
from keyring.errors import KeyringError, KeyringLocked

from desktop.domain.endpoints import EndpointId
from desktop.settings.keys import (
    Kept,
    KeyringKeys,
    KeyStore,
    MemoryKeys,
    keeps_keys,
    system_keyring,
)
from tests.guards import LogWatch

CLOUD, OTHER = EndpointId("cloud"), EndpointId("other")
ROOT = Path(__file__).parents[3]


class ShelfBackend:
    """A keyring backend; while locked it fails at every call."""

    def __init__(self) -> None:
        self.passwords: dict[tuple[str, str], str] = {}
        self.failure: Exception | None = None
        self.asked = 0

    def get_password(self, service: str, username: str) -> str | None:
        self._ask()
        return self.passwords.get((service, username))

    def set_password(self, service: str, username: str, password: str) -> None:
        self._ask()
        self.passwords[service, username] = password

    def delete_password(self, service: str, username: str) -> None:
        self._ask()
        del self.passwords[service, username]

    def _ask(self) -> None:
        self.asked += 1
        if self.failure:
            raise self.failure


@pytest.fixture
def shelf() -> ShelfBackend:
    return ShelfBackend()


@pytest.fixture
def keys(shelf: ShelfBackend) -> KeyringKeys:
    return KeyringKeys(lambda: shelf)


def test_a_key_is_still_there_at_the_next_start(keys: KeyringKeys, shelf: ShelfBackend) -> None:
    assert keys.is_lasting
    assert keys.put(CLOUD, "k1") is Kept.KEYRING
    assert KeyringKeys(lambda: shelf).get(CLOUD) == "k1"


def test_a_deleted_key_is_gone_until_another_is_entered(
    keys: KeyringKeys, shelf: ShelfBackend
) -> None:
    keys.put(CLOUD, "k1")
    keys.delete(CLOUD)
    keys.delete(CLOUD)
    assert keys.get(CLOUD) is None
    assert not shelf.passwords
    keys.put(CLOUD, "k2")
    assert keys.get(CLOUD) == "k2"


def test_the_keyring_is_not_asked_at_every_request(keys: KeyringKeys, shelf: ShelfBackend) -> None:
    shelf.passwords["bellek", "cloud"] = "k1"
    assert [keys.get(CLOUD) for _ in range(5)] == ["k1"] * 5
    assert shelf.asked == 1


def test_keys_of_profiles_are_apart(keys: KeyringKeys, shelf: ShelfBackend) -> None:
    work = KeyringKeys(lambda: shelf, profile="work")
    keys.put(CLOUD, "k1")
    assert work.get(CLOUD) is None
    work.put(CLOUD, "k2")
    work.put(OTHER, "k3")
    assert (keys.get(CLOUD), work.get(CLOUD)) == ("k1", "k2")


@pytest.mark.parametrize(
    "failure",
    [KeyringError("the password sk-1 was refused"), KeyringLocked("locked"), OSError(111, "gone")],
)
def test_a_locked_keyring_holds_the_key_for_the_session_and_its_words_are_not_logged(
    keys: KeyringKeys,
    shelf: ShelfBackend,
    log_watch: LogWatch,
    caplog: pytest.LogCaptureFixture,
    failure: Exception,
) -> None:
    log_watch.expect("desktop.settings.keys", type(failure).__name__)
    shelf.failure = failure
    assert keys.get(CLOUD) is None
    assert keys.put(CLOUD, "k1") is Kept.SESSION_ONLY
    assert keys.get(CLOUD) == "k1"
    keys.delete(CLOUD)
    assert keys.get(CLOUD) is None
    assert str(failure) not in caplog.text


def test_a_key_that_a_locked_keyring_would_not_let_go_is_not_used_again(
    keys: KeyringKeys, shelf: ShelfBackend, log_watch: LogWatch
) -> None:
    log_watch.expect("desktop.settings.keys", "KeyringLocked")
    keys.put(CLOUD, "k1")
    shelf.failure = KeyringLocked()
    keys.delete(CLOUD)
    shelf.failure = None
    assert keys.get(CLOUD) is None


@pytest.mark.parametrize("store", [MemoryKeys(), KeyringKeys(lambda: None)])
def test_without_a_keyring_keys_live_for_the_session(store: KeyStore) -> None:
    assert not store.is_lasting
    assert store.get(CLOUD) is None
    assert store.put(CLOUD, "k1") is Kept.SESSION_ONLY
    assert store.get(CLOUD) == "k1"
    store.delete(CLOUD)
    store.delete(CLOUD)
    assert store.get(CLOUD) is None


@pytest.mark.parametrize(
    ("backend", "keeps"),
    [
        (fail.Keyring, False),
        (null.Keyring, False),
        (type("PlaintextKeyring", (), {"__module__": "keyrings.alt.file"}), False),
        (ChainerBackend, True),
    ],
)
def test_a_backend_that_keeps_nothing_or_writes_plain_text_counts_as_none(
    backend: Callable[[], object], *, keeps: bool
) -> None:
    assert keeps_keys(backend()) is keeps


@pytest.mark.parametrize(
    "name", ["keyring.backends.null.Keyring", "no.such.Backend", "keyring.backends.fail.Nothing"]
)
def test_a_system_without_a_usable_keyring_has_none(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTHON_KEYRING_BACKEND", name)
    assert system_keyring() is None


def test_the_keyring_library_is_not_loaded_before_a_key_is_asked_for() -> None:
    look = (
        "import sys, desktop.settings.keys as k; k.KeyringKeys(); print('keyring' in sys.modules)"
    )
    done = subprocess.run(  # noqa: S603  # our own interpreter
        [sys.executable, "-c", look], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert done.stdout == "False\n"
