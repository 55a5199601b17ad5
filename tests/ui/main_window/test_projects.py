"""Projects through the window: made, shown, moved into, deleted; nothing is there without one."""

from collections.abc import Callable

import pytest
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu, QPushButton

from desktop.domain.facts import FactFilter
from desktop.domain.ids import SessionId
from desktop.domain.projects import COMMON, EVERYTHING, NO_PROJECT, Project, Wall
from desktop.ui.memory.fact_list import FactAction
from desktop.ui.widgets.plain_text import MessageBox
from desktop.ui.window.actions import ActionId
from desktop.ui.window.projects import ProjectForm
from tests.archives import finished
from tests.ui.main_window.stage import Stage

BURSA, ANKARA = SessionId("bursa"), SessionId("ankara")


@pytest.fixture
def city(opens: Callable[[], Stage]) -> Stage:
    """The window over two sessions, without a project."""
    stage = opens()
    stage.archive.imports.add(
        [finished(BURSA, "Bursa nerede?", "Orada."), finished(ANKARA, "Ankara nerede?", "Orada.")]
    )
    stage.attach()
    stage.until(lambda: len(stage.window.parts.sidebar.model.sessions) == 2)
    return stage


def listed(stage: Stage) -> set[str]:
    return {one.id for one in stage.window.parts.sidebar.model.sessions}


def entries(menu: QMenu) -> dict[str, QAction]:
    return {one.text().replace("&", ""): one for one in menu.actions() if one.text()}


def menu_of_projects(stage: Stage) -> dict[str, QAction]:
    menu = stage.window.parts.sidebar.projects.menu()
    assert isinstance(menu, QMenu)
    menu.aboutToShow.emit()
    return entries(menu)


def menu_of_moves(stage: Stage, session: SessionId) -> dict[str, QAction]:
    sidebar = stage.window.parts.sidebar
    entry = sidebar.list.entry(sidebar.model.index_of(session))
    assert entry is not None
    menus = [one.menu() for one in sidebar.menu_of(entry).actions()]
    (menu,) = (one for one in menus if isinstance(one, QMenu))
    return entries(menu)


def make(stage: Stage, name: str) -> Project:
    stage.window.actions_by_name[ActionId.NEW_PROJECT].trigger()
    (form,) = stage.window.findChildren(ProjectForm)
    form._name.setText(name)
    form._variables.setPlainText("danışman = Nurbanu")
    form.save()
    stage.until(lambda: any(one.name == name for one in stage.window.projects.known))
    return stage.archive.projects.named(name)


def test_without_a_project_nothing_of_them_is_seen(city: Stage) -> None:
    assert city.window.parts.sidebar.projects.isHidden()
    assert listed(city) == {BURSA, ANKARA}


def test_a_new_project_is_shown_and_holds_what_is_asked_in_it(city: Stage) -> None:
    project = make(city, "Tez")
    assert project.variables == {"danışman": "Nurbanu"}
    city.until(lambda: listed(city) == set())
    assert city.window.parts.sidebar.projects.text() == "Tez"
    city.ask("Kaynakça nasıl yazılır?")
    active = city.core.assistant.active
    assert active is not None
    assert active.session.project == project.id


def test_a_session_is_moved_by_its_menu_and_back_by_undo(city: Stage) -> None:
    make(city, "Tez")
    menu_of_projects(city)["All projects"].trigger()
    city.until(lambda: listed(city) == {BURSA, ANKARA})
    menu_of_moves(city, BURSA)["Tez"].trigger()
    city.until(lambda: "projects" in city.window.parts.strip)
    menu_of_projects(city)["Tez"].trigger()
    city.until(lambda: listed(city) == {BURSA})
    (undo,) = (
        one for one in city.window.parts.strip.findChildren(QPushButton) if one.text() == "Undo"
    )
    undo.click()
    city.until(lambda: listed(city) == set())
    assert city.archive.sessions.session(BURSA).project == NO_PROJECT


@pytest.mark.parametrize(
    ("chosen", "left"), [("Keep without a project", {BURSA, ANKARA}), ("Delete all", {ANKARA})]
)
def test_deleting_a_project_asks_what_happens_to_what_is_in_it(
    city: Stage, chosen: str, left: set[str]
) -> None:
    project = make(city, "Tez")
    city.window.projects.move([BURSA], project.id)
    city.until(lambda: listed(city) == {BURSA})
    menu_of_projects(city)["Delete project…"].trigger()
    city.until(lambda: bool(city.window.findChildren(MessageBox)))
    (box,) = city.window.findChildren(MessageBox)
    assert "1 session" in box.informativeText()
    next(one for one in box.buttons() if one.text().replace("&", "") == chosen).click()
    city.until(lambda: listed(city) == left)
    city.until(city.window.parts.sidebar.projects.isHidden)
    (undo,) = (
        one for one in city.window.parts.strip.findChildren(QPushButton) if one.text() == "Undo"
    )
    undo.click()
    city.until(lambda: listed(city) == {BURSA})


def test_the_next_question_alone_reads_all_projects(city: Stage) -> None:
    make(city, "Tez")
    menu_of_projects(city)["Ask the next question in all projects"].trigger()
    assert "next question" in city.window.parts.sidebar.projects.text()
    city.ask("Bursa nerede?")
    assert city.window.parts.sidebar.projects.text() == "Tez"
    assert not city.window.sessions.asking.sees_all


def test_a_fact_of_a_project_is_made_common_with_a_click(city: Stage) -> None:
    project = make(city, "Tez")
    city.core.memory.remember("Kullanıcı Bursa'da yaşıyor.", Wall(project.id))
    city.window.memory.open()
    memory = city.window.memory.window
    assert memory is not None
    city.until(lambda: memory.model.count == 1)
    (fact,) = city.archive.facts.facts(FactFilter(EVERYTHING))
    memory._act(FactAction.SHARE, fact)
    city.until(lambda: len(city.archive.facts.facts(FactFilter(COMMON))) == 1)
