"""Mutated files of a device in a shared folder, under names that fit them or the old ones.

None may be merged, whoever wrote it, and the whole files are merged afterwards.
"""

from functools import partial
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from desktop.domain.json_values import JsonValue
from desktop.domain.sync import Pack
from desktop.sessions.syncing.carrier import STATE, FileName
from desktop.sessions.syncing.exchange import SyncRun
from desktop.sessions.syncing.folder import FolderCarrier
from desktop.sessions.syncing.packs import SyncKey, seal_json, seal_pack
from desktop.sessions.syncing.place import SyncLocation
from tests.hardening.fuzz import mutated
from tests.hardening.tally import Tally
from tests.merging_devices import Device
from tests.random_edits import Editor

_EDITS = 60
_OF_ANOTHER = 0.1


def mutate_packs(count: int) -> Tally:
    tally, key = Tally("mutated packs"), SyncKey.new()
    with TemporaryDirectory(dir="/dev/shm") as folder:
        shared = Path(folder) / "shared"
        author, reader = (Device(Path(folder), name) for name in "ab")
        packs = _packs_of(author)
        owner = packs[0].device
        (shared / owner).mkdir(parents=True)
        state: JsonValue = {
            "name": "a",
            "number": len(packs),
            "received": {},
            "at": "",
            "hash": "",
            "left": False,
            "replaces": [],
        }
        files = [
            *(seal_pack(key, pack) for pack in (packs[0], author.journal.snapshot())),
            seal_json(key, owner, STATE, 1, state),
        ]
        receive = partial(_receive, reader, shared, key)
        for seed in range(count):
            dice = Random(f"packs{seed}")  # noqa: S311 - repeatable
            name, whole = files[seed % len(files)]
            path = shared / owner / _renamed(name, spoilt := _spoilt(files, whole, dice), dice)
            path.write_bytes(spoilt)
            tally.attempt(f"{name} {seed}", receive)
            path.unlink()
        tally.lost += bool(reader.journal.received())
        for name, whole in (seal_pack(key, pack) for pack in packs):
            (shared / owner / name).write_bytes(whole)
        tally.attempt("the whole files", receive)
        tally.lost += reader.journal.digest() != author.journal.digest()
        for device in (author, reader):
            device.archive.close()
    return tally


def _packs_of(author: Device) -> list[Pack]:
    editor = Editor(author.archive, author.clock, "a", Random(0))  # noqa: S311 - repeatable
    for _ in range(_EDITS):
        editor.edit()
        author.send()
    return author.packs


def _spoilt(files: list[tuple[str, bytes]], whole: bytes, dice: Random) -> bytes:
    """Return other bytes than these: changed, or those of another file."""
    others = [sealed for _, sealed in files if sealed != whole]
    if dice.random() < _OF_ANOTHER:
        return dice.choice(others)
    return next(spoilt for _ in iter(int, 1) if (spoilt := mutated(whole, dice)) != whole)


def _renamed(name: str, data: bytes, dice: Random) -> str:
    """Return the old name, or that of these bytes, as only a forger gives it."""
    parsed = FileName.parse(name)
    assert parsed
    return str(FileName.of(parsed.kind, parsed.what, data)) if dice.random() < 0.9 else name


def _receive(reader: Device, shared: Path, key: SyncKey) -> None:
    run = SyncRun(
        reader.archive,
        FolderCarrier(shared),
        key,
        SyncLocation(address=str(shared), name="", keyring=""),
        mark_deleted=lambda: None,
        now=reader.clock,
    )
    run.check_own()
    run.receive()
