"""Settings, Models: the connections, and which model has which role."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from PySide6.QtCore import QObject, QPoint, QSignalBlocker, Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QMenu, QSizePolicy, QWidget

from desktop.domain.endpoints import (
    USUAL_PARAMETERS,
    Endpoint,
    EndpointId,
    EndpointKind,
    ModelChoice,
    ModelRole,
    RoleParameters,
    is_on_this_computer,
)
from desktop.domain.search import EmbeddingProgress
from desktop.llm.endpoints import CLOUD_PRESETS, LOCAL_PRESETS, Preset, gguf_endpoint
from desktop.llm.model_registry import with_choice, with_endpoint, with_free_id
from desktop.settings.keys import MODEL_NOT_CHOSEN
from desktop.settings.settings import SETTINGS, Settings
from desktop.settings.settings_schema import ANSWER_TOKENS, TEMPERATURE, TOP_P
from desktop.ui.actions import plain
from desktop.ui.dialogs.files import ModelFileDialog
from desktop.ui.services import ModelServices
from desktop.ui.settings.endpoint_fields import ModelField, endpoint_address
from desktop.ui.settings.local_models import LocalModelsBox
from desktop.ui.settings.setting_rows import SettingsPage
from desktop.ui.settings_controller import PageId, SettingsController
from desktop.ui.theme.tokens import Space
from desktop.ui.widgets.buttons import Button
from desktop.ui.widgets.fields import ComboBox, EnumComboBox, NumberField
from desktop.ui.widgets.layouts import FlowLayout, clear_layout, column, growing, row, widget_with
from desktop.ui.widgets.plain_text import BodyLabel, HintLabel, Label, ProblemLabel, SectionLabel

_OTHER_SERVER = Preset("server", "localhost", EndpointKind.SERVER, "http://127.0.0.1:4000")
"""For an address that the user will type; LiteLLM's by default."""


class RoleFields(QWidget):
    """The endpoint and the model of a role."""

    def __init__(
        self, role: ModelRole, changes: SettingsController, services: ModelServices
    ) -> None:
        super().__init__()
        self._role = role
        self._changes = changes
        self._endpoints: Sequence[Endpoint] = ()
        self.where, self.model, self.problem = ComboBox(), ModelField(services), ProblemLabel()
        self.where.setAccessibleName(self.tr("Connection"))
        self.where.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        is_any = role is not ModelRole.EMBEDDING
        self.model.setPlaceholderText(self.tr("Any model") if is_any else self.tr("Which model?"))
        self.setLayout(column(row(growing(self.where), growing(self.model)), self.problem))
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self.setFocusProxy(self.where)
        self.where.activated.connect(self._choose_endpoint)
        self.model.chosen.connect(self._choose_model)
        self.model.list_failed.connect(self.problem.set_text)
        self.problem.follow(self.model.line)

    def show_settings(self, settings: Settings) -> None:
        choice = settings.roles.get(self._role)
        self._endpoints = settings.endpoints
        without = {
            ModelRole.ANSWERING: self.tr("No model"),
            ModelRole.CHECKING: self.tr("Same as for summaries"),
            ModelRole.EMBEDDING: self.tr("Bellek’s own model"),
        }
        none = without.get(self._role, self.tr("Same as for answers"))
        ids = [endpoint.id for endpoint in settings.endpoints]
        at = ids.index(choice.endpoint_id) if choice and choice.endpoint_id in ids else -1
        with QSignalBlocker(self.where):
            self.where.clear()
            self.where.addItems([none, *(endpoint.name for endpoint in settings.endpoints)])
            self.where.setCurrentIndex(at + 1)
        endpoint = settings.endpoints[at] if at >= 0 else None
        self.model.show_model(endpoint, choice.model if choice else "")

    def _choose_endpoint(self, index: int) -> None:
        self.problem.set_text("")
        if index == 0:
            self._choose(None)
            return
        endpoint = self._endpoints[index - 1]
        current = self._changes.settings.roles.get(self._role)
        if current is None or current.endpoint_id != endpoint.id:
            self._choose(ModelChoice(endpoint.id, MODEL_NOT_CHOSEN))
        if endpoint.kind is not EndpointKind.GGUF:
            # The user chose this endpoint just now, so it may be asked for its models.
            self.model.load()

    def _choose_model(self, model: str) -> None:
        choice = self._changes.settings.roles.get(self._role)
        if choice is not None:
            self._choose(ModelChoice(EndpointId(choice.endpoint_id), model))

    def _choose(self, choice: ModelChoice | None) -> None:
        self._changes.apply(with_choice(self._changes.settings, self._role, choice))


class ParameterFields(QObject):
    """The longest answer, the temperature and the top P of the role that is chosen beside them."""

    def __init__(
        self, names: Mapping[ModelRole, str], changes: SettingsController, parent: QObject
    ) -> None:
        super().__init__(parent)
        self._changes = changes
        self.role = EnumComboBox(tuple(names), names=tuple(names.values()))
        self.role.setAccessibleName(self.tr("Task"))
        self.longest = NumberField(
            ANSWER_TOKENS,
            self.tr("At most {number} tokens"),
            self.tr("Default length"),
            is_optional=True,
        )
        self.longest.setAccessibleName(self.tr("Longest answer"))
        self.temperature = NumberField(
            TEMPERATURE,
            self.tr("Temperature {number}"),
            self.tr("Default temperature"),
            is_optional=True,
        )
        self.temperature.setAccessibleName(self.tr("Temperature"))
        self.top_p = NumberField(
            TOP_P, self.tr("Top P {number}"), self.tr("Default top P"), is_optional=True
        )
        self.top_p.setAccessibleName(self.tr("Top P"))
        self.numbers = FlowLayout(fills=True)
        self.role.chosen.connect(lambda _: self.show_settings(changes.settings))
        for number in (self.longest, self.temperature, self.top_p):
            self.numbers.addWidget(number)
            number.chosen.connect(self._apply)

    @property
    def _role(self) -> ModelRole:
        return ModelRole(self.role.value)

    def show_settings(self, settings: Settings) -> None:
        parameters = settings.parameters.get(self._role, USUAL_PARAMETERS)
        self.longest.show_value(parameters.most_output_tokens)
        self.temperature.show_value(parameters.temperature)
        self.top_p.show_value(parameters.top_p)
        for field in (self.temperature, self.top_p):
            field.setEnabled(_takes_temperature(settings, self._role))

    def _apply(self) -> None:
        tokens = self.longest.number
        parameters = RoleParameters(
            None if tokens is None else int(tokens), self.temperature.number, self.top_p.number
        )
        self._changes.apply(_with_parameters(self._changes.settings, self._role, parameters))


def _takes_temperature(settings: Settings, role: ModelRole) -> bool:
    choice = settings.role_choice(role)
    kinds = {endpoint.id: endpoint.kind for endpoint in settings.endpoints}
    kind = kinds.get(choice.endpoint_id) if choice else None
    return kind is not None and kind is not EndpointKind.ANTHROPIC


class ModelsPage(SettingsPage):
    endpoint_asked = Signal(object)  # Endpoint

    def __init__(self, changes: SettingsController, services: ModelServices) -> None:
        super().__init__(changes, PageId.MODELS)
        self._shown: tuple[Endpoint, ...] = ()
        self._services = services
        none = self.tr(
            "No connections yet. Until you connect a model, Bellek answers with passages from "
            "your past sessions."
        )
        self._none, self._environment = HintLabel(none), HintLabel()
        self._connections = column(spacing=0)
        self._bridge = services.bridge
        find = self.tr("Find ser&vers on this computer")
        self._look, self._search_result = Button(text=find, press=self._look_around), HintLabel()
        self._search_result.hide()
        self._local = LocalModelsBox(services)
        self._local.fetched.connect(self._add_fetched)
        fit = Button(text=self.tr("&Which model fits this computer?"), press=self._local.look)
        self._roles_title = SectionLabel(self.tr("Models by task"))
        self._roles = {role: RoleFields(role, changes, services) for role in ModelRole}
        self._add_roles()
        buttons = FlowLayout()
        buttons.addWidget(self._add_button())
        buttons.addWidget(self._look)
        buttons.addWidget(fit)
        connections = column(
            SectionLabel(self.tr("Connections")),
            self._none,
            self._connections,
            buttons,
            self._search_result,
            self._local,
            spacing=Space.LARGE,
        )
        self.column.addLayout(connections)
        self.column.addSpacing(Space.LARGE)
        for widget in (self._roles_title, self._environment, self._form):
            self.column.addWidget(widget)
        self.column.addStretch()
        self.follow(self._show_connections)
        for fields in self._roles.values():
            self.follow(fields.show_settings)
        self.follow(self._parameters.show_settings)

    def _add_button(self) -> Button:
        add = Button(text=self.tr("Add a &connection"))
        self._menu = QMenu(self)
        offered = {preset.name: preset for preset in (*CLOUD_PRESETS, *LOCAL_PRESETS)}
        offered[self.tr("A server at another address")] = _OTHER_SERVER
        for name, preset in offered.items():
            self._menu.addAction(name).triggered.connect(
                lambda _=False, preset=preset: self._add_endpoint(preset.endpoint())
            )
        self._menu.insertSeparator(self._menu.actions()[len(CLOUD_PRESETS)])
        self._menu.addSeparator()
        self._menu.addAction(self.tr("A model file (GGUF)…")).triggered.connect(self._choose_file)
        add.setMenu(self._menu)
        return add

    def _look_around(self) -> None:
        self._search_result.setText(self.tr("Looking…"))
        self._search_result.show()
        self._bridge.run(self._services.look_for_servers, self._offer)

    def _offer(self, servers: Sequence[Endpoint]) -> None:
        """Offer the servers that are not connected yet."""
        endpoints = self._changes.settings.endpoints
        new = [
            endpoint for endpoint in servers if with_free_id(endpoint, endpoints) not in endpoints
        ]
        self._search_result.setText(
            self.tr("%n server(s) found", "", len(servers))
            if new
            else self.tr("All servers that were found are already connected.")
            if servers
            else self.tr("No running server was found. Start a server and try again.")
        )
        if not new:
            return
        menu = QMenu(self._look)
        for endpoint in new:
            menu.addAction(
                f"{endpoint.name}  ·  {endpoint_address(endpoint)}".replace("&", "&&")
            ).triggered.connect(lambda _=False, endpoint=endpoint: self._add_endpoint(endpoint))
        menu.popup(self._look.mapToGlobal(QPoint(0, self._look.height())))

    def _add_roles(self) -> None:
        texts = {
            ModelRole.ANSWERING: (self.tr("&Answers"), self.tr("Writes the answers.")),
            ModelRole.QUICK: (
                self.tr("&Quick tasks"),
                self.tr("Handles the small steps of an answer. A small, fast model is enough."),
            ),
            ModelRole.DEEP: (
                self.tr("&Deep research"),
                self.tr("Plans deep answers, reads the sources and writes the reports."),
            ),
            ModelRole.SUMMARISING: (
                self.tr("&Summaries"),
                self.tr(
                    "Writes titles, topics and summaries, including the summaries of long "
                    "sessions."
                ),
            ),
            ModelRole.CHECKING: (
                self.tr("C&hecking claims"),
                self.tr(
                    "Judges whether the cited passages say what an answer claims. A large model "
                    "is right more often."
                ),
            ),
        }
        for role, (name, hint) in texts.items():
            self._form.add_row(Label(name), self._roles[role], HintLabel(hint))
            self._form.add_gap()
        names = {role: plain(name) for role, (name, _) in texts.items()}
        chosen = self._parameters = ParameterFields(names, self._changes, self)
        label, numbers = Label(self.tr("&Length and temperature")), widget_with(chosen.numbers)
        self._form.add_row(label, chosen.role, numbers)
        self.add_below(
            HintLabel(
                self.tr(
                    "If the limit is too low, answers are cut off. Anthropic’s models set their "
                    "own temperature and top P; other models use yours. Change at most one of the "
                    "two."
                )
            )
        )
        self._add_meaning()

    def _add_meaning(self) -> None:
        """Add which model the search by meaning uses, and whether texts may leave for it."""
        self._form.add_section(SectionLabel(self.words.say("sections.meaning")))
        hint = self.tr(
            "Search by meaning compares texts by vectors. A model made for embeddings, on a "
            "server or in a file, can make them instead of Bellek’s own. Everything is then "
            "prepared again in the background; until that is done, search uses the vectors that "
            "it has."
        )
        fields = self._roles[ModelRole.EMBEDDING]
        self._prepared = HintLabel()
        self._form.add_row(Label(self.tr("Vect&ors")), fields, HintLabel(hint), self._prepared)
        self._add_setting("embeds_elsewhere", SETTINGS["embeds_elsewhere"], None, None)
        self.follow(self._show_consent)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if self._services.embedding is not None:
            self._bridge.run(self._services.embedding, self._show_prepared)

    def _show_prepared(self, progress: EmbeddingProgress) -> None:
        """Show how far the vectors are made, or why they are not."""
        number, words, problem = self.locale().toString, "", progress.problem
        shown = self._services.texts().error(problem) if problem else ""
        self._roles[ModelRole.EMBEDDING].problem.set_text(shown)
        if progress.renewed is not None:
            words = self.tr("Prepared with the new model: {done} of {count}").format(
                done=number(progress.renewed), count=number(progress.renewals)
            )
        self._prepared.setText(words)
        self._prepared.setVisible(bool(words))

    def _show_consent(self, settings: Settings) -> None:
        """Offer the consent for a model beyond this computer, or to withdraw it."""
        choice = settings.roles.get(ModelRole.EMBEDDING)
        is_elsewhere = any(
            choice and each.id == choice.endpoint_id and not is_on_this_computer(each)
            for each in settings.endpoints
        )
        self.field("embeds_elsewhere").setEnabled(is_elsewhere or settings.embeds_elsewhere)

    def _show_connections(self, settings: Settings) -> None:
        self._show_environment(settings)
        self._roles_title.setVisible(bool(settings.endpoints))
        self._form.setVisible(bool(settings.endpoints))
        if settings.endpoints != self._shown:
            self._shown = settings.endpoints
            clear_layout(self._connections)
            for endpoint in settings.endpoints:
                self._connections.addWidget(self._connection(endpoint))

    def _show_environment(self, settings: Settings) -> None:
        """Show whether the environment overrides the choices of this page."""
        in_force = self._services.in_force(settings)
        choice = in_force.roles.get(ModelRole.ANSWERING)
        names = [
            each.name for each in in_force.endpoints if choice and each.id == choice.endpoint_id
        ]
        is_overruled = in_force.roles != settings.roles and bool(names)
        self._environment.setVisible(is_overruled)
        self._none.setVisible(not settings.endpoints and not is_overruled)
        self._environment.setText(
            self.tr(
                "{name} is currently used because ANTHROPIC_API_KEY, ANTHROPIC_BASE_URL or "
                "BELLEK_MODEL is set in the environment."
            ).format(name=names[0] if names else "")
        )

    def _connection(self, endpoint: Endpoint) -> QWidget:
        edit = Button(
            text=self.tr("Edit"),
            name=self.tr("Edit {connection}").format(connection=endpoint.name),
            press=lambda: self.endpoint_asked.emit(endpoint),
        )
        words = column(BodyLabel(endpoint.name), HintLabel(endpoint_address(endpoint)), spacing=0)
        return widget_with(row(growing(words), edit, margin=(0, Space.SMALL, 0, Space.SMALL)))

    def _choose_file(self) -> None:
        ModelFileDialog(self).ask_for_file(lambda path: self._add_endpoint(gguf_endpoint(path)))

    def _add_fetched(self, endpoint: Endpoint, model: str) -> None:
        """Connect a model that was fetched; it answers if none does yet."""
        settings = self._changes.settings
        own = with_free_id(endpoint, settings.endpoints)
        settings = with_endpoint(settings, own)
        if settings.roles.get(ModelRole.ANSWERING) is None:
            choice = ModelChoice(own.id, model or MODEL_NOT_CHOSEN)
            settings = with_choice(settings, ModelRole.ANSWERING, choice)
        self._changes.apply(settings)

    def _add_endpoint(self, endpoint: Endpoint) -> None:
        own = with_free_id(endpoint, self._changes.settings.endpoints)
        self._changes.apply(with_endpoint(self._changes.settings, own))
        self.endpoint_asked.emit(own)


def _with_parameters(settings: Settings, role: ModelRole, parameters: RoleParameters) -> Settings:
    several = {each: values for each, values in settings.parameters.items() if each is not role}
    is_usual = parameters == USUAL_PARAMETERS
    return replace(settings, parameters=several if is_usual else {**several, role: parameters})
