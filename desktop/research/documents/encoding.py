"""Decodes text files: by byte order mark, as UTF-8, by declared charset, or as Windows writes."""

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
_MEANT = {
    "iso8859-1": _WESTERN,
    "latin-1": _WESTERN,
    "ascii": _WESTERN,
    "iso8859-9": _TURKISH,
}
"""What browsers take these names for, and so what those who write them mean."""
_NOT_OF_PAGES = frozenset({"idna", "punycode", "unicode-escape", "raw-unicode-escape", "utf-7"})
_TURKISH_WORDS = frozenset(["ve", "bir", "bu", "için", "olan", "ile", "da", "de", "çok", "daha"])
_LEAST_TURKISH_WORDS = 2
_LEAST_SHARED = 0.5
"""Of the letters of a text in Latin script, so many are ASCII."""
_BROKEN = 0.1
"""Of the letters beyond ASCII, so many may be damaged in what is UTF-8 all the same."""
_CONTROLS = bytes([*range(0x09), *range(0x0E, 0x20)])
_FEW = 0.005


def decode_text(data: bytes, declared: str = "") -> str:
    """`declared`: what a site said of it. Raises DocumentDamagedError for what is no text."""
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            return data[len(mark) :].decode(encoding, "replace")
    sample = data[:_WEIGHED]
    if b"\0" in sample[:_LOOKED_AT]:
        if len(sample) - len(sample.translate(None, _CONTROLS)) > _FEW * len(sample):
            raise DocumentDamagedError
        data = data.replace(b"\0", b"")
    text = data.decode("utf-8", "replace")
    beyond_ascii = len(text) - len(text.encode("ascii", "ignore"))
    if text.count("\ufffd") <= _BROKEN * beyond_ascii:
        return text
    found = _DECLARED.search(data[:_LOOKED_AT])
    named = _known(declared) or (_known(found[1].decode("ascii")) if found else "")
    if named and not (named == _WESTERN and _is_turkish(sample)):
        text = data.decode(named, "replace")
        if "\ufffd" not in text[:_WEIGHED]:
            return text
    letters = [one for one in sample.decode(_TURKISH, "replace") if one.isalpha()]
    is_latin = sum(one.isascii() for one in letters) >= _LEAST_SHARED * len(letters)
    return data.decode(_TURKISH if is_latin else _of_another_script(sample), "replace")


def _of_another_script(sample: bytes) -> str:
    """Cyrillic, Greek, Arabic, the letters of East Asia."""
    from charset_normalizer import from_bytes  # noqa: PLC0415 - few texts need it

    # Not in the middle of a letter.
    found = from_bytes(sample.rpartition(b"\n")[0] or sample).best()
    return found.encoding if found else _TURKISH


def _is_turkish(sample: bytes) -> bool:
    """Whether a page that says it is in a Western encoding has words of Turkish."""
    words = sample.decode(_TURKISH, "replace").lower().split()
    return sum(word in _TURKISH_WORDS for word in words) >= _LEAST_TURKISH_WORDS


def _known(name: str) -> str:
    """Of what Python knows under such a name, only what pages are written in; else empty."""
    try:
        known = codecs.lookup(name).name if name.isascii() and name else ""
        b"a".decode(known or "utf-8")
    except (LookupError, ValueError):
        return ""
    return "" if known in _NOT_OF_PAGES else _MEANT.get(known, known)
