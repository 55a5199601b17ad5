"""Checked claims in the window: marks, the line above the answer, and the answer without them."""

import pytest

from desktop.domain.claims import (
    CitedSupport,
    ClaimWarning,
    JudgedClaim,
    Support,
    WarningKind,
)
from desktop.domain.messages import Citation, CitationState
from desktop.domain.projects import EVERYTHING
from desktop.storage.repositories.answer_records import AnswerRecord
from desktop.ui.services import NavigationTarget
from desktop.ui.transcript.answer_card import AnswerCard
from desktop.ui.transcript.entries import MessageAction, MessageRequest
from desktop.ui.widgets.buttons import PassageButton, PushButton
from desktop.ui.widgets.plain_text import HintLabel
from tests.archives import finished
from tests.narrowing import instance, present
from tests.ui.main_window.stage import Stage

ANSWER = "It opened in 1987 [1]. It is red [2]. It is old [3]."
WITHOUT = "Write it again without these"


@pytest.fixture
def judged(stage: Stage) -> Stage:
    """An answer whose first claim is supported, its second contradicted, its third absent."""
    return judge(stage, ANSWER, (1, 2, 3))


def judge(stage: Stage, text: str, numbers: tuple[int, int, int]) -> Stage:
    """Open an answer of three claims that cite these numbers."""
    stage.archive.imports.add([finished("bridge", "Tell me about the bridge", text)])
    (session,) = (one.id for one in stage.archive.sessions.sessions(EVERYTHING))
    answer = stage.archive.sessions.messages(session)[-1].id
    citations = [
        Citation(number, CitationState.CHECKED, "green paint", "s", "p", "Bridges")
        for number in sorted(set(numbers))
    ]
    supports = (Support.SUPPORTED, Support.CONTRADICTED, Support.ABSENT)
    starts = (0, text.index("It is red"), text.index("It is old"), len(text))
    claims = [
        JudgedClaim(
            starts[place],
            starts[place + 1],
            (CitedSupport(numbers[place], support, "green" if place < 2 else ""),),
            (ClaimWarning(WarningKind.NUMBER, "1987"),) if not place else (),
        )
        for place, support in enumerate(supports)
    ]
    record = AnswerRecord(answer, "scripted", citations, asks_judge=True)
    stage.archive.sessions.keep_records(session, [record])
    stage.archive.claims.keep(answer, claims, "scripted")
    stage.window.sessions.open(NavigationTarget(session))
    stage.until(stage.window.parts.reading_bar.isVisible)
    stage.window.sessions.resume(session)
    stage.until(lambda: stage.messages()[-1].facts.review is not None)
    stage.until(stage.window.parts.reading_bar.isHidden)
    return stage


def _card(stage: Stage) -> AnswerCard:
    return instance(stage.window.parts.transcript.live[stage.messages()[-1]], AnswerCard)


def test_marks_and_a_line_above_say_what_the_sources_do_not(judged: Stage) -> None:
    card = _card(judged)
    shown = "".join(pane.toPlainText() for pane in card.panes())
    signs = [shown[shown.index(number) + 1] for number in ("1✓", "2✗", "3!")]
    assert signs == ["✓", "✗", "!"]
    words = "1 statement contradicted by its source · 1 statement not in its source"
    assert words in card.accessibleDescription()


def test_a_mark_is_judged_by_its_own_sentence_where_others_have_its_number(stage: Stage) -> None:
    card = _card(judge(stage, ANSWER.replace("[2]", "[1]").replace("[3]", "[2]"), (1, 1, 2)))
    shown = "".join(pane.toPlainText() for pane in card.panes())
    first, second, third = (shown.index(words) for words in ("1✓", "1✗", "2!"))
    assert first < shown.index("It is red") < second < shown.index("It is old") < third


def test_the_panel_shows_claims_the_deciding_words_and_warnings(judged: Stage) -> None:
    window = judged.window
    window._side.toggle(window.parts.panel)
    judged.until(lambda: bool(window.parts.panel.findChildren(PassageButton)))
    texts = [label.text() for label in window.parts.panel.findChildren(HintLabel)]
    for expected in (
        "✓ The source says this: It opened in 1987 [1].",
        "⚠ “1987” is not in the passage",
        "✗ The source says otherwise: It is red [2].",
        "Decided by: “green”",
        "! Not in the source: It is old [3].",
    ):
        assert expected in texts
    (first, *_) = window.parts.panel.findChildren(PassageButton)
    assert "The source says this" in first.accessibleDescription()


def test_the_answer_is_written_again_without_them(judged: Stage) -> None:
    judged.model.says("It opened in 1987 [1].")
    (button,) = (b for b in _card(judged).findChildren(PushButton) if b.text() == WITHOUT)
    button.click()
    judged.until(lambda: judged.messages()[-1].text == "It opened in 1987 [1].")
    judged.until(lambda: present(judged.messages()[-1].facts.versions).place == 2)
    assert "1. It is red" in judged.model.requests[-1].messages[-1].text


def test_without_a_model_the_wish_to_check_is_answered(judged: Stage) -> None:
    answer = judged.messages()[-1].message.id
    transcript, strip = judged.window.parts.transcript, judged.window.parts.strip
    transcript.action_chosen.emit(MessageRequest(MessageAction.CHECK_CLAIMS, answer))
    judged.until(lambda: "failed" in strip)
    assert strip.text("failed").startswith("No model is connected that could check")
