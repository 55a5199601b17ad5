"""Settings, Research and Tools, and the list of addresses: every field changes what it says."""

from collections.abc import Callable, Sequence
from datetime import UTC, datetime

import pytest
from PySide6.QtWidgets import QCheckBox, QLineEdit
from pytestqt.modeltest import ModelTester
from pytestqt.qtbot import QtBot

from desktop.domain.language import Language
from desktop.domain.web import Contact, ContactOutcome, ContactPurpose
from desktop.research.tools.registry import ListedTool
from desktop.settings.messages import Texts
from desktop.settings.settings import ToolSwitch, WebSearch
from desktop.ui.dialogs.settings.general_pages import ResearchPage
from desktop.ui.dialogs.settings.setting_rows import parse_hosts
from desktop.ui.dialogs.settings.settings_controller import SettingsController
from desktop.ui.dialogs.settings.tools_page import ToolsPage
from desktop.ui.dialogs.web_log_dialog import WebLogDialog
from desktop.ui.turn_bridge import TurnBridge
from desktop.ui.widgets.fields import NumberField, RadioGroup, WrappingCheckBox
from tests.ui.dialogs.desk import AtOnce

AT = datetime(2026, 5, 3, 10, tzinfo=UTC)


@pytest.fixture
def page(qtbot: QtBot, changes: SettingsController) -> ResearchPage:
    made = ResearchPage(changes)
    qtbot.addWidget(made)
    made.show()
    return made


class Log:
    def __init__(self) -> None:
        self.kept = [
            Contact(AT, ContactPurpose.PAGE, "https://example.org/a", ContactOutcome.OK),
            Contact(AT, ContactPurpose.SEARCH, "https://duck.example", ContactOutcome.FAILED),
        ]

    def contacts(self) -> Sequence[Contact]:
        return self.kept

    def clear(self) -> None:
        self.kept = []


def test_the_web_has_one_switch(page: ResearchPage, changes: SettingsController) -> None:
    box = page.field("uses_web", WrappingCheckBox)
    box.click()
    assert changes.settings.uses_web
    box.click()
    assert not changes.settings.uses_web


def test_that_the_endpoint_searches_can_be_switched_off(
    page: ResearchPage, changes: SettingsController
) -> None:
    box = page.field("uses_endpoint_web", WrappingCheckBox)
    assert box.isChecked()
    box.click()
    assert not changes.settings.uses_endpoint_web


def test_an_own_searxng_is_taken_with_an_address_only(
    page: ResearchPage, changes: SettingsController
) -> None:
    address = page.field("searxng_address", QLineEdit)
    assert address.isHidden()
    page.field("web_search", RadioGroup).chosen.emit(WebSearch.SEARXNG)
    assert not address.isHidden()
    address.setText("nonsense")
    address.editingFinished.emit()
    assert "http" in page.problem("searxng_address").text()
    address.setText("https://searx.example.org/")
    address.editingFinished.emit()
    assert changes.settings.searxng_address == "https://searx.example.org"
    assert not page.problem("searxng_address").text()


def test_hosts_are_read_however_they_are_written() -> None:
    assert parse_hosts("https://A.example.org/x, b.org\n\nb.org;c.net.") == (
        *("a.example.org", "b.org", "c.net"),
    )


def test_the_limits_of_a_deep_answer_can_be_set(
    page: ResearchPage, changes: SettingsController
) -> None:
    page.field("deep_tokens", NumberField).setValue(500)
    cents = page.field("deep_cents", NumberField)
    cents.setValue(0)
    page.field("deep_minutes", NumberField).setValue(5)
    settings = changes.settings
    assert (settings.deep_tokens, settings.deep_cents, settings.deep_minutes) == (500_000, 0, 5)
    assert cents.text() == "No limit"


def test_a_tool_is_switched_off_and_set_to_ask(qtbot: QtBot, changes: SettingsController) -> None:
    tools = [ListedTool("recall", "Search past sessions", ["words"], ToolSwitch())]
    page = ToolsPage(changes, lambda: tools)
    qtbot.addWidget(page)
    page.show()
    is_on, asks = page.findChildren(QCheckBox)
    asks.click()
    assert changes.settings.tools["recall"] == ToolSwitch(is_on=True, asks_first=True)
    is_on.click()
    assert changes.settings.tools["recall"] == ToolSwitch(is_on=False, asks_first=True)
    assert not asks.isEnabled()


def test_every_address_is_listed_and_the_list_can_be_cleared(
    qtbot: QtBot, qtmodeltester: ModelTester
) -> None:
    log = Log()
    texts: Callable[[], Texts] = lambda: Texts(Language.EN)  # noqa: E731
    dialog = WebLogDialog(log, TurnBridge(AtOnce()), texts)
    qtbot.addWidget(dialog)
    dialog.show()
    qtbot.waitUntil(lambda: dialog.model.rowCount() == 2)
    shown = [str(dialog.model.index(0, column).data()) for column in range(4)]
    assert shown[1:] == ["Page", "https://example.org/a", "loaded"]
    qtmodeltester.check(dialog.model)  # type: ignore[no-untyped-call]
    dialog._clear.click()
    qtbot.waitUntil(lambda: dialog.model.rowCount() == 0)
    assert dialog._table.isHidden()


def test_an_empty_list_of_addresses_says_so_below_its_title(qtbot: QtBot) -> None:
    log = Log()
    log.clear()
    dialog = WebLogDialog(log, TurnBridge(AtOnce()), lambda: Texts(Language.EN))
    qtbot.addWidget(dialog)
    dialog.resize(600, 600)
    dialog.show()
    qtbot.waitUntil(dialog._table.isHidden)
    qtbot.waitUntil(lambda: dialog._words.geometry().bottom() < dialog.height() // 3)
    assert dialog._title.geometry().bottom() < dialog._words.geometry().top()
