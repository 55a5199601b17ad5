"""A carrier in any folder: of Syncthing, Dropbox, a stick or a network share.

Folders of such programs can hold placeholders, which block when they are opened, and a share can
block for minutes: each operation runs in a thread of its own and is given up after a while.
"""

import errno
import os
import threading
from collections.abc import Callable
from concurrent.futures import Future
from concurrent.futures import TimeoutError as TooLate
from contextlib import suppress
from pathlib import Path
from typing import TypeVar

from desktop.domain.sync import (
    CarrierFullError,
    CarrierGoneError,
    CarrierReadOnlyError,
    CarrierSlowError,
    DeviceId,
)
from desktop.sessions.syncing.carrier import KEY, FileName, is_device
from desktop.settings.file_writing import PARTIAL, remove_abandoned, write_beside

_WAITS_S = 20.0
_MOST_BLOCKED = 4
_FULL = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}
_CLOSED = {errno.EROFS, errno.EACCES, errno.EPERM}

Result = TypeVar("Result")


class FolderCarrier:
    """Any thread may use it, one at a time."""

    def __init__(self, folder: Path, *, waits_s: float | None = None) -> None:
        self._folder, self._waits_s = folder, waits_s or _WAITS_S
        self._where = str(folder)
        self._blocked: list[Future[object]] = []
        self._complete: dict[DeviceId, set[str]] = {}
        self._is_closed = threading.Event()

    def devices(self) -> list[DeviceId]:
        entries = self._run(lambda: sorted(path.name for path in self._folder.iterdir()))
        return [DeviceId(name) for name in entries if is_device(name)]

    def names(self, device: DeviceId) -> list[str]:
        """Return the complete files; one that was complete before is not looked at again."""
        before = self._complete.get(device, set())

        def complete() -> list[str]:
            with os.scandir(self._folder / device) as entries:
                return [e.name for e in entries if e.name in before or _is_complete(e)]

        try:
            names = self._run(complete)
        except FileNotFoundError:
            names = []
        self._complete[device] = set(names)
        return sorted(names)

    def read(self, device: DeviceId, name: str) -> bytes:
        path, expected = self._folder / device / name, FileName.parse(name)
        try:
            data = self._run(path.read_bytes)
        except CarrierGoneError as exc:
            if self._folder.is_dir():
                raise CarrierSlowError(where=str(path)) from exc
            raise
        if expected is None or not expected.fits(data):
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), name)
        return data

    def write(self, device: DeviceId, name: str, data: bytes) -> None:
        folder = self._folder / device

        def store() -> None:
            if name.startswith(f"{KEY}-"):  # the first file of a device
                folder.mkdir(exist_ok=True)
            remove_abandoned(folder.glob(f"*{PARTIAL}"))
            with write_beside(folder / name) as partial:
                partial.write_bytes(data)

        try:
            self._run(store)
        except FileNotFoundError as exc:  # a stick that is not plugged in, a share that is away
            raise CarrierGoneError(where=self._where) from exc

    def remove(self, device: DeviceId, name: str) -> None:
        folder = self._folder / device

        def delete() -> None:
            (folder / name).unlink(missing_ok=True)
            if name.startswith(f"{KEY}-"):  # the last file of a device
                with suppress(OSError):
                    folder.rmdir()

        self._run(delete)

    def may_remove(self, device: DeviceId) -> bool:  # noqa: ARG002 - a folder has no roles
        return True

    def wait(self, timeout_s: float) -> bool:
        """Return True after the time: a folder announces nothing."""
        return not self._is_closed.wait(timeout_s)

    def close(self) -> None:
        self._is_closed.set()

    def _run(self, operation: Callable[[], Result]) -> Result:
        """Raise FileNotFoundError if only the file, and not the folder, is missing."""
        self._blocked = [blocked for blocked in self._blocked if not blocked.done()]
        if len(self._blocked) >= _MOST_BLOCKED:
            raise CarrierGoneError(where=self._where)
        result = Future[Result]()

        def run() -> None:
            try:
                result.set_result(operation())
            except BaseException as exc:  # noqa: BLE001 - raised where the result is awaited
                result.set_exception(exc)

        threading.Thread(target=run, name="carrier", daemon=True).start()
        try:
            return result.result(self._waits_s)
        except TooLate as exc:
            self._blocked.append(result)  # type: ignore[arg-type]  # only asked whether it is done
            raise CarrierGoneError(where=self._where) from exc
        except OSError as exc:
            raise self._explained(exc) from exc

    def _explained(self, exc: OSError) -> Exception:
        where = self._where
        if exc.errno in _FULL:
            return CarrierFullError(where=where)
        if exc.errno in _CLOSED:
            return CarrierReadOnlyError(where=where)
        with suppress(OSError):
            if exc.errno == errno.ENOENT and self._folder.is_dir():
                return FileNotFoundError(*exc.args)
        return CarrierGoneError(where=where)


def _is_complete(entry: "os.DirEntry[str]") -> bool:
    name = FileName.parse(entry.name)
    with suppress(OSError):  # removed meanwhile
        return name is not None and entry.is_file() and entry.stat().st_size == name.length
    return False
