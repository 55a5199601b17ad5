"""One message and its answer: saved first, then sent, then saved again as it arrives."""

import json
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
import sqlcipher3.dbapi2

from desktop.domain import events
from desktop.domain.endpoints import EndpointKind
from desktop.domain.errors import ConnectionLostError
from desktop.domain.events import Outcome, TextArrived, TurnEvent
from desktop.domain.messages import MessageState, Role, Thumb
from tests import fakes
from tests.costs import grows_with_size
from tests.models import served_model
from tests.studies import Study


def test_an_answer_arrives_in_pieces_and_is_kept_whole(study: Study) -> None:
    study.script.steps.append(("Sabah ", "yükselişi."))
    ended = study.ask("Şafak olayı nedir?")
    assert ended.outcome is events.Outcome.COMPLETE
    assert ended.text == "Sabah yükselişi."
    assert [event.text for event in study.happened(events.TextArrived)] == ["Sabah ", "yükselişi."]
    question, answer = study.on_disk()
    assert (question.role, question.content) == (Role.USER, "Şafak olayı nedir?")
    assert (answer.role, answer.content) == (Role.ASSISTANT, "Sabah yükselişi.")
    assert answer.state is MessageState.COMPLETE
    assert answer.model == "scripted-model"
    assert answer.parent_id == question.id
    assert ended.message_id == answer.id


def test_a_rating_is_kept_and_taken_back(study: Study) -> None:
    study.ask("Soru?")
    message_id, rate = study.active.messages[-1].id, study.assistant.rate
    rate(message_id, Thumb.DOWN, "yanlış")
    assert study.archive.answers.ratings(study.active.id)[message_id].words == "yanlış"
    rate(message_id, None)
    assert study.archive.answers.ratings(study.active.id) == {}


def test_letters_that_arrive_in_halves_are_kept_whole(study: Study) -> None:
    study.script.steps.append(("gülen \ud83d", "\ude00 yüz"))
    ended = study.ask("Soru \udcff?")
    assert ended.text == "gülen 😀 yüz"
    assert [one.content for one in study.on_disk()] == ["Soru \ufffd?", "gülen 😀 yüz"]


def test_held_back_text_is_saved_if_the_connection_breaks(study: Study) -> None:
    study.script.steps.append(
        ("Şeker sabah yükselir [1: “çünkü karaciğer çalışır", ConnectionLostError(where="x"))
    )
    ended = study.ask("Neden?")
    assert ended.text == "Şeker sabah yükselir [1: “çünkü karaciğer çalışır"
    assert study.on_disk()[-1].content == "Şeker sabah yükselir [1: “çünkü karaciğer çalışır"


def test_a_paste_is_answered_by_its_ends_if_no_model_reads_it(alone: Study) -> None:
    def ask(text: str) -> None:
        assert alone.ask(text).outcome is events.Outcome.COMPLETE
        assert alone.on_disk()[0].content == text
        alone.assistant.end()

    assert grows_with_size(ask, "1,2.5,abc;" * 1_500, "1,2.5,abc;" * 150_000)


# The whole stack against a scripted server: what it receives, and every kind of failure


@pytest.fixture
def served(tmp_path: Path, server: fakes.ScriptedServer) -> Iterator[Study]:
    with served_model(server) as model:
        study = Study(tmp_path / "served", model)
        yield study
        study.close()


def rows_of(file: Path) -> list[tuple[str, str]]:
    """What another program reads from the file at this moment."""
    other = sqlcipher3.dbapi2.connect(f"file:{file}?mode=ro", uri=True)
    try:
        return [
            (role, content)
            for role, content in other.execute(
                "SELECT role, content FROM messages WHERE is_current ORDER BY number"
            )
        ]
    finally:
        other.close()


def test_a_message_is_in_the_file_before_the_request_that_carries_it_leaves(
    served: Study, server: fakes.ScriptedServer
) -> None:
    found: list[bool] = []

    def answer(request: fakes.Request) -> fakes.Step:
        newest = request.messages[-1]["content"]
        asked = newest if isinstance(newest, str) else newest[0]["text"]
        found.append(("user", asked) in rows_of(served.database))
        return fakes.Says("Cevap.")

    server.default = answer
    for text in ("Şafak nedir?", "Peki neden olur?", "Peki gece?"):
        served.ask(text)
    assert found == [True, True, True]


def test_the_whole_session_goes_in_order_and_its_bytes_stay_the_same_from_turn_to_turn(
    served: Study, server: fakes.ScriptedServer
) -> None:
    texts = ["Şafak “olayı” nedir?", "Peki neden\nolur?", "İkisinin farkı ne?", "Neden?"]
    for text in texts:
        served.ask(text)
        served.clock.pass_by(minutes=7)
    bodies = [request.body for request in server.asked]
    for number, (request, text) in enumerate(zip(server.asked, texts, strict=True)):
        roles = [role for role, _ in request.said]
        assert roles == ["user", "assistant"] * number + ["user"]
        assert request.said[-1][1].startswith(text)
        stable = request.body[: request.body.index(_last_text(text))]
        for later in bodies[number + 1 :]:
            assert later.startswith(stable)
    first, second = (request.json for request in server.asked[:2])
    assert first["system"] == second["system"]


def _last_text(text: str) -> bytes:
    return json.dumps(text, ensure_ascii=False).encode()


FAILURES: list[tuple[fakes.Step, str, str]] = [
    (fakes.Fails(401), "key_rejected", ""),
    (fakes.Fails(403), "not_permitted", ""),
    (fakes.Fails(404, message="model: scripted-model"), "model_unknown", ""),
    (fakes.Fails(429), "model_busy", ""),
    (fakes.Fails(500), "server_failed", ""),
    (fakes.Fails(529), "overloaded", ""),
    (fakes.TooLong(), "context_too_long", ""),
    (fakes.Fails(400), "request_rejected", ""),
    (fakes.DropsConnection(), "server_down", ""),
    (fakes.DropsConnection("Yarım "), "server_down", "Yarım "),
    (fakes.EndsWithoutStopReason("Yarım "), "stream_broken", "Yarım "),
    (fakes.ErrorsMidStream("Yarım "), "overloaded", "Yarım "),
    (fakes.Refuses("Şey, "), "refused", "Şey, "),
    (fakes.Refuses(), "refused", ""),
]


@pytest.mark.parametrize(("step", "error", "arrived"), FAILURES)
def test_a_failure_keeps_the_message_and_what_arrived_and_a_retry_sends_the_same_again(
    served: Study, server: fakes.ScriptedServer, step: fakes.Step, error: str, arrived: str
) -> None:
    served.ask("Şafak nedir?")
    asked = len(server.asked)
    server.default = step  # also for the client's own retries
    ended = served.ask("Peki neden olur?")
    assert (ended.outcome, ended.text) == (Outcome.FAILED, arrived)
    assert ended.error is not None
    assert ended.error.key == error
    assert served.on_disk()[-2].content == "Peki neden olur?"
    answer = served.on_disk()[-1]
    assert (answer.state, answer.error, answer.content) == (MessageState.FAILED, error, arrived)
    failed = server.asked[asked]

    server.default = fakes.Says("Şimdi oldu.")
    again = served.retry(ended)
    assert (again.outcome, again.text) == (Outcome.COMPLETE, "Şimdi oldu.")
    assert server.asked[-1].body == failed.body
    assert served.said[-2:] == ["Peki neden olur?", "Şimdi oldu."]


def test_stopping_frees_the_turn_although_the_server_says_nothing_more(
    served: Study, server: fakes.ScriptedServer
) -> None:
    never = fakes.Waits(threading.Event())
    server.then(fakes.Says(chunks=("Yarım ", never)))
    turn = served.assistant.ask("Soru?")
    events: list[TurnEvent] = []
    worker = threading.Thread(target=lambda: turn.run(events.append))
    worker.start()
    assert never.reached.wait(30)
    _until_arrived(served, "Yarım ")
    served.assistant.stop()
    assert served.said == ["Soru?", "Yarım "]
    assert served.on_disk()[-1].state is MessageState.STOPPED
    worker.join(10)
    assert not worker.is_alive()
    assert getattr(events[-1], "outcome", None) is Outcome.STOPPED
    assert getattr(events[-1], "error", None) is None
    assert [one.text for one in events if isinstance(one, TextArrived)] == ["Yarım "]


def _until_arrived(study: Study, text: str) -> None:
    """Wait until the text is on the disk within the second, while nothing more comes."""
    pause = threading.Event()
    for _ in range(1000):
        if study.on_disk()[-1].content == text:
            return
        pause.wait(0.01)
    raise AssertionError("it was never committed")


def test_reasoning_without_a_first_mark_is_taken_back(
    served: Study, server: fakes.ScriptedServer
) -> None:
    """Some models' templates put the mark into the prompt; what streamed in is no answer."""
    chunks = ["Gizli", " düşünce.\n", "</think>", "\n\nGelgit ", "Ay'dan."]
    server.then(fakes.Says(chunks=chunks))
    with served_model(server, kind=EndpointKind.CHAT) as served.model:
        ended = served.ask("Gelgit neden olur, kısaca?")
    assert ended.text == served.active.messages[-1].content == "Gelgit Ay'dan."
    shown = ""
    for event in served.happened(TextArrived):
        shown = event.text if event.is_instead else shown + event.text
    assert shown == ended.text
