"""The main workflow, end to end: ask, get an answer, thank, begin anew, and find it all again."""

import json
import re
from collections.abc import Callable
from itertools import pairwise

from desktop.domain.search import EVERYWHERE, Query
from desktop.domain.sessions import EndReason, SessionStatus
from desktop.settings.paths import Paths
from tests.e2e.person import Person, words_of
from tests.fakes import Request, Says, SaysJson, ScriptedServer, Step

_DAWN = "Dawn fenomeni, sabaha karşı artan hormonlarla kan şekerinin yükselmesidir."
_SOMOGYI = "Somogyi etkisi, gece düşüklüğünden sonra görülen geri tepme yüksekliğidir."
_DIFFERENCE = (
    "Ayıran, gece üçteki değerdir.\n\n| | Dawn | Somogyi |\n|-|-|-|\n| 03.00 | normal | düşük |"
)
_BETA = "Beta hücreleri sınırlı ölçüde yenilenir."
_DESCRIPTION = {
    "title": "Dawn fenomeni ile Somogyi etkisinin farkı",
    "summary": "İkisi de sabah yüksekliği yapar; 03.00 ölçümü ayırır.",
    "topics": ["Dawn fenomeni", "Somogyi etkisi", "sabah hiperglisemisi"],
    "facts": [],
}


_ANSWERS = {
    "Dawn fenomeni nedir?": Says(chunks=re.split(r"(?<= )", _DAWN)),
    "Somogyi etkisi nedir?": Says(_SOMOGYI),
    "İkisinin farkı ne?": Says(_DIFFERENCE),
    "beta hücre rejenerasyonu nedir?": Says(_BETA),
}


def _answer(request: Request) -> Step:
    """Answer by the newest message; any other request wants the session described."""
    return _ANSWERS.get(words_of(request)[-1], SaysJson(_DESCRIPTION))


def _stable_start(request: Request) -> bytes:
    """The bytes of the request up to the end of the user's last text."""
    newest = json.dumps(words_of(request)[-1], ensure_ascii=False).strip('"').encode()
    return request.body[: request.body.rindex(newest) + len(newest)]


def test_the_example_flow_from_the_first_question_to_the_next_subject(
    server: ScriptedServer, connected: Paths, start: Callable[[Paths], Person]
) -> None:
    server.default = _answer
    person = start(connected)
    questions = ["Dawn fenomeni nedir?", "Somogyi etkisi nedir?", "İkisinin farkı ne?"]
    for question in questions:
        person.says(question)

    asked = [request for request in server.asked if words_of(request)[-1] in questions]
    whole = [questions[0], _DAWN, questions[1], _SOMOGYI, questions[2]]
    assert [words_of(request) for request in asked] == [whole[:1], whole[:3], whole[:5]]
    for earlier, later in pairwise(asked):
        assert later.body.startswith(_stable_start(earlier))

    person.says("Tamam anladım, teşekkürler")
    ended = next(one for one in person.sessions if one.end_reason is EndReason.THANKS)
    assert ended.status is SessionStatus.COMPLETE
    assert ended.messages == 7
    # The extracted title is there at once; that of the model replaces it.
    title = _DESCRIPTION["title"]
    person.waits_until(lambda: person.archive.sessions.session(ended.id).title == title)
    described = person.archive.sessions.session(ended.id)
    assert list(described.topics) == _DESCRIPTION["topics"]

    person.says("Yeni konu: beta hücre rejenerasyonu nedir?")
    active = person.sessions[0]
    assert active.status is SessionStatus.ACTIVE
    assert active.id != ended.id
    assert [message.content for message in person.shown] == [
        "beta hücre rejenerasyonu nedir?",
        _BETA,
    ]
    newest = server.asked[-1]
    assert _DAWN not in newest.body.decode()

    hits = person.services.search.find(Query("somogyı etkısının", scope=EVERYWHERE))
    assert {hit.session_id for hit in hits} == {ended.id}

    person.program.window.actions_by_name["language en"].trigger()
    person.waits_until(lambda: str(person.parts.sidebar.model.index(0).data()) == "Today")
    person.says("beta hücre rejenerasyonu nedir?")
    assert newest.system.startswith("Türkçe konuşan")
    assert server.asked[-1].system.startswith("You are Bellek")
