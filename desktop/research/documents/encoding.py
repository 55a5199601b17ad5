"""Decodes text files: by byte order mark, declared charset, or the most plausible reading."""

import codecs
import re

from desktop.domain.errors import DocumentDamagedError

_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_DECLARED = re.compile(rb"(?:charset|encoding)\s*=\s*[\"']?\s*([\w.:-]{2,40})", re.IGNORECASE)
_LOOKED_AT = 4096
_WEIGHED = 65_536
_TURKISH, _WESTERN = "cp1254", "cp1252"
"""Of Windows; where the two differ, the first has the letters of Turkish."""
_OF_OLD = (_TURKISH, "cp857", "mac_turkish")
"""Of Windows, of DOS, of old Macs: of two that read alike, the first."""
_MEANT = {
    "iso8859-1": _WESTERN,
    "latin-1": _WESTERN,
    "ascii": _WESTERN,
    "iso8859-9": _TURKISH,
}
"""What browsers take these names for, and so what those who write them mean."""
_NOT_OF_PAGES = frozenset({"idna", "punycode", "unicode-escape", "raw-unicode-escape", "utf-7"})
_OF_SEVEN_BITS = ("iso2022", "hz")
"""Japanese and Chinese letters that would read as signs of ASCII."""
_ACCENTED = frozenset("çğıöşüÇĞİÖŞÜâîûÂÎÛéè")
_TURKISH_WORDS = frozenset(["ve", "bir", "bu", "için", "olan", "ile", "da", "de", "çok", "daha"])
_TAKEN_FOR_OTHERS = frozenset("ýþðÝÞÐ")
"""What Turkish letters are in a Western reading."""
_LEAST_TURKISH_WORDS = 2
_LEAST_SHARED = 0.5
_BROKEN = 0.1
"""Of the letters beyond ASCII, so many may be damaged in what is UTF-8 all the same."""
_CONTROLS = bytes([*range(0x09), *range(0x0E, 0x20)])
_FEW = 0.005
_MOST = 0.9
"""Of what holds Latin letters two bytes each, and nothing else."""


def decode_text(data: bytes, declared: str = "") -> str:
    """`declared`: what a site said of it. Raises DocumentDamagedError for what is no text."""
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            return data[len(mark) :].decode(encoding, "replace")
    if b"\0" in data[:_LOOKED_AT]:
        sample = data[:_WEIGHED]
        if len(sample) - len(sample.translate(None, _CONTROLS)) > _FEW * len(sample):
            return _of_two_bytes(data)
        data = data.replace(b"\0", b"")
    found = _DECLARED.search(data[:_LOOKED_AT])
    named = _known(declared) or (_known(found[1].decode("ascii")) if found else "")
    if named.startswith(_OF_SEVEN_BITS):
        return data.decode(named, "replace")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return _of_one_byte(data, named)


def _of_two_bytes(data: bytes) -> str:
    """UTF-16 whose mark is missing."""
    for encoding in ("utf-16-le", "utf-16-be"):
        text = data[: len(data) & ~1].decode(encoding, "replace")
        sample = text[:_LOOKED_AT]
        if sum(map(_is_latin, sample)) >= _MOST * len(sample):
            return text
    raise DocumentDamagedError


def _is_latin(one: str) -> bool:
    """Whether it is a Latin letter, or a mark between such letters."""
    return one in "\t\r\n\f" or (
        one.isprintable() and (one < "\u0250" or "\u2010" <= one <= "\u20ac")
    )


def _of_one_byte(data: bytes, declared: str) -> str:
    sample = data[:_WEIGHED]
    whole = data.decode("utf-8", "replace")
    if whole.count("\ufffd") <= _BROKEN * sum(one > "\x7f" for one in whole):
        return whole  # UTF-8 that was damaged, or cut
    if declared and not (declared == _WESTERN and _is_turkish(sample)):
        text = data.decode(declared, "replace")
        if "\ufffd" not in text[:_WEIGHED]:
            return text
    best = max(_OF_OLD, key=lambda encoding: _plausibility(sample.decode(encoding, "replace")))
    letters = [one for one in sample.decode(best, "replace") if one.isalpha()]
    if sum(one.isascii() for one in letters) < _LEAST_SHARED * len(letters):
        best = _of_another_script(sample) or best
    return data.decode(best, "replace")


def _of_another_script(sample: bytes) -> str:
    """Cyrillic, Greek, Arabic, the letters of East Asia; empty where nothing tells which."""
    from charset_normalizer import from_bytes  # noqa: PLC0415 - few texts need it

    # Not in the middle of a letter.
    found = from_bytes(sample.rpartition(b"\n")[0] or sample).best()
    return found.encoding if found else ""


def _is_turkish(sample: bytes) -> bool:
    """Whether a page that says it is in a Western encoding has the letters of Turkish."""
    if _TAKEN_FOR_OTHERS.isdisjoint(sample.decode(_WESTERN, "replace")):
        return False
    words = sample.decode(_TURKISH, "replace").lower().split()
    return sum(word in _TURKISH_WORDS for word in words) >= _LEAST_TURKISH_WORDS


def _plausibility(text: str) -> int:
    """How much a reading looks like words: letters of Turkish, and no signs in the middle."""
    found = 0
    for before, one, after in zip(f" {text}", text, f"{text[1:]} ", strict=False):
        if one.isascii():
            found -= 2 * (one.isupper() and before.islower() and after.islower())
        elif one in _ACCENTED:
            is_odd = one.isupper() and before.islower() and after.islower()
            found += -1 if is_odd else 1
        elif one.isalnum() or one in "’‘“”–—…\u00ad\u00a0":
            continue
        elif not one.isprintable() or (before.isalpha() and after.isalpha()):
            found -= 2
    return found


def _known(name: str) -> str:
    """Of what Python knows under such a name, only what pages are written in; else empty."""
    try:
        known = codecs.lookup(name).name if name.isascii() and name else ""
        b"a".decode(known or "utf-8")
    except (LookupError, ValueError):
        return ""
    return "" if known in _NOT_OF_PAGES else _MEANT.get(known, known)
