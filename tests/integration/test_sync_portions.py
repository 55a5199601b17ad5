"""Several devices of one profile: an active session, and a snapshot that is merged in portions."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Connection

from desktop.domain.facts import Fact, FactSupport, NewFact, Origin, Term
from desktop.domain.ids import FactId, MessageId, SessionId
from desktop.domain.messages import Role
from desktop.domain.projects import EVERYTHING
from desktop.domain.sessions import SessionStatus
from desktop.domain.sync import Merged, Pack
from desktop.storage.journal import portions
from desktop.storage.journal.comparing import LostReference
from desktop.storage.repositories.sessions import StoredMessage
from tests.archives import finished
from tests.merging_devices import Device, digests, exchange, killed_after


@pytest.fixture
def devices(tmp_path: Path) -> Iterator[list[Device]]:
    several = [Device(tmp_path, name) for name in "abc"]
    yield several
    for device in several:
        device.archive.close()


def go_on(device: Device, text: str, status: SessionStatus) -> None:
    """Write a question and an answer at the end of the session on one device."""
    sessions = device.archive.sessions
    session = sessions.session(SessionId("s"))
    last, rows = sessions.messages(session.id)[-1], list[StoredMessage]()
    for role in (Role.USER, Role.ASSISTANT):
        number, id_ = last.number + 1, MessageId(last.id + 1)
        last = replace(last, id=id_, number=number, role=role, content=text, parent_id=last.id)
        rows.append(StoredMessage(last, is_current=True))
    sessions.save(replace(session, status=status), rows)


def test_two_devices_on_which_a_session_is_active_do_not_answer_each_other_for_ever(
    devices: list[Device],
) -> None:
    first, second, _ = devices
    first.archive.imports.add([finished("s", "Soru", "Yanıt")])
    exchange(devices)
    go_on(first, "Birinci", SessionStatus.ACTIVE)
    go_on(second, "İkinci", SessionStatus.ACTIVE)
    exchange(devices)
    sent = [len(device.packs) for device in devices]
    exchange(devices)
    assert [len(device.packs) for device in devices] == sent
    texts = [[m.content for m in d.archive.sessions.messages(SessionId("s"))] for d in devices]
    assert texts[0][2:] == ["Birinci"] * 2
    assert texts[1][2:] == ["İkinci"] * 2
    for device in (first, second):
        device.clock.pass_by(minutes=1)
        session = device.archive.sessions.session(SessionId("s"))
        ended = replace(session, status=SessionStatus.COMPLETE, ended_at=device.clock())
        device.archive.sessions.save(ended, [])
    exchange(devices)
    assert len(set(digests(devices))) == 1


def shown_sessions(device: Device) -> dict[str, list[str]]:
    sessions = device.archive.sessions
    return {
        session.id: [message.content for message in sessions.messages(session.id)]
        for session in sessions.sessions(EVERYTHING)
    }


def test_a_snapshot_is_merged_in_portions_and_goes_on_where_the_program_was_killed(
    devices: list[Device], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(portions, "MOST_CHANGES", 4)
    first, second, third = devices
    grains = ["Arpa", "Yulaf", "Çavdar", "Darı", "Pirinç"]
    first.archive.imports.add(
        [finished(grain, "Nerede büyür?", f"{grain} tarlada.") for grain in grains]
    )
    first.archive.sessions.delete(SessionId(grains[0]))
    first.archive.purge_deleted()
    first.send()
    snapshot = first.journal.snapshot()
    assert len(portions.portions_of(snapshot)) > 2
    statements = 0
    while (there := shown_sessions(second)) != shown_sessions(first):
        statements += 40
        assert not second.journal.received().get(snapshot.device)
        for grain, texts in there.items():
            assert texts == ["Nerede büyür?", f"{grain} tarlada."]
        if there:  # what was merged is this device's own to change
            second.archive.projects.create(f"Tez {statements}")
        with killed_after(statements):
            second.journal.receive(snapshot)
    second.journal.receive(snapshot)
    assert second.journal.received()[snapshot.device] == snapshot.number
    exchange(devices)
    assert len(set(digests(devices))) == 1
    assert [device.journal.conflicts() for device in devices] == [[], [], []]
    assert shown_sessions(third) == shown_sessions(first)


def test_a_device_that_was_away_learns_from_a_snapshot_what_was_deleted(
    devices: list[Device], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(portions, "MOST_CHANGES", 4)
    first, second, _ = devices
    first.archive.imports.add([finished(f"s{number}", "Soru", "Yanıt") for number in range(5)])
    exchange(devices)
    first.archive.sessions.delete(SessionId("s2"))
    first.archive.purge_deleted()
    first.send()
    snapshot = first.journal.snapshot()
    assert len(portions.portions_of(snapshot)) > 2
    second.journal.receive(snapshot)
    assert sorted(shown_sessions(second)) == ["s0", "s1", "s3", "s4"]
    assert second.journal.digest() == first.journal.digest()


def test_others_write_between_the_portions_of_a_snapshot(
    devices: list[Device], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(portions, "MOST_CHANGES", 4)
    first, second, _ = devices
    first.archive.imports.add([finished(f"s{number}", "Soru", "Yanıt") for number in range(9)])
    first.send()
    snapshot, seen = first.journal.snapshot(), list[int]()
    receive = second.journal._receive

    def beside(db: Connection, pack: Pack, lost: list[LostReference], **more: Any) -> Merged:
        merged = receive(db, pack, lost, **more)
        seen.append(len(shown_sessions(second)))  # what another connection sees meanwhile
        return merged

    monkeypatch.setattr(second.journal, "_receive", beside)
    second.journal.receive(snapshot)
    assert seen == sorted(set(seen))
    assert len(seen) > 2


def test_what_changes_between_the_portions_waits_elsewhere_for_what_it_changed(
    devices: list[Device], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(portions, "MOST_CHANGES", 4)
    first, second, third = devices
    first.archive.imports.add([finished(f"s{number}", "Soru", "Yanıt") for number in range(9)])
    first.send()
    snapshot = first.journal.snapshot()
    with killed_after(400):
        second.journal.receive(snapshot)
    [changed, *_] = shown_sessions(second)
    second.archive.sessions.rename(SessionId(changed), "Yeni")
    second.journal.receive(snapshot)
    second.send()
    third.receive_from(second, first)
    exchange(devices)
    titles = {device.archive.sessions.session(SessionId(changed)).title for device in devices}
    assert titles == {"Yeni"}
    assert len(set(digests(devices))) == 1


def test_many_deletions_are_decided_together_and_what_stays_is_whole(
    devices: list[Device], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(portions, "MOST_CHANGES", 4)
    first, second, third = devices
    names = [SessionId(f"s{number}") for number in range(6)]
    several = [finished(name, "Çay severim", "Peki") for name in (*names, "t")]
    first.archive.imports.add(several)
    asked = [first.archive.sessions.messages(name)[0].id for name in (*names, SessionId("t"))]
    fact = Fact(FactId("f"), "içecek", "Çay", 5, Origin.USER, Term.LONG, first.clock())
    first.archive.facts.add([NewFact(fact, [FactSupport(each, 0, 3) for each in asked])])
    exchange(devices)
    for name in names:
        first.archive.sessions.delete(name)
    first.archive.purge_deleted()
    first.send()
    second.archive.sessions.rename(names[2], "Yeni")
    second.send()
    third.receive_from(first)
    exchange(devices)
    for device in devices:
        assert shown_sessions(device) == {
            name: ["Çay severim", "Peki"] for name in (names[2], "t")
        }
        assert len(device.archive.facts.supports(FactId("f"))) == 2
    assert len(set(digests(devices))) == 1
