"""The newest message is judged before it is sent: cautiously, and fast."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from threading import Event
from typing import TYPE_CHECKING

import pytest

from desktop.domain.embedding import Embedder
from desktop.domain.errors import EmbeddingFailedError
from desktop.domain.ids import MessageId, SessionId
from desktop.domain.json_values import JsonValue
from desktop.domain.messages import Message, MessageState
from desktop.domain.model import Hold, ModelRequest
from desktop.domain.routing import Answer, Decision, EndSession
from desktop.domain.sessions import EndReason, Utterance
from desktop.domain.usage import Usage
from desktop.language.intents import PhraseLists
from desktop.research.router import Rules, decide
from desktop.sessions.boundaries.topic_change_classifier import TopicMonitor
from tests.models import ScriptedModel
from tests.studies import Study
from tests.unit.sessions.boundaries.dialogues import DIALOGUES, spoken

if TYPE_CHECKING:
    from desktop.domain.embedding import Vector, Vectors

_FEW = 4
_DOUBTFUL = "What did Freud mean by the uncanny?"
_SURE = (
    "İkinci Dünya Savaşı başlamadan önce Sovyetler Birliği ile Almanya arasındaki saldırmazlık "
    "anlaşmasını hangi bakanlar imzaladı?"
)


@pytest.fixture(params=["words", "meaning", "stronger meaning"])
def embedder(request: pytest.FixtureRequest) -> Embedder | None:
    """Each embedder that a window may have."""
    if request.param == "words":
        return None
    name = "by_meaning" if request.param == "meaning" else "strongest"
    found: Embedder = request.getfixturevalue(name)
    return found


def _messages(said: Sequence[Utterance]) -> list[Message]:
    return [
        Message(
            MessageId(number),
            SessionId("s"),
            number,
            one.role,
            one.text,
            MessageState.COMPLETE,
            datetime(2026, 3, 1, tzinfo=UTC),
        )
        for number, one in enumerate(said, start=1)
    ]


def _watch(
    lists: PhraseLists, embedder: Embedder | None, *, patience_s: float = 60.0
) -> TopicMonitor:
    return TopicMonitor(lambda: embedder, lambda: lists, lambda: "judge", patience_s)


def _look(
    watch: TopicMonitor, lists: PhraseLists, text: str, said: Sequence[Message]
) -> tuple[Decision, bool]:
    watch.prepare(said)
    return watch.look(decide(text, said, Rules(lists)), text, said)


def test_no_follow_up_is_taken_for_a_new_session(
    lists: PhraseLists, embedder: Embedder | None
) -> None:
    watch = _watch(lists, embedder)
    for dialogue in DIALOGUES:
        said = _messages(dialogue.said)
        for at in range(2, len(said), 2):
            decision, _ = _look(watch, lists, said[at].content, said[:at])
            assert not isinstance(decision, EndSession), said[at].content


def test_every_plain_change_is_seen_or_asked_about(
    lists: PhraseLists, embedder: Embedder | None
) -> None:
    watch = _watch(lists, embedder)
    for dialogue in DIALOGUES:
        text, said = dialogue.another_subject, _messages(dialogue.said[:_FEW])
        decision, is_doubtful = _look(watch, lists, text, said)
        assert is_doubtful or isinstance(decision, EndSession), text


def test_without_other_evidence_likely_words_end_the_session(lists: PhraseLists) -> None:
    watch = _watch(lists, None)
    ends = [
        isinstance(
            _look(watch, lists, one.another_subject, _messages(one.said[:_FEW]))[0], EndSession
        )
        for one in DIALOGUES
    ]
    assert sum(ends) >= len(DIALOGUES) / 4


_LISBON = [
    "Lizbon'da üç gün kalacağım, nereleri gezmeliyim?",
    "İlk gün Alfama ve São Jorge Kalesi, ikinci gün Belém, üçüncü gün Sintra güzel olur.",
    "Sintra'ya nasıl gidilir?",
    "Rossio istasyonundan banliyö treniyle kırk dakikada gidilir; sabah erken çıkın.",
]


@pytest.mark.parametrize(
    ("text", "leaves"),
    [
        ("mitokondri ne işe yarar?", True),
        ("Buzdolabım alt kısmına su topluyor.", True),
        ("Peki kuru fasulye nasıl ıslatılır?", True),
        ("symptoms of iron deficiency", True),
        ("Peki Porto'ya günübirlik gidilir mi?", False),
        ("müzeler pahalı mı?", False),
        ("Çocuklar çabuk yoruluyor.", False),
        ("orası çocuklarla olur mu?", False),
    ],
)
def test_few_words_are_enough_if_the_meaning_is_clear(
    text: str, lists: PhraseLists, strongest: Embedder, *, leaves: bool
) -> None:
    decision, _ = _look(_watch(lists, strongest), lists, text, _messages(spoken(*_LISBON)))
    assert isinstance(decision, EndSession) is leaves


def test_a_command_that_prepared_nothing_judges_by_meaning_too(
    lists: PhraseLists, strongest: Embedder
) -> None:
    watch, said = _watch(lists, strongest), _messages(spoken(*_LISBON))
    assert isinstance(watch.look(Answer(), "symptoms of iron deficiency", said)[0], EndSession)


def test_an_unloaded_or_failing_model_leaves_the_search_to_words(lists: PhraseLists) -> None:
    class Asleep:
        name, dimensions = "use-m3", 512
        waking = Event()

        def passages(self, texts: Sequence[str]) -> Vectors:
            self.waking.wait(30)
            assert texts
            raise EmbeddingFailedError

        def query(self, text: str) -> Vector:
            vector: Vector = self.passages([text])[0]
            return vector

    asleep, said = Asleep(), _messages(DIALOGUES[0].said[:3])
    watch = _watch(lists, asleep, patience_s=0.01)
    by_words = _watch(lists, None).look(Answer(), _SURE, said)
    assert watch.look(Answer(), _SURE, said) == by_words
    asleep.waking.set()
    watch.prepare(said)
    assert watch.look(Answer(), _SURE, said) == by_words


@pytest.fixture
def talk(study: Study, model: ScriptedModel) -> Callable[[str], Study]:
    def say(text: str) -> Study:
        dialogue = next((one for one in DIALOGUES if one.another_subject == text), DIALOGUES[0])
        for at in range(0, _FEW, 2):
            model.steps.append(dialogue.said[at + 1].text)
            study.ask(dialogue.said[at].text)
        study.ask(text)
        return study

    return say


@pytest.mark.parametrize(
    ("reply", "sessions"),
    [({"choice": "other"}, 2), ({"choice": "same"}, 1), ({"choice": "no"}, 1), ([], 1)],
)
def test_in_doubt_the_quick_model_decides_if_its_reply_is_valid(
    reply: JsonValue, sessions: int, talk: Callable[[str], Study], model: ScriptedModel
) -> None:
    model.descriptions.append(reply)
    study = talk(_DOUBTFUL)
    assert len(model.json_requests) == 1
    assert len(study.sessions()) == sessions
    assert study.said[-2:] == [_DOUBTFUL, "Tamam."]
    on_disk = [one.content for s in study.sessions() for one in study.on_disk(s.id)]
    assert on_disk.count(_DOUBTFUL) == 1


def test_a_certain_decision_is_not_asked_about(
    talk: Callable[[str], Study], model: ScriptedModel
) -> None:
    study = talk(_SURE)
    assert model.json_requests == []
    assert study.sessions()[-1].end_reason is EndReason.SUBJECT_CHANGE


class Looking(ScriptedModel):
    """Reports what was on the disk when it was called."""

    def __init__(self, found: Callable[[], list[str]]) -> None:
        super().__init__(*[one.text for one in DIALOGUES[-13].said[1:_FEW:2]])
        self._found = found
        self.seen: list[list[str]] = []

    def ask_json(
        self, request: ModelRequest, schema: Mapping[str, JsonValue], hold: Hold | None = None
    ) -> tuple[JsonValue, Usage]:
        self.seen.append(self._found())
        return super().ask_json(request, schema, hold)


def test_the_message_is_on_the_disk_before_the_quick_model_is_sent_it(alone: Study) -> None:
    model = Looking(lambda: [one.content for one in alone.on_disk()])
    alone.model = model
    dialogue = next(one for one in DIALOGUES if one.another_subject == _DOUBTFUL)
    for one in dialogue.said[:_FEW:2]:
        alone.ask(one.text)
    alone.ask(_DOUBTFUL)
    assert [seen[-1] for seen in model.seen] == [_DOUBTFUL]
