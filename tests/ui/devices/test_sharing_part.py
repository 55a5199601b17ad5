"""Shared projects on the page of the devices, with other members in profiles of their own."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPushButton, QWidget

from desktop.domain.ids import SessionId
from desktop.domain.projects import Project
from desktop.domain.sharing import ItemKind
from desktop.sessions.sharing.code_picture import code_picture
from desktop.sessions.sharing.sharing import Sharing
from desktop.ui.devices.devices_page import DevicesPage
from desktop.ui.devices.sharing_part import CodePicture, SharedProjectCard, SharingDialog
from desktop.ui.services import NavigationTarget
from desktop.ui.widgets.plain_text import Label, MessageBox
from tests.members import LastingKeys, Profile
from tests.ui.main_window.stage import Stage


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "ortak").mkdir()
    return tmp_path / "ortak"


@pytest.fixture
def can(tmp_path: Path) -> Iterator[Profile]:
    profile = Profile(tmp_path / "can")
    yield profile
    profile.archive.close()


def opened(stage: Stage) -> DevicesPage:
    if stage.window.devices.page is None:
        keys = LastingKeys()  # the keyring of the tests keeps nothing
        sharing = Sharing(stage.archive, keys, is_local_only=lambda: False)
        stage.stand_in(sharing=sharing)
    stage.window.actions_by_name["devices"].trigger()
    page = stage.window.devices.page
    assert page is not None
    stage.until(lambda: page.is_loaded)
    settled(stage)
    return page


def settled(stage: Stage) -> None:
    stage.until(lambda: not stage.window.devices.sharing.is_running)


def press(inside: QWidget, text: str) -> None:
    button = next(
        one
        for one in inside.findChildren(QPushButton)
        if one.isVisible() and one.text().replace("&", "") == text
    )
    assert button.isEnabled()
    assert button.visibleRegion().boundingRect().height() > 0 or button.height() > 0
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)


def do(stage: Stage, name: str) -> None:
    action = stage.window.actions_by_name[name]
    stage.until(action.isEnabled)
    action.trigger()


def words(page: QWidget) -> str:
    return "\n".join(one.text() for one in page.findChildren(Label) if one.isVisible())


def card(stage: Stage, page: DevicesPage) -> SharedProjectCard:
    stage.until(lambda: len(page.findChildren(SharedProjectCard)) == 1)
    return page.findChildren(SharedProjectCard)[0]


def filled(stage: Stage, place: Path, *, code: str = "") -> SharingDialog:
    dialog = stage.opened(SharingDialog)
    dialog.code.setText(code)
    dialog.place.setText(str(place))
    dialog.member.setText("Ayşe")
    return dialog


def shared(stage: Stage, folder: Path, can: Profile) -> tuple[DevicesPage, Project]:
    """Share a project from the page, which another member joins; return it as that has it."""
    stage.archive.projects.create("Kuşlar")
    page = opened(stage)
    stage.until(lambda: bool(stage.window.devices.sharing.listing.others))
    press(page, "Share a project…")
    dialog = filled(stage, folder)
    press(dialog, "Share")
    stage.until(lambda: bool(stage.window.devices.sharing.codes))
    (code,) = stage.window.devices.sharing.codes.values()
    stage.until(lambda: code in words(page))
    [picture] = page.findChildren(CodePicture)
    assert picture.pixmap().width() >= 2 * len(code_picture(code))
    return page, can.sharing.join(code, str(folder), name="Can")


def test_a_project_is_shared_and_members_are_listed(
    library: Stage, folder: Path, can: Profile
) -> None:
    page, _ = shared(library, folder, can)
    press(card(library, page), "Update now")
    library.until(lambda: "Can" in words(page))
    assert "Ayşe" in words(page)
    assert "began to share" in words(page)
    member = next(one for one in page.findChildren(Label) if one.text() == "Can")
    assert member.height() > 0
    assert member.width() > 0


def test_a_code_joins_and_what_a_member_publishes_is_in_the_list_with_its_name(
    library: Stage, folder: Path, can: Profile
) -> None:
    project = can.project()
    code = can.sharing.share(project, str(folder), name="Can")
    page = opened(library)
    press(page, "Join a project…")
    dialog = filled(library, folder, code="bozuk")
    press(dialog, "Join")
    library.until(dialog.problem.isVisible)
    assert "seven groups" in dialog.problem.text()
    dialog.code.setText(code.lower())
    press(dialog, "Join")
    library.until(lambda: "Kuşlar" in words(page))
    can.sharing.publish([can.session(project, "s1", "Martı nedir?", "Bir kuş.", title="Martı")])
    press(card(library, page), "Update now")
    library.until(lambda: any("Martı" in row for row in library.rows()))
    library.until(lambda: library.services.archive.owners(ItemKind.SESSION) == {"s1": "Can"})


def test_the_menus_action_publishes_the_shown_session_and_undo_takes_it_back(
    library: Stage, folder: Path, can: Profile
) -> None:
    _, theirs = shared(library, folder, can)
    target = library.read_past()
    (project,) = (each for each in library.archive.projects.projects() if each.name == "Kuşlar")
    actions = library.window.actions_by_name
    assert not actions["publish"].isEnabled()
    library.window.projects.move([target.session_id], project.id)
    do(library, "publish")
    library.until(lambda: "1 session published" in words(library.window.parts.strip))
    can.sharing.run(theirs)
    assert can.message_ids(target.session_id)
    do(library, "take_back")
    library.until(lambda: "Taken back" in words(library.window.parts.strip))
    assert can.sharing.run(theirs).removed == 1


def test_what_a_member_adds_arrives_by_itself_every_two_minutes(
    library: Stage, folder: Path, can: Profile
) -> None:
    _, theirs = shared(library, folder, can)
    can.sharing.publish([can.session(theirs, "s1", "Martı nedir?", "Bir kuş.", title="Martı")])
    updates = library.window.devices._updates
    assert updates.isActive()
    assert updates.interval() == 120_000
    updates.timeout.emit()  # the clock
    library.until(lambda: any("Martı" in row for row in library.rows()))
    library.window.sessions.open(NavigationTarget(SessionId("s1")))
    library.until(lambda: len(library.messages()) == 2)
    # It is another member's.
    library.until(lambda: not library.window.actions_by_name["publish"].isEnabled())


def test_the_clock_of_updates_makes_nothing_where_nothing_is_shared(empty: Stage) -> None:
    devices = empty.window.devices
    devices._updates.timeout.emit()
    empty.window.projects.load()
    assert "sharing" not in vars(devices)
    assert not empty.services.sharing.projects()
    assert not empty.window.actions_by_name["publish"].isEnabled()


def test_deleting_a_shared_project_asks_first_what_the_others_keep(
    library: Stage, folder: Path, can: Profile
) -> None:
    _, theirs = shared(library, folder, can)
    target = library.read_past()
    (project,) = (each for each in library.archive.projects.projects() if each.name == "Kuşlar")
    library.window.projects.move([target.session_id], project.id)
    do(library, "publish")
    library.until(lambda: "1 session published" in words(library.window.parts.strip))
    can.sharing.run(theirs)
    library.window.projects._deletion.ask(project)
    box = library.opened(MessageBox)
    assert "shared with a group" in box.informativeText()
    press(box, "Leave and take back")
    library.until(lambda: "What should happen" in library.opened(MessageBox).informativeText())
    press(library.opened(MessageBox), "Keep without a project")
    library.until(lambda: "its group was left" in words(library.window.parts.strip))
    assert library.services.sharing.projects() == []
    assert not library.archive.sessions.session(target.session_id).project
    assert can.sharing.run(theirs).removed == 1


def test_a_member_is_removed_and_the_project_left_after_a_question(
    library: Stage, folder: Path, can: Profile
) -> None:
    page, _ = shared(library, folder, can)
    press(card(library, page), "Update now")
    library.until(lambda: "Can" in words(page))
    settled(library)
    (before,) = library.window.devices.sharing.codes.values()
    press(card(library, page), "Remove…")
    box = library.opened(MessageBox)
    assert "What Can has stays there." in box.informativeText()
    press(box, "Remove")
    library.until(lambda: "removed" in words(page))
    settled(library)
    (after,) = library.window.devices.sharing.codes.values()
    assert after != before
    library.until(lambda: after in words(page))
    press(card(library, page), "Leave…")
    press(library.opened(MessageBox), "Leave")
    library.until(lambda: not page.findChildren(SharedProjectCard))
    assert library.services.sharing.projects() == []
