"""Opens pictures in the child process that reads documents, within the same kind of limits.

The bytes go to it through its pipe. What the program shows of a picture are pixels, which need no
decoding any more; what it sends to a model is the file as it is, or one that the child made of it.
"""

import logging
from base64 import b64decode, b64encode
from collections.abc import Callable
from typing import Any, Self

from desktop.domain.errors import PictureTooLargeError, PictureUnopenedError
from desktop.domain.files import Pixels
from desktop.domain.model import Picture
from desktop.research.child_process import ChildEnded, ChildProcess, ReadingStopped
from desktop.research.documents.reader import READ_FLAG

log = logging.getLogger(__name__)

MOST_BYTES = 20 << 20
MOST_PIXELS = 50_000_000
UNOPENED, TOO_LARGE = "unopened", "too_large"
"""What the child says instead of a picture."""
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


def picture_type(head: bytes) -> str | None:
    """Return the media type by the first 12 bytes; None if they begin no picture we take."""
    if head[:4] == _WEBP[0] and head[8:12] == _WEBP[1]:
        return "image/webp"
    return next((kind for mark, kind in _KINDS.items() if head.startswith(mark)), None)


class PictureReader:
    """Not thread-safe. `close` it, or use it in a with statement.

    Methods raise PictureTooLargeError, PictureUnopenedError, ReadingStopped.
    """

    def __init__(self, should_stop: Callable[[], bool] = lambda: False) -> None:
        self._should_stop = should_stop
        self._child: ChildProcess | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        child, self._child = self._child, None
        if child is not None:
            child.end()

    def pixels(self, data: bytes, edge: int) -> Pixels:
        """Return the picture with its longer side at most `edge`."""
        match self._ask(data, edge, 0):
            case ["pixels", int(width), int(height), str(given)]:
                found = b64decode(given)
                if len(found) == width * height * 4 and width > 0:
                    return Pixels(width, height, found)
            case _:
                pass
        raise PictureUnopenedError

    def fitted(self, data: bytes, edge: int, most: int) -> Picture:
        """Return the picture within the limits: the same bytes wherever they fit."""
        match self._ask(data, edge, most):
            case ["file", int(width), int(height), str(kind), str(given)]:
                found = b64decode(given) if given else data
                if len(found) <= most:
                    return Picture(kind, found, width, height)
            case _:
                pass
        raise PictureUnopenedError

    def _ask(self, data: bytes, edge: int, most: int) -> list[Any]:
        kind = picture_type(data[:12])
        if kind is None:
            raise PictureUnopenedError
        if len(data) > MOST_BYTES:
            raise PictureTooLargeError
        if self._child is None or self._child.has_ended:
            self.close()
            self._child = ChildProcess(READ_FLAG, _MEGABYTES, _LONGEST_LINE)
        child = self._child
        try:
            with child.limited(_SECONDS, self._should_stop):
                child.send(
                    picture=b64encode(data).decode(),
                    kind=kind,
                    edge=edge,
                    most=most,
                    seconds=_SECONDS,
                )
                answer = child.receive()
        except ChildEnded as exc:
            if child.was_stopped:
                raise ReadingStopped from exc
            log.warning("a picture could not be opened: %d", child.exit_code())
            raise PictureUnopenedError from exc
        except BaseException:
            self.close()
            raise
        if answer == ["error", TOO_LARGE]:
            raise PictureTooLargeError
        return answer
