"""Whether an exchange deserves storing, and why not."""

from dataclasses import replace

import pytest

from desktop.domain.facts import Refusal
from desktop.domain.ids import SessionId
from desktop.domain.messages import NO_MODEL, Message, MessageState
from desktop.memory.worth_storing import not_worth, not_worth_reading
from desktop.sessions.prompts_and_phrases import shipped_phrases
from tests.archives import stored

PHRASES = shipped_phrases()


def exchange(question: str, answer: str = "Yanıt.") -> tuple[Message, Message]:
    session = SessionId("s")
    return stored(session, 1, question).message, stored(session, 2, answer).message


@pytest.mark.parametrize("said", ["Merhaba", "Çok teşekkürler, iyi günler!", "Thanks!", "Peki?"])
def test_greetings_and_thanks_do_not(said: str) -> None:
    assert not_worth(*exchange(said), PHRASES) is Refusal.EMPTY


@pytest.mark.parametrize("said", ["devam et", "peki neden?", "örnek ver", "go on", "why?"])
def test_a_wish_to_go_on_does_not(said: str) -> None:
    assert not_worth(*exchange(said), PHRASES) is Refusal.EMPTY


@pytest.mark.parametrize(
    "asked",
    [
        "Geçen hafta kira hakkında ne konuşmuştuk?",
        "What did we decide about the kitchen last month?",
        "Nerede oturuyorum?",
        "Kızımın adı ne?",
        "What's my dog called?",
    ],
)
def test_what_was_only_looked_up_does_not(asked: str) -> None:
    assert not_worth(*exchange(asked), PHRASES) is Refusal.RECALLED


@pytest.mark.parametrize(
    "answer",
    [
        "Üzgünüm, bu soruya şu anda yanıt veremiyorum.",
        "Bunu bilmiyorum ve tahmin etmek istemem.",
        "Sorry, I was unable to find an answer to that.",
        "I couldn't find that.",
    ],
)
def test_an_answer_that_only_excuses_itself_does_not(answer: str) -> None:
    assert not_worth(*exchange("Kuantum nedir acaba?", answer), PHRASES) is Refusal.FAILED
    assert not_worth(*exchange("Konya'da öğretmenim.", answer), PHRASES) is None


@pytest.mark.parametrize(
    "said",
    ["evliyim", "vejetaryenim", "Kedim 12 yaşında, mama önerir misin?", "My budget is 500 euros"],
)
def test_what_the_user_tells_of_themselves_does(said: str) -> None:
    assert not_worth(*exchange(said), PHRASES) is None


def test_a_question_whose_answer_failed_does_not() -> None:
    question, answer = exchange("Şafak olayı nedir acaba?")
    stopped = replace(answer, state=MessageState.STOPPED)
    assert not_worth(question, stopped, PHRASES) is Refusal.FAILED


def test_what_was_only_quoted_from_the_archive_does_not() -> None:
    question, answer = exchange("Şafak olayı için ne demiştik?")
    assert not_worth(question, replace(answer, model=NO_MODEL), PHRASES) is Refusal.RECALLED


def test_what_the_user_states_does_whatever_became_of_the_answer() -> None:
    question, answer = exchange("Benim tip 1 diyabetim var.")
    assert not_worth(question, replace(answer, state=MessageState.FAILED), PHRASES) is None


def test_one_exchange_that_deserves_it_has_all_of_them_read() -> None:
    greeting, answer = exchange("Merhaba!")
    assert not_worth_reading([greeting, answer], PHRASES) == {Refusal.EMPTY: 1}
    said, _ = exchange("Benim tip 1 diyabetim var.")
    assert not_worth_reading([greeting, answer, said, answer], PHRASES) == {}
