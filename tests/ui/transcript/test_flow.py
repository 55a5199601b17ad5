"""A long session that stays where the reader is."""

import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from desktop.domain.messages import MessageState
from desktop.settings.settings import Theme
from desktop.ui.transcript.view import TranscriptView
from tests.ui.transcript.conftest import answer, card_of, cards_of, dialogue, question, settled


def test_only_messages_near_the_window_are_alive(qtbot: QtBot, view: TranscriptView) -> None:
    view.show_session(dialogue(5000))
    settled(qtbot, view)
    assert 0 < len(view.live) < 60
    view.verticalScrollBar().setValue(view.verticalScrollBar().maximum() // 2)
    settled(qtbot, view)
    assert 0 < len(view.live) < 60


def test_a_session_opens_at_its_end(view: TranscriptView) -> None:
    messages = dialogue(300)
    view.show_session(messages)
    assert view.anchor() == (None, 0)
    last = card_of(view, messages[-1])
    assert 0 < last.geometry().bottom() <= view.viewport().height()


def test_heights_that_become_known_move_nothing_in_sight(
    qtbot: QtBot, view: TranscriptView
) -> None:
    messages = dialogue(600)
    view.show_session(messages)
    view.restore_anchor(300, 17)
    before = card_of(view, messages[299]).y()
    settled(qtbot, view)
    assert len(view.live) > 5
    assert card_of(view, messages[299]).y() == before


def test_scrolling_moves_what_is_in_sight_by_just_that_much(
    qtbot: QtBot, view: TranscriptView
) -> None:
    messages = dialogue(600)
    view.show_session(messages)
    view.restore_anchor(300)
    bar = view.verticalScrollBar()
    for _ in range(30):
        card = next(c for c in cards_of(view) if c.geometry().bottom() > 200)
        before, value = card.y(), bar.value()
        bar.setValue(value - 90)
        assert card.y() == before + 90
        settled(qtbot, view)


def test_the_reader_at_the_end_follows_the_answer(qtbot: QtBot, view: TranscriptView) -> None:
    view.show_session([*dialogue(40), question(41)])
    streaming = answer(42, "", MessageState.STREAMING)
    view.append(streaming)
    view.add_text(streaming.id, "Uzun bir yanıt.\n\n" * 60)
    qtbot.waitUntil(lambda: not view._growth._arrived)
    assert view.is_at_end
    assert view._newest.isHidden()


def test_a_reader_who_scrolled_up_is_not_pulled_down(qtbot: QtBot, view: TranscriptView) -> None:
    messages = [*dialogue(40), question(41)]
    view.show_session(messages)
    streaming = answer(42, "", MessageState.STREAMING)
    view.append(streaming)
    view.restore_anchor(20)
    before = card_of(view, messages[19]).y()
    view.add_text(streaming.id, "Uzun bir yanıt.\n\n" * 60)
    qtbot.waitUntil(lambda: not view._growth._arrived)
    assert card_of(view, messages[19]).y() == before
    assert not view._newest.isHidden()
    QTest.mouseClick(view._newest, Qt.MouseButton.LeftButton)
    assert view.is_at_end


def test_asking_goes_to_the_end_from_wherever_one_reads(view: TranscriptView) -> None:
    view.show_session(dialogue(40))
    view.restore_anchor(3)
    view.append(question(41))
    assert view.is_at_end


def test_home_end_and_pages_scroll_by_keyboard(qtbot: QtBot, view: TranscriptView) -> None:
    view.show_session(dialogue(200))
    view.setFocus()
    QTest.keyClick(view, Qt.Key.Key_Home)
    assert view.verticalScrollBar().value() == 0
    QTest.keyClick(view, Qt.Key.Key_PageDown)
    assert view.verticalScrollBar().value() > 400
    QTest.keyClick(view, Qt.Key.Key_End)
    assert view.is_at_end


def test_a_message_with_the_keyboard_in_it_outlives_being_scrolled_away(
    qtbot: QtBot, view: TranscriptView
) -> None:
    messages = dialogue(300)
    view.show_session(messages)
    card = card_of(view, messages[-1])
    card.setFocus(Qt.FocusReason.TabFocusReason)
    view.verticalScrollBar().setValue(0)
    settled(qtbot, view)
    assert card_of(view, messages[-1]) is card


@pytest.mark.parametrize("change", ["session", "width", "zoom", "language"])
def test_the_reader_keeps_the_place_when_all_is_laid_out_anew(
    qtbot: QtBot, view: TranscriptView, change: str
) -> None:
    view.show_session(dialogue(300))
    view.restore_anchor(123, 9)
    assert view.anchor() == (123, 9)
    match change:
        case "session":
            view.show_session(dialogue(400))
            view.restore_anchor(123, 9)
        case "width":
            view.resize(420, 600)
        case "zoom":
            view.theme.apply(Theme.LIGHT, zoom_percent=150)
        case _:
            QApplication.sendEvent(view, QEvent(QEvent.Type.LanguageChange))
    settled(qtbot, view)
    assert view.anchor()[0] == 123
