"""The keys of endpoints: in the system's keyring, or in memory for the session, never a file."""

import logging
import threading
from collections.abc import Callable
from enum import StrEnum
from typing import Protocol

from desktop.domain.endpoints import EndpointId
from desktop.settings.system_keyring import Keyring, KeyringRefusedError, system_keyring

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
