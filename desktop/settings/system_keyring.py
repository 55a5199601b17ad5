"""The system's keyring, with its many ways to fail made one."""

import importlib
import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Protocol, TypeVar

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
