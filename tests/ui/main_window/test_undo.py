"""Undo: the key takes back the last change that a notice offers to undo, whatever it was."""

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta

import pytest
from PySide6.QtCore import Qt

from desktop.domain.facts import FactFilter
from desktop.domain.ids import SessionId
from desktop.domain.projects import EVERYTHING, Wall
from desktop.domain.prompts import Prompt
from tests.archives import NOON, finished
from tests.ui.main_window.stage import Stage

BURSA, ANKARA = SessionId("bursa"), SessionId("ankara")
HOUR = timedelta(hours=1)
PROMPT = Prompt("Özetle", "Şunu özetle: {metin}")


@pytest.fixture
def city(opens: Callable[[], Stage]) -> Stage:
    """The window over two sessions, one of them in a project, a fact and a prompt."""
    stage = opens()
    archive = stage.archive
    said = ("Bursa nerede?", "Orada.", "Peki Uludağ?", "Yanında.")
    archive.imports.add(
        [
            finished(BURSA, *said, title="Bursa gezisi"),
            finished(ANKARA, "Nerede?", "Orada.", title="Ankara gezisi", at=NOON + HOUR),
        ]
    )
    project = archive.projects.create("Tez")
    archive.projects.edit(replace(project, instructions="Kısa yaz."))
    stage.services.memory.remember("Bursa'da oturur")
    archive.prompts.add([PROMPT])
    stage.attach()
    stage.until(lambda: bool(stage.window.projects.projects))
    return stage


def contents(stage: Stage) -> object:
    """What a person sees of the archive, without when it was changed."""
    archive = stage.archive
    return (
        {
            one.id: (one.title, one.is_pinned, one.project, len(archive.sessions.messages(one.id)))
            for one in archive.sessions.sessions(EVERYTHING)
        },
        [(one.name, one.instructions) for one in archive.projects.projects()],
        {name: ids for name, ids in archive.tags.tags().items() if ids},
        archive.prompts.prompts(EVERYTHING),
        [one.content for one in archive.facts.facts(FactFilter(EVERYTHING))],
    )


def delete_project(stage: Stage) -> None:
    (project,) = stage.window.projects.projects
    stage.window.projects.choose(Wall(project.id))
    stage.window.projects._deletion._delete(project, None, True)


def delete_prompt(stage: Stage) -> None:
    page = stage.window.prompts.open()
    stage.until(lambda: page.name.text() == PROMPT.name)
    page.delete()


CHANGES: dict[str, Callable[[Stage], object]] = {
    "rename": lambda stage: stage.window.archive.rename(BURSA, "Yeşil Bursa"),
    "pin": lambda stage: stage.window.archive.act("pin", [BURSA, ANKARA]),
    "delete": lambda stage: stage.window.commands.delete(BURSA, ANKARA),
    "merge with the one before": lambda stage: stage.window.archive.merge(ANKARA),
    "merge several": lambda stage: stage.window.archive.act("merge", [BURSA, ANKARA]),
    "split": lambda stage: stage.window.archive.split(
        BURSA, stage.archive.sessions.messages(BURSA)[2].id
    ),
    "move": lambda stage: stage.window.projects.move(
        [BURSA], stage.window.projects.projects[0].id
    ),
    "tag": lambda stage: stage.window.projects._tag([BURSA], "gezi", True),
    "delete a project": delete_project,
    "delete a prompt": delete_prompt,
    "forget a fact": lambda stage: stage.window.memory.notices._forget(
        [one.id for one in stage.archive.facts.facts(FactFilter(EVERYTHING))]
    ),
}


@pytest.mark.parametrize("name", CHANGES)
def test_the_key_takes_back_the_last_change_that_a_notice_offers_to_undo(
    city: Stage, name: str
) -> None:
    before, strip = contents(city), city.window.parts.strip
    CHANGES[name](city)
    city.until(lambda: strip.can_undo)
    assert contents(city) != before
    city.window.activateWindow()
    city.window.parts.sidebar.list.setFocus(Qt.FocusReason.TabFocusReason)
    city.until(city.window.actions_by_name["undo"].isEnabled)
    city.window.actions_by_name["undo"].trigger()
    city.until(lambda: contents(city) == before)
    assert not strip.can_undo


def test_of_two_changes_the_newest_is_undone_first(city: Stage) -> None:
    strip, before = city.window.parts.strip, contents(city)
    city.window.archive.rename(BURSA, "Yeşil Bursa")
    city.until(lambda: "renamed" in strip)
    renamed = contents(city)
    city.window.commands.delete(ANKARA)
    city.until(lambda: "deleted" in strip)
    strip.undo_last()
    city.until(lambda: contents(city) == renamed)
    strip.undo_last()
    city.until(lambda: contents(city) == before)
