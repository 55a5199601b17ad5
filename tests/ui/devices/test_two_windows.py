"""Two windows of one profile, which meet in a folder or on a PostgreSQL server."""

from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from desktop.domain.ids import SessionId
from desktop.domain.projects import EVERYTHING
from desktop.sessions.syncing.sync import Syncing
from desktop.settings.keys import MemoryKeys
from desktop.ui.devices.conflict_card import ConflictCard
from desktop.ui.devices.devices_page import DevicesPage
from desktop.ui.services import NavigationTarget
from desktop.ui.widgets.plain_text import MessageBox
from tests.database_server import DatabaseServer, database_server
from tests.narrowing import present
from tests.syncing import PASSPHRASE
from tests.ui.main_window.stage import Stage, english

pytestmark = [pytest.mark.xdist_group("postgresql"), pytest.mark.timeout(300)]

_NUMBERS = count(1)


@pytest.fixture(scope="module")
def server() -> Iterator[DatabaseServer]:
    with database_server() as it:
        yield it


@pytest.fixture(params=["folder", "server"])
def place(request: pytest.FixtureRequest, shared: Path) -> str:
    """Where the two meet."""
    if request.param == "folder":
        return str(shared)
    server: DatabaseServer = request.getfixturevalue("server")
    return server.address(more=f"&space=windows{next(_NUMBERS)}")


@pytest.fixture
def windows(
    qtbot: QtBot, qapp: QApplication, tmp_path: Path, place: str
) -> Iterator[tuple[Stage, Stage]]:
    """Two that follow each other."""
    stages = []
    for name in ("Masaüstü", "Dizüstü"):
        stage = Stage(qtbot, qapp, tmp_path / name, english())
        stages.append(stage)
        stage.window.show()
        stage.attach()
        syncing = Syncing(stage.archive, MemoryKeys(), is_local_only=lambda: False)
        syncing.set_up(place, PASSPHRASE, name=name)
        stage.stand_in(syncing=syncing)
        stage.window.devices.look()
        following = stage.window.devices
        stage.until(lambda following=following: following.background.is_following)  # type: ignore[misc]
    yield stages[0], stages[1]
    for stage in stages:
        stage.leave()


def page_of(stage: Stage) -> DevicesPage:
    stage.window.actions_by_name["devices"].trigger()
    page = present(stage.window.devices.page)
    stage.until(lambda: page.is_loaded)
    return page


def press(stage: Stage, inside: QWidget, text: str) -> None:
    def visible() -> list[QPushButton]:
        buttons = inside.findChildren(QPushButton)
        return [
            one
            for one in buttons
            if one.isVisible() and one.isEnabled() and text in one.text().replace("&", "")
        ]

    stage.until(lambda: bool(visible()))
    QTest.mouseClick(visible()[0], Qt.MouseButton.LeftButton)


def title_of(session: SessionId) -> Callable[[Stage], str | None]:
    return lambda stage: stage.archive.sessions.session(session).title


def test_what_is_asked_in_one_window_is_read_in_the_other(windows: tuple[Stage, Stage]) -> None:
    first, second = windows
    first.model.says("Ayın çekimi yüzünden.")
    first.ask("Gelgit neden olur?")
    first.window.sessions.end()
    second.until(lambda: bool(second.rows()))
    [session] = second.archive.sessions.sessions(EVERYTHING)
    second.window.sessions.open(NavigationTarget(session.id))
    second.until(lambda: second.shown() == ["Gelgit neden olur?", "Ayın çekimi yüzünden."])


def test_a_title_changed_in_both_is_chosen_on_a_card_of_one(windows: tuple[Stage, Stage]) -> None:
    first, second = windows
    first.ask("Gelgit neden olur?")
    first.window.sessions.end()
    second.until(lambda: bool(second.rows()))
    [session] = second.archive.sessions.sessions(EVERYTHING)
    for stage, title in ((first, "Masaüstündeki ad"), (second, "Dizüstündeki ad")):
        page = page_of(stage)
        press(stage, page, "Pause")
        stage.until(lambda stage=stage: not stage.window.devices.background.is_following)  # type: ignore[misc]
        stage.archive.sessions.rename(session.id, title)
    assert not second.services.syncing.has_news()  # paused: nothing goes
    for stage in windows:
        press(stage, present(stage.window.devices.page), "Resume")
    cards = [
        lambda stage=stage: present(stage.window.devices.page).findChildren(ConflictCard)
        for stage in windows
    ]
    for stage, shown in zip(windows, cards, strict=True):
        stage.until(lambda shown=shown: len(shown()) == 1)  # type: ignore[misc]
    before = title_of(session.id)(second)
    other = next(
        one for one in cards[1]()[0].findChildren(QPushButton) if "Written" in one.accessibleName()
    )
    second.until(other.isVisible)
    QTest.mouseClick(other, Qt.MouseButton.LeftButton)
    for stage, shown in zip(windows, cards, strict=True):
        stage.until(lambda shown=shown: not shown())  # type: ignore[misc]
    titles = {title_of(session.id)(stage) for stage in windows}
    assert len(titles) == 1
    assert titles != {before}


def test_who_leaves_keeps_everything_and_the_other_goes_on(windows: tuple[Stage, Stage]) -> None:
    first, second = windows
    first.archive.projects.create("Tez")
    second.until(lambda: bool(second.archive.projects.projects()))
    page = page_of(second)
    press(second, page, "Leave")
    press(second, second.opened(MessageBox), "Leave")
    second.until(lambda: not second.services.syncing.is_on)
    assert [project.name for project in second.archive.projects.projects()] == ["Tez"]
    first.until(lambda: first.services.syncing.devices() == [])
    assert first.services.syncing.is_on
