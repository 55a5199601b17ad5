"""A question about the user is answered from the relevant facts."""

import pytest

from desktop.domain.facts import FactFilter, Term
from desktop.domain.projects import EVERYTHING
from tests.studies import Study


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("Kızımın adı ne?", "Kızımın adı Elif"),
        ("Alerjim neydi?", "Fıstığa alerjim var"),
        ("What's my dog called?", "My dog is called Biscuit"),
    ],
)
def test_a_fact_that_shares_words_with_the_question_comes_first(
    alone: Study, question: str, told: str
) -> None:
    memory = alone.assistant.memory
    for content in ("Kızımın adı Elif", "Fıstığa alerjim var", "My dog is called Biscuit"):
        (kept,) = memory.remember(content).added
        alone.archive.facts.move([kept.id], Term.LONG)
    assert memory.relevant_facts(question, EVERYTHING)[0].content == told


@pytest.mark.parametrize("question", ["Alerji nedir?", "Papağanlar kaç yıl yaşar?"])
def test_a_general_question_sends_no_facts(alone: Study, question: str) -> None:
    alone.assistant.memory.remember("Polene alerjim var")
    alone.assistant.memory.remember("Papağanım 3 yaşında")
    assert alone.assistant.memory.relevant_facts(question, EVERYTHING) == []


def test_a_superseded_fact_is_neither_sent_nor_quoted(alone: Study) -> None:
    alone.ask("Adana'da oturuyorum, bunu unutma.")
    (older,) = alone.archive.facts.facts(FactFilter(EVERYTHING))
    alone.assistant.memory.supersede(older.id, "Artık Samsun'da oturuyorum")
    alone.assistant.end()
    alone.describe()
    answer = alone.ask("Nerede oturuyorum?").text
    assert "> Artık Samsun'da oturuyorum" in answer
    assert "> Adana" not in answer
