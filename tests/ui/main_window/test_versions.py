"""Versions: where the reader stays, where later messages are, and that reading changes nothing."""

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPushButton, QToolButton

from desktop.domain.errors import KeyRejectedError
from desktop.domain.sessions import SessionStatus
from desktop.ui.transcript.card import MessageCard
from desktop.ui.transcript.entries import MessageEntry
from desktop.ui.window.actions import ActionId
from tests.ui.main_window.stage import Stage

_LONG = "Sabah açlık şekeri gece salgılanan hormonlarla yükselir. " * 40


def _offered(stage: Stage, place: int) -> set[str]:
    """What can be done with the message at that place, by the names of its buttons."""
    card = _card(stage, place)
    card.keep_actions(shown=True)
    return {
        button.accessibleName() or button.text()
        for kind in (QToolButton, QPushButton)
        for button in card.findChildren(kind)
        if button.isVisible() and button.isEnabled()
    }


def _card(stage: Stage, place: int) -> MessageCard:
    transcript = stage.window.parts.transcript
    entry = stage.messages()[place]
    transcript.scroll_to(entry.message.id)
    card = transcript.live[entry]
    assert isinstance(card, MessageCard)
    return card


def _press(stage: Stage, place: int, name: str) -> None:
    card = _card(stage, place)
    card.keep_actions(shown=True)
    button = next(b for b in card.findChildren(QToolButton) if b.accessibleName() == name)
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)


def _rewrite(stage: Stage, place: int) -> None:
    with stage.qtbot.waitSignal(stage.window.sessions.answered):
        _press(stage, place, "Rewrite")


def _has_versions(stage: Stage, place: int) -> Callable[[], bool]:
    return lambda: stage.messages()[place].facts.versions is not None


def test_a_past_session_offers_nothing_that_would_change_it(library: Stage) -> None:
    library.ask("Bir soru")
    assert "Rewrite" in _offered(library, 1)
    assert "Edit" in _offered(library, 0)
    library.read_past()
    assert "Copy" in _offered(library, 1)
    assert "Rewrite" not in _offered(library, 1)
    assert "Edit" not in _offered(library, 0)
    assert library.core.assistant.active is not None
    library.window.actions_by_name[ActionId.CONTINUE].trigger()
    library.until(lambda: not library.window.sessions.is_past_shown)
    assert "Rewrite" in _offered(library, 1)
    assert "Edit" in _offered(library, 0)


def test_a_past_session_is_not_taken_over_by_leafing_or_retrying(stage: Stage) -> None:
    stage.model.fails(KeyRejectedError(), "Yarım")
    stage.ask("Soru")
    stage.ask("Bunu biraz daha anlat")
    _rewrite(stage, 3)
    stage.until(_has_versions(stage, 3))
    assert "Retry" in _offered(stage, 1)
    assert "Previous version" in _offered(stage, 3)
    stage.window.actions_by_name[ActionId.END_SESSION].trigger()
    stage.until(lambda: stage.window.sessions.active is None)
    assert "Retry" not in _offered(stage, 1)
    assert "Previous version" not in _offered(stage, 3)
    assert [one.status for one in stage.archive.sessions.sessions()] == [SessionStatus.COMPLETE]


def test_what_is_not_whole_is_asked_again_by_one_button_only(stage: Stage) -> None:
    stage.model.fails(KeyRejectedError(), "Yarım")
    stage.ask("Soru")
    assert {"Retry", "Rewrite"} & _offered(stage, 1) == {"Retry"}


def test_where_later_messages_are_is_said_at_the_end_of_the_new_branch(stage: Stage) -> None:
    stage.ask("Bir")
    stage.ask("İki")
    assert stage.notices() == []
    _rewrite(stage, 1)
    assert len(stage.messages()) == 2
    assert stage.notices() == ["The later messages stay with version 1."]
    assert not isinstance(stage.window.parts.transcript.entries[-1], MessageEntry)
    stage.until(_has_versions(stage, 1))
    _press(stage, 1, "Previous version")
    stage.until(lambda: len(stage.messages()) == 4)
    assert stage.notices() == []


def test_leafing_through_versions_keeps_the_reader_at_the_message(stage: Stage) -> None:
    for text in (_LONG, _LONG, _LONG, _LONG):
        stage.model.says(text)
        stage.ask("Soru")
    stage.model.says("Kısa.")
    _rewrite(stage, 3)
    transcript = stage.window.parts.transcript
    stage.until(_has_versions(stage, 3))
    _press(stage, 3, "Previous version")
    stage.until(lambda: len(stage.messages()) == 8)
    area = transcript.viewport().rect()
    assert transcript.live[stage.messages()[3]].geometry().intersects(area)
    assert not transcript.is_at_end


def test_an_answer_that_is_written_again_is_followed(stage: Stage) -> None:
    for text in (_LONG, _LONG, _LONG):
        stage.model.says(text)
        stage.ask("Soru")
    stage.model.says("Yeni. ", *([_LONG] * 3))
    _rewrite(stage, 3)
    transcript = stage.window.parts.transcript
    stage.until(lambda: stage.shown()[3].startswith("Yeni. ") and transcript.is_at_end)
    assert transcript.live[stage.messages()[3]].isVisible()
