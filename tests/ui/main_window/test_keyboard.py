"""The window by keyboard alone: what Enter presses, where Tab goes, where the focus is left."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QPushButton, QWidget

from desktop.ui.services import NavigationTarget
from desktop.ui.transcript.answer_card import AnswerCard
from desktop.ui.transcript.card import NoticeCard
from desktop.ui.widgets.buttons import ToolButton
from desktop.ui.window.actions import ActionId
from tests.ui.main_window.stage import Stage


def _focus() -> QWidget:
    focus = QApplication.focusWidget()
    assert focus is not None
    return focus


def _words() -> str:
    focus = _focus()
    return focus.accessibleName() or (focus.text() if isinstance(focus, QPushButton) else "")


def _goes_back() -> None:
    QTest.keyClick(_focus(), Qt.Key.Key_Tab, Qt.KeyboardModifier.ShiftModifier)


@pytest.fixture
def front(stage: Stage) -> Stage:
    stage.window.activateWindow()
    stage.ask("Soru")
    return stage


@pytest.mark.parametrize("key", [Qt.Key.Key_Return, Qt.Key.Key_Enter])
def test_enter_presses_the_button_of_a_notice(front: Stage, key: Qt.Key) -> None:
    front.window.actions_by_name[ActionId.NEW_SESSION].trigger()
    strip = front.window.parts.strip
    front.until(lambda: "ended" in strip)
    button = strip.findChildren(QPushButton)[0]
    button.setFocus(Qt.FocusReason.TabFocusReason)
    QTest.keyClick(button, key)
    front.until(lambda: front.shown() == ["Soru", "Tamam."])


def test_enter_presses_the_button_of_a_notice_in_the_flow(front: Stage) -> None:
    front.window.actions_by_name[ActionId.END_SESSION].trigger()
    front.until(lambda: front.notices() != [])
    live = front.window.parts.transcript.live.values()
    card = next(one for one in live if isinstance(one, NoticeCard))
    button = card.findChildren(QPushButton)[0]
    button.setFocus(Qt.FocusReason.TabFocusReason)
    QTest.keyClick(button, Qt.Key.Key_Return)
    front.until(lambda: front.window.sessions.active is not None)


def test_enter_continues_a_session_that_is_read(library: Stage) -> None:
    library.window.activateWindow()
    library.read_past()
    library.window.commands.write()
    QTest.keyClick(_focus(), Qt.Key.Key_Return)
    library.until(lambda: library.window.sessions.active is not None)
    library.until(library.window.parts.composer.field.hasFocus)


def test_the_key_of_the_message_field_leads_to_it_from_a_session_that_is_read(
    library: Stage,
) -> None:
    library.window.activateWindow()
    library.read_past()
    library.window.actions_by_name[ActionId.WRITE].trigger()
    library.until(library.window.parts.composer.field.hasFocus)
    assert library.window.sessions.shown is None


def test_shift_tab_goes_from_the_composer_over_the_notice_to_the_newest_answer(
    front: Stage,
) -> None:
    front.window.actions_by_name[ActionId.END_SESSION].trigger()
    front.until(lambda: front.notices() != [])
    parts = front.window.parts
    parts.composer.setFocus(Qt.FocusReason.ShortcutFocusReason)
    seen = []
    for _ in range(8):
        _goes_back()
        seen.append(_words())
    assert seen[:3] == ["Undo", "Notice", "Poor answer"]
    assert "Copy" in seen
    while _focus() is not parts.transcript:
        _goes_back()
    _goes_back()
    assert not parts.transcript.isAncestorOf(_focus())


@pytest.mark.parametrize("key", [Qt.Key.Key_Return, Qt.Key.Key_Enter])
def test_a_question_is_sent_with_control_and_either_enter(front: Stage, key: Qt.Key) -> None:
    """X11 takes Return for both: two shortcuts would be ambiguous, and neither would send."""
    keys = front.window.actions_by_name[ActionId.SEND].shortcuts()
    assert keys == [QKeySequence("Ctrl+Return")]
    field = front.window.parts.composer.field
    field.setFocus(Qt.FocusReason.TabFocusReason)
    field.setPlainText("Peki?")
    with front.qtbot.waitSignal(front.window.sessions.answered):
        QTest.keyClick(field, key, Qt.KeyboardModifier.ControlModifier)
    front.until(lambda: front.shown() == ["Soru", "Tamam.", "Peki?", "Tamam."])


@pytest.mark.parametrize("key", [Qt.Key.Key_Return, Qt.Key.Key_Enter])
def test_enter_presses_what_stands_under_an_answer(front: Stage, key: Qt.Key) -> None:
    transcript = front.window.parts.transcript
    (card,) = [one for one in transcript.live.values() if isinstance(one, AnswerCard)]
    card.keep_actions(shown=True)
    QApplication.clipboard().clear()
    copy, rewrite = card.findChildren(ToolButton)[:2]
    copy.setFocus(Qt.FocusReason.TabFocusReason)
    QTest.keyClick(copy, key)
    assert QApplication.clipboard().text() == "Tamam."
    front.model.says("Başka türlü.")
    rewrite.setFocus(Qt.FocusReason.TabFocusReason)
    with front.qtbot.waitSignal(front.window.sessions.answered):
        QTest.keyClick(rewrite, key)
    front.until(lambda: front.shown() == ["Soru", "Başka türlü."])


def test_what_cannot_be_sent_is_not_offered(library: Stage) -> None:
    send = library.window.actions_by_name[ActionId.SEND]
    assert not send.isEnabled()
    library.write("  \n")
    assert not send.isEnabled()
    library.write("Soru")
    assert send.isEnabled()
    answer = library.model.holds("Bir ", "iki")
    with library.qtbot.waitSignal(library.window.sessions.answered):
        send.trigger()
        library.write("Sonra")
        library.until(lambda: library.window.sessions.turns.is_running)
        assert not send.isEnabled()
        answer.go.set()
    assert send.isEnabled()
    past = library.archive.sessions.sessions()[-1]
    library.window.sessions.open(NavigationTarget(past.id))
    library.until(lambda: library.window.sessions.is_past_shown)
    assert not send.isEnabled()


def test_words_that_nothing_else_takes_go_on_in_the_composer(front: Stage) -> None:
    transcript, composer = front.window.parts.transcript, front.window.parts.composer
    transcript.setFocus(Qt.FocusReason.OtherFocusReason)
    QTest.keyClicks(transcript, "Peki")
    assert composer.text == "Peki"
    assert composer.field.hasFocus()


def test_a_command_or_a_space_in_the_session_writes_nothing(front: Stage) -> None:
    transcript, composer = front.window.parts.transcript, front.window.parts.composer
    transcript.setFocus(Qt.FocusReason.OtherFocusReason)
    QTest.keyClick(transcript, Qt.Key.Key_Space)
    QTest.keyClick(transcript, Qt.Key.Key_J, Qt.KeyboardModifier.ControlModifier)
    assert composer.text == ""
    assert not composer.field.hasFocus()
