"""Settings, Privacy: where the data lies, what leaves this computer and when, and the keys."""

from collections.abc import Sequence

from PySide6.QtCore import QEvent, Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from desktop.domain.endpoints import Endpoint, EndpointKind
from desktop.settings.settings import Settings
from desktop.ui.dialogs.dialog_tasks import Errands
from desktop.ui.dialogs.folders import FolderRow, Folders
from desktop.ui.dialogs.model_services import ModelDesk
from desktop.ui.dialogs.settings.data_disclosure import Leaving, stays_here, what_reaches
from desktop.ui.dialogs.settings.endpoint_presets import place_of
from desktop.ui.dialogs.settings.key_field import KeyState, key_state
from desktop.ui.dialogs.settings.settings_controller import SettingsChanges
from desktop.ui.dialogs.settings.settings_page import KeptPage
from desktop.ui.theme.tokens import Space
from desktop.ui.widgets.buttons import Button
from desktop.ui.widgets.labels import BodyLabel, HintLabel, SectionLabel


class PrivacyPage(KeptPage):
    def __init__(
        self,
        changes: SettingsChanges,
        desk: ModelDesk,
        folders: Folders,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(changes, parent)
        self._desk = desk
        self._folders = folders
        self._errands = Errands(desk.bridge, self)
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
        """Keys may have come or gone since the page was last seen."""
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
        self._say_what_leaves(self._changes.settings)
        self._say_keys()

    def _say_what_leaves(self, settings: Settings) -> None:
        settings = self._desk.in_force(settings)
        reached = what_reaches(settings)
        parts = [
            self._what_goes_to(endpoint, reached[endpoint.id])
            for endpoint in settings.endpoints
            if endpoint.id in reached
        ]
        self._leaves_words.setText(
            "\n\n".join(parts)
            or self.tr("Nothing. No model is connected; answers are found on this computer.")
        )

    def _what_goes_to(self, endpoint: Endpoint, leaving: frozenset[Leaving]) -> str:
        name, place = endpoint.name, place_of(endpoint)
        if stays_here(endpoint):
            return self.tr("{name} runs on this computer; what it gets stays here.").format(
                name=name
            )
        words = {
            Leaving.QUESTIONS: self.tr("each question, with its session, when you send it"),
            Leaving.STEPS: self.tr("small steps while answering"),
            Leaving.DEEP: self.tr("each deep question, with its session and what is read for it"),
            Leaving.ENDED: self.tr("each session once, when it ends, for its title and summary"),
            Leaving.OLDER: self.tr("the older half of a session that becomes too long"),
        }
        head = self.tr("{name} ({place}) gets:").format(name=name, place=place)
        return "\n".join([head, *(f"•  {words[each]}" for each in Leaving if each in leaving)])

    def _show(self, settings: Settings) -> None:
        self._say_what_leaves(settings)
        if settings.endpoints == self._shown or not self.isVisible():
            return
        self._shown = settings.endpoints
        endpoints = [each for each in settings.endpoints if each.kind is not EndpointKind.GGUF]
        self._errands.run(
            lambda: [(each, key_state(self._desk.keys, each.id)) for each in endpoints],
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
        self._say_keys()

    def _say_keys(self) -> None:
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
        self._errands.run(
            lambda: self._desk.keys.delete(endpoint.id),
            settled=lambda: self._show_keys(
                [each for each in self._states if each[0] != endpoint]
            ),
        )


class _KeyRow(QWidget):
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

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange:
            self.retranslate()
        super().changeEvent(event)
