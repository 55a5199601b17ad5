"""What may be quoted without a model: a search by meaning always finds something."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime

import pytest

from desktop.domain.ids import PassageId, SessionId, SourceId
from desktop.domain.language import Language
from desktop.domain.sources import SourceKind
from desktop.research.extractive_answers import Closeness, quote_passages, rank_quotable
from desktop.research.passages import Passage, Place, Speaker
from desktop.research.tiers.plans import split_into_questions
from desktop.settings.messages import Texts
from tests.studies import phrases

FOUND, NEAR, FOREIGN = Closeness.FOUND, Closeness.NEAR, Closeness.FOREIGN


def passage(stored: str, title: str = "Book") -> Passage:
    at = datetime(2026, 3, 5, tzinfo=UTC)
    place = Place(SourceId(title), PassageId(stored), SourceKind.DOCUMENT, "/b.pdf", 1)
    return Passage(1, SessionId(""), None, title, at, Speaker.DOCUMENT, stored, stored, place)


def on_page(stored: str, page: int) -> Passage:
    place = Place(SourceId("b"), PassageId(str(page)), SourceKind.DOCUMENT, "/b.pdf", page)
    return replace(passage(stored), place=place)


ZEBRAS = passage("Page one talks of the number of zebras that live in the open grass.")
QUOKKAS = passage("The quokka lives on an island and seems to smile at everyone who comes by.")
LEAVES = passage("They eat leaves in the evening when the heat of the day is over.", "Quokkas")
AIR = passage("Durgun hava kirleticileri yere yakın tutar.", "Ankara")
NEARBY = passage("Hava bugün durgun.", "İzmir")
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
        ("İstanbul'da hava nasıl?", [AIR, CONQUEST, NEARBY], [AIR, CONQUEST], NEAR),
        ("İstanbul'da hava nasıl?", [AIR, WEATHER], [WEATHER], FOUND),
    ],
)
def test_a_passage_with_one_of_several_words_is_quoted_only_as_near(
    question: str, found: list[Passage], kept: list[Passage], closeness: Closeness
) -> None:
    assert rank_quotable([question], found, phrases().stop_words) == (kept, closeness)


def test_each_quotation_has_its_page() -> None:
    said = ["Quokkas live on an island.", "Quokkas sleep by day."]
    texts = Texts(Language.EN)
    of_pages = [on_page(one, number) for number, one in enumerate(said, start=2)]
    quoted = quote_passages("Quokkas", of_pages, "Lead.", phrases().stop_words, texts)
    assert quoted.text == (
        "Lead.\n\n**Book**\n\n> Quokkas live on an island. [1] (p. 2)\n\n"
        "> Quokkas sleep by day. [2] (p. 3)"
    )
    again = quote_passages("Quokkas", of_pages * 2, "Lead.", phrases().stop_words, texts)
    assert again == quoted


def test_a_common_word_alone_gives_no_near_hit() -> None:
    def weigh(words: Sequence[str]) -> dict[str, float]:
        return {word: 0.5 if word == "hava" else 5.0 for word in words}

    found, _ = rank_quotable(
        ["İstanbul'da hava nasıl?"], [AIR, CONQUEST], phrases().stop_words, weigh
    )
    assert found == [CONQUEST]


def test_every_part_of_a_question_is_quoted_and_no_heading_is() -> None:
    stored = (
        "Sulama ve budama\n"
        "Zeytin ağaçları ilk üç yıl haftada bir sulanır. Kalın ağaç on beş günde bir sulanır. "
        "Fazla su zeytin köklerini çürütür. Budama şubat sonunda yapılır."
    )
    place = Place(
        SourceId("z"), PassageId("p"), SourceKind.DOCUMENT, "/z.pdf", 4, "Bahçe › Sulama ve budama"
    )
    quoted = quote_passages(
        "Zeytin ağaçları ne sıklıkta sulanır ve budama ne zaman yapılır?",
        [replace(passage(stored, "Zeytin"), place=place)],
        "",
        phrases().stop_words,
        Texts(Language.TR),
    )
    assert [one.quote for one in quoted.citations] == [
        "Zeytin ağaçları ilk üç yıl haftada bir sulanır.",
        "Budama şubat sonunda yapılır.",
    ]


@pytest.mark.parametrize(
    ("text", "questions"),
    [
        ("What is WAL? How are files locked?", ["What is WAL?", "How are files locked?"]),
        ("Zeytin", ["Zeytin"]),
    ],
)
def test_each_question_is_looked_up_by_itself(text: str, questions: list[str]) -> None:
    assert [one.question for one in split_into_questions(text)] == questions
