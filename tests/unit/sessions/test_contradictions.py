"""A contradiction that the model names ends the older fact; compatible facts are kept."""

from collections.abc import Sequence

import pytest

from desktop.domain.facts import FactFilter
from desktop.domain.projects import EVERYTHING
from desktop.memory.active_memory import MOST_TOKENS
from tests.studies import Study
from tests.unit.sessions.test_learning import fact, reply

Told = tuple[str, str]
"""What the user says, and the fact that the model makes of it."""


def pairs(table: str) -> Sequence[tuple[Told, Told]]:
    told = [line.split(" → ") for line in table.splitlines()]
    lines = [(said, fact) for said, fact in told]
    return list(zip(lines[::2], lines[1::2], strict=True))


CONTRADICTIONS = pairs("""\
Ben İzmir'de yaşıyorum. → Kullanıcı İzmir'de yaşıyor.
Geçen hafta Ankara'ya taşındım. → Kullanıcı Ankara'ya taşındı.
Vejetaryenim. → Kullanıcı vejetaryen.
Doktor önerdi, yine et yemeye başladım. → Kullanıcı yeniden et yiyor.
Arabam dizel bir Clio. → Kullanıcının dizel bir Clio'su var.
Clio'yu sattım, artık bisikletle gidiyorum. → Kullanıcı arabasını sattı.
I live in Leeds. → The user lives in Leeds.
We have settled in Bristol now. → The user has settled in Bristol.
My flight is on Friday. → The user's flight is on Friday.
The airline cancelled my flight. → The user's flight was cancelled.
My landlord allows pets. → The user's landlord allows pets.
The new lease forbids pets. → The user's new lease forbids pets.
""")
COMPATIBLE = pairs("""\
Ben İzmir'de yaşıyorum. → Kullanıcı İzmir'de yaşıyor.
İzmir'de Bornova'da oturuyorum. → Kullanıcı Bornova'da oturuyor.
Metformin 500 mg kullanıyorum. → Kullanıcı metformin 500 mg kullanıyor.
Bir süredir ramipril 5 mg kullanıyorum. → Kullanıcı ramipril 5 mg kullanıyor.
I have a cat. → The user has a cat.
I have a dog. → The user has a dog.
I work at a bank. → The user works at a bank.
I volunteer at a museum. → The user volunteers at a museum.
""")


def learn(study: Study, told: Told, *, replaces: int = 0) -> None:
    said, content = told
    study.script.descriptions.append(reply(fact(content, said, replaces=replaces)))
    study.ask(said)
    study.ask("Peki, devam edelim mi?")
    study.assistant.end()
    study.describe()
    study.clock.pass_by(hours=3)


def kept(study: Study) -> set[str]:
    return {one.content for one in study.archive.facts.facts(FactFilter(EVERYTHING))}


@pytest.mark.parametrize(("older", "newer"), CONTRADICTIONS)
def test_a_fact_is_superseded_if_the_model_names_it_in_the_users_words(
    study: Study, older: Told, newer: Told
) -> None:
    learn(study, older)
    learn(study, newer, replaces=1)
    assert f"1. {older[1]}" in str(study.script.json_requests[-1].changing)
    assert kept(study) == {newer[1]}
    (now,) = study.archive.facts.facts(FactFilter(EVERYTHING))
    assert [one.content for one in study.archive.facts.history(now.id)] == [older[1]]


@pytest.mark.parametrize(("older", "newer"), COMPATIBLE)
def test_a_fact_that_the_model_does_not_name_stays(study: Study, older: Told, newer: Told) -> None:
    learn(study, older)
    learn(study, newer)
    assert kept(study) == {older[1], newer[1]}


def test_words_that_are_not_the_users_supersede_nothing(study: Study) -> None:
    older = CONTRADICTIONS[0][0]
    learn(study, older)
    pasted = "Şunu çevir:\n> Geçen hafta Ankara'ya taşındım."
    quote = "Geçen hafta Ankara'ya taşındım"
    study.script.descriptions.append(
        reply(fact("Kullanıcı Ankara'ya taşındı.", quote, replaces=1))
    )
    study.ask(pasted)
    study.ask("Peki, devam edelim mi?")
    study.assistant.end()
    study.describe()
    assert kept(study) == {older[1]}


def test_a_number_that_changes_repeatedly_is_kept_once(study: Study) -> None:
    for weight in range(78, 90):
        said = f"Hedef kilom {weight} kg oldu."
        learn(study, (said, f"Kullanıcının hedef kilosu {weight} kg."))
    assert kept(study) == {"Kullanıcının hedef kilosu 89 kg."}
    assert study.assistant.memory.prompt_block(EVERYTHING).tokens <= MOST_TOKENS
