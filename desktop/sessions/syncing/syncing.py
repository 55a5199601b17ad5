"""The synchronisation of a profile with its other devices, through a carrier.

Where the carrier is stands in a file of this computer, beside the archive and not in it, so that
a restored backup does not take part as the device that it was made on. The passphrase is in no
file; its key is in the keyring, or asked for.
"""

import platform
import secrets
from base64 import b64decode, b64encode
from binascii import Error as NotBase64
from collections.abc import Callable, Sequence
from contextlib import closing, suppress
from dataclasses import replace
from pathlib import Path
from threading import Lock
from time import monotonic

from desktop.domain.endpoints import EndpointId
from desktop.domain.frozen import dataclass
from desktop.domain.sync import (
    CarrierEmptyError,
    Choice,
    Conflict,
    ConflictUnknownError,
    DeviceId,
    DeviceState,
    DeviceUnknownError,
    SyncError,
    SyncKeyApartError,
    SyncKeyBrokenError,
    SyncLocalOnlyError,
    SyncOffError,
    SyncOnError,
    SyncPassphraseError,
    SyncPhase,
    SyncProgress,
)
from desktop.domain.times import Clock, utc_now
from desktop.sessions.syncing.addresses import is_server, split_password
from desktop.sessions.syncing.carrier import Carrier, open_server
from desktop.sessions.syncing.exchange import DeviceCopiedError, SyncRun, remove_all
from desktop.sessions.syncing.folder import FolderCarrier
from desktop.sessions.syncing.key_files import (
    join,
    key_file_in_force,
    opened,
    read_key_files,
    write_key_file,
)
from desktop.sessions.syncing.news import NewsWatch
from desktop.sessions.syncing.packs import SyncKey
from desktop.sessions.syncing.place import PlaceFile, SyncLocation
from desktop.settings.keys import KeyStore
from desktop.storage.archive import Archive
from desktop.storage.journal.journal import RECEIVED, Journal

_SERVER = EndpointId("sync-server")
_LOOKS_EACH_S, _LOOKS_SHARE, _LOOK_TAKES_S = 1.0, 20, 3.0
"""A look comes a second after the last, later if it took long, and is given up after a while."""


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
    """Names of devices, by what is the matter: broken, slow, newer, waiting, ahead, apart,
    unreadable (which is said of this one)."""
    is_new_device: bool = False
    went_back: bool = False
    """Whether the carrier had gone back to an earlier state: what was missing was sent again."""


@dataclass(frozen=True, slots=True)
class DeviceCheck:
    """What a device has, as far as it has said so."""

    name: str
    packs: int
    """How many it has of all devices, its own included."""
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
        self,
        archive: Archive,
        keys: KeyStore,
        *,
        is_local_only: Callable[[], bool],
        now: Clock = utc_now,
    ) -> None:
        """`is_local_only`: whether the whole profile stays on this computer."""
        self._archive, self._keys, self._is_local_only = archive, keys, is_local_only
        self._now, self._journal = now, Journal(archive.database, now=now)
        self._file = PlaceFile(archive.database)
        self._running = Lock()
        self._under_way: tuple[SyncPhase, SyncRun] | None = None
        self._watch = NewsWatch(lambda address: self._connect(address, patience_s=_LOOK_TAKES_S))

    @property
    def is_on(self) -> bool:
        return self._file.exists

    @property
    def is_paused(self) -> bool:
        """Whether nothing runs by itself; `run` does. May wait. Raises SyncOffError."""
        return self._file.read().is_paused

    def pause(self) -> None:
        self._file.change(is_paused=True)

    def go_on(self) -> None:
        self._file.change(is_paused=False)

    def has_key(self) -> bool:
        """Whether `run` needs no passphrase. Raises SyncOffError."""
        return bool(self._keys.get(_entry(self._file.read())))

    @property
    def place(self) -> str:
        """Return the folder or address. Raises SyncOffError."""
        return self._file.read().address

    @property
    def device(self) -> DeviceId:
        """Return the id of this one. Raises SyncOffError."""
        return DeviceId(self._file.read().device)

    def has_others(self, address: str) -> bool:
        """Return whether devices meet there already, so that `set_up` joins them."""
        if is_server(address):
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
            if is_server(address):
                address, password = split_password(address)
                if password:
                    self._keys.put(_SERVER, password)
            else:
                address = str(Path(address).expanduser().absolute())
            with closing(self._connect(address)) as carrier:
                key, content = join(carrier, address, passphrase)
                device = DeviceId(secrets.token_hex(16))
                write_key_file(carrier, device, content)
            place = SyncLocation(
                address=address,
                name=name or platform.node() or "?",
                keyring=secrets.token_hex(8),
                key_file=content.decode(),
                device=device,
            )
            self._keep_key(place, key)
            self._file.store(place)
            self._journal.start(device)

    def run(self, passphrase: str | None = None, *, is_full: bool = True) -> SyncReport:
        """Receive everything, then send. `is_full`: also say a hash of all that is here.

        `passphrase`: if no keyring holds the key, or two devices made one at the same time;
        SyncPassphraseError is raised without it.
        """
        with self._running:
            self._check_local_only()
            with closing(self._connect(self._file.read().address)) as carrier:
                key = self._enter(carrier, passphrase)
                try:
                    return self._run(carrier, key, is_full=is_full)
                except DeviceCopiedError:
                    self._renew(carrier)
                    return replace(self._run(carrier, key, is_full=is_full), is_new_device=True)
                finally:
                    self._under_way = None

    @property
    def progress(self) -> SyncProgress | None:
        """Return how far the run is that is under way, if one is; never waits."""
        if (under_way := self._under_way) is None:
            return None
        phase, run = under_way
        return SyncProgress(phase, run.changes, run.files)

    def keep_password(self, password: str) -> None:
        """Keep the password that the server asks for now."""
        self._keys.put(_SERVER, password)

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
        if not self.is_on or (place := self._file.read()).is_paused:
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
        run = self._looked(passphrase)
        return [
            DeviceState(
                device,
                state.name if state else "",
                state.at if state else None,
                state.received if state else {},
                run.waiting(device),
            )
            for device in run.known()
            for state in [run.states.get(device)]
        ]

    def forget_device(self, named: str, passphrase: str | None = None) -> SyncReport:
        """Count no longer on a device that is lost, and run, so that the others learn of it.

        All that it sent stays. Its files are removed when all others have them, too. If it comes
        back, it goes on as a new device. `named`: its name, or the beginning of its id. Raises
        DeviceUnknownError.
        """
        devices = self.devices(passphrase)
        so_named = [device.id for device in devices if device.name == named]
        meant = so_named or [d.id for d in devices if named and d.id.startswith(named)]
        if len(meant) != 1:
            raise DeviceUnknownError(name=named)
        self._file.change(forgotten=(*self._file.read().forgotten, *meant))
        return self.run(passphrase, is_full=False)

    def check(self, passphrase: str | None = None) -> SyncCheck:
        """Compare all devices by hashes; those of others are of their last full run."""
        self.run(passphrase)
        run, own = self._looked(passphrase), DeviceId(self._file.read().device)
        states = [state for device in (own, *run.known()) if (state := run.states.get(device))]
        checks = [
            DeviceCheck(name=state.name, packs=sum(state.numbers.values()), hash=state.hash)
            for state in states
        ]
        is_whole = len(states) == len(run.known()) + 1 and not run.problems["apart"]
        hashes = {state.hash for state in states}
        return SyncCheck(checks, is_whole and len(hashes) == 1 and "" not in hashes)

    def conflicts(self) -> list[Conflict]:
        return self._journal.conflicts()

    def resolve(self, conflict_id: int, choice: Choice) -> None:
        """Raises ConflictUnknownError."""
        if conflict_id not in {conflict.id for conflict in self.conflicts()}:
            raise ConflictUnknownError(id=conflict_id)
        self._journal.resolve(conflict_id, choice)
        self._archive.files.sweep(self._archive.database)

    def leave(self, passphrase: str | None = None) -> None:
        """Send what is unsent, say goodbye, and forget; all that was received stays."""
        self.run(passphrase, is_full=False)
        with self._running:
            place = self._file.read()
            with closing(self._connect(place.address)) as carrier:
                run = self._sync_run(carrier, self._enter(carrier, passphrase))
                run.say(left=True)
            self._forget()

    def forget(self) -> None:
        """Leave without the carrier, which may be gone for good."""
        with self._running:
            self._forget()

    def _forget(self) -> None:
        if not self.is_on:
            raise SyncOffError
        with suppress(SyncOffError):  # a damaged file keeps nobody from beginning anew
            self._keys.delete(_entry(self._file.read()))
        self._keys.delete(_SERVER)
        self._journal.stop()
        self._file.remove()
        self._watch.seen = None

    def _run(self, carrier: Carrier, key: SyncKey, *, is_full: bool) -> SyncReport:
        place = self._file.read()
        run = self._sync_run(carrier, key)
        run.check_own()
        if place.is_snapshot_due:  # a run ended amid deletions: their words and files may be here
            self._archive.purge_deleted(before=RECEIVED)
        self._under_way = SyncPhase.RECEIVING, run
        run.receive()
        self._under_way = SyncPhase.SENDING, run
        run.send()
        self._under_way = SyncPhase.FILES, run
        run.exchange_files()
        self._under_way = SyncPhase.COMPARING, run
        is_due = self._file.read().is_snapshot_due
        run.renew_snapshot(is_due=is_due)
        if is_due:
            self._file.change(is_snapshot_due=False)
        run.say(self._journal.digest() if is_full else "")
        self._watch.seen = run.seen()
        names = {device: state.name for device, state in run.states.items()}
        names[DeviceId(place.device)] = place.name
        return SyncReport(
            received=run.changes,
            sent=run.sent,
            files=run.files,
            conflicts=len(self._journal.conflicts()),
            problems={
                problem: sorted(names.get(device, device[:8]) for device in devices)
                for problem, devices in run.problems.items()
                if devices
            },
            went_back=run.went_back,
        )

    def _enter(self, carrier: Carrier, passphrase: str | None) -> SyncKey:
        """Return the key in force, and see to it that this computer is a device that has it."""
        place, key_files = self._file.read(), read_key_files(carrier)
        device = DeviceId(place.device)
        own = place.key_file.encode() or key_files.get(device, b"")
        if not carrier.devices():
            raise CarrierEmptyError(where=place.address)
        in_force = key_file_in_force(key_files.values()) or own
        if not in_force:
            raise SyncKeyBrokenError(where=place.address)
        if not place.key_file:
            self._file.change(key_file=in_force.decode())
        if own and own != in_force:
            if passphrase is None:
                raise SyncKeyApartError
            key = opened(in_force, place.address, passphrase)
            self._keep_key(place, key)
            self._renew(carrier)
            remove_all(carrier, device, carrier.names(device))
            return key
        key = self._key(place, in_force, passphrase)
        if self._journal.device != device:
            # A backup was restored that was made before, or on another device.
            self._renew(carrier)
        elif key_files.get(device) != in_force:  # an older state of the folder was restored
            write_key_file(carrier, device, in_force)
        return key

    def _connect(self, address: str, *, patience_s: float | None = None) -> Carrier:
        if is_server(address):
            return open_server(address, lambda: self._keys.get(_SERVER), patience_s=patience_s)
        return FolderCarrier(Path(address), waits_s=patience_s)

    def _looked(self, passphrase: str | None) -> SyncRun:
        with closing(self._connect(self._file.read().address)) as carrier:
            return self._sync_run(carrier, self._enter(carrier, passphrase))

    def _sync_run(self, carrier: Carrier, key: SyncKey) -> SyncRun:
        place, mark_deleted = self._file.read(), self._mark_deleted
        return SyncRun(
            self._archive, carrier, key, place, mark_deleted=mark_deleted, now=self._now
        )

    def _mark_deleted(self) -> None:
        if not self._file.read().is_snapshot_due:
            self._file.change(is_snapshot_due=True)

    def _renew(self, carrier: Carrier) -> None:
        """Go on as a new device: what is here is sent again, and nothing is overwritten."""
        place = self._file.read()
        content = key_file_in_force(read_key_files(carrier).values()) or place.key_file.encode()
        device = DeviceId(secrets.token_hex(16))
        write_key_file(carrier, device, content)
        self._file.change(
            device=device,
            replaces=(*place.replaces, DeviceId(place.device)),
            key_file=content.decode(),
        )
        self._journal.start(device)

    def _key(self, place: SyncLocation, key_file: bytes, passphrase: str | None) -> SyncKey:
        with suppress(NotBase64, ValueError):
            if secret := self._keys.get(_entry(place)):
                return SyncKey(b64decode(secret, validate=True))
        if passphrase is None:
            raise SyncPassphraseError
        key = opened(key_file, place.address, passphrase)
        self._keep_key(place, key)
        return key

    def _keep_key(self, place: SyncLocation, key: SyncKey) -> None:
        self._keys.put(_entry(place), b64encode(key.secret).decode())


def _entry(place: SyncLocation) -> EndpointId:
    return EndpointId(f"sync-{place.keyring}")
