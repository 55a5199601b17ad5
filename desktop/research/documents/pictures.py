"""Opens pictures in the child process that reads documents, with similar limits.

The bytes go through a pipe. The program shows a picture from pixels, which need no further
decoding; it sends a model either the unchanged file or one that the child wrote.
"""

import logging
from base64 import b64decode, b64encode
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from desktop.domain.errors import (
    DocumentReaderError,
    PictureTooLargeError,
    PictureTooSlowError,
    PictureUnopenedError,
)
from desktop.research.child_process import (
    TOOK_TOO_LONG,
    UNCAUGHT,
    ChildEnded,
    ChildUser,
    ReadingStopped,
)
from desktop.research.documents.reader import READ_FLAG

if TYPE_CHECKING:
    from desktop.domain.messages import Pixels
    from desktop.domain.model import Picture

log = logging.getLogger(__name__)

MOST_BYTES = 20 << 20
MOST_PIXELS = 50_000_000
UNOPENED, TOO_LARGE = "unopened", "too_large"  # What the child returns instead of a picture
_MEGABYTES = 768
_SECONDS = 20
_LONGEST_LINE = 32 << 20
_KINDS = {
    b"\x89PNG\r\n\x1a\n": "image/png",
    b"\xff\xd8\xff": "image/jpeg",
    b"GIF87a": "image/gif",
    b"GIF89a": "image/gif",
}
_WEBP = (b"RIFF", b"WEBP")
_PNG_DRAWN = frozenset(b"IHDR PLTE IDAT IEND tRNS gAMA cHRM sRGB iCCP sBIT bKGD pHYs".split())
_WEBP_DRAWN = frozenset((b"VP8 ", *b"VP8L VP8X ALPH ICCP ANIM ANMF".split()))
_JPEG_DRAWN = (b"JFIF\0", b"ICC_PROFILE\0", b"Adobe")
_MARKER, _END = b"\xff", b"\xff\xd9"
_SCAN = b"\xda"
_APPLICATION = frozenset(bytes((mark,)) for mark in (*range(0xE0, 0xF0), 0xFE))
"""Segments of programs and cameras, and comments."""


def picture_type(head: bytes) -> str | None:
    """Return the media type by the first 12 bytes; None if the format is not supported."""
    if head[:4] == _WEBP[0] and head[8:12] == _WEBP[1]:
        return "image/webp"
    return next((kind for mark, kind in _KINDS.items() if head.startswith(mark)), None)


def is_bare(data: bytes, kind: str) -> bool:
    """Whether a PNG, JPEG or WebP holds only the image: no place, camera, comment or trailer.

    In doubt it returns False.
    """
    if kind == "image/jpeg":
        return _is_bare_jpeg(data)
    is_png = kind == "image/png"
    at, length_at, kind_at, overhead = (8, 0, 4, 12) if is_png else (12, 4, 0, 8)
    while at + 8 <= len(data):
        length = int.from_bytes(data[at + length_at :][:4], "big" if is_png else "little")
        if data[at + kind_at :][:4] not in (_PNG_DRAWN if is_png else _WEBP_DRAWN):
            return False
        at += length + overhead + (0 if is_png else length % 2)
    return at == len(data)


def _is_bare_jpeg(data: bytes) -> bool:
    at = 2
    while data[at : at + 1] == _MARKER and (mark := data[at + 1 : at + 2]) != _SCAN:
        if mark in _APPLICATION and not data[at + 4 : at + 16].startswith(_JPEG_DRAWN):
            return False
        at += 2 + int.from_bytes(data[at + 2 : at + 4])
    # An image itself has no such bytes; tables of later scans may, and count as segments.
    later = (data.find(_MARKER + mark, at) for mark in _APPLICATION)
    return data.find(_END, at) == len(data) - 2 and all(place < 0 for place in later)


class PictureReader(ChildUser):
    """Methods raise PictureTooLargeError, PictureUnopenedError, ReadingStopped."""

    def __init__(self, should_stop: Callable[[], bool] = lambda: False) -> None:
        super().__init__(READ_FLAG, _MEGABYTES, _LONGEST_LINE)
        self._should_stop = should_stop

    def pixels(self, data: bytes, edge: int) -> "Pixels":
        """Return the picture with its longer side at most `edge`."""
        from desktop.domain.messages import Pixels  # noqa: PLC0415 - the child needs none

        match self._ask(data, edge, 0):
            case ["pixels", int(width), int(height), str(payload)]:
                content = b64decode(payload)
                if len(content) == width * height * 4 and width > 0:
                    return Pixels(width, height, content)
            case _:
                pass
        raise PictureUnopenedError

    def fitted(self, data: bytes, edge: int, most: int) -> "Picture":
        """Return the picture within the limits: unchanged if it fits and is bare."""
        from desktop.domain.model import Picture  # noqa: PLC0415 - as above

        match self._ask(data, edge, most):
            case ["file", int(width), int(height), str(kind), str(payload)]:
                content = b64decode(payload) if payload else data
                if len(content) <= most:
                    return Picture(kind, content, width, height)
            case _:
                pass
        raise PictureUnopenedError

    def _ask(
        self, data: bytes, edge: int, most: int, seconds: int = _SECONDS, **request: Any
    ) -> list[Any]:
        kind = picture_type(data[:12])
        if kind is None:
            raise PictureUnopenedError
        if len(data) > MOST_BYTES:
            raise PictureTooLargeError
        child = self.running_child()
        try:
            with child.limited(seconds, self._should_stop):
                child.send(
                    picture=b64encode(data).decode(),
                    kind=kind,
                    edge=edge,
                    most=most,
                    seconds=seconds,
                    **request,
                )
                answer = child.receive()
        except ChildEnded as exc:
            if child.was_stopped:
                raise ReadingStopped from exc
            code = child.exit_code()
            if code == UNCAUGHT:  # a module is missing, for example
                last_words = child.last_words().rpartition("\n")[2]
                raise DocumentReaderError(detail=last_words or str(code)) from exc
            log.warning("a picture could not be opened: %d", code)
            is_slow = child.was_too_long or code == TOOK_TOO_LONG
            raise (PictureTooSlowError if is_slow else PictureUnopenedError) from exc
        except BaseException:
            self.close()
            raise
        if answer == ["error", TOO_LARGE]:
            raise PictureTooLargeError
        return answer
