"""Keys of endpoints: from the environment, in the keyring, or in memory, never in a file.

The environment also overrides an address and a model; nothing of it is saved. An empty variable
counts as unset. An address applies to every role. A key alone is for Anthropic's cloud, and
connects it only if the user has chosen no other endpoint to answer: a key meant for other programs
sends nothing to the cloud that was meant for a local server.
"""

import importlib
import logging
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import replace
from enum import StrEnum
from typing import Protocol, TypeVar
from urllib.parse import urlsplit

from desktop.domain.endpoints import (
    Endpoint,
    EndpointId,
    EndpointKind,
    ModelChoice,
    ModelRole,
    clean_base_url,
)
from desktop.domain.errors import BaseUrlInvalidError
from desktop.settings.paths import DEFAULT_PROFILE
from desktop.settings.settings import Settings

MODEL_NOT_CHOSEN = ""
"""Stands for the model if the environment names an endpoint but no model: any of its models."""

_ID = EndpointId("environment")
_CLOUD_HOST = "api.anthropic.com"


def with_environment(settings: Settings, environ: Mapping[str, str]) -> Settings:
    """Return the settings with the environment applied. Raises BaseUrlInvalidError."""
    chosen = _answering(settings)
    if endpoint := environment_endpoint(settings, environ):
        if environ.get("ANTHROPIC_BASE_URL"):
            settings = _connected(replace(settings, roles={}), endpoint, chosen)
        elif chosen is None:
            settings = _connected(settings, endpoint, chosen)
    answering = _answering(settings)
    if answering and (model := environ.get("BELLEK_MODEL")):
        settings = _answered_by(settings, replace(answering, model=model))
    return settings


def environment_endpoint(settings: Settings, environ: Mapping[str, str]) -> Endpoint | None:
    """Return the endpoint that ANTHROPIC_BASE_URL or ANTHROPIC_API_KEY names.

    It is one of the settings' own if they have the same one. Raises BaseUrlInvalidError.
    """
    text, key = environ.get("ANTHROPIC_BASE_URL"), environ.get("ANTHROPIC_API_KEY")
    if not text and not key:
        return None
    base_url = _base_url(text) if text else None
    if base_url is None or urlsplit(base_url).hostname == _CLOUD_HOST:
        named = Endpoint(_ID, "Anthropic", EndpointKind.ANTHROPIC)
        own = (other for other in settings.endpoints if other.kind is EndpointKind.ANTHROPIC)
    else:
        name = urlsplit(base_url).netloc
        named = Endpoint(_ID, name, EndpointKind.SERVER, base_url=base_url)
        own = (other for other in settings.endpoints if other.base_url == base_url)
    return next(own, named)


def _base_url(text: str) -> str:
    try:
        return clean_base_url(text)
    except ValueError as exc:
        raise BaseUrlInvalidError(variable="ANTHROPIC_BASE_URL") from exc


def _answering(settings: Settings) -> ModelChoice | None:
    chosen = settings.roles.get(ModelRole.ANSWERING)
    endpoint_ids = {endpoint.id for endpoint in settings.endpoints}
    return chosen if chosen and chosen.endpoint_id in endpoint_ids else None


def _connected(settings: Settings, endpoint: Endpoint, chosen: ModelChoice | None) -> Settings:
    others = tuple(other for other in settings.endpoints if other.id != endpoint.id)
    connected = replace(settings, endpoints=(endpoint, *others))
    if chosen is None or chosen.endpoint_id != endpoint.id:
        chosen = ModelChoice(endpoint.id, MODEL_NOT_CHOSEN)
    return _answered_by(connected, chosen)


def _answered_by(settings: Settings, choice: ModelChoice) -> Settings:
    return replace(settings, roles={**settings.roles, ModelRole.ANSWERING: choice})


log = logging.getLogger(__name__)

SERVICE = "bellek"
"""The name under which the system's keyring shows our keys; other profiles than the default one
have their own name behind it."""
_INDEX = "endpoint ids"  # The entry that lists a profile's entries, as a keyring cannot list them

_KEEPS_NOTHING = ("keyring.backends.fail", "keyring.backends.null")
_KEEPS_IN_PLAIN_TEXT = "keyrings.alt"
# Backends let these through, though they are not of keyring's own kind.
_FOREIGN_FAILURES = (
    ("secretstorage.exceptions", "SecretStorageException"),
    ("jeepney.wrappers", "DBusErrorResponse"),
    ("win32ctypes.pywin32.pywintypes", "error"),
)

Got = TypeVar("Got")


class Backend(Protocol):
    """The interface of a backend of the keyring library."""

    def get_password(self, service: str, username: str) -> str | None: ...

    def set_password(self, service: str, username: str, password: str) -> None: ...

    def delete_password(self, service: str, username: str) -> None: ...


def system_keyring() -> Backend | None:
    """Return the system's keyring if there is one that stores keys, and not in plain text.

    The first call is slow: the library searches every installed package for backends.
    """
    with _quiet():
        try:
            from keyring import core  # noqa: PLC0415  # a third of a second, and seldom needed

            core.init_backend(limit=core.recommended)
            backend = core.get_keyring()
        except _failures() as exc:
            log.info("no keyring could be opened: %s", type(exc).__name__)
            return None
    return backend if keeps_keys(backend) else None


def keeps_keys(backend: object) -> bool:
    return not type(backend).__module__.startswith((*_KEEPS_NOTHING, _KEEPS_IN_PLAIN_TEXT))


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
    """Silence the library's log: backends that do not fit this system complain with tracebacks."""
    library = logging.getLogger("keyring")
    level = library.level
    library.setLevel(logging.CRITICAL + 1)
    try:
        yield
    finally:
        library.setLevel(level)


class Kept(StrEnum):
    """Where a key was stored."""

    KEYRING = "keyring"
    SESSION_ONLY = "session_only"


class KeyStore(Protocol):
    """Not for the window's thread: a keyring may wait until the user unlocks it."""

    @property
    def is_lasting(self) -> bool:
        """Whether a key stored here is still there at the next start."""
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
    """Keeps a profile's keys in the system's keyring, and in memory those that it refuses.

    A key that was read is cached, so that the keyring is not asked at every request.
    """

    def __init__(
        self,
        find: Callable[[], Backend | None] = system_keyring,
        *,
        profile: str = DEFAULT_PROFILE,
    ) -> None:
        self._find = find
        self._service = SERVICE if profile == DEFAULT_PROFILE else f"{SERVICE}/{profile}"
        self._backend: Backend | None = None
        self._has_looked = False
        self._held = MemoryKeys()
        self._deleted: set[EndpointId] = set()
        self._asking = threading.RLock()

    @property
    def is_lasting(self) -> bool:
        return self._keyring() is not None

    def get(self, endpoint_id: EndpointId) -> str | None:
        with self._asking:
            key = self._held.get(endpoint_id)
            if not key and endpoint_id not in self._deleted:
                key = self._try(lambda keyring: keyring.get_password(self._service, endpoint_id))
                if key:
                    self._held.put(endpoint_id, key)
            return key or None

    def put(self, endpoint_id: EndpointId, key: str) -> Kept:
        def write(keyring: Backend) -> bool:
            keyring.set_password(self._service, endpoint_id, key)
            self._list(keyring, {*self._listed(keyring), endpoint_id})
            return True

        with self._asking:
            self._held.put(endpoint_id, key)
            self._deleted.discard(endpoint_id)
            return Kept.KEYRING if self._try(write) else Kept.SESSION_ONLY

    def delete(self, endpoint_id: EndpointId) -> None:
        """Stop using the key in this session, even if the keyring refuses to delete it."""

        def remove(keyring: Backend) -> None:
            if keyring.get_password(self._service, endpoint_id) is not None:
                keyring.delete_password(self._service, endpoint_id)
            self._list(keyring, self._listed(keyring) - {endpoint_id})

        with self._asking:
            self._held.delete(endpoint_id)
            self._deleted.add(endpoint_id)
            self._try(remove)

    def copy_to(self, other: "KeyringKeys", endpoint_ids: Iterable[EndpointId]) -> None:
        """Copy the keys of these endpoints, and of those that the keyring lists."""
        for endpoint_id in self._all(endpoint_ids):
            if key := self.get(endpoint_id):
                other.put(endpoint_id, key)

    def delete_all(self, endpoint_ids: Iterable[EndpointId]) -> None:
        for endpoint_id in self._all(endpoint_ids):
            self.delete(endpoint_id)

    def _all(self, endpoint_ids: Iterable[EndpointId]) -> set[EndpointId]:
        return {*endpoint_ids, *(self._try(self._listed) or ())}

    def _listed(self, keyring: Backend) -> set[EndpointId]:
        listed = keyring.get_password(self._service, _INDEX) or ""
        return {EndpointId(line) for line in listed.splitlines()}

    def _list(self, keyring: Backend, ids: set[EndpointId]) -> None:
        if ids == self._listed(keyring):
            return
        if ids:
            keyring.set_password(self._service, _INDEX, "\n".join(sorted(ids)))
        else:
            keyring.delete_password(self._service, _INDEX)

    def _try(self, ask: Callable[[Backend], Got]) -> Got | None:
        keyring = self._keyring()
        if keyring is None:
            return None
        try:
            return ask(keyring)
        except _failures() as exc:
            log.warning("the keyring refused: %s", type(exc).__name__)
            return None

    def _keyring(self) -> Backend | None:
        with self._asking:
            if not self._has_looked:
                self._backend = self._find()
                self._has_looked = True
            return self._backend


class EnvironmentKeys:
    """A key store in which the environment's key takes precedence."""

    def __init__(
        self, store: KeyStore, environ: Mapping[str, str], settings: Callable[[], Settings]
    ) -> None:
        self._store = store
        self._environ = environ
        self._settings = settings

    @property
    def is_lasting(self) -> bool:
        return self._store.is_lasting

    def get(self, endpoint_id: EndpointId) -> str | None:
        if key := self._environ.get("ANTHROPIC_API_KEY"):
            endpoint = environment_endpoint(self._settings(), self._environ)
            if endpoint and endpoint.id == endpoint_id:
                return key
        return self._store.get(endpoint_id)

    def put(self, endpoint_id: EndpointId, key: str) -> Kept:
        return self._store.put(endpoint_id, key)

    def delete(self, endpoint_id: EndpointId) -> None:
        self._store.delete(endpoint_id)
