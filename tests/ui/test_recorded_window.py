"""What the main window offers in every situation, and the PDF that it writes."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from io import BytesIO
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QMenu, QPushButton, QToolButton
from pytestqt.qtbot import QtBot

from desktop.domain.ids import SessionId
from desktop.domain.projects import Wall
from desktop.research.documents.blocks import Block
from desktop.research.documents.reader_worker import read_document
from desktop.settings.settings import UiLanguage
from desktop.ui.services import NavigationTarget
from desktop.ui.transcript.printing import print_pdf
from desktop.ui.window.keyboard_input import EDITING
from tests.archives import finished
from tests.golden import GoldenFile, settled_world
from tests.integration.test_recorded_exports import PLAIN, fill
from tests.narrowing import instance, present
from tests.ui.main_window.stage import Stage

MENUS, PDF = GoldenFile(__file__, "menus", deep=2), GoldenFile(__file__, "pdf")
BURSA, ANKARA = SessionId("bursa"), SessionId("ankara")
NAMES = "names"
_LOOKS = 4
Line = tuple[str, str, str, str, str]  # Margin, id, title, keys, state


def open_profile(stage: Stage) -> None:
    stage.archive.imports.add(
        [
            finished(BURSA, "Bursa nerede?", "Orada.", "Neden?", "Öyle.", title="Bursa gezisi"),
            finished(ANKARA, "Ankara nerede?", "Orada.", title="Ankara gezisi"),
        ]
    )
    stage.attach()
    sidebar = stage.window.parts.sidebar
    stage.until(lambda: len(sidebar.model.sessions) == 2 and bool(sidebar.projects.text()))


def show_nothing(stage: Stage) -> None:
    open_profile(stage)
    stage.until(lambda: "scripted" in stage.window.parts.status.link.accessibleName())


def disconnect(stage: Stage) -> None:
    stage.has_model = False
    open_profile(stage)


def answer(stage: Stage) -> None:
    show_nothing(stage)
    stage.ask("Soru")


def hold_answer(stage: Stage) -> None:
    show_nothing(stage)
    stage.sends_held()


def show_past(stage: Stage) -> None:
    show_nothing(stage)
    stage.window.sessions.open(NavigationTarget(BURSA))
    stage.until(lambda: is_read(stage))


def select_several(stage: Stage) -> None:
    show_nothing(stage)
    sidebar = stage.window.parts.sidebar
    keys = Qt.KeyboardModifier
    for session, modifier in ((BURSA, keys.NoModifier), (ANKARA, keys.ControlModifier)):
        at = sidebar.list.visualRect(sidebar.model.index_of(session)).center()
        QTest.mouseClick(sidebar.list.viewport(), Qt.MouseButton.LeftButton, modifier, at)
    assert len(sidebar.list.selected()) == 2
    stage.until(lambda: is_read(stage))


def is_read(stage: Stage) -> bool:
    """Whether the longer session is shown, with all of its cards."""
    parts = stage.window.parts
    return parts.reading_bar.isVisible() and len(parts.transcript.live) == 4


def choose_project(stage: Stage) -> None:
    project = stage.archive.projects.create("Gezi")
    show_nothing(stage)
    stage.archive.projects.move(project.id, [BURSA])
    stage.until(lambda: bool(stage.window.projects.projects))
    stage.window.projects.choose(Wall(project.id))
    stage.until(lambda: len(stage.window.parts.sidebar.model.sessions) == 1)


SITUATIONS: dict[str, Callable[[Stage], None]] = {
    "profile locked": lambda _: None,  # the window until the profile is open
    "no session": show_nothing,
    "no model": disconnect,
    "active session with an answer": answer,
    "answer running": hold_answer,
    "past session shown": show_past,
    "several selected": select_several,
    "project chosen": choose_project,
}


@pytest.mark.parametrize("situation", SITUATIONS)
def test_the_menus_are_the_recorded_ones(
    situation: str,
    opens: Callable[[], Stage],
) -> None:
    stage = opens()
    SITUATIONS[situation](stage)
    english = settled_menus(stage)
    first = stage.window.menuBar().actions()[0]
    title = first.text()
    stage.changes.choose_language(UiLanguage.TR)
    stage.until(lambda: first.text() != title)
    turkish = settled_menus(stage)
    names: dict[str, str] = {}
    states: dict[str, list[str]] = {}
    for key, (menu, lines) in sorted(english.items(), key=lambda item: item[1][0]):
        other_menu, translated = turkish[key]
        shown = states[menu if menu == other_menu else f"{menu} / {other_menu}"] = []
        for line, other in zip(lines, translated, strict=True):
            margin, act, text, keys, state = line
            assert (margin, act, keys) == (other[0], other[1], other[3])
            name = f"{text} / {other[2]} {keys}" if text else "—"
            assert not act or names.setdefault(act, name) == name
            # In the menu of languages another one is chosen.
            now = state if state == other[4] else f"{state} / {other[4]}"
            shown.append(f"{margin}{act or name} {now}".strip())
    MENUS.check(situation, states)
    MENUS.check(NAMES, dict(sorted(names.items())))


def test_no_situation_is_recorded_that_is_not_tested_any_more() -> None:
    MENUS.check_cases(*SITUATIONS, NAMES)


def test_a_pdf_has_the_recorded_words(qtbot: QtBot, tmp_path: Path) -> None:
    with settled_world():
        exporter = fill(tmp_path)
        file = tmp_path / "session.pdf"
        replace(exporter, print_pdf=print_pdf).write_session(PLAIN, file)
        exporter.archive._archive.close()
    parts = read_document(file, BytesIO(file.read_bytes()))
    text = " ".join(part.text for part in parts if isinstance(part, Block))
    PDF.check("one session", text.split())


def settled_menus(stage: Stage) -> dict[object, tuple[str, list[Line]]]:
    """The menus once several looks in a row see the same: workers bring what they show."""
    seen = [menus_of(stage)]

    def is_settled() -> bool:
        seen.append(menus_of(stage))
        return len(seen) > _LOOKS and all(each == seen[-1] for each in seen[-_LOOKS:])

    stage.until(is_settled)
    return seen[-1]


def menus_of(stage: Stage) -> dict[object, tuple[str, list[Line]]]:
    """The name and the lines of every menu of the window, by what it belongs to."""
    window, sidebar = stage.window, stage.window.parts.sidebar
    actions = window.actions_by_name
    ids = {actions[act]: act for act in actions}
    menus: dict[object, tuple[str, QMenu]] = {
        action: (f"menu bar: {action.text()}", menu_of(action))
        for action in window.menuBar().actions()
    }
    for button in [*window.findChildren(QToolButton), *window.findChildren(QPushButton)]:
        assert isinstance(button, QToolButton | QPushButton)
        name, menu = button.accessibleName() or button.text(), button.menu()
        if name and isinstance(menu, QMenu):  # Qt's own have no name
            menus[button] = f"button: {name}", menu
    for session in sidebar.model.sessions:
        entry = present(sidebar.list.entry(sidebar.model.index_of(session.id)))
        menus[session.id] = f"sidebar: {session.opening}", sidebar.menu_of(entry)
    if len(several := sidebar.list.selected()) > 1:
        menus["several"] = "sidebar: several", sidebar.menu_of_several(several)
    for place, card in enumerate(window.parts.transcript.live.values()):
        at = card.mapToGlobal(card.rect().center())
        menus[place] = f"transcript: {place}", window.parts.transcript.menu_at(at)
    return {key: (name, list(lines_of(menu, ids))) for key, (name, menu) in menus.items()}


def menu_of(action: QAction) -> QMenu:
    return instance(action.menu(), QMenu)


def lines_of(menu: QMenu, ids: dict[QAction, str], margin: str = "") -> Iterator[Line]:
    menu.aboutToShow.emit()
    for action in menu.actions():
        if action.isSeparator():
            yield margin, "", "", "", ""
            continue
        states = {
            "off": not action.isEnabled(),
            "hidden": not action.isVisible(),
            "checkable": action.isCheckable() and not action.isChecked(),
            "checked": action.isChecked(),
        }
        keys = QKeySequence.listToString(
            action.shortcuts(), QKeySequence.SequenceFormat.PortableText
        )
        # Those of a field follow the focus, which the platform gives or does not give.
        follows = ids.get(action) in EDITING
        state = "" if follows else " ".join(name for name, holds in states.items() if holds)
        yield margin, ids.get(action, ""), action.text(), keys, state
        if isinstance(action.menu(), QMenu):
            yield from lines_of(menu_of(action), ids, f"{margin}> ")
