"""A text that repeats itself is detected, unless it may repeat itself."""

import pytest

from desktop.llm.stream import RepetitionDetector, repeats_itself
from tests.costs import PASTES, grows_with_length, grows_with_size

SENTENCE = "Kan şekeri sabaha karşı yükselir, çünkü hormonlar artar. "
PARAGRAPH = " ".join(f"Cümle {count} başka bir şey söyler ve sonra durur." for count in range(12))
BEGINNING = "Şafak olayı, sabah açlık şekerinin yüksek çıkmasıdır.\n\n"


@pytest.mark.parametrize(
    "again", [SENTENCE * 9, "the same, " * 40, f"{SENTENCE}\n\n" * 9, f"{PARAGRAPH}\n\n" * 5]
)
def test_the_same_words_repeated_are_a_loop(again: str) -> None:
    assert repeats_itself(BEGINNING + again)
    assert repeats_itself(BEGINNING + again + again[:17])


@pytest.mark.parametrize(
    "text",
    [
        "",
        SENTENCE,
        SENTENCE * 4,
        PARAGRAPH * 2,
        "\n".join(f"- {count} yılında {count * 7} kişi geldi." for count in range(1990, 2020)),
        "| yok | yok |\n" * 40,
        "-" * 900,
        "0 " * 600,
        "```\n" + "print('merhaba dünya, nasılsın')\n" * 30,
    ],
)
def test_allowed_repetitions_are_not_reported(text: str) -> None:
    assert not repeats_itself(BEGINNING + text)


def test_a_repetition_that_was_requested_is_not_reported() -> None:
    wished = "Bir daha geç kalmayacağım. "
    assert repeats_itself(wished * 50)
    assert not repeats_itself(wished * 50, f"Elli kez şunu yaz: {wished}")


@pytest.mark.parametrize("piece", PASTES)
def test_checking_any_text_takes_linear_time(piece: str) -> None:
    assert grows_with_length(repeats_itself, piece)


def test_checking_a_long_answer_takes_linear_time() -> None:
    def watch(words: list[str]) -> None:
        detector = RepetitionDetector()
        for word in words:
            detector.add(word)
            if word == "durur. ":
                detector.repeats_itself()

    said = ["Cümle ", "başka ", "bir ", "şey ", "söyler ", "ve ", "durur. "]
    assert grows_with_size(watch, said * 400, said * 3_200)


@pytest.mark.parametrize("size", [1, 2, 5])
def test_fences_are_counted_across_the_chunks_of_a_text(size: int) -> None:
    code = "````\n```\n" + "print('merhaba dünya, nasılsın')\n" * 30
    for text, is_circle in ((code, True), (f"```\n{code}", False)):
        detector = RepetitionDetector()
        for at in range(0, len(text), size):
            detector.add(text[at : at + size])
        assert detector.repeats_itself() == is_circle == repeats_itself(text)
