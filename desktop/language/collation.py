"""The order of words as a dictionary has it; Turkish letters have places of their own."""

import unicodedata

from desktop.domain.language import Language
from desktop.language.normalization import folded_key

_ALPHABET = "abcçdefgğhıijklmnoöpqrsştuüvwxyz"
_FIRST = 0x100  # Above what stays as it is: spaces and digits


class _Places(dict[int, str]):
    """Caches the place of a character on first use."""

    def __missing__(self, code: int) -> str:
        self[code] = place = _place_of(chr(code))
        return place


def _place_of(letter: str) -> str:
    for form in (letter, unicodedata.normalize("NFD", letter)[0]):
        if form in _ALPHABET:
            return chr(_FIRST + _ALPHABET.index(form))
    if letter.isspace() or letter.isdecimal():
        return letter
    return chr(_FIRST + len(_ALPHABET) + ord(letter)) if letter.isalpha() else ""


_PLACES = _Places()


def sort_key(text: str, language: Language) -> str:
    """Return what sorts texts by their letters and digits, capitals or not, in a language.

    In English, accents do not count.
    """
    if language is not Language.TR:
        return folded_key(text)
    lowered = unicodedata.normalize("NFC", text).replace("I", "ı").replace("İ", "i").lower()
    return lowered.translate(_PLACES)
