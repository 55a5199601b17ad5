"""Settings, Models: the connections, and which model has which role."""

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QSignalBlocker, QSize, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QBoxLayout,
    QDoubleSpinBox,
    QFrame,
    QHBoxLayout,
    QMenu,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from desktop.domain.endpoints import (
    USUAL_PARAMETERS,
    Endpoint,
    EndpointId,
    EndpointKind,
    ModelChoice,
    ModelRole,
    RoleParameters,
)
from desktop.llm.endpoints import PRESETS, gguf_endpoint
from desktop.settings.environment import MODEL_NOT_CHOSEN
from desktop.settings.settings import Settings
from desktop.settings.settings_schema import ANSWER_TOKENS, TEMPERATURE
from desktop.ui.dialogs.endpoint_setup import (
    OTHER_SERVER,
    ModelServices,
    endpoint_address,
    with_choice,
    with_endpoint,
    with_free_id,
    with_parameters,
)
from desktop.ui.dialogs.files import ModelFileDialog
from desktop.ui.dialogs.form import FormGrid
from desktop.ui.dialogs.settings.endpoint_fields import ModelField
from desktop.ui.dialogs.settings.setting_rows import SettingsPage
from desktop.ui.dialogs.settings.settings_controller import SettingsController
from desktop.ui.i18n import TranslatedWidget
from desktop.ui.theme.tokens import Space
from desktop.ui.widgets.buttons import Button
from desktop.ui.widgets.fields import ComboBox, NumberField
from desktop.ui.widgets.labels import BodyLabel, HintLabel, ProblemLabel, SectionLabel
from desktop.ui.widgets.plain_text import Label

_STEP_TOKENS = 500
_STEP = 0.1


class RoleParametersRow(TranslatedWidget, QWidget):
    """The least value of each field means the default."""

    def __init__(self, role: ModelRole, changes: SettingsController) -> None:
        super().__init__()
        self._role = role
        self._changes = changes
        self._build()
        self._connect()
        self.retranslate()

    def _build(self) -> None:
        self._longest = NumberField(range(0, ANSWER_TOKENS.stop, _STEP_TOKENS))
        self._temperature = QDoubleSpinBox()
        least, most = TEMPERATURE
        self._temperature.setRange(least - _STEP, most)
        self._temperature.setSingleStep(_STEP)
        self._temperature.setDecimals(1)
        self._temperature.setKeyboardTracking(False)
        # WORKAROUND Qt 6.11: a stylesheet's padding does not reach the left of the number.
        self._temperature.lineEdit().setTextMargins(Space.SMALL, 0, 0, 0)
        self._line = line = QHBoxLayout(self)
        line.setContentsMargins(0, 0, 0, 0)
        line.setSpacing(Space.SMALL)
        line.addWidget(self._longest, 1)
        line.addWidget(self._temperature, 1)

    def _connect(self) -> None:
        self._changes.changed.connect(self._show)
        self._longest.valueChanged.connect(lambda _: self._apply_parameters())
        self._temperature.valueChanged.connect(lambda _: self._apply_parameters())

    def minimumSizeHint(self) -> QSize:
        """The fields are stacked if there is no room for both in a line."""
        return QSize(max(self._widths()), super().minimumSizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        beside = sum(self._widths()) + self._line.spacing()
        way = QBoxLayout.Direction
        self._line.setDirection(
            way.LeftToRight if beside <= event.size().width() else way.TopToBottom
        )

    def _widths(self) -> tuple[int, int]:
        return (
            self._longest.minimumSizeHint().width(),
            # Which does not count the margin above.
            self._temperature.minimumSizeHint().width() + Space.SMALL,
        )

    def retranslate(self) -> None:
        self._longest.setAccessibleName(self.tr("Longest answer"))
        self._longest.setSpecialValueText(self.tr("Default length"))
        self._longest.set_format(self.tr("At most {number} tokens"))
        self._temperature.setAccessibleName(self.tr("Temperature"))
        self._temperature.setSpecialValueText(self.tr("Default temperature"))
        before, _, rest = self.tr("Temperature {number}").partition("{number}")
        self._temperature.setPrefix(before)
        self._temperature.setSuffix(rest)
        self._show(self._changes.settings)

    def _show(self, settings: Settings) -> None:
        parameters = settings.parameters.get(self._role, USUAL_PARAMETERS)
        self._longest.show_number(parameters.most_output_tokens or 0)
        chosen = parameters.temperature
        with QSignalBlocker(self._temperature):
            least = self._temperature.minimum()
            self._temperature.setValue(least if chosen is None else chosen)
        self._temperature.setEnabled(_takes_temperature(settings, self._role))

    def _apply_parameters(self) -> None:
        tokens, temperature = self._longest.value(), self._temperature.value()
        parameters = RoleParameters(
            max(tokens, ANSWER_TOKENS.start) if tokens else None,
            round(temperature, 1) if temperature >= TEMPERATURE[0] else None,
        )
        self._changes.apply(with_parameters(self._changes.settings, self._role, parameters))


def _takes_temperature(settings: Settings, role: ModelRole) -> bool:
    choice = settings.roles.get(role) or settings.roles.get(ModelRole.ANSWERING)
    kinds = {one.id: one.kind for one in settings.endpoints}
    kind = kinds.get(choice.endpoint_id) if choice else None
    return kind is not None and kind is not EndpointKind.ANTHROPIC


class RolesForm(TranslatedWidget, QWidget):
    def __init__(
        self, changes: SettingsController, services: ModelServices, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._changes = changes
        self._rows = {role: _RoleRow(role, changes, services) for role in ModelRole}
        self._labels = {role: Label() for role in ModelRole}
        self._hints = {role: HintLabel() for role in ModelRole}
        self._parameters = {role: RoleParametersRow(role, changes) for role in ModelRole}
        self._parameters_hint = HintLabel()
        form = FormGrid()
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


class _RoleRow(TranslatedWidget, QWidget):
    def __init__(
        self, role: ModelRole, changes: SettingsController, services: ModelServices
    ) -> None:
        super().__init__()
        self._role = role
        self._changes = changes
        self._endpoints: Sequence[Endpoint] = ()
        self._build(services)
        self._connect()
        self.retranslate()

    def _build(self, services: ModelServices) -> None:
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self._where, self._model, self._problem = ComboBox(), ModelField(services), ProblemLabel()
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
        self._changes.apply(with_choice(self._changes.settings, self._role, choice))


class ModelsPage(SettingsPage):
    endpoint_asked = Signal(object)  # Endpoint

    def __init__(
        self, changes: SettingsController, services: ModelServices, parent: QWidget | None = None
    ) -> None:
        super().__init__(changes, parent)
        self._shown: tuple[Endpoint, ...] | None = None
        self._services = services
        self._begin()

    def _build(self) -> None:
        self._connections, self._none = SectionLabel(), HintLabel()
        self._rows = QVBoxLayout()
        self._rows.setSpacing(0)
        self._add, self._menu = Button(), QMenu(self)
        self._add.setMenu(self._menu)
        for preset in PRESETS:
            self._menu.addAction(preset.name).triggered.connect(
                lambda _=False, preset=preset: self._add_endpoint(preset.endpoint())
            )
        self._other = self._menu.addAction("")
        self._menu.addSeparator()
        self._file = self._menu.addAction("")
        self._roles_title, self._roles = SectionLabel(), RolesForm(self._changes, self._services)
        self._in_force, self._environment = self._services.in_force, HintLabel()
        for widget in (self._connections, self._none):
            self.column.addWidget(widget)
        self.column.addLayout(self._rows)
        self.column.addWidget(self._add, 0, Qt.AlignmentFlag.AlignLeft)
        self.column.addSpacing(Space.SMALL)
        self.column.addWidget(self._roles_title)
        self.column.addWidget(self._environment)
        self.column.addWidget(self._roles)
        self.column.addStretch()

    def _connect(self) -> None:
        self._other.triggered.connect(lambda: self._add_endpoint(OTHER_SERVER.endpoint()))
        self._file.triggered.connect(self._choose_file)

    def retranslate(self) -> None:
        self.title.setText(self.tr("Models"))
        self._connections.setText(self.tr("Connections"))
        self._none.setText(
            self.tr(
                "None yet. Until you connect a model, Bellek answers with passages from "
                "your past sessions."
            )
        )
        self._add.setText(self.tr("Add a &connection"))
        self._roles_title.setText(self.tr("Which model does what"))
        self._other.setText(self.tr("A server at another address"))
        self._file.setText(self.tr("A model file (GGUF)…"))
        self._show_environment(self._changes.settings)

    def _show_environment(self, settings: Settings) -> None:
        """Say so where the environment overrides the choices of this page."""
        in_force = self._in_force(settings)
        choice = in_force.roles.get(ModelRole.ANSWERING)
        names = [
            each.name for each in in_force.endpoints if choice and each.id == choice.endpoint_id
        ]
        is_overruled = in_force.roles != settings.roles and bool(names)
        self._environment.setVisible(is_overruled)
        self._none.setVisible(not settings.endpoints and not is_overruled)
        self._environment.setText(
            self.tr(
                "{name} currently answers, because ANTHROPIC_API_KEY, ANTHROPIC_BASE_URL "
                "or BELLEK_MODEL is set in the environment."
            ).format(name=names[0] if names else "")
        )

    def _show(self, settings: Settings) -> None:
        self._show_environment(settings)
        self._roles_title.setVisible(bool(settings.endpoints))
        self._roles.setVisible(bool(settings.endpoints))
        if settings.endpoints == self._shown:
            return
        self._shown = settings.endpoints
        while item := self._rows.takeAt(0):
            if widget := item.widget():
                widget.deleteLater()
        for endpoint in settings.endpoints:
            row = _ConnectionRow(endpoint)
            row.edit_asked.connect(self.endpoint_asked)
            self._rows.addWidget(row)

    def _choose_file(self) -> None:
        dialog = ModelFileDialog(self)
        dialog.fileSelected.connect(lambda path: self._add_endpoint(gguf_endpoint(Path(path))))
        dialog.open()

    def _add_endpoint(self, endpoint: Endpoint) -> None:
        own = with_free_id(endpoint, self._changes.settings.endpoints)
        self._changes.apply(with_endpoint(self._changes.settings, own))
        self.endpoint_asked.emit(own)


class _ConnectionRow(TranslatedWidget, QFrame):
    """A connection with its address and an Edit button."""

    edit_asked = Signal(object)  # Endpoint

    def __init__(self, endpoint: Endpoint, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._endpoint = endpoint
        name, self._place = BodyLabel(), HintLabel()
        name.setText(endpoint.name)
        self._edit = Button()
        self._edit.clicked.connect(lambda: self.edit_asked.emit(self._endpoint))
        words = QVBoxLayout()
        words.setSpacing(0)
        words.addWidget(name)
        words.addWidget(self._place)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, Space.SMALL, 0, Space.SMALL)
        row.addLayout(words, 1)
        row.addWidget(self._edit)
        self.retranslate()

    def retranslate(self) -> None:
        self._place.setText(endpoint_address(self._endpoint))
        self._edit.setText(self.tr("Edit"))
        self._edit.setAccessibleName(
            self.tr("Edit {connection}").format(connection=self._endpoint.name)
        )
