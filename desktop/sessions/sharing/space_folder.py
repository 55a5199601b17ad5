"""The space of a shared project in a folder, which may hold other spaces."""

from pathlib import Path

from desktop.domain.sync import CarrierGoneError, DeviceId
from desktop.sessions.syncing.carrier import KEY
from desktop.sessions.syncing.folder import FolderCarrier


class SpaceFolder(FolderCarrier):
    """Made by the first member who writes; empty until then."""

    def __init__(self, folder: Path, space: str) -> None:
        super().__init__(folder / space)
        self._outer = folder

    def devices(self) -> list[DeviceId]:
        try:
            return super().devices()
        except CarrierGoneError:
            if self._run(self._outer.is_dir):
                return []
            raise

    def write(self, device: DeviceId, name: str, data: bytes) -> None:
        if name.startswith(f"{KEY}-"):  # the first file of a member
            self._run(lambda: self._folder.mkdir(exist_ok=True))
        super().write(device, name, data)
