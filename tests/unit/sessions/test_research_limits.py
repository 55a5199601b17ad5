"""The limits of tokens, money, searches, pages and time, and the result of a stop."""

from collections.abc import Callable
from threading import Event
from time import monotonic
from urllib.parse import unquote_plus

import pytest

from desktop.domain.events import Outcome, StepStarted, TurnEvent
from desktop.domain.messages import Message, MessageState
from desktop.domain.research import StepKind
from desktop.domain.routing import Tier, TurnOptions
from desktop.domain.usage import Usage
from tests.fakes import Request, Says, SaysJson, Step, Waits
from tests.researchers import (
    ANSWER,
    COMPARE,
    GAPS,
    PLAN,
    READ,
    REPORT,
    SMALL,
    Researcher,
    asks,
    plans,
    reads_all,
)
from tests.web import result, searxng, silent

QUESTION = "What is the dawn phenomenon?"
PRICED = "claude-sonnet-5-5"


@pytest.fixture
def someone(hired: Callable[..., Researcher]) -> Researcher:
    """A library with enough evidence, and five sub-questions."""
    someone = hired(name=PRICED)
    for n in range(6):
        someone.shelve(f"Book {n}", f"The dawn phenomenon is a rise number {n} of blood sugar.")
    someone.brain.does[PLAN] = plans(*(f"What is dawn phenomenon number {n}?" for n in range(5)))
    return someone


def with_usage(part: Callable[[Request], Step], usage: Usage) -> Callable[[Request], Step]:
    def answer(request: Request) -> Step:
        said = part(request)
        assert isinstance(said, Says)
        return Says(said.text, usage=usage)

    return answer


def make_everything_cost(someone: Researcher, usage: Usage) -> None:
    for kind, part in list(someone.brain.does.items()):
        someone.brain.does[kind] = with_usage(part, usage)


# Tokens and money


@pytest.mark.parametrize("limit", [4_000, 8_000, 25_000])
def test_no_request_is_sent_that_could_exceed_the_token_budget(
    someone: Researcher, limit: int
) -> None:
    someone.study.set(deep_tokens=limit, deep_cents=0)
    make_everything_cost(someone, Usage(input_tokens=1_000, output_tokens=150))
    ended = someone.ask(QUESTION, Tier.DEEP)
    assert ended.outcome is Outcome.COMPLETE
    assert ended.usage.total_tokens <= limit
    assert len(someone.brain.asked) * 1_150 == ended.usage.total_tokens
    assert all(someone.opens(one) for one in ended.citations)
    if limit < 25_000:
        assert "The token limit was reached" in ended.text


@pytest.mark.parametrize("cents", [1, 3, 10])
def test_money_is_a_limit_too(someone: Researcher, cents: int) -> None:
    someone.study.set(deep_tokens=1_000_000, deep_cents=cents)
    make_everything_cost(someone, Usage(input_tokens=700, output_tokens=90))
    ended = someone.ask(QUESTION, Tier.DEEP)
    assert ended.outcome is Outcome.COMPLETE
    assert (ended.usage.cost_usd or 0.0) <= cents / 100
    if cents == 1:
        assert "The cost limit was reached" in ended.text


# Searches, pages and time


def test_searches_and_pages_stay_below_their_limits(someone: Researcher) -> None:
    someone.offer_pages(*(f"Dawn phenomenon fact {n} is so." for n in range(20)))
    someone.study.set(deep_searches=3, deep_fetches=4)
    ended = someone.ask(QUESTION, Tier.DEEP)
    paths = someone.loopback.paths()
    assert sum(path.startswith("/search") for path in paths) == 3
    assert sum(path.startswith("/page") for path in paths) == 4
    assert "The search limit was reached" in ended.text
    assert ended.outcome is Outcome.COMPLETE


@pytest.fixture
def hurried(someone: Researcher) -> Researcher:
    """An hour passes after two sub-questions; the third never answers."""
    seen: list[Request] = []
    passed = Event()

    def read(request: Request) -> Step:
        seen.append(request)
        if len(seen) <= 2:
            return reads_all(request)
        passed.set()
        return Says(chunks=(Waits(Event()),), usage=SMALL)

    someone.brain.does[READ] = read
    someone.study.ticks = lambda: monotonic() + (3_600 if passed.is_set() else 0)
    return someone


def test_after_the_time_limit_a_hanging_request_is_cut_off(hurried: Researcher) -> None:
    ended = hurried.ask(QUESTION, Tier.DEEP)
    assert ended.outcome is Outcome.COMPLETE
    assert "The time limit was reached" in ended.text
    assert ended.citations
    assert all(hurried.opens(one) for one in ended.citations)
    assert REPORT not in hurried.brain.kinds  # no time was left for writing, either


def test_time_is_kept_for_writing(hurried: Researcher) -> None:
    before = hurried.study.ticks
    hurried.study.ticks = lambda: monotonic() + (1_000 if before() > monotonic() + 99 else 0)
    ended = hurried.ask(QUESTION, Tier.DEEP)
    assert hurried.brain.kinds[-1] == REPORT
    assert "The time limit was reached" in ended.text
    assert ended.text.startswith("So it is [1]")


def test_a_report_that_takes_too_long_is_cut_and_says_so(someone: Researcher) -> None:
    passed = Event()
    someone.study.ticks = lambda: 1_199.0 if passed.is_set() else 0.0

    def compared(_: Request) -> Step:
        passed.set()
        return SaysJson({"contradictions": []}, SMALL)

    someone.brain.does[COMPARE] = compared
    someone.brain.does[REPORT] = lambda _: Says(chunks=("The half ", Waits(Event())), usage=SMALL)
    ended = someone.ask(QUESTION, Tier.DEEP)
    assert ended.outcome is Outcome.COMPLETE
    assert ended.text.startswith("The half")
    assert "A limit was reached before the report was finished." in ended.text


@pytest.mark.parametrize(("tier", "seconds"), [(Tier.QUICK, 20), (Tier.RESEARCH, 200)])
def test_an_answer_is_written_at_the_time_limit_if_the_web_hangs(
    someone: Researcher, tier: Tier, seconds: int
) -> None:
    someone.loopback.put("/search", searxng(result("Page", someone.loopback.url("/page"))))
    someone.loopback.put("/page", silent())
    someone.turn_web_on()
    someone.study.ticks = lambda: (
        monotonic() + (seconds if "/page" in someone.loopback.paths() else 0)
    )
    ended = someone.ask("Do giraffes and zebras sleep in the savanna?", tier)
    assert ended.outcome is Outcome.COMPLETE
    assert "before everything was read" in someone.brain.asked[-1][1].newest
    assert someone.brain.kinds[-1] == ANSWER


# Stopping


def stopped_at(someone: Researcher, kind: StepKind) -> Message:
    """The answer on the disk."""

    def stop(event: TurnEvent) -> None:
        if isinstance(event, StepStarted) and event.kind is kind:
            someone.study.assistant.stop()

    someone.study.run(someone.study.assistant.ask(QUESTION, TurnOptions(tier=Tier.DEEP)), stop)
    return someone.study.on_disk()[-1]


def test_a_stop_gives_the_best_report_so_far(someone: Researcher) -> None:
    kept = stopped_at(someone, StepKind.VERIFY)
    assert kept.state is MessageState.STOPPED
    assert "The research was stopped" in kept.content
    assert "rise number" in kept.content
    cited = someone.study.archive.answers.citations(kept.session_id)[kept.id]
    assert cited
    assert all(someone.opens(one) for one in cited)
    assert all(f"[{one.number}]" in kept.content for one in cited)
    assert someone.study.assistant.unfinished_research() == []


def test_stopping_before_anything_was_found_is_reported(someone: Researcher) -> None:
    assert "stopped before anything was found" in stopped_at(someone, StepKind.PLAN).content


def test_a_stop_in_the_middle_of_the_report_keeps_what_was_written(someone: Researcher) -> None:
    going_on = Event()
    someone.brain.does[REPORT] = lambda _: Says(chunks=("The half ", Waits(going_on), "rest."))
    turn = someone.study.assistant.ask(QUESTION, TurnOptions(tier=Tier.DEEP))

    def stop(event: TurnEvent) -> None:
        if "half" in getattr(event, "text", ""):
            someone.study.assistant.stop()
            going_on.set()

    someone.study.run(turn, stop)
    kept = someone.study.on_disk()[-1]
    assert (kept.state, kept.content) == (MessageState.STOPPED, "The half ")


def test_no_search_of_a_run_has_the_words_of_a_document(someone: Researcher) -> None:
    someone.offer_pages("Dawn phenomenon fact is so.")
    someone.brain.does[PLAN] = plans("What is the dawn phenomenon?")
    carrying = "dawn phenomenon is a rise number 3 of blood sugar"
    someone.brain.does[GAPS] = asks(f"Why the {carrying}?", "How does the dawn phenomenon feel?")
    someone.ask(QUESTION, Tier.DEEP)
    sent = unquote_plus(" ".join(someone.loopback.paths())).lower()
    assert "dawn phenomenon feel" in sent
    assert "is a rise number" not in sent
