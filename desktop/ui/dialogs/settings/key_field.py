"""The key of an endpoint: kept as soon as it is typed or pasted, and it is said where."""

from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import QEvent, Signal
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from desktop.domain.endpoints import EndpointId
from desktop.settings.keys import Kept, KeyStore
from desktop.ui.dialogs.dialog_tasks import Errands, nothing
from desktop.ui.dialogs.model_services import ModelDesk
from desktop.ui.dialogs.secret_field import KeyLine
from desktop.ui.theme.tokens import Space
from desktop.ui.widgets.buttons import Button
from desktop.ui.widgets.labels import HintLabel


@dataclass(frozen=True, slots=True)
class KeyState:
    has_key: bool
    is_lasting: bool
    """Whether a key put here is still there at the next start."""


def key_state(keys: KeyStore, endpoint_id: EndpointId) -> KeyState:
    """On a worker."""
    return KeyState(keys.get(endpoint_id) is not None, keys.is_lasting)


class KeyField(QWidget):
    key_changed = Signal()

    def __init__(self, desk: ModelDesk, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._keys = desk.keys
        self._errands = Errands(desk.bridge, self)
        self._endpoint_id: EndpointId | None = None
        self._state: KeyState | None = None
        self._build()
        self._connect()
        self.retranslate()

    def _build(self) -> None:
        self._line, self._delete, self._hint = KeyLine(), Button(), HintLabel()
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
        self._line.line.editingFinished.connect(lambda: self.keep(nothing))
        self._delete.clicked.connect(self._delete_key)

    def say_first(self, hint: HintLabel) -> None:
        """What goes before where the key is kept: whether one is needed at all."""
        self._column.insertWidget(1, hint)

    def retranslate(self) -> None:
        self._delete.setText(self.tr("Delete key"))
        self._say()

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange:
            self.retranslate()
        super().changeEvent(event)

    def show_endpoint(self, endpoint_id: EndpointId) -> None:
        self._endpoint_id = endpoint_id
        self._line.clear()
        self._show(None)
        self._errands.run(
            lambda: (endpoint_id, key_state(self._keys, endpoint_id)), self._show_found
        )

    def keep(self, then: Callable[[], None]) -> None:
        """Keep what stands in the field, if anything; `then` comes after the key is in use."""
        endpoint_id, key = self._endpoint_id, self._line.key
        if endpoint_id is None or not key:
            then()
            return
        self._line.clear()
        self._errands.run(lambda: self._keys.put(endpoint_id, key), self._show_kept, settled=then)

    def _show_found(self, found: tuple[EndpointId, KeyState]) -> None:
        if found[0] == self._endpoint_id:
            self._show(found[1])

    def _show_kept(self, kept: Kept) -> None:
        self._show(KeyState(has_key=True, is_lasting=kept is Kept.KEYRING))
        self.key_changed.emit()

    def _delete_key(self) -> None:
        if (endpoint_id := self._endpoint_id) is not None:
            self._errands.run(
                lambda: self._keys.delete(endpoint_id), lambda _: self._show_deleted()
            )

    def _show_deleted(self) -> None:
        is_lasting = self._state.is_lasting if self._state else False
        self._show(KeyState(has_key=False, is_lasting=is_lasting))
        self.key_changed.emit()

    def _show(self, state: KeyState | None) -> None:
        self._state = state
        self._delete.setVisible(state is not None and state.has_key)
        self._say()

    def _say(self) -> None:
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
