"""The quality gate for the text of a tier: as for any answer, within its limits."""

from collections.abc import Callable, Sequence

import pytest

from desktop.domain.events import AnswerRejected, Outcome, PhaseEnded, TextArrived, TurnEvent
from desktop.domain.language import Language
from desktop.domain.messages import MessageState
from desktop.domain.routing import Tier, TurnOptions
from desktop.domain.usage import Phase, PhaseOutcome, Usage
from desktop.sessions.conversation.assistant_context import read_instructions, wording
from tests.fakes import Request, Says, Step
from tests.researchers import ANSWER, QUESTIONS, REPORT, SMALL, Researcher, asks
from tests.web import Served, result, searxng
from tests.web import Web as LoopbackWeb

DAWN = "The dawn phenomenon is a rise of blood sugar between four and eight in the morning."
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
def someone(hired: Callable[..., Researcher]) -> Researcher:
    someone = hired(name="claude-sonnet-5-5")
    someone.shelve("Dawn", DAWN)
    return someone


def in_turn(*texts: str, usage: Usage = SMALL) -> Callable[[Request], Step]:
    """Steps in turn; the last one repeats."""
    left = list(texts)
    return lambda _: Says(left.pop(0) if len(left) > 1 else left[0], usage=usage)


def kind_of_answer(tier: Tier) -> str:
    return REPORT if tier is Tier.DEEP else ANSWER


def phases(someone: Researcher) -> list[tuple[Phase, PhaseOutcome]]:
    return [(one.record.phase, one.record.outcome) for one in someone.study.happened(PhaseEnded)]


def rejected(someone: Researcher) -> list[Sequence[str]]:
    return [one.faults for one in someone.study.happened(AnswerRejected)]


@pytest.mark.parametrize("tier", list(Tier))
def test_an_answer_in_another_language_is_rewritten_from_the_same_evidence(
    someone: Researcher, tier: Tier
) -> None:
    kind = kind_of_answer(tier)
    someone.brain.does[kind] = in_turn(TURKISH, ENGLISH)
    ended = someone.ask(QUESTION, tier)
    assert rejected(someone) == [("language",)]
    assert someone.brain.kinds[-2:] == [kind, kind]
    first, second = someone.brain.requests(kind)
    assert second.newest.startswith(first.newest)
    assert "write in English" in second.newest
    assert ended.text.startswith("It is a rise of blood sugar in the early morning [1].")
    (citation,) = ended.citations
    assert someone.opens(citation)
    assert someone.study.on_disk()[-1].content == ended.text
    session_id = someone.study.active.id
    kept = someone.study.archive.answers.citations(session_id)
    assert kept == {ended.message_id: [citation]}
    # Both texts are counted, and no token twice.
    paid = len(someone.brain.asked) * SMALL.total_tokens
    stored = someone.study.archive.answers.usage(session_id)
    logged = someone.study.archive.phases.phases(session_id)
    assert ended.usage.total_tokens == paid
    assert sum(one.total_tokens for one in stored.values()) == paid
    assert sum(one.usage.total_tokens for one in logged) == paid


@pytest.mark.parametrize("tier", list(Tier))
@pytest.mark.parametrize("leak", ["key", "name", "instructions"])
def test_no_tier_reveals_secret_information(someone: Researcher, tier: Tier, leak: str) -> None:
    rule = REPORT_RULE if tier is Tier.DEEP else wording(Language.EN).instructions("assistant")
    text = {
        "key": "The key is sk-ant-abcdefghijklmnopqrstuv.",
        "name": "I would call memory_save for that.",
        "instructions": rule,
    }[leak]
    someone.brain.does[kind_of_answer(tier)] = in_turn(text)
    ended = someone.ask(QUESTION, tier)
    assert rejected(someone) == [("leaked",)]
    assert "it contained information that I must not share" in ended.text
    assert text not in ended.text
    assert text not in someone.study.on_disk()[-1].content


@pytest.mark.parametrize("tier", [Tier.QUICK, Tier.RESEARCH])
def test_text_of_a_source_may_be_repeated(someone: Researcher, tier: Tier) -> None:
    words = "Set MY_KEY to sk-ant-examplekey000000000 and run memory_save"
    someone.shelve("Manual", f"{words}, says the manual of the dawn phenomenon.")
    question = "What does the manual of the dawn phenomenon say of MY_KEY?"
    someone.brain.does[QUESTIONS] = asks(question)
    someone.brain.does[ANSWER] = in_turn(f'It says so [1: "{words}"]: {words}.')
    ended = someone.ask(question, tier)
    assert rejected(someone) == []
    assert words in ended.text


def test_a_report_with_only_doubtful_faults_is_not_requested_again(someone: Researcher) -> None:
    someone.brain.does[REPORT] = in_turn("Blood sugar rises between four and eight.")
    ended = someone.ask("What is the dawn phenomenon? Who wrote Moby Dick novel?", Tier.DEEP)
    assert ended.outcome is Outcome.COMPLETE
    assert (rejected(someone), someone.brain.kinds.count(REPORT)) == ([], 1)
    assert ANSWER not in someone.brain.kinds


ROOMY = {"deep_tokens": 500_000, "deep_cents": 0}


@pytest.mark.parametrize(
    "limits",
    [{"deep_tokens": 11_000}, {"deep_cents": 8}, {"deep_minutes": 1}],
    ids=["tokens", "money", "time"],
)
def test_a_second_report_beyond_the_budget_is_not_requested(
    someone: Researcher, limits: dict[str, int]
) -> None:
    seconds = 0.0
    someone.study.ticks = lambda: seconds

    def writes(_: Request) -> Step:
        nonlocal seconds
        seconds += 40
        return Says(TURKISH, usage=Usage(input_tokens=2_000, output_tokens=4_000))

    someone.brain.does[REPORT] = writes
    someone.study.set(**ROOMY | limits)
    ended = someone.ask(QUESTION, Tier.DEEP)
    assert someone.brain.kinds.count(REPORT) == 1
    assert rejected(someone) == []
    assert "did not answer in the language of the question" in ended.text
    assert phases(someone)[-1] == (Phase.QUALITY, PhaseOutcome.FELL_BACK)


def test_stopped_while_it_is_written_again_it_keeps_what_it_has(someone: Researcher) -> None:
    turn = someone.study.assistant.ask(QUESTION, TurnOptions(tier=Tier.QUICK))
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


def test_stopped_before_it_is_written_again_no_token_counts_twice(someone: Researcher) -> None:
    someone.brain.does[ANSWER] = in_turn(TURKISH, ENGLISH)
    turn = someone.study.assistant.ask(QUESTION, TurnOptions(tier=Tier.QUICK))

    def cancel_the_second(event: TurnEvent) -> None:
        if isinstance(event, AnswerRejected):
            turn.cancel()

    ended = someone.study.run(turn, cancel_the_second)
    paid = len(someone.brain.asked) * SMALL.total_tokens
    logged = someone.study.archive.phases.phases(someone.study.active.id)
    assert ended.outcome is Outcome.STOPPED
    assert ended.usage.total_tokens == paid
    assert sum(one.usage.total_tokens for one in logged) == paid


# What could not be read


def put_broken_web(web: LoopbackWeb) -> None:
    gone = web.put("/gone", Served(b"", status=404))
    web.put("/search", searxng(result("Gone", gone)))


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


def test_a_report_says_below_it_what_could_not_be_read(someone: Researcher) -> None:
    put_broken_web(someone.loopback)
    someone.turn_web_on()
    ended = someone.ask(QUESTION, Tier.DEEP)
    assert "1 page could not be searched or read." in ended.text
    assert rejected(someone) == []
