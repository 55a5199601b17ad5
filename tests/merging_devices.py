"""Three devices that are edited at random, and merge what arrives; and what must hold then."""

import json
import os
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from random import Random
from unittest.mock import patch

from sqlalchemy import Engine, event

from desktop.domain.sync import Choice, DeviceId, Pack
from desktop.sessions.syncing.packs import BrokenFileError, SyncKey, open_pack, seal_pack
from desktop.storage.archive import Archive
from desktop.storage.journal import portions
from desktop.storage.journal.entities import ENTITIES, MESSAGES
from desktop.storage.journal.journal import Journal
from desktop.storage.journal.reading import Fields, content_of, whole_state
from tests.archives import SettableClock, archive_in
from tests.random_edits import WORD, Editor

_KEY = SyncKey.new()
_CHOOSES, _SENDS, _RECEIVES = 0.04, 0.25, 0.2
"""How often a device does so after an edit."""
_CUT, _KILLS = 0.1, 0.2
"""How often a pack arrives so."""


class Device:
    """An archive with its journal, and the packs that it has sent."""

    def __init__(self, folder: Path, name: str) -> None:
        self.clock = SettableClock()
        self.archive: Archive = archive_in(folder / name, self.clock)
        self.journal = Journal(self.archive.database, now=self.clock)
        self.journal.start(DeviceId(name * 32))
        self.packs: list[Pack] = []

    def send(self) -> None:
        self.clock.pass_by(seconds=1)
        self.journal.take()
        for pack in self.journal.unsent():
            self.packs.append(pack)
            self.journal.mark_sent(pack.number)

    def receive_from(self, *others: "Device") -> None:
        last = self.journal.received()
        packs = [pack for other in others for pack in other.packs]
        waiting = [pack for pack in packs if pack.number > last.get(pack.device, 0)]
        while waiting:
            left = [pack for pack in waiting if self.journal.receive(pack).is_waiting]
            assert len(left) < len(waiting), "a pack waits for ever"
            waiting = left


def exchange(devices: list[Device]) -> None:
    for _ in range(3):
        for device in devices:
            device.receive_from(*(other for other in devices if other is not device))
            device.send()


def digests(devices: list[Device]) -> list[str]:
    return [device.journal.digest() for device in devices]


def problems_after(devices: list[Device], seed: int, edits: int) -> list[str]:
    """Edit the devices at random, let them merge everything, and return what is wrong then."""
    random = Random(seed)  # noqa: S311 - a test that can be repeated
    editors = [
        Editor(device.archive, device.clock, name, random)
        for device, name in zip(devices, "abc", strict=True)
    ]
    problems = []
    most = random.choice([6, portions.MOST_CHANGES])
    with (
        patch.object(os, "urandom", random.randbytes),  # of which ids are made
        patch.object(portions, "MOST_CHANGES", most),
    ):
        for _ in range(edits):
            place = random.randrange(3)
            editors[place].edit()
            problems += work(devices, place, random)
        settle(devices)
    problems += differences(devices)
    problems += differing_choices(devices)
    if len(set(digests(devices))) > 1:
        problems.append("the digests differ")
    problems += differing_newcomer(random.choice(devices))
    sent = sum(len(device.packs) for device in devices)
    exchange(devices)
    if sum(len(device.packs) for device in devices) != sent:
        problems.append("they never stop talking")
    problems += [f"{id_} was rewritten" for id_ in rewritten_messages(devices)]
    problems += [f"{id_} is lost" for id_ in lost_messages(devices)]
    return problems + [f"{word} is left" for word in left_of_deleted(devices)]


def work(devices: list[Device], place: int, random: Random) -> list[str]:
    """One of the devices may settle a choice, send, receive; return what is wrong."""
    device = devices[place]
    if random.random() < _CHOOSES and (choices := device.journal.conflicts()):
        device.journal.resolve(random.choice(choices).id, random.choice([*Choice]))
    if random.random() < _SENDS:
        device.send()
    return receive_some(devices, place, random) if random.random() < _RECEIVES else []


def receive_some(devices: list[Device], place: int, random: Random) -> list[str]:
    """Some packs arrive: late, in any order, twice, cut; the program is killed in one of them."""
    device, problems = devices[place], list[str]()
    packs = [pack for other in devices if other is not device for pack in other.packs]
    for pack in random.sample(packs, min(len(packs), 12)):
        if random.random() < _CUT:
            problems += opened_half(pack, random)
        if random.random() < _KILLS:
            with killed_after(random.randrange(80)):
                device.journal.receive(pack)
        device.journal.receive(pack)
    return problems


def opened_half(pack: Pack, random: Random) -> list[str]:
    """A pack arrives in parts: nothing of it can be merged before all of it is there."""
    name, sealed = seal_pack(_KEY, pack)
    if open_pack(_KEY, pack.device, name, sealed) != pack:
        return [f"{name} arrives as another pack"]
    with suppress(BrokenFileError):
        open_pack(_KEY, pack.device, name, sealed[: random.randrange(len(sealed))])
        return [f"half of {name} was opened"]
    return []


class KilledError(Exception):
    """Stands for the end of the process: nothing of the transaction is kept."""


@contextmanager
def killed_after(statements: int) -> Iterator[None]:
    """The program ends after so many statements, if there are as many."""
    left = iter(range(statements))

    def count(*_: object) -> None:
        if next(left, None) is None:
            raise KilledError

    event.listen(Engine, "before_cursor_execute", count)
    try:
        with suppress(KilledError):
            yield
    finally:
        event.remove(Engine, "before_cursor_execute", count)


def settle(devices: list[Device]) -> None:
    """All purge and receive everything; what was asked stays as it is."""
    for device in devices:
        device.send()
    for _ in range(3):
        exchange(devices)
        for device in devices:
            device.archive.purge_deleted()
            device.send()
    exchange(devices)


def differences(devices: list[Device]) -> list[str]:
    """Return the entities that are not equal, to be read by who mends them."""
    states = [state_of(device) for device in devices]
    differing = []
    for key in sorted({key for state in states for key in state}):
        for name in sorted({name for state in states for name in state.get(key, {})}):
            values = [json.dumps(_value(state, key, name)) for state in states]
            if len(set(values)) > 1:
                differing.append(f"{key} {name}: {values}")
    return differing


def state_of(device: Device) -> dict[tuple[str, str], Fields]:
    """Return all that must be equal, also what is on the paths of sessions."""
    with device.archive.database.reading() as db:
        state = {
            (entity.kind, id_): fields
            for entity in ENTITIES
            for id_, fields in whole_state(db, entity)
        }
        paths = (
            "SELECT m.session_id, s.id FROM messages m JOIN synced_entities s ON s.kind = "
            "'messages' AND s.entity = m.id WHERE m.is_current = 1 ORDER BY m.number"
        )
        for session, id_ in db.exec_driver_sql(paths):
            state.setdefault(("paths", session), {"messages": ""})["messages"] += f"{id_} "  # type: ignore[operator]
    return state


def differing_choices(devices: list[Device]) -> list[str]:
    """Return what is not asked on all devices alike."""
    asked = [
        {f"{c.kind} {c.target} {c.field}: {c.there}" for c in device.journal.conflicts()}
        for device in devices
    ]
    everywhere = asked[0].intersection(*asked)
    return [f"not asked everywhere: {each}" for each in sorted(set().union(*asked) - everywhere)]


def differing_newcomer(device: Device) -> list[str]:
    """Return what a new device does not have as this one has it, after its snapshot."""
    newcomer = Device(device.archive.database.path.parent.parent, "d")
    newcomer.journal.receive(device.journal.snapshot())
    problems = [f"of a snapshot: {each}" for each in differences([device, newcomer])]
    newcomer.archive.close()
    return problems


def _value(state: dict[tuple[str, str], Fields], key: tuple[str, str], name: str) -> object:
    return state[key].get(name) if key in state else "absent"


def _bodies(devices: list[Device]) -> dict[str, set[str]]:
    """Return what packs said that each message is."""
    bodies: dict[str, set[str]] = defaultdict(set)
    for pack in (pack for device in devices for pack in device.packs):
        for change in pack.changes:
            if change.kind == "messages" and "body" in change.fields:
                bodies[change.id].add(json.dumps(change.fields["body"]))
    return bodies


def rewritten_messages(devices: list[Device]) -> dict[str, set[str]]:
    return {
        id_: bodies
        for id_, bodies in _bodies(devices).items()
        if len({body for body in bodies if content_of(json.loads(body))}) > 1
    }


def lost_messages(devices: list[Device]) -> set[str]:
    """Return the messages that are nowhere, though no device deleted them."""
    with devices[0].archive.database.reading() as db:
        deleted = db.exec_driver_sql("SELECT id FROM tombstones WHERE kind = 'messages'")
        there = {*deleted.scalars(), *(id_ for id_, _ in whole_state(db, MESSAGES))}
    return _bodies(devices).keys() - there


def left_of_deleted(devices: list[Device]) -> set[str]:
    """Return the words of deleted entities that are in a file of a device, or in a pack."""
    said: dict[tuple[str, str], set[str]] = defaultdict(set)
    for pack in (pack for device in devices for pack in device.packs):
        for change in pack.changes:
            said[change.kind, change.id] |= _words(change.fields)
    state = state_of(devices[0])
    there = _words([*state.values()]).union(*map(_kept_aside, devices))
    deleted = {word for id_, words in said.items() if id_ not in state for word in words} - there
    left = set()
    for device in devices:
        numbers = device.journal.packs_with_deleted()
        for pack in device.packs:
            is_dirty = pack.number in numbers
            kept = device.journal.without_deleted(pack) if is_dirty else pack
            left |= deleted & _words([change.fields for change in kept.changes])
        device.archive.close()
        for file in device.archive.database.path.parent.rglob("*"):
            left |= deleted & set(WORD.findall(file.read_bytes().decode("latin-1")))
    return left


def _kept_aside(device: Device) -> set[str]:
    with device.archive.database.reading() as db:
        return _words([*db.exec_driver_sql("SELECT value FROM sync_conflicts").scalars()])


def _words(value: object) -> set[str]:
    return set(WORD.findall(json.dumps(value)))
