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
_TURKISH = "cp1254"
"""Windows in Turkish; where it differs from the Western one, it has the letters of Turkish."""
_OF_OLD = (_TURKISH, "cp857", "mac_turkish")
"""Of Windows, of DOS, of old Macs: of two that read alike, the first."""
_MEANT = {
    "iso8859-1": "cp1252",
    "latin-1": "cp1252",
    "ascii": "cp1252",
    "iso8859-9": _TURKISH,
}
"""What browsers take these names for, and so what those who write them mean."""
_NO_PAGES_OWN = frozenset({"idna", "punycode", "unicode-escape", "raw-unicode-escape", "utf-7"})
_OF_SEVEN_BITS = ("iso2022", "hz")
"""Japanese and Chinese letters that would read as signs of ASCII."""
_LETTERS_OF_IT = re.compile(
    "[çğıöşüÇĞİÖŞÜâîûÂÎÛéè](?=[a-zçğıöşü ,.;:!?'’\"\\n])|(?<=[a-z])[çğıöşü]"
)
_NOT_IN_WORDS = re.compile(
    r"(?<=[^\W\d_])[^\w\s\x21-\x7e’‘“”–—…\u00ad\u00a0](?=[^\W\d_])|[\x80-\x9f\ufffd]"
)
_MIXED_CASE = re.compile(r"(?<=[a-zçğıöşü])[A-ZÇĞİÖŞÜ](?=[a-zçğıöşü])")
_TURKISH_WORDS = re.compile(r"\b(?:ve|bir|bu|için|olan|ile|da|de|çok|daha)\b")
_TAKEN_FOR_OTHERS = re.compile("[ýþðÝÞÐ]")
"""What Turkish letters are in a Western reading."""
_LEAST_TURKISH_WORDS = 2
_LEAST_SHARED = 0.5
_BROKEN = 0.1
"""Of the letters beyond ASCII, so many may be damaged in what is UTF-8 all the same."""
_CONTROLS = re.compile(rb"[\x00-\x08\x0e-\x1f]")
_FEW = 0.005
_ORDINARY = re.compile(r"[\t\r\n\f\x20-\x7e\xa0-\u024f\u2010-\u2026€]")
_MOST = 0.9
"""Of what holds Latin letters two bytes each, and nothing else."""


def decode_text(data: bytes, declared: str = "") -> str:
    """`declared`: what a site said of it. Raises DocumentDamagedError for what is no text."""
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            return data[len(mark) :].decode(encoding, "replace")
    if b"\0" in data[:_LOOKED_AT]:
        if not _has_a_few(data):
            return _of_two_bytes(data)
        data = data.replace(b"\0", b"")
    named = _known(declared) or _declared(data)
    if named is not None and named.startswith(_OF_SEVEN_BITS):
        return _read(data, named)
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return _of_one_byte(data, named)


def _has_a_few(data: bytes) -> bool:
    """Whether what is no letter got into a text here and there."""
    strange = len(_CONTROLS.findall(data[:_WEIGHED]))
    return strange <= _FEW * len(data[:_WEIGHED])


def _of_two_bytes(data: bytes) -> str:
    """UTF-16 whose mark is missing."""
    even = data[: len(data) & ~1]
    for encoding in ("utf-16-le", "utf-16-be"):
        try:
            text = even.decode(encoding)
        except UnicodeDecodeError:
            continue
        if len(_ORDINARY.findall(text[:_LOOKED_AT])) >= _MOST * len(text[:_LOOKED_AT]):
            return text
    raise DocumentDamagedError


def _of_one_byte(data: bytes, declared: str | None) -> str:
    whole = data.decode("utf-8", "replace")
    beyond = sum(one > "\x7f" for one in whole)
    if whole.count("\ufffd") <= _BROKEN * beyond:
        return whole  # UTF-8 that was damaged, or cut
    if declared is not None:
        text = _read(data, declared)
        if "\ufffd" not in text[:_WEIGHED] and not _is_turkish_after_all(declared, data):
            return text
    best = max((_read(data, encoding) for encoding in _OF_OLD), key=_weight)
    return best if _is_latin(best) else _of_another_script(data) or best


def _is_latin(text: str) -> bool:
    """Whether most letters are those that all languages of the West share."""
    letters = [one for one in text[:_WEIGHED] if one.isalpha()]
    return sum(one.isascii() for one in letters) >= _LEAST_SHARED * len(letters)


def _of_another_script(data: bytes) -> str | None:
    """Cyrillic, Greek, Arabic, the letters of East Asia; None where nothing tells which."""
    from charset_normalizer import from_bytes  # noqa: PLC0415 - few texts need it

    # Not in the middle of a letter.
    looked_at = data[:_WEIGHED].rpartition(b"\n")[0] or data[:_WEIGHED]
    found = from_bytes(looked_at).best()
    return _read(data, found.encoding) if found else None


def _is_turkish_after_all(declared: str, data: bytes) -> bool:
    """Whether a page that says it is in a Western encoding has the letters of Turkish."""
    if declared != "cp1252" or not _TAKEN_FOR_OTHERS.search(_read(data[:_WEIGHED], declared)):
        return False
    text = _read(data[:_WEIGHED], _TURKISH).lower()
    return len(_TURKISH_WORDS.findall(text)) >= _LEAST_TURKISH_WORDS


def _weight(text: str) -> int:
    """How much a reading looks like words: letters of Turkish, and no signs in the middle."""
    looked_at = text[:_WEIGHED]
    broken = len(_NOT_IN_WORDS.findall(looked_at)) + len(_MIXED_CASE.findall(looked_at))
    return len(_LETTERS_OF_IT.findall(looked_at)) - 2 * broken


def _read(data: bytes, encoding: str) -> str:
    return data.decode(encoding, "replace")


def _declared(data: bytes) -> str | None:
    found = _DECLARED.search(data[:_LOOKED_AT])
    return _known(found[1].decode("ascii")) if found else None


def _known(named: str) -> str | None:
    """Of what Python knows under such a name, only what pages are written in."""
    try:
        name = codecs.lookup(named).name if named.isascii() and named else ""
        b"a".decode(name or "utf-8")
    except (LookupError, ValueError):
        return None
    return None if name in _NO_PAGES_OWN else _MEANT.get(name, name) or None
