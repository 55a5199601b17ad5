"""Who answers, quickly or deeply, and who summarises: an endpoint and a model for each."""

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QSignalBlocker
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from desktop.domain.endpoints import (
    Endpoint,
    EndpointId,
    EndpointKind,
    ModelChoice,
    ModelRole,
)
from desktop.settings.environment import MODEL_NOT_CHOSEN
from desktop.settings.settings import Settings
from desktop.ui.dialogs.form import Form
from desktop.ui.dialogs.model_services import ModelDesk
from desktop.ui.dialogs.settings.model_field import ModelField
from desktop.ui.dialogs.settings.parameters_row import ParametersRow
from desktop.ui.dialogs.settings.settings_controller import SettingsChanges, with_choice
from desktop.ui.theme.tokens import Space
from desktop.ui.widgets.fields import ComboBox
from desktop.ui.widgets.labels import HintLabel, ProblemLabel
from desktop.ui.widgets.plain_text import Label


class RolesForm(QWidget):
    def __init__(
        self, changes: SettingsChanges, desk: ModelDesk, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._changes = changes
        self._rows = {role: _RoleRow(role, changes, desk) for role in ModelRole}
        self._labels = {role: Label() for role in ModelRole}
        self._hints = {role: HintLabel() for role in ModelRole}
        self._parameters = {role: ParametersRow(role, changes) for role in ModelRole}
        self._parameters_hint = HintLabel()
        form = Form()
        for role, row in self._rows.items():
            parameters = self._parameters[role]
            form.add_row(self._labels[role], row, self._hints[role], parameters)
            form.add_gap()
        form.add_below(self._parameters_hint)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(form)
        self.retranslate()

    def retranslate(self) -> None:
        self._labels[ModelRole.ANSWERING].setText(self.tr("&Answering"))
        self._labels[ModelRole.QUICK].setText(self.tr("&Quick work"))
        self._labels[ModelRole.DEEP].setText(self.tr("&Deep research"))
        self._labels[ModelRole.SUMMARISING].setText(self.tr("&Summarising"))
        self._hints[ModelRole.ANSWERING].setText(self.tr("Writes the answers."))
        self._hints[ModelRole.QUICK].setText(
            self.tr("Small steps while answering; a small, fast model is enough.")
        )
        self._hints[ModelRole.DEEP].setText(
            self.tr("Plans deep answers, reads their sources and writes them.")
        )
        self._hints[ModelRole.SUMMARISING].setText(
            self.tr("Titles, summaries, topics, and summaries of long sessions.")
        )

        self._parameters_hint.setText(
            self.tr(
                "A limit that is too low cuts answers off. The temperature is sent only "
                "to your own servers; Anthropic’s models set it themselves."
            )
        )

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange:
            self.retranslate()
        super().changeEvent(event)


class _RoleRow(QWidget):
    def __init__(self, role: ModelRole, changes: SettingsChanges, desk: ModelDesk) -> None:
        super().__init__()
        self._role = role
        self._changes = changes
        self._endpoints: Sequence[Endpoint] = ()
        self._build(desk)
        self._connect()
        self.retranslate()

    def _build(self, desk: ModelDesk) -> None:
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self._where, self._model, self._problem = ComboBox(), ModelField(desk), ProblemLabel()
        self._where.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setFocusProxy(self._where)
        line = QHBoxLayout()
        line.setSpacing(Space.SMALL)
        line.addWidget(self._where, 1)
        line.addWidget(self._model, 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(Space.TIGHT)
        column.addLayout(line)
        column.addWidget(self._problem)

    def _connect(self) -> None:
        self._changes.changed.connect(self._show)
        self._where.activated.connect(self._choose_endpoint)
        self._model.chosen.connect(self._choose_model)
        self._model.list_failed.connect(self._problem.set_text)

    def retranslate(self) -> None:
        self._where.setAccessibleName(self.tr("Connection"))
        self._model.setAccessibleName(self.tr("Model"))
        self._model.name_line_edit()
        self._model.setPlaceholderText(self.tr("Any model"))
        self._show(self._changes.settings)

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange:
            self.retranslate()
        super().changeEvent(event)

    def _show(self, settings: Settings) -> None:
        choice = settings.roles.get(self._role)
        with QSignalBlocker(self._where):
            self._endpoints = settings.endpoints
            self._where.clear()
            self._where.addItem(
                self.tr("No model")
                if self._role is ModelRole.ANSWERING
                else self.tr("Same as answering")
            )
            self._where.addItems([endpoint.name for endpoint in settings.endpoints])
            ids = [endpoint.id for endpoint in settings.endpoints]
            at = ids.index(choice.endpoint_id) if choice and choice.endpoint_id in ids else -1
            self._where.setCurrentIndex(at + 1)
        self._model.show_model(
            settings.endpoints[at] if at >= 0 else None, choice.model if choice else ""
        )

    def _choose_endpoint(self, index: int) -> None:
        self._problem.set_text("")
        if index == 0:
            self._choose(None)
            return
        endpoint = self._endpoints[index - 1]
        current = self._changes.settings.roles.get(self._role)
        if current is None or current.endpoint_id != endpoint.id:
            self._choose(ModelChoice(endpoint.id, MODEL_NOT_CHOSEN))
        if endpoint.kind is not EndpointKind.GGUF:
            # The user has just asked for this endpoint, so it may be asked for its models.
            self._model.load()

    def _choose_model(self, model: str) -> None:
        choice = self._changes.settings.roles.get(self._role)
        if choice is not None:
            self._choose(ModelChoice(EndpointId(choice.endpoint_id), model))

    def _choose(self, choice: ModelChoice | None) -> None:
        self._changes.put(with_choice(self._changes.settings, self._role, choice))
