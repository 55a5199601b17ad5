"""Settings, Models, one connection: its name, address, key and model, and a test."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import ParamSpec

from PySide6.QtCore import Qt, QUrl, Signal
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QLineEdit, QSizePolicy, QWidget

from desktop.domain.endpoints import (
    NO_CAPABILITIES,
    WITH_ADDRESS,
    Capabilities,
    Endpoint,
    EndpointKind,
    ModelChoice,
    ModelRole,
    clean_base_url,
    usually_at_once,
)
from desktop.domain.errors import AppError
from desktop.llm.capability_test import Probe, TestReport, TestStep
from desktop.llm.endpoints import key_page
from desktop.llm.model_registry import with_choice, with_endpoint, without_endpoint
from desktop.settings.settings_schema import AT_ONCE
from desktop.ui.dialogs.files import ModelFileDialog
from desktop.ui.dialogs.form import BackButton, FormGrid, Page
from desktop.ui.services import ModelServices
from desktop.ui.settings.endpoint_fields import KeyField, ModelField
from desktop.ui.settings_controller import SettingsController
from desktop.ui.theme.tokens import Space
from desktop.ui.widgets.buttons import Button, DangerButton
from desktop.ui.widgets.fields import EnumComboBox, NumberField
from desktop.ui.widgets.layouts import column, growing, row, widget_with
from desktop.ui.widgets.plain_text import BodyLabel, HintLabel, Label, ProblemLabel, set_tip

P = ParamSpec("P")


class CapabilityTest(QWidget):
    """Tests what an endpoint can do: a line with a tick or a dash for each capability."""

    capabilities_found = Signal(object)  # Capabilities
    running_changed = Signal(bool)

    def __init__(self, services: ModelServices) -> None:
        super().__init__()
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self._services = services
        self._bridge = services.bridge
        self._run = 0  # number of the last run; results of earlier runs are ignored
        self._steps: dict[Probe, TestStep] = {}
        self.lines, self.after, self.problem = BodyLabel(), HintLabel(), ProblemLabel()
        self.setLayout(column(self.lines, self.after, self.problem, spacing=Space.TIGHT))
        self.forget()

    def run(self, endpoint: Endpoint, model: str) -> None:
        self.forget()
        run = self._run

        def current(listener: Callable[P, None]) -> Callable[P, None]:
            def call(*args: P.args, **kwargs: P.kwargs) -> None:
                if run == self._run:
                    listener(*args, **kwargs)

            return call

        def show_soon(step: TestStep) -> None:  # on the test's worker
            # Deliver a step in the same way as every other result.
            self._bridge.run(lambda: step, current(self._show_step))

        self.after.setText(self.tr("Testing…"))
        self.after.show()
        self.running_changed.emit(True)
        self._bridge.run(
            lambda: self._services.models.test(endpoint, model, show_soon),
            current(self._end),
            current(self._fail),
            current(self._settle),
        )

    def forget(self) -> None:
        """Ignore further results of a running test."""
        self._run += 1
        self._steps = {}
        self.problem.set_text("")
        for label in (self.lines, self.after):
            label.hide()
        self.running_changed.emit(False)

    def _show_step(self, step: TestStep) -> None:
        names = {
            Probe.MODELS: self.tr("Model list"),
            Probe.ANSWER: self.tr("Answering"),
            Probe.STRUCTURED_OUTPUT: self.tr("Structured output"),
            Probe.COUNT_TOKENS: self.tr("Token counting"),
            Probe.CITATIONS: self.tr("Native citations"),
            Probe.TOOLS: self.tr("Tool use"),
            Probe.IMAGES: self.tr("Pictures"),
            Probe.CACHING: self.tr("Prompt caching"),
        }
        self._steps[step.what] = step
        lines = (f"{'✓' if step.ok else '✗'}  {names[what]}" for what, step in self._steps.items())
        self.lines.setText("\n".join(lines))
        self.lines.show()
        # Show the error only if the endpoint is useless without this capability.
        if step.error and step.what in (Probe.ANSWER, Probe.MODELS):
            self._fail(step.error)

    def _end(self, report: TestReport) -> None:
        for step in report.steps:
            self._show_step(step)
        if report.works:
            self.capabilities_found.emit(report.endpoint.capabilities)

    def _fail(self, error: AppError) -> None:
        self.problem.set_text(self._services.texts().error(error))

    def _settle(self) -> None:
        answers = self._steps.get(Probe.ANSWER)
        self.after.setVisible(answers is not None and answers.ok)
        self.after.setText(
            self.tr("All features Bellek uses are supported.")
            if all(step.ok for step in self._steps.values())
            else self.tr("The connection works. Bellek handles what the model doesn’t support.")
        )
        self.running_changed.emit(False)


class EndpointPage(Page):
    left = Signal()

    def __init__(
        self, changes: SettingsController, services: ModelServices, endpoint: Endpoint
    ) -> None:
        super().__init__(endpoint.name)
        self._changes = changes
        self._services = services
        self._endpoint = endpoint
        self._form = FormGrid()
        self._name = QLineEdit(endpoint.name)
        self._name.editingFinished.connect(self._rename)
        self._model, self._model_problem = ModelField(services), ProblemLabel()
        self._key = KeyField(services, endpoint)
        self._test = Button(text=self.tr("&Test"), press=lambda: self._key.keep(self._run_test))
        self._test.setAccessibleDescription(self.tr("Sends a few short requests"))
        self._capabilities = CapabilityTest(services)
        self._capabilities.capabilities_found.connect(self._keep_capabilities)
        self._capabilities.running_changed.connect(self._test.setDisabled)
        self._remove = DangerButton(
            text=self.tr("&Remove this connection"), press=self._remove_endpoint
        )
        back = BackButton(self.tr("Models"))
        back.clicked.connect(self.left)
        self._add_rows()
        self.column.insertWidget(0, back, 0, Qt.AlignmentFlag.AlignLeft)
        self.column.addWidget(self._form)
        self.column.addStretch()
        self.column.addWidget(self._remove, 0, Qt.AlignmentFlag.AlignLeft)

    def _add_rows(self) -> None:
        self._form.add_row(Label(self.tr("&Name")), self._name)
        match self._endpoint.kind:
            case EndpointKind.GGUF:
                self._add_file()
            case EndpointKind.SERVER | EndpointKind.CHAT:
                self._add_address()
                self._add_key_and_model()
                self._add_at_once()
            case EndpointKind.ANTHROPIC:
                self._add_key_and_model()
                self._add_at_once()
        self._form.add_gap()
        self._form.add_field(self._test, self._capabilities)

    def _add_address(self) -> None:
        self._address, self._address_problem = QLineEdit(), ProblemLabel()
        self._address.setText(self._endpoint.base_url or "")
        self._address.editingFinished.connect(self._move)
        self._address_problem.follow(self._address)
        self._form.add_row(Label(self.tr("&Address")), self._address, self._address_problem)
        names = (self.tr("Messages (Anthropic)"), self.tr("Chat completions (OpenAI)"))
        self._protocol = EnumComboBox(WITH_ADDRESS, names=names)
        self._protocol.show_value(self._endpoint.kind)
        self._protocol.chosen.connect(self._speak)
        self._form.add_row(Label(self.tr("&Protocol")), self._protocol)

    def _add_file(self) -> None:
        self._file = QLineEdit(self._endpoint.gguf_path or "")
        self._file.setReadOnly(True)
        self._file.setAccessibleName(self.tr("Model file"))
        browse = Button(text=self.tr("&Choose…"), press=self._choose_file)
        line = widget_with(row(growing(self._file), browse))
        line.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        line.setFocusProxy(browse)
        self._form.add_row(Label(self.tr("Model &file")), line)

    def _add_key_and_model(self) -> None:
        used = (self._changes.settings.roles.get(role) for role in ModelRole)
        mine = (
            choice.model for choice in used if choice and choice.endpoint_id == self._endpoint.id
        )
        self._model.show_model(self._endpoint, next(mine, ""))
        self._model.chosen.connect(self._choose_model)
        self._model.list_failed.connect(self._model_problem.set_text)
        for problem in (self._model_problem, self._capabilities.problem):
            self._key.key_changed.connect(problem.dismiss)
        self._model_problem.follow(self._model.line)
        self._form.add_row(Label(self.tr("&Key")), self._key)
        if page := key_page(self._endpoint):
            get = Button(
                "quiet",
                text=self.tr("&Get a key…"),
                press=lambda: QDesktopServices.openUrl(QUrl(page)),
            )
            set_tip(get, page)
            self._form.add_field(get)
        hint = HintLabel(self.tr("Open the list to load the available models."))
        self._form.add_row(Label(self.tr("&Model")), self._model, hint, self._model_problem)

    def _add_at_once(self) -> None:
        field = self._at_once = NumberField(AT_ONCE, special=self._usual(), is_optional=True)
        field.show_value(self._endpoint.at_once)
        field.chosen.connect(self._keep_at_once)
        hint = HintLabel(
            self.tr(
                "Answers of several sessions, two answers side by side and research share them; "
                "the others wait in line. A server on this computer may have to be set to more "
                "than one, too."
            )
        )
        self._form.add_row(Label(self.tr("Requests at &once")), field, hint)

    def _usual(self) -> str:
        number = usually_at_once(self._endpoint)
        return self.tr("Automatic: {number}").format(number=number)

    def _keep_at_once(self, number: int | None) -> None:
        self._keep(replace(self._endpoint, at_once=number))

    def _keep(self, endpoint: Endpoint) -> None:
        self._endpoint = endpoint
        self.set_title(endpoint.name)
        self._changes.apply(with_endpoint(self._changes.settings, endpoint))

    def _keep_capabilities(self, capabilities: Capabilities) -> None:
        self._keep(replace(self._endpoint, capabilities=capabilities))

    def _rename(self) -> None:
        name = self._name.text().strip()
        if name and name != self._endpoint.name:
            self._keep(replace(self._endpoint, name=name))

    def _move(self) -> None:
        try:
            base_url = clean_base_url(self._address.text(), self._endpoint.kind)
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
            self._go_to(replace(self._endpoint, base_url=base_url))

    def _speak(self, kind: EndpointKind) -> None:
        base_url = clean_base_url(self._endpoint.base_url or "", kind)
        self._address.setText(base_url)
        self._go_to(replace(self._endpoint, kind=kind, base_url=base_url))

    def _go_to(self, endpoint: Endpoint) -> None:
        # The capabilities of another server do not apply to this one.
        self._keep(replace(endpoint, capabilities=NO_CAPABILITIES))
        self._at_once.setSpecialValueText(self._usual())
        self._capabilities.forget()
        self._model.show_model(self._endpoint, self._model.chosen_model)

    def _choose_file(self) -> None:
        def use(path: Path) -> None:
            self._file.setText(str(path))
            self._keep(replace(self._endpoint, gguf_path=str(path), capabilities=NO_CAPABILITIES))

        ModelFileDialog(self).ask_for_file(use)

    def _choose_model(self, model: str) -> None:
        """The first chosen model answers; a later one only if this endpoint already answers."""
        answering = self._changes.settings.roles.get(ModelRole.ANSWERING)
        if answering is None or answering.endpoint_id == self._endpoint.id:
            choice = ModelChoice(self._endpoint.id, model)
            self._changes.apply(with_choice(self._changes.settings, ModelRole.ANSWERING, choice))

    def _run_test(self) -> None:
        path = self._endpoint.gguf_path
        self._capabilities.run(
            self._endpoint, Path(path).stem if path else self._model.chosen_model
        )

    def _remove_endpoint(self) -> None:
        endpoint_id = self._endpoint.id
        self._services.bridge.run(lambda: self._services.keys.delete(endpoint_id))
        self._changes.apply(without_endpoint(self._changes.settings, endpoint_id))
        self.left.emit()
