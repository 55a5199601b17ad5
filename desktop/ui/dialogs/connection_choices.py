"""The connections that the welcome dialog offers; each opens its fields when it is chosen."""

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QFrame, QListWidget, QRadioButton, QWidget

from desktop.domain.endpoints import Endpoint, ModelChoice
from desktop.llm.endpoints import CLOUD_PRESETS, Preset, gguf_endpoint
from desktop.llm.model_registry import EndpointSetup
from desktop.ui.dialogs.files import ModelFileDialog
from desktop.ui.dialogs.settings.endpoint_fields import endpoint_address
from desktop.ui.services import ModelServices
from desktop.ui.theme.tokens import Space
from desktop.ui.widgets.buttons import Button
from desktop.ui.widgets.fields import EnumComboBox, SecretField
from desktop.ui.widgets.layouts import STRETCH, column, growing, row, widget_with
from desktop.ui.widgets.plain_text import HintLabel, ProblemLabel

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
