"""Codes of shared projects: the key in groups of letters and digits that can be read aloud."""

import secrets
from hashlib import sha256

from desktop.domain.sharing import SharingCodeError

SECRET_BYTES = 16
_LETTERS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"  # Crockford's: none looks like another
_MISREAD = str.maketrans("OILU", "011V")
_BITS, _CHECK_BITS = 5, 12
_LENGTH, _GROUP = (SECRET_BYTES * 8 + _CHECK_BITS) // _BITS, 4


def new_secret() -> bytes:
    return secrets.token_bytes(SECRET_BYTES)


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
