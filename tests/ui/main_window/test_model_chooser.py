"""The model of the next answers: chosen beside the field, for this session."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace

import pytest
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu

from desktop.domain.endpoints import (
    ConnectionStatus,
    Endpoint,
    EndpointId,
    EndpointKind,
    ModelChoice,
    ModelRole,
)
from desktop.domain.errors import ConnectionLostError
from tests.ui.dialogs.stand_ins import ScriptedModels
from tests.ui.main_window.stage import Stage

HERE, THERE = (
    Endpoint(EndpointId(name), name.title(), EndpointKind.CHAT, "http://127.0.0.1:1/v1")
    for name in ("here", "there")
)


@dataclass
class _ChosenModels(ScriptedModels):
    chosen: list[ModelChoice | None] = field(default_factory=list)

    def choose(self, choice: ModelChoice | None) -> None:
        self.chosen.append(choice)


class Desk:
    """A window with two connections, and the requests of their models."""

    def __init__(self, stage: Stage) -> None:
        self.stage = stage
        self.chosen: list[ModelChoice | None] = []
        self.models = _ChosenModels(chosen=self.chosen, names=("small", "big"))
        stage.changes.apply(
            replace(
                stage.changes.settings,
                endpoints=(HERE, THERE),
                roles={ModelRole.ANSWERING: ModelChoice(HERE.id, "usual")},
            )
        )
        stage.stand_in(models=self.models, connection=self._connection)
        stage.attach()
        self.button = stage.window.parts.composer.model
        self.until_named("usual")

    def _connection(self) -> ConnectionStatus:
        choice = self.chosen[-1] if self.chosen else None
        return ConnectionStatus(choice.model if choice else "usual", "Here", 8000)

    def until_named(self, name: str) -> None:
        self.stage.until(lambda: self.button.text() == name)

    @property
    def menu(self) -> QMenu:
        return self.stage.window.view.models._menu

    def opens(self, connection: str) -> list[QAction]:
        self.button.click()
        action = next(one for one in self.menu.actions() if one.text() == connection)
        submenu = self.stage.window.view.models._models.lists[EndpointId(connection.lower())]
        assert action.menu() is submenu
        submenu.aboutToShow.emit()
        self.stage.until(lambda: "Loading" not in submenu.actions()[0].text())
        self.menu.hide()
        return submenu.actions()

    def chooses(self, connection: str, model: str) -> None:
        next(one for one in self.opens(connection) if one.text() == model).trigger()
        self.until_named(model)


@pytest.fixture
def desk(opens: Callable[[], Stage]) -> Desk:
    return Desk(opens())


def test_the_models_of_every_connection_are_offered_and_only_those_opened_are_asked(
    desk: Desk,
) -> None:
    assert [one.text() for one in desk.opens("There")] == ["small", "big"]
    names = [one.text() for one in desk.menu.actions() if one.text()]
    assert names == ["Same as in the settings", "Here", "There"]
    assert desk.models.asked == [THERE]


def test_a_choice_holds_for_its_session_and_can_be_taken_back(desk: Desk) -> None:
    desk.chooses("There", "big")
    assert desk.chosen == [ModelChoice(THERE.id, "big")]
    desk.stage.ask("Gelgit nedir?")
    assert desk.button.text() == "big"
    desk.stage.window.sessions.begin_new()
    desk.until_named("usual")
    assert desk.chosen[-1] is None
    desk.chooses("Here", "small")
    desk.button.click()
    desk.menu.actions()[0].trigger()
    desk.until_named("usual")


def test_a_model_list_that_cannot_be_fetched_gives_the_reason(desk: Desk) -> None:
    desk.models.error = ConnectionLostError(where="There")
    [problem] = desk.opens("There")
    assert problem.text().startswith("There is not responding.")
    assert not problem.isEnabled()
