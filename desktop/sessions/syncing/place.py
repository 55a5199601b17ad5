"""What this computer knows of its synchronisation, in a file beside the archive."""

import json
from dataclasses import asdict, replace
from threading import Lock
from typing import Any

from desktop.domain.frozen import dataclass
from desktop.domain.sync import DeviceId, SyncOffError
from desktop.settings.file_writing import raising_not_written, raising_unreadable, write_beside
from desktop.settings.paths import SYNC_PLACE
from desktop.storage.schema.database import Database


@dataclass(frozen=True, slots=True)
class SyncLocation:
    address: str
    name: str
    keyring: str
    key_file: str = ""
    """The content of the own key file, which only the passphrase opens."""
    device: str = ""
    replaces: tuple[DeviceId, ...] = ()
    """The devices that this computer was."""
    forgotten: tuple[DeviceId, ...] = ()
    """Devices that are lost."""
    is_snapshot_due: bool = False
    is_paused: bool = False


class PlaceFile:
    """Any thread may call; every method but `exists` may wait.

    It is sealed with the profile's key, if there is one. Raises FileUnreadableError and
    FileNotWrittenError.
    """

    def __init__(self, database: Database) -> None:
        self._sealing = database.key
        self._path = database.path.parent / SYNC_PLACE
        self._changing = Lock()

    @property
    def exists(self) -> bool:
        return self._path.exists()

    def read(self) -> SyncLocation:
        """Raises SyncOffError."""
        if not self.exists:
            raise SyncOffError
        with raising_unreadable(self._path):
            data = self._path.read_bytes()
        try:
            fields = json.loads(self._sealing.unseal(data, SYNC_PLACE) if self._sealing else data)
            lists = {
                name: tuple(map(DeviceId, fields.get(name, ())))
                for name in ("replaces", "forgotten")
            }
            return SyncLocation(**{**fields, **lists})
        except (ValueError, TypeError, KeyError) as exc:
            raise SyncOffError from exc

    def store(self, place: SyncLocation) -> None:
        data = json.dumps(asdict(place)).encode()
        with raising_not_written(self._path), write_beside(self._path) as partial:
            partial.write_bytes(self._sealing.seal(data, SYNC_PLACE) if self._sealing else data)

    def change(self, **fields: Any) -> None:  # those of SyncLocation
        with self._changing:
            self.store(replace(self.read(), **fields))

    def remove(self) -> None:
        self._path.unlink(missing_ok=True)
