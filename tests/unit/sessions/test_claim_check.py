import json
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from threading import Event
from typing import Any, NoReturn

import pytest

from desktop.domain.claims import CitedSupport, DueCheck, JudgedClaim, Support
from desktop.domain.endpoints import Capabilities, Endpoint, EndpointId, EndpointKind
from desktop.domain.errors import ConnectionLostError, LlmError
from desktop.domain.events import TextArrived, TurnEnded
from desktop.domain.facts import Fact, FactSupport, NewFact, Origin, Term
from desktop.domain.ids import FactId, SessionId, SourceId
from desktop.domain.messages import Citation, CitationState
from desktop.domain.projects import EVERYTHING
from desktop.domain.routing import Tier, TurnOptions
from desktop.domain.usage import Purpose
from desktop.research.tiers.budget import CancellationToken
from desktop.sessions.answering.claim_check import CheckedClaims, ClaimChecker
from desktop.settings.settings import ClaimChecks
from desktop.storage.repositories.answer_records import AnswerRecord
from tests.archives import NOON, finished
from tests.fakes import Fails, Refuses, Request, Says, SaysJson, Step, Waits
from tests.narrowing import present
from tests.researchers import (
    ANSWER,
    SMALL,
    VERIFY,
    Part,
    Researcher,
    judges,
    passages_in,
    supports_all,
)

DAWN = "The dawn phenomenon is a rise of blood sugar between four and eight in the morning."
OFTEN = "About 54 percent of the people with type 2 diabetes have the dawn phenomenon."
_WAIT_S = 20
QUESTION = "What is the dawn phenomenon?"
ANSWERED = (
    f'It is a rise of blood sugar [1: "{DAWN}"]. It was found in 1981 [1: "dawn phenomenon is a '
    f'rise"]. About 54 percent of people have it [2: "{OFTEN}"].'
)


@pytest.fixture
def reader(someone: Researcher) -> Researcher:
    someone.shelve("Dawn", DAWN, OFTEN)
    someone.brain.does[ANSWER] = lambda _: Says(ANSWERED, usage=SMALL)
    return someone


def asked(reader: Researcher, tier: Tier = Tier.RESEARCH) -> TurnEnded:
    return reader.ask(QUESTION, tier)


def checked(reader: Researcher) -> CheckedClaims:
    (done,) = reader.study.claims.check_due(lambda: False)
    return done


def supports(reader: Researcher) -> list[Support]:
    session = reader.study.active.id
    (citations,) = reader.study.archive.answers.citations(session).values()
    return [citation.support for citation in citations]


def test_all_claims_of_an_answer_are_judged_in_one_request_without_the_conversation(
    reader: Researcher,
) -> None:
    ended = asked(reader)
    assert [citation.support for citation in ended.citations] == [Support.UNTESTED] * 3
    done = checked(reader)
    (request,) = reader.brain.requests(VERIFY)
    assert QUESTION not in json.dumps(request.json)
    assert not request.json.get("tools")
    assert DAWN in request.newest
    assert "1. It is a rise of blood sugar. (passages: 1)" in request.newest
    assert [claim.support for claim in done.review.claims] == [
        Support.SUPPORTED,
        Support.UNTESTED,  # The words have no 1981
        Support.SUPPORTED,
    ]
    assert [warning.words for warning in done.review.claims[1].warnings] == ["1981"]
    assert done.citations[2].support_words == OFTEN.rstrip(".")
    assert [*supports(reader)] == [citation.support for citation in done.citations]
    assert list(reader.study.claims.check_due(lambda: False)) == []
    usage = reader.study.archive.answers
    assert usage.spent_tokens(Purpose.CLAIMS) == done.usage.total_tokens == SMALL.total_tokens
    spent = usage.usage(done.session_id)[done.message_id]
    assert spent.total_tokens > SMALL.total_tokens


@pytest.mark.parametrize(
    "reply",
    [
        Says("I can't help with that.", usage=SMALL),
        Says("Üzgünüm, bu konuda yardımcı olamam.", usage=SMALL),
        Refuses("I'd rather not."),
        SaysJson({"claims": [{"number": 1, "label": "Üzgünüm, değerlendiremem."}]}, SMALL),
        SaysJson({"claims": "supported"}, SMALL),
        SaysJson([], SMALL),
    ],
)
def test_after_a_refusal_or_junk_the_claims_are_untested_and_nobody_asks_again(
    reader: Researcher, reply: Step
) -> None:
    reader.brain.does[VERIFY] = lambda _: reply
    asked(reader)
    done = checked(reader)
    assert {claim.support for claim in done.review.claims} == {Support.UNTESTED}
    assert list(reader.study.claims.check_due(lambda: False)) == []


@pytest.mark.parametrize(
    ("mode", "tier", "requests"),
    [
        (ClaimChecks.RESEARCH, Tier.QUICK, 0),
        (ClaimChecks.RESEARCH, Tier.RESEARCH, 1),
        (ClaimChecks.ALWAYS, Tier.QUICK, 1),
        (ClaimChecks.ON_REQUEST, Tier.RESEARCH, 0),
        (ClaimChecks.NEVER, Tier.RESEARCH, 0),
    ],
)
def test_the_setting_decides_for_which_answers_a_model_is_asked(
    reader: Researcher, mode: ClaimChecks, tier: Tier, requests: int
) -> None:
    reader.study.set(checks_claims=mode)
    ended = asked(reader, tier)
    done = list(reader.study.claims.check_due(lambda: False))
    assert len(reader.brain.requests(VERIFY)) == requests
    # The rules warn without a model.
    assert bool(done) == (mode is not ClaimChecks.NEVER)
    assert all(one.review.claims[1].warnings for one in done)
    again = reader.study.claims.check(present(ended.message_id), is_wanted=True)
    assert present(again).review.model == "scripted-model"


@pytest.mark.parametrize(
    ("said", "kinds"), [(ANSWERED, [ANSWER, VERIFY]), ("It is a rise at dawn.", [ANSWER])]
)
def test_a_plain_answer_costs_one_request_and_its_claims_one_more_after_its_last_word(
    reader: Researcher, said: str, kinds: list[str]
) -> None:
    study, seen = reader.study, list[tuple[type[object], int]]()
    study.set(checks_claims=ClaimChecks.ALWAYS)
    reader.brain.does[ANSWER] = lambda _: Says(said, usage=SMALL)
    turn = study.assistant.ask(QUESTION, TurnOptions())
    study.run(turn, lambda event: seen.append((type(event), len(reader.brain.asked))))
    assert (TextArrived, 1) in seen
    assert seen[-1] == (TurnEnded, 1)
    list(study.claims.check_due(lambda: False))
    assert reader.brain.kinds == kinds


def test_without_a_model_the_rules_warn_and_nothing_stays_due(reader: Researcher) -> None:
    asked(reader)
    reader.study.model = None
    done = checked(reader)
    assert {claim.support for claim in done.review.claims} == {Support.UNTESTED}
    assert done.review.claims[1].warnings


def test_what_exceeds_the_budget_stays_untested(reader: Researcher) -> None:
    several = " ".join(
        f'Many people in group {"abcdefghijkl"[n]} have it [1: "{OFTEN}"].' for n in range(12)
    )
    reader.brain.does[ANSWER] = lambda _: Says(several, usage=SMALL)
    reader.study.set(claim_tokens=4_000)
    asked(reader)
    done = checked(reader)
    untested = [claim.support is Support.UNTESTED for claim in done.review.claims]
    assert untested == [False] * 6 + [True] * 6
    reader.study.set(claim_tokens=100)
    again = reader.study.claims.check(done.message_id, is_wanted=True)
    assert {claim.support for claim in present(again).review.claims} == {Support.UNTESTED}
    assert len(reader.brain.requests(VERIFY)) == 1


def test_a_check_that_the_server_failed_is_made_after_the_next_start(reader: Researcher) -> None:
    reader.brain.does[VERIFY] = lambda _: Fails(529)
    ended = asked(reader)
    with pytest.raises(LlmError):
        reader.study.claims.check(present(ended.message_id))
    reader.after_a_crash()
    reader.brain.does[VERIFY] = lambda request: judges(request, "absent")
    done = checked(reader)
    assert {claim.support for claim in done.review.claims} == {Support.ABSENT}


def stopping(waits: Waits, stop: Callable[[], None]) -> Part:
    def reply(_: Request) -> Step:
        stop()
        return Says(chunks=('{"claims":', waits, "[]}"))

    return reply


def test_an_answer_does_not_wait_for_the_check_of_another_one(reader: Researcher) -> None:
    """The model is on this computer: it gets one request at a time."""
    study, go = reader.study, Event()
    study.set(checks_claims=ClaimChecks.ALWAYS)
    first = study.ask(QUESTION)
    waits = Waits(go)
    reader.brain.does[VERIFY] = lambda _: Says(chunks=('{"claims":', waits, "[]}"))
    with ThreadPoolExecutor() as pool:
        try:
            check = pool.submit(lambda: list(study.claims.check_due(lambda: False)))
            assert waits.reached.wait(_WAIT_S)
            second = pool.submit(study.ask, QUESTION).result(_WAIT_S)
            assert check.result(_WAIT_S) == []
        finally:
            go.set()
    reader.brain.does[VERIFY] = supports_all
    later = study.claims.check_due(lambda: False)
    assert [done.message_id for done in later] == [second.message_id, first.message_id]


def test_deleting_the_session_stops_its_check(reader: Researcher) -> None:
    ended = asked(reader)
    study, waits = reader.study, Waits(reader.server.closing)
    session = study.active.id
    reader.brain.does[VERIFY] = stopping(waits, lambda: study.claims.stop([session]))
    assert list(study.claims.check_due(lambda: False)) == []
    study.archive.sessions.delete(session)
    assert study.archive.claims.due() == []
    study.archive.sessions.undelete(session)
    assert [due.message_id for due in study.archive.claims.due()] == [ended.message_id]


def test_a_check_that_the_user_stops_is_over(reader: Researcher) -> None:
    tokens: list[CancellationToken] = []
    ended = asked(reader)
    waits = Waits(reader.server.closing)
    reader.brain.does[VERIFY] = stopping(waits, lambda: tokens.pop().stop())
    done = reader.study.claims.check(present(ended.message_id), tokens.append)
    assert {claim.support for claim in present(done).review.claims} == {Support.UNTESTED}
    assert reader.study.archive.claims.due() == []


def test_words_of_a_source_that_is_deleted_for_good_go_with_it(reader: Researcher) -> None:
    reader.brain.does[ANSWER] = lambda _: Says(f'Half have it [2: "{OFTEN}"].', usage=SMALL)
    ended = asked(reader)
    assert checked(reader).citations[0].support_words
    study = reader.study
    study.archive.sources.remove(SourceId(ended.citations[0].source_id))
    study.clock.pass_by(minutes=1)
    study.archive.purge_deleted()
    (review,) = study.archive.claims.reviews(study.active.id).values()
    assert all(cited.words == "" for claim in review.claims for cited in claim.cited)
    assert OFTEN.rstrip(".").encode() not in study.database.read_bytes()


def test_an_answer_is_written_again_in_one_request_without_what_its_sources_do_not_say(
    reader: Researcher,
) -> None:
    study = reader.study
    ended = asked(reader)
    reader.brain.does[VERIFY] = lambda request: judges(request, "supported", "absent")
    first = checked(reader)
    count = len(reader.brain.asked)
    written = "It is a rise of blood sugar [1]. About 54 percent of people have it [3]. See [9]."
    reader.brain.does[ANSWER] = lambda _: Says(written, usage=SMALL)
    again = study.run(study.assistant.rewrite_without(present(ended.message_id)))
    (request,) = [request for _, request in reader.brain.asked[count:]]
    assert "1. It was found in 1981" in request.newest
    assert QUESTION not in json.dumps(request.json)
    assert not request.json.get("tools")
    assert again.text == written.replace("[9]", "[?]")
    assert [(one.number, one.support) for one in again.citations] == [
        (1, Support.UNTESTED),
        (3, Support.UNTESTED),
    ]
    versions = study.active.versions(present(again.message_id))
    assert list(versions.ids) == [ended.message_id, again.message_id]
    assert checked(reader).message_id == again.message_id
    assert first.review.not_said


def test_an_empty_reply_leaves_the_answer_without_the_claims(reader: Researcher) -> None:
    ended = asked(reader)
    reader.brain.does[VERIFY] = lambda request: judges(request, "supported", "absent")
    checked(reader)
    reader.brain.does[ANSWER] = lambda _: Says(" ", usage=SMALL)
    again = reader.study.run(reader.study.assistant.rewrite_without(present(ended.message_id)))
    assert "1981" not in again.text
    assert "54 percent" in again.text


def cite(reader: Researcher, ended: TurnEnded, citation: Citation) -> None:
    """Make the answer cite that alone."""
    study = reader.study
    answer = replace(study.active.message(present(ended.message_id)), content="12 May it was [1].")
    study.active.replace(answer)
    study.active.record(AnswerRecord(answer.id, "scripted-model", [citation], asks_judge=True))
    study.assistant.save_pending()


@pytest.mark.parametrize(("words", "requests"), [("12 May it was.", 1), (" ", 0)])
def test_what_a_model_wrote_before_supports_nothing_and_an_empty_answer_is_not_judged(
    reader: Researcher, words: str, requests: int
) -> None:
    study = reader.study
    study.add_past("past", "When was it?", words)
    reader.brain.does[ANSWER] = lambda _: Says("It was decided.", usage=SMALL)
    ended = asked(reader)
    message = study.archive.sessions.messages(SessionId("past"))[-1]
    cite(reader, ended, Citation(1, CitationState.UNCHECKED, "", "past", str(message.id), "May"))
    assert [one.support for one in checked(reader).citations] == [Support.UNTESTED]
    assert len(reader.brain.requests(VERIFY)) == requests


def test_an_answer_that_its_sources_do_not_say_is_recalled_with_a_mark(reader: Researcher) -> None:
    study = reader.study
    study.add_past("past", QUESTION, "The dawn phenomenon is a fall of blood sugar at noon.")
    answer = study.archive.sessions.messages(SessionId("past"))[-1]
    study.archive.claims.request(answer.id)
    judged = JudgedClaim(0, 20, (CitedSupport(1, Support.CONTRADICTED),))
    study.archive.claims.keep(answer.id, [judged], "model")
    asked(reader, Tier.QUICK)
    study.assistant.end()
    study.ask(QUESTION)
    study.assistant.end()
    study.ask("What did we say about the dawn phenomenon?")
    requests = reader.brain.requests(ANSWER)
    assert [request.newest.count("do not rely on it") for request in requests] == [1, 1, 1]


def test_an_answer_without_words_is_no_passage(reader: Researcher) -> None:
    reader.study.add_past("past", QUESTION, " ")
    asked(reader, Tier.QUICK)
    (request,) = reader.brain.requests(ANSWER)
    assert DAWN in request.newest
    assert 'said_by="assistant"' not in request.newest


def test_a_citation_of_a_past_session_is_judged_by_its_message(reader: Researcher) -> None:
    study = reader.study
    said = "We decided on 12 May to move the servers to Frankfurt."
    study.archive.imports.add([finished("past", said, "Noted.")])
    (past,) = (one.id for one in study.archive.sessions.sessions(EVERYTHING))
    reader.brain.does[ANSWER] = lambda _: Says("It was decided.", usage=SMALL)
    ended = asked(reader)
    message = study.archive.sessions.messages(past)[0]
    cite(reader, ended, Citation(1, CitationState.CHECKED, said, past, str(message.id), "Servers"))
    assert [one.support for one in checked(reader).citations] == [Support.SUPPORTED]
    (request,) = reader.brain.requests(VERIFY)
    assert said in request.newest


def test_a_citation_of_a_fact_is_judged_by_the_words_from_which_it_was_learned(
    hired: Callable[..., Researcher],
) -> None:
    reader = hired(can=["tools"])  # Such a model gets facts that nobody asked for as passages
    study = reader.study
    said = "I live in Izmir and I keep two beehives on the roof there."
    study.add_past("past", said, "Noted.")
    message = study.archive.sessions.messages(SessionId("past"))[0]
    fact = Fact(
        FactId("bees"), "Hobby", "Keeps two beehives in Izmir.", 3, Origin.SESSION, Term.LONG, NOON
    )
    study.archive.facts.add([NewFact(fact, [FactSupport(message.id, 0, len(said))])])
    study.set(checks_claims=ClaimChecks.ALWAYS)

    def cites_the_fact(request: Request) -> Step:
        shown = [n for n, words in passages_in(request.newest) if words == fact.content]
        return Says(f'You keep two beehives [{shown[0]}: "{fact.content}"].', usage=SMALL)

    reader.brain.does[ANSWER] = cites_the_fact
    ended = study.ask("What do two beehives in Izmir need?")
    (cited,) = ended.citations
    assert (cited.source_id, cited.passage_id) == ("past", str(message.id))
    assert [one.support for one in checked(reader).citations] == [Support.SUPPORTED]
    (request,) = reader.brain.requests(VERIFY)
    assert said in request.newest


def test_what_the_program_adds_to_a_report_is_no_claim_of_its_writer(reader: Researcher) -> None:
    reader.brain.does[VERIFY] = lambda _: SaysJson({"claims": []}, SMALL)
    ended = asked(reader, Tier.DEEP)
    assert "## Less certain claims" in ended.text
    done = checked(reader)
    ends = ended.text.index("## Less certain claims")
    assert done.review.claims
    assert all(claim.end <= ends for claim in done.review.claims)


class Unreachable:
    """A model of another endpoint, which is not there."""

    name = "lost"
    capabilities = Capabilities()

    def __init__(self) -> None:
        self.asked = 0
        self.endpoint = Endpoint(EndpointId("lost"), "Lost", EndpointKind.SERVER)

    def context_tokens(self) -> int:
        return 100_000

    def ask_json(self, *_: object) -> NoReturn:
        self.asked += 1
        raise ConnectionLostError


def test_an_endpoint_that_is_away_hinders_only_its_own_checks(
    reader: Researcher, monkeypatch: pytest.MonkeyPatch
) -> None:
    ended = [asked(reader) for _ in range(3)]
    lost, first = Unreachable(), ended[0].message_id
    model = ClaimChecker._model

    def choose(
        self: ClaimChecker, due: DueCheck, *args: Any, **more: Any
    ) -> Any:  # Any: a stand-in
        return model(self, due, *args, **more) if due.message_id == first else lost

    monkeypatch.setattr(ClaimChecker, "_model", choose)
    assert checked(reader).message_id == first
    assert lost.asked == 1
    assert len(reader.study.archive.claims.due()) == 2
