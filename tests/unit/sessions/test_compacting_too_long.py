"""A session too long for the model, through the whole assistant."""

from itertools import pairwise

import pytest

from desktop.domain import events
from desktop.domain.errors import ConnectionLostError, OverloadedError
from desktop.domain.ids import SessionId
from desktop.domain.model import ModelRequest
from desktop.domain.sessions import EndReason, SessionStatus
from desktop.settings.settings import Overflow
from tests.models import ScriptedModel, a_compact
from tests.studies import Study

LONG = "Kan şekeri sabaha karşı neden yükselir, peki? " * 20
CONTEXT = 6_000
"""Tokens: some 20 exchanges of LONG questions at four fifths of it."""


@pytest.fixture
def model() -> ScriptedModel:
    return ScriptedModel(context=CONTEXT)


@pytest.fixture
def study(study: Study) -> Study:
    """Without recall: most of the time would go into searching the past for LONG."""
    study.set(uses_past_sessions=False)
    return study


def ask_often(study: Study, times: int) -> None:
    for n in range(times):
        ended = study.ask(f"{n}. {LONG}")
        assert ended.outcome is events.Outcome.COMPLETE


def test_the_older_half_is_summarised_and_no_message_is_lost_or_sent_twice(study: Study) -> None:
    study.summariser = summariser = ScriptedModel()
    summariser.compacts.extend(a_compact(f"Özet {n}: Kan") for n in range(9))
    told = 0
    for n in range(60):
        study.ask(f"{n}. {LONG}")
        told += len(study.happened(events.ContextReduced))
    compacts = study.archive.compacts.compacts(study.active.id)
    assert told == len(compacts) == len(summariser.compact_requests) > 1
    assert compacts[0].from_number == 1
    for earlier, later in pairwise(compacts):
        assert later.from_number == earlier.to_number + 1
    texts = [one.text for one in study.script.requests[-1].messages]
    assert len(study.said) == 120
    covered = compacts[-1].to_number
    assert all(f"- Özet {n}: Kan\n" in text for n, text in enumerate(texts[: len(compacts)]))
    assert texts[len(compacts) :] == study.said[covered:-1]


def test_a_summary_that_fails_fails_the_turn_and_a_retry_continues(study: Study) -> None:
    study.summariser = summariser = ScriptedModel()
    summariser.compacts.append(ConnectionLostError(where="x"))
    ended = study.ask("0. " + LONG)
    n = 1
    while ended.outcome is events.Outcome.COMPLETE:
        ended = study.ask(f"{n}. {LONG}")
        n += 1
    assert isinstance(ended.error, ConnectionLostError)
    assert study.said[-1] == f"{n - 1}. {LONG}"
    assert study.archive.compacts.compacts(study.active.id) == []
    again = study.retry(ended)
    assert again.outcome is events.Outcome.COMPLETE
    assert len(summariser.compact_requests) == 2
    assert events.Status.SUMMARISING in [
        one.status for one in study.happened(events.StatusChanged)
    ]


def test_twenty_exchanges_are_kept_and_ten_left_out_at_once(study: Study) -> None:
    study.set(overflow=Overflow.KEEP_LAST)
    study.script.context = 9_000
    told: list[int] = []
    starts: list[str] = []
    for n in range(90):
        study.ask(f"{n}. {LONG}")
        told += [event.left_out for event in study.happened(events.ContextReduced)]
        starts.append(study.script.requests[-1].messages[0].text[:4])
        kept = sum(one.role == "user" for one in study.script.requests[-1].messages)
        assert kept >= min(20, n + 1)
    assert told == [20 * (n + 1) for n in range(len(told))]
    assert len(told) >= 5
    assert len(set(starts)) == len(told) + 1
    assert len(study.on_disk()) == 180
    sent = [one.text for one in study.script.requests[-1].messages]
    assert sent == study.said[-len(sent) - 1 : -1]


def test_a_left_out_session_stays_left_out_when_an_answer_is_rewritten(study: Study) -> None:
    study.set(overflow=Overflow.KEEP_LAST)
    ask_often(study, 40)
    before = study.script.requests[-1]
    study.run(study.assistant.retry(study.active.messages[-1].id))
    assert study.script.requests[-1].messages == before.messages


def test_a_session_that_ends_for_its_length_hands_its_question_to_the_next(study: Study) -> None:
    study.set(overflow=Overflow.END)
    study.ask(f"0. {LONG}")
    old = study.active.id
    n = 0
    while study.active.id == old:
        n += 1
        study.ask(f"{n}. {LONG}")
    (ended,) = study.happened(events.SessionEnded)
    assert (ended.session.id, ended.why) == (old, EndReason.TOO_LONG)
    assert study.happened(events.SessionStarted)[-1].session.id == study.active.id
    assert study.said == [f"{n}. {LONG}", "Tamam."]
    session = study.archive.sessions.session(old)
    assert (session.status, session.messages) == (SessionStatus.COMPLETE, 2 * n)
    assert all(not one.content.startswith(f"{n}. ") for one in study.on_disk(old))
    assert [one.text for one in study.script.requests[-1].messages] == [f"{n}. {LONG}"]


def test_a_first_message_longer_than_the_model_reads_does_not_end_its_session(
    study: Study,
) -> None:
    study.set(overflow=Overflow.END)
    study.ask(LONG * 40)
    assert len(study.said) == 2
    assert study.happened(events.SessionEnded) == []


def test_at_which_share_of_the_context_it_happens_can_be_set(study: Study) -> None:
    study.set(overflow_share=0.4)
    ask_often(study, 14)
    assert study.archive.compacts.compacts(study.active.id)


def test_a_short_session_does_not_query_the_context_length(study: Study) -> None:
    def fail() -> int:
        raise OverloadedError

    study.script.context_tokens = fail  # type: ignore[method-assign]  # it must not be asked
    assert study.ask("Kısa soru?").outcome is events.Outcome.COMPLETE


@pytest.mark.parametrize(("context", "times"), [(100_000, 0), (10_000, 1)])
def test_tokens_are_counted_only_if_a_request_might_not_fit(
    study: Study, context: int, times: int
) -> None:
    counted: list[ModelRequest] = []

    def count(request: ModelRequest) -> int:
        counted.append(request)
        return 1

    study.script.context = context
    study.script.count_tokens = count  # type: ignore[method-assign]  # what is asked
    study.ask(LONG * 10)
    assert len(counted) == times


@pytest.mark.parametrize("overflow", [Overflow.SUMMARISE, Overflow.KEEP_LAST])
def test_a_session_of_a_hundred_contexts_is_answered_from_its_end_with_little_work(
    study: Study, overflow: Overflow
) -> None:
    counted: list[int] = []

    def count(request: ModelRequest) -> int:
        counted.append(len(request.messages))
        return ScriptedModel.count_tokens(study.script, request)

    study.set(overflow=overflow)
    study.script.count_tokens = count  # type: ignore[method-assign]  # what is asked
    study.summariser = summariser = ScriptedModel()
    study.add_past("long", *(f"{n}. {LONG}" for n in range(2_000)))
    study.assistant.resume(SessionId("long"))
    assert study.ask("Peki sonra?").outcome is events.Outcome.COMPLETE
    assert not summariser.compact_requests
    assert len(study.happened(events.ContextReduced)) <= 2
    assert all(messages < 400 for messages in counted)
    sent = [one.text for one in study.script.requests[-1].messages]
    assert sent == study.said[-len(sent) - 1 : -1]
    assert len(sent) > 10
