"""Settings, Models, one connection: its name, address, key and model, and a test."""

from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QSizePolicy, QVBoxLayout, QWidget

from desktop.domain.endpoints import (
    NO_CAPABILITIES,
    Capabilities,
    Endpoint,
    EndpointKind,
    ModelChoice,
    ModelRole,
    clean_base_url,
)
from desktop.domain.errors import AppError
from desktop.llm.capability_test import Probe, TestReport, TestStep
from desktop.ui.dialogs.endpoint_setup import (
    ModelServices,
    with_choice,
    with_endpoint,
    without_endpoint,
)
from desktop.ui.dialogs.files import ModelFileDialog
from desktop.ui.dialogs.form import BackButton, DialogTasks, FormGrid, Page
from desktop.ui.dialogs.settings.endpoint_fields import KeyField, ModelField
from desktop.ui.dialogs.settings.settings_controller import SettingsController
from desktop.ui.i18n import TranslatedWidget
from desktop.ui.theme.tokens import Space
from desktop.ui.widgets.buttons import Button, DangerButton
from desktop.ui.widgets.labels import BodyLabel, HintLabel, ProblemLabel
from desktop.ui.widgets.plain_text import Label


class CapabilityList(TranslatedWidget, QWidget):
    """What the endpoint can do: a line with a tick or a dash for each capability."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self._steps: dict[Probe, TestStep] = {}
        self._is_waiting = False
        self._lines, self._after, self._problem = BodyLabel(), HintLabel(), ProblemLabel()
        column = QVBoxLayout(self)
        column.setContentsMargins(0, Space.TIGHT, 0, 0)
        column.setSpacing(Space.TIGHT)
        for widget in (self._lines, self._after, self._problem):
            column.addWidget(widget)
        self.retranslate()

    def clear(self) -> None:
        self._steps = {}
        self._is_waiting = False
        self._problem.set_text("")
        self.retranslate()

    def wait(self) -> None:
        self.clear()
        self._is_waiting = True
        self.retranslate()

    def show_step(self, step: TestStep, problem: str) -> None:
        self._steps[step.what] = step
        if problem:
            self._problem.set_text(problem)
        self.retranslate()

    def show_problem(self, problem: str) -> None:
        self._problem.set_text(problem)

    def end(self) -> None:
        self._is_waiting = False
        self.retranslate()

    def retranslate(self) -> None:
        names = {
            Probe.MODELS: self.tr("Lists its models"),
            Probe.ANSWER: self.tr("Answers"),
            Probe.STRUCTURED_OUTPUT: self.tr("Structured output"),
            Probe.COUNT_TOKENS: self.tr("Token counting"),
            Probe.CITATIONS: self.tr("Native citations"),
            Probe.TOOLS: self.tr("Tool use"),
            Probe.CACHING: self.tr("Prompt caching"),
        }
        self._lines.setText(
            "\n".join(
                f"{'✓' if step.ok else '–'}  {names[what]}" for what, step in self._steps.items()
            )
        )
        self._lines.setVisible(bool(self._steps))
        self._after.setText(self._last_words())
        self._after.setVisible(bool(self._after.text()))

    def _last_words(self) -> str:
        if self._is_waiting:
            return self.tr("Testing…")
        answers = self._steps.get(Probe.ANSWER)
        if answers is None or not answers.ok:
            return ""
        if all(step.ok for step in self._steps.values()):
            return self.tr("Everything Bellek needs works.")
        return self.tr("Good enough. Bellek makes up for what's missing.")


class EndpointTester(QObject):
    found = Signal(object)  # Capabilities
    running_changed = Signal(bool)

    def __init__(self, services: ModelServices, shown: CapabilityList, parent: QObject) -> None:
        super().__init__(parent)
        self._services = services
        self._shown = shown
        self._tasks = DialogTasks(services.bridge, self)
        self._run = 0

    def run(self, endpoint: Endpoint, model: str) -> None:
        run = self._begin()
        self._shown.wait()
        self.running_changed.emit(True)

        def show_soon(step: TestStep) -> None:  # on the test's worker
            # A step takes the same way to the window as every other result.
            self._tasks.run(lambda: step, lambda step: self._show(run, step))

        self._tasks.run(
            lambda: self._services.models.test(endpoint, model, show_soon),
            lambda report: self._end(run, report),
            lambda error: self._fail(run, error),
            lambda: self._settle(run),
        )

    def forget(self) -> None:
        """Ignore further results of a running test."""
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
        words = self._services.texts().error(step.error) if step.error and is_needed else ""
        self._shown.show_step(step, words)

    def _end(self, run: int, report: TestReport) -> None:
        if run == self._run:
            for step in report.steps:
                self._show(run, step)
            if report.works:
                self.found.emit(report.endpoint.capabilities)

    def _fail(self, run: int, error: AppError) -> None:
        if run == self._run:
            self._shown.show_problem(self._services.texts().error(error))

    def _settle(self, run: int) -> None:
        if run == self._run:
            self._shown.end()
            self.running_changed.emit(False)


class EndpointPage(Page):
    left = Signal()

    def __init__(
        self, changes: SettingsController, services: ModelServices, parent: QWidget | None = None
    ) -> None:
        super().__init__(self.retranslate, parent)
        self._changes = changes
        self._services = services
        self._endpoint: Endpoint | None = None
        self._build()
        self._connect()
        self.retranslate()

    def _build(self) -> None:
        self._back = BackButton()
        self._name_label, self._name = Label(), QLineEdit()
        self._address_label, self._address = Label(), QLineEdit()
        self._address_problem = ProblemLabel()
        self._file_label, self._file, self._browse = Label(), QLineEdit(), Button()
        self._file.setReadOnly(True)
        self._key_label, self._key, self._key_hint = Label(), KeyField(self._services), HintLabel()
        self._model_label, self._model = Label(), ModelField(self._services)
        self._model_hint, self._model_problem = HintLabel(), ProblemLabel()
        self._test, self._abilities = Button(), CapabilityList()
        self._tester = EndpointTester(self._services, self._abilities, self)
        self._remove = DangerButton()
        self._file_row = QWidget()
        self._file_row.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        files = QHBoxLayout(self._file_row)
        files.setContentsMargins(0, 0, 0, 0)
        files.setSpacing(Space.SMALL)
        files.addWidget(self._file, 1)
        files.addWidget(self._browse)
        self._file_row.setFocusProxy(self._browse)
        self._lay_out()

    def _lay_out(self) -> None:
        form = FormGrid()
        form.add_row(self._name_label, self._name)
        form.add_row(self._address_label, self._address, self._address_problem)
        form.add_row(self._file_label, self._file_row)
        self._key.add_first_hint(self._key_hint)
        form.add_row(self._key_label, self._key)
        form.add_row(self._model_label, self._model, self._model_hint, self._model_problem)
        form.add_gap()
        form.add_field(self._test, self._abilities)
        self.column.insertWidget(0, self._back, 0, Qt.AlignmentFlag.AlignLeft)
        self.column.addWidget(form)
        self.column.addStretch()
        self.column.addWidget(self._remove, 0, Qt.AlignmentFlag.AlignLeft)

    def _connect(self) -> None:
        self._back.clicked.connect(self.left)
        self._name.editingFinished.connect(self._rename)
        self._address.editingFinished.connect(self._move)
        self._browse.clicked.connect(self._choose_file)
        self._key.key_changed.connect(lambda: self._model_problem.set_text(""))
        self._model.chosen.connect(self._choose_model)
        self._model.list_failed.connect(self._model_problem.set_text)
        self._test.clicked.connect(self._run_test)
        self._tester.found.connect(self._keep_capabilities)
        self._tester.running_changed.connect(self._test.setDisabled)
        self._remove.clicked.connect(self._remove_endpoint)

    def retranslate(self) -> None:
        self._back.set_page(self.tr("Models"))
        self._name_label.setText(self.tr("&Name"))
        self._address_label.setText(self.tr("&Address"))
        self._file_label.setText(self.tr("Model &file"))
        self._file.setAccessibleName(self.tr("Model file"))
        self._browse.setText(self.tr("&Choose…"))
        self._key_label.setText(self.tr("&Key"))
        self._key_hint.setText(self.tr("Leave it empty if the server needs no key."))
        self._model_label.setText(self.tr("&Model"))
        self._model.setAccessibleName(self._model_label.text().replace("&", ""))
        self._model.name_line_edit()
        self._model_hint.setText(self.tr("Open the list to load available models."))
        self._test.setText(self.tr("&Test"))
        self._test.setAccessibleDescription(self.tr("Sends a few short requests"))
        self._remove.setText(self.tr("&Remove this connection"))
        self.title.setText(self._endpoint.name if self._endpoint else "")

    def show_endpoint(self, endpoint: Endpoint) -> None:
        self._endpoint = endpoint
        self.title.setText(endpoint.name)
        self._name.setText(endpoint.name)
        self._address.setText(endpoint.base_url or "")
        self._file.setText(endpoint.gguf_path or "")
        self._address_problem.set_text("")
        self._model_problem.set_text("")
        self._tester.forget()
        self._show_what_applies(endpoint.kind)
        self._key.show_endpoint(endpoint.id)
        self._model.show_model(endpoint, self._model_of(endpoint))
        self.ensureVisible(0, 0)

    def _show_what_applies(self, kind: EndpointKind) -> None:
        parts = (
            (kind is EndpointKind.SERVER, (self._address_label, self._address)),
            (kind is EndpointKind.GGUF, (self._file_label, self._file_row)),
            (kind is not EndpointKind.GGUF, (self._key_label, self._key)),
            (kind is EndpointKind.SERVER, (self._key_hint,)),
            (kind is not EndpointKind.GGUF, (self._model_label, self._model_hint)),
        )
        for applies, widgets in parts:
            for widget in widgets:
                widget.setVisible(applies)

    def _model_of(self, endpoint: Endpoint) -> str:
        choices = self._changes.settings.roles
        used = (choices.get(role) for role in ModelRole)
        return next((each.model for each in used if each and each.endpoint_id == endpoint.id), "")

    def _keep(self, endpoint: Endpoint) -> None:
        self._endpoint = endpoint
        self.title.setText(endpoint.name)
        self._changes.apply(with_endpoint(self._changes.settings, endpoint))

    def _keep_capabilities(self, capabilities: Capabilities) -> None:
        if self._endpoint:
            self._keep(replace(self._endpoint, capabilities=capabilities))

    def _rename(self) -> None:
        name = self._name.text().strip()
        if self._endpoint and name and name != self._endpoint.name:
            self._keep(replace(self._endpoint, name=name))

    def _move(self) -> None:
        if self._endpoint is None or self._endpoint.kind is not EndpointKind.SERVER:
            return
        try:
            base_url = clean_base_url(self._address.text())
        except ValueError:
            self._address_problem.set_text(
                self.tr(
                    "Enter an address starting with http:// or https://, such as {example}."
                ).format(example="http://127.0.0.1:11434")
            )
            return
        self._address_problem.set_text("")
        self._address.setText(base_url)
        if base_url != self._endpoint.base_url:
            # What another server could do says nothing about this one.
            self._keep(replace(self._endpoint, base_url=base_url, capabilities=NO_CAPABILITIES))
            self._tester.forget()
            self._model.show_model(self._endpoint, self._model.chosen_model)

    def _choose_file(self) -> None:
        dialog = ModelFileDialog(self)
        dialog.fileSelected.connect(self._use_file)
        dialog.open()

    def _use_file(self, path: str) -> None:
        if self._endpoint:
            self._file.setText(path)
            self._keep(replace(self._endpoint, gguf_path=path, capabilities=NO_CAPABILITIES))

    def _choose_model(self, model: str) -> None:
        """The first chosen model answers; a later one only if this endpoint already answers."""
        if self._endpoint is None:
            return
        answering = self._changes.settings.roles.get(ModelRole.ANSWERING)
        if answering is None or answering.endpoint_id == self._endpoint.id:
            choice = ModelChoice(self._endpoint.id, model)
            self._changes.apply(with_choice(self._changes.settings, ModelRole.ANSWERING, choice))

    def _run_test(self) -> None:
        self._key.keep(self._run_test_with_key)

    def _run_test_with_key(self) -> None:
        if self._endpoint:
            self._tester.run(self._endpoint, self._chosen_model())

    def _chosen_model(self) -> str:
        if self._endpoint and self._endpoint.gguf_path:
            return Path(self._endpoint.gguf_path).stem
        return self._model.chosen_model

    def _remove_endpoint(self) -> None:
        if self._endpoint is None:
            return
        endpoint_id = self._endpoint.id
        self._endpoint = None
        self._services.bridge.run(lambda: self._services.keys.delete(endpoint_id))
        self._changes.apply(without_endpoint(self._changes.settings, endpoint_id))
        self.left.emit()
