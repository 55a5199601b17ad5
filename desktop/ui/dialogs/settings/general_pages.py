"""The settings pages General, Sessions and Research, which consist of declared rows."""

from collections.abc import Callable, Sequence

from PySide6.QtCore import QLocale, QTimer, Signal
from PySide6.QtWidgets import QWidget

from desktop.domain.endpoints import clean_base_url
from desktop.settings.settings import Overflow, Settings, Theme, UiLanguage, WebSearch
from desktop.settings.settings_schema import (
    DEEP_CENTS,
    DEEP_FETCHES,
    DEEP_MINUTES,
    DEEP_SEARCHES,
    DEEP_TOKENS,
)
from desktop.ui.dialogs.form import DialogTasks
from desktop.ui.dialogs.settings.setting_rows import (
    ButtonRow,
    ChoiceRow,
    HostsRow,
    NoteRow,
    NumberRow,
    RadioRow,
    RowsPage,
    SectionRow,
    SettingRow,
    SwitchRow,
    TextRow,
)
from desktop.ui.dialogs.settings.settings_controller import SettingsController
from desktop.ui.theme.theme import MAX_ZOOM, MIN_ZOOM, ZOOM_STEP
from desktop.ui.turn_bridge import TurnBridge

_ZOOM_PERCENT = range(MIN_ZOOM, MAX_ZOOM + 1, ZOOM_STEP)
_IDLE_MINUTES = range(1, 24 * 60 + 1, 5)
_SHARE_PERCENT = range(40, 96, 5)
_IMPORT_TOKENS = range(0, 100_000_001, 50_000)
_SPENT_MS = 1_000
_THOUSAND = 1000


class GeneralPage(RowsPage):
    def __init__(self, changes: SettingsController, parent: QWidget | None = None) -> None:
        super().__init__(changes, parent)
        self._begin()

    def heading(self) -> str:
        return self.tr("General")

    def rows(self) -> Sequence[SettingRow]:
        # A language is named in itself, so that whoever is lost finds the way back.
        languages = (self.tr("Same as system"), "Türkçe", "English")
        themes = (self.tr("Same as system"), self.tr("Light"), self.tr("Dark"))
        return [
            ChoiceRow(
                self.tr("&Language"),
                "language",
                tuple(UiLanguage),
                languages,
                self._changes.choose_language,
                hint=self.tr("Language of the window. Answers use the language of the question."),
            ),
            ChoiceRow(self.tr("&Theme"), "theme", tuple(Theme), themes),
            NumberRow(
                self.tr("&Zoom"),
                "zoom_percent",
                _ZOOM_PERCENT,
                self.tr("{percent}%"),
                hint=self.tr("Size of all text in the window."),
            ),
            SectionRow(self.tr("Past sessions")),
            SwitchRow(
                self.tr("S&uggest related sessions as I type"),
                "suggests_sessions",
                hint=self.tr(
                    "Shown above the message field; found on this computer. Nothing is sent."
                ),
            ),
            SwitchRow(
                self.tr("Also search by &meaning"),
                "searches_by_meaning",
                hint=self.tr(
                    "Uses a small model on this computer. Nothing is sent. When off, the "
                    "model is not started."
                ),
                is_close=True,
            ),
            SwitchRow(
                self.tr("Remember &recent searches"),
                "keeps_searches",
                hint=self.tr("Turning this off clears them immediately."),
                is_close=True,
            ),
        ]


class SessionsPage(RowsPage):
    phrases_asked = Signal()

    def __init__(
        self,
        changes: SettingsController,
        bridge: TurnBridge,
        spent_on_imports: Callable[[], int],
        parent: QWidget | None = None,
    ) -> None:
        """`spent_on_imports`: tokens; called on a worker of the bridge."""
        super().__init__(changes, parent)
        self._spent = 0
        self._spent_on_imports = spent_on_imports
        self._tasks = DialogTasks(bridge, self)
        self._poll = QTimer(self, singleShot=True, interval=_SPENT_MS)
        self._poll.timeout.connect(self._load_spent)
        self._begin()
        self._load_spent()

    def heading(self) -> str:
        return self.tr("Sessions")

    def rows(self) -> Sequence[SettingRow]:
        return [*self._end_rows(), *self._overflow_rows(), *self._description_rows()]

    def _end_rows(self) -> Sequence[SettingRow]:
        return [
            SectionRow(self.tr("When a session ends")),
            NumberRow(
                self.tr("&Idle for"),
                "idle_minutes",
                _IDLE_MINUTES,
                self.tr("{minutes} minutes"),
                hint=self.tr("Never while an answer is being written or you are typing."),
            ),
            SwitchRow(
                self.tr("End it when I &say so"),
                "detects_thanks",
                hint=self.tr(
                    "For example “Thanks, that's all” or “new topic”. You can undo it from "
                    "the notice."
                ),
            ),
            ButtonRow(
                self.tr("Edit the &phrases…"),
                self.phrases_asked.emit,
                is_close=True,
                is_enabled=lambda settings: settings.detects_thanks,
            ),
            SwitchRow(
                self.tr("Start a new one when I change the su&bject"),
                "detects_subject_change",
                hint=self.tr(
                    "Follow-up questions stay in the session. You can undo it from the notice."
                ),
            ),
        ]

    def _overflow_rows(self) -> Sequence[SettingRow]:
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
                self.tr("It is saved and searchable; you continue in a new one."),
            ),
        )
        return [
            SectionRow(self.tr("When a session becomes too long for the model")),
            NumberRow(
                self.tr("&Act at"),
                "overflow_share",
                _SHARE_PERCENT,
                self.tr("{percent}%"),
                read=lambda share: round(share * 100),
                write=lambda percent: percent / 100,
                hint=self.tr("Percentage of the model's context window."),
            ),
            RadioRow("", "overflow", tuple(Overflow), reactions),
        ]

    def _description_rows(self) -> Sequence[SettingRow]:
        writers = (
            (
                self.tr("Written by the summarising &model"),
                self.tr("The session is sent to it once, when it ends."),
            ),
            (
                self.tr("Extracted on this &computer"),
                self.tr("Nothing is sent; the words come from the session itself."),
            ),
        )
        spent = self.tr(
            "The summarising model writes their titles and summaries in the "
            "background up to this limit; {spent} tokens used so far."
        )
        return [
            SectionRow(self.tr("Title, summary and topics")),
            RadioRow("", "describes_with_model", (True, False), writers),
            NumberRow(
                self.tr("Imp&orted sessions"),
                "import_tokens",
                _IMPORT_TOKENS,
                self.tr("{tokens} tokens at most"),
                self.tr("Not sent to the model"),
                hint=spent.format(spent=QLocale().toString(self._spent)),
                is_close=True,
                is_enabled=lambda settings: settings.describes_with_model,
            ),
        ]

    def _load_spent(self) -> None:
        self._tasks.run(self._spent_on_imports, self._show_spent, settled=self._poll.start)

    def _show_spent(self, tokens: int) -> None:
        if tokens != self._spent:
            self._spent = tokens
            self.retranslate()


class ResearchPage(RowsPage):
    contacts_asked = Signal()

    def __init__(self, changes: SettingsController, parent: QWidget | None = None) -> None:
        super().__init__(changes, parent)
        self._begin()

    def heading(self) -> str:
        return self.tr("Research")

    def rows(self) -> Sequence[SettingRow]:
        return [*self._web_rows(), *self._host_rows(), *self._limit_rows()]

    def _web_rows(self) -> Sequence[SettingRow]:
        providers = (
            (
                self.tr("Public search engines"),
                self.tr("One after another, sending only the search words."),
            ),
            (
                self.tr("Your SearXNG server"),
                self.tr("Your own or one you trust; it queries the engines for you."),
            ),
        )
        return [
            SectionRow(self.tr("The web")),
            SwitchRow(
                self.tr("&Search the web and read pages"),
                "uses_web",
                hint=self.tr(
                    "Off until you turn it on. When off, no address on the web is "
                    "contacted. Pages already read stay in your library."
                ),
            ),
            ButtonRow(self.tr("Contacted addresses…"), self.contacts_asked.emit),
            SwitchRow(
                self.tr("Use the endpoint’s own web sea&rch if available"),
                "uses_endpoint_web",
                hint=self.tr(
                    "Anthropic’s servers can search and read pages instead of this "
                    "computer. A thousand searches cost 10 US dollars; they count towards "
                    "the limits below."
                ),
            ),
            RadioRow(self.tr("Search pro&vider"), "web_search", tuple(WebSearch), providers),
            TextRow(
                self.tr("&Address of SearXNG"),
                "searxng_address",
                lambda text: clean_base_url(text) if text else "",
                self.tr("Enter an address starting with http:// or https://."),
                hint=self.tr("Its JSON format must be enabled."),
                is_close=True,
                is_visible=_uses_searxng,
            ),
        ]

    def _host_rows(self) -> Sequence[SettingRow]:
        return [
            SectionRow(self.tr("Site permissions")),
            HostsRow(
                self.tr("Allo&wed only"),
                "web_only",
                hint=self.tr("One host per line, including its subdomains. Empty: all hosts."),
            ),
            HostsRow(
                self.tr("&Blocked"),
                "web_never",
                hint=self.tr("Pages of these hosts are never read."),
            ),
            HostsRow(
                self.tr("Local networ&k addresses"),
                "web_at_home",
                hint=self.tr(
                    "Addresses in your own network are blocked so that no page can lead "
                    "there. These are allowed."
                ),
            ),
        ]

    def _limit_rows(self) -> Sequence[SettingRow]:
        thousands = range(DEEP_TOKENS.start // _THOUSAND, DEEP_TOKENS.stop // _THOUSAND + 1, 10)
        cents = range(DEEP_CENTS.start, DEEP_CENTS.stop, 10)
        on_web = self.tr("{count} on the web")
        return [
            SectionRow(self.tr("Limits for a deep answer")),
            NumberRow(
                self.tr("&Tokens"),
                "deep_tokens",
                thousands,
                self.tr("{count} thousand"),
                read=lambda tokens: int(tokens) // _THOUSAND,
                write=lambda count: count * _THOUSAND,
            ),
            NumberRow(
                self.tr("&Money"),
                "deep_cents",
                cents,
                self.tr("{count} US cents"),
                self.tr("No limit"),
                is_close=True,
            ),
            NumberRow(self.tr("S&earches"), "deep_searches", DEEP_SEARCHES, on_web, is_close=True),
            NumberRow(self.tr("&Pages"), "deep_fetches", DEEP_FETCHES, on_web, is_close=True),
            NumberRow(
                self.tr("T&ime"),
                "deep_minutes",
                DEEP_MINUTES,
                self.tr("{count} minutes"),
                is_close=True,
            ),
            NoteRow(
                "",
                hint=self.tr(
                    "At a limit it stops and writes from what it has found. The estimate is "
                    "shown before it starts."
                ),
            ),
        ]


def _uses_searxng(settings: Settings) -> bool:
    return settings.web_search is WebSearch.SEARXNG
