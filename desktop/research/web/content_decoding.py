"""A body as it arrives: unpacked where it is packed, and never larger than it may be."""

import zlib

from desktop.domain.web_errors import PageKindError, PageTooLargeError

MEGABYTE = 1024 * 1024
PACKINGS = "gzip, deflate"

_GZIP_OR_ZLIB = 32 + zlib.MAX_WBITS


class Body:
    """Feed it what arrives. Raises PageTooLargeError, PageKindError."""

    def __init__(self, host: str, packing: str, limit: int) -> None:
        self._host = host
        self._limit = limit
        self._packing = packing.strip().lower()
        self._pieces: list[bytes] = []
        self._arrived = 0
        self._size = 0
        self._unpacker = None
        if self._packing in ("gzip", "x-gzip", "deflate"):
            self._unpacker = zlib.decompressobj(_GZIP_OR_ZLIB)
        elif self._packing not in ("", "identity"):
            raise PageKindError(host=host, kind=self._packing[:40])

    def feed(self, arrived: bytes) -> None:
        self._arrived += len(arrived)
        piece = self._unpacked(arrived) if self._unpacker else arrived
        self._size += len(piece)
        if max(self._size, self._arrived) > self._limit:
            raise PageTooLargeError(host=self._host, limit=self._limit // MEGABYTE)
        self._pieces.append(piece)

    def whole(self) -> bytes:
        return b"".join(self._pieces)

    def _unpacked(self, arrived: bytes) -> bytes:
        """At most a byte more than there is room for, whatever is packed in there."""
        if self._unpacker is None or self._unpacker.eof:
            return b""
        try:
            return self._unpacker.decompress(arrived, self._limit - self._size + 1)
        except zlib.error as exc:
            raise PageKindError(host=self._host, kind=self._packing) from exc
