"""Ends what a run has under way, wherever it waits: by the user's stop, or when its time is up."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Event, Lock

from desktop.domain.model import ReplyStream


class Stopped(Exception):  # noqa: N818 - not a failure: the user's own wish
    pass


class Halt:
    """Any thread may stop; what is held afterwards is stopped at once."""

    def __init__(self) -> None:
        self._streams: list[ReplyStream] = []
        self._lock = Lock()
        self._is_over = Event()

    @property
    def is_over(self) -> bool:
        return self._is_over.is_set()

    def stop(self) -> None:
        self._is_over.set()
        with self._lock:
            streams = list(self._streams)
        for stream in streams:
            stream.stop()

    def check(self) -> None:
        if self.is_over:
            raise Stopped

    @contextmanager
    def holding(self) -> "Iterator[tuple[list[ReplyStream], Callable[[ReplyStream], None]]]":
        """What was held, and how to hold; let go of at the end."""
        held: list[ReplyStream] = []

        def hold(stream: ReplyStream) -> None:
            held.append(stream)
            with self._lock:
                self._streams.append(stream)
            if self.is_over:
                stream.stop()

        try:
            yield held, hold
        finally:
            with self._lock:
                self._streams = [one for one in self._streams if one not in held]
