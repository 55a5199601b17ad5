"""The synchronisation of a profile with its other devices, through a carrier.

Where the carrier is stands in a file of this computer, beside the archive and not in it, so that
a restored backup does not take part as the device that it was made on. The passphrase is in no
file; its key is in the keyring, or asked for.
"""

import json
import platform
import secrets
from base64 import b64decode, b64encode
from binascii import Error as NotBase64
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, suppress
from dataclasses import asdict, replace
from pathlib import Path
from threading import Lock
from time import monotonic
from typing import Any

from desktop.domain.endpoints import EndpointId
from desktop.domain.frozen import dataclass
from desktop.domain.sync import (
    Choice,
    Conflict,
    ConflictUnknownError,
    DeviceId,
    DeviceState,
    SyncError,
    SyncKeyBrokenError,
    SyncLocalOnlyError,
    SyncOffError,
    SyncOnError,
    SyncPassphraseError,
)
from desktop.sessions.syncing.addresses import SCHEMES, split_password
from desktop.sessions.syncing.carrier import KEY, Carrier, FileName
from desktop.sessions.syncing.exchange import DeviceCopiedError, SyncRun
from desktop.sessions.syncing.folder import FolderCarrier
from desktop.sessions.syncing.news import Watch
from desktop.sessions.syncing.packs import BrokenFileError, SyncKey, lock_key, unlock_key
from desktop.sessions.syncing.servers import open_server
from desktop.settings.file_writing import raising_not_written, raising_unreadable, write_beside
from desktop.settings.keys import KeyStore
from desktop.settings.paths import SYNC_PLACE
from desktop.storage.archive import Archive
from desktop.storage.journal.journal import Journal

_SERVER = EndpointId("sync-server")
_LOOKS_EACH_S, _LOOKS_SHARE, _LOOK_TAKES_S = 1.0, 20, 3.0
"""A look comes a second after the last, later if it took long, and is given up after a while."""
_SEALED_AS = "place of a synchronisation"


@dataclass(frozen=True, slots=True)
class _Place:
    """What this computer knows of its synchronisation."""

    address: str
    name: str
    keyring: str
    device: str = ""
    replaces: tuple[str, ...] = ()
    is_snapshot_due: bool = False
    is_paused: bool = False


@dataclass(frozen=True, slots=True)
class SyncReport:
    """What a run did."""

    received: int
    """Changes of other devices."""
    sent: int
    """Packs."""
    files: int
    conflicts: int
    """Open choices."""
    problems: dict[str, list[str]]
    """Names of devices, by what is the matter: broken, slow, newer, waiting, ahead."""
    is_new_device: bool = False


@dataclass(frozen=True, slots=True)
class DeviceCheck:
    """What a device has, as far as it has said so."""

    name: str
    changes: int
    """The packs of all devices that it has."""
    hash: str


@dataclass(frozen=True, slots=True)
class SyncCheck:
    devices: Sequence[DeviceCheck]
    equal: bool


class Syncing:
    """Any thread may call, except the window's: every method but `is_on` may wait.

    Methods raise SyncError, StorageError and FileNotWrittenError.
    """

    def __init__(
        self, archive: Archive, keys: KeyStore, *, is_local_only: Callable[[], bool]
    ) -> None:
        """`is_local_only`: whether the whole profile stays on this computer."""
        self._archive, self._keys, self._is_local_only = archive, keys, is_local_only
        self._journal = Journal(archive.database)
        self._file = archive.database.path.parent / SYNC_PLACE
        self._running, self._storing = Lock(), Lock()
        self._watch = Watch(lambda address: self._connect(address, patience_s=_LOOK_TAKES_S))

    @property
    def is_on(self) -> bool:
        return self._file.exists()

    @property
    def is_paused(self) -> bool:
        """Whether nothing runs by itself; `run` does. May wait. Raises SyncOffError."""
        return self._place().is_paused

    def pause(self) -> None:
        self._change_place(is_paused=True)

    def go_on(self) -> None:
        self._change_place(is_paused=False)

    def has_key(self) -> bool:
        """Whether `run` needs no passphrase. Raises SyncOffError."""
        return bool(self._keys.get(_entry(self._place())))

    @property
    def place(self) -> str:
        """Return the folder or address. Raises SyncOffError."""
        return self._place().address

    def has_others(self, address: str) -> bool:
        """Return whether devices meet there already, so that `set_up` joins them."""
        if _is_server(address):
            address, password = split_password(address)
            carrier: Carrier = open_server(address, lambda: password or self._keys.get(_SERVER))
        else:
            carrier = FolderCarrier(Path(address).expanduser().absolute())
        with closing(carrier):
            return bool(carrier.devices())

    def set_up(self, address: str, passphrase: str, *, name: str = "") -> None:
        """Join the devices of a folder or server, or be its first one; `run` follows.

        Raises WrongPassphraseError if others have set it up with another passphrase, and
        SyncLocalOnlyError, as `run` does, while something stays on this computer only.
        """
        if self.is_on:
            raise SyncOnError
        self._check_local_only()
        with self._running:
            if _is_server(address):
                address, password = split_password(address)
                if password:
                    self._keys.put(_SERVER, password)
            else:
                address = str(Path(address).expanduser().absolute())
            with closing(self._connect(address)) as carrier:
                key, content = _join(carrier, address, passphrase)
                place = _Place(address, name or platform.node() or "?", secrets.token_hex(8))
                device = DeviceId(secrets.token_hex(16))
                carrier.write(device, str(FileName.of(KEY, 1, content)), content)
            self._keys.put(_entry(place), b64encode(key.secret).decode())
            self._store(replace(place, device=device))
            self._journal.start(device)

    def run(self, passphrase: str | None = None, *, is_full: bool = True) -> SyncReport:
        """Receive everything, then send. `is_full`: also say a hash of all that is here.

        `passphrase`: if no keyring holds the key; SyncPassphraseError is raised without it.
        """
        with self._running:
            place = self._place()
            self._check_local_only()
            with closing(self._connect(place.address)) as carrier:
                key = self._key(place, carrier, passphrase)
                if self._journal.device != place.device:
                    # A backup was restored that was made before, or on another device.
                    self._renew(carrier)
                try:
                    return self._run(carrier, key, is_full=is_full)
                except DeviceCopiedError:
                    self._renew(carrier)
                    return replace(self._run(carrier, key, is_full=is_full), is_new_device=True)

    def has_news(self) -> bool:
        """Return whether a run has something to do, from names alone; False if paused or off.

        For one thread. What another device says of itself is no news: a run from time to time
        learns of it, and reads again what was slow.
        """
        return self._has_news(is_worth_looking=True)

    def wait_for_news(self, timeout_s: float) -> bool:
        """Return True as soon as there are news, False after the time, or once it is closed.

        For one thread. A carrier that is away has none: `run` says what is the matter.
        """
        deadline, is_worth_looking = monotonic() + timeout_s, True
        while True:
            started = monotonic()
            with suppress(SyncError):
                if self._has_news(is_worth_looking=is_worth_looking):
                    return True
            rest, took = deadline - monotonic(), monotonic() - started
            if rest <= 0 or self._watch.is_closed:
                return False
            pause_s = max(_LOOKS_EACH_S, _LOOKS_SHARE * took)
            is_worth_looking = self._watch.wait(min(rest, pause_s))

    def close(self) -> None:
        """End a wait for news."""
        self._watch.close()

    def _has_news(self, *, is_worth_looking: bool) -> bool:
        if not self.is_on or (place := self._place()).is_paused:
            return False
        if self._journal.has_unsent():
            return True
        return is_worth_looking and self._watch.has_news(place.address, DeviceId(place.device))

    def _check_local_only(self) -> None:
        """Raise SyncLocalOnlyError if something may not leave this computer.

        Packs hold all projects: nothing is sent as long as one of them has to stay.
        """
        if self._is_local_only():
            raise SyncLocalOnlyError
        for project in self._archive.projects.projects():
            if project.is_local_only:
                raise SyncLocalOnlyError(name=project.name)

    def devices(self, passphrase: str | None = None) -> list[DeviceState]:
        """Return the other devices, as they were when they last wrote."""
        exchange = self._looked(passphrase)
        return [
            DeviceState(
                device,
                state.name if state else "",
                state.at if state else None,
                state.received if state else {},
                exchange.waiting(device),
            )
            for device in exchange.known()
            for state in [exchange.states.get(device)]
        ]

    def check(self, passphrase: str | None = None) -> SyncCheck:
        """Compare all devices by hashes; those of others are of their last full run."""
        self.run(passphrase)
        exchange, own = self._looked(passphrase), DeviceId(self._place().device)
        states = [
            state for device in (own, *exchange.known()) if (state := exchange.states.get(device))
        ]
        checks = [
            DeviceCheck(state.name, sum(state.numbers.values()), state.hash) for state in states
        ]
        is_whole = len(states) == len(exchange.known()) + 1 and all(s.hash for s in states)
        return SyncCheck(checks, is_whole and len({state.hash for state in states}) == 1)

    def conflicts(self) -> list[Conflict]:
        return self._journal.conflicts()

    def resolve(self, conflict_id: int, choice: Choice) -> None:
        """Raises ConflictUnknownError."""
        if conflict_id not in {conflict.id for conflict in self.conflicts()}:
            raise ConflictUnknownError(id=conflict_id)
        self._journal.resolve(conflict_id, choice)

    def leave(self, passphrase: str | None = None) -> None:
        """Send what is unsent, say goodbye, and forget; all that was received stays."""
        self.run(passphrase, is_full=False)
        with self._running:
            place = self._place()
            with closing(self._connect(place.address)) as carrier:
                exchange = self._exchange(carrier, self._key(place, carrier, passphrase))
                exchange.say(place.name, "", (), left=True)
            self._forget()

    def forget(self) -> None:
        """Leave without the carrier, which may be gone for good."""
        with self._running:
            self._forget()

    def _forget(self) -> None:
        self._keys.delete(_entry(self._place()))
        self._keys.delete(_SERVER)
        self._journal.stop()
        self._file.unlink(missing_ok=True)

    def _run(self, carrier: Carrier, key: SyncKey, *, is_full: bool) -> SyncReport:
        exchange = self._exchange(carrier, key)
        exchange.receive()
        exchange.send()
        exchange.exchange_files()
        place = self._place()
        exchange.renew_snapshot(is_due=place.is_snapshot_due)
        if place.is_snapshot_due:
            self._change_place(is_snapshot_due=False)
        digest = self._journal.digest() if is_full else ""
        replaces = tuple(map(DeviceId, place.replaces))
        exchange.say(place.name, digest, replaces, left=False)
        self._watch.seen = exchange.seen()
        names = {device: state.name for device, state in exchange.states.items()}
        problems = {
            problem: sorted(names.get(device, device[:8]) for device in devices)
            for problem, devices in exchange.problems.items()
        }
        count = len(self._journal.conflicts())
        return SyncReport(exchange.changes, exchange.sent, exchange.files, count, problems)

    def _connect(self, address: str, *, patience_s: float | None = None) -> Carrier:
        if _is_server(address):
            return open_server(address, lambda: self._keys.get(_SERVER), patience_s=patience_s)
        return FolderCarrier(Path(address), waits_s=patience_s)

    def _looked(self, passphrase: str | None) -> SyncRun:
        place = self._place()
        with closing(self._connect(place.address)) as carrier:
            return self._exchange(carrier, self._key(place, carrier, passphrase))

    def _exchange(self, carrier: Carrier, key: SyncKey) -> SyncRun:
        return SyncRun(self._archive, carrier, key, self._mark_deleted)

    def _mark_deleted(self) -> None:
        if not self._place().is_snapshot_due:
            self._change_place(is_snapshot_due=True)

    def _renew(self, carrier: Carrier) -> None:
        """Go on as a new device: what is here is sent again, and nothing is overwritten."""
        place = self._place()
        content = next(_key_files(carrier), b"")
        device = DeviceId(secrets.token_hex(16))
        carrier.write(device, str(FileName.of(KEY, 1, content)), content)
        self._change_place(device=device, replaces=(*place.replaces, place.device))
        self._journal.start(device)

    def _key(self, place: _Place, carrier: Carrier, passphrase: str | None) -> SyncKey:
        with suppress(NotBase64, ValueError):
            if secret := self._keys.get(_entry(place)):
                return SyncKey(b64decode(secret, validate=True))
        if passphrase is None:
            raise SyncPassphraseError
        key = _unlocked(carrier, passphrase)
        if key is None:
            raise SyncKeyBrokenError(where=place.address)
        self._keys.put(_entry(place), b64encode(key.secret).decode())
        return key

    def _place(self) -> _Place:
        if not self.is_on:
            raise SyncOffError
        with raising_unreadable(self._file):
            data = self._file.read_bytes()
        sealing = self._archive.database.key
        try:
            fields = json.loads(sealing.unseal(data, _SEALED_AS) if sealing else data)
            return _Place(**{**fields, "replaces": tuple(fields["replaces"])})
        except (ValueError, TypeError, KeyError) as exc:
            raise SyncOffError from exc

    def _change_place(self, **fields: Any) -> None:  # those of _Place
        with self._storing:
            self._store(replace(self._place(), **fields))

    def _store(self, place: _Place) -> None:
        data = json.dumps(asdict(place)).encode()
        sealing = self._archive.database.key
        with raising_not_written(self._file), write_beside(self._file) as partial:
            partial.write_bytes(sealing.seal(data, _SEALED_AS) if sealing else data)


def _entry(place: _Place) -> EndpointId:
    return EndpointId(f"sync-{place.keyring}")


def _is_server(address: str) -> bool:
    return address.startswith(tuple(f"{scheme}://" for scheme in SCHEMES))


def _key_files(carrier: Carrier) -> Iterator[bytes]:
    for device in carrier.devices():
        for name in carrier.names(device):
            if name.startswith(f"{KEY}-"):
                with suppress(FileNotFoundError):
                    yield carrier.read(device, name)


def _unlocked(carrier: Carrier, passphrase: str) -> SyncKey | None:
    """Return None if there is no key file that is whole. Raises WrongPassphraseError."""
    for content in _key_files(carrier):
        with suppress(BrokenFileError):
            return unlock_key(content, passphrase)
    return None


def _join(carrier: Carrier, address: str, passphrase: str) -> tuple[SyncKey, bytes]:
    for content in _key_files(carrier):
        with suppress(BrokenFileError):
            return unlock_key(content, passphrase), content
    if any(carrier.names(device) for device in carrier.devices()):
        raise SyncKeyBrokenError(where=address)
    key = SyncKey.new()
    return key, lock_key(key, passphrase)
