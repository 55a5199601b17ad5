"""Settings, Privacy: where the data is, what leaves this computer and when, and the keys."""

from collections.abc import Mapping, Sequence
from enum import StrEnum

from PySide6.QtCore import Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from desktop.domain.endpoints import Endpoint, EndpointId, EndpointKind, ModelRole
from desktop.llm.connection import is_loopback
from desktop.settings.settings import Overflow, Settings
from desktop.ui.dialogs.endpoint_setup import ModelServices, endpoint_address
from desktop.ui.dialogs.form import DialogTasks, FolderRow, Folders
from desktop.ui.dialogs.settings.endpoint_fields import KeyState, read_key_state
from desktop.ui.dialogs.settings.setting_rows import SettingsPage
from desktop.ui.dialogs.settings.settings_controller import SettingsController
from desktop.ui.i18n import TranslatedWidget
from desktop.ui.theme.tokens import Space
from desktop.ui.widgets.buttons import Button
from desktop.ui.widgets.labels import BodyLabel, HintLabel, SectionLabel


class DisclosedData(StrEnum):
    QUESTIONS = "questions"
    """Each with the whole of its session, when it is sent."""
    STEPS = "steps"
    """Small steps while answering."""
    DEEP = "deep"
    """Deep questions, each with the whole of its session, and what is read for them."""
    ENDED = "ended"
    """A session, once, when it ends, for its title and summary."""
    OLDER = "older"
    """The older half of a session that grows too long, to be summarised."""


def disclosed_data(settings: Settings) -> Mapping[EndpointId, frozenset[DisclosedData]]:
    """By endpoint. Endpoints that no role uses are left out."""
    used = {
        ModelRole.ANSWERING: {DisclosedData.QUESTIONS},
        ModelRole.QUICK: {DisclosedData.STEPS},
        # Where nobody else is chosen for them they are questions as all others are.
        ModelRole.DEEP: {DisclosedData.DEEP} if ModelRole.DEEP in settings.roles else set(),
        ModelRole.SUMMARISING: {
            *([DisclosedData.ENDED] if settings.describes_with_model else []),
            *([DisclosedData.OLDER] if settings.overflow is Overflow.SUMMARISE else []),
        },
    }
    reached: dict[EndpointId, frozenset[DisclosedData]] = {}
    for role, leaving in used.items():
        choice = settings.roles.get(role) or settings.roles.get(ModelRole.ANSWERING)
        if choice is not None and leaving:
            known = reached.get(choice.endpoint_id, frozenset())
            reached[choice.endpoint_id] = known | leaving
    return reached


def runs_locally(endpoint: Endpoint) -> bool:
    """Whether the model runs on this computer."""
    match endpoint.kind:
        case EndpointKind.GGUF:
            return True
        case EndpointKind.SERVER:
            return is_loopback(endpoint.base_url or "")
        case EndpointKind.ANTHROPIC:
            return False


class PrivacyPage(SettingsPage):
    def __init__(
        self,
        changes: SettingsController,
        services: ModelServices,
        folders: Folders,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(changes, parent)
        self._services = services
        self._folders = folders
        self._tasks = DialogTasks(services.bridge, self)
        self._shown: tuple[Endpoint, ...] | None = None
        self._states: tuple[tuple[Endpoint, KeyState], ...] = ()
        self._begin()

    def _build(self) -> None:
        self._data, self._data_hint = SectionLabel(), HintLabel()
        self._places = (
            FolderRow(self._folders.data),
            FolderRow(self._folders.settings),
            FolderRow(self._folders.logs),
        )
        self._leaves, self._leaves_words = SectionLabel(), BodyLabel()
        self._keys, self._keys_words = SectionLabel(), HintLabel()
        self._key_rows = QVBoxLayout()
        self._key_rows.setSpacing(Space.SMALL)
        self._silence, self._silence_words = SectionLabel(), BodyLabel()
        for group in (
            (self._data, self._data_hint, *self._places),
            (self._leaves, self._leaves_words),
            (self._silence, self._silence_words),
            (self._keys, self._keys_words),
        ):
            column = QVBoxLayout()
            column.setSpacing(Space.SMALL)
            for widget in group:
                column.addWidget(widget)
            self.column.addLayout(column)
        self.column.addLayout(self._key_rows)
        self.column.addStretch()

    def showEvent(self, event: QShowEvent) -> None:
        """Read the keys again; they may have changed since."""
        super().showEvent(event)
        self._shown = None
        self._show(self._changes.settings)

    def retranslate(self) -> None:
        self.title.setText(self.tr("Privacy"))
        self._data.setText(self.tr("Where your data is"))
        self._data_hint.setText(
            self.tr("Only on this computer, in files you can copy and delete.")
        )
        names = (
            self.tr("Sessions"),
            self.tr("Settings"),
            self.tr("Log (does not contain your words)"),
        )
        for row, name in zip(self._places, names, strict=True):
            row.set_name(name)
        self._leaves.setText(self.tr("What leaves this computer, and when"))
        self._silence.setText(self.tr("What never leaves it"))
        self._silence_words.setText(
            self.tr(
                "No statistics, no crash reports, no update checks. Bellek opens no "
                "connection you did not ask for."
            )
        )
        self._keys.setText(self.tr("Keys"))
        self._show_disclosure(self._changes.settings)
        self._show_key_storage()

    def _show_disclosure(self, settings: Settings) -> None:
        settings = self._services.in_force(settings)
        reached = disclosed_data(settings)
        parts = [
            self._disclosure(endpoint, reached[endpoint.id])
            for endpoint in settings.endpoints
            if endpoint.id in reached
        ]
        self._leaves_words.setText(
            "\n\n".join(parts)
            or self.tr("Nothing. No model is connected; answers are found on this computer.")
        )

    def _disclosure(self, endpoint: Endpoint, leaving: frozenset[DisclosedData]) -> str:
        name, place = endpoint.name, endpoint_address(endpoint)
        if runs_locally(endpoint):
            return self.tr("{name} runs on this computer; what it gets stays here.").format(
                name=name
            )
        words = {
            DisclosedData.QUESTIONS: self.tr("each question, with its session, when you send it"),
            DisclosedData.STEPS: self.tr("small steps while answering"),
            DisclosedData.DEEP: self.tr(
                "each deep question, with its session and what is read for it"
            ),
            DisclosedData.ENDED: self.tr(
                "each session once, when it ends, for its title and summary"
            ),
            DisclosedData.OLDER: self.tr("the older half of a session that becomes too long"),
        }
        head = self.tr("{name} ({place}) gets:").format(name=name, place=place)
        return "\n".join(
            [head, *(f"•  {words[each]}" for each in DisclosedData if each in leaving)]
        )

    def _show(self, settings: Settings) -> None:
        self._show_disclosure(settings)
        if settings.endpoints == self._shown or not self.isVisible():
            return
        self._shown = settings.endpoints
        endpoints = [each for each in settings.endpoints if each.kind is not EndpointKind.GGUF]
        self._tasks.run(
            lambda: [(each, read_key_state(self._services.keys, each.id)) for each in endpoints],
            self._show_keys,
        )

    def _show_keys(self, states: Sequence[tuple[Endpoint, KeyState]]) -> None:
        self._states = tuple(states)
        while item := self._key_rows.takeAt(0):
            if widget := item.widget():
                widget.deleteLater()
        for endpoint, state in states:
            if state.has_key:
                row = _KeyRow(endpoint)
                row.delete_asked.connect(self._delete_key)
                self._key_rows.addWidget(row)
        self._show_key_storage()

    def _show_key_storage(self) -> None:
        kept = [state for _, state in self._states if state.has_key]
        if not kept:
            self._keys_words.setText(self.tr("No key is saved."))
        elif all(state.is_lasting for state in kept):
            self._keys_words.setText(self.tr("Stored in the system's keyring, never in a file."))
        else:
            self._keys_words.setText(
                self.tr(
                    "Kept only while Bellek is open: no usable keyring was found. Never "
                    "written to a file."
                )
            )

    def _delete_key(self, endpoint: Endpoint) -> None:
        self._tasks.run(
            lambda: self._services.keys.delete(endpoint.id),
            settled=lambda: self._show_keys(
                [each for each in self._states if each[0] != endpoint]
            ),
        )


class _KeyRow(TranslatedWidget, QWidget):
    delete_asked = Signal(object)  # Endpoint

    def __init__(self, endpoint: Endpoint, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._endpoint = endpoint
        name, self._delete = BodyLabel(), Button()
        name.setText(endpoint.name)
        self._delete.clicked.connect(lambda: self.delete_asked.emit(self._endpoint))
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.addWidget(name, 1)
        row.addWidget(self._delete)
        self.retranslate()

    def retranslate(self) -> None:
        self._delete.setText(self.tr("Delete key"))
        self._delete.setAccessibleName(
            self.tr("Delete the key of {connection}").format(connection=self._endpoint.name)
        )
