"""Several devices of one profile: what each changes arrives at all, in any order of delivery."""

import json
import os
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from random import Random

import pytest
from sqlalchemy import Engine, event

from desktop.domain.ids import SessionId
from desktop.domain.projects import EVERYTHING
from desktop.domain.sync import Choice, DeviceId, Pack
from desktop.storage.archive import Archive
from desktop.storage.journal.entities import ENTITIES, LOCAL_COLUMNS, LOCAL_TABLES, MESSAGES
from desktop.storage.journal.journal import Journal
from desktop.storage.journal.reading import Fields, content_of, whole_state
from desktop.storage.schema.columns import METADATA
from tests.archives import SettableClock, archive_in, finished
from tests.random_edits import WORD, Editor


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
        waiting = [pack for other in others for pack in other.packs]
        while waiting:
            left = [pack for pack in waiting if self.journal.receive(pack).is_waiting]
            assert len(left) < len(waiting), "a pack waits for ever"
            waiting = left


@pytest.fixture
def devices(tmp_path: Path) -> Iterator[list[Device]]:
    several = [Device(tmp_path, name) for name in "abc"]
    yield several
    for device in several:
        device.archive.close()


def exchange(devices: list[Device]) -> None:
    for _ in range(3):
        for device in devices:
            device.receive_from(*(other for other in devices if other is not device))
            device.send()


def digests(devices: list[Device]) -> list[str]:
    return [device.journal.digest() for device in devices]


def test_sessions_arrive_and_are_found(devices: list[Device]) -> None:
    first, second, _ = devices
    first.archive.imports.add([finished("s", "Işık nedir?", "Bir dalga.")])
    exchange(devices)
    texts = [m.content for m in second.archive.sessions.messages(SessionId("s"))]
    assert texts == ["Işık nedir?", "Bir dalga."]
    assert len(set(digests(devices))) == 1


def test_a_title_changed_on_two_devices_has_one_winner_and_a_question(
    devices: list[Device],
) -> None:
    first, second, _ = devices
    session_id = SessionId("s")
    first.archive.imports.add([finished("s", "Soru", "Yanıt", title="Eski")])
    exchange(devices)
    first.archive.sessions.rename(session_id, "Birinci")
    second.archive.sessions.rename(session_id, "İkinci")
    first.send()
    second.clock.pass_by(minutes=1)
    second.send()
    exchange(devices)
    assert {d.archive.sessions.session(session_id).title for d in devices} == {"İkinci"}
    assert len(set(digests(devices))) == 1
    for device in devices:
        [conflict] = device.journal.conflicts()
        assert (conflict.name, conflict.field) == ("İkinci", "title")
        assert (conflict.here, conflict.there) == ("İkinci", "Birinci")
    [conflict] = first.journal.conflicts()
    first.journal.resolve(conflict.id, Choice.THERE)
    first.send()
    exchange(devices)
    assert {d.archive.sessions.session(session_id).title for d in devices} == {"Birinci"}
    assert [d.journal.conflicts() for d in devices] == [[], [], []]
    assert len(set(digests(devices))) == 1


def test_a_deletion_is_real_everywhere(devices: list[Device]) -> None:
    first, second, _ = devices
    first.archive.imports.add(
        [finished("s", "Sırdüğümü nedir?", "Bir sırdüğümü."), finished("t", "Kalan")]
    )
    exchange(devices)
    second.archive.sessions.delete(SessionId("s"))
    second.archive.purge_deleted()
    second.send()
    exchange(devices)
    assert len(set(digests(devices))) == 1
    for device in devices:
        device.archive.close()
        for file in device.archive.database.path.parent.rglob("*"):
            assert not file.is_file() or "Sırdüğümü".encode() not in file.read_bytes()
    assert second.journal.is_on


def test_a_deletion_against_a_change_is_asked(devices: list[Device]) -> None:
    first, second, _ = devices
    session_id = SessionId("s")
    first.archive.imports.add([finished("s", "Soru", "Yanıt", title="Eski")])
    exchange(devices)
    first.archive.sessions.delete(session_id)
    first.archive.purge_deleted()
    first.send()
    second.archive.sessions.rename(session_id, "Yeni")
    second.send()
    exchange(devices)
    exchange(devices)
    assert [d.archive.sessions.session(session_id).title for d in devices] == ["Yeni"] * 3
    assert len(set(digests(devices))) == 1
    [conflict] = second.journal.conflicts()
    assert (conflict.name, conflict.field) == ("Yeni", "")
    second.journal.resolve(conflict.id, Choice.THERE)
    second.send()
    exchange(devices)
    assert len(set(digests(devices))) == 1
    assert first.archive.sessions.sessions(EVERYTHING) == []


def test_a_profile_that_stops_has_no_trigger_and_no_table(
    devices: list[Device], tmp_path: Path
) -> None:
    first = devices[0]
    first.archive.imports.add([finished("s", "Soru")])
    first.send()
    first.journal.stop()
    never = archive_in(tmp_path / "never")
    assert _schema(first.archive) == _schema(never)
    never.close()


def _schema(archive: Archive) -> set[str]:
    with archive.database.reading() as db:
        return set(db.exec_driver_sql("SELECT name FROM sqlite_master").scalars())


def test_every_table_and_column_travels_or_says_why_not() -> None:
    travelling: dict[str, set[str]] = {}
    for entity in ENTITIES:
        travelling.setdefault(entity.table, set()).update((entity.key, *entity.columns))
        for part in entity.parts:
            travelling.setdefault(part.table, set()).update((part.owner, *part.columns))
    assert not travelling.keys() & LOCAL_TABLES.keys()
    for name, table in METADATA.tables.items():
        assert name in travelling or name in LOCAL_TABLES, f"{name} is in neither list"
        for column in table.c.keys() if name in travelling else ():
            is_listed = column in travelling[name] or f"{name}.{column}" in LOCAL_COLUMNS
            assert is_listed, f"{name}.{column} is in neither list"
    assert {column.partition(".")[0] for column in LOCAL_COLUMNS} <= travelling.keys()


SEEDS = int(os.environ.get("BELLEK_SYNC_SEEDS", "3"))
EDITS = int(os.environ.get("BELLEK_SYNC_EDITS", "250"))
"""The long run: 50 seeds of 1000 edits."""


@pytest.mark.timeout(900)
@pytest.mark.parametrize("seed", range(SEEDS))
def test_random_edits_on_three_devices_end_equal(devices: list[Device], seed: int) -> None:
    random = Random(seed)  # noqa: S311 - a test that can be repeated
    editors = [
        Editor(device.archive, device.clock, name, random)
        for device, name in zip(devices, "abc", strict=True)
    ]
    for _ in range(EDITS):
        place = random.randrange(3)
        editors[place].edit()
        if random.random() < 0.25:
            devices[place].send()
        if random.random() < 0.2:
            receive_some(devices, place, random)
    settle(devices)
    assert differences(devices) == []
    assert len(set(digests(devices))) == 1
    sent = sum(len(device.packs) for device in devices)
    exchange(devices)
    assert sum(len(device.packs) for device in devices) == sent, "they never stop talking"
    assert rewritten_messages(devices) == {}
    assert lost_messages(devices) == set()
    assert left_of_deleted(devices) == set()


def receive_some(devices: list[Device], place: int, random: Random) -> None:
    """Some packs arrive: late, in any order, twice; the program is killed in one of them."""
    device = devices[place]
    packs = [pack for other in devices if other is not device for pack in other.packs]
    for pack in random.sample(packs, min(len(packs), 12)):
        if random.random() < 0.2:
            with killed_after(random.randrange(80)):
                device.journal.receive(pack)
        device.journal.receive(pack)


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
            for id_, fields in whole_state(db, entity).items()
        }
        paths = (
            "SELECT m.session_id, s.id FROM messages m JOIN synced_entities s ON s.kind = "
            "'messages' AND s.entity = m.id WHERE m.is_current = 1 ORDER BY m.number"
        )
        for session, id_ in db.exec_driver_sql(paths):
            state.setdefault(("paths", session), {"messages": ""})["messages"] += f"{id_} "  # type: ignore[operator]
    return state


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
        there = {*deleted.scalars(), *whole_state(db, MESSAGES)}
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
