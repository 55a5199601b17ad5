"""Whoever hears the window instead of seeing it is told what each part of it is."""

from collections.abc import Iterator

import pytest
from PySide6.QtWidgets import QApplication, QWidget

from desktop.settings.settings import UiLanguage
from desktop.ui.window.actions import ActionId
from tests.ui.main_window.stage import Stage
from tests.ui.read_aloud import nameless

ASKED = "Dawn fenomeni nedir?\n\n- nedeni\n- ölçümü"
SAID = (
    "Sabaha karşı **yükselir**.\n\n| | Gece |\n|---|---|\n| 03.00 | düşük |\n\n```\nx = 1\n```\n"
)


@pytest.fixture(params=[UiLanguage.TR, UiLanguage.EN])
def spoken(request: pytest.FixtureRequest, library: Stage) -> Iterator[Stage]:
    library.window._choose_language(request.param)
    yield library
    library.languages.withdraw()


def test_every_part_of_the_window_and_its_panels_has_a_name(spoken: Stage) -> None:
    spoken.model.says(SAID)
    spoken.ask(ASKED)
    for act in (ActionId.SOURCES, ActionId.TRACE, ActionId.CONTEXT, ActionId.FIND):
        spoken.window.actions_by_name[act].trigger()
        assert nameless(spoken.window) == set(), act
    spoken.window.commands.search.show_results()
    assert nameless(spoken.window) == set()


def test_every_part_of_the_windows_beside_it_has_a_name(spoken: Stage) -> None:
    spoken.window.actions_by_name[ActionId.LIBRARY].trigger()
    spoken.window.actions_by_name[ActionId.MEMORY].trigger()
    spoken.window.dialogs.show_contacts()
    spoken.window.dialogs.show_settings()
    beside = [each for each in QApplication.topLevelWidgets() if _is_open(each, spoken.window)]
    assert len(beside) == 4
    assert {type(each).__name__: nameless(each) for each in beside if nameless(each)} == {}


def _is_open(widget: QWidget, main: QWidget) -> bool:
    return widget.isVisible() and widget.isWindow() and widget is not main
