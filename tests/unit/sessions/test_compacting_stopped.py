"""A question stopped before its answer has begun: no request is sent."""

import pytest

from desktop.domain.events import ContextReduced, MessageAdded, Outcome
from desktop.domain.json_values import JsonValue
from desktop.domain.model import ModelRequest
from desktop.domain.search import EVERYWHERE, Query
from tests.models import ScriptedModel, faithful
from tests.studies import Study

LONG = "Kan şekeri sabaha karşı neden yükselir, peki? " * 20
CONTEXT = 6_000


@pytest.fixture
def model() -> ScriptedModel:
    return ScriptedModel(context=CONTEXT)


def test_a_question_stopped_while_it_is_counted_is_never_sent_and_the_next_follows_it(
    study: Study,
) -> None:
    for _ in range(8):  # until the endpoint must count the tokens of a request
        study.ask(LONG)
    sent, said = len(study.script.requests), study.said
    count = study.script.count_tokens

    def stopped(request: ModelRequest) -> int:
        study.assistant.stop()
        return count(request)

    study.script.count_tokens = stopped  # type: ignore[method-assign]  # what happens meanwhile
    ended = study.ask("Durdurulan?")
    study.script.count_tokens = count  # type: ignore[method-assign]  # as it was
    assert (ended.outcome, ended.error, ended.text) == (Outcome.STOPPED, None, "")
    assert study.said == [*said, "Durdurulan?"]
    assert len(study.script.requests) == sent
    study.ask("Sonraki?")
    assert study.said == [*said, "Durdurulan?", "Sonraki?", "Tamam."]
    assert study.said == [one.content for one in study.on_disk()]


def test_a_question_stopped_while_older_ones_are_summarised_leaves_no_summary(
    study: Study,
) -> None:
    def stopped(request: ModelRequest) -> JsonValue:
        study.assistant.stop()
        return faithful(request)

    study.summariser = summariser = ScriptedModel()
    summariser.compacts.append(stopped)
    ended = study.ask(LONG)
    while ended.outcome is Outcome.COMPLETE:
        ended = study.ask(LONG)
    sent = len(study.script.requests)
    assert (ended.outcome, ended.error) == (Outcome.STOPPED, None)
    assert len(summariser.compact_requests) == 1
    assert summariser.streams[0].is_stopped
    assert study.happened(ContextReduced) == []
    assert study.archive.compacts.compacts(study.active.id) == []
    assert study.said[-1] == LONG
    assert study.ask("Sonraki?").outcome is Outcome.COMPLETE
    assert len(study.script.requests) == sent + 1


def test_a_turn_cancelled_before_it_begins_keeps_the_question_and_asks_nobody(
    study: Study,
) -> None:
    turn = study.assistant.ask("Soru?")
    turn.cancel()
    ended = study.run(turn)
    assert ended.outcome is Outcome.STOPPED
    assert study.said == ["Soru?"] == [one.content for one in study.on_disk()]
    assert study.script.requests == []


def test_quoting_stopped_before_it_begins_adds_nothing(alone: Study) -> None:
    turn = alone.assistant.ask("Soru?")
    turn.cancel()
    assert alone.run(turn).outcome is Outcome.STOPPED
    assert alone.said == ["Soru?"]
    assert len(alone.happened(MessageAdded)) == 2
    assert alone.search.find(Query("Soru", scope=EVERYWHERE)) == []
