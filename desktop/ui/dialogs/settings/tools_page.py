"""Settings, Tools: which tools a model may call, and which of them ask first."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from desktop.settings.settings import Settings, ToolSwitch
from desktop.ui.dialogs.form import Page
from desktop.ui.dialogs.settings.settings_controller import SettingsController
from desktop.ui.source_labels import ToolLabels
from desktop.ui.theme.tokens import Space
from desktop.ui.widgets.fields import WrappingCheckBox
from desktop.ui.widgets.labels import BodyLabel, HintLabel

if TYPE_CHECKING:
    from desktop.research.tools.registry import ListedTool

Listed = Sequence["ListedTool"]


class ToolsPage(Page):
    def __init__(
        self,
        changes: SettingsController,
        listed: Callable[[], Listed],
        parent: QWidget | None = None,
    ) -> None:
        """`listed`: the tools in the interface's language; never waits."""
        super().__init__(self.retranslate, parent)
        self._changes = changes
        self._listed = listed
        self._rows: dict[str, _Tool] = {}
        self._about = BodyLabel()
        self._about.setProperty("role", "muted")
        self._list = QVBoxLayout()
        self._list.setSpacing(Space.LARGE)
        self.column.addWidget(self._about)
        self.column.addLayout(self._list)
        self.column.addStretch()
        changes.changed.connect(self._show)
        self.retranslate()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.retranslate()

    def retranslate(self) -> None:
        self.title.setText(self.tr("Tools"))
        self._about.setText(
            self.tr(
                "What a model can do while it answers, if it supports tools. Each call "
                "appears in the answer's trace. You can require your permission for a "
                "tool."
            )
        )
        for tool in self._listed():
            row = self._rows.get(tool.name)
            if row is None:
                row = self._rows[tool.name] = _Tool(tool.name)
                row.switched.connect(self._apply_switch)
                self._list.addWidget(row)
            row.set_texts(tool.purpose, tool.parameters)
        self._show(self._changes.settings)

    def _show(self, settings: Settings) -> None:
        for name, row in self._rows.items():
            row.show_switch(settings.tools.get(name, ToolSwitch()))

    def _apply_switch(self, name: str, switch: ToolSwitch) -> None:
        settings = self._changes.settings
        self._changes.apply(replace(settings, tools={**settings.tools, name: switch}))


class _Tool(QWidget):
    switched = Signal(str, object)
    """Name, ToolSwitch"""

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._name = name
        self._is_on, self._asks = WrappingCheckBox(parent=self), WrappingCheckBox(parent=self)
        self._purpose, self._detail = BodyLabel(self), HintLabel(self)
        for words in (self._purpose, self._detail):
            words.setProperty("below", "box")
        self._words = ToolLabels(self)
        head = QHBoxLayout()
        head.setSpacing(Space.LARGE)
        head.addWidget(self._is_on, 1)
        head.addWidget(self._asks)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(Space.TIGHT)
        column.addLayout(head)
        column.addWidget(self._purpose)
        column.addWidget(self._detail)
        self._is_on.clicked.connect(self._emit_switch)
        self._asks.clicked.connect(self._emit_switch)

    def set_texts(self, purpose: str, parameters: Sequence[str]) -> None:
        self._is_on.setText(self._words.name(self._name))
        self._is_on.setAccessibleDescription(purpose)
        self._purpose.setText(purpose)
        self._asks.setText(self.tr("Ask me first"))
        self._asks.setAccessibleName(self.tr("Ask me first: {purpose}").format(purpose=purpose))
        takes = self.tr("parameters: {parameters}").format(parameters=", ".join(parameters))
        self._detail.setText(" · ".join(filter(None, (self._name, takes if parameters else ""))))

    def show_switch(self, switch: ToolSwitch) -> None:
        self._is_on.setChecked(switch.is_on)
        self._asks.setChecked(switch.asks_first)
        self._asks.setEnabled(switch.is_on)

    def _emit_switch(self) -> None:
        switch = ToolSwitch(self._is_on.isChecked(), self._asks.isChecked())
        self.switched.emit(self._name, switch)
