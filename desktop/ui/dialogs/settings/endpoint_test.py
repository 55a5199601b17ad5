"""Runs an endpoint's test and shows each finding as it comes."""

from PySide6.QtCore import QObject, Signal

from desktop.domain.endpoints import Endpoint
from desktop.domain.errors import AppError
from desktop.llm.capability_test import Probe, TestReport, TestStep
from desktop.ui.dialogs.dialog_tasks import Errands
from desktop.ui.dialogs.model_services import ModelDesk
from desktop.ui.dialogs.settings.capability_list import Abilities


class Tester(QObject):
    found = Signal(object)  # Capabilities
    running_changed = Signal(bool)

    def __init__(self, desk: ModelDesk, shown: Abilities, parent: QObject) -> None:
        super().__init__(parent)
        self._desk = desk
        self._shown = shown
        self._errands = Errands(desk.bridge, self)
        self._run = 0

    def run(self, endpoint: Endpoint, model: str) -> None:
        run = self._begin()
        self._shown.wait()
        self.running_changed.emit(True)

        def show_soon(step: TestStep) -> None:  # on the test's worker
            # A step takes the same way to the window as every other result.
            self._errands.run(lambda: step, lambda step: self._show(run, step))

        self._errands.run(
            lambda: self._desk.models.test(endpoint, model, show_soon),
            lambda report: self._end(run, report),
            lambda error: self._fail(run, error),
            lambda: self._settle(run),
        )

    def forget(self) -> None:
        """What a running test still finds is shown no more."""
        self._begin()
        self._shown.clear()
        self.running_changed.emit(False)

    def _begin(self) -> int:
        self._run += 1
        return self._run

    def _show(self, run: int, step: TestStep) -> None:
        if run != self._run:
            return
        # The sentence of a failure is shown where nothing works without it.
        is_needed = step.what is Probe.ANSWER or (step.what is Probe.MODELS and step.error)
        words = self._desk.texts().error(step.error) if step.error and is_needed else ""
        self._shown.show_step(step, words)

    def _end(self, run: int, report: TestReport) -> None:
        if run == self._run:
            for step in report.steps:
                self._show(run, step)
            if report.works:
                self.found.emit(report.endpoint.capabilities)

    def _fail(self, run: int, error: AppError) -> None:
        if run == self._run:
            self._shown.say_problem(self._desk.texts().error(error))

    def _settle(self, run: int) -> None:
        if run == self._run:
            self._shown.end()
            self.running_changed.emit(False)
