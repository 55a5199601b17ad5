"""One run over a carrier: receive everything, then send what changed here, then tidy up."""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping
from contextlib import suppress
from dataclasses import replace
from datetime import datetime, timedelta

from desktop.domain.errors import FileUnreadableError
from desktop.domain.frozen import dataclass
from desktop.domain.json_values import JsonValue
from desktop.domain.sync import CarrierSlowError, DeviceId, Pack
from desktop.domain.times import Clock, parse_utc, utc_now
from desktop.sessions.syncing.carrier import (
    FILE,
    KEY,
    PACK,
    SNAPSHOT,
    STATE,
    Carrier,
    FileName,
)
from desktop.sessions.syncing.key_files import read_key_files
from desktop.sessions.syncing.news import Names, names_of_news
from desktop.sessions.syncing.packs import (
    BrokenFileError,
    SyncKey,
    open_file,
    open_json,
    open_pack,
    seal_file,
    seal_json,
    seal_pack,
)
from desktop.sessions.syncing.place import SyncLocation
from desktop.storage.archive import Archive
from desktop.storage.journal.journal import Journal
from desktop.storage.repositories.file_store import named_in

_PACKS_OF_A_SNAPSHOT = 64
_FAR_AHEAD = timedelta(days=1)


class DeviceCopiedError(Exception):
    """Another device uses this one's id: a cloned computer, or a restored backup."""


@dataclass(frozen=True, slots=True)
class State:
    """What a device says of itself."""

    device: DeviceId
    name: str
    number: int
    received: Mapping[DeviceId, int]
    at: datetime | None = None
    hash: str = ""
    """Of all that it had with these numbers; empty if it was not computed."""
    has_left: bool = False
    replaces: tuple[DeviceId, ...] = ()

    @property
    def numbers(self) -> dict[DeviceId, int]:
        return {**self.received, self.device: self.number}


def read_state(device: DeviceId, value: JsonValue) -> State:
    """Raises ValueError."""
    match value:
        case {
            "name": str(name),
            "number": int(number),
            "received": dict(received),
            "at": str(at),
            "hash": str(digest),
            "left": bool(left),
            "replaces": list(replaces),
        } if all(type(count) is int for count in received.values()):
            numbers = {DeviceId(other): int(str(count)) for other, count in received.items()}
            earlier = tuple(DeviceId(str(other)) for other in replaces)
            return State(
                device=device,
                name=name,
                number=number,
                received=numbers,
                at=parse_utc(at),
                hash=digest,
                has_left=left,
                replaces=earlier,
            )
        case _:
            raise ValueError("not a state")


class SyncRun:
    """Of one run; not for the window's thread. Methods raise SyncError and StorageError."""

    def __init__(
        self,
        archive: Archive,
        carrier: Carrier,
        key: SyncKey,
        place: SyncLocation,
        *,
        mark_deleted: Callable[[], None],
        now: Clock = utc_now,
    ) -> None:
        """`mark_deleted`: called before a deletion takes effect; a snapshot is due then.

        Devices with another key are left out.
        """
        self._archive, self._carrier, self._key, self._now = archive, carrier, key, now
        self._journal, self._place = Journal(archive.database, now=now), place
        self._mark_deleted = mark_deleted
        own = place.key_file.encode()
        apart = {device for device, content in read_key_files(carrier).items() if content != own}
        self._listing = {
            device: carrier.names(device) for device in carrier.devices() if device not in apart
        }
        self._packs: dict[str, Pack] = {}
        self._device = self._journal.device or DeviceId("")
        self.changes = self.conflicts = self.sent = self.files = 0
        self.problems: dict[str, set[DeviceId]] = defaultdict(set, apart=set(apart))
        self.went_back = False
        """Whether packs that had been sent were there no more."""
        self.states = self._read_states()
        for device, state in self.states.items():
            if state.at and state.at > now() + _FAR_AHEAD:
                self.problems["ahead"].add(device)

    def check_own(self) -> None:
        """Raise DeviceCopiedError if another device writes under the id of this one.

        A pack that stood there twice, as its rewriting was interrupted, is there once on return.
        """
        if self._device in self._replaced() or self._highest(self._device) > self._journal.number:
            raise DeviceCopiedError
        for names in self._files(self._device, PACK).values():
            if len(names) > 1:
                self._remove_doubles(names)

    def _remove_doubles(self, names: Iterable[str]) -> None:
        packs = {name: pack for name in names if (pack := self._open(self._device, name))}
        kept = min(packs, key=lambda name: len(packs[name].changes), default="")
        for name, pack in packs.items():
            if not _versions(packs[kept]) <= _versions(pack):
                raise DeviceCopiedError
            if name != kept:
                self._remove(name)

    def receive(self) -> None:
        while sum(map(self._receive_next, self._others())):
            pass
        received = self._journal.received()
        for device in set(self._others()) - self._replaced():
            is_newer = device in self.problems["newer"]
            if self._highest(device) > received.get(device, 0) and not is_newer:
                self.problems["waiting"].add(device)
        for session_id in self._archive.index.unindexed() if self.changes else ():
            self._archive.index.index_session(session_id)

    def seen(self) -> Names:
        """Return what other devices had written when the run began."""
        return names_of_news({device: self._listing[device] for device in self._others()})

    def waiting(self, device: DeviceId) -> int:
        return max(0, self._highest(device) - self._journal.received().get(device, 0))

    def _receive_next(self, device: DeviceId) -> bool:
        """Receive what a device has, as far as possible; return whether anything was new."""
        is_new = False
        while any(self._merge(device, name) for name in self._next(device)):
            is_new = True
        return is_new

    def _next(self, device: DeviceId) -> list[str]:
        last = self._journal.received().get(device, 0)
        packs = self._files(device, PACK).get(last + 1, [])
        snapshots = self._files(device, SNAPSHOT)
        snapshot = snapshots[max(snapshots)] if max(snapshots, default=0) > last else []
        return [*snapshot, *packs] if last == 0 else [*packs, *snapshot]

    def _open(self, device: DeviceId, name: str) -> Pack | None:
        if name not in self._packs:
            sealed = self._read(device, name)
            if sealed is None:
                return None
            try:
                self._packs[name] = open_pack(self._key, device, name, sealed)
            except BrokenFileError:
                self.problems["broken"].add(device)
                return None
        return self._packs[name]

    def _read(self, device: DeviceId, name: str) -> bytes | None:
        try:
            return self._carrier.read(device, name)
        except CarrierSlowError:
            self.problems["slow"].add(device)
        except FileNotFoundError:
            pass  # half of it is there, or it was replaced meanwhile
        return None

    def _merge(self, device: DeviceId, name: str) -> bool:
        if not (pack := self._open(device, name)):
            return False
        deletes = any(change.is_deletion for change in pack.changes)
        if deletes:
            self._mark_deleted()
        named = named_in(self._archive.database) if deletes else set()
        merged = self._journal.receive(pack)
        if merged.deletions:
            self._remove_files(named - named_in(self._archive.database))
        if merged.is_newer:
            self.problems["newer"].add(pack.device)
        if merged.is_waiting or merged.is_known:
            return False
        del self._packs[name]
        self.changes += merged.changes
        self.conflicts += merged.conflicts
        return True

    def _remove_files(self, digests: Collection[str]) -> None:
        store = self._archive.files
        store.remove(p.name for p in store.files() if p.name.partition(".")[0] in digests)

    def send(self) -> None:
        self._journal.take()
        for pack in self._journal.unsent():
            self._send(pack)
        for number in self._journal.packs_with_deleted():
            self._rewrite(number)

    def _send(self, pack: Pack) -> None:
        """Write a pack, unless that was done before the program was killed."""
        if any(change.is_deletion for change in pack.changes):
            self._mark_deleted()
        there = self._files(self._device, PACK).get(pack.number, [])
        for name in there:
            written = self._open(self._device, name)
            if written == pack:
                self._journal.mark_sent(pack.number)
                return
            if written is None or not _versions(pack) <= _versions(written):
                raise DeviceCopiedError
        self._replace(pack, there)
        self._journal.mark_sent(pack.number)
        self.sent += 1

    def _rewrite(self, number: int) -> None:
        names = self._files(self._device, PACK).get(number, [])
        packs = [pack for name in names if (pack := self._open(self._device, name))]
        if names and not packs:
            return  # another time
        if packs:
            self._replace(self._journal.without_deleted(packs[0]), names)
        self._journal.mark_rewritten(number)

    def _replace(self, pack: Pack, names: Iterable[str]) -> None:
        name, sealed = seal_pack(self._key, pack)
        self._write(name, sealed)
        for old in names:
            self._remove(old)

    def renew_snapshot(self, *, is_due: bool) -> None:
        """Write one if it is due, or if packs enough have come since; remove what it replaces.

        One is due, too, if packs since the last one are gone: the carrier went back to an earlier
        state, as after the restoration of a folder. What devices wrote that this computer was, or
        that it has forgotten, is removed when it is part of a snapshot.
        """
        snapshots, packs = (self._files(self._device, kind) for kind in (SNAPSHOT, PACK))
        last = max(snapshots, default=0)
        behind = self._journal.number - last
        self.went_back = not self._journal.sent(since=last) <= packs.keys()
        former = self._former()
        is_due = (is_due and bool(snapshots)) or bool(former) or self.went_back
        if is_due or behind >= _PACKS_OF_A_SNAPSHOT:
            pack = self._journal.snapshot()
            last = pack.number
            self._replace(pack, [name for names in snapshots.values() for name in names])
        for device in former:
            remove_all(self._carrier, device, self._listing[device])
        self._remove_old_packs(packs, last)

    def _former(self) -> list[DeviceId]:
        """Return the devices that are no more, and whose files nobody needs.

        Those of one that was forgotten are needed until all others have received them.
        """
        received = self._journal.received()
        others = [state.received if (state := self.states.get(d)) else {} for d in self.known()]
        forgotten = [
            device
            for device in self._place.forgotten
            if all(self._highest(device) <= numbers.get(device, 0) for numbers in others)
        ]
        devices = (*self._place.replaces, *forgotten)
        return [device for device in devices if self._can_go(device, received)]

    def _can_go(self, device: DeviceId, received: Mapping[DeviceId, int]) -> bool:
        """Whether all of a device is here, and it has left something that this one may remove."""
        kinds = (self._files(device, kind) for kind in (PACK, SNAPSHOT))
        is_copied = any(len(names) > 1 for files in kinds for names in files.values())
        is_open = device not in self.problems["slow"] | self.problems["broken"]
        is_whole = is_open and not is_copied and self._highest(device) <= received.get(device, 0)
        return is_whole and bool(self._listing.get(device)) and self._carrier.may_remove(device)

    def _remove_old_packs(self, packs: Mapping[int, Iterable[str]], last: int) -> None:
        receivers = [self.states.get(device) for device in self.known()]
        reached = min(
            (state.received.get(self._device, 0) if state else 0 for state in receivers),
            default=0,
        )
        for number, names in packs.items():
            for name in tuple(names) if number <= min(last, reached) else ():
                self._remove(name)

    def exchange_files(self) -> None:
        """Fetch pictures and copies of documents that rows name, and offer what nobody has."""
        store = self._archive.files
        named = named_in(self._archive.database)
        there = {path.name.partition(".")[0]: path.name for path in store.files()}
        offered = {
            name.what: (device, str(name))
            for device, names in self._listing.items()
            for name in map(FileName.parse, names)
            if name is not None and name.kind == FILE
        }
        keyed = {self._key.keyed(digest): digest for digest in named}
        for what, digest in keyed.items():
            if digest in there and what not in offered:
                self._offer(there[digest])
            elif digest not in there and what in offered:
                self._fetch(*offered[what], digest)
        for what, (device, file) in offered.items():
            if device == self._device and what not in keyed:
                self._remove(file)

    def _offer(self, stored_name: str) -> None:
        try:
            data = self._archive.files.read_copy(stored_name)
        except FileUnreadableError:
            self.problems["unreadable"].add(self._device)
            return
        self._write(*seal_file(self._key, self._device, stored_name, data))
        self.files += 1

    def _fetch(self, device: DeviceId, file: str, digest: str) -> None:
        sealed = self._read(device, file)
        if sealed is None:
            return
        try:
            name, data = open_file(self._key, device, file, sealed)
            self._archive.files.store_copy(name, data, digest)
        except (BrokenFileError, ValueError):
            self.problems["broken"].add(device)
        else:
            self.files += 1

    def say(self, digest: str = "", *, left: bool = False) -> None:
        """Write the state of this device, if it is another than before."""
        name = self._place.name
        replaces = (*self._place.replaces, *self._place.forgotten)
        received = self._journal.received()
        before = self.states.get(self._device)
        state = State(
            device=self._device,
            name=name,
            number=self._journal.number,
            received=received,
            hash=digest,
            has_left=left,
            replaces=replaces,
        )
        is_said = before is not None and replace(before, at=None) == state
        if before and is_said and not (before.at and before.at > self._now()):
            return
        files = self._files(self._device, STATE)
        value: JsonValue = {
            "name": name,
            "number": state.number,
            "received": {str(device): number for device, number in received.items()},
            "at": self._now().isoformat(),
            "hash": digest,
            "left": left,
            "replaces": [str(device) for device in replaces],
        }
        counter = max(files, default=0) + 1
        self._write(*seal_json(self._key, self._device, STATE, counter, value))
        for old in [name for names in files.values() for name in names]:
            self._remove(old)

    def _read_states(self) -> dict[DeviceId, State]:
        states: dict[DeviceId, State] = {}
        for device in self._listing:
            for _, names in sorted(self._files(device, STATE).items()):
                for name in names:
                    if sealed := self._read(device, name):
                        with suppress(BrokenFileError, ValueError):
                            value = open_json(self._key, device, name, sealed)
                            states[device] = read_state(device, value)
        return states

    def known(self) -> list[DeviceId]:
        """Return the other devices that take part."""
        replaced = self._replaced() | {self._device}
        return [
            device
            for device in self._listing
            if device not in replaced
            and not ((state := self.states.get(device)) and state.has_left)
        ]

    def _replaced(self) -> set[DeviceId]:
        """Return the devices that are no more: another took their place, or forgot them."""
        replaced = {old for state in self.states.values() for old in state.replaces}
        return replaced.union(self._place.forgotten)

    def _others(self) -> list[DeviceId]:
        return [device for device in self._listing if device != self._device]

    def _files(self, device: DeviceId, kind: str) -> dict[int, list[str]]:
        files = defaultdict[int, list[str]](list)
        for name in map(FileName.parse, self._listing.get(device, ())):
            if name is not None and name.kind == kind:
                files[name.number].append(str(name))
        return files

    def _highest(self, device: DeviceId) -> int:
        kinds = (self._files(device, kind) for kind in (PACK, SNAPSHOT))
        return max((number for files in kinds for number in files), default=0)

    def _write(self, name: str, data: bytes) -> None:
        self._carrier.write(self._device, name, data)
        self._listing.setdefault(self._device, []).append(name)

    def _remove(self, name: str) -> None:
        self._carrier.remove(self._device, name)
        self._listing[self._device].remove(name)


def remove_all(carrier: Carrier, device: DeviceId, names: Iterable[str]) -> None:
    """Remove the files of a device, the key file last: by it the others are known."""
    for name in sorted(names, key=lambda name: name.startswith(f"{KEY}-")):
        carrier.remove(device, name)


def _versions(pack: Pack) -> set[tuple[int, DeviceId]]:
    return {(change.version.clock, change.version.device) for change in pack.changes}
