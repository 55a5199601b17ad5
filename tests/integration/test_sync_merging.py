"""Several devices of one profile: what each changes arrives at all, in any order of delivery."""

from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from desktop.domain.facts import Fact, FactSupport, NewFact, Origin, Term
from desktop.domain.ids import FactId, SessionId
from desktop.domain.messages import Rating, Thumb
from desktop.domain.projects import EVERYTHING
from desktop.domain.sync import Choice
from desktop.storage.journal import portions
from desktop.storage.journal.entities import ENTITIES, LOCAL_COLUMNS, LOCAL_TABLES
from desktop.storage.schema.columns import METADATA
from tests.archives import finished
from tests.merging_devices import Device, digests, exchange, problems_after
from tests.random_edits import Editor


@pytest.fixture
def devices(tmp_path: Path) -> Iterator[list[Device]]:
    several = [Device(tmp_path, name) for name in "abc"]
    yield several
    for device in several:
        device.archive.close()


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


def test_the_random_edits_write_every_table_that_travels(devices: list[Device]) -> None:
    archive = devices[0].archive
    editor = Editor(archive, devices[0].clock, "a", Random(0))  # noqa: S311 - can be repeated
    unwritten = {entity.table for entity in ENTITIES}
    unwritten |= {part.table for entity in ENTITIES for part in entity.parts}
    for _ in range(40):
        for _ in range(40):
            editor.edit()
        with archive.database.reading() as db:
            has_rows = "SELECT EXISTS (SELECT 1 FROM {})"
            unwritten = {
                table
                for table in unwritten
                if not db.exec_driver_sql(has_rows.format(table)).scalar()
            }
        if not unwritten:
            break
    assert not unwritten


@pytest.mark.timeout(300)
@pytest.mark.parametrize("seed", [0, 1, 28])
def test_random_edits_on_three_devices_end_equal(devices: list[Device], seed: int) -> None:
    """The long run is `python -m tests.hardening merges`."""
    assert problems_after(devices, seed, edits=250) == []


def test_a_large_change_travels_in_parts_and_each_knows_which_words_it_holds(
    devices: list[Device], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(portions, "MOST_CHANGES", 2)
    first = devices[0]
    grains = ["Arpa", "Yulaf", "Çavdar", "Darı", "Pirinç"]
    first.archive.imports.add(
        [finished(grain, "Nerede büyür?", f"{grain} tarlada.") for grain in grains]
    )
    first.send()
    packs = first.packs[:]
    assert len(packs) > 2
    exchange(devices)
    assert len(set(digests(devices))) == 1
    first.archive.sessions.delete(SessionId("Arpa"))
    first.archive.purge_deleted()
    first.send()
    marked = first.journal.packs_with_deleted()
    assert {pack.number for pack in packs if "Arpa" in repr(pack)} == marked
    assert len(marked) < len(packs)
    left = [
        first.journal.without_deleted(pack) if pack.number in marked else pack for pack in packs
    ]
    assert not any(f"{grains[0]} tarlada" in repr(pack) for pack in left)
    assert all(any(f"{grain} tarlada" in repr(pack) for pack in left) for grain in grains[1:])


def test_what_refers_to_a_session_that_stays_refers_to_it_still(devices: list[Device]) -> None:
    first, second, _ = devices
    session_id, fact_id = SessionId("s"), FactId("f")
    first.archive.imports.add(
        [finished(name, "Çay severim", "Peki", title="Eski") for name in ("s", "t")]
    )
    asked = [first.archive.sessions.messages(SessionId(name))[0].id for name in ("s", "t")]
    fact = Fact(fact_id, "içecek", "Çay sever", 5, Origin.USER, Term.LONG, first.clock())
    first.archive.facts.add([NewFact(fact, [FactSupport(each, 0, 3) for each in asked])])
    exchange(devices)
    second.archive.sessions.delete(session_id)
    second.archive.purge_deleted()
    second.send()
    first.archive.sessions.rename(session_id, "Yeni")
    first.send()
    exchange(devices)
    for device in devices:
        assert len(device.archive.facts.supports(fact_id)) == 2
    assert len(set(digests(devices))) == 1


def test_a_choice_is_asked_on_a_device_that_learned_of_the_deletion_first(
    devices: list[Device],
) -> None:
    first, second, third = devices
    first.archive.imports.add([finished("s", "Soru", "Yanıt", title="Eski")])
    exchange(devices)
    first.archive.sessions.delete(SessionId("s"))
    first.archive.purge_deleted()
    first.send()
    third.receive_from(first)
    second.archive.sessions.rename(SessionId("s"), "Yeni")
    second.send()
    exchange(devices)
    asked = [[(c.target, c.field) for c in d.journal.conflicts()] for d in devices]
    assert asked == [[("s", "")]] * 3
    [conflict] = third.journal.conflicts()
    third.journal.resolve(conflict.id, Choice.HERE)
    third.send()
    exchange(devices)
    assert [d.journal.conflicts() for d in devices] == [[], [], []]


def test_a_new_device_is_asked_what_the_others_are(devices: list[Device], tmp_path: Path) -> None:
    first, second, _ = devices
    first.archive.imports.add([finished("s", "Soru", "Yanıt", title="Eski")])
    exchange(devices)
    for device, title in ((first, "Birinci"), (second, "İkinci")):
        device.archive.sessions.rename(SessionId("s"), title)
        device.send()
    exchange(devices)
    newcomer = Device(tmp_path, "d")
    newcomer.journal.receive(second.journal.snapshot())
    [conflict] = newcomer.journal.conflicts()
    assert {conflict.here, conflict.there} == {"Birinci", "İkinci"}
    assert newcomer.journal.digest() == second.journal.digest()
    newcomer.archive.close()


def test_a_tag_is_spelled_alike_in_whatever_order_its_spellings_come(
    devices: list[Device],
) -> None:
    first, second, third = devices
    first.archive.imports.add([finished(name, "Soru", "Yanıt") for name in ("s", "t")])
    exchange(devices)
    first.archive.tags.set("ev", [SessionId("s")], is_on=True)
    first.send()
    second.archive.tags.set("EV", [SessionId("t")], is_on=True)
    second.send()
    third.receive_from(second)
    third.receive_from(first)
    exchange(devices)
    assert [list(device.archive.tags.tags()) for device in devices] == [["EV"]] * 3
    second.archive.tags.set("EV", [SessionId("t")], is_on=False)
    second.send()
    third.receive_from(second)
    exchange(devices)
    assert [list(device.archive.tags.tags()) for device in devices] == [["ev"]] * 3
    assert len(set(digests(devices))) == 1


def test_a_tag_that_two_devices_spell_otherwise_is_not_asked_about(devices: list[Device]) -> None:
    first, second, _ = devices
    first.archive.imports.add([finished("s", "Soru", "Yanıt")])
    exchange(devices)
    for device, tag in ((first, "ev"), (second, "EV")):
        device.archive.tags.set(tag, [SessionId("s")], is_on=True)
        device.send()
    exchange(devices)
    assert [device.journal.conflicts() for device in devices] == [[], [], []]
    assert len({tuple(device.archive.tags.tags()) for device in devices}) == 1
    assert len(set(digests(devices))) == 1


def test_a_value_from_which_its_author_has_gone_on_is_asked_no_more(devices: list[Device]) -> None:
    first, second, _ = devices
    session_id = SessionId("s")
    first.archive.imports.add([finished("s", "Soru", "Yanıt", title="Eski")])
    exchange(devices)
    for title in ("İkinci", "Üçüncü"):
        second.archive.sessions.rename(session_id, title)
        second.send()
    second.clock.pass_by(days=-1)
    first.clock.pass_by(minutes=1)
    first.archive.sessions.rename(session_id, "Birinci")
    first.send()
    exchange(devices)
    asked = [[(c.here, c.there) for c in device.journal.conflicts()] for device in devices]
    assert asked == [[("Birinci", "Üçüncü")]] * 3


def test_a_message_that_is_deleted_after_all_leaves_no_gap(devices: list[Device]) -> None:
    first, second, _ = devices
    session_id = SessionId("s")
    first.archive.imports.add([finished("s", "Bir?", "Bir.", "İki?", "İki.")])
    exchange(devices)
    rated = first.archive.sessions.messages(session_id)[1]
    first.archive.answers.rate(Rating(rated.id, Thumb.UP, ""))
    with second.archive.database.writing() as db:
        db.exec_driver_sql("DELETE FROM messages WHERE number = 2")
    second.send()
    first.send()
    exchange(devices)
    [conflict] = first.journal.conflicts()
    first.journal.resolve(conflict.id, Choice.THERE)
    first.send()
    exchange(devices)
    for device in devices:
        messages = device.archive.sessions.messages(session_id)
        assert [(m.number, m.content) for m in messages] == [(1, "Bir?"), (2, "İki?"), (3, "İki.")]
    assert len(set(digests(devices))) == 1


def test_a_deletion_is_not_asked_after_a_change_that_was_never_sent(devices: list[Device]) -> None:
    first, second, _ = devices
    session_id = SessionId("s")
    first.archive.imports.add([finished("s", "Soru", "Yanıt", title="Eski")])
    exchange(devices)
    first.archive.sessions.rename(session_id, "Yeni")
    first.journal.take()
    first.archive.sessions.delete(session_id)
    first.archive.purge_deleted()
    first.send()
    exchange(devices)
    assert [device.journal.conflicts() for device in devices] == [[], [], []]
    assert second.archive.sessions.sessions(EVERYTHING) == []
