"""The settings pages General, Sessions, Research and Tools, which consist of rows only."""

import sys
from collections.abc import Callable, Sequence
from itertools import filterfalse

from PySide6.QtCore import QLocale, Signal
from PySide6.QtGui import QFontDatabase, QKeySequence
from PySide6.QtWidgets import QWidget

from desktop.domain.endpoints import clean_base_url
from desktop.research.tools.tool import Tool
from desktop.research.tools.tool_texts import tool_label
from desktop.research.web.search import PROVIDERS
from desktop.settings.settings import SETTINGS, Settings, ToolSwitch
from desktop.ui.i18n import core_texts
from desktop.ui.settings.setting_rows import SettingsPage, parse_hosts
from desktop.ui.settings_controller import PageId, SettingsController
from desktop.ui.theme.tokens import Space
from desktop.ui.timers import make_timer
from desktop.ui.turn_bridge import TurnBridge
from desktop.ui.widgets.fields import EnumComboBox, WrappingCheckBox
from desktop.ui.widgets.layouts import column, growing, row, widget_with
from desktop.ui.widgets.plain_text import BodyLabel, HintLabel

_NATIVE = QKeySequence.SequenceFormat.NativeText
_SPENT_MS = 1_000


class GeneralPage(SettingsPage):
    def __init__(self, changes: SettingsController) -> None:
        super().__init__(changes, PageId.GENERAL)
        fonts = filterfalse(QFontDatabase.isPrivateFamily, QFontDatabase.families())
        keys = {key: QKeySequence(key).toString(_NATIVE) for key in SETTINGS["quick_key"].choices}
        keys[""] = self.words.say("quick_key.none")
        choices = {
            "font_family": {"": self.words.say("font_family.system"), **{f: f for f in fonts}},
            "quick_key": {} if sys.platform == "darwin" else keys,
        }
        self.add_rows(choices=choices)
        self.column.addStretch()
        # Choosing the same language again overrules the command line.
        for language in self.findChildren(EnumComboBox, "language"):
            language.chosen.connect(changes.choose_language)


class SessionsPage(SettingsPage):
    phrases_asked = Signal()

    def __init__(
        self, changes: SettingsController, bridge: TurnBridge, spent_on_imports: Callable[[], int]
    ) -> None:
        """`spent_on_imports` returns tokens and is called on a worker of the bridge."""
        super().__init__(changes, PageId.SESSIONS)
        self._spent_on_imports = spent_on_imports
        self._spent_hint = HintLabel()
        self._bridge = bridge
        self._poll = make_timer(self, _SPENT_MS, self._load_spent, is_single=True)
        self.add_rows(
            after={
                "detects_thanks": self._add_phrases,
                "import_tokens": lambda: self.add_below(self._spent_hint),
            }
        )
        self.column.addStretch()
        self._show_spent(0)
        self._load_spent()

    def _add_phrases(self) -> None:
        phrases = self.add_button(self.tr("Edit the &phrases…"), self.phrases_asked.emit)
        self.follow(lambda settings: phrases.setEnabled(settings.detects_thanks))

    def _load_spent(self) -> None:
        self._bridge.run(self._spent_on_imports, self._show_spent, settled=self._poll.start)

    def _show_spent(self, tokens: int) -> None:
        spent = QLocale().toString(tokens)
        self._spent_hint.setText(self.words.say("import_tokens.spent", spent=spent))


class ResearchPage(SettingsPage):
    contacts_asked = Signal()

    def __init__(self, changes: SettingsController) -> None:
        super().__init__(changes, PageId.RESEARCH)
        hosts = dict.fromkeys(("web_only", "web_never", "web_at_home"), parse_hosts)
        self._needs = {
            search_provider.name: search_provider.needs
            for search_provider in PROVIDERS.values()
            if search_provider.needs
        }
        addresses = dict.fromkeys(self._needs.values(), self._clean_address)
        self.add_rows(
            after={
                "uses_web": lambda: self.add_button(
                    self.tr("Contacted addresses…"), self.contacts_asked.emit
                )
            },
            parse={**hosts, **addresses},
        )
        self.add_below(
            HintLabel(
                self.tr(
                    "When a limit is reached, the research stops and the answer is written from "
                    "the results so far. An estimate is shown before the research starts."
                )
            )
        )
        self.column.addStretch()
        self.follow(self._show_needs)

    def _show_needs(self, settings: Settings) -> None:
        for provider, need in self._needs.items():
            self._form.show_row(self.field(need), is_shown=settings.web_search is provider)

    def _clean_address(self, text: str) -> str:
        try:
            return clean_base_url(text) if text else ""
        except ValueError as exc:
            raise ValueError(self.words.say("rows.no_address")) from exc


class ToolsPage(SettingsPage):
    def __init__(self, changes: SettingsController, tools: Callable[[], Sequence[Tool]]) -> None:
        super().__init__(changes, PageId.TOOLS)
        about = self.tr(
            "Models that support tools can use the tools below while answering. Each call appears "
            "in the answer’s trace. You can choose to be asked before a tool is used."
        )
        self.column.addWidget(BodyLabel(about, role="muted"))
        for tool in tools():
            self.column.addWidget(self._tool(tool))
        self.column.addStretch()

    def _tool(self, tool: Tool) -> QWidget:
        texts = core_texts()
        purpose = texts.say(f"tools.{tool.name}")
        names = ", ".join(parameter.name for parameter in tool.parameters)
        is_on, asks = WrappingCheckBox(tool_label(tool.name, texts)), WrappingCheckBox()
        is_on.setAccessibleDescription(purpose)
        asks.setText(self.tr("Ask me first"))
        asks.setAccessibleName(self.tr("Ask me first: {purpose}").format(purpose=purpose))
        takes = self.tr("parameters: {parameters}").format(parameters=names)
        about = BodyLabel(purpose)
        detail = HintLabel(f"{tool.name} · {takes}" if tool.parameters else tool.name)
        for words in (about, detail):
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
        return widget_with(column(head, about, detail, spacing=Space.TIGHT))
