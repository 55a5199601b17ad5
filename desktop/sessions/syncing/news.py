"""News of a carrier, from the names of its files: no content is read, and no run is needed."""

from collections.abc import Callable, Iterable, Mapping
from threading import Event, Lock

from desktop.domain.sync import DeviceId
from desktop.sessions.syncing.carrier import FILE, PACK, SNAPSHOT, Carrier

Names = frozenset[tuple[DeviceId, str]]

_CARRIES_NEWS = (PACK, SNAPSHOT, FILE)
"""What a device says of itself when it has received something calls for nothing."""


class NewsWatch:
    """For one waiting thread; `close` may be called by any."""

    def __init__(self, connect: Callable[[str], Carrier]) -> None:
        self._connect = connect
        self._carrier: Carrier | None = None
        self._address = ""
        self._using, self._closed = Lock(), Event()
        self.seen: Names | None = None
        """What the last run found of other devices; None before the first."""

    @property
    def is_closed(self) -> bool:
        return self._closed.is_set()

    def has_news(self, address: str, device: DeviceId) -> bool:
        """Whether others have written something since the last run. Raises SyncError."""
        if (seen := self.seen) is None:  # another thread may forget it meanwhile
            return True
        with self._using:
            carrier = self._opened(address)
            others = [other for other in carrier.devices() if other != device]
            return not names_of_news({d: carrier.names(d) for d in others}) <= seen

    def wait(self, timeout_s: float) -> bool:
        """Return whether it is worth looking; waits no longer than the time."""
        with self._using:
            if carrier := self._carrier:
                return carrier.wait(timeout_s) and not self.is_closed
        return not self._closed.wait(timeout_s)

    def close(self) -> None:
        """End a wait at once."""
        self._closed.set()
        if carrier := self._carrier:
            carrier.close()

    def _opened(self, address: str) -> Carrier:
        if self._carrier and self._address != address:
            self._carrier.close()
            self._carrier = None
        if self._carrier is None:
            self._carrier, self._address = self._connect(address), address
        return self._carrier


def names_of_news(listing: Mapping[DeviceId, Iterable[str]]) -> Names:
    return frozenset(
        (device, name)
        for device, names in listing.items()
        for name in names
        if name.partition("-")[0] in _CARRIES_NEWS
    )
