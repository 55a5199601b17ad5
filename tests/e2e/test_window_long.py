"""Long sessions on one topic: they stay one session, and all of it goes to the model."""

from collections.abc import Callable
from itertools import pairwise

from desktop.settings.paths import Paths
from tests.e2e.person import Person
from tests.fakes import Request, Says, SaysJson, ScriptedServer, Step

_ASPECTS = (
    "Ay'ın çekimi",
    "Güneş'in etkisi",
    "kıyıların biçimi",
    "okyanusun derinliği",
    "Dünya'nın dönüşü",
)
_ASKED = (
    "Gelgit neden olur?",
    "Peki {aspect} ne yapar?",
    "Bunu biraz daha açar mısın?",
    "ikisinin farkı ne?",
    "Gelgitte {aspect} ölçülebilir mi?",
    "Neden günde iki kez yükselir?",
    "Bir örnek verir misin?",
    "O zaman balıkçılar gelgiti nasıl hesaplar?",
    "Kaynağı var mı?",
    "Büyük gelgit ile küçük gelgit arasında {aspect} nasıl değişir?",
)


def _question(number: int) -> str:
    return _ASKED[number % len(_ASKED)].format(aspect=_ASPECTS[number % len(_ASPECTS)])


def _answer(request: Request) -> Step:
    if request.newest.startswith("user: "):
        return SaysJson(
            {"title": "Gelgit", "summary": "Gelgit.", "topics": ["Ay", "su", "kıyı"], "facts": []}
        )
    number = len(request.messages) // 2
    aspect = _ASPECTS[number % len(_ASPECTS)]
    return Says(chunks=[f"{number}. Gelgit üzerinde {aspect} belirleyicidir; ", "kıyıda görülür."])


def _bodies(server: ScriptedServer) -> list[list[str]]:
    return [
        [message["content"][0]["text"] for message in request.messages] for request in server.asked
    ]


def test_300_messages_on_one_topic_stay_one_session_and_all_go_to_the_model(
    server: ScriptedServer, connected: Paths, start: Callable[[Paths], Person]
) -> None:
    server.default = _answer
    person = start(connected)
    for number in range(150):
        person.says(_question(number))
    assert len(person.sessions) == 1
    assert len(person.words) == 300
    assert [one.content for one in person.shown] == person.words
    assert person.notices == []
    # Without those for a summary, which it does not get: then the messages go as they are.
    sent = [body for body in _bodies(server) if not body[0].startswith("[")]
    assert sent[-1] == person.words[:-1]
    for earlier, later in pairwise(sent):
        assert later[: len(earlier)] == earlier
    assert sent[14] == person.words[:29]
