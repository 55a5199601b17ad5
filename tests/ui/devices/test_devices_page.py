"""The page of the devices, over real profiles that meet in a real folder."""

import logging
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit, QPushButton, QWidget

from desktop.domain.ids import SessionId
from desktop.domain.projects import EVERYTHING
from desktop.domain.sync import SyncPassphraseError
from desktop.sessions.syncing.syncing import Syncing
from desktop.settings.keys import MemoryKeys
from desktop.ui.devices.conflict_card import ConflictCard
from desktop.ui.devices.devices_page import DevicesPage
from desktop.ui.devices.setup_form import SetupStep
from desktop.ui.services import NavigationTarget
from desktop.ui.widgets.plain_text import Label, MessageBox
from tests.narrowing import instance, present
from tests.syncing import PASSPHRASE, SyncedDevice
from tests.ui.main_window.stage import Stage

RETURN = Qt.Key.Key_Return


def with_keyring(stage: Stage) -> None:
    """Give it a keyring in memory: that of the tests keeps nothing."""
    keys = MemoryKeys()
    syncing = Syncing(stage.archive, keys, is_local_only=lambda: False)
    stage.stand_in(syncing=syncing)


def opened(stage: Stage) -> DevicesPage:
    stage.window.actions_by_name["devices"].trigger()
    page = stage.window.devices.page
    assert page is not None
    stage.until(lambda: page.is_loaded)
    return page


def settled(stage: Stage) -> None:
    runner = stage.window.devices.runner
    stage.until(lambda: not runner.is_running)


def type_in(field: QLineEdit, text: str) -> None:
    field.setText(text)  # QTest types ASCII only
    QTest.keyClick(field, RETURN)


def joined(stage: Stage, shared: Path) -> DevicesPage:
    """Set up by keys alone; the focus leads from field to field."""
    with_keyring(stage)
    page = opened(stage)
    form = page.setup_form
    focus = stage.window.focusWidget
    type_in(instance(focus(), QLineEdit), str(shared))
    stage.until(lambda: form.step is SetupStep.PASSPHRASE)
    form.again.line.setText(PASSPHRASE)
    type_in(instance(focus(), QLineEdit), PASSPHRASE)
    stage.until(form.device.hasFocus)
    type_in(form.device, "Masaüstü")
    runner = stage.window.devices.runner
    stage.until(lambda: runner.place is not None and not runner.is_running)
    return page


def press(page: DevicesPage, text: str) -> None:
    button = next(
        one
        for one in page.findChildren(QPushButton)
        if one.isVisible() and one.text().replace("&", "") == text
    )
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)


def rename(device: SyncedDevice, session: SessionId, title: str) -> None:
    device.archive.sessions.rename(session, title)
    device.syncing.run()


def test_three_steps_set_a_profile_up_and_the_first_run_follows(
    library: Stage, laptop: SyncedDevice, shared: Path
) -> None:
    page = joined(library, shared)
    assert not page.setup_form.isVisible()
    laptop.set_up()
    here = {one.id for one in library.archive.sessions.sessions(EVERYTHING)}
    assert {one.id for one in laptop.archive.sessions.sessions(EVERYTHING)} == here
    press(page, "Synchronise now")
    settled(library)
    library.until(lambda: "Dizüstü" in words(page))


def test_the_first_device_types_its_passphrase_twice_and_the_next_one_once(
    empty: Stage, laptop: SyncedDevice, shared: Path
) -> None:
    page = opened(empty)
    form = page.setup_form
    type_in(form.folder, str(shared))
    empty.until(lambda: form.step is SetupStep.PASSPHRASE)
    form.again.line.setText("başka bir parola")
    type_in(form.passphrase.line, PASSPHRASE)
    assert form.again.isVisible()
    assert form.problem.isVisible()
    assert form.step is SetupStep.PASSPHRASE
    form.go_back()
    laptop.set_up()
    type_in(form.folder, str(shared))
    empty.until(lambda: form.step is SetupStep.PASSPHRASE)
    assert not form.again.isVisible()


def test_another_passphrase_is_refused_on_its_own_step(
    empty: Stage, laptop: SyncedDevice, shared: Path
) -> None:
    laptop.set_up()
    form = opened(empty).setup_form
    type_in(form.folder, str(shared))
    empty.until(lambda: form.step is SetupStep.PASSPHRASE)
    type_in(form.passphrase.line, "yanlış parola")
    type_in(form.device, "Masaüstü")
    empty.until(form.problem.isVisible)
    assert form.step is SetupStep.PASSPHRASE
    assert form.passphrase.line.hasFocus()


def test_a_folder_that_is_not_there_is_named_beside_its_field(empty: Stage, shared: Path) -> None:
    form = opened(empty).setup_form
    type_in(form.folder, str(shared / "yok"))
    empty.until(form.problem.isVisible)
    assert str(shared / "yok") in form.problem.text()
    assert form.step is SetupStep.PLACE


def test_a_password_in_a_pasted_address_is_moved_to_its_own_field(empty: Stage) -> None:
    form = opened(empty).setup_form
    form.server.setText("postgresql://ayse:gizli@sunucu/bellek")
    assert form.server.text() == "postgresql://ayse@sunucu/bellek"
    assert form.password.line.text() == "gizli"


def test_a_title_changed_on_two_devices_is_chosen_by_a_click(
    library: Stage, laptop: SyncedDevice, shared: Path
) -> None:
    page = joined(library, shared)
    press(page, "Pause")
    runner = library.window.devices.runner
    library.until(lambda: present(runner.place).is_paused)
    library.until(lambda: not library.window.devices.background.is_following)
    laptop.set_up()
    session = library.archive.sessions.sessions(EVERYTHING)[0].id
    rename(laptop, session, "Dizüstünde verilen ad")
    library.archive.sessions.rename(session, "Masaüstünde verilen ad")
    press(page, "Synchronise now")
    library.until(lambda: "Dizüstü" in words(page))
    before = library.archive.sessions.session(session).title

    def written() -> list[QPushButton]:
        """Return the buttons of the cards as they are, because each look makes new ones."""
        cards = page.findChildren(ConflictCard)
        buttons = [button for card in cards for button in card.findChildren(QPushButton)]
        return [each for each in buttons if "Written" in each.accessibleName()]

    library.until(lambda: any(button.isVisible() for button in written()))
    other = written()[0]
    QTest.mouseClick(other, Qt.MouseButton.LeftButton)
    library.until(lambda: not page.findChildren(ConflictCard))
    title = library.archive.sessions.session(session).title
    assert title != before

    def is_settled_there() -> bool:
        laptop.syncing.run()
        return laptop.archive.sessions.session(session).title == title

    library.until(is_settled_there)
    assert not laptop.syncing.conflicts()


def test_where_no_keyring_holds_the_key_the_page_asks_and_shows_the_passphrase_nowhere(
    empty: Stage, shared: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    page = joined(empty, shared)
    with_keyring(empty)  # another one, as after a restart without any
    press(page, "Synchronise now")
    empty.until(page.secret.isVisible)
    page.secret.line.setText("yanlış parola")
    QTest.keyClick(page.secret.line, RETURN)
    empty.until(lambda: "another passphrase" in page.problem.text())
    empty.window.devices.runner.take_error(SyncPassphraseError())  # of a run by itself
    assert "another passphrase" in page.problem.text()
    page.secret.line.setText(PASSPHRASE)
    QTest.keyClick(page.secret.line, RETURN)
    empty.until(lambda: page.secret.isHidden() or not page.secret.isVisible())
    settled(empty)
    assert page.problem.text() == ""
    assert PASSPHRASE not in caplog.text + words(page)


def test_what_was_paused_goes_on_by_the_same_button(empty: Stage, shared: Path) -> None:
    page = joined(empty, shared)
    runner = empty.window.devices.runner
    press(page, "Pause")
    empty.until(lambda: present(runner.place).is_paused)
    assert empty.services.syncing.is_paused
    press(page, "Resume")
    empty.until(lambda: not present(runner.place).is_paused)
    assert not empty.services.syncing.is_paused


def test_the_comparison_says_which_device_differs(
    library: Stage, laptop: SyncedDevice, shared: Path
) -> None:
    page = joined(library, shared)
    press(page, "Compare all devices")
    library.until(lambda: "No other device has been set up yet." in words(page))
    laptop.set_up()
    laptop.write("Tez")
    press(page, "Compare all devices")
    library.until(lambda: "All devices have the same." in words(page))
    laptop.syncing.run()
    press(page, "Compare all devices")
    library.until(lambda: "All devices have the same." in words(page))


def test_a_lost_device_is_forgotten_on_the_page(
    empty: Stage, laptop: SyncedDevice, shared: Path
) -> None:
    page = joined(empty, shared)
    laptop.set_up()
    press(page, "Synchronise now")
    empty.until(lambda: "Forget…" in words(page))
    settled(empty)
    press(page, "Forget…")
    box = empty.opened(MessageBox)
    forget = next(one for one in box.buttons() if one.text() == "Forget")
    QTest.mouseClick(forget, Qt.MouseButton.LeftButton)
    empty.until(lambda: "Dizüstü" not in words(page))
    settled(empty)
    assert not empty.services.syncing.devices()


def test_a_folder_that_is_gone_is_said_and_can_be_left_all_the_same(
    empty: Stage, shared: Path
) -> None:
    page = joined(empty, shared)
    shared.rename(shared.with_name("away"))
    press(page, "Synchronise now")
    empty.until(lambda: str(shared) in page.problem.text())
    press(page, "Leave…")
    box = empty.opened(MessageBox)
    at_once = next(one for one in box.buttons() if one.text() == "Leave without sending")
    QTest.mouseClick(at_once, Qt.MouseButton.LeftButton)
    empty.until(page.setup_form.isVisible)
    assert not empty.services.syncing.is_on


def test_who_leaves_keeps_everything_and_the_others_no_longer_know_the_device(
    empty: Stage, laptop: SyncedDevice, shared: Path
) -> None:
    page = joined(empty, shared)
    laptop.set_up()
    empty.archive.projects.create("Tez")
    press(page, "Leave…")
    buttons = empty.opened(MessageBox).buttons()
    leave = next(one for one in buttons if one.text().replace("&", "") == "Leave")
    QTest.mouseClick(leave, Qt.MouseButton.LeftButton)
    empty.until(page.setup_form.isVisible)
    assert not empty.services.syncing.is_on
    assert [project.name for project in empty.archive.projects.projects()] == ["Tez"]
    laptop.syncing.run()
    assert (laptop.names(), laptop.syncing.devices()) == ({"Tez"}, [])


def test_what_arrives_is_in_the_list_and_in_the_shown_session_at_once(
    library: Stage, laptop: SyncedDevice, shared: Path
) -> None:
    page = joined(library, shared)
    laptop.set_up()
    past = library.archive.sessions.sessions(EVERYTHING)[0]
    library.window.sessions.open(NavigationTarget(past.id))
    library.until(lambda: len(library.messages()) == past.messages)
    library.write("Yazmakta olduğum soru")
    rename(laptop, past.id, "Öteki cihazda verilen ad")
    opened(library)
    press(page, "Synchronise now")
    library.until(lambda: any("Öteki cihazda verilen ad" in row for row in library.rows()))
    assert library.window.parts.composer.text == "Yazmakta olduğum soru"


def words(page: DevicesPage) -> str:
    """Return all that is shown on the page."""
    texts: list[tuple[QWidget, str]] = [(one, one.text()) for one in page.findChildren(Label)]
    texts += [(one, one.text()) for one in page.findChildren(QPushButton)]
    return "\n".join(text.replace("&", "") for one, text in texts if one.isVisible())
