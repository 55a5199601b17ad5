"""Suggested questions in the window: on the page of a new session, and below an answer."""

from dataclasses import replace
from datetime import timedelta

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from desktop.domain.projects import EVERYTHING
from desktop.domain.times import utc_now
from desktop.ui.transcript.answer_card import AnswerCard
from desktop.ui.widgets.buttons import QuestionChip
from tests.archives import finished
from tests.ui.main_window.stage import Stage

YEAST = "Ekşi maya neden köpürmüyor?"
FLOUR = "Ekşi maya için hangi un iyi?"


@pytest.fixture
def month(stage: Stage) -> Stage:
    """A window with a month of use, in which patterns were found."""
    now = utc_now()
    when = [now - timedelta(days=3 * n, minutes=9) for n in range(8, 0, -1)]
    said = (YEAST, "Soğuktan.", FLOUR, "Çavdar.")
    stage.archive.imports.add(
        [finished(f"m{n}", *said, topics=["ekşi maya"], at=at) for n, at in enumerate(when)]
    )
    stage.services.suggested.look()
    stage.window.archive.load()
    stage.until(lambda: bool(_offered(stage)))
    return stage


def _offered(stage: Stage) -> list[str]:
    return [one.question for one in stage.window.parts.empty_page.questions.chips]


def _below(stage: Stage) -> list[QuestionChip]:
    cards = stage.window.parts.transcript.live.values()
    return [
        chip
        for card in cards
        if isinstance(card, AnswerCard)
        for chip in card.findChildren(QuestionChip)
        if chip.isVisible()
    ]


def test_the_empty_page_offers_what_is_open_and_what_comes_back(month: Stage) -> None:
    assert _offered(month)[0] in {YEAST, FLOUR}
    assert "Where did we leave off on ekşi maya?" in _offered(month)


def test_a_click_asks_the_question_and_keeps_the_draft(month: Stage) -> None:
    parts = month.window.parts
    parts.composer.set_text("Yarın sorarım")
    parts.empty_page.questions.chips[0].click()
    month.until(lambda: len(month.model.requests) == 1)
    month.until(lambda: not month.window.sessions.turns.is_running)
    assert parts.composer.text == "Yarın sorarım"


def test_below_an_answer_are_suggested(month: Stage) -> None:
    month.ask("Ekşi maya neden köpürmüyor ki?")
    month.until(lambda: bool(_below(month)))
    (chip,) = _below(month)
    assert "ekşi maya" in chip.question.casefold()
    assert chip.accessibleName() == f"Ask: {chip.question}"
    cards = month.window.parts.transcript.live.values()
    assert any(chip in card.tab_stops() for card in cards)
    QTest.keyClick(chip, Qt.Key.Key_Return)
    month.until(lambda: len(month.model.requests) == 2)
    month.until(lambda: not month.window.sessions.turns.is_running)
    assert not _below(month)


def test_the_switch_turns_it_off_and_forgets(month: Stage) -> None:
    assert month.archive.patterns.patterns(EVERYTHING)
    month.changes.apply(replace(month.changes.settings, uses_patterns=False))
    month.until(lambda: not month.archive.patterns.patterns(EVERYTHING))
    assert not _offered(month)


def test_a_temporary_session_gets_no_suggestions(month: Stage) -> None:
    month.window.commands.begin_temporary()
    month.until(lambda: month.window.sessions.is_temporary)
    assert not month.window.parts.empty_page.questions.isVisible()
    month.ask(YEAST)
    assert not _below(month)
