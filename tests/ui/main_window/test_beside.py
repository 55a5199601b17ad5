"""Past sessions beside a draft: suggested, read, taken along, and let go again."""

from collections.abc import Callable
from dataclasses import replace

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest

from desktop.domain.ids import SessionId
from desktop.storage.sessions import NEW_SESSION
from desktop.ui.services import NavigationTarget
from desktop.ui.transcript.entries import MessageAction, MessageRequest
from desktop.ui.window.actions import ActionId
from tests.archives import finished
from tests.ui.main_window.stage import Stage

DRAFT = "Şimdi beta hücre rejenerasyonu araştıralım"


@pytest.fixture
def kept(opens: Callable[[], Stage]) -> Stage:
    stage = opens()
    stage.archive.imports.add(
        [
            finished(
                "beta",
                "Beta hücreleri yenilenir mi?",
                "Beta hücre rejenerasyonu farelerde görülmüştür.",
                title="Beta hücreleri",
                summary="Yenilenme konuşuldu.",
            ),
            finished("roma", "Roma neden çöktü?", "Tahıl geliri kesildi.", title="Roma"),
        ]
    )
    stage.attach()
    return stage


def suggested(stage: Stage) -> list[str]:
    return [one.title for one in stage.window.parts.suggestions.suggestions]


def test_a_pause_in_writing_shows_what_bears_on_it_and_clearing_takes_it_away(kept: Stage) -> None:
    kept.write(DRAFT)
    kept.until(lambda: suggested(kept) == ["Beta hücreleri"])
    assert kept.window.parts.suggestions.isVisible()
    kept.write("")
    assert kept.window.parts.suggestions.isHidden()


def test_an_answer_to_a_draft_that_has_changed_is_dropped(kept: Stage) -> None:
    kept.write(DRAFT)
    kept.window.recall._look()
    kept.write("Roma mutfağında pide nasıl yapılırdı?")
    kept.until(lambda: not kept.window.recall._is_looking)
    assert suggested(kept) == []


def test_switched_off_nothing_is_suggested(kept: Stage) -> None:
    kept.changes.apply(replace(kept.changes.settings, suggests_sessions=False))
    kept.write(DRAFT)
    assert not kept.window.recall._pause.isActive()


def test_one_key_reads_it_beside_and_another_takes_it_along(kept: Stage) -> None:
    parts, actions = kept.window.parts, kept.window.actions_by_name
    kept.write(DRAFT)
    kept.until(lambda: bool(suggested(kept)))
    actions[ActionId.READ_BESIDE].trigger()
    kept.until(parts.beside.isVisible)
    assert len(parts.beside.transcript.entries) == 2
    assert parts.composer.text == DRAFT
    actions[ActionId.ADD_BESIDE].trigger()
    assert tuple(kept.window.sessions.asking.in_context) == ("beta",)
    assert parts.context_chips.isVisible()
    assert suggested(kept) == []


def test_the_chips_are_walked_by_keyboard(kept: Stage) -> None:
    parts = kept.window.parts
    kept.write(DRAFT)
    kept.until(lambda: bool(suggested(kept)))
    parts.suggestions.enter()
    QTest.keyClick(parts.suggestions._chips[0], Qt.Key.Key_Plus)
    assert tuple(kept.window.sessions.asking.in_context) == ("beta",)
    QTest.keyClick(parts.context_chips._chips[0], Qt.Key.Key_Delete)
    assert tuple(kept.window.sessions.asking.in_context) == ()
    assert parts.context_chips.isHidden()


def test_what_is_taken_along_goes_with_every_question_until_it_is_taken_off(kept: Stage) -> None:
    kept.window.recall.add(SessionId("beta"), "Beta hücreleri")
    kept.ask(DRAFT)
    assert "farelerde görülmüştür" in (kept.model.requests[-1].changing or "")
    kept.ask("Peki bu hücreler insanda nasıl davranır?")
    assert "farelerde görülmüştür" in (kept.model.requests[-1].changing or "")
    assert all("farelerde" not in words for words in kept.shown())
    kept.window.recall.remove(SessionId("beta"))
    kept.ask("Peki bu hücreler farede nasıl davranır?")
    assert "farelerde görülmüştür" not in (kept.model.requests[-1].changing or "")


def test_what_was_taken_along_ends_with_its_session(kept: Stage) -> None:
    kept.ask("Merhaba, bir sorum var.")
    kept.window.recall.add(SessionId("beta"), "Beta hücreleri")
    kept.window.actions_by_name[ActionId.END_SESSION].trigger()
    kept.until(lambda: kept.window.sessions.active is None)
    assert tuple(kept.window.sessions.asking.in_context) == ()


def test_a_deleted_session_goes_from_the_context(kept: Stage) -> None:
    kept.window.recall.add(SessionId("beta"), "Beta hücreleri")
    kept.window.commands.delete(SessionId("beta"))
    kept.until(lambda: tuple(kept.window.sessions.asking.in_context) == ())


def test_what_is_read_beside_and_taken_along_is_led_to_the_session_it_was_merged_into(
    kept: Stage,
) -> None:
    window, parts = kept.window, kept.window.parts
    window.recall.read_place(NavigationTarget(SessionId("roma")))
    kept.until(parts.beside.isVisible)
    window.recall.add(SessionId("roma"), "Roma")
    window.archive.merge(SessionId("roma"))
    kept.until(lambda: len(parts.beside.transcript.entries) == 4)
    assert parts.beside.place == NavigationTarget(SessionId("beta"))
    assert parts.beside.title == "Beta hücreleri"
    assert tuple(window.sessions.asking.in_context) == ("beta",)


def test_a_deleted_session_is_read_beside_no_longer(kept: Stage) -> None:
    parts = kept.window.parts
    kept.window.recall.read_place(NavigationTarget(SessionId("beta")))
    kept.until(parts.beside.isVisible)
    kept.window.commands.delete(SessionId("beta"))
    kept.until(lambda: not parts.beside.isVisible())
    assert parts.beside.place is None
    assert not parts.beside.transcript.entries


def test_a_selection_is_quoted_in_the_message_and_looked_for_in_all_sessions(kept: Stage) -> None:
    parts = kept.window.parts
    kept.write("Bu doğru mu?")
    parts.transcript.action_chosen.emit(
        MessageRequest(MessageAction.QUOTE, text="Tahıl geliri\nkesildi.")
    )
    assert parts.composer.text == "> Tahıl geliri\n> kesildi.\n\nBu doğru mu?"
    kept.until(lambda: parts.composer.field.cursorForPosition(QPoint(2, 2)).blockNumber() == 0)
    parts.transcript.action_chosen.emit(MessageRequest(MessageAction.SEARCH, text="Tahıl geliri"))
    kept.until(lambda: parts.sidebar.query.text == "Tahıl geliri")


@pytest.mark.parametrize("is_crash", [True, False])
def test_what_was_taken_along_is_there_again_after_a_restart(
    opens: Callable[[], Stage], kept: Stage, *, is_crash: bool
) -> None:
    kept.window.recall.add(SessionId("beta"), "Beta hücreleri")
    kept.window.recall.add(SessionId("roma"), "Roma")
    kept.write("Bir de şunu")
    if is_crash:
        kept.window.background._keep_draft()
        kept.until(lambda: kept.archive.drafts.draft(NEW_SESSION).beside == ("beta", "roma"))
        kept.die()
    else:
        kept.leave()
    again = opens()
    again.archive.sessions.delete(SessionId("roma"))
    again.attach()
    again.until(again.window.parts.context_chips.isVisible)
    assert again.window.parts.composer.text == "Bir de şunu"
    assert tuple(again.window.sessions.asking.in_context) == ("beta",)
    again.ask(DRAFT)
    assert "farelerde görülmüştür" in (again.model.requests[-1].changing or "")
