"""What may be a name at the head of a sentence and nowhere else goes along with a summary."""

import pytest

from desktop.memory.compacts.beginnings import perhaps_named
from desktop.sessions.prompts_and_phrases import shipped_phrases
from tests.costs import PASTES, grows_with_length

COMMON = shipped_phrases().stop_words


def perhaps(spoken: str, *others: str) -> list[str]:
    return list(perhaps_named([spoken], [spoken, *others], COMMON))


@pytest.mark.parametrize(
    ("said", "name"),
    [
        ("Kavlak bu sabah toplantıya gelmedi.", "Kavlak"),
        ("Toplantı kısa sürdü. Mudurnu soğuktu.", "Mudurnu"),
        ("- Çolakoğlu çeliği geç teslim etti.", "Çolakoğlu"),
        ("Logo faturaları yanlış hesaplıyor.", "Logo"),
        ("Halvard's report came late.", "Halvard"),
        ("Kessler and the lawyer disagree.", "Kessler"),
        ("It rained!\nLowestoft was too windy.", "Lowestoft"),
    ],
)
def test_a_word_that_only_begins_a_sentence_may_be_a_name(said: str, name: str) -> None:
    assert name in perhaps(said)


@pytest.mark.parametrize(
    ("said", "other"),
    [
        ("Sunucudaki bellek yine doldu.", "Hangi sunucu?"),
        ("Pekmezi ocağa koy.", "Üzüm pekmezi mi?"),
        ("Tenants complained about the noise.", "How many tenants?"),
        ("That's it. It's fine. Bu olmaz.", ""),
        ("Misafirlerimizin çoğu gelmedi.", ""),
        ("TAMAM o zaman.", ""),
    ],
)
def test_a_word_that_is_written_small_elsewhere_or_has_a_word_s_endings_is_none(
    said: str, other: str
) -> None:
    assert not perhaps(said, other)


def test_nothing_is_looked_for_in_what_the_assistant_says() -> None:
    assert not list(perhaps_named(["peki"], ["peki", "Kavlak gelmedi."], COMMON))


@pytest.mark.parametrize("piece", PASTES)
def test_a_long_paste_costs_what_its_length_does(piece: str) -> None:
    assert grows_with_length(perhaps, piece)
