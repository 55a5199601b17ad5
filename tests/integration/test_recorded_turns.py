"""What each kind of turn sends to a model, byte for byte, and the events that it emits."""

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass
from datetime import UTC, datetime
from enum import Enum
from itertools import groupby
from pathlib import Path
from typing import Any

import pytest

from desktop.domain import events
from desktop.domain.endpoints import EndpointKind
from desktop.domain.facts import FactFilter, Origin
from desktop.domain.ids import SessionId
from desktop.domain.language import Language
from desktop.domain.projects import EVERYTHING
from desktop.domain.routing import Tier
from desktop.domain.usage import Usage
from desktop.memory.summary_check import find_missing
from tests.archives import an_active_session, stored
from tests.fakes import Call, CallsTools, Request, Says, SaysJson, ScriptedServer, Step
from tests.golden import GoldenFile, settled_world
from tests.models import A_DESCRIPTION, a_compact
from tests.researchers import ANSWER, Researcher, cites_all, passages_in
from tests.web import Web as LoopbackWeb

REQUESTS, EVENTS = GoldenFile(__file__, "requests"), GoldenFile(__file__, "events")
PROTOCOLS = (EndpointKind.SERVER, EndpointKind.CHAT)
ABILITIES = {
    Language.TR: ("structured_output", "caching", "count_tokens"),
    Language.EN: ("structured_output", "caching", "count_tokens", "tools"),
}
"""The definitions of tools are long: one language is enough."""
QUESTION = "Şafak olayı nedir, kan şekeri neden yükselir?"
TURKISH = "Şafak olayı, sabaha karşı salgılanan hormonların kan şekerini yükseltmesidir."
ENGLISH = (
    "The dawn phenomenon is a rise of blood sugar in the early morning, which is caused by the "
    "hormones that prepare the body for waking up."
)
DAWN = "The dawn phenomenon is a rise of blood sugar between four and eight in the morning."
OFTEN = "About half of the people with type 2 diabetes have the dawn phenomenon."
METFORMIN = "Metformin in the evening lowers the blood sugar of the dawn by a tenth."
HELP = "What helps against the dawn phenomenon?"
COMPARES = "Compare metformin and insulin for the dawn phenomenon"
_HEADERS = ("anthropic-version", "anthropic-beta")
_ADDRESS = re.compile(r"127\.0\.0\.1:\d+")
_AT_ONCE = (
    events.StepStarted,
    events.StepEnded,
    events.SourceFound,
    events.UsageCounted,
    events.ProgressMade,
)
"""Events of steps that run side by side: their order is that of the threads."""
_PLAIN = {"ContextReport", "Message", "Part", "PhaseRecord", "Session", "Usage"}
_MOST_LETTERS = 24
_EMPTY: tuple[object, ...] = (None, False, "", (), [], 0, Usage())
_CHANGING = {
    "turn_id",
    "id",
    "parent_id",
    "limits",
    "citations",
    "session_id",
    "message_id",
    "duration_ms",
    "spent",
    "elapsed_s",
}
"""Fields with times and random ids."""


def ask_without_memory(user: Researcher) -> None:
    user.study.set(uses_memory=False, uses_past_sessions=False)
    user.server.then(Says(TURKISH), Says("Gece salgılanan büyüme hormonu ve kortizol."))
    user.study.ask(QUESTION)
    user.study.clock.pass_by(minutes=7)
    user.study.ask("Peki hangi hormonlar?")


def ask_with_memory(user: Researcher) -> None:
    memory = user.study.assistant.memory
    memory.remember("Tip 1 diyabetim var", origin=Origin.USER)
    memory.remember("Kısa yanıtları severim", origin=Origin.DIRECTIVE)
    user.study.add_past(
        "past", "Sabah şekerim neden yüksek?", TURKISH, title="Sabah şekeri", at=_earlier()
    )
    user.server.then(Says(TURKISH))
    user.study.ask(QUESTION)


def ask_with_attachments(user: Researcher) -> None:
    recipe = user.shelve("Dawn", DAWN, OFTEN)
    user.study.add_past("past", "What helps?", METFORMIN, title="Morning sugar", at=_earlier())
    user.study.ask(HELP, attachments=[recipe.id, SessionId("past")])


def call_tools(user: Researcher) -> None:
    calls = (
        Call("calculator", {"expression": "12 * 7"}),
        Call("memory_recall", {"words": "city"}),
        Call("date_time", {}),
    )
    user.study.assistant.memory.remember("I live in the city of Bursa", origin=Origin.USER)
    user.server.then(CallsTools(calls, "Let me see. "), Says("It is 84, and you live in Bursa."))
    user.study.ask("What is twelve times seven, and in which city do I live?")


def research_quickly(user: Researcher) -> None:
    user.shelve("Dawn", DAWN, OFTEN)
    user.study.add_past("past", "What helps?", METFORMIN, title="Morning sugar", at=_earlier())
    user.ask(HELP, Tier.QUICK)


def research(user: Researcher) -> None:
    user.shelve("Dawn", DAWN, OFTEN)
    user.offer_pages(METFORMIN)
    user.ask(HELP, Tier.RESEARCH)


def research_deeply(user: Researcher) -> None:
    user.shelve("Dawn", DAWN, OFTEN)
    user.ask(HELP, Tier.DEEP)


def write_again(user: Researcher) -> None:
    user.server.then(Says(ENGLISH), Says(TURKISH))
    user.study.ask(QUESTION)
    assert user.study.happened(events.AnswerRejected)


def choose_by_the_quick_role(user: Researcher) -> None:
    user.shelve("Dawn", DAWN, METFORMIN)
    user.server.then(SaysJson({"choice": "quick"}))
    user.study.ask(COMPARES)


def compact(user: Researcher) -> None:
    study = user.study
    messages = [stored(SessionId("s1"), number, f"Söz {number} uzar.") for number in range(1, 35)]
    study.archive.sessions.save(an_active_session(), messages)
    study.set(
        detects_subject_change=False, uses_past_sessions=False, history_items=4, compact_after=30
    )
    study.assistant.continue_unfinished()
    user.server.then(summarise, Says("Böyle."))
    study.describe()
    assert study.archive.compacts.compacts(study.active.id)
    study.ask("Neden?")


def summarise(request: Request) -> Step:
    return SaysJson(a_compact("Söz uzadı.", *find_missing([request.newest], "").all))


def describe_session(user: Researcher) -> None:
    user.study.set(uses_memory=False)
    user.server.then(Says(TURKISH), Says("Kortizol."), SaysJson(A_DESCRIPTION))
    for text in (QUESTION, "Peki hangi hormon?"):
        user.study.ask(text)
    user.study.assistant.end()
    assert [session.title for session in user.study.describe()] == ["Modelin başlığı"]


def learn_facts(user: Researcher) -> None:
    fact = {
        "topic": "Sağlık",
        "fact": "Kullanıcının tip 1 diyabeti var.",
        "importance": 8,
        "quote": "tip 1 diyabetim var",
        "about": "",
        "replaces": 0,
    }
    assert isinstance(A_DESCRIPTION, Mapping)
    learned = SaysJson({**A_DESCRIPTION, "facts": [fact]})
    user.server.then(Says("Bol lifli yiyecekler yemelisin."), Says("Elma uygundur."), learned)
    for text in ("Benim tip 1 diyabetim var, ne yemeliyim?", "Peki hangi meyve?"):
        user.study.ask(text)
    user.study.assistant.end()
    user.study.describe()
    assert user.study.archive.facts.facts(FactFilter(EVERYTHING))


def remember(user: Researcher) -> None:
    user.study.ask("Kızımın adı Elif, bunu unutma")


def remember_and_answer(user: Researcher) -> None:
    user.server.then(Says("Ona bir kitap alabilirsin."))
    user.study.ask("Kızımın adı Elif, bunu unutma. Ona ne hediye alabilirim?")


TURNS: dict[str, tuple[Callable[[Researcher], None], Language]] = {
    "ordinary, without memory": (ask_without_memory, Language.TR),
    "ordinary, with memory": (ask_with_memory, Language.TR),
    "with attached sources": (ask_with_attachments, Language.EN),
    "with tools": (call_tools, Language.EN),
    "quick tier": (research_quickly, Language.EN),
    "research tier": (research, Language.EN),
    "deep tier": (research_deeply, Language.EN),
    "written again by the quality gate": (write_again, Language.TR),
    "chosen by the quick role": (choose_by_the_quick_role, Language.EN),
    "compacted": (compact, Language.TR),
    "session described": (describe_session, Language.TR),
    "facts learned": (learn_facts, Language.TR),
    "to remember": (remember, Language.TR),
    "to remember, and answered": (remember_and_answer, Language.TR),
}


def _earlier() -> datetime:
    return datetime(2026, 2, 10, 9, tzinfo=UTC)


def answer(request: Request) -> Step:
    return cites_all(request) if passages_in(request.newest) else Says("So it is.")


@pytest.fixture
def make_user(tmp_path: Path) -> Iterator[Callable[[EndpointKind, Language], Researcher]]:
    users: list[Researcher] = []
    with settled_world(), ScriptedServer() as server, LoopbackWeb() as web:

        def make(kind: EndpointKind, language: Language) -> Researcher:
            user = Researcher(tmp_path, server, web, can=ABILITIES[language], kind=kind)
            user.brain.does[ANSWER] = answer
            user.study.language = language
            users.append(user)
            return user

        yield make
        for user in users:
            user.close()


@pytest.mark.parametrize("kind", PROTOCOLS)
@pytest.mark.parametrize("case", TURNS)
def test_a_turn_sends_the_same_bytes_and_emits_the_same_events(
    case: str, kind: EndpointKind, make_user: Callable[[EndpointKind, Language], Researcher]
) -> None:
    act, language = TURNS[case]
    user = make_user(kind, language)
    emitted: list[events.TurnEvent] = []
    run = user.study.run

    def record(*turn: Any) -> events.TurnEnded:
        ended = run(*turn)
        emitted.extend(user.study.events)
        return ended

    user.study.run = record  # type: ignore[assignment, method-assign]  # each turn is recorded
    act(user)
    EVENTS.check(case, lines_of(emitted))
    REQUESTS.check(
        f"{case}: {kind.value}", [wire_form(request) for request in user.server.requests]
    )


def test_no_turn_is_recorded_that_is_not_tested_any_more() -> None:
    EVENTS.check_cases(*TURNS)
    REQUESTS.check_cases(*(f"{case}: {kind.value}" for case in TURNS for kind in PROTOCOLS))


def wire_form(request: Request) -> dict[str, Any]:
    text = _ADDRESS.sub("HOST", request.body.decode())
    body = json.loads(text) if text else None
    assert not text or json.dumps(body, ensure_ascii=False, separators=(",", ":")) == text
    headers = {name: request.headers[name] for name in _HEADERS if name in request.headers}
    return {"request": f"{request.method} {request.path}", "headers": headers, "body": body}


def lines_of(emitted: Sequence[events.TurnEvent]) -> list[str]:
    """Each event in a line; the text of an answer in one, however it arrived."""
    lines: list[str] = []
    for kind, several in groupby(
        emitted, lambda event: _AT_ONCE if isinstance(event, _AT_ONCE) else type(event)
    ):
        if kind is events.TextArrived:
            text = "".join(
                event.text for event in several if isinstance(event, events.TextArrived)
            )
            lines.append(f"TextArrived text={text!r}")
            continue
        new = [_ADDRESS.sub("HOST", shown(event)) for event in several]
        lines += sorted(new) if kind is _AT_ONCE else new
    return lines


def shown(value: object) -> str:
    match value:
        case Enum():
            return str(value.value)
        case Mapping():
            return (
                "{" + ", ".join(f"{shown(key)}: {shown(one)}" for key, one in value.items()) + "}"
            )
        case list() | tuple():
            return (
                "[" + ", ".join(shown(one) for one in value if getattr(one, "tokens", True)) + "]"
            )
        case _ if is_dataclass(value):
            named = {field.name: getattr(value, field.name) for field in fields(value)}
            parts = [
                f"{name}={shown(part)}"
                for name, part in named.items()
                if not (
                    name in _CHANGING
                    or part in _EMPTY
                    or callable(part)
                    or isinstance(part, datetime)
                )
            ]
            name = type(value).__name__
            return f"{'' if name in _PLAIN else name}({', '.join(parts)})"
        case str():
            return repr(value if len(value) <= _MOST_LETTERS else f"{value[:_MOST_LETTERS]}…")
        case _:
            return repr(value)
