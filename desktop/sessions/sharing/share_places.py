"""Where projects of a profile are shared, and the keys to them.

The places stand in a file of this computer, beside the archive and not in it, so that a restored
backup does not speak for the member that it was made by. The keys are in the keyring alone. A
folder may hold several spaces.
"""

import json
from base64 import b64decode, b64encode
from binascii import Error as NotBase64
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path

from desktop.domain.endpoints import EndpointId
from desktop.domain.frozen import dataclass
from desktop.domain.projects import ProjectId
from desktop.domain.sharing import SharingNoKeyringError
from desktop.domain.sync import CarrierGoneError, DeviceId
from desktop.sessions.sharing.membership import Identity
from desktop.sessions.syncing.carrier import KEY
from desktop.sessions.syncing.folder import FolderCarrier
from desktop.settings.file_writing import raising_not_written, raising_unreadable, write_beside
from desktop.settings.keys import KeyStore
from desktop.settings.paths import SHARED_PROJECTS
from desktop.storage.archive import Archive


class SpaceFolder(FolderCarrier):
    """Made by the first member who writes; empty until then."""

    def __init__(self, folder: Path, space: str) -> None:
        super().__init__(folder / space)
        self._outer, self._where = folder, str(folder)

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


@dataclass(frozen=True, slots=True)
class Share:
    """What this computer knows of a shared project."""

    address: str
    name: str
    """Of the member."""
    founder: str
    member: str
    is_entered: bool = False
    """Whether this member was in the space: until then, a failed beginning can be repeated."""


@dataclass(frozen=True, slots=True)
class ShareKeys:
    """What the keyring holds of a shared project."""

    secret: bytes
    identity: Identity
    password: str = ""
    following: bytes = b""
    """The next key of the project, until it is in force everywhere here."""


class SharePlaces:
    """Any thread may call, except the window's: a keyring may wait for the user.

    Methods raise FileUnreadableError and FileNotWrittenError.
    """

    def __init__(self, archive: Archive, keyring: KeyStore) -> None:
        self._key, self._keyring = archive.database.key, keyring
        self._file = archive.database.path.parent / SHARED_PROJECTS

    def check_keyring(self) -> None:
        """Raise SharingNoKeyringError if the keys would be lost at the end of the program."""
        if not self._keyring.is_lasting:
            raise SharingNoKeyringError

    def shares(self) -> dict[ProjectId, Share]:
        if not self._file.exists():
            return {}
        with raising_unreadable(self._file):
            data = self._file.read_bytes()
        try:
            fields = json.loads(self._key.unseal(data, SHARED_PROJECTS) if self._key else data)
            return {ProjectId(project): Share(**share) for project, share in fields.items()}
        except (ValueError, TypeError, AttributeError):
            return {}

    def store(self, shares: Mapping[ProjectId, Share]) -> None:
        data = json.dumps({project: asdict(share) for project, share in shares.items()}).encode()
        with raising_not_written(self._file), write_beside(self._file) as partial:
            partial.write_bytes(self._key.seal(data, SHARED_PROJECTS) if self._key else data)

    def keys(self, share: Share) -> ShareKeys | None:
        """Return None if no keyring holds them."""
        stored = self._keyring.get(_entry(share))
        with suppress(NotBase64, ValueError, TypeError, KeyError):
            fields = json.loads(b64decode(stored or "", validate=True))
            identity = Identity(*map(bytes.fromhex, fields["identity"]))
            secret, following = (bytes.fromhex(fields[name]) for name in ("secret", "following"))
            return ShareKeys(secret, identity, str(fields["password"]), following)
        return None

    def keep(self, share: Share, keys: ShareKeys) -> None:
        fields = {
            "secret": keys.secret.hex(),
            "following": keys.following.hex(),
            "identity": keys.identity.private(),
            "password": keys.password,
        }
        self._keyring.put(_entry(share), b64encode(json.dumps(fields).encode()).decode())

    def forget_keys(self, share: Share) -> None:
        self._keyring.delete(_entry(share))


def _entry(share: Share) -> EndpointId:
    return EndpointId(f"sharing-{share.member}")
