"""Devices of one profile for tests: archives that meet in a folder or a server."""

import json
from base64 import b64decode
from dataclasses import replace
from datetime import datetime, timedelta
from hashlib import sha256
from pathlib import Path
from zlib import decompress

from desktop.domain.endpoints import EndpointId
from desktop.domain.ids import SessionId
from desktop.domain.messages import MessageFile
from desktop.domain.projects import EVERYTHING
from desktop.domain.sync import DeviceId
from desktop.domain.times import utc_now
from desktop.sessions.syncing.carrier import FILE
from desktop.sessions.syncing.packs import SyncKey
from desktop.sessions.syncing.syncing import Syncing
from desktop.settings.keys import MemoryKeys
from desktop.storage.archive import Archive, open_archive
from desktop.storage.journal.journal import Journal
from tests.archives import finished

PASSPHRASE = "doğru at pil zımba"  # noqa: S105 - of a test


class SyncedDevice:
    def __init__(self, home: Path, place: Path | str) -> None:
        home.mkdir(exist_ok=True)
        self.home, self.place = home, place
        self.is_local_only = False
        self.keys = MemoryKeys()
        self.ahead = timedelta()
        self.open()

    @property
    def folder(self) -> Path:
        return Path(self.place)

    def now(self) -> datetime:
        return utc_now() + self.ahead

    def open(self) -> None:
        self.archive: Archive = open_archive(
            self.home / "bellek.db", backups=self.home / "backups"
        )
        self.syncing = Syncing(
            self.archive,
            self.keys,
            is_local_only=lambda: self.is_local_only,
            now=self.now,
        )

    def close(self) -> None:
        self.syncing.close()
        self.archive.close()

    def set_up(self) -> "SyncedDevice":
        self.syncing.set_up(str(self.place), PASSPHRASE, name=self.home.name)
        self.syncing.run()
        return self

    def write(self, name: str) -> None:
        self.archive.projects.create(name)

    def ask(
        self, session: str, text: str, picture: bytes = b"", *, name: str = "a.png"
    ) -> MessageFile | None:
        """A finished session of two messages, the first with a picture."""
        finished_session = finished(session, text, f"Yanıt: {text}", title=text)
        file = None
        if picture:
            file = MessageFile(sha256(picture).hexdigest(), name, "image/png", len(picture))
            self.archive.files.add(file, picture)
            asked, answer = finished_session.messages
            messages = [replace(asked, files=(file,)), answer]
            finished_session = replace(finished_session, messages=messages)
        self.archive.imports.add([finished_session])
        return file

    def sessions(self) -> set[str]:
        return {str(session.id) for session in self.archive.sessions.sessions(EVERYTHING)}

    def texts(self, session: str) -> list[str]:
        messages = self.archive.sessions.messages(SessionId(session))
        return [message.content for message in messages]

    def delete(self, session: str) -> None:
        self.archive.sessions.delete(SessionId(session))
        self.archive.purge_deleted()

    def names(self) -> set[str]:
        return {project.name for project in self.archive.projects.projects()}

    def own_folder(self) -> Path:
        """Return where the device writes."""
        return self.folder / self.own_id()

    def own_id(self) -> str:
        return str(Journal(self.archive.database).device)

    def opened_files(self) -> dict[str, bytes]:
        """Return all that the folder holds of all devices, decrypted and decompressed."""
        key = self._key()
        contents = {}
        for path in sorted(self.folder.glob("*/[!k]-*")):
            data = key.open(DeviceId(path.parent.name), path.name, path.read_bytes())
            is_file = path.name.startswith(f"{FILE}-")
            contents[f"{path.parent.name}/{path.name}"] = data if is_file else decompress(data)
        return contents

    def _key(self) -> SyncKey:
        place = json.loads((self.home / "sync.json").read_text())
        secret = self.keys.get(EndpointId(f"sync-{place['keyring']}"))
        return SyncKey(b64decode(str(secret)))
