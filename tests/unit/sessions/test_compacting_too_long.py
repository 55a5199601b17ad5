"""A session too long for the model, through the whole assistant."""

from itertools import pairwise

import pytest

from desktop.domain import events
from desktop.domain.errors import ConnectionLostError
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
