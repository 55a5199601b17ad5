"""The key of an encrypted profile: a random data key, sealed under what the user knows.

There are two copies of the key file in the profile's folder; if one is damaged the other is used.
The passphrase's key is derived by Argon2id; the recovery key is random. Neither is stored, and
changing them changes neither the data key nor any encrypted byte.

Imported only for encrypted profiles (`ProfilePaths.is_encrypted`).
"""

import hmac
import json
import secrets
from base64 import b32encode, b64decode, b64encode
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from hashlib import sha256
from pathlib import Path
from time import perf_counter
from typing import Any, Self
from unicodedata import normalize

from argon2.low_level import Type, hash_secret_raw
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from desktop.domain.endpoints import EndpointId
from desktop.domain.errors import (
    DiskFullError,
    FileNotWrittenError,
    FileUnreadableError,
    KeyFileDamagedError,
    WrongPassphraseError,
)
from desktop.settings.file_writing import raising_not_written, write_beside
from desktop.settings.keys import Kept, KeyStore
from desktop.settings.paths import KEY_FILES, make_private_folder

MAGIC = b"BELLEK sealed 1\n"  # What a sealed file begins with
_KEY, _SALT, _NONCE, _TAG = 32, 16, 12, 16
_PART = 1 << 20
_VERSION = 1
_LEAST_KIB, _MOST_KIB = 64 << 10, 4 << 20
_MOST_PASSES, _MOST_LANES = 1_000, 64
_DERIVATION_S = 0.5
_RECOVERY_BYTES, _RECOVERY_LETTERS, _GROUP = 20, 32, 4
_MISREAD = str.maketrans("018", "OIB")


class ProfileKey:
    """Reads and writes an encrypted profile. Any thread may use it; it does not show the key."""

    __slots__ = ("_files", "pragma", "secret")

    def __init__(self, secret: bytes) -> None:
        """`secret`: the data key, followed by the salt of the database."""
        self.secret = secret
        self._files = self._derived("files")
        self.pragma = f"x'{self._derived('database').hex()}{secret[_KEY:].hex()}'"
        """For `PRAGMA key`: with the salt, so that the one in the file is never needed."""

    def seal(self, data: bytes, name: str) -> bytes:
        """Return the bytes encrypted; only the same `name` opens them."""
        salt = secrets.token_bytes(_SALT)
        cipher = AESGCM(hmac.digest(self._files, salt, "sha256"))
        starts = range(0, max(len(data), 1), _PART)
        parts = (
            cipher.encrypt(
                _nonce(number, start == starts[-1]), data[start : start + _PART], _aad(name)
            )
            for number, start in enumerate(starts)
        )
        return b"".join((MAGIC, salt, *parts))

    def unseal(self, data: bytes, name: str) -> bytes:
        """Return the decrypted bytes; bytes that are not sealed stay as is. Raises ValueError."""
        if not is_sealed(data):
            return data
        at = len(MAGIC) + _SALT
        cipher = AESGCM(hmac.digest(self._files, data[len(MAGIC) : at], "sha256"))
        starts = range(at, max(len(data), at + 1), _PART + _TAG)
        try:
            return b"".join(
                cipher.decrypt(
                    _nonce(number, start == starts[-1]),
                    data[start : start + _PART + _TAG],
                    _aad(name),
                )
                for number, start in enumerate(starts)
            )
        except InvalidTag as exc:
            raise ValueError(name) from exc

    def proof(self, of: str) -> str:
        """Return a proof that only the owner of the key can make."""
        return self._derived(f"proof of {of}").hex()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ProfileKey) and hmac.compare_digest(self.secret, other.secret)

    __hash__ = None  # type: ignore[assignment]

    def _derived(self, purpose: str) -> bytes:
        return hmac.digest(self.secret[:_KEY], purpose.encode(), "sha256")


def is_sealed(data: bytes) -> bool:
    return data.startswith(MAGIC)


def _nonce(number: int, is_last: bool) -> bytes:  # noqa: FBT001 - the last part says so
    return number.to_bytes(_NONCE - 1, "big") + bytes([is_last])


def _aad(name: str) -> bytes:
    return name.encode("utf-8", "surrogateescape")


@dataclass(frozen=True, slots=True)
class Derivation:
    """How Argon2id derives a key from a passphrase."""

    salt: str
    kib: int = _LEAST_KIB
    passes: int = 3
    lanes: int = 4

    def key(self, passphrase: str) -> bytes:
        return hash_secret_raw(
            # Different keyboards write the same letters in different ways.
            normalize("NFC", passphrase).encode("utf-8", "surrogatepass"),
            bytes.fromhex(self.salt),
            time_cost=self.passes,
            memory_cost=self.kib,
            parallelism=self.lanes,
            hash_len=_KEY,
            type=Type.ID,
        )

    @classmethod
    def calibrated(cls, seconds: float) -> Self:
        """Return one that takes about this long on this computer, never weaker than is safe."""
        salt = secrets.token_hex(_SALT)
        began = perf_counter()
        cls(salt, passes=1).key("")
        passes = round(seconds / (perf_counter() - began))
        return cls(salt, passes=min(max(passes, 3), _MOST_PASSES))

    def check(self) -> None:
        """Raise ValueError for figures that this program never writes."""
        fits = _LEAST_KIB <= self.kib <= _MOST_KIB and 1 <= self.passes <= _MOST_PASSES
        if not (fits and 1 <= self.lanes <= _MOST_LANES):
            raise ValueError


@dataclass(frozen=True, slots=True)
class _Stored:
    """The content of a key file."""

    id: str
    derivation: Derivation
    passphrase: str
    recovery: str
    proof: str
    turning_off: str = ""  # A proof that the user, and nobody else, wants the profile decrypted
    is_in_keyring: bool = False
    is_converted: bool = False  # Whether no part of the profile is plain any more
    version: int = _VERSION

    def to_bytes(self) -> bytes:
        text = json.dumps(asdict(self), sort_keys=True)
        return json.dumps({"key": text, "sha256": sha256(text.encode()).hexdigest()}).encode()

    @classmethod
    def from_bytes(cls, data: bytes) -> Self:
        """Parse the bytes. Raises ValueError if a byte was changed."""
        try:
            whole = json.loads(data)
            text = whole["key"]
            if sha256(text.encode()).hexdigest() != whole["sha256"]:
                raise ValueError
            fields: dict[str, Any] = json.loads(text)
            derivation = Derivation(**fields.pop("derivation"))
            derivation.check()
            return cls(derivation=derivation, **fields)
        except (KeyError, TypeError, AttributeError, RecursionError) as exc:
            raise ValueError from exc


class KeyFile:
    """The key file in a folder, or (`beside`) next to a backup. Not for the window's thread.

    Methods raise KeyFileDamagedError if all copies are damaged, FileUnreadableError,
    FileNotWrittenError.
    """

    def __init__(self, *places: Path) -> None:
        self.places = places

    @classmethod
    def of_profile(cls, folder: Path) -> Self:
        return cls(*(folder / name for name in KEY_FILES))

    @classmethod
    def of_backup(cls, backup: Path) -> Self:
        return cls(backup.with_name(f"{backup.name}.key"))

    def exists(self) -> bool:
        return any(place.exists() for place in self.places)

    def create(self, passphrase: str, *, seconds: float = _DERIVATION_S) -> tuple[ProfileKey, str]:
        """Return a new key and the recovery key to be printed; nothing is encrypted yet."""
        key = ProfileKey(secrets.token_bytes(_KEY + _SALT))
        recovery = _new_recovery()
        derivation = Derivation.calibrated(seconds)
        self._write(
            _Stored(
                secrets.token_hex(8),
                derivation,
                _sealed(key, derivation.key(passphrase)),
                _sealed(key, _recovery_key(recovery)),
                key.proof("key"),
            )
        )
        return key, recovery

    def unlock(self, passphrase: str) -> ProfileKey:
        """Return the key for the passphrase or the recovery key. Raises WrongPassphraseError."""
        stored = self._read()
        if len(spoken := _letters(passphrase)) == _RECOVERY_LETTERS:
            with suppress(WrongPassphraseError):
                return _opened(stored.recovery, _recovery_key(spoken))
        return _opened(stored.passphrase, stored.derivation.key(passphrase))

    def accepts(self, key: ProfileKey) -> bool:
        return hmac.compare_digest(self._read().proof, key.proof("key"))

    def is_opened_by(self, key: ProfileKey | None) -> bool:
        """Whether the backup beside it needs no passphrase: it is plain, or has this key."""
        return not self.exists() or (key is not None and self.accepts(key))

    def change(self, key: ProfileKey, passphrase: str, *, seconds: float = _DERIVATION_S) -> None:
        """Replace the passphrase that opens the same key."""
        derivation = Derivation.calibrated(seconds)
        self._change(derivation=derivation, passphrase=_sealed(key, derivation.key(passphrase)))
        self._renew_beside_backups(key)

    def renew_recovery(self, key: ProfileKey) -> str:
        """Return a new recovery key; the earlier one opens nothing any more."""
        recovery = _new_recovery()
        self._change(recovery=_sealed(key, _recovery_key(recovery)))
        self._renew_beside_backups(key)
        return recovery

    def turn_off(self, key: ProfileKey, *, is_wanted: bool = True) -> None:
        """Mark the profile as one to be decrypted; call `remove` once that is done."""
        mark = key.proof("turning off") if is_wanted else ""
        self._change(turning_off=mark, is_converted=False)

    def is_turning_off(self, key: ProfileKey) -> bool:
        return hmac.compare_digest(self._read().turning_off, key.proof("turning off"))

    def is_converted(self) -> bool:
        return self._read().is_converted

    def set_converted(self) -> None:
        self._change(is_converted=True)

    def remove(self) -> None:
        for place in reversed(self.places):
            with raising_not_written(place):
                place.unlink(missing_ok=True)

    def copy_to(self, other: "KeyFile") -> None:
        stored = self._read()
        with suppress(ValueError, OSError):
            if all(_read(place) == stored for place in other.places):
                return
        for place in other.places:
            _write(place, stored)

    def keep(self, key: ProfileKey, keys: KeyStore) -> bool:
        """Store the key in the system's keyring; return whether it accepted it."""
        stored = self._read()
        is_kept = keys.put(_in_keyring(stored), b64encode(key.secret).decode()) is Kept.KEYRING
        self._change(is_in_keyring=is_kept)
        return is_kept

    def key_from_keyring(self, keys: KeyStore) -> ProfileKey | None:
        """Return the key from the keyring, if the user wanted it stored there."""
        stored = self._read()
        if not stored.is_in_keyring:
            return None
        with suppress(ValueError):
            key = ProfileKey(b64decode(keys.get(_in_keyring(stored)) or "", validate=True))
            return key if hmac.compare_digest(stored.proof, key.proof("key")) else None
        return None

    def is_kept(self) -> bool:
        """Whether the keyring should hold the key."""
        return self._read().is_in_keyring

    def forget(self, keys: KeyStore) -> None:
        """Remove the key from the keyring."""
        stored = self._read()
        if stored.is_in_keyring:
            keys.delete(_in_keyring(stored))
            self._change(is_in_keyring=False)

    def _renew_beside_backups(self, key: ProfileKey) -> None:
        """Let the new passphrase alone open the backups in the profile's folder."""
        for path in self.places[0].parent.glob("backups/*.key"):
            other = KeyFile(path)
            with suppress(KeyFileDamagedError):
                if other.accepts(key):
                    self.copy_to(other)

    def _change(self, **fields: Any) -> None:  # `_Stored` checks the names
        self._write(replace(self._read(), **fields))

    def _read(self) -> _Stored:
        """Read the first undamaged copy, and repair the other."""
        contents = dict[Path, _Stored | None]()
        for place in self.places:
            try:
                contents[place] = _read(place)
            except (ValueError, FileNotFoundError):
                contents[place] = None
            except OSError as exc:
                raise FileUnreadableError(path=str(place), detail=exc.strerror or "") from exc
        stored = next((content for content in contents.values() if content), None)
        if stored is None:
            raise KeyFileDamagedError(path=str(self.places[0]))
        for place in contents:
            if contents[place] != stored:
                with suppress(
                    FileNotWrittenError, DiskFullError
                ):  # tried again at the next unlocking
                    _write(place, stored)
        return stored

    def _write(self, stored: _Stored) -> None:
        for place in self.places:
            _write(place, stored)


def _in_keyring(stored: _Stored) -> EndpointId:
    return EndpointId(f"profile-{stored.id}")


def _read(place: Path) -> _Stored:
    return _Stored.from_bytes(place.read_bytes())


def _write(place: Path, stored: _Stored) -> None:
    with raising_not_written(place):
        make_private_folder(place.parent)
        with write_beside(place) as partial:
            partial.write_bytes(stored.to_bytes())


def _new_recovery() -> str:
    letters = b32encode(secrets.token_bytes(_RECOVERY_BYTES)).decode()
    return "-".join(letters[at : at + _GROUP] for at in range(0, len(letters), _GROUP))


def _letters(recovery: str) -> str:
    """Return what was copied from paper, with letters that are easily misread corrected."""
    return "".join(letter for letter in recovery.upper() if letter.isalnum()).translate(_MISREAD)


def _recovery_key(recovery: str) -> bytes:
    return hmac.digest(_letters(recovery).encode(), b"recovery", "sha256")


def _sealed(key: ProfileKey, under: bytes) -> str:
    nonce = secrets.token_bytes(_NONCE)
    return (nonce + AESGCM(under).encrypt(nonce, key.secret, None)).hex()


def _opened(sealed: str, under: bytes) -> ProfileKey:
    whole = bytes.fromhex(sealed)
    try:
        return ProfileKey(AESGCM(under).decrypt(whole[:_NONCE], whole[_NONCE:], None))
    except InvalidTag as exc:
        raise WrongPassphraseError from exc
