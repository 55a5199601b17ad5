"""The settings pages that consist of rows only, or hold texts of the user."""

import sys
from collections.abc import Callable, Mapping, Sequence
from itertools import filterfalse

from PySide6.QtCore import QLocale, Qt, Signal
from PySide6.QtGui import QFontDatabase, QKeySequence
from PySide6.QtWidgets import QWidget

from desktop.domain.endpoints import clean_base_url
from desktop.domain.facts import Retention
from desktop.research.tools.tool import Tool
from desktop.research.tools.tool_texts import tool_label
from desktop.research.web.search import PROVIDERS
from desktop.settings.settings import (
    OWN_PERSONA,
    SETTINGS,
    USUAL_PERSONA,
    Settings,
    StandingInstruction,
    ToolSwitch,
)
from desktop.settings.settings_schema import (
    LONGEST_INSTRUCTION,
    LONGEST_VARIABLE,
    MOST_INSTRUCTIONS,
    MOST_VARIABLES,
    RETENTION_HOURS,
)
from desktop.ui.dialogs.form import BackButton
from desktop.ui.i18n import core_texts
from desktop.ui.services import ShippedPhrases
from desktop.ui.settings.setting_rows import EditableTable, SettingsPage, TableRow, parse_hosts
from desktop.ui.settings_controller import PageId, SettingsController
from desktop.ui.theme.tokens import Space
from desktop.ui.timers import make_timer
from desktop.ui.turn_bridge import TurnBridge
from desktop.ui.widgets.buttons import Button
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


_MOST_PHRASES = 1_000
_USUAL_PERSONAS = (USUAL_PERSONA, "butler", "editor", "teacher")


class InstructionsPage(SettingsPage):
    def __init__(
        self, changes: SettingsController, personas: Callable[[], Mapping[str, str]]
    ) -> None:
        """`personas` returns their texts by name, in the language of the window."""
        super().__init__(changes, PageId.INSTRUCTIONS)
        self._personas = personas()
        self._persona_text = HintLabel()
        # The usual ones come first, in this order.
        usual = [name for name in _USUAL_PERSONAS if name in self._personas]
        names = dict.fromkeys((*usual, *self._personas, OWN_PERSONA))
        named = {name: self.words.say_or_empty(f"persona.{name}") or name for name in names}
        self.add_rows(
            after={"persona": lambda: self.add_below(self._persona_text)},
            choices={"persona": named},
        )
        self.follow(self._show_persona)
        self.table = EditableTable(
            [self.tr("New, e.g. “Answer in at most five sentences”")],
            lambda _, text: len(text) <= LONGEST_INSTRUCTION,
            self.tr("An instruction can have at most 1,000 characters."),
            most=MOST_INSTRUCTIONS,
            is_checkable=True,
            is_ordered=True,
        )
        self.add_table(
            self.table,
            self.tr("Instructions for every session"),
            self.tr(
                "Rules that the model follows in every session. A rule that is turned off stays "
                "in the list but is not sent."
            ),
            lambda settings: [
                TableRow((instruction.text,), instruction.is_on)
                for instruction in settings.instructions
            ],
            lambda rows: {
                "instructions": tuple(StandingInstruction(row.texts[0], row.is_on) for row in rows)
            },
        )
        self.column.addStretch()

    def _show_persona(self, settings: Settings) -> None:
        self._persona_text.set_text(self._personas.get(settings.persona, ""))
        self._form.show_row(self.field("own_persona"), is_shown=settings.persona == OWN_PERSONA)


_HOURS = 1  # the column of hours


class MemoryPage(SettingsPage):
    memory_asked = Signal()

    def __init__(self, changes: SettingsController) -> None:
        super().__init__(changes, PageId.MEMORY)
        self._open = Button(text=self.tr("&Open memory…"), press=self.memory_asked.emit)
        self.column.addWidget(self._open, 0, Qt.AlignmentFlag.AlignLeft)
        self.add_rows()
        self._add_variables()
        self._add_retention()
        self.column.addStretch()

    def _add_variables(self) -> None:
        self.variables = EditableTable(
            (self.tr("New, e.g. Profession"), self.tr("e.g. Physician")),
            lambda _, text: len(text) <= LONGEST_VARIABLE,
            self.tr("You can add up to {count} values of up to {length} characters each.").format(
                count=MOST_VARIABLES, length=LONGEST_VARIABLE
            ),
            most=MOST_VARIABLES,
        )
        self.variables.setHorizontalHeaderLabels([self.tr("Name"), self.tr("Value")])
        self.add_table(
            self.variables,
            self.tr("About you"),
            self.tr(
                "Details sent with every question, such as your name, your profession or the "
                "units you prefer."
            ),
            lambda settings: map(TableRow, settings.variables.items()),
            lambda rows: {"variables": {row.texts[0]: row.texts[1] for row in rows}},
        )

    def _add_retention(self) -> None:
        hints = (self.tr("New, e.g. health*"), self.tr("e.g. 720"))
        refusal = self.tr("Enter a number of hours from {least} to {most}.").format(
            least=RETENTION_HOURS.start, most=RETENTION_HOURS.stop - 1
        )
        self.retention = EditableTable(
            hints, lambda column, text: column != _HOURS or _are_hours(text), refusal
        )
        self.retention.setHorizontalHeaderLabels([self.tr("Topic"), self.tr("Hours")])
        self.add_table(
            self.retention,
            self.tr("Fact lifetime"),
            self.tr(
                "After 48 hours, a fact of importance 7 or less is sent only with related "
                "questions. You can set a different time for a topic, also for important facts. "
                "In a topic, * matches any letters. The first matching row applies."
            ),
            lambda settings: [
                TableRow((retention.pattern, str(retention.hours)))
                for retention in settings.retention
            ],
            lambda rows: {
                "retention": tuple(Retention(row.texts[0], int(row.texts[1])) for row in rows)
            },
        )


def _are_hours(text: str) -> bool:
    return text.isascii() and text.isdigit() and int(text) in RETENTION_HOURS


class PhrasesPage(SettingsPage):
    left = Signal()

    def __init__(self, changes: SettingsController, shipped: ShippedPhrases) -> None:
        super().__init__(changes, PageId.PHRASES)
        back = BackButton(self.tr("Sessions"))
        back.clicked.connect(self.left)
        self.column.insertWidget(0, back, 0, Qt.AlignmentFlag.AlignLeft)
        syntax = self.tr(
            "Capitalisation is ignored. An asterisk at the end of a word matches any ending; … on "
            "its own matches one to three words. Phrases that are turned off are ignored."
        )
        self.column.addWidget(HintLabel(syntax))
        self.ends = self._table(
            "own_end_phrases",
            shipped.ends,
            self.tr("End the session"),
            self.tr("A message that contains only this phrase ends the session."),
        )
        self.new_topics = self._table(
            "own_new_topic_phrases",
            shipped.new_topics,
            self.tr("Start a new topic"),
            self.tr(
                "A message that starts with this phrase ends the session. The rest of the "
                "message starts a new session."
            ),
        )

    def _table(self, setting: str, shipped: Sequence[str], title: str, hint: str) -> EditableTable:

        def read(settings: Settings) -> list[TableRow]:
            own: tuple[str, ...] = getattr(settings, setting)
            ignored = settings.ignored_phrases
            return [TableRow((phrase,), phrase not in ignored) for phrase in (*shipped, *own)]

        def write(rows: Sequence[TableRow]) -> Mapping[str, object]:
            counting = {row.texts[0]: row.is_on for row in rows}
            own = [phrase for phrase in counting if phrase not in shipped]
            here = {*shipped, *own}
            ignored = [
                phrase for phrase in self._changes.settings.ignored_phrases if phrase not in here
            ]
            ignored += [phrase for phrase in (*shipped, *own) if not counting.get(phrase)]
            return {setting: tuple(own), "ignored_phrases": tuple(ignored)}

        made = EditableTable(
            [self.tr("New, e.g. “that’s it”")],
            lambda _, text: text not in [row.texts[0] for row in read(self._changes.settings)],
            self.tr("This phrase is already in the list."),
            most=_MOST_PHRASES,
            is_checkable=True,
        )
        self.add_table(made, title, hint, read, write)
        return made
