"""The window follows the other devices by itself."""

from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from desktop.domain.ids import MessageId
from desktop.domain.messages import Message, Role
from desktop.domain.projects import EVERYTHING
from desktop.domain.sync import CarrierGoneError
from desktop.sessions.syncing.syncing import Syncing, SyncReport
from desktop.settings.keys import MemoryKeys
from desktop.storage.repositories.sessions import StoredMessage
from desktop.ui.devices.conflict_card import ConflictCard
from desktop.ui.devices.devices_page import DevicesPage
from desktop.ui.devices.sync_runner import SyncPace
from desktop.ui.services import NavigationTarget
from tests.archives import finished
from tests.narrowing import present
from tests.syncing import PASSPHRASE, SyncedDevice
from tests.ui.main_window.stage import Stage

VAIN = SyncReport(0, 0, 0, 0, {})
USEFUL = SyncReport(3, 1, 0, 0, {})


class Seconds:
    now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def synced(empty: Stage, shared: Path) -> Stage:
    """A window that follows."""
    syncing = Syncing(empty.archive, MemoryKeys(), is_local_only=lambda: False)
    syncing.set_up(str(shared), PASSPHRASE, name="Masaüstü")
    empty.stand_in(syncing=syncing)
    empty.window.devices.look()
    empty.until(lambda: empty.window.devices.background.is_following)
    return empty


def pause(stage: Stage) -> None:
    devices = stage.window.devices
    devices.runner.pause(is_paused=True)
    stage.until(lambda: not devices.background.is_following)


def add_exchange(device: SyncedDevice, question: str, answer: str) -> None:
    """Go on in its one session, without a window."""
    sessions = device.archive.sessions
    session = sessions.sessions(EVERYTHING)[0]
    kept = sessions.all_versions(session.id)
    last, added = kept[-1].message, list[Message]()
    for role, text in ((Role.USER, question), (Role.ASSISTANT, answer)):
        number, id_ = last.number + 1, MessageId(last.id + 1)
        last = replace(last, id=id_, number=number, role=role, content=text, parent_id=last.id)
        added.append(last)
    rows = [StoredMessage(message, is_current=True) for message in added]
    sessions.save(replace(session, messages=len(kept) + len(rows)), rows)


def test_a_profile_that_does_not_synchronise_makes_and_starts_nothing(empty: Stage) -> None:
    devices = empty.window.devices
    devices.look()
    assert not {"runner", "background"} & set(vars(devices))
    assert "syncing" not in vars(empty.services)


def test_a_session_of_another_device_is_listed_and_found_while_something_is_typed(
    synced: Stage, laptop: SyncedDevice
) -> None:
    synced.write("Yazmakta olduğum soru")
    laptop.set_up()
    laptop.archive.imports.add([finished("yeni", "Gelgit neden olur?", "Ayın çekimi yüzünden.")])
    laptop.syncing.run()
    synced.until(lambda: synced.rows() != [])
    assert "Gelgit neden olur?" in str(synced.rows())
    sidebar = synced.window.parts.sidebar
    sidebar.search.setText("gelgit")
    synced.until(lambda: bool(synced.rows()) and not synced.is_finding())
    assert synced.window.parts.composer.text == "Yazmakta olduğum soru"


def test_a_message_that_another_device_added_appears_in_the_shown_session(
    synced: Stage, laptop: SyncedDevice
) -> None:
    laptop.set_up()
    laptop.archive.imports.add([finished("yeni", "Gelgit neden olur?", "Ayın çekimi yüzünden.")])
    laptop.syncing.run()
    synced.until(lambda: bool(synced.rows()))
    session = synced.archive.sessions.sessions(EVERYTHING)[0]
    synced.window.sessions.open(NavigationTarget(session.id))
    synced.until(lambda: len(synced.messages()) == 2)
    synced.write("Yazmakta olduğum soru")
    before = synced.messages()[0]
    add_exchange(laptop, "Peki güneş?", "O da.")
    laptop.syncing.run()
    synced.until(lambda: len(synced.messages()) == 4)
    assert synced.messages()[0] is before
    assert synced.shown()[-1] == "O da."
    assert synced.window.parts.composer.text == "Yazmakta olduğum soru"


def when_there(stage: Stage, device: SyncedDevice, messages: int) -> None:
    """Wait until another device has so many messages of its one session."""

    def is_there() -> bool:
        device.syncing.run(is_full=False)
        sessions = device.archive.sessions
        return any(
            len(sessions.messages(one.id)) == messages for one in sessions.sessions(EVERYTHING)
        )

    stage.until(is_there)


def test_the_active_session_takes_what_another_device_adds_and_goes_on_from_there(
    synced: Stage, laptop: SyncedDevice
) -> None:
    laptop.set_up()
    synced.model.says("Ayın çekimi yüzünden.\n\n" * 60)
    synced.ask("Gelgit neden olur?")
    when_there(synced, laptop, 2)
    synced.write("Yazmakta olduğum soru")
    transcript = synced.window.parts.transcript
    transcript.verticalScrollBar().setValue(40)
    anchor, before = transcript.anchor(), synced.messages()[0]
    assert anchor[0] is not None
    add_exchange(laptop, "Peki güneş?", "O da.")
    laptop.syncing.run()
    synced.until(lambda: synced.shown()[2:] == ["Peki güneş?", "O da."])
    assert synced.messages()[0] is before
    assert transcript.anchor() == anchor
    assert synced.window.parts.composer.text == "Yazmakta olduğum soru"
    synced.ask("İkisi birden?")
    assert [message.text for message in synced.model.requests[-1].messages][-2] == "O da."
    when_there(synced, laptop, 6)


def test_a_running_answer_goes_on_and_what_arrives_meanwhile_is_its_other_version(
    synced: Stage, laptop: SyncedDevice
) -> None:
    laptop.set_up()
    synced.ask("Gelgit neden olur?")
    when_there(synced, laptop, 2)
    answer = synced.sends_held()
    synced.until(lambda: synced.window.devices.runner.report is not None)
    question = synced.messages()[2]
    add_exchange(laptop, "Peki güneş?", "O da.")
    laptop.syncing.run()
    synced.until(lambda: question.facts.versions is not None)
    assert synced.shown()[2:] == ["Say", "Bir "]
    answer.go.set()
    synced.until(lambda: synced.shown()[2:] == ["Say", "Bir iki"])
    versions = present(question.facts.versions)
    other = next(id_ for id_ in versions.ids if id_ != question.message.id)
    synced.until(lambda: not synced.window.sessions.turns.is_any_running)
    synced.window.sessions.show_version(other)
    synced.until(lambda: synced.shown()[2:] == ["Peki güneş?", "O da."])


def test_what_changes_here_is_sent_by_itself(synced: Stage, laptop: SyncedDevice) -> None:
    laptop.set_up()
    synced.ask("Gelgit neden olur?")
    when_there(synced, laptop, 2)


def test_nothing_is_sent_while_it_is_paused(synced: Stage, laptop: SyncedDevice) -> None:
    laptop.set_up()
    devices = synced.window.devices
    synced.until(lambda: devices.runner.report is not None)
    pause(synced)
    synced.archive.projects.create("Tez")
    assert not synced.services.syncing.has_news()
    laptop.syncing.run()
    assert laptop.names() == set()
    devices.runner.pause(is_paused=False)
    synced.until(lambda: laptop.syncing.run().received > 0)
    assert laptop.names() == {"Tez"}


def test_closing_sends_what_is_unsent(synced: Stage, laptop: SyncedDevice) -> None:
    laptop.set_up()
    synced.until(lambda: synced.window.devices.runner.report is not None)
    synced.archive.projects.create("Tez")
    synced.leave()
    laptop.syncing.run()
    assert laptop.names() == {"Tez"}


def test_the_status_bar_leads_to_a_choice_and_is_silent_without_one(
    synced: Stage, laptop: SyncedDevice
) -> None:
    devices, status = synced.window.devices, synced.window.parts.status
    laptop.set_up()
    synced.until(lambda: devices.runner.report is not None)
    assert status.devices.isHidden()
    runner = devices.runner
    runner.error = CarrierGoneError(where="x")  # passes by itself
    devices.show_attention()
    assert status.devices.isHidden()
    runner.error = None
    project = laptop.archive.projects.create("Tez")
    laptop.syncing.run()
    synced.until(lambda: bool(synced.archive.projects.projects()))
    pause(synced)
    for device, name in ((synced.archive, "Tezim"), (laptop.archive, "Yüksek lisans")):
        device.projects.edit(replace(project, name=name))
    laptop.syncing.run()
    runner.run()
    synced.until(status.devices.isVisible)
    assert "1" in status.devices.text()
    status.devices.setFocus()
    QTest.keyClick(status.devices, Qt.Key.Key_Return)
    page = synced.opened(DevicesPage)
    synced.until(lambda: bool(page.findChildren(ConflictCard)))


def test_a_run_is_due_at_once_with_news_and_after_a_while_without() -> None:
    clock = Seconds()
    pace = SyncPace(clock)
    assert pace.is_due(has_news=True)
    assert not pace.is_due(has_news=False)
    pace.rest_after(USEFUL, has_news=True)
    clock.now += 60
    assert pace.is_due(has_news=False)
    pace.rest_after(VAIN, has_news=False, is_full=True)
    assert not pace.is_full_due
    clock.now += 60
    assert not pace.is_due(has_news=False)


def test_a_hash_stays_due_until_the_window_can_spare_the_time() -> None:
    pace = SyncPace(Seconds())
    pace.rest_after(VAIN, has_news=False, is_full=False)
    assert pace.is_full_due


def test_runs_that_fail_or_do_nothing_rest_longer_each_time() -> None:
    pace = SyncPace(Seconds())
    rests = [pace.rest_after(CarrierGoneError(where="x"), has_news=True) for _ in range(7)]
    assert rests == sorted(rests)
    assert rests[0] < rests[1]
    assert rests[-1] == rests[-2]
    assert pace.rest_after(USEFUL, has_news=True) == 0
    assert pace.rest_after(VAIN, has_news=True) == rests[0]
