"""The panel of the last request: its parts, what was cached, what did not go."""

from desktop.domain.events import ContextAssembled
from desktop.domain.ids import TurnId
from desktop.domain.usage import ContextReport, Omission, Part, PartKind
from desktop.ui.widgets.plain_text import Label
from desktop.ui.window.actions import ActionId
from tests.ui.main_window.stage import Stage


def told(stage: Stage) -> list[str]:
    panel = stage.window.parts.context
    return [label.text() for label in panel.findChildren(Label) if label.isVisible()]


def open_panel(stage: Stage) -> None:
    stage.window.actions_by_name[ActionId.CONTEXT].trigger()


def test_before_the_first_request_it_says_what_it_will_show(stage: Stage) -> None:
    open_panel(stage)
    assert any("Nothing has been sent to a model yet" in text for text in told(stage))


def test_an_answered_question_shows_what_went_with_it(stage: Stage) -> None:
    open_panel(stage)
    stage.ask("Roma neden çöktü?")
    assert "Your question" in told(stage)
    assert "Instructions" in told(stage)
    assert stage.window.parts.context.report is not None


def test_each_part_has_a_number_and_its_reason_for_being_short(stage: Stage) -> None:
    open_panel(stage)
    report = ContextReport(
        parts=(
            Part(PartKind.INSTRUCTIONS, 400, 1),
            Part(PartKind.MESSAGES, 1200, 20, 30, Omission.SUMMARISED),
            Part(PartKind.MEMORY, 0, 0, reason=Omission.SWITCHED_OFF),
        ),
        tokens=1600,
        limit_tokens=160_000,
        cached_tokens=1200,
    )
    stage.window.sessions.turns.happened.emit(ContextAssembled(TurnId("t"), report))
    words = told(stage)
    assert "1.6 K of 160 K tokens" in words
    assert "1.2 K · 75%" in words
    assert any("30 more were sent as a summary" in text for text in words)
    assert any("switched off" in text for text in words)
    assert any("1.2 K tokens (75%) were read" in text for text in words)


def test_the_meter_below_the_field_leads_there_and_the_menu_shows_it(stage: Stage) -> None:
    stage.ask("Roma neden çöktü?")
    stage.until(stage.window.parts.composer.meter.isVisible)
    stage.window.parts.composer.meter.click()
    assert stage.window.parts.is_panel_shown(stage.window.parts.context)
    actions = stage.window.actions_by_name
    assert actions[ActionId.CONTEXT].isChecked()
    actions[ActionId.SOURCES].trigger()
    assert actions[ActionId.SOURCES].isChecked()
    assert not actions[ActionId.CONTEXT].isChecked()
    actions[ActionId.SOURCES].trigger()
    open_panel(stage)
    stage.window.parts.side._close.click()
    assert not stage.window.parts.is_panel_shown(stage.window.parts.context)


def test_the_pages_at_the_right_are_tabs_and_the_sources_fill_when_theirs_is_chosen(
    stage: Stage,
) -> None:
    stage.ask("Roma neden çöktü?")
    open_panel(stage)
    side, parts = stage.window.parts.side, stage.window.parts
    assert [side._tabs.tabText(n) for n in range(3)] == ["Sources", "Trace", "Last request"]
    assert side._tabs.currentIndex() == 2
    side._tabs.setCurrentIndex(0)
    assert parts.is_panel_shown(parts.panel)
    assert stage.window.actions_by_name[ActionId.SOURCES].isChecked()
    stage.window.actions_by_name[ActionId.TRACE].trigger()
    assert side._tabs.currentIndex() == 1
