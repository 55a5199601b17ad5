"""Where a session ends: never at a follow-up, always at a plain change of subject."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from threading import Event
from typing import TYPE_CHECKING

import pytest
from session_boundaries import Boundary, BoundaryReason, DialogueLine, session_ends

from desktop.domain.ids import MessageId, SessionId
from desktop.domain.json_values import JsonValue
from desktop.domain.messages import Message, MessageState, Role
from desktop.domain.model import Hold, ModelRequest
from desktop.domain.routing import Decision, EndSession
from desktop.domain.search import Embedder, EmbeddingFailedError
from desktop.domain.sessions import EndReason
from desktop.domain.usage import Usage
from desktop.language.intents import PhraseLists
from desktop.research.router import Rules, judge
from desktop.research.utterance import parse_utterance
from desktop.sessions.conversation.topic_change_classifier import TopicMonitor
from tests.models import ScriptedModel
from tests.studies import Study
from tests.unit.sessions.boundaries.dialogues import DIALOGUES, spoken

_AT = datetime(2026, 3, 1, 9, tzinfo=UTC)
_ASPECTS = ("Ay'ın çekimi", "Güneş'in konumu", "rüzgâr", "kıyının biçimi", "derinlik", "basınç")


def test_no_dialogue_full_of_follow_ups_is_split(
    lists: PhraseLists, embedder: Embedder | None
) -> None:
    assert [session_ends(one.said, lists, embedder) for one in DIALOGUES] == [[]] * 50


@pytest.mark.parametrize("count", [2, 4])
def test_every_plain_change_of_subject_is_found_also_after_a_single_exchange(
    count: int, lists: PhraseLists, embedder: Embedder | None
) -> None:
    for one in DIALOGUES:
        changed = [*one.said[:count], DialogueLine(Role.USER, one.another_subject)]
        found = [boundary.number for boundary in session_ends(changed, lists, embedder)]
        assert found == [count + 1], one.another_subject


@pytest.mark.parametrize(
    ("hello", "answer"),
    [
        ("Merhaba", "Merhaba! Size nasıl yardımcı olabilirim? Konunuzu yazabilirsiniz."),
        ("Hi there", "Hello! How can I help you today? I can search your past sessions."),
    ],
)
def test_the_first_question_after_a_greeting_begins_no_other_session(
    hello: str, answer: str, lists: PhraseLists, embedder: Embedder | None
) -> None:
    for one in DIALOGUES:
        said = spoken(hello, answer, one.another_subject)
        assert session_ends(said, lists, embedder) == [], one.another_subject


def test_300_messages_on_one_topic_stay_one_session(
    lists: PhraseLists, embedder: Embedder | None
) -> None:
    said = []
    for number in range(150):
        aspect = _ASPECTS[number % len(_ASPECTS)]
        said += spoken(
            f"Gelgit üzerinde {aspect} nasıl etkili olur, {number}. örnek?",
            f"{aspect} gelgit yüksekliğini {number} santim değiştirir.",
        )
    assert session_ends(said, lists, embedder) == []


def test_an_announced_topic_begins_a_session_whatever_its_subject(lists: PhraseLists) -> None:
    announced = spoken("Yeni konu: insülin direnci nedir?", "İnsüline az yanıt vermektir.")
    said = [*DIALOGUES[0].said[:2], *announced]
    assert session_ends(said, lists, None) == [Boundary(3, BoundaryReason.ANNOUNCED, "Yeni konu")]


def test_the_message_after_thanks_begins_a_session(lists: PhraseLists) -> None:
    goes_on = "Dawn fenomeni çocuklarda görülür mü?"
    said = [*DIALOGUES[0].said[:2], *spoken("tamam, teşekkürler", "Rica ederim.", goes_on)]
    assert session_ends(said, lists, None) == [Boundary(5, BoundaryReason.THANKED, "teşekkürler")]


@pytest.mark.parametrize(
    ("text", "hours"),
    [("Peki Somogyi etkisi?", []), ("Osmanlı'da tımar sistemi nasıl işliyordu?", ["30"])],
)
def test_a_long_silence_separates_independent_messages(
    text: str, hours: list[str], lists: PhraseLists
) -> None:
    said = [
        DialogueLine(Role.USER, "Dawn fenomeni nedir?", _AT),
        DialogueLine(Role.ASSISTANT, "Kan şekerinin sabaha karşı yükselmesidir.", _AT),
        DialogueLine(Role.USER, text, _AT + timedelta(hours=30)),
        DialogueLine(Role.ASSISTANT, "Bunu ayrıca anlatayım.", _AT + timedelta(hours=30)),
    ]
    found = session_ends(said, lists, None)
    assert found == [Boundary(3, BoundaryReason.GAP, one) for one in hours]


def test_nothing_is_split_before_something_was_answered(lists: PhraseLists) -> None:
    said = [
        DialogueLine(Role.USER, "Dawn fenomeni nedir?"),
        DialogueLine(Role.USER, "Osmanlı'da tımar sistemi nasıl işliyordu?"),
    ]
    assert session_ends(said, lists, None) == []
    assert session_ends([], lists, None) == []


_OTHER_SUBJECTS = [
    (
        "Gözlük mü lens mi daha sağlıklı?",
        "Gözlük göze dokunmadığı için daha güvenlidir; lenste temizlik önemlidir.",
        "lensle uyunur mu",
        "Çoğuyla hayır, enfeksiyon yapabilir.",
        "Günde kaç saat takılmalı?",
        "Sekiz on saati geçmemeli.",
        "Yeni bir laptop alacağım, 16 GB ram yeter mi?",
        "Günlük işler ve ofis için yeter; video kurgu için 32 düşünün.",
        "oyun da oynarım",
        "O zaman ekran kartına bakın, ram 16 yeter.",
    ),
    (
        *(one.text for one in DIALOGUES[0].said[:6]),
        "Peki dünyanın en uzun asma köprüsü hangi ülkede, ne zaman açıldı?",
        "Çanakkale'de: 1915 Köprüsü 2022'de açıldı, iki kulesi arası 2023 metredir.",
        "kulelerin yüksekliği?",
        "Kuleler 318 metre yüksekliğindedir, çelikten yapılmıştır.",
    ),
    (
        *(one.text for one in DIALOGUES[0].said[:6]),
        "Peki dünyanın en uzun asma köprüsü hangi ülkede, ne zaman açıldı?",
    ),
    (
        "Arapça harfler kaç tane?",
        "Yirmi sekiz harf vardır.",
        "Sesli harf yok mu?",
        "Uzun ünlüler harfle, kısalar harekeyle yazılır.",
        "Peki parke cilası kaç yılda yenilenir?",
        "Yoğun kullanılan evde yedi on yılda bir.",
        "Kendim yapabilir miyim?",
        "Zımpara makinesi kiralayarak yapabilirsiniz.",
    ),
    *(
        [one.text for one in (*DIALOGUES[at].said[:6], *DIALOGUES[at + 7].said[:6])]
        for at in (3, 18, 37)
    ),
]


@pytest.mark.parametrize(
    ("said", "number"), list(zip(_OTHER_SUBJECTS, (7, 7, 7, 5, 7, 7, 7), strict=True))
)
def test_a_lasting_new_subject_is_found_at_its_first_question(
    said: Sequence[str], number: int, lists: PhraseLists, strongest: Embedder
) -> None:
    assert [one.number for one in session_ends(spoken(*said), lists, strongest)] == [number]


@pytest.mark.parametrize("place", [8, 9, 20])
def test_one_question_aside_ends_no_session_where_the_subject_is_taken_up_again(
    place: int, lists: PhraseLists, strongest: Embedder
) -> None:
    subject = [one.text for one in DIALOGUES[place].said[:12]]
    aside = ("Yeni bir laptop alacağım, 16 GB ram yeter mi?", "Tamam, kısaca anlattım.")
    said = spoken(*subject[:6], *aside, *subject[6:])
    assert session_ends(said, lists, strongest) == []


# The newest message is judged before it is sent: cautiously, and fast


if TYPE_CHECKING:
    from desktop.domain.search import Vector, Vectors

_FEW = 4
_DOUBTFUL = "What did Freud mean by the uncanny?"
_SURE = (
    "İkinci Dünya Savaşı başlamadan önce Sovyetler Birliği ile Almanya arasındaki saldırmazlık "
    "anlaşmasını hangi bakanlar imzaladı?"
)


@pytest.fixture(params=["words", "meaning", "stronger meaning"])
def live_embedder(request: pytest.FixtureRequest) -> Embedder | None:
    """Each live_embedder that a window may have."""
    if request.param == "words":
        return None
    name = "by_meaning" if request.param == "meaning" else "strongest"
    found: Embedder = request.getfixturevalue(name)
    return found


def _messages(said: Sequence[DialogueLine]) -> list[Message]:
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
    lists: PhraseLists, live_embedder: Embedder | None, *, patience_s: float = 60.0
) -> TopicMonitor:
    return TopicMonitor(lambda: live_embedder, lambda: lists, lambda: "judge", patience_s)


def _look(
    watch: TopicMonitor, lists: PhraseLists, text: str, said: Sequence[Message]
) -> tuple[Decision, bool]:
    watch.prepare(said)
    utterance = parse_utterance(text, lists)
    judgement = judge(utterance, said, Rules())
    if not judgement.may_leave:
        return judgement.decision, False
    end, is_doubtful = watch.look(judgement.end, utterance, said)
    return end or judgement.otherwise, is_doubtful


def test_no_follow_up_is_taken_for_a_new_session(
    lists: PhraseLists, live_embedder: Embedder | None
) -> None:
    watch = _watch(lists, live_embedder)
    for dialogue in DIALOGUES:
        said = _messages(dialogue.said)
        for at in range(2, len(said), 2):
            decision, _ = _look(watch, lists, said[at].content, said[:at])
            assert not isinstance(decision, EndSession), said[at].content


def test_every_plain_change_is_seen_or_asked_about(
    lists: PhraseLists, live_embedder: Embedder | None
) -> None:
    watch = _watch(lists, live_embedder)
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
    assert watch.look(None, parse_utterance("symptoms of iron deficiency", lists), said)[0]


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
    watch, sure = _watch(lists, asleep, patience_s=0.01), parse_utterance(_SURE, lists)
    by_words = _watch(lists, None).look(None, sure, said)
    assert watch.look(None, sure, said) == by_words
    asleep.waking.set()
    watch.prepare(said)
    assert watch.look(None, sure, said) == by_words


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
