"""A question about the past through the window: what the server gets, where citations lead."""

import json
import re
from collections.abc import Callable

from PySide6.QtCore import QUrl

from desktop.settings.paths import Paths
from desktop.ui.transcript.card import MessageCard
from desktop.ui.transcript.text_block import TextPane
from tests.e2e.person import Person, description, words_of
from tests.fakes import Request, Says, SaysJson, ScriptedServer, Step

_DAWN = "Dawn fenomeni, sabaha karşı artan hormonlarla kan şekerinin yükselmesidir."
_QUOTE = "sabaha karşı artan hormonlarla"
_BETA = "Beta hücreleri sınırlı ölçüde yenilenir."
_OTHER = "Beta hücreleri yenilenir mi?"
_ASKED = "Dawn fenomeni için ne demiştik?"


def _passage(request: Request, words: str) -> int:
    """The number under which a passage was sent."""
    blocks = re.findall(r'<passage n="(\d+)"[^>]*>\n(.*?)\n</passage>', request.newest, re.DOTALL)
    return next(int(number) for number, text in blocks if words in text)


def _answer(request: Request) -> Step:
    newest = words_of(request)[-1]
    if newest == "Dawn fenomeni nedir?":
        return Says(_DAWN)
    if newest == _OTHER:
        return Says(_BETA)
    if newest == _ASKED:
        cited = f"[{_passage(request, _QUOTE)}"
        return Says(
            chunks=("Hormonlarla ", f"yükselir {cited}", ': "sabaha', _QUOTE[6:], '"', "]", ".")
        )
    return SaysJson(description("Dawn fenomeni"))


def test_a_question_about_the_past_is_answered_from_it_and_its_citation_leads_there(
    server: ScriptedServer, connected: Paths, start: Callable[[Paths], Person]
) -> None:
    server.default = _answer
    person = start(connected)
    person.says("Dawn fenomeni nedir?")
    past = person.sessions[0].id
    person.says("Teşekkürler")
    person.waits_until(lambda: not person.archive.index.unindexed())
    person.says(_OTHER)
    person.says(_ASKED)

    before, asked = [one for one in server.asked if words_of(one)[-1] in (_OTHER, _ASKED)]
    assert words_of(asked) == [_OTHER, _BETA, _ASKED]
    start_of = json.dumps(words_of(before)[-1], ensure_ascii=False).strip('"').encode()
    stable = before.body[: before.body.index(start_of) + len(start_of)]
    assert asked.body.startswith(stable)
    *_, question, block = (one["text"] for one in asked.messages[-1]["content"])
    assert question == _ASKED
    assert _DAWN in block
    assert _DAWN.encode() not in asked.body[: asked.body.index(_ASKED.encode())]

    assert person.words[-1] == "Hormonlarla yükselir [1]."
    assert [message.content for message in person.shown][-2:] == [_ASKED, person.words[-1]]
    assert person.parts.status._doing.text() == "Geçmiş oturumlarda arandı"

    answer = person.messages[-1]
    person.waits_until(lambda: bool(person.messages[-1].facts.citations))
    card = person.parts.transcript.live[person.messages[-1]]
    assert isinstance(card, MessageCard)
    pane = card.findChildren(TextPane)[0]
    pane.anchorClicked.emit(QUrl("citation:1"))
    person.presses("1. kaynağı aç: Dawn fenomeni")
    person.waits_until(lambda: [one.session_id for one in person.shown][:1] == [past])
    transcript = person.parts.transcript
    cited = person.messages[1]
    assert cited.text == _DAWN
    assert str(cited.message.id) == answer.facts.citations[0].passage_id
    person.waits_until(lambda: transcript.live.get(cited) is not None)
