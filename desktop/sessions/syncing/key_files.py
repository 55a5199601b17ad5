"""The key files of a carrier: the key of all devices, locked by the passphrase.

Each device writes one, a copy of the first. Two devices that were set up before they saw each
other have made two keys: one of them is in force, and who has the other changes over.
"""

from collections import Counter
from collections.abc import Iterable
from contextlib import suppress

from desktop.domain.sync import DeviceId, SyncKeyBrokenError
from desktop.sessions.syncing.carrier import KEY, Carrier, FileName
from desktop.sessions.syncing.packs import (
    BrokenFileError,
    SyncKey,
    is_key_file,
    lock_key,
    unlock_key,
)


def read_key_files(carrier: Carrier) -> dict[DeviceId, bytes]:
    """Return those that are whole."""
    contents: dict[DeviceId, bytes] = {}
    for device in carrier.devices():
        for name in carrier.names(device):
            if name.startswith(f"{KEY}-"):
                with suppress(FileNotFoundError):
                    content = carrier.read(device, name)
                    if is_key_file(content):
                        contents[device] = content
    return contents


def key_file_in_force(contents: Iterable[bytes]) -> bytes | None:
    """Return the one that most devices have, the same on all devices; None if there is none."""
    counts = Counter(contents)
    return min(counts, key=lambda content: (-counts[content], content), default=None)


def write_key_file(carrier: Carrier, device: DeviceId, content: bytes) -> None:
    carrier.write(device, str(FileName.of(KEY, 1, content)), content)


def join(carrier: Carrier, address: str, passphrase: str) -> tuple[SyncKey, bytes]:
    """Return the key and its file, a new one on the first device.

    Raises WrongPassphraseError, SyncKeyBrokenError.
    """
    if content := key_file_in_force(read_key_files(carrier).values()):
        return opened(content, address, passphrase), content
    if any(carrier.names(device) for device in carrier.devices()):
        raise SyncKeyBrokenError(where=address)
    key = SyncKey.new()
    return key, lock_key(key, passphrase)


def opened(content: bytes, address: str, passphrase: str) -> SyncKey:
    """Raises WrongPassphraseError, SyncKeyBrokenError."""
    try:
        return unlock_key(content, passphrase)
    except BrokenFileError as exc:
        raise SyncKeyBrokenError(where=address) from exc
