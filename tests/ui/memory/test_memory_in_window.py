"""Memory in the main window: the button below a message, the notices, the facts of an answer."""

from collections.abc import Sequence
from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPushButton

from desktop.domain.events import ForgetAsked
from desktop.domain.facts import FactFilter, Learned
from desktop.domain.ids import FactId, SessionId, TurnId
from desktop.domain.projects import EVERYTHING
from desktop.ui.memory.fact_page import FactForm
from desktop.ui.transcript.answer_card import AnswerCard, UsedPassages
from desktop.ui.transcript.card import MessageCard
from desktop.ui.transcript.entries import MessageAction, MessageRequest
from tests.narrowing import instance, present
from tests.ui.main_window.stage import Stage
from tests.ui.memory.conftest import a_fact, form, held


def said(stage: Stage) -> list[str]:
    strip = stage.window.parts.strip
    return [strip.text(key) for key in strip._strips]


def remember(stage: Stage, place: int) -> None:
    """Press Remember below a message and wait for the notice."""
    message = stage.messages()[place].message.id
    request = MessageRequest(MessageAction.REMEMBER, message)
    stage.window.parts.transcript.action_chosen.emit(request)
    stage.until(lambda: bool(said(stage)))


def press(stage: Stage, notice: str, label: str) -> None:
    """Press a button of a notice, which comes after what it tells of is stored."""
    strips = stage.window.parts.strip._strips
    stage.until(lambda: any(notice in strip.accessibleName() for strip in strips.values()))
    strip = next(one for one in strips.values() if notice in one.accessibleName())
    buttons: Sequence[QPushButton] = strip.findChildren(QPushButton)
    next(one for one in buttons if one.text() == label).click()


@pytest.fixture
def asked(empty: Stage) -> Stage:
    empty.model.says("Lizbon'a mayısta gidilir.")
    empty.ask("Lizbon'a 4 Mayıs'ta gidiyorum.")
    return empty


def card(stage: Stage, place: int) -> MessageCard:
    entry = stage.messages()[place]
    return instance(stage.window.parts.transcript.live[entry], MessageCard)


@pytest.mark.parametrize(
    ("place", "words"), [(0, "Lizbon'a 4 Mayıs'ta gidiyorum."), (1, "Lizbon'a mayısta gidilir.")]
)
def test_any_message_is_remembered_at_a_press_and_taken_back_at_another(
    asked: Stage, place: int, words: str
) -> None:
    remember(asked, place)
    (fact,) = asked.archive.facts.facts(FactFilter(EVERYTHING))
    assert fact.content == words
    assert 8 <= fact.importance <= 10
    (source,) = asked.archive.facts.sources(fact.id)
    assert source.quote == words
    assert said(asked) == [f"Remembered: {words}"]
    press(asked, "Remembered", "Undo")
    asked.until(lambda: not held(asked))


def test_remembering_a_known_fact_again_offers_no_undo(asked: Stage) -> None:
    remember(asked, 0)
    asked.window.parts.strip.remove(next(iter(asked.window.parts.strip._strips)))
    remember(asked, 0)
    assert said(asked)[0].startswith("Already remembered")


def test_the_remember_button_refuses_a_secret_with_the_reason(empty: Stage) -> None:
    empty.model.says("Peki.")
    empty.ask("Parolam: gizli123")
    remember(empty, 0)
    assert "a password or a card number" in said(empty)[-1]
    assert held(empty) == set()


def test_in_a_temporary_session_and_without_memory_it_is_not_offered(asked: Stage) -> None:
    shown = instance(card(asked, 1), AnswerCard)
    assert shown._actions is not None
    assert shown._actions._remember.isVisible()
    asked.changes.apply(replace(asked.changes.settings, uses_memory=False))
    assert not shown._actions._remember.isVisible()
    asked.changes.apply(replace(asked.changes.settings, uses_memory=True))
    asked.window.actions_by_name["temporary"].trigger()
    asked.until(lambda: asked.window.sessions.is_temporary)
    asked.ask("Gizli soru?")
    shown = instance(card(asked, 1), AnswerCard)
    assert shown._actions is not None
    assert not shown._actions._remember.isVisible()


def test_the_facts_learned_from_a_session_are_shown_one_by_one(stage: Stage) -> None:
    facts = stage.archive.facts.some([FactId("ev"), FactId("tez")])
    stage.window.background.learned.emit(
        Learned(SessionId("ev"), facts[1:], [(facts[1], facts[0])])
    )
    assert sorted(said(stage)) == [
        "Remembered: Ankara'da yaşıyor.",
        "Remembered: Tezi 14 Mayıs'ta bitecek.",
    ]
    press(stage, "Tezi", "Undo")
    stage.until(lambda: "Tezi 14 Mayıs'ta bitecek." not in held(stage))
    press(stage, "Ankara", "Undo")
    stage.until(lambda: "İzmir'de yaşıyor." in held(stage))
    assert said(stage) == []


def test_a_learned_fact_is_edited_in_the_memory(stage: Stage) -> None:
    (fact,) = stage.archive.facts.some([FactId("tez")])
    stage.window.background.learned.emit(Learned(SessionId("ev"), [fact]))
    press(stage, "Tezi", "Edit")
    stage.until(lambda: stage.window.memory.page is not None)
    window = present(stage.window.memory.page)
    stage.until(lambda: bool(window.findChildren(FactForm)))
    assert form(window)._content.toPlainText() == "Tezi 14 Mayıs'ta bitecek."


def test_many_facts_are_announced_together(stage: Stage) -> None:
    facts = [a_fact(f"n{n}", f"{n}. bilgi") for n in range(9)]
    stage.window.background.learned.emit(Learned(SessionId("ev"), facts))
    assert len(said(stage)) == 5
    assert "5" in said(stage)[-1]
    stage.ask("Sonraki soru")
    assert said(stage) == []


def test_nothing_is_forgotten_before_it_was_confirmed(stage: Stage) -> None:
    facts = stage.archive.facts.some([FactId("ev")])
    stage.window.sessions.turns.happened.emit(ForgetAsked(TurnId("t"), facts))
    assert said(stage) == ["Forget “Ankara'da yaşıyor.”?"]
    press(stage, "Forget", "Keep")
    assert said(stage) == []
    stage.window.sessions.turns.happened.emit(ForgetAsked(TurnId("t"), facts))
    press(stage, "Forget", "Forget")
    stage.until(lambda: "Ankara'da yaşıyor." not in held(stage))
    press(stage, "forgotten", "Undo")
    stage.until(lambda: "Ankara'da yaşıyor." in held(stage))


def test_forgetting_everything_lists_only_the_first_facts(stage: Stage) -> None:
    facts = [a_fact(str(number), f"Bilgi {number}") for number in range(30)]
    stage.window.sessions.turns.happened.emit(ForgetAsked(TurnId("t"), facts))
    (asked,) = said(stage)
    assert asked.startswith("Forget these 30 facts?")
    assert "Bilgi 9" in asked
    assert "Bilgi 10" not in asked
    assert asked.endswith("and 20 more")


def test_the_words_in_a_message_ask_for_the_same(empty: Stage) -> None:
    stage = empty
    stage.ask("Bunu unutma: köpeğimin adı Karabaş.")
    stage.until(lambda: bool(said(stage)))
    assert "Karabaş" in said(stage)[0]
    stage.ask("Köpeğimi unut.")
    stage.until(lambda: any("Forget" in one for one in said(stage)))
    press(stage, "Forget", "Forget")
    stage.until(lambda: not held(stage))


def test_an_answer_shows_the_facts_sent_with_its_question_and_leads_to_them(stage: Stage) -> None:
    stage.ask("Nerede yaşıyorum?")
    stage.until(lambda: bool(stage.messages()[-1].facts.remembered))
    (used,) = card(stage, -1).findChildren(UsedPassages)
    assert "facts sent" in used._head.text()
    used._head.click()
    *_, last = used.tab_stops()
    words = last.accessibleName().removeprefix("Remembered: ")
    assert words in held(stage)
    QTest.keyClick(last, Qt.Key.Key_Space)
    stage.until(lambda: stage.window.memory.page is not None)
    window = present(stage.window.memory.page)
    stage.until(lambda: window.list.current is not None)
    assert window.list.current is not None
    assert window.list.current.content == words


def test_it_is_still_shown_when_the_session_is_opened_again(stage: Stage) -> None:
    stage.ask("Nerede yaşıyorum?")
    session = present(stage.window.sessions.active)
    stage.window.sessions.begin_new()
    stage.until(lambda: stage.window.sessions.active is None)
    stage.window.sessions.undo_end(session.id)
    stage.until(lambda: bool(stage.messages()) and bool(stage.messages()[-1].facts.remembered))
