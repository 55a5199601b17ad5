"""Keys of endpoints: in the system's keyring, or in memory for the session, never in a file."""

import importlib
import logging
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from enum import StrEnum
from typing import Protocol, TypeVar

from desktop.domain.endpoints import EndpointId

log = logging.getLogger(__name__)

SERVICE = "bellek"
"""The name under which the system's keyring shows our keys."""

_KEEPS_NOTHING = ("keyring.backends.fail", "keyring.backends.null")
_KEEPS_IN_PLAIN_TEXT = "keyrings.alt"
# Backends let these through, though they are not of keyring's own kind.
_FOREIGN_FAILURES = (
    ("secretstorage.exceptions", "SecretStorageException"),
    ("jeepney.wrappers", "DBusErrorResponse"),
    ("win32ctypes.pywin32.pywintypes", "error"),
)

Got = TypeVar("Got")


class KeyringRefusedError(Exception):
    """The keyring is there but would not do it: locked, say, or its service is gone."""


class Keyring(Protocol):
    """The part of a keyring that is used here; its methods raise KeyringRefusedError."""

    def read(self, name: str) -> str | None: ...

    def write(self, name: str, key: str) -> None: ...

    def remove(self, name: str) -> None:
        """A name that is not there is removed already."""
        ...


class Backend(Protocol):
    """What the keyring library calls a keyring."""

    def get_password(self, service: str, username: str) -> str | None: ...

    def set_password(self, service: str, username: str, password: str) -> None: ...

    def delete_password(self, service: str, username: str) -> None: ...


class SystemKeyring:
    def __init__(self, backend: Backend) -> None:
        self._backend = backend
        self._failures = _failures()

    def read(self, name: str) -> str | None:
        return self._asked(lambda: self._backend.get_password(SERVICE, name))

    def write(self, name: str, key: str) -> None:
        self._asked(lambda: self._backend.set_password(SERVICE, name, key))

    def remove(self, name: str) -> None:
        if self.read(name) is not None:
            self._asked(lambda: self._backend.delete_password(SERVICE, name))

    def _asked(self, ask: Callable[[], Got]) -> Got:
        try:
            return ask()
        except self._failures as exc:
            raise KeyringRefusedError(type(exc).__name__) from exc


def system_keyring() -> Keyring | None:
    """The system's keyring, where it has one that keeps keys and not in plain text.

    The first look takes a while: the library looks through every installed package for backends.
    """
    with _quiet():
        try:
            from keyring import core  # noqa: PLC0415  # a third of a second, and seldom needed

            core.init_backend(limit=core.recommended)
            backend = core.get_keyring()
        except _failures() as exc:
            log.info("no keyring could be opened: %s", type(exc).__name__)
            return None
    return SystemKeyring(backend) if keeps_keys(backend) else None


def keeps_keys(backend: object) -> bool:
    module = type(backend).__module__
    return not module.startswith((*_KEEPS_NOTHING, _KEEPS_IN_PLAIN_TEXT))


def _failures() -> tuple[type[Exception], ...]:
    from keyring.errors import KeyringError  # noqa: PLC0415  # as above

    failures: list[type[Exception]] = [KeyringError, RuntimeError, OSError, ValueError]
    # A backend named in the user's own configuration may not exist.
    failures += [ImportError, AttributeError]
    for module, name in _FOREIGN_FAILURES:
        with suppress(ImportError, AttributeError):
            failures.append(getattr(importlib.import_module(module), name))
    return tuple(failures)


@contextmanager
def _quiet() -> Iterator[None]:
    """Backends that do not fit this system complain in the library's log, with tracebacks."""
    library = logging.getLogger("keyring")
    level = library.level
    library.setLevel(logging.CRITICAL + 1)
    try:
        yield
    finally:
        library.setLevel(level)


log = logging.getLogger(__name__)


class Kept(StrEnum):
    """Where a key went."""

    KEYRING = "keyring"
    SESSION_ONLY = "session_only"


class KeyStore(Protocol):
    """Any thread but the window's may call: a keyring may ask the user to unlock it, and wait."""

    @property
    def is_lasting(self) -> bool:
        """Whether a key put here is still there at the next start."""
        ...

    def get(self, endpoint_id: EndpointId) -> str | None: ...

    def put(self, endpoint_id: EndpointId, key: str) -> Kept: ...

    def delete(self, endpoint_id: EndpointId) -> None: ...


class MemoryKeys:
    """Holds keys until the program ends."""

    is_lasting = False

    def __init__(self) -> None:
        self._keys: dict[EndpointId, str] = {}

    def get(self, endpoint_id: EndpointId) -> str | None:
        return self._keys.get(endpoint_id)

    def put(self, endpoint_id: EndpointId, key: str) -> Kept:
        self._keys[endpoint_id] = key
        return Kept.SESSION_ONLY

    def delete(self, endpoint_id: EndpointId) -> None:
        self._keys.pop(endpoint_id, None)


class KeyringKeys:
    """Keeps keys in the system's keyring, and in memory what the keyring would not take.

    What was read once is held, so that the keyring is not asked at every request.
    """

    def __init__(self, find: Callable[[], Keyring | None] = system_keyring) -> None:
        self._find = find
        self._found: Keyring | None = None
        self._has_looked = False
        self._held = MemoryKeys()
        self._deleted: set[EndpointId] = set()
        self._asking = threading.RLock()

    @property
    def is_lasting(self) -> bool:
        return self._keyring() is not None

    def get(self, endpoint_id: EndpointId) -> str | None:
        with self._asking:
            if key := self._held.get(endpoint_id):
                return key
            keyring = self._keyring()
            if keyring is None or endpoint_id in self._deleted:
                return None
            try:
                key = keyring.read(endpoint_id)
            except KeyringRefusedError as exc:
                log.warning("the keyring gave no key: %s", exc)
                return None
            if key:
                self._held.put(endpoint_id, key)
            return key or None

    def put(self, endpoint_id: EndpointId, key: str) -> Kept:
        with self._asking:
            self._held.put(endpoint_id, key)
            self._deleted.discard(endpoint_id)
            keyring = self._keyring()
            if keyring is None:
                return Kept.SESSION_ONLY
            try:
                keyring.write(endpoint_id, key)
            except KeyringRefusedError as exc:
                log.warning("the keyring took no key: %s", exc)
                return Kept.SESSION_ONLY
            return Kept.KEYRING

    def delete(self, endpoint_id: EndpointId) -> None:
        """Not used again in this session, even where the keyring would not let go of it."""
        with self._asking:
            self._held.delete(endpoint_id)
            self._deleted.add(endpoint_id)
            keyring = self._keyring()
            if keyring is None:
                return
            try:
                keyring.remove(endpoint_id)
            except KeyringRefusedError as exc:
                log.warning("the keyring kept a key: %s", exc)

    def _keyring(self) -> Keyring | None:
        with self._asking:
            if not self._has_looked:
                self._found = self._find()
                self._has_looked = True
            return self._found
