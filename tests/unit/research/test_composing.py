"""What may be quoted where no model writes: a search by meaning finds something to everything."""

from collections.abc import Sequence
from datetime import UTC, datetime

import pytest

from desktop.domain.ids import SessionId
from desktop.research.passages import Passage, Speaker
from desktop.research.tiers.composing import Closeness, bearing
from tests.studies import phrases

FOUND, NEAR, FOREIGN = Closeness.FOUND, Closeness.NEAR, Closeness.FOREIGN


def passage(stored: str, title: str = "Book") -> Passage:
    at = datetime(2026, 3, 5, tzinfo=UTC)
    return Passage(1, SessionId("s"), None, title, at, Speaker.DOCUMENT, stored, stored)


ZEBRAS = passage("Page one talks of the number of zebras that live in the open grass.")
QUOKKAS = passage("The quokka lives on an island and seems to smile at everyone who comes by.")
LEAVES = passage("They eat leaves in the evening when the heat of the day is over.", "Quokkas")
AIR = passage("Durgun hava kirleticileri yere yakın tutar.", "Ankara")
CONQUEST = passage("İstanbul 1453'te fethedildi.", "Tarih")
WEATHER = passage("Lodosta hava ısınır.", "İstanbul iklimi")
TURKISH = passage("Kısa kuyruklu kanguru adada yaşar ve gülümsüyormuş gibi görünür.")


@pytest.mark.parametrize(
    ("question", "found", "kept", "closeness"),
    [
        ("What is the number of quokkas?", [ZEBRAS, QUOKKAS, LEAVES], [QUOKKAS, LEAVES], FOUND),
        ("What is the number of quokkas?", [ZEBRAS], [], FOREIGN),
        ("What is the number of quokkas?", [ZEBRAS, TURKISH, QUOKKAS], [QUOKKAS], FOUND),
        ("What is the number of quokkas?", [ZEBRAS, TURKISH], [TURKISH], FOREIGN),
        ("What is the number?", [ZEBRAS], [ZEBRAS], FOUND),
        ("What is the number of quokkas?", [], [], FOREIGN),
        ("Do zebras swim to an island?", [ZEBRAS, QUOKKAS], [ZEBRAS, QUOKKAS], NEAR),
        ("Do quokkas live on an island?", [ZEBRAS, QUOKKAS], [QUOKKAS], FOUND),
        ("İstanbul'da hava nasıl?", [AIR, CONQUEST, AIR], [AIR, CONQUEST], NEAR),
        ("İstanbul'da hava nasıl?", [AIR, WEATHER], [WEATHER], FOUND),
    ],
)
def test_what_has_one_of_several_words_is_quoted_as_near_and_no_more(
    question: str, found: list[Passage], kept: list[Passage], closeness: Closeness
) -> None:
    assert bearing(question, found, phrases().stop_words) == (kept, closeness)


def test_a_common_word_alone_is_not_even_near() -> None:
    def weigh(words: Sequence[str]) -> dict[str, float]:
        return {word: 0.5 if word == "hava" else 5.0 for word in words}

    found, _ = bearing("İstanbul'da hava nasıl?", [AIR, CONQUEST], phrases().stop_words, weigh)
    assert found == [CONQUEST]
