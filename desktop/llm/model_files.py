"""Models for a computer of one's own: which fit its memory, and how one is fetched.

Nothing is fetched by itself. A download goes on where it was cut, and becomes a file with its name
only if its checksum is that of the list.
"""

import hashlib
import json
import os
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from desktop.domain.errors import (
    AppError,
    ConnectionLostError,
    FileNotWrittenError,
    LocalOnlyError,
    ModelFileBrokenError,
    ModelFileMissingError,
    ModelFileRefusedError,
    ModelPullError,
    SpaceTooLittleError,
)
from desktop.domain.frozen import dataclass
from desktop.domain.times import utc_now
from desktop.domain.web import Contact, ContactOutcome, ContactPurpose
from desktop.settings.paths import asset, make_private_folder
from desktop.settings.settings import Settings

if TYPE_CHECKING:
    import httpx2

OLLAMA_ADDRESS = "http://127.0.0.1:11434"
_AROUND_BYTES = 2_000_000_000
"""What a conversation of 8,000 tokens and the runtime take beside the weights: 1.2 GB of keys and
values for Qwen3 4B (36 layers, 8 heads of 128 numbers of 2 bytes, twice) and .6 GB, as measured
for Ollama and llama.cpp on bestllmfor.com."""
_SHARE = 0.7  # Of the memory, so that other programs go on
_SHOWN = 3
_CHUNK = 1 << 20
_MEGABYTE = 1_000_000
_PATIENCE_S = 30.0
_OLLAMA_PATIENCE_S = 600.0  # It is silent while it computes the checksum of what it fetched
_SPARE_BYTES = 500_000_000
"""Stay free beside a model: on a full disk nothing else is saved either."""
_OK, _PARTIAL_CONTENT = 200, 206
_LONGEST_LINE = 100_000

Progress = Callable[[int, int], None]
"""Gets the bytes that are there, and all; on the caller's thread."""
Stop = Callable[[], bool]


@dataclass(frozen=True, slots=True)
class LocalModel:
    """A model of the list. `good_for` names its words in the texts; `languages`: how many."""

    id: str
    name: str
    file: str
    bytes: int
    sha256: str
    address: str
    licence: str
    languages: int
    ollama: str
    good_for: str

    @property
    def memory(self) -> int:
        """The bytes that it takes while it answers."""
        return self.bytes + _AROUND_BYTES


@dataclass(frozen=True, slots=True)
class AvailableMemory:
    """In bytes; `graphics` is 0 where none of its own is known."""

    main: int
    graphics: int = 0

    def holds(self, model: LocalModel) -> bool:
        return model.memory <= max(self.main * _SHARE, self.graphics)


class DownloadStoppedError(AppError):
    """The user stopped it; what is there is used when it goes on."""


def local_models() -> Sequence[LocalModel]:
    """Return the list, smallest first."""
    entries = tomllib.loads(asset("resources", "local_models.toml").read_text("utf-8"))
    return [LocalModel(id=id_, **fields) for id_, fields in entries.items()]


def fitting_models(memory: AvailableMemory) -> Sequence[LocalModel]:
    """Return three of the list, best first: the largest that fit; if fewer do, the smallest."""
    models = local_models()
    count = sum(memory.holds(model) for model in models)
    return models[max(count - _SHOWN, 0) : max(count, _SHOWN)][::-1]


def read_memory() -> AvailableMemory:
    """Read the memory of this computer; may wait a second for the driver of a graphics card."""
    return AvailableMemory(_main_memory(), max(_amd_memory(), _nvidia_memory()))


def _main_memory() -> int:
    if sys.platform == "win32":
        return _windows_memory()
    return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")


def _windows_memory() -> int:
    import ctypes  # noqa: PLC0415 - for this alone

    kilobytes = ctypes.c_ulonglong()
    kernel = ctypes.CDLL("kernel32")
    kernel.GetPhysicallyInstalledSystemMemory(ctypes.byref(kilobytes))
    return int(kilobytes.value) * 1024


def _amd_memory(cards: Path = Path("/sys/class/drm")) -> int:
    sizes = [0]
    for file in cards.glob("card*/device/mem_info_vram_total"):
        with suppress(OSError, ValueError):
            sizes.append(int(file.read_text()))
    return max(sizes)


def _nvidia_memory() -> int:
    if (program := shutil.which("nvidia-smi")) is None:
        return 0
    query = (program, "--query-gpu=memory.total", "--format=csv,noheader,nounits")
    with suppress(OSError, subprocess.SubprocessError, ValueError):
        done = subprocess.run(query, capture_output=True, text=True, timeout=5, check=True)  # noqa: S603 - found program, own words
        return max(int(line) for line in done.stdout.split()) << 20
    return 0


@dataclass(frozen=True, slots=True)
class ModelFiles:
    """Fetches models of the list. Methods wait; none touches the archive but `log`."""

    folder: Path
    settings: Callable[[], Settings]
    log: Callable[[Contact], None]
    """Adds to the list of contacted addresses; may raise StorageError."""

    def fetch(
        self, model: LocalModel, on_progress: Progress, should_stop: Stop = lambda: False
    ) -> Path:
        """Download a model, or go on with it; return the file, whose checksum is right.

        Raises ModelFileMissingError, ModelFileRefusedError, ModelFileBrokenError,
        ConnectionLostError, SpaceTooLittleError, FileNotWrittenError, LocalOnlyError,
        StorageError, DownloadStoppedError.
        """
        target, partial = self.folder / model.file, self.folder / f"{model.file}.part"
        if target.is_file() and target.stat().st_size == model.bytes:
            return target
        if self.settings().is_local_only:
            raise LocalOnlyError(where=_host(model))
        with _writing(partial):
            make_private_folder(self.folder)
            there = partial.stat().st_size if partial.exists() else 0
            if there < model.bytes:
                _check_space(self.folder, model.bytes - there + _SPARE_BYTES)
                self._download(model, partial, on_progress, should_stop)
            if _sha256(partial, should_stop) != model.sha256:
                partial.unlink()
                raise ModelFileBrokenError(name=model.name)
            partial.replace(target)
        return target

    def _download(
        self, model: LocalModel, partial: Path, on_progress: Progress, should_stop: Stop
    ) -> None:
        import httpx2  # noqa: PLC0415 - half a second

        outcome = ContactOutcome.FAILED
        try:
            with httpx2.Client(follow_redirects=True, timeout=_PATIENCE_S) as client:
                _receive(client, model, partial, on_progress, should_stop)
            outcome = ContactOutcome.OK
        except (httpx2.ConnectError, httpx2.ConnectTimeout) as exc:
            raise ConnectionLostError(where=_host(model)) from exc
        except httpx2.HTTPError as exc:
            raise ModelFileMissingError(where=_host(model)) from exc
        finally:
            self.log(Contact(utc_now(), ContactPurpose.PAGE, model.address, outcome))

    def pull(
        self,
        model: LocalModel,
        on_progress: Progress,
        should_stop: Stop = lambda: False,
        *,
        address: str = OLLAMA_ADDRESS,
    ) -> None:
        """Let an Ollama that runs on this computer fetch a model; it checks what it fetches.

        Raises ModelPullError, LocalOnlyError, DownloadStoppedError.
        """
        import httpx2  # noqa: PLC0415 - half a second

        if self.settings().is_local_only:
            raise LocalOnlyError(where="Ollama")
        is_done, asked = False, {"model": model.ollama}
        try:
            with (
                httpx2.Client(trust_env=False, timeout=_OLLAMA_PATIENCE_S) as client,
                client.stream("POST", f"{address}/api/pull", json=asked) as answer,
            ):
                for line in answer.iter_lines():
                    if should_stop():
                        raise DownloadStoppedError
                    is_done = _pulled(line, on_progress)
        except httpx2.HTTPError as exc:
            raise ModelPullError(detail="") from exc
        if not is_done:
            raise ModelPullError(detail="")


def _host(model: LocalModel) -> str:
    return urlsplit(model.address).hostname or ""


@contextmanager
def _writing(file: Path) -> Iterator[None]:
    try:
        yield
    except OSError as exc:
        raise FileNotWrittenError(path=str(file), detail=exc.strerror or "") from exc


def _check_space(folder: Path, needed: int) -> None:
    free = shutil.disk_usage(folder).free
    if free < needed:
        raise SpaceTooLittleError(needed=needed // _MEGABYTE, free=free // _MEGABYTE)


def _receive(
    client: "httpx2.Client",
    model: LocalModel,
    partial: Path,
    on_progress: Progress,
    should_stop: Stop,
) -> None:
    """Append to the partial file, or begin it anew where the server cannot go on."""
    at = partial.stat().st_size if partial.exists() else 0
    headers = {"Range": f"bytes={at}-", "Accept-Encoding": "identity"}
    with client.stream("GET", model.address, headers=headers) as answer:
        if answer.status_code not in {_OK, _PARTIAL_CONTENT}:
            raise ModelFileRefusedError(where=_host(model), status=answer.status_code)
        if answer.status_code == _OK:
            at = 0
        with partial.open("ab" if at else "wb") as file:
            for chunk in answer.iter_raw(_CHUNK):
                if should_stop():
                    raise DownloadStoppedError
                if (at := at + len(chunk)) > model.bytes:
                    break  # It is another file, whose checksum is wrong
                file.write(chunk)
                on_progress(at, model.bytes)
    if at < model.bytes:
        raise ModelFileMissingError(where=_host(model))


def _sha256(file: Path, should_stop: Stop) -> str:
    sums = hashlib.sha256()
    with file.open("rb") as opened:
        while chunk := opened.read(_CHUNK):
            if should_stop():
                raise DownloadStoppedError
            sums.update(chunk)
    return sums.hexdigest()


def _pulled(line: str, on_progress: Progress) -> bool:
    """Read a line of Ollama's; return whether it is the last one of a success."""
    try:
        state = json.loads(line[:_LONGEST_LINE] or "{}")
        if error := state.get("error"):
            raise ModelPullError(detail=str(error)[:200])
        if total := int(state.get("total") or 0):
            on_progress(int(state.get("completed") or 0), total)
        return bool(state.get("status") == "success")
    except (ValueError, TypeError, AttributeError, RecursionError) as exc:
        raise ModelPullError(detail="") from exc
