"""Whether an exchange deserves storing, and why not."""

from dataclasses import replace

import pytest

from desktop.domain.facts import Refusal
from desktop.domain.ids import SessionId
from desktop.domain.messages import NO_MODEL, Message, MessageState
from desktop.memory.worth import not_worth, not_worth_reading
from desktop.sessions.wording import shipped_phrases
from tests.archives import stored

PHRASES = shipped_phrases()


def exchange(question: str, answer: str = "Yanıt.") -> tuple[Message, Message]:
    session = SessionId("s")
    return stored(session, 1, question).message, stored(session, 2, answer).message


@pytest.mark.parametrize("said", ["Merhaba", "Çok teşekkürler, iyi günler!", "Thanks!", "Peki?"])
def test_greetings_and_thanks_do_not(said: str) -> None:
    assert not_worth(*exchange(said), PHRASES) is Refusal.EMPTY


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
