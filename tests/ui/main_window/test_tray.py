"""The tray icon, closing to it, and the system's notifications."""

from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QSystemTrayIcon

from desktop.domain.events import Outcome, PlanProposed, ToolCalled, ToolState, TurnEnded
from desktop.domain.ids import TurnId
from tests.ui.main_window.stage import Stage


@pytest.fixture
def told(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The notifications shown while another program is in front."""
    monkeypatch.delenv("DBUS_SESSION_BUS_ADDRESS", raising=False)
    words: list[str] = []
    monkeypatch.setattr(QSystemTrayIcon, "isSystemTrayAvailable", lambda: True)
    # The platform of the tests has no tray, and warns of it.
    for shows in ("show", "setVisible"):
        monkeypatch.setattr(QSystemTrayIcon, shows, lambda *_: None)
    monkeypatch.setattr(QSystemTrayIcon, "showMessage", lambda *args: words.append(args[2]))
    other = Qt.ApplicationState.ApplicationInactive
    monkeypatch.setattr(QGuiApplication, "applicationState", lambda: other)
    monkeypatch.setattr("desktop.ui.quick_access.tray._LONG_S", 0.0)
    return words


def change(
    stage: Stage, *, has_tray: bool = False, closes_to_tray: bool = False, notifies: bool = True
) -> None:
    changed = replace(
        stage.window.changes.settings,
        has_tray=has_tray,
        closes_to_tray=closes_to_tray,
        notifies=notifies,
    )
    stage.window.changes.apply(changed)


def test_closing_leaves_it_in_the_tray_if_that_is_wanted(stage: Stage, told: list[str]) -> None:
    assert told == []
    change(stage, has_tray=True, closes_to_tray=True)
    stage.ask("Bir soru?")
    stage.write("yarım bir taslak")
    stage.window.close()
    assert stage.window.isHidden()
    assert not stage.window.shutdown.is_leaving
    assert stage.services.assistant.active is not None
    stage.until(lambda: stage.services.assistant.drafts.read().text == "yarım bir taslak")
    stage.window.tray.show_wanted.emit()
    assert stage.window.isVisible()


def test_quitting_from_the_menu_or_the_tray_ends_the_program(
    stage: Stage, told: list[str]
) -> None:
    assert told == []
    change(stage, has_tray=True, closes_to_tray=True)
    with stage.qtbot.waitSignal(stage.window.closed):
        stage.window.actions_by_name["quit"].trigger()


def test_without_the_icon_closing_ends_the_program(stage: Stage, told: list[str]) -> None:
    assert told == []
    change(stage, has_tray=False, closes_to_tray=True)
    with stage.qtbot.waitSignal(stage.window.closed):
        stage.window.close()


def test_a_long_answer_is_notified_while_another_program_is_in_front_and_a_click_opens_it(
    library: Stage, told: list[str]
) -> None:
    library.ask("Uzun bir soru?")
    assert told == ["The answer is ready."]
    library.read_past()
    library.window.hide()
    library.window.tray._icon.messageClicked.emit()
    library.until(lambda: "Uzun bir soru?" in library.shown())
    assert library.window.isVisible()


def test_a_click_on_the_notification_of_a_left_session_opens_that_session(
    stage: Stage, told: list[str]
) -> None:
    answer = stage.sends_held()
    stage.window.actions_by_name["new_session"].trigger()
    stage.until(lambda: stage.window.sessions.active is None)
    stage.ask("Başka bir soru?")
    assert told == ["The answer is ready."]
    stage.window.hide()
    answer.go.set()
    stage.until(lambda: len(told) == 2)
    stage.window.tray._icon.messageClicked.emit()
    stage.until(lambda: stage.shown() == ["Say", "Bir iki"])
    assert stage.window.isVisible()


def test_a_click_opens_the_left_session_that_waits_for_permission(
    stage: Stage, told: list[str]
) -> None:
    answer = stage.sends_held()
    (first,) = stage.window.sessions.turns._running
    stage.window.actions_by_name["new_session"].trigger()
    stage.until(lambda: stage.window.sessions.active is None)
    called = ToolCalled(first, "c1", "noon", "", ToolState.ASKING)
    stage.bridge.arrived.emit(called)
    assert told == ["An answer is waiting for your permission."]
    stage.window.tray._icon.messageClicked.emit()
    stage.until(lambda: stage.shown()[:1] == ["Say"])
    answer.go.set()
    stage.until(lambda: not stage.window.sessions.turns.is_any_running)


def test_a_waiting_plan_is_notified(stage: Stage, told: list[str]) -> None:
    proposed = object.__new__(PlanProposed)
    words = stage.window.tray._words(proposed, 0.0)
    stage.window.tray.notify(words, stage.window.bring_to_front)
    assert told == ["A research plan is waiting for you."]


def test_a_stopped_or_short_answer_causes_no_notification(
    stage: Stage, told: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    stage.window.sessions.turns.happened.emit(TurnEnded(TurnId("t"), Outcome.STOPPED))
    monkeypatch.setattr("desktop.ui.quick_access.tray._LONG_S", 8.0)
    stage.ask("Kısa bir soru?")
    assert told == []


def test_no_notification_is_shown_if_they_are_off(stage: Stage, told: list[str]) -> None:
    change(stage, notifies=False)
    stage.ask("Bir soru?")
    assert told == []


def test_a_quick_answer_leads_to_the_quick_window(stage: Stage, told: list[str]) -> None:
    stage.window.actions_by_name["quick"].trigger()
    quick = stage.window.quick.window
    assert quick is not None
    quick.editor.set_text("Soru?")
    with stage.qtbot.waitSignal(stage.window.quick.answered):
        quick.editor.field.sent.emit()
    stage.window.quick.close()
    assert told == ["The answer is ready."]
    stage.window.tray._icon.messageClicked.emit()
    assert quick.isVisible()
