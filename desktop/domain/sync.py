"""What travels between the devices of one profile: changes in packs, and what needs a choice."""

import time
from collections.abc import Mapping, Sequence
from datetime import datetime
from enum import StrEnum
from typing import Any, NamedTuple, NewType

from desktop.domain.errors import AppError, WrongPassphraseError
from desktop.domain.frozen import dataclass
from desktop.domain.json_values import JsonValue

DeviceId = NewType("DeviceId", str)
"""32 hexadecimal digits, drawn at random when a device is set up."""

COUNTER_BITS = 16


class Version(NamedTuple):
    """When a value was changed, and where; versions are ordered on all devices alike."""

    clock: int
    """Hybrid logical time: milliseconds since 1970, shifted by COUNTER_BITS, and a counter."""
    device: DeviceId


def next_clock(last: int, *, now_ms: int | None = None) -> int:
    """Return a clock above `last`, near the wall clock unless that is behind."""
    milliseconds = int(time.time() * 1000) if now_ms is None else now_ms
    return max(last + 1, milliseconds << COUNTER_BITS)


@dataclass(frozen=True, slots=True)
class EntityChange:
    """What a device changed of one entity: a session, a message, a fact."""

    kind: str
    id: str
    fields: Mapping[str, JsonValue]
    """Only what was changed; everything if the entity is new; nothing of a deletion."""
    bases: Mapping[str, Version]
    """For each field, the version that the device knew before; absent if it is new."""
    version: Version
    is_deletion: bool = False


@dataclass(frozen=True, slots=True)
class Pack:
    """Changes of one device since its last pack; or, as a snapshot, all that it has."""

    device: DeviceId
    number: int  # From 1
    seen: Mapping[DeviceId, int]
    """The highest number of each other device that it had received."""
    schema: int
    changes: Sequence[EntityChange]
    is_snapshot: bool = False


def pack_to_json(pack: Pack) -> JsonValue:
    return {
        "device": pack.device,
        "number": pack.number,
        "seen": {str(device): number for device, number in pack.seen.items()},
        "schema": pack.schema,
        "snapshot": pack.is_snapshot,
        "changes": [
            [c.kind, c.id, dict(c.fields), dict(c.bases), c.version, c.is_deletion]
            for c in pack.changes
        ],
    }


def pack_from_json(value: Any) -> Pack:
    """Read what `pack_to_json` made, in its form; raises ValueError if it has another."""
    match value:
        case {
            "device": str(device),
            "number": int(number),
            "seen": dict(seen),
            "schema": int(schema),
            "snapshot": bool(is_snapshot),
            "changes": list(changes),
        } if all(type(highest) is int for highest in seen.values()):
            return Pack(
                device=DeviceId(device),
                number=number,
                seen={DeviceId(other): highest for other, highest in seen.items()},
                schema=schema,
                changes=[_change_from_json(change) for change in changes],
                is_snapshot=is_snapshot,
            )
        case _:
            raise ValueError("not a pack")


def _change_from_json(value: Any) -> EntityChange:
    match value:
        case [str(kind), str(id_), dict(fields), dict(bases), version, bool(is_deletion)]:
            known = {name: version_from_json(base) for name, base in bases.items()}
            return EntityChange(
                kind, id_, fields, known, version_from_json(version), is_deletion=is_deletion
            )
        case _:
            raise ValueError("not a change")


def version_from_json(value: Any) -> Version:
    match value:
        case [int(clock), str(device)]:
            return Version(clock, DeviceId(device))
        case _:
            raise ValueError("not a version")


class SyncPhase(StrEnum):
    """What a run does, in this order."""

    RECEIVING = "receiving"
    SENDING = "sending"
    FILES = "files"
    COMPARING = "comparing"


@dataclass(frozen=True, slots=True)
class SyncProgress:
    """How far a run is."""

    phase: SyncPhase
    received: int
    """Changes of other devices."""
    files: int
    """Pictures and copies of documents, received and sent."""


class Choice(StrEnum):
    """What the user decides about a conflict."""

    HERE = "here"
    THERE = "there"
    BOTH = "both"


@dataclass(frozen=True, slots=True)
class Conflict:
    """A field that two devices changed without knowing of each other: both values are kept."""

    id: int
    kind: str
    target: str  # The id of the entity
    name: str
    """What the user knows it by: a title, the beginning of a text; may be empty."""
    field: str
    """Empty: one device deleted what the other changed; a deletion's value is None."""
    here: JsonValue
    """What is in force."""
    there: JsonValue
    """What was kept aside."""
    device: DeviceId
    """The device that the value of `there` comes from."""
    at: datetime


@dataclass(frozen=True, slots=True)
class Merged:
    """What receiving a pack changed here."""

    changes: int = 0
    conflicts: int = 0
    deletions: int = 0
    """After which files that nothing names any more can be swept."""
    is_newer: bool = False
    """It comes from a newer version of this program; it waits."""
    is_waiting: bool = False
    """It needs packs that have not arrived: nothing was changed."""
    is_known: bool = False
    """It had been received before: nothing was changed."""


@dataclass(frozen=True, slots=True)
class DeviceState:
    id: DeviceId
    name: str
    last_seen: datetime | None
    received: Mapping[DeviceId, int]
    """The highest number that it has received of each other device."""
    waiting: int
    """Packs of it that were not received here."""


class SyncError(AppError):
    """The devices of a profile could not be brought together."""


class CarrierGoneError(SyncError):
    """`where`: the folder or server that cannot be reached."""


class CarrierEmptyError(CarrierGoneError):
    """`where`: the folder or server in which nothing of the synchronisation is left."""


class CarrierFullError(SyncError):
    """`where`: the folder or server that has no space left."""


class CarrierReadOnlyError(SyncError):
    """`where`: the folder or server that accepts nothing."""


class SyncAddressError(SyncError):
    """What was written is no address of a PostgreSQL server, or weakens the connection."""


class SyncClientMissingError(SyncError):
    """The extra `sync` is not installed."""


class SyncPasswordError(SyncError):
    """`where`: the server, which wants another password or one at all."""


class SyncUntrustedError(SyncError):
    """`where`: the server, whose certificate could not be verified, or that offers no TLS."""


class SyncSpaceClosedError(SyncError):
    """`where`, `space`: the role is no member; `statement`: SQL for the administrator."""


class SyncWallOpenError(SyncError):
    """`where`: the server, where row-level security has been taken away."""


class SyncServerFailedError(SyncError):
    """`where`, `detail`: what the server says."""


class CarrierSlowError(SyncError):
    """`where`: a file that is not on this computer yet; it is read another time."""


class SyncOffError(SyncError):
    """The profile does not synchronise."""


class SyncLocalOnlyError(SyncError):
    """`name`: a project that stays on this computer; empty if the whole profile does."""


class SyncOnError(SyncError):
    """The profile synchronises already."""


class SyncPassphraseError(SyncError):
    """No keyring holds the key."""


class SyncWrongPassphraseError(WrongPassphraseError):
    """The passphrase does not open the key of the devices; no recovery key does."""


class SyncKeyApartError(SyncPassphraseError):
    """Two devices that were set up at the same time made a key each."""


class SyncKeyBrokenError(SyncError):
    """`where`: the folder or server whose key files cannot be read."""


class DeviceUnknownError(SyncError):
    """`name`: what was given for a device."""


class ConflictUnknownError(SyncError):
    """`id`: a number."""
