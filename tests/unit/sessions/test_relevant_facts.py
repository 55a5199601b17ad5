"""A question about the user is answered from the relevant facts."""

from dataclasses import replace

import pytest

from desktop.domain.facts import FactFilter, Retention, Term
from desktop.domain.projects import EVERYTHING
from desktop.memory.active_memory import MOST_TOKENS
from tests.embedding_stand_ins import SubjectEmbedder
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


def test_an_important_fact_is_sent_days_later_and_a_trifle_is_not(alone: Study) -> None:
    memory = alone.assistant.memory
    memory.remember("I am allergic to penicillin", importance=10)
    memory.remember("My sister is called Ayşe", importance=5)
    alone.clock.pass_by(hours=49)
    memory.move_aged_facts(EVERYTHING)
    sent = memory.prompt_block(EVERYTHING, "Can I take amoxicillin?").text
    assert "penicillin" in sent
    assert "Ayşe" not in sent


def test_an_important_fact_that_had_aged_returns_unless_its_topic_has_a_time(alone: Study) -> None:
    facts, memory = alone.archive.facts, alone.assistant.memory
    (back,) = memory.remember("I am allergic to penicillin", topic="Health").added
    (gone,) = memory.remember("The code of the gate is blue", topic="Trip").added
    facts.move([back.id, gone.id], Term.LONG)
    alone.settings = replace(alone.settings, retention=(Retention("trip", 1),))
    alone.clock.pass_by(hours=2)
    assert memory.move_aged_facts(EVERYTHING) == []
    assert [one.term for one in facts.some([back.id, gone.id])] == [Term.SHORT, Term.LONG]


def test_of_too_many_important_facts_those_near_the_question_in_meaning_go_first(
    alone: Study,
) -> None:
    meanings, memory = alone.use_meanings(SubjectEmbedder()), alone.assistant.memory
    (about_car,) = memory.remember("Otomobil dizel", importance=8).added
    (about_dog,) = memory.remember("Köpek on yaşında", importance=4).added
    for place in range(30):
        memory.remember(f"Ayrı bir konu, numara {place}", importance=9)
    alone.archive.facts.move([about_dog.id], Term.LONG)
    meanings.embed_due(lambda: False)
    contents = [one.content for one in memory.prompt_block(EVERYTHING, "Which vehicle?").facts]
    assert contents[0] == about_car.content
    assert about_dog.content not in contents
    asked = memory.prompt_block(EVERYTHING, "Which dog?")
    assert about_dog.content in [one.content for one in asked.facts]
    assert asked.tokens <= MOST_TOKENS
