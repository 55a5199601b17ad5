"""The parts of a request: the user's settings, the changing block, and the report."""

import pytest

from desktop.domain.endpoints import ModelRole, RoleParameters
from desktop.domain.events import ContextAssembled, Decided, FactsSent
from desktop.domain.language import Language
from desktop.domain.routing import Recall
from desktop.domain.usage import Omission, PartKind
from desktop.settings.settings import OWN_PERSONA, StandingInstruction
from tests.models import SMALL_USAGE
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


def test_another_persona_takes_the_place_of_the_usual_one(study: Study) -> None:
    study.set(persona="butler")
    study.ask("Şafak olayı nedir?")
    sent = study.script.requests[0].instructions
    assert sent.startswith(words_of(study.language).personas["butler"])
    assert words_of(study.language).personas["research"] not in sent
    assert words_of(study.language).instructions("assistant") in sent


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


def test_an_answer_may_be_as_long_as_the_user_set(study: Study) -> None:
    study.ask("Kan şekeri nedir?")
    study.set(parameters={ModelRole.ANSWERING: RoleParameters(20_000)})
    study.ask("Neden yükselir?")
    assert [one.max_output_tokens for one in study.script.requests] == [8_192, 20_000]


def test_changing_text_is_in_one_block_at_the_end_and_gone_from_the_next_request(
    study: Study,
) -> None:
    remembered(study, "Kullanıcı Ankara'da yaşıyor.")
    study.ask("Kan şekeri nedir?")
    study.clock.pass_by(minutes=5)
    study.ask("Neden yükselir?")
    first, second = study.script.requests
    assert second.messages[: len(first.messages)] == first.messages
    assert all(
        "Ankara" in changing and "Şu an" in changing
        for changing in map(str, (first.changing, second.changing))
    )
    assert first.changing != second.changing
    assert "Ankara" not in f"{second.messages}{second.instructions}"
    assert all(first.changing not in content for content in study.said if first.changing)


def test_without_memory_no_facts_are_sent_and_the_report_gives_the_reason(study: Study) -> None:
    remembered(study, "Kullanıcı Ankara'da yaşıyor.")
    study.set(uses_memory=False)
    study.ask("Kan şekeri nedir?")
    assert "Ankara" not in study.changing
    memory = study.happened(ContextAssembled)[0].report.part(PartKind.MEMORY)
    assert (memory.items, memory.reason) == (0, Omission.SWITCHED_OFF)
    assert study.happened(FactsSent) == []


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


def test_lite_sends_two_facts_and_half_of_the_rest(study: Study) -> None:
    remembered(
        study, "Ankara'da yaşıyor.", "Metformin kullanıyor.", "Kedisi var.", "Geceleri çalışıyor."
    )
    study.set(is_lite=True)
    study.ask(LONG * 8)
    report = study.happened(ContextAssembled)[0].report
    assert report.part(PartKind.MEMORY).items == 2
    assert report.limit_tokens == int(study.script.context * 0.8) // 2
    assert study.assistant._answerer.compactor.kept() == 10


def test_the_request_is_reported_before_the_answer_and_its_cached_part_after(study: Study) -> None:
    study.ask("Kan şekeri nedir?")
    before, after = (event.report for event in study.happened(ContextAssembled))
    assert before.cached_tokens is None
    assert after.tokens == SMALL_USAGE.input_tokens
    assert after.cached_tokens == 0
    assert [part.kind for part in before.parts] == list(PartKind)


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
