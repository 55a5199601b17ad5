"""What can go wrong between question and answer, through the window and the real SDK."""

from collections.abc import Callable
from dataclasses import dataclass
from threading import Event

import pytest

from desktop.domain.messages import MessageState
from desktop.settings.paths import DEFAULT_PROFILE, Paths
from tests.e2e.person import Person, words_of
from tests.fakes import (
    Answer,
    DropsConnection,
    EndsWithoutStopReason,
    Fails,
    Refuses,
    Says,
    ScriptedServer,
    TooLongForLlama,
    Waits,
)
from tests.models import connect_by_environment

_KEY = "sk-gizli-anahtar-9f3b"
_PART = "Gelgit, Ay'ın "
_RETRY = "Yeniden dene"


@dataclass(frozen=True)
class Failure:
    """The server's failure, the window's message, and the part of the answer that arrived."""

    step: Answer
    sentence: str
    part: str = ""


_FAILURES = [
    Failure(Fails(401, message="invalid x-api-key"), "Anahtarın kabul edilmedi."),
    Failure(Fails(529), "Model şu an çok yoğun."),
    Failure(DropsConnection(_PART), "Scripted yanıt vermiyor.", _PART),
    Failure(EndsWithoutStopReason(_PART), "Yanıt yarıda kesildi.", _PART),
    Failure(Refuses(_PART), "Model buna yanıt vermek istemedi.", _PART),
    Failure(TooLongForLlama(), "Oturum bu modelin okuyabileceğinden uzun."),
]


def test_every_failure_says_what_to_do_and_retry_sends_the_same_context_again(
    server: ScriptedServer,
    connected: Paths,
    start: Callable[[Paths], Person],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    connect_by_environment(monkeypatch, server, connected.data, _KEY)
    person = start(connected)
    conversation: list[str] = []
    for number, failure in enumerate(_FAILURES, start=1):
        question = f"Gelgit sorusu {number}: Ay gelgiti nasıl yapar?"
        server.default = failure.step
        person.says(question)

        person.waits_until(
            lambda: person.messages[-1].facts.error.startswith(failure.sentence)  # noqa: B023 - not kept
        )
        assert person.words == [*conversation, question, failure.part], failure
        kept = person.shown[-1]
        assert (kept.state, kept.content) == (MessageState.FAILED, failure.part), failure
        failed = server.asked[-1]
        assert words_of(failed) == [*conversation, question], failure

        server.default = Says(f"Yanıt {number}.")
        with person.until_answered():
            person.presses(_RETRY)
        again = server.asked[-1]
        assert words_of(again) == words_of(failed), failure
        assert again.system == failed.system, failure
        conversation += [question, f"Yanıt {number}."]
        person.waits_until(lambda: person.words == conversation)  # noqa: B023 - not kept
        assert [message.content for message in person.shown] == conversation, failure

    assert server.asked[-1].headers["authorization"] == f"Bearer {_KEY}"
    server.default = Fails(529)
    person.says("teşekkürler")

    def logged() -> str:
        logs = connected.profile(DEFAULT_PROFILE).logs
        return "".join(file.read_text(encoding="utf-8") for file in logs.iterdir())

    person.waits_until(lambda: "overloaded" in logged())
    assert person.sessions[0].title is not None
    person.closes()
    for secret in (_KEY, "Gelgit", "gelgit", "Yanıt 1"):
        assert secret not in logged()


def test_stop_frees_the_composer_at_once_though_the_server_hangs(
    server: ScriptedServer, connected: Paths, start: Callable[[Paths], Person]
) -> None:
    person = start(connected)
    never = Event()
    hanging = Waits(never)
    server.then(Says(chunks=[_PART, "çekimiyle ", hanging, "olur."]))
    person.sends("Gelgit neden olur?")
    person.waits_until(lambda: person.words == ["Gelgit neden olur?", f"{_PART}çekimiyle "])
    hanging.reached.wait(10)
    assert "Durdur" in person.buttons

    person.chooses("stop")
    assert "Durdur" not in person.buttons
    person.types("Peki ya günde kaç kez?")
    assert "Gönder" in person.buttons
    assert person.messages[-1].message.state is MessageState.STOPPED
    person.waits_until(lambda: person.shown[-1].state is MessageState.STOPPED)
    assert person.shown[-1].content == f"{_PART}çekimiyle "

    server.default = Says("İki kez.")
    person.says("")
    assert [message.content for message in person.shown] == [
        "Gelgit neden olur?",
        f"{_PART}çekimiyle ",
        "Peki ya günde kaç kez?",
        "İki kez.",
    ]
    assert words_of(server.asked[-1])[1] == f"{_PART}çekimiyle "
