"""The keyboard in a long session: through a message, to the next one, and out again."""

from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QToolButton
from pytestqt.qtbot import QtBot

from desktop.ui.transcript.entries import Notice, NoticeAction
from desktop.ui.transcript.view import TranscriptView
from tests.ui.transcript.conftest import answer, card_of, dialogue, question


def test_arrows_go_from_message_to_message(qtbot: QtBot, view: TranscriptView) -> None:
    messages = dialogue(200)
    view.show_session(messages)
    view.restore_anchor(99)
    first = card_of(view, messages[100])
    first.setFocus(Qt.FocusReason.TabFocusReason)
    QTest.keyClick(first, Qt.Key.Key_Up)
    assert QApplication.focusWidget() is card_of(view, messages[99])


def test_tab_goes_through_one_message_and_then_out(qtbot: QtBot, view: TranscriptView) -> None:
    messages = dialogue(30)
    view.show_session(messages)
    view.setFocus()
    QTest.keyClick(view, Qt.Key.Key_Tab)
    card = card_of(view, messages[-1])
    assert QApplication.focusWidget() is card
    QTest.keyClick(card, Qt.Key.Key_Tab)
    focus = QApplication.focusWidget()
    assert focus is not None
    assert card.isAncestorOf(focus)


def test_tab_goes_from_a_message_into_the_notices_below_it(
    qtbot: QtBot, view: TranscriptView
) -> None:
    messages = dialogue(4)
    view.show_session(messages)
    view.add_notice(Notice("end", "Oturum bitti.", [NoticeAction("undo", "Geri al")]))
    notice = view.live[view.entries[-1]]
    card_of(view, messages[-1]).setFocus(Qt.FocusReason.TabFocusReason)
    focus = QApplication.focusWidget()
    seen = []
    while focus is not None and focus is not notice and focus not in seen:
        seen.append(focus)
        QTest.keyClick(focus, Qt.Key.Key_Tab)
        focus = QApplication.focusWidget()
    assert focus is notice


def test_an_arrow_first_shows_the_rest_of_a_message_taller_than_the_window(
    qtbot: QtBot, view: TranscriptView
) -> None:
    messages = dialogue(40)
    view.resize(420, 160)
    view.show_session(messages)
    view.restore_anchor(22)
    card = card_of(view, messages[21])
    assert card.height() > view.viewport().height()
    card.setFocus(Qt.FocusReason.TabFocusReason)
    before = card.y()
    QTest.keyClick(card, Qt.Key.Key_Down)
    assert QApplication.focusWidget() is card
    assert card.y() < before


def test_what_the_keyboard_is_at_is_in_sight_also_below_a_long_answer(
    qtbot: QtBot, view: TranscriptView
) -> None:
    messages = [question(1), answer(2, "Bir paragraf daha.\n\n" * 200)]
    view.show_session(messages)
    view.restore_anchor(2, 0)
    card = card_of(view, messages[1])
    card.setFocus(Qt.FocusReason.TabFocusReason)
    QTest.keyClick(card, Qt.Key.Key_Tab)
    focus = QApplication.focusWidget()

    assert isinstance(focus, QToolButton)
    top = focus.mapTo(view.viewport(), QPoint()).y()
    assert 0 <= top <= view.viewport().height() - focus.height()
