"""The settings pages General, Sessions, Research and Tools, which consist of rows only."""

import sys
from collections.abc import Callable, Sequence
from itertools import filterfalse
from typing import TYPE_CHECKING

from PySide6.QtCore import QLocale, Signal
from PySide6.QtGui import QFontDatabase, QKeySequence
from PySide6.QtWidgets import QLineEdit, QWidget

from desktop.domain.endpoints import clean_base_url
from desktop.research.web.search import PROVIDERS, SearchProvider
from desktop.settings.messages import Texts
from desktop.settings.settings import (
    QUICK_KEYS,
    Consent,
    DiaryMode,
    LineSpacing,
    Overflow,
    Settings,
    TextWidth,
    Theme,
    ToolSwitch,
    UiLanguage,
)
from desktop.settings.settings_schema import (
    DEEP_CENTS,
    DEEP_FETCHES,
    DEEP_MINUTES,
    DEEP_SEARCHES,
    DEEP_TOKENS,
    LOCK_MINUTES,
)
from desktop.ui.dialogs.settings.setting_rows import SettingsPage
from desktop.ui.dialogs.settings.settings_controller import SettingsController
from desktop.ui.i18n import core_texts
from desktop.ui.theme.theme import MAX_ZOOM, MIN_ZOOM, ZOOM_STEP
from desktop.ui.theme.tokens import Space
from desktop.ui.timers import make_timer
from desktop.ui.turn_bridge import TurnBridge
from desktop.ui.widgets.fields import (
    EnumComboBox,
    MoneyField,
    NumberField,
    RadioGroup,
    WrappingCheckBox,
)
from desktop.ui.widgets.layouts import column, growing, row, widget_with
from desktop.ui.widgets.plain_text import BodyLabel, HintLabel

if TYPE_CHECKING:
    from desktop.research.tools.registry import ListedTool

_NATIVE = QKeySequence.SequenceFormat.NativeText
_ZOOM_PERCENT = range(MIN_ZOOM, MAX_ZOOM + 1, ZOOM_STEP)
_IDLE_MINUTES = range(1, 24 * 60 + 1, 5)
_SHARE_PERCENT = range(40, 96, 5)
_IMPORT_TOKENS = range(0, 100_000_001, 50_000)
_SPENT_MS = 1_000
_THOUSAND = 1_000


class GeneralPage(SettingsPage):
    def __init__(self, changes: SettingsController) -> None:
        super().__init__(changes)
        self.set_title(self.tr("General"))
        # A language is named in its own language, so that anyone can find it.
        languages = EnumComboBox(
            tuple(UiLanguage), names=(self.tr("Same as system"), "Türkçe", "English")
        )
        # Choosing the same language again overrules the command line.
        languages.chosen.connect(changes.choose_language)
        themes = (self.tr("Same as system"), self.tr("Light"), self.tr("Dark"))
        self.add_row(
            "language",
            languages,
            self.tr("&Language"),
            self.tr(
                "Language of the window. Answers are written in the language of the question."
            ),
        )
        self.add_row("theme", EnumComboBox(tuple(Theme), names=themes), self.tr("&Theme"))
        self.add_row(
            "zoom_percent",
            NumberField(_ZOOM_PERCENT, self.tr("{percent}%")),
            self.tr("&Zoom"),
            self.tr("Size of all text in the window."),
        )
        fonts = ("", *filterfalse(QFontDatabase.isPrivateFamily, QFontDatabase.families()))
        self.add_row(
            "font_family",
            EnumComboBox(fonts, names=(self.tr("Same as system"), *fonts[1:])),
            self.tr("Conversation &font"),
        )
        widths = (self.tr("Narrow"), self.tr("Medium"), self.tr("Wide"))
        self.add_row(
            "text_width", EnumComboBox(tuple(TextWidth), names=widths), self.tr("Text &width")
        )
        spacings = (self.tr("Compact"), self.tr("Normal"), self.tr("Relaxed"))
        self.add_row(
            "line_spacing",
            EnumComboBox(tuple(LineSpacing), names=spacings),
            self.tr("Line s&pacing"),
        )
        self._add_desktop()
        self.add_row(
            "lock_minutes",
            NumberField(LOCK_MINUTES, self.tr("{minutes} minutes"), self.tr("Never")),
            self.tr("Loc&k when idle for"),
            self.tr(
                "Only for a profile with a passphrase (File > Passphrase). The profile also "
                "locks when the computer sleeps or its screen is locked (tested on Linux "
                "only)."
            ),
        )
        self.add_section(self.tr("Past sessions"))
        self.add_switch(
            "suggests_sessions",
            self.tr("S&uggest related sessions as I type"),
            self.tr(
                "Suggestions appear above the message field. The search runs on this computer, "
                "and nothing is sent."
            ),
        )
        self.add_switch(
            "searches_by_meaning",
            self.tr("Also search by &meaning"),
            self.tr(
                "Uses a small model on this computer. Nothing is sent. When search by meaning is "
                "off, the model does not run."
            ),
            is_close=True,
        )
        self.add_switch(
            "keeps_searches",
            self.tr("Remember &recent searches"),
            self.tr("Turning off this setting clears the recent searches immediately."),
            is_close=True,
        )
        self.column.addWidget(self._form)
        self.column.addStretch()

    def _add_desktop(self) -> None:
        self.add_section(self.tr("Desktop"))
        self.add_switch(
            "notifies",
            self.tr("&Notify me when a long answer finishes or needs me"),
            self.tr(
                "Only while another program is in front. The notification shows none of your text."
            ),
        )
        self.add_switch("has_tray", self.tr("Show an &icon in the tray"), is_close=True)
        in_tray = {
            "closes_to_tray": self.tr("K&eep running in the tray when the window is closed"),
            "starts_with_system": self.tr("Start with the &system, in the tray"),
        }
        for name, text in in_tray.items():
            self.add_switch(name, text, is_close=True)

        if sys.platform != "darwin":
            named = [QKeySequence(one).toString(_NATIVE) for one in QUICK_KEYS]
            self.add_row(
                "quick_key",
                EnumComboBox(("", *QUICK_KEYS), names=(self.tr("None"), *named)),
                self.tr("&Quick-question shortcut"),
                self.tr("Opens a quick question even while another program is in front."),
            )

        def show(settings: Settings) -> None:
            for name in in_tray:
                for box in self._form.findChildren(QWidget, name):
                    box.setEnabled(settings.has_tray)

        self.follow(show)


class SessionsPage(SettingsPage):
    phrases_asked = Signal()

    def __init__(
        self, changes: SettingsController, bridge: TurnBridge, spent_on_imports: Callable[[], int]
    ) -> None:
        """`spent_on_imports` returns tokens and is called on a worker of the bridge."""
        super().__init__(changes)
        self._spent_on_imports = spent_on_imports
        self._spent_hint = HintLabel()
        self._bridge = bridge
        self._poll = make_timer(self, _SPENT_MS, is_single=True)
        self._poll.timeout.connect(self._load_spent)
        self.set_title(self.tr("Sessions"))
        self._add_end()
        self._add_overflow()
        self._add_description()
        self._add_diary()
        self._add_old_sessions()
        self.column.addWidget(self._form)
        self.column.addStretch()
        self._show_spent(0)
        self._load_spent()

    def _add_end(self) -> None:
        self.add_section(self.tr("Ending a session"))
        self.add_row(
            "idle_minutes",
            NumberField(_IDLE_MINUTES, self.tr("{minutes} minutes")),
            self.tr("&Idle for"),
            self.tr("A session does not end while an answer is being written or you are typing."),
        )
        self.add_switch(
            "detects_thanks",
            self.tr("End the session when I &say so"),
            self.tr(
                "Such as “Thanks, that’s all” or “new topic”. A notice lets you keep the session."
            ),
        )
        phrases = self.add_button(self.tr("Edit the &phrases…"), self.phrases_asked.emit)
        self.follow(lambda settings: phrases.setEnabled(settings.detects_thanks))
        self.add_switch(
            "detects_subject_change",
            self.tr("New session when I change the su&bject"),
            self.tr("Follow-up questions stay in the session. A notice lets you undo the split."),
        )

    def _add_overflow(self) -> None:
        reactions = (
            (
                self.tr("Summa&rise the older half"),
                self.tr("The rest is sent to the model word for word."),
            ),
            (
                self.tr("Keep the last &20 exchanges"),
                self.tr("The model no longer sees earlier messages. They stay on your disk."),
            ),
            (
                self.tr("&End the session"),
                self.tr(
                    "The session is saved and can be searched. You continue in a new session."
                ),
            ),
        )
        self.add_section(self.tr("Long sessions"))
        self.add_row(
            "overflow_share",
            NumberField(_SHARE_PERCENT, self.tr("{percent}%"), unit=0.01),
            self.tr("T&hreshold"),
            self.tr(
                "Bellek acts when a session fills this percentage of the model’s context window."
            ),
        )
        self.add_row("overflow", RadioGroup(tuple(Overflow), reactions))

    def _add_description(self) -> None:
        writers = (
            (
                self.tr("Written by the &model for summaries"),
                self.tr("Each session is sent to the model once, when it ends."),
            ),
            (
                self.tr("Extracted on this &computer"),
                self.tr("Nothing is sent. The words come from the session itself."),
            ),
        )
        tokens = NumberField(
            _IMPORT_TOKENS, self.tr("At most {tokens} tokens"), self.tr("Not sent to the model")
        )
        self.add_section(self.tr("Title, summary and topics"))
        self.add_row("describes_with_model", RadioGroup((True, False), writers))
        self.add_row("import_tokens", tokens, self.tr("Imp&orted sessions"), is_close=True)
        self._form.add_below(self._spent_hint)
        self.follow(lambda settings: tokens.setEnabled(settings.describes_with_model))

    def _add_diary(self) -> None:
        names = (self.tr("Off"), self.tr("Only open items"), self.tr("Full entries"))
        self.add_section(self.tr("Diary"))
        self.add_row(
            "diary",
            EnumComboBox(tuple(DiaryMode), names=names),
            self.tr("&Keep"),
            self.tr(
                "Bellek writes an entry for each day with a session when the day is over. Open "
                "items are open questions and next steps."
            ),
        )
        self.add_switch(
            "recalls_whole_diary",
            self.tr("Use whole diary entries in answers"),
            self.tr("When this setting is off, only an entry’s first sentence is used."),
        )

    def _add_old_sessions(self) -> None:
        self.add_section(self.tr("Old sessions"))
        self.add_row(
            "housekeeping",
            EnumComboBox(
                tuple(Consent),
                names=(self.tr("Ask me first"), self.tr("Automatically"), self.tr("Never")),
            ),
            self.tr("Archi&ve"),
            self.tr(
                "Sessions not used for 90 days leave the list unless pinned. You can still find "
                "them, and continuing one brings it back. After 30 days, long sessions also get a "
                "short summary. Nothing is deleted."
            ),
        )

    def _load_spent(self) -> None:
        self._bridge.run(self._spent_on_imports, self._show_spent, settled=self._poll.start)

    def _show_spent(self, tokens: int) -> None:
        spent = self.tr(
            "The model for summaries describes imported sessions in the background, up to this "
            "limit. {spent} tokens have been used so far."
        )
        self._spent_hint.setText(spent.format(spent=QLocale().toString(tokens)))


class ResearchPage(SettingsPage):
    contacts_asked = Signal()

    def __init__(self, changes: SettingsController) -> None:
        super().__init__(changes)
        self.set_title(self.tr("Research"))
        self._add_web()
        self._add_permissions()
        self._add_limits()
        self.column.addWidget(self._form)
        self.column.addStretch()

    def _add_web(self) -> None:
        self.add_section(self.tr("Web access"))
        self.add_switch(
            "uses_web",
            self.tr("&Search the web and read pages"),
            self.tr(
                "Off by default. When web access is off, Bellek does not connect to any website. "
                "Pages it has already read stay in your library."
            ),
        )
        self.add_button(self.tr("Contacted addresses…"), self.contacts_asked.emit)
        self.add_switch(
            "uses_endpoint_web",
            self.tr("Use the connection’s own web sea&rch if available"),
            self.tr(
                "Anthropic’s servers can search and read pages instead of this computer. Their "
                "searches cost 10 US dollars per thousand and count towards the limits below."
            ),
        )
        texts = core_texts()
        names = [
            (provider.text("label", texts), provider.text("about", texts))
            for provider in PROVIDERS.values()
        ]
        self.add_row(
            "web_search", RadioGroup(tuple(PROVIDERS), names), self.tr("Search pro&vider")
        )
        for provider in PROVIDERS.values():
            if provider.needs:
                self._add_need(provider, texts)

    def _add_need(self, provider: SearchProvider, texts: Texts) -> None:
        address = QLineEdit()
        label, hint = provider.text("needs", texts), provider.text("needs_about", texts)
        self.add_text(provider.needs, address, label, hint, parse=self._clean_address)
        self.follow(
            lambda settings: self._form.show_row(
                address, is_shown=settings.web_search is provider.name
            )
        )

    def _clean_address(self, text: str) -> str:
        try:
            return clean_base_url(text) if text else ""
        except ValueError as exc:
            problem = self.tr("Enter an address starting with http:// or https://.")
            raise ValueError(problem) from exc

    def _add_permissions(self) -> None:
        self.add_section(self.tr("Site permissions"))
        self.add_hosts(
            "web_only",
            self.tr("Allo&wed sites"),
            self.tr(
                "Enter one site per line, such as example.org. Subdomains are included. Leave "
                "empty to allow all sites."
            ),
        )
        self.add_hosts(
            "web_never", self.tr("&Blocked sites"), self.tr("Pages on these sites are never read.")
        )
        self.add_hosts(
            "web_at_home",
            self.tr("Local networ&k addresses"),
            self.tr(
                "Bellek blocks addresses on your local network so that web pages cannot redirect "
                "to them. The addresses listed here are allowed."
            ),
        )

    def _add_limits(self) -> None:
        thousands = range(DEEP_TOKENS.start // _THOUSAND, DEEP_TOKENS.stop // _THOUSAND + 1, 10)
        cents = range(DEEP_CENTS.start, DEEP_CENTS.stop, 10)
        limits = (
            (
                "deep_tokens",
                self.tr("&Tokens"),
                NumberField(thousands, self.tr("{count} thousand"), unit=_THOUSAND),
            ),
            (
                "deep_cents",
                self.tr("&Cost"),
                MoneyField(cents, self.tr("${amount}"), self.tr("No limit")),
            ),
            ("deep_searches", self.tr("Web s&earches"), NumberField(DEEP_SEARCHES)),
            ("deep_fetches", self.tr("Web &pages"), NumberField(DEEP_FETCHES)),
            (
                "deep_minutes",
                self.tr("T&ime"),
                NumberField(DEEP_MINUTES, self.tr("{count} minutes")),
            ),
        )
        self.add_section(self.tr("Limits for a deep answer"))
        for setting, text, field in limits:
            self.add_row(setting, field, text, is_close=True)
        self.add_note(
            self.tr(
                "When a limit is reached, the research stops and the answer is written from "
                "the results so far. An estimate is shown before the research starts."
            )
        )


Listed = Sequence["ListedTool"]


class ToolsPage(SettingsPage):
    def __init__(self, changes: SettingsController, listed: Callable[[], Listed]) -> None:
        """`listed` returns the tools in the interface's language and never waits."""
        super().__init__(changes)
        self.set_title(self.tr("Tools"))
        about = self.tr(
            "Models that support tools can use the tools below while answering. Each call appears "
            "in the answer’s trace. You can choose to be asked before a tool is used."
        )
        self.column.addWidget(BodyLabel(about, role="muted"))
        for tool in listed():
            self.column.addWidget(self._tool(tool))
        self.column.addStretch()

    def _tool(self, tool: "ListedTool") -> QWidget:
        is_on, asks = WrappingCheckBox(tool.label), WrappingCheckBox()
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
