"""Projects through the window: created, shown, moved into, deleted; hidden without one."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import date
from functools import partial
from threading import Barrier, Event

import pytest
from PySide6.QtCore import QItemSelectionModel, Qt
from PySide6.QtGui import QAction
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QInputDialog, QMenu, QPushButton

from desktop.domain.diary import DiaryItem, DiaryItemKind
from desktop.domain.errors import AppError
from desktop.domain.facts import FactFilter
from desktop.domain.ids import SessionId
from desktop.domain.projects import COMMON, EVERYTHING, NO_PROJECT, Project, Wall
from desktop.domain.search import Hit, Query, SearchMode
from desktop.domain.times import utc_now
from desktop.settings.settings import UiLanguage
from desktop.ui.dialogs.form import MOST_IN_MENU
from desktop.ui.memory.memory_actions import FactAction
from desktop.ui.palette.palette_controller import PaletteItems
from desktop.ui.services import NavigationTarget
from desktop.ui.sidebar.entries import Entry
from desktop.ui.sidebar.project_controller import ProjectForm
from desktop.ui.sidebar.project_page import ProjectPage
from desktop.ui.widgets.buttons import Button
from desktop.ui.widgets.plain_text import HintLabel, MessageBox
from tests.archives import finished
from tests.narrowing import instance, present
from tests.ui.dialogs.stand_ins import button
from tests.ui.main_window.stage import WAIT_MS, Stage

BURSA, ANKARA = SessionId("bursa"), SessionId("ankara")
CTRL = Qt.KeyboardModifier.ControlModifier


@pytest.fixture
def city(opens: Callable[[], Stage]) -> Stage:
    """The window over two sessions, without a project."""
    stage = opens()
    stage.archive.imports.add(
        [
            finished(BURSA, "Bursa nerede?", "Orada.", title="Bursa gezisi"),
            finished(ANKARA, "Ankara nerede?", "Orada.", title="Ankara gezisi"),
        ]
    )
    stage.attach()
    stage.until(lambda: len(stage.window.parts.sidebar.model.sessions) == 2)
    return stage


def listed(stage: Stage) -> set[str]:
    return {one.id for one in stage.window.parts.sidebar.model.sessions}


def entries(menu: QMenu) -> dict[str, QAction]:
    return {one.text().replace("&", ""): one for one in menu.actions() if one.text()}


def menu_of_projects(stage: Stage) -> dict[str, QAction]:
    menu = instance(stage.window.parts.sidebar.projects.menu(), QMenu)
    menu.aboutToShow.emit()
    return entries(menu)


def submenu(menu: QMenu, title: str) -> dict[str, QAction]:
    menus = [one.menu() for one in menu.actions()]
    (found,) = (one for one in menus if isinstance(one, QMenu) and one.title() == title)
    return entries(found)


def menu_of_moves(stage: Stage, session: SessionId) -> dict[str, QAction]:
    menu = stage.window.parts.sidebar.menu_of(_entry(stage, session))
    return submenu(menu, "Move to project")


def select_both(stage: Stage) -> QMenu:
    """Select two sessions with Ctrl and a click; return their menu."""
    sidebar = stage.window.parts.sidebar
    opened = stage.window.sessions.shown
    for session, keys in ((BURSA, Qt.KeyboardModifier.NoModifier), (ANKARA, CTRL)):
        at = sidebar.list.visualRect(sidebar.model.index_of(session)).center()
        QTest.mouseClick(sidebar.list.viewport(), Qt.MouseButton.LeftButton, keys, at)
    assert opened is None
    several = sidebar.list.selected()
    assert {one.session_id for one in several} == {BURSA, ANKARA}
    return sidebar.menu_of_several(several)


def undo(stage: Stage) -> None:
    buttons = stage.window.parts.strip.findChildren(QPushButton)
    (button,) = (one for one in buttons if one.text() == "Undo")
    button.click()


def make(stage: Stage, name: str) -> Project:
    stage.window.actions_by_name["new_project"].trigger()
    (form,) = stage.window.findChildren(ProjectForm)
    form._name.setText(name)
    form._variables.setPlainText("danışman = Nurbanu")
    QTest.keyClick(form._name, Qt.Key.Key_Return)
    stage.until(lambda: not stage.window.findChildren(ProjectForm))
    stage.until(lambda: "All projects" in menu_of_projects(stage))
    return stage.archive.projects.named(name)


def test_without_a_project_only_a_way_to_one_is_seen(city: Stage) -> None:
    assert city.window.parts.sidebar.projects.isHidden()
    assert listed(city) == {BURSA, ANKARA}
    city.archive.tags.set("Şehir", [BURSA], is_on=True)
    city.window.archive.load()
    city.until(lambda: not city.window.parts.sidebar.projects.isHidden())
    palette, sidebar = PaletteItems(city.languages, city.window), city.window.parts.sidebar

    def offered() -> set[str]:
        entry = present(sidebar.list.entry(sidebar.model.index_of(BURSA)))
        menu = sidebar.menu_of(entry)
        titles = {one.text() for one in menu.actions()} | {*menu_of_projects(city)}
        actions = palette.actions(city.window.actions_by_name)
        named = {one.text for one in actions if one.is_enabled}
        return {one.removesuffix("…") for one in titles | named if "roject" in one}

    assert offered() == {"New project"}
    city.archive.projects.create("Tez")
    city.window.archive.load()
    city.until(lambda: bool(city.window.projects.projects))
    assert {"Move to project", "Ask the next question in all projects"} < offered()


def test_the_key_of_moving_offers_a_new_project_if_there_is_none(city: Stage) -> None:
    move = city.window.actions_by_name["move"]
    assert not move.isEnabled()
    city.window.sessions.open(NavigationTarget(BURSA))
    city.until(move.isEnabled)
    move.trigger()
    menu = instance(QApplication.activePopupWidget(), QMenu)
    assert [*entries(menu)] == ["New project…"]


def test_the_palette_leads_out_of_a_project_and_to_the_tags(city: Stage) -> None:
    city.archive.tags.set("Şehir", [BURSA], is_on=True)
    make(city, "Tez")
    city.until(lambda: bool(city.window.projects.tags))

    def run(typed: str, text: str) -> None:
        city.window.actions_by_name["palette"].trigger()
        palette = present(city.window.command_palette.palette)
        palette.field.clear()
        palette.field.insert(typed)
        rows = [palette.model.index(row) for row in range(palette.model.rowCount())]
        palette.list.setCurrentIndex(next(row for row in rows if row.data() == text))
        QTest.keyClick(palette.field, Qt.Key.Key_Return)

    run("all projects", "All projects")
    city.until(lambda: listed(city) == {BURSA, ANKARA})
    run("tag", "# Şehir")
    city.until(lambda: listed(city) == {BURSA})


def test_menus_of_many_names_are_short_and_lead_to_a_search(city: Stage) -> None:
    many = MOST_IN_MENU + 20
    for number in range(many):
        city.archive.projects.create(f"Proje {number:03}")
        city.archive.tags.set(f"etiket{number:03}", [ANKARA], is_on=True)
    city.archive.tags.set("son etiket", [BURSA], is_on=True)
    city.window.projects.load()
    city.until(lambda: len(city.window.projects.projects) == many)
    assert len(menu_of_projects(city)) < 2 * MOST_IN_MENU + 10
    tags = submenu(city.window.parts.sidebar.menu_of(_entry(city, BURSA)), "Tags")
    assert len(tags) == MOST_IN_MENU + 1
    assert tags["son etiket"].isChecked()
    menu_of_moves(city, BURSA)["Find…"].trigger()
    palette = present(city.window.command_palette.palette)
    assert palette.model.rowCount() == many
    palette.field.insert(f"Proje {many - 1:03}")
    QTest.keyClick(palette.field, Qt.Key.Key_Return)
    last = city.archive.projects.named(f"Proje {many - 1:03}").id
    city.until(lambda: city.archive.sessions.session(BURSA).project == last)


def _entry(stage: Stage, session: SessionId) -> Entry:
    sidebar = stage.window.parts.sidebar
    return present(sidebar.list.entry(sidebar.model.index_of(session)))


def test_a_list_without_sessions_says_what_it_is_empty_of(city: Stage) -> None:
    sidebar = city.window.parts.sidebar
    city.ask("Rüzgâr nereden eser?")
    active = city.rows()[0]
    make(city, "Tez")
    city.until(lambda: not city.rows())
    assert "in this project" in sidebar.list._nothing.text()
    city.archive.tags.set("Şehir", [BURSA], is_on=True)
    city.window.archive.load()
    city.until(lambda: bool(city.window.projects.tags))
    city.window.projects.choose_tag("Şehir")
    city.until(lambda: "with the tag “Şehir”" in sidebar.list._nothing.text())
    city.window.projects.choose(EVERYTHING)
    city.until(lambda: active in city.rows())


def test_a_new_project_is_shown_and_holds_what_is_asked_in_it(city: Stage) -> None:
    project = make(city, "Tez")
    assert project.variables == {"danışman": "Nurbanu"}
    city.until(lambda: listed(city) == set())
    assert city.window.parts.sidebar.projects.text() == "Tez"
    city.ask("Kaynakça nasıl yazılır?")
    active = present(city.services.assistant.active)
    assert active.session.project == project.id


def test_the_name_of_what_is_listed_changes_with_the_language(city: Stage) -> None:
    make(city, "Tez")
    city.window.projects.choose(EVERYTHING)
    button = city.window.parts.sidebar.projects
    shown = [button.text()]
    city.changes.choose_language(UiLanguage.TR)
    city.until(lambda: city.window.menuBar().actions()[0].text() == "&Dosya")
    assert [*shown, button.text()] == ["All projects", "Tüm projeler"]


def test_a_session_is_moved_by_its_menu_and_back_by_undo(city: Stage) -> None:
    make(city, "Tez")
    menu_of_projects(city)["All projects"].trigger()
    city.until(lambda: listed(city) == {BURSA, ANKARA})
    menu_of_moves(city, BURSA)["Tez"].trigger()
    city.until(lambda: "projects" in city.window.parts.strip)
    menu_of_projects(city)["Tez"].trigger()
    city.until(lambda: listed(city) == {BURSA})
    undo(city)
    city.until(lambda: listed(city) == set())
    assert city.archive.sessions.session(BURSA).project == NO_PROJECT


def test_sessions_moved_to_a_new_project_name_it(city: Stage) -> None:
    city.window.projects.create([BURSA])
    (form,) = city.window.findChildren(ProjectForm)
    form._name.setText("Tez")
    form.save()
    city.until(lambda: "projects" in city.window.parts.strip)
    assert "“Tez”" in city.window.parts.strip.text("projects")


def drop_on_projects(stage: Stage, *sessions: SessionId) -> QMenu:
    sidebar = stage.window.parts.sidebar
    given = sidebar.model.mimeData([sidebar.model.index_of(one) for one in sessions])
    return stage.drop(given, sidebar.projects)


def test_sessions_are_dragged_from_the_list_to_a_project(city: Stage) -> None:
    project = make(city, "Tez")
    menu_of_projects(city)["All projects"].trigger()
    city.until(lambda: listed(city) == {BURSA, ANKARA})
    sidebar = city.window.parts.sidebar
    assert sidebar.list.dragEnabled()
    assert sidebar.model.flags(sidebar.model.index_of(BURSA)) & Qt.ItemFlag.ItemIsDragEnabled
    menu = drop_on_projects(city, BURSA, ANKARA)
    entries(menu)["Tez"].trigger()
    menu.close()
    city.until(lambda: city.archive.projects.contents(project.id).sessions == 2)


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
    box = city.opened(MessageBox)
    assert "1 session" in box.informativeText()
    button(box, chosen).click()
    city.until(lambda: listed(city) == left)
    city.until(city.window.parts.sidebar.projects.isHidden)
    undo(city)
    city.until(lambda: listed(city) == {BURSA})


def test_an_empty_project_offers_no_samples_and_is_deleted_without_a_question(city: Stage) -> None:
    make(city, "Tez")
    city.until(lambda: listed(city) == set())
    assert city.window.parts.empty_page.examples.isHidden()
    menu_of_projects(city)["Delete project…"].trigger()
    city.until(lambda: not city.window.projects.projects)
    undo(city)
    city.until(lambda: [one.name for one in city.window.projects.projects] == ["Tez"])


def test_the_next_question_alone_reads_all_projects(city: Stage) -> None:
    make(city, "Tez")
    menu_of_projects(city)["Ask the next question in all projects"].trigger()
    assert "next question" in city.window.parts.sidebar.projects.text()
    city.ask("Bursa nerede?")
    city.until(lambda: city.window.parts.sidebar.projects.text() == "Tez")
    assert not city.window.sessions.asking.sees_all


def test_a_fact_of_a_project_is_made_common_with_a_click(city: Stage) -> None:
    project = make(city, "Tez")
    city.services.memory.remember("Kullanıcı Bursa'da yaşıyor.", Wall(project.id))
    city.window.memory.open()
    memory = present(city.window.memory.page)
    city.until(lambda: memory.model.count == 1)
    (fact,) = city.archive.facts.facts(FactFilter(EVERYTHING))
    memory._act(FactAction.SHARE, fact)
    city.until(lambda: len(city.archive.facts.facts(FactFilter(COMMON))) == 1)


def is_equal(count: Callable[[], int], expected: int) -> bool:
    return count() == expected


def test_every_list_shows_the_chosen_project_and_what_is_common(city: Stage) -> None:
    window, parts, when = city.window, city.window.parts, date(2026, 5, 4)
    told = []
    for name, session in (("Tez", BURSA), ("Gezi", ANKARA)):
        project = city.archive.projects.create(name)
        city.archive.projects.move(project.id, [session])
        city.services.memory.remember(f"{name} sürüyor.", Wall(project.id))
        told.append(DiaryItem(DiaryItemKind.ASKED, f"{name} soruldu.", session))
    city.archive.diary.write(when, told, [BURSA, ANKARA], utc_now())
    city.services.memory.remember("Kullanıcı çay içer.", COMMON)
    window.archive.load()
    city.until(lambda: len(window.projects.projects) == 2)

    def items() -> int:
        diary = window.diary.page
        return len(diary._entries[when].items) if diary and when in diary._entries else 0

    def facts() -> int:
        return window.memory.page.model.count if window.memory.page else 0

    lists: dict[str, tuple[Callable[[], object], Callable[[], int], tuple[int, int]]] = {
        "memory": (window.memory.open, facts, (3, 2)),
        "diary": (lambda: window.diary.open(when), items, (2, 1)),
        "results": (
            lambda: parts.sidebar.results_wanted.emit("nerede"),
            lambda: len(parts.results.model.sessions),
            (2, 1),
        ),
    }
    for show, count, (of_all, of_one) in lists.values():
        show()
        for chosen, expected in (("", of_all), ("Tez", of_one), ("All projects", of_all)):
            if chosen:
                menu_of_projects(city)[chosen].trigger()
            city.until(partial(is_equal, count, expected))
    menu_of_projects(city)["Tez"].trigger()
    window.diary.open(when)
    city.until(lambda: items() == 1)
    diary = window.diary.page
    assert diary is not None
    diary._edit(when, "Kendi notum.", "")
    city.until(lambda: items() == 2)
    assert diary._entries[when].note == "Kendi notum."
    diary._edit(when, "", "Kendi notum.")
    city.until(lambda: items() == 1)
    palette = PaletteItems(city.languages, window)
    found = palette.found_sessions(print, city.services, "gezisi")
    assert [one.key for one in found] == [f"session {BURSA}"]
    menu_of_projects(city)["All projects"].trigger()
    city.until(lambda: items() == 2)
    assert len(palette.found_sessions(print, city.services, "gezisi")) == 2


def test_a_search_that_began_in_another_project_shows_nothing(
    city: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    project, parts = city.archive.projects.create("Tez"), city.window.parts
    city.archive.projects.move(project.id, [BURSA])
    city.window.archive.load()
    city.until(lambda: bool(city.window.projects.projects))
    go, begun, found = Event(), list[Query](), list[Query]()

    def find(query: Query) -> Sequence[Hit]:
        if query.mode is SearchMode.AUTO:
            begun.append(query)
            if query.scope.wall.is_open:
                go.wait(WAIT_MS / 1_000)
            else:
                found.append(query)
        return find_all(query)

    def shown() -> tuple[int, int]:
        beside = parts.sidebar.model._results
        sessions = {hit.session_id for hit in beside.hits} if beside else ()
        return len(parts.results.model.sessions), len(sessions)

    find_all = city.services.search.find
    monkeypatch.setattr(city.services.search, "find", find)
    parts.sidebar.search.setText("nerede")
    parts.sidebar.results_wanted.emit("nerede")
    city.until(lambda: len(begun) == 2)
    menu_of_projects(city)["Tez"].trigger()
    city.until(lambda: len(found) == 2 and shown() == (1, 1))
    go.set()
    # All workers are free, so their results are shown before this.
    free, met = Barrier(6), list[int]()
    for _ in range(6):
        city.window.worker.do(lambda _: free.wait(WAIT_MS / 1_000), met.append)
    city.until(lambda: len(met) == 6)
    assert shown() == (1, 1)


def test_several_sessions_are_tagged_and_the_tag_filters_the_list(city: Stage) -> None:
    city.archive.imports.add([finished(SessionId("izmir"), "İzmir nerede?", "Orada.")])
    submenu(select_both(city), "Tags")["New tag…"].trigger()
    (dialog,) = city.window.findChildren(QInputDialog)
    dialog.setTextValue("Şehir")
    dialog.accept()
    city.until(lambda: "Şehir" in city.window.projects.tags)
    city.until(lambda: len(listed(city)) == 3)
    menu_of_projects(city)["# Şehir"].trigger()
    city.until(lambda: listed(city) == {BURSA, ANKARA})
    assert city.window.parts.sidebar.projects.text() == "All sessions · Şehir"
    undo(city)
    city.until(lambda: not city.archive.tags.tags())
    # No session has the tag now, so nothing is filtered by it.
    city.until(lambda: len(listed(city)) == 3)


def test_several_sessions_are_pinned_moved_and_deleted_with_undo(city: Stage) -> None:
    project = make(city, "Tez")
    menu_of_projects(city)["All projects"].trigger()
    city.until(lambda: listed(city) == {BURSA, ANKARA})
    menu = select_both(city)
    assert "Merge" in entries(menu)
    entries(menu)["Pin"].trigger()
    city.until(lambda: all(one.is_pinned for one in city.archive.sessions.sessions(EVERYTHING)))
    sidebar = city.window.parts.sidebar

    def both() -> list[Entry]:
        return [one for row in range(4) if (one := sidebar.list.entry(sidebar.model.index(row)))]

    city.until(lambda: [one.is_pinned for one in both()] == [True, True])
    entries(sidebar.menu_of_several(both()))["Unpin"].trigger()
    city.until(
        lambda: not any(one.is_pinned for one in city.archive.sessions.sessions(EVERYTHING))
    )
    targets = submenu(menu, "Move to project")
    assert [one.text() for one in targets.values() if not one.isEnabled()] == ["No project"]
    targets["Tez"].trigger()
    city.until(lambda: city.archive.projects.contents(project.id).sessions == 2)
    city.until(lambda: listed(city) == {BURSA, ANKARA})
    entries(menu)["Delete"].trigger()
    city.until(lambda: listed(city) == set())
    assert not city.archive.sessions.sessions(EVERYTHING)
    strip = city.window.parts.strip
    next(one for one in reversed(strip.findChildren(QPushButton)) if one.text() == "Undo").click()
    city.until(lambda: listed(city) == {BURSA, ANKARA})


def test_keys_and_menus_act_on_the_selected_sessions_not_on_the_shown_one(city: Stage) -> None:
    make(city, "Tez")
    menu_of_projects(city)["All projects"].trigger()
    city.until(lambda: listed(city) == {BURSA, ANKARA})
    select_both(city)
    city.until(lambda: city.window.sessions.shown is not None)
    actions = city.window.actions_by_name
    actions["move"].trigger()
    menu = instance(QApplication.activePopupWidget(), QMenu)
    entries(menu)["Tez"].trigger()
    menu.close()
    strip = city.window.parts.strip
    city.until(lambda: "projects" in strip and "2 sessions moved" in strip.text("projects"))
    city.until(lambda: listed(city) == {BURSA, ANKARA})
    for row in range(2):
        city.window.parts.sidebar.list.selectionModel().select(
            city.window.parts.sidebar.model.index(row), QItemSelectionModel.SelectionFlag.Select
        )
    actions["pin"].trigger()
    city.until(lambda: all(one.is_pinned for one in city.archive.sessions.sessions(EVERYTHING)))


def test_the_bar_of_several_selected_moves_and_tags_them(city: Stage) -> None:
    select_both(city)
    bar = city.window.parts.sidebar.selection
    city.until(bar.isVisible)
    for what, offered in (("move", "New project…"), ("tags", "New tag…")):
        bar.buttons[what].click()
        menu = instance(QApplication.activePopupWidget(), QMenu)
        assert offered in entries(menu)
        menu.close()


def test_what_concerns_one_session_is_not_offered_for_several(city: Stage) -> None:
    select_both(city)
    actions, sessions = city.window.actions_by_name, city.window.parts.sidebar.list
    acts = ("rename", "copy_session", "print", "learn")
    city.until(actions["delete"].isEnabled)
    assert not any(actions[act].isEnabled() for act in acts)
    QTest.keyClick(sessions, Qt.Key.Key_F2)
    assert sessions.state() is not sessions.State.EditingState
    sessions.clearSelection()
    sessions.setCurrentIndex(city.window.parts.sidebar.model.index_of(BURSA))
    city.until(lambda: all(actions[act].isEnabled() for act in acts))
    QTest.keyClick(sessions, Qt.Key.Key_F2)
    assert sessions.state() is sessions.State.EditingState


def test_several_sessions_are_selected_by_keys(city: Stage) -> None:
    sidebar, shift = city.window.parts.sidebar, Qt.KeyboardModifier.ShiftModifier
    city.window.activateWindow()
    city.until(city.window.isActiveWindow)
    sidebar.list.setFocus(Qt.FocusReason.TabFocusReason)
    sidebar.list.setCurrentIndex(sidebar.model.index(1))
    QTest.keyClick(sidebar.list, Qt.Key.Key_Down, shift)
    assert {one.session_id for one in sidebar.list.selected()} == {BURSA, ANKARA}
    QTest.keyClick(sidebar.list, Qt.Key.Key_Up, shift)
    assert len(sidebar.list.selected()) == 1


def test_after_escape_shift_selects_from_the_current_row(city: Stage) -> None:
    more = [finished(SessionId(name), f"{name}?", "Orada.") for name in ("izmir", "kars", "van")]
    city.archive.imports.add(more)
    city.window.archive.load()
    city.until(lambda: len(listed(city)) == 5)
    sidebar, shift = city.window.parts.sidebar, Qt.KeyboardModifier.ShiftModifier
    city.window.activateWindow()
    city.until(city.window.isActiveWindow)
    sidebar.list.setFocus(Qt.FocusReason.TabFocusReason)
    sidebar.list.setCurrentIndex(sidebar.model.index(1))
    for _ in range(2):
        QTest.keyClick(sidebar.list, Qt.Key.Key_Down, shift)
    assert len(sidebar.list.selected()) == 3
    QTest.keyClick(sidebar.list, Qt.Key.Key_Escape)
    QTest.keyClick(sidebar.list, Qt.Key.Key_Down, shift)
    assert sorted(index.row() for index in sidebar.list.selectedIndexes()) == [3, 4]


def test_sessions_of_different_projects_are_not_merged(city: Stage) -> None:
    project = make(city, "Tez")
    city.archive.projects.move(project.id, [BURSA])
    assert city.archive.split_merge.before(ANKARA) is None
    city.window.archive.act("merge", [BURSA, ANKARA])
    strip = city.window.parts.strip
    city.until(lambda: "parted" in strip)
    assert "different projects" in strip.text("parted")
    assert len(city.archive.sessions.sessions(EVERYTHING)) == 2


def page_of(stage: Stage, name: str) -> ProjectPage:
    """Make a project with a session in it, and open its page from the sidebar."""
    project = make(stage, name)
    stage.services.projects.move(project.id, [BURSA])
    stage.until(lambda: "Project page" in menu_of_projects(stage))
    menu_of_projects(stage)["Project page"].trigger()
    stage.until(lambda: stage.window.project_page.page is not None)
    page: ProjectPage = present(stage.window.project_page.page)
    assert page.isVisible()  # at once: what the user opens meanwhile is not covered later
    stage.until(lambda: present(page.details).contents.sessions == 1)
    return page


def links_of(page: ProjectPage) -> dict[str, Button]:
    buttons = page.findChildren(Button)
    return {one.accessibleName() or one.text(): one for one in buttons if one.isVisible()}


def test_the_page_of_a_project_leads_to_all_that_it_has(city: Stage) -> None:
    assert not city.window.actions_by_name["project_page"].isEnabled()
    page = page_of(city, "Tez")
    assert city.window.actions_by_name["project_page"].isEnabled()
    assert present(page.findChild(HintLabel)).text() == "1 session"
    menu_of_projects(city)["All projects"].trigger()
    city.until(lambda: "Open the library with its documents" in links_of(page))
    links_of(page)["Open the library with its documents"].click()
    assert present(city.window.library.page).isVisible()
    assert present(city.window.projects.shown).name == "Tez"
    city.window.history.back()
    city.until(page.isVisible)
    (session,) = (
        one for name, one in links_of(page).items() if name.startswith("Sessions: Bursa")
    )
    session.click()
    city.until(lambda: present(city.window.sessions.shown).id == BURSA)
    assert not page.isVisible()


def test_instructions_that_another_device_changes_meanwhile_stay_below_those_written(
    city: Stage,
) -> None:
    page = page_of(city, "Tez")
    field = page.fields["instructions"]
    field.setFocus()
    field.selectAll()
    QTest.keyClicks(field, "Brief.")
    (project,) = city.archive.projects.projects()
    city.archive.projects.edit(replace(project, instructions="At length."))
    field.clearFocus()
    expected = "Brief.\n\nAt length."
    city.until(lambda: city.archive.projects.projects()[0].instructions == expected)
    city.until(lambda: field.text() == expected)


def test_name_instructions_and_variables_are_written_on_the_page(city: Stage) -> None:
    page = page_of(city, "Tez")
    strip = city.window.parts.strip
    for part, text in (("name", "Makale"), ("instructions", "Brief."), ("variables", "year = 2")):
        strip.remove("projects")
        page.fields[part].setFocus()
        page.fields[part].selectAll()
        QTest.keyClicks(page.fields[part], text)
        page.setFocus()
        page.fields[part].clearFocus()
        city.until(lambda: "projects" in strip)
        city.until(lambda: not page.holds_work)
    (project,) = city.archive.projects.projects()
    assert (project.name, project.instructions) == ("Makale", "Brief.")
    assert project.variables == {"year": "2"}
    city.until(lambda: city.window.parts.sidebar.projects.text() == "Makale")
    strip.undo_last()
    city.until(lambda: "danışman" in city.archive.projects.projects()[0].variables)
    city.until(lambda: page.fields["variables"].text().startswith("danışman"))


@pytest.mark.parametrize(("part", "text"), [("name", "ev"), ("variables", "= 3")])
def test_what_cannot_be_stored_on_the_page_is_said_and_not_stored(
    city: Stage, part: str, text: str
) -> None:
    city.archive.projects.create("Ev")
    page = page_of(city, "Tez")
    before = city.archive.projects.named("Tez")
    failed = list[AppError]()
    city.window.worker.failed.connect(failed.append)
    page.fields[part].setFocus()
    page.fields[part].selectAll()
    QTest.keyClicks(page.fields[part], text)
    page.fields[part].clearFocus()
    city.until(lambda: bool(failed))
    assert city.archive.projects.named("Tez") == before
    city.until(lambda: page.fields["name"].text() == "Tez")


def test_the_form_stays_until_its_project_can_be_stored(city: Stage) -> None:
    city.archive.projects.create("Tez")
    city.window.actions_by_name["new_project"].trigger()
    (form,) = city.window.findChildren(ProjectForm)
    form._name.setText("TEZ")
    for variables, problem in (("danışman", "“danışman”"), ("danışman = Nur", "“TEZ”")):
        form._variables.setPlainText(variables)
        form.save()
        city.until(partial(lambda words: words in form._problem.text(), problem))
    form._name.setText("Makale")
    form.save()
    city.until(lambda: not city.window.findChildren(ProjectForm))
    assert city.archive.projects.named("Makale").variables == {"danışman": "Nur"}


def test_a_project_on_this_computer_says_so_as_soon_as_it_is_chosen_or_ticked(city: Stage) -> None:
    field, project = city.window.parts.composer.field, make(city, "Tez")

    def is_said(words: str = "Nothing leaves this computer") -> bool:
        return words in field.placeholderText()

    assert not is_said()
    city.window.projects.edit(project)
    city.until(lambda: bool(city.window.findChildren(ProjectForm)))
    (form,) = city.window.findChildren(ProjectForm)
    form._is_local_only.setChecked(True)
    form.save()
    city.until(is_said)
    assert "on this computer only" in city.window.parts.status._connected()
    menu_of_projects(city)["All projects"].trigger()
    city.until(lambda: not is_said())
    menu_of_projects(city)["Tez"].trigger()
    city.until(is_said)


def test_the_page_of_a_deleted_project_is_left(city: Stage) -> None:
    page = page_of(city, "Tez")
    city.window.projects._deletion._delete(present(city.window.projects.shown), None, False)
    city.until(lambda: not page.isVisible())
