"""Settings, Research: the one switch of the web, who searches it, what a deep run may spend."""

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtGui import QFocusEvent
from PySide6.QtWidgets import QLineEdit, QPlainTextEdit, QWidget

from desktop.settings.base_url import clean_base_url
from desktop.settings.settings import Settings, WebSearch
from desktop.settings.settings_schema import (
    DEEP_CENTS,
    DEEP_FETCHES,
    DEEP_MINUTES,
    DEEP_SEARCHES,
    DEEP_TOKENS,
)
from desktop.ui.dialogs.form import Form
from desktop.ui.dialogs.settings.settings_controller import SettingsController
from desktop.ui.dialogs.settings.settings_page import SettingsPage
from desktop.ui.widgets.buttons import Button
from desktop.ui.widgets.fields import NumberField, RadioGroup, WrappingCheckBox
from desktop.ui.widgets.labels import HintLabel, ProblemLabel, SectionLabel
from desktop.ui.widgets.plain_text import Label

_THOUSAND = 1000
_LINES = 3


class _Hosts(QPlainTextEdit):
    """Names of hosts, one a line; written down when the field is left."""

    written = Signal(object)
    """Tuple of hosts"""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._shown: tuple[str, ...] = ()
        self.setProperty("role", "field")
        self.setTabChangesFocus(True)
        self.setFixedHeight((_LINES + 1) * self.fontMetrics().lineSpacing())

    def show_hosts(self, hosts: Sequence[str]) -> None:
        self._shown = tuple(hosts)
        if not self.hasFocus():
            self.setPlainText("\n".join(hosts))

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        hosts = _hosts_in(self.toPlainText())
        if hosts != self._shown:
            self.written.emit(hosts)
        self.setPlainText("\n".join(hosts))


class ResearchPage(SettingsPage):
    contacts_asked = Signal()

    def __init__(self, changes: SettingsController, parent: QWidget | None = None) -> None:
        super().__init__(changes, parent)
        self._begin()

    def _build(self) -> None:
        form = Form()
        self._build_web(form)
        self._build_hosts(form)
        self._build_limits(form)
        self.column.addWidget(form)
        self.column.addStretch()

    def _build_web(self, form: Form) -> None:
        self._web = SectionLabel()
        self._uses, self._uses_hint = WrappingCheckBox(), HintLabel()
        self._contacts = Button()
        self._there, self._there_hint = WrappingCheckBox(), HintLabel()
        self._engine_label, self._engine = Label(), RadioGroup(tuple(WebSearch))
        self._searxng_label, self._searxng = Label(), QLineEdit()
        self._searxng_hint, self._searxng_problem = HintLabel(), ProblemLabel()
        form.add_section(self._web)
        form.add_check(self._uses, self._uses_hint)
        form.add_gap()
        form.add_field(self._contacts)
        form.add_gap()
        form.add_check(self._there, self._there_hint)
        form.add_gap()
        form.add_row(self._engine_label, self._engine)
        form.add_row(self._searxng_label, self._searxng, self._searxng_problem, self._searxng_hint)

    def _build_hosts(self, form: Form) -> None:
        self._hosts = SectionLabel()
        form.add_section(self._hosts)
        self._only_label, self._only, self._only_hint = Label(), _Hosts(), HintLabel()
        self._never_label, self._never, self._never_hint = Label(), _Hosts(), HintLabel()
        self._home_label, self._home, self._home_hint = Label(), _Hosts(), HintLabel()
        for label, field, hint in (
            (self._only_label, self._only, self._only_hint),
            (self._never_label, self._never, self._never_hint),
            (self._home_label, self._home, self._home_hint),
        ):
            form.add_row(label, field, hint)
            form.add_gap()

    def _build_limits(self, form: Form) -> None:
        self._limits, self._limits_hint = SectionLabel(), HintLabel()
        tokens = range(DEEP_TOKENS.start // _THOUSAND, DEEP_TOKENS.stop // _THOUSAND + 1, 10)
        self._tokens_label, self._tokens = Label(), NumberField(tokens)
        cents = range(DEEP_CENTS.start, DEEP_CENTS.stop, 10)
        self._cents_label, self._cents = Label(), NumberField(cents)
        self._searches_label, self._searches = Label(), NumberField(DEEP_SEARCHES)
        self._fetches_label, self._fetches = Label(), NumberField(DEEP_FETCHES)
        self._minutes_label, self._minutes = Label(), NumberField(DEEP_MINUTES)
        form.add_section(self._limits)
        for label, field in (
            (self._tokens_label, self._tokens),
            (self._cents_label, self._cents),
            (self._searches_label, self._searches),
            (self._fetches_label, self._fetches),
            (self._minutes_label, self._minutes),
        ):
            form.add_row(label, field)
        form.add_below(self._limits_hint)

    def _connect(self) -> None:
        self._contacts.clicked.connect(self.contacts_asked)
        self._uses.clicked.connect(lambda is_on: self._put(uses_web=is_on))
        self._there.clicked.connect(lambda is_on: self._put(uses_endpoint_web=is_on))
        self._engine.chosen.connect(lambda engine: self._put(web_search=engine))
        self._searxng.editingFinished.connect(self._take_address)
        self._only.written.connect(lambda hosts: self._put(web_only=hosts))
        self._never.written.connect(lambda hosts: self._put(web_never=hosts))
        self._home.written.connect(lambda hosts: self._put(web_at_home=hosts))
        self._tokens.valueChanged.connect(lambda many: self._put(deep_tokens=many * _THOUSAND))
        self._cents.valueChanged.connect(lambda many: self._put(deep_cents=many))
        self._searches.valueChanged.connect(lambda many: self._put(deep_searches=many))
        self._fetches.valueChanged.connect(lambda many: self._put(deep_fetches=many))
        self._minutes.valueChanged.connect(lambda many: self._put(deep_minutes=many))

    def retranslate(self) -> None:
        self.title.setText(self.tr("Research"))
        self._web.setText(self.tr("The web"))
        self._uses.setText(self.tr("&Search the web and read pages"))
        self._uses_hint.setText(
            self.tr(
                "Off until you turn it on. When off, no address on the web is contacted. "
                "Pages already read stay in your library."
            )
        )
        self._contacts.setText(self.tr("Contacted addresses…"))
        self._there.setText(self.tr("Use the endpoint’s own web sea&rch if available"))
        self._there_hint.setText(
            self.tr(
                "Anthropic’s servers can search and read pages instead of this computer. "
                "A thousand searches cost 10 US dollars; they count towards the limits "
                "below."
            )
        )
        self._engine_label.setText(self.tr("Search pro&vider"))
        self._engine.set_texts(
            (
                self.tr("Public search engines"),
                self.tr("One after another, sending only the search words."),
            ),
            (
                self.tr("Your SearXNG server"),
                self.tr("Your own or one you trust; it queries the engines for you."),
            ),
        )
        self._searxng_label.setText(self.tr("&Address of SearXNG"))
        self._searxng_hint.setText(self.tr("Its JSON format must be enabled."))
        self._retranslate_hosts()
        self._retranslate_limits()

    def _retranslate_hosts(self) -> None:
        self._hosts.setText(self.tr("Site permissions"))
        self._only_label.setText(self.tr("Allo&wed only"))
        self._only_hint.setText(
            self.tr("One host per line, including its subdomains. Empty: all hosts.")
        )
        self._never_label.setText(self.tr("&Blocked"))
        self._never_hint.setText(self.tr("Pages of these hosts are never read."))
        self._home_label.setText(self.tr("Local networ&k addresses"))
        self._home_hint.setText(
            self.tr(
                "Addresses in your own network are blocked so that no page can lead "
                "there. These are allowed."
            )
        )

    def _retranslate_limits(self) -> None:
        self._limits.setText(self.tr("Limits for a deep answer"))
        self._limits_hint.setText(
            self.tr(
                "At a limit it stops and writes from what it has found. The estimate is "
                "shown before it starts."
            )
        )
        self._tokens_label.setText(self.tr("&Tokens"))
        self._tokens.set_format(self.tr("{count} thousand"))
        self._cents_label.setText(self.tr("&Money"))
        self._cents.set_format(self.tr("{count} US cents"))
        self._cents.setSpecialValueText(self.tr("No limit"))
        self._searches_label.setText(self.tr("S&earches"))
        self._searches.set_format(self.tr("{count} on the web"))
        self._fetches_label.setText(self.tr("&Pages"))
        self._fetches.set_format(self.tr("{count} on the web"))
        self._minutes_label.setText(self.tr("T&ime"))
        self._minutes.set_format(self.tr("{count} minutes"))

    def _show(self, settings: Settings) -> None:
        self._uses.setChecked(settings.uses_web)
        self._there.setChecked(settings.uses_endpoint_web)
        self._engine.show_member(settings.web_search)
        if not self._searxng.hasFocus():
            self._searxng.setText(settings.searxng_address)
        is_own = settings.web_search is WebSearch.SEARXNG
        for widget in (self._searxng_label, self._searxng, self._searxng_hint):
            widget.setVisible(is_own)
        if not is_own:
            self._searxng_problem.set_text("")
        self._only.show_hosts(settings.web_only)
        self._never.show_hosts(settings.web_never)
        self._home.show_hosts(settings.web_at_home)
        self._tokens.show_number(settings.deep_tokens // _THOUSAND)
        self._cents.show_number(settings.deep_cents)
        self._searches.show_number(settings.deep_searches)
        self._fetches.show_number(settings.deep_fetches)
        self._minutes.show_number(settings.deep_minutes)

    def _take_address(self) -> None:
        written = self._searxng.text().strip()
        try:
            address = clean_base_url(written) if written else ""
        except ValueError:
            self._searxng_problem.set_text(
                self.tr("Enter an address starting with http:// or https://.")
            )
            return
        self._searxng_problem.set_text("")
        self._put(searxng_address=address)


def _hosts_in(text: str) -> tuple[str, ...]:
    """However they are written: with a scheme, with commas, twice."""
    words = text.replace(",", " ").replace(";", " ").split()
    hosts = (word.rpartition("://")[2].partition("/")[0].strip(".").lower() for word in words)
    return tuple(dict.fromkeys(filter(None, hosts)))
