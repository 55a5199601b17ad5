"""Tools during an answer, through the real client."""

import json
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest

from desktop.domain import events
from desktop.domain.facts import FactFilter, Origin, Term
from desktop.domain.language import Language
from desktop.domain.messages import CitationState, MessageState
from desktop.domain.projects import EVERYTHING
from desktop.llm.client import EndpointModel
from desktop.sessions.answering.tool_loop import MOST_CALLS, MOST_ROUNDS
from desktop.settings.settings import ToolSwitch
from tests.archives import finished
from tests.fakes import (
    Call,
    CallsTool,
    CallsTools,
    ErrorsMidStream,
    Request,
    Says,
    ScriptedServer,
    Step,
)
from tests.models import served_model
from tests.studies import Study

SAVES = CallsTool(
    "memory_save",
    {"content": "Kullanıcı Bursa'da yaşıyor.", "topic": "Yaşam", "quote": "Bursa'da yaşıyorum"},
)
COUNTING = ["calculator", "date_time", "session_statistics"]
PAST = ["session_summary", "subject_over_time", "attachments"]
LOOKS = CallsTool("memory_recall", {"words": "şehir"})


class Served(Study):
    """With a model at a server."""

    def __init__(self, folder: Path, model: EndpointModel, server: ScriptedServer) -> None:
        super().__init__(folder, model)
        self.server = server


@contextmanager
def study_at(folder: Path, server: ScriptedServer, *can: str) -> Iterator[Served]:
    with served_model(server, *can, context_tokens=100_000) as model:
        study = Served(folder, model, server)
        study.set(recalled_items=0)
        yield study
        study.close()


@pytest.fixture
def served(tmp_path: Path, server: ScriptedServer) -> Iterator[Served]:
    with study_at(tmp_path / "served", server, "tools") as study:
        yield study


@pytest.fixture
def unable(tmp_path: Path, server: ScriptedServer) -> Iterator[Served]:
    """An endpoint without tools."""
    with study_at(tmp_path / "unable", server) as study:
        yield study


def stop_at(study: Study, text: str, is_reached: Callable[[events.TurnEvent], bool]) -> None:
    """Ask, and stop the turn from another thread at that event."""
    turn, reached = study.assistant.ask(text), threading.Event()
    heard: list[events.TurnEvent] = []

    def listen(event: events.TurnEvent) -> None:
        heard.append(event)
        if is_reached(event):
            reached.set()

    worker = threading.Thread(target=lambda: turn.run(listen))
    worker.start()
    assert reached.wait(30)
    study.assistant.stop()
    worker.join(10)
    assert not worker.is_alive()
    ended = heard[-1]
    assert isinstance(ended, events.TurnEnded)
    assert (ended.outcome, ended.error) == (events.Outcome.STOPPED, None)


def tool_states(study: Study) -> list[tuple[str, events.ToolState]]:
    return [(event.name, event.state) for event in study.happened(events.ToolCalled)]


def contents(study: Study) -> list[str]:
    return [fact.content for fact in study.archive.facts.facts(FactFilter(EVERYTHING))]


def test_the_users_fact_is_saved_and_the_answer_continues(served: Served) -> None:
    served.server.then(SAVES, Says("Aklımda."))
    ended = served.ask("Ben Bursa'da yaşıyorum.")
    assert (ended.outcome, ended.text) == (events.Outcome.COMPLETE, "Aklımda.")
    (fact,) = served.archive.facts.facts(FactFilter(EVERYTHING))
    assert (fact.content, fact.origin) == ("Kullanıcı Bursa'da yaşıyor.", Origin.SESSION)
    assert fact.session_id == served.active.id
    assert served.server.last_result == ("Kaydedildi: Kullanıcı Bursa'da yaşıyor.", False)
    assert tool_states(served) == [
        ("memory_save", events.ToolState.RUNNING),
        ("memory_save", events.ToolState.DONE),
    ]
    assert served.happened(events.ToolCalled)[0].summary == "Kullanıcı Bursa'da yaşıyor."
    assert [one.content for one in served.on_disk()] == ["Ben Bursa'da yaşıyorum.", "Aklımda."]


@pytest.mark.parametrize(
    "quote", ["Ankara'da yaşıyorum", "Bursa'da doğdum", "zeytinyağı üretiyor", ""]
)
def test_a_fact_the_user_did_not_state_is_refused_with_the_reason(
    served: Served, quote: str
) -> None:
    """Neither the assistant's words count, nor those of a passage."""
    served.server.then(
        Says("Demek Bursa'da doğdum diyorsunuz."),
        CallsTool("recall", {"words": "zeytinyağı"}),
        CallsTool("memory_save", {"content": "Zeytinyağı.", "topic": "İş", "quote": quote}),
        Says("Kaydedemedim."),
    )
    served.add_past("z", "Kim?", "Komşu zeytinyağı üretiyor.")
    served.ask("Ben Bursa'da yaşıyorum.")
    ended = served.ask("Zeytinyağı hakkında ne biliyoruz acaba?")
    assert ended.text == "Kaydedemedim."
    told, is_error = served.server.last_result
    assert is_error
    assert told.startswith("Kaydedilmedi") or "quote" in told
    assert contents(served) == []
    assert tool_states(served)[-1] == ("memory_save", events.ToolState.FAILED)


@pytest.mark.parametrize(
    ("language", "content", "quote", "told"),
    [
        (Language.TR, "Parolası gizli123.", "Parolam: gizli123", "parolaya"),
        (Language.EN, "Parolası gizli123.", "Parolam: gizli123", "password"),
        (Language.TR, "The user lives in Bursa.", "Bursa'da yaşıyorum", "dilinde"),
    ],
)
def test_a_secret_or_another_language_is_refused_with_the_reason(
    served: Served, language: Language, content: str, quote: str, told: str
) -> None:
    served.language = language
    given = {"content": content, "topic": "Yaşam", "quote": quote}
    served.server.then(CallsTool("memory_save", given), Says("Olmadı."))
    served.ask(f"{quote}.")
    why, is_error = served.server.last_result
    assert (told in why, "gizli123" in why, is_error) == (True, False, True)
    assert contents(served) == []


@pytest.mark.parametrize(
    ("given", "is_found"),
    [
        ({"words": "kedi"}, True),
        ({}, True),
        ({"topic": "Ev", "limit": 1}, True),
        ({"topic": "İş"}, False),
        ({"since": "2026-03-05", "until": "2026-03-05"}, True),
        ({"until": "2026-03-04"}, False),
        ({"since": "2026-03-06T00:00:00Z"}, False),
        ({"term": "long"}, False),
        ({"words": None, "topic": ""}, True),
    ],
)
def test_memory_is_asked_by_words_topic_term_dates_and_number(
    served: Served, given: dict[str, object], *, is_found: bool
) -> None:
    served.assistant.memory.remember("Kedisinin adı Pamuk.", topic="Ev")
    served.server.then(CallsTool("memory_recall", given))
    served.ask("Soru?")
    told, is_error = served.server.last_result
    assert not is_error
    assert ("Pamuk" in told) is is_found


@pytest.mark.parametrize(("arguments", "hours"), [({}, 49), ({"older_than_hours": 9}, 10)])
def test_old_facts_age_if_the_model_is_asked_to_let_them(
    served: Served, arguments: dict[str, int], hours: int
) -> None:
    served.assistant.memory.remember("Kedisinin adı Pamuk.", importance=4)
    served.clock.pass_by(hours=hours)
    served.server.then(CallsTool("memory_age", arguments))
    served.ask("Belleği toparlar mısın lütfen?")
    assert served.server.last_result[0].startswith("1 bilgi etkin bellekten çıktı")
    assert served.archive.facts.facts(FactFilter(EVERYTHING))[0].term is Term.LONG


def test_passages_that_a_tool_finds_can_be_cited_and_the_citation_is_checked(
    served: Served,
) -> None:
    served.add_past("lif", "Günde kaç gram lif?", "Günde 30 gram lif hedeflenir.", title="Lif")
    served.server.then(
        CallsTool("recall", {"words": "lif"}, text="Bakıyorum."),
        Says('30 gram [2: "Günde 30 gram lif hedeflenir"] ve 50 gram [1: "günde elli gram"].'),
    )
    ended = served.ask("Lif için günlük hedef kaç gramdır?")
    told, is_error = served.server.last_result
    assert not is_error
    assert '<passage n="1"' in told
    assert '<passage n="2"' in told
    assert ended.text == "Bakıyorum.\n\n30 gram [1] ve 50 gram [2]."
    assert [one.state for one in ended.citations] == [
        CitationState.CHECKED,
        CitationState.UNCHECKED,
    ]
    assert ended.citations[0].source_id == "lif"


def test_passages_of_several_calls_are_numbered_on(served: Served) -> None:
    served.add_past("lif", "Günde kaç gram lif?", "Günde 30 gram lif.")
    search = Call("recall", {"words": "lif"})
    served.server.then(CallsTools((search, search)), CallsTools((search,)), Says("Tamam."))
    served.ask("Günlük lif miktarı kaç gram olmalı?")
    first, second = (told for told, _ in served.server.asked[1].results)
    (third,) = (told for told, _ in served.server.asked[2].results)
    numbers = [[f'n="{n}"' in told for n in range(1, 7)] for told in (first, second, third)]
    assert numbers == [
        [True, True, False, False, False, False],
        [False, False, True, True, False, False],
        [False, False, False, False, True, True],
    ]


@pytest.mark.parametrize(
    ("call", "told"),
    [
        (Call("memory_recall", '{"words": '), "JSON"),
        (Call("run_shell", {"command": "ls"}), "“run_shell” adında bir araç yok"),
        (Call("memory_recall", {"limit": 500}), "“limit”"),
        (Call("memory_recall", {"limit": "on"}), "“limit”"),
        (Call("memory_recall", {"since": "dün"}), "“since”"),
        (Call("memory_recall", {"until": "2026-02-30"}), "“until”"),
        (Call("memory_recall", {"term": "medium"}), "“term”"),
        (Call("memory_recall", {"profile": "başkası"}), "“profile”"),
        (Call("memory_save", {"content": "Bir şey."}), "“topic”"),
        (Call("memory_save", {"content": "a" * 301, "topic": "a", "quote": "a"}), "“content”"),
        (Call("recall", {"words": ["liste"]}), "“words”"),
    ],
)
def test_a_wrong_call_is_reported_to_the_model_and_the_answer_continues(
    served: Served, call: Call, told: str
) -> None:
    served.server.then(CallsTools((call,)), Says("Olmadı, ama yanıt bu."))
    ended = served.ask("Soru?")
    assert (ended.outcome, ended.text) == (events.Outcome.COMPLETE, "Olmadı, ama yanıt bu.")
    words, is_error = served.server.last_result
    assert is_error
    assert told in words
    assert tool_states(served)[-1] == (call.name, events.ToolState.FAILED)


def test_a_tool_that_the_disk_fails_says_so_to_the_model(served: Served) -> None:
    def breaks_first(_: Request) -> Step:
        with served.archive.database.writing() as db:
            db.exec_driver_sql("ALTER TABLE facts RENAME TO elsewhere")
        return LOOKS

    served.server.then(breaks_first, Says("Belleğe bakamadım."))
    ended = served.ask("Soru?")
    assert (ended.outcome, ended.text) == (events.Outcome.COMPLETE, "Belleğe bakamadım.")
    words, is_error = served.server.last_result
    assert is_error
    assert words.startswith("Araç işini yapamadı")


def test_a_model_that_only_calls_tools_is_told_to_write_and_then_stopped(served: Served) -> None:
    served.server.default = CallsTool("memory_recall", {"words": "şehir"}, text="Bakıyorum.")
    ended = served.ask("Soru?")
    assert len(served.server.asked) == MOST_ROUNDS + 1
    assert ended.outcome is events.Outcome.FAILED
    assert ended.error is not None
    assert ended.error.key == "tool_loop"
    assert ended.text == "\n\n".join(["Bakıyorum."] * (MOST_ROUNDS + 1))
    assert "son çağrısıydı" in served.server.last_result[0]
    assert served.on_disk()[-1].state is MessageState.FAILED
    assert len(served.happened(events.ToolCalled)) == 2 * MOST_ROUNDS
    served.server.default = Says("Buyurun.")
    assert served.ask("Peki?").text == "Buyurun."


def test_too_many_calls_at_once_are_not_all_done(served: Served) -> None:
    served.server.then(CallsTools((Call("memory_recall"),) * (MOST_CALLS + 2)), Says("Tamam."))
    assert served.ask("Soru?").text == "Tamam."
    errors = [is_error for _, is_error in served.server.asked[1].results]
    assert errors == [False] * MOST_CALLS + [True, True]


def test_tool_results_have_a_length_limit(served: Served) -> None:
    long = "Lif hakkında uzun bir not. " * 200
    said = [one for n in range(40) for one in (f"Lif sorusu {n}?", f"{n}: {long}")]
    served.archive.imports.add(
        [finished(f"s{n}", *said[4 * n : 4 * n + 4]) for n in range(len(said) // 4)]
    )
    served.server.default = CallsTool("recall", {"words": "lif"})
    served.allows_tools = True
    served.ask("Soru?")
    told = [words for request in served.server.asked[1:] for words, _ in request.results]
    assert sum(map(len, told)) < 60_000
    assert "yer kalmadı" in told[-1]


def test_stopping_while_the_user_is_asked_ends_the_turn(served: Served) -> None:
    served.set(tools={"memory_save": ToolSwitch(asks_first=True)})
    served.server.then(SAVES)
    stop_at(served, "Ben Bursa'da yaşıyorum.", lambda event: isinstance(event, events.ToolCalled))
    assert contents(served) == []
    assert len(served.server.asked) == 1


@pytest.mark.parametrize("is_allowed", [True, False])
def test_a_tool_that_asks_first_does_only_what_it_is_allowed(
    served: Served, *, is_allowed: bool
) -> None:
    served.set(tools={"memory_save": ToolSwitch(asks_first=True)})
    served.server.then(SAVES, Says("Tamam."))
    turn = served.assistant.ask("Ben Bursa'da yaşıyorum.")

    def reply(event: events.TurnEvent) -> None:
        if isinstance(event, events.ToolCalled) and event.state is events.ToolState.ASKING:
            assert contents(served) == []
            turn.replies.allow(event.call_id, is_allowed=is_allowed)

    turn.run(reply)
    words, is_error = served.server.last_result
    assert is_error is not is_allowed
    assert len(contents(served)) == is_allowed
    assert ("izin vermedi" in words) is not is_allowed


@pytest.mark.parametrize("is_temporary", [True, False])
def test_a_tool_that_is_off_or_of_memory_in_a_temporary_session_is_neither_offered_nor_run(
    served: Served, *, is_temporary: bool
) -> None:
    if is_temporary:
        served.assistant.begin_temporary()
    else:
        served.set(tools={"memory_save": ToolSwitch(is_on=False)})
    served.server.then(SAVES, Says("Tamam."))
    served.ask("Ben Bursa'da yaşıyorum.")
    memory = [] if is_temporary else ["memory_recall", "memory_age"]
    assert served.server.asked[0].tools == [*memory, "recall", *COUNTING, *PAST]
    assert served.server.last_result[1]
    assert contents(served) == []


@pytest.mark.parametrize(
    ("changes", "offered"),
    [
        ({}, ["memory_save", "memory_recall", "memory_age", "recall", *COUNTING, *PAST]),
        ({"uses_memory": False}, ["recall", *COUNTING, *PAST]),
        ({"uses_past_sessions": False}, ["memory_save", "memory_age", *COUNTING]),
    ],
)
def test_the_offered_tools_follow_the_users_settings(
    served: Served, changes: dict[str, bool], offered: Sequence[str]
) -> None:
    served.set(**changes)
    served.ask("Soru?")
    assert served.server.asked[0].tools == offered


def test_every_request_of_a_turn_begins_with_the_one_before_and_the_next_turn_knows_no_calls(
    served: Served,
) -> None:
    served.server.then(
        SAVES,
        CallsTool("memory_recall", {"words": "şehir"}, text="Bakayım."),
        Says("Bursa."),
        Says("Evet."),
    )
    served.ask("Ben Bursa'da yaşıyorum.")
    served.clock.pass_by(minutes=9)
    served.ask("Peki orada mıyım?")
    first, second, third, next_turn = served.server.asked
    for earlier, later in ((first, second), (second, third)):
        assert later.messages[: len(earlier.messages)] == earlier.messages
        # Up to where the list of messages ends, byte for byte.
        shared = earlier.body[: _end_of_messages(earlier)]
        assert later.body.startswith(shared)
    for name in ("system", "tools", "model"):
        assert next_turn.json.get(name) == first.json.get(name)
    question = first.messages[0]["content"][0]
    assert next_turn.messages[0] == {"role": "user", "content": [question]}
    assert next_turn.said[1] == ("assistant", "Bakayım.\n\nBursa.")
    assert b"tool_use" not in next_turn.body
    assert b"tool_result" not in next_turn.body


def _end_of_messages(request: Request) -> int:
    """The position of the closing bracket of the messages in the body."""
    written = json.dumps(request.messages, ensure_ascii=False, separators=(",", ":")).encode()
    start = request.body.find(written)
    assert start >= 0
    return start + len(written) - 1


def test_a_failure_in_a_later_round_keeps_what_the_first_said_and_counts_both(
    served: Served,
) -> None:
    looks = CallsTool("memory_recall", {"words": "şehir"}, text="Bakıyorum.")
    served.server.then(looks, ErrorsMidStream("Bul"))
    ended = served.ask("Soru?")
    assert (ended.outcome, ended.text) == (events.Outcome.FAILED, "Bakıyorum.\n\nBul")
    assert ended.error is not None
    assert ended.error.key == "overloaded"
    assert ended.usage.input_tokens == 24
