"""How many requests an endpoint gets at once; the others wait in line, answers first."""

from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from threading import Condition, get_ident

from desktop.domain.endpoints import Endpoint, is_on_this_computer
from desktop.domain.model import REQUESTER
from desktop.llm.errors import connection_lost

_MOST_AT_ONCE = 8
"""Of a server elsewhere: enough for the research of two sessions, which asks in parallel."""
_LOOK_EVERY_S = 0.1

_Place = tuple[bool, int]  # Whether nobody waits for it, and its number: the lowest goes first


class RequestSlots:
    """The slots of one endpoint. Any thread may call."""

    def __init__(self) -> None:
        self._changed = Condition()
        self._holders: dict[int, bool] = {}  # Threads, and whether nobody waits for their request
        self._line: list[_Place] = []
        self._numbers = count()

    @contextmanager
    def held(self, endpoint: Endpoint) -> Iterator[None]:
        """Hold a slot during the block, which may be asked for by its thread again.

        Waits for one; raises ConnectionLostError if the turn that asks is stopped meanwhile.
        """
        if get_ident() in self._holders:
            yield
            return
        self._wait(endpoint)
        try:
            yield
        finally:
            with self._changed:
                del self._holders[get_ident()]
                self._changed.notify_all()

    def _wait(self, endpoint: Endpoint) -> None:
        requester = REQUESTER.get()
        most = endpoint.at_once or (1 if is_on_this_computer(endpoint) else _MOST_AT_ONCE)
        with self._changed:
            place = requester is None, next(self._numbers)
            self._line.append(place)
            try:
                if requester is not None and len(self._holders) >= most:
                    requester.make_room()
                if not self._is_next(place, most) and requester is not None:
                    requester.wait_in_line()
                while not self._is_next(place, most):
                    if requester is not None and requester.cancelled.is_set():
                        raise connection_lost(endpoint)
                    self._changed.wait(_LOOK_EVERY_S)
                self._holders[get_ident()] = requester is None
            finally:
                self._line.remove(place)
                self._changed.notify_all()
        if requester is not None:
            requester.go_on()

    def _is_next(self, place: _Place, most: int) -> bool:
        # An answer does not wait for work in the background, which may hang.
        is_background, _ = place
        counted = [each for each in self._holders.values() if is_background or not each]
        return len(counted) < most and min(self._line) == place
