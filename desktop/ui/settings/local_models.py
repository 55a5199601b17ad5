"""The models that suit this computer: what they need, and a button that fetches one."""

from collections.abc import Callable, Sequence
from functools import partial
from threading import Event
from typing import TYPE_CHECKING

from PySide6.QtCore import QLocale, Signal
from PySide6.QtWidgets import QProgressBar, QWidget

from desktop.domain.endpoints import Endpoint
from desktop.domain.errors import AppError
from desktop.llm.endpoints import OLLAMA, gguf_endpoint
from desktop.llm.model_files import AvailableMemory, LocalModel, fitting_models, read_memory
from desktop.ui.i18n import core_texts
from desktop.ui.services import ModelServices
from desktop.ui.theme.tokens import Space
from desktop.ui.timers import make_timer
from desktop.ui.widgets.buttons import Button
from desktop.ui.widgets.layouts import clear_layout, column, growing, row, widget_with
from desktop.ui.widgets.plain_text import BodyLabel, HintLabel, ProblemLabel, announce

if TYPE_CHECKING:
    from desktop.llm.model_files import ModelFiles

_GIGABYTE = 1_000_000_000
_LOOK_MS = 200
_Found = tuple[AvailableMemory, Sequence[LocalModel], bool]
"""The memory, the models, and whether an Ollama runs here."""


class LocalModelsBox(QWidget):
    """Empty until `look` is called."""

    fetched = Signal(object, str)  # Endpoint, and the name of its model

    def __init__(self, services: ModelServices) -> None:
        super().__init__()
        self._services, self._stopped = services, Event()
        self._there, self._size = 0, 0  # Bytes; written by the worker, read by the timer
        self._memory, self._problem = HintLabel(""), ProblemLabel()
        self._rows, self._bar = column(spacing=Space.SMALL), QProgressBar()
        self._bar.setAccessibleName(self.tr("Progress"))
        self._bar.setTextVisible(False)
        self._stop = Button(text=self.tr("Stop"), press=self._stop_fetching)
        self._progress = widget_with(row(growing(self._bar), self._stop))
        parts = (self._memory, self._rows, self._progress, self._problem)
        self.setLayout(column(*parts, spacing=Space.MEDIUM))
        self._looking = make_timer(self, _LOOK_MS, self._show_progress)
        self._progress.hide()
        self.hide()

    def look(self) -> None:
        """Read this computer's memory and show what suits it."""
        look_for = self._services.look_for_servers

        def work() -> _Found:  # worker thread
            memory = read_memory()
            has_ollama = any(server.base_url == OLLAMA.base_url for server in look_for())
            return memory, fitting_models(memory), has_ollama

        self._services.bridge.run(work, self._show)

    def _show(self, found: _Found) -> None:
        memory, models, has_ollama = found
        words = self.tr("This computer has {size} GB of memory.")
        if memory.graphics:
            words = self.tr(
                "This computer has {size} GB of memory and {graphics} GB of graphics memory."
            )
        self._memory.set_text(
            words.format(size=_gigabytes(memory.main), graphics=_gigabytes(memory.graphics))
        )
        clear_layout(self._rows)
        for model in models:
            self._rows.addWidget(self._row(model, memory, has_ollama=has_ollama))
        self.show()

    def _row(self, model: LocalModel, memory: AvailableMemory, *, has_ollama: bool) -> QWidget:
        say, fits = core_texts().say, "fits" if memory.holds(model) else "too_large"
        facts = (
            say(f"models.{fits}", size=_gigabytes(model.memory)),
            say("models.size", size=_gigabytes(model.bytes)),
            model.licence,
            say("models.languages", count=model.languages),
        )
        about = column(
            BodyLabel(model.name),
            HintLabel(say(f"models.good_{model.good_for}")),
            HintLabel(" · ".join(facts)),
            spacing=0,
        )
        buttons = [self._button(self.tr("Download"), model, self._download)]
        if has_ollama:
            buttons.append(self._button(self.tr("By Ollama"), model, self._pull))
        return widget_with(row(growing(widget_with(about)), *buttons))

    def _button(
        self, words: str, model: LocalModel, press: Callable[[LocalModel], None]
    ) -> Button:
        name = self.tr("{action}: {model}").format(action=words, model=model.name)
        button = Button(text=words, name=name, press=partial(press, model))
        button.setEnabled(self._services.files is not None)
        return button

    def _download(self, model: LocalModel) -> None:
        def work(files: "ModelFiles", stopped: Event) -> tuple[Endpoint, str]:
            file = files.fetch(model, self._note, lambda: self._is_over(stopped))
            return gguf_endpoint(file), ""

        self._fetch(work)

    def _pull(self, model: LocalModel) -> None:
        def work(files: "ModelFiles", stopped: Event) -> tuple[Endpoint, str]:
            files.pull(model, self._note, lambda: self._is_over(stopped))
            return OLLAMA.endpoint(), model.ollama

        self._fetch(work)

    def _fetch(self, work: "Callable[[ModelFiles, Event], tuple[Endpoint, str]]") -> None:
        if (files := self._services.files) is None:
            return
        self._stopped = stopped = Event()
        self.destroyed.connect(stopped.set)  # by a change of the language
        self._there, self._size = 0, 0
        self._problem.dismiss()
        self._set_fetching(is_fetching=True)

        def done(fetched: tuple[Endpoint, str]) -> None:
            announce(self, self.tr("The model is here."))
            self.fetched.emit(*fetched)

        self._services.bridge.run(
            lambda: work(files, stopped),
            done,
            self._show_problem,
            lambda: self._set_fetching(is_fetching=False),
        )

    def _note(self, there: int, size: int) -> None:  # worker thread
        self._there, self._size = there, size

    def _is_over(self, stopped: Event) -> bool:
        return stopped.is_set() or self._services.bridge.closing.is_set()

    def _stop_fetching(self) -> None:
        self._stopped.set()

    def _set_fetching(self, *, is_fetching: bool) -> None:
        self._progress.setVisible(is_fetching)
        for button in self._buttons():
            button.setEnabled(not is_fetching)
        if is_fetching:
            self._looking.start()
            self._stop.setFocus()
        else:
            self._looking.stop()
        self._show_progress()

    def _buttons(self) -> Sequence[Button]:
        return [button for button in self.findChildren(Button) if button is not self._stop]

    def _show_progress(self) -> None:
        self._bar.setRange(0, 100 if self._size else 0)
        if self._size:
            self._bar.setValue(self._there * 100 // self._size)

    def _show_problem(self, error: AppError) -> None:
        self._problem.set_text(self._services.texts().error(error))


def _gigabytes(size: int) -> str:
    return QLocale().toString(size / _GIGABYTE, "f", 1)
