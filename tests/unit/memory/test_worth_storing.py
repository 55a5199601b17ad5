"""Which exchanges are worth storing, and which part of a message."""

from dataclasses import replace

import pytest

from desktop.domain.facts import LONGEST_FACT, Refusal
from desktop.domain.ids import SessionId
from desktop.domain.messages import NO_MODEL, Message, MessageState
from desktop.memory.worth_storing import excerpt_message, find_refusal, find_refusals
from desktop.sessions.conversation.assistant_context import shipped_phrases
from tests.archives import stored

PHRASES = shipped_phrases()


def exchange(question: str, answer: str = "Yanıt.") -> tuple[Message, Message]:
    session = SessionId("s")
    return stored(session, 1, question).message, stored(session, 2, answer).message


@pytest.mark.parametrize(
    ("said", "refusal"),
    [
        *((one, Refusal.EMPTY) for one in ("Merhaba", "Çok teşekkürler, iyi günler!", "Thanks!")),
        *((one, Refusal.EMPTY) for one in ("Peki?", "devam et", "peki neden?", "go on", "why?")),
        ("Geçen hafta kira hakkında ne konuşmuştuk?", Refusal.RECALLED),
        ("What did we decide about the kitchen last month?", Refusal.RECALLED),
        ("Nerede oturuyorum?", Refusal.RECALLED),
        ("Kızımın adı ne?", Refusal.RECALLED),
        ("What's my dog called?", Refusal.RECALLED),
        *((one, None) for one in ("evliyim", "vejetaryenim", "My budget is 500 euros")),
        ("Kedim 12 yaşında, mama önerir misin?", None),
    ],
)
def test_statements_about_oneself_are_worth_storing_and_courtesies_and_lookups_are_not(
    said: str, refusal: Refusal | None
) -> None:
    assert find_refusal(*exchange(said), PHRASES) is refusal


@pytest.mark.parametrize(
    "answer",
    [
        "Üzgünüm, bu soruya şu anda yanıt veremiyorum.",
        "Bunu bilmiyorum ve tahmin etmek istemem.",
        "Sorry, I was unable to find an answer to that.",
        "I couldn't find that.",
    ],
)
def test_an_answer_that_is_only_an_excuse_teaches_nothing(answer: str) -> None:
    assert find_refusal(*exchange("Kuantum nedir acaba?", answer), PHRASES) is Refusal.FAILED
    assert find_refusal(*exchange("Konya'da öğretmenim.", answer), PHRASES) is None


def test_a_question_whose_answer_failed_does_not() -> None:
    question, answer = exchange("Şafak olayı nedir acaba?")
    stopped = replace(answer, state=MessageState.STOPPED)
    assert find_refusal(question, stopped, PHRASES) is Refusal.FAILED


def test_quotations_from_the_archive_are_not_worth_storing() -> None:
    question, answer = exchange("Şafak olayı için ne demiştik?")
    assert find_refusal(question, replace(answer, model=NO_MODEL), PHRASES) is Refusal.RECALLED


def test_statements_of_the_user_are_worth_storing_whatever_the_answer() -> None:
    question, answer = exchange("Benim tip 1 diyabetim var.")
    assert find_refusal(question, replace(answer, state=MessageState.FAILED), PHRASES) is None


def test_one_exchange_worth_learning_has_the_whole_session_read() -> None:
    greeting, answer = exchange("Merhaba!")
    assert find_refusals([greeting, answer], PHRASES) == {Refusal.EMPTY: 1}
    said, _ = exchange("Benim tip 1 diyabetim var.")
    assert find_refusals([greeting, answer, said, answer], PHRASES) == {}


def test_a_short_message_is_kept_whole_and_without_its_markdown() -> None:
    message = "\n Kan şekerini **mg/dL** olarak\nyazarım. "
    found = excerpt_message(message)
    assert found.text == "Kan şekerini mg/dL olarak yazarım."
    assert message[found.start : found.start + found.length] == message.strip()


def test_a_long_message_keeps_its_first_whole_sentences() -> None:
    first, second = "Tez 14 Mayıs'ta bitecek.", "Danışman her salı gelir."
    message = f"# Plan\n\n{first} {second} " + "Ardından uzun uzun başka şeyler anlatıldı. " * 9
    found = excerpt_message(message)
    assert found.text.startswith(f"{first} {second}")
    assert found.text.endswith(".")
    assert len(found.text) <= LONGEST_FACT
    assert message[found.start : found.start + found.length].startswith(first)


def test_an_endless_sentence_is_cut_at_a_word_and_an_empty_text_gives_nothing() -> None:
    found = excerpt_message("kelime " * 200)
    assert len(found.text) <= LONGEST_FACT
    assert found.text.endswith("kelime…")
    assert excerpt_message(" \n ").text == ""
