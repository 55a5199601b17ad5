"""The stored log of phases: which belong to an answer, and what was decided."""

from datetime import UTC, datetime, timedelta

import pytest

from desktop.domain.ids import TurnId
from desktop.domain.routing import (
    Answer,
    Decision,
    Guard,
    GuardTopic,
    Recall,
    Research,
    RoutingReason,
    Tier,
    label_decision,
    stored_label,
)
from desktop.domain.usage import Phase, PhaseRecord
from desktop.research.turn_trace import records_of_answer

NOON = datetime(2026, 3, 5, 12, tzinfo=UTC)


def record(turn: str, phase: Phase, at_s: float, lasted_s: float = 1) -> PhaseRecord:
    begun = NOON + timedelta(seconds=at_s)
    return PhaseRecord(TurnId(turn), phase, begun, int(lasted_s * 1000))


RECORDS = [
    record("a", Phase.ASSESSMENT, 0),
    record("a", Phase.WRITING, 1, 9),
    record("b", Phase.ASSESSMENT, 60),
    record("b", Phase.WRITING, 61, 9),
]


@pytest.mark.parametrize(("at_s", "turn"), [(0, "a"), (1.5, "a"), (10, "a"), (61, "b")])
def test_an_answer_keeps_the_phases_of_its_own_turn(at_s: float, turn: str) -> None:
    found = records_of_answer(RECORDS, NOON + timedelta(seconds=at_s))
    assert [(one.turn_id, one.phase) for one in found] == [
        (turn, Phase.ASSESSMENT),
        (turn, Phase.WRITING),
    ]


@pytest.mark.parametrize("at_s", [-5, 30, 600])
def test_an_unlogged_answer_has_no_records(at_s: float) -> None:
    assert records_of_answer(RECORDS, NOON + timedelta(seconds=at_s)) == []
    assert records_of_answer([], NOON) == []


@pytest.mark.parametrize(
    "decision",
    [
        Answer(RoutingReason.SMALL_TALK),
        Recall(""),
        Research(Tier.DEEP, RoutingReason.CHOSEN),
        Guard([GuardTopic.NAME, GuardTopic.DATE], ""),
    ],
)
def test_a_decision_is_restored_from_its_stored_label(decision: Decision) -> None:
    label = label_decision(decision)
    assert stored_label(label.stored) == label


@pytest.mark.parametrize("name", ["", "hasty fresh", "answer mood", "guard mood"])
def test_an_unknown_stored_name_has_no_label(name: str) -> None:
    assert stored_label(name) is None
