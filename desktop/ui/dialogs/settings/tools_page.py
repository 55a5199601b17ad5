"""Settings, Tools: which tools a model may call, and which of them ask first."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QWidget

from desktop.settings.settings import Settings, ToolSwitch
from desktop.ui.dialogs.settings.setting_rows import SettingsPage
from desktop.ui.dialogs.settings.settings_controller import SettingsController
from desktop.ui.source_labels import ToolLabels
from desktop.ui.theme.tokens import Space
from desktop.ui.widgets.fields import WrappingCheckBox
from desktop.ui.widgets.labels import BodyLabel, HintLabel
from desktop.ui.widgets.layouts import column, growing, row, widget_with

if TYPE_CHECKING:
    from desktop.research.tools.registry import ListedTool

Listed = Sequence["ListedTool"]


class ToolsPage(SettingsPage):
    def __init__(self, changes: SettingsController, listed: Callable[[], Listed]) -> None:
        """`listed`: the tools in the interface's language; never waits."""
        super().__init__(changes)
        self._labels = ToolLabels(self)
        self.set_title(self.tr("Tools"))
        about = BodyLabel(
            self.tr(
                "What a model can do while it answers, if it supports tools. Each call "
                "appears in the answer's trace. You can require your permission for a "
                "tool."
            )
        )
        about.setProperty("role", "muted")
        self.column.addWidget(about)
        for tool in listed():
            self.column.addWidget(self._tool(tool))
        self.column.addStretch()

    def _tool(self, tool: "ListedTool") -> QWidget:
        is_on, asks = WrappingCheckBox(self._labels.name(tool.name)), WrappingCheckBox()
        is_on.setAccessibleDescription(tool.purpose)
        asks.setText(self.tr("Ask me first"))
        asks.setAccessibleName(self.tr("Ask me first: {purpose}").format(purpose=tool.purpose))
        takes = self.tr("parameters: {parameters}").format(parameters=", ".join(tool.parameters))
        purpose = BodyLabel(tool.purpose)
        detail = HintLabel(f"{tool.name} · {takes}" if tool.parameters else tool.name)
        for words in (purpose, detail):
            words.setProperty("below", "box")

        def apply() -> None:
            switch = ToolSwitch(is_on.isChecked(), asks.isChecked())
            self._apply(tools={**self._changes.settings.tools, tool.name: switch})

        def show(settings: Settings) -> None:
            switch = settings.tools.get(tool.name, ToolSwitch())
            is_on.setChecked(switch.is_on)
            asks.setChecked(switch.asks_first)
            asks.setEnabled(switch.is_on)

        is_on.clicked.connect(apply)
        asks.clicked.connect(apply)
        self.follow(show)
        head = row(growing(is_on), asks, spacing=Space.LARGE)
        return widget_with(column(head, purpose, detail, spacing=Space.TIGHT))
