"""The one door through which a server's bytes come in, before an SDK reads them.

It bounds them after decompression: a body, an event, a stream. Of a stream it passes on what has
content: the SDKs take an event without data, or a byte order mark, for a broken answer.
"""

import zlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from time import monotonic

import httpx2

from desktop.llm.wire import StalledError, StreamProgress, UnreadableEventError

LARGEST_BODY = 16_000_000  # Bytes of a list of models, a count, an error, an answer in one piece
LARGEST_EVENT = 8_000_000  # Of one event, or between two; the longest bring found pages
LARGEST_STREAM = 100_000_000  # Of a stream: three times the longest answer, a token an event
MOST_IDLE = 16_000_000  # Bytes in a row without a word, a thought or a part of a call
_PIECE = 65_536
_WINDOWS = {"gzip": 31, "x-gzip": 31, "deflate": 15}  # For zlib
_STREAM = "text/event-stream"
_NAMES = (b"data", b"event")
_BYTE_ORDER_MARK = b"\xef\xbb\xbf"
_DONE = b"[DONE]"


@dataclass(slots=True)
class BoundedStream(httpx2.SyncByteStream):
    """A response's stream, as httpx2 reads it; one thread iterates."""

    raw: httpx2.SyncByteStream
    encoding: str
    patience_s: float
    progress: StreamProgress | None  # None: not a stream of events
    _pieces: list[bytes] = field(default_factory=list)  # Of a line that has not ended
    _event: list[bytes] = field(default_factory=list)
    _size: int = 0  # Since the last event

    def __iter__(self) -> Iterator[bytes]:
        left = LARGEST_BODY if self.progress is None else LARGEST_STREAM
        for piece in self._decoded():
            if len(piece) > left:
                if self.progress is not None:
                    raise UnreadableEventError
                yield piece[:left]  # What is cut cannot be read, and an error's words are shorter
                return
            left -= len(piece)
            if self.progress is None:
                yield piece
                continue
            self.progress.idle_bytes += len(piece)
            is_late = monotonic() - self.progress.progress_at > self.patience_s
            if is_late or self.progress.idle_bytes > MOST_IDLE:
                raise StalledError
            if whole := self._whole_events(piece):
                yield whole
        if self.progress is not None and (self._pieces or self._event):
            yield self._whole_events(b"\n\n")

    def close(self) -> None:
        self.raw.close()

    def _decoded(self) -> Iterator[bytes]:
        if self.encoding in {"", "identity"}:
            yield from self.raw
            return
        if self.encoding not in _WINDOWS:
            raise UnreadableEventError
        unpacking = zlib.decompressobj(_WINDOWS[self.encoding])
        try:
            for packed in self.raw:
                rest = packed
                while rest:
                    yield unpacking.decompress(rest, _PIECE)
                    rest = unpacking.unconsumed_tail
        except zlib.error as exc:
            raise UnreadableEventError from exc

    def _whole_events(self, piece: bytes) -> bytes:
        """Return the events that end in the piece: their data, and no comment, id or mark."""
        self._size += len(piece)
        if self._size > LARGEST_EVENT:
            raise UnreadableEventError
        self._pieces.append(piece)
        if b"\n" not in piece and b"\r" not in piece:
            return b""  # Joined once it is whole: a long line costs what it is long
        text = b"".join(self._pieces)
        held = text[-1:] if text.endswith(b"\r") else b""  # Half of a line end, perhaps
        text = text.removesuffix(held).replace(b"\r\n", b"\n").replace(b"\r", b"\n")
        *lines, rest = text.split(b"\n")
        self._pieces = [rest + held]
        whole: list[bytes] = []
        for line in (line.removeprefix(_BYTE_ORDER_MARK) for line in lines):
            name, _, data = line.partition(b":")
            if name in _NAMES:
                self._event.append(_readable(line))
                if self.progress is not None and name == b"data" and data.strip() == _DONE:
                    self.progress.is_done = True
            elif not line:
                if any(part.startswith(b"data") for part in self._event):
                    whole += [*self._event, b""]
                    self._size = len(self._pieces[0])
                self._event = []
        return b"".join(part + b"\n" for part in whole)


def bound(response: httpx2.Response, patience_s: float) -> None:
    """Limit what the response may bring; a response hook of the client, before any byte is read.

    `patience_s`: how long a stream may go on without anything of an answer.
    """
    encoding = response.headers.pop("content-encoding", "").strip().lower()
    is_stream = response.headers.get("content-type", "").startswith(_STREAM)
    progress = StreamProgress() if is_stream else None
    response.extensions["progress"] = progress
    if isinstance(response.stream, httpx2.SyncByteStream):  # As a client that waits has it
        response.stream = BoundedStream(response.stream, encoding, patience_s, progress)


def _readable(line: bytes) -> bytes:
    """Return a line as UTF-8; bytes of a letter that another event completes are escaped."""
    if line.isascii():
        return line
    text = line.decode("utf-8", "surrogateescape")
    return "".join(
        f"\\u{ord(letter):04x}" if "\udc80" <= letter <= "\udcff" else letter for letter in text
    ).encode()
