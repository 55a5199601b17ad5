"""Bytes of a text file as text: by its mark, by what it says of itself, or by trying."""

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
_TURKISH = "cp1254"
"""Windows in Turkish; where it differs from the Western one, it has the letters of Turkish."""


def decoded(data: bytes) -> str:
    """Raises DocumentDamagedError for what is no text at all."""
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            return data[len(mark) :].decode(encoding, "replace")
    if b"\0" in data[:_LOOKED_AT]:
        raise DocumentDamagedError
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return data.decode(_declared(data) or _TURKISH, "replace")


def _declared(data: bytes) -> str | None:
    found = _DECLARED.search(data[:_LOOKED_AT])
    if found is None:
        return None
    try:
        return codecs.lookup(found[1].decode("ascii")).name
    except LookupError:
        return None
