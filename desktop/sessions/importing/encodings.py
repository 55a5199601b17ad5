"""Reads a file in the encoding that its first bytes name, and gives it as UTF-8."""

import codecs

from desktop.sessions.importing.json_stream import Readable

# The longer first: the shorter of the two begins it.
_MARKS = (
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_BYTES_A_ZERO = 16
"""One zero in so many bytes, at least: wide text has one in nearly every letter."""


def named_by(first: bytes) -> str | None:
    """The encoding that a mark at the beginning names, where it is another than UTF-8.

    Broken bytes that only begin like a mark name none.
    """
    if first.count(b"\0") * _BYTES_A_ZERO < len(first):
        return None
    return next((name for mark, name in _MARKS if first.startswith(mark)), None)


def is_wide(first: bytes) -> bool:
    """Whether a file without a mark begins with a letter of two bytes, as no UTF-8 text does."""
    letter = first[:2].replace(b"\0", b"")
    return (
        len(first) > 1 and len(letter) == 1 and letter.isascii() and letter.decode().isprintable()
    )


class AsUtf8:
    """What is no letter in the encoding becomes the replacement character."""

    def __init__(self, file: Readable, first: bytes, encoding: str) -> None:
        self._file = file
        self._first = first
        self._decoder = codecs.getincrementaldecoder(encoding)(errors="replace")

    def read(self, size: int, /) -> bytes:
        """Empty only at the end of the file."""
        while True:
            data, self._first = self._first or self._file.read(size), b""
            text = self._decoder.decode(data, final=not data)
            if text or not data:
                return text.encode()
