"""The keys of a member of a shared project, and what is signed with them.

The project's key, which all members have, seals everything; its code has it in groups of letters
and digits that can be read aloud. A member's own key signs the index of what it shares, so that no
member can speak for another; its hash is the member's id. A new key of the project is sealed for
each member that stays.
"""

import hmac
import json
import secrets
from collections.abc import Mapping
from hashlib import sha256, sha384
from typing import Any, Self

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey

from desktop.domain.frozen import dataclass
from desktop.domain.json_values import JsonValue
from desktop.domain.sharing import (
    Digest,
    ItemKind,
    MemberId,
    MemberShare,
    MemberState,
    SharedItem,
    SharingCodeError,
)
from desktop.sessions.syncing.packs import BrokenFileError, SyncKey
from desktop.settings.encryption import ProfileKey, is_sealed
from desktop.settings.messages import Texts

SECRET_BYTES = 16
_LETTERS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"  # Crockford's: none looks like another
_MISREAD = str.maketrans("OILU", "011V")
_BITS, _CHECK_BITS = 5, 12
_LENGTH, _GROUP = (SECRET_BYTES * 8 + _CHECK_BITS) // _BITS, 4


def new_secret() -> bytes:
    return secrets.token_bytes(SECRET_BYTES)


def describe_member(member: MemberShare, texts: Texts) -> list[str]:
    """Return how much a member has added, if anything, and its part in the project."""
    is_so = {
        "you": member.is_self,
        "founder": member.is_founder,
        f"has_{member.state}": member.state is not MemberState.ACTIVE,
    }
    added = {kind.value: member.counts.get(kind, 0) for kind in ItemKind}
    parts = [texts.say(f"sharing.{part}") for part, holds in is_so.items() if holds]
    return [*texts.contents(added), *parts]


def code_of(secret: bytes) -> str:
    """Return seven groups of four characters; the last ones check the others."""
    number = int.from_bytes(secret, "big") << _CHECK_BITS | _check(secret)
    letters = "".join(_LETTERS[number >> _BITS * place & 31] for place in reversed(range(_LENGTH)))
    return "-".join(letters[at : at + _GROUP] for at in range(0, _LENGTH, _GROUP))


def secret_of(code: str) -> bytes:
    """Return the key of a code, however it is spaced; raises SharingCodeError."""
    letters = "".join(filter(str.isalnum, code)).upper().translate(_MISREAD)
    if len(letters) != _LENGTH or not set(letters) <= set(_LETTERS):
        raise SharingCodeError
    number = 0
    for letter in letters:
        number = number << _BITS | _LETTERS.index(letter)
    secret = (number >> _CHECK_BITS).to_bytes(SECRET_BYTES, "big")
    if number & (1 << _CHECK_BITS) - 1 != _check(secret):
        raise SharingCodeError
    return secret


def _check(secret: bytes) -> int:
    return int.from_bytes(sha256(secret).digest()[:2], "big") >> 16 - _CHECK_BITS


_ID_DIGITS = 32
_KEY_DIGITS = 64
_SEALED_AS = "new key of a shared project"
_LONGEST_NAME, _LONGEST_ID = 100, 200
_MOST_ITEMS = 1_000_000
_VERSION = 1
"""Of the index."""


class ProjectKey(SyncKey):
    """The key that all members of a shared project have."""

    def __init__(self, secret: bytes) -> None:
        """`secret`: what the code says."""
        super().__init__(sha384(b"bellek shared project\0" + secret).digest())

    @property
    def space(self) -> str:
        """The name of the place in a folder or server: another one for each key."""
        return f"bellek-{self.keyed('space')}"


class Identity:
    """The keys of this member; it does not show them. Any thread may use it."""

    def __init__(self, signing: bytes, opening: bytes) -> None:
        self._signing = Ed25519PrivateKey.from_private_bytes(signing)
        self._opening = X25519PrivateKey.from_private_bytes(opening)
        self.signs = self._signing.public_key().public_bytes_raw().hex()
        self.opens = self._opening.public_key().public_bytes_raw().hex()

    @classmethod
    def new(cls) -> Self:
        signing, opening = Ed25519PrivateKey.generate(), X25519PrivateKey.generate()
        return cls(signing.private_bytes_raw(), opening.private_bytes_raw())

    def private(self) -> list[str]:
        """Return what the keyring keeps: the arguments of the constructor, in hexadecimal."""
        keys = (self._signing.private_bytes_raw(), self._opening.private_bytes_raw())
        return [key.hex() for key in keys]

    @property
    def id(self) -> MemberId:
        return _id_of(self.signs)

    def sign(self, space: str, body: Mapping[str, JsonValue]) -> JsonValue:
        text = json.dumps(body, ensure_ascii=False, separators=(",", ":"))
        signature = self._signing.sign(_signed(space, text)).hex()
        return {"by": self.signs, "body": text, "signature": signature}

    def unwrap(self, wrapped: str) -> bytes:
        """Return a key that was sealed for this member. Raises ValueError."""
        data = bytes.fromhex(wrapped)
        sender, sealed = data[: SECRET_BYTES * 2], data[SECRET_BYTES * 2 :]
        shared = self._opening.exchange(X25519PublicKey.from_public_bytes(sender))
        if not is_sealed(sealed):
            raise ValueError("not sealed")
        secret = _wrapping(shared, sender, bytes.fromhex(self.opens)).unseal(sealed, _SEALED_AS)
        if len(secret) != SECRET_BYTES:
            raise ValueError("not a key")
        return secret


def wrap(secret: bytes, opens: str) -> str:
    """Seal a key of the project for the member with this public key."""
    receiver, once = bytes.fromhex(opens), X25519PrivateKey.generate()
    sender = once.public_key().public_bytes_raw()
    shared = once.exchange(X25519PublicKey.from_public_bytes(receiver))
    return (sender + _wrapping(shared, sender, receiver).seal(secret, _SEALED_AS)).hex()


def _wrapping(shared: bytes, sender: bytes, receiver: bytes) -> ProfileKey:
    return ProfileKey(sha384(b"bellek wrapping\0" + shared + sender + receiver).digest())


def _id_of(signs: str) -> MemberId:
    return MemberId(sha256(bytes.fromhex(signs)).hexdigest()[:_ID_DIGITS])


def _signed(space: str, text: str) -> bytes:
    return f"bellek shared project\0{space}\0{text}".encode("utf-8", "surrogatepass")


def verified(space: str, member: MemberId, value: JsonValue) -> dict[str, Any]:
    """Return what a member signed; raises BrokenFileError if another one did, or nobody."""
    match value:
        case {"by": str(signs), "body": str(text), "signature": str(signature)}:
            try:
                if not hmac.compare_digest(_id_of(signs), member):
                    raise BrokenFileError(member)
                key = Ed25519PublicKey.from_public_bytes(bytes.fromhex(signs))
                key.verify(bytes.fromhex(signature), _signed(space, text))
                body = json.loads(text)
            except (InvalidSignature, ValueError, RecursionError) as exc:
                raise BrokenFileError(member) from exc
            if isinstance(body, dict):
                return body
        case _:
            pass
    raise BrokenFileError(member)


class NewerIndexError(BrokenFileError):
    """An index that a newer version of this program wrote."""


@dataclass(frozen=True, slots=True)
class ShareIndex:
    """What a member says of itself, and what it shares now."""

    number: int
    name: str
    project: str
    """The name of the project, for those who join."""
    opens: str
    """The public key with which something is sealed for this member, in hexadecimal."""
    founder: MemberId
    """Who began to share, as far as the member knows."""
    items: tuple[SharedItem, ...] = ()
    has_left: bool = False

    def to_json(self) -> dict[str, JsonValue]:
        return {
            "version": _VERSION,
            "number": self.number,
            "name": self.name,
            "project": self.project,
            "opens": self.opens,
            "founder": self.founder,
            "items": [[item.kind.value, item.id, item.digest] for item in self.items],
            "left": self.has_left,
        }

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> Self:
        """Raises BrokenFileError; NewerIndexError, also of a kind of item that is not known."""
        match value:
            case {"version": int(version)} if version > _VERSION:
                raise NewerIndexError("index")
            case {
                "version": 1,
                "number": int(number),
                "name": str(name),
                "project": str(project),
                "opens": str(opens),
                "founder": str(founder),
                "items": list(items),
                "left": bool(has_left),
            } if len(items) <= _MOST_ITEMS and len(opens) == _KEY_DIGITS:
                return cls(
                    number=number,
                    name=one_line(name),
                    project=one_line(project),
                    opens=opens,
                    founder=MemberId(founder),
                    items=tuple(map(_item, items)),
                    has_left=has_left,
                )
        raise BrokenFileError("index")


def one_line(name: str) -> str:
    return " ".join("".join(filter(str.isprintable, name)).split())[:_LONGEST_NAME]


def _item(value: object) -> SharedItem:
    match value:
        case [str(kind), str(), str()] if kind not in list(ItemKind):
            raise NewerIndexError("item")
        case [str(kind), str(id_), str(digest)] if 0 < len(id_) <= _LONGEST_ID:
            return SharedItem(id_, ItemKind(kind), Digest(digest))
        case _:
            raise BrokenFileError("item")
