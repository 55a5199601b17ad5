"""The name of a model, typed or picked from the endpoint's own list, asked for when it opens."""

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QComboBox, QLineEdit, QSizePolicy, QWidget

from desktop.domain.endpoints import Endpoint, EndpointKind, ModelInfo
from desktop.domain.errors import AppError
from desktop.ui.dialogs.dialog_tasks import Errands
from desktop.ui.dialogs.model_services import ModelDesk
from desktop.ui.widgets.fields import ComboBox
from desktop.ui.widgets.plain_text import tip


class ModelField(ComboBox):
    """Nothing is asked of an endpoint until the user opens the list."""

    chosen = Signal(str)
    list_failed = Signal(str)  # the sentence; empty once it works

    def __init__(self, desk: ModelDesk, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._desk = desk
        self._errands = Errands(desk.bridge, self)
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
        if _place(endpoint) != _place(self._endpoint):
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
        self._say_waiting()
        self._errands.run(
            lambda: self._desk.models.list_models(endpoint),
            lambda models: self._show_list(endpoint, models),
            lambda error: self._could_not_list(endpoint, error),
        )

    def _say_waiting(self) -> None:
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
            self.list_failed.emit(self._desk.texts().error(error))

    def _choose(self, model: str) -> None:
        model = model.strip()
        if model and model != self._shown:
            self._shown = model
            self.setEditText(model)
            self.chosen.emit(model)


def _place(endpoint: Endpoint | None) -> tuple[str, str | None] | None:
    return (endpoint.id, endpoint.base_url) if endpoint else None
