"""The fields of an endpoint: its key with where it is stored, its model."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QPaintEvent, QPalette
from PySide6.QtWidgets import (
    QLineEdit,
    QSizePolicy,
    QStyle,
    QStyleOptionFrame,
    QStylePainter,
    QWidget,
)

from desktop.domain.endpoints import WITH_ADDRESS, Endpoint, EndpointId, EndpointKind, ModelInfo
from desktop.domain.errors import AppError
from desktop.llm.endpoints import key_page
from desktop.settings.keys import Kept, KeyStore
from desktop.ui.dialogs.form import do_nothing
from desktop.ui.services import ModelServices
from desktop.ui.theme.tokens import Space
from desktop.ui.widgets.buttons import Button
from desktop.ui.widgets.fields import ComboBox, SecretField
from desktop.ui.widgets.layouts import column, growing, row
from desktop.ui.widgets.plain_text import HintLabel, tip

_LINE_PADDING = (2, 0, -2, 0)
"""Pixels that Qt leaves between the edge of a line and its text"""


@dataclass(frozen=True, slots=True)
class KeyState:
    has_key: bool
    is_lasting: bool  # whether keys survive a restart


def read_key_state(keys: KeyStore, endpoint_id: EndpointId) -> KeyState:
    """Return whether a key exists and whether it is stored permanently. Call on a worker."""
    return KeyState(keys.get(endpoint_id) is not None, keys.is_lasting)


class KeyField(QWidget):
    key_changed = Signal()  # also while a new key is typed

    def __init__(self, services: ModelServices, endpoint: Endpoint) -> None:
        super().__init__()
        self._keys = services.keys
        self._bridge = services.bridge
        self._endpoint_id = endpoint.id
        self._is_lasting = False
        self._line, self._hint = (
            SecretField(self.tr("Key")),
            HintLabel(self.tr("Checking the keyring…")),
        )
        self._delete = Button("quiet", text=self.tr("Delete key"), press=self._delete_key)
        self._delete.hide()
        whole = column(row(growing(self._line), self._delete), spacing=Space.TIGHT)
        if endpoint.kind in WITH_ADDRESS and not key_page(endpoint):
            whole.addWidget(HintLabel(self.tr("Leave empty if the server does not need a key.")))
        whole.addWidget(self._hint)
        self.setLayout(whole)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self.setFocusProxy(self._line)
        self._line.line.setPlaceholderText(self.tr("Paste the key here"))
        self._line.line.editingFinished.connect(lambda: self.keep(do_nothing))
        self._line.line.textEdited.connect(lambda _: self.key_changed.emit())
        self._bridge.run(lambda: read_key_state(self._keys, self._endpoint_id), self._show)

    def keep(self, then: Callable[[], None]) -> None:
        """Store the typed key, if any; `then` is called once the key is in use."""
        key = self._line.key
        if not key:
            then()
            return
        self._line.clear()
        self._bridge.run(
            lambda: self._keys.put(self._endpoint_id, key),
            lambda storage: self._show_changed(has_key=True, is_lasting=storage is Kept.KEYRING),
            settled=then,
        )

    def _delete_key(self) -> None:
        self._bridge.run(
            lambda: self._keys.delete(self._endpoint_id),
            lambda _: self._show_changed(has_key=False, is_lasting=self._is_lasting),
        )

    def _show_changed(self, *, has_key: bool, is_lasting: bool) -> None:
        self._show(KeyState(has_key, is_lasting))
        self.key_changed.emit()

    def _show(self, state: KeyState) -> None:
        self._is_lasting = state.is_lasting
        self._delete.setVisible(state.has_key)
        self._line.line.setPlaceholderText(
            self.tr("A key is saved. Paste a new key to replace it")
            if state.has_key
            else self.tr("Paste the key here")
        )
        hints = {
            KeyState(has_key=True, is_lasting=True): self.tr(
                "The key is stored in the system keyring."
            ),
            KeyState(has_key=True, is_lasting=False): self.tr(
                "No usable keyring was found, so the key is kept only while Bellek is open. "
                "You will have to enter it again next time."
            ),
            KeyState(has_key=False, is_lasting=True): self.tr(
                "The key is stored in the system keyring, never in a file."
            ),
            KeyState(has_key=False, is_lasting=False): self.tr(
                "No usable keyring was found. The key is kept only while Bellek is open and is "
                "never saved in a file."
            ),
        }
        self._hint.setText(hints[state])


class ModelLine(QLineEdit):
    """Elides its text, as a drop-down does, while it is not edited."""

    def paintEvent(self, event: QPaintEvent) -> None:
        room = self.contentsRect().adjusted(*_LINE_PADDING)
        text = self.text()
        elided = self.fontMetrics().elidedText(text, Qt.TextElideMode.ElideRight, room.width())
        if self.hasFocus() or elided == text:
            super().paintEvent(event)
            return
        option = QStyleOptionFrame()
        self.initStyleOption(option)
        painter = QStylePainter(self)
        painter.drawPrimitive(QStyle.PrimitiveElement.PE_PanelLineEdit, option)
        side = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft
        painter.setPen(option.palette.color(QPalette.ColorRole.Text))
        painter.drawText(room, side, elided)


class ModelField(ComboBox):
    """The model of an endpoint; requests the endpoint's list only when the user opens it."""

    chosen = Signal(str)
    list_failed = Signal(str)  # an error; empty once the list is loaded

    def __init__(self, services: ModelServices) -> None:
        super().__init__()
        self.setAccessibleName(self.tr("Model"))
        self._services = services
        self._bridge = services.bridge
        self._endpoint: Endpoint | None = None
        self._listed_endpoint: Endpoint | None = None
        self._shown = ""
        self.setEditable(True)
        self.setInsertPolicy(ComboBox.InsertPolicy.NoInsert)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.activated.connect(lambda index: self._choose(self.itemText(index)))
        self.line = ModelLine()
        self.setLineEdit(self.line)
        self.line.setAccessibleName(self.accessibleName())  # the line has the focus
        self.line.editingFinished.connect(lambda: self._choose(self.currentText()))

    @property
    def chosen_model(self) -> str:
        return self.currentText().strip()

    def show_model(self, endpoint: Endpoint | None, model: str) -> None:
        if _id_and_address(endpoint) != _id_and_address(self._endpoint):
            self.clear()
            self._listed_endpoint = None
        self._endpoint = endpoint
        self._shown = model
        if self.currentText() != model:
            self.setEditText(model)
        # A file contains one model, so there is nothing to choose.
        self.setVisible(endpoint is not None and endpoint.kind is not EndpointKind.GGUF)

    def showPopup(self) -> None:
        self.load()
        super().showPopup()

    def load(self) -> None:
        """Request the endpoint's list, once for each address and each failure."""
        endpoint = self._endpoint
        if endpoint is None or endpoint == self._listed_endpoint:
            return
        self._listed_endpoint = endpoint
        self.clear()
        self.addItem(self.tr("Loading the list…"))
        self.setItemData(0, 0, Qt.ItemDataRole.UserRole - 1)  # disabled
        self.setCurrentIndex(-1)
        self.setEditText(self._shown)
        self._bridge.run(
            lambda: self._services.models.list_models(endpoint),
            lambda models: self._show_list(endpoint, models),
            lambda error: self._could_not_list(endpoint, error),
        )

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
        self.list_failed.emit("" if models else self.tr("This connection reported no models."))
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
            self._listed_endpoint = None
            self.list_failed.emit(self._services.texts().error(error))

    def _choose(self, model: str) -> None:
        model = model.strip()
        if model and model != self._shown:
            self._shown = model
            self.setEditText(model)
            self.chosen.emit(model)


def _id_and_address(endpoint: Endpoint | None) -> tuple[str, str | None] | None:
    return (endpoint.id, endpoint.base_url) if endpoint else None


def endpoint_address(endpoint: Endpoint) -> str:
    """Return where requests are sent, as short as possible."""
    if endpoint.kind is EndpointKind.ANTHROPIC:
        return "api.anthropic.com"
    return endpoint.base_url or endpoint.gguf_path or ""
