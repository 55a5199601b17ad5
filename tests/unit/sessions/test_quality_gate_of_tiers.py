"""The gate behind what a tier writes: as behind any answer, and within what was set beforehand."""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest

from desktop.domain.events import (
    AnswerRejected,
    Outcome,
    PhaseEnded,
    SourceFound,
    StepEnded,
    TextArrived,
    TurnEvent,
)
from desktop.domain.language import Language
from desktop.domain.messages import CitationState, MessageState
from desktop.domain.research import StepKind
from desktop.domain.tiers import Tier
from desktop.domain.turn_phases import Phase, PhaseOutcome
from desktop.domain.usage import Usage
from desktop.research.tiers.run import read_instructions
from desktop.sessions.prompts_and_phrases import wording
from tests.fakes import Request, Says, SaysJson, ScriptedServer, Step
from tests.researchers import ANSWER, QUESTIONS, REPORT, SMALL, Researcher, asks
from tests.web import Served, page, result, searxng
from tests.web import Web as LoopbackWeb

DAWN = "The dawn phenomenon is a rise of blood sugar between four and eight in the morning."
METFORMIN = "Metformin in the evening lowers the blood sugar of the dawn by a tenth."
QUESTION = "What is the dawn phenomenon?"
TURKISH = (
    "Şafak olayı, sabaha karşı salgılanan hormonların etkisiyle kan şekerinin yükselmesidir ve "
    "diyabeti olan kişilerde daha belirgin görülür."
)
ENGLISH = (
    'It is a rise of blood sugar in the early morning [1: "a rise of blood sugar between four and '
    'eight in the morning"].'
)
REPORT_RULE = read_instructions(Language.EN, "deep_report")


@pytest.fixture
def someone(tmp_path: Path, server: ScriptedServer, loopback: LoopbackWeb) -> Iterator[Researcher]:
    someone = Researcher(tmp_path, server, loopback, name="claude-sonnet-5-5")
    someone.shelve("Dawn", DAWN)
    yield someone
    someone.close()


def in_turn(*texts: str, usage: Usage = SMALL) -> Callable[[Request], Step]:
    """One after the other; the last again and again."""
    left = list(texts)
    return lambda _: Says(left.pop(0) if len(left) > 1 else left[0], usage=usage)


def kind_of_answer(tier: Tier) -> str:
    return REPORT if tier is Tier.DEEP else ANSWER


def phases(someone: Researcher) -> list[tuple[Phase, PhaseOutcome]]:
    return [(one.record.phase, one.record.outcome) for one in someone.study.happened(PhaseEnded)]


def rejected(someone: Researcher) -> list[Sequence[str]]:
    return [one.faults for one in someone.study.happened(AnswerRejected)]


@pytest.mark.parametrize("tier", list(Tier))
def test_a_good_answer_of_a_tier_is_written_once_and_looked_over(
    someone: Researcher, tier: Tier
) -> None:
    ended = someone.ask(QUESTION, tier)
    assert ended.outcome is Outcome.COMPLETE
    assert someone.brain.kinds.count(kind_of_answer(tier)) == 1
    assert phases(someone)[-2:] == [
        (Phase.WRITING, PhaseOutcome.DONE),
        (Phase.QUALITY, PhaseOutcome.DONE),
    ]


@pytest.mark.parametrize("tier", list(Tier))
def test_what_comes_in_another_language_is_written_once_more_from_the_same_evidence(
    someone: Researcher, tier: Tier
) -> None:
    kind = kind_of_answer(tier)
    someone.brain.does[kind] = in_turn(TURKISH, ENGLISH)
    ended = someone.ask(QUESTION, tier)
    assert rejected(someone) == [("language",)]
    assert someone.brain.kinds[-2:] == [kind, kind]
    first, second = someone.brain.requests(kind)
    assert second.newest.startswith(first.newest)
    assert "write English" in second.newest
    assert ended.text.startswith("It is a rise of blood sugar in the early morning [1].")
    (citation,) = ended.citations
    assert someone.opens(citation)
    assert someone.study.on_disk()[-1].content == ended.text
    assert ended.session_id is not None
    assert ended.message_id is not None
    kept = someone.study.archive.answers.citations(ended.session_id)
    assert kept[ended.message_id] == [citation]


@pytest.mark.parametrize("tier", list(Tier))
def test_the_steps_of_a_text_that_was_rejected_are_kept_with_it(
    someone: Researcher, tier: Tier
) -> None:
    someone.brain.does[kind_of_answer(tier)] = in_turn(TURKISH, ENGLISH)
    someone.ask(QUESTION, tier)
    (rejection,) = someone.study.happened(AnswerRejected)
    kept = someone.study.archive.work_done.of_answer(rejection.message_id)
    steps = [one.done for one in kept if isinstance(one.done, StepEnded)]
    assert [one.kind for one in steps].count(StepKind.WRITE) == 1
    assert steps[-1].usage.total_tokens == SMALL.total_tokens
    assert any(isinstance(one.done, SourceFound) for one in kept)


def test_what_the_second_text_cites_is_checked_as_the_first(someone: Researcher) -> None:
    invented = 'It falls [1: "a fall of blood sugar at noon"] and rises [7].'
    someone.brain.does[ANSWER] = in_turn(TURKISH, invented)
    ended = someone.ask(QUESTION, Tier.QUICK)
    assert [one.state for one in ended.citations] == [CitationState.UNCHECKED]
    assert "[?]" in ended.text


@pytest.mark.parametrize("tier", list(Tier))
def test_both_texts_are_counted_and_no_token_twice(someone: Researcher, tier: Tier) -> None:
    someone.brain.does[kind_of_answer(tier)] = in_turn(TURKISH, ENGLISH)
    ended = someone.ask(QUESTION, tier)
    asked = len(someone.brain.asked)
    assert ended.usage.total_tokens == asked * SMALL.total_tokens
    assert ended.session_id is not None
    stored = someone.study.archive.answers.usage(ended.session_id)
    assert sum(one.total_tokens for one in stored.values()) == asked * SMALL.total_tokens
    logged = someone.study.archive.phases.phases(ended.session_id)
    assert sum(one.usage.total_tokens for one in logged) == asked * SMALL.total_tokens


@pytest.mark.parametrize("tier", list(Tier))
def test_what_stays_in_another_language_is_kept_with_a_word_about_it(
    someone: Researcher, tier: Tier
) -> None:
    someone.brain.does[kind_of_answer(tier)] = in_turn(TURKISH)
    ended = someone.ask(QUESTION, tier)
    assert ended.text.startswith(TURKISH)
    assert "did not come in the language of the question" in ended.text
    assert phases(someone)[-1] == (Phase.QUALITY, PhaseOutcome.FELL_BACK)
    assert someone.study.on_disk()[-1].content == ended.text


@pytest.mark.parametrize("tier", list(Tier))
@pytest.mark.parametrize("leak", ["key", "name", "instructions"])
def test_what_must_not_be_told_is_told_by_no_tier(
    someone: Researcher, tier: Tier, leak: str
) -> None:
    rule = REPORT_RULE if tier is Tier.DEEP else wording(Language.EN).assistant
    text = {
        "key": "The key is sk-ant-abcdefghijklmnopqrstuv.",
        "name": "I would call memory_save for that.",
        "instructions": rule,
    }[leak]
    someone.brain.does[kind_of_answer(tier)] = in_turn(text)
    ended = someone.ask(QUESTION, tier)
    assert rejected(someone) == [("leaked",)]
    assert "it contained something I must not share" in ended.text
    assert text not in ended.text
    assert text not in someone.study.on_disk()[-1].content


@pytest.mark.parametrize("tier", [Tier.QUICK, Tier.RESEARCH])
def test_what_stands_in_a_source_may_be_told(someone: Researcher, tier: Tier) -> None:
    words = "Set MY_KEY to sk-ant-examplekey000000000 and run memory_save"
    someone.shelve("Manual", f"{words}, says the manual of the dawn phenomenon.")
    question = "What does the manual of the dawn phenomenon say of MY_KEY?"
    someone.brain.does[QUESTIONS] = asks(question)
    someone.brain.does[ANSWER] = in_turn(f'It says so [1: "{words}"]: {words}.')
    ended = someone.ask(question, tier)
    assert rejected(someone) == []
    assert words in ended.text


def test_an_empty_report_gives_way_to_the_evidence_that_was_paid_for(someone: Researcher) -> None:
    someone.brain.does[REPORT] = in_turn(" ")
    ended = someone.ask(QUESTION, Tier.DEEP)
    assert "This is the evidence found" in ended.text
    assert "rise of blood sugar" in ended.text
    assert ended.citations
    assert all(someone.opens(one) for one in ended.citations)
    assert someone.study.on_disk()[-1].content == ended.text


def test_a_report_is_not_asked_for_again_where_only_doubts_speak_against_it(
    someone: Researcher,
) -> None:
    someone.brain.does[REPORT] = in_turn("Blood sugar rises between four and eight.")
    ended = someone.ask("What is the dawn phenomenon? Who wrote Moby Dick novel?", Tier.DEEP)
    assert ended.outcome is Outcome.COMPLETE
    assert (rejected(someone), someone.brain.kinds.count(REPORT)) == ([], 1)
    assert ANSWER not in someone.brain.kinds


@pytest.mark.parametrize("limit", ["tokens", "money", "time"])
def test_a_second_report_that_does_not_fit_is_not_asked_for(
    someone: Researcher, limit: str
) -> None:
    seconds = 0.0
    someone.study.ticks = lambda: seconds

    def writes(_: Request) -> Step:
        nonlocal seconds
        seconds += 40
        return Says(TURKISH, usage=Usage(input_tokens=2_000, output_tokens=4_000))

    someone.brain.does[REPORT] = writes
    limits: dict[str, dict[str, int]] = {
        "tokens": {"deep_tokens": 11_000, "deep_cents": 0},
        "money": {"deep_cents": 8, "deep_tokens": 500_000},
        "time": {"deep_minutes": 1, "deep_tokens": 500_000, "deep_cents": 0},
    }
    someone.study.set(**limits[limit])
    ended = someone.ask(QUESTION, Tier.DEEP)
    assert someone.brain.kinds.count(REPORT) == 1
    assert rejected(someone) == []
    assert "did not come in the language of the question" in ended.text
    assert phases(someone)[-1] == (Phase.QUALITY, PhaseOutcome.FELL_BACK)


def test_the_same_report_is_asked_for_again_where_it_fits(someone: Researcher) -> None:
    someone.study.set(deep_tokens=500_000, deep_cents=0)
    someone.brain.does[REPORT] = in_turn(
        TURKISH, ENGLISH, usage=Usage(input_tokens=2_000, output_tokens=4_000)
    )
    someone.ask(QUESTION, Tier.DEEP)
    assert someone.brain.kinds.count(REPORT) == 2


def test_stopped_while_it_is_written_again_it_keeps_what_it_has(someone: Researcher) -> None:
    turn = someone.study.assistant.ask(QUESTION, tier=Tier.QUICK)
    begun: list[str] = []

    def writes(_: Request) -> Step:
        begun.append("")
        return Says(TURKISH if len(begun) == 1 else ENGLISH, usage=SMALL)

    someone.brain.does[ANSWER] = writes

    def cancel_the_second(event: TurnEvent) -> None:
        if isinstance(event, TextArrived) and len(begun) > 1:
            turn.cancel()

    assert someone.study.run(turn, cancel_the_second).outcome is Outcome.STOPPED
    assert someone.study.on_disk()[-1].state is MessageState.STOPPED


@pytest.mark.parametrize("tier", [Tier.QUICK, Tier.RESEARCH])
def test_an_answer_without_room_for_its_end_is_written_again_shorter(
    someone: Researcher, tier: Tier
) -> None:
    texts = [Says(ENGLISH, usage=SMALL, stop_reason="max_tokens"), Says(ENGLISH, usage=SMALL)]
    someone.brain.does[ANSWER] = lambda _: texts.pop(0)
    ended = someone.ask(QUESTION, tier)
    assert rejected(someone) == [("cut",)]
    assert not ended.is_cut


@pytest.mark.parametrize("tier", [Tier.QUICK, Tier.RESEARCH])
def test_a_part_that_seems_to_be_missing_is_asked_about_and_then_written(
    someone: Researcher, tier: Tier
) -> None:
    whole = f"{ENGLISH} Herman Melville wrote the novel Moby Dick."
    left = [
        Says(ENGLISH, usage=SMALL),
        SaysJson({"choice": "no"}, SMALL),
        Says(whole, usage=SMALL),
    ]
    someone.brain.does[ANSWER] = lambda _: left.pop(0)
    ended = someone.ask("What is the dawn phenomenon? Who wrote the novel Moby Dick?", tier)
    assert rejected(someone) == [("part_missing",)]
    assert ended.text.endswith("Moby Dick.")
    assert left == []


# What could not be read


def put_broken_web(web: LoopbackWeb, *, with_good: bool = False) -> None:
    gone = web.put("/gone", Served(b"", status=404))
    good = web.put("/good", page("Metformin", METFORMIN))
    found = [result("Gone", gone), *([result("Metformin", good)] if with_good else [])]
    web.put("/search", searxng(*found))


@pytest.mark.parametrize("tier", [Tier.QUICK, Tier.RESEARCH])
def test_pages_that_could_not_be_read_have_to_be_admitted(someone: Researcher, tier: Tier) -> None:
    put_broken_web(someone.loopback)
    someone.turn_web_on()
    honest = "I could not read the page about metformin, so I do not know."
    someone.brain.does[ANSWER] = in_turn("Metformin lowers everything by a tenth.", honest)
    ended = someone.ask("Does metformin lower it by a tenth in the evening?", tier)
    assert rejected(someone) == [("tool_failure",)]
    assert ended.text == honest
    assert "could not be searched or read" in someone.brain.requests(ANSWER)[-1].newest


def test_a_search_that_failed_and_is_never_admitted_is_told_below_the_answer(
    someone: Researcher,
) -> None:
    someone.loopback.put("/search", Served(b"", status=500))
    someone.turn_web_on()
    someone.brain.does[ANSWER] = in_turn("Metformin lowers everything by a tenth.")
    ended = someone.ask("Does metformin lower it by a tenth in the evening?", Tier.QUICK)
    assert "This answer may be incomplete" in ended.text
    assert "could not be searched or read" in ended.text


def test_where_some_pages_could_be_read_the_quick_model_is_asked(someone: Researcher) -> None:
    put_broken_web(someone.loopback, with_good=True)
    someone.turn_web_on()

    def says(request: Request) -> Step:
        if "web; 1 page" in request.newest and "choice" in str(request.json):
            return SaysJson({"choice": "yes"}, SMALL)
        return Says("Metformin lowers it by a tenth.", usage=SMALL)

    someone.brain.does[ANSWER] = says
    ended = someone.ask("Does metformin lower it by a tenth in the evening?", Tier.QUICK)
    assert ended.text == "Metformin lowers it by a tenth."
    assert someone.brain.kinds == [ANSWER, ANSWER]


def test_a_report_says_below_it_what_could_not_be_read(someone: Researcher) -> None:
    put_broken_web(someone.loopback)
    someone.turn_web_on()
    ended = someone.ask(QUESTION, Tier.DEEP)
    assert "1 page could not be searched or read." in ended.text
    assert rejected(someone) == []
