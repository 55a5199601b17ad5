"""The parts of a request: the user's settings, the changing block, and the report."""

import pytest

from desktop.domain.events import ContextAssembled, Decided, FactsSent
from desktop.domain.language import Language
from desktop.domain.routing import Recall
from desktop.domain.usage import Omission, PartKind
from desktop.settings.settings import OWN_PERSONA, StandingInstruction
from tests.studies import Study, words_of

LONG = "Kan şekeri sabaha karşı neden yükselir, peki? " * 20


def remembered(study: Study, *facts: str) -> None:
    for fact in facts:
        study.assistant.memory.remember(fact)


def test_the_users_values_follow_the_instructions_in_every_turn(study: Study) -> None:
    instructions = (
        StandingInstruction("Metrik ver."),
        StandingInstruction("Şaka yap.", is_on=False),
    )
    study.set(
        instructions=instructions,
        variables={"Çalışma alanı": "endokrinoloji", "Birimler": "mg/dl"},
    )
    for _ in range(2):
        study.ask("Kan şekeri nedir?")
    first, second = study.script.requests
    assert first.instructions == second.instructions
    assert "- Metrik ver." in first.instructions
    assert "Şaka yap" not in first.instructions
    assert first.instructions.endswith(
        "Kullanıcının kendisi için verdiği değerler:\n"
        "- Çalışma alanı: endokrinoloji\n- Birimler: mg/dl"
    )


def test_the_users_own_persona_is_taken_as_it_is_written(study: Study) -> None:
    study.set(persona=OWN_PERSONA, own_persona="Sen bir deniz fenerisin; adın Fener.")
    study.ask("Şafak olayı nedir?")
    assert study.script.requests[0].instructions.startswith(
        "Sen bir deniz fenerisin; adın Fener.\n"
    )
    study.set(persona="no such persona")
    study.ask("İkisinin farkı ne?")
    usual = words_of(study.language).personas["research"]
    assert study.script.requests[1].instructions.startswith(usual)


def test_this_session_only_means_nothing_of_others(study: Study) -> None:
    remembered(study, "Kullanıcı Ankara'da yaşıyor.")
    study.ask("Şafak fenomeni nedir?")
    study.assistant.end()
    study.describe()
    study.set(uses_past_sessions=False)
    study.ask("Geçen gün şafak fenomeni hakkında ne konuşmuştuk?")
    assert not [one for one in study.happened(Decided) if isinstance(one.decision, Recall)]
    assert "Ankara" not in study.changing
    assert "<passage" not in study.changing
    study.set(uses_past_sessions=True)
    study.ask("Geçen gün şafak fenomeni hakkında ne konuşmuştuk?")
    assert "Ankara" in study.changing
    assert "<passage" in study.changing


@pytest.mark.parametrize("language", Language)
def test_a_question_that_fills_the_model_alone_goes_without_what_is_remembered(
    study: Study, language: Language
) -> None:
    study.language = language
    remembered(study, "Kullanıcı Ankara'da yaşıyor.")
    study.script.context = 4_000
    study.ask(LONG * 20)
    report = study.happened(ContextAssembled)[0].report
    memory = report.part(PartKind.MEMORY)
    assert (memory.items, memory.left_out, memory.reason) == (0, 1, Omission.NO_ROOM)
    assert "Ankara" not in study.changing
    assert study.happened(FactsSent) == []
    assert [one.text for one in study.script.requests[-1].messages] == [study.said[0]]
