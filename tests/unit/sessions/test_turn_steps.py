"""The steps of a turn: a message is decided once."""

import pytest

from desktop.domain import events
from desktop.domain.routing import (
    Answer,
    EndSession,
    Remember,
    Research,
    RoutingReason,
    Unsure,
    answering_of,
)
from tests.fakes import SaysJson
from tests.researchers import Researcher
from tests.studies import Study

DAUGHTER = "Kızımın adı Elif, bunu unutma"


@pytest.mark.parametrize(
    ("text", "decision", "answering"),
    [
        ("Somogyi etkisi nedir?", Answer, Answer),
        (f"{DAUGHTER}.", Remember, None),
        (f"{DAUGHTER}. Şafak olayını kaynaklarıyla araştır.", Remember, Research),
        ("Yeni konu: Roma tarihini kaynaklarıyla araştır.", EndSession, Research),
        ("teşekkürler", EndSession, None),
        ("Metformin ile insülini karşılaştır", Answer, Answer),
    ],
)
def test_a_message_is_decided_once_with_how_what_is_left_of_it_is_answered(
    alone: Study, text: str, decision: type, answering: type | None
) -> None:
    alone.ask("Şafak olayı nedir?")
    ended = alone.ask(text)
    (event,) = alone.happened(events.Decided)
    assert isinstance(event.decision, decision)
    assert event.decision == ended.decision
    assert type(answering_of(event.decision)) is (answering or type(None))


@pytest.mark.parametrize(
    ("reply", "works"),
    [("quick", [Unsure, Research]), ("answer", [Unsure, Answer]), ("a lot", [Unsure])],
)
def test_only_the_quick_role_changes_a_decision_and_its_reason_says_so(
    someone: Researcher, reply: str, works: list[type], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("desktop.research.quick_classifier._PATIENCE_S", 60)
    someone.shelve("Dawn", "Metformin in the evening lowers the blood sugar of the dawn.")
    someone.server.then(SaysJson({"choice": reply}))
    ended = someone.study.ask("Compare metformin and insulin for the dawn phenomenon")
    decisions = [event.decision for event in someone.study.happened(events.Decided)]
    assert [type(decision) for decision in decisions] == works
    for decision in decisions[1:]:
        assert isinstance(decision, Answer | Research)
        assert decision.reason is RoutingReason.QUICK_ROLE
        assert ended.decision == decision
    assert not isinstance(ended.decision, Unsure)
