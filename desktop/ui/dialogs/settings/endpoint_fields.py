"""The fields of an endpoint: a masked secret, its key with where it is stored, its model."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QLineEdit, QSizePolicy, QVBoxLayout, QWidget

from desktop.domain.endpoints import Endpoint, EndpointId, EndpointKind, ModelInfo
from desktop.domain.errors import AppError
from desktop.settings.keys import Kept, KeyStore
from desktop.ui.dialogs.endpoint_setup import ModelServices
from desktop.ui.dialogs.form import DialogTasks, do_nothing
from desktop.ui.i18n import TranslatedWidget
from desktop.ui.theme.tokens import Space
from desktop.ui.widgets.buttons import Button
from desktop.ui.widgets.fields import ComboBox
from desktop.ui.widgets.labels import HintLabel
from desktop.ui.widgets.plain_text import tip


class SecretField(TranslatedWidget, QWidget):
    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.line = QLineEdit()
        self.line.setEchoMode(QLineEdit.EchoMode.Password)
        self._look = Button()
        self._look.setCheckable(True)
        self._look.setProperty("kind", "quiet")
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(Space.SMALL)
        row.addWidget(self.line, 1)
        row.addWidget(self._look)
        self.setFocusProxy(self.line)
        self._look.toggled.connect(self._reveal)
        self.line.textChanged.connect(lambda text: self._look.setEnabled(bool(text)))
        self._look.setEnabled(False)
        self.retranslate()

    @property
    def key(self) -> str:
        return self.line.text().strip()

    def clear(self) -> None:
        self.line.clear()
        self._look.setChecked(False)

    def retranslate(self) -> None:
        self.line.setAccessibleName(self.tr("Key"))
        self._look.setText(self.tr("Hide") if self._look.isChecked() else self.tr("Show"))
        self._look.setAccessibleDescription(self.tr("Show or hide the key"))

    def _reveal(self, is_shown: bool) -> None:  # noqa: FBT001 (a slot)
        mode = QLineEdit.EchoMode.Normal if is_shown else QLineEdit.EchoMode.Password
        self.line.setEchoMode(mode)
        self.retranslate()


@dataclass(frozen=True, slots=True)
class KeyState:
    has_key: bool
    is_lasting: bool
    """Whether a key is still there at the next start."""


def read_key_state(keys: KeyStore, endpoint_id: EndpointId) -> KeyState:
    """On a worker."""
    return KeyState(keys.get(endpoint_id) is not None, keys.is_lasting)


class KeyField(TranslatedWidget, QWidget):
    key_changed = Signal()

    def __init__(self, services: ModelServices, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._keys = services.keys
        self._tasks = DialogTasks(services.bridge, self)
        self._endpoint_id: EndpointId | None = None
        self._state: KeyState | None = None
        self._build()
        self._connect()
        self.retranslate()

    def _build(self) -> None:
        self._line, self._delete, self._hint = SecretField(), Button(), HintLabel()
        self._delete.setProperty("kind", "quiet")
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self.setFocusProxy(self._line)
        row = QHBoxLayout()
        row.setSpacing(Space.SMALL)
        row.addWidget(self._line, 1)
        row.addWidget(self._delete)
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(Space.TIGHT)
        self._column.addLayout(row)
        self._column.addWidget(self._hint)

    def _connect(self) -> None:
        self._line.line.editingFinished.connect(lambda: self.keep(do_nothing))
        self._delete.clicked.connect(self._delete_key)

    def add_first_hint(self, hint: HintLabel) -> None:
        """Put a hint before the one on where the key is stored."""
        self._column.insertWidget(1, hint)

    def retranslate(self) -> None:
        self._delete.setText(self.tr("Delete key"))
        self._show_texts()

    def show_endpoint(self, endpoint_id: EndpointId) -> None:
        self._endpoint_id = endpoint_id
        self._line.clear()
        self._show(None)
        self._tasks.run(
            lambda: (endpoint_id, read_key_state(self._keys, endpoint_id)), self._show_found
        )

    def keep(self, then: Callable[[], None]) -> None:
        """Store the typed key, if any; `then` is called once the key is in use."""
        endpoint_id, key = self._endpoint_id, self._line.key
        if endpoint_id is None or not key:
            then()
            return
        self._line.clear()
        self._tasks.run(lambda: self._keys.put(endpoint_id, key), self._show_kept, settled=then)

    def _show_found(self, found: tuple[EndpointId, KeyState]) -> None:
        if found[0] == self._endpoint_id:
            self._show(found[1])

    def _show_kept(self, kept: Kept) -> None:
        self._show(KeyState(has_key=True, is_lasting=kept is Kept.KEYRING))
        self.key_changed.emit()

    def _delete_key(self) -> None:
        if (endpoint_id := self._endpoint_id) is not None:
            self._tasks.run(lambda: self._keys.delete(endpoint_id), lambda _: self._show_deleted())

    def _show_deleted(self) -> None:
        is_lasting = self._state.is_lasting if self._state else False
        self._show(KeyState(has_key=False, is_lasting=is_lasting))
        self.key_changed.emit()

    def _show(self, state: KeyState | None) -> None:
        self._state = state
        self._delete.setVisible(state is not None and state.has_key)
        self._show_texts()

    def _show_texts(self) -> None:
        has_key = self._state is not None and self._state.has_key
        self._line.line.setPlaceholderText(
            self.tr("A key is saved; paste another to replace it")
            if has_key
            else self.tr("Paste the key here")
        )
        self._hint.setText(self._where())

    def _where(self) -> str:
        match self._state:
            case None:
                return self.tr("Checking the keyring…")
            case KeyState(has_key=True, is_lasting=True):
                return self.tr("Kept in the system's keyring.")
            case KeyState(has_key=True):
                return self.tr(
                    "Kept only while Bellek is open: no usable keyring was found. You "
                    "will need to enter it again next time."
                )
            case KeyState(is_lasting=True):
                return self.tr("It is stored in the system's keyring, never in a file.")
            case _:
                return self.tr(
                    "No usable keyring was found. The key is kept only while Bellek is "
                    "open, never in a file."
                )


class ModelField(ComboBox):
    """The endpoint's list of models is requested only when the user opens it."""

    chosen = Signal(str)
    list_failed = Signal(str)  # the sentence; empty once it works

    def __init__(self, services: ModelServices, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._services = services
        self._tasks = DialogTasks(services.bridge, self)
        self._endpoint: Endpoint | None = None
        self._asked: Endpoint | None = None
        self._shown = ""
        self.setEditable(True)
        self.setInsertPolicy(QComboBox.InsertPolicy.NoInsert)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.activated.connect(lambda index: self._choose(self.itemText(index)))
        line = QLineEdit()
        self.setLineEdit(line)
        line.editingFinished.connect(lambda: self._choose(self.currentText()))

    @property
    def chosen_model(self) -> str:
        return self.currentText().strip()

    def show_model(self, endpoint: Endpoint | None, model: str) -> None:
        if _id_and_address(endpoint) != _id_and_address(self._endpoint):
            self.clear()
            self._asked = None
        self._endpoint = endpoint
        self._shown = model
        if self.currentText() != model:
            self.setEditText(model)
        # A file holds one model, which needs no choosing.
        has_list = endpoint is not None and endpoint.kind is not EndpointKind.GGUF
        self.setVisible(has_list)

    def showPopup(self) -> None:
        self.load()
        super().showPopup()

    def load(self) -> None:
        """Ask the endpoint for its list, once for each address and each failure."""
        endpoint = self._endpoint
        if endpoint is None or endpoint == self._asked:
            return
        self._asked = endpoint
        self._show_waiting()
        self._tasks.run(
            lambda: self._services.models.list_models(endpoint),
            lambda models: self._show_list(endpoint, models),
            lambda error: self._could_not_list(endpoint, error),
        )

    def _show_waiting(self) -> None:
        self.clear()
        self.addItem(self.tr("Loading the list…"))
        self.setItemData(0, 0, Qt.ItemDataRole.UserRole - 1)  # disabled
        self.setCurrentIndex(-1)
        self.setEditText(self._shown)

    def _show_list(self, endpoint: Endpoint, models: Sequence[ModelInfo]) -> None:
        if endpoint != self._endpoint:
            return
        was_open = self.view().isVisible()
        self.clear()
        for place, model in enumerate(models):
            self.addItem(model.id)
            self.setItemData(place, tip(model.name), Qt.ItemDataRole.ToolTipRole)
        self.setCurrentIndex(self.findText(self._shown))
        self.setEditText(self._shown)
        self.list_failed.emit(
            "" if models else self.tr("No models were reported by this endpoint.")
        )
        if was_open and models:
            self.hidePopup()
            super().showPopup()
        if not self._shown and models:
            self._choose(models[0].id)

    def _could_not_list(self, endpoint: Endpoint, error: AppError) -> None:
        if endpoint == self._endpoint:
            self.hidePopup()
            self.clear()
            self.setEditText(self._shown)
            self._asked = None
            self.list_failed.emit(self._services.texts().error(error))

    def _choose(self, model: str) -> None:
        model = model.strip()
        if model and model != self._shown:
            self._shown = model
            self.setEditText(model)
            self.chosen.emit(model)


def _id_and_address(endpoint: Endpoint | None) -> tuple[str, str | None] | None:
    return (endpoint.id, endpoint.base_url) if endpoint else None
