"""The welcome dialog of the first run: offers connections, each with its fields."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import QEvent, QObject, Qt, QUrl, Signal
from PySide6.QtGui import QDesktopServices, QShowEvent
from PySide6.QtWidgets import (
    QButtonGroup,
    QFrame,
    QLayout,
    QListWidget,
    QRadioButton,
    QSizePolicy,
    QWidget,
)

from desktop.domain.endpoints import Endpoint, ModelChoice, ModelRole
from desktop.domain.errors import AppError, KeyRejectedError
from desktop.llm.endpoints import CLOUD_PRESETS, Preset, gguf_endpoint
from desktop.llm.model_registry import (
    EndpointSetup,
    connect_endpoint,
    with_choice,
    with_endpoint,
    with_free_id,
)
from desktop.settings.settings import Settings, Theme, UiLanguage
from desktop.ui.dialogs.files import ModelFileDialog
from desktop.ui.dialogs.form import RebuiltDialog
from desktop.ui.services import ModelServices
from desktop.ui.settings.endpoint_fields import endpoint_address
from desktop.ui.settings_controller import SettingsController
from desktop.ui.theme.tokens import Space
from desktop.ui.widgets.buttons import Button
from desktop.ui.widgets.fields import EnumComboBox, SecretField, WrappingCheckBox
from desktop.ui.widgets.layouts import (
    STRETCH,
    VerticalScrollArea,
    column,
    frame_with,
    growing,
    height_at,
    resize_within_screen,
    row,
    text_width,
    widget_with,
)
from desktop.ui.widgets.plain_text import (
    BodyLabel,
    HintLabel,
    ProblemLabel,
    SectionLabel,
    TitleLabel,
)

_SERVERS_SHOWN = 4


class ConnectionChoice(QWidget):
    """A radio button with a hint; its fields are visible while it is chosen."""

    def __init__(self) -> None:
        super().__init__()
        name, hint = self._texts()
        self.button, self.problem = QRadioButton(name), ProblemLabel()
        self._rows = column()
        self._fields = widget_with(self._rows)
        self._fields.hide()
        below = QFrame()
        below.setProperty("below", "box")
        below.setLayout(column(HintLabel(hint), self._fields, self.problem, spacing=Space.TIGHT))
        self.setLayout(column(self.button, below, spacing=Space.TIGHT))
        self.button.toggled.connect(self._fields.setVisible)
        self.button.toggled.connect(self.problem.dismiss)

    def setup(self) -> EndpointSetup | None:
        """Return what to connect; None if something is missing or nothing is to be connected."""
        return None

    def missing(self) -> str:
        """Return what is missing, as a sentence; empty if nothing is."""
        return ""

    def _texts(self) -> tuple[str, str]:
        raise NotImplementedError


class CloudChoice(ConnectionChoice):
    """A model in a provider's cloud, with a key."""

    def __init__(self, services: ModelServices) -> None:
        super().__init__()
        self._keys = services.keys
        self._bridge = services.bridge
        self.key, self._where = SecretField(self.tr("Key")), HintLabel()
        self.key.line.setPlaceholderText(self.tr("Paste the key here"))
        names = [preset.name for preset in CLOUD_PRESETS]
        self.provider = EnumComboBox([preset.id for preset in CLOUD_PRESETS], names=names)
        self.provider.setAccessibleName(self.tr("Provider"))
        self.problem.follow(self.key.line)
        self.provider.chosen.connect(self.problem.dismiss)
        get = Button(
            "quiet",
            text=self.tr("&Get a key…"),
            press=lambda: QDesktopServices.openUrl(QUrl(self._preset.key_url)),
        )
        self._rows.addLayout(row(self.provider, get, STRETCH, spacing=Space.MEDIUM))
        self._rows.addWidget(self.key)
        self._rows.addWidget(self._where)
        self.button.toggled.connect(self._look_for_keyring)

    @property
    def _preset(self) -> Preset:
        return CLOUD_PRESETS[self.provider.currentIndex()]

    def setup(self) -> EndpointSetup | None:
        return EndpointSetup(self._preset.endpoint(), self.key.key) if self.key.key else None

    def missing(self) -> str:
        return "" if self.key.key else self.tr("Paste a key or choose another option.")

    def _texts(self) -> tuple[str, str]:
        return (
            self.tr("&Claude or another cloud model, with your own key"),
            self.tr("Gives the best answers. Your questions are sent to the provider’s servers."),
        )

    def _look_for_keyring(self, is_chosen: bool) -> None:  # noqa: FBT001 (a slot)
        if is_chosen:
            self.key.setFocus(Qt.FocusReason.OtherFocusReason)
            self._bridge.run(lambda: self._keys.is_lasting, self._show_keyring)

    def _show_keyring(self, is_lasting: bool) -> None:  # noqa: FBT001 (a slot)
        self._where.setText(
            self.tr("The key is stored in the system keyring, never in a file.")
            if is_lasting
            else self.tr(
                "No usable keyring was found. The key is kept only while Bellek is open and is "
                "never saved in a file."
            )
        )


class ServerChoice(ConnectionChoice):
    """A server on this computer; searched for only when the user asks."""

    def __init__(self, services: ModelServices) -> None:
        super().__init__()
        self._look_for = services.look_for_servers
        self._bridge = services.bridge
        self._endpoints: Sequence[Endpoint] = ()
        self._look = Button(text=self.tr("Find se&rvers"), press=self._look_around)
        self._list, self._result = QListWidget(), HintLabel()
        self._list.setAccessibleName(self.tr("Servers found"))
        self._list.setProperty("role", "list")
        self._list.hide()
        self._list.currentRowChanged.connect(self.problem.dismiss)
        self._rows.addLayout(row(self._look, growing(self._result), spacing=Space.MEDIUM))
        self._rows.addWidget(self._list)

    def setup(self) -> EndpointSetup | None:
        row = self._list.currentRow()
        return EndpointSetup(self._endpoints[row]) if self._endpoints and row >= 0 else None

    def missing(self) -> str:
        if self.setup():
            return ""
        return self.tr("Find servers and pick one, or choose another option.")

    def _texts(self) -> tuple[str, str]:
        return (
            self.tr("A model &server on this computer"),
            self.tr(
                "Ollama, LM Studio, llama.cpp, vLLM, SGLang, Jan, KoboldCpp or "
                "text-generation-webui. Nothing leaves this computer."
            ),
        )

    def _look_around(self) -> None:
        self._look.setEnabled(False)
        self._result.setText(self.tr("Looking…"))
        self._bridge.run(self._look_for, self._show, settled=lambda: self._look.setEnabled(True))

    def _show(self, endpoints: Sequence[Endpoint]) -> None:
        self._endpoints = endpoints
        self._list.clear()
        self._list.addItems([f"{each.name}  ·  {endpoint_address(each)}" for each in endpoints])
        self._list.setCurrentRow(0)
        rows = min(len(endpoints), _SERVERS_SHOWN)
        self._list.setFixedHeight(rows * max(self._list.sizeHintForRow(0), 0) + 2 * Space.SMALL)
        self._list.setVisible(bool(endpoints))
        self.problem.set_text("")
        self._result.setText(
            self.tr("%n server(s) found", "", len(endpoints))
            if endpoints
            else self.tr("No running server was found. Start a server and try again.")
        )


class ModelFileChoice(ConnectionChoice):
    """A model file of the user's own."""

    def __init__(self) -> None:
        super().__init__()
        self._path: Path | None = None
        choose = Button(
            text=self.tr("Choose &file…"),
            press=lambda: ModelFileDialog(self).ask_for_file(self._use),
        )
        self._name = HintLabel(self.tr("No file chosen"))
        self._rows.addLayout(row(choose, growing(self._name), spacing=Space.MEDIUM))

    def setup(self) -> EndpointSetup | None:
        return EndpointSetup(gguf_endpoint(self._path)) if self._path else None

    def missing(self) -> str:
        return "" if self._path else self.tr("Choose a file or another option.")

    def _texts(self) -> tuple[str, str]:
        return (
            self.tr("A &model file on this computer (GGUF)"),
            self.tr("Bellek runs the model itself. Nothing leaves this computer."),
        )

    def _use(self, path: Path) -> None:
        self._path = path
        self.problem.set_text("")
        self._name.setText(path.name)


class ConnectedChoice(ConnectionChoice):
    """A connection that the environment or another process has set up already."""

    def __init__(
        self, endpoint: Endpoint, choice: ModelChoice, *, is_of_environment: bool
    ) -> None:
        self._names = (endpoint.name, choice.model)
        self._is_of_environment = is_of_environment
        super().__init__()

    def _texts(self) -> tuple[str, str]:
        # Qt would turn the letter after an & into a mnemonic.
        name = " · ".join(filter(None, self._names)).replace("&", "&&")
        return (
            self.tr("&Continue with {name}").format(name=name),
            self.tr("Already connected. No setup is needed.")
            if not self._is_of_environment
            else self.tr(
                "Already connected, because ANTHROPIC_API_KEY or ANTHROPIC_BASE_URL is set in "
                "the environment. Your questions are sent over this connection."
            ),
        )


class NoModelChoice(ConnectionChoice):
    """No model: answers are passages of past sessions."""

    def _texts(self) -> tuple[str, str]:
        return (
            self.tr("&No model for now"),
            self.tr(
                "Bellek quotes relevant passages from your past sessions and documents. You "
                "can connect a model at any time in the settings."
            ),
        )


_CHARACTERS = 84
_MARGIN = Space.WIDE + Space.SMALL


class WelcomeDialog(RebuiltDialog):
    examples_asked = Signal()  # the user wants the example library loaded

    def __init__(
        self,
        changes: SettingsController,
        services: ModelServices,
        *,
        offers_examples: bool,
        parent: QWidget | None = None,
    ) -> None:
        """`offers_examples`: whether the archive is empty."""
        super().__init__(parent)
        self._changes = changes
        self._services = services
        self._offers_examples = offers_examples
        self._bridge = services.bridge
        self._unchecked: ConnectionChoice | None = None
        super().rebuild()
        self._choices[self._usual].button.setChecked(True)
        changes.changed.connect(self._show)
        changes.in_force.connect(self._offer_connected)

    def _build(self) -> QLayout:
        self._group = QButtonGroup(self)
        self._choices = self._made_choices()
        for place, choice in enumerate(self._choices):
            self._group.addButton(choice.button, place)
        self._group.idToggled.connect(lambda *_: self._check_again())
        title = self.tr("Welcome to Bellek")
        self.setWindowTitle(title)
        lead = self.tr(
            "Bellek answers your questions and remembers what you tell it. Everything is saved "
            "on your own disk."
        )
        self._examples = WrappingCheckBox(self.tr("Add the sampl&e sessions"))
        examples_hint = HintLabel(
            self.tr(
                "Sample research sessions in Turkish and English, so that you can try "
                "searching and continuing sessions. You can delete them at any time."
            )
        )
        examples_hint.setProperty("below", "box")
        examples = widget_with(column(self._examples, examples_hint, spacing=Space.TIGHT))
        self._column = column(
            TitleLabel(title),
            BodyLabel(lead),
            SectionLabel(self.tr("Where should answers come from?")),
            *self._choices,
            examples,
            STRETCH,
            spacing=Space.MEDIUM,
            margin=(_MARGIN, _MARGIN, _MARGIN, Space.LARGE),
        )
        self._column.insertSpacing(2, Space.MEDIUM)
        self._column.insertSpacing(self._column.count() - 2, Space.SMALL)
        examples.setVisible(self._offers_examples)
        page = widget_with(self._column)
        page.installEventFilter(self)
        self._area = VerticalScrollArea()
        self._area.setAccessibleName(title)
        self._area.setWidget(page)
        # The buttons stay visible, however long the page is.
        self._foot = self._made_foot()
        self._check_again()
        self._show(self._changes.settings)
        return column(growing(self._area), self._foot, spacing=0)

    def _made_choices(self) -> Sequence[ConnectionChoice]:
        self._key, self._server = CloudChoice(self._services), ServerChoice(self._services)
        self._file = ModelFileChoice()
        others = (self._key, self._server, self._file)
        settings = self._changes.settings
        self._connected = _connected(self._services.in_force(settings))
        if self._connected is None:
            self._usual = len(others)
            return (*others, NoModelChoice())
        self._usual = 0
        is_of_environment = self._connected != _connected(settings)
        # A model that is connected answers, so "no model" is not offered.
        return (ConnectedChoice(*self._connected, is_of_environment=is_of_environment), *others)

    def _made_foot(self) -> QWidget:
        languages = (self.tr("System language"), "Türkçe", "English")
        self._language = EnumComboBox(tuple(UiLanguage), names=languages)
        self._language.setAccessibleName(self.tr("Language"))
        self._language.chosen.connect(self._changes.choose_language)
        themes = (self.tr("System theme"), self.tr("Light"), self.tr("Dark"))
        self._theme = EnumComboBox(tuple(Theme), names=themes)
        self._theme.setAccessibleName(self.tr("Theme"))
        self._theme.chosen.connect(self._changes.choose_theme)
        for drop_down in (self._language, self._theme):
            drop_down.setSizePolicy(QSizePolicy.Policy.Minimum, QSizePolicy.Policy.Fixed)
        skip = Button("quiet", text=self.tr("S&kip"), press=self.reject)
        self._begin = Button("primary", press=self._try)
        last = row(self._language, self._theme, STRETCH, skip, self._begin)
        margin = (_MARGIN, 0, _MARGIN, Space.WIDE)
        return widget_with(column(frame_with("line"), last, spacing=Space.LARGE, margin=margin))

    def rebuild(self) -> None:
        chosen, key = self._group.checkedId(), self._key.key.line.text()
        provider = self._key.provider.value
        wants_examples = self._examples.isChecked()
        super().rebuild()
        self._choices[chosen].button.setChecked(True)
        self._key.key.line.setText(key)
        self._key.provider.show_value(provider)
        self._examples.setChecked(wants_examples)

    def _offer_connected(self, settings: Settings) -> None:
        """Offer what another process has connected meanwhile."""
        if self.isVisible() and _connected(self._services.in_force(settings)) != self._connected:
            self.rebuild()
            self._choices[self._usual].button.setChecked(True)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._fit()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.LayoutRequest and self.isVisible():
            self._fit()
        return super().eventFilter(watched, event)

    def _fit(self) -> None:
        self.setMinimumWidth(
            max(text_width(self, _CHARACTERS), self._foot.minimumSizeHint().width())
        )
        page = height_at(self._column, self.width())
        resize_within_screen(self, self.width(), page + self._foot.sizeHint().height())
        if self._area.height() >= page and self._area.verticalScrollBar().maximum():
            # Beside its bar the page is narrower and so higher: Qt would keep the bar.
            self._area.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
            self._area.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAsNeeded)

    def reject(self) -> None:
        """Skip the welcome; the settings offer all of it again."""
        self._changes.apply(replace(self._changes.settings, welcomed=True))
        super().reject()

    def _show(self, settings: Settings) -> None:
        self._language.show_value(settings.language)
        self._theme.show_value(settings.theme)

    def _check_again(self) -> None:
        self._unchecked = None
        self._show_waiting(is_waiting=False)

    def _try(self) -> None:
        choice = self._choices[self._group.checkedId()]
        if missing := choice.missing():
            choice.problem.set_text(missing)
            return
        setup = choice.setup()
        if setup is None:
            self._end()
            return
        self._connect_endpoint(choice, replace(setup, is_checked=choice is not self._unchecked))

    def _connect_endpoint(self, choice: ConnectionChoice, setup: EndpointSetup) -> None:
        choice.problem.set_text("")
        self._show_waiting(is_waiting=True)
        endpoints = self._changes.settings.endpoints
        own = replace(setup, endpoint=with_free_id(setup.endpoint, endpoints))

        def use(model: str) -> None:
            settings = with_endpoint(self._changes.settings, own.endpoint)
            answers = ModelChoice(own.endpoint.id, model)
            self._changes.apply(with_choice(settings, ModelRole.ANSWERING, answers))
            self._end()

        def show_failure(error: AppError) -> None:
            """Show the error; a refused key must be changed, other errors allow a retry."""
            choice.problem.set_text(self._services.texts().error(error))
            self._unchecked = None if isinstance(error, KeyRejectedError) else choice

        self._bridge.run(
            lambda: connect_endpoint(self._services.models, self._services.keys, own),
            use,
            show_failure,
            lambda: self._show_waiting(is_waiting=False),
        )

    def _show_waiting(self, *, is_waiting: bool) -> None:
        for widget in (*self._choices, self._language, self._begin):
            widget.setDisabled(is_waiting)
        if is_waiting:
            self._begin.setText(self.tr("Connecting…"))
        else:
            anyway = self.tr("Continue &anyway")
            self._begin.setText(anyway if self._unchecked else self.tr("S&tart"))

    def _end(self) -> None:
        self._changes.apply(replace(self._changes.settings, welcomed=True))
        if self._examples.isChecked():
            self.examples_asked.emit()
        self.accept()


def _connected(settings: Settings) -> tuple[Endpoint, ModelChoice] | None:
    """Return the endpoint and the model that answer."""
    choice = settings.roles.get(ModelRole.ANSWERING)
    named = (each for each in settings.endpoints if choice and each.id == choice.endpoint_id)
    endpoint = next(named, None)
    return (endpoint, choice) if endpoint and choice else None
