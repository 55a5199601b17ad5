"""Stand-ins for the dialogs: model services without a network, and settings that are not saved."""

from collections.abc import Callable, Sequence
from concurrent.futures import Executor, Future
from dataclasses import dataclass, field, replace
from typing import ParamSpec, TypeVar

from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QAbstractButton, QComboBox, QWidget
from pytestqt.qtbot import QtBot

from desktop.domain.endpoints import Capabilities, Endpoint, EndpointId, ModelInfo
from desktop.domain.errors import AppError, LlmError
from desktop.domain.language import Language
from desktop.llm.capability_test import OnStep, Probe, TestReport, TestStep
from desktop.llm.endpoints import LM_STUDIO
from desktop.settings.keys import Kept, MemoryKeys
from desktop.settings.messages import Texts
from desktop.ui.dialogs.shortcuts import Shortcut
from desktop.ui.services import ModelServices, ShippedPhrases
from desktop.ui.settings.settings_view import SettingsView
from desktop.ui.settings_controller import PageId
from desktop.ui.turn_bridge import TurnBridge
from desktop.ui.widgets.plain_text import Label

P = ParamSpec("P")
T = TypeVar("T")


W = TypeVar("W", bound=QWidget)


def shown(qtbot: QtBot, widget: W) -> W:
    qtbot.addWidget(widget)
    widget.show()
    return widget


def texts(widget: QWidget) -> list[str]:
    """The visible texts of a widget."""
    return [label.text() for label in widget.findChildren(Label) if label.isVisible()]


def button(widget: QWidget, text: str) -> QAbstractButton:
    buttons: list[QAbstractButton] = widget.findChildren(QAbstractButton)
    return next(
        each for each in buttons if each.isVisible() and each.text().replace("&", "") == text
    )


def field_of(page: QWidget, setting: str, kind: type[W]) -> W:
    found = page.findChild(kind, setting)
    assert found is not None
    return found


def all_pages(view: SettingsView) -> SettingsView:
    """Show each page once, because a page is made when it is first shown."""
    for page in PageId:
        view._pages.setCurrentIndex(page)
    view.show_page(PageId.GENERAL)
    return view


def choose(drop_down: QComboBox, text: str) -> None:
    """Choose an entry as a user would."""
    drop_down.setCurrentText(text)
    drop_down.activated.emit(drop_down.currentIndex())


class AtOnce(Executor):
    """Does the work in the call itself."""

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        future: Future[T] = Future()
        future.set_result(fn(*args, **kwargs))
        return future


class Later(Executor):
    """Does the work when the test says so, in order."""

    def __init__(self) -> None:
        self._work: list[Callable[[], object]] = []

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        self._work.append(lambda: fn(*args, **kwargs))
        return Future()

    def do_all(self) -> None:
        while self._work:
            self._work.pop(0)()


class Saved:
    """Stands for the store: records the changes, or raises the given error."""

    def __init__(self) -> None:
        self.fields: list[dict[str, object]] = []
        self.error: AppError | None = None

    def __call__(self, **fields: object) -> None:
        if self.error:
            raise self.error
        self.fields.append(fields)


@dataclass
class ScriptedModels:
    """Lists `names`, finds `works` and servers, or raises `error`; records the calls."""

    names: Sequence[str] = ("claude-haiku-5-5", "claude-sonnet-5-5", "claude-opus-5-5")
    works: Sequence[Probe] = tuple(Probe)
    error: LlmError | None = None
    asked: list[Endpoint] = field(default_factory=list)
    tested: str = ""
    times_looked: int = 0

    def look_for_servers(self) -> Sequence[Endpoint]:
        self.times_looked += 1
        return [LM_STUDIO.endpoint()]

    def list_models(self, endpoint: Endpoint) -> Sequence[ModelInfo]:
        self.asked.append(endpoint)
        if self.error:
            raise self.error
        return [ModelInfo(name, name) for name in self.names]

    def test(self, endpoint: Endpoint, model: str, on_step: OnStep) -> TestReport:
        self.asked.append(endpoint)
        self.tested = model
        steps = []
        for probe in Probe:
            error = self.error if probe is Probe.ANSWER else None
            step = TestStep(probe, probe in self.works and error is None, error=error)
            on_step(step)
            steps.append(step)
            if error:
                break
        found = Capabilities(citations=Probe.CITATIONS in self.works, tools=True)
        return TestReport(replace(endpoint, capabilities=found), tuple(steps))


class LastingKeys(MemoryKeys):
    """A key store with a keyring."""

    is_lasting = True

    def put(self, endpoint_id: EndpointId, key: str) -> Kept:
        super().put(endpoint_id, key)
        return Kept.KEYRING


def model_services(
    bridge: TurnBridge,
    models: ScriptedModels | None = None,
    keys: MemoryKeys | None = None,
    language: Callable[[], Language] = lambda: Language.EN,
) -> ModelServices:
    models = models or ScriptedModels()
    keys = keys or LastingKeys()
    return ModelServices(bridge, models, keys, models.look_for_servers, lambda: Texts(language()))


PHRASES = ShippedPhrases(
    ends=("teşekkür*", "bu kadar yeter*", "thanks", "that is all"),
    new_topics=("yeni konu", "başka bir şey sor*", "new topic"),
)


def shortcuts() -> Sequence[Shortcut]:
    return (
        Shortcut("new_session", "New session", "Session", "Ctrl+N"),
        Shortcut("end_session", "End session", "Session", "Ctrl+E"),
        Shortcut("search", "Search", "Edit", "Ctrl+K"),
        Shortcut("find", "Find in session", "Edit", "Ctrl+F"),
        Shortcut("sidebar", "Sidebar", "View", QKeySequence("F9").toString()),
        Shortcut("about", "About Bellek", "Help", ""),
    )
