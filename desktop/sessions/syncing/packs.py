"""Packs and other contents as files of a carrier: compressed, encrypted, authenticated, named.

What a file is (its device, kind and number) is authenticated with it, so that nobody who has no
key can make one, change one, or put one in another's place.
"""

import hmac
import json
import secrets
import zlib
from contextlib import suppress
from dataclasses import asdict

from desktop.domain.json_values import JsonValue
from desktop.domain.sync import (
    DeviceId,
    Pack,
    SyncWrongPassphraseError,
    pack_from_json,
    pack_to_json,
)
from desktop.sessions.syncing.carrier import FILE, PACK, SNAPSHOT, FileName
from desktop.settings.encryption import Derivation, ProfileKey, is_sealed

_LEVEL = 6
_MOST_BYTES = 4 << 30  # Of a decompressed file
_SECRET, _LEAST_SALT = 48, 8
_DERIVATION_S = 0.5


class BrokenFileError(Exception):
    """Bytes that this synchronisation's key does not open, or that are not what they should be."""


class SyncKey:
    """Seals what a synchronisation carries. Any thread may use it; it does not show the key."""

    def __init__(self, secret: bytes) -> None:
        self.secret = secret
        self._key = ProfileKey(secret)

    @classmethod
    def new(cls) -> "SyncKey":
        return cls(secrets.token_bytes(_SECRET))

    def keyed(self, content: str) -> str:
        """Return 32 digits that only the owner of the key can tell from others, for a name."""
        return hmac.digest(self.secret, f"name of {content}".encode(), "sha256").hex()[:32]

    def seal(self, device: DeviceId, kind: str, what: int | str, data: bytes) -> tuple[str, bytes]:
        """Return name and bytes of a file."""
        label = FileName.of(kind, what, b"").label
        sealed = self._key.seal(data, f"{device}/{label}")
        return str(FileName.of(kind, what, sealed)), sealed

    def open(self, device: DeviceId, name: str, sealed: bytes) -> bytes:
        """Raises BrokenFileError."""
        parsed = FileName.parse(name)
        if parsed is None or not is_sealed(sealed):  # what is not sealed would stay as it is
            raise BrokenFileError(name)
        try:
            return self._key.unseal(sealed, f"{device}/{parsed.label}")
        except ValueError as exc:
            raise BrokenFileError(name) from exc


def seal_pack(key: SyncKey, pack: Pack) -> tuple[str, bytes]:
    kind = SNAPSHOT if pack.is_snapshot else PACK
    return seal_json(key, pack.device, kind, pack.number, pack_to_json(pack))


def open_pack(key: SyncKey, device: DeviceId, name: str, sealed: bytes) -> Pack:
    """Raises BrokenFileError."""
    try:
        pack = pack_from_json(open_json(key, device, name, sealed))
    except (ValueError, TypeError) as exc:
        raise BrokenFileError(name) from exc
    label = FileName.of(SNAPSHOT if pack.is_snapshot else PACK, pack.number, b"").label
    if pack.device != device or not name.startswith(f"{label}-"):
        raise BrokenFileError(name)
    return pack


def seal_json(
    key: SyncKey, device: DeviceId, kind: str, number: int, value: JsonValue
) -> tuple[str, bytes]:
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    packed = zlib.compress(text.encode("utf-8", "surrogatepass"), _LEVEL)
    return key.seal(device, kind, number, packed)


def open_json(key: SyncKey, device: DeviceId, name: str, sealed: bytes) -> JsonValue:
    """Raises BrokenFileError."""
    packed = key.open(device, name, sealed)
    try:
        reader = zlib.decompressobj()
        text = reader.decompress(packed, _MOST_BYTES)
        if not reader.eof:
            raise BrokenFileError(name)
        value: JsonValue = json.loads(text.decode("utf-8", "surrogatepass"))
    except (zlib.error, ValueError, RecursionError) as exc:
        raise BrokenFileError(name) from exc
    return value


def seal_file(key: SyncKey, device: DeviceId, name: str, data: bytes) -> tuple[str, bytes]:
    """`name`: under which the profile stores it: the hash of the content, and an ending."""
    head = name.encode()
    content = bytes([len(head)]) + head + data
    return key.seal(device, FILE, key.keyed(name.partition(".")[0]), content)


def open_file(key: SyncKey, device: DeviceId, name: str, sealed: bytes) -> tuple[str, bytes]:
    """Return the stored name and the bytes. Raises BrokenFileError."""
    content = key.open(device, name, sealed)
    end = 1 + (content[0] if content else 0)
    try:
        return content[1:end].decode(), content[end:]
    except UnicodeDecodeError as exc:
        raise BrokenFileError(name) from exc


def lock_key(key: SyncKey, passphrase: str, *, seconds: float = _DERIVATION_S) -> bytes:
    """Return the content of a key file, which the passphrase opens; takes about as long."""
    derivation = Derivation.calibrated(seconds)
    under = ProfileKey(derivation.key(passphrase))
    sealed = under.seal(key.secret, "key of a synchronisation").hex()
    return json.dumps({"derivation": asdict(derivation), "key": sealed}).encode()


def unlock_key(content: bytes, passphrase: str) -> SyncKey:
    """Raises SyncWrongPassphraseError, BrokenFileError; takes as long as locking took."""
    derivation, sealed = _read_key_file(content)
    try:
        secret = ProfileKey(derivation.key(passphrase)).unseal(sealed, "key of a synchronisation")
    except ValueError as exc:
        raise SyncWrongPassphraseError from exc
    if len(secret) != _SECRET:
        raise BrokenFileError
    return SyncKey(secret)


def is_key_file(content: bytes) -> bool:
    with suppress(BrokenFileError):
        _read_key_file(content)
        return True
    return False


def _read_key_file(content: bytes) -> tuple[Derivation, bytes]:
    try:
        fields = json.loads(content)
        derivation = Derivation(**fields["derivation"])
        derivation.check()
        salt, sealed = bytes.fromhex(derivation.salt), bytes.fromhex(fields["key"])
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as exc:
        raise BrokenFileError from exc
    if not is_sealed(sealed) or len(salt) < _LEAST_SALT:
        raise BrokenFileError
    return derivation, sealed
