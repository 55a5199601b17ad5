"""Settings, Models: the connections there are, adding one, and who uses what."""

from pathlib import Path

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QMenu, QVBoxLayout, QWidget

from desktop.domain.endpoints import Endpoint, ModelRole
from desktop.llm.endpoints import PRESETS, gguf_endpoint
from desktop.settings.settings import Settings
from desktop.ui.dialogs.files import ModelFileDialog
from desktop.ui.dialogs.model_services import ModelDesk
from desktop.ui.dialogs.settings.endpoint_presets import OTHER_SERVER, place_of, under_own_id
from desktop.ui.dialogs.settings.roles_form import RolesForm
from desktop.ui.dialogs.settings.settings_controller import SettingsChanges, with_endpoint
from desktop.ui.dialogs.settings.settings_page import KeptPage
from desktop.ui.theme.tokens import Space
from desktop.ui.widgets.buttons import Button
from desktop.ui.widgets.labels import BodyLabel, HintLabel, SectionLabel


class ModelsPage(KeptPage):
    endpoint_asked = Signal(object)  # Endpoint

    def __init__(
        self, changes: SettingsChanges, desk: ModelDesk, parent: QWidget | None = None
    ) -> None:
        super().__init__(changes, parent)
        self._shown: tuple[Endpoint, ...] | None = None
        self._desk = desk
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
        self._roles_title, self._roles = SectionLabel(), RolesForm(self._changes, self._desk)
        self._in_force, self._environment = self._desk.in_force, HintLabel()
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
        self._say_environment(self._changes.settings)

    def _say_environment(self, settings: Settings) -> None:
        """The environment stands over what is chosen here, and that must not be a riddle."""
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
        self._say_environment(settings)
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
        own = under_own_id(endpoint, self._changes.settings.endpoints)
        self._changes.put(with_endpoint(self._changes.settings, own))
        self.endpoint_asked.emit(own)


class _ConnectionRow(QFrame):
    """One connection: its name, where it is, and the way to its page."""

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
        self._place.setText(place_of(self._endpoint))
        self._edit.setText(self.tr("Edit"))
        self._edit.setAccessibleName(
            self.tr("Edit {connection}").format(connection=self._endpoint.name)
        )

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.LanguageChange:
            self.retranslate()
        super().changeEvent(event)
